"""Olga's club of six, and browsers for whoever looks at her tournament."""

import pytest
from django.test import Client

from core import clock as service_clock
from core.accounts.models import Player
from tests.tournaments.moment import services
from tests.tournaments.services.tournament_scene import Club


@pytest.fixture
def club(db: None, clock: service_clock.FrozenClock) -> Club:
    return Club(service_clock.now())


@pytest.fixture
def olga(club: Club) -> Client:
    return browser(club.olga)


def browser(player: Player | None) -> Client:
    client = Client()
    if player is not None:
        client.force_login(player)
    return client


@pytest.fixture
def cast(club: Club) -> dict[str, Client]:
    return everybody(club)


def everybody(club: Club) -> dict[str, Client]:
    """Everybody's browser: `other` organises another tournament."""
    otto = Player.objects.create_user("otto")
    services.set_up(otto, {"title": "Otto's cup", "game": "threes", "kind": "rounds"}, now=club.now)
    people = {
        "nobody": None,
        "player": club.people[0],
        "other": otto,
        "organiser": club.olga,
        "staff": Player.objects.create_user("stan", is_staff=True),
        "superuser": Player.objects.create_superuser("susan"),
    }
    return {name: browser(person) for name, person in people.items()}
