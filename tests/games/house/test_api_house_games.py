"""House games saved over the API (HG19)."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from core.accounts import exporting
from core.accounts.login import guests, tokens
from core.accounts.models import Player
from core.accounts.services import close
from core.clock import now
from games.house import services
from games.house.models import HouseGame, HouseReport, Version
from games.rules.shedding.builtin import CASTLE
from tests.games.api.client import Answer, Person

RULES = {**CASTLE.document, "title": "Skips", "powers": {**CASTLE.document["powers"], "8": ["skips"]}}
OTHER = {**RULES, "title": "Skips and rows"}
BAD = {"title": "", "seats": [2, 9], "powers": {"8": ["flies"]}, "colour": "red"}


def save(person: Person, rules: Any = RULES, **more: Any) -> dict[str, Any]:
    answer = person.post("house-games", {"rules": rules, **more})
    assert answer.status == 201, answer.body
    return {**answer.body, "etag": answer.headers["etag"], "location": answer.headers["location"]}


def put(person: Person, saved: dict[str, Any], rules: Any, *, more: Any = None, **headers: str) -> Answer:
    return person.call("PUT", f"house-games/{saved['id']}", {"rules": rules, **(more or {})}, **headers)


def errors(answer: Answer) -> set[str]:
    return {error["field"] for error in answer.body["errors"]}


def listed(person: Person, query: str = "") -> list[str]:
    return [row["title"] for row in person.get(f"house-games{query}").body["results"]]


def test_hg19_check_says_all_that_is_wrong_or_the_sentences_and_stores_nothing(alice: Person) -> None:
    wrong = alice.post("house-games/check", {"rules": BAD})
    assert (wrong.status, wrong.body.keys()) == (200, {"errors"})
    assert {one["path"] for one in wrong.body["errors"]} == {"title", "decks", "powers.8", "colour"}
    right = alice.post("house-games/check", {"rules": {"title": "Plain"}}).body
    assert right.keys() == {"sentences", "rules"}
    assert right["rules"]["deal"] == {"table": 3, "hand": 3, "shown": False, "turn_up": False}
    assert not HouseGame.objects.exists()


def test_hg1_what_is_too_long_is_wrong_as_a_whole(alice: Person) -> None:
    long = {"title": "x", "about": "y" * 8192}
    assert [one["path"] for one in alice.post("house-games/check", {"rules": long}).body["errors"]] == [""]


@pytest.mark.parametrize("rules", [7, None, []])
def test_hg1_what_is_no_object_is_refused(alice: Person, rules: Any) -> None:
    refused = alice.post("house-games/check", {"rules": rules})
    assert (refused.status, refused.code, errors(refused)) == (400, "invalid", {"rules"})


def test_hg19_a_house_game_is_saved_and_read(alice: Person, bob: Person, nobody: Person) -> None:
    saved = save(alice)
    assert saved["location"] == f"/api/v1/house-games/{saved['id']}"
    assert (saved["title"], saved["visibility"], saved["version"], saved["played"]) == ("Skips", "link", 1, 0)
    assert saved["author"]["username"] == "alice"
    assert "Each 8 skips one player." in saved["sentences"]
    read = bob.get(saved["location"])
    assert read.body == {key: value for key, value in saved.items() if key not in ("etag", "location")}
    assert bob.get(saved["location"], If_None_Match=read.headers["etag"]).status == 304
    assert nobody.get(saved["location"]).status == 401
    assert bob.get(f"house-games/{uuid4()}").status == 404


def test_hg19_the_digest_is_that_of_the_canonical_document(alice: Person) -> None:
    first, complete = save(alice), save(alice, save(alice)["rules"])
    assert first["digest"] == complete["digest"] != save(alice, OTHER)["digest"]
    # Of the text that `sha256sum` gets.
    assert len(first["digest"]) == 64


def test_hg19_rules_that_are_wrong_are_not_saved(alice: Person) -> None:
    refused = alice.post("house-games", {"rules": BAD})
    assert (refused.status, refused.code) == (400, "invalid")
    assert errors(refused) == {"rules.title", "rules.decks", "rules.powers.8", "rules.colour"}
    assert not HouseGame.objects.exists()


def test_hg19_a_put_is_a_new_version_and_versions_never_change(alice: Person, bob: Person) -> None:
    saved = save(alice)
    second = put(alice, saved, OTHER, If_Match=saved["etag"])
    assert (second.status, second.body["version"], second.body["title"]) == (200, 2, "Skips and rows")
    assert put(alice, saved, RULES, If_Match=saved["etag"]).code == "stale_version"
    assert put(alice, saved, RULES, If_Match='"v1"').status == 412
    assert [one["number"] for one in second.body["versions"]] == [2, 1]
    first = bob.get(f"house-games/{saved['id']}?version=1").body
    assert (first["title"], first["digest"], first["version"]) == ("Skips", saved["digest"], 2)
    assert bob.get(f"house-games/{saved['id']}?version=3").status == 404
    assert bob.get(f"house-games/{saved['id']}?version=51").status == 400
    assert put(bob, saved, RULES).code == "not_yours"


def test_hg19_what_is_played_meanwhile_is_no_condition_and_the_same_rules_are_no_version(alice: Person) -> None:
    saved = save(alice)
    HouseGame.objects.update(played=7)
    same = put(alice, saved, RULES, more={"visibility": "public"}, If_Match=saved["etag"])
    assert (same.body["version"], same.body["visibility"], same.body["played"]) == (1, "public", 7)


def test_hg19_versions_say_what_changed(alice: Person) -> None:
    saved = save(alice)
    changed = put(alice, saved, {**RULES, "powers": CASTLE.document["powers"]}).body
    assert changed["versions"][0]["changes"] == ["8s no longer skip anybody."]


def test_hg19_at_most_50_versions_and_50_house_games(alice: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    assert (services.MOST_VERSIONS, services.MOST_GAMES) == (50, 50)
    monkeypatch.setattr(services, "MOST_VERSIONS", 2)
    monkeypatch.setattr(services, "MOST_GAMES", 2)
    saved = save(alice)
    assert put(alice, saved, OTHER).status == 200
    assert put(alice, saved, RULES).code == "too_many_versions"
    save(alice)
    assert alice.post("house-games", {"rules": RULES}).code == "too_many_house_games"


def test_hg19_lists_are_the_public_ones_the_most_played_first_and_ones_own(alice: Person, bob: Person) -> None:
    save(alice)
    for title, played in (("Rare", 1), ("Often", 9)):
        saved = save(alice, {**RULES, "title": title}, visibility="public")
        HouseGame.objects.filter(pk=saved["id"]).update(played=played)
    assert listed(bob) == ["Often", "Rare"]
    assert listed(bob, "?mine=true") == []
    assert sorted(listed(alice, "?mine=true")) == ["Often", "Rare", "Skips"]
    first = bob.get("house-games?limit=1").body
    assert [row["title"] for row in bob.get(first["next"]).body["results"]] == ["Rare"]


def test_hg19_a_deleted_one_is_gone(alice: Person, bob: Person) -> None:
    saved = save(alice, visibility="public")
    assert bob.call("DELETE", f"house-games/{saved['id']}").code == "not_yours"
    assert alice.call("DELETE", f"house-games/{saved['id']}").status == 204
    assert (bob.get(saved["location"]).status, listed(bob), listed(alice, "?mine=true")) == (404, [], [])


def test_hg19_copies_say_what_they_were_made_from(alice: Person, bob: Person) -> None:
    saved = save(alice)
    copy = save(bob, OTHER, made_from=saved["id"])
    assert copy["made_from"] == {"game": None, "house_game": saved["id"], "version": 1, "title": "Skips"}
    of_ours = save(bob, made_from="castle")["made_from"]
    assert of_ours == {"game": "castle", "house_game": None, "version": None, "title": "Castle"}
    assert errors(bob.post("house-games", {"rules": RULES, "made_from": "whist"})) == {"made_from"}
    assert bob.post("house-games", {"rules": RULES, "made_from": str(uuid4())}).status == 404
    alice.call("DELETE", f"house-games/{saved['id']}")
    assert bob.get(copy["location"]).body["made_from"] is None


def test_a_listed_copy_gives_nobody_the_link_of_a_game_that_is_not_listed(
    alice: Person, bob: Person, charlie: Person
) -> None:
    saved = save(alice)
    copy = save(bob, OTHER, made_from=saved["id"], visibility="public")
    page = f"/house-games/{copy['id']}"
    assert charlie.get(copy["location"]).body["made_from"] is None
    assert saved["id"] not in Client().get(page).content.decode()
    assert alice.get(copy["location"]).body["made_from"]["house_game"] == saved["id"]
    put(alice, saved, RULES, more={"visibility": "public"})
    assert charlie.get(copy["location"]).body["made_from"]["title"] == "Skips"
    assert saved["id"] in Client().get(page).content.decode()


def test_a_guest_saves_but_lists_nothing(db: None) -> None:
    guest = guests.sign_up("Gus")
    person = Person("Gus", tokens.issue(guest)[0])
    saved = save(person)
    assert person.post("house-games", {"rules": RULES, "visibility": "public"}).code == "guest_account"
    assert put(person, saved, RULES, more={"visibility": "public"}).code == "guest_account"


def test_hg19_what_remains_of_an_account_that_is_closed(alice: Person, bob: Person) -> None:
    public, private = save(alice, visibility="public"), save(alice)
    close(Player.objects.get(username="alice"))
    assert bob.get(public["location"]).body["author"] is None
    assert listed(bob) == ["Skips"]
    assert bob.get(private["location"]).status == 404
    assert Version.objects.count() == 1


def test_hg19_the_export_has_them_with_all_versions(alice: Person) -> None:
    put(alice, save(alice), OTHER)
    parts = dict(exporting.parts_of(Player.objects.get(username="alice"), now()))
    (mine,) = parts["house_games"]
    assert [one["rules"]["title"] for one in mine["versions"]] == ["Skips", "Skips and rows"]


def test_markup_stays_text(alice: Person) -> None:
    rules = {**RULES, "title": "<b>x</b>", "about": "<script>alert(1)</script>"}
    saved = save(alice, rules, visibility="public")
    for page in ("/house-games", f"/house-games/{saved['id']}", f"/house-games/new?from={saved['id']}"):
        html = alice.client.get(page).content.decode()
        assert "&lt;b&gt;x" in html
        assert "<script>alert" not in html and "<b>x" not in html


def test_tk8_only_public_ones_of_others_are_reported_and_once(alice: Person, bob: Person) -> None:
    public, private = save(alice, visibility="public"), save(alice)
    report = f"house-games/{public['id']}/report"
    assert bob.post(f"house-games/{private['id']}/report", {"why": "spam"}).status == 404
    assert alice.post(report, {"why": "spam"}).code == "own_house_game"
    assert errors(bob.post(report, {"why": "boring"})) == {"why"}
    made = bob.post(report, {"why": "spam", "text": "Look at its title."})
    assert (made.status, made.body["text"]) == (201, "Look at its title.")
    assert bob.post(report, {"why": "spam"}).code == "already_reported"
    # What was reported is kept as it was.
    put(alice, public, OTHER)
    assert HouseReport.objects.get().title == "Skips"
