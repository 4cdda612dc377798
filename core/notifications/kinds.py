"""The kinds of notifications. A new kind is one value with one sentence, registered by the app that tells it."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID

from django.urls import reverse

from core.accounts.models import Player

if TYPE_CHECKING:
    from core import log
    from core.notifications.models import Notification

About = Mapping[str, Any]
"""The facts of a subject: at least `title` and `link`; the kinds' sentences may use more.

It also holds `names` for sentences: by id, those of the players in the kind's `people`, without closed accounts.
"""

Pair = tuple[Player, UUID]
"""A player, and the id of what they are told about."""


@dataclass(frozen=True, slots=True)
class Dated:
    """Something with a moment, for a player's calendar.

    uid: without the host. since: when it came to be as it is. sequence: rises with every change of `at`.
    """

    uid: str
    at: datetime
    since: datetime
    sequence: int
    summary: str
    link: str | None


class Subject:
    """What notifications are about: games, tournaments; as it stands, the account. Each method takes a few queries."""

    def about(self, pairs: Collection[Pair]) -> Mapping[tuple[UUID, UUID], About]:  # noqa: ARG002
        """What each player may know of the subject, by both ids, even if it is gone."""
        return {}

    def lost(self, told: "Sequence[Notification]", now: datetime) -> Mapping[int, str]:  # noqa: ARG002
        """Those that have become pointless by the present state, with the reason, by primary key: `played`, `seen`."""
        return {}

    def hidden(self, pairs: Collection[Pair]) -> Collection[tuple[UUID, UUID]]:  # noqa: ARG002
        """Return, by both ids, whose right to know of the subject has ended: `about` tells them nothing of it."""
        return ()

    def stories(
        self,
        told: "Sequence[tuple[Player, Notification]]",  # noqa: ARG002
        now: datetime,  # noqa: ARG002
        *,
        in_full: bool = False,  # noqa: ARG002
    ) -> Mapping[int, list[str]]:
        """The rest of the text by primary key, for those with something to add; `in_full` for a mail."""
        return {}

    def happened(self, told: "Sequence[tuple[Player, Notification]]") -> Mapping[int, str]:  # noqa: ARG002
        """What happened, by primary key: in the list of news it stands after the title, for the kind's sentence."""
        return {}

    def concerned(self, subject_id: UUID) -> Collection[UUID]:  # noqa: ARG002
        """The players who are told of what changes."""
        return ()

    def changes(self, events: "Sequence[log.Event]") -> Sequence[str]:  # noqa: ARG002
        """What these events, among them changes of its settings, have changed, in sentences."""
        return ()

    def deadline(self, notification: "Notification") -> datetime | None:  # noqa: ARG002
        """Until when the notification is of use; None: no end is known."""
        return None

    def is_present(self, notification: "Notification", now: datetime) -> bool:  # noqa: ARG002
        """Whether the player is present and can see for themselves what it is about."""
        return False

    def remind_anew(self, player: Player, now: datetime) -> None:
        """The player has chosen other marks of reminders."""

    def dates(self, player: Player, now: datetime) -> Sequence[Dated]:  # noqa: ARG002
        """What is to come for the player: open turns with a deadline, dates of tournaments. Never a card."""
        return ()

    def badge(self, player_id: UUID) -> int:  # noqa: ARG002
        """The number of these that wait for the player."""
        return 0


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of notification about a kind of subject.

    sentence: from what the subject knows and the notification's data. hook: the type for webhooks (None: they do not
    get it), if `hooked` agrees. people: the fields of the data that hold players' ids. parting: it goes out although
    the right to the subject has ended. as_one: what one act tells many counts as one. button: a mail's link.
    lost: of the subject and a notification, why it has no point any more; None: the subject knows.
    """

    name: str
    subject: str
    sentence: Callable[[About, Mapping[str, Any]], str]
    hook: str | None = None
    hooked: Callable[[Mapping[str, Any]], bool] = lambda _: True
    people: tuple[str, ...] = ()
    parting: bool = False
    as_one: bool = False
    link: Callable[[About], str | None] = lambda about: about.get("link")
    button: str = "Open it"
    lost: Callable[[Any, "Notification"], str | None] | None = None


class Words(NamedTuple):
    """What people read of a kind: in settings what it is about and its name there, and what the mails are about."""

    about: str
    name: str
    mails: str


# NT1's kinds, in the order in which settings show them. A new one is a row here, and a `Kind` in the app that tells it.
WORDS = {
    "turn": Words("Turns", "Your turn", "Your turns"),
    "reminder": Words("Turns", "Time runs out", "Reminders of your turns"),
    "invited": Words("Games", "Invitations", "Invitations"),
    "full": Words("Games", "Table full", "Full tables"),
    "started": Words("Games", "Started", "Games that have started"),
    "finished": Words("Games", "Ended", "Games that have ended"),
    "timed_out": Words("Turns", "Missed turns", "Missed turns"),
    "seat": Words("Games", "Seats changed", "Changes to your seats"),
    "changed": Words("Games", "Rules changed", "Changes to the rules of a table"),
    "talk": Words("Games", "Chat", "Chat at your tables"),
    "round": Words("Tournaments", "Rounds", "Tournament rounds"),
    "ruling": Words("Tournaments", "Rulings", "Rulings that concern you"),
    "tournament": Words("Tournaments", "End, and messages", "The end of tournaments, and messages from organisers"),
    "proposal": Words("Tournaments", "Votes on rules", "Proposals to vote on"),
    "security": Words("Account", "Security", "The security of your account"),
}
NAMES = tuple(WORDS)
# NT13's types of webhooks. Types of kinds that are not registered yet can already be subscribed to.
HOOK_TYPES = (
    "game.turn", "game.reminder", "game.started", "game.finished", "game.timed_out", "game.talk",
    "tournament.round", "tournament.ruling", "tournament.proposal", "tournament.finished",
)  # fmt: skip
REMINDER = "reminder"
URGENT = ("turn", REMINDER)
# Worth a mail only if no other channel reaches the player.
MAILED_LAST = ("turn", "full", REMINDER)
# Mailed after a while, so that it can be seen before; those that wait then are one mail.
TOGETHER = {"turn": "Your turn at {} tables", "timed_out": "You ran out of time at {} tables"}
AFTER_A_GRACE = ("full", *TOGETHER)
TALK = "talk"
SECURITY = "security"
ACCOUNT = "account"

_subjects: dict[str, Subject] = {ACCOUNT: Subject()}
_kinds: dict[tuple[str, str], Kind] = {}


def register(subject: str, value: Subject, *kinds: Kind) -> None:
    """Register a subject with its kinds. Raises ValueError for names that are no kinds."""
    _subjects[subject] = value
    add(*kinds)


def add(*kinds: Kind) -> None:
    """Register more kinds of a registered subject. Raises ValueError for names that are no kinds."""
    for kind in kinds:
        if kind.name not in NAMES or kind.subject not in _subjects:
            raise ValueError(f"{kind.name!r} about {kind.subject!r} is not among the kinds of notifications")
        if kind.hook is not None and kind.hook not in HOOK_TYPES:
            raise ValueError(f"{kind.hook!r} is not among the types of webhooks")
        _kinds[kind.name, kind.subject] = kind


def kind_of(notification: "Notification") -> Kind:
    return _kinds[notification.kind, notification.subject]


def the_kind(name: str, subject: str) -> Kind:
    return _kinds[name, subject]


def subject_of(notification: "Notification") -> Subject:
    return _subjects[notification.subject]


def subjects() -> Collection[Subject]:
    return _subjects.values()


def the_subject(name: str) -> Subject:
    return _subjects[name]


def badge_of(player_id: UUID) -> int:
    """Count the turns that wait for the player: the number on an app's icon."""
    return sum(subject.badge(player_id) for subject in _subjects.values())


SWITCHED_OFF = {
    "gone": "answered that it no longer exists",
    "failing": "failed for three days",
}


_ROADS = {
    "webhook": "Your webhook",
    "push": "Your browser's push service",
    "chat": "Your chat at",
    "group": "Your group's channel at",
}


def _security(_: About, data: Mapping[str, Any]) -> str:
    return _SECURITY[data["what"]](data)


_NOT_YOU = "If this was not you, change your password."


def _still_told(data: Mapping[str, Any]) -> str:
    told = ", ".join(data.get("endpoints", ()))
    return f" Your notifications still go to {told}. You can change that on your account page." if told else ""


_SECURITY: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "test": lambda _: "This is a test of your notifications, by the operator.",
    "mail_refused": lambda _: "Emails to your address are being refused. Verify it again, or use another address.",
    "hook_off": lambda data: (
        f"{_ROADS[data.get('road', 'webhook')]} {data['host']} {SWITCHED_OFF[data['why']]} and was switched off."
    ),
    "login": lambda _: "Somebody logged in to your account from elsewhere. If this was not you, change your password.",
    "password": lambda data: f"Your password was changed. If this was not you, reset it at once.{_still_told(data)}",
    "everywhere": lambda data: f"Your account was logged out everywhere.{_still_told(data)}",
    "address": lambda _: "Your account's email address was changed.",
    "first_address": lambda _: "Your email address is confirmed: Trey can reach you there.",
    "passkey": lambda _: "A passkey was added to your account. If this was not you, remove it on your account page.",
    "passkey_removed": lambda _: "A passkey was removed from your account.",
    "app": lambda _: "Logging in to your account now asks for a code from an app.",
    "app_removed": lambda _: "Logging in to your account no longer asks for a code from an app.",
    "guessed": lambda _: (
        "Somebody is guessing the second factor of your account, so they must have your password or a log-in code. "
        "If this was not you, change your password."
    ),
    "token": lambda _: "A token for a client was made on your account page.",
    "grant": lambda data: (
        f"An app can now act for you: {data['host']}. If this was not you, revoke it on your tokens page, "
        "and change your password."
    ),
    "webhook": lambda data: f"Your notifications now also go to a webhook: {data['host']}. {_NOT_YOU}",
    "chat": lambda data: f"Your notifications now also go to a chat: {data['host']}. {_NOT_YOU}",
    "browser": lambda data: f"Your notifications are now pushed to one more browser ({data['host']}). {_NOT_YOU}",
    "guest_link": lambda _: (
        "An organiser made a link that moves your account to another browser. When it is used, this browser is "
        "logged out."
    ),
    "way_in": lambda _: (
        "An operator made a link for setting a new password for your account. If you did not ask for it, "
        "change your password: then the link stops working."
    ),
}

add(Kind(SECURITY, ACCOUNT, _security, link=lambda _: reverse("account-page"), button="Go to your account"))
