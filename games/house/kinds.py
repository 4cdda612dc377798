"""What players are told of their house games, and of those that they reported."""

from collections.abc import Collection, Mapping
from typing import Any
from uuid import UUID

from django.urls import reverse

from core.notifications.kinds import About, Kind, Pair, Subject
from games.house import services
from games.house.models import HouseGame

HOUSE_GAME = "house_game"
RULINGS = {
    "hidden": "Your house game was hidden",
    "shown": "Your house game is shown again",
    "report_left": "The house game that you reported was left as it is",
    "report_acted": "The house game that you reported was hidden",
}


class HouseGames(Subject):
    def about(self, pairs: Collection[Pair]) -> Mapping[tuple[UUID, UUID], About]:
        rows = HouseGame.objects.filter(pk__in={subject for _, subject in pairs})
        found = {saved.row.pk: saved for saved in services.latest(list(rows))}
        return {(player.pk, pk): _about(player.pk, found.get(pk)) for player, pk in pairs}


def _about(player: UUID, saved: services.Saved | None) -> About:
    if saved is None or (saved.row.hidden_at is not None and saved.row.author_id != player):
        return {"title": "a house game", "link": None}
    return {"title": saved.title, "link": reverse("house-game-page", args=[saved.row.pk])}


def _ruling(about: About, data: Mapping[str, Any]) -> str:
    reason = f" Reason: {data['reason']}" if data["reason"] else ""
    return f"{RULINGS[data['what']]}: {about['title']}.{reason}"


RULING = Kind("ruling", HOUSE_GAME, _ruling, button="See it")
