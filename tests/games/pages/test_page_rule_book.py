"""The rules as pages: docs/rules for people, without the codes of programs."""

import re
from typing import Any

import pytest
from django.test import Client
from django.utils.html import strip_tags

from games.pages.lobby import rule_book
from games.rules import GAMES
from games.rules.three_thirteen import lay_out
from tests.rules.table import Table

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", sorted(rule_book.names()))
def test_each_page_of_the_rules_is_there_for_everybody_and_for_search_engines(
    name: str, django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(0):
        answer = Client().get(f"/rules/{name}")
    assert answer.status_code == 200
    assert "X-Robots-Tag" not in answer.headers
    page = answer.content.decode()
    assert page.count("<h1>") == 1
    for link in re.findall(r'href="(/rules/[^"]*)"', page):
        assert Client().get(link).status_code == 200, link
    assert "<code>" not in page and ".md" not in page


@pytest.mark.parametrize("name", [*GAMES, "shedding"])
def test_a_games_rules_have_no_codes_of_programs(name: str) -> None:
    text = strip_tags(rule_book.chapter(name).html)
    assert not re.search(r"\b(true|false)\b", text)
    assert not re.search(r"\w_\w|[{}`]", text), re.search(r".{30}(\w_\w|[{}`]).{30}", text)
    assert len(text) > 1500


def pictures(game: str) -> list[tuple[list[list[str]], str]]:
    """The pictures of a game: the cards of each group, as codes, and the sentence below."""
    found = re.findall(r"^- (.*)\\\n  (.*)$", (rule_book.BOOK / f"{game}.md").read_text(), re.MULTILINE)
    codes = str.maketrans("♠♥♦♣", "SHDC")

    def cards(group: str) -> list[str]:
        return group.replace("10", "T").replace("red ★", "XR").translate(codes).split()

    return [([cards(group) for group in re.findall("`(.*?)`", drawn)], said) for drawn, said in found]


@pytest.mark.parametrize("game", GAMES)
def test_the_ten_pictures_of_a_game_are_as_its_rules_have_it(game: str) -> None:
    assert len(pictures(game)) == 10
    assert rule_book.chapter(game).html.count("<li><span data-cards=") == 10
    for groups, said in pictures(game):
        may = not said.startswith("No")
        if len(groups) == 2:
            table = Table.at(game, [" ".join([*groups[1], "4H"])], pile=" ".join(groups[0]))
            play = f"play {' '.join(groups[1])}"
            assert table.move(0, play) if may else table.refuses(0, play), said
        elif game == "three_thirteen" and "▒▒" not in groups[0] and len(groups[0]) == 3 and "left over" not in said:
            assert (lay_out(groups[0], "3").penalty == 0) is may, said


def test_codes_are_called_what_buttons_and_forms_call_them() -> None:
    castle = rule_book.chapter("castle").html
    assert "bonus play, which “End your turn” declines" in castle
    assert "you can play exactly the cards that complete a set of four" in castle
    assert "“Play until”" in castle and "the first player is out, one player is left" in castle


def test_a_ruling_is_found_by_its_number_and_what_names_it_leads_there() -> None:
    page = Client().get("/rules/rulings").content.decode()
    anchors = set(re.findall(r'id="([^"]+)"', page))
    assert {"S4", "TT13", "RA6", "three-card"} <= anchors
    leads = re.findall(r'href="#([^"]+)"', page)
    assert {"three-card", "competing", "TJ6"} <= set(leads)
    assert set(leads) <= anchors
    assert 'href="/rules/rulings"' in Client().get("/rules/castle").content.decode()


def test_what_is_no_page_of_the_rules_is_not_found() -> None:
    for name in ("chess", "..", "castle.md"):
        assert Client().get(f"/rules/{name}").status_code == 404


@pytest.mark.parametrize("game", GAMES)
def test_whoever_is_new_to_a_game_finds_its_rules(game: str) -> None:
    link = f'href="/rules/{game}"'
    for page in ("/", "/rooms/new", f"/rooms/new/{game}"):
        assert link in Client().get(page).content.decode(), page
