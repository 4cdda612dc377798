"""The results of a tournament as a spreadsheet: what is in its cells, and who gets it."""

import io
import zipfile
from typing import Any
from xml.etree import ElementTree

import pytest
from django.test import Client

from core.accounts.models import Player
from tests.tournaments.services.tournament_scene import Club
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db

NS = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def sheets(content: bytes) -> list[list[list[str | None]]]:
    """The cells of each sheet as texts; a formula fails."""
    with zipfile.ZipFile(io.BytesIO(content)) as book:
        texts = ["".join(one.itertext()) for one in ElementTree.fromstring(book.read("xl/sharedStrings.xml"))]
        found = []
        for number in (1, 2):
            rows = ElementTree.fromstring(book.read(f"xl/worksheets/sheet{number}.xml")).iter(f"{NS}row")
            found.append([[cell(one, texts) for one in row] for row in rows])
    return found


def cell(one: Any, texts: list[str]) -> str | None:
    assert one.find(f"{NS}f") is None
    value = one.findtext(f"{NS}v")
    return texts[int(value)] if one.get("t") == "s" else value


@pytest.fixture
def path(club: Club) -> str:
    club.start(*club.people[:4])
    club.finish(1)
    return f"/t/{Tournament.objects.get(pk=club.id).slug}/results.xlsx"


def test_it_has_the_standings_and_the_games_in_readers_words(club: Club, path: str) -> None:
    answer = Client().get(path)
    assert answer.headers["content-disposition"] == f'attachment; filename="{path.split("/")[2]}.xlsx"'
    standings, games = sheets(answer.content)
    assert standings[0][:4] == ["Place", "Entrant", "Points", "Games"]
    assert [row[0] for row in standings[1:]] == ["1", "2", "3", "4"]
    assert games[0] == ["Game", "Ended (UTC)", "Entrant", "Place", "Points", "Counts"]
    first = next(row for row in games[1:] if row[3] == "1")
    assert (first[0], first[2], first[4], first[5]) == ("Round 1, table 1", standings[1][1], "1", "yes")
    assert sorted(row[2] for row in games[1:]) == sorted(row[1] for row in standings[1:])


def test_a_name_is_text_whatever_it_begins_with(club: Club, path: str) -> None:
    Player.objects.filter(pk=club.people[0].pk).update(username="=1+1")
    standings, games = sheets(Client().get(path).content)
    assert "=1+1" in {row[1] for row in standings} | {row[2] for row in games}


def test_a_private_one_is_for_those_who_may_open_the_page(club: Club, path: str) -> None:
    Tournament.objects.filter(pk=club.id).update(visibility="private")
    assert Client().get(path).status_code == 404
    own = Client()
    own.force_login(club.people[0])
    answer = own.get(path)
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "private, no-store"
