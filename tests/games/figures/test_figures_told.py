"""What the page of a house game says of its simulated games (HG22): the sentences and warnings, of counted games."""

from fractions import Fraction

from games.figures.told import Told
from games.lab.counting import Counted


def game(*, turns: int = 40, moves: int = 100, won: bool = False, ended: str = "out", **closings: int) -> Counted:
    closed = {f"closings.{why}": times for why, times in closings.items()}
    points = Fraction(1) if won else Fraction(1, 3)
    return {"moves": moves, "hand_overs": turns, "points.1": points, f"ended.{ended}": 1, **closed}


def test_hg22_four_sentences_how_long_how_it_ends_who_wins_and_what_closes() -> None:
    games = [game(turns=40 if n < 180 else 60, won=n < 50, ten=2, four_in_a_row=1) for n in range(200)]
    told = Told(games, 4)
    assert told.sentences == [
        "In 200 simulated games among four simple players a game takes 42 turns, and one in ten more than 40.",
        "Every game ends as it should: somebody gets rid of all cards.",
        "The first seat, to the dealer's left, wins 25 % of them, which may be chance: an equal share is 25 %.",
        "The pile is cleared 3.0 times a game: 2.0 times by a 10 and 1.0 times by four in a row.",
    ]
    assert list(told.warnings) == []


def test_hg22_the_first_seat_wins_more_often_than_chance() -> None:
    assert "wins 40 % of them, more often than chance" in Told([game(won=n < 80) for n in range(200)], 4).sentences[2]
    assert "wins 5 % of them, less often than chance" in Told([game(won=n < 10) for n in range(200)], 4).sentences[2]


def test_hg22_more_than_one_in_twenty_that_stands_still_is_a_warning() -> None:
    still = [game(ended=("agreed", "stalemate", "limit")[n % 3]) for n in range(11)]
    rest = [game() for _ in range(190)]
    assert list(Told([*still[:10], *rest], 4).warnings) == []
    (warning,) = Told([*still, *rest], 4).warnings
    assert warning.startswith("In 5 % of these games")
    # It begins with a word: the sentence before it ends with a number.
    assert Told([*still, *rest], 4).sentences[1] == (
        "Of these, 95 % end as they should and 5 % because they stand still."
    )


def test_hg22_one_game_that_stands_still_is_not_said_to_be_none() -> None:
    told = Told([game(ended="stalemate"), *(game() for _ in range(199))], 4)
    assert told.sentences[1] == "Of these, 99.5 % end as they should and 0.5 % because they stand still."


def test_hg22_a_game_of_more_than_500_moves_is_a_warning() -> None:
    assert list(Told([game(moves=500), game()], 4).warnings) == []
    assert list(Told([game(moves=501), game()], 4).warnings) == ["One of these games took 501 moves."]


def test_a_set_out_of_turn_is_read_as_one() -> None:
    closed = Told([game(set_of_four=1), game(set_of_four=1)], 2).sentences[3]
    assert closed == "The pile is cleared 1.0 times a game: 1.0 times by a set of four."


def test_nothing_closes_the_pile() -> None:
    assert Told([game(), game()], 2).sentences[3] == "Nothing clears the pile."


def test_the_picture_shows_each_game_once() -> None:
    picture = Told([game(turns=turns) for turns in (10, 10, 30)], 4).picture()
    assert "3 games of 10 to 30 turns" in picture
    assert picture.count("<rect") == 12
