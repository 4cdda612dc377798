import gzip
import re
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import IO, Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console
from rich.progress import track

from core import log

_HEAD = re.compile(r"([a-z][a-z0-9_-]*) ([1-9][0-9]*) ([0-9a-f]{64})")


class Command(BaseCommand):
    help = "Verify the event log, print its heads for publishing, or export it."

    def add_arguments(self, parser: CommandParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True)
        verify = acts.add_parser("verify", help="report what is wrong with the log; exit status 1 if anything is")
        verify.add_argument("stream", nargs="?", help="only this stream, such as game-<id>")
        verify.add_argument("--heads", type=Path, help="a file of heads published earlier: they must still be there")
        verify.add_argument("--export", type=Path, help="verify this export instead of the database")
        acts.add_parser("heads", help="print the head of every stream: name, version, digest; gives nothing away")
        export = acts.add_parser("export", help="write events as JSON, one per line, INCLUDING HIDDEN CARDS AND NONCES")
        export.add_argument("stream", nargs="?", help="only this stream")
        export.add_argument("--output", type=Path, metavar="FILE", help="default: standard output; .gz is compressed")

    def handle(self, *args: Any, **options: Any) -> None:
        match options["act"]:
            case "heads":
                for head in log.heads():
                    self.stdout.write(f"{head.stream} {head.version} {head.digest}")
            case "export":
                self._export(options["output"], options["stream"])
            case _:
                self._verify(options["stream"], options["heads"], options["export"])

    def _export(self, output: Path | None, stream: str | None) -> None:
        if stream is not None and log.head(stream) is None:
            raise CommandError(f"There is no stream {stream}.")
        if output is None:
            for line in log.export(stream):
                self.stdout.write(line)
            return
        # The file gets its name once it is complete, so that an interrupted export is not taken for a whole one.
        unfinished = output.with_name(f"{output.name}.unfinished")
        try:
            with _to_write(unfinished, compressed=output.suffix == ".gz") as file:
                lines = log.export(stream)
                with closing(lines):  # type: ignore[type-var]  # a generator
                    header = _written(lines, file)
            unfinished.replace(output)
        except OSError as error:
            raise CommandError(f"{output} cannot be written: {error.strerror}.") from None
        self.stdout.write(f"{header.events} events exported to {output}.")

    def _verify(self, stream: str | None, heads: Path | None, export: Path | None) -> None:
        if stream and export:
            raise CommandError("Give a stream or an export, not both.")
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
            raise CommandError("The log differs from what was recorded.")
        self.stdout.write("The log is intact.")


def _written(lines: Iterator[str], file: IO[bytes]) -> log.Header:
    first = next(lines)
    header = log.Header.of_line(first)
    file.write(first.encode() + b"\n")
    for line in track(lines, "exporting", total=header.events, console=Console(stderr=True)):
        file.write(line.encode() + b"\n")
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
