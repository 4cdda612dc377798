"""The text of a mail about notifications, and its headers (NT10, NT11)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime

from core.accounts.models import Player
from core.mail.services import Block, Letter, Link, message_id
from core.notifications import selectors, stopping
from core.notifications.bundling import Mail
from core.notifications.kinds import SECURITY, WORDS, kind_of
from core.notifications.models import Notification

Texts = Mapping[int, selectors.Said]

# Servers cut off headers longer than 100 kB.
MOST_CAUSES = 200


def written(mails: Sequence[Mail], now: datetime) -> list[Letter]:
    """Write these mails, in their order. A few queries, however many mails there are."""
    told = [(mail.player, one) for mail in mails if not mail.counted for one in mail.told]
    texts, stories = selectors.texts(told), selectors.stories(told, now)
    return [_written(mail, texts, stories) for mail in mails]


def _written(mail: Mail, texts: Texts, stories: Mapping[int, Sequence[str]]) -> Letter:
    told = mail.told
    kinds = sorted({one.kind for one in told})
    blocks = [_counts(told)] if mail.counted else [_block(one, texts[one.pk], stories[one.pk]) for one in told]
    return Letter(
        to=mail.address,
        id=f"notification-{mail.number}",
        subject=_subject(blocks, told),
        blocks=tuple(blocks),
        footer=_footer(mail.player, kinds),
        headers={"X-Trey-Kind": ", ".join(kinds), **_thread(told), **stopping.headers(mail.player, kinds)},
        causes=tuple(one.cause for one in told[:MOST_CAUSES]),
    )


def _block(one: Notification, words: selectors.Said, story: Sequence[str]) -> Block:
    """A notification: its sentence, what happened and what to do, and one link to the table."""
    link = words["link"]
    button = Link(kind_of(one).button, link) if link is not None else None
    return Block(words["text"] or "", tuple(story), link=button)


def _counts(told: Sequence[Notification]) -> Block:
    counts = Counter(one.kind for one in told)
    lines = [f"{WORDS[kind].mails}: {count}" for kind, count in counts.most_common()]
    return Block(
        f"{len(told)} notifications are waiting for you.",
        ("So much happened within an hour that this mail only counts it.", *lines),
        link=Link("Open Trey", "/"),
    )


def _subject(blocks: Sequence[Block], told: Sequence[Notification]) -> str:
    if len(blocks) == 1:
        return blocks[0].heading.removesuffix(".")
    return f"Your turn at {len(told)} tables"


def _thread(told: Sequence[Notification]) -> dict[str, str]:
    """One thread for each game or tournament; a mail about several is in none."""
    about = {(one.subject, one.subject_id) for one in told}
    if len(about) != 1:
        return {}
    [(subject, subject_id)] = about
    if subject_id is None:
        return {}
    root = message_id(f"{subject}-{subject_id}")
    return {"References": root, "In-Reply-To": root}


def _footer(player: Player, kinds: Sequence[str]) -> tuple[str | Link, ...]:
    if SECURITY in kinds:
        return (f"This mail is about the security of your account {player.username}; it cannot be switched off.",)
    what = " and ".join(WORDS[kind].mails.lower() for kind in kinds)
    return (
        f"You get this as {player.username}, because you have mails about {what} switched on.",
        Link("Stop these mails", stopping.path(player, kinds)),
    )
