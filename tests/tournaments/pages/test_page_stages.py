"""The pages of a tournament with stages (SG13): the course in words, the cut, a table for each stage, titled rounds."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.test import Client

from core import clock as service_clock
from core.accounts.models import Player
from tests.tournaments.api.conftest import cast, opened, run, running  # noqa: F401  fixtures
from tests.tournaments.api.test_api_stages import STAGED, Cast, a_day_later, play_first

Make = Callable[..., dict[str, Any]]


def page(made: dict[str, Any], path: str = "") -> str:
    answer = Client().get(f"/t/{made['slug']}{path}")
    assert answer.status_code == 200
    return answer.content.decode()


def test_sg13_before_it_starts_the_course_is_said_in_words(cast: Cast, opened: Make) -> None:  # noqa: F811
    made = opened(**STAGED)
    assert "1 round at tables of about 2, then the best 2 in a knockout at tables of 2" in page(made)
    assert "rounds, then a knockout of 2" in Client().get("/tournaments").content.decode()


def test_sg13_in_the_break_the_page_says_when_the_next_stage_begins(
    cast: Cast,  # noqa: F811
    running: Make,  # noqa: F811
) -> None:
    made = running(**STAGED)
    play_first(cast, made)
    ends = service_clock.now() + timedelta(days=1)
    shown = page(made)
    assert f"Stage 1 (Rounds) is over. Final begins on {ends:%d %B, %H:%M} UTC." in shown
    assert shown.count('<span class="badge">through</span>') == 2


def test_sg13_the_cut_is_drawn_each_stage_has_its_table_and_rounds_their_stage(
    cast: Cast,  # noqa: F811
    running: Make,  # noqa: F811
    clock: service_clock.FrozenClock,
) -> None:
    made = running(**STAGED)
    play_first(cast, made)
    a_day_later(clock)
    shown = page(made)
    assert shown.count("Out after Rounds") == 1
    assert shown.index('id="stage-2"') < shown.index('id="stage-1"')
    assert shown.count("went on") == 2
    assert "Final, round 1" in shown
    assert "<h1>Final, round 1" in page(made, "/rounds/2")
    assert "<h1>Rounds, round 1" in page(made, "/rounds/1")
    for entrant in ("e1", "e2", "e3", "e4"):
        assert page(made, f"/entrants/{entrant}")
    assert page(made, "/crosstable")


def test_the_dashboard_shows_a_tournament_with_stages(
    cast: Cast,  # noqa: F811
    running: Make,  # noqa: F811
    clock: service_clock.FrozenClock,
) -> None:
    made = running(**STAGED)
    play_first(cast, made)
    olga = Client()
    olga.force_login(Player.objects.get(username="olga"))
    for later in (False, True):
        if later:
            a_day_later(clock)
        for part in ("change/", "settings/", "standings/", "rulings/", "entrants/", "rulings/adjust/"):
            answer = olga.get(f"/admin/tournaments/tournament/{made['id']}/{part}")
            assert answer.status_code == 200, part
