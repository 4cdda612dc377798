"""`python -m games.lab`: simulate games and compare rules, without a server or database."""

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NoReturn

from games.lab.counting import Counted
from games.lab.picture import picture
from games.lab.players import HOUSE_LEVELS, LEVELS, needs_networks
from games.lab.playing import Side
from games.lab.recorded import Recorded, Refused, options_of
from games.lab.report import Report, report, ruled
from games.lab.runs import Records, Run, play_all
from games.rules import GAMES, PLAYED, SetupError
from games.rules.moves import said
from games.rules.terminal import parse

INTERRUPTED = 130
EXAMPLE = """for example, each deal under two rulesets:
  python -m games.lab simulate threes --games 200 --versus 2022
then `python -m games.lab simulate --help` for all options"""


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise Refused(f"{message[0].upper()}{message[1:]}.")


def main(arguments: list[str] | None = None) -> int:
    """Return the exit status: 0, 2 after bad input, 130 if the run was interrupted."""
    try:
        parser = _parser()
        given = parser.parse_args(arguments)
        if given.command is None:
            parser.print_help()
            return 0
        work: Callable[[argparse.Namespace], int] = given.work
        return work(given)
    except Refused as refused:
        sys.stderr.write(" ".join(str(refused).split()) + "\n")
    except OSError as error:
        sys.stderr.write(f"{error.filename or 'standard output'}: {error.strerror}.\n")
    return 2


def _parser() -> Parser:
    parser = Parser(prog="python -m games.lab", description="What effect does a rule have on a game?", epilog=EXAMPLE)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    commands = parser.add_subparsers(dest="command")
    simulate = commands.add_parser("simulate", help="play games and print their figures")
    simulate.set_defaults(work=_simulate)
    simulate.add_argument("game", metavar="GAME", help=", ".join(PLAYED))
    simulate.add_argument("--games", type=int, default=1000, help="how many games on each side (default 1000)")
    simulate.add_argument("--seats", type=int, default=4, help="how many players (default 4)")
    simulate.add_argument("--ruleset", metavar="R", help="the ruleset (default: the game's default)")
    simulate.add_argument("--option", metavar="NAME=VALUE", action="append", default=[], help="an option of the rules")
    simulate.add_argument("--rules", metavar="FILE", type=Path, help="a file with the rules of a house game")
    simulate.add_argument("--versus-rules", metavar="FILE", type=Path, help="a file with the rules of the second side")
    simulate.add_argument("--versus", metavar="R", nargs="?", const="", help="play a second side, with this ruleset")
    simulate.add_argument(
        "--versus-option", metavar="NAME=VALUE", action="append", default=[], help="an option of the second side"
    )
    simulate.add_argument("--bots", metavar="LEVEL", default="plain", help=f"{', '.join(LEVELS)}, or one for each seat")
    simulate.add_argument("--seed", type=_text, default="1", help="any text (default 1)")
    simulate.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="how many processes")
    simulate.add_argument("--records", metavar="FILE", type=Path, help="write the records of the games")
    simulate.add_argument("--versus-records", metavar="FILE", type=Path, help="write the records of the second side")
    simulate.add_argument("--resume", action="store_true", help="continue files of records that were interrupted")
    _add_outputs(simulate)
    figures = commands.add_parser("figures", help="print the figures of recorded games")
    figures.set_defaults(work=_figures)
    figures.add_argument("file", metavar="FILE", help="records, one per line; - for standard input")
    figures.add_argument("--ruleset", metavar="R", help="only games with this ruleset")
    figures.add_argument(
        "--option", metavar="NAME=VALUE", action="append", default=[], help="only games with this option"
    )
    figures.add_argument("--versus", metavar="FILE", help="records of a second side")
    figures.add_argument("--versus-ruleset", metavar="R", help="on the second side, only games with this ruleset")
    figures.add_argument(
        "--versus-option",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="on the second side, only games with this option",
    )
    figures.add_argument("--skip-bad", action="store_true", help="skip lines that cannot be counted")
    _add_outputs(figures)
    return parser


def _text(given: str) -> str:
    try:
        given.encode()
    except UnicodeEncodeError:
        raise argparse.ArgumentTypeError("not UTF-8") from None
    return given


def _add_outputs(command: argparse.ArgumentParser) -> None:
    for name in ("json", "csv", "picture"):
        command.add_argument(f"--{name}", metavar="FILE", help=f"write the {name}; - for standard output")


# Simulated games


def _simulate(given: argparse.Namespace) -> int:
    run = _run(given)
    _check_outputs(given, is_compared=len(run.sides) == 2)
    paths = [given.records, *([given.versus_records] if len(run.sides) == 2 else [])]
    if given.versus_records and len(run.sides) == 1:
        raise Refused("--versus-records needs a second side: --versus or --versus-option.")
    if given.versus_records and given.versus_records == given.records:
        raise Refused("--versus-records must be another file than --records.")
    for option, path in zip(("--records", "--versus-records"), paths, strict=False):
        if path and path.exists() and not given.resume:
            raise Refused(f"{option}: {path} already exists. Continue it with --resume, or choose another file.")
    with ExitStack() as open_files:
        files = [_opened(path, run, side, open_files) for path, side in zip(paths, run.sides, strict=True)]
        counted, is_whole = _played(given, run, files)
    if not counted:
        sys.stderr.write("Interrupted: no game was finished.\n")
        return INTERRUPTED
    if not is_whole:
        sys.stderr.write(f"Interrupted: the figures cover {len(counted)} games.\n")
    columns = list(zip(*counted, strict=True))
    pairs = [(first, second) for first, second in counted] if len(columns) == 2 else None
    found = report(list(zip(run.sides, columns, strict=True)), pairs, seed=run.seed, bots=run.bots)
    _print(given, found)
    return 0 if is_whole else INTERRUPTED


def _opened(path: Path | None, run: Run, side: Side, open_files: ExitStack) -> Records | None:
    return Records(open_files.enter_context(path.open("a+b")), run, side) if path else None


def _played(
    given: argparse.Namespace, run: Run, files: Sequence[Records | None]
) -> tuple[list[Sequence[Counted]], bool]:
    """Return the figures of the games, each on every side, and whether the run came to its end."""
    begin = min(len(file.counted) if file else 0 for file in files)
    counted: list[Sequence[Counted]] = [
        [file.counted[number] for file in files if file is not None] for number in range(begin)
    ]
    try:
        games = play_all(run, workers=given.workers, begin=begin, records=any(files))
        for number, played in enumerate(games, begin):
            for file, record in zip(files, played.records, strict=False):
                if file:
                    file.write(number, record)
            counted.append(played.figures)
            _progress(len(counted), run.games)
    except KeyboardInterrupt:
        _progress(0, run.games)
        return counted, False
    _progress(0, run.games)
    return counted, True


def _progress(played: int, games: int) -> None:
    """Say on a terminal how many games were played; 0 wipes the line."""
    if sys.stderr.isatty() and (played % 10 == 0 or played == games):
        line = f"{played:,} of {games:,} games" if played else ""
        sys.stderr.write(f"\r\033[K{line}")
        sys.stderr.flush()


def _run(given: argparse.Namespace) -> Run:
    if given.game not in PLAYED:
        raise Refused(f"There is no game {said(given.game)}. The games are {', '.join(PLAYED)}.")
    is_house = given.game not in GAMES
    if is_house != (given.rules is not None) or (given.versus_rules and not is_house):
        raise Refused("--rules FILE is needed for a house game, and is not allowed for another game.")
    for name in ("games", "workers"):
        if getattr(given, name) < 1:
            raise Refused(f"--{name} must be 1 or more.")
    options = _document(given.rules) if is_house else options_of(given.game, given.option)
    first = _side(given.game, given.seats, given.ruleset, options, "")
    sides = [first]
    if given.versus is not None or given.versus_option or given.versus_rules:
        own = _document(given.versus_rules) if given.versus_rules else options_of(given.game, given.versus_option)
        changed = {**options, **own}
        sides.append(_side(given.game, given.seats, given.versus or given.ruleset, changed, "--versus: "))
        if sides[0].options == sides[1].options:
            raise Refused("--versus changes nothing: both sides have the same rules.")
    return Run(sides, given.games, given.seed, _bots(given.bots, sides))


def _document(file: Path) -> dict[str, Any]:
    try:
        return {"rules": parse(file.read_bytes())}
    except ValueError as error:
        raise Refused(f"{file}: {error}") from None


def _side(game: str, seats: int, ruleset: str | None, options: Mapping[str, Any], where: str) -> Side:
    try:
        return Side(game, seats, *PLAYED[game].complete_options(seats, ruleset, options))
    except SetupError as error:
        faults = error.faults or [(error.field, error.detail)]
        raise Refused(" ".join(f"{where}{field}: {detail}" for field, detail in faults)) from None


def _bots(given: str, sides: Sequence[Side]) -> list[str]:
    levels, seats = given.split(","), sides[0].seats
    known = HOUSE_LEVELS if sides[0].rules.digest else LEVELS
    for level in levels:
        if level not in known:
            raise Refused(f"--bots: there is no level {said(level)}. The levels are {', '.join(known)}.")
        for side in sides:
            if needs_networks(level, side.rules, side.options):
                raise Refused(f"--bots: {level} has no networks for {ruled(side)}. Compare with weights.")
    if len(levels) not in (1, seats):
        raise Refused(f"--bots names {len(levels)} levels for {seats} seats. Name one, or one for each seat.")
    return levels if len(levels) == seats else levels * seats


# Recorded games


def _figures(given: argparse.Namespace) -> int:
    _check_outputs(given, is_compared=given.versus is not None)
    if given.versus is None and (given.versus_ruleset or given.versus_option):
        raise Refused("--versus-ruleset and --versus-option need --versus.")
    recorded = _recorded(given.file, given.ruleset, given.option, skip_bad=given.skip_bad)
    if given.versus is None:
        found = recorded.report()
    else:
        found = recorded.compared_with(
            _recorded(given.versus, given.versus_ruleset, given.versus_option, skip_bad=given.skip_bad)
        )
    _print(given, found)
    return 0


def _recorded(file: str, ruleset: str | None, options: Sequence[str], *, skip_bad: bool) -> Recorded:
    content = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    recorded = Recorded("standard input" if file == "-" else file, content, ruleset, options, skip_bad=skip_bad)
    if recorded.bad:
        sys.stderr.write(f"{recorded.file}: {recorded.bad} bad line{'s' * (recorded.bad > 1)} left out.\n")
    return recorded


# What is printed


def _check_outputs(given: argparse.Namespace, *, is_compared: bool) -> None:
    if given.picture and not is_compared:
        raise Refused("--picture shows a difference, so it needs --versus.")
    if [given.json, given.csv, given.picture].count("-") > 1:
        raise Refused("Only one of --json, --csv and --picture can go to standard output.")


def _print(given: argparse.Namespace, found: Report) -> None:
    """Print the table, or instead of it what goes to standard output; write the rest to files."""
    texts: dict[str, Callable[[Report], str]] = {"json": Report.as_json, "csv": Report.as_csv, "picture": picture}
    shown = found.table()
    for name, text in texts.items():
        file = getattr(given, name)
        if file == "-":
            shown = text(found)
        elif file:
            Path(file).write_text(text(found), encoding="utf-8")
    sys.stdout.write(shown)


if __name__ == "__main__":
    sys.exit(main())
