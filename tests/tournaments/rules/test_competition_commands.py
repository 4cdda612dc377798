"""`python -m tournaments.rules`: what it prints, its exit status, and what bad input gets."""

import json
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import BytesIO, TextIOWrapper
from tempfile import NamedTemporaryFile
from typing import Any

import pytest

from tests.tournaments.rules.notation import document
from tournaments.rules.__main__ import main

RECORD = document("season\nenter ada bob\ng1: ada > bob\nadjust bob 3")
BAD = RECORD | {"log": [*RECORD["log"], {"n": 7}]}
KNOCKOUT = document("knockout advance=1\nenter ada bob\nseed ada bob")


def run(command: str, content: bytes | str, *arguments: str) -> tuple[int, list[Any], str]:
    """Exit status, answers, standard error: as of a process, without the time that it takes to start."""
    out, err = TextIOWrapper(BytesIO(), "utf-8"), TextIOWrapper(BytesIO(), "utf-8", "backslashreplace")
    with NamedTemporaryFile() as file, redirect_stdout(out), redirect_stderr(err):
        file.write(content.encode() if isinstance(content, str) else content)
        file.flush()
        status = main([command, file.name, *arguments])
    out.seek(0)
    err.seek(0)
    return status, [json.loads(line) for line in out.buffer.read().splitlines()], err.read()


def totals(answer: dict[str, Any]) -> list[str]:
    return [row["total"] for row in answer["standings"]]


def test_standings_are_a_line_of_json():
    status, [answer], stderr = run("standings", json.dumps(RECORD))
    assert (status, stderr, list(answer)) == (0, "", ["standings", "bounds"])
    assert answer["standings"][0] == {
        "entrant": "e2",
        "name": "bob",
        "place": 1,
        "total": "6/7",
        "games": 1,
        "byes": 0,
        "adjusted": "3",
        "kept": ["g1"],
        "tie_breaks": {
            "head_to_head": None,
            "wins": "0",
            "countback": ["0", "1"],
            "opponents_strength": "1",
            "timeouts": "0",
        },
        "decided_by": None,
        "status": "in",
    }


@pytest.mark.parametrize(
    ("upto", "names"), [("0", []), ("1", ["e1"]), ("3", ["e1", "e2"]), ("4", ["e2", "e1"]), ("99", ["e2", "e1"])]
)
def test_st11_upto_a_line_and_beyond_the_end_is_the_end(upto, names, capsys, tmp_path):
    (tmp_path / "record.json").write_text(json.dumps(RECORD), encoding="utf-8")
    assert main(["standings", str(tmp_path / "record.json"), "--upto", upto]) == 0
    assert [row["entrant"] for row in json.loads(capsys.readouterr().out)["standings"]] == names


def test_a_line_that_is_bad_is_bad_also_beyond_n():
    status, answers, stderr = run("standings", json.dumps(BAD), "--upto", "1")
    assert (status, answers) == (2, []) and stderr.startswith("line 1: n 5: ")


def lines_of_the_log(record: dict[str, Any]) -> str:
    """The record with each line of its log on a line of its own, the last one an object by itself."""
    head = json.dumps({key: value for key, value in record.items() if key != "log"})
    return head[:-1] + ', "log": [\n' + ",\n".join(json.dumps(line) for line in record["log"]) + "\n]}\n"


@pytest.mark.parametrize(
    "text", [json.dumps(RECORD, indent=2), lines_of_the_log(RECORD), "\ufeff\r\n" + lines_of_the_log(RECORD)]
)
def test_one_record_may_stand_on_many_lines(text):
    status, [answer], stderr = run("standings", text)
    assert (status, stderr, totals(answer)) == (0, "", ["6/7", "4/7"])


@pytest.mark.parametrize(
    "spoil", [lambda text: text[:-3], lambda text: text.replace('"kind"', "kind"), lambda text: text + "]"]
)
def test_a_broken_record_on_many_lines_is_told_of_once(spoil):
    status, answers, stderr = run("standings", spoil(lines_of_the_log(RECORD)))
    assert (status, answers, len(stderr.splitlines())) == (2, [], 1)


def test_the_other_records_of_a_file_with_a_bad_one_are_answered_still():
    good = json.dumps(RECORD)
    status, answers, stderr = run("standings", "\n".join([good, json.dumps(BAD), "", "{oops", good, "7"]))
    assert status == 2 and [totals(answer) for answer in answers] == [["6/7", "4/7"]] * 2
    assert [line.split(":")[0] for line in stderr.splitlines()] == ["line 2", "line 4", "line 6"]


def test_seat_prints_the_next_round():
    status, [answer], stderr = run("seat", json.dumps(KNOCKOUT))
    assert (status, stderr) == (0, "")
    assert answer == {
        "round": 1, "tables": [["e1", "e2"]], "byes": [], "repeats": 0, "cost": None, "q": None, "bound": None,
    }  # fmt: skip


def test_seat_exits_with_2_when_there_is_no_round():
    status, answers, stderr = run("seat", json.dumps(RECORD) + "\n" + json.dumps(KNOCKOUT))
    assert (status, len(answers)) == (2, 1)
    assert stderr == "line 1: A season has no rounds: its entrants open games whenever they like.\n"


ROUND = 'rounds tables={"size":3} rounds=2\nenter ada bob cleo\nround 1: ada bob cleo\ng1 at 1.1: ada > bob > cleo\n'
FINAL = "knockout advance=1\nenter ada bob\nseed ada bob\n"
TWO_TABLES = 'knockout advance=1 tables={"size":2}\nenter ada bob cleo dan\nseed ada bob cleo dan\n'


@pytest.mark.parametrize(
    "text",
    [
        "season\nenter ada bob cleo dan",
        "rounds\nenter ada bob",
        ROUND + "round 2: bob ada cleo",
        ROUND + "finish",
        ROUND + "finish\nreopen\nfinish",
        TWO_TABLES + "round 1: ada dan | bob cleo\ng1 at 1.1: ada > dan",
        FINAL + "round 1: ada bob",
        FINAL + "finish",
    ],
    ids=[
        "a season",
        "a round without a table",
        "beyond rounds",
        "finished",
        "finished again",
        "an open table",
        "the final is seated",
        "a finished knockout",
    ],
)
def test_li3_and_more_seat_exits_with_2_where_there_is_no_next_round(text):
    status, answers, stderr = run("seat", json.dumps(document(text)))
    assert (status, answers, len(stderr.splitlines())) == (2, [], 1)


def test_li3_a_reopened_tournament_has_a_next_round_again():
    status, [answer], _ = run("seat", json.dumps(document(ROUND + "finish\nreopen")))
    assert (status, answer["round"]) == (0, 2)


@pytest.mark.parametrize(
    "content",
    [
        b"\xff\xfe",
        b"[" * 200_000,
        b'{"log":' * 200_000,
        json.dumps(RECORD | {"seed": [[]]}).replace("[[]]", "[" * 50_000 + "]" * 50_000),
        json.dumps(RECORD).replace('"3"', "1" + "0" * 5000),
        json.dumps(RECORD).replace('"3"', '"1' + "0" * 5000 + '"'),
        json.dumps(RECORD).replace('"3"', "NaN"),
        json.dumps(RECORD).replace('"3"', "1e999"),
        json.dumps(RECORD).replace('"n": 4', '"n": Infinity'),
        json.dumps(RECORD).replace('"ada"', '"\\ud800"').replace('"g1"', "1"),
        json.dumps(RECORD | {"settings": {"best": "\u2028\ud800"}}),
        json.dumps(RECORD | {"format": {"\n": "\n"}}),
        b"null",
        b'"trey-tournament/1"',
    ],
)
def test_bad_input_gets_a_sentence_and_never_a_traceback(content):
    status, answers, stderr = run("standings", content)
    assert (status, answers) == (2, [])
    assert stderr.startswith("line 1: ") and stderr.endswith(".\n") and len(stderr.splitlines()) == 1


def test_large_counts_and_names_that_are_no_text_are_answered():
    huge = document("rounds\nenter ada bob cleo\nround 1: ada bob; bye cleo")
    huge["settings"] = {
        "games_per_table": 10**4000,
        "rounds": 10**4000,
        "tables": {"size": 2},
        "points": {"scheme": "wins"},
    }
    huge["log"][0]["name"] = "\ud800"
    status, [answer], _ = run("standings", json.dumps(huge))
    assert status == 0 and answer["bounds"]["e1"]["round"] == [1, 3] and len(answer["standings"][0]["total"]) == 4000
    best = huge | {"settings": huge["settings"] | {"best": 3}}
    assert totals(run("standings", json.dumps(best))[1][0]) == ["3/2", "0", "0"]


def test_a_key_given_twice_counts_with_its_last_value():
    status, [answer], _ = run("standings", json.dumps(RECORD).replace('"points": "3"', '"points": "5", "points": "3"'))
    assert status == 0 and totals(answer) == ["6/7", "4/7"]


@pytest.mark.parametrize(("command", "record"), [("standings", RECORD), ("seat", KNOCKOUT)])
def test_the_standard_library_is_enough(command, record):
    """`-S` leaves site packages out."""
    whole = [sys.executable, "-S", "-E", "-m", "tournaments.rules", command, "-"]
    done = subprocess.run(whole, input=json.dumps(record).encode(), capture_output=True, check=False)
    assert (done.returncode, [json.loads(done.stdout)], done.stderr.decode()) == run(command, json.dumps(record))


def test_a_file_that_is_not_there_is_named(capsys, tmp_path):
    assert main(["standings", str(tmp_path / "nothing.json")]) == 2
    assert "nothing.json: No such file" in capsys.readouterr().err
    assert main(["seat", str(tmp_path)]) == 2


@pytest.mark.parametrize(
    "arguments", [[], ["standings"], ["stand", "-"], ["standings", "-", "--upto", "x"], ["seat", "-", "--upto", "1"]]
)
def test_other_arguments_are_refused(arguments):
    with pytest.raises(SystemExit) as left:
        main(arguments)
    assert left.value.code == 2


def test_a_number_too_long_for_a_count_is_said_without_advice_about_python():
    _, _, stderr = run("standings", json.dumps(RECORD).replace('"n": 4', '"n": 4' + "0" * 5000))
    assert stderr == "line 1: Not JSON: a number of 5001 digits is too long.\n"


def test_a_reader_that_has_left_is_said_in_a_line():
    """As with `standings FILE | head -1`."""
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "tournaments.rules", "standings", "-"]
    content = json.dumps(RECORD).encode()
    done = subprocess.run(command, input=content, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (2, b"standard output: Broken pipe.\n")
