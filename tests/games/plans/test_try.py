"""PL11: `python -m games.plans try`, its answers, errors and exit status."""

import json
import subprocess
import sys

import pytest

from games.rules.cards import PLAIN_DECK
from tests.rules.plans.scene import LOWEST, line

RECORD = {
    "format": "trey-record/1",
    "game": "castle",
    "seats": 2,
    "dealer": 1,
    "shuffles": [list(PLAIN_DECK)],
    "moves": [
        {"seat": 0, "move": "arrange", "face_up": ["8S", "TS", "QS"]},
        {"seat": 1, "move": "arrange", "face_up": ["9S", "JS", "KS"]},
    ],
}
ENTRY = {"record": RECORD, "seat": 0, "plan": {"lines": [line(LOWEST)]}}


def tried(*entries, raw=None):
    """Exit status, answers, standard error."""
    content = raw if raw is not None else "\n".join(map(json.dumps, entries))
    done = subprocess.run(
        [sys.executable, "-m", "games.plans", "try", "-"],
        input=content.encode(),
        capture_output=True,
        check=False,
    )
    return done.returncode, [json.loads(text) for text in done.stdout.splitlines()], done.stderr.decode()


def test_pl11_an_answer_a_line_for_each_entry():
    bad = {**ENTRY, "plan": {"lines": [line(LOWEST), line(LOWEST, to_beat="K")]}}
    none = {**ENTRY, "plan": {"lines": [line("pick_up")]}}
    status, answers, stderr = tried(ENTRY, bad, none)
    assert (status, stderr) == (1, "")
    assert answers[0] == {"line": 0, "move": {"move": "play", "cards": ["3H"]}, "lines": ["plays"]}
    assert answers[1]["error"] == {
        "line": 1,
        "field": "when.to_beat",
        "detail": 'Line 1: when.to_beat must be a list of ranks, or null for nothing to beat, not "K".',
    }
    assert answers[2] == {"line": None, "move": None, "lines": ["not legal"]}


def test_pl11_exit_status_0_where_all_plans_could_be_tried():
    assert tried(ENTRY, {**ENTRY, "seat": 1})[0] == 0


def test_pl11_one_entry_may_stand_on_many_lines():
    status, [answer], _ = tried(raw=json.dumps(ENTRY, indent=1))
    assert (status, answer["line"]) == (0, 0)


def test_pl11_a_refused_move_of_the_record_is_exit_status_1_as_in_replay():
    refused = {**RECORD, "moves": [*RECORD["moves"], {"seat": 1, "move": "play", "cards": ["KS"]}]}
    status, [answer], stderr = tried({**ENTRY, "record": refused})
    assert (status, answer["line"]) == (1, 0)
    assert stderr.startswith("line 1: move 2 of the record is refused: ")


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        ({**ENTRY, "seat": 2}, "There is no seat 2 in this game."),
        ({**ENTRY, "seat": True}, "There is no seat true in this game."),
        ({"record": RECORD, "seat": 0}, "The entry has no plan."),
        ({**ENTRY, "record": {}}, "The record has no format"),
        ([], "An entry must be a JSON object"),
    ],
)
def test_pl11_exit_status_2_where_an_entry_cannot_be_read_and_the_others_still_are(entry, says):
    status, answers, stderr = tried(ENTRY, entry, {**ENTRY, "plan": {"lines": []}})
    assert (status, len(answers)) == (2, 2)
    assert stderr.startswith(f"line 2: {says}") and stderr.count("\n") == 1


def test_pl11_bad_json_is_said_in_a_line():
    status, answers, stderr = tried(raw="{")
    assert (status, answers) == (2, []) and stderr.startswith("line 1: Not JSON")


def test_pl11_the_standard_library_is_enough():
    """With the site packages out of the way."""
    done = subprocess.run(
        [sys.executable, "-S", "-E", "-m", "games.plans", "try", "-"],
        input=json.dumps(ENTRY).encode(),
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
