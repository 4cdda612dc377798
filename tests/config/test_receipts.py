"""A receipt of a request with an Idempotency-Key."""

from datetime import timedelta
from typing import Any

import pytest

from core import clock
from core.accounts.models import Player
from core.jobs.models import Receipt
from core.jobs.receipts import Answer, Keyed, Promised, purge
from core.refusals import KeyReused

pytestmark = pytest.mark.django_db
HERE = "/api/v1/games"


def keyed(player: Player, asked: Any, key: str = "k1", address: str = HERE) -> Keyed:
    return Keyed(player.pk, address, key, asked, lambda executed: Answer(201, {"b": executed, "a": 1}, {"ETag": "e"}))


@pytest.fixture
def alice() -> Player:
    return Player.objects.create(username="alice")


def test_a_retry_gets_the_kept_answer_whatever_the_order_of_its_keys(alice: Player) -> None:
    first = keyed(alice, {"x": 1, "y": [2]})
    assert first.claim() is None
    kept = first.keep("done")
    again = keyed(alice, {"y": [2], "x": 1}).claim()
    assert again is not None and again.replayed and not kept.replayed
    assert (again.status, list(again.body.items()), again.headers) == (201, [("b", "done"), ("a", 1)], {"ETag": "e"})
    assert (kept.status, list(kept.body.items()), kept.headers) == (201, [("b", "done"), ("a", 1)], {"ETag": "e"})


def test_another_request_with_the_key_is_refused(alice: Player) -> None:
    first = keyed(alice, {"x": 1})
    first.claim()
    first.keep("done")
    with pytest.raises(KeyReused) as refused:
        keyed(alice, {"x": 2}).claim()
    assert refused.value.code == "key_reused"


def test_others_and_other_addresses_have_keys_of_their_own(alice: Player) -> None:
    keyed(alice, {"x": 1}).claim()
    assert keyed(Player.objects.create(username="bob"), {"x": 2}).claim() is None
    assert keyed(alice, {"x": 2}, "k2").claim() is None
    assert keyed(alice, {"x": 2}, address="/api/v1/tournaments").claim() is None


def test_a_key_that_is_given_back_is_free(alice: Player) -> None:
    first = keyed(alice, {"x": 1})
    first.claim()
    first.drop()
    assert keyed(alice, {"x": 2}).claim() is None


def test_what_was_promised_is_said_until_it_is_fulfilled_once(alice: Player) -> None:
    first = keyed(alice, {"x": 1})
    first.claim()
    first.promise({"what": 1})
    with pytest.raises(Promised) as promised:
        keyed(alice, {"x": 1}).claim()
    assert promised.value.what == {"what": 1}
    one, two = first.fulfil("one"), keyed(alice, {"x": 1}).fulfil("two")
    assert (one.body["b"], one.replayed) == ("one", False)
    assert (two.body["b"], two.replayed) == ("one", True)


def test_an_answer_is_kept_for_30_days(alice: Player, clock: clock.FrozenClock) -> None:
    keyed(alice, {"x": 1}).claim()
    clock.advance(days=30)
    assert purge.apply().get() == 0
    clock.advance(timedelta(seconds=1))
    assert purge.apply().get() == 1
    assert not Receipt.objects.exists()
