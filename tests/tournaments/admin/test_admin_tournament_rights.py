"""Every page and button of a tournament against everybody (LI7)."""

import pytest

pytestmark = pytest.mark.django_db
EVERYBODY = ("nobody", "player", "other", "organiser", "staff", "superuser")
ALL_OF_IT = (302, 302, 404, 200, 200, 200)
PAGES = {
    # page: nobody, player, other organiser, organiser, staff, superuser
    "": (302, 302, 200, 200, 200, 200),
    "add/": (302, 302, 200, 200, 200, 200),
    "{id}/delete/": (302, 302, 403, 403, 403, 403),
    **dict.fromkeys(
        (
            "{id}/change/",
            "{id}/standings/",
            "{id}/standings.csv",
            "{id}/entrants/",
            "{id}/draft/",
            "{id}/settings/",
            "{id}/rulings/",
            *(
                f"{{id}}/rulings/{ruling}/"
                for ruling in (
                    "void", "restore", "rule_table", "enter_result", "adjust", "replace", "remove", "reinstate",
                    "extend",
                )
            ),
        ),
        ALL_OF_IT,
    ),
}  # fmt: skip
DONE = (302, 302, 404, 302, 302, 302)
BUTTONS = {
    "{id}/change/": (302, 302, 403, 403, 403, 403),
    **dict.fromkeys(
        (
            *(f"{{id}}/stage/{stage}/" for stage in ("open", "start", "next", "finish", "reopen", "cancel")),
            *(
                f"{{id}}/people/{what}/"
                for what in ("invite", "bot", "check_in", "withdraw", "organiser", "no_organiser")
            ),
        ),
        DONE,
    ),
    **dict.fromkeys(("{id}/rulings/adjust/", "{id}/draft/", "{id}/settings/"), ALL_OF_IT),
    "{id}/stage/nothing/": (302, 302, 404, 404, 404, 404),
    "{id}/people/nothing/": (302, 302, 404, 404, 404, 404),
}


@pytest.mark.parametrize("who", EVERYBODY)
def test_each_page_opens_for_whom_it_is(club, cast, who):
    club.start()
    column = EVERYBODY.index(who)
    at = "/admin/tournaments/tournament/"
    found = {page: cast[who].get(at + page.format(id=club.id)).status_code for page in PAGES}
    assert found == {page: row[column] for page, row in PAGES.items()}


@pytest.mark.parametrize("who", EVERYBODY)
def test_each_button_works_for_whom_it_is(club, cast, who):
    club.start()
    before, column = club.t.version, EVERYBODY.index(who)
    at = "/admin/tournaments/tournament/"
    found = {page: cast[who].post(at + page.format(id=club.id)).status_code for page in BUTTONS}
    assert found == {page: row[column] for page, row in BUTTONS.items()}
    if who in ("nobody", "player", "other"):
        assert club.t.version == before


def test_an_organiser_finds_only_their_own_tournaments(club, cast):
    club.start()
    for who, titles in (("other", ["Otto"]), ("organiser", ["Threes 2026"]), ("staff", ["Otto", "Threes 2026"])):
        for page in ("/admin/tournaments/tournament/", "/admin/"):
            text = cast[who].get(page).content.decode()
            assert [title for title in ("Otto", "Threes 2026") if title in text] == titles, (who, page)


def test_the_seed_is_on_no_page(club, cast):
    club.open()  # with the first seating it is shown
    for page in ("change", "standings", "entrants", "draft", "settings", "rulings"):
        assert (
            club.t.seed
            not in cast["superuser"].get(f"/admin/tournaments/tournament/{club.id}/{page}/").content.decode()
        )
