"""Saving house games: versions, copies, who may see one, and what becomes of them."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import F, Q, QuerySet

from core import clock as service_clock
from core import lasting, log
from core.accounts.models import Player
from core.http.media import encode
from core.refusals import Conflict, Forbidden, Invalid, NotFound, Stale
from core.text import uuid_in
from core.values import Faults
from games.house.models import HiddenRules, HouseGame, Version
from games.rules import GAMES
from games.rules.shedding import SheddingGame
from games.rules.shedding.document import DEFAULTS, MAX_BYTES, Document, completed, digest, read
from games.rules.shedding.sentences import differences

MOST_GAMES, MOST_VERSIONS = 50, 50
NOT_FOUND = "There is no such house game."
BUILT_IN = {name: game for name, game in GAMES.items() if isinstance(game, SheddingGame) and game.variant.order}
"""The games with rules of ours, from which a house game can begin."""


@dataclass(frozen=True)
class Saved:
    """A house game at one of its versions."""

    row: HouseGame
    version: Version

    @cached_property
    def rules(self) -> Document:
        return completed(self.version.rules)

    @property
    def title(self) -> str:
        return str(self.rules["title"])


def checked(rules: object) -> tuple[Document, Faults]:
    """A document, completed, and its faults. One that is too long is not read."""
    if len(encode(rules)) > MAX_BYTES:
        faults = Faults()
        faults.refuse("", f"Longer than {MAX_BYTES} bytes.")
        return {}, faults
    return read(rules)


def built_in(name: str) -> Document:
    """The document of a game with rules of ours, within what a document can say."""
    document, _ = read(BUILT_IN[name].variant.document)
    return document


def usual() -> Document:
    return {**DEFAULTS, "title": "My game"}


def seen_by(player: Player | None) -> QuerySet[HouseGame]:
    """The house games that somebody who knows their ids may see."""
    shown = Q(hidden_at=None)
    return HouseGame.objects.filter(shown if player is None else shown | Q(author=player))


def may_see(player: Player | None, row: HouseGame) -> bool:
    return row.hidden_at is None or (player is not None and row.author_id == player.pk)


def origin_of(player: Player | None, row: HouseGame) -> Version | None:
    """The version it was copied from. If that game is not listed, only its author and the copy's may have the link."""
    made, reader = row.made_from, None if player is None else player.pk
    if made is None or made.game.visibility == HouseGame.Visibility.PUBLIC:
        return made
    return made if reader is not None and reader in (row.author_id, made.game.author_id) else None


def house_game(player: Player | None, game_id: UUID, number: int | None = None) -> Saved:
    """A house game at this version, by default the latest. Raises NotFound (not_found)."""
    row = seen_by(player).select_related("author", "made_from__game").filter(pk=game_id).first()
    if row is None:
        raise NotFound("not_found", NOT_FOUND)
    version = row.versions.filter(number=row.version if number is None else number).first()
    if version is None:
        raise NotFound("not_found", NOT_FOUND)
    return Saved(row, version)


def listed() -> QuerySet[HouseGame]:
    """The public ones."""
    return HouseGame.objects.filter(visibility=HouseGame.Visibility.PUBLIC, hidden_at=None)


def mine(player: Player) -> QuerySet[HouseGame]:
    return HouseGame.objects.filter(author=player)


def latest(rows: Sequence[HouseGame]) -> list[Saved]:
    """These house games at their latest versions."""
    found = Version.objects.filter(game__in=[row.pk for row in rows], number=F("game__version"))
    by_game = {version.game_id: version for version in found}
    return [Saved(row, by_game[row.pk]) for row in rows if row.pk in by_game]


def history(saved: Saved) -> list[tuple[Version, list[str]]]:
    """All versions, the latest first, each with the sentences that it changed."""
    rows = list(saved.row.versions.order_by("number"))
    documents = [completed(row.rules) for row in rows]
    changes = [[], *(differences(before, after) for before, after in pairwise(documents))]
    return [*zip(rows, changes, strict=True)][::-1]


def origin(player: Player | None, name: str) -> tuple[Version | None, str, Document]:
    """What a new house game is made from: a version or the name of a game of ours, and the document.

    Raises NotFound (not_found), Invalid (made_from).
    """
    if name in BUILT_IN:
        return None, name, built_in(name)
    if (game_id := uuid_in(name)) is None:
        known = ", ".join(BUILT_IN)
        raise Invalid("invalid", f"Must be the id of a house game, or one of: {known}.", field="made_from")
    saved = house_game(player, game_id)
    return saved.version, "", saved.rules


def save(
    player: Player,
    rules: object,
    visibility: str = HouseGame.Visibility.LINK.value,
    *,
    made_from: str | None = None,
    count: Callable[[], None] = lambda: None,
) -> Saved:
    """Save a new house game; `count` counts it.

    Raises Invalid (rules, made_from), NotFound (what it is made from), Forbidden (guest_account: a public one),
    Conflict (too_many_house_games, hidden_rules), and what `count` does.
    """
    document = _accepted(rules)
    _check_may_publish(player, visibility)
    version, game, _ = (None, "", None) if made_from is None else origin(player, made_from)
    count()
    at = service_clock.now()
    with transaction.atomic():
        Player.objects.select_for_update(no_key=True).get(pk=player.pk)  # one at a time
        if mine(player).count() >= MOST_GAMES:
            detail = f"You have {MOST_GAMES} house games, which is the limit. Delete one first."
            raise Conflict("too_many_house_games", detail)
        row = HouseGame.objects.create(
            author=player, visibility=visibility, version=1, created_at=at, changed_at=at,
            made_from=version, made_from_game=game,
        )  # fmt: skip
        return _write(row, document)


def change(
    player: Player,
    game_id: UUID,
    rules: object,
    visibility: str | None = None,
    *,
    holds: Callable[[HouseGame], bool] = lambda _: True,
    count: Callable[[], None] = lambda: None,
) -> Saved:
    """Write the next version; the same rules again are none.

    Raises as `save` does; NotFound, Forbidden (not_yours), Stale unless `holds`, Conflict (too_many_versions).
    """
    document = _accepted(rules)
    _check_may_publish(player, visibility)
    count()
    with transaction.atomic():
        row = _own(player, game_id)
        if not holds(row):
            raise Stale("stale_version", "This house game has a newer version. Read it again.")
        before = row.versions.get(number=row.version)
        if visibility is not None and row.visibility != visibility:
            row.visibility = visibility
            row.save(update_fields=["visibility"])
        if completed(before.rules) == document:
            return Saved(row, before)
        if row.version >= MOST_VERSIONS:
            detail = f"It has {MOST_VERSIONS} versions, which is the limit. Make a copy instead."
            raise Conflict("too_many_versions", detail)
        row.version += 1
        row.changed_at = service_clock.now()
        row.save(update_fields=["version", "changed_at"])
        return _write(row, document)


def drop(player: Player, game_id: UUID) -> None:
    """Delete a house game with its versions. Games that are played by them hold them. Raises NotFound, Forbidden."""
    with transaction.atomic():
        _own(player, game_id).delete()


def saved_rules(player: Player | None, game_id: str) -> Document:
    """The latest rules of a saved house game, for a table or a tournament. Raises NotFound (not_found)."""
    if (found := uuid_in(game_id)) is None:
        raise NotFound("not_found", NOT_FOUND)
    return house_game(player, found).rules


@log.batch_reactor("house games", kinds=["game"], types=["dealt"], batch=500)
def count_played(events: Iterable[log.Event]) -> None:
    """Count the games that were dealt by saved versions."""
    rules = (event.data["options"].get("rules") for event in events if event.data.get("game") == "house")
    for one, times in Counter(digest(document) for document in rules if document is not None).items():
        HouseGame.objects.filter(versions__digest=one).update(played=F("played") + times)


def leave_behind(player: Player, **_: object) -> None:
    """Of an account that is closed: its public house games stay, without an author; its others are deleted."""
    with transaction.atomic():
        mine(player).filter(pk__in=listed()).update(author=None)
        mine(player).delete()


def written_by(player: Player) -> Iterator[dict[str, Any]]:
    for row in lasting.in_batches(mine(player).order_by("created_at", "pk")):
        versions = row.versions.order_by("number")
        yield {
            "house_game": row.pk,
            "visibility": row.visibility,
            "created_at": row.created_at,
            "versions": [{"number": one.number, "at": one.at, "rules": one.rules} for one in versions],
        }


def _accepted(rules: object) -> Document:
    (document, wrong), faults = checked(rules), Faults()
    faults.take_in(wrong, "rules.")
    faults.check()
    return document


def _check_may_publish(player: Player, visibility: str | None) -> None:
    if visibility == HouseGame.Visibility.PUBLIC and player.is_guest:
        detail = "A guest's house games can be seen only with their link. Keep your account first: give it a password."
        raise Forbidden("guest_account", detail)


def _own(player: Player, game_id: UUID) -> HouseGame:
    """One's own, alone: of two devices the second finds what the first wrote.

    Raises NotFound, Forbidden (not_yours).
    """
    row = seen_by(player).select_for_update(of=("self",)).filter(pk=game_id).first()
    if row is None:
        raise NotFound("not_found", NOT_FOUND)
    if row.author_id != player.pk:
        raise Forbidden("not_yours", "Only its author can do this. Make a copy instead.")
    return row


def _write(row: HouseGame, document: Mapping[str, Any]) -> Saved:
    hidden = HiddenRules(digest=digest(document))
    if row.hidden_at is not None:
        hidden.save()
    elif HiddenRules.objects.filter(pk=hidden.pk).exists():
        raise Conflict("hidden_rules", "Staff have hidden these rules. Change the title and the text.")
    made = row.versions.create(number=row.version, rules=document, digest=digest(document), at=service_clock.now())
    return Saved(row, made)
