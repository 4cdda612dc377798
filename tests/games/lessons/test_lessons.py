"""LE1 to LE6: a first game of each game that teaches its rules, checked against the rules themselves."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import replace
from importlib.resources import files
from types import ModuleType
from typing import Any

import pytest

from games.lessons import NAMES, Lesson, lesson
from games.lessons.__main__ import faults, main
from games.rules import GAMES
from games.rules.shedding.engine import SheddingGame
from games.rules.three_thirteen import decide, state


def script(game: str) -> dict[str, Any]:
    return deepcopy(json.loads((files("games.lessons") / f"{game}.json").read_text()))


@pytest.mark.parametrize("game", GAMES)
def test_le5_each_lesson_teaches_what_it_says(game: str) -> None:
    assert list(faults(lesson(game))) == []


# A ruling, what takes its place, and the step at which its lesson no longer goes as it says.
CHANGED = [
    ("CA3", "castle", {"powers": {"T": ["closes"]}}, 24),
    ("CA5", "castle", {"powers": {"7": []}}, 8),
    ("CA7", "castle", {"turn": {"draw": None}}, 8),
    ("CA9", "castle", {"row": {"out_of_turn": False}}, 21),
    ("CA11", "castle", {"turn": {"failed_flip": "hand"}}, 53),
    ("TH7", "threes", {"row": {"size": None}}, 23),
    ("TH8", "threes", {"turn": {"after_pick_up": "next"}}, 12),
    ("TJ2", "tripp_jokes", {"deal": {"turn_up": False}}, 6),
    ("TJ6", "tripp_jokes", {"turn": {"merge": False}}, 51),
    ("TC4", "three_card", {"powers": {"2": ["may_again"]}}, 12),
    ("TC6", "three_card", {"turn": {"draw": None}}, 13),
    ("TC8", "three_card", {"turn": {"take_up": False}}, 41),
]


@pytest.mark.parametrize(("ruling", "game", "change", "step"), CHANGED, ids=[ruling for ruling, *_ in CHANGED])
def test_le5_a_changed_rule_breaks_the_step_that_teaches_it(
    ruling: str, game: str, change: dict[str, Any], step: int
) -> None:
    rules = GAMES[game]
    assert isinstance(rules, SheddingGame)
    assert any(ruling in step.teaches for step in lesson(game).steps)
    document = rules.variant.document
    document = document | {part: document.get(part, {}) | keys for part, keys in change.items()}
    changed = Lesson(script(game), {game: SheddingGame(replace(rules.variant, document=document))})
    assert next(faults(changed)).startswith(f"{game}, step {step}: ")


def no_final_turns(state: state.State, seat: int, _: object, discarded: int, ended: Any = decide._turn_ended) -> Any:
    return ended(state, seat, None, discarded)


@pytest.mark.parametrize(
    ("ruling", "module", "name", "change", "found"),
    [
        ("TT3", decide, "_check_discard", lambda state, seat, card: None, "step 0: a tap on KS is to get draw_first"),
        ("TT4", state, "wild_rank", lambda number: "K", "step 11: the rules refuse move 13 (not_all_melded)"),
        ("TT5", decide, "_melds_of_all", lambda state, hand, named: [], "step 1: a tap on go_out is to get not_all"),
        ("TT6", decide, "_turn_ended", no_final_turns, "step 5: the rules refuse move 8 (not_your_turn)"),
    ],
    ids=["TT3", "TT4", "TT5", "TT6"],
)
def test_le5_a_changed_rule_of_three_thirteen_breaks_the_step_that_teaches_it(
    ruling: str, module: ModuleType, name: str, change: Any, found: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert any(ruling in step.teaches for step in lesson("three_thirteen").steps)
    monkeypatch.setattr(module, name, change)
    assert next(faults(Lesson(script("three_thirteen")))).startswith(f"three_thirteen, {found}")


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (lambda steps: steps[1].update(say="x" * 241), "step 4: say has 241 characters"),
        (lambda steps: steps[1].update(teaches=["CA2", "CA99"]), "step 4: there is no ruling CA99"),
        (lambda steps: steps[1].update(expects=["closed:ten"]), "step 4: expected closed:ten; the move causes"),
        (lambda steps: steps[1].update(refused={"7H": "hand_first"}), "step 4: a tap on 7H is to get hand_first, and"),
        (lambda steps: steps[1].update(refused={"KD": "hand_first"}), "step 4: a tap on KD is to get hand_first, and"),
        (lambda steps: steps[2].update(other=None), "step 8: other says nothing, and 9D, 9S may be tapped"),
        (lambda steps: steps[2].update(say="Play the 4♣."), "step 8: 4♣ is named and not in sight"),
        (lambda steps: steps[1].update(at=5), "step 5: the next move is not the learner's"),
        (lambda steps: steps.pop(6), "no step teaches CA9"),
    ],
)
def test_le5_a_script_that_says_something_else_is_found_out(change: Callable[[Any], None], found: str) -> None:
    said = script("castle")
    change(said["steps"])
    assert any(found in fault for fault in faults(Lesson(said)))


def test_le5_the_learner_takes_the_first_place() -> None:
    said = script("castle")
    said["record"]["moves"].pop()
    said["steps"].pop()
    assert "castle: the learner's place is None, not the first." in faults(Lesson(said))


def test_le3_a_tap_is_told_what_the_rules_refuse() -> None:
    jack = lesson("threes").document()["steps"][2]["taps"]
    assert jack["JH"] == {"code": "cannot_beat_pile", "detail": "You cannot play J on this pile: it needs 7 or lower."}
    assert jack["8H"] == {"code": "legal", "detail": "8s are too good for this."}
    assert "5C" not in jack, "the step's own move"
    assert not {"discard", "go_out"} & jack.keys(), "Threes has neither"
    opening = lesson("threes").document()["steps"][0]["taps"]
    assert {answer["code"] for answer in opening.values()} == {"legal"}, "in setup always"


@pytest.mark.parametrize("game", NAMES)
def test_le3_the_learner_sees_what_a_player_sees(game: str) -> None:
    taught = lesson(game).document()
    for step in taught["steps"]:
        assert len(step["views"]) == sum("move" in event["data"] for event in step["events"])
        for view in (step["view"], *step["views"]):
            hidden = [player["hand"] for player in view["players"] if player["seat"] != taught["seat"]]
            assert view["result"] is not None or game == "three_thirteen" or hidden == [None] * len(hidden)


def typed(step: dict[str, Any]) -> str:
    """The step's move as one types it."""
    match step["move"]:
        case {"move": "play", "cards": cards} | {"move": "arrange", "face_up": cards}:
            return " ".join(cards)
        case {"move": "discard", "card": card}:
            return str(card).replace("T", "10").lower()
        case {"move": "go_out", "discard": card}:
            return f"go out {card}"
        case {"move": "flip", "position": position}:
            return f"flip {position + 1}"
        case {"move": "draw"}:
            return str(step["move"].get("from", "draw"))
    return "take"


def at_the_terminal(monkeypatch: pytest.MonkeyPatch, lines: list[str]) -> None:
    left: Iterator[str] = iter(lines)

    def answer(_: str) -> str:
        line = next(left, None)
        if line is None:
            raise EOFError
        return line

    monkeypatch.setattr("builtins.input", answer)


@pytest.mark.parametrize("game", NAMES)
def test_le4_a_lesson_is_played_in_the_terminal(
    game: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    steps = lesson(game).document()["steps"]
    at_the_terminal(monkeypatch, [typed(step) for step in steps])
    assert main(["play", game]) == 0
    told = capsys.readouterr().out
    assert all(step["say"] in told for step in steps)
    assert told.endswith(f"make play GAME={game}\n")


def test_le4_one_may_try_go_back_skip_and_stop(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    at_the_terminal(monkeypatch, ["hello", "QC", "skip", "7H", "back", "", "quit", "QC AS 2D"])
    assert main(["play", "castle"]) == 0
    told = capsys.readouterr().out
    assert told.count("Type cards (7H 10D)") == 2, "at the beginning, and for what it cannot read"
    assert "The first play must be of rank 3." in told
    assert told.count("[1/13]") == 3
    assert told.count("[2/13]") == 1


@pytest.mark.parametrize(("arguments", "status"), [(["check"], 0), (["check", "castle"], 0), (["show", "threes"], 0)])
def test_le4_the_commands_end_with_a_status(
    arguments: list[str], status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == status
    assert capsys.readouterr().out.count("\n") == 1


def test_le5_the_check_ends_with_1_and_says_what_it_found(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = script("castle")
    said["steps"][1]["expects"] = ["closed:ten"]
    monkeypatch.setattr("games.lessons.__main__.lesson", lambda game: Lesson(said))
    assert main(["check", "castle"]) == 1
    assert capsys.readouterr().out.startswith("castle, step 4: expected closed:ten; the move causes ")


def test_le4_the_check_runs_as_a_command() -> None:
    checked = subprocess.check_output([sys.executable, "-m", "games.lessons", "check", "castle"], text=True)
    assert checked == "1 checked: castle.\n"
