"""The turning moments of a game: what was called (TC10), the largest pick-up, the last blind card, the worst round."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from games import notation
from games.rules.cards import rank_word
from games.wording import counted


class Moment(NamedTuple):
    version: int
    said: str


def moments(events: Iterable[Mapping[str, Any]], names: Sequence[str]) -> list[Moment]:
    """The moments in their order, of each sort one: the largest of a size, the last of what was called."""
    found: dict[str, Moment] = {}
    most = worst = 0
    for event in events:
        version, data = event["version"], event["data"]
        for name, said in _calls(data, event["seat"], names):
            found[name] = Moment(version, said)
        for effect in data.get("effects", ()):
            if effect["effect"] == "picked_up" and len(effect["cards"]) > most:
                most = len(effect["cards"])
                who = names[effect["seat"]]
                found["picked_up"] = Moment(version, f"{who} took {counted(most, 'card')}, the most at once.")
        if data.get("move", {}).get("move") == "flip":
            found["flip"] = Moment(version, _flip(data["effects"], names[event["seat"]]))
        for seat, score in enumerate(data.get("scores", ())):
            if score["penalty"] > worst:
                worst = score["penalty"]
                said = f"Round {data['round']} cost {names[seat]} {worst} points, the most of all."
                found["round"] = Moment(version, said)
    return sorted(found.values())


def _calls(data: Mapping[str, Any], seat: int, names: Sequence[str]) -> Iterable[tuple[str, str]]:
    for name in data.get("calls", ()):
        for at in data.get("who_dealt") or (seat,):
            # Of these two the sentence names who it is.
            said = notation.call(name, names[at])
            whole = {"on_the_train": f"{said}.", "who_dealt": said}
            yield name, whole.get(name, f"{names[at]}: {said}")


def _flip(effects: Sequence[Mapping[str, Any]], who: str) -> str:
    told = {effect["effect"]: effect for effect in effects}
    fits = "laid" in told
    card = told["laid"]["cards"][0] if fits else (told.get("lifted") or told["shown"])["card"]
    how = ", and out" if "out" in told else "" if fits else ", which did not fit"
    return f"The last blind card was {who}'s: {rank_word(card[0])}{how}."
