"""A season's own room is opened, played and ends, and every page and call is looked at meanwhile (SN1)."""

import re
from typing import Any

import pytest
from django.test import Client

from games import services as games
from games.models import Seat
from tests.scenes import done_at
from tests.tournaments.moment import services
from tests.tournaments.pages.conftest import seconds_later
from tests.tournaments.services.season_scene import play, room_of, season, state_of
from tests.tournaments.services.tournament_scene import Club, end_game
from tournaments.models import Tournament
from tournaments.stream.ruling import RULINGS

pytestmark = pytest.mark.django_db


@pytest.fixture
def olga(club: Club) -> Client:
    client = Client()
    client.force_login(club.olga)
    return client


def text_of(response: Any) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


def addresses(club: Club) -> list[str]:
    """Every page and call about the tournament that can be opened."""
    row = Tournament.objects.get(pk=club.id)
    public = f"/t/{row.slug}"
    dashboard = f"/admin/tournaments/tournament/{club.id}"
    api = f"/api/v1/tournaments/{club.id}"
    parts = ("entrants/e1", "games", "crosstable", "rulings")
    calls = (
        "proposals",
        "games",
        "entries",
        "standings",
        "standings?format=csv",
        "record",
        "events",
        "rulings",
        "rounds",
    )
    rulings = [name for name, one in RULINGS.items() if one.fits(row.state)]
    return [
        public,
        "/admin/",
        "/admin/log/",
        *(f"{dashboard}/{name}/" for name in ("change", "standings", "entrants", "rulings", "settings", "draft")),
        *(f"{dashboard}/rulings/{name}/" for name in rulings),
        api,
        *(f"{api}/{name}" for name in calls),
        *(f"{public}/{name}" for name in parts),
    ]


def look(club: Club, client: Client, when: str) -> dict[str, Any]:
    """Open all of them, after the seconds for which pages are kept."""
    seconds_later()
    answers = {address: client.get(address) for address in addresses(club)}
    assert {at: answer.status_code for at, answer in answers.items() if answer.status_code not in (200, 403)} == {}, (
        when
    )
    assert answers["/admin/log/"].status_code == 403, "the log is for staff"
    return answers


def game_of(club: Club, client: Client) -> dict[str, Any]:
    [found] = client.get(f"/api/v1/tournaments/{club.id}/games").json()["results"]
    return dict(found)


@pytest.mark.slow
def test_sn1_every_page_and_call_opens_while_its_own_room_is_played(club: Club, olga: Client) -> None:
    season(club)
    bot = services.add_bot(club.id, club.olga, "steady", now=club.now).entrant
    ada, bob = club.people[:2]
    room = room_of(club, ada, bots=(bot,), seats=3)
    club.run()
    look(club, olga, "an open room")
    assert (game_of(club, olga)["status"], game_of(club, olga)["entrants"]) == ("open", ["e1", bot])
    done_at(club.now, games.join, room, bob)
    club.run()
    looked = 0
    while True:
        shown = look(club, olga, f"after {looked} moves")
        now, listed = state_of(room), game_of(club, olga)
        if now.status == "finished":
            break
        assert (listed["status"], listed["entrants"]) == ("running", ["e1", bot, "e2"])
        by_seat = ["e1", bot, "e2"]
        awaited = [by_seat[seat] for seat, one in enumerate(now.players) if one.duty is not None]
        assert [one["entrant"] for one in listed["waits_for"]] == awaited
        public, dashboard = addresses(club)[0], addresses(club)[3]
        for key, name in (("e1", "ada"), ("e2", "bob")):
            waits = re.compile(rf"Waiting for (\w+ and )?{name}\b")
            told = [waits.search(text_of(shown[page])) is not None for page in (public, dashboard)]
            assert told == [key in awaited] * 2
        assert "Waiting for steady bot" not in text_of(shown[public]), "a bot keeps nobody waiting"
        looked += play(club, room, 1 if looked < 2 else 60)
        club.run()
    club.run()
    assert looked > 20
    look(club, olga, "counted")
    assert game_of(club, olga)["status"] == "counted"
    assert sorted(game_of(club, olga)["entrants"]) == ["e1", "e2", bot]


def test_pt5_a_game_beyond_those_of_the_same_table_is_said_not_to_count(club: Club, olga: Client) -> None:
    """By the API, on the page and on the dashboard, until a game before it is voided."""
    season(club, settings={"same_table": 1})
    ada, bob, cleo = club.people[:3]
    rooms = []
    for others in ((bob,), (bob,), (bob, cleo)):
        rooms.append(str(room_of(club, ada, *others)))
        end_game(rooms[-1], list(range(1 + len(others))), club.now)
        club.run()
    api, public = f"/api/v1/tournaments/{club.id}", addresses(club)[0]
    shown = (public, f"{public}/games", f"/admin/tournaments/tournament/{club.id}/change/")

    def beyond() -> dict[str, tuple[str, bool]]:
        listed = olga.get(f"{api}/games").json()["results"]
        return {one["id"]: (one["status"], one["beyond_same_table"]) for one in listed}

    def marks() -> list[int]:
        return [len(re.findall("does not count too many games", text_of(olga.get(at)))) for at in shown]

    assert beyond() == dict(zip(rooms, [("counted", False), ("counted", True), ("counted", False)], strict=True))
    assert marks() == [1, 1, 1]
    [first] = [row for row in olga.get(f"{api}/standings").json()["standings"] if row["entrant"] == "e1"]
    assert first["kept"] == [rooms[0], rooms[2]]
    asked = {"ruling": "void", "game": rooms[0], "reason": "wrong deck"}
    services.rule(club.id, club.olga, asked, now=club.now)
    assert beyond() == dict(zip(rooms, [("voided", False), ("counted", False), ("counted", False)], strict=True))
    assert marks() == [0, 0, 0]


def test_sn1_a_room_that_was_called_off_still_says_who_sat_there(club: Club, olga: Client) -> None:
    season(club)
    room = room_of(club, *club.people[:2])
    services.rule(club.id, club.olga, {"ruling": "void", "game": str(room), "reason": "wrong people"}, now=club.now)
    club.run()
    look(club, olga, "called off")
    assert (game_of(club, olga)["status"], game_of(club, olga)["entrants"]) == ("without_result", ["e1", "e2"])


def test_li5_a_room_that_nobody_ruled_is_not_among_the_rulings(club: Club, olga: Client) -> None:
    """Its opener called it off, or the season closed; what an organiser rules is listed, of a room too."""
    season(club, grace=86_400)
    done_at(club.now, games.cancel, room_of(club, club.people[0], seats=3), club.people[0])
    ruled, running = room_of(club, club.people[1], seats=3), room_of(club, *club.people[2:4])
    services.rule(club.id, club.olga, {"ruling": "void", "game": str(ruled), "reason": "two decks"}, now=club.now)
    closed = room_of(club, club.people[4], seats=3)
    club.run(days=10, hours=1).run()

    assert [club.t.games[str(key)].outcome for key in (ruled, closed, running)] == ["none", "none", "open"]
    listed = text_of(olga.get(f"{addresses(club)[0]}/rulings"))
    assert "Game 2 is void. olga" in listed
    assert listed.count("is void") == 1
    answered = olga.get(f"/api/v1/tournaments/{club.id}/rulings").json()
    assert [(one["game"], one["by"]["username"]) for one in answered["results"]] == [(str(ruled), "olga")]


def test_the_games_of_a_season_are_told_apart_wherever_they_are_named(club: Club, olga: Client) -> None:
    """On the page, an entrant's and the dashboard's, among the rulings, and in the reader's own part."""
    ada, bob, cleo = club.people[:3]
    season(club)
    for others in ((bob,), (cleo,)):
        room = room_of(club, ada, *others)
        end_game(room, [0, 1], club.now)
        club.run(hours=1)
    real = {"ruling": "enter_result", "players": [{"entrant": "e2", "place": 1}, {"entrant": "e1", "place": 2}]}
    services.rule(club.id, club.olga, {**real, "reason": "at the lake"}, now=club.now)
    asked = {"ruling": "void", "game": str(room), "reason": "wrong deck"}
    services.rule(club.id, club.olga, asked, now=club.now)
    room_of(club, ada, cleo)
    club.run()
    public, dashboard = addresses(club)[0], f"/admin/tournaments/tournament/{club.id}/change/"
    own = text_of(olga.get(f"{public}/entrants/e1"))
    assert [name in own for name in ("Game 1 ", "Game 2 ", "Real table of 21 November")] == [True, False, True]
    assert "Game 2 is void." in text_of(olga.get(public))
    for address in (public, dashboard):
        text = text_of(olga.get(address))
        assert all(f" Game {number} " in text for number in (1, 2, 3)), address
    olga.force_login(ada)
    assert "Game 3, with cleo" in text_of(olga.get(public))


def test_li5_a_turn_in_a_seasons_room_is_extended(club: Club, olga: Client) -> None:
    season(club)
    room = room_of(club, *club.people[:2])
    club.run()
    seat = Seat.objects.filter(game=room, index=1)
    before = seat.get().due_at
    fields = {"game": str(room), "entrant": "e2", "hours": "5", "reason": "a long flight"}
    at = f"/admin/tournaments/tournament/{club.id}/rulings/extend/"
    form = olga.get(at)
    assert "Game 1, 21 Nov 12:00 UTC: ada, bob" in text_of(form)
    assert "Round" not in text_of(form), "a season has none"
    preview = olga.post(at, {**fields, "preview": "1"}).content.decode()
    [seen] = re.findall(r'name="seen" value="([^"]+)"', preview)
    olga.post(at, {**fields, "confirm": "1", "seen": seen})
    after = seat.get().due_at
    assert before is not None
    assert after is not None
    assert (after - before).total_seconds() == 5 * 3600
    assert "The turn of bob is extended until" in text_of(look(club, olga, "extended")[addresses(club)[0]])


def test_sn1_a_successor_and_who_began_the_room_are_the_same_entrant(club: Club, olga: Client) -> None:
    club.open(*club.people[:2], kind="season")
    services.start(club.id, club.olga, now=club.now)
    room_of(club, *club.people[:2])
    club.replace("e1", club.people[3])
    club.run()
    look(club, olga, "replaced")
    assert game_of(club, olga)["entrants"] == ["e1", "e2"]
