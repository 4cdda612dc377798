"""The rules without a database, a server or settings.

`python -m games.rules replay FILE` replays records; `python -m games.rules check FILE` checks documents of house games;
`python -m games.rules keys` lists what such a document can say.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from core.values import REQUIRED, Value, values_of
from games.rules import PLAYED
from games.rules.record import RecordError, Replay, replay
from games.rules.shedding.document import DEFAULTS, MAX_BYTES, POWERS, HouseRules, read
from games.rules.shedding.sentences import sentences
from games.rules.terminal import Answer, answer_all, documents, parse, run


def main(arguments: list[str] | None = None) -> int:
    """Return the exit status: 0 if all is good, 1 after a refusal, 2 after a bad record or what is no JSON."""
    parser = argparse.ArgumentParser(prog="python -m games.rules", description="The rules, without a server.")
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("replay", help="replay records and print one line of JSON for each")
    command.add_argument("file", help="a file with one record, or with one record per line; - for standard input")
    command.add_argument("--seat", type=int, help="show this seat's view instead of the omniscient one")
    command = commands.add_parser("check", help="check rules of house games and print one line of JSON for each")
    command.add_argument("file", help="a file with one document, or with one per line; - for standard input")
    commands.add_parser("keys", help="list the keys of a house game's document, with their defaults and values")
    given = parser.parse_args(arguments)
    if given.command == "keys":
        print(*_keys(values_of(HouseRules), DEFAULTS), sep="\n")
        return 0
    if given.command == "check":
        return run(given.file, _check)
    return answer_all(given.file, lambda record: _answer(replay(record, PLAYED), given.seat))


def _answer(played: Replay, seat: int | None) -> Answer:
    game, state = played.game, played.state
    view = game.view(state, None)
    if seat is not None and not 0 <= seat < view["seats"]:
        raise RecordError(f"There is no seat {seat} in this game.")
    said = {
        "applied": played.applied,
        "error": played.error,
        "view": view if seat is None else game.view(state, seat),
        "legal": {str(s): game.legal_moves(state, s) for s in sorted({*view["to_act"], *view["may_interrupt"]})},
    }
    return Answer(said, played.error is None)


def _check(content: bytes) -> int:
    checked = [_checked(raw) for _, raw in documents(content)] or [_checked(b"")]
    for said, _ in checked:
        print(json.dumps(said))
    return max(status for _, status in checked)


def _checked(raw: bytes) -> tuple[dict[str, Any], int]:
    """Return what is said of a document, and the exit status for it."""
    if len(raw) > MAX_BYTES:
        return _errors({"": f"Longer than {MAX_BYTES} bytes."}), 1
    try:
        document, faults = read(parse(raw))
    except ValueError as error:
        return _errors({"": str(error)}), 2
    if faults:
        return _errors(faults), 1
    return {"sentences": sentences(document), "rules": document}, 0


def _keys(values: Mapping[str, Value], defaults: Mapping[str, Any], at: str = "") -> Iterator[str]:
    """Lines about the keys of an object: the name, the default, what else it can be, and what it means."""
    for name, one in values.items():
        if name == "powers":
            yield "powers: Lists of powers, by rank; X is the joker."
            yield from (f"  {power}: {name}. {about}".rstrip() for power, (name, about) in POWERS.items())
        elif isinstance(defaults[name], Mapping):
            yield from _keys(values_of(one.type), defaults[name], f"{name}.")
        else:
            default = "needed" if one.default is REQUIRED else json.dumps(defaults[name])
            words = one.words if isinstance(one.words, Mapping) else {}
            bounds = one.words if isinstance(one.words, range) else (one.lowest, one.most)
            can_be = f", {bounds[0]} to {bounds[-1]}" if bounds[-1] else ""
            of = " characters" if one.type is str and one.most else ""
            yield f"{at}{name} ({default}{can_be}{of}): {one.label}"
            yield from (f"  {word}: {said}" for word, said in words.items())


def _errors(faults: dict[str, str]) -> dict[str, Any]:
    return {"errors": [{"path": path, "detail": detail} for path, detail in faults.items()]}


if __name__ == "__main__":
    sys.exit(main())
