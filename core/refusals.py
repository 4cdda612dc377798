"""Refusals of commands: each has a stable code, and a sentence for people."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar, cast

T = TypeVar("T")


class Refused(Exception):  # noqa: N818 not an error of the program
    """A command or a request that was refused. Nothing was changed.

    `detail` is a sentence for people, `status` that of HTTP. `errors` are (dotted field, sentence) pairs for the parts
    at fault. Its response has `headers`, and keys of its own (`more`).
    """

    status = 422

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        status: int | None = None,
        field: str | None = None,
        errors: Sequence[tuple[str, str]] = (),
        headers: Mapping[str, str] | None = None,
        more: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(detail)
        self.code, self.detail = code, detail
        self.errors = tuple(errors) or (((field, detail),) if field else ())
        self.headers, self.more = dict(headers or {}), dict(more or {})
        if status is not None:
            self.status = status

    @property
    def said(self) -> str:
        """What people read: the sentences for the parts at fault, or the one for the whole."""
        return " ".join(text for _, text in self.errors) or self.detail

    @property
    def field(self) -> str | None:
        """The first field at fault, if there is one."""
        return self.errors[0][0] if self.errors else None


class Invalid(Refused):
    """400: the command is malformed or has invalid values; `errors` names the fields."""

    status = 400


class Forbidden(Refused):
    """403: not for this player. Codes: not_a_player, players_only, not_the_opener, tournament_game."""

    status = 403


class NotFound(Refused):
    """404: no such game, or a private one without its invitation. Code: not_found."""

    status = 404


class Conflict(Refused):
    """409: the game is not, or no longer, in the state that the command needs."""

    status = 409


class Stale(Refused):
    """412: the caller's condition does not hold. Code: stale_version."""

    status = 412


def check_seen(now: T, if_match: Callable[[T], bool] | None) -> None:
    """Raises Stale if what is saved `now` is not what the caller saw."""
    if if_match is not None and not if_match(now):
        detail = (
            "These settings were changed after you opened this page. The saved settings are shown beside your changes."
        )
        raise Stale("stale_version", f"{detail} Save again to replace it.")


class Illegal(Refused):
    """422: refused by the rules of the game, with their code."""

    status = 422


class KeyReused(Refused):
    """422: the Idempotency-Key was used with another body. Code: key_reused."""

    status = 422


class TooMany(Refused):
    """429: the player has as many of these as allowed. Codes: game_limit, bot_limit."""

    status = 429


class _FieldError(Protocol):
    field: str
    detail: str


def errors_in(raw: object, check: Callable[[Any], object], kind: type[Exception]) -> list[tuple[str, str]]:
    """All errors in an object, as (field, sentence) pairs, although `check` raises only the first.

    Each key at fault is removed, and the rest is checked again, since one can depend on another. `check` raises `kind`,
    which has a `field` and a `detail`.
    """
    found: dict[str, str] = {}
    rest: Any = dict(raw) if isinstance(raw, Mapping) else raw
    while True:
        try:
            check(rest)
        except kind as error:
            fault = cast("_FieldError", error)
            if more := getattr(error, "faults", ()):
                return [*found.items(), *more]
            found.setdefault(fault.field, fault.detail)
            key = _key_of(fault.field, rest) if isinstance(rest, dict) else None
            if key is None:
                return list(found.items())
            del rest[key]
        else:
            return list(found.items())


def _key_of(field: str, raw: Mapping[Any, object]) -> Any:
    """The key that a dotted field such as `options.decks` or `tables.size` names or lies in; None if it is missing."""
    return next((key for key in raw if f".{key}." in f".{field}."), None)


def invalid(code: str, errors: Sequence[tuple[str, str]]) -> Invalid:
    """The refusal for several fields. Its detail is their sentences."""
    return Invalid(code, " ".join(detail for _, detail in errors), errors=errors)
