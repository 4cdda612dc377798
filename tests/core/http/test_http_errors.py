"""docs/build/errors.toml lists every code that the code can raise, and no other."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from core.http.problems import CODES, listed

ROOT = Path(__file__).parents[3]
ROWS = [(code, *row) for part in listed().values() for code, row in part.items()]
RAISERS = {
    "invalid",
    "Problem",
    "IllegalMove",
    "Reason",
    "Refused",
    "Invalid",
    "Forbidden",
    "NotFound",
    "Conflict",
    "Stale",
    "TooMany",
    "Illegal",
    "KeyReused",
    "named",
}
#: games.services.terms, core.text and core.notifications.endpoints give them, made of what is wrong.
DERIVED = {
    "webhook_limit",
    "chat_limit",
    "bad_webhook",
    "bad_chat",
    "unknown_game",
    "bad_seats",
    "bad_ruleset",
    "bad_options",
    "bad_visibility",
    "bad_rated",
    "bad_clock",
    "bad_plans",
    "bad_reason",
}


@cache
def raised() -> list[tuple[str, str]]:
    """Each code that stands in the source, and where."""
    return list(found())


def files() -> list[Path]:
    files = {file for app in ("chats", "core", "games", "tournaments") for file in (ROOT / app).rglob("*.py")}
    # The lab's command line refuses in a sentence.
    return sorted({*files, ROOT / "config" / "gateway.py"} - {ROOT / "games" / "lab" / "__main__.py"})


def timed_in(node: ast.AST) -> Iterator[str]:
    """The code of a refusal that says when to try again."""
    if isinstance(node, ast.Call) and any(
        each.arg == "headers" and re.search("Retry-After|'RETRY'", ast.dump(each)) for each in node.keywords
    ):
        yield from codes_in(node)


def found() -> Iterator[tuple[str, str]]:
    for file in files():
        for node in ast.walk(ast.parse(file.read_text())):
            for code in codes_in(node):
                yield code, f"{file.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}"


def codes_in(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Call) and node.args:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", None)
        # `named` of the tournaments' stream takes its code third; others of the name refuse nothing.
        first = node.args[0] if name != "named" else node.args[2] if len(node.args) == 4 else None
        # The queue has a Stale of its own, which is not a refusal of a request and takes a sentence.
        of_the_queue = isinstance(node.func, ast.Attribute) and getattr(node.func.value, "id", None) == "work"
        if name in RAISERS and not of_the_queue and isinstance(first, ast.Constant) and isinstance(first.value, str):
            yield first.value
    if isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            is_code = isinstance(key, ast.Constant) and key.value == "code"
            is_word = isinstance(value, ast.Constant) and re.fullmatch(r"[a-z_]+", str(value.value))
            # Others are codes that people type.
            if is_code and is_word:
                yield value.value


def test_every_code_in_the_source_is_listed() -> None:
    codes = {code for code, *_ in ROWS}
    missing = {code: where for code, where in raised() if code not in codes}
    assert not missing
    assert codes >= set(CODES) | DERIVED


def test_no_code_is_listed_that_nothing_gives() -> None:
    codes = [code for code, *_ in ROWS]
    assert len(codes) == len(set(codes))
    assert not set(codes) - {code for code, _ in raised()} - set(CODES) - DERIVED


def test_what_says_when_to_try_again_is_what_is_told_when() -> None:
    timed = {code for file in files() for node in ast.walk(ast.parse(file.read_text())) for code in timed_in(node)}
    assert {"busy", "game_limit", "too_many_requests", "too_many_streams", "unavailable"} <= timed
    assert {code for code, _, meaning in ROWS if "`Retry-After`" in meaning} == timed


def test_the_statuses_listed_are_those_given() -> None:
    statuses = {code: status for code, status, _ in ROWS}
    assert {code: statuses[code] for code in CODES} == CODES
