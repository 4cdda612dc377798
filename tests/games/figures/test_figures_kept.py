"""How long the figures of some rules take, and how long they are kept (HG22)."""

from itertools import count

import pytest

from core.jobs import services as work
from games.figures import services
from games.figures.models import Figures
from games.figures.services import FORGOTTEN, Asked, sweep
from games.rules.shedding.document import DEFAULTS

pytestmark = pytest.mark.django_db


def test_figures_are_forgotten_after_ninety_days_and_are_asked_for_anew(clock) -> None:
    Asked("a", DEFAULTS, 4).ask()
    clock.advance(days=1)
    Asked("b", DEFAULTS, 4).ask()
    clock.advance(days=FORGOTTEN.days - 1)
    assert sweep() == 0
    clock.advance(seconds=1)
    assert sweep() == 1
    assert list(Figures.objects.values_list("pk", flat=True)) == ["b"]
    again = Asked("a", DEFAULTS, 4)
    assert again.played is None
    again.ask()
    assert again.played == 0


def test_hg22_a_busy_machine_plays_as_many_games_as_another(monkeypatch) -> None:
    monkeypatch.setattr(services, "GAMES", 3)
    monkeypatch.setattr(services, "monotonic", count(0, 60).__next__)  # a minute a game, by the clock
    Asked("a", DEFAULTS, 4).ask()
    work.do_all(kinds=["house.figures"], seconds=600)
    row = Figures.objects.get()
    assert (row.is_done, len(row.counted)) == (True, 3)
