"""Notes to oneself: one text for each player and game, which nobody else's request depends on."""

from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID

from django.db import transaction

from core import clock as service_clock
from core import lasting
from core.accounts.models import Player
from core.refusals import Stale
from games.notes.models import Note
from games.projections import load
from games.services.commands import existing, member, text_in

MOST = 2000

Condition = Callable[[Note | None], bool]


def note_of(game_id: UUID, player: Player) -> Note | None:
    """The player's note, whoever holds the seat now. Raises NotFound and Forbidden (not_a_player) as `member` does."""
    note = Note.objects.filter(game_id=game_id, player=player).first()
    if note is None:
        member(existing(load(game_id)), player)
    return note


def write_note(game_id: UUID, player: Player, text: str, *, holds: Condition | None = None) -> Note | None:
    """Write the note of a player who has a seat, in place of the one before; an empty text deletes it.

    Raises NotFound, Forbidden (not_a_player), Invalid (text), Stale unless `holds` of the note before.
    """
    text = text.replace("\r\n", "\n")
    if text.strip():
        text = text_in(text, MOST, breaks=True)
    with transaction.atomic():
        game = existing(load(game_id))
        member(game, player)
        _lock(game_id, player, holds)
        if not text.strip():
            Note.objects.filter(game_id=game_id, player=player).delete()
            return None
        written = {"text": text, "version": game.version, "at": service_clock.now()}
        return Note.objects.update_or_create(game_id=game_id, player=player, defaults=written)[0]


def drop_note(game_id: UUID, player: Player, *, holds: Condition | None = None) -> None:
    """Delete the player's note, whoever holds the seat now. Raises as `note_of` does, and Stale."""
    with transaction.atomic():
        note_of(game_id, player)
        _lock(game_id, player, holds)
        Note.objects.filter(game_id=game_id, player=player).delete()


def notes_of(player: Player) -> Iterator[dict[str, Any]]:
    for note in lasting.in_batches(Note.objects.filter(player=player.pk).order_by("at", "pk")):
        yield {"game": note.game_id, "text": note.text, "version": note.version, "at": note.at}


def _lock(game_id: UUID, player: Player, holds: Condition | None) -> None:
    """Let two devices write one after the other; the second finds what the first wrote."""
    Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    if holds is not None and not holds(Note.objects.filter(game_id=game_id, player=player).first()):
        raise Stale("stale_version", "The note has changed. Read it again.")
