"""Whatever anybody does in whatever order: what is counted agrees with what happened, and the record can be read."""

from collections.abc import Callable
from datetime import timedelta
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stream_scene import ID, NEW_DEALS, OLGA, Scene, ended, no_ratings, player

from core.refusals import Conflict, Refused
from tournaments.stream import (
    Seating,
    Standing,
    Tournament,
    entries,
    fold_all,
    life,
    no_shows,
    outcomes,
    rounds,
)

NAMES = ("ada", "bob", "cleo", "dan", "eve", "fay", "gus", "hal")
KINDS = {
    "rounds": {"settings": {"rounds": 4, "tables": {"size": 3, "min": 2}, "games_per_table": 2}, "limit": 6},
    "knockout": {"settings": {"advance": 1, "tables": {"size": 2}}},
    "season": {"settings": {}, "games": "any"},
    "manual": {"kind": "rounds", "settings": {"tables": {"size": 2}}, "pace": "manual", "late": "bye"},
    "check-in": {"kind": "rounds", "settings": {"tables": {"size": 2}, "rounds": 3}, "check_in": 3600, "limit": 4},
}


def tables_for(t: Tournament, chance: Random) -> Seating:
    """Some seating of those who are in; in a knockout of two thirds of them."""
    keys = [entrant.key for entrant in t.those_in()]
    if len(keys) < 2:
        raise Conflict("no_table", "There is nobody to sit with.")
    chance.shuffle(keys)
    byes = keys[::2][: len(keys) % 2] if t.plan.kind != "knockout" else []
    rest = [key for key in keys if key not in byes]
    if t.plan.kind == "knockout":
        rest = rest[: max(2, len(rest) * 2 // 3 // 2 * 2)]
    return Seating(t.seated + 1, [rest[at : at + 2] for at in range(0, len(rest), 2)], byes)


def any_game(t: Tournament, chance: Random) -> str:
    return chance.choice([*t.games, "g1", "g2"])


def any_entrant(t: Tournament, chance: Random) -> str:
    return chance.choice([*t.entrants, "e99"])


def end_a_game(scene: Scene, chance: Random) -> None:
    still_open = [game for game in scene.t.games.values() if game.is_open]
    if still_open:
        game = chance.choice(still_open)
        scene.do(outcomes.take_in(scene.t, game.id, ended(chance.sample(game.entrants, len(game.entrants)))))
    elif scene.t.plan.kind == "season" and len(scene.t.entrants) > 1:
        keys = chance.sample(list(scene.t.entrants), 2)
        began = scene.now
        scene.now += timedelta(hours=1)
        facts = outcomes.take_in_season(
            scene.t,
            f"g{chance.randrange(5)}",
            ended(keys),
            started_at=began,
            ended_at=scene.now,
            own=chance.random() < 0.5,
        )
        scene.do(facts)


def rule_a_table(scene: Scene, chance: Random) -> None:
    tables = list(scene.t.tables.values())
    if not tables:
        return
    table = chance.choice(tables)
    order = chance.sample(table.entrants, len(table.entrants))
    key = chance.choice([*table.games, f"r{len(scene.events)}"])
    scene.do(outcomes.rule(scene.t, OLGA, table, key, ended(order, "ruling")))


COMMANDS: dict[str, Callable[[Scene, Random], object]] = {
    "open": lambda scene, _: scene.do(life.open_registration(scene.t, OLGA)),
    "start": lambda scene, _: scene.do(life.start(scene.t, OLGA, no_ratings)),
    "enter": lambda scene, chance: scene.enter(chance.choice(NAMES)),
    "enter more": lambda scene, chance: scene.enter(chance.choice(NAMES)),
    "invite": lambda scene, chance: scene.do(
        entries.invite(scene.t, OLGA, player(chance.choice(NAMES)), salt="s", now=scene.now)
    ),
    "bot": lambda scene, _: scene.do(entries.add_bot(scene.t, OLGA, "steady", now=scene.now)),
    "check in": lambda scene, chance: scene.do(
        entries.check_in(scene.t, OLGA, any_entrant(scene.t, chance), now=scene.now)
    ),
    "withdraw": lambda scene, chance: scene.do(
        entries.withdraw(scene.t, OLGA, any_entrant(scene.t, chance), resign=chance.random() < 0.5, now=scene.now)
    ),
    "seat": lambda scene, chance: scene.do(rounds.seat(scene.t, tables_for(scene.t, chance), now=scene.now)),
    "draft": lambda scene, chance: scene.do(rounds.draft(scene.t, OLGA, tables_for(scene.t, chance), now=scene.now)),
    "publish": lambda scene, _: scene.do(rounds.publish(scene.t, OLGA, now=scene.now)),
    "end a game": end_a_game,
    "end another": end_a_game,
    "void": lambda scene, chance: scene.do(outcomes.void(scene.t, OLGA, any_game(scene.t, chance), "wrong deck")),
    "call off": lambda scene, chance: scene.do(outcomes.called_off(scene.t, any_game(scene.t, chance), "by staff")),
    "restore": lambda scene, chance: scene.do(outcomes.restore(scene.t, OLGA, any_game(scene.t, chance), "after all")),
    "rule": rule_a_table,
    "adjust": lambda scene, chance: scene.do(scene.ruled("adjust", entrant=any_entrant(scene.t, chance), points="1/3")),
    "remove": lambda scene, chance: scene.do(scene.ruled("remove", entrant=any_entrant(scene.t, chance))),
    "reinstate": lambda scene, chance: scene.reinstate(any_entrant(scene.t, chance)),
    "replace": lambda scene, chance: scene.replace(any_entrant(scene.t, chance), chance.choice(NAMES)),
    "absent": lambda scene, chance: scene.do(
        no_shows.absent(scene.t, any_entrant(scene.t, chance), any_game(scene.t, chance), "never came", now=scene.now)
    ),
    "finish": lambda scene, _: scene.do(life.finish(scene.t, OLGA, "organiser")),
    "reopen": lambda scene, _: scene.do(life.reopen(scene.t, OLGA, "too early", deals=NEW_DEALS)),
}


def check(scene: Scene) -> None:
    t = scene.t
    holding = [one for one in t.entrants.values() if one.standing in (Standing.IN, Standing.REGISTERED)]
    assert t.places == len(holding)
    assert set(t.queue) == {one.key for one in t.entrants.values() if one.standing is Standing.WAITING}
    assert len(t.queue) == len(set(t.queue))
    for name in NAMES:
        entrant = t.entrant_of(player(name))
        assert entrant is None or entrant.player == player(name)
    assert sum(one.player is not None for one in t.entrants.values()) == sum(bool(key) for key in t.players.values())
    for number, played in t.rounds.items():
        still_open = [table for table in t.tables_of(number) if any(game.is_open for game in t.games_of(table))]
        assert played.open_tables == len(still_open)
        assert (number in t.open_rounds) == (played.closed_at is None)
        if number in t.open_rounds:
            assert still_open, "a round without open tables is closed"
    for table in t.tables.values():
        assert sum(game.counts for game in t.games_of(table)) <= t.plan.per_table
    record = scene.read_record()
    for key, entrant in record.entrants.items():
        assert entrant.is_in == t.entrants[key].is_in or t.entrants[key].standing is Standing.WAITING
    for game in t.games.values():
        assert (game.id in record.results) == (game.result is not None)
        assert game.result is None or record.stands(game.id) == game.counts


def same(one: Tournament, other: Tournament) -> bool:
    parts = ("entrants", "rounds", "tables", "games")
    return all(dict(getattr(one, part)) == dict(getattr(other, part)) for part in parts)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=40)
@given(seed=st.integers(0, 2**32))
def test_what_is_counted_agrees_with_what_happened(kind: str, seed: int) -> None:
    chance = Random(seed)
    scene = Scene(**{"kind": kind, **KINDS[kind]})
    names = list(COMMANDS)
    for step in range(80):
        name = ["open", "enter", "enter", "enter", "enter"][step] if step < 5 else chance.choice(names)
        try:
            COMMANDS[name](scene, chance)
        except (Refused, KeyError):
            continue
        check(scene)
    folded = fold_all(ID, scene.events)
    assert folded is not None
    assert same(folded, scene.t)
    assert folded.places == scene.t.places
