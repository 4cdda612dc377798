"""Results: one numbered list, and one's own with the records (AP25 to AP27, AP34)."""

import json
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest

from core import log
from core.accounts import services as accounts
from core.accounts.models import Player
from games import services as games
from tests.config.rights.rights_scene import EVERYBODY, Scene, make, somebody
from tests.games.api.client import Person
from tests.tournaments.moment import services
from tests.tournaments.services.tournament_scene import Club
from tournaments.api.results import lines
from tournaments.models import Result
from tournaments.services import number_results

pytestmark = pytest.mark.django_db

STAFF = log.Actor("staff")


@pytest.fixture
def club(clock: Any) -> Club:
    return Club(clock.at, 4)


def results(who: Person, query: str = "after=0") -> list[dict[str, Any]]:
    number_results.catch_up()
    answer = who.get(f"results?{query}")
    assert answer.status == 200, answer.body
    return list(answer.body["results"])


def own(who: Person, after: int = 0) -> list[dict[str, Any]]:
    number_results.catch_up()
    answer = who.get(f"me/results?after={after}")
    assert (answer.status, answer.headers["content-type"]) == (200, "application/x-ndjson"), answer.raw
    return [json.loads(line) for line in answer.raw.decode().splitlines()]


def over(alice: Person, bob: Person, **asked: Any) -> str:
    """A game that ended: Bob resigned."""
    room = alice.opens(**asked)
    given = {"invitation": room["invitation"]} if room["invitation"] else {}
    assert bob.post(f"games/{room['id']}/join", given).status == 200
    assert alice.post(f"games/{room['id']}/start").status == 200
    assert bob.post(f"games/{room['id']}/moves", {"move": "resign"}).status == 201
    return str(room["id"])


@pytest.fixture
def alice(db: None) -> Person:
    return somebody("alice")


@pytest.fixture
def bob(db: None) -> Person:
    return somebody("bob")


@pytest.fixture
def scene(db: None) -> Scene:
    """All that there is, and private games, games of Three Thirteen and of private tournaments that ended, too."""
    scene = make()
    opener, player = scene.cast["opener"], scene.cast["player"]
    for asked in ({}, {"visibility": "private"}, {"game": "three_thirteen"}):
        over(opener, player, **asked)
    for name in ("rounds", "private rounds"):
        game = scene.ids[f"game of {name}"]
        assert player.post(f"games/{game}/moves", {"move": "resign"}).status == 201
    assert opener.post(f"games/{scene.ids['game']}/cancel").status == 200
    number_results.catch_up()
    return scene


def test_ap25_a_game_that_ended(alice: Person, bob: Person) -> None:
    game = over(alice, bob)
    (entry,) = results(alice)
    sees = bob.get(f"games/{game}").body
    ids = {one["username"]: one["id"] for one in (seat["player"] for seat in sees["players"])}
    alices, bobs = (one["score"] for one in sees["view"]["result"]["placements"])
    assert entry == {
        "n": 1,
        "type": "game",
        "id": game,
        "at": sees["finished_at"],
        "game": "threes",
        "ruleset": sees["ruleset"],
        "options": sees["options"],
        "rated": sees["rated"],
        "voided": False,
        "ended_by": "resignation",
        "players": [
            {"seat": 0, "player": {"id": ids["alice"], "username": "alice"}, "bot": None, "place": 1, "score": alices},
            {"seat": 1, "player": {"id": ids["bob"], "username": "bob"}, "bot": None, "place": 2, "score": bobs},
        ],
        "tournament": None,
        "url": f"/api/v1/games/{game}",
    }


@pytest.mark.sampled
def test_ap25_a_tournament_and_its_games(club: Club, alice: Person) -> None:
    club.start(settings={"rounds": 1, "tables": {"size": 2}}).finish_round()
    services.finish(club.id, club.olga, now=club.now) if club.t.status == "running" else None
    *played, last = results(alice)
    assert sorted((one["tournament"] for one in played), key=lambda one: one["table"]) == [
        {"id": str(club.id), "title": "Threes 2026", "round": 1, "table": table} for table in (1, 2)
    ]
    shown = alice.get(f"tournaments/{club.id}/standings").body["standings"]
    keys = ("entrant", "name", "place", "total")
    assert last == {
        "n": 3,
        "type": "tournament",
        "id": str(club.id),
        "at": alice.get(f"tournaments/{club.id}").body["ended_at"],
        "title": "Threes 2026",
        "game": "threes",
        "kind": "rounds",
        "entrants": 4,
        "standings": [{key: row[key] for key in keys} for row in shown],
        "url": f"/api/v1/tournaments/{club.id}",
    }
    services.reopen(club.id, club.olga, reason="a mistake", now=club.now)
    assert [one["n"] for one in results(alice)] == [1, 2, 3], "reopening is no end"
    services.finish(club.id, club.olga, now=club.now)
    assert [(one["n"], one["id"]) for one in results(alice, "after=3")] == [(4, str(club.id))]


def test_ap25_what_is_voided_or_restored_gets_another_number(alice: Person, bob: Person) -> None:
    game = UUID(over(alice, bob))
    over(alice, bob)
    assert [one["voided"] for one in results(alice)] == [False, False]
    games.void_game(game, actor=STAFF, reason="a mistake")
    (again,) = results(alice, "after=2")
    assert (again["n"], again["id"], again["voided"]) == (3, str(game), True)
    games.restore_game(game, actor=STAFF, reason="no mistake")
    (again,) = results(alice, "after=3")
    assert (again["n"], again["id"], again["voided"]) == (4, str(game), False)
    assert [one["n"] for one in own(bob)] == [2, 4], "of one id the last"


def test_ap26_a_table_that_was_ruled_is_there_and_what_was_called_off_without_places_is_not(
    alice: Person, bob: Person
) -> None:
    for places in (None, [{"seat": 0, "place": 2}, {"seat": 1, "place": 1}]):
        room = alice.opens()
        bob.post(f"games/{room['id']}/join")
        alice.post(f"games/{room['id']}/start")
        games.call_off(UUID(room["id"]), actor=STAFF, reason="no time", placements=places)
    (entry,) = results(alice)
    assert (entry["id"], entry["ended_by"]) == (room["id"], "ruling")
    assert [seat["place"] for seat in entry["players"]] == [2, 1]
    assert own(alice) == [], "its record does not answer"


def test_ap25_names_are_those_of_the_moment_of_reading(alice: Person, bob: Person) -> None:
    over(alice, bob)
    assert alice.patch("me", {"username": "ada"}).status == 200
    assert [seat["player"]["username"] for seat in results(alice)[0]["players"]] == ["ada", "bob"]
    assert alice.patch("me", {"preferences": {"unlisted": True}}).status == 200
    assert results(bob)[0]["players"][0]["player"] is None
    assert own(bob)[0]["players"][0]["player"] is None
    accounts.close(Player.objects.get(username="bob"))
    assert [seat["player"] for seat in results(alice)[0]["players"]] == [None, None]


def test_ap25_pages_and_filters(alice: Person, bob: Person) -> None:
    ids = [over(alice, bob, game=game) for game in ("threes", "castle", "threes")]
    number_results.catch_up()
    first = alice.get("results?limit=2").body
    assert [one["id"] for one in first["results"]] == ids[:2]
    assert first["next"].endswith("/api/v1/results?after=2&limit=2")
    rest = alice.get(first["next"]).body
    assert [one["id"] for one in rest["results"]] == ids[2:]
    assert rest["next"] is None
    assert [one["id"] for one in results(alice, "game=castle")] == [ids[1]]
    assert results(alice, "type=tournament") == []
    for query, field in (("type=room", "type"), ("game=chess", "game"), ("limit=501", "limit"), ("after=-1", "after")):
        refused = alice.get(f"results?{query}")
        assert (refused.status, refused.body["errors"][0]["field"]) == (400, field)


@pytest.mark.sampled
def test_ap26_ap34_the_list_has_just_what_a_stranger_gets_and_is_the_same_for_everybody(scene: Scene) -> None:
    lists = {who: results(scene.cast[who]) for who in EVERYBODY if who != "nobody"}
    assert all(found == lists["stranger"] for found in lists.values())
    stranger, listed = scene.cast["stranger"], {one["id"] for one in lists["stranger"]}
    ended = 0
    for row in Result.objects.all():
        kind = "tournaments" if row.type == "tournament" else "games"
        answers = stranger.get(f"{kind}/{row.subject}").status == 200
        assert answers == (str(row.subject) in listed), row.subject
        ended += not answers
    assert ended >= 3, "a private one, a hidden one, one of a private tournament"
    for entry in lists["stranger"]:
        assert stranger.get(entry["url"]).status == 200


@pytest.mark.sampled
def test_ap27_ap34_ones_own_are_the_ended_ones_whose_record_answers(scene: Scene) -> None:
    for who in ("stranger", "spectator", "player", "opener", "organiser", "staff"):
        person, found = scene.cast[who], own(scene.cast[who])
        assert [one["n"] for one in found] == sorted({one["n"] for one in found})
        for line in found:
            assert person.get(f"{line['url']}/record").body == line["record"], who
            assert person.get(line["url"]).status == 200
    player = scene.cast["player"]
    kinds = {(one["game"], one["type"]) for one in own(player)}
    assert {("three_thirteen", "game"), ("threes", "game"), ("threes", "tournament")} <= kinds
    assert len(own(player)) > len([one for one in results(player) if one["type"] == "game"])
    assert own(scene.cast["stranger"]) == []
    assert [one["type"] for one in own(scene.cast["organiser"])] == ["tournament"]
    mine = own(player)
    assert own(player, after=mine[1]["n"]) == mine[2:]


def test_ap27_a_line_is_a_line_to_every_reader(alice: Person, bob: Person) -> None:
    said = {"reason": "one\u0085two\u2028three\u2029four\nfive"}
    line = b"".join(lines([said]))
    assert line.endswith(b"\n")
    assert len(line.decode().splitlines()) == 1
    assert json.loads(line) == said
    over(alice, bob)
    number_results.catch_up()
    assert alice.get("me/results").raw.endswith(b"}\n")


def test_ap27_a_line_after_which_a_record_fails_is_not_whole() -> None:
    def entries() -> Iterator[dict[str, Any]]:
        yield from ({"n": 1}, {"n": 2})
        raise RuntimeError

    arrived: list[bytes] = []
    with pytest.raises(RuntimeError):
        arrived.extend(lines(entries()))
    assert b"".join(arrived) == b'{"n":1}\n{"n":2}'


def test_ap27_exports_are_counted(alice: Person, settings: Any) -> None:
    settings.TREY_LIMITS = {**settings.TREY_LIMITS, "exports": (1, 3600)}
    assert alice.get("me/results").status == 200
    refused = alice.get("me/results")
    assert (refused.status, refused.code) == (429, "too_many_requests")
    assert int(refused.headers["retry-after"]) > 0
