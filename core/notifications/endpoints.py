"""The webhooks and chats of a player that outlive a new password, until their owner says whether they stay (AC6)."""

from typing import Any

from core.accounts import ending
from core.accounts.ending import Right, What
from core.accounts.models import Player
from core.notifications.models import Chat, Endpoint, Hook

_MODELS: tuple[type[Hook] | type[Chat], ...] = (Hook, Chat)


def of(player: Player) -> list[Endpoint]:
    """The player's webhooks and chats, oldest first."""
    return [one for model in _MODELS for one in model.objects.filter(player=player).order_by("created_at", "pk")]


@ending.at_once(Right.PASSWORD, What.ADDRESSES)
def ask_about(*, player: Player, **_: Any) -> None:
    """After a new password: have the owner asked whether they stay."""
    for model in _MODELS:
        model.objects.filter(player=player).update(in_question=True)


def decide(player: Player, *, stay: bool) -> None:
    """Keep all that are in question, or end them."""
    for model in _MODELS:
        rows = model.objects.filter(player=player, in_question=True)
        if stay:
            rows.update(in_question=False)
        else:
            rows.delete()


def end(player: Player, endpoint_id: str) -> None:
    """End one of them, if it is there."""
    for one in of(player):
        if str(one.pk) == endpoint_id:
            one.delete()
