"""RA2-RA6: boards that follow the league's stream."""

from collections.abc import Collection
from datetime import UTC, datetime
from decimal import Decimal
from itertools import pairwise
from time import monotonic
from typing import Any
from uuid import UUID

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from core import lasting
from core.accounts import services as accounts
from core.accounts.models import Player
from core.clock import FrozenClock, now
from tests.browser.tables import apart
from tests.tournaments.leaderboards.league_scene import (
    count,
    in_league,
    lines,
    players,
    restored,
    result,
    stored_rows,
    voided,
)
from tournaments.leaderboards import profiles, rebuilding, selectors, store, tasks
from tournaments.leaderboards.models import Count, Entry, League
from tournaments.leaderboards.projection import drop_inactive, update_boards
from tournaments.leaderboards.selectors import BoardKey, nearly_on
from tournaments.leaderboards.store import read_tallies
from tournaments.leaderboards.tally import ALL, Rating, rated

pytestmark = pytest.mark.django_db

LIMIT = {"max_examples": 15}


def ten_games(*order: Player) -> list[Any]:
    return [result(*order) for _ in range(10)]


def test_ra1_ratings_are_those_of_the_library_result_after_result() -> None:
    ada, bob, cleo = players("ada", "bob", "cleo")
    count("threes", result(ada, bob, cleo), result(cleo, [ada, bob]))
    first = rated({ada.pk: (1, Rating()), bob.pk: (2, Rating()), cleo.pk: (3, Rating())})
    second = rated({cleo.pk: (1, first[cleo.pk]), ada.pk: (2, first[ada.pk]), bob.pk: (2, first[bob.pk])})
    for player in (ada, bob, cleo):
        profile = in_league(player, "threes")
        assert profile is not None
        assert profile.tally.rating == second[player.pk]


def test_ra2_a_rating_is_provisional_with_its_reason_and_has_no_rank() -> None:
    ada, bob, cleo, dan = players("ada", "bob", "cleo", "dan")
    count("threes", *ten_games(ada, bob, cleo)[:9])
    assert lines("threes") == []
    profile = in_league(ada, "threes")
    assert profile is not None
    assert (profile.standing.rank, profile.standing.reason) == (None, "One more rated game is needed.")
    count("threes", result(ada, bob, cleo))
    assert lines("threes") == []  # only two opponents
    count("threes", result(ada, bob, cleo, dan))
    assert [(rank, name) for rank, name, _ in lines("threes")] == [(1, "ada"), (2, "bob"), (3, "cleo")]


def test_ra2_who_has_not_played_for_180_days_leaves_the_board_and_comes_back_with_a_game(clock: FrozenClock) -> None:
    ada, bob, cleo, dan = players("ada", "bob", "cleo", "dan")
    count("threes", *ten_games(ada, bob, cleo, dan))
    clock.advance(days=180)
    assert drop_inactive(now()) == 0
    clock.advance(seconds=1)
    assert drop_inactive(now()) == 4
    assert lines("threes") == []
    assert len(lines("threes", period="2026")) == 4
    count("threes", result(dan, ada, bob))
    assert {name for _, name, _ in lines("threes")} == {"ada", "bob", "dan"}


def test_ra4_ranks_are_shared_1_2_2_4_and_more_games_come_first() -> None:
    ada, bob, cleo, dan, eve = players("ada", "bob", "cleo", "dan", "eve")
    pairs = [(ada, bob), (ada, cleo), (bob, dan), (bob, eve), (cleo, dan), (cleo, dan)]
    count("threes", *(result(*pair) for pair in pairs))
    assert lines("threes", "wins") == [(1, "bob", 2), (1, "cleo", 2), (1, "ada", 2), (4, "dan", 0), (4, "eve", 0)]


def test_ra4_within_a_rank_and_as_many_games_who_was_there_first_comes_first() -> None:
    ada, bob, cleo, dan = players("ada", "bob", "cleo", "dan")
    count("threes", result(bob, cleo), result(ada, dan))
    assert lines("threes", "wins") == [(1, "bob", 1), (1, "ada", 1), (3, "cleo", 0), (3, "dan", 0)]


def test_ra4_the_percentile_is_the_share_below_with_halves_for_ties() -> None:
    assert selectors.percentile(selectors.Around(0, 1), 20) == Decimal("97.5")
    assert selectors.percentile(selectors.Around(1, 2), 4) == Decimal("50.0")
    assert selectors.percentile(selectors.Around(0, 1), 1) == Decimal("50.0")


def test_ra4_penalty_is_for_three_thirteen_lowest_first() -> None:
    ada, bob = players("ada", "bob")
    count("three_thirteen", *(result(ada, bob, rounds=11, scores=[22, 44]) for _ in range(3)))
    assert lines("three_thirteen", "penalty") == [(1, "ada", 2), (2, "bob", 4)]
    assert not Entry.objects.filter(game="threes").exists()


def test_ra5_a_month_and_a_year_begin_with_fresh_ratings() -> None:
    ada, bob = players("ada", "bob")
    count("threes", result(ada, bob, at=datetime(2026, 12, 31, 23, tzinfo=UTC)))
    count("threes", result(ada, bob, at=datetime(2027, 1, 1, tzinfo=UTC)))
    fresh = rated({ada.pk: (1, Rating()), bob.pk: (2, Rating())})[ada.pk]
    for period in ("2026", "2026-12", "2027", "2027-01"):
        [tally] = read_tallies("threes", [(period, ada.pk)]).values()
        assert (tally.rating, tally.games) == (fresh, 1)
    assert sorted(lines("threes", "games", "2027-01")) == [(1, "ada", 1), (1, "bob", 1)]
    assert lines("threes", "games", "2028") == []


def test_ra6_a_voided_game_counts_no_more_and_a_restored_one_again() -> None:
    ada, bob, cleo = players("ada", "bob", "cleo")
    first, second, third = result(ada, bob), result(bob, cleo), result(cleo, ada)
    count("threes", first, second, third)
    before = stored_rows("threes")
    count("threes", voided(second))
    assert League.objects.get().recompute == 4
    rebuilding.rebuild("threes")
    assert lines("threes", "wins") == [(1, "ada", 1), (1, "cleo", 1), (3, "bob", 0)]
    assert League.objects.get().recompute is None
    count("threes", restored(second))
    rebuilding.rebuild("threes")
    assert stored_rows("threes") == before


def test_ra6_a_board_says_as_of_which_result_it_is(clock: FrozenClock) -> None:
    ada, bob = players("ada", "bob")
    event = result(ada, bob)
    count("threes", event)
    page = selectors.board_page("threes", "wins", "all", limit=10)
    assert (page.counted, page.as_of, page.recomputing) == (1, now(), False)
    count("threes", voided(event))
    assert selectors.board_page("threes", "wins", "all", limit=10).recomputing


def test_ra6_a_renamed_player_keeps_everything_and_a_closed_account_leaves_the_boards() -> None:
    ada, bob, cleo = players("ada", "bob", "cleo")
    count("threes", result(ada, bob, cleo))
    accounts.change_profile(bob, username="robert")
    assert {name for _, name, _ in lines("threes", "games")} == {"ada", "robert", "cleo"}
    before = in_league(cleo, "threes")
    accounts.close(bob)
    assert {name for _, name, _ in lines("threes", "games")} == {"ada", "cleo"}
    after = in_league(cleo, "threes")
    assert before is not None
    assert after is not None
    assert after.tally == before.tally


def test_who_asks_is_left_out_of_the_boards_and_comes_back() -> None:
    ada, bob, cleo = players("ada", "bob", "cleo")
    count("threes", result(ada, bob, cleo))
    accounts.change_profile(bob, preferences={"unlisted": True})
    assert lines("threes", "wins") == [(1, "ada", 1), (2, "cleo", 0)]
    count("threes", result(bob, ada))
    assert len(lines("threes", "wins")) == 2
    accounts.change_profile(bob, preferences={"unlisted": False})
    assert lines("threes", "wins")[0][1:] == ("ada", 1)
    assert len(lines("threes", "wins")) == 3


def test_a_board_of_one_player_and_an_empty_period() -> None:
    ada, bob = players("ada", "bob")
    accounts.change_profile(bob, preferences={"unlisted": True})
    count("threes", result(ada, bob))
    page = selectors.board_page("threes", "wins", "all", limit=10)
    assert [(row.rank, row.percentile) for row in page.rows] == [(1, Decimal("50.0"))]
    assert selectors.board_page("castle", "wins", "all", limit=10).total == 0


def test_a_result_delivered_twice_counts_once() -> None:
    ada, bob = players("ada", "bob")
    count("threes", result(ada, bob))
    before = stored_rows("threes")
    assert update_boards.catch_up() == 0
    assert stored_rows("threes") == before


@hypothesis_settings(**LIMIT)
@given(st.data())
def test_what_is_live_is_what_the_stream_gives_when_it_is_read_again(data: st.DataObject) -> None:
    people = players(*(f"player-{Player.objects.count() + index}" for index in range(6)))
    game = "three_thirteen"
    events = []
    for _ in range(data.draw(st.integers(1, 25))):
        order = data.draw(st.permutations(people))[: data.draw(st.integers(2, 5))]
        scores = [data.draw(st.integers(0, 90)) for _ in order]
        month = data.draw(st.integers(1, 3))
        events.append(result(*order, at=datetime(2026, month, 1, tzinfo=UTC), rounds=3, scores=scores))
    for start in range(0, len(events), 7):
        count(game, *events[start : start + 7])
    live = stored_rows(game)
    rebuilding.rebuild(game)
    assert stored_rows(game) == live
    counts = Count.objects.filter(game=game, board="wins", period="all")
    assert sum(counts.values_list("entries", flat=True)) == len(lines(game, "wins"))


@hypothesis_settings(**LIMIT)
@given(st.lists(st.integers(0, 5), min_size=1, max_size=30), st.integers(1, 7))
def test_pages_follow_each_other_without_a_gap_and_with_the_right_ranks(wins: list[int], limit: int) -> None:
    base = Player.objects.count()
    loser, *people = players(*(f"player-{base + index}" for index in range(len(wins) + 1)))
    period = f"{1000 + base % 9000}"
    at = datetime(int(period), 1, 1, tzinfo=UTC)
    won = [result(one, loser, at=at) for one, times in zip(people, wins, strict=True) for _ in range(times)]
    count("castle", *won, result(loser, people[0], at=at))
    whole = lines("castle", "wins", period)
    values = [value for *_, value in whole]
    assert [rank for rank, *_ in whole] == [1 + sum(other > value for other in values) for value in values]
    seen, cursor, pages = [], None, []
    while True:
        page = selectors.board_page("castle", "wins", period, limit=limit, cursor=cursor)
        pages.append(page)
        seen += [(row.rank, row.player.username, row.value) for row in page.rows]
        if page.next is None:
            break
        cursor = page.next
    assert seen == whole
    for one, following in pairwise(pages):
        assert following.previous is not None
        assert selectors.board_page("castle", "wins", period, limit=limit, cursor=following.previous).rows == one.rows


def test_a_page_around_a_player_has_the_player_in_it() -> None:
    people = players(*(f"player-{index}" for index in range(12)))
    count("threes", *(result(one, people[0]) for one in people[1:]))
    page = selectors.board_page("threes", "games", "all", limit=5, around=people[6].pk)
    assert people[6].username in [row.player.username for row in page.rows]
    assert len(page.rows) == 5


def test_ra4_ranks_from_the_counts_are_those_that_sorting_gives() -> None:
    people = players(*(f"player-{index}" for index in range(9)))
    count("threes", *(result(one, other) for one, other in pairwise(people)))
    for board in ("wins", "games", "streak", "rating"):
        key = selectors.BoardKey("threes", "all", board)
        scores = list(Entry.objects.filter(**key.filters).values_list("score", flat=True))
        asked = sorted({*scores, 0, 1, 2, max(scores, default=0) + 1})
        assert selectors.around(key, asked) == {
            score: selectors.Around(sum(other > score for other in scores), scores.count(score)) for score in asked
        }


@pytest.mark.sampled
def test_results_that_come_while_a_rebuild_runs_are_counted() -> None:
    ada, bob, cleo = players("ada", "bob", "cleo")
    count("threes", *(result(ada, bob) for _ in range(300)))
    added = []

    def report(*_: int) -> None:
        if not added:
            added.append(result(cleo, ada))
            count("threes", added[0])

    rebuilding.rebuild("threes", report=report)
    assert lines("threes", "wins") == [(1, "ada", 300), (2, "cleo", 1), (3, "bob", 0)]
    assert selectors.board_page("threes", "wins", "all", limit=1).counted == 301


@pytest.mark.sampled
def test_a_void_that_comes_while_a_rebuild_runs_leads_to_another_one() -> None:
    ada, bob = players("ada", "bob")
    events = [result(ada, bob) for _ in range(300)]
    count("threes", *events)
    done = []

    def report(*_: int) -> None:
        if not done:
            done.append(True)
            count("threes", voided(events[0]))

    rebuilding.rebuild("threes", report=report)
    assert lines("threes", "wins") == [(1, "ada", 299), (2, "bob", 0)]


@pytest.mark.django_db(transaction=True)
def test_while_a_league_is_rebuilt_no_other_worker_waits_for_it() -> None:
    """Workers that wait time out no turns: two voids in a row would stop the whole service."""
    ada, bob = players("ada", "bob")
    events = [result(ada, bob) for _ in range(3)]
    count("threes", *events)
    count("threes", voided(events[0]))
    with lasting.lock("leagues rebuild threes"):
        begun = monotonic()
        assert tasks.rebuild("threes") == 0
        assert tasks.sweep() == 0
        assert monotonic() - begun < 5
    assert League.objects.get().recompute is not None
    tasks.sweep()
    assert lines("threes", "wins") == [(1, "ada", 2), (2, "bob", 0)]


@pytest.mark.django_db(transaction=True)
def test_ra6_a_page_whose_reading_began_before_a_rebuild_ended_is_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    ada, bob = players("ada", "bob")
    events = [result(ada, bob) for _ in range(3)]
    count("threes", *events)
    count("threes", voided(events[0]))
    read_on = selectors._after

    def after_a_rebuild(*page: Any) -> Any:
        apart(rebuilding.rebuild, "threes")
        return read_on(*page)

    monkeypatch.setattr(selectors, "_after", after_a_rebuild)
    assert lines("threes", "wins") == [(1, "ada", 3), (2, "bob", 0)]
    monkeypatch.setattr(selectors, "_after", read_on)
    assert lines("threes", "wins") == [(1, "ada", 2), (2, "bob", 0)]


def test_ra6_whoever_leaves_or_comes_back_while_a_league_is_counted_again_is_on_its_boards_as_they_want() -> None:
    ada, bob, cleo, dan = players("ada", "bob", "cleo", "dan")
    accounts.change_profile(dan, preferences={"unlisted": True})
    first = [result(ada, dan) for _ in range(5)]
    count("threes", *first, *(result(bob, cleo) for _ in range(10)))
    changed = []

    def report(*_: int) -> None:
        if not changed:
            changed.append(True)
            accounts.close(ada)
            accounts.change_profile(dan, preferences={"unlisted": False})

    rebuilding.rebuild("threes", report=report)
    assert lines("threes", "wins") == [(1, "bob", 10), (2, "cleo", 0), (2, "dan", 0)]


def test_a_rebuild_of_many_players_names_some_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    ada, bob, cleo = players("ada", "bob", "cleo")
    count("threes", result(ada, bob, cleo))
    asked: list[int] = []

    def some(wanted: Collection[UUID]) -> dict[UUID, str]:
        asked.append(len(wanted))
        return accounts.listed_players(wanted)

    monkeypatch.setattr(store, "BATCH", 2)
    monkeypatch.setattr(store, "listed_players", some)
    rebuilding.rebuild("threes")
    assert asked == [2, 1]
    assert rebuilding.differences("threes") == []


def test_ra4_versus_counts_the_games_in_which_both_sat() -> None:
    ada, bob, cleo = players("ada", "bob", "cleo")
    count("threes", result(ada, bob), result(bob, ada, cleo), result([ada, bob], cleo), result(ada, cleo))
    assert profiles.versus(ada, bob) == [profiles.Meetings("threes", 3, 1, 1, 1)]


def test_a_board_says_who_is_nearly_ranked_and_what_is_missing() -> None:
    ada, bob, cleo, _ = players("ada", "bob", "cleo", "dan")
    key = BoardKey("threes", ALL, "rating")
    count("threes", *ten_games(ada, bob, cleo)[:4])
    assert nearly_on(key) == [], "less than half of the games"
    count("threes", *ten_games(ada, bob, cleo)[:5])
    assert {(one.username, why) for one, why in nearly_on(key)} == {
        (name, "One more rated game is needed.") for name in ("ada", "bob", "cleo")
    }
    Player.objects.filter(pk=cleo.pk).update(preferences={"unlisted": True})
    Player.objects.filter(pk=bob.pk).update(is_active=False)
    assert [one.username for one, _ in nearly_on(key)] == ["ada"]
    assert "One more rated game is needed." in Client().get("/leaderboards/threes").content.decode()
    assert nearly_on(BoardKey("threes", ALL, "wins")) == []
