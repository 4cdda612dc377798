"""POST players."""

from typing import Any

import pytest

from core.accounts.models import Player
from tests.core.accounts.test_accounts_me import PROFILE
from tests.games.api.client import PASSWORD, Person

PAIR = {"username": "alice", "password": PASSWORD}


def test_signing_up_makes_an_account_and_tells_nothing_of_the_password(nobody: Person) -> None:
    answer = nobody.post("players", PAIR)
    assert answer.status == 201
    assert set(answer.body) == PROFILE
    assert Player.objects.get(pk=answer.body["id"]).check_password(PASSWORD)


@pytest.mark.parametrize("name", ["alice", "Alice", "ALICE", "\uff41lice"])
def test_a_name_is_given_once_whatever_its_case_and_width(nobody: Person, name: str) -> None:
    nobody.post("players", PAIR)
    answer = nobody.post("players", {"username": name, "password": PASSWORD})
    assert (answer.status, answer.code) == (409, "username_taken")
    assert answer.body["errors"][0]["field"] == "username"
    assert Player.objects.count() == 1


@pytest.mark.parametrize("name", ["", "a", "a b", "a/b", "-a", "a" * 41, "a\u202eb", 5, None, ["alice"], True])
def test_a_name_that_breaks_the_rules_is_refused_by_field(nobody: Person, name: object) -> None:
    answer = nobody.post("players", {"username": name, "password": PASSWORD})
    assert (answer.status, answer.code) == (400, "invalid")
    assert answer.body["errors"][0]["field"] == "username"


# Each: what is taken, and a name that looks like it (UTS 39's confusables).
LOOK_ALIKES = [
    ("cope", "\u0441\u043e\u0440\u0435"),  # Cyrillic
    ("alice", "\u0251lice"),  # the Latin alpha
    ("\u0430\u0445\u0435", "axe"),  # Cyrillic first
    ("Otto", "\u041e\u0422\u0422\u041e"),  # Cyrillic capitals
    ("vovo", "\u03bd\u03bf\u03bd\u03bf"),  # Greek
]


@pytest.mark.parametrize(("taken", "name"), LOOK_ALIKES)
def test_a_name_that_looks_like_one_that_is_taken_is_taken(nobody: Person, taken: str, name: str) -> None:
    assert nobody.post("players", {"username": taken, "password": PASSWORD}).status == 201
    answer = nobody.post("players", {"username": name, "password": PASSWORD})
    assert (answer.status, answer.code) == (409, "username_taken")
    assert Player.objects.count() == 1


def test_nobody_changes_to_a_name_that_looks_like_another(alice: Person) -> None:
    Player.objects.create_user("cope")
    answer = alice.patch("me", {"username": "\u0441\u043e\u0440\u0435"})
    assert (answer.status, answer.code) == (409, "username_taken")


@pytest.mark.parametrize("name", ["<script>", "a/b", "a b", "\u202eabc", "al\U0001f642ce"])
def test_what_is_no_letter_is_not_taken_for_one_of_another_script(nobody: Person, name: str) -> None:
    answer = nobody.post("players", {"username": name, "password": PASSWORD})
    assert (answer.status, answer.code) == (400, "invalid")
    assert answer.body["errors"][0]["detail"] == "Use letters, digits, dots, dashes and underscores."


@pytest.mark.parametrize(
    "name",
    ["\u0430lice", "al\u0456ce", "b\u03bfb", "\u0410lice_7", "al\u0269ce\u0430", "\u05d0bc", "b\u0966b"],
)
def test_letters_of_two_scripts_in_one_name_are_refused(nobody: Person, name: str) -> None:
    answer = nobody.post("players", {"username": name, "password": PASSWORD})
    assert (answer.status, answer.code) == (400, "invalid")
    [error] = answer.body["errors"]
    assert error["field"] == "username"
    assert error["detail"].startswith("Use the letters of one script only. These are ")


@pytest.mark.parametrize(
    "name",
    [
        "ada", "Ada_Lovelace-2.0", "1815", "J\u00f6rg",
        "\u041e\u043b\u044c\u0433\u0430_7",  # Cyrillic
        "\u0395\u03bb\u03ad\u03bd\u03b7",  # Greek
        "\u05d3\u05d5\u05d3",  # Hebrew
        "\u0639\u0644\u064a\u06f1",  # Arabic, with a digit of its own
        "\u592a\u90ce", "\u306f\u306a\u5b50", "\u30b8\u30e7\u30fc", "\u592a\u90ce_Taro",  # Japanese
        "\uae40\u91d1",  # Korean
    ],
)  # fmt: skip
def test_a_name_may_be_in_any_one_script_and_east_asian_ones_mix_as_people_write_them(
    nobody: Person, name: str
) -> None:
    assert nobody.post("players", {"username": name, "password": PASSWORD}).status == 201


@pytest.mark.parametrize("password", ["", "short", "password", "alicealice1", "x" * 257, 12345678, None])
def test_a_weak_password_is_refused_by_field(nobody: Person, password: object) -> None:
    answer = nobody.post("players", {"username": "alicealice", "password": password})
    assert (answer.status, answer.code) == (400, "invalid")
    assert answer.body["errors"][0]["field"] == "password"


def test_a_blank_at_the_end_of_a_password_is_part_of_it(nobody: Person) -> None:
    nobody.post("players", {"username": "alice", "password": PASSWORD + " "})
    assert nobody.post("auth/login", PAIR).status == 401
    assert nobody.post("auth/login", {"username": "alice", "password": PASSWORD + " "}).status == 200


def test_unknown_keys_are_refused_by_name(nobody: Person) -> None:
    answer = nobody.post("players", {**PAIR, "is_staff": True})
    assert answer.status == 400
    assert answer.body["errors"] == [{"field": "is_staff", "detail": "Unknown key. Choose from: username, password."}]


def test_more_sign_ups_from_one_address_than_the_setting_allows_are_429(nobody: Person, settings: Any) -> None:
    settings.TREY_LIMITS = {**settings.TREY_LIMITS, "sign_ups": (2, 3600)}
    statuses = [
        nobody.post("players", {"username": f"player{number}", "password": PASSWORD}).status for number in range(3)
    ]
    assert statuses == [201, 201, 429]


def test_a_forged_forwarding_header_does_not_help_around_the_limit(nobody: Person, settings: Any) -> None:
    settings.TREY_LIMITS = {**settings.TREY_LIMITS, "sign_ups": (1, 3600)}
    for number, status in ((1, 201), (2, 429)):
        body = {"username": f"player{number}", "password": PASSWORD}
        assert nobody.post("players", body, X_Forwarded_For=f"10.0.0.{number}").status == status


def test_behind_a_proxy_of_ours_each_client_has_its_own_limit(nobody: Person, settings: Any) -> None:
    settings.TREY_LIMITS = {**settings.TREY_LIMITS, "sign_ups": (1, 3600)}
    settings.TREY_PROXIES = 1
    for number in (1, 2):
        body = {"username": f"player{number}", "password": PASSWORD}
        assert nobody.post("players", body, X_Forwarded_For=f"9.9.9.9, 10.0.0.{number}").status == 201


def test_the_addresses_of_one_ipv6_network_share_a_limit(nobody: Person, settings: Any) -> None:
    settings.TREY_LIMITS = {**settings.TREY_LIMITS, "sign_ups": (1, 3600)}
    settings.TREY_PROXIES = 1
    addresses = ("2001:db8:0:7::1", "2001:db8:0:7:ffff::9", "2001:db8:0:8::1", "::ffff:10.0.0.1", "10.0.0.1")
    statuses = [
        nobody.post("players", {"username": f"player{number}", "password": PASSWORD}, X_Forwarded_For=address).status
        for number, address in enumerate(addresses)
    ]
    assert statuses == [201, 429, 201, 201, 429]
