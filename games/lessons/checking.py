"""Whether a lesson still teaches what it says: its script against the rules (LE5)."""

import json
import re
from collections.abc import Iterator

from games.lessons import LEGAL, Lesson, Step
from games.rules.cards import pretty

LONGEST = 240

# The number of rulings under each letter of RULES, and those that a game's lesson teaches (LE6).
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
    """The effects of the step's move, and the types of its events."""
    events = lesson.positions[step.at].events
    effects = [effect for event in events for effect in event["data"].get("effects", [])]
    named = [effect["effect"] for effect in effects] + [f"closed:{one['why']}" for one in effects if "why" in one]
    return [*(event["type"] for event in events), *named]


def _unseen(lesson: Lesson, number: int, step: Step) -> Iterator[str]:
    """A card that is named must be in sight, or come until the next step (LE4)."""
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
