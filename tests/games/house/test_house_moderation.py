"""Reports of house games and what staff hide (HG19, TK8), in the dashboard; what else happens then."""

from typing import Any

import pytest

from core.accounts.models import Audit, Player
from core.notifications.models import Notification
from games.house import moderation, services
from games.house.models import HiddenRules, HouseGame, HouseReport
from tests.games.api.client import Person
from tests.games.house.test_api_house_games import OTHER, RULES, listed, put, save

pytestmark = pytest.mark.django_db
DASHBOARD = "/admin/house-games/"


@pytest.fixture
def public(alice: Person) -> dict[str, Any]:
    return save(alice, visibility="public")


@pytest.fixture
def staff(alice: Person, charlie: Person) -> Person:
    Player.objects.filter(username="charlie").update(is_staff=True)
    charlie.client.login(username="charlie", password="a quiet evening")
    return charlie


def decide(staff: Person, what: str, game: str, reason: str = "Its words insult people.") -> Any:
    return staff.client.post(f"{DASHBOARD}decide/", {"what": what, "game": game, "reason": reason}, follow=True)


def told(username: str) -> list[str]:
    rows = Notification.objects.filter(player__username=username, subject="house_game").order_by("number")
    return [row.data["what"] for row in rows]


@pytest.fixture(autouse=True)
def _nothing_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moderation, "FRESH", 0.0)


def test_a_report_waits_in_the_dashboard_for_staff_alone(bob: Person, staff: Person, public: dict[str, Any]) -> None:
    bob.post(f"house-games/{public['id']}/report", {"why": "insult", "text": "<i>Read it</i>"})
    html = staff.client.get(DASHBOARD).content.decode()
    assert "Skips: insult" in html and "&lt;i&gt;Read it" in html
    assert "House games: 1 report" in staff.client.get("/admin/").content.decode()
    Player.objects.filter(username="bob").update(is_staff=False)
    bob.client.login(username="bob", password="a quiet evening")
    assert bob.client.get(DASHBOARD).status_code in (302, 403)


def test_hg19_a_hidden_one_is_gone_for_all_but_its_author(
    alice: Person, bob: Person, staff: Person, public: dict[str, Any]
) -> None:
    bob.post(f"house-games/{public['id']}/report", {"why": "insult"})
    decide(staff, "hide", public["id"])
    assert (bob.get(public["location"]).status, listed(bob), listed(alice)) == (404, [], [])
    assert alice.get(public["location"]).body["hidden"] == "Its words insult people."
    assert (told("alice"), told("bob")) == (["hidden"], ["report_acted"])
    assert HouseReport.objects.get().decision == "hide"
    assert Audit.objects.get(action="hid a house game").reason == "Its words insult people."


def test_hg19_its_words_are_hidden_with_all_versions_and_nobody_saves_them_again(
    alice: Person, bob: Person, staff: Person, public: dict[str, Any]
) -> None:
    second = put(alice, public, OTHER).body
    decide(staff, "hide", f"http://testserver/house-games/{public['id']}?version=1")
    assert moderation.is_hidden(public["digest"]) and moderation.is_hidden(second["digest"])
    assert bob.post("house-games", {"rules": RULES}).code == "hidden_rules"
    third = put(alice, public, {**RULES, "title": "Third"})
    assert third.status == 200
    assert moderation.is_hidden(third.body["digest"])
    # Its games go on without a title, also once it is deleted.
    alice.call("DELETE", f"house-games/{public['id']}")
    assert moderation.is_hidden(public["digest"])


def test_hiding_is_taken_back(alice: Person, bob: Person, staff: Person, public: dict[str, Any]) -> None:
    decide(staff, "hide", public["id"])
    decide(staff, "show", public["id"])
    assert bob.get(public["location"]).status == 200
    assert told("alice") == ["hidden", "shown"]
    assert not HiddenRules.objects.exists()
    assert alice.get(public["location"]).body["hidden"] is None


def test_a_report_is_answered_also_where_nothing_is_done(bob: Person, staff: Person, public: dict[str, Any]) -> None:
    bob.post(f"house-games/{public['id']}/report", {"why": "other"})
    decide(staff, "leave", public["id"], "It is a joke among friends.")
    assert (told("alice"), told("bob")) == ([], ["report_left"])
    assert bob.get(public["location"]).status == 200
    assert not moderation.open_reports().exists()


@pytest.mark.parametrize("reason", ["", "x" * 501])
def test_a_decision_has_a_reason(staff: Person, public: dict[str, Any], reason: str) -> None:
    assert "Please give a reason" in decide(staff, "hide", public["id"], reason).content.decode()
    assert not HouseGame.objects.exclude(hidden_at=None).exists()


def test_staff_do_not_decide_about_their_own(staff: Person) -> None:
    own = save(staff, visibility="public")
    assert "Other staff have to" in decide(staff, "hide", own["id"]).content.decode()
    assert services.listed().exists()
