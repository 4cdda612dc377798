"""A scene with everything the API is about, and everybody who may call it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from allauth.account.models import EmailAddress
from django.db import transaction
from django.urls import reverse

from core import clock as service_clock
from core.accounts.login import codes, guests, tokens
from core.accounts.models import Code, Player
from core.jobs import services as work
from core.log import Actor
from games import services as games
from tests.core.notifications.browsers import Browser
from tests.games.api.client import PASSWORD, Answer, Person
from tests.tournaments.api.conftest import PAIRS, run
from tests.tournaments.moment import services as tournaments

#: Nobody has no token. A stranger has one and nothing to do with anything. A spectator has the invitations. A player
#: sits in the games and has entered the tournaments. The opener opened the games, and has entered, too. The organiser
#: runs the tournaments and plays in nothing; the other organiser runs another one. Staff and superuser play in nothing.
EVERYBODY = (
    "nobody", "stranger", "spectator", "player", "opener", "organiser", "other_organiser", "staff", "superuser",
)  # fmt: skip
PROPOSAL = {"title": "Shorter games", "reason": "They last for weeks.", "options": {"stalemate_after": 10}}
FLAGS = {"staff": {"is_staff": True}, "superuser": {"is_superuser": True}}


def somebody(name: str) -> Person:
    person = Player.objects.create_user(name, password=PASSWORD, **FLAGS.get(name, {}))
    return Person(name, tokens.issue(person)[0])


#: Calls about what is one's own, and what their paths call it.
_OWN = {
    "token": "token_id",
    "browser": "subscription_id",
    **dict.fromkeys(("chat", "chat_test"), "chat_id"),
    **dict.fromkeys(("house_game", "house_game_report"), "house_game_id"),
    **dict.fromkeys(("webhook", "webhook_rotate", "webhook_replay"), "webhook_id"),
}


@contextmanager
def taken_back() -> Iterator[None]:
    """What is changed meanwhile is taken back."""
    before = transaction.savepoint()
    try:
        yield
    finally:
        transaction.savepoint_rollback(before)


@dataclass
class Scene:
    """The cast, the ids of what there is by name, and the invitations of what is private."""

    cast: dict[str, Person] = field(default_factory=dict)
    ids: dict[str, Any] = field(default_factory=dict)
    invitations: dict[str, str] = field(default_factory=dict)

    def call(self, who: str, method: str, name: str, subject: str, body: Any, arguments: dict[str, Any]) -> Answer:
        """One call, whose changes are taken back."""
        with taken_back():
            return self.act(who, method, name, subject, body, arguments)

    def act(self, who: str, method: str, name: str, subject: str, body: Any, arguments: dict[str, Any]) -> Answer:
        """One call, whose changes stay."""
        kwargs, sent = dict(arguments), body
        if subject:
            about = "tournament_id" if name.startswith("tournament") else _OWN.get(name, "game_id")
            kwargs[about] = UUID(str(self.ids[subject]))
        if name.endswith(("channel", "channel_test")):
            kwargs["channel_id"] = UUID(str(self.ids[f"the channel of the {subject}"]))
        path = reverse(f"api:{name}", kwargs=kwargs)
        if who == "spectator" and subject in self.invitations:
            if method == "GET":
                path += f"?invitation={self.invitations[subject]}"
            elif name in ("join", "review", "tournament_entries"):
                sent = {**(body or {}), "invitation": self.invitations[subject]}
        return self.cast[who].call(method, path, sent)


def make() -> Scene:
    """Set the scene, by the calls that people make."""
    scene = Scene({"nobody": Person(), **{name: somebody(name) for name in EVERYBODY[1:]}})
    cast = scene.cast
    scene.ids["the player's token"] = cast["player"].get("me/tokens").body["results"][0]["id"]
    _codes(Player.objects.get(username="player"))
    hook = cast["player"].post("me/webhooks", {"url": "https://example.org/trey", "types": ["game.turn"]})
    scene.ids["the player's webhook"] = _done(hook).body["id"]
    browser = Browser("https://push.example.org/players").subscription()
    scene.ids["the player's browser"] = _done(cast["player"].post("me/push", browser)).body["id"]
    chat = cast["player"].post("me/chat", {"service": "ntfy", "url": "https://ntfy.sh/trey"})
    scene.ids["the player's chat"] = _done(chat).body["id"]
    _games(scene, cast["opener"], cast["player"])
    for named, visibility in (("public house game", "public"), ("house game", "link")):
        sent = {"rules": {"title": "Ours"}, "visibility": visibility}
        scene.ids[f"the player's {named}"] = _done(cast["player"].post("house-games", sent)).body["id"]
    channel = cast["opener"].post(
        f"games/{scene.ids['room']}/channels", {"service": "ntfy", "url": "https://ntfy.sh/x"}
    )
    scene.ids["the channel of the room"] = _done(channel).body["id"]
    others = [somebody(name) for name in ("cleo", "dan")]
    _tournaments(scene, cast["organiser"], [cast["player"], cast["opener"], *others])
    _set_up(cast["other_organiser"])
    channel = cast["organiser"].post(
        f"tournaments/{scene.ids['rounds']}/channels", {"service": "ntfy", "url": "https://ntfy.sh/y"}
    )
    scene.ids["the channel of the rounds"] = _done(channel).body["id"]
    return scene


#: Codes that were mailed to the player.
LOGIN_CODE, RESET_CODE, PLAYERS_CODE = (UUID(int=number) for number in (1, 2, 3))


def code(request: UUID) -> dict[str, str]:
    """What is sent with one of these codes."""
    return {"request": str(request), "code": codes.code_of(Code(pk=request))}


def _codes(player: Player) -> None:
    address = "player@example.org"
    EmailAddress.objects.create(user=player, email=address, verified=True, primary=True)
    for pk, purpose, of in ((LOGIN_CODE, "login", None), (RESET_CODE, "reset", None), (PLAYERS_CODE, "verify", player)):
        known = {"standing": codes.standing_of(player), "made_at": service_clock.now()}
        Code.objects.create(pk=pk, purpose=purpose, address=address, player=of, **known)


def _games(scene: Scene, opener: Person, player: Person) -> None:
    def opened(**asked: Any) -> dict[str, Any]:
        room = opener.opens(**asked)
        _done(player.post(f"games/{room['id']}/join", {"invitation": room["invitation"]} if room["invitation"] else {}))
        return room

    def started(**asked: Any) -> str:
        game = str(opened(**asked)["id"])
        _done(opener.post(f"games/{game}/start"))
        return game

    private = opened(visibility="private", seats=4)
    scene.ids |= {
        "room": opened(seats=4)["id"],
        "private room": private["id"],
        "game": started(),
        "private game": started(visibility="private"),
        "hidden game": started(game="three_thirteen"),
        "game with a bot": started(),
        "game with plans": started(),
        "finished game": started(),
        "reviewed game": started(),
    }
    scene.invitations["private room"] = private["invitation"]
    scene.invitations["private game"] = opener.get(f"games/{scene.ids['private game']}").body["invitation"]
    _done(player.post(f"games/{scene.ids['game']}/talk", {"sign": "hello"}))
    for over in ("finished game", "reviewed game"):
        _done(player.post(f"games/{scene.ids[over]}/moves", {"move": "resign"}))
    player.post(f"games/{scene.ids['reviewed game']}/review")
    work.do_all(kinds=["games.review"])
    for one in (opener, player):
        plan = {"lines": [{"move": {"move": "play", "choose": "lowest"}}]}
        _done(one.call("PUT", f"games/{scene.ids['game with plans']}/plan", plan))
    seat = player.get(f"games/{scene.ids['game with a bot']}").body["your_seat"]
    games.hand_to_bot(UUID(scene.ids["game with a bot"]), seat, actor=Actor("staff"), reason="away")


def _set_up(organiser: Person, **asked: Any) -> dict[str, Any]:
    wanted = {"title": "Threes 2026", "game": "threes", "kind": "rounds", "settings": PAIRS, **asked}
    return dict(_done(organiser.post("tournaments", wanted)).body)


def _tournaments(scene: Scene, organiser: Person, entrants: list[Person]) -> None:
    def opened(**asked: Any) -> str:
        made = _set_up(organiser, **asked)
        _done(organiser.post(f"tournaments/{made['id']}/open"))
        for one in entrants:
            _done(one.post(f"tournaments/{made['id']}/entries", {"invitation": made["invitation"]}))
        if made["visibility"] == "private":
            scene.invitations["private rounds"] = made["invitation"]
        return str(made["id"])

    def started(**asked: Any) -> str:
        made = opened(**asked)
        _done(organiser.post(f"tournaments/{made}/start"))
        run()
        return made

    def drafted(*tables: list[str], **asked: Any) -> str:
        made = started(pace="manual", **asked)
        draft = {"tables": list(tables), "byes": [], "reason": "as the scene wants it"}
        _done(organiser.call("PUT", f"tournaments/{made}/draft", draft))
        return made

    def seated(*tables: list[str], **asked: Any) -> str:
        made = drafted(*tables, **asked)
        _done(organiser.post(f"tournaments/{made}/draft/publish"))
        run()
        return made

    season = {"kind": "season", "settings": {"tables": {"size": 2}}}
    staged = {"kind": "season", "settings": {"tables": {"size": 2}, "min_games": 1}, "take": 2}
    final = {"kind": "knockout", "settings": {"advance": 1, "tables": {"size": 2}}}
    scene.ids |= {
        "guests": _with_a_guest(organiser),
        "draft": _set_up(organiser)["id"],
        "invited": _set_up(organiser)["id"],
        "registration": opened(),
        "rounds": seated(["e1", "e3"], ["e2", "e4"], game="three_thirteen"),
        "private rounds": seated(["e1", "e2"], ["e3", "e4"], visibility="private"),
        "manual rounds": drafted(["e1", "e3"], ["e2", "e4"]),
        "season": started(**season),
        "finished season": started(**season),
        "voting season": started(kind=None, settings=None, stages=[staged, final]),
    }
    _propose(scene)
    _done(organiser.post(f"tournaments/{scene.ids['finished season']}/finish"))
    _succeed(scene, organiser)
    _done(organiser.post(f"tournaments/{scene.ids['draft']}/organisers", {"player": "cleo"}))
    _done(entrants[2].post(f"tournaments/{scene.ids['draft']}/organisers/accept"))
    _done(organiser.post(f"tournaments/{scene.ids['invited']}/open"))
    _done(organiser.post(f"tournaments/{scene.ids['invited']}/entries", {"player": "player"}))
    for name in ("rounds", "private rounds"):
        tables = organiser.get(f"tournaments/{scene.ids[name]}/rounds/1").body["tables"]
        seats = {one["name"]: table["games"][0]["id"] for table in tables for one in table["entrants"]}
        scene.ids[f"game of {name}"] = seats["player"]
        _done(scene.cast["player"].post(f"games/{seats['player']}/talk", {"text": "Hello"}))


def _with_a_guest(organiser: Person) -> str:
    made = _set_up(organiser, guests=True)
    _done(organiser.post(f"tournaments/{made['id']}/open"))
    tournaments.enter(UUID(made["id"]), guests.sign_up("a-guest"))
    return str(made["id"])


def _propose(scene: Scene) -> None:
    """A game makes the player and the opener electors (RT2), and the player proposes rules."""
    season, player, opener = f"tournaments/{scene.ids['voting season']}", scene.cast["player"], scene.cast["opener"]
    room = _done(player.post(f"{season}/games", {"seats": 2})).body["id"]
    _done(opener.post(f"games/{room}/join"))
    _done(opener.post(f"games/{room}/moves", {"move": "resign"}))
    run()
    _done(player.post(f"{season}/proposals", PROPOSAL))


def _succeed(scene: Scene, organiser: Person) -> None:
    """The finished season has a successor, which the other organiser is asked to organise, too (RT7)."""
    before = scene.ids["finished season"]
    _done(organiser.post(f"tournaments/{before}/organisers", {"player": "other_organiser"}))
    _done(scene.cast["other_organiser"].post(f"tournaments/{before}/organisers/accept"))
    scene.ids["successor"] = _done(organiser.post("tournaments", {"after": before})).body["id"]
    _done(organiser.call("DELETE", f"tournaments/{before}/organisers", {"player": "other_organiser"}))


def _done(answer: Answer) -> Answer:
    assert answer.status in (200, 201), answer.body
    return answer
