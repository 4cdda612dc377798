"""Every POST that makes something takes an Idempotency-Key, and makes it once."""

from typing import Any

import pytest

from core.http.documents import document
from core.jobs.models import Receipt
from tests.games.api.client import Person, concrete
from tests.games.api.test_api_race import at_once
from tests.tournaments.api.conftest import run

__all__ = ["at_once"]

CUP = {"title": "Cup", "game": "threes", "kind": "rounds"}
# Whose response has a secret that is shown once, which is not kept; or which is the same however often it is asked for.
SECRET = {"create_chat", "create_webhook", "add_channel_of_game", "add_channel_of_tournament", "new_guest_link"}
ALWAYS_ONCE = {"sign_up", "subscribe_browser", "add_organiser"}


def keyed() -> set[str]:
    return {
        post["operationId"]
        for path in document()["paths"].values()
        if (post := path.get("post")) and any(one["name"] == "Idempotency-Key" for one in post.get("parameters", ()))
    }


def test_whatever_makes_something_takes_a_key() -> None:
    posts = [path["post"] for path in document()["paths"].values() if "post" in path]
    makes = {post["operationId"] for post in posts if "201" in post["responses"]}
    assert makes - SECRET - ALWAYS_ONCE == keyed()
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
    return {
        "open_room": (zoe, "games", {"game": "castle", "seats": 3}, {"game": "castle", "seats": 2}),
        "play_move": (ada, f"games/{room['id']}/moves", move, {"move": "resign"}),
        "rematch": (zoe, f"games/{over['id']}/rematch", {}, {"seats": 3}),
        "set_up_tournament": (olga, "tournaments", CUP, {**CUP, "title": "Other"}),
        "enter_tournament": (zoe, f"{path}/entries", {"invitation": season["invitation"]}, {"salt": "s"}),
        "open_season_game": (ada, f"{path}/games", {"seats": 2}, {"seats": 3}),
        "write_to_entrants": (olga, f"{path}/messages", {"text": "Tea at five."}, {"text": "No tea."}),
        "propose": (olga, f"{path}/proposals", proposed, {**proposed, "title": "Once more"}),
        "rule": (olga, f"{path}/rulings", adjusted, {**adjusted, "points": "2"}),
    }


def test_each_acts_once_answers_the_same_and_keeps_the_key_for_itself(calls: Any) -> None:
    assert calls.keys() == keyed()
    for name, (who, path, body, other) in calls.items():
        first, again = (who.post(path, body, Idempotency_Key="k") for _ in range(2))
        assert (first.status, again.status) == (201, 201), (name, first.body)
        assert first.raw == again.raw, name
        assert {"etag", "location"} & first.headers.keys() == {"etag", "location"} & again.headers.keys(), name
        assert first.headers.get("etag") == again.headers.get("etag"), name
        answer = who.post(path, other, Idempotency_Key="k")
        assert (answer.status, answer.code) == (422, "key_reused"), name
    assert Receipt.objects.count() == len(calls)


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
