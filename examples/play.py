"""Play in the terminal against bots, or with others: `make play GAME=castle`, `make play JOIN=<id>`.

Everything goes over the public API, so this is also an example of a client for people. Ctrl-C leaves the game as it is;
the same command goes on with it. At the prompt: a number plays that move, cards such as `7H 7D` play those, `?`
explains the moment, `l` shows what happened last, `p` leaves a plan, `resign` gives up, `q` leaves. Once a game stands
still, `settle` agrees to end it. Among people, who play at their own pace, a plan is offered after each of your turns.
"""

import argparse
import getpass
import json
import re
import secrets
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import httpx
from rich.console import Console, Group
from rich.panel import Panel
from rich.prompt import Prompt
from rich.table import Table
from rich.text import Text

from games import notation
from games.rules.cards import RANKS, pretty, rank_word

Json = dict[str, Any]
LONGEST_PAUSE = 2.0  # seconds between two looks while others think
LAST_EVENTS = 8
SAVED = Path("var") / "play.json"
ORDER = "".join(("X", *RANKS))

MARKS = {
    "three_card": (
        "A 2 lets you play again, and anything goes on it. A 10, or four of a rank in a row, closes the pile."
    ),
    "tripp_jokes": (
        "A 2 lets you play again. A 3 is see-through. A 10, or three of a rank in a row, closes the pile. "
        "A joker goes on anything, and you take the pile below it."
    ),
    "threes": (
        "2, 8 and joker go on anything. After a 7, play 7 or lower. An 8 is invisible. "
        "A 10 or a joker, or four of a rank in a row, closes the pile; then you play again."
    ),
    "castle": (
        "2 and 10 go on anything; a 2 lets you play again, a 10 closes the pile. After a 7, play 7 or lower. "
        "A jack turns the direction round. Who completes four of a rank closes the pile, even out of turn."
    ),
    "three_thirteen": (
        "Sets have three or more of a rank, runs three or more of a suit in order; wild cards stand for any card. "
        "Draw, then discard, or go out when all the rest is melded. What is left over counts against you."
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


class Refused(Exception):  # noqa: N818  the server's word for it
    """The server refused a request and said why."""


class Server:
    """One player's connection to the API."""

    def __init__(self, url: str) -> None:
        self.http = httpx.Client(base_url=f"{url.rstrip('/')}/api/v1/", timeout=30)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()

    def get(self, path: str, **headers: str) -> Json | None:
        """Return the body, or None when nothing has changed since the ETag that was sent."""
        answer = self.http.get(path, headers=headers)
        if answer.status_code == httpx.codes.NOT_MODIFIED:
            return None
        body = self._body(answer)
        body["etag"] = answer.headers.get("ETag", "")
        return body

    def post(self, path: str, body: Json | None = None, **headers: str) -> Json:
        """Return the body of the answer."""
        return self._body(self.http.post(path, json=body or {}, headers=headers))

    def put(self, path: str, body: Json) -> Json:
        """Return the body of the answer."""
        return self._body(self.http.put(path, json=body))

    def log_in(self, account: Json) -> None:
        """Use a token for this account from now on."""
        token = self.post("auth/login", account)["token"]
        self.http.headers["Authorization"] = f"Bearer {token}"

    def _body(self, answer: httpx.Response) -> Json:
        if answer.is_error:
            is_json = "json" in answer.headers.get("Content-Type", "")
            raise Refused(answer.json()["detail"] if is_json else f"The server failed ({answer.status_code}).")
        return dict(answer.json()) if answer.content else {}


class Player:
    """A person at the terminal and the game they play."""

    def __init__(self, server: Server, game: Json, console: Console) -> None:
        self.server, self.game, self.console = server, game, console
        self.seen = game["version"]
        self.said: list[str] = []

    @property
    def path(self) -> str:
        """The game's address."""
        return f"games/{self.game['id']}"

    @property
    def names(self) -> list[str]:
        """The players' names in seat order."""
        return [name_of(row) for row in self.game["players"]]

    def play(self) -> None:
        """Play until the game is over or the player leaves."""
        self.hear()
        drawn = None
        while self.game["status"] in {"open", "setup", "playing"}:
            legal = self.legal()
            if self.game["version"] != drawn and (legal or drawn is None):
                self.console.print(picture(self.game, self.names))
                drawn = self.game["version"]
            if not legal:
                self.wait()
            elif (move := self.ask(legal)) is not None:
                self.send(move)
        self.show_end()

    def legal(self) -> list[Json]:
        """Return the moves that may be made now."""
        seat, view = self.game["your_seat"], self.game["view"]
        if view is None or seat not in {*view["to_act"], *view.get("may_interrupt", [])}:
            return []
        return list((self.server.get(f"{self.path}/moves") or {})["moves"])

    def wait(self) -> None:
        """Look for news until there are some, less and less often."""
        pause, etag = 0.2, self.game.get("etag", "")
        waiting = ", ".join(self.names[seat] for seat in self.game["to_act"]) or "others to sit down"
        with self.console.status(f"Waiting for {waiting} (Ctrl-C leaves, the game stays)"):
            while (game := self.server.get(self.path, **{"If-None-Match": etag})) is None:
                time.sleep(pause)
                pause = min(pause * 1.3, LONGEST_PAUSE)
        self.game = game
        self.hear()

    def hear(self) -> None:
        """Say what happened since the last look."""
        events = (self.server.get(f"{self.path}/events?after={self.seen}") or {})["results"]
        for event in events:
            self.said.append(notation.event(event, self.names))
            self.console.print(self.said[-1], style="dim", highlight=False)
            self.seen = event["version"]

    def ask(self, legal: list[Json]) -> Json | None:
        """Ask for a move; None: look at the table again."""
        choices = [choice for listed in legal for choice in choices_of(listed)]
        out_of_turn = self.game["your_seat"] not in self.game["to_act"]
        for number, choice in enumerate(choices, 1):
            self.console.print(f"  [bold]{number:>2}[/]  {words(choice)}", highlight=False)
        if legal[0]["move"] == "arrange":
            self.console.print("  or type three of", row_of(low_to_high(legal[0]["from"])))
        if self.game["view"].get("may_settle"):
            self.console.print("  The game stands still.", settling(self.game["view"], self.game["your_seat"]))
        hint = "out of turn; Enter lets it pass" if out_of_turn else "? explains"
        typed = Prompt.ask(f"Your move ({hint})", console=self.console, default="", show_default=False).strip()
        if typed in {"q", "?", "l", "p", ""}:
            self.obey(typed, out_of_turn)
            return None
        if typed in {"resign", "settle"}:
            return {"move": typed}
        if typed.isdecimal() and 1 <= int(typed) <= len(choices):
            return choices[int(typed) - 1]
        if (move := typed_move(typed, legal)) is None:
            self.console.print(f"Type a number from 1 to {len(choices)}, or cards such as 7H 10D.")
        return move

    def obey(self, command: str, out_of_turn: bool) -> None:
        """Do what is not a move: leave, explain, say what happened last, leave a plan, or let an interruption pass."""
        if command == "q":
            raise KeyboardInterrupt
        if command == "?":
            self.console.print(Panel(explained(self.game["view"], self.game["your_seat"]), title="Now"))
        elif command == "l":
            self.console.print("\n".join(self.said[-LAST_EVENTS:]), highlight=False)
        elif command == "p":
            self.offer_plan()
        elif out_of_turn:
            self.wait()

    def offer_plan(self) -> None:
        """Ask for how many of the next turns to leave a plan, and leave it."""
        said, lines = plan_for(self.game["game"])
        question = f"Next turn: {said}. For one turn or two? (1, 2; Enter: no plan)"
        typed = Prompt.ask(question, console=self.console, default="", show_default=False).strip()
        if typed in {"1", "2"}:
            try:
                self.server.put(f"{self.path}/plan", {"lines": lines, "turns": int(typed)})
            except Refused as refused:
                self.console.print(str(refused), style="yellow")
            else:
                self.console.print("Planned. What you play yourself in time counts instead.", style="dim")

    @property
    def is_time_for_a_plan(self) -> bool:
        """Whether a turn has just ended in a game with other people, who may take hours."""
        people = [row for row in self.game["players"] if row["bot"] is None and row["seat"] != self.game["your_seat"]]
        is_mine = self.game["your_seat"] in self.game["to_act"]
        return bool(people) and self.game["plans"] and self.game["status"] == "playing" and not is_mine

    def send(self, move: Json) -> None:
        """Send a move; a lost answer is asked for again under the same key."""
        key = secrets.token_hex(16)
        for attempt in range(5):
            try:
                self.game = self.server.post(f"{self.path}/moves", move, **{"Idempotency-Key": key})["game"]
                if self.is_time_for_a_plan and move["move"] not in {"resign", "settle"}:
                    self.offer_plan()
                break
            except Refused as refused:
                self.console.print(str(refused), style="yellow")
                self.game = self.server.get(self.path) or self.game
                break
            except httpx.TransportError:
                time.sleep(2**attempt)
        self.hear()

    def show_end(self) -> None:
        """Show the last table and the places."""
        self.console.print(picture(self.game, self.names))
        if self.game["status"] == "cancelled":
            self.console.print("The game was called off.")
            return
        self.console.print(notation.result(self.game["view"], self.names), highlight=False)


def name_of(row: Json) -> str:
    """The name to call a seat by."""
    player = row["player"]
    return (player and player["username"]) or f"bot-{row['seat']}"


def plan_for(game: str) -> tuple[str, list[Json]]:
    """A usual plan for a game, in words and as its lines."""
    if game == "three_thirteen":
        return "go out if I can, take the top card if it helps, else draw; discard what costs most", GO_OUT_IF_YOU_CAN
    keep = KEPT.get(game, [])
    kept = " and ".join(f"{rank_word(rank)}s" for rank in keep)
    lines: list[Json] = [
        {"move": {**LOWEST, "keep": keep}},
        {"move": {"move": "flip", "choose": "first"}},
        {"move": {"move": "pick_up"}},
    ]
    return (
        f"lowest cards first, keep {kept}, else flip or pick up" if kept else "lowest cards first, else pick up",
        lines,
    )


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
    """Read typed cards as a move: three to lay face up, a play, or a discard. None: they are no cards."""
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
    said = notation.move(move)
    verb, _, rest = said.partition(" ")
    return f"{verb.removesuffix('s')} {rest}".strip()


def explained(view: Json, seat: int) -> str:
    """What may be done now, and why."""
    lines = []
    if "pile" in view:
        me = view["players"][seat]
        beat = view["to_beat"]
        if view["status"] == "setup":
            lines.append(
                "Choose three of your six cards to lie face up. You play them when your hand and the stock are gone."
            )
        elif beat is not None:
            lines.append(f"Play {rank_word(beat['rank'])} or {beat['or']}: one card, or several of one rank.")
        else:
            lines.append("Any card may be played.")
        if view["status"] == "playing" and not me["hand"]:
            lines.append(
                "You play your face-up cards now." if me["face_up"] else "Turn over one of your face-down cards."
            )
        if view["bonus"]:
            lines.append("You must play again." if view["bonus"] == "must" else "You may play again, or end your turn.")
        lines.append("Only who cannot play picks up the pile.")
    else:
        wild = rank_word(view["wild"])
        lines.append(f"Round {view['round']}: {wild} is wild. Now {view['step']}.")
        if view["went_out"] is not None:
            lines.append("Somebody went out: this is your last turn of the round.")
    lines.append(MARKS.get(view["game"], ""))
    return "\n".join(line for line in lines if line)


def settling(view: Json, seat: int) -> str:
    """What `settle` would do now."""
    if seat in view["settled"]:
        return "You have agreed to end it; settle takes that back."
    others = sum(player["place"] is None for player in view["players"]) - len(view["settled"]) - 1
    return "Type settle to end it as it stands: " + (f"{others} more would have to." if others else "all others have.")


def card_text(code: str | None) -> Text:
    """A card as a small white (or blue, face-down) field."""
    if code is None:
        return Text(" ▒▒ ", "white on blue")
    red = code[1] in "HDR"
    return Text(f" {pretty(code)} ", f"bold {'red' if red else 'black'} on white")


def row_of(codes: Sequence[str | None]) -> Text:
    """Cards side by side."""
    return Text(" ").join(card_text(code) for code in codes) if codes else Text("none", "dim")


def low_to_high(codes: list[str]) -> list[str]:
    """Cards by rank."""
    return sorted(codes, key=lambda code: (ORDER.index(code[0]), code[1]))


def picture(game: Json, names: list[str]) -> Panel:
    """The table, drawn with cards."""
    view = game["view"]
    if view is None:
        return Panel("No cards have been dealt yet.", title=game["game"])
    rows = Table.grid(padding=(0, 2))
    for player in view["players"]:
        seat = player["seat"]
        mark = "▶" if seat in view["to_act"] else " "
        known = player["hand"]
        hand: Sequence[str | None] = [None] * player["hand_count"] if known is None else low_to_high(known)
        if "pile" in view:
            down = [
                card_text(card) if there else Text(" ·· ", "dim")
                for there, card in zip(player["face_down"], player["face_down_cards"], strict=True)
            ]
            rest = Text("  ").join([row_of(low_to_high(player["face_up"] or [])), Text(" ").join(down)])
        else:
            rest = Text(f"{player['total']} points")
        own = " (you)" if seat == game["your_seat"] else ""
        rows.add_row(f"{mark} {names[seat]}{own}", row_of(hand), rest)
    return Panel(Group(middle(view), Text(), rows), title=f"{game['game']} · move {game['version']}", expand=False)


def middle(view: Json) -> Group:
    """The centre of the table."""
    if "pile" not in view:
        top = row_of([view["discard_top"]] if view["discard_top"] else [])
        return Group(
            Text(f"Round {view['round']}, {rank_word(view['wild'])} is wild. Stock {view['stock_count']}."),
            Text("Discard pile ").append_text(top),
        )
    facts = f"Stock {view['stock_count']}, out of play {len(view['out_of_play'])}"
    way = "clockwise" if view["direction"] == 1 else "counterclockwise"
    return Group(Text("Pile ").append_text(row_of(view["pile"][-10:])), Text(f"{facts}, {way}."))


def signed_in(server: Server, saved: Json) -> None:
    """Log in to the saved account, or make one."""
    if "account" in saved:
        try:
            server.log_in(saved["account"])
        except Refused:
            saved.clear()  # another database: the account is not there
        else:
            return
    user = re.sub(r"\W", "", getpass.getuser()) or "player"
    saved["account"] = {"username": f"{user[:20]}-{secrets.token_hex(3)}", "password": secrets.token_urlsafe(16)}
    server.post("players", saved["account"])
    server.log_in(saved["account"])


def game_to_play(server: Server, saved: Json, wanted: argparse.Namespace, console: Console) -> Json:
    """Return the game to go on with, to join, or a new one."""
    if wanted.join:
        saved["game"] = wanted.join
        game = server.get(f"games/{wanted.join}{f'?invitation={wanted.invitation}' if wanted.invitation else ''}") or {}
        if game["your_seat"] is None:
            server.post(f"games/{wanted.join}/join", {"invitation": wanted.invitation} if wanted.invitation else {})
        return server.get(f"games/{wanted.join}") or {}
    if "game" in saved:
        try:
            game = server.get(f"games/{saved['game']}") or {}
        except Refused:
            game = {"status": "lost"}
        if game["status"] in {"setup", "playing"} and wanted.game in {None, game["game"]}:
            console.print(f"Going on with your game of {game['game']} ({game['id']}).")
            return game
    game = server.post("games", {"game": wanted.game or "threes", "seats": wanted.seats, "rated": False})
    for _ in range(wanted.seats - 1):
        server.post(f"games/{game['id']}/bots", {"level": wanted.bots})
    saved["game"] = game["id"]
    return server.post(f"games/{game['id']}/start")


def main() -> int:
    """Play; return the exit status."""
    parser = argparse.ArgumentParser(description="Play Trey in the terminal.")
    parser.add_argument("--url", default="http://127.0.0.1:8000", help="where the server is")
    parser.add_argument("--game", default=None, help=f"one of {', '.join(MARKS)}")
    parser.add_argument("--seats", type=int, default=3, help="players in all, you included")
    parser.add_argument("--bots", default="steady", help="how the bots play: steady or random")
    parser.add_argument("--join", help="the id of a room that somebody opened")
    parser.add_argument("--invitation", help="the code of a private room to join")
    wanted = parser.parse_args()
    console = Console()
    everything: Json = json.loads(SAVED.read_text()) if SAVED.exists() else {}
    saved = everything.setdefault(wanted.url, {})
    try:
        with Server(wanted.url) as server:
            signed_in(server, saved)
            game = game_to_play(server, saved, wanted, console)
            SAVED.parent.mkdir(exist_ok=True)
            SAVED.touch(mode=0o600)  # it holds a password
            SAVED.write_text(json.dumps(everything))
            Player(server, game, console).play()
    except (KeyboardInterrupt, EOFError):
        console.print("\nThe game stays as it is; the same command goes on with it.")
    except Refused as refused:
        console.print(str(refused), style="red")
        return 1
    except httpx.TransportError as error:
        console.print(f"No server responds at {wanted.url} ({error}). Start one with `make run`.", style="red")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
