"""`python -m games.rules replay`: what it prints, its exit status, and what bad input gets (CONTRACT, Records)."""

import json
import subprocess
import sys
from typing import Any

import pytest

from games.rules.cards import PLAIN_DECK

RECORD = {
    "format": "trey-record/1",
    "game": "castle",
    "seats": 2,
    "dealer": 1,
    "shuffles": [list(PLAIN_DECK)],
    "moves": [{"seat": 0, "move": "arrange", "face_up": ["8S", "TS", "QS"]}],
}


def replay(content: bytes | str, *arguments: str) -> tuple[int, list[Any], str]:
    """Exit status, answers, standard error."""
    done = subprocess.run(
        [sys.executable, "-m", "games.rules", "replay", "-", *arguments],
        input=content.encode() if isinstance(content, str) else content,
        capture_output=True,
        check=False,
    )
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()], done.stderr.decode()


def changed(**fields: Any) -> str:
    """The record with some fields changed; ... takes one out."""
    return json.dumps({key: value for key, value in (RECORD | fields).items() if value is not ...})


def test_a_record_is_applied_and_answered_in_a_line():
    status, [answer], stderr = replay(json.dumps(RECORD))
    assert (status, stderr) == (0, "")
    assert answer["applied"] == 1 and answer["error"] is None
    assert answer["view"]["players"][0]["face_up"] == ["8S", "TS", "QS"]
    assert list(answer["legal"]) == ["1"] and answer["legal"]["1"][0]["move"] == "arrange"


def test_one_record_may_stand_on_many_lines():
    assert replay(json.dumps(RECORD, indent=1))[0] == 0


def test_the_first_refused_move_is_named_and_nothing_after_it_is_applied():
    moves = [*RECORD["moves"], {"seat": 0, "move": "fly"}, {"seat": 1, "move": "resign"}]
    status, [answer], _ = replay(changed(moves=moves))
    assert status == 1 and answer["applied"] == 1
    assert answer["error"]["at"] == 1 and answer["error"]["code"] == "malformed"
    assert answer["view"]["status"] == "setup"


@pytest.mark.parametrize(
    "move", [None, 7, {"move": "resign"}, {"seat": 2, "move": "resign"}, {"seat": "0", "move": "resign"}]
)
def test_a_seat_that_is_none_is_a_refusal(move):
    status, [answer], _ = replay(changed(moves=[move]))
    assert status == 1 and answer["error"]["at"] == 0


def test_the_view_of_a_seat_hides_and_the_legal_moves_are_still_everybodys():
    status, [answer], _ = replay(changed(moves=[]), "--seat", "1")
    assert status == 0 and answer["view"]["players"][0]["hand"] is None
    assert sorted(answer["legal"]) == ["0", "1"]


@pytest.mark.parametrize(
    ("unreadable", "said"),
    [
        ("{", "Not JSON"),
        ("[" * 100_000, "nested too deeply"),
        ('{"seats": NaN}', "NaN"),
        (b"\xff\xfe{}", "Not UTF-8"),
        ("7", "a JSON object"),
        (changed(format="trey-record/2"), "format"),
        (changed(game="whist"), "there is no game 'whist'"),
        (changed(seats=6), "seats: Castle is for 2 to 5 players"),
        (changed(seats=...), "seats missing"),
        (changed(dealer=2), "dealer"),
        (changed(dealer=True), "dealer"),
        (changed(options={"decks": 2}), "options.decks"),
        (changed(options=None), "options"),
        (changed(ruleset="2022"), "ruleset"),
        (changed(moves={}), "moves"),
        (changed(shuffles=[]), "no order left"),
        (changed(shuffles=[[*PLAIN_DECK[1:], "XR"]]), "not the 52 cards"),
        (changed(shuffles=[[*PLAIN_DECK[1:], "2s"]]), "'2s' is no card"),
        (changed(shuffles=[PLAIN_DECK[1:]]), "not the 52 cards"),
        (changed(shuffles="2S"), "shuffles"),
    ],
)  # fmt: skip
def test_a_record_that_cannot_be_read_is_said_with_its_line_and_the_others_still_are(unreadable, said):
    raw = unreadable if isinstance(unreadable, bytes) else unreadable.encode()
    good = json.dumps(RECORD).encode()
    status, answers, stderr = replay(b"\n".join([good, raw, good]))
    assert status == 2 and len(answers) == 2
    assert stderr.startswith("line 2: ") and said in stderr and len(stderr.splitlines()) == 1


def test_an_unreadable_record_outweighs_a_refused_move():
    status, answers, _ = replay(changed(moves=[{"seat": 0, "move": "fly"}]) + "\n{")
    assert status == 2 and len(answers) == 1


def test_a_seat_the_game_does_not_have_cannot_be_shown():
    status, answers, stderr = replay(json.dumps(RECORD), "--seat", "2")
    assert status == 2 and not answers and "no seat 2" in stderr


def test_a_file_that_is_not_there_is_said_in_a_line(tmp_path):
    command = [sys.executable, "-m", "games.rules", "replay", str(tmp_path / "none.json")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "No such file" in done.stderr and "Traceback" not in done.stderr
