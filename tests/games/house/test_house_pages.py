"""What begins on the page of a house game (HG23)."""

from django.test import Client

from core.accounts.login import guests
from core.accounts.models import Player
from tests.games.api.client import Person
from tests.games.house.test_api_house_games import OTHER, RULES, put, save

BUTTON = "Start a season"


def browser_of(player: Player | None = None) -> Client:
    browser = Client()
    if player is not None:
        browser.force_login(player)
    return browser


def test_hg23_a_season_of_it_is_private_has_its_organiser_in_and_keeps_these_rules(alice: Person, bob: Person) -> None:
    saved = save(bob, {**RULES, "seats": [2, 3]})
    page, browser = f"/house-games/{saved['id']}", browser_of(Player.objects.get(username="alice"))
    assert BUTTON in browser.get(page).content.decode()
    begun = browser.post(f"{page}/season")
    assert begun.status_code == 302
    put(bob, saved, OTHER)
    (made,) = alice.get("tournaments?mine=true").body["results"]
    season = alice.get(f"tournaments/{made['id']}").body
    assert begun.headers["Location"] == f"/t/{season['slug']}"
    assert (season["kind"], season["status"], season["visibility"]) == ("season", "running", "private")
    assert season["title"].startswith("Skips 20") and season["options"]["rules"]["title"] == "Skips"
    # As many as usual, but no more than its rules seat.
    assert season["settings"]["tables"]["size"] == 3
    (entry,) = alice.get(f"tournaments/{made['id']}/entries").body["results"]
    assert (entry["player"]["username"], entry["status"]) == ("alice", "in")
    assert browser.get(begun.headers["Location"]).status_code == 200


def test_hg23_a_guest_keeps_the_account_before_a_season(alice: Person) -> None:
    page, guest = f"/house-games/{save(alice)['id']}", browser_of(guests.sign_up("Gus"))
    for browser in (browser_of(), guest):
        assert BUTTON not in browser.get(page).content.decode()
    assert guest.post(f"{page}/season").status_code == 403
