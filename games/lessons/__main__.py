"""`python -m games.lessons show|play|check [GAME]`: the lessons without a server or database (LE4)."""

import argparse
import json
import re
import sys
from collections.abc import Mapping
from typing import Any

from games import notation
from games.lessons import NAMES, Lesson, lesson
from games.lessons.checking import faults

HELP = (
    "Type cards (7H 10D), stock, discard, pile, flip 1, end, out KS; back, skip or quit. Enter shows the table again."
)
_WORDS = {"draw": "stock", "take": "pile", "end": "end_turn"}


def main(arguments: list[str] | None = None) -> int:
    """Return the exit status: 0; 1 for a lesson that teaches something else than it says."""
    parser = argparse.ArgumentParser(prog="python -m games.lessons", description="A first game that teaches.")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, about in (
        ("show", "print a lesson as JSON, one line for each game"),
        ("play", "play a lesson in the terminal"),
        ("check", "check that the rules still do what the lessons say"),
    ):
        command = commands.add_parser(name, help=about)
        command.add_argument("game", choices=NAMES, nargs=None if name == "play" else "?", metavar="GAME")
    given = parser.parse_args(arguments)
    names = NAMES if given.game is None else (given.game,)
    if given.command == "play":
        return _play(lesson(given.game))
    if given.command == "check":
        wrong = [fault for name in names for fault in faults(lesson(name))]
        print("\n".join(wrong or [f"{len(names)} checked: {', '.join(names)}."]))
        return 1 if wrong else 0
    for name in names:
        print(json.dumps(lesson(name).document(), ensure_ascii=False))
    return 0


def _play(taught: Lesson) -> int:
    steps = taught.document()["steps"]
    print(f"{taught.title}. {HELP}")
    at = 0
    try:
        while at < len(steps):
            at = _step(taught, steps, at)
    except (EOFError, KeyboardInterrupt):
        print()
        return 0
    print(f"That was the lesson. Now play one, while `make run` runs: make play GAME={taught.rules.name}")
    return 0


def _step(taught: Lesson, steps: list[dict[str, Any]], at: int) -> int:
    """Play a step until something leads on; return the number of the next one."""
    step = steps[at]
    print(f"\n{notation.table(step['view'], taught.names)}\n\n[{at + 1}/{len(steps)}] {step['say']}")
    while (typed := input("> ").strip()) not in {"back", "skip", "quit"}:
        if not typed:
            return at
        move = read(typed)
        if move is None:
            print(HELP)
        elif is_move(move, step["move"]):
            return _go_on(taught, step, at)
        else:
            print(answer(move, step))
    if typed == "quit":
        raise EOFError
    return max(0, at - 1) if typed == "back" else _go_on(taught, step, at)


def _go_on(taught: Lesson, step: Mapping[str, Any], at: int) -> int:
    for event in step["events"]:
        who = None if event["seat"] is None else f"{taught.names[event['seat']]}:"
        print(" ", notation.sentence(event, taught.names, who=who).replace("you is", "you are"))
    if step["after"]:
        print(step["after"])
    return at + 1


def read(typed: str) -> list[str] | None:
    """The taps that are typed: cards, or one word. None if it is neither."""
    words = typed.lower().replace("go out", "out").split()
    if words[0] == "out" and len(words) == 2:
        return ["go_out", _code(words[1])]
    if words[0] == "flip" and len(words) == 2 and words[1] in {"1", "2", "3"}:
        return [f"down:{int(words[1]) - 1}"]
    word = _WORDS.get(words[0], words[0])
    if len(words) == 1 and word in {"stock", "discard", "pile", "end_turn"}:
        return [word]
    codes = [_code(word) for word in words]
    return codes if all(re.fullmatch(r"[2-9TJQKA][SHDC]|X[RB]", code) for code in codes) else None


def _code(typed: str) -> str:
    return typed.upper().replace("10", "T")


def is_move(taps: list[str], move: Mapping[str, Any]) -> bool:
    """Return whether these taps make the step's move."""
    match move:
        case {"move": "play", "cards": cards} | {"move": "arrange", "face_up": cards}:
            return sorted(taps) == sorted(cards)
        case {"move": "discard", "card": card}:
            return taps == [card]
        case {"move": "go_out", "discard": card}:
            return taps == ["go_out", card]
        case {"move": "flip", "position": position}:
            return taps == [f"down:{position}"]
        case {"move": "draw"}:
            return taps == [move.get("from", "stock")]
    return taps == [{"pick_up": "pile"}.get(move["move"], move["move"])]


def answer(taps: list[str], step: Mapping[str, Any]) -> str:
    """What is said to taps that do not lead on."""
    answers = [step["taps"][tap]["detail"] for tap in taps if tap in step["taps"]]
    return str(next(text for text in (*answers, step["other"], step["say"]) if text))


if __name__ == "__main__":
    sys.exit(main())
