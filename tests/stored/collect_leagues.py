"""Samples of all events of leagues in their present shape, out of the samples of games. No database is used."""

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

GAMES = ("threes", "three_thirteen")


def games(folder: Path, league: str) -> Iterator[Any]:
    """The finished games of the samples, as the events `game.finished` that the leagues' reactor gets."""
    for path in sorted((folder / "games").glob(f"{league}*.jsonl")):
        first, *lines, _ = map(json.loads, path.read_text().splitlines())
        for line in lines:
            if line["type"] == "game.finished":
                at = datetime.fromisoformat(line["recorded_at"])
                data = line["data"]
                yield SimpleNamespace(type=line["type"], stream_key=first["id"], data=data, recorded_at=at, reason=None)


def sample(folder: Path, league: str) -> list[dict[str, Any]]:
    """Each result, then the first one voided and restored."""
    from core import log
    from tournaments.leaderboards.stream import RESTORED, RESULT, VOIDED, _result

    ended = list(games(folder, league))
    events = [(RESULT, _result(game), game) for game in ended]
    for type_, game in ((VOIDED, ended[0]), (RESTORED, ended[0])):
        events.append((type_, {"game_id": game.stream_key}, game))
    return [
        {
            "data": data,
            "recorded_at": log.time_text(game.recorded_at),
            "schema": log.newest_schema(type_),
            "type": type_,
            "version": version,
        }
        for version, (type_, data, game) in enumerate(events, 1)
    ]


def found(events: list[Any]) -> dict[str, Any]:
    """What the events come to: the results that count, by game, as (player, place, score, lost on time)."""
    from tournaments.leaderboards.rebuilding import _voided
    from tournaments.leaderboards.stream import RESULT, result_in

    voided = _voided(events)
    results = [result_in(event) for event in events if event.type == RESULT]
    return {
        str(result.game_id): [[str(one.player), one.place, one.score, one.lost_on_time] for one in result.players]
        for result in results
        if result.game_id not in voided
    }


def collect(folder: Path) -> None:
    """Write them."""
    (folder / "leagues").mkdir(exist_ok=True)
    for league in GAMES:
        lines = sample(folder, league)
        expected = found([SimpleNamespace(**line) for line in lines])
        text = [json.dumps(line, sort_keys=True) for line in (*lines, expected)]
        (folder / "leagues" / f"{league}.jsonl").write_text("\n".join(text) + "\n")
