"""An export whose digests are right and whose events cannot be: nothing of it is imported."""

import json
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from msgspec import structs
from tournament_scene import Club

from core import clock as service_clock
from core import log
from core.accounts.models import Player
from core.jobs.models import Work
from core.log.export_format import RowChain, read_export
from core.log.sealed import GENESIS, Sealed
from games.models import Game
from tests.emptying import empty_tables
from tournaments import models
from tournaments.leaderboards.models import League
from tournaments.leaderboards.stream import record_result

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def lines(clock: service_clock.FrozenClock) -> list[str]:
    """The export of a tournament with a game that is over and one that runs, and of their league; people remain."""
    club = Club(service_clock.now())
    club.start(*club.people[:4], settings={"rounds": 1, "tables": {"size": 2}})
    club.finish(1)
    record_result.catch_up()
    lines, people = list(log.export()), list(Player.objects.all())
    empty_tables()
    Player.objects.bulk_create(people)
    return lines


def edited(lines: list[str], kind: str, type_: str, edit: Callable[[dict[str, Any]], Any]) -> list[str]:
    """An export in which the first event of a type says something else, with all digests made again."""
    after = log.Header.of_line(lines[0]).events + 1
    events = [Sealed.of_line(line) for line in lines[1:after]]
    stream = next(one.stream for one in events if one.stream.startswith(f"{kind}-") and one.type == type_)
    version = next(one.version for one in events if one.stream == stream and one.type == type_)
    previous = GENESIS
    found = [lines[0]]
    for event in events:
        sealed = event
        if event.stream == stream:
            data = json.loads(event.data)
            if event.version == version:
                edit(data)
            sealed = replace(event, data=log.canonical(data))
            sealed = replace(sealed, digest=sealed.digest_after(previous))
            previous = sealed.digest
        found.append(sealed.line())
    return found + lines[after:]


def imported(lines: list[str]) -> log.Imported:
    return log.import_export(f"{line}\n".encode() for line in lines)


def written() -> dict[str, int]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM log_event")
        events = cursor.fetchone()[0]
    rows = (Game, models.Tournament, Work, League)
    return {"events": events, **{model.__name__: model.objects.count() for model in rows}}


NOTHING = {"events": 0, "Game": 0, "Tournament": 0, "Work": 0, "League": 0}
EDITS: dict[str, tuple[str, str, Callable[[dict[str, Any]], Any]]] = {
    "a game without a key": ("game", "game.opened", lambda data: data.pop("seats")),
    "a game that nobody knows": ("game", "game.opened", lambda data: data.update(game="poker")),
    "a tournament without a plan": ("tournament", "tournament.set_up", lambda data: data.pop("plan")),
    "a tournament with a table too many": ("tournament", "tournament.seated", lambda data: data["tables"].append([])),
    "a tournament with a result of no game": (
        "tournament",
        "tournament.result",
        lambda data: data.update(id="g", round=7),
    ),
}


@pytest.mark.parametrize(("kind", "type_", "edit"), EDITS.values(), ids=EDITS)
def test_an_event_that_cannot_be_is_refused(
    lines: list[str], kind: str, type_: str, edit: Callable[[dict[str, Any]], Any]
) -> None:
    bad = edited(lines, kind, type_, edit)
    assert list(log.verify_export(f"{line}\n".encode() for line in bad)) == [], "the digests are right"
    with pytest.raises(log.CannotImport, match=rf"^The rows of {kind}-\S+ cannot be made"):
        imported(bad)
    assert written() == NOTHING


def test_rows_that_cannot_be_stored_are_refused(lines: list[str]) -> None:
    bad = edited(lines, "tournament", "tournament.set_up", lambda data: data.update(slug="x" * 1000))
    with pytest.raises(log.CannotImport, match=r"^The rows of tournament-\S+ cannot be made \(value too long"):
        imported(bad)
    assert written() == NOTHING


def test_what_is_right_is_imported(lines: list[str]) -> None:
    assert imported(lines).rebuilt == {"game": 2, "league": 1, "tournament": 1}
    assert written() != NOTHING


def test_a_list_of_the_runner_that_cannot_be_stored_is_refused(lines: list[str]) -> None:
    export = read_export(f"{line}\n".encode() for line in lines)
    events = lines[1 : export.header.events + 1]
    deque(export.events, maxlen=0)
    rows = [(row.companion, row.value) for row in export.rows]
    sing = {"kind": "tournament.sing", "key": "1", "data": {}, "due_at": "2026-11-21T12:00:00Z"}
    rows.append(("tournament-tasks", sing))
    counts = Counter(companion for companion, _ in rows)
    header = structs.replace(export.header, companions=export.header.companions | counts)
    chain = RowChain(header)
    bad = [header.line(), *events, *(chain.line(*row) for row in rows)]
    with pytest.raises(log.BadExport, match=rf"^line {len(bad)}: the tournament-tasks up to here cannot be stored"):
        imported(bad)
    assert written() == NOTHING


def test_the_command_says_it_in_one_sentence(lines: list[str], tmp_path: Any) -> None:
    file = tmp_path / "export.jsonl"
    file.write_text("\n".join(edited(lines, "game", "game.opened", lambda data: data.pop("seats"))) + "\n")
    with pytest.raises(CommandError, match=r"The rows of game-\S+ cannot be made"):
        call_command("log", "import", str(file))
    assert written() == NOTHING
