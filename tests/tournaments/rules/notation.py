"""Tournaments in a short notation, for tests and for the worked examples of docs/organise/tournaments.md.

rounds tables={"size":2} rounds=3         the kind, a game other than Threes, and settings as JSON
rounds rounds=3 take=8                    with stages: how many go on, and a line for each that follows
then knockout advance=1                   `carry=true` in one that goes on with fewer
enter ada bob cleo dan eve                e1, e2, e3, ...
seed bob ada cleo dan eve
round 1: ada bob | cleo dan; bye eve
g1 at 1.1: ada > bob                      a result of round 1, table 1; in a season only `g1: ada > bob`
g2 at 1.2, 11 rounds: cleo:22 > dan:33!1  with scores, turns missed, and rounds scored
g3 by ruling: ada > bob = cleo > (dan)    a shared place, and one who was absent
void g1 · restore g1 · void 1.2           by the result's id, or by round and table
adjust ada -1/2 · adjust ada -1/2 in 1    in a stage, as `g4 in 1: ada > bob`
stage 2: ada bob
finish · reopen
ada withdraws · returns · is removed · is reinstated · is replaced by zoe
"""

import json
import re
from typing import Any

SEED = "5f0c7a" + 57 * "0" + "1"
GAMES = ("three_card", "tripp_jokes", "threes", "castle", "three_thirteen")
CHANGES = {"withdraws": "withdrew", "returns": "returned", "is removed": "removed", "is reinstated": "reinstated"}


def document(text: str) -> dict[str, Any]:
    """The record that the notation describes."""
    first, *lines = [line.split("#")[0].strip() for line in text.strip().splitlines()]
    kind, *words = first.split()
    game = words.pop(0) if words and words[0] in GAMES else "threes"
    heads = [_head(kind, words)]
    heads += [_head(*line.split()[1:2], line.split()[2:]) for line in lines if line.startswith("then ")]
    log = _Log()
    for line in filter(None, lines):
        if not line.startswith("then "):
            log.write(line)
    head = {"stages": heads} if len(heads) > 1 or "take" in heads[0] else heads[0]
    return (
        {"format": "trey-tournament/1", "title": "A tournament", "game": game, "seed": SEED} | head | {"log": log.lines}
    )


def _head(kind: str, words: list[str]) -> dict[str, Any]:
    settings = {name: json.loads(value) for name, value in (word.split("=", 1) for word in words)}
    beside = {name: settings.pop(name) for name in ("take", "carry") if name in settings}
    return {"kind": kind, **beside, "settings": settings}


class _Log:
    def __init__(self) -> None:
        self.lines: list[dict[str, Any]] = []
        self.ids: dict[str, str] = {}

    def write(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        match word:
            case "enter":
                self.enter(rest.split())
            case "seed":
                self.add("seeded", order=self.entrants(rest))
            case "stage":
                number, _, names = rest.partition(":")
                self.add("staged", stage=int(number), seeds=self.entrants(names))
            case "round":
                self.seat(rest)
            case "void" | "restore":
                self.rule(word, rest)
            case "adjust":
                self.adjust(*rest.split())
            case "finish" | "reopen":
                self.add(f"{line}ed")
            case _ if rest.startswith("is replaced by"):
                self.add("replaced", entrant=self.ids[word], name=rest.split()[-1])
            case _ if rest in CHANGES:
                self.add(CHANGES[rest], entrant=self.ids[word])
            case _:
                self.result(line)

    def enter(self, names: list[str]) -> None:
        for name in names:
            self.ids[name] = f"e{len(self.ids) + 1}"
            self.add("entered", entrant=self.ids[name], name=name)

    def add(self, type_: str, **fields: Any) -> None:
        n = len(self.lines) + 1
        self.lines.append({"n": n, "at": f"2026-01-02T{n // 60:02}:{n % 60:02}:00Z", "type": type_, **fields})

    def entrants(self, names: str) -> list[str]:
        return [self.ids[name] for name in names.split()]

    def seat(self, rest: str) -> None:
        number, _, seating = rest.partition(":")
        tables, _, byes = seating.partition("; bye ")
        tables_of = [self.entrants(table) for table in tables.split("|") if table.strip()]
        self.add("seated", round=int(number), tables=tables_of, byes=self.entrants(byes))

    def rule(self, word: str, target: str) -> None:
        named = {"id": target}
        if re.fullmatch(r"\d+\.\d+", target):
            named = dict(zip(("round", "table"), map(int, target.split(".")), strict=True))
        self.add(f"{word}ed" if word == "void" else "restored", **named, reason="a ruling")

    def adjust(self, name: str, points: str, *stage: str) -> None:
        named = {"stage": int(stage[-1])} if stage else {}
        self.add("adjusted", entrant=self.ids[name], points=points, reason="a ruling", **named)

    def result(self, line: str) -> None:
        head, _, order = line.partition(": ")
        found = re.fullmatch(r"(\w+)(?: at (\d+)\.(\d+))?(?: in (\d+))?(?:, (\d+) rounds?)?(?: by (\w+))?", head)
        assert found, f"not a line of this notation: {line}"
        result, round_, table, stage, rounds, source = found.groups()
        fields: dict[str, Any] = {"id": result, "source": source or "game", "players": self.players(order)}
        if round_:
            fields |= {"round": int(round_), "table": int(table)}
        if stage:
            fields["stage"] = int(stage)
        if rounds:
            fields["rounds"] = int(rounds)
        self.add("result", **fields)

    def players(self, order: str) -> list[dict[str, Any]]:
        players: list[dict[str, Any]] = []
        place = 1
        for level in order.split(">"):
            together = [self.player(token.strip(), place) for token in level.split("=")]
            players += together
            place += len(together)
        return players

    def player(self, token: str, place: int) -> dict[str, Any]:
        found = re.fullmatch(r"(\w+)(?::(\d+))?(?:!(\d+))?", token.strip("()"))
        assert found, f"no player: {token}"
        name, score, timeouts = found.groups(default="0")
        player = {"entrant": self.ids[name], "place": place, "score": int(score), "timeouts": int(timeouts)}
        return player | ({"absent": True} if token.startswith("(") else {})
