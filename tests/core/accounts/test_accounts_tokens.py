"""me/tokens: which tokens there are, and revoking them."""

from typing import Any
from uuid import uuid4

from core.accounts.models import Token
from tests.games.api.client import PASSWORD, Person


def logs_in(who: Person, **more: Any) -> Person:
    """The same person with a token of their own, as from another device."""
    headers = {"User_Agent": more.pop("agent", "curl/8.5")}
    answer = Person().post("auth/login", {"username": who.username, "password": PASSWORD, **more}, **headers)
    assert answer.status == 200, answer.body
    return Person(who.username, answer.body["token"])


def names(who: Person) -> list[str]:
    return [token["name"] for token in who.get("me/tokens").body["results"]]


def test_tokens_are_listed_newest_first_with_the_names_they_were_given(clock: Any, alice: Person) -> None:
    clock.advance(seconds=1)
    phone = logs_in(alice, token_name="my phone")
    clock.advance(seconds=1)
    logs_in(alice, agent="Mozilla/5.0 " + "x" * 100)
    listed = phone.get("me/tokens").body["results"]
    assert [token["name"] for token in listed[:2]] == [("Mozilla/5.0 " + "x" * 100)[:80], "my phone"]
    assert [token["current"] for token in listed] == [False, True, False]
    assert listed[1]["created_at"] == listed[1]["last_used_at"] == "2026-11-21T12:00:01Z"
    assert listed[1]["expires_at"] == "2027-02-19T12:00:01Z"


def test_the_list_shows_no_token_and_no_digest(alice: Person) -> None:
    row = Token.objects.get()
    raw = alice.get("me/tokens").raw.decode()
    assert alice.token is not None
    for secret in (alice.token, row.digest, row.token_key):
        assert secret not in raw


def test_the_last_use_is_noted_once_an_hour(clock: Any, alice: Person, django_assert_num_queries: Any) -> None:
    phone = logs_in(alice)
    clock.advance(minutes=59)
    with django_assert_num_queries(1):
        phone.get("me")
    clock.advance(minutes=1)
    with django_assert_num_queries(2):
        phone.get("me")
    with django_assert_num_queries(1):
        phone.get("me")
    listed = phone.get("me/tokens").body["results"]
    assert next(token for token in listed if token["current"])["last_used_at"] == "2026-11-21T13:00:00Z"


def test_the_list_is_paged_and_ones_own(clock: Any, alice: Person, bob: Person) -> None:
    for number in range(3):
        clock.advance(seconds=1)
        logs_in(alice, token_name=f"device {number}")
    first = alice.get("me/tokens?limit=2").body
    second = alice.get(first["next"]).body
    assert len(first["results"]) == len(second["results"]) == 2
    assert second["next"] is None
    assert len(names(bob)) == 1


def test_a_token_is_revoked_by_its_id(alice: Person) -> None:
    phone = logs_in(alice, token_name="phone")
    listed = alice.get("me/tokens").body["results"]
    [wanted] = [token["id"] for token in listed if token["name"] == "phone"]
    assert alice.call("DELETE", f"me/tokens/{wanted}").status == 204
    assert phone.get("me").code == "invalid_token"
    assert alice.get("me").status == 200
    assert alice.call("DELETE", f"me/tokens/{wanted}").status == 404


def test_nobody_revokes_the_token_of_another(alice: Person, bob: Person) -> None:
    [hers] = alice.get("me/tokens").body["results"]
    assert bob.call("DELETE", f"me/tokens/{hers['id']}").status == 404
    assert bob.call("DELETE", f"me/tokens/{uuid4()}").status == 404
    assert alice.get("me").status == 200


def test_logging_out_everywhere_revokes_all_of_ones_own_tokens(alice: Person, bob: Person) -> None:
    phone = logs_in(alice)
    gone = alice.call("DELETE", "me/tokens")
    assert (gone.status, gone.headers.get("content-type")) == (204, None)
    assert [who.get("me").status for who in (alice, phone, bob)] == [401, 401, 200]


def test_expired_tokens_are_not_listed(clock: Any, alice: Person) -> None:
    logs_in(alice)
    clock.advance(days=90)
    fresh = logs_in(alice)
    assert len(names(fresh)) == 1
