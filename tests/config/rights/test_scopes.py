"""What a token may do (AP1 to AP6, AP32): every operation with a token of each single scope."""

import re
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from core.accounts.login import tokens
from core.accounts.models import Player
from core.http.scopes import ALL, ANY, NONE, scope_of
from tests.config.rights.rights_scene import Scene, somebody
from tests.config.rights.test_rights import ARGUMENTS, Row, named, patterns_of_the_api, rows
from tests.games.api.client import PASSWORD, Person
from tests.openapi import DOCUMENT

OPERATIONS = {
    operation["operationId"]: (method.upper(), path)
    for path, methods in DOCUMENT["paths"].items()
    for method, operation in methods.items()
    if method in ("get", "post", "put", "patch", "delete")
}
# Since the page counted them: talk, notes, reviews, lessons, results, calendars, stages, house games, people.
SINCE = {
    name
    for name, (_, path) in OPERATIONS.items()
    if re.search(r"/(talk|note|review|lessons|results|ics|next-stage|house-games|people)\b", path)
}


@pytest.fixture
def alice(db: None) -> Person:
    return somebody("alice")


def of(player: str, *scopes: str) -> Person:
    return Person(player, tokens.issue(Player.objects.get(username=player), scopes=scopes)[0])


def test_ap2_each_operation_has_one_scope_and_so_many_have_each() -> None:
    counted = Counter(scope_of(*OPERATIONS[name]) for name in OPERATIONS.keys() - SINCE)
    assert counted == {NONE: 8, ANY: 1, "account": 13, "notify": 25, "read": 35, "play": 26, "organise": 18}


@pytest.mark.parametrize(
    ("operation", "scope"),
    [
        ("list_lessons", NONE),
        ("my_talks", "read"),
        ("my_calendar", "notify"),
        ("create_calendar", "notify"),
        ("remove_calendar", "notify"),
        ("list_house_games", "read"),
        ("get_house_game", "read"),
        ("check_rules", "play"),
        ("save_house_game", "play"),
        ("change_house_game", "play"),
        ("delete_house_game", "play"),
        ("report_house_game", "play"),
        ("list_my_people", "read"),
        ("list_results", "read"),
        ("watch_results", "read"),
        ("export_my_results", "read"),
        ("get_talk", "read"),
        ("get_note", "read"),
        ("get_review", "read"),
        ("get_next_stage", "read"),
        ("say", "play"),
        ("report", "play"),
        ("write_note", "play"),
        ("ask_for_review", "play"),
        ("hide_message", "organise"),
        ("show_message", "organise"),
    ],
)
def test_ap2_calls_added_since(operation: str, scope: str) -> None:
    assert scope_of(*OPERATIONS[operation]) == scope


@pytest.mark.sampled
@pytest.mark.django_db
@pytest.mark.parametrize("row", rows(), ids=named)
def test_ap32_a_token_of_one_scope_makes_just_the_calls_of_that_scope(scene: Scene, row: Row) -> None:
    method, name, about, body, _ = row
    [route] = [str(pattern.pattern) for pattern in patterns_of_the_api() if pattern.name == name]
    needs = scope_of(method, route)
    # AP13: one that says who somebody is makes only the calls that any token, or none, makes.
    scene = replace(scene, cast={scope: of("player", scope) for scope in (*ALL, "openid")})
    for scope in scene.cast:
        answer = scene.call(scope, method, name, about, body, ARGUMENTS.get(name, {}))
        lacks = needs not in (NONE, ANY, scope)
        assert lacks == (answer.code == "insufficient_scope" and answer.body["scope"] == needs), (scope, answer.status)


@pytest.mark.django_db
def test_ap4_a_refusal_names_the_scope_before_the_object_and_the_body(alice: Person) -> None:
    reads = of("alice", "read")
    nowhere = "games/00000000-0000-0000-0000-000000000000"
    refused = reads.post(f"{nowhere}/moves", {"nonsense": 1})
    assert (refused.status, refused.code, refused.body["scope"]) == (403, "insufficient_scope", "play")
    expected = 'Bearer realm="trey", error="insufficient_scope", scope="play"'
    assert refused.headers["www-authenticate"] == expected
    assert reads.get(nowhere).status == 404
    assert reads.call("DELETE", "games").status == 405
    unknown = Person("nobody", "0" * 64).get("me")
    assert unknown.headers["www-authenticate"] == 'Bearer realm="trey", error="invalid_token"'
    assert Person().get("me").headers["www-authenticate"] == 'Bearer realm="trey"'


@pytest.mark.django_db
def test_ap2_name_and_handles_need_account_too(alice: Person) -> None:
    plays = of("alice", "play")
    assert plays.patch("me", {"preferences": {"unlisted": True}}).status == 200
    for body in ({"username": "ada"}, {"handles": {"discord": None}}):
        assert plays.patch("me", body).body["scope"] == "account"
    assert plays.patch("me", {"username": ["ada"]}).status == 400, "the shape of the body comes first"
    assert of("alice", "play", "account").patch("me", {"username": "ada"}).status == 200


@pytest.mark.django_db
def test_ap2_acting_for_another_entrant_needs_organise_too(scene: Scene) -> None:
    path = f"tournaments/{scene.ids['rounds']}/entries"
    plays, both = of("organiser", "play"), of("organiser", "play", "organise")
    entries = of("organiser", "read").get(path)
    key = entries.body["results"][0]["entrant"]
    refused = plays.post(f"{path}/{key}/withdraw")
    assert refused.body.get("scope") == "organise", refused.body
    assert plays.post(f"{path}/e99/withdraw").status == 404
    assert plays.post(path, {"bot": "steady"}).body["scope"] == "organise"
    assert both.post(f"{path}/{key}/withdraw").status == 200


@pytest.mark.django_db
def test_ap3_who_logs_in_has_all_scopes_or_those_that_are_asked_for(alice: Person) -> None:
    pair = {"username": "alice", "password": PASSWORD}

    def log_in(**more: Any) -> Any:
        return Person().post("auth/login", {**pair, **more})

    assert log_in().body["scopes"] == list(ALL)
    made = log_in(scopes=["play", "read"])
    assert made.body["scopes"] == ["read", "play"]
    own = Person("alice", made.body["token"])
    assert own.get("me").status == 200
    assert own.get("me/tokens").code == "insufficient_scope"
    listed = alice.get("me/tokens").body["results"]
    assert [["read", "play"], None] in [[one["scopes"], one["app"]] for one in listed]
    for bad in ([], ["read", "read"], ["everything"], "read"):
        refused = log_in(scopes=bad)
        assert (refused.status, refused.code) == (400, "invalid")
        assert refused.body["errors"][0]["field"].startswith("scopes")


def test_ap6_the_document_says_the_scope_of_each_call() -> None:
    for name, (method, path) in OPERATIONS.items():
        scope = scope_of(method, path)
        demands = DOCUMENT["paths"][path][method.lower()]["security"]
        for demand in demands:
            if "token" in demand:
                assert demand["token"] == ([] if scope in (NONE, ANY) else [scope]), name
        # An app has a token too, but never `account` (AP5).
        by_token, by_app = ([one[key] for one in demands if key in one] for key in ("token", "oauth"))
        assert by_app == (by_token if scope != "account" else []), name
        # Streams are for programs; pages of ours alone open them with their session (LV2).
        takes_session = {"session": []} in demands
        assert takes_session == (scope != NONE and not path.endswith("/live")), name


def test_ap35_a_scope_costs_no_query(alice: Person, django_assert_num_queries: Any) -> None:
    reads = of("alice", "read")
    with django_assert_num_queries(1):
        reads.get("me")
