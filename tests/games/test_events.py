"""An event is one class, and its row says whom it tells."""

import pytest

import games.events  # noqa: F401  those of the service
from games.notifications.following import TELLS
from games.rules.events import EFFECTS, EVENTS, Described, Effect


def test_every_event_of_the_service_says_whom_it_tells():
    assert set(TELLS) == {kind for kind in EVENTS.values() if kind.family == "game"}


@pytest.mark.parametrize("kind", [*EVENTS.values(), *EFFECTS.values()], ids=lambda kind: kind.name)
def test_every_event_and_effect_says_what_happened(kind):
    assert kind.__doc__ != kind.__mro__[1].__doc__
    assert (
        kind.words
        or kind.sentence is not Described.sentence
        or (issubclass(kind, Effect) and (kind.did or kind.done is not Effect.done))
        # The move says it, or nobody asks.
        or kind.name in {"arranged", "stalled", "laid", "lifted", "ended"}
    )
