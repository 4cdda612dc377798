"""Log lines: one shape, the request's id on each, nothing secret."""

import io
import json
import logging
import re
import sys

import pytest
from celery import shared_task

from config.ops.logs import formatter
from games import selectors
from games.accounts import tokens
from games.accounts.models import Player
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


@pytest.mark.parametrize("path", ["/api/v1/games", "/admin/login/"])
def test_a_traceback_carries_the_id_of_its_request(alice, monkeypatch, path):
    def fails(*_, **__):
        raise RuntimeError("the cards were ['7H', '8H']")

    monkeypatch.setattr(selectors, "games_for", fails)
    monkeypatch.setattr("django.contrib.auth.views.LoginView.dispatch", fails)
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


def test_a_whole_game_leaves_no_card_token_or_hash_in_the_lines(alice, caplog):
    caplog.set_level(logging.DEBUG)
    with Lines() as lines:
        logged_in = Person().post("auth/login", {"username": "alice", "password": "a quiet evening"}).body["token"]
        game = alice.opens(game="threes", seats=2, bots=1)["id"]
        alice.post(f"games/{game}/start")
        for _ in range(6):
            if moves := alice.get(f"games/{game}/moves").body["moves"]:
                alice.post(f"games/{game}/moves", concrete(moves[0]))
        alice.post(f"games/{game}/moves", {"move": "play", "cards": ["7H", "7X"]})
    assert len(lines.as_json()) > 10
    assert alice.token not in lines.text
    assert logged_in not in lines.text
    for secret in (r"[0-9a-f]{40}", r"""['"][2-9TJQKA][SHDC]['"]""", "a quiet evening"):
        assert not re.search(secret, lines.text), secret


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
