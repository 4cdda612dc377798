"""Moves as a person types and reads them, what may be done now, and a usual plan."""

import re
from typing import Any

from games.rules.cards import rank_word
from games.rules.moves import DO, words_of
from games.rules.shedding.sentences import sentences
from games.rules.words import number_word

Json = dict[str, Any]

MARKS = {
    "three_card": (
        "A 2 lets you play again, and anything goes on it. A 10, or four of a rank in a row, clears the pile."
    ),
    "tripp_jokes": (
        "A 2 lets you play again. A 3 is see-through. A 10, or three of a rank in a row, clears the pile. "
        "A joker goes on anything, and you take the pile below it."
    ),
    "threes": (
        "2, 8 and joker go on anything. After a 7, play 7 or lower. An 8 is invisible. "
        "A 10 or a joker, or four of a rank in a row, clears the pile; then you play again."
    ),
    "castle": (
        "2 and 10 go on anything; a 2 lets you play again, a 10 clears the pile. After a 7, play 7 or lower. "
        "A jack reverses the direction. Completing four of a rank clears the pile, even out of turn."
    ),
    "three_thirteen": (
        "Sets have three or more of a rank, runs three or more of a suit in order; wild cards stand for any card. "
        "Draw, then discard, or go out when all the rest is melded. Cards left over count against you."
    ),
}

LOWEST = {"move": "play", "choose": "lowest", "count": "all"}
KEPT = {
    "three_card": ["2", "T"],
    "tripp_jokes": ["2", "3", "T", "X"],
    "threes": ["2", "8", "T", "X"],
    "castle": ["2", "T"],
}
GO_OUT_IF_YOU_CAN: list[Json] = [
    {"move": {"move": "go_out"}},
    {"move": {"move": "draw", "from": "discard"}, "when": {"top_helps": 5}},
    {"move": {"move": "draw", "from": "discard"}, "when": {"top_melds": True}},
    {"move": {"move": "draw", "from": "stock"}},
    {"move": {"move": "discard", "choose": "best"}},
]


def plan_for(game: str, stock: int) -> tuple[str, list[Json]]:
    """A usual plan for a game, in words and as its lines, while the stock has so many cards.

    The plays after the stock decide the game: a plan that is left before leaves them to the player.
    """
    if game == "three_thirteen":
        return "go out if I can, take the top card if it helps, else draw; discard what costs most", GO_OUT_IF_YOU_CAN
    keep = KEPT.get(game, [])
    said = "lowest cards first"
    whens: list[Json] = [{"stock_is_out": False}] if stock else [{}]
    if keep:
        said += f", keep {' and '.join(f'{rank_word(rank)}s' for rank in keep)}"
    if stock:
        said += ", while there is a stock"
    if stock and game == "castle":
        said += " or my hand has at most three"
        whens.append({"hand_at_most": 3})
    lines: list[Json] = [
        *({"move": {**LOWEST, "keep": keep}, "when": when} for when in whens),
        {"move": {"move": "flip", "choose": "first"}},
        {"move": {"move": "pick_up"}},
    ]
    return f"{said}; else flip or pick up", lines


def choices_of(listed: Json) -> list[Json]:
    """Return the different moves to offer for one entry of the legal moves; suits make no difference to a play."""
    match listed["move"]:
        case "play":
            cards, along = listed["cards"], listed.get("with_face_up", [])
            counts = range(listed["min"], listed["max"] + 1)
            return [{"move": "play", "cards": cards[:count]} for count in counts] + [
                {"move": "play", "cards": [*cards, *along[:count]]} for count in range(1, len(along) + 1)
            ]
        case "flip":
            return [{"move": "flip", "position": position} for position in listed["positions"]]
        case _:
            return [listed["send"]]


def typed_move(typed: str, legal: list[Json]) -> Json | None:
    """Read typed cards as a move: those to lay face up, a play, or a discard. None: they are no cards."""
    codes = [code.upper().replace("10", "T") for code in re.split(r"[\s,]+", typed)]
    if not all(re.fullmatch(r"[2-9TJQKA][SHDC]|X[RB]", code) for code in codes):
        return None
    kinds = {listed["move"] for listed in legal}
    if "arrange" in kinds:
        return {"move": "arrange", "face_up": codes}
    if "discard" in kinds and len(codes) == 1:
        return {"move": "discard", "card": codes[0]}
    return {"move": "play", "cards": codes}


def words(move: Json) -> str:
    """A move as a command: "play 7♥ 7♦"."""
    return words_of(move, DO)


def explained(view: Json, seat: int) -> str:
    """What may be done now, and why."""
    lines = []
    if "pile" in view:
        me = view["players"][seat]
        beat = view["to_beat"]
        if view["status"] == "setup":
            own, chosen = len(me["hand"]) + len(me["face_up"]), len(me["face_down"])
            some = f"{number_word(chosen)} of your {number_word(own)} cards"
            lines.append(f"Choose {some} to lay face up. You play them last, so choose good ones.")
        elif beat is not None:
            lines.append(f"Play {rank_word(beat['rank'])} or {beat['or']}: one card, or several of one rank.")
        else:
            lines.append("Any card may be played.")
        if view["status"] == "playing" and not me["hand"]:
            lines.append(
                "Now you play your face-up cards." if me["face_up"] else "Turn over one of your face-down cards."
            )
        if view["bonus"]:
            lines.append("You must play again." if view["bonus"] == "must" else "You may play again, or end your turn.")
        lines.append("You pick up the pile only if you cannot play.")
    else:
        wild = rank_word(view["wild"])
        lines.append(f"Round {view['round']}: {wild} is wild. Now {view['step']}.")
        if view["went_out"] is not None:
            lines.append("Somebody went out: this is your last turn of the round.")
    rules = view["options"].get("rules")
    lines.append(MARKS.get(view["game"], "") if rules is None else " ".join(sentences(rules)))
    return "\n".join(line for line in lines if line)


def settling(view: Json, seat: int) -> str:
    """What `settle` would do now."""
    if seat in view["settled"]:
        return "You have agreed to end it. Type settle to take that back."
    others = sum(player["place"] is None for player in view["players"]) - len(view["settled"]) - 1
    return "Type settle to end it as it stands: " + (f"{others} more would have to." if others else "all others have.")
