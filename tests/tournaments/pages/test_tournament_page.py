"""/t/{slug}: the public page of a tournament."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from core.accounts.models import Player
from games import services as games
from tests.scenes import done_at
from tests.tournaments.moment import services
from tests.tournaments.pages.conftest import seconds_later
from tests.tournaments.services.season_scene import room_of, season
from tests.tournaments.services.tournament_scene import Club, end_game
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db

ROUNDS = {"settings": {"rounds": 2, "tables": {"size": 3}}}


def page(club: Club, client: Client, query: str = "") -> Any:
    return client.get(f"/t/{Tournament.objects.get(pk=club.id).slug}{query}")


def text_of(response: Any) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


def row_page(club: Club, client: Client, key: str) -> Any:
    """What a row opens to, at the address that its link names."""
    [address] = re.findall(rf'<a href="([^"]+/entrants/{key}[^"]*)" data-opens>', page(club, client).content.decode())
    return client.get(address)


def test_standings_rounds_and_who_is_awaited_are_on_the_page(club: Club, client: Client) -> None:
    club.start(**ROUNDS)
    club.finish(1)
    shown = page(club, client)
    text = text_of(shown)
    assert "Threes 2026" in text
    assert "6 entrants" in text
    assert "Round 1" in text
    assert "Waiting for" in text
    assert re.search(
        r'<strong>\w[^<]+</strong>, <time datetime="2026-[^"]+" data-form="left">until', shown.content.decode()
    )
    assert "1 of 2 tables still playing" in text


def test_a_row_opens_to_its_games_its_sums_and_its_tie_breaks(club: Club, client: Client) -> None:
    club.start(**ROUNDS)
    club.finish(1)
    second, open_one = club.t.tables[1, 1].entrants[1], club.t.tables[1, 2].entrants[0]
    text = text_of(row_page(club, client, second))
    assert "Round 1, table 1" in text
    assert "points of the kept games 0.50" in text and "total 0.50" in text
    assert "1/2" not in text, "one form of a number on one page"
    assert "opponents&#x27; strength" in text
    assert "Separated from the row above by total" in text
    assert "After the open games:" in text
    assert "What each place in the open game would mean:" in text_of(row_page(club, client, open_one))
    base = f"/t/{Tournament.objects.get(pk=club.id).slug}/entrants"
    assert [client.get(f"{base}/{key}").status_code for key in ("e1", "e99", "x", "e%00")] == [200, 404, 404, 404]


def test_the_crosstable_rounds_games_and_rulings_have_pages_of_their_own(club: Club, client: Client) -> None:
    club.start(**ROUNDS).finish_round()
    base = f"/t/{Tournament.objects.get(pk=club.id).slug}"
    assert "How often the row player finished ahead of the column player" in text_of(client.get(f"{base}/crosstable"))
    assert "Table 2" in text_of(client.get(f"{base}/rounds/1"))
    assert "None." in text_of(client.get(f"{base}/rulings"))
    for missing in ("rounds/9", "rounds/0", "rounds/1?page=2", "rulings?page=2", "games?page=0", "?page=2", "?page=x"):
        assert client.get(f"{base}/{missing}".replace("/?", "?")).status_code == 404, missing


def test_rulings_are_shown_with_their_reasons_and_who_ruled(club: Club, client: Client) -> None:
    club.start(**ROUNDS).finish_round()
    game = str(club.game_id(1, round=1))
    services.rule(club.id, club.olga, {"ruling": "void", "game": game, "reason": "wrong deck"}, now=club.now)
    services.rule(
        club.id, club.olga, {"ruling": "adjust", "entrant": "e1", "points": "-1/2", "reason": "late"}, now=club.now
    )
    text = text_of(page(club, client))
    assert "The game at table 1 of round 1 is void. olga: “wrong deck”" in text
    assert "ada: \N{MINUS SIGN}0.50 points" in text


def test_before_it_starts_the_page_says_how_it_is_played(club: Club, client: Client) -> None:
    club.open(*club.people[:5], settings={"rounds": 3, "tables": {"size": 4}}, deadline=5 * 86_400, limit=8)
    text = text_of(page(club, client))
    assert "5 of 8 places taken. It has not started yet." in text
    assert "Mode 3 rounds at tables of about 4, in which players of similar strength meet, and few meet twice." in text
    assert "Pace 1 day per turn, 5 days per round." in text
    assert "Points Share of opponents beaten. Games Rated." in text
    services.start(club.id, club.olga, now=club.now)
    shown = page(club.run(), client).content.decode()
    assert "<summary>How it is played</summary>" in shown, "then it is a tap away"


def test_the_rules_of_a_knockout_and_of_a_season_are_those_that_hold(club: Club, client: Client) -> None:
    club.open(kind="knockout", settings={"tables": {"size": 4}, "advance": 2}, options={"decks": 3}, rated=False)
    text = text_of(page(club, client))
    assert "10s are not wild, and the last hand cards are played on their own. Decks: 3." in text
    assert "Tables of 4; the best 2 of each go through, until there is a final." in text
    assert "Not rated." in text
    season(club, ratify="organiser", settings={"best": 1, "min_games": 2})
    counted = (
        "he best game counts; of games among the same entrants, only the first 6 count; you need 2 games for a place."
    )
    assert counted in text_of(page(club, client)), "PT5, PT4, PT7"
    asked = {"title": "t", "reason": "r", "ruleset": "2022", "options": {"decks": 4}}
    services.propose(club.id, club.olga, asked, now=club.now)
    services.decide_proposal(club.id, club.olga, 1, "So be it.", ratified=True, now=club.now)
    assert "Rules Threes, 2022. As played in 2022: 10s are wild" in text_of(page(club.run(), client))


def test_rt7_the_pages_of_a_series_lead_to_each_other_and_say_what_goes_on(club: Club, client: Client) -> None:
    season(club, title="Summer")
    services.finish(club.id, club.olga, now=club.now)
    first = f"/t/{Tournament.objects.get(pk=club.id).slug}"
    done = services.set_up(club.olga, {"after": str(club.id), "title": "Winter"}, now=club.now)
    assert done.tournament is not None
    assert "Next: Winter" not in text_of(client.get(first)), "a draft is not shown"
    services.open_registration(done.tournament.id, club.olga, now=club.now)
    club.id = done.tournament.id
    text = text_of(page(club, client))
    assert "Nobody has entered yet, 6 invited." in text
    assert "This tournament continues Summer , with its final rules." in text
    assert "Everyone who was in at the end is invited." in text
    seconds_later()
    assert "Next: Winter , open for entries." in text_of(client.get(first))


def test_who_is_first_by_a_tie_break_alone_is_said_to_be(club: Club, client: Client) -> None:
    """Who beat nobody but the last has met the stronger opponents."""
    club.start(*club.people[:3], settings={"rounds": 2, "tables": {"size": 3}}).finish(1)
    first, second, _ = club.t.tables[1, 1].entrants
    prize = {"ruling": "adjust", "entrant": second, "points": "1/2", "reason": "a prize"}
    services.rule(club.id, club.olga, prize, now=club.now)
    names = {key: row["name"] for key, row in club.standings().items()}
    said = f"{names[second]} leads with 1 point, ahead of {names[first]} by opponents&#x27; strength."
    assert said in text_of(page(club, client))


def test_whoever_leads_by_less_than_is_shown_is_just_ahead(club: Club, client: Client) -> None:
    club.start(*club.people[:3], settings={"rounds": 2, "tables": {"size": 3}}).finish(1)
    first, second, _ = club.t.tables[1, 1].entrants
    for key, prize in ((first, "1/1000"), (second, "503/1000")):
        asked = {"ruling": "adjust", "entrant": key, "points": prize, "reason": "a prize"}
        services.rule(club.id, club.olga, asked, now=club.now)
    names = {key: row["name"] for key, row in club.standings().items()}
    assert f"{names[second]} leads with 1.00 points, just ahead of {names[first]}." in text_of(page(club, client))


def test_a_void_result_says_so_once_and_its_places_are_struck_out(club: Club, client: Client) -> None:
    club.start(**ROUNDS)
    club.finish(1)
    game = str(club.game_id(1))
    services.rule(club.id, club.olga, {"ruling": "void", "game": game, "reason": "wrong deck"}, now=club.now)
    shown = page(club, client)
    assert len(re.findall(r"\bvoid This result does not count. 1st \w+ 2nd \w+ 3rd \w+ ", text_of(shown))) == 1
    assert text_of(shown).count("does not count") == 1
    assert shown.content.decode().count('<ol class="places void">') == 1


def test_pt8_places_are_those_among_the_present_and_the_absent_stand_last(club: Club, client: Client) -> None:
    club.start(**ROUNDS)
    first, second, third = club.t.tables[1, 1].entrants
    players = [
        {"entrant": first, "place": 1, "absent": True},
        {"entrant": second, "place": 2},
        {"entrant": third, "place": 3},
    ]
    asked = {"ruling": "rule_table", "round": 1, "table": 1, "reason": "did not come", "players": players}
    services.rule(club.id, club.olga, asked, now=club.now)
    a, b, c = (club.standings()[key]["name"] for key in (first, second, third))
    text = text_of(page(club.run(), client))
    assert f"1st {b} 2nd {c} absent {a}" in text
    assert f"a result entered ({b} 1st, {c} 2nd, {a} absent)" in text


def test_several_games_of_a_table_are_told_apart(club: Club, client: Client) -> None:
    club.start(settings={"rounds": 2, "tables": {"size": 3}, "games_per_table": 2}).finish_round()
    seated = club.t.tables[1, 1].entrants[0]
    text = text_of(row_page(club, client, seated))
    assert [f"Round 1, table 1, game {number}" in text for number in (1, 2, 3)] == [True, True, False]


def test_the_page_says_in_a_sentence_why_it_is_over(club: Club, client: Client) -> None:
    club.start(kind="season")
    services.finish(club.id, club.olga, now=club.now)
    shown = page(club, client)
    assert "An organiser ended it." in text_of(shown)
    assert 'class="warn"' not in shown.content.decode()
    assert client.get(f"/api/v1/tournaments/{club.id}").json()["ended_why"] == "organiser"


def test_why_it_was_cancelled_is_what_the_organiser_said(club: Club, client: Client) -> None:
    club.start(**ROUNDS)
    services.cancel(club.id, club.olga, "final", now=club.now)
    assert '<p class="warn">final</p>' in page(club, client).content.decode()


def test_nothing_goes_on_in_a_tournament_that_was_called_off(club: Club, client: Client) -> None:
    club.start(**ROUNDS)
    assert ">Now</h2>" in page(club, client).content.decode()
    services.cancel(club.id, club.olga, "The hall burnt down.", now=club.now)
    page(club, client)  # its games have not been called off yet
    club.run()
    shown = page(club, client).content.decode()
    assert ">Not finished</h2>" in shown
    assert ">Now</h2>" not in shown
    assert "Watch" not in shown
    assert "still playing" not in shown


def test_games_go_on_beside_the_end_of_a_tournament_and_are_shown_as_such(club: Club, client: Client) -> None:
    club.start(**ROUNDS)
    services.finish(club.id, club.olga, now=club.now)
    club.run()
    shown = page(club, client).content.decode()
    assert ">Now</h2>" in shown
    assert "Watch" in shown


def test_a_room_of_a_season_that_was_called_off_cannot_be_joined(club: Club, client: Client) -> None:
    season(club)
    room_of(club, *club.people[:2], seats=3)
    shown = page(club, client).content.decode()
    assert "Waiting for players" in shown and "Sit down" not in shown, "a stranger has to enter first"
    services.cancel(club.id, club.olga, "Nobody came.", now=club.now)
    club.run()
    shown = page(club, client).content.decode()
    assert "Waiting for players" not in shown and "Replay" not in shown, "no card was dealt"
    assert ">Not finished</h2>" in shown


def test_the_page_of_games_leads_to_the_rounds_in_which_they_stand(club: Club, client: Client) -> None:
    club.start(**ROUNDS)
    base = f"/t/{Tournament.objects.get(pk=club.id).slug}"
    shown = client.get(f"{base}/games").content.decode()
    assert "None yet" not in shown
    assert f'<a href="{base}/rounds/1">Round 1</a>' in shown


def test_the_list_says_when_what_can_be_entered_starts_and_when_the_rest_ended(club: Club, client: Client) -> None:
    def listed() -> str:
        return text_of(client.get("/tournaments"))

    assert "No tournament has been set up yet." in listed()
    starts = (club.now + timedelta(days=9)).isoformat()
    club.open(title="Spring", starts_at=starts)
    season(club, title="Winter")
    assert "Spring Threes, rounds, 6 entrants, starts 30 November 2026, 12:00 UTC" in listed()
    assert "Winter Threes, season, 6 entrants, last games begin 1 December 2026, 12:00 UTC" in listed()
    services.finish(club.id, club.olga, now=club.now)
    assert "Winter Threes, season, 6 entrants, ended 21 November 2026, 12:00 UTC" in listed()
    assert "No tournaments match." in text_of(client.get("/tournaments?q=autumn"))
    assert (
        'href="/accounts/login/?next=/admin/tournaments/tournament/add/"' in client.get("/tournaments").content.decode()
    )


def test_before_a_season_the_list_says_when_its_games_begin(club: Club, client: Client) -> None:
    opens, closes = ((club.now + timedelta(days=days)).isoformat() for days in (2, 9))
    club.open(kind="season", opens_at=opens, closes_at=closes)
    assert "season, 6 entrants, first games begin 23 November 2026, 12:00 UTC" in text_of(client.get("/tournaments"))


def test_the_page_counts_those_who_are_in_as_the_list_does_and_names_the_withdrawn_beside(
    club: Club, client: Client
) -> None:
    club.start(**ROUNDS)
    assert "6 entrants run by" in text_of(page(club, client))
    services.withdraw(club.id, club.people[0], "e1", resign=False, now=club.now)
    assert "5 entrants, 1 withdrawn" in text_of(page(club, client))
    assert "5 entrants" in text_of(client.get("/tournaments"))


def test_all_moments_are_shown_in_the_readers_zone(club: Club, client: Client) -> None:
    season(club)
    services.propose(club.id, club.olga, {"title": "t", "reason": "r", "options": {"decks": 3}}, now=club.now)
    prize = {"ruling": "adjust", "entrant": "e1", "points": "1", "reason": "a prize"}
    services.rule(club.id, club.olga, prize, now=club.now)
    shown = page(club.run(), client).content.decode()
    assert shown.count("<time") > 3
    assert re.findall(r"<time(?![^>]* data-form=)[^>]*>", shown) == []


def test_the_link_to_a_player_says_what_is_there(club: Club, client: Client) -> None:
    club.start(**ROUNDS)
    shown = row_page(club, client, "e1")
    assert "s ratings and places" in text_of(shown)
    assert client.get("/players/ada").status_code == 200


def test_a_player_and_a_board_without_rated_games_say_how_they_get_some(club: Club, client: Client) -> None:
    shown = client.get("/players/ada")
    assert "ada has no rated games yet." in text_of(shown)
    assert "Open a table" not in text_of(shown)
    assert client.get("/leaderboards/castle").content.decode().count('href="/rooms/new/castle"') == 1
    assert "0 ranked" not in text_of(client.get("/leaderboards/castle"))
    client.force_login(club.people[0])
    assert "You have no rated games yet." in text_of(client.get("/players/ada"))
    assert 'href="/rooms/new"' in client.get("/players/ada").content.decode()


def test_ko3_in_a_knockout_the_points_are_those_of_the_last_table_and_the_games_all(club: Club, client: Client) -> None:
    club.start(kind="knockout", settings={"tables": {"size": 2}, "advance": 1}).finish_round()
    club.run()
    first, *_ = club.standings().values()
    assert (first["total"], first["games"]) == ("0", 1)  # the next table has no result yet
    shown = text_of(page(club, client))
    assert "Points are from the last table." in shown and "Points and games" not in shown


def test_a_phone_shows_the_last_two_rounds_of_a_finished_knockout_first(club: Club, client: Client) -> None:
    """Beside the height of the first round, the final would stand in an empty column."""
    club.start(kind="knockout", settings={"tables": {"size": 2}, "advance": 1}).finish_round()
    assert page(club, client).content.decode().count('<svg class="bracket"') == 1
    club.finish_round().finish_round()
    assert club.t.is_over
    short, whole = re.findall(r'<svg class="bracket".*?</svg>', page(club, client).content.decode(), re.DOTALL)
    columns = [re.findall(r'class="column"[^>]*>(.*?)<', one) for one in (short, whole)]
    assert columns == [["Round 2", "Round 3"], ["Round 1", "Round 2", "Round 3"]]


def test_a_season_shows_its_free_games(club: Club, client: Client) -> None:
    club.start(kind="season", settings={}, opens_at=club.now.isoformat(), closes_at="2099-01-01T00:00:00Z")
    assert "Season, running" in text_of(page(club, client))


def test_a_draft_is_not_shown_and_an_unknown_address_is_a_page_of_its_own(club: Club, client: Client) -> None:
    club.set_up(**ROUNDS)
    assert page(club, client).status_code == 404
    answer = client.get("/t/nothing-here")
    assert answer.status_code == 404
    assert answer.headers["content-type"].startswith("text/html")


def test_a_private_tournament_takes_its_invitation_and_is_for_no_search_engine(club: Club, client: Client) -> None:
    club.start(visibility="private", **ROUNDS)
    assert page(club, client).status_code == 404
    assert page(club, client, "?invitation=WRONG").status_code == 404
    shown = page(club, client, f"?invitation={club.t.invitation}")
    assert shown.status_code == 200
    assert shown.headers["X-Robots-Tag"] == "noindex, nofollow"
    assert '<meta name="robots" content="noindex, nofollow">' in shown.content.decode()


def test_a_public_page_may_be_found(club: Club, client: Client) -> None:
    club.start(**ROUNDS)
    shown = page(club, client)
    assert "X-Robots-Tag" not in shown.headers
    assert "robots" not in shown.content.decode()


def test_no_card_of_a_running_game_is_on_the_page(club: Club, client: Client) -> None:
    club.start(**ROUNDS)
    shown = page(club, client).content.decode()
    for table in (1, 2):
        for player in club.game(table).state["state"]["players"]:
            assert not any(f">{card}<" in shown or f'"{card}"' in shown for card in player["hand"])


@pytest.mark.parametrize("entrants", [6, 12])
def test_the_page_costs_a_few_statements_however_many_entrants(
    club: Club, client: Client, django_assert_max_num_queries: Any, entrants: int
) -> None:
    club.start(*club.people[: min(entrants, len(club.people))], **ROUNDS)
    with django_assert_max_num_queries(30):
        page(club, client)


def test_a_season_says_who_went_up_and_down_within_a_week(club: Club, client: Client) -> None:
    club.start(kind="season", settings={"tables": {"size": 2}, "prior": 0})

    def won_by(first: str, second: str) -> None:
        room = services.open_game(club.id, club.player(first), seats=2, now=club.now)
        done_at(club.now, games.join, room.id, club.player(second))
        end_game(room.id, [0, 1], club.now)
        club.run(minutes=1)

    won_by("ada", "bob")
    assert "places up or down" not in text_of(page(club, client))
    since = club.now + timedelta(days=1)
    club.run(days=8)
    for _ in range(3):
        won_by("bob", "ada")
    shown = page(club, client)
    assert f"places up or down since {since:%-d %B}." in text_of(shown)
    # Ada was alone at the top, and bob alone at the end.
    moved = dict(re.findall(r'<tr id="(e\d)".*?<span class="(up|down)" title', shown.content.decode()))
    assert moved["e1"] == "down" and moved["e2"] == "up"


def test_rounds_that_are_open_at_once_are_counted_together_and_nobody_falls_before_anybody_has_played(
    club: Club, client: Client
) -> None:
    club.start(settings={"rounds": 4, "tables": {"size": 3}, "seating": "even", "parallel": 2})
    club.finish(1, round=2)
    shown = page(club, client)
    text = text_of(shown)
    assert "Rounds 1 and 2 of 4: 3 of 4 tables still playing." in text
    assert "▼" not in text


def test_two_who_lead_have_their_points_each(club: Club, client: Client) -> None:
    club.start(pace="manual", **ROUNDS)
    services.next_round(club.id, club.olga, now=club.now)
    services.publish(club.id, club.olga, now=club.now)
    club.run().finish_round()
    text = text_of(page(club, client))
    assert "Round 1 of 2 is over. The organisers seat the next one." in text
    assert re.search(r"\w+ and \w+ share first place with 1 point each\.", text)


def test_when_it_is_over_whoever_was_not_in_it_has_no_part_of_their_own(club: Club) -> None:
    club.start(**ROUNDS)
    services.finish(club.id, club.olga, now=club.now)
    other = Client()
    other.force_login(Player.objects.create_user("somebody"))
    shown = page(club, other).content.decode()
    assert 'id="you"' not in shown
    assert "Nobody played." in shown


def test_who_came_late_says_since_which_round_or_when(club: Club, client: Client) -> None:
    club.start(*club.people[:4], settings={"rounds": 3, "tables": {"size": 2}})
    services.enter(club.id, club.people[4], now=club.now + timedelta(minutes=1))
    assert text_of(page(club, client)).count(" since ") == 1
    club.now += timedelta(minutes=1)
    club.finish_round()
    shown = page(club, client).content.decode()
    late = '<span class="quiet small">since round 2</span>'
    assert shown.count(late) == 1 and late in shown.partition('id="e5"')[2].partition("</tr>")[0]
    assert late in client.get(f"/t/{club.t.slug}/entrants/e5").content.decode()
    season(club, title="Long winter", entry="open")
    assert "entered <time" not in page(club, client).content.decode(), "nobody has played yet"


def test_in_a_season_who_came_after_its_first_game_says_when(club: Club, client: Client) -> None:
    closes = club.now + timedelta(days=10)
    club.start(*club.people[:4], kind="season", closes_at=closes.isoformat())
    services.enter(club.id, club.people[4], now=club.now + timedelta(minutes=1))
    assert "entered <time" not in page(club, client).content.decode()
    club.now += timedelta(minutes=2)
    room_of(club, *club.people[:2])
    services.enter(club.id, club.people[5], now=club.now + timedelta(hours=1))
    seconds_later()
    shown = page(club, client).content.decode()
    assert shown.count("entered <time") == 1 and "entered <time" in shown.partition('id="e6"')[2].partition("</tr>")[0]


def test_of_a_knockout_what_the_bracket_shows_is_not_said_again(club: Club, client: Client) -> None:
    club.start(kind="knockout", settings={"tables": {"size": 2}, "advance": 1}).finish(1)
    now = page(club, client).content.decode().partition('id="now"')[2].partition("</section>")[0]
    assert re.findall(r"<h4>(Table \d)", now) == ["Table 2", "Table 3"]
