"""NT7: what a tournament's channels say; and messages of its organisers to all entrants."""

import json

import pytest
from standardwebhooks import Webhook

from chats.models import GroupChannel
from core import clock as service_clock
from core.accounts import services as accounts
from core.accounts.models import Player
from core.jobs import services as work
from core.notifications import endpoints
from core.notifications import services as telling
from core.notifications.models import Delivery, Hook, Notification
from games.notifications.following import tell_players
from tests import notifications
from tests.core.notifications.receivers import Receiver
from tests.tournaments.api.conftest import PAIRS, cast, olga, opened, run, running, set_up  # noqa: F401  fixtures
from tests.tournaments.api.test_api_stages import STAGED
from tournaments.notifications.following import tell_entrants

pytestmark = pytest.mark.django_db
__all__ = ["PAIRS"]


@pytest.fixture
def receiver(settings):
    settings.TREY_HOOKS_LOCAL = True
    with Receiver() as one:
        yield one


def said(receiver):
    """What the channels say now, after all that follows from the log."""
    run()
    tell_players.catch_up()
    tell_entrants.catch_up()
    work.Deliverer().do_all()
    bodies = [json.loads(body).get("content", "").replace("\\", "") for _, _, body in receiver.got]
    receiver.got.clear()
    return bodies


def news(name, kind):
    tell_entrants.catch_up()
    work.do_all(kinds=[telling.CHANGES])
    player = Player.objects.get(username=name)
    rows = Notification.objects.filter(player=player, subject="tournament", kind=kind).order_by("number")
    return [body["text"] for body in notifications.bodies(player, list(rows))]


def given(olga, made, receiver, service="discord"):  # noqa: F811
    answer = olga.post(f"tournaments/{made['id']}/channels", {"service": service, "url": receiver.url})
    assert answer.status == 201, answer.body
    return answer.body


def play_round(cast):  # noqa: F811
    for name in ("ada", "bob", "cleo", "dan"):
        for game in cast[name].get("me/turns").body["results"]:
            cast[name].post(f"games/{game['id']}/moves", {"move": "resign"})
            tell_players.catch_up()


@pytest.mark.sampled
def test_nt7_a_round_its_turns_results_and_standings_and_the_end_are_said(cast, olga, opened, receiver):  # noqa: F811
    made = opened(settings={**PAIRS, "rounds": 1})
    given(olga, made, receiver)
    assert olga.post(f"tournaments/{made['id']}/start").status == 200
    began = said(receiver)
    [seated] = [text for text in began if text.startswith("Round 1 of Threes 2026 begins. Table 1: ")]
    assert seated.count("Table ") == 2 and all(name in seated for name in ("ada", "bob", "cleo", "dan"))
    assert f"/t/{made['slug']}" in seated
    # A turn for each seat that has to lay out its cards, at both tables.
    turns = [text for text in began if ", it is your turn: Threes with " in text]
    assert len(turns) == 4 and all("/games/" in text for text in turns)
    play_round(cast)
    ended = said(receiver)
    assert sum(text.startswith("The game is over: Threes with ") for text in ended) == 2
    [closed] = [text for text in ended if text.startswith("Round 1 of Threes 2026 is over. 1. ")]
    [over] = [text for text in ended if text.startswith("Threes 2026 is over. 1. ")]
    assert all(text.count(" 1, ") == 2 and "3. " in text for text in (closed, over))
    assert said(receiver) == []


@pytest.mark.sampled
def test_sg11_a_stage_s_end_is_said_and_who_is_through(cast, olga, opened, receiver, clock):  # noqa: F811
    made = opened(**STAGED)
    path = f"tournaments/{made['id']}"
    given(olga, made, receiver)
    olga.post(f"{path}/start")
    assert any(text.startswith("Stage 1, round 1 of Threes 2026 begins. Table 1: ") for text in said(receiver))
    play_round(cast)
    ended = said(receiver)
    names = {one["entrant"]: one["name"] for one in olga.get(f"{path}/standings").body["standings"]}
    through = " and ".join(names[key] for key in olga.get(f"{path}/next-stage").body["seeds"])
    assert any(
        text.startswith(f"Stage 1 of Threes 2026 is over. Through as things stand: {through}.") for text in ended
    )
    clock.advance(days=1)
    began = said(receiver)
    assert any(text.startswith(f"Final of Threes 2026 begins. Its entrants, best first: {through}.") for text in began)
    assert any(text.startswith("Final, round 1 of Threes 2026 begins. Table 1: ") for text in began)


@pytest.mark.sampled
def test_sg11_the_webhook_of_a_player_gets_the_end_of_a_stage_as_that_of_a_round(
    cast,  # noqa: F811
    olga,  # noqa: F811
    opened,  # noqa: F811
    receiver,
):
    made = opened(**STAGED)
    endpoints.create_webhook(Player.objects.get(username="ada"), receiver.url, ["tournament.round"])
    olga.post(f"tournaments/{made['id']}/start")
    said(receiver)
    olga.post(f"tournaments/{made['id']}/rulings", {"ruling": "end_stage", "reason": "rain"})
    tell_entrants.catch_up()
    work.Deliverer().do_all()
    [event] = [json.loads(body) for _, _, body in receiver.got]
    assert event["type"] == "tournament.round"
    assert event["data"]["text"].startswith("Threes 2026: Final begins")


@pytest.mark.sampled
def test_nt7_a_webhook_gets_rounds_signed_by_nt13s_types(olga, opened, receiver):  # noqa: F811
    made = opened()
    secret = given(olga, made, receiver, "webhook")["secret"]
    assert olga.post(f"tournaments/{made['id']}/cancel", {"reason": "rain"}).status == 200
    tell_entrants.catch_up()
    work.Deliverer().do_all()
    [(_, headers, raw)] = receiver.got
    event = Webhook(secret).verify(raw, headers)
    assert event["type"] == "tournament.finished"
    assert event["data"]["text"] == "Threes 2026 was cancelled. Reason: rain"
    assert event["data"]["tournament"] == made["id"] and event["data"]["topic"] == "result"


@pytest.mark.sampled
def test_nt7_it_is_an_event_shown_before_one_enters_told_to_all_and_five_are_enough(
    clock,
    cast,  # noqa: F811
    olga,  # noqa: F811
    opened,  # noqa: F811
    receiver,
):
    made = opened()
    path = f"tournaments/{made['id']}"
    first = given(olga, made, receiver, "slack")
    assert news("ada", "changed") == ["Threes 2026 now posts to a channel (slack)."]
    assert news("olga", "changed") == []
    assert cast["zoe"].get(path).body["channels"] == ["slack"]
    assert cast["nobody"].get(f"{path}/channels").body["channels"] == [
        {"id": first["id"], "service": "slack", "own": None, "given_by": None}
    ]
    assert "s3cret" not in str(cast["zoe"].get(f"{path}/events").body)
    for _ in range(4):
        given(olga, made, receiver)
    refused = olga.post(f"{path}/channels", {"service": "discord", "url": receiver.url})
    assert (refused.status, refused.body["code"]) == (429, "channel_limit")
    assert GroupChannel.objects.count() == 5
    assert olga.call("DELETE", f"{path}/channels/{first['id']}").status == 204
    clock.advance(minutes=1)
    told = news("ada", "changed")[-1]
    assert told.count("now posts to a channel (discord)") == 4
    assert told.endswith(" Threes 2026 no longer posts to a channel (slack).")
    assert olga.get(path).body["channels"] == ["discord"] * 4


@pytest.mark.sampled
def test_nt7_a_season_says_that_it_has_begun(olga, opened, receiver):  # noqa: F811
    made = opened(kind="season", settings={})
    given(olga, made, receiver)
    assert olga.post(f"tournaments/{made['id']}/start").status == 200
    [began] = said(receiver)
    assert began.startswith("Threes 2026 has begun.")


@pytest.mark.sampled
def test_nt7_a_test_is_posted_and_a_closed_account_leaves_no_channel(olga, opened, receiver):  # noqa: F811
    made = opened()
    channel = given(olga, made, receiver)
    assert olga.post(f"tournaments/{made['id']}/channels/{channel['id']}/test").status == 202
    assert "This is a test" in said(receiver)[0]
    accounts.close(Player.objects.get(username="olga"))
    assert not GroupChannel.objects.exists()
    assert olga.call("GET", f"tournaments/{made['id']}/channels").status == 401


def test_too_many_tests_are_refused_on_a_page(olga, opened, receiver, settings, client):  # noqa: F811
    settings.TREY_LIMITS = {**settings.TREY_LIMITS, "test": (1, 3600)}
    made = opened()
    client.force_login(Player.objects.get(username="olga"))
    sent = {"channel": given(olga, made, receiver)["id"]}
    test = f"/admin/tournaments/tournament/{made['id']}/channels/test/"
    assert [client.post(test, sent).status_code for _ in range(2)] == [302, 429]


def test_a_message_reaches_all_entrants_once_by_their_channels(cast, olga, opened):  # noqa: F811
    made = opened()
    ada = Player.objects.get(username="ada")
    path, text = f"tournaments/{made['id']}", "Round 2 begins on Sunday; bring <b>cake</b>."
    assert olga.post(f"{path}/entries", {"player": "zoe"}).status == 201
    hook = {"url": "x", "host": "x", "secret": "x", "types": ["tournament.finished"]}
    Hook.objects.create(player=ada, created_at=service_clock.now(), **hook)
    dry = olga.post(f"{path}/messages", {"text": text, "dry_run": True})
    said_as = f"The organisers of Threes 2026 write: {text}"
    assert (dry.status, dry.body) == (200, {"told": 4, "text": said_as, "version": None})
    assert news("ada", "tournament") == []
    sent = olga.post(f"{path}/messages", {"text": text})
    assert sent.status == 201 and sent.body["told"] == 4
    assert {name: news(name, "tournament") for name in ("ada", "dan", "zoe", "olga")} == {
        "ada": [said_as], "dan": [said_as], "zoe": [], "olga": [],
    }  # fmt: skip
    # NT13 has no type for it: a webhook for the end of tournaments does not get it.
    assert not Delivery.objects.filter(channel="webhook", state="held").exists()
    [event] = [one for one in olga.get(f"{path}/events").body["results"] if one["type"] == "message_sent"]
    assert event["data"]["text"] == text and event["by"]["username"] == "olga"
    [event] = [one for one in cast["nobody"].get(f"{path}/events").body["results"] if one["type"] == "message_sent"]
    assert event["data"]["text"] is None


def test_messages_are_bounded_in_length_and_number(olga, opened, clock):  # noqa: F811
    made = opened()
    path = f"tournaments/{made['id']}/messages"
    for bad in ("", " ", "x" * 1001, "two\nlines", 7):
        refused = olga.post(path, {"text": bad})
        assert (refused.status, refused.body["errors"][0]["field"]) == (400, "text"), bad
    for number in range(5):
        assert olga.post(path, {"text": f"Message {number}"}).status == 201
        clock.advance(hours=1)
    for dry_run in (False, True):
        refused = olga.post(path, {"text": "One more", "dry_run": dry_run})
        assert (refused.status, refused.body["code"]) == (429, "message_limit")
    clock.advance(hours=19, seconds=1)
    assert olga.post(path, {"text": "The day after"}).status == 201
    draft = set_up(olga)
    refused = olga.post(f"tournaments/{draft['id']}/messages", {"text": "Anybody?"})
    assert (refused.status, refused.body["code"]) == (409, "not_open")


@pytest.mark.sampled
def test_nt7_an_end_without_places_is_said_without_them(cast, olga, opened, receiver):  # noqa: F811
    made = opened(kind="season", settings={})
    given(olga, made, receiver)
    assert olga.post(f"tournaments/{made['id']}/start").status == 200
    for number, name in enumerate(("ada", "bob", "cleo", "dan"), 1):
        answer = cast[name].post(f"tournaments/{made['id']}/entries/e{number}/withdraw", {})
        assert answer.status == 200, answer.body
    said(receiver)
    assert olga.post(f"tournaments/{made['id']}/finish").status == 200
    [over] = [text for text in said(receiver) if " is over" in text]
    assert over.startswith("Threes 2026 is over.\n"), over


@pytest.mark.sampled
def test_nt7_one_table_too_many_for_a_message_is_one(olga, opened, receiver, monkeypatch):  # noqa: F811
    monkeypatch.setattr("chats.tournaments.MOST_TABLES", 1)
    made = opened(settings={**PAIRS, "rounds": 1})
    given(olga, made, receiver)
    assert olga.post(f"tournaments/{made['id']}/start").status == 200
    [seated] = [text for text in said(receiver) if text.startswith("Round 1 of Threes 2026 begins. ")]
    assert "Table 2" not in seated and " 1 more table is on the page." in seated
