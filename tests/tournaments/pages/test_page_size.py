"""The page of a tournament of 128 stays under 150 kB, and what it links to as well."""

import re
from typing import Any

import pytest
from django.test import Client

from core.accounts.models import Player
from tests.tournaments.moment import services
from tests.tournaments.services.tournament_scene import Club
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db
MOST = 150_000
LONG = "a-player-with-a-very-long-name-indeed"


def of_128(club: Club, **asked: Any) -> str:
    """A running tournament of 128 people with long names; its page's address."""
    people = [Player(username=f"{number}-{LONG}"[:40]) for number in range(100, 228)]
    Player.objects.bulk_create(people)
    club.open(*people[:1], **asked)
    for player in people[1:]:
        services.enter(club.id, player, now=club.now)
    services.start(club.id, club.olga, now=club.now)
    club.run()
    return f"/t/{Tournament.objects.get(pk=club.id).slug}"


def sizes(at: str) -> dict[str, int]:
    """The page and every page that it links to; of the entrants' pages, which are alike, every sixteenth."""
    client = Client()
    first = client.get(at)
    assert first.status_code == 200
    linked = sorted(set(re.findall(rf'href="({re.escape(at)}/[^"]+)"', first.content.decode())))
    entrants = [link for link in linked if link.startswith(f"{at}/entrants/")]
    others = [link for link in linked if link not in entrants]
    answers = {at: first, **{link: client.get(link) for link in [*entrants[::16], *others]}}
    assert {answer.status_code for answer in answers.values()} == {200}
    return {link: len(answer.content) for link, answer in answers.items()}


@pytest.mark.sampled
def test_a_season_of_128_with_60_results(club: Club) -> None:
    at = of_128(club, kind="season")
    for number in range(60):
        players = [{"entrant": f"e{(number * 7 + seat * 31) % 128 + 1}", "place": seat + 1} for seat in range(4)]
        asked = {"ruling": "enter_result", "players": players, "reason": "played at the club on a long evening"}
        services.rule(club.id, club.olga, asked, now=club.now)
    found = sizes(at)
    assert max(found.values()) < MOST
    shown = Client().get(at).content.decode()
    assert len(set(re.findall(rf'href="{re.escape(at)}/entrants/e\d+"', shown))) == 128, "a page for each entrant"
    assert shown.count(" data-opens>") == 128
    assert "48 more" in shown, "games that are on the page of games"


@pytest.mark.sampled
def test_a_first_round_of_128_with_everybody_awaited(club: Club) -> None:
    found = sizes(of_128(club, settings={"rounds": 3, "tables": {"size": 4}}))
    assert max(found.values()) < MOST
