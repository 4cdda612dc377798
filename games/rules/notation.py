"""Games as plain text: the table, the cards, the result, the turning moments.

Works on what the API returns (views, moves and events as JSON), so that a program without a database can show a table
just as the server's own commands do. `names` are the players' names in seat order.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from games.rules import game_of
from games.rules.cards import RANKS, pretty, rank_word, row
from games.rules.events import call
from games.rules.words import counted

HIDDEN = "▒▒"
GONE = "··"
MOST_OF_PILE = 6
_ACE_HIGH, _ACE_LOW = f"X{RANKS}", f"XA{RANKS[:-1]}"


def low_to_high(codes: Iterable[str], *, ace_low: bool) -> list[str]:
    """Cards by rank. Aces are high in the shedding games (S9), and low in Three Thirteen (TT1)."""
    ranks = _ACE_LOW if ace_low else _ACE_HIGH
    return sorted(codes, key=lambda code: (ranks.index(code[0]), code[1]))


def hand(codes: Iterable[str] | None, count: int = 0, *, ace_low: bool = False) -> str:
    if codes is None:
        return " ".join([HIDDEN] * count)
    return row(low_to_high(codes, ace_low=ace_low))


def table(view: Mapping[str, Any], names: Sequence[str]) -> str:
    """The table as a viewer sees it: one line about the game, the middle, and one line for each seat."""
    middle = _pile if "pile" in view else _round
    width = max(len(name) for name in names)
    lines = [_headline(view, names), *middle(view)]
    for player in view["players"]:
        seat = player["seat"]
        mark = "▶" if seat in view["to_act"] else " "
        lines.append(f"{mark} {seat} {names[seat]:<{width}}  {_seat(player)}".rstrip())
    return "\n".join(lines)


def asks_for(view: Mapping[str, Any]) -> str:
    """Return what a shedding game's pile asks for: "Play 7 or lower."."""
    beat = view["to_beat"]
    if beat is not None:
        return f"Play {rank_word(beat['rank'])} or {beat['or']}."
    return "The lowest card opens." if _opens(view) else "Any card goes."


def _opens(view: Mapping[str, Any]) -> bool:
    """Return whether the lowest card in any hand must open: nothing was played, and all hands are as they were dealt.

    No other card may open but in Threes (TH2).
    """
    game = game_of(view["game"], view["options"])
    played = view["pile"] or view["out_of_play"]
    full = view["options"]["rules"]["deal"]["hand"] if "rules" in view["options"] else 3
    dealt = all(player["place"] or player["hand_count"] == full for player in view["players"])
    return not game.any_card_opens and not played and dealt


def own_cards(view: Mapping[str, Any], seat: int) -> list[str]:
    player = view["players"][seat]
    runs = "pile" not in view
    held = f"Your hand: {hand(player['hand'], player['hand_count'], ace_low=runs) or 'no cards'}"
    if runs:
        top = pretty(view["discard_top"]) if view["discard_top"] else "empty"
        return [f"The discard pile: {top}. Wild: {rank_word(view['wild'])}.", f"{held}."]
    pile, more = view["pile"][-MOST_OF_PILE:], len(view["pile"]) > MOST_OF_PILE
    up = f"; face up: {hand(player['face_up'])}" if player["face_up"] else ""
    return [f"The pile: {'… ' if more else ''}{row(pile) or 'empty'}.", f"{held}{up}."]


def marks(view: Mapping[str, Any]) -> str:
    explained = ["▶ to act"]
    if "pile" in view:
        explained += [
            f"{HIDDEN} a card face down",
            f"{GONE} no card there any more",
            "★ joker",
            "pile: bottom first",
        ]
    else:
        explained += ["in brackets: the cards of the discard pile", "total: penalty points so far"]
    return " · ".join(explained)


def result(view: Mapping[str, Any], names: Sequence[str]) -> str:
    """The final places, a line each; empty while the game runs."""
    if view["result"] is None:
        return ""
    return "\n".join(
        f"{row['place']}. {names[row['seat']]}{_left(row['score'], shedding='pile' in view)}"
        for row in view["result"]["placements"]
    )


def _left(score: int | None, *, shedding: bool) -> str:
    """Return what a score says: cards that are left in a shedding game, penalty points in Three Thirteen."""
    if score is None or (shedding and not score):
        return ""
    what = "card" if shedding else "point"
    return f" ({score} {what}{'' if score == 1 else 's'}{' left' if shedding else ''})"


def _headline(view: Mapping[str, Any], names: Sequence[str]) -> str:
    parts = [f"{view['game']} ({view['ruleset']})", str(view["status"]), f"dealer {names[view['dealer']]}"]
    if view["to_act"]:
        parts.append("to act: " + ", ".join(names[seat] for seat in view["to_act"]))
    return " · ".join(parts)


def _pile(view: Mapping[str, Any]) -> list[str]:
    beat = view["to_beat"]
    need = "" if beat is None else f"  (play {rank_word(beat['rank'])} or {beat['or']})"
    bonus = {"may": "  · may play again", "must": "  · must play again", None: ""}[view["bonus"]]
    way = "clockwise" if view["direction"] == 1 else "counterclockwise"
    lines = [
        f"  pile   {row(view['pile']) or 'empty'}{need}{bonus}",
        f"  stock  {view['stock_count']} · out of play {len(view['out_of_play'])} · {way}",
    ]
    if view["may_settle"]:
        agreed = ", ".join(f"seat {seat}" for seat in view["settled"]) or "nobody"
        lines.append(f"  the game stands still: all may settle, {agreed} so far")
    return lines


def _round(view: Mapping[str, Any]) -> list[str]:
    top = pretty(view["discard_top"]) if view["discard_top"] else "empty"
    lines = [
        f"  round {view['round']} · wild {rank_word(view['wild'])} · to {view['step']}",
        f"  stock {view['stock_count']} · discard {top} ({view['discard_count']})",
    ]
    if view["laid"]:
        lines.append(f"  seat {view['went_out']} went out with {' | '.join(map(row, view['laid']))}")
    return lines


def _seat(player: Mapping[str, Any]) -> str:
    runs = "total" in player
    held = f"hand {hand(player['hand'], player['hand_count'], ace_low=runs) or '-'}"
    if runs:
        return f"{held} | total {player['total']}"
    down = [
        GONE if not lies else HIDDEN if card is None else pretty(card)
        for lies, card in zip(player["face_down"], player["face_down_cards"], strict=True)
    ]
    place = f"  place {player['place']}" if player["place"] else ""
    up = hand(player["face_up"]) or "-"
    return f"{held} | up {up} | down {' '.join(down)}{place}"


class Moment(NamedTuple):
    version: int
    said: str


def moments(events: Iterable[Mapping[str, Any]], names: Sequence[str], own: int | None = None) -> list[Moment]:
    """The moments in their order, of each sort one: the largest of a size, the last of what was called.

    `own` is the reader's seat, which is "you".
    """
    found: dict[str, Moment] = {}
    names = ["You" if seat == own else name for seat, name in enumerate(names)]
    most = worst = 0
    for event in events:
        version, data = event["version"], event["data"]
        for name, said in _calls(data, event["seat"], names, own):
            found[name] = Moment(version, said)
        for effect in data.get("effects", ()):
            if effect["effect"] == "picked_up" and len(effect["cards"]) > most:
                most = len(effect["cards"])
                who = "you" if effect["seat"] == own else names[effect["seat"]]
                found["picked_up"] = Moment(version, f"Biggest pick-up: {who}, {counted(most, 'card')}.")
        if data.get("move", {}).get("move") == "flip":
            whose = "yours" if event["seat"] == own else f"{names[event['seat']]}'s"
            found["flip"] = Moment(version, _flip(data["effects"], whose))
        for seat, score in enumerate(data.get("scores", ())):
            if score["penalty"] > worst:
                worst = score["penalty"]
                whom = "you" if seat == own else names[seat]
                said = f"Most expensive round: round {data['round']}, {worst} points for {whom}."
                found["round"] = Moment(version, said)
    return sorted(found.values())


def _calls(data: Mapping[str, Any], seat: int, names: Sequence[str], own: int | None) -> Iterable[tuple[str, str]]:
    for name in data.get("calls", ()):
        for at in data.get("who_dealt") or (seat,):
            # Of these two the sentence names who it is.
            said = call(name, names[at])
            whole = {"on_the_train": "You were on the train." if at == own else f"{said}.", "who_dealt": said}
            yield name, whole.get(name, f"{names[at]}: {said}")


def _flip(effects: Sequence[Mapping[str, Any]], whose: str) -> str:
    told = {effect["effect"]: effect for effect in effects}
    fits = "laid" in told
    card = told["laid"]["cards"][0] if fits else (told.get("lifted") or told["shown"])["card"]
    how = ", and out" if "out" in told else "" if fits else ", which did not fit"
    return f"The last face-down card was {whose}: {rank_word(card[0])}{how}."
