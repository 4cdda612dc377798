"""AC6: take each right away, and look at everything that goes with it."""

from collections.abc import Callable
from typing import Any

import pytest

from core.accounts import ending
from core.accounts.ending import GOES_WITH, Right, What

ROWS = [(right, what) for right, whats in GOES_WITH.items() for what in whats]
# What is still to be seen to. It ends empty.
NOT_YET = set(ROWS)

Check = Callable[[pytest.FixtureRequest], None]
CHECKS: dict[tuple[Right, What], list[Check]] = {}


def check(right: Right, *whats: What) -> Callable[[Check], Check]:
    """Register a check: it makes what the right brings, takes the right away, and looks."""

    def register(one: Check) -> Check:
        for what in whats:
            CHECKS.setdefault((right, what), []).append(one)
        return one

    return register


@pytest.mark.parametrize(("right", "what"), ROWS, ids=lambda value: value.replace(" ", "_"))
def test_ac6_what_goes_with_a_right(right: Right, what: What, request: pytest.FixtureRequest) -> None:
    if (right, what) in NOT_YET:
        assert (right, what) not in CHECKS
        pytest.skip("not yet")
    assert (right, what) in ending.seen_to(), "no code sees to it"
    assert CHECKS.get((right, what)), "no check looks at it"
    for one in CHECKS[right, what]:
        one(request)


def test_ac6_only_rows_of_the_list_are_seen_to() -> None:
    for decorate in (ending.at_once, ending.on_the_way_out):
        with pytest.raises(LookupError):
            decorate(Right.SESSION, What.CHANNELS)(lambda **_: None)


def test_ac6_what_goes_at_once_is_called_with_who_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ending, "_at_once", {})
    called: list[Any] = []
    ending.at_once(Right.TOKEN, What.PUSHES)(lambda **who: called.append(who))
    ending.ended(Right.TOKEN, key="k")
    ending.ended(Right.SESSION, key="s")
    assert called == [{"key": "k"}]
