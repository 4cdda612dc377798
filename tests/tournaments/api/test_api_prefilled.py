"""Each call of the OpenAPI document works as the docs page fills it in, on a table or tournament that it fits."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial, wraps
from typing import Any
from uuid import UUID

import pytest
from allauth.account.models import EmailAddress

from core import clock as service_clock
from core.accounts.login import codes, guests
from core.accounts.models import Code, Player
from core.http.throttling import FIELDS
from core.log import Actor
from games import services as games
from tests.core.notifications.browsers import Browser
from tests.games.api.client import PASSWORD, Person
from tests.games.api.conftest import person
from tests.openapi import DOCUMENT
from tests.scenes import remembered
from tests.tournaments.api.conftest import PAIRS, run, set_up
from tests.tournaments.moment import services as tournaments

OPERATIONS = {
    operation["operationId"]: (method, path, operation)
    for path, methods in DOCUMENT["paths"].items()
    for method, operation in methods.items()
    # Another process serves live streams.
    if not path.endswith("/live")
}
#: Headers of a request that cannot be read, with the code that says so where they are taken; others pass them over.
CONDITIONS = {"If-Match": ("nonsense", "bad_etag"), "Idempotency-Key": ("k" * 256, "bad_key")}
HEADERS = ("ETag", "Location")
SEASON = {"kind": "season", "settings": {"min_games": 1}, "take": 2}
Scene = tuple[Person, dict[str, Any]]

pytestmark = pytest.mark.django_db


def made_once(scene: Callable[..., dict[str, Any]]) -> Callable[..., dict[str, Any]]:
    """Scenes of several calls, with the people in them."""

    @wraps(scene)
    def remember(stage: "Stage", *does: str, **asked: Any) -> dict[str, Any]:
        name = f"{scene.__name__} {does} {asked}"
        ids, tokens = remembered(name, lambda: (scene(stage, *does, **asked), stage.tokens()))
        stage.people = {name: Person(name, token) for name, token in tokens.items()}
        return ids

    return remember


class Stage:
    """Sets scenes: who calls, and about which game or tournament."""

    def __init__(self) -> None:
        self.people: dict[str, Person] = {}

    def __getattr__(self, name: str) -> Person:
        if name not in self.people:
            self.people[name] = Person(name, remembered(f"{name} is there", lambda: person(name).token))
        return self.people[name]

    def tokens(self) -> dict[str, str | None]:
        return {name: one.token for name, one in self.people.items()}

    @made_once
    def room(self, *others: str) -> dict[str, Any]:
        room = self.ada.opens(seats=3)
        for name in others:
            assert getattr(self, name).post(f"games/{room['id']}/join").status == 200
        return {"game_id": room["id"]}

    @made_once
    def running(self) -> dict[str, Any]:
        ids = self.room("bob")
        assert self.ada.post(f"games/{ids['game_id']}/start").status == 200
        return ids

    def with_a_plan(self) -> dict[str, Any]:
        ids = self.running()
        plan = {"lines": [{"move": {"move": "pick_up"}}]}
        assert self.ada.call("PUT", f"games/{ids['game_id']}/plan", plan).status == 200
        return ids

    @made_once
    def finished(self) -> dict[str, Any]:
        ids = self.running()
        assert self.bob.post(f"games/{ids['game_id']}/moves", {"move": "resign"}).status == 201
        return ids

    @made_once
    def talking(self) -> dict[str, Any]:
        made = self.ada.post("games", {"game": "threes", "seats": 2, "visibility": "private"}).body
        path = f"games/{made['id']}"
        assert self.bob.post(f"{path}/join", {"invitation": made["invitation"]}).status == 200
        assert self.ada.post(f"{path}/talk", {"text": "Hello"}).status == 201
        return {"game_id": made["id"], "number": 1}

    @made_once
    def talking_in_a_round(self) -> dict[str, Any]:
        ids = self.tournament("start")
        path = f"tournaments/{ids['tournament_id']}/rounds/1"
        tables = self.ada.get(path).body["tables"]
        [game] = [one["games"][0]["id"] for one in tables if "ada" in str(one)]
        assert self.ada.post(f"games/{game}/talk", {"text": "Hello"}).status == 201
        return {"game_id": game, "number": 1}

    def reviewed(self) -> dict[str, Any]:
        ids = self.finished()
        assert self.ada.post(f"games/{ids['game_id']}/review").status == 202
        return ids

    def of_three_thirteen(self) -> dict[str, Any]:
        made = self.ada.post("games", {"game": "three_thirteen", "seats": 2, "bots": 1}).body
        assert self.ada.post(f"games/{made['id']}/start").status == 200
        return {"game_id": made["id"]}

    def with_a_bot(self) -> dict[str, Any]:
        ids = self.running()
        games.hand_to_bot(ids["game_id"], 0, actor=Actor("staff"), reason="away")
        return ids

    @made_once
    def tournament(self, *does: str, **asked: Any) -> dict[str, Any]:
        made = set_up(self.olga, **{"settings": PAIRS, **asked})
        path = f"tournaments/{made['id']}"
        assert self.olga.post(f"{path}/open").status == 200
        for name in ("ada", "bob", "cleo", "dan"):
            assert getattr(self, name).post(f"{path}/entries").status == 201
        for call in does:
            answer = self.olga.post(f"{path}/{call}", {"reason": "enough"} if call == "cancel" else None)
            assert answer.status == 200, answer.body
            run()
        return {"tournament_id": made["id"]}

    def draft(self) -> dict[str, Any]:
        return self.tournament("start", pace="manual")

    def season(self) -> dict[str, Any]:
        return self.tournament("start", kind="season", settings={})

    def with_a_game(self, ids: dict[str, Any]) -> dict[str, Any]:
        room = self.ada.post(f"tournaments/{ids['tournament_id']}/games", {"seats": 2}).body["id"]
        assert self.bob.post(f"games/{room}/join").status == 200
        assert self.bob.post(f"games/{room}/moves", {"move": "resign"}).status == 201
        run()
        return ids

    def with_a_final(self) -> dict[str, Any]:
        final = {"kind": "knockout", "settings": {"advance": 1, "tables": {"size": 2}}}
        return self.tournament("start", kind=None, settings=None, stages=[SEASON, final])

    @made_once
    def proposal(self) -> dict[str, Any]:
        ids = self.with_a_game(self.season())
        path = f"tournaments/{ids['tournament_id']}"
        assert self.ada.post(f"{path}/proposals", {"title": "Ours", "reason": "ours", "confirm": True}).status == 201
        return {**ids, "n": 1}

    def checking_in(self) -> dict[str, Any]:
        starts = service_clock.now() + timedelta(minutes=10)
        ids = self.tournament(check_in=3600, starts_at=starts.isoformat())
        run()
        return ids

    def invited(self) -> dict[str, Any]:
        made = set_up(self.olga, entry="organiser", settings=PAIRS)
        self.olga.post(f"tournaments/{made['id']}/open")
        assert self.bob.username
        assert self.olga.post(f"tournaments/{made['id']}/entries", {"player": "bob"}).status == 201
        return {"tournament_id": made["id"]}

    def with_a_guest(self) -> dict[str, Any]:
        made = set_up(self.olga, guests=True, settings=PAIRS)
        self.olga.post(f"tournaments/{made['id']}/open")
        tournaments.enter(UUID(made["id"]), guests.sign_up("gus"))
        return {"tournament_id": made["id"]}

    @made_once
    def organised_by_two(self) -> dict[str, Any]:
        ids = self.tournament()
        assert self.olga.post(f"tournaments/{ids['tournament_id']}/organisers", {"player": "bob"}).status == 201
        assert self.bob.post(f"tournaments/{ids['tournament_id']}/organisers/accept").status == 200
        return ids

    def succeeded(self) -> dict[str, Any]:
        ids = self.organised_by_two()
        assert self.olga.post(f"tournaments/{ids['tournament_id']}/cancel", {"reason": "rain"}).status == 200
        made = self.olga.post("tournaments", {"after": ids["tournament_id"]})
        assert made.status == 201, made.body
        return {"tournament_id": made.body["id"]}

    def with_bob(self) -> dict[str, Any]:
        assert self.bob.username == "bob"
        return {}

    def webhook(self) -> dict[str, Any]:
        return {"webhook_id": self.ada.post("me/webhooks", {"url": "https://example.org/trey"}).body["id"]}

    def browser(self) -> dict[str, Any]:
        return {
            "subscription_id": self.ada.post("me/push", Browser("https://push.example.org/x").subscription()).body["id"]
        }

    def chat(self) -> dict[str, Any]:
        return {"chat_id": self.ada.post("me/chat", {"service": "ntfy", "url": "https://ntfy.sh/trey"}).body["id"]}

    def house_game(self) -> dict[str, Any]:
        sent = {"rules": {"title": "Ours"}, "visibility": "public"}
        return {"house_game_id": self.ada.post("house-games", sent).body["id"]}

    @made_once
    def with_a_channel(self) -> dict[str, Any]:
        ids = self.room()
        chat = {"service": "ntfy", "url": "https://ntfy.sh/trey"}
        return {**ids, "channel_id": self.ada.post(f"games/{ids['game_id']}/channels", chat).body["id"]}

    @made_once
    def tournament_with_a_channel(self) -> dict[str, Any]:
        ids = self.tournament()
        chat = {"service": "ntfy", "url": "https://ntfy.sh/trey"}
        return {**ids, "channel_id": self.olga.post(f"tournaments/{ids['tournament_id']}/channels", chat).body["id"]}

    def mailed(self, purpose: str) -> dict[str, Any]:
        ada = Player.objects.get(username=self.ada.username)
        address = "ada@example.org"
        EmailAddress.objects.create(user=ada, email=address, verified=purpose != "verify", primary=True)
        of = ada if purpose == "verify" else None
        known = {"standing": codes.standing_of(ada), "made_at": service_clock.now()}
        Code.objects.create(pk=REQUEST, purpose=purpose, address=address, player=of, **known)
        return {}

    def token(self) -> dict[str, Any]:
        return {"token_id": self.ada.get("me/tokens").body["results"][0]["id"]}


REQUEST = UUID("7d9f2c1e-5b1f-4d53-9a6c-0f2f4f3f9b10")
SCENES: dict[str, Callable[[Stage], Scene]] = {
    "sign_up": lambda it: (Person(), {}),
    "log_in": lambda it: (it.ada, {}),
    "log_in_by_code": lambda it: (Person(), it.mailed("login")),
    "reset_my_password": lambda it: (Person(), it.mailed("reset")),
    "verify_my_address": lambda it: (it.ada, it.mailed("verify")),
    **dict.fromkeys(("block_player", "unblock_player"), lambda it: (it.ada, it.with_bob())),
    "versus": lambda it: (it.ada, it.with_bob()),
    "add_bot": lambda it: (it.ada, it.room()),
    "change_room": lambda it: (it.ada, it.room()),
    "cancel_game": lambda it: (it.ada, it.room()),
    "join_game": lambda it: (it.bob, it.room()),
    "kick_player": lambda it: (it.ada, it.room("bob")),
    "leave_game": lambda it: (it.bob, it.room("bob")),
    "start_game": lambda it: (it.ada, it.room("bob")),
    "invite_player": lambda it: (it.ada, {**it.room(), **it.with_bob()}),
    "take_seat_back": lambda it: (it.ada, it.with_a_bot()),
    "lay_out": lambda it: (it.ada, it.of_three_thirteen()),
    "get_plan": lambda it: (it.ada, it.with_a_plan()),
    "get_record": lambda it: (it.ada, it.finished()),
    "say": lambda it: (it.ada, it.talking()),
    "report": lambda it: (it.bob, it.talking()),
    "hide_message": lambda it: (it.olga, it.talking_in_a_round()),
    "show_message": lambda it: (it.olga, it.talking_in_a_round()),
    "take_back": lambda it: (it.ada, it.talking()),
    "get_review": lambda it: (it.ada, it.reviewed()),
    "ask_for_review": lambda it: (it.ada, it.finished()),
    **dict.fromkeys(
        ("get_webhook", "change_webhook", "remove_webhook", "rotate_webhook_secret", "replay_webhook"),
        lambda it: (it.ada, it.webhook()),
    ),
    **dict.fromkeys(("get_house_game", "change_house_game", "delete_house_game"), lambda it: (it.ada, it.house_game())),
    "report_house_game": lambda it: (it.bob, it.house_game()),
    "channels_of_game": lambda it: (it.ada, it.with_a_channel()),
    "add_channel_of_game": lambda it: (it.ada, it.room()),
    **dict.fromkeys(("remove_channel_of_game", "test_channel_of_game"), lambda it: (it.ada, it.with_a_channel())),
    "channels_of_tournament": lambda it: (it.zoe, it.tournament_with_a_channel()),
    "add_channel_of_tournament": lambda it: (it.olga, it.tournament()),
    **dict.fromkeys(
        ("remove_channel_of_tournament", "test_channel_of_tournament"),
        lambda it: (it.olga, it.tournament_with_a_channel()),
    ),
    "write_to_entrants": lambda it: (it.olga, it.tournament()),
    "unsubscribe_browser": lambda it: (it.ada, it.browser()),
    **dict.fromkeys(("get_chat", "change_chat", "remove_chat", "test_chat"), lambda it: (it.ada, it.chat())),
    "rematch": lambda it: (it.ada, it.finished()),
    "revoke_my_token": lambda it: (it.ada, it.token()),
    "open_registration": lambda it: (it.olga, {"tournament_id": set_up(it.olga)["id"]}),
    "change_tournament": lambda it: (it.olga, {"tournament_id": set_up(it.olga)["id"]}),
    "start_tournament": lambda it: (it.olga, it.tournament()),
    "cancel_tournament": lambda it: (it.olga, it.tournament()),
    "finish_tournament": lambda it: (it.olga, it.season()),
    "reopen_tournament": lambda it: (it.olga, it.tournament("start", "finish", kind="season", settings={})),
    "seat_next_round": lambda it: (it.olga, it.draft()),
    "get_next_stage": lambda it: (it.zoe, it.with_a_game(it.with_a_final())),
    "get_draft": lambda it: (it.olga, it.draft()),
    "change_draft": lambda it: (it.olga, it.draft()),
    "publish_draft": lambda it: (it.olga, it.draft()),
    "renew_invitation": lambda it: (it.olga, it.tournament()),
    "accept_to_organise": lambda it: (it.bob, it.succeeded()),
    "add_organiser": lambda it: (it.olga, it.tournament()),
    "remove_organiser": lambda it: (it.olga, it.organised_by_two()),
    "enter_tournament": lambda it: (it.zoe, it.tournament()),
    "accept_invitation": lambda it: (it.bob, it.invited()),
    "new_guest_link": lambda it: (it.olga, it.with_a_guest()),
    "check_in": lambda it: (it.ada, it.checking_in()),
    "withdraw": lambda it: (it.ada, it.tournament()),
    "open_season_game": lambda it: (it.ada, it.season()),
    "propose": lambda it: (it.olga, it.season()),
    "get_proposal": lambda it: (it.zoe, it.proposal()),
    "withdraw_proposal": lambda it: (it.ada, it.proposal()),
    "vote": lambda it: (it.bob, it.proposal()),
    "decide_proposal": lambda it: (it.olga, it.proposal()),
    "rule": lambda it: (it.olga, it.tournament("start")),
}


def scene_of(operation: str, path: str, stage: Stage) -> Scene:
    """Any other call is about a running game or tournament, or needs no scene but Ada."""
    if operation in SCENES:
        return SCENES[operation](stage)
    if "{game_id}" in path:
        return stage.ada, stage.running()
    return stage.ada, stage.tournament("start") if "{tournament_id}" in path else {}


def filled_in(parameter: dict[str, Any]) -> Any:
    """What the docs page writes into the field of a parameter."""
    first = next(iter(parameter.get("examples", {}).values()), {})
    return first.get("value", parameter["schema"].get("default"))


@pytest.fixture(autouse=True, scope="module")
def _the_code_of_the_docs() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(codes, "code_of", lambda _: "BCDFGH")
        yield


@pytest.mark.sampled
@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_call_works_as_it_is_filled_in(operation: str, clock: service_clock.FrozenClock) -> None:
    method, path, described = OPERATIONS[operation]
    caller, ids = scene_of(operation, path, Stage())
    known = {(each["in"], each["name"]): filled_in(each) for each in described.get("parameters", [])}
    values = {name: value for (place, name), value in known.items() if place == "path"} | ids
    query = "&".join(f"{name}={value}" for (place, name), value in known.items() if place == "query" and value)
    content = described.get("requestBody", {}).get("content", {}).get("application/json", {})
    assert ("examples" in content) == bool(content), "a body needs an example"
    body = next(iter(content["examples"].values()))["value"] if content else None
    call = partial(caller.call, method.upper(), path.format(**values) + (f"?{query}" if query else ""))
    if operation == "play_move":
        # Which cards are in the hand is chance: the example is understood, and played is what is legal.
        assert call(body).status == 422
        body = caller.get(path.format(**values)).body["moves"][0]["send"]
    for name, (wrong, code) in CONDITIONS.items():
        refused = call(body, **{name: wrong}).code if ("header", name) in known else code
        assert refused == code, f"{name} is not looked at"
    answer = call(body, **{name: wrong for name, (wrong, _) in CONDITIONS.items() if ("header", name) not in known})
    assert answer.status < 300, answer.body
    headers = set(described["responses"][str(answer.status)].get("headers", {}))
    assert {name for name in FIELDS if name.lower() in answer.headers} <= headers
    said = headers - set(FIELDS)
    sent = {name for name in HEADERS if name.lower() in answer.headers}
    # Nothing is changed by a trial, so there is nothing to tag.
    assert said == sent or (body["dry_run"] and said > sent)
    if method == "get":
        assert (("header", "If-None-Match") in known) == ("ETag" in said) == ("304" in described["responses"])
        assert call(If_None_Match="*").status == (304 if "ETag" in said else answer.status)


def test_the_example_of_an_account_is_the_one_that_logs_in() -> None:
    examples = [OPERATIONS[name][2]["requestBody"] for name in ("sign_up", "log_in")]
    [first, second] = [each["content"]["application/json"]["examples"]["Example"]["value"] for each in examples]
    assert first == second == {"username": "ada", "password": PASSWORD}
