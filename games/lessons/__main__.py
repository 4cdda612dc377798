"""`python -m games.lessons show|play|check [GAME]`: the lessons without a server or database."""

import argparse
import json
import re
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from games.lessons import LEGAL, NAMES, Lesson, Step, lesson, taps_of
from games.rules import notation
from games.rules.cards import pretty

HELP = (
    "Type cards (7H 10D), stock, discard, pile, flip 1, end, out KS; back, skip or quit. Enter shows the table again."
)
_WORDS = {"draw": "stock", "take": "pile", "end": "end_turn"}


def main(arguments: list[str] | None = None) -> int:
    """Return the exit status: 0; 1 for a lesson that teaches something else than it says."""
    parser = argparse.ArgumentParser(
        prog="python -m games.lessons", description="Lessons: a first game that teaches the rules."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    for name, about in (
        ("show", "print the lessons as JSON, one line for each game"),
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
    print(f"That was the lesson. Now play a game, while `make run` is running: make play GAME={taught.rules.name}")
    return 0


def _step(taught: Lesson, steps: list[dict[str, Any]], at: int) -> int:
    step = steps[at]
    print(f"\n{notation.table(step['view'], taught.names)}\n\n[{at + 1}/{len(steps)}] {step['say']}")
    while (typed := input("> ").strip()) not in {"back", "skip", "quit"}:
        if not typed:
            return at
        taps = read(typed)
        if taps is None:
            print(HELP)
        elif sorted(taps) == sorted(taps_of(step["move"])):
            return _go_on(step, at)
        else:
            print(answer(taps, step))
    if typed == "quit":
        raise EOFError
    return max(0, at - 1) if typed == "back" else _go_on(step, at)


def _go_on(step: Mapping[str, Any], at: int) -> int:
    for event in step["events"]:
        print(" ", event["said"])
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


def answer(taps: list[str], step: Mapping[str, Any]) -> str:
    answers = [step["taps"][tap]["detail"] for tap in taps if tap in step["taps"]]
    return str(next(text for text in (*answers, step["other"], step["say"]) if text))


LONGEST = 240

# The number of rulings under each letter of RULES, and those that a game's lesson teaches.
RULINGS = {"S": 14, "TC": 10, "TJ": 12, "TH": 13, "CA": 11, "TT": 13}
TAUGHT = {
    "three_card": "S2 S3 S4 S5 TC3 TC4 TC5 TC6 TC7 TC8 TC9",
    "tripp_jokes": "S2 S4 S5 TJ2 TJ3 TJ4 TJ5 TJ6 TJ7 TJ8 TJ9 TJ11",
    "threes": "S2 TH2 TH3 TH4 TH5 TH6 TH7 TH8 TH9 TH10",
    "castle": "S2 S6 CA2 CA3 CA4 CA5 CA6 CA7 CA9 CA10 CA11",
    "three_thirteen": "TT1 TT2 TT3 TT4 TT5 TT6 TT7",
}
_CARD = re.compile(r"(?:10|[2-9JQKA])[♠♥♦♣]")


def faults(lesson: Lesson) -> Iterator[str]:
    """What is wrong with a lesson, a sentence each: the game, the step's `at`, and what was found instead."""
    name = lesson.rules.name
    if lesson.error is not None:
        at, code = lesson.error["at"], lesson.error["code"]
        teaching = max((step.at for step in lesson.steps if step.at <= at), default=0)
        yield f"{name}, step {teaching}: the rules refuse move {at} ({code})."
        return
    for number, step in enumerate(lesson.steps):
        yield from (f"{name}, step {step.at}: {fault}" for fault in _of_step(lesson, number, step))
    taught = {ruling for step in lesson.steps for ruling in step.teaches}
    if missing := [ruling for ruling in TAUGHT.get(name, "").split() if ruling not in taught]:
        yield f"{name}: no step teaches {', '.join(missing)}."
    if (place := _place(lesson)) != 1:
        yield f"{name}: the learner's place is {place}, not the first."


def _of_step(lesson: Lesson, number: int, step: Step) -> Iterator[str]:
    if not step.at < len(lesson.positions) or lesson.record["moves"][step.at]["seat"] != lesson.seat:
        yield "the next move is not the learner's."
        return
    if len(step.say) > LONGEST:
        yield f"say has {len(step.say)} characters, more than {LONGEST}."
    if unknown := [ruling for ruling in step.teaches if not _exists(ruling)]:
        yield f"there is no ruling {', '.join(unknown)}."
    found = _found(lesson, step)
    if missing := [wanted for wanted in step.expects if wanted not in found]:
        yield f"expected {', '.join(missing)}; the move causes {', '.join(found)}."
    taps = lesson.taps(number)
    for tap, code in step.refused.items():
        got = taps.get(tap, {"code": "no answer"})["code"]
        if got != code:
            yield f"a tap on {tap} is to get {code}, and gets {got}."
    if step.other is None and (legal := [tap for tap, answer in taps.items() if answer["code"] == LEGAL]):
        yield f"other says nothing, and {', '.join(legal)} may be tapped too."
    yield from _unseen(lesson, number, step)


def _exists(ruling: str) -> bool:
    parts = re.fullmatch(r"([A-Z]+)(\d+)", ruling)
    return parts is not None and 1 <= int(parts[2]) <= RULINGS.get(parts[1], 0)


def _found(lesson: Lesson, step: Step) -> list[str]:
    events = lesson.positions[step.at].events
    effects = [effect for event in events for effect in event["data"].get("effects", [])]
    named = [effect["effect"] for effect in effects] + [f"closed:{one['why']}" for one in effects if "why" in one]
    return [*(event["type"] for event in events), *named]


def _unseen(lesson: Lesson, number: int, step: Step) -> Iterator[str]:
    """A card that is named must be in sight, or come until the next step."""
    played = lesson.until_next(number)
    view = lesson.rules.view(played[0].state, lesson.seat)
    events = [lesson.rules.redact(event, lesson.seat) for one in played for event in one.events]
    shown = set(re.findall(r'"([2-9TJQKA][SHDC])"', json.dumps([view, events])))
    for card in _CARD.findall(" ".join(text for text in (step.say, step.after, step.other) if text)):
        if card not in {pretty(code) for code in shown}:
            yield f"{card} is named and not in sight."


def _place(lesson: Lesson) -> object:
    view = lesson.rules.view(lesson.end, lesson.seat)
    if view["result"] is not None:
        return next((row["place"] for row in view["result"]["placements"] if row["seat"] == lesson.seat), None)
    return view["players"][lesson.seat].get("place")


if __name__ == "__main__":
    sys.exit(main())
