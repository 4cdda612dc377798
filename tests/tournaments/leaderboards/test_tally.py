"""RA2, RA4, RA5: what a league adds up of a player, and who has a rank."""

from datetime import UTC, datetime, timedelta
from fractions import Fraction
from uuid import UUID

import pytest

from tournaments.leaderboards.boards import BOARDS, note_scores, why_unranked
from tournaments.leaderboards.tally import Finisher, Rating, Result, Tally, rated, ratings_after

ADA, BOB, CLEO, DAN = (UUID(int=number) for number in (1, 2, 3, 4))
NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


def result(number: int, *places: tuple[UUID, int], rounds: int | None = None, scores: tuple[int, ...] = ()) -> Result:
    finishers = tuple(
        Finisher(player, place, scores[index] if scores else None) for index, (player, place) in enumerate(places)
    )
    return Result(number, UUID(int=1000 + number), NOON + timedelta(minutes=number), rounds, finishers)


def tally_of(player: UUID, *results: Result) -> Tally:
    tally = Tally()
    for one in results:
        (finisher,) = (finisher for finisher in one.players if finisher.player == player)
        tally.add(one, finisher, Rating())
        note_scores(tally, list(BOARDS.values()), one.number)
    return tally


@pytest.mark.parametrize(
    ("places", "shares"),
    [
        ([1, 2, 3, 4], ["1", "2/3", "1/3", "0"]),
        ([1, 2, 2, 4], ["1", "1/2", "1/2", "0"]),
        ([1, 1], ["1/2", "1/2"]),
    ],
)
def test_ra4_beaten_is_the_share_of_opponents_beaten(places: list[int], shares: list[str]) -> None:
    people = (ADA, BOB, CLEO, DAN)
    one = result(1, *zip(people, places, strict=False))
    assert [tally_of(player, one).mean_beaten for player, _ in zip(people, places, strict=False)] == [
        Fraction(share) for share in shares
    ]


def test_ra5_a_result_counts_in_the_year_and_month_in_which_it_finished_in_utc() -> None:
    late = Result(1, UUID(int=9), datetime(2026, 12, 31, 23, 59, tzinfo=UTC), None, ())
    assert late.periods == ("all", "2026", "2026-12")


def test_ra4_the_streak_is_the_longest_run_of_first_places() -> None:
    places = [1, 1, 2, 1, 1, 1, 2, 1]
    tally = tally_of(ADA, *(result(number, (ADA, place), (BOB, 3 - place)) for number, place in enumerate(places)))
    assert (tally.streak, tally.best_streak, tally.wins) == (1, 3, 6)


def game_of(*finishers: Finisher) -> Result:
    return Result(1, UUID(int=1001), NOON, 11, finishers)


def test_ra1_who_never_came_beat_nobody_and_the_others_are_a_game_without_them() -> None:
    one = game_of(
        Finisher(ADA, 2, 30), Finisher(BOB, 3, 40), Finisher(CLEO, 4, 90, never_came=True, lost_on_time=True),
        Finisher(DAN, 1, 20, never_came=True),
    )  # fmt: skip
    tallies = {player: tally_of(player, one) for player in (ADA, BOB, CLEO, DAN)}
    assert [tally.mean_beaten for tally in tallies.values()] == [1, 0, 0, 0]
    assert [tally.wins for tally in tallies.values()] == [1, 0, 0, 0]
    assert [tally.never_came for tally in tallies.values()] == [0, 0, 1, 1]
    assert [tally.lost_on_time for tally in tallies.values()] == [0, 0, 0, 0]
    assert tallies[ADA].opponents == (BOB,) and tallies[CLEO].opponents == (ADA, BOB, DAN)
    assert tallies[CLEO].mean_penalty == Fraction(90, 11)
    assert one.places == {ADA: 1, BOB: 2, CLEO: 3, DAN: 3}


def test_ra1_who_never_came_has_the_rating_of_the_whole_game_and_the_others_that_of_theirs() -> None:
    before = {ADA: Rating(30.0, 5.0), BOB: Rating(), CLEO: Rating(20.0, 3.0), DAN: Rating(25.0, 2.0)}
    one = game_of(
        Finisher(ADA, 3), Finisher(BOB, 1), Finisher(CLEO, 2, never_came=True), Finisher(DAN, 4, never_came=True)
    )
    whole = rated({player: (place, before[player]) for player, place in {BOB: 1, ADA: 2, CLEO: 3, DAN: 3}.items()})
    theirs = rated({BOB: (1, before[BOB]), ADA: (2, before[ADA])})
    assert ratings_after(one, before) == theirs | {CLEO: whole[CLEO], DAN: whole[DAN]}


def test_ra1_for_one_left_alone_it_is_no_game() -> None:
    one = game_of(Finisher(ADA, 1), Finisher(BOB, 2, never_came=True), Finisher(CLEO, 3, never_came=True))
    assert [finisher.player for finisher in one.counted] == [BOB, CLEO]


def test_ra4_penalty_is_the_mean_per_round_over_all_games() -> None:
    tally = tally_of(
        ADA,
        result(1, (ADA, 1), (BOB, 2), rounds=11, scores=(40, 60)),
        result(2, (ADA, 2), (BOB, 1), rounds=1, scores=(8, 0)),
    )
    assert tally.mean_penalty == Fraction(48, 12)
    assert BOARDS["penalty"].score(tally) < 0


def test_ra2_ranked_takes_ten_games_against_three_opponents_within_180_days() -> None:
    rating = BOARDS["rating"]
    two = [result(number, (ADA, 1), (BOB if number % 2 else CLEO, 2)) for number in range(10)]
    now = two[-1].finished_at
    assert why_unranked(rating, "all", tally_of(ADA, *two[:9]), now) == "One more rated game is needed."
    assert why_unranked(rating, "all", tally_of(ADA, *two), now) == "One more opponent is needed."
    three = tally_of(ADA, *two[:9], result(10, (ADA, 1), (DAN, 2)))
    assert why_unranked(rating, "all", three, now) is None
    later = three.last_at + timedelta(days=180)  # type: ignore[operator]
    assert why_unranked(rating, "all", three, later) is None
    assert "180 days" in str(why_unranked(rating, "all", three, later + timedelta(seconds=1)))
    assert why_unranked(rating, "2026", three, later + timedelta(seconds=1)) is None


def test_ra4_ties_go_to_who_reached_the_value_first() -> None:
    tally = tally_of(ADA, result(3, (ADA, 1), (BOB, 2)), result(5, (ADA, 2), (BOB, 1)))
    assert tally.reached["wins"] == (1, 3)
    assert tally.reached["games"] == (2, 5)
