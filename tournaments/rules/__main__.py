"""`python -m tournaments.rules standings|seat|stage FILE`: work on a tournament's record, without a database."""

import argparse
import json
import sys
from collections.abc import Iterator
from functools import partial
from typing import Any

from games.rules.terminal import parse, run
from tournaments.rules.cut import next_stage
from tournaments.rules.errors import BadRecord, NoRound, NoStage
from tournaments.rules.fold import read_record, upto
from tournaments.rules.seating import seat
from tournaments.rules.standings import standings_and_bounds


def main(arguments: list[str] | None = None) -> int:
    """Exit status 0: every record was processed; 2: one could not be read, or has no next round or stage."""
    given = _parser().parse_args(arguments)
    return run(given.file, partial(_answer_all, given))


def _answer_all(given: argparse.Namespace, content: bytes) -> int:
    status = 0
    for line, raw in _records(content):
        try:
            answer = _answer(given, _parse(raw))
        except (BadRecord, NoRound, NoStage) as error:
            print(f"line {line}: {error}", file=sys.stderr)
            status = 2
        else:
            print(json.dumps(answer), flush=True)
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tournaments.rules", description="The rules of competing.")
    commands = parser.add_subparsers(dest="command", required=True)
    table = commands.add_parser(
        "standings", help="print the standings and bounds of each record, one line of JSON each"
    )
    table.add_argument("--upto", type=int, metavar="N", help="up to line N of the log instead of the last")
    table.add_argument("--stage", type=int, metavar="N", help="only stage N")
    tables = commands.add_parser("seat", help="print the next round of each record, one line of JSON each")
    stage = commands.add_parser(
        "stage", help="print who is through to the next stage of each record, one line of JSON each"
    )
    stage.add_argument("--early", action="store_true", help="as if the current stage ended now")
    for command in (table, tables, stage):
        command.add_argument("file", metavar="FILE", help="one record, or one per line; - for standard input")
    return parser


def _answer(given: argparse.Namespace, document: object) -> dict[str, Any]:
    record = read_record(document)
    if given.command == "seat":
        return seat(record).as_json()
    if given.command == "stage":
        return next_stage(record, early=given.early).as_json()
    return standings_and_bounds(record if given.upto is None else upto(record, given.upto), given.stage)


def _records(content: bytes) -> Iterator[tuple[int, bytes]]:
    """The records with their line numbers: one record over all lines, or one per line."""
    lines = [(number, line) for number, line in enumerate(content.split(b"\n"), 1) if line.strip()]
    if len(lines) > 1 and (_is_json(content) or not _is_json_lines([line for _, line in lines])):
        yield lines[0][0], content
    else:
        yield from lines


def _is_json_lines(lines: list[bytes]) -> bool:
    """Return whether some line is a record on its own. A log line within a record is an object too."""
    return any(b'"format"' in line and _is_json(line) for line in lines) or _is_json(lines[0])


def _is_json(raw: bytes) -> bool:
    try:
        return isinstance(_parse(raw), dict)
    except BadRecord:
        return False


def _parse(raw: bytes) -> object:
    try:
        return parse(raw)
    except ValueError as error:
        raise BadRecord(str(error)) from None


if __name__ == "__main__":
    sys.exit(main())
