"""What a token may do: five scopes, none of which holds another, and the one that each operation needs."""

import re
from collections.abc import Collection
from functools import cache

from rest_framework.request import Request

from core.http.problems import Problem

SCOPES = {
    "read": "see your games, your cards, your tournaments and your notifications",
    "play": "open tables, sit down, play, plan, resign, enter tournaments, vote, and change your vacation, quiet hours "
    "and preferences",
    "organise": "set up and run tournaments for you, including rulings",
    "notify": "choose where your notifications go: pushes, webhooks, chats, group channels and your calendar's address",
    "account": "change your name, password, address, tokens and blocked players, export your data, close the account",
}
"""Each in words, in the order in which they are listed."""
ALL = tuple(SCOPES)
IDENTITY = dict.fromkeys(("openid", "profile"), "know your name and id on this server")
"""What else an app may ask for. No operation of the API needs one of them."""
NONE, ANY = "none", "any"
"""What needs no scope: a token is not looked at, or any will do."""

_CHANGE = ("POST", "PUT", "PATCH", "DELETE")
# The first row that fits. Paths are those below /api/v1/, with {} for parameters.
_ROWS = (
    (NONE, ("GET",), r"|rulesets|schema|docs|lessons(/.*)?"),
    (NONE, ("POST",), r"players|auth/(?!logout$).*"),
    (ANY, ("POST",), r"auth/logout"),
    ("account", None, r"me/(address|blocked|tokens)(/.*)?|me/(close|export|password)"),
    ("notify", None, r"me/(chat|push|webhooks)(/.*)?|me/ics|me/notifications/settings"),
    ("notify", ("POST", "DELETE"), r"(games|tournaments)/{}/channels(/.*)?"),
    ("organise", _CHANGE, r"games/{}/talk/{}/hide"),
    ("read", ("GET",), r".*"),
    ("play", _CHANGE, r"(house-)?games(/.*)?|me|me/notifications/read"),
    ("play", ("POST",), r"tournaments/{}/(entries(/{}/(accept|withdraw|check-in))?|games|proposals)"),
    ("play", ("DELETE", "PUT"), r"tournaments/{}/proposals/{}(/vote)?"),
    ("organise", _CHANGE, r"tournaments(/.*)?"),
)
_TABLE = [(scope, methods, re.compile(pattern.replace("{}", r"\{\}"))) for scope, methods, pattern in _ROWS]
_PARAMETER = re.compile(r"<[^>]*>|\{[^}]*\}")
_ROOT = re.compile(r"/?api/v1/?")


@cache
def scope_of(method: str, path: str) -> str:
    """The scope that an operation needs, or NONE or ANY; `path` is a route with `<uuid:game_id>` or `{game_id}`."""
    method = "GET" if method == "HEAD" else method
    below = _PARAMETER.sub("{}", _ROOT.sub("", path, count=1))
    return next(
        scope for scope, methods, fits in _TABLE if (methods is None or method in methods) and fits.fullmatch(below)
    )


def check(request: Request, scope: str) -> None:
    """Raises Problem (insufficient_scope) if the caller's token lacks it. Sessions of our pages have all scopes."""
    check_in(getattr(request.auth, "scopes", ALL), scope)


def check_in(scopes: Collection[str], scope: str) -> None:
    if scope not in scopes:
        raise Problem(
            "insufficient_scope",
            f"This token may not {SCOPES[scope]}." if scope != "account" else "This token may not change the account.",
            headers={"WWW-Authenticate": f'Bearer realm="trey", error="insufficient_scope", scope="{scope}"'},
            more={"scope": scope},
        )
