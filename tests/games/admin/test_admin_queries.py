"""What the dashboard's addresses may ask for, and who sets passwords."""

import pytest
from django.contrib.auth.models import Permission

from core.accounts.models import Player

pytestmark = pytest.mark.django_db
PLAYERS, GAMES, AUDIT = "/admin/accounts/player/", "/admin/games/game/", "/admin/accounts/audit/"
TOURNAMENTS = "/admin/tournaments/tournament/"


@pytest.mark.parametrize(
    "address",
    [
        f"{PLAYERS}?preferences__unlisted=true",
        f"{PLAYERS}?quiet_hours__0__time_zone__startswith=E",
        f"{PLAYERS}?password__startswith=md5",
        f"{PLAYERS}?email__startswith=a",
        f"{PLAYERS}?auth_token_set__digest__startswith=0",
        f"{PLAYERS}?logentry__id=1",
        f"{PLAYERS}?username__regex=(",
        f"{PLAYERS}?is_staff__regex=(",
        f"{GAMES}?secret__startswith=0",
        f"{GAMES}?players__salt__startswith=0",
        f"{GAMES}?status__regex=(",
        f"{GAMES}?status__exact=%00",
        f"{GAMES}?q=%00",
        f"{GAMES}?%00=1",
        f"{AUDIT}?reason__regex=(",
        f"{AUDIT}?by__exact=x",
        f"{TOURNAMENTS}?status__regex=(",
        f"{TOURNAMENTS}?game__regex=(",
        f"{TOURNAMENTS}?seed__startswith=0",
        f"{TOURNAMENTS}?invitation__startswith=0",
        f"{TOURNAMENTS}?entrants__salt__startswith=0",
        f"{TOURNAMENTS}?q=%00",
        "/admin/log/?stream=%00",
    ],
)
@pytest.mark.parametrize("who", ["staff", "superuser"])
def test_a_lookup_that_no_page_offers_is_refused(cast, who, address):
    assert cast[who].get(address).status_code == 400


@pytest.mark.parametrize(
    "address",
    [
        f"{PLAYERS}?is_active__exact=1&is_staff__exact=0&q=al",
        f"{GAMES}?game=threes&status__exact=playing&visibility__exact=public&rated__exact=1",
        f"{AUDIT}?action=suspended",
        f"{TOURNAMENTS}?game=threes&status__exact=running&q=cup",
    ],
)
def test_the_filters_that_pages_show_work(cast, address):
    assert cast["staff"].get(address).status_code == 200


def test_staff_who_may_change_accounts_set_no_passwords(cast, bob):
    Player.objects.get(username="stan").user_permissions.add(Permission.objects.get(codename="change_player"))
    before, page = bob.password, f"{PLAYERS}{bob.pk}/password/"
    asked = {"password1": "another quiet evening", "password2": "another quiet evening", "usable_password": "true"}
    assert cast["staff"].get(page).status_code == 403
    assert cast["staff"].post(page, asked).status_code == 403
    bob.refresh_from_db()
    assert bob.password == before
    assert cast["superuser"].post(page, asked).status_code == 302
    bob.refresh_from_db()
    assert bob.check_password("another quiet evening")
