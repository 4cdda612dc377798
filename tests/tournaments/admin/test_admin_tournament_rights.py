"""What an organiser finds, and what is on no page (LI7); who may open what is in test_dashboard_table.py."""

import pytest

pytestmark = pytest.mark.django_db


@pytest.mark.sampled
def test_an_organiser_finds_only_their_own_tournaments(club, cast):
    club.start()
    for who, titles in (("other", ["Otto"]), ("organiser", ["Threes 2026"]), ("staff", ["Otto", "Threes 2026"])):
        for page in ("/admin/tournaments/tournament/", "/admin/"):
            text = cast[who].get(page).content.decode()
            assert [title for title in ("Otto", "Threes 2026") if title in text] == titles, (who, page)


@pytest.mark.sampled
def test_the_seed_is_on_no_page(club, cast):
    club.open()  # with the first seating it is shown
    for page in ("change", "standings", "entrants", "draft", "settings", "rulings"):
        assert (
            club.t.seed
            not in cast["superuser"].get(f"/admin/tournaments/tournament/{club.id}/{page}/").content.decode()
        )
