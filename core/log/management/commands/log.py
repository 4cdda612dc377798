import gzip
import re
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import IO, Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from core import log

_HEAD = re.compile(r"([a-z][a-z0-9_-]*) ([1-9][0-9]*) ([0-9a-f]{64})")
_STAGES = {"import": "importing events", "export": "exporting"}


class Command(BaseCommand):
    help = "Verify the event log, print its heads to publish them, export it, or import an export."

    def add_arguments(self, parser: CommandParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True)
        verify = acts.add_parser("verify", help="say what is wrong with the log; exit 1 if anything is")
        verify.add_argument("stream", nargs="?", help="this stream only, such as game-<id>")
        verify.add_argument("--heads", type=Path, help="a file of heads published earlier: they must still be there")
        verify.add_argument("--export", type=Path, help="verify this export instead of the database")
        acts.add_parser("heads", help="print the head of every stream: name, version, digest; gives nothing away")
        export = acts.add_parser("export", help="write events as JSON, a line each; HIDDEN CARDS AND NONCES INCLUDED")
        export.add_argument("stream", nargs="?", help="this stream only")
        export.add_argument("--events-only", action="store_true", help="without accounts and the like, for an auditor")
        export.add_argument("--output", type=Path, metavar="FILE", help="default: standard output; .gz is compressed")
        import_ = acts.add_parser("import", help="fill an empty database from an export")
        import_.add_argument("file", type=Path, help="what `log export` wrote, compressed by gzip or not")

    def handle(self, *args: Any, **options: Any) -> None:
        match options["act"]:
            case "heads":
                for head in log.heads():
                    self.stdout.write(f"{head.stream} {head.version} {head.digest}")
            case "export":
                self._export(options["output"], options["stream"], events_only=options["events_only"])
            case "import":
                self._import(options["file"])
            case _:
                self._verify(options["stream"], options["heads"], options["export"])

    def _export(self, output: Path | None, stream: str | None, *, events_only: bool) -> None:
        if stream is not None and log.head(stream) is None:
            raise CommandError(f"There is no stream {stream}.")
        if output is None:
            for line in log.export(stream, events_only=events_only):
                self.stdout.write(line)
            return
        # The file gets its name once it is complete, so that an interrupted export is not taken for a whole one.
        unfinished = output.with_name(f"{output.name}.unfinished")
        try:
            with _to_write(unfinished, compressed=output.suffix == ".gz") as file, _Bars() as bars:
                lines = log.export(stream, events_only=events_only)
                with closing(lines):  # type: ignore[type-var]  # a generator
                    header = _written(lines, file, bars)
            unfinished.replace(output)
        except OSError as error:
            raise CommandError(f"{output} cannot be written: {error.strerror}.") from None
        others = f" and {header.rows} rows of accounts and the like" if header.rows else ""
        self.stdout.write(f"{header.events} events{others} exported to {output}.")

    def _import(self, file: Path) -> None:
        with _Bars() as bars:
            try:
                done = log.import_export(_lines(file), bars)
            except log.BadExport as error:
                raise CommandError(f"{file}, {error}.") from None
            except log.CannotImport as error:
                raise CommandError(str(error)) from None
        self.stdout.write(f"{done.events} events are imported.")
        for kind, count in sorted(done.rebuilt.items()):
            self.stdout.write(f"The rows of {count} {kind if count == 1 else f'{kind}s'} are made.")
        self.stdout.write("Boards and ratings follow as soon as `manage.py follow` runs.")

    def _verify(self, stream: str | None, heads: Path | None, export: Path | None) -> None:
        if stream and export:
            raise CommandError("Name a stream or an export, not both.")
        published = list(_heads(heads)) if heads else []
        problems: Iterable[str]
        if export:
            problems = log.verify_export(_lines(export), published)
        else:
            problems = log.verify(stream, published) if stream else log.verify_all(published)
        sound = True
        try:
            for problem in problems:
                sound = False
                self.stdout.write(problem)
        except log.BadExport as error:
            raise CommandError(f"{export} is not an export of the log: {error}.") from None
        if not sound:
            raise CommandError("The log is not what was recorded.")
        self.stdout.write("The log is sound.")


class _Bars:
    def __init__(self) -> None:
        columns = (TextColumn("{task.description:<20}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        self._progress = Progress(*columns, console=Console(stderr=True))
        self._tasks: dict[str, Any] = {}

    def __enter__(self) -> "_Bars":
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def __call__(self, stage: str, done: int, total: int) -> None:
        if stage not in self._tasks:
            self._tasks[stage] = self._progress.add_task(_STAGES.get(stage, f"rows of {stage}s"), total=total)
        self._progress.update(self._tasks[stage], completed=done)


def _written(lines: Iterator[str], file: IO[bytes], bars: _Bars) -> log.Header:
    first = next(lines)
    header = log.Header.of_line(first)
    total = header.events + header.rows
    file.write(first.encode() + b"\n")
    for count, line in enumerate(lines, 1):
        file.write(line.encode() + b"\n")
        if count % 1000 == 0 or count == total:
            bars("export", count, total)
    return header


def _heads(path: Path) -> Iterator[log.Head]:
    for number, raw in enumerate(_lines(path), 1):
        line = raw.decode(errors="replace").strip()
        if not line or line.startswith("#"):
            continue
        match = _HEAD.fullmatch(line)
        if match is None:
            raise CommandError(f"{path}, line {number}: not a head (name, version, digest).")
        yield log.Head(match[1], int(match[2]), match[3])


def _lines(path: Path) -> Iterator[bytes]:
    try:
        yield from log.lines_of(path)
    except OSError as error:
        raise CommandError(f"{path} cannot be read: {error.strerror or error}.") from None


def _to_write(path: Path, *, compressed: bool) -> IO[bytes]:
    # Readable by its owner alone: it holds everything hidden.
    path.touch(mode=0o600)
    path.chmod(0o600)
    return gzip.open(path, "wb") if compressed else path.open("wb")  # type: ignore[return-value]
