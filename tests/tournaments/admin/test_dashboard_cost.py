"""What a page costs does not grow with what it shows: under 20 statements each, and as many with more rows."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.signing import Signer
from django.db import connection
from django.test.utils import CaptureQueriesContext

from core.accounts import auditing
from core.accounts.login.tokens import issue
from core.accounts.models import Player
from core.dashboard import BigList
from games.models import Game
from games.rules import GAMES
from tests.games.services.service_scene import started
from tests.tournaments.leaderboards.league_scene import append, result
from tests.tournaments.moment import services
from tournaments.leaderboards.projection import update_boards

pytestmark = pytest.mark.django_db
MOST = 20
TOURNAMENT = "/admin/tournaments/tournament"


@pytest.fixture
def pages(club, clock, monkeypatch):
    """The addresses of all pages: a tournament with two rounds, a ruling and a draft, games and ratings of players."""
    monkeypatch.setattr(BigList, "list_per_page", 5)
    club.start(settings={"rounds": 9, "tables": {"size": 3}}, deadline=86_400, late="bye").finish_round()
    rule(club)
    grow(club, rounds=0)
    bob, game = club.people[1], club.game_id(1)
    mark = Signer(salt="place -opened_at -id").sign_object([False, [str(club.now + timedelta(seconds=1)), club.id.hex]])
    one = f"{TOURNAMENT}/{club.id}"
    return {
        "home": "/admin/",
        "games": "/admin/games/game/",
        "games, filtered": "/admin/games/game/?game=threes&status__exact=playing&visibility__exact=public",
        "games, further on": f"/admin/games/game/?p={mark}",
        "games of a player": f"/admin/games/game/?q={bob.username}",
        "games as a file": "/admin/games/game/csv/",
        "game": f"/admin/games/game/{game}/change/",
        "game at a version": f"/admin/games/game/{game}/table/3/",
        "log": "/admin/log/",
        "log of a game": f"/admin/log/?stream=game-{club.game_id(1, round=1)}",
        "log of a tournament": f"/admin/log/?stream=tournament-{club.id}",
        "log of a league": "/admin/log/?stream=league-threes",
        "audit log": "/admin/accounts/audit/",
        "players": "/admin/accounts/player/",
        "players by name": "/admin/accounts/player/?q=b",
        "player": f"/admin/accounts/player/{bob.pk}/change/",
        "tournaments": f"{TOURNAMENT}/",
        "tournament": f"{one}/change/",
        **{name: f"{one}/{name}/" for name in ("standings", "entrants", "draft", "rulings", "settings")},
        "standings as a file": f"{one}/standings.csv",
        "ruling": f"{one}/rulings/void/",
        "ruling of places": f"{one}/rulings/rule_table/",
    }


def rule(club: Any) -> None:
    asked = {"ruling": "adjust", "entrant": "e1", "points": "1", "reason": "a prize"}
    services.rule(club.id, club.olga, asked, now=club.now)


def grow(club: Any, *, rounds: int = 1) -> None:
    """More of everything."""
    number, bob = Game.objects.count(), club.people[1]
    for _ in range(rounds):
        rule(club)
        club.finish_round()
    for at in range(3):
        more = Player.objects.create_user(f"more{number}-{at}")
        services.enter(club.id, more, now=club.now)
        started(bob, more)
        auditing.write(club.olga, auditing.Action.SUSPENDED, f"player {bob.pk}", reason="x")
        services.set_up(club.olga, {"title": f"Cup {number} {at}", "game": "threes", "kind": "rounds"}, now=club.now)
        issue(bob)
        for game in GAMES:
            append(game, result(bob, more, club.people[2], scores=(1, 2, 3), rounds=1, at=club.now))
    update_boards.catch_up()
    club.run()


def costs(client: Any, pages: dict[str, str]) -> dict[str, int]:
    found = {}
    for name, address in pages.items():
        with CaptureQueriesContext(connection) as queries:
            status = client.get(address).status_code
        assert status in (200, 403), name
        found[name] = len(queries)
        whole = [query["sql"] for query in queries if "COUNT(*)" in query["sql"]]
        assert not [sql for sql in whole if "LIMIT" not in sql and "WHERE" not in sql], "counts a table whole"
    return found


@pytest.mark.sampled
@pytest.mark.parametrize("who", ["organiser", "superuser"])
def test_no_page_takes_20_statements_or_more_with_more_rows(club, cast, pages, who):
    grow(club)
    before = costs(cast[who], pages)
    assert {name: cost for name, cost in before.items() if cost >= MOST} == {}
    grow(club)
    after = costs(cast[who], pages)
    # A bucket of the log holds streams by lot: a kind that was not in it before takes one statement more.
    most = {name: cost + (name == "log") for name, cost in before.items()}
    assert {name: (before[name], cost) for name, cost in after.items() if cost > most[name]} == {}
