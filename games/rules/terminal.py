"""The common parts of the command-line tools over records: a file or standard input, strict JSON, an exit status."""

import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple


def run(file: str, work: Callable[[bytes], int]) -> int:
    """Return the exit status of `work` on the content of a file (`-`: standard input).

    It is 2, after one line on standard error, if the file cannot be read or standard output cannot be written.
    """
    try:
        content = _read(file)
    except OSError as error:
        sys.stderr.write(f"{file}: {error.strerror}.\n")
        return 2
    try:
        return work(content)
    except OSError as error:
        sys.stderr.write(f"standard output: {error.strerror}.\n")
        # The rest of the buffer is written at exit: that would fail once more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2


class Answer(NamedTuple):
    """What a tool prints of a document, as JSON. `complaint`: what is wrong with it still, for standard error."""

    said: object
    good: bool = True
    complaint: str | None = None


def answer_all(file: str, answer: Callable[[Any], Answer]) -> int:
    """Print the answer to each document of a file, a line of JSON each.

    Return the exit status: 0, 1 after an answer that is not good, 2 after a document for which `answer` raised
    ValueError, whose text is a sentence for the user.
    """

    def work(content: bytes) -> int:
        status = 0
        for line, raw in documents(content):
            try:
                said, good, complaint = answer(parse(raw))
            except RecursionError:
                complain(line, "The JSON is nested too deeply.")
                status = 2
            except ValueError as error:
                complain(line, str(error))
                status = 2
            else:
                if complaint is not None:
                    complain(line, complaint)
                print(json.dumps(said), flush=True)
                status = max(status, 0 if good else 1)
        return status

    return run(file, work)


def _read(file: str) -> bytes:
    if file != "-":
        return Path(file).read_bytes()
    with open(0, "rb") as standard_input:
        return standard_input.read()


def parse(raw: bytes) -> object:
    """Return the value of a JSON text (RFC 8259; a byte order mark may come first).

    Raises ValueError, whose text is a sentence for the user.
    """
    try:
        return json.loads(raw.decode("utf-8-sig"), parse_constant=_refuse_constant, parse_int=_integer)
    except UnicodeDecodeError:
        raise ValueError("Not UTF-8.") from None
    except RecursionError:
        raise ValueError("The JSON is nested too deeply.") from None
    except ValueError as error:
        raise ValueError(f"Not JSON: {error}.") from None


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not a JSON number")


def _integer(digits: str) -> int:
    try:
        return int(digits)
    except ValueError:
        raise ValueError(f"a number of {len(digits)} digits is too long") from None


def complain(line: int, sentence: str) -> None:
    # The sentence may quote the record, line breaks included.
    print(f"line {line}: {' '.join(sentence.split())}", file=sys.stderr)


def documents(content: bytes) -> Iterator[tuple[int, bytes]]:
    """The documents with the numbers of the lines they begin on: one JSON document, or JSON Lines."""
    lines = [(number, line) for number, line in enumerate(content.split(b"\n"), 1) if line.strip()]
    if lines and (_is_json(content) or not _is_json_lines([line for _, line in lines])):
        yield lines[0][0], content
    else:
        yield from lines


def _is_json_lines(lines: list[bytes]) -> bool:
    """Return whether content that is not JSON as a whole is meant as JSON Lines, rather than as one broken document.

    A line of a broken document is hardly a whole object, unless it is the last move.
    """
    return _is_json(lines[0]) or any(map(_is_document, lines))


def _is_document(line: bytes) -> bool:
    try:
        found = parse(line)
    except ValueError:
        return False
    return isinstance(found, dict) and "move" not in found


def _is_json(raw: bytes) -> bool:
    try:
        parse(raw)
    except ValueError:
        return False
    return True
