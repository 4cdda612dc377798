"""Recorded whole games: after every move, everybody is shown exactly what the golden file says.

Changed on purpose? `python -m tests.rules.golden` remakes the files; the difference in git then shows what changed.
"""

import pytest

from games.rules import GAMES
from tests.rules.golden.looks import FOLDER, RECORDED, lines_of, read


@pytest.mark.parametrize("name", list(RECORDED))
def test_a_recorded_game_still_shows_everybody_the_same_after_every_move(name):
    golden = read(name)
    now = lines_of(golden[0])
    for at, (recorded, line) in enumerate(zip(golden[1:], now[1:], strict=True)):
        assert line == recorded, f"{name}.jsonl, line {at + 2}: the look of the game after {at} moves"


def test_every_game_is_recorded_to_its_end_and_no_file_is_forgotten():
    assert {path.stem for path in FOLDER.glob("*.jsonl")} == set(RECORDED)
    assert {recorded.game for recorded in RECORDED.values()} == set(GAMES)
    assert all(read(name)[-1]["changed"]["table/status"] == "finished" for name in RECORDED)
