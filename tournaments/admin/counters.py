"""Counter-rulings: the ruling that takes another one back, with its form filled in (LI5)."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from tournaments.admin.rulings import table_choice, tables_lacking_a_result
from tournaments.picture import Picture
from tournaments.picture.rulings import RulingLine
from tournaments.stream.ruled import RULINGS


@dataclass(frozen=True, slots=True)
class Counter:
    """A way to undo a ruling: the text of its link, the ruling to make, and the initial values of its form."""

    text: str
    ruling: str
    begins: Mapping[str, str]


def with_counters(picture: Picture) -> list[tuple[RulingLine, Counter | None]]:
    """Each ruling with the one that takes it back, if there still is one."""
    t = picture.tournament
    if t.status != "running":
        return [(line, None) for line in picture.rulings]
    outcomes = {str(pk): outcome for pk, outcome in t.games.values_list("game", "outcome")}
    standings = {one.key: one.standing for one in picture.entrant_rows}
    off = any(outcomes.get(str(line.data.get("id"))) == "none" for line in picture.rulings)
    lacking = {(row.round, row.number) for row in tables_lacking_a_result(t)} if off else set()
    return [(line, _counter_of(line, outcomes, standings, lacking)) for line in picture.rulings]


def _counter_of(
    line: RulingLine,
    outcomes: Mapping[str, str],
    standings: Mapping[str, str],
    lacking: Collection[tuple[int | None, int | None]],
) -> Counter | None:
    data = line.data
    if line.type in ("voided", "restored", "result"):
        game = str(data["id"])
        if outcomes.get(game) == "void":
            return _back("restore", {"game": game}) if line.type == "voided" else None
        if outcomes.get(game) == "result":
            return _back("void", {"game": game}) if line.type != "voided" else None
        # A game that was called off is not resumed (LI5), but its table can still be ruled.
        place = (data.get("round"), data.get("table"))
        return Counter("Rule the table", "rule_table", {"game": table_choice(*place)}) if place in lacking else None
    if line.type == "adjusted":
        points = str(data["points"])
        return _back("adjust", {"entrant": data["entrant"], "points": points[1:] if points[0] == "-" else f"-{points}"})
    standing = standings.get(data.get("entrant", ""))
    if line.type == "removed" and standing == "removed":
        return _back("reinstate", {"entrant": data["entrant"]})
    if line.type == "reinstated" and standing not in (None, "removed", "gone"):
        return _back("remove", {"entrant": data["entrant"]})
    if line.type == "replaced" and standing == "in" and line.was is not None:
        was = {"player": line.was.player} if line.was.player else {"bot": line.was.bot} if line.was.bot else {}
        return _back("replace", {"entrant": data["entrant"], **{key: value for key, value in was.items() if value}})
    return None


def _back(ruling: str, begins: Mapping[str, str]) -> Counter:
    return Counter(f"Take back: {RULINGS[ruling].title.lower()}", ruling, begins)
