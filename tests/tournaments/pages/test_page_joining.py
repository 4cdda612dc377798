"""PLAY AC2: `/join/{code}`: a name, a button, at the table."""

from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from core import clock as service_clock
from core.accounts.login import guests
from core.accounts.models import Player
from games import services as games
from games.projections import Snapshot, load
from tests.tournaments.moment import services
from tournaments.models import Entrant, Tournament

pytestmark = pytest.mark.django_db
YEAR = 365 * 24 * 3600


@pytest.fixture
def ada() -> Player:
    return Player.objects.create_user("ada")


@pytest.fixture
def room(ada: Player) -> Snapshot:
    return games.open_room(ada, games.Terms("threes", 3, visibility="private"))


def people_in(room: Snapshot) -> list[str]:
    now = load(room.id)
    assert now is not None
    return [now.account_of(seat).username for seat in now.players if seat.player]  # type: ignore[union-attr]


def test_ac2_a_name_and_a_button_and_one_is_at_the_table(room: Snapshot) -> None:
    client = Client()
    door = client.get(f"/join/{room.invitation}")
    assert "ada invites you" in door.content.decode()
    assert "noindex" in door.headers["X-Robots-Tag"]
    answer = client.post(f"/join/{room.invitation}", {"name": "Bob"}, follow=True)
    assert answer.request["PATH_INFO"] == f"/rooms/{room.id}"
    assert people_in(room) == ["ada", "Bob"]
    guest = Player.objects.get(username="Bob")
    assert guest.is_guest
    assert client.cookies[settings.SESSION_COOKIE_NAME]["max-age"] == YEAR
    text = answer.content.decode()
    assert "You are here as a guest" in text and "a year" in text and "Keep this account" in text


def test_ac2_only_a_post_makes_an_account(room: Snapshot) -> None:
    for _ in range(3):
        Client().get(f"/join/{room.invitation}")
        Client().head(f"/join/{room.invitation}")
    assert Player.objects.count() == 1


def test_a_post_from_another_site_makes_none(room: Snapshot) -> None:
    client = Client(enforce_csrf_checks=True)
    assert client.post(f"/join/{room.invitation}", {"name": "Bob"}).status_code == 403
    assert Player.objects.count() == 1


def test_a_code_is_read_in_any_case_and_an_unknown_one_leads_nowhere(room: Snapshot) -> None:
    assert Client().get(f"/join/{str(room.invitation).lower()}").status_code == 200
    for code in ("AAAAAAAAAAAA", "x", str(room.id), "00000000-0000-0000-0000-000000000000"):
        nowhere = Client().get(f"/join/{code}")
        assert nowhere.status_code == 404
        assert "This invitation does not work" in nowhere.content.decode()
        assert f'href="/accounts/login/?next={nowhere.wsgi_request.path}"' in nowhere.content.decode()


def test_ac3_a_taken_name_is_said_with_a_free_one_and_nobody_is_made(room: Snapshot) -> None:
    answer = Client().post(f"/join/{room.invitation}", {"name": "ADA"})
    text = answer.content.decode()
    assert answer.status_code == 409
    assert "This name is taken." in text and 'value="ADA-2"' in text
    assert Player.objects.count() == 1


def test_a_bad_name_is_said_beside_its_field(room: Snapshot) -> None:
    answer = Client().post(f"/join/{room.invitation}", {"name": "<b>"})
    assert answer.status_code == 400
    assert "Use letters" in answer.content.decode() and "&lt;b&gt;" in answer.content.decode()


def test_whoever_is_logged_in_sits_down_under_their_name_and_comes_back_to_the_table(room: Snapshot) -> None:
    client = Client()
    client.force_login(Player.objects.create_user("cleo"))
    assert "Sit down as cleo" in client.get(f"/join/{room.invitation}").content.decode()
    client.post(f"/join/{room.invitation}")
    assert people_in(room) == ["ada", "cleo"]
    again = client.get(f"/join/{room.invitation}")
    assert (again.status_code, again.headers["Location"]) == (302, f"/rooms/{room.id}")


def test_a_full_table_says_so_and_makes_no_account(room: Snapshot) -> None:
    for name in ("Bob", "Cleo"):
        Client().post(f"/join/{room.invitation}", {"name": name})
    answer = Client().post(f"/join/{room.invitation}", {"name": "Dan"})
    assert "All 3 seats are taken." in answer.content.decode()
    assert not Player.objects.filter(username="Dan").exists()


def test_a_public_room_has_a_door_by_its_id(ada: Player) -> None:
    room = games.open_room(ada, games.Terms("castle", 3))
    Client().post(f"/join/{room.id}", {"name": "Bob"})
    assert people_in(room) == ["ada", "Bob"]


def test_guests_are_limited_as_registrations_are(room: Snapshot, settings: Any) -> None:
    settings.TREY_LIMITS = {**settings.TREY_LIMITS, "sign_ups": (1, 3600)}
    Client().post(f"/join/{room.invitation}", {"name": "Bob"})
    answer = Client().post(f"/join/{room.invitation}", {"name": "Cleo"})
    assert answer.status_code == 429
    assert int(answer.headers["Retry-After"]) > 0
    assert people_in(room) == ["ada", "Bob"]


@pytest.mark.sampled
def test_ac2_a_tournaments_invitation_takes_guests_where_the_organiser_permits(ada: Player) -> None:
    asked: dict[str, Any] = {"title": "Cup", "game": "threes", "kind": "rounds", "visibility": "private"}
    for permits in (True, False):
        made = services.set_up(ada, {**asked, "guests": permits}).tournament
        assert made is not None
        services.open_registration(made.id, ada)
        answer = Client().post(f"/join/{made.invitation}", {"name": f"Guest-{permits}"}, follow=True)
        assert Player.objects.filter(username=f"Guest-{permits}").exists() is permits
        assert ("Standings" in answer.content.decode()) is permits


@pytest.mark.sampled
def test_ac2_a_link_takes_the_guest_to_another_device_by_its_button(
    room: Snapshot, clock: service_clock.FrozenClock
) -> None:
    phone, other = Client(), Client()
    phone.post(f"/join/{room.invitation}", {"name": "Bob"})
    page = phone.post("/me/device")
    link = page.context["url"].removeprefix("http://testserver")
    assert "<svg" in page.content.decode()
    assert "Continue as Bob?" in other.get(link).content.decode()
    assert "Continue as Bob?" in other.get(link).content.decode()
    assert "You are now playing here as Bob." in other.post(link, follow=True).content.decode()
    assert other.get(f"/rooms/{room.id}").status_code == 200
    assert Client().post(link).status_code == 404


@pytest.mark.sampled
def test_ac6_a_link_of_an_organiser_says_what_it_ends_and_ends_it_at_its_button(room: Snapshot, ada: Player) -> None:
    phone, other = Client(), Client()
    phone.post(f"/join/{room.invitation}", {"name": "Bob"})
    bob = Player.objects.get(username="Bob")
    for by, ends in ((None, False), (ada, True)):
        link = f"/device/{guests.new_link(bob, by=by)[0]}"
        assert ("is logged out" in other.get(link).content.decode()) is ends
        assert phone.get("/me/keep").status_code == 200
        other.post(link)
        assert (phone.get("/me/keep").status_code == 302) is ends
        assert other.get("/me/keep").status_code == 200
        other = Client()


def test_ac2_a_guest_keeps_the_account_by_a_password_and_stays_logged_in(room: Snapshot) -> None:
    phone = Client()
    phone.post(f"/join/{room.invitation}", {"name": "Bob"})
    weak = phone.post("/me/keep", {"password": "password"})
    assert weak.status_code == 400 and "too common" in weak.content.decode()
    kept = phone.post("/me/keep", {"password": "a quiet evening"}, follow=True)
    assert "Your account is saved" in kept.content.decode()
    assert not Player.objects.get(username="Bob").is_guest
    assert Client().login(username="Bob", password="a quiet evening")


def a_cup(**asked: Any) -> Tournament:
    olga = Player.objects.create_user("olga")
    made = services.set_up(olga, {"title": "Open cup", "game": "threes", "kind": "rounds", "guests": True, **asked})
    services.open_registration(made.tournament.id, olga)
    return Tournament.objects.get(pk=made.tournament.id)


def test_the_page_of_a_public_tournament_leads_guests_in_by_a_name() -> None:
    cup, client = a_cup(), Client()
    page = client.get(cup.get_absolute_url()).content.decode()
    assert f'href="/join/{cup.pk}">Enter with a name</a>' in page
    assert "Log in to enter" in page
    assert client.post(f"/join/{cup.pk}", {"name": "Bob"}).headers["Location"] == cup.get_absolute_url()
    assert Entrant.objects.get(tournament=cup).player == Player.objects.get(username="Bob")
    assert "Enter with a name" not in client.get(cup.get_absolute_url()).content.decode()


@pytest.mark.parametrize("asked", [{"entry": "invitation"}, {"entry": "organiser"}, {"visibility": "private"}])
def test_the_id_alone_leads_nobody_into_another_tournament(asked: dict[str, str]) -> None:
    cup = a_cup(**({"entry": "invitation"} if "visibility" in asked else {}), **asked)
    assert Client().post(f"/join/{cup.pk}", {"name": "Bob"}).status_code == 404
    assert not Player.objects.filter(username="Bob").exists()


def test_without_guests_one_logs_in() -> None:
    assert "Enter with a name" not in Client().get(a_cup(guests=False).get_absolute_url()).content.decode()
