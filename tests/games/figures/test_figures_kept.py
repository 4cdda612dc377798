"""How long the figures of some rules are kept (HG22)."""

import pytest

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
