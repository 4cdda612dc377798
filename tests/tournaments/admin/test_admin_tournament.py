"""An organiser runs a tournament in the dashboard, without a shell."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from core import clock as service_clock
from core.accounts.models import Player
from core.refusals import NotFound
from games import services as games
from games.selectors import game_for, legal_moves
from tests.scenes import done_at
from tests.tournaments.admin.conftest import browser
from tests.tournaments.moment import services
from tournaments.admin.forms import FIRST, SetUpForm, SpanField
from tournaments.models import Entrant, Round, Tournament, TournamentGame
from tournaments.stream import Status

pytestmark = pytest.mark.django_db
BASE = "/admin/tournaments/tournament/"
SET_UP = {
    "title": "Spring cup",
    "game": "threes",
    "kind": "rounds",
    "visibility": "public",
    "rated": "on",
    "plans": "on",
}


def page(client, club, name="change"):
    answer = client.get(f"{BASE}{club.id}/{name}/")
    assert answer.status_code == 200, name
    return re.sub(r"\s+", " ", answer.content.decode())


STALE = "Something has changed since you saw this page. Please check it again."


def drafted(client, club):
    """What the page says of the draft that it shows."""
    return re.search(r'name="drafted" value="(\w+)"', page(client, club, "draft"))[1]


def press(client, club, what, **fields):
    answer = client.post(f"{BASE}{club.id}/{what}/", fields, follow=True)
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", answer.content.decode())


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("kind", "settings"), [("season", {}), ("rounds", {}), ("knockout", {"tables": {"size": 4}, "advance": 2})]
)
def test_a_draft_says_what_it_comes_to_also_while_nobody_knows_how_many_enter(club, olga, kind, settings):
    club.set_up(kind=kind, settings=settings)
    text = page(olga, club)
    assert "How will it run?" in text and "With 12 entrants, for example:" in text
    club.set_up(kind=kind, settings=settings, limit=8)
    text = page(olga, club)
    assert "How will it run?" in text and "for example" not in text


@pytest.mark.sampled
def test_a_tournament_from_the_form_to_its_end(club, olga):
    club.set_up()  # so that Olga gets in
    asked = {**SET_UP, "rounds": "1", "pace": "manual", "per_turn": "48", "deadline": "7", "size": "3"}
    answer = olga.post(f"{BASE}add/", asked)
    row = Tournament.objects.get(title="Spring cup")
    assert answer["Location"] == f"{BASE}{row.pk}/change/"
    assert row.state.plan.as_json()["clock"]["per_turn"] == 48 * 3600
    assert (row.state.plan.deadline, row.state.plan.settings["tables"]["size"]) == (7 * 86_400, 3)
    club.id = row.pk
    press(olga, club, "action/open")
    for player in club.people:
        services.enter(club.id, player, now=club.now)
    press(olga, club, "action/start")
    club.run()
    text = press(olga, club, "action/next")
    assert "Draft of round 1" in text
    one, other = club.t.draft.tables[0][0], club.t.draft.tables[1][0]
    seen = drafted(olga, club)
    tried = press(olga, club, "draft", one=one, other=other, drafted=seen, **{"try": "1"})
    assert "After the swap" in tried
    assert club.t.draft.tables[0][0] == one, "tried, not done"
    assert "say why" in press(olga, club, "draft", one=one, other=other, swap="1", drafted=seen)
    press(olga, club, "draft", one=one, other=other, swap="1", reason="they live together", drafted=seen)
    assert club.t.draft.tables[1][0] == one
    for stale in ({"publish": "1"}, {"swap": "1", "one": one, "other": other, "reason": "no, back"}):
        text = press(olga, club, "draft", drafted=seen, **stale)
        assert STALE in text, "another organiser has exchanged two in between"
        assert f'name="drafted" value="{drafted(olga, club)}"' in text, "the draft is shown as it is now"
    assert club.t.seated == 0
    assert club.t.draft.tables[1][0] == one
    seen = drafted(olga, club)
    press(olga, club, "draft", publish="1", drafted=seen)
    assert STALE in press(olga, club, "draft", publish="1", drafted=seen), "another organiser has published it"
    club.run()
    assert "Waiting for" in page(olga, club)
    club.finish_round()
    press(olga, club, "action/finish")
    assert club.t.status is Status.FINISHED
    assert "say why" in press(olga, club, "action/reopen")
    press(olga, club, "action/reopen", reason="a wrong result")
    assert club.t.status is Status.RUNNING
    assert "cannot be undone" in press(olga, club, "action/cancel", reason="fire")
    assert club.t.status is Status.RUNNING
    press(olga, club, "action/cancel", reason="fire", sure="on")
    assert club.t.status is Status.CANCELLED


@pytest.mark.sampled
def test_li2_the_overview_changes_the_pace_while_rounds_follow_one_another(club, olga):
    by_hand, by_itself = "seat rounds when I say so", "seat rounds automatically"
    club.start(settings={"tables": {"size": 3}})
    assert (by_hand in page(olga, club), by_itself in page(olga, club)) == (True, False)
    press(olga, club, "action/manual")
    assert (by_hand in page(olga, club), by_itself in page(olga, club)) == (False, True)
    club.finish_round()
    assert len(club.t.rounds) == 1
    press(olga, club, "action/auto")
    club.run()
    assert len(club.t.rounds) == 2


def test_what_is_wrong_in_the_form_is_said_beside_its_field(club, olga):
    club.set_up()
    answer = olga.post(f"{BASE}add/", {**SET_UP, "size": "3", "largest": "2"})
    assert answer.status_code == 200
    form = olga.post(f"{BASE}add/", {**SET_UP, "size": "4", "smallest": "5"}).context["form"]
    assert form.errors == {"size": ["Min (5), size (4) and max (5) must be in ascending order."]}
    answer = olga.post(f"{BASE}add/", {**SET_UP, "kind": "season", "deadline": "7"})
    assert "Leave deadline out: only rounds or knockout tournaments can have it." in answer.content.decode()
    assert Tournament.objects.count() == 1


def test_the_form_says_what_so_many_entrants_come_to(club, olga):
    club.set_up()
    asked = {**SET_UP, "rounds": "4", "deadline": "7", "estimate": "1", "entrants": "10"}
    text = olga.post(f"{BASE}add/", asked).content.decode()
    assert "3 tables of 4 + 3 + 3" in text, "SE1"
    assert "With even seating, each pair meets once or twice in 4 rounds" in text
    assert "In total, it takes at most 28 days." in text
    assert Tournament.objects.count() == 1


@pytest.mark.sampled
def test_the_form_begins_with_the_kind_and_shows_first_what_it_decides(club, olga):
    club.set_up(title="Last year's cup", settings={"rounds": 7, "tables": {"size": 5}})
    text = olga.get(f"{BASE}add/").content.decode()
    assert "Season: entrants open games whenever they like" in text
    assert f'<a href="?like={club.id}">Last year&#x27;s cup</a>' in text
    for kind, first in FIRST.items():
        text = olga.get(f"{BASE}add/?kind={kind}&game=castle").content.decode()
        open_part, _, folded = text.partition("<details")
        shown = re.findall(r'<(?:input|select)[^>]* name="([a-z_]+)"', open_part.partition('name="zone"')[2])
        assert tuple(shown) == first, kind
        assert re.search(r'<option value="castle" selected', folded)
    assert 'name="rounds"' not in olga.get(f"{BASE}add/?kind=season&game=threes").content.decode()


def test_a_tournament_is_set_up_as_last_time_without_its_dates(club, olga):
    club.set_up(settings={"rounds": 7, "tables": {"size": 5}}, starts_at=(club.now + timedelta(days=3)).isoformat())
    text = olga.get(f"{BASE}add/?like={club.id}").content.decode()
    assert re.search(r'name="rounds" value="7"', text)
    assert re.search(r'name="starts_at"(?![^>]*value)', text)
    other = Client()
    other.force_login(club.people[0])
    services.set_up(club.people[0], {"title": "Own", "game": "threes", "kind": "rounds"}, now=club.now)
    assert 'name="rounds" value="7"' not in other.get(f"{BASE}add/?like={club.id}").content.decode(), "not theirs"


def test_moments_are_read_in_the_zone_of_who_types_them(club, olga):
    club.set_up()
    for zone, hour in (("Europe/Berlin", 17), ("UTC", 18), ("", 18), ("Nowhere/At_all", 18)):
        title = f"Cup {zone}"[:30]
        olga.post(f"{BASE}add/", {**SET_UP, "title": title, "starts_at": "2026-12-24T18:00", "zone": zone})
        starts_at = Tournament.objects.get(title=title.strip()).state.plan.as_json()["starts_at"]
        assert starts_at.startswith(f"2026-12-24T{hour}:00"), zone


@pytest.mark.parametrize("kind", ["rounds", "season", "stages"])
def test_settings_that_were_filled_in_before_the_start_are_refused_after_it(club, olga, kind):
    club.start()
    text = press(olga, club, "settings", **{**SET_UP, "title": "Another", "kind": kind})
    assert "has started, so its settings stay as they are" in text and "Another" not in text


@pytest.mark.sampled
def test_settings_change_until_the_start_and_empty_means_the_default(club, olga):
    club.open(settings={"rounds": 5, "best": 3}, no_show_after=90)
    text = page(olga, club, "settings")
    assert re.search(r'name="best" value="3"', text) and 'name="no_show_after" value="90 seconds"' in text
    fields = {**SET_UP, "title": "Renamed", "best": "3", "no_show_after": "90 seconds"}
    press(olga, club, "settings", **fields)
    assert (club.t.plan.title, club.t.plan.rounds, club.t.plan.settings["best"]) == ("Renamed", None, 3)
    press(olga, club, "settings", **fields)
    services.start(club.id, club.olga, now=club.now)
    press(olga, club, "settings", **{**fields, "title": "Too late"})
    assert club.t.plan.title == "Renamed"


def settings_seen(text):
    """The fields of the settings' form as a browser sends them if nothing is touched."""
    kinds = "text|number|hidden|datetime-local"
    sent = dict(re.findall(rf'<input type="(?:{kinds})" name="(\w[\w-]*)" value="([^"]*)"', text))
    sent |= dict.fromkeys(re.findall(r'<input type="checkbox" name="(\w[\w-]*)"[^>]* checked', text), "on")
    chosen = r'<select name="(\w[\w-]*)"(?:(?!</select>).)*?<option value="([^"]*)" selected'
    sent |= dict(re.findall(chosen, text))
    sent.pop("csrfmiddlewaretoken", None)
    return {name: unescape(value) for name, value in sent.items()}


@pytest.fixture
def two(club, olga):
    """Two windows with the settings of one tournament, and a change that was saved in the other one."""

    def opened(saved, **plan):
        club.open(**plan)
        mine = settings_seen(page(olga, club, "settings"))
        services.change(club.id, club.olga, saved, now=club.now)
        return mine

    return opened


@pytest.mark.sampled
def test_what_another_organiser_changed_meanwhile_stays_where_i_left_it_alone(club, olga, two):
    mine = two({"settings": {"rounds": 7}, "deadline": 3 * 86_400, "guests": True}, settings={"rounds": 5})
    text = press(olga, club, "settings", **{**mine, "title": "Mine", "zone": "Europe/Berlin"})
    plan = club.t.plan
    assert (plan.title, plan.rounds, plan.deadline, plan.guests) == ("Mine", 7, 3 * 86_400, True)
    assert "The settings have been changed." in text
    assert "Rounds: 5, now 7. " in text and "Deadline of a round: none, now 3 days. " in text
    assert "Guests may enter: no, now yes." in text


@pytest.mark.sampled
def test_what_both_changed_is_shown_with_both_values_and_nothing_typed_is_lost(club, olga, two):
    mine = two(
        {"title": "Theirs", "limit": 8, "starts_at": "2026-12-24T18:00:00Z"},
        settings={"rounds": 5, "tie_breaks": ["wins"]},
    )
    typed = {
        **mine,
        "title": "Mine",
        "rounds": "6",
        "starts_at": "2026-12-31T18:00",
        "zone": "Europe/Berlin",
        "tie_breaks_1": "lot",
    }
    stale = press(olga, club, "settings", **typed)
    assert "Another organiser has changed the settings since you opened this page." in stale
    assert club.t.plan.title == "Theirs", "nothing is overwritten before it was seen"
    again = settings_seen(stale)
    assert {name: again[name] for name in ("title", "rounds", "starts_at", "limit", "tie_breaks_1")} == {
        "title": "Mine",
        "rounds": "6",
        "starts_at": "2026-12-31T18:00",
        "limit": "8",
        "tie_breaks_1": "lot",
    }
    assert re.findall(r"Saved now: ([^<]*)<", stale) == ["Theirs.", "24 December 2026, 18:00 UTC."]
    assert "When you opened this page: Threes 2026." in stale and "When you opened this page: none." in stale
    assert re.findall(r"([^>]*), now ([^<]*)<", stale) == [
        (": Threes 2026", "Theirs. "),
        (": none", "8"),
        (": none", "24 December 2026, 18:00 UTC. "),
    ]
    press(olga, club, "settings", **again)
    plan = club.t.plan
    assert (plan.title, plan.rounds, plan.limit) == ("Mine", 6, 8)
    assert plan.starts_at.isoformat() == "2026-12-31T17:00:00+00:00"
    assert plan.settings["tie_breaks"] == ["wins", "lot"]


@pytest.mark.sampled
def test_the_same_change_by_both_is_no_conflict(club, olga, two):
    mine = two({"title": "Cup", "deadline": 2 * 86_400})
    press(olga, club, "settings", **{**mine, "title": "Cup", "deadline": "48 hours", "limit": "9"})
    assert (club.t.plan.title, club.t.plan.deadline, club.t.plan.limit) == ("Cup", 2 * 86_400, 9)


@pytest.mark.sampled
def test_what_is_merged_takes_no_statement_more(club, olga, two):
    mine = two({"limit": 8})
    with CaptureQueriesContext(connection) as merging:
        press(olga, club, "settings", **{**mine, "deadline": "3 days"})
    mine = settings_seen(page(olga, club, "settings"))
    with CaptureQueriesContext(connection) as alone:
        press(olga, club, "settings", **{**mine, "deadline": "4 days"})
    assert (club.t.plan.limit, club.t.plan.deadline) == (8, 4 * 86_400)
    assert len(merging) <= len(alone)


STAGES = [{"kind": "rounds", "settings": {"rounds": 3}, "take": 4}, {"kind": "knockout", "settings": {"advance": 1}}]


@pytest.mark.sampled
def test_changes_of_stages_are_merged_row_by_row_while_nobody_adds_or_removes_one(club, olga, two):
    first, last = STAGES
    mine = two({"stages": [{**first, "take": 3}, last]}, kind=None, stages=STAGES)
    press(olga, club, "settings", **{**mine, "stage-1-title": "The end", "stage-0-rounds": "4"})
    stages = club.t.plan.stages
    assert (stages[0]["take"], stages[0]["settings"]["rounds"], stages[1]["title"]) == (3, 4, "The end")


@pytest.mark.sampled
def test_a_stage_that_came_meanwhile_is_kept_or_shown(club, olga, two):
    first, last = STAGES
    more = {"stages": [first, {**first, "take": 3, "settings": {"rounds": 2}}, last]}
    mine = two(more, kind=None, stages=STAGES)
    press(olga, club, "settings", **{**mine, "title": "Mine"})
    assert (club.t.plan.title, len(club.t.plan.stages)) == ("Mine", 3)
    mine = two(more, kind=None, stages=STAGES)
    stale = press(olga, club, "settings", **{**mine, "stage-0-rounds": "4"})
    assert len(club.t.plan.stages) == 3 and "You changed it, too." in stale
    press(olga, club, "settings", **settings_seen(stale))
    assert [stage["settings"]["rounds"] for stage in club.t.plan.stages] == [4, None]


@pytest.mark.sampled
def test_a_field_that_another_game_does_not_have_is_not_lost(club, olga, two):
    mine = two({"game": "castle", "ruleset": None, "options": None})
    stale = press(olga, club, "settings", **{**mine, "option_ten_wild": "yes"})
    assert club.t.plan.game == "castle"
    assert re.findall(r"Saved now: ([^<]*)<", stale) == ["Castle."]
    assert settings_seen(stale)["option_ten_wild"] == "yes"


def test_a_pasted_list_of_names_is_invited_and_those_that_are_nobody_are_named(club, olga):
    club.open(club.people[2])
    text = press(olga, club, "people/invite", who="ada\r\n bob ,nobody-here;ada\n\n")
    assert "Invited: ada, bob." in text
    assert "nobody-here: " in text
    assert sorted(Entrant.objects.values_list("player__username", flat=True)) == ["ada", "bob", "cleo"]
    assert "Enter at least one player." in press(olga, club, "people/invite", who=" , ")


def test_the_start_says_who_has_not_accepted_and_asks_once(club, olga):
    club.open(*club.people[:3])
    press(olga, club, "people/invite", who="dan")
    text = press(olga, club, "action/start")
    assert "Not accepted yet: dan." in text
    assert club.t.status is Status.REGISTRATION
    press(olga, club, "action/start", sure="1")
    assert club.t.status is Status.RUNNING


def test_finishing_with_open_games_asks_once(club, olga):
    club.start(settings={"tables": {"size": 3}})
    text = press(olga, club, "action/finish")
    assert re.search(r"\d games? (is|are) still open", text)
    assert club.t.status is Status.RUNNING
    press(olga, club, "action/finish", sure="1")
    assert club.t.status is Status.FINISHED


@pytest.mark.sampled
def test_a_preview_shows_what_changes_and_nothing_else(club, olga):
    club.start(settings={"rounds": 1, "tables": {"size": 3}})
    text = press(olga, club, "rulings/adjust", preview="1", entrant="e1", points="0", reason="none")
    assert "The standings stay as they are." in text
    text = press(olga, club, "rulings/adjust", preview="1", entrant="e2", points="-1/2", reason="late")
    changed = re.findall(r'<tr><th scope="row">(\w+)</th>', text.partition("Before and after")[2])
    assert "bob" in changed
    assert "\N{MINUS SIGN}0.50" in text and ">-1/2<" not in text, "points as on every page"
    bob = text.partition('<th scope="row">bob</th>')[2].partition("</tr>")[0]
    assert re.sub(r"<[^>]+>", "", bob) == "1 →, then 60 →, then \N{MINUS SIGN}0.50", (
        "place and total, and what becomes of them"
    )
    assert "The standings stay as they are." not in text
    assert "Everyone else stays where they are." in text
    text = press(olga, club, "rulings/adjust", preview="1", entrant="e2", points="1/2", reason="a prize")
    assert "Everyone else" not in text, "all others fall behind"


@pytest.mark.sampled
def test_a_preview_says_what_becomes_of_a_deadline_and_of_a_seat(club, olga):
    club.start(settings={"rounds": 1, "tables": {"size": 3}}, deadline=86_400)
    until = Round.objects.get(tournament=club.id).deadline_at
    text = press(olga, club, "rulings/extend", preview="1", round="1", hours="24", reason="a holiday")
    later = until + timedelta(hours=24)
    assert f"Round 1 ends on {later:%d %b %Y, %H:%M} UTC instead of {until:%d %b %Y, %H:%M} UTC." in text
    press(olga, club, "rulings/extend", confirm="1", seen=seen_in(text), round="1", hours="24", reason="a holiday")
    assert Round.objects.get(tournament=club.id).deadline_at == later, "as the preview said"
    text = press(olga, club, "rulings/replace", preview="1", entrant="e1", bot="steady", reason="has left")
    assert "From now on, a steady bot plays for ada (e1), also in running games." in text
    fields = {"entrant": "e1", "player": club.olga.username, "reason": "has left"}
    text = press(olga, club, "rulings/replace", preview="1", **fields)
    assert "From now on, you play for ada (e1), also in running games." in text, "nobody is asked (LI7)"
    press(olga, club, "rulings/replace", confirm="1", seen=seen_in(text), **fields)
    assert club.t.players[club.olga.pk] == "e1", "as the preview said"


def test_li2_a_preview_of_more_time_for_an_overdue_round_counts_from_now(club, olga):
    club.start(settings={"rounds": 1, "tables": {"size": 3}}, deadline=86_400)
    club.run(days=3)
    later = club.now + timedelta(hours=2)
    with service_clock.frozen(club.now):
        text = press(olga, club, "rulings/extend", preview="1", round="1", hours="2", reason="a holiday")
    assert f"Round 1 ends on {later:%d %b %Y, %H:%M} UTC instead of" in text


def seen_in(text):
    """What a preview has its confirmation carry."""
    return re.search(r'name="seen" value="([^"]+)"', text)[1]


def ruled(client, club, ruling, **fields):
    """Preview, then confirm what was previewed."""
    shown = press(client, club, f"rulings/{ruling}", preview="1", **fields)
    assert "Before and after" in shown, ruling
    before = club.t.version
    text = press(client, club, f"rulings/{ruling}", confirm="1", seen=seen_in(shown), **fields)
    assert "Ruled: " in text, ruling
    assert club.t.version > before
    return text


@pytest.mark.sampled
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
    services.accept(club.id, club.player("zoe"), key, now=club.now)
    text = page(olga, club, "rulings")
    assert all(
        reason in text for reason in ("nobody moves", "insults", "apologised", "ill", "a holiday", "was not late")
    )


@pytest.mark.sampled
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


def newest_ruling(client, club):
    return page(client, club, "rulings").partition("Rulings so far")[2].partition("</li>")[0]


@pytest.mark.sampled
def test_li5_a_running_game_that_was_voided_is_not_taken_back_but_its_table_is_ruled(club, olga):
    club.start(settings={"rounds": 3, "tables": {"size": 3}})
    ruled(olga, club, "void", game=str(club.game_id(1)), reason="a wrong deck")
    newest = newest_ruling(olga, club)
    assert "Undo" not in newest
    [address] = re.findall(r'href="([^"]+)">Rule the table', newest)
    form = olga.get(address.replace("&amp;", "&")).content.decode()
    assert '<option value="1.1" selected>Round 1, table 1, without a result: ' in form
    assert address in page(olga, club), "on the overview, too"
    places = {f"place_{one}": str(at) for at, one in enumerate(club.t.tables[1, 1].entrants, 1)}
    ruled(olga, club, "rule_table", game="1.1", reason="as they remember it", **places)
    first = club.t.tables[1, 1].entrants[0]
    assert club.standings()[first]["games"] == 1
    assert "Rule the table" not in page(olga, club, "rulings").partition("Rulings so far")[2]
    for wrong in ("1.9", "9.1", "x", "1.", "1.1.1", "\u0663.1"):
        answer = press(olga, club, "rulings/rule_table", preview="1", game=wrong, reason="x", **places)
        assert "This choice is no longer available." in answer, wrong


@pytest.mark.sampled
def test_li5_a_correction_begins_with_the_present_places(club, olga):
    club.start(settings={"rounds": 3, "tables": {"size": 3}})
    assert "No game has a result." in page(olga, club, "rulings/correct")
    club.finish(1)
    first, second = str(club.game_id(1)), str(club.game_id(2))
    [address] = re.findall(r'href="([^"]+)">correct<', page(olga, club))
    form = re.sub(r"\s+", " ", olga.get(address).content.decode())
    assert f'value="{first}" selected' in form and f'value="{second}"' not in form, "only games with a result"
    stands = {one["entrant"]: one["place"] for one in club.t.games[first].result["players"]}
    shown = re.findall(r'name="place_e\d" value="(\d)"[^>]*id="id_place_(e\d)"', form)
    assert {key: int(place) for place, key in shown} == stands
    places = {f"place_{key}": str(4 - place) for key, place in stands.items()}
    ruled(olga, club, "correct", game=first, reason="the last came first", **places)
    assert {key: club.standings()[key]["place"] for key in stands} != stands
    made = page(olga, club, "rulings").partition("Rulings so far")[2]
    assert made.count("the last came first") == 2 and made.count("Undo") == 1
    assert "Undo: correct a result" in made


@pytest.mark.sampled
def test_li5_restoring_a_game_is_offered_only_while_nothing_has_its_place(club, olga):
    club.start(settings={"rounds": 3, "tables": {"size": 3}})
    club.finish(1)
    first = str(club.game_id(1))
    address = f"rulings/restore/?game={first}"
    places = {f"place_{key}": str(at) for at, key in enumerate(club.t.games[first].entrants, 1)}

    def offers():
        form = page(olga, club, "rulings/restore")
        shown = {address in page(olga, club, name) for name in ("change", "rulings")}
        assert shown == {f'value="{first}"' in form}, "everywhere alike"
        return shown == {True}

    ruled(olga, club, "correct", game=first, reason="noted the wrong way round", **places)
    assert not offers()
    assert "There is no voided game to restore." in page(olga, club, "rulings/restore")
    [instead] = TournamentGame.objects.filter(tournament=club.id, outcome="result")
    ruled(olga, club, "void", game=str(instead.game), reason="it was right")
    assert offers()
    ruled(olga, club, "rule_table", game="1.1", reason="as they remember it", **places)
    assert not offers()


def test_li5_who_plays_at_a_table_is_told_who_can_rule_on_it_and_offered_nothing(club, olga):
    club.start(*club.people[:4], settings={"rounds": 2, "tables": {"size": 2}})
    club.finish(1)
    sits = club.player(club.game(1).seat_rows()[0].player.username)
    own, other = str(club.game_id(1)), str(club.game_id(2))
    services.rule(club.id, club.olga, {"ruling": "void", "game": own, "reason": "a wrong deck"}, now=club.now)
    services.rule(club.id, club.olga, {"ruling": "restore", "game": own, "reason": "it was right"}, now=club.now)
    club.organise(sits)
    client = browser(sits)
    shown = page(client, club)
    assert f"?game={own}" not in shown and f"?game={other}" in shown
    assert "You play at this table. olga can rule on it." in shown
    assert f"?game={own}" not in page(client, club, "rulings")
    assert "You play at this table. olga can rule on it." in page(client, club, "rulings/correct")
    form = page(client, club, "rulings/void")
    assert f'value="{own}"' not in form and f'value="{other}"' in form
    assert "olga can rule on the tables where you play." in form
    for name in ("change", "rulings", "rulings/void"):
        text = page(olga, club, name)
        assert own in text and "where you play" not in text and "You play" not in text, name


def test_li5_lists_say_of_a_corrected_result_where_the_one_is_that_counts(club, olga):
    club.start(settings={"rounds": 3, "tables": {"size": 3}})
    club.finish(1)
    key = str(club.game_id(1))
    places = [{"entrant": one, "place": at} for at, one in enumerate(club.t.games[key].entrants, 1)]
    services.rule(
        club.id, club.olga, {"ruling": "correct", "game": key, "players": places, "reason": "x"}, now=club.now
    )
    public = f"/t/{Tournament.objects.get(pk=club.id).slug}"
    for text in (page(olga, club), olga.get(public).content.decode()):
        assert '<span class="badge">corrected</span> The result that counts is below.' in text
        assert ">void</span>" not in text
    cells = page(olga, club).partition("<tbody>")[2].partition("</tbody>")[0]
    assert "✕" not in cells, "one place a round, the corrected one"
    [instead] = TournamentGame.objects.filter(tournament=club.id, outcome="result")
    services.rule(club.id, club.olga, {"ruling": "void", "game": str(instead.game), "reason": "x"}, now=club.now)
    assert "corrected</span>" not in page(olga, club), "nothing counts instead of it now"


def test_li5_a_season_says_where_the_corrected_result_is(club, olga):
    club.start(kind="season")
    asked = {"players": [{"entrant": key, "place": at} for at, key in enumerate(("e2", "e1", "e3"), 1)], "reason": "x"}
    services.rule(club.id, club.olga, {"ruling": "enter_result", **asked}, now=club.now)
    key = str(TournamentGame.objects.get(tournament=club.id).game)
    services.rule(club.id, club.olga, {"ruling": "correct", "game": key, **asked}, now=club.now)
    for text in (page(olga, club), olga.get(f"/t/{Tournament.objects.get(pk=club.id).slug}").content.decode()):
        assert "corrected</span> The result that counts is “Real table of " in text


def test_what_is_offered_beside_an_entrant_can_be_ruled(club, olga):
    club.start(settings={"rounds": 3, "tables": {"size": 3}})
    services.withdraw(club.id, club.olga, "e2", now=club.now)
    services.rule(club.id, club.olga, {"ruling": "remove", "entrant": "e3", "reason": "x"}, now=club.now)
    offered = re.findall(r'/(rulings/\w+/)\?entrant=(e\d)"', page(olga, club, "entrants"))
    assert {what for what, key in offered if key == "e2"} == {"rulings/remove/", "rulings/adjust/"}
    assert {what for what, key in offered if key == "e3"} == {"rulings/reinstate/", "rulings/adjust/"}
    for what, key in offered:
        shown = olga.get(f"{BASE}{club.id}/{what}?entrant={key}").content.decode()
        assert f'<option value="{key}" selected>' in shown, (what, key)


@pytest.mark.sampled
def test_li5_what_was_taken_back_is_not_offered_again(club, olga):
    club.start(settings={"rounds": 3, "tables": {"size": 3}})
    club.finish(1)
    first = str(club.game_id(1))
    ruled(olga, club, "void", game=first, reason="a wrong deck")
    ruled(olga, club, "restore", game=first, reason="the deck was right")
    ruled(olga, club, "remove", entrant="e1", reason="insults")
    ruled(olga, club, "reinstate", entrant="e1", reason="apologised")
    text = page(olga, club, "rulings").partition("Rulings so far")[2]
    assert text.count("Undo: void") == 1
    assert text.count("Undo: remove") == 1
    assert "Undo: restore" not in text
    assert "Undo: reinstate" not in text


@pytest.mark.sampled
def test_li5_a_replacement_names_both_and_its_way_back_is_filled_in(club, olga):
    club.start(settings={"rounds": 3, "tables": {"size": 3}})
    Player.objects.create_user("zoe")
    ruled(olga, club, "adjust", entrant="e1", points="1", reason="a prize")
    ruled(olga, club, "replace", entrant="e1", player="zoe", reason="ill")
    assert "zoe is asked to play on for ada" in newest_ruling(olga, club)
    services.accept(club.id, club.player("zoe"), "e1", now=club.now)
    newest = newest_ruling(olga, club)
    assert "zoe plays on for ada" in newest
    assert "rulings/replace/?entrant=e1&amp;player=ada" in newest
    text = page(olga, club, "rulings")
    assert "ada: +1 point." in text, "as it was then"
    form = olga.get(f"{BASE}{club.id}/rulings/replace/?entrant=e1&player=ada").content.decode()
    assert 'value="ada"' in form
    ruled(olga, club, "replace", entrant="e1", bot="steady", reason="zoe is ill, too")
    assert "steady bot (e1) plays on for zoe" in newest_ruling(olga, club)
    ruled(olga, club, "replace", entrant="e1", player="ada", reason="well again")
    services.accept(club.id, club.player("ada"), "e1", now=club.now)
    newest = newest_ruling(olga, club)
    assert "ada plays on for steady bot (e1)" in newest
    assert "entrant=e1&amp;bot=steady" in newest


def test_two_bots_of_one_level_are_told_apart_before_and_after_a_ruling(club, olga):
    club.open(*club.people[:1], settings={"tables": {"size": 3}})
    for _ in range(2):
        services.add_bot(club.id, club.olga, "steady", now=club.now)
    services.start(club.id, club.olga, now=club.now)
    club.run()
    shown = press(olga, club, "rulings/adjust", preview="1", entrant="e2", points="1", reason="x")
    table = shown.partition("Before and after")[2]
    assert "steady bot (e2)" in table
    assert "steady bot (e3)" in table


def test_a_season_has_no_next_round(club, olga):
    club.start(kind="season")
    text = page(olga, club)
    assert "Next round" not in text
    assert "Finish" in text


@pytest.mark.sampled
def test_the_next_round_is_offered_where_it_does_not_come_by_itself(club, olga):
    club.start()
    assert "Next round" not in page(olga, club)
    assert "From now on, rounds are seated when you say so." in press(olga, club, "action/manual")
    text = page(olga, club)
    assert "The next one can be drafted when this one is over." in text
    assert "Next round" not in text, "as long as it cannot be done"
    club.start(pace="manual")
    assert "Draft the round again" in page(olga, club)


@pytest.mark.sampled
def test_li4_of_a_no_show_who_is_seated_again_the_organiser_is_told_what_can_be_done(club, olga, clock):
    club.start(settings={"rounds": 2, "tables": {"size": 3}}, clock={"per_turn": 3600, "on_timeout": "play"})
    assert "made no move" not in page(olga, club)
    away, *others = (club.player(seat.player.username) for seat in club.game(1).seat_rows())
    clock.advance(minutes=61)
    club.run(minutes=61)
    done_at(club.now, games.sweep)
    assert club.game(1).seat_rows()[0].timeouts
    assert f"{away.username} ({club.t.players[away.pk]}) made no move so far in round 1" in page(olga, club)
    for player in others:
        games.play(club.game_id(1), player, {"move": "resign"}, now=club.now)
    club.run()
    assert "made no move" in page(olga, club)
    club.finish(2, round=1)
    key = club.t.players[away.pk]
    assert any(key in table.entrants for table in club.t.tables_of(2)), "seated again"
    said = f"{away.username} ({key}) made no move in round 1"
    for name in ("change", "entrants"):
        text = page(olga, club, name)
        assert said in text, name
        assert f"rulings/replace/?entrant={key}" in text
        assert f"rulings/remove/?entrant={key}" in text
    assert not any(f"{player.username} (" in text.partition("made no move")[0] for player in others), "they resigned"
    named = f"{away.username} ({key})"
    told = re.compile(r"<li>[^\n]*made no move in round 1, and (?:is|are) still in")
    [home] = told.findall(olga.get("/admin/").content.decode())
    assert named in home
    ruled(olga, club, "remove", entrant=key, reason="did not turn up")
    assert said not in page(olga, club)
    assert not any(named in home for home in told.findall(olga.get("/admin/").content.decode()))


@pytest.mark.sampled
def test_li4_where_nobody_turns_up_and_bots_play_the_pages_name_who_is_absent(club, olga, clock):
    club.start(settings={"rounds": 2, "tables": {"size": 3}}, clock={"per_turn": 3600, "on_timeout": "bot"})
    clock.advance(minutes=61)
    club.run(minutes=61)
    done_at(club.now, games.sweep)
    absent = [seat.player.username for seat in club.game(1).seat_rows() if seat.bot]
    assert len(absent) == 3
    said = "A bot plays for <strong>{}, {} and {}</strong>".format(*absent)
    assert said in page(olga, club)
    assert said in Client().get(f"/t/{Tournament.objects.get(pk=club.id).slug}").content.decode()
    home = olga.get("/admin/").content.decode()
    for one in absent:
        named = f"{one} ({club.t.players[club.player(one).pk]})"
        assert f"{named} made no move so far in round 1" in page(olga, club) and named in home
    assert home.count(" made no move so far in round 1, and are still in.") == 1
    back = club.player(absent[0])
    their_own = Client()
    their_own.force_login(back)
    own = their_own.get(f"/t/{Tournament.objects.get(pk=club.id).slug}").content.decode()
    assert "a bot plays for you until you return" in own and "Your turn" not in own
    # Whoever comes back and moves has turned up.
    done_at(club.now, games.take_back, club.game_id(1), back)
    legal = legal_moves(back, game_for(back, club.game_id(1))).moves
    games.play(club.game_id(1), back, legal[0]["send"], now=club.now)
    assert f"{back.username} ({club.t.players[back.pk]})" not in page(olga, club).partition("What comes next")[0]


def test_a_result_of_a_real_table_is_entered(club, olga):
    club.start(settings={"rounds": 1, "tables": {"size": 3}})
    game = str(club.game_id(1))
    places = {f"place_{one}": str(at) for at, one in enumerate(club.t.tables[1, 1].entrants, 1)}
    ruled(olga, club, "enter_result", game=game, reason="played in the pub", **places)
    assert TournamentGame.objects.get(game=game).source == "table"


def test_the_qr_code_of_a_long_address_is_whole_in_its_box(club, olga):
    club.set_up(title="A private tournament with a long name", visibility="private")
    code = re.search(r'<div class="qr"[^>]*>(<svg[^>]*>)', page(olga, club))[1]
    assert "viewBox=" in code and "width=" not in code, "with a size of its own it is cut off by its box"


@pytest.mark.sampled
def test_who_is_to_play_is_sent_the_door_where_a_name_or_the_invitation_is_all_it_takes(club, olga):
    club.set_up(guests=True)
    door = f"/join/{club.t.invitation}"
    assert door not in page(olga, club)
    services.open_registration(club.id, club.olga, now=club.now)
    assert door in page(olga, club) and door in page(olga, club, "entrants")
    assert "Enter</button>" in Client().get(door).content.decode()
    club.set_up(title="For accounts, open to all")
    services.open_registration(club.id, club.olga, now=club.now)
    assert "/join/" not in page(olga, club)
    club.set_up(title="By invitation", entry="invitation")
    services.open_registration(club.id, club.olga, now=club.now)
    assert f"/join/{club.t.invitation}" in page(olga, club)


def test_a_seasons_result_asks_who_sat_there_and_then_for_their_order(club, olga):
    club.start(kind="season")

    def form_of(*who):
        return olga.get(f"{BASE}{club.id}/rulings/enter_result/", {"who": who}).content.decode()

    assert form_of().count('type="checkbox" name="who"') == len(club.people)
    assert "place_" not in form_of()
    assert "Tick at least two." in form_of("e2")
    form = form_of("e2", "e4")
    assert re.findall(r'name="place_(e\d)"', form) == ["e2", "e4"]
    places = {"who": ["e2", "e4"], "place_e2": "2", "place_e4": "1"}
    ruled(olga, club, "enter_result", reason="played in the pub", **places)
    [game] = TournamentGame.objects.filter(tournament=club.id)
    assert (game.source, list(game.state.entrants)) == ("table", ["e2", "e4"])
    assert club.standings()["e4"]["place"] == 1


def test_a_ruling_is_not_made_on_standings_that_have_changed(club, olga):
    club.start(settings={"tables": {"size": 3}})
    key = club.t.tables[1, 1].entrants[0]
    fields = {"entrant": key, "points": "1", "reason": "a prize"}
    seen = seen_in(press(olga, club, "rulings/adjust", preview="1", **fields))
    club.finish(1)
    before = club.t.version
    assert "changed since this preview" in press(olga, club, "rulings/adjust", confirm="1", seen=seen, **fields)
    assert club.t.version == before


@pytest.mark.sampled
def test_a_ruling_is_not_made_on_standings_that_belong_to_another(club, olga):
    """The fields of the form were changed below the preview. Another reason is no other ruling."""
    club.start(settings={"tables": {"size": 3}})
    fields = {"entrant": "e1", "points": "1", "reason": "a prise"}
    seen = seen_in(press(olga, club, "rulings/adjust", preview="1", **fields))
    before = club.t.version
    for other in ({"points": "100"}, {"entrant": "e2"}):
        text = press(olga, club, "rulings/adjust", confirm="1", seen=seen, **{**fields, **other})
        assert "changed since this preview" in text
        assert seen_in(text) != seen, "what is confirmed next is what is shown now"
    assert "changed since this preview" in press(olga, club, "rulings/adjust", confirm="1", **fields)
    assert club.t.version == before
    text = press(olga, club, "rulings/adjust", confirm="1", seen=seen, **{**fields, "reason": "a prize"})
    assert "Ruled: " in text


@pytest.mark.sampled
def test_li5_a_ruling_is_not_made_on_what_comes_in_while_it_is_confirmed(club, olga, monkeypatch):
    """A result arrives after the page has looked at the version and before the ruling is made."""
    club.start(settings={"tables": {"size": 3}})
    fields = {"entrant": "e1", "points": "1", "reason": "a prize"}
    seen = seen_in(press(olga, club, "rulings/adjust", preview="1", **fields))
    rule = services.rule

    def late(*args, **more):
        monkeypatch.setattr("tournaments.services.rule", rule)
        club.finish(1)
        return rule(*args, **more)

    monkeypatch.setattr("tournaments.services.rule", late)
    text = press(olga, club, "rulings/adjust", confirm="1", seen=seen, **fields)
    assert "changed since this preview" in text
    assert "Before and after" in text
    assert seen_in(text) != seen, "what is confirmed next is what is shown now"
    assert "adjusted" not in club.types()
    press(olga, club, "rulings/adjust", confirm="1", seen=seen_in(text), **fields)
    assert "adjusted" in club.types()


def test_a_refused_ruling_says_why_and_changes_nothing(club, olga):
    club.start(settings={"tables": {"size": 3}})
    before = club.t.version
    fields = {"entrant": "e1", "points": "half", "reason": "x", "preview": "1"}
    assert "Must be a whole number, or a fraction" in press(olga, club, "rulings/adjust", **fields)
    assert "This field is required" in press(olga, club, "rulings/adjust", entrant="e1", points="1", preview="1")
    gone = press(olga, club, "rulings/remove", entrant="e99", reason="x", preview="1")
    assert "This choice is no longer available. Choose again." in gone
    assert club.t.version == before


def test_what_is_wrong_with_a_result_is_said_in_the_words_of_its_form(club, olga):
    club.start(kind="season", game="three_thirteen", settings={"points": {"scheme": "score"}})
    fields = {"who": ["e1", "e2"], "place_e1": "1", "place_e2": "2", "reason": "friday", "preview": "1"}

    def sent(**changed):
        answer = olga.post(f"{BASE}{club.id}/rulings/enter_result/", fields | changed)
        return re.sub(r"\s+", " ", answer.content.decode())

    assert ">Give each player a score, because penalty points count in this tournament.<" in sent()
    scores = {"score_e1": "0", "score_e2": "9"}
    assert 'id="id_scored_error">Say how many rounds were scored, because penalty points count per round.<' in sent(
        **scores
    )
    assert '<p class="error">Enter a whole number.</p></li>' in sent(scored="11", **scores | {"score_e2": "4,5"})
    assert "Before and after" in sent(scored="11", **scores)


@pytest.mark.sampled
def test_people_are_added_and_withdrawn(club, olga):
    club.open(club.people[0])
    press(olga, club, "people/invite", who="bob")
    assert "Enter the number of bots" in press(olga, club, "people/bot", who="steady", count="17")
    assert "4 steady bots entered." in press(olga, club, "people/bot", who="steady", count="4")
    assert "There is no player with that name." in press(olga, club, "people/invite", who="nobody-at-all")
    assert {one.standing.value for one in club.t.entrants.values()} >= {"invited"}
    press(olga, club, "people/withdraw", who="e1")
    assert "steady bot" in page(olga, club, "entrants")
    assert "Invite cleo" in olga.get(f"{BASE}{club.id}/entrants/?q=LE").content.decode()
    press(olga, club, "people/organiser", who="cleo")
    assert club.t.asked_organisers == (club.player("cleo").id,)
    assert "invited, has not accepted yet" in page(olga, club, "entrants")
    assert "Remove olga" not in page(olga, club, "entrants"), "nobody else organises it"
    alone = press(olga, club, "people/no_organiser", who=club.olga.username)
    assert "A tournament needs at least one organiser." in alone and "Add somebody" in alone, "on the same page"
    services.accept_to_organise(club.id, club.player("cleo"), now=club.now)
    listed = page(olga, club, "entrants")
    assert listed.index("Remove olga") < listed.index("Remove cleo"), "in the order in which they began"


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


@pytest.mark.sampled
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


@pytest.mark.parametrize(
    ("ruling", "why"),
    [("restore", "There is no voided game to restore."), ("reinstate", "Nobody has been removed.")],
)
def test_a_ruling_that_nothing_is_there_for_says_so(club, olga, ruling, why):
    club.start(settings={"rounds": 1, "tables": {"size": 3}}).finish(1)
    form = 'name="reason"'
    text = page(olga, club, f"rulings/{ruling}")
    assert why in text and form not in text
    counter = {"restore": "void", "reinstate": "remove"}[ruling]
    asked = {"restore": {"game": str(club.game_id(1))}, "reinstate": {"entrant": "e1"}}[ruling]
    ruled(olga, club, counter, reason="x", **asked)
    text = page(olga, club, f"rulings/{ruling}")
    assert why not in text and form in text


def test_the_names_beside_a_chart_of_few_rounds_lie_inside_it(club, olga):
    club.start(settings={"rounds": 3, "tables": {"size": 3}}).finish_round()
    [chart] = re.findall(r'<svg class="totals.*?</svg>', page(olga, club, "standings"))
    width = int(re.search(r'viewBox="0 0 (\d+) ', chart)[1])
    names = re.findall(r'<text class="end l\d" x="(\d+)"', chart)
    assert len(names) == 6 and all(int(x) < width - 50 for x in names)


@pytest.mark.sampled
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


@pytest.mark.sampled
@pytest.mark.parametrize("private", [True, False])
def test_li7_after_a_removal_the_invitation_is_new_or_the_organiser_is_told_of_it(club, olga, private):
    """AC6: whoever is removed from a private tournament may know its code, without which nobody looks at it."""
    club.start(visibility="private" if private else "public", entry="invitation", settings={"tables": {"size": 3}})
    old = club.t.invitation
    fields = {"entrant": "e1", "reason": "insults"}
    shown = press(olga, club, "rulings/remove", preview="1", **fields)
    assert "may still know the invitation" not in shown
    text = press(olga, club, "rulings/remove", confirm="1", seen=seen_in(shown), **fields)
    assert ("may still know the invitation" in text) is not private
    assert (club.t.invitation == old) is not private
    assert club.t.invitation in page(olga, club)


@pytest.mark.sampled
def test_li7_the_invitation_is_renewed(club, olga):
    club.start(visibility="private", settings={"tables": {"size": 3}})
    old = club.t.invitation
    assert old in page(olga, club)
    text = press(olga, club, "invitation")
    assert "The invitation has been renewed." in text
    assert club.t.invitation in text
    assert old not in text


def test_the_standings_say_what_decided_and_can_be_downloaded(club, olga):
    club.start(settings={"rounds": 2, "tables": {"size": 3}}).finish_round()
    assert "Totals by round" in page(olga, club, "standings")
    answer = olga.get(f"{BASE}{club.id}/standings.csv")
    assert answer["Content-Type"].startswith("text/csv")
    assert answer.content.decode("utf-8-sig").splitlines()[0].startswith("place,entrant,name,total,total_exact")


@pytest.mark.sampled
def test_home_says_what_needs_attention(club, olga, clock):
    club.start(settings={"rounds": 2, "tables": {"size": 3}}, deadline=86_400)
    assert "Nothing in your tournaments needs your attention." in olga.get("/admin/").content.decode()
    clock.advance(days=4)
    club.run(days=4)
    text = olga.get("/admin/").content.decode()
    assert "Round 1 is overdue: 2 tables are still open." in text
    awaited = re.search(
        r"Table 1 of round 1 has been waiting for (\w+), (\w+) and (\w+) since <time [^>]+>21 Nov 2026", text
    )
    assert awaited, "whom it waits for"
    assert set(awaited.groups()) <= {player.username for player in club.people}


@pytest.mark.parametrize(
    ("typed", "hours"),
    [
        ("36", 36),
        ("36 hours", 36),
        ("3 days", 72),
        ("1 day 12 hours", 36),
        ("1d12h", 36),
        (" 1 Day, 2 h ", 26),
        ("", None),
    ],
)
def test_a_length_of_time_is_typed_in_days_and_hours(typed, hours):
    assert SpanField(required=False).clean(typed) == (None if hours is None else hours * 3600)


@pytest.mark.parametrize("typed", ["a while", "1.5 days", "3 weeks", "-2", "2 hours 1 day"])
def test_what_is_no_length_of_time_is_refused(typed):
    with pytest.raises(ValidationError, match="Type days and hours"):
        SpanField(required=False).clean(typed)


@pytest.mark.parametrize(
    ("name", "typed", "said"),
    [
        ("per_turn", "0", "This must be at least 1 second."),
        ("per_turn", "31 days", "This must be at most 30 days."),
        ("check_in", "800", "This must be at most 30 days."),
        ("deadline", "367", "This must be at most 366 days."),
    ],
)
def test_the_limits_of_a_length_of_time_are_said_in_the_unit_in_which_it_is_typed(name, typed, said):
    assert SetUpForm({**SET_UP, name: typed}).errors == {name: [said]}


def test_ko1_the_form_of_a_knockout_asks_how_many_go_on():
    assert "advance" in SetUpForm({**SET_UP, "kind": "knockout"}).errors
    assert "advance" not in SetUpForm({**SET_UP, "kind": "rounds"}).errors


def test_a_choice_says_its_default():
    assert SetUpForm().fields["overdue"].choices[0] == ("", "default: tell the organisers")


def test_a_new_organiser_is_not_told_that_they_may_see_nothing(db):
    newcomer = Client()
    newcomer.force_login(Player.objects.create_user("newcomer"))
    text = newcomer.get(f"{BASE}add/?kind=season&game=threes").content.decode()
    assert "permission to view" not in text
    assert "Back to Trey" in text
    assert 'href="/admin/games/game/"' not in text, "which they may not open yet"
