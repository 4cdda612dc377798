"""Play in the terminal against bots, or with others: `make play GAME=castle NAME=ada`, `make play JOIN=<id>`.

Everything goes over the public API, so this is also an example of a client for people. Ctrl-C leaves the game as it is;
the same command continues it. At the prompt: a number plays that move, cards such as `7H 7D` play those, `?`
explains the moment, `l` shows what happened last, `p` leaves a plan, `say Hello` says something to the others,
`resign` gives up, `q` leaves. Once a game stands still, `settle` agrees to end it. Among people, who play at their own
pace, a plan is offered after each of your turns.
"""

import argparse
import getpass
import json
import re
import secrets
import sys
import time
from pathlib import Path
from typing import Any

import httpx
from rich.console import Console
from rich.panel import Panel
from rich.prompt import Prompt
from trey import Problem, Trey

from examples.terminal.moves import MARKS, choices_of, explained, plan_for, settling, typed_move, words
from examples.terminal.picture import picture, row_of, titled
from games.rules import notation
from games.rules.words import number_word

Json = dict[str, Any]
LONGEST_PAUSE = 2.0  # seconds between two looks while others think
LAST_EVENTS = 8
SAVED = Path("var") / "play.json"


class Player:
    """A person at the terminal and the game they play."""

    def __init__(self, trey: Trey, game: Any, console: Console) -> None:
        self.trey, self.game, self.console = trey, game, console
        self.seen, self.heard = game["version"], 0
        self.said: list[str] = []

    @property
    def id(self) -> str:
        """The game's id."""
        return str(self.game["id"])

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

    def legal(self) -> list[Any]:
        """Return the moves that may be made now."""
        seat, view = self.game["your_seat"], self.game["view"]
        if view is None or seat not in {*view["to_act"], *view.get("may_interrupt", [])}:
            return []
        return list(self.trey.legal_moves(self.id)["moves"])

    def wait(self) -> None:
        """Look for news until there are some, less and less often."""
        pause = 0.2
        waiting = ", ".join(self.names[seat] for seat in self.game["to_act"]) or "others to sit down"
        with self.console.status(f"Waiting for {waiting} (Ctrl-C leaves, the game stays)"):
            while (game := self.trey.get_game(self.id))["version"] == self.game["version"]:
                time.sleep(pause)
                pause = min(pause * 1.3, LONGEST_PAUSE)
        self.game = game
        self.hear()

    def hear(self) -> None:
        """Say what happened since the last look."""
        events: list[Any] = self.trey.list_events(self.id, after=self.seen)["results"]
        for event in events:
            self.said.append(f"{event['version']:>4}  {event['said']}")
            self.console.print(self.said[-1], style="dim", highlight=False)
            self.seen = event["version"]
        if self.people:
            heard: list[Any] = self.trey.get_talk(self.id, after=self.heard)["results"]
            for one in heard:
                said = one["text"] or one["sign"] or "..."
                self.console.print(f"{one['by']['username']}: {said}", markup=False, highlight=False)
                self.heard = one["number"]

    def say(self, text: str) -> None:
        """Say something to the others at the table."""
        try:
            self.trey.say(self.id, text=text)
        except Problem as refused:
            self.console.print(refused.detail, style="yellow")
        self.hear()

    def ask(self, legal: list[Json]) -> Json | None:
        """Ask for a move; None: look at the table again."""
        choices = in_order([choice for listed in legal for choice in choices_of(listed)])
        out_of_turn = self.game["your_seat"] not in self.game["to_act"]
        for number, choice in enumerate(choices, 1):
            self.console.print(f"  [bold]{number:>2}[/]  {words(choice)}", highlight=False)
        if legal[0]["move"] == "arrange":
            cards = row_of(notation.low_to_high(legal[0]["from"], ace_low=False))
            self.console.print(f"  or type {number_word(legal[0]['choose'])} of", cards)
        if self.game["view"].get("may_settle"):
            self.console.print("  The game stands still.", settling(self.game["view"], self.game["your_seat"]))
        hint = "out of turn; press Enter to let it pass" if out_of_turn else "? explains"
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
                plan: Any = {"lines": lines, "turns": int(typed)}
                self.trey.keep_plan(self.id, plan)
            except Problem as refused:
                self.console.print(refused.detail, style="yellow")
            else:
                self.console.print("Planned. If you move in time, your own move counts instead.", style="dim")

    @property
    def people(self) -> list[Json]:
        """The others at the table who are people."""
        return [row for row in self.game["players"] if row["bot"] is None and row["seat"] != self.game["your_seat"]]

    @property
    def is_time_for_a_plan(self) -> bool:
        """Whether a turn has just ended in a game with other people, who may take hours."""
        is_mine = self.game["your_seat"] in self.game["to_act"]
        return bool(self.people) and self.game["plans"] and self.game["status"] == "playing" and not is_mine

    def send(self, move: Any) -> None:
        """Send a move."""
        try:
            self.game = self.trey.play_move(self.id, move)["game"]
        except Problem as refused:
            self.console.print(refused.detail, style="yellow")
            self.game = self.trey.get_game(self.id)
        else:
            if self.is_time_for_a_plan and move["move"] not in {"resign", "settle"}:
                self.offer_plan()
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
        self.game = self.trey.rematch(self.id)
        if len(self.game["players"]) == self.game["seats"] and self.game["opener"] == self.game["your_seat"]:
            self.game = self.trey.start_game(self.id)
        self.seen, self.said = self.game["version"], []
        return True


def name_of(row: Json) -> str:
    """The name to call a seat by."""
    player = row["player"]
    return (player and player["username"]) or f"bot-{row['seat']}"


def in_order(choices: list[Json]) -> list[Json]:
    """The choices with discards by rank, so that a card is found."""
    cards = notation.low_to_high([move["card"] for move in choices if move["move"] == "discard"], ace_low=True)
    return sorted(choices, key=lambda move: cards.index(move["card"]) if move["move"] == "discard" else -1)


def game_to_play(trey: Trey, saved: Json, wanted: argparse.Namespace, console: Console) -> Any:
    """Return the game to go on with, to join, or a new one."""
    if wanted.join:
        saved["game"] = wanted.join
        if trey.get_game(wanted.join, invitation=wanted.invitation)["your_seat"] is None:
            trey.join_game(wanted.join, invitation=wanted.invitation)
        return trey.get_game(wanted.join)
    if "game" in saved:
        try:
            game: Any = trey.get_game(saved["game"])
        except Problem:
            game = {"status": "lost"}
        if game["status"] in {"setup", "playing"} and wanted.game in {None, game["game"]}:
            console.print(f"Continuing your game of {titled(game)} ({game['id']}).")
            return game
    if wanted.rules:
        rules = json.loads(Path(wanted.rules).read_text())
        game = trey.open_room(game="house", options={"rules": rules}, seats=wanted.seats)
    else:
        game = trey.open_room(game=wanted.game or "threes", seats=wanted.seats, rated=False)
    for _ in range(wanted.seats - 1):
        trey.add_bot(game["id"], **({"level": wanted.bots} if wanted.bots else {}))
    saved["game"] = game["id"]
    return trey.start_game(game["id"])


def signed_in(trey: Trey, saved: Json, name: str | None = None) -> None:
    """Log in to the saved account, or make one: under `name` if one is given, which the saved one then takes, too.

    Raises Problem: the name is taken, or cannot be one.
    """
    if "account" in saved:
        try:
            trey.log_in(**saved["account"])
        except Problem:
            saved.clear()  # another database: the account is not there
        else:
            if name and name.casefold() != saved["account"]["username"].casefold():
                trey.change_my_profile(username=name)
                saved["account"]["username"] = name
            return
    user = re.sub(r"\W", "", getpass.getuser()) or "player"
    account = {"username": name or f"{user[:20]}-{secrets.token_hex(3)}", "password": secrets.token_urlsafe(16)}
    trey.sign_up(username=account["username"], password=account["password"])
    saved["account"] = account
    trey.log_in(**account)


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
    parser.add_argument("--rules", metavar="FILE", help="a document: the rules of a house game to play")
    parser.add_argument("--bots", help="how the bots play: steady or random; in a house game plain or easy")
    parser.add_argument("--name", help="your player name")
    parser.add_argument("--join", help="the id of a table that somebody opened")
    parser.add_argument("--invitation", help="the invitation code of a private table")
    wanted = parser.parse_args()
    wanted.game = "house" if wanted.rules else wanted.game
    console = Console()
    everything: Json = json.loads(SAVED.read_text()) if SAVED.exists() else {}
    saved = everything.setdefault(wanted.url, {})
    try:
        with Trey(wanted.url) as trey:
            signed_in(trey, saved, wanted.name)
            keep(everything)
            player = Player(trey, game_to_play(trey, saved, wanted, console), console)
            keep(everything)
            player.play()
            while player.again():
                saved["game"] = player.game["id"]
                keep(everything)
                player.play()
    except (KeyboardInterrupt, EOFError):
        console.print("\nYour game is saved. Run the same command to continue it.")
    except Problem as refused:
        console.print(refused.detail, style="red")
        return 1
    except httpx.TransportError as error:
        console.print(f"No server responds at {wanted.url} ({error}). Start one with `make run`.", style="red")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
