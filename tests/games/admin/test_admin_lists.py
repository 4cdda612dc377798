"""Lists are paged by keys, in any direction, and filtered, searched and downloaded alike."""

import csv
import io
import re
from datetime import timedelta
from html import unescape

import pytest

from core import clock as service_clock
from core.accounts.models import Audit, Player
from core.dashboard import BigList
from games.models import Game
from tests.games.services.service_scene import open_threes

pytestmark = pytest.mark.django_db
AUDIT = "/admin/accounts/audit/"


@pytest.fixture
def seven(cast, monkeypatch):
    """Seven entries, some of the same moment, in pages of three."""
    monkeypatch.setattr(BigList, "list_per_page", 3)
    now, susan = service_clock.now(), Player.objects.get(username="susan")
    for number, minutes in enumerate((0, 1, 1, 1, 1, 2, 3)):
        at, action = now - timedelta(minutes=minutes), ("suspended", "let back")[number % 2]
        Audit.objects.create(at=at, by=susan.pk, action=action, subject=f"player {number}")
    return cast["superuser"]


def listed(text):
    return [int(number) for number in re.findall(r'field-subject">player (\d)<', text)]


def link(text, rel):
    found = re.search(rf'href="([^"]+)" rel="{rel}"', text)
    return unescape(found[1]) if found else None


def pages(client, address, rel):
    """The rows of each page, as the links lead on."""
    found, at = [], address
    while at:
        text = client.get(at).content.decode()
        found.append(listed(text))
        query = link(text, rel)
        at = query and address.partition("?")[0] + query
    return found, text


@pytest.mark.sampled
def test_pages_go_on_by_keys_forwards_and_back_without_a_gap(seven):
    found, last = pages(seven, AUDIT, "next")
    assert found == [[0, 4, 3], [2, 1, 5], [6]], "the newest first, and of one moment the last one first"
    back, first = pages(seven, AUDIT + link(last, "prev"), "prev")
    assert back == [[2, 1, 5], [0, 4, 3]]
    assert link(first, "prev") is None


def test_moments_name_their_zone_and_are_shown_in_the_readers_own_by_the_script(seven):
    text = seven.get(AUDIT).content.decode()
    assert re.search(r'<time datetime="[^"]+\+00:00" data-form="at">\d+ \w+ \d{4}, \d\d:\d\d UTC</time>', text)
    assert "site/times.js" in text


@pytest.mark.sampled
def test_so_do_those_on_the_form_of_an_account(cast, bob):
    text = cast["superuser"].get(f"/admin/accounts/player/{bob.pk}/edit/").content.decode()
    assert re.search(r'<time datetime="[^"]+\+00:00" data-form="at">\d+ \w+ \d{4}, \d\d:\d\d UTC</time>', text)
    assert re.search(r'<script src="[^"]*site/times[^"]*\.js" type="module">', text)


def test_a_page_stays_where_it_is_while_rows_are_added(seven):
    query = link(seven.get(AUDIT).content.decode(), "next")
    susan = Player.objects.get(username="susan")
    Audit.objects.create(at=service_clock.now(), by=susan.pk, action="suspended", subject="player 9")
    assert listed(seven.get(AUDIT + query).content.decode()) == [2, 1, 5]


def test_pages_keep_the_filter(seven):
    found, _ = pages(seven, f"{AUDIT}?action=suspended", "next")
    assert found == [[0, 4, 2], [6]]


@pytest.mark.parametrize("mark", ["2", "behind", "behind~x~1", "behind~2026-01-01T00:00:00+00:00~x", "beyond~1~2"])
def test_what_is_no_place_in_the_list_is_refused(seven, mark):
    answer = seven.get(AUDIT, {"p": mark})
    assert (answer.status_code, answer["Location"]) == (302, f"{AUDIT}?e=1")
    assert seven.get(f"{AUDIT}csv/", {"p": mark}).status_code == 400


def test_no_address_sorts_or_counts(seven, django_assert_max_num_queries):
    with django_assert_max_num_queries(4) as queries:
        assert listed(seven.get(f"{AUDIT}?o=3&_facets=True&all=").content.decode()) == [0, 4, 3]
    assert not [query["sql"] for query in queries if "COUNT(" in query["sql"]]


def test_a_list_is_downloaded_as_it_is_filtered_from_its_page_on(seven):
    query = link(seven.get(f"{AUDIT}?action=suspended").content.decode(), "next")
    file = seven.get(f"{AUDIT}csv/{query}")
    assert file["Content-Type"].startswith("text/csv")
    header, *rows = csv.reader(io.StringIO(file.content.decode("utf-8-sig")))
    assert header == ["at", "who", "action", "subject", "reason"]
    assert [row[3] for row in rows] == ["player 6"]
    assert rows[0][1] == "susan"


def test_no_cell_of_a_file_is_a_formula(cast, alice):
    Player.objects.filter(pk=alice.pk).update(username="=1+1")
    text = cast["staff"].get("/admin/accounts/player/csv/").content.decode()
    assert "'=1+1" in text
    assert "\r\n=1+1" not in text


def test_an_organiser_downloads_only_their_own_games(cast, alice):
    open_threes(alice)
    heading, game = cast["staff"].get("/admin/games/game/csv/").content.decode().splitlines()
    assert heading.startswith("\ufeffplayed,who,") and game.startswith("Threes,")
    assert len(cast["organiser"].get("/admin/games/game/csv/").content.splitlines()) == 1


def test_games_are_found_by_id_and_by_a_player_in_any_case(cast, alice, bob):
    game, other = open_threes(alice), open_threes(bob)
    for asked, found in ((str(game.id), game), ("BOB", other), ("nobody-of-that-name", None)):
        text = cast["staff"].get("/admin/games/game/", {"q": asked}).content.decode()
        assert [one for one in (game, other) if f"/{one.id}/change/" in text] == ([found] if found else [])
        assert (">Threes</a></th>" in text) == (found is not None)


def test_players_are_found_by_a_part_of_the_name(cast, alice, django_assert_max_num_queries):
    with django_assert_max_num_queries(6):
        text = cast["staff"].get("/admin/accounts/player/?q=LIC").content.decode()
    assert "alice" in text
    assert ">otto<" not in text
    assert ">otto<" not in cast["staff"].get("/admin/accounts/player/?q=%25tt").content.decode(), "% is a letter here"


@pytest.mark.parametrize("status", Game.Status.values)
def test_games_are_filtered_by_status(cast, alice, status):
    open_threes(alice)
    text = cast["staff"].get(f"/admin/games/game/?status__exact={status}").content.decode()
    assert ("alice" in text) is (status == "open")


@pytest.mark.parametrize("page", ["0", "x", "99"])
def test_a_page_of_the_search_that_does_not_exist_is_no_error_of_ours(cast, page):
    assert cast["organiser"].get("/admin/search/", {"s": "games", "page": page}).status_code == 404
    assert cast["organiser"].get("/admin/search/", {"s": "games"}).status_code == 200
