"""A member's way in without mail: who may give the link, what it does, and when it ends."""

import re

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import Permission
from django.test import Client

from core.accounts import services
from core.accounts.models import Audit, Player
from core.clock import FrozenClock
from core.notifications.models import Notification
from tests.games.api.client import PASSWORD

pytestmark = pytest.mark.django_db
NEW = "correct horse 12"


@pytest.fixture
def stan(cast: dict[str, Client]) -> Player:
    staff = Player.objects.get(username="stan")
    staff.user_permissions.add(Permission.objects.get(codename="give_way_in"))
    return staff


def asked(client: Client, player: Player, reason: str = "lost it") -> str:
    page = f"/admin/accounts/player/{player.pk}/way-in/"
    return client.post(page, {"reason": reason}, follow=True).content.decode()


def link(client: Client, player: Player) -> str:
    found = re.search(r'value="http://testserver(/accounts/new-password/[^"]+)"', asked(client, player))
    assert found is not None
    return found[1]


def set_anew(path: str, password: str = NEW) -> int:
    return Client().post(path, {"password1": password, "password2": password}).status_code


def test_the_member_sets_a_new_password_once_and_logs_in_with_it(
    cast: dict[str, Client], stan: Player, alice: Player
) -> None:
    Authenticator.objects.create(user=alice, type=Authenticator.Type.TOTP, data={})
    path = link(cast["staff"], alice)
    assert cast["player"].get("/accounts/").status_code == 200
    shown = Client().get(path)
    assert "alice" in shown.content.decode()
    assert "no-store" in shown.headers["cache-control"]
    assert set_anew(path, "short") == 200, "the form says what is wrong, and the link goes on"
    assert set_anew(path) == 302
    alice.refresh_from_db()
    assert alice.check_password(NEW)
    assert not alice.check_password(PASSWORD)
    assert cast["player"].get("/accounts/").status_code == 302, "all log-ins have ended"
    assert set_anew(path, "another horse 12") == 404, "once"
    assert Client().get(path).status_code == 404
    assert Authenticator.objects.filter(user=alice).exists(), "the second factor stays"
    told = list(Notification.objects.filter(player=alice, kind="security").order_by("id"))
    assert [one.data["what"] for one in told] == ["way_in", "password"]
    assert Audit.objects.filter(action="made a link to a new password", by=stan.pk, reason="lost it").count() == 1


def test_it_needs_the_right_and_a_reason(cast: dict[str, Client], alice: Player) -> None:
    assert "You cannot give alice a link to a new password." in asked(cast["staff"], alice)
    assert cast["player"].post(f"/admin/accounts/player/{alice.pk}/way-in/").status_code in (302, 403)
    assert "new-password" not in asked(cast["superuser"], alice, " ")
    assert not Audit.objects.filter(action="made a link to a new password").exists()


def test_a_link_to_staff_is_given_by_a_superuser_only(cast: dict[str, Client], stan: Player) -> None:
    sven = Player.objects.create_user("sven", is_staff=True)
    assert cast["staff"].post(f"/admin/accounts/player/{sven.pk}/way-in/", {"reason": "x"}).status_code == 403
    assert set_anew(link(cast["superuser"], sven)) == 302
    assert cast["superuser"].get(f"/admin/accounts/player/{stan.pk}/change/").status_code == 200


@pytest.mark.parametrize("ended", ["a day", "the right", "suspended", "the operator", "a password"])
def test_the_link_ends(cast: dict[str, Client], stan: Player, alice: Player, clock: FrozenClock, ended: str) -> None:
    path, susan = link(cast["staff"], alice), Player.objects.get(username="susan")
    assert Client().get(path).status_code == 200
    match ended:
        case "a day":
            clock.advance(days=1)
        case "the right":
            stan.user_permissions.clear()
        case "suspended":
            services.suspend(alice, susan, "R")
            assert Client().get(path).status_code == 404
            services.let_back(alice, susan, "R")
        case "the operator":
            services.suspend(stan, susan, "R")
            services.let_back(stan, susan, "R")
        case "a password":
            services.set_password(alice, "another horse 12")
    assert Client().get(path).status_code == 404
    assert set_anew(path) == 404
    alice.refresh_from_db()
    assert not alice.check_password(NEW)


def test_no_other_text_is_a_link(db: None) -> None:
    assert Client().get("/accounts/new-password/x/").status_code == 404
