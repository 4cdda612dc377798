"""Every POST that makes something takes an Idempotency-Key, and makes it once."""

from typing import Any

import pytest

from chats.models import GroupChannel
from core.http.documents import document
from core.jobs.models import Receipt
from core.notifications.models import Chat, Hook
from tests.games.api.client import Person, concrete
from tests.games.api.test_api_race import at_once
from tests.tournaments.api.conftest import run

__all__ = ["at_once"]

CUP = {"title": "Cup", "game": "threes", "kind": "rounds"}
HOOK = {"service": "webhook", "url": "https://example.org/a"}
OTHER = {**HOOK, "url": "https://example.org/b"}
# There is one, however often it is asked for; a newer link replaces the one before.
ALWAYS_ONCE = {"sign_up", "subscribe_browser", "add_organiser", "new_guest_link", "create_calendar"}
# What they make is part of something that is answered as a whole.
ANSWER_200 = {"add_bot"}


def keyed() -> set[str]:
    return {
        post["operationId"]
        for path in document()["paths"].values()
        if (post := path.get("post")) and any(one["name"] == "Idempotency-Key" for one in post.get("parameters", ()))
    }


def test_whatever_makes_something_takes_a_key() -> None:
    posts = [path["post"] for path in document()["paths"].values() if "post" in path]
    makes = {post["operationId"] for post in posts if "201" in post["responses"]}
    assert makes - ALWAYS_ONCE | ANSWER_200 == keyed()
    assert all("422" in post["responses"] for post in posts if post["operationId"] in keyed())


@pytest.fixture
def calls(cast: dict[str, Person], opened: Any) -> dict[str, tuple[Person, str, Any, Any]]:
    """By operation: who calls it, where, with what, and with what else."""
    olga, ada, zoe = cast["olga"], cast["ada"], cast["zoe"]
    season = opened(kind="season", settings={})
    path = f"tournaments/{season['id']}"
    assert olga.post(f"{path}/start").status == 200
    run()
    room = ada.opens()
    cast["bob"].post(f"games/{room['id']}/join")
    ada.post(f"games/{room['id']}/start")
    over = zoe.opens()
    cast["bob"].post(f"games/{over['id']}/join")
    zoe.post(f"games/{over['id']}/start")
    zoe.post(f"games/{over['id']}/moves", {"move": "resign"})
    move = concrete(ada.get(f"games/{room['id']}/moves").body["moves"][0])
    adjusted = {"ruling": "adjust", "entrant": "e1", "points": "1", "reason": "a prize"}
    proposed = {"title": "Again", "reason": "why not", "confirm": True}
    bots = zoe.opens(seats=3)
    cast["bob"].post(f"games/{room['id']}/talk", {"sign": "hello"})
    ours = olga.post("house-games", {"rules": {"title": "Ours"}, "visibility": "public"}).body
    return {
        "create_webhook": (zoe, "me/webhooks", {"url": HOOK["url"]}, {"url": OTHER["url"]}),
        "create_chat": (zoe, "me/chat", {**HOOK, "service": "slack"}, {**OTHER, "service": "slack"}),
        "add_channel_of_game": (zoe, f"games/{bots['id']}/channels", HOOK, OTHER),
        "add_channel_of_tournament": (olga, f"{path}/channels", HOOK, OTHER),
        "add_bot": (zoe, f"games/{bots['id']}/bots", {}, {"level": "wild"}),
        "open_room": (zoe, "games", {"game": "castle", "seats": 3}, {"game": "castle", "seats": 2}),
        "save_house_game": (ada, "house-games", {"rules": {"title": "Ours"}}, {"rules": {"title": "Theirs"}}),
        "report_house_game": (zoe, f"house-games/{ours['id']}/report", {"why": "spam"}, {"why": "other"}),
        "say": (ada, f"games/{room['id']}/talk", {"sign": "hello"}, {"sign": "ouch"}),
        "report": (ada, f"games/{room['id']}/talk/1/report", {"why": "spam"}, {"why": "other"}),
        "play_move": (ada, f"games/{room['id']}/moves", move, {"move": "resign"}),
        "rematch": (zoe, f"games/{over['id']}/rematch", {}, {"seats": 3}),
        "set_up_tournament": (olga, "tournaments", CUP, {**CUP, "title": "Other"}),
        "enter_tournament": (zoe, f"{path}/entries", {"invitation": season["invitation"]}, {"salt": "s"}),
        "open_season_game": (ada, f"{path}/games", {"seats": 2}, {"seats": 3}),
        "write_to_entrants": (olga, f"{path}/messages", {"text": "Tea at five."}, {"text": "No tea."}),
        "propose": (olga, f"{path}/proposals", proposed, {**proposed, "title": "Once more"}),
        "rule": (olga, f"{path}/rulings", adjusted, {**adjusted, "points": "2"}),
    }


@pytest.mark.sampled
def test_each_acts_once_answers_the_same_and_keeps_the_key_for_itself(calls: Any) -> None:
    assert calls.keys() == keyed()
    for name, (who, path, body, other) in calls.items():
        first, again = (who.post(path, body, Idempotency_Key="k") for _ in range(2))
        made = 200 if name in ANSWER_200 else 201
        assert (first.status, again.status) == (made, made), (name, first.body)
        assert first.raw == again.raw, name
        assert {"etag", "location"} & first.headers.keys() == {"etag", "location"} & again.headers.keys(), name
        assert first.headers.get("etag") == again.headers.get("etag"), name
        answer = who.post(path, other, Idempotency_Key="k")
        assert (answer.status, answer.code) == (422, "key_reused"), name
    assert Receipt.objects.count() == len(calls)
    assert (Hook.objects.count(), Chat.objects.count(), GroupChannel.objects.count()) == (1, 1, 2)


def test_a_secret_that_is_shown_once_is_kept_encrypted_for_the_retry(calls: Any) -> None:
    for name in ("create_webhook", "add_channel_of_game", "add_channel_of_tournament"):
        who, path, body, _ = calls[name]
        first, again = (who.post(path, body, Idempotency_Key="k") for _ in range(2))
        assert first.body["secret"].startswith("whsec_") and again.body["secret"] == first.body["secret"], name
        kept = Receipt.objects.get(address=f"/api/v1/{path}", key="k").body
        assert kept is not None and first.body["id"] in kept and first.body["secret"] not in kept, name


def test_a_dry_run_and_a_refusal_keep_nothing(calls: Any) -> None:
    for name in ("write_to_entrants", "propose", "rule"):
        who, path, body, _ = calls[name]
        assert who.post(path, {**body, "dry_run": True}, Idempotency_Key="k").status == 200, name
    who, path, body, _ = calls["open_room"]
    assert who.post(path, {**body, "seats": 99}, Idempotency_Key="k").status == 400
    assert not Receipt.objects.exists()
    assert who.post(path, body, Idempotency_Key="k").status == 201


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_of_four_at_once_the_others_wait_for_the_answer_of_the_first(cast: dict[str, Person], at_once: Any) -> None:
    for path, body in (("games", {"game": "threes", "seats": 2}), ("tournaments", CUP)):
        answers = at_once([(cast["olga"], path, body, {"Idempotency-Key": "k"})] * 4)
        assert {answer.status_code for answer in answers} == {201}
        assert len({answer.content for answer in answers}) == 1
        assert len(cast["olga"].get(f"{path}?mine=true").body["results"]) == 1
