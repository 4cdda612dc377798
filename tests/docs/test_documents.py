"""Every block of every document: commands are run, JSON is compared or parsed, Python is run, the rest says why not."""

import hmac
import json
import os
import re
import shlex
import subprocess
import sys
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection

from core import log
from core.accounts.models import Player
from core.log import event as log_event
from core.log import registry
from games.projections import GAME
from tests.docs.pages import ALL, PAGES, ROOT, Block, blocks, named

MARK = "-- end of block --"
#: Signs up Alice and Bob: other pages go on in that shell.
_SIGNED_UP = [block for block in blocks("docs/build/api.md") if block.language == "sh"][:3]
#: Pages whose commands are run in one shell against a server, and the blocks of another page that go before.
WALKS: dict[str, list[Block]] = {
    "README.md": [],
    "docs/build/api.md": [],
    "docs/build/tournaments-api.md": _SIGNED_UP,
    "docs/play/leaderboards.md": _SIGNED_UP,
    "docs/play/accounts.md": _SIGNED_UP,
    "docs/build/notifications.md": _SIGNED_UP,
    "docs/contribute/log.md": [],
    "docs/operate/operations.md": [],
}
#: Blocks that have a test of their own, which computes what they show.
ELSEWHERE = {
    ("docs/organise/tournaments.md", "text"): "tests/tournaments/rules/test_competition_docs.py",
    ("docs/contribute/log.md", "json"): "tests/core/log/test_log_docs.py",
    ("docs/play/clocks.md", "json"): "tests/games/test_clocks_docs.py",
    ("docs/build/client.md", "json"): "tests/docs/test_client_doc.py",
    ("docs/build/live.md", "text"): "tests/games/live/test_live_docs.py",
    ("docs/build/clients.md", "python"): "tests/clients/test_client_bots.py",
    ("docs/build/clients.md", "ts"): "tests/clients/test_client_bots.py",
    ("docs/build/api.md", "text"): "tests/core/http/test_http_requests.py",
}
RUN_HERE = {"sh", "json", "python", "console"}


def of(language: str) -> list[Block]:
    return [block for block in ALL if block.language == language and (block.page, language) not in ELSEWHERE]


def lacking(shown: Any, real: Any, path: str = "") -> list[str]:
    """Where a response lacks a key that the page shows, or has another kind of value."""
    if isinstance(shown, dict):
        if not isinstance(real, dict):
            return [path]
        return [
            gap
            for key, value in shown.items()
            for gap in (lacking(value, real[key], f"{path}.{key}") if key in real else [f"{path}.{key}"])
        ]
    if isinstance(shown, list):
        return lacking(shown[0], real[0], f"{path}[0]") if shown and real else [] if isinstance(real, list) else [path]
    return [] if shown is None or real is None or type(shown) is type(real) else [path]


def environment() -> dict[str, str]:
    """That of a shell whose `manage.py` finds the database of the tests."""
    database = settings.DATABASES["default"]
    user, name = database["USER"], connection.settings_dict["NAME"]
    password = f":{database['PASSWORD']}" if database["PASSWORD"] else ""
    place = f"?host={database['HOST']}" if database["HOST"].startswith("/") else ""
    host = "" if place else f"{database['HOST']}:{database['PORT']}"
    # The Python of the tests, too: whatever stands in front of another one may be slow to start.
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    return {**os.environ, "PATH": path, "DATABASE_URL": f"postgresql://{user}{password}@{host}/{name}{place}"}


@pytest.mark.slow
@pytest.mark.parametrize("page", WALKS)
@pytest.mark.django_db(transaction=True)
def test_the_commands_of_a_page_run_and_respond_as_it_shows(
    live_server: Any, worker: None, tmp_path: Path, page: str
) -> None:
    shown = [*WALKS[page], *(block for block in blocks(page) if not block.why_not)]
    script = f"\necho; echo '{MARK}'\n".join(block.text for block in shown if block.language == "sh")
    for written, here in (
        ("http://127.0.0.1:8000", live_server.url),
        # Before the interpreter, which may be there itself.
        ("/tmp/", f"{tmp_path}/"),
        (".venv/bin/python", shlex.quote(sys.executable)),
    ):
        script = script.replace(written, here)
    command = ["bash", "-euo", "pipefail", "-c", script]
    done = subprocess.run(command, cwd=ROOT, env=environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    printed = iter(done.stdout.split(MARK))
    for block, after in zip(shown, [*shown[1:], None], strict=True):
        if block.language != "sh":
            continue
        real = next(printed)
        if after is not None and after.language == "json" and after.page == block.page == page:
            assert not lacking(json.loads(after.text), json.loads(real)), f"{named(after)}: {real}"


@pytest.mark.parametrize("block", of("json"), ids=named)
def test_json_is_json(block: Block) -> None:
    assert json.loads(block.text)


@pytest.mark.parametrize("block", of("sh"), ids=named)
def test_commands_are_run_or_say_why_not(block: Block) -> None:
    if block.why_not:
        pytest.skip(f"not run: {block.why_not}")
    assert block.page in WALKS


@pytest.mark.parametrize("block", of("console"), ids=named)
def test_what_is_typed_at_a_terminal_exists(block: Block) -> None:
    """These start servers, or need a person: their targets are compared with the Makefile."""
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    commands = [line.removeprefix("$ ").split("#")[0].split() for line in block.text.splitlines()]
    made = [words[1] for words in commands if words[:1] == ["make"]]
    assert set(made) <= targets
    if others := {words[0] for words in commands if words} - {"make"}:
        pytest.skip(f"not run: {block.why_not or ', '.join(sorted(others))}")


def namespace(game: dict[str, Any]) -> dict[str, Any]:
    """What the Python of the pages refers to."""
    player = Player.objects.get(username="alice")
    later = datetime(2026, 11, 22, tzinfo=UTC)
    decide = {"decide": lambda state: log.Decided([], None)}
    return {"log": log, "GAME": GAME, "game_id": game["id"], "player": player, "now": later, "hmac": hmac, **decide}


@pytest.mark.parametrize("block", of("python"), ids=named)
def test_python_runs(block: Block, game: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    # What a page registers as an example is to be gone afterwards.
    monkeypatch.setattr(registry, "_subscribers", dict(registry._subscribers))
    monkeypatch.setattr(log_event, "_upcasts", {})
    exec(compile(block.text, named(block), "exec"), namespace(game))


@pytest.mark.parametrize("block", [block for block in ALL if block.language not in RUN_HERE], ids=named)
def test_other_blocks_are_proved_elsewhere_or_say_why_not(block: Block) -> None:
    if block.why_not:
        pytest.skip(f"not run: {block.why_not}")
    assert (block.page, block.language) in ELSEWHERE


@pytest.mark.parametrize(("page", "prover"), [(page, path) for (page, _), path in ELSEWHERE.items()])
def test_who_proves_a_page_names_it(page: str, prover: str) -> None:
    assert page in (ROOT / prover).read_text()


@pytest.mark.parametrize("page", PAGES)
def test_every_fence_has_a_language_and_is_closed(page: str) -> None:
    fences = re.findall(r"^ *```.*$", (ROOT / page).read_text(), re.MULTILINE)
    assert len(fences) == 2 * len(blocks(page))


def prose(page: Path) -> str:
    return re.sub(r"^ *```.*?^ *```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)


@cache
def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    links = [link for link in re.findall(r"\]\(([^)\s]+)\)", prose(ROOT / page)) if "://" not in link]
    missing = []
    for link in links:
        path, _, anchor = link.partition("#")
        target = (ROOT / page).parent.joinpath(path) if path else ROOT / page
        if not target.exists() or (anchor and anchor not in anchors(target.resolve())):
            missing.append(link)
    assert not missing


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/contribute/README.md"])
def test_files_and_names_that_a_page_says_to_touch_are_there(page: str) -> None:
    text = (ROOT / page).read_text()
    rooms = ("chats", "config", "core", "games", "tournaments", "tests", "docs", "benchmarks")
    paths = {path for path in re.findall(r"`([\w./-]+)`", text) if path.startswith(tuple(f"{room}/" for room in rooms))}
    assert paths
    assert not [path for path in sorted(paths) if not (ROOT / path).exists()]
    named = re.findall(r"((?:`\w+`(?:, | and | or )?)+)\s+(?:and the [\w ]+ )?in\s+`([\w/]+\.py)`", text)
    for names, path in named:
        held = (ROOT / path).read_text()
        assert not [name for name in re.findall(r"`(\w+)`", names) if name not in held], path
    assert named or page != "CONTRIBUTING.md"
