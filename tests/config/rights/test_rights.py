"""Every call of the API against every kind of caller: this table says who may do what."""

import re
from typing import Any

import pytest
from django.urls import URLPattern, get_resolver

from tests.config.rights.rights_scene import EVERYBODY, LOGIN_CODE, PLAYERS_CODE, PROPOSAL, RESET_CODE, Scene, code
from tests.core.notifications.browsers import Browser
from tests.games.api.client import PASSWORD
from tests.openapi import DOCUMENT

ME, NEW = {"password": PASSWORD}, {"new_password": "a loud morning"}
BOT, PEOPLE = {"level": "steady"}, {"seat": 1}
CUP = {"title": "Cup", "game": "threes", "kind": "rounds"}
SEATING = {"tables": [["e1", "e2"], ["e3", "e4"]], "byes": [], "reason": "a couple"}
RULING = {"ruling": "adjust", "entrant": "e1", "points": "1", "reason": "a prize"}
CLOSES = {"ratified": False, "reason": "not now"}
MESSAGE = {"text": "Round 2 begins on Sunday."}
TITLE, REASON, NOTHING = {"title": "Other"}, {"reason": "rain"}, {}
SPAM = {"why": "spam"}
RESIGNS = {"move": "resign"}
PLAN = {"lines": [{"move": {"move": "play", "choose": "lowest"}}]}
SINCE = {"since": "2026-01-01T00:00:00Z"}
EVERYTHING = "tournament organisers entries rounds round games standings record events rulings"

# The method and the names of URLs; what they are about; the body; and the status for each of EVERYBODY:
# nobody, stranger, spectator, player, opener, organiser, other organiser, staff, superuser.
BROWSER = Browser("https://push.example.org/send/8f2c").subscription()
CHAT = {"service": "ntfy", "url": "https://ntfy.sh/trey"}
OWN = {
    "the player's token", "the player's webhook", "the player's browser", "the player's chat",
    "the player's house game", "the player's public house game",
}  # fmt: skip
TABLE: list[tuple[str, str, Any, str]] = [
    # What everybody may read.
    ("GET index schema docs rulesets lessons lesson", "", None, "200 200 200 200 200 200 200 200 200"),
    ("GET leaderboard player ratings versus", "", None, "200 200 200 200 200 200 200 200 200"),
    # One's own account.
    ("POST players", "", {"username": "newcomer", **ME}, "201 201 201 201 201 201 201 201 201"),
    ("POST login", "", {"username": "stranger", **ME}, "200 200 200 200 200 200 200 200 200"),
    ("GET me people tokens turns export", "", None, "401 200 200 200 200 200 200 200 200"),
    ("GET notifications notification_settings", "", None, "401 200 200 200 200 200 200 200 200"),
    ("POST notifications_read", "", {"up_to": 0}, "401 200 200 200 200 200 200 200 200"),
    ("PATCH notification_settings", "", {"always": True}, "401 200 200 200 200 200 200 200 200"),
    ("GET webhooks", "", None, "401 200 200 200 200 200 200 200 200"),
    ("POST webhooks", "", {"url": "https://example.org/"}, "401 201 201 201 201 201 201 201 201"),
    ("GET webhook", "the player's webhook", None, "401 404 404 200 404 404 404 404 404"),
    ("PATCH webhook", "the player's webhook", {"active": False}, "401 404 404 200 404 404 404 404 404"),
    ("DELETE webhook", "the player's webhook", None, "401 404 404 204 404 404 404 404 404"),
    ("POST webhook_rotate", "the player's webhook", None, "401 404 404 200 404 404 404 404 404"),
    ("POST webhook_replay", "the player's webhook", SINCE, "401 404 404 200 404 404 404 404 404"),
    ("GET push push_key chats", "", None, "401 200 200 200 200 200 200 200 200"),
    ("GET calendar", "", None, "401 200 200 200 200 200 200 200 200"),
    ("POST calendar", "", None, "401 201 201 201 201 201 201 201 201"),
    ("DELETE calendar", "", None, "401 204 204 204 204 204 204 204 204"),
    ("POST push", "", BROWSER, "401 201 201 201 201 201 201 201 201"),
    ("DELETE browser", "the player's browser", None, "401 404 404 204 404 404 404 404 404"),
    ("POST chats", "", CHAT, "401 201 201 201 201 201 201 201 201"),
    ("GET chat", "the player's chat", None, "401 404 404 200 404 404 404 404 404"),
    ("PATCH chat", "the player's chat", {"active": False}, "401 404 404 200 404 404 404 404 404"),
    ("DELETE chat", "the player's chat", None, "401 404 404 204 404 404 404 404 404"),
    ("POST chat_test", "the player's chat", None, "401 404 404 202 404 404 404 404 404"),
    ("POST code reset", "", {"address": "somebody@example.org"}, "202 202 202 202 202 202 202 202 202"),
    ("POST code_login", "", code(LOGIN_CODE), "200 200 200 200 200 200 200 200 200"),
    ("POST reset_password", "", {**code(RESET_CODE), **NEW}, "204 204 204 204 204 204 204 204 204"),
    ("GET address blocked", "", None, "401 200 200 200 200 200 200 200 200"),
    ("PUT address", "", {"address": "new@example.org", **ME}, "401 202 202 202 202 202 202 202 202"),
    ("POST verify_address", "", code(PLAYERS_CODE), "401 403 403 200 403 403 403 403 403"),
    ("DELETE address", "", ME, "401 204 204 204 204 204 204 204 204"),
    ("PUT block", "", None, "401 204 204 400 204 204 204 204 204"),
    ("DELETE block", "", None, "401 204 204 204 204 204 204 204 204"),
    ("PATCH me", "", {"preferences": {"unlisted": True}}, "401 200 200 200 200 200 200 200 200"),
    ("POST logout", "", None, "401 204 204 204 204 204 204 204 204"),
    ("DELETE tokens", "", None, "401 204 204 204 204 204 204 204 204"),
    ("DELETE token", "the player's token", None, "401 404 404 204 404 404 404 404 404"),
    ("POST password", "", {**ME, **NEW}, "401 204 204 204 204 204 204 204 204"),
    ("POST close", "", ME, "401 204 204 204 204 204 204 204 204"),
    # House games: whoever has an id reads it. The player wrote these.
    ("GET house_games", "", None, "401 200 200 200 200 200 200 200 200"),
    ("POST check_rules", "", {"rules": {}}, "401 200 200 200 200 200 200 200 200"),
    ("POST house_games", "", {"rules": {"title": "Ours"}}, "401 201 201 201 201 201 201 201 201"),
    ("GET house_game", "the player's house game", None, "401 200 200 200 200 200 200 200 200"),
    ("PUT house_game", "the player's house game", {"rules": {"title": "New"}}, "401 403 403 200 403 403 403 403 403"),
    ("DELETE house_game", "the player's house game", None, "401 403 403 204 403 403 403 403 403"),
    ("POST house_game_report", "the player's public house game", SPAM, "401 201 201 403 201 201 201 201 201"),
    ("POST house_game_report", "the player's house game", SPAM, "401 404 404 404 404 404 404 404 404"),
    # Rooms.
    ("GET games", "", None, "401 200 200 200 200 200 200 200 200"),
    ("POST games", "", {"game": "threes", "seats": 2}, "401 201 201 201 201 201 201 201 201"),
    ("GET game", "room", None, "401 200 200 200 200 200 200 200 200"),
    ("POST join", "room", NOTHING, "401 200 200 409 409 200 200 200 200"),
    ("PATCH game", "room", {"seats": 5}, "401 403 403 403 200 403 403 403 403"),
    ("POST leave", "room", None, "401 403 403 200 200 403 403 403 403"),
    ("POST bots", "room", BOT, "401 403 403 403 200 403 403 403 403"),
    ("POST kick", "room", PEOPLE, "401 403 403 403 200 403 403 403 403"),
    ("POST start cancel", "room", None, "401 403 403 403 200 403 403 403 403"),
    ("POST invite", "room", {"username": "organiser"}, "401 403 403 204 204 403 403 403 403"),
    ("GET channels", "room", None, "401 200 200 200 200 200 200 200 200"),
    ("POST channels", "room", CHAT, "401 403 403 403 201 403 403 403 403"),
    ("DELETE channel", "room", None, "401 403 403 403 204 403 403 403 403"),
    ("POST channel_test", "room", None, "401 404 404 404 202 404 404 404 404"),
    ("POST seen", "room", {"version": 1}, "401 403 403 204 204 403 403 403 403"),
    # The spectator has the invitation of what is private, and sends it where it is taken. Staff have the dashboard.
    ("GET game", "private room", None, "401 404 200 200 200 404 404 404 404"),
    ("POST join", "private room", NOTHING, "401 404 200 409 409 404 404 404 404"),
    ("PATCH game", "private room", {"seats": 5}, "401 404 404 403 200 404 404 404 404"),
    ("POST leave", "private room", None, "401 404 404 200 200 404 404 404 404"),
    ("POST bots", "private room", BOT, "401 404 404 403 200 404 404 404 404"),
    ("POST kick", "private room", PEOPLE, "401 404 404 403 200 404 404 404 404"),
    ("POST start cancel", "private room", None, "401 404 404 403 200 404 404 404 404"),
    ("POST invite", "private room", {"username": "organiser"}, "401 404 404 204 204 404 404 404 404"),
    ("POST seen", "private room", {"version": 1}, "401 404 404 204 204 404 404 404 404"),
    # Games that run.
    ("GET game clock events history fairness", "game", None, "401 200 200 200 200 200 200 200 200"),
    ("GET record", "game", None, "401 409 409 409 409 409 409 409 409"),
    ("GET moves", "game", None, "401 403 403 200 200 403 403 403 403"),
    ("POST moves", "game", RESIGNS, "401 403 403 201 201 403 403 403 403"),
    # A plan is its player's alone: staff and organisers have no way to it.
    ("PUT plan", "game", PLAN, "401 403 403 200 200 403 403 403 403"),
    ("POST try_plan", "game", PLAN, "401 403 403 200 200 403 403 403 403"),
    ("GET plan", "game", None, "401 403 403 404 404 403 403 403 403"),
    ("GET plan", "game with plans", None, "401 403 403 200 200 403 403 403 403"),
    ("DELETE plan", "game", None, "401 403 403 204 204 403 403 403 403"),
    ("PUT plan", "private game", PLAN, "401 404 404 200 200 404 404 404 404"),
    ("POST try_plan", "private game", PLAN, "401 404 404 200 200 404 404 404 404"),
    ("DELETE plan", "private game", None, "401 404 404 204 204 404 404 404 404"),
    # Nor to a note.
    ("GET note", "game", None, "401 403 403 200 200 403 403 403 403"),
    ("PUT note", "game", {"text": "Keep the 2."}, "401 403 403 200 200 403 403 403 403"),
    ("DELETE note", "game", None, "401 403 403 204 204 403 403 403 403"),
    ("PUT note", "private game", {"text": "Keep the 2."}, "401 404 404 200 200 404 404 404 404"),
    ("DELETE note", "private game", None, "401 404 404 204 204 404 404 404 404"),
    # A talk is heard by those who sit there, and read by a tournament's organisers (TK2).
    ("GET talk", "game", None, "401 403 403 200 200 403 403 403 403"),
    ("POST talk", "game", {"sign": "ouch"}, "401 403 403 201 201 403 403 403 403"),
    ("DELETE talk_message", "game", None, "401 403 403 204 403 403 403 403 403"),
    ("POST talk_read", "game", {"up_to": 0}, "401 403 403 204 204 403 403 403 403"),
    ("PUT talk_quiet", "game", {"quiet": True}, "401 403 403 204 204 403 403 403 403"),
    ("POST talk", "private game", {"text": "Hi"}, "401 404 404 201 201 404 404 404 404"),
    ("DELETE talk_message", "private game", None, "401 404 404 404 404 404 404 404 404"),
    ("GET talk", "game of rounds", None, "401 403 403 200 403 200 403 403 403"),
    ("POST talk", "game of rounds", {"text": "Hi"}, "401 403 403 201 403 403 403 403 403"),
    ("POST talk_read", "game of rounds", {"up_to": 0}, "401 403 403 204 403 403 403 403 403"),
    ("POST talk_report", "game", {"why": "insult"}, "401 403 403 403 201 403 403 403 403"),
    ("POST talk_hide", "game", {"reason": "Insults."}, "401 403 403 403 403 403 403 403 403"),
    ("POST talk_hide", "game of rounds", {"reason": "Insults."}, "401 403 403 403 403 204 403 403 403"),
    ("DELETE talk_hide", "game of rounds", None, "401 403 403 403 403 204 403 403 403"),
    ("GET results my_results", "", None, "401 200 200 200 200 200 200 200 200"),
    ("GET my_talks", "", None, "401 200 200 200 200 200 200 200 200"),
    ("PATCH game", "game", {"seats": 5}, "401 403 403 409 409 403 403 403 403"),
    ("POST join", "game", NOTHING, "401 409 409 409 409 409 409 409 409"),
    ("POST cancel", "game", None, "401 403 403 200 200 403 403 403 403"),
    ("POST return", "game with a bot", None, "401 403 403 200 409 403 403 403 403"),
    ("GET game clock events history fairness", "private game", None, "401 404 200 200 200 404 404 404 404"),
    ("GET record", "private game", None, "401 404 409 409 409 404 404 404 404"),
    ("GET moves", "private game", None, "401 404 403 200 200 404 404 404 404"),
    ("POST moves", "private game", RESIGNS, "401 404 404 201 201 404 404 404 404"),
    # Three Thirteen has no spectators (TT10).
    ("GET game clock events history fairness moves", "hidden game", None, "401 403 403 200 200 403 403 403 403"),
    ("GET lay_out", "hidden game", None, "401 403 403 200 200 403 403 403 403"),
    ("GET lay_out", "game", None, "401 403 403 409 409 403 403 403 403"),
    ("GET record", "hidden game", None, "401 403 403 409 409 403 403 403 403"),
    ("POST moves", "hidden game", RESIGNS, "401 403 403 201 201 403 403 403 403"),
    # Games that are over.
    ("GET game events history record fairness", "finished game", None, "401 200 200 200 200 200 200 200 200"),
    ("GET review", "finished game", None, "401 404 404 404 404 404 404 404 404"),
    ("POST review", "finished game", None, "401 202 202 202 202 202 202 202 202"),
    ("GET review", "reviewed game", None, "401 200 200 200 200 200 200 200 200"),
    ("POST review", "private game", None, "401 404 409 409 409 404 404 404 404"),
    ("POST review", "hidden game", None, "401 403 403 409 409 403 403 403 403"),
    ("POST rematch", "finished game", None, "401 403 403 201 201 403 403 403 403"),
    # A tournament's game of Three Thirteen, at which the opener does not sit: its organisers see what is public (LI7).
    ("GET game clock events history fairness", "game of rounds", None, "401 403 403 200 403 200 403 200 200"),
    ("GET record", "game of rounds", None, "401 403 403 409 403 409 403 409 409"),
    ("GET moves", "game of rounds", None, "401 403 403 200 403 403 403 403 403"),
    ("POST moves", "game of rounds", RESIGNS, "401 403 403 201 403 403 403 403 403"),
    ("POST cancel", "game of rounds", None, "401 403 403 403 403 403 403 403 403"),
    # A private tournament's game, where the opener sits, too.
    ("GET game clock events history fairness", "game of private rounds", None, "401 404 404 200 200 200 404 200 200"),
    ("GET record", "game of private rounds", None, "401 404 404 409 409 409 404 409 409"),
    ("GET moves", "game of private rounds", None, "401 404 404 200 200 403 404 403 403"),
    ("POST moves", "game of private rounds", RESIGNS, "401 404 404 201 201 403 404 403 403"),
    # Tournaments: everybody reads public ones (LI7), but for their drafts of a seating.
    ("GET tournaments", "", None, "200 200 200 200 200 200 200 200 200"),
    ("POST tournaments", "", CUP, "401 201 201 201 201 201 201 201 201"),
    (f"GET {EVERYTHING}", "rounds", None, "200 200 200 200 200 200 200 200 200"),
    (f"GET {EVERYTHING}", "private rounds", None, "404 404 200 200 200 200 404 200 200"),
    ("GET draft", "manual rounds", None, "401 403 403 403 403 200 403 200 200"),
    ("PUT draft", "manual rounds", SEATING, "401 403 403 403 403 200 403 200 200"),
    ("POST publish next_round", "manual rounds", None, "401 403 403 403 403 200 403 200 200"),
    # Their life.
    ("PATCH tournament", "draft", TITLE, "401 404 404 404 404 200 404 200 200"),
    ("POST open", "draft", None, "401 404 404 404 404 200 404 200 200"),
    ("POST organisers", "draft", {"player": "dan"}, "401 404 404 404 404 201 404 201 201"),
    ("DELETE organisers", "draft", {"player": "cleo"}, "401 404 404 404 404 200 404 200 200"),
    ("POST accept_to_organise", "successor", None, "401 404 404 404 404 409 200 409 409"),
    ("POST invitation", "draft", None, "401 404 404 404 404 200 404 200 200"),
    ("POST invitation", "private rounds", None, "401 404 404 403 403 200 404 200 200"),
    ("POST start", "registration", None, "401 403 403 403 403 200 403 200 200"),
    ("POST finish", "season", None, "401 403 403 403 403 200 403 200 200"),
    ("POST cancel", "rounds", REASON, "401 403 403 403 403 200 403 200 200"),
    ("POST reopen", "finished season", REASON, "401 403 403 403 403 200 403 200 200"),
    ("POST rulings", "rounds", RULING, "401 403 403 403 403 201 403 201 201"),
    # What they post to, and messages to all entrants.
    ("GET channels", "rounds", None, "200 200 200 200 200 200 200 200 200"),
    ("GET channels", "private rounds", None, "404 404 200 200 200 200 404 200 200"),
    ("POST channels", "rounds", CHAT, "401 403 403 403 403 201 403 201 201"),
    ("POST channels", "private rounds", CHAT, "401 404 404 403 403 201 404 201 201"),
    ("DELETE channel", "rounds", None, "401 403 403 403 403 204 403 204 204"),
    ("POST channel_test", "rounds", None, "401 404 404 404 404 202 404 404 404"),
    ("POST messages", "rounds", MESSAGE, "401 403 403 403 403 201 403 201 201"),
    ("POST messages", "private rounds", MESSAGE, "401 404 404 403 403 201 404 201 201"),
    ("PATCH tournament", "private rounds", TITLE, "401 404 404 403 403 409 404 409 409"),
    ("POST cancel", "private rounds", REASON, "401 404 404 403 403 200 404 200 200"),
    ("POST rulings", "private rounds", RULING, "401 404 404 403 403 201 404 201 201"),
    # Their entries. The player is e1, the opener e2.
    ("POST entries", "registration", NOTHING, "401 201 201 409 409 201 201 201 201"),
    ("POST entries", "registration", {"player": "stranger"}, "401 403 403 403 403 201 403 201 201"),
    ("POST entries", "registration", {"bot": "steady"}, "401 403 403 403 403 201 403 201 201"),
    ("POST entries", "private rounds", NOTHING, "401 404 201 409 409 201 404 201 201"),
    ("POST accept", "invited", None, "401 403 403 200 403 403 403 403 403"),
    ("POST withdraw", "registration", NOTHING, "401 403 403 200 403 200 403 200 200"),
    # The guest is e1.
    ("POST guest_link", "guests", None, "401 403 403 403 403 201 403 201 201"),
    ("POST check_in", "registration", None, "401 403 403 200 403 200 403 200 200"),
    # Proposals: the player has made one, and votes on it as the opener does (RT1, RT2).
    ("GET proposals proposal next_stage", "voting season", None, "200 200 200 200 200 200 200 200 200"),
    ("GET proposals", "private rounds", None, "404 404 200 200 200 200 404 200 200"),
    ("POST proposals", "voting season", PROPOSAL, "401 403 403 409 201 201 403 201 201"),
    ("POST proposals", "private rounds", PROPOSAL, "401 404 404 403 403 201 404 201 201"),
    ("PUT vote", "voting season", {"vote": "no"}, "401 403 403 200 200 403 403 403 403"),
    ("POST decide", "voting season", CLOSES, "401 403 403 403 403 200 403 200 200"),
    ("DELETE proposal", "voting season", None, "401 403 403 200 403 403 403 403 403"),
    # A season's rooms are opened by its entrants (SN1).
    ("POST games", "season", {"seats": 2}, "401 403 403 201 201 403 403 403 403"),
]
GAMES = {
    "room",
    "private room",
    "game",
    "private game",
    "hidden game",
    "game with a bot",
    "game with plans",
    "finished game",
    "reviewed game",
}
GAMES |= {"game of rounds", "game of private rounds"}
ARGUMENTS: dict[str, dict[str, Any]] = {
    "talk_message": {"number": 1},
    "talk_report": {"number": 1},
    "talk_hide": {"number": 1},
    "history": {"version": 3},
    "leaderboard": {"game": "threes"},
    "lesson": {"game": "threes"},
    "player": {"username": "player"},
    "block": {"username": "player"},
    "ratings": {"username": "player"},
    "versus": {"username": "player", "other": "opener"},
    "tournament_round": {"number": 1},
    "tournament_proposal": {"n": 1},
    "tournament_vote": {"n": 1},
    "tournament_decide": {"n": 1},
    "tournament_accept": {"entrant": "e1"},
    "tournament_withdraw": {"entrant": "e1"},
    "tournament_check_in": {"entrant": "e1"},
    "tournament_guest_link": {"entrant": "e1"},
}


#: Another process serves these: tests/games/live.
LIVE = {"GET live", "GET my_live", "GET results_live"}


Row = tuple[str, str, str, Any, str]


def rows() -> list[Row]:
    """The table, a row a call: the method, the name of the URL, what it is about, the body, the statuses."""
    found = []
    for calls, about, body, statuses in TABLE:
        method, *names = calls.split()
        in_tournaments = about not in GAMES | {"", *OWN}
        for name in names:
            full = f"tournament_{name}" if in_tournaments and name != "tournament" else name
            found.append((method, full, about, body, statuses))
    return found


def named(row: Row) -> str:
    return f"{row[0]} {row[1]}, {row[2] or 'nothing'}"


def patterns_of_the_api() -> list[URLPattern]:
    [api] = [each for each in get_resolver().url_patterns if getattr(each, "namespace", None) == "api"]
    found, todo = [], list(api.url_patterns)
    while todo:
        pattern = todo.pop()
        if isinstance(pattern, URLPattern):
            found.append(pattern)
        else:
            todo += pattern.url_patterns
    return found


def calls_of_the_api() -> set[str]:
    """`GET games` and all the others, by the names of their URLs."""
    methods = ("get", "post", "put", "patch", "delete")
    return {
        f"{method.upper()} {pattern.name}"
        for pattern in patterns_of_the_api()
        for method in methods
        if hasattr(pattern.callback.view_class, method)
    }


def calls_without_a_token() -> tuple[set[str], set[str]]:
    """The calls of the OpenAPI document, and those of them that need no token according to it."""
    paths = DOCUMENT["paths"]
    documented, free = set(), set()
    for pattern in patterns_of_the_api():
        path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", f"/api/v1/{pattern.pattern}").rstrip("/")
        for method, operation in paths.get(path, {}).items():
            if "responses" in operation:
                documented.add(f"{method.upper()} {pattern.name}")
                if not operation["security"] or {} in operation["security"]:
                    free.add(f"{method.upper()} {pattern.name}")
    return documented, free


def test_every_call_has_a_row_in_which_it_succeeds() -> None:
    succeed = {f"{method} {name}" for method, name, _, _, statuses in rows() if " 20" in statuses}
    assert succeed == calls_of_the_api() - LIVE


@pytest.mark.sampled
@pytest.mark.django_db
@pytest.mark.parametrize("row", rows(), ids=named)
def test_each_call_is_for_whom_the_table_says(scene: Scene, row: Row) -> None:
    method, name, about, body, statuses = row
    answers = [scene.call(who, method, name, about, body, ARGUMENTS.get(name, {})) for who in EVERYBODY]
    assert " ".join(str(answer.status) for answer in answers) == statuses


def test_the_document_says_which_calls_need_no_token() -> None:
    documented, free = calls_without_a_token()
    assert documented == calls_of_the_api() - {"GET schema", "GET docs"}
    answered = {f"{method} {name}" for method, name, _, _, statuses in rows() if not statuses.startswith("401")}
    assert free == answered & documented
