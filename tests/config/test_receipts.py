"""An Idempotency-Key does the same wherever it is taken."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from core import clock
from core.accounts.models import Player
from core.jobs.receipts import Keyed, Promised
from core.refusals import KeyReused
from games.services import KeyedMove
from tournaments.services import Keyed as KeyedRequest

pytestmark = pytest.mark.django_db
NOW = clock.now()
GAME = UUID(int=1)
Make = Callable[..., Keyed]


def of_a_move(player: Player, asked: Any, key: str = "k1") -> Keyed:
    return KeyedMove(player, key, asked, lambda executed: {"b": executed, "a": 1}, NOW, game_id=GAME)


def of_a_request(player: Player, asked: Any, key: str = "k1") -> Keyed:
    return KeyedRequest(player, key, asked, lambda executed: {"b": executed, "a": 1}, NOW)


@pytest.fixture(params=[of_a_move, of_a_request], ids=["a move", "a request about a tournament"])
def make(request: pytest.FixtureRequest) -> Make:
    made: Make = request.param
    return made


@pytest.fixture
def alice() -> Player:
    return Player.objects.create(username="alice")


def test_a_retry_gets_the_kept_answer_whatever_the_order_of_its_keys(alice: Player, make: Make) -> None:
    first = make(alice, {"x": 1, "y": [2]})
    assert first.claim() is None
    kept: Any = first.keep("done")
    again = make(alice, {"y": [2], "x": 1}).claim()
    assert again is not None and again.replayed and not kept.replayed
    assert (
        (again.status, list(again.body.items()))
        == (201, [("b", "done"), ("a", 1)])
        == (
            kept.status,
            list(kept.body.items()),
        )
    )


def test_another_request_with_the_key_is_refused(alice: Player, make: Make) -> None:
    first = make(alice, {"x": 1})
    first.claim()
    first.keep("done")
    with pytest.raises(KeyReused) as refused:
        make(alice, {"x": 2}).claim()
    assert refused.value.code == "key_reused"


def test_others_have_keys_of_their_own(alice: Player, make: Make) -> None:
    make(alice, {"x": 1}).claim()
    assert make(Player.objects.create(username="bob"), {"x": 2}).claim() is None
    assert make(alice, {"x": 2}, "k2").claim() is None


def test_what_was_promised_is_said_until_it_is_fulfilled_once(alice: Player, make: Make) -> None:
    first = make(alice, {"x": 1})
    first.claim()
    first.promise({"what": 1})
    with pytest.raises(Promised) as promised:
        make(alice, {"x": 1}).claim()
    assert promised.value.what == {"what": 1}
    one, two = first.fulfil("one"), make(alice, {"x": 1}).fulfil("two")
    assert (one.body["b"], one.replayed) == ("one", False)
    assert (two.body["b"], two.replayed) == ("one", True)


def test_an_answer_is_kept_for_30_days(alice: Player, make: Make) -> None:
    make(alice, {"x": 1}).claim()
    kind = type(make(alice, None))
    assert kind.purge(now=NOW + timedelta(days=30)) == 0
    assert kind.purge(now=NOW + timedelta(days=30, seconds=1)) == 1
    assert make(alice, {"x": 2}).claim() is None
