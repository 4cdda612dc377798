"""The form of house rules (HG23): a document as fields and back, and without script what is wrong beside each field."""

import random
from typing import Any

import pytest
from django.http import QueryDict
from django.test import Client

from games.house import services
from games.house.forms import RulesForm
from games.house.models import HouseGame, Version
from games.rules.shedding.document import Document, read
from tests.games.api.client import Person
from tests.rules.house import random_document

FORM = "/house-games/new"


def posted(document: Document, **changes: Any) -> QueryDict:
    """What a browser sends of the form of a document, with these fields changed; None: an empty box."""
    sent = QueryDict(mutable=True)
    for path, typed in RulesForm.of(document).typed.items():
        if path == "seats":
            for n, end in enumerate(typed):
                sent[f"seats.{n}"] = end
        elif path == "decks":
            for n, row in enumerate(typed):
                sent[f"decks.{n}.0"], sent[f"decks.{n}.1"] = row
        elif isinstance(typed, list):
            sent.setlist(path, typed)
        elif typed is not False:
            sent[path] = "on" if typed is True else typed
    for path, value in changes.items():
        sent.pop(path, None)
        if value is not None:
            sent.setlist(path, value if isinstance(value, list) else [value])
    return sent


def send(client: Client, document: Document, act: str, url: str = FORM, headers: Any = None, **changes: Any) -> Any:
    sent = posted(document, **{"act": act, **changes})
    return client.post(url, dict(sent.lists()), headers=headers or {})


def castle() -> Document:
    return services.built_in("castle")


@pytest.mark.parametrize("seed", range(60))
def test_hg23_the_form_of_a_document_gives_the_same_document(seed: int) -> None:
    document, faults = read(random_document(random.Random(seed)))
    assert not faults
    again, faults = read(RulesForm.sent(posted(document)).document())
    assert (again, faults) == (document, {})


@pytest.mark.parametrize("name", services.BUILT_IN)
def test_hg23_the_form_begins_from_each_game_of_ours(db: None, name: str) -> None:
    page = Client().get(f"{FORM}?from={name}")
    assert page.status_code == 200
    assert f'value="My {services.BUILT_IN[name].title}"' in page.content.decode()


def test_hg23_ranks_are_typed_as_people_write_them() -> None:
    form = RulesForm.sent(posted(castle(), jokers="2", **{"row.through": "10, joker", "without": "3"}))
    document, faults = read(form.document())
    assert not faults
    assert (document["row"]["through"], document["without"]) == ("TX", "3")
    # What is in the decks follows what is left out, and the jokers.
    assert document["opening"]["search"] == "456789TJQKA2X"
    assert document["order"] == "2456789TJQKA"


def test_hg23_without_script_each_fault_is_beside_its_field_and_all_that_was_typed_stays(db: None) -> None:
    wrong = {
        "seats.1": "9",
        "deal.hand": "seven",
        "order": "2 3",
        "powers.8": ["wild", "wild_up"],
        "about": "As <ever>",
    }
    page = send(Client(), castle(), "save", **wrong)
    html = page.content.decode()
    assert page.status_code == 400
    for path, said in (
        ("decks", "The last pair must be for 9 players or more."),
        ("deal.hand", "Must be a whole number."),
        ("order", "Must name each rank of the decks once: 23456789TJQKA."),
        ("powers.8", "“Wild” (wild) and “Wild, but low if lower is asked for” (wild_up) exclude each other."),
    ):
        assert f'data-path="{path}">{said}</p>' in html
    assert 'name="deal.hand" id="deal-hand" value="seven"' in html
    assert "As &lt;ever&gt;</textarea>" in html
    assert not HouseGame.objects.exists()


def test_hg23_without_script_the_sentences_are_a_button_away(db: None) -> None:
    html = send(Client(), castle(), "check", **{"powers.8": ["skips"]}).content.decode()
    assert "<li>Each 8 skips one player.</li>" in html


def test_hg23_the_script_gets_sentences_or_faults_and_nothing_is_stored(db: None) -> None:
    asks = {"Accept": "application/json"}
    right = send(Client(), castle(), "check", headers=asks, **{"powers.8": ["skips"]}).json()
    assert right.keys() == {"sentences"} and "Each 8 skips one player." in right["sentences"]
    wrong = send(Client(), castle(), "check", headers=asks, title="").json()
    assert wrong["errors"].keys() == {"title"}
    assert not HouseGame.objects.exists()


def test_hg23_saving_leads_to_its_page_and_a_newer_version_is_never_overwritten(alice: Person) -> None:
    client = alice.client
    client.login(username="alice", password="a quiet evening")
    saved = send(client, castle(), "save", f"{FORM}?from=castle", title="Ours", visibility="public")
    row = HouseGame.objects.get()
    assert saved.url == f"/house-games/{row.pk}"
    assert (row.made_from_game, row.visibility) == ("castle", "public")
    edit = f"/house-games/{row.pk}/edit"
    assert send(client, castle(), "save", edit, title="Second", seen="1").status_code == 302
    older = send(client, castle(), "save", edit, title="Older tab", seen="1", **{"powers.8": ["skips"]})
    html = older.content.decode()
    assert older.status_code == 400
    assert "Each 8 skips one player.</li>" in html and 'value="Older tab"' in html
    assert HouseGame.objects.get().version == 2
    # Having seen that, they may.
    assert 'name="seen" value="2"' in html
    assert send(client, castle(), "save", edit, title="Older tab", seen="2").status_code == 302
    assert services.house_game(None, row.pk).title == "Older tab"


def test_an_older_page_lists_or_hides_nothing_that_was_decided_meanwhile(alice: Person) -> None:
    alice.client.login(username="alice", password="a quiet evening")
    saved = alice.post("house-games", {"rules": castle()}).body
    edit = f"/house-games/{saved['id']}/edit"
    assert 'name="was" value="link"' in alice.client.get(edit).content.decode()
    alice.call("PUT", f"house-games/{saved['id']}", {"rules": castle(), "visibility": "public"})
    unseen = {"seen": "1", "visibility": "link", "was": "link"}
    assert send(alice.client, castle(), "save", edit, title="Second", **unseen).status_code == 302
    assert HouseGame.objects.get().visibility == "public"
    changed = {"seen": "2", "visibility": "link", "was": "public"}
    assert send(alice.client, castle(), "save", edit, title="Third", **changed).status_code == 302
    assert HouseGame.objects.get().visibility == "link"


def test_a_form_that_lacks_most_fields_says_what_is_wrong(db: None) -> None:
    page = Client().post(FORM, {"act": "save", "title": "Mine", "opening.who": ""})
    assert page.status_code == 400 and "seats" in page.content.decode()


def test_hg17_the_form_of_saved_rules_that_would_be_refused_now_says_where(alice: Person) -> None:
    saved = alice.post("house-games", {"rules": {"title": "Older"}}).body
    version = Version.objects.get()
    version.rules["powers"] = {"8": ["wild", "wild_up"]}
    version.save()
    alice.client.login(username="alice", password="a quiet evening")
    page = alice.client.get(f"/house-games/{saved['id']}/edit")
    html = page.content.decode()
    assert page.status_code == 200 and 'value="Older"' in html
    assert 'data-path="powers.8">“Wild” (wild) and' in html


def test_hg23_a_form_of_somebody_elses_house_game_is_that_of_a_copy(alice: Person, bob: Person) -> None:
    saved = bob.post("house-games", {"rules": {"title": "Bob's"}}).body
    alice.client.login(username="alice", password="a quiet evening")
    assert alice.client.get(f"/house-games/{saved['id']}/edit").url == f"{FORM}?from={saved['id']}"
    send(alice.client, castle(), "save", f"{FORM}?from={saved['id']}")
    assert str(HouseGame.objects.get(author__username="alice").made_from.game_id) == saved["id"]
