"""The table, drawn with cards under headings: hand, face up and face down; in Three Thirteen melds and wild cards."""

from collections.abc import Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from games.rules.cards import pretty, rank_word
from games.rules.notation import low_to_high
from games.rules.three_thirteen import lay_out

Json = dict[str, Any]


def card_text(code: str | None, wild: str | None = None) -> Text:
    """A card as a small white (or blue, face-down) field; a wild one with a star."""
    if code is None:
        return Text(" ▒▒ ", "white on blue")
    red = code[1] in "HDR"
    star = "*" if wild is not None and code[0] == wild else " "
    return Text(f" {pretty(code)}{star}", f"bold {'red' if red else 'black'} on {'yellow' if star == '*' else 'white'}")


def row_of(codes: Sequence[str | None], wild: str | None = None) -> Text:
    """Cards side by side."""
    return Text(" ").join(card_text(code, wild) for code in codes) if codes else Text("none", "dim")


def titled(game: Json) -> str:
    """The game's name for people: "Three Thirteen", or what a house game is called."""
    return escape(game["title"])


def picture(game: Json, names: list[str]) -> Panel:
    """The table as the player sees it."""
    view = game["view"]
    if view is None:
        return Panel("No cards have been dealt yet.", title=titled(game))
    draw = _shedding if "pile" in view else _rummy
    return Panel(draw(game, names), title=f"{titled(game)} · move {game['version']}", expand=False)


def _shedding(game: Json, names: list[str]) -> RenderableType:
    view = game["view"]
    rows = _headed("Hand", "Face up", "Face down")
    for player in view["players"]:
        down = [
            card_text(card) if there else Text(" ·· ", "dim")
            for there, card in zip(player["face_down"], player["face_down_cards"], strict=True)
        ]
        up = row_of(low_to_high(player["face_up"] or [], ace_low=False))
        rows.add_row(_name(game, player["seat"], names), _hand(player), up, Text(" ").join(down))
    facts = f"Stock {view['stock_count']}, out of play {len(view['out_of_play'])}"
    way = "clockwise" if view["direction"] == 1 else "counterclockwise"
    middle = [Text("Pile ").append_text(row_of(view["pile"][-10:])), Text(f"{facts}, {way}.")]
    return Group(*middle, Text(), rows)


def _rummy(game: Json, names: list[str]) -> RenderableType:
    view, wild = game["view"], game["view"]["wild"]
    top = row_of([view["discard_top"]] if view["discard_top"] else [], wild)
    parts: list[RenderableType] = [
        Text(f"Round {view['round']}, {rank_word(wild)} is wild (marked *). Stock {view['stock_count']}."),
        Text("Discard pile ").append_text(top),
        Text(),
    ]
    rows = _headed("Hand", "Total")
    for player in view["players"]:
        rows.add_row(_name(game, player["seat"], names), _hand(player, wild), f"{player['total']} points")
    parts.append(rows)
    if game["your_seat"] is not None and (hand := view["players"][game["your_seat"]]["hand"]):
        parts += [Text(), melds(hand, wild, game["options"]["ace_points"])]
    return Group(*parts)


def melds(hand: Sequence[str], wild: str, ace_points: int) -> RenderableType:
    """The best lay-out of a hand: each meld, what is left, and what that costs."""
    laid = lay_out(list(hand), wild=wild, ace_points=ace_points)
    rows = Table.grid(padding=(0, 2))
    for meld in laid.melds:
        rows.add_row("Meld", row_of(meld, wild))
    rows.add_row("Left", row_of(low_to_high(laid.left, ace_low=True), wild))
    rows.add_row("Costs", f"{laid.penalty} points")
    return rows


def _headed(*headings: str) -> Table:
    rows = Table(box=None, padding=(0, 2), header_style="dim")
    for heading in ("", *headings):
        rows.add_column(heading)
    return rows


def _name(game: Json, seat: int, names: list[str]) -> str:
    own = " (you)" if seat == game["your_seat"] else ""
    return f"{'▶' if seat in game['view']['to_act'] else ' '} {names[seat]}{own}"


def _hand(player: Json, wild: str | None = None) -> Text:
    known = player["hand"]
    if known is None:
        return row_of([None] * player["hand_count"])
    return row_of(low_to_high(known, ace_low="total" in player), wild)
