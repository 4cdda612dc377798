"""Play in the terminal against bots, or with others: `make play GAME=castle NAME=ada`, `make play JOIN=<id>`.

Everything goes over the public API, so this is also an example of a client for people. Ctrl-C leaves the game as it is;
the same command goes on with it. At the prompt: a number plays that move, cards such as `7H 7D` play those, `?`
explains the moment, `l` shows what happened last, `p` leaves a plan, `say Hello` says something to the others,
`resign` gives up, `q` leaves. Once a game stands still, `settle` agrees to end it. Among people, who play at their own
pace, a plan is offered after each of your turns.
"""

import argparse
import json
import secrets
import sys
import time
from pathlib import Path
from typing import Any

import httpx
from rich.console import Console
from rich.panel import Panel
from rich.prompt import Prompt

from examples.terminal.moves import MARKS, choices_of, explained, plan_for, settling, typed_move, words
from examples.terminal.picture import ORDER, low_to_high, picture, row_of, titled
from examples.terminal.server import Refused, Server, signed_in
from games import notation

Json = dict[str, Any]
LONGEST_PAUSE = 2.0  # seconds between two looks while others think
LAST_EVENTS = 8
SAVED = Path("var") / "play.json"


class Player:
    """A person at the terminal and the game they play."""

    def __init__(self, server: Server, game: Json, console: Console) -> None:
        self.server, self.game, self.console = server, game, console
        self.seen, self.heard = game["version"], 0
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
        if self.people:
            for one in (self.server.get(f"{self.path}/talk?after={self.heard}") or {})["results"]:
                said = one["text"] or one["sign"] or "..."
                self.console.print(f"{one['by']['username']}: {said}", markup=False, highlight=False)
                self.heard = one["number"]

    def say(self, text: str) -> None:
        """Say something to the others at the table."""
        try:
            self.server.post(f"{self.path}/talk", {"text": text})
        except Refused as refused:
            self.console.print(str(refused), style="yellow")
        self.hear()

    def ask(self, legal: list[Json]) -> Json | None:
        """Ask for a move; None: look at the table again."""
        choices = in_order([choice for listed in legal for choice in choices_of(listed)])
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
        if typed.startswith("say "):
            self.say(typed.removeprefix("say "))
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
        said, lines = plan_for(self.game["game"], self.game["view"]["stock_count"])
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
    def people(self) -> list[Json]:
        """The others at the table who are people."""
        return [row for row in self.game["players"] if row["bot"] is None and row["seat"] != self.game["your_seat"]]

    @property
    def is_time_for_a_plan(self) -> bool:
        """Whether a turn has just ended in a game with other people, who may take hours."""
        is_mine = self.game["your_seat"] in self.game["to_act"]
        return bool(self.people) and self.game["plans"] and self.game["status"] == "playing" and not is_mine

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

    def again(self) -> bool:
        """Whether the player wants a rematch; then it is the game from now on."""
        if self.game["status"] != "finished" or self.game["tournament"] is not None:
            return False
        typed = Prompt.ask("Play again? (y; Enter: no)", console=self.console, default="", show_default=False)
        if typed.strip().lower() not in {"y", "yes"}:
            return False
        self.game = self.server.post(f"{self.path}/rematch")
        if len(self.game["players"]) == self.game["seats"] and self.game["opener"] == self.game["your_seat"]:
            self.game = self.server.post(f"{self.path}/start")
        self.seen, self.said = self.game["version"], []
        return True


def name_of(row: Json) -> str:
    """The name to call a seat by."""
    player = row["player"]
    return (player and player["username"]) or f"bot-{row['seat']}"


def in_order(choices: list[Json]) -> list[Json]:
    """The choices with discards by rank, so that a card is found."""
    return sorted(choices, key=lambda move: ORDER.index(move["card"][0]) if move["move"] == "discard" else -1)


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
            console.print(f"Going on with your game of {titled(game)} ({game['id']}).")
            return game
    game = server.post("games", {"game": wanted.game or "threes", "seats": wanted.seats, "rated": False})
    for _ in range(wanted.seats - 1):
        server.post(f"games/{game['id']}/bots", {"level": wanted.bots})
    saved["game"] = game["id"]
    return server.post(f"games/{game['id']}/start")


def keep(everything: Json) -> None:
    """Write down the accounts and games of this computer."""
    SAVED.parent.mkdir(exist_ok=True)
    SAVED.touch(mode=0o600)  # it holds a password
    SAVED.write_text(json.dumps(everything))


def main() -> int:
    """Play; return the exit status."""
    parser = argparse.ArgumentParser(description="Play Trey in the terminal.")
    parser.add_argument("--url", default="http://127.0.0.1:8000", help="where the server is")
    parser.add_argument("--game", default=None, help=f"one of {', '.join(MARKS)}")
    parser.add_argument("--seats", type=int, default=3, help="players in all, you included")
    parser.add_argument("--bots", default="steady", help="how the bots play: steady or random")
    parser.add_argument("--name", help="the name to play under; it stays yours")
    parser.add_argument("--join", help="the id of a room that somebody opened")
    parser.add_argument("--invitation", help="the code of a private room to join")
    wanted = parser.parse_args()
    console = Console()
    everything: Json = json.loads(SAVED.read_text()) if SAVED.exists() else {}
    saved = everything.setdefault(wanted.url, {})
    try:
        with Server(wanted.url) as server:
            signed_in(server, saved, wanted.name)
            keep(everything)
            player = Player(server, game_to_play(server, saved, wanted, console), console)
            keep(everything)
            player.play()
            while player.again():
                saved["game"] = player.game["id"]
                keep(everything)
                player.play()
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
