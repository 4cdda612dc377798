"""NT1: what tournaments tell: the table, the round's end, rulings with their reasons, proposals, the end."""

from datetime import timedelta
from uuid import uuid4

import pytest
from allauth.account.models import EmailAddress
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from core import clock as service_clock
from core.accounts.models import Player
from core.jobs import services as work
from core.notifications import channels, selectors
from core.notifications import services as telling
from core.notifications.models import Notification
from games.notifications import kinds as games
from games.notifications.following import tell_players
from tests import notifications
from tests.games.api.conftest import person
from tests.tournaments.api.conftest import PAIRS, cast, olga, opened, run, running, set_up  # noqa: F401  fixtures
from tests.tournaments.api.test_api_successor import over, succeed  # noqa: F401
from tests.tournaments.moment import services
from tests.tournaments.services.test_tournament_no_shows import missing
from tournaments.notifications import kinds as tournaments
from tournaments.notifications.following import tell_entrants
from tournaments.picture.wording import ordinal

pytestmark = pytest.mark.django_db


def news(name, *kinds):
    tell_entrants.catch_up()
    player = Player.objects.get(username=name)
    rows = list(Notification.objects.filter(player=player, subject="tournament").order_by("number"))
    return [body for body in notifications.bodies(player, rows) if not kinds or body["kind"] in kinds]


@pytest.mark.sampled
def test_a_round_is_told_with_the_table_and_its_end(cast, running):  # noqa: F811
    made = running()
    told = {name: news(name, "round") for name in ("ada", "bob", "cleo", "dan")}
    for body in (body for bodies in told.values() for body in bodies):
        assert body["cause"] == f"round:{made['id']}:1:seated"
        assert body["text"].startswith("Round 1 of Threes 2026 is seated: you play at table ")
    assert {len(bodies) for bodies in told.values()} == {1}
    assert cast["ada"].client.get(told["ada"][0]["link"]).status_code == 200
    for name in ("ada", "bob", "cleo", "dan"):
        for game in cast[name].get("me/turns").body["results"]:
            cast[name].post(f"games/{game['id']}/moves", {"move": "resign"})
    run()
    closed = [body["text"] for body in news("ada", "round")]
    assert closed[1] == "Round 1 of Threes 2026 is over. The standings have been updated."
    assert news("zoe") == news("olga") == []


def test_li1_organisers_are_told_that_the_start_was_put_off(olga, clock):  # noqa: F811
    starts = service_clock.now() + timedelta(hours=2)
    made = set_up(olga, settings=PAIRS, starts_at=starts.isoformat())
    olga.post(f"tournaments/{made['id']}/open")
    clock.set(starts)
    run()
    [told] = news("olga")
    assert told["kind"] == "tournament"
    assert told["text"] == "The start of Threes 2026 was postponed: too few had entered. Start it when you are ready."


@pytest.mark.sampled
@pytest.mark.parametrize("overdue", ["wait", "adjudicate"])
def test_li2_organisers_are_told_of_an_overdue_round_that_waits(running, clock, overdue):  # noqa: F811
    running(deadline=86_400, overdue=overdue)
    clock.advance(hours=25)
    run()
    waits = ["Round 1 of Threes 2026 is overdue: 2 tables are still open."]
    assert [body["text"] for body in news("olga")] == (waits if overdue == "wait" else [])


def test_those_who_are_told_of_a_round_are_locked_all_at_once(running):  # noqa: F811
    """One table after the other, they would be locked in another order than mails and games lock them."""
    running()
    with CaptureQueriesContext(connection) as asked:
        tell_entrants.catch_up()
    assert sum("INSERT INTO notifications_inbox" in query["sql"] for query in asked.captured_queries) == 1
    assert Notification.objects.filter(kind="round").count() == 4


def test_a_ruling_is_told_to_whom_it_concerns_with_its_reason(cast, olga, running):  # noqa: F811
    made = running()
    ruling = {"ruling": "adjust", "entrant": "e1", "points": "-1", "reason": "came late"}
    assert olga.post(f"tournaments/{made['id']}/rulings", ruling).status == 201
    [told] = news("ada", "ruling")
    assert told["text"] == "Your points were changed: Threes 2026. Reason: came late"
    assert news("bob", "ruling") == []


def test_nt2_more_time_for_a_turn_is_told_once_as_what_it_is(cast, olga, running):  # noqa: F811
    made = running()
    [game, _] = olga.get(f"tournaments/{made['id']}/games").body["results"]
    entrant, name = game["entrants"][0], {"e1": "ada", "e2": "bob"}[game["entrants"][0]]
    ruling = {"ruling": "extend", "game": game["id"], "entrant": entrant, "seconds": 3600, "reason": "a flight"}
    assert olga.post(f"tournaments/{made['id']}/rulings", ruling).status == 201
    tell_players.catch_up()
    [told] = news(name, "ruling")
    assert told["text"] == "You have more time for a turn: Threes 2026. Reason: a flight"
    assert Notification.objects.filter(kind="ruling").count() == 1


@pytest.mark.sampled
def test_nt1_whom_an_organiser_withdraws_or_takes_off_the_list_is_told(cast, olga, opened):  # noqa: F811
    path = f"tournaments/{opened(limit=3)['id']}"
    olga.post(f"{path}/entries", {"player": "zoe"})
    for entrant in ("e1", "e4", "e5"):  # is in, waits, was asked and has not answered
        assert olga.post(f"{path}/entries/{entrant}/withdraw", {}).status == 200
    assert cast["bob"].post(f"{path}/entries/e2/withdraw", {}).status == 200
    assert {name: [body["text"] for body in news(name, "ruling")] for name in ("ada", "bob", "dan", "zoe")} == {
        "ada": ["The organisers have withdrawn you: Threes 2026."],
        "bob": [],
        "dan": ["The organisers have withdrawn you: Threes 2026."],
        "zoe": [],
    }


def test_li1_who_moves_up_from_the_waiting_list_is_told(cast, olga, opened):  # noqa: F811
    path = f"tournaments/{opened(limit=3)['id']}"
    assert cast["bob"].post(f"{path}/entries/e2/withdraw", {}).status == 200
    assert {name: [body["text"] for body in news(name)] for name in ("ada", "bob", "dan")} == {
        "ada": [],
        "bob": [],
        "dan": ["You now have a place in Threes 2026."],
    }


@pytest.mark.sampled
def test_li1_who_did_not_check_in_is_told_and_so_is_who_plays_instead(cast, opened, clock):  # noqa: F811
    starts = service_clock.now() + timedelta(hours=2)
    path = f"tournaments/{opened(limit=3, check_in=3600, starts_at=starts.isoformat())['id']}"
    clock.advance(hours=1)
    for name, entrant in (("ada", "e1"), ("bob", "e2"), ("dan", "e4")):
        assert cast[name].post(f"{path}/entries/{entrant}/check-in").status == 200
    clock.advance(hours=1)
    run()
    told = {name: [body["text"] for body in news(name, "tournament")] for name in ("ada", "cleo", "dan")}
    assert told == {
        "ada": [],
        "cleo": ["Threes 2026 starts without you: you did not check in, so you are on the waiting list."],
        "dan": ["You now have a place in Threes 2026."],
    }


def test_nt2_organisers_are_told_nothing_of_what_they_did_themselves(olga, opened):  # noqa: F811
    made = opened()
    path = f"tournaments/{made['id']}"
    olga.post(f"{path}/entries", {"invitation": made["invitation"]})
    olga.post(f"{path}/messages", {"text": "We begin on Friday."})
    olga.post(f"{path}/cancel", {"reason": "rain"})
    assert len(news("ada", "tournament")) == 2
    assert news("olga") == []


def test_li7_who_was_an_organiser_is_told_that_another_ended_it(cast, olga, opened):  # noqa: F811
    path = f"tournaments/{opened()['id']}"
    for name in ("zoe", "dan", "bob"):
        assert olga.post(f"{path}/organisers", {"player": name}).status == 201
    for name in ("zoe", "dan"):
        assert cast[name].post(f"{path}/organisers/accept").status == 200
    for who, name in ((olga, "zoe"), (cast["dan"], "dan"), (olga, "bob")):
        assert who.call("DELETE", f"{path}/organisers", {"player": name}).status == 200
    assert [body["text"] for body in news("zoe", "ruling")] == ["You are no longer an organiser: Threes 2026."]
    assert news("dan", "ruling") == news("bob", "ruling") == []


def test_the_end_is_told_to_all_who_were_in(cast, olga, running):  # noqa: F811
    made = running()
    assert olga.post(f"tournaments/{made['id']}/cancel", {"reason": "rain"}).status == 200
    assert [body["text"] for body in news("dan", "tournament")] == ["Threes 2026 was cancelled. Reason: rain"]


@pytest.mark.sampled
def test_nt1_the_end_says_what_place_one_came(cast, running):  # noqa: F811
    made = running(settings=PAIRS | {"rounds": 1})
    for name in ("ada", "bob", "cleo", "dan"):
        for game in cast[name].get("me/turns").body["results"]:
            cast[name].post(f"games/{game['id']}/moves", {"move": "resign"})
    run()
    standings = cast["ada"].get(f"tournaments/{made['id']}/standings").body["standings"]
    places = {one["name"]: ordinal(one["place"]) for one in standings}
    assert len(set(places.values())) > 1
    for name, place in places.items():
        [told] = news(name, "tournament")
        assert told["text"] == f"Threes 2026 is over. You came {place}. The final standings are out."


@pytest.fixture
def proposed(cast, olga, clock):  # noqa: F811
    """A season of Ada, Bob, Cleo and Dan in which Ada has proposed other rules; gives its path."""
    made = set_up(olga, kind="season", settings={})
    path = f"tournaments/{made['id']}"
    assert olga.post(f"{path}/open").status == 200
    for name in ("ada", "bob", "cleo", "dan"):
        assert cast[name].post(f"{path}/entries").status == 201
    assert olga.post(f"{path}/start").status == 200
    run()
    clock.advance(days=8)
    asked = {"title": "Ours", "reason": "ours", "confirm": True}
    assert cast["ada"].post(f"{path}/proposals", asked).status == 201
    return path


@pytest.mark.sampled
def test_nt4_whoever_has_voted_is_not_sent_the_call_to_vote_and_nobody_once_it_has_ended(cast, olga, proposed):  # noqa: F811
    for name in ("bob", "cleo"):
        EmailAddress.objects.create(
            user=Player.objects.get(username=name), email=f"{name}@example.org", verified=True, primary=True
        )
    assert {news(name, "proposal")[0]["channels"]["mail"]["state"] for name in ("bob", "cleo")} == {"held"}
    waiting = Notification.objects.filter(kind="proposal")
    assert channels.no_points(waiting, service_clock.now()) == {}
    assert cast["bob"].call("PUT", f"{proposed}/proposals/1/vote", {"vote": "yes"}).status == 200
    assert channels.no_points(waiting, service_clock.now()) == {waiting.get(player__username="bob").pk: "played"}
    assert cast["ada"].call("DELETE", f"{proposed}/proposals/1").status in (200, 204)
    assert len(channels.no_points(waiting, service_clock.now())) == waiting.count()
    work.Deliverer().do_all()
    for name in ("bob", "cleo"):
        mail = news(name, "proposal")[0]["channels"]["mail"]
        assert (mail["state"], mail["reason"]) == ("skipped", "played")


@pytest.mark.sampled
def test_nt8_a_call_to_vote_counts_as_read_after_the_vote_and_for_all_once_the_proposal_has_ended(cast, proposed):  # noqa: F811
    def unread():
        return {name for name in ("bob", "cleo", "dan") for body in news(name, "proposal") if not body["read"]}

    assert unread() == {"bob", "cleo", "dan"}
    assert cast["bob"].call("PUT", f"{proposed}/proposals/1/vote", {"vote": "yes"}).status == 200
    assert unread() == {"cleo", "dan"}
    entrant = cast["dan"].get(proposed).body["you"]["entrant"]
    assert cast["dan"].post(f"{proposed}/entries/{entrant}/withdraw", {}).status == 200
    assert unread() == {"cleo"}
    assert cast["ada"].call("DELETE", f"{proposed}/proposals/1").status in (200, 204)
    assert unread() == set()


@pytest.mark.sampled
def test_rt_a_proposal_is_told_and_the_last_day_to_those_who_have_not_voted(cast, proposed, clock):  # noqa: F811
    cause = proposed.replace("tournaments/", "proposal:")
    assert [body["cause"] for body in news("bob", "proposal")] == [f"{cause}:1:opened"]
    assert news("ada", "proposal") == []
    assert cast["bob"].call("PUT", f"{proposed}/proposals/1/vote", {"vote": "yes"}).status in (200, 201, 204)
    clock.advance(timedelta(days=20))
    work.do_all()
    last = {name: [body["cause"] for body in news(name, "proposal")][-1:] for name in ("ada", "bob", "cleo")}
    assert last["cleo"] == [f"{cause}:1:last_day"]
    assert last["bob"] == [f"{cause}:1:opened"]


def test_nt2_read_again_it_tells_nothing_again(cast, running):  # noqa: F811
    from django.db import connection

    running()
    before = news("ada")
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM log_checkpoint WHERE subscriber = %s", [tell_entrants.name])
    assert news("ada") == before


__all__ = ["PAIRS"]


def test_nt1_who_is_invited_to_a_tournament_is_told_and_in_a_draft_when_it_opens(cast, olga, opened):  # noqa: F811
    made = opened()
    path = f"tournaments/{made['id']}"
    assert olga.post(f"{path}/entries", {"player": "zoe"}).status == 201
    [told] = news("zoe", "invited")
    assert (
        told["text"] == "olga invites you to play in Threes 2026."
        and told["cause"] == f"tournament:{made['id']}:invited"
    )
    assert news("olga") == []


@pytest.mark.sampled
def test_nt8_an_invitation_counts_as_read_once_it_is_withdrawn_accepted_or_over(cast, olga):  # noqa: F811
    path = f"tournaments/{set_up(olga)['id']}"
    assert olga.post(f"{path}/open").status == 200
    entrants = {
        name: olga.post(f"{path}/entries", {"player": name}).body["entrant"] for name in ("zoe", "ada", "bob", "cleo")
    }
    assert olga.post(f"{path}/organisers", {"player": "dan"}).status in (200, 201)

    def unread():
        return {name for name in (*entrants, "dan") for body in news(name, "invited") if not body["read"]}

    assert unread() == {"zoe", "ada", "bob", "cleo", "dan"}
    assert olga.post(f"{path}/entries/{entrants['zoe']}/withdraw", {}).status == 200
    assert unread() == {"ada", "bob", "cleo", "dan"}
    assert cast["ada"].post(f"{path}/entries/{entrants['ada']}/accept").status == 200
    assert unread() == {"bob", "cleo", "dan"}
    assert olga.call("DELETE", f"{path}/organisers", {"player": "dan"}).status in (200, 204)
    assert unread() == {"bob", "cleo"}
    assert cast["bob"].post(f"{path}/entries/{entrants['bob']}/withdraw", {}).status == 200
    assert unread() == {"cleo"}
    assert olga.post(f"{path}/cancel", {"reason": "rain"}).status == 200
    assert unread() == set()


@pytest.mark.sampled
def test_nt8_a_request_to_play_on_counts_as_read_once_somebody_else_is_asked(club):
    club.start(*club.people[:4], settings={"rounds": 1, "tables": {"size": 2}})
    asked = {"ruling": "replace", "entrant": "e2", "player": "eve", "reason": "ill"}
    services.rule(club.id, club.olga, asked, now=club.now)
    assert [body["read"] for body in news("eve", "invited")] == [False]
    services.rule(club.id, club.olga, asked | {"player": "fay"}, now=club.now)
    assert [body["read"] for body in news("eve", "invited")] == [True]
    assert [body["read"] for body in news("fay", "invited")] == [False]
    services.accept(club.id, club.player("fay"), "e2", accept=False, now=club.now)
    assert [body["read"] for body in news("fay", "invited")] == [True]


@pytest.mark.sampled
def test_rt7_a_successor_asks_its_organisers_and_tells_the_invited_when_it_opens(cast, over):  # noqa: F811
    made = succeed(cast["olga"], over(), title="Cup")
    assert "You have been invited to organise Cup." in [body["text"] for body in news("bob", "invited")]
    assert news("ada", "invited") == []  # a draft: nobody can accept yet
    assert cast["olga"].post(f"tournaments/{made['id']}/open").status == 200
    assert [body["text"] for body in news("ada", "invited")] == ["olga invites you to play in Cup."]


@pytest.mark.sampled
def test_li4_who_is_asked_to_stand_in_is_told(club):
    missing(club)
    asked = club.people[4]
    [told] = news(asked.username, "invited")
    assert told["text"].startswith("Will you replace a player in ") and "12 hours" in told["text"]
    tell_entrants.catch_up()
    assert Notification.objects.filter(kind="invited").count() == 1


@pytest.mark.sampled
def test_li7_whoever_is_asked_to_replace_an_entrant_is_told_and_answers_on_its_page(club):
    club.start(*club.people[:4], visibility="private", settings={"rounds": 1, "tables": {"size": 2}})
    asked = {"ruling": "replace", "entrant": "e2", "player": "eve", "reason": "ill"}
    services.rule(club.id, club.olga, asked, now=club.now)
    [told] = news("eve", "invited")
    assert told["text"].startswith("Will you take over for a player in ")
    page = logged_in("eve").get(told["link"]).content.decode()
    assert "Play on for bob" in page and "An organiser asks you: “ill” You can accept" in page
    assert logged_in("eve").post(f"{told['link']}/accept", {"entrant": "e2", "decline": "yes"}).status_code == 302
    assert club.t.offers == () and logged_in("eve").get(told["link"]).status_code == 404
    services.rule(club.id, club.olga, asked, now=club.now)
    assert logged_in("eve").post(f"{told['link']}/accept", {"entrant": "e2"}).status_code == 302
    assert club.t.entrant_of(club.player("eve").pk).key == "e2"
    assert [body["text"] for body in news("bob", "ruling")] == [
        "Somebody else now plays for you: a private tournament. Reason: ill"
    ]
    assert news("eve", "ruling") == []


def test_li7_an_organiser_steps_down_on_the_page(club):
    club.open(*club.people[:2])
    assert "Step down" not in logged_in("olga").get(f"/t/{club.t.slug}").content.decode()
    club.organise(club.people[0])
    assert "Step down as an organiser" in logged_in("ada").get(f"/t/{club.t.slug}").content.decode()
    assert logged_in("ada").post(f"/t/{club.t.slug}/organise", {"decline": "yes"}).status_code == 302
    assert club.t.organisers == (club.olga.pk,)


def test_nt17_a_message_to_all_entrants_counts_as_one_and_names_given_as_one_each(club, settings):
    settings.TREY_LIMITS = {**settings.TREY_LIMITS, "tells": 2}
    club.open(*club.people[:3])
    tell_entrants.catch_up()
    services.send_message(club.id, club.olga, "Hello", now=club.now)
    for name in ("dan", "eve"):
        services.invite(club.id, club.olga, name, now=club.now)
    services.send_message(club.id, club.olga, "Bye", now=club.now)
    sent = [[body["channels"]["live"]["state"] for body in news(name)] for name in ("ada", "bob", "dan", "eve")]
    assert sent == [["sent", "skipped"], ["sent", "skipped"], ["sent"], ["skipped"]]


def logged_in(name):
    client = Client()
    client.force_login(Player.objects.get(username=name))
    return client


@pytest.mark.sampled
def test_nt10_the_link_of_a_private_tournament_is_its_page_which_leads_to_the_log_in(running, client):  # noqa: F811
    running(visibility="private")
    [told] = news("ada", "round")
    assert logged_in("ada").get(told["link"]).status_code == 200
    for one, who in (("ada's", client), ("nobody's", client), ("not theirs", logged_in("zoe"))):
        answer = who.get(told["link"] if one != "nobody's" else "/t/nothing-here")
        assert answer.status_code == 404
        assert "There is no such tournament" in answer.content.decode()
        assert (f"/accounts/login/?next={answer.wsgi_request.path}" in answer.content.decode()) == (who is client)


@pytest.mark.sampled
def test_nt10_whoever_is_asked_to_organise_a_draft_says_yes_on_its_page(cast, over, client):  # noqa: F811
    made = succeed(cast["olga"], over(), title="Cup")
    [told] = [one for one in news("bob", "invited") if made["id"] in one["cause"]]
    assert told["text"] == "You have been invited to organise Cup."
    assert "Accept and help run it" in logged_in("bob").get(told["link"]).content.decode()
    assert {who.get(told["link"]).status_code for who in (client, logged_in("ada"))} == {404}
    assert logged_in("bob").post(f"{told['link']}/organise").status_code == 302
    assert logged_in("bob").get(told["link"]).status_code == 200


# What the sentences of the kinds ask for.
_DATA = {
    "by": str(uuid4()), "due": "2026-11-23T12:00:00Z", "turn": "turn:x:0:1", "action": "play", "how": "bot",
    "reason": "ill", "added": ["slack"], "removed": [], "rules": True, "round": 3, "table": 2, "proposal": 1,
    "text": "hello", "as": "entrant", "count": 2,
}  # fmt: skip
_WHATS = {"ruling": "voided", "round": "seated", "tournament": "finished", "proposal": "opened"}


@pytest.mark.parametrize(
    "kind", [*games.KINDS, *tournaments.KINDS], ids=lambda kind: f"{kind.name} of a {kind.subject}"
)
def test_nt8_what_was_told_of_something_that_is_gone_still_has_its_text(kind):
    ada = person("ada")
    player = Player.objects.get(username="ada")
    data = _DATA | {"what": _WHATS.get(kind.name)}
    told = telling.tell([player.pk], kind, "a cause", subject_id=uuid4(), version=1, data=data)
    [body] = ada.get("me/notifications").body["results"]
    assert f" {kind.subject} that no longer exists" in body["text"]
    assert body["link"] is None
    assert selectors.messages([(player, one) for one in told], service_clock.now())[told[0].pk].story == ()
