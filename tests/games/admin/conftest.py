"""The cast of the dashboard: nobody, a player, two organisers, staff and a superuser."""

import pytest
from django.test import Client

from core.accounts.models import Player
from tests.tournaments.moment import services


@pytest.fixture
def cast(alice: Player, bob: Player) -> dict[str, Client]:
    """A logged-in browser for each; `organiser` and `other` run a tournament each."""
    people = {
        "nobody": None,
        "player": alice,
        "other": Player.objects.create_user("otto"),
        "organiser": Player.objects.create_user("olga"),
        "staff": Player.objects.create_user("stan", is_staff=True),
        "superuser": Player.objects.create_superuser("susan"),
    }
    clients = {}
    for name, person in people.items():
        clients[name] = Client()
        if person is not None:
            clients[name].force_login(person)
    for name in ("other", "organiser"):
        services.set_up(people[name], {"title": f"Cup of {name}", "game": "threes", "kind": "rounds"})
    return clients
