from dataclasses import dataclass
from typing import Any

from tournaments.models import TournamentGame
from tournaments.picture.numbers import NONE
from tournaments.picture.picture import Picture
from tournaments.stream import Status


@dataclass(frozen=True, slots=True)
class Cell:
    """A round of an entrant: `text` for the eye, `said` for a screen reader."""

    text: str
    said: str


ABSENT = Cell("abs", "absent")


def progress(picture: Picture) -> dict[str, Any] | None:
    """Rounds x entrants: places taken, games running, byes; in the order of the standings."""
    rounds = list(reversed(picture.rounds))
    if not rounds:
        return None
    called_off = picture.tournament.status == Status.CANCELLED
    cells: dict[tuple[str, int | None], list[Cell]] = {}
    for game in picture.games:
        for key in game.entrants:
            cells.setdefault((key, game.round), []).append(_cell(game, key, called_off=called_off))
    for one in rounds:
        for name in one.byes:
            cells[name.key, one.number] = [Cell("bye", "bye")]
    names = [row.name for row in picture.rows]
    return {
        "rounds": rounds,
        "absent": any(one == ABSENT for found in cells.values() for one in found),
        "rows": [(name.text, [cells.get((name.key, one.number), []) for one in rounds]) for name in names],
    }


def _cell(game: TournamentGame, key: str, *, called_off: bool) -> Cell:
    if game.outcome == "open":
        return Cell(NONE, "called off") if called_off else Cell("…", "running")
    if game.outcome != "result":
        return Cell("✕", "void")
    row = next((row for row in (game.result or {}).get("players", ()) if row["entrant"] == key), None)
    if row is None or row.get("absent"):
        return ABSENT
    return Cell(str(row["place"]), f"place {row['place']}")
