"""`python -m games.rules replay`: what it prints, its exit status, and what bad input gets (CONTRACT, Records)."""

import json
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import BytesIO, TextIOWrapper
from tempfile import NamedTemporaryFile
from typing import Any

import pytest

from games.rules.__main__ import main
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
    """Exit status, answers, standard error: as of a process, without the time that it takes to start."""
    out, err = TextIOWrapper(BytesIO(), "utf-8"), TextIOWrapper(BytesIO(), "utf-8", "backslashreplace")
    with NamedTemporaryFile() as file, redirect_stdout(out), redirect_stderr(err):
        file.write(content.encode() if isinstance(content, str) else content)
        file.flush()
        status = main(["replay", file.name, *arguments])
    out.seek(0)
    err.seek(0)
    return status, [json.loads(line) for line in out.buffer.read().splitlines()], err.read()


def changed(**fields: Any) -> str:
    """The record with some fields changed; ... takes one out."""
    return json.dumps({key: value for key, value in (RECORD | fields).items() if value is not ...})


def test_a_record_is_applied_and_answered_in_a_line():
    status, [answer], stderr = replay(json.dumps(RECORD))
    assert (status, stderr) == (0, "")
    assert answer["applied"] == 1 and answer["error"] is None
    assert answer["view"]["players"][0]["face_up"] == ["8S", "TS", "QS"]
    assert list(answer["legal"]) == ["1"] and answer["legal"]["1"][0]["move"] == "arrange"


def on_many_lines(record: dict[str, Any]) -> str:
    """The record with each key, and each move, on a line of its own."""
    moves = ",\n".join(json.dumps(move) for move in record["moves"])
    keys = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in record.items() if key != "moves"]
    return "{" + ",\n".join(keys) + ',\n"moves": [\n' + moves + "\n]\n}\n"


@pytest.mark.parametrize("text", [json.dumps(RECORD, indent=1), on_many_lines(RECORD), "\r\n" + on_many_lines(RECORD)])
def test_one_record_may_stand_on_many_lines(text):
    status, [answer], stderr = replay(text)
    assert (status, answer["applied"], stderr) == (0, 1, "")


def test_a_refused_move_of_a_record_on_many_lines_is_named():
    fly = [{"seat": 0, "move": "fly"}, {"seat": 1, "move": "resign"}]
    status, [answer], _ = replay(on_many_lines(RECORD | {"moves": fly}))
    assert (status, answer["error"]["at"]) == (1, 0)


@pytest.mark.parametrize("cut", [2, 10, 30])
def test_a_broken_record_on_many_lines_is_one_error(cut):
    status, answers, stderr = replay("\n\n" + on_many_lines(RECORD)[:-cut])
    assert status == 2 and not answers
    assert stderr.startswith("line 3: Not JSON") and len(stderr.splitlines()) == 1


@pytest.mark.parametrize("broken", ["{", "[", '{"format": "trey-record/1",', "7 8"])
def test_the_first_of_json_lines_may_be_broken(broken):
    good = json.dumps(RECORD)
    status, answers, stderr = replay("\n".join([broken, good, good]))
    assert status == 2 and len(answers) == 2 and stderr.startswith("line 1: Not JSON")


def test_lines_that_are_json_but_no_records_are_refused_one_by_one():
    status, answers, stderr = replay('{"game": "castle"}\n\n[]\n')
    assert status == 2 and not answers
    assert [line.split(":")[0] for line in stderr.splitlines()] == ["line 1", "line 3"]


def test_a_list_of_records_is_refused():
    status, answers, stderr = replay(json.dumps([RECORD, RECORD], indent=1))
    assert status == 2 and not answers and stderr == "line 1: A record must be a JSON object.\n"


def test_an_empty_file_holds_no_record():
    assert replay("\n \n") == (0, [], "")


def test_the_first_refused_move_is_named_and_nothing_after_it_is_applied():
    moves = [*RECORD["moves"], {"seat": 0, "move": "fly"}, {"seat": 1, "move": "resign"}]
    status, [answer], _ = replay(changed(moves=moves))
    assert status == 1 and answer["applied"] == 1
    assert answer["error"]["at"] == 1 and answer["error"]["code"] == "malformed"
    assert answer["view"]["status"] == "setup"


@pytest.mark.parametrize(
    "move", [None, 7, {"move": "resign"}, {"seat": 2, "move": "resign"}, {"seat": "0", "move": "resign"}]
)
def test_a_move_by_an_unknown_seat_is_refused(move):
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
        ('{"seats": ' + "9" * 5000 + "}", "a number of 5000 digits"),
        (b"\xff\xfe{}", "Not UTF-8"),
        ("7", "a JSON object"),
        (changed(options={"a\nb\u2028c": 1}), "a b c"),
        (changed(format="trey-record/2"), "format"),
        (changed(game="whist"), 'There is no game "whist"'),
        (changed(seats=6), "seats: Castle is for 2 to 5 players"),
        (changed(seats=...), "no seats"),
        (changed(dealer=2), "dealer"),
        (changed(dealer=True), "dealer"),
        (changed(options={"decks": 2}), "options.decks"),
        (changed(options=None), "options"),
        (changed(ruleset="2022"), "ruleset"),
        (changed(moves={}), "moves"),
        (changed(shuffles=[]), "needs another one"),
        (changed(shuffles=[[*PLAIN_DECK[1:], "XR"]]), "exactly the 52 cards"),
        (changed(shuffles=[[*PLAIN_DECK[1:], "2s"]]), '"2s" is not a card'),
        (changed(shuffles=[PLAIN_DECK[1:]]), "exactly the 52 cards"),
        (changed(shuffles="2S"), "shuffles"),
    ],
)  # fmt: skip
def test_an_unreadable_record_is_reported_with_its_line_and_the_others_are_replayed(unreadable, said):
    raw = unreadable if isinstance(unreadable, bytes) else unreadable.encode()
    good = json.dumps(RECORD).encode()
    status, answers, stderr = replay(b"\n".join([good, raw, good]))
    assert status == 2 and len(answers) == 2
    assert stderr.startswith("line 2: ") and said in stderr and len(stderr.splitlines()) == 1


def test_json_of_any_depth_gives_one_line():
    record = changed(moves=[{"seat": 0, "move": "@"}])
    depths = range(900, 1001)
    status, answers, stderr = replay("\n".join(record.replace('"@"', "[" * n + "]" * n) for n in depths))
    said = stderr.splitlines()
    assert status == 2 and len(answers) + len(said) == len(depths)
    assert all("nested too deeply" in line for line in said) and all(answer["error"] for answer in answers)


def test_an_unreadable_record_outweighs_a_refused_move():
    status, answers, _ = replay(changed(moves=[{"seat": 0, "move": "fly"}]) + "\n{")
    assert status == 2 and len(answers) == 1


def test_a_seat_the_game_does_not_have_cannot_be_shown():
    status, answers, stderr = replay(json.dumps(RECORD), "--seat", "2")
    assert status == 2 and not answers and "no seat 2" in stderr


def test_the_standard_library_is_enough():
    """`-S` leaves site packages out."""
    command = [sys.executable, "-S", "-E", "-m", "games.rules", "replay", "-"]
    done = subprocess.run(command, input=json.dumps(RECORD).encode(), capture_output=True, check=False)
    assert (done.returncode, [json.loads(done.stdout)], done.stderr.decode()) == replay(json.dumps(RECORD))


def test_a_file_that_is_not_there_is_said_in_a_line(tmp_path):
    command = [sys.executable, "-m", "games.rules", "replay", str(tmp_path / "none.json")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "No such file" in done.stderr and "Traceback" not in done.stderr


def test_a_reader_that_has_left_is_said_in_a_line():
    """As with `replay FILE | head -1`."""
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "games.rules", "replay", "-"]
    content = json.dumps(RECORD).encode()
    done = subprocess.run(command, input=content, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (2, b"standard output: Broken pipe.\n")


def test_a_closed_standard_input_is_said_in_a_line():
    command = f"{sys.executable} -m games.rules replay - <&-"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "-: Bad file descriptor.\n")
