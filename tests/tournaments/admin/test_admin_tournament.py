"""An organiser runs a tournament in the dashboard, without a shell."""

import re
from datetime import timedelta

import pytest

from games.accounts.models import Player
from games.refusals import NotFound
from tournaments import services
from tournaments.models import Tournament, TournamentGame
from tournaments.stream import Status

pytestmark = pytest.mark.django_db
BASE = "/admin/tournaments/tournament/"
SET_UP = {"title": "Spring cup", "game": "threes", "kind": "rounds", "visibility": "public", "rated": "on"}


def page(client, club, name="change"):
    answer = client.get(f"{BASE}{club.id}/{name}/")
    assert answer.status_code == 200, name
    return re.sub(r"\s+", " ", answer.content.decode())


def press(client, club, what, **fields):
    answer = client.post(f"{BASE}{club.id}/{what}/", fields, follow=True)
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", answer.content.decode())


def test_a_tournament_from_the_form_to_its_end(club, olga):
    club.set_up()  # so that Olga gets in
    asked = {**SET_UP, "rounds": "1", "pace": "manual", "per_turn": "48", "deadline": "7", "size": "3"}
    answer = olga.post(f"{BASE}add/", asked)
    row = Tournament.objects.get(title="Spring cup")
    assert answer["Location"] == f"{BASE}{row.pk}/change/"
    assert row.plan["clock"]["per_turn"] == 48 * 3600
    assert (row.plan["deadline"], row.plan["settings"]["tables"]["size"]) == (7 * 86_400, 3)
    club.id = row.pk
    press(olga, club, "stage/open")
    for player in club.people:
        services.enter(club.id, player, now=club.now)
    press(olga, club, "stage/start")
    club.run()
    text = press(olga, club, "stage/next")
    assert "Round 1 as drafted" in text
    one, other = club.t.draft.tables[0][0], club.t.draft.tables[1][0]
    tried = press(olga, club, "draft", one=one, other=other, **{"try": "1"})
    assert "What it would be" in tried
    assert club.t.draft.tables[0][0] == one, "tried, not done"
    assert "Say why" in press(olga, club, "draft", one=one, other=other, swap="1")
    press(olga, club, "draft", one=one, other=other, swap="1", reason="they live together")
    assert club.t.draft.tables[1][0] == one
    press(olga, club, "draft", publish="1")
    club.run()
    assert "Waits for" in page(olga, club)
    club.finish_round()
    press(olga, club, "stage/finish")
    assert club.t.status is Status.FINISHED
    assert "say why" in press(olga, club, "stage/reopen")
    press(olga, club, "stage/reopen", reason="a wrong result")
    assert club.t.status is Status.RUNNING
    assert "cannot be taken back" in press(olga, club, "stage/cancel", reason="fire")
    assert club.t.status is Status.RUNNING
    press(olga, club, "stage/cancel", reason="fire", sure="on")
    assert club.t.status is Status.CANCELLED


def test_li2_the_overview_changes_the_pace_while_rounds_follow_one_another(club, olga):
    by_hand, by_itself = "seat rounds when I say so", "seat rounds automatically"
    club.start(settings={"tables": {"size": 3}})
    assert (by_hand in page(olga, club), by_itself in page(olga, club)) == (True, False)
    press(olga, club, "stage/manual")
    assert (by_hand in page(olga, club), by_itself in page(olga, club)) == (False, True)
    club.finish_round()
    assert len(club.t.rounds) == 1
    press(olga, club, "stage/auto")
    club.run()
    assert len(club.t.rounds) == 2


def test_what_is_wrong_in_the_form_is_said_beside_its_field(club, olga):
    club.set_up()
    answer = olga.post(f"{BASE}add/", {**SET_UP, "size": "3", "largest": "2", "more": "[]"})
    text = answer.content.decode()
    assert "This must be a JSON object" in text
    answer = olga.post(f"{BASE}add/", {**SET_UP, "kind": "season", "deadline": "7"})
    assert "A season has no rounds, so it has no deadline." in answer.content.decode()
    assert Tournament.objects.count() == 1


def test_the_form_says_what_so_many_entrants_come_to(club, olga):
    club.set_up()
    asked = {**SET_UP, "rounds": "4", "deadline": "7", "estimate": "1", "entrants": "10"}
    text = olga.post(f"{BASE}add/", asked).content.decode()
    assert "3 tables of 4 + 3 + 3" in text, "SE1"
    assert "at least 3 rounds" in text
    assert "at most 28 days" in text
    assert Tournament.objects.count() == 1


def test_settings_change_until_the_start_and_empty_means_the_default(club, olga):
    club.open(settings={"rounds": 5, "best": 3}, no_show_after=90)
    text = page(olga, club, "settings")
    assert "&quot;best&quot;: 3" in text, "what has no field is kept as JSON"
    fields = {**SET_UP, "title": "Renamed", "more": '{"settings": {"best": 3}, "no_show_after": 90}'}
    press(olga, club, "settings", **fields)
    assert (club.t.plan.title, club.t.plan.rounds, club.t.plan.settings["best"]) == ("Renamed", None, 3)
    services.start(club.id, club.olga, now=club.now)
    press(olga, club, "settings", **{**fields, "title": "Too late"})
    assert club.t.plan.title == "Renamed"


def ruled(client, club, ruling, **fields):
    """Preview, then confirm what was previewed."""
    shown = press(client, club, f"rulings/{ruling}", preview="1", **fields)
    assert "Before and after" in shown, ruling
    before = club.t.version
    text = press(client, club, f"rulings/{ruling}", confirm="1", version=str(before), **fields)
    assert "Ruled: " in text, ruling
    assert club.t.version > before
    return text


def test_every_ruling_is_a_form_with_a_preview_and_is_shown(club, olga):
    """LI5"""
    club.start(settings={"rounds": 3, "tables": {"size": 3}}, deadline=86_400)
    first, second = str(club.game_id(1)), str(club.game_id(2))
    club.finish(1)
    key = club.t.tables[1, 1].entrants[0]
    ruled(olga, club, "void", game=first, reason="a wrong deck")
    assert "a wrong deck" in page(olga, club, "rulings")
    ruled(olga, club, "restore", game=first, reason="the deck was right")
    ruled(olga, club, "adjust", entrant=key, points="-1/2", reason="late")
    ruled(olga, club, "adjust", entrant=key, points="1/2", reason="was not late")
    ruled(olga, club, "extend", round="1", hours="24", reason="a holiday")
    places = {f"place_{one}": str(at) for at, one in enumerate(club.t.tables[1, 2].entrants, 1)}
    ruled(olga, club, "rule_table", game=second, reason="nobody moves", **places)
    assert TournamentGame.objects.get(game=second).source == "ruling"
    ruled(olga, club, "remove", entrant=key, reason="insults")
    ruled(olga, club, "reinstate", entrant=key, reason="apologised")
    Player.objects.create_user("zoe")
    ruled(olga, club, "replace", entrant=key, player="zoe", reason="ill")
    text = page(olga, club, "rulings")
    assert all(
        reason in text for reason in ("nobody moves", "insults", "apologised", "ill", "a holiday", "was not late")
    )


def test_each_ruling_has_what_takes_it_back_beside_it(club, olga):
    """LI5"""
    club.start(settings={"rounds": 3, "tables": {"size": 3}})
    club.finish(1)
    first = str(club.game_id(1))
    for ruling, fields, counter in (
        ("void", {"game": first}, f"rulings/restore/?game={first}"),
        ("restore", {"game": first}, f"rulings/void/?game={first}"),
        ("adjust", {"entrant": "e1", "points": "-1/2"}, "rulings/adjust/?entrant=e1&amp;points=1%2F2"),
        ("adjust", {"entrant": "e1", "points": "2"}, "rulings/adjust/?entrant=e1&amp;points=-2"),
        ("remove", {"entrant": "e2"}, "rulings/reinstate/?entrant=e2"),
        ("reinstate", {"entrant": "e2"}, "rulings/remove/?entrant=e2"),
    ):
        ruled(olga, club, ruling, reason=f"because of {ruling}", **fields)
        newest = page(olga, club, "rulings").partition("Rulings so far")[2].partition("</li>")[0]
        assert f"because of {ruling}" in newest
        assert counter in newest
    shown = olga.get(f"{BASE}{club.id}/rulings/adjust/?entrant=e1&points=-2").content.decode()
    assert 'value="-2"' in shown
    assert '<option value="e1" selected>' in shown


def test_a_result_of_a_real_table_is_entered(club, olga):
    club.start(settings={"rounds": 1, "tables": {"size": 3}})
    game = str(club.game_id(1))
    places = {f"place_{one}": str(at) for at, one in enumerate(club.t.tables[1, 1].entrants, 1)}
    ruled(olga, club, "enter_result", game=game, reason="played in the pub", **places)
    assert TournamentGame.objects.get(game=game).source == "table"


def test_a_ruling_is_not_made_on_standings_that_have_changed(club, olga):
    club.start(settings={"tables": {"size": 3}})
    key = club.t.tables[1, 1].entrants[0]
    fields = {"entrant": key, "points": "1", "reason": "a prize", "confirm": "1", "version": str(club.t.version)}
    club.finish(1)
    before = club.t.version
    assert "has changed meanwhile" in press(olga, club, "rulings/adjust", **fields)
    assert club.t.version == before


def test_a_refused_ruling_says_why_and_changes_nothing(club, olga):
    club.start(settings={"tables": {"size": 3}})
    before = club.t.version
    fields = {"entrant": "e1", "points": "half", "reason": "x", "preview": "1"}
    assert "Must be a whole number, or a fraction" in press(olga, club, "rulings/adjust", **fields)
    assert "This field is required" in press(olga, club, "rulings/adjust", entrant="e1", points="1", preview="1")
    assert club.t.version == before


def test_people_are_added_and_withdrawn(club, olga):
    club.open(club.people[0])
    press(olga, club, "people/invite", who="bob")
    press(olga, club, "people/bot", who="steady")
    assert "There is no player of that name." in press(olga, club, "people/invite", who="nobody-at-all")
    assert {one.standing.value for one in club.t.entrants.values()} >= {"invited"}
    press(olga, club, "people/withdraw", who="e1")
    assert "steady bot" in page(olga, club, "entrants")
    press(olga, club, "people/organiser", who="cleo")
    assert club.player("cleo").id in club.t.organisers


@pytest.mark.parametrize("who", ["", "e", "e0", "e99", "x1", "e1e", "e-1", "e99999999999", "ada", "\u0663"])
@pytest.mark.parametrize("what", ["check_in", "withdraw"])
def test_what_names_no_entrant_is_refused_in_words(club, olga, what, who):
    club.open(starts_at=(club.now + timedelta(days=1)).isoformat(), check_in=90_000)
    before = club.t.version
    assert "There is no such entrant." in press(olga, club, f"people/{what}", who=who)
    assert club.t.version == before


@pytest.mark.parametrize("entrant", ["", "e", "x1", "e0", "e99999999999"])
def test_the_services_refuse_a_name_that_is_no_entrants(club, entrant):
    club.open(starts_at=(club.now + timedelta(days=1)).isoformat(), check_in=90_000)
    for act in (services.accept, services.check_in, services.withdraw):
        with pytest.raises(NotFound) as refused:
            act(club.id, club.olga, entrant, now=club.now)
        assert refused.value.code == "no_such_entrant"


def test_bots_of_one_level_are_told_apart(club, olga):
    club.open(*club.people[:1], settings={"tables": {"size": 3}})
    for _ in range(2):
        services.add_bot(club.id, club.olga, "steady", now=club.now)
    services.start(club.id, club.olga, now=club.now)
    club.run()
    for name in ("change", "standings", "rulings/void"):
        text = page(olga, club, name)
        assert "steady bot (e2)" in text, name
        assert "steady bot (e3)" in text, name
        assert "ada (e1)" not in text
    seats = olga.get(f"/admin/games/game/{club.game_id(1)}/change/").content.decode()
    bots = [seat.index for seat in club.game(1).seat_rows() if seat.bot]
    assert all(f"steady bot ({seat})" in seats for seat in bots)


def test_what_can_be_ruled_no_more_is_not_offered(club, olga):
    club.start(settings={"rounds": 1, "tables": {"size": 3}})
    assert "rule the table" in page(olga, club)
    club.finish_round()
    assert club.t.status is Status.FINISHED
    text = page(olga, club)
    assert "rulings/void/?game=" not in text
    assert f"/admin/games/game/{club.game_id(1)}/change/" in text


def test_the_link_of_the_public_page_has_a_qr_code(club, olga):
    club.open()
    text = page(olga, club)
    slug = Tournament.objects.get(pk=club.id).slug
    assert f"http://testserver/t/{slug}" in text
    assert "<svg" in text


def test_the_standings_say_what_decided_and_can_be_downloaded(club, olga):
    club.start(settings={"rounds": 2, "tables": {"size": 3}}).finish_round()
    assert "Points by round" in page(olga, club, "standings")
    answer = olga.get(f"{BASE}{club.id}/standings.csv")
    assert answer["Content-Type"].startswith("text/csv")
    assert answer.content.decode().splitlines()[0].startswith("place,entrant,name,total")


def test_home_says_what_needs_attention(club, olga, clock):
    club.start(settings={"rounds": 2, "tables": {"size": 3}}, deadline=86_400)
    assert "Nothing in your tournaments waits for you." in olga.get("/admin/").content.decode()
    clock.advance(days=4)
    club.run(days=4)
    text = olga.get("/admin/").content.decode()
    assert "Round 1 is overdue: 2 tables are still open." in text
    awaited = re.search(r"Table 1 of round 1 waits for (\w+), (\w+) and (\w+) since 21 Nov 12:00 UTC", text)
    assert awaited, "whom it waits for"
    assert set(awaited.groups()) <= {player.username for player in club.people}
