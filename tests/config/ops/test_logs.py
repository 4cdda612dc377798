"""Log lines: one shape, the request's id on each, nothing secret."""

import io
import json
import logging
import re
import sys

import pytest
from celery import shared_task
from django.contrib.auth.hashers import make_password
from django.db import DatabaseError, OperationalError, transaction

from config.ops.logs import Unreachable, formatter
from core.accounts import services as accounts
from core.accounts.login import hashing, tokens
from core.accounts.models import Player
from core.log.models import StoredEvent
from games import selectors, tasks
from games.models import Game
from tests.games.api.client import Person, concrete

pytestmark = pytest.mark.django_db


class Lines:
    """What the service logs, as it would be written."""

    def __init__(self, form="json"):
        self.stream = io.StringIO()
        self.handler = logging.StreamHandler(self.stream)
        self.handler.setFormatter(formatter(form))

    def __enter__(self):
        logging.getLogger().addHandler(self.handler)
        return self

    def __exit__(self, *_):
        logging.getLogger().removeHandler(self.handler)

    @property
    def text(self):
        return self.stream.getvalue()

    def as_json(self):
        return [json.loads(line) for line in self.text.splitlines()]


@pytest.fixture
def alice():
    return Person("alice", tokens.issue(Player.objects.create_user("alice", password="a quiet evening"))[0])


@pytest.fixture(autouse=True)
def _requests_are_logged(settings):
    settings.TREY_LOG_REQUESTS = True


def test_a_request_is_one_line_of_json_without_its_query(client):
    with Lines() as lines:
        answer = client.get("/api/v1/rulesets?invitation=secret", headers={"x-request-id": "abc-1"})
    [line] = lines.as_json()
    assert line["message"] == "GET /api/v1/rulesets"
    assert (line["level"], line["logger"], line["status"]) == ("info", "trey.web", 400)
    assert line["request_id"] == answer["X-Request-ID"] == "abc-1"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z", line["time"])
    assert "secret" not in lines.text


def test_an_id_that_is_not_plain_is_replaced(client):
    assert re.fullmatch("[0-9a-f]{32}", client.get("/", headers={"x-request-id": "a b\tc"})["X-Request-ID"])


def test_in_a_terminal_a_request_is_one_readable_line(client):
    with Lines("text") as lines:
        client.get("/api/v1/rulesets", headers={"x-request-id": "abc-1"})
    assert re.fullmatch(
        r"\d\d:\d\d:\d\d info     trey\.web GET /api/v1/rulesets status=200 ms=[\d.]+ request_id=abc-1\n", lines.text
    )


@pytest.mark.parametrize("path", ["/api/v1/games", "/accounts/login/"])
def test_a_traceback_carries_the_id_of_its_request(alice, monkeypatch, path):
    def fails(*_, **__):
        raise RuntimeError("the cards were ['7H', '8H']")

    monkeypatch.setattr(selectors, "games_for", fails)
    monkeypatch.setattr("allauth.account.views.LoginView.dispatch", fails)
    alice.client.raise_request_exception = False
    with Lines() as lines, Lines("text") as text:
        assert alice.get(path, X_Request_ID="abc-1").status == 500
    failure, request = lines.as_json()
    assert failure["level"] == "error"
    assert failure["request_id"] == request["request_id"] == "abc-1"
    assert "RuntimeError: the cards were ['??', '??']" in failure["exception"]
    assert alice.token not in lines.text + text.text
    assert re.search(r"request_id=abc-1\nTraceback", text.text)


def test_the_id_of_one_request_is_not_on_the_lines_of_the_next(client):
    client.get("/", headers={"x-request-id": "abc-1"})
    with Lines() as lines:
        logging.getLogger("games").warning("between")
    assert "request_id" not in lines.as_json()[0]


def test_lines_of_a_task_carry_its_id():
    @shared_task(name="tests.speaks")
    def speaks():
        logging.getLogger("games").info("at work")

    with Lines() as lines:
        done = speaks.apply()
        logging.getLogger("games").info("afterwards")
    at_work, afterwards = lines.as_json()
    assert (at_work["task"], at_work["task_id"]) == ("tests.speaks", done.id)
    assert "task" not in afterwards


def test_a_database_that_does_not_respond_is_one_line_and_other_errors_have_their_traceback():
    record = logging.makeLogRecord({"msg": "Message Error: %s\n%s", "args": ("it", "its stack")})
    reached = Unreachable()
    for error, shown in (
        (OperationalError("connection failed: no server"), False),
        (OperationalError("deadlock"), True),
    ):
        record.exc_info = (type(error), error, None)
        assert reached.filter(record)
        assert bool(record.exc_info) is shown
    assert record.getMessage() == "Message Error: it"


def test_what_celery_adds_to_a_failed_task_is_not_on_its_line_a_second_time():
    @shared_task(name="tests.fails")
    def fails():
        raise ValueError("7H and " + "ab" * 32)

    with Lines() as lines:
        fails.apply()
    [line] = [line for line in lines.as_json() if line["logger"] == "celery.app.trace"]
    assert "data" not in line
    assert "abab" not in lines.text


def test_fields_are_kept_and_secrets_hidden():
    token, digest = "ab" * 32, "CD" * 64
    with Lines() as lines:
        try:
            raise ValueError(f"Key (digest)=({digest}) and '7H' and [\"XR\"]")
        except ValueError:
            logging.getLogger("games").exception("a fault of %s", token, extra={"game": "g-1", "seed": token})
    [line] = lines.as_json()
    assert line["game"] == "g-1"
    assert (line["message"], line["seed"]) == ("a fault of [hidden]", "[hidden]")
    assert line["exception"].endswith("Key (digest)=([hidden]) and '??' and [\"??\"]")


@pytest.mark.parametrize("form", ["json", "text"])
def test_secrets_are_hidden_wherever_they_are_in_a_line(form):
    password = make_password("a quiet evening", hasher=hashing.Argon2())
    with Lines(form) as lines:
        logging.getLogger("games").warning(
            "the row (5, alice, %s, f, \\x00112233445566778899aabbccddeeff).",
            password,
            extra={"card": "7H", "hands": [["XR"], ("AS",)], "row": {"digest": "ef" * 32}, "bag": {"TD"}, "count": 7},
        )
    for secret in (*password.split("$")[3:], "00112233", "7H", "XR", "AS", "TD", "efef"):
        assert secret not in lines.text
    assert "the row (5, alice, [hidden] f, [hidden])" in lines.text
    if form == "json":
        [line] = lines.as_json()
        assert (line["card"], line["hands"], line["row"]) == ("??", [["??"], ["??"]], {"digest": "[hidden]"})
        assert line["count"] == 7


def test_a_row_that_the_database_refuses_is_not_in_the_traceback(alice, monkeypatch):
    def fails(player, **_):
        Player.objects.filter(pk=player.pk).update(username=None)

    Player.objects.filter(username="alice").update(password=make_password("x", hasher=hashing.Argon2()))
    monkeypatch.setattr(accounts, "change_profile", fails)
    alice.client.raise_request_exception = False
    with Lines() as lines:
        assert alice.patch("me", {"preferences": {}}).status == 500
    [failure, _] = lines.as_json()
    assert re.search(r"DETAIL:  Failing row contains \[hidden\]$", failure["exception"], re.MULTILINE)
    assert "argon2" not in lines.text


def test_a_traceback_shows_no_variables():
    hand = ["7H", "8H"]
    with Lines() as lines, Lines("text") as text:
        try:
            raise ValueError(len(hand))
        except ValueError:
            logging.getLogger("games").error("failed", exc_info=sys.exc_info())
    for written in (lines.text, text.text):
        assert "ValueError: 2" in written
        assert "7H" not in written


CARD = re.compile(r"\b(?:[2-9TJQKA][SHDC]|X[RB])\b")


@pytest.mark.sampled
@pytest.mark.parametrize("name", ["threes", "three_thirteen"])
def test_a_whole_game_with_all_that_goes_wrong_leaves_no_card_token_or_hash_in_the_lines(alice, caplog, name):
    caplog.set_level(logging.DEBUG)
    with Lines() as lines, Lines("text") as text:
        pair = {"username": "bob", "password": "another quiet evening"}
        assert Person().post("players", pair).status == 201
        bob = Person("bob", Person().post("auth/login", pair).body["token"])
        assert Person().post("auth/login", {**pair, "password": "a wrong guess"}).status == 401
        assert Person(token="no" + bob.token[2:]).get("me").status == 401
        game = alice.opens(game=name, visibility="private")
        path = f"games/{game['id']}"
        assert bob.post(f"{path}/join?invitation={game['invitation']}", {}).status == 400
        assert bob.post(f"{path}/join", {"invitation": game["invitation"]}).status == 200
        assert alice.post(f"{path}/start").status == 200
        while (seen := alice.sees(game))["status"] in ("setup", "playing"):
            turn = seen["version"]
            who = (alice, bob)[seen["to_act"][0]]
            moves = who.get(f"{path}/moves").body["moves"]
            who.post(f"{path}/moves", {"move": "play", "cards": ["7H", "7X"]})
            who.post(f"{path}/moves", {"move": "play", "cards": ["XB", "AS"]})
            who.post(f"{path}/moves", {"move": "discard", "card": "KD"}, If_Match='"v1"')
            move = concrete(moves[-1]) if turn < 60 else {"move": "resign"}
            assert who.post(f"{path}/moves", move).status == 201
        for read in ("record", "events", "fairness", "history/9"):
            assert bob.get(f"{path}/{read}").status == 200
        with pytest.raises(DatabaseError) as failure, transaction.atomic():
            Game.objects.filter(pk=game["id"]).update(status=None)
        logging.getLogger("games").error("failed", exc_info=failure.value)
        tasks.sweep.apply()
    assert len(lines.as_json()) > 100
    written = lines.text + text.text
    row = Game.objects.get(pk=game["id"])
    hashes = Player.objects.values_list("password", flat=True)
    nonces = [bytes(nonce).hex() for nonce in StoredEvent.objects.values_list("nonce", flat=True)]
    of_game = [row.state["secret"], row.invitation]
    secrets = [alice.token, bob.token, *of_game, pair["password"], "a wrong guess", *hashes, *nonces]
    assert [secret for secret in secrets if not secret] == []
    assert [secret for secret in secrets if secret in written] == []
    assert CARD.findall(written) == []


def test_a_host_that_is_not_ours_is_one_line_without_a_traceback(client):
    # The filter is on the logger of the settings.
    with Lines() as lines, Lines("text") as text:
        assert client.get("/api/v1/rulesets", headers={"host": "evil.example"}).status_code == 400
    [refusal, _] = lines.as_json()
    assert "evil.example" in refusal["message"]
    assert "exception" not in refusal
    assert len(text.text.splitlines()) == 2


def test_a_path_cannot_write_lines_of_its_own(client):
    with Lines("text") as lines:
        client.get("/api/v1/games/%1b%5b31mRED%0aweb%20info%20fake")
    [line] = lines.text.splitlines()
    assert line.isprintable()
    assert "%0Aweb" in line


def test_at_debug_a_page_is_one_line(client, monkeypatch):
    monkeypatch.setattr(logging.getLogger("django"), "level", logging.DEBUG)
    with Lines() as lines:
        assert client.get("/").status_code == 200
    assert [line["message"] for line in lines.as_json()] == ["GET /"]


def test_without_the_setting_only_server_errors_are_logged(client, settings, monkeypatch):
    settings.TREY_LOG_REQUESTS = False
    client.raise_request_exception = False
    with Lines() as lines:
        assert client.get("/api/v1/rulesets").status_code == 200
        assert client.get("/api/v1/nowhere").status_code == 404
        assert lines.text == ""
        monkeypatch.setattr("games.api.games.RulesetsView.get", lambda *_, **__: 1 / 0)
        assert client.get("/api/v1/rulesets").status_code == 500
    assert "GET /api/v1/rulesets" in [line["message"] for line in lines.as_json()]
