"""What a league's reactor keeps in rows is made again from the league's stream."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db.models import F
from league_scene import players

from core import log
from games import services
from tests.games.services.service_scene import play, started
from tournaments.leaderboards import rebuilding
from tournaments.leaderboards.models import Count, Entry, League, LeagueGame, PlayerTally, Point
from tournaments.leaderboards.projection import update_boards
from tournaments.leaderboards.stream import LEAGUE, record_result

pytestmark = pytest.mark.django_db


@pytest.fixture
def games():
    """Two games that count, of which one is void."""
    ada, bob = players("ada", "bob")
    found = []
    for _ in range(2):
        found.append(started(ada, bob))
        play(found[-1].id, bob, {"move": "resign"})
    services.void_game(found[0].id, actor=log.Actor("staff"), reason="wrong deck")
    record_result.catch_up()
    return found


def rows():
    return list(League.objects.values()), list(LeagueGame.objects.order_by("pk").values())


def test_a_rebuild_makes_the_same_rows(games):
    before = rows()
    rebuilt = LEAGUE.rebuild("threes")
    assert (rebuilt.events, rebuilt.differences) == (3, ())
    assert rows() == before


def test_rows_that_were_lost_or_changed_come_back(games):
    before = rows()
    LeagueGame.objects.filter(pk=games[0].id).delete()
    LeagueGame.objects.filter(pk=games[1].id).update(number=7)
    assert len(LEAGUE.rebuild("threes").differences) == 2
    assert rows() == before
    LeagueGame.objects.create(id=started(*players("cleo", "dan")).id, league="threes", number=9)
    assert "was result 9, is none" in LEAGUE.rebuild("threes").differences[0]
    assert rows() == before


def test_a_league_behind_its_stream_is_found(games):
    assert list(LEAGUE.behind()) == []
    League.objects.update(version=F("version") - 1)
    assert list(LEAGUE.behind()) == ["threes"]
    League.objects.all().delete()
    assert list(LEAGUE.behind()) == ["threes"] == list(LEAGUE.ids())
    LEAGUE.rebuild("threes")
    assert League.objects.get().version == 3


def test_the_command_compares_and_changes_nothing_with_check(games):
    LeagueGame.objects.all().delete()
    with pytest.raises(SystemExit) as ended:
        call_command("rebuild", "--all", "--check", stdout=(out := StringIO()))
    assert ended.value.code == 1
    assert "1 league compared with 3 events, 1 of them differed." in out.getvalue()
    assert not LeagueGame.objects.exists()
    with pytest.raises(SystemExit):
        call_command("rebuild", "--all", stdout=StringIO())
    call_command("rebuild", "--all", "--check", stdout=(out := StringIO()))
    assert "2 games compared with " in out.getvalue()


@pytest.mark.parametrize(
    "change",
    [
        lambda: PlayerTally.objects.filter(period="all").update(wins=F("wins") + 1),
        lambda: Entry.objects.filter(board="games").update(score=7),
        lambda: Point.objects.all().delete(),
        lambda: Count.objects.filter(board="games").update(entries=9),
    ],
)
def test_boards_that_were_changed_by_hand_are_found_and_mended(games, change):
    services.restore_game(games[0].id, actor=log.Actor("staff"), reason="it was the right deck")
    record_result.catch_up()
    update_boards.catch_up()
    rebuilding.rebuild("threes")
    call_command("rebuild_boards", "--check", stdout=(out := StringIO()))
    assert out.getvalue() == "threes: 0 rows differ from the league's stream.\n"
    change()
    for _ in range(2):
        with pytest.raises(CommandError):
            call_command("rebuild_boards", "--check", stdout=(out := StringIO()))
    assert "threes, " in out.getvalue()
    rebuilding.rebuild("threes")
    assert rebuilding.differences("threes") == []
