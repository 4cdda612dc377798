"""What features can hook into games; core/hooks.py says how.

A feature can also add a part of an account's export (`core.accounts.exporting`), what ends with a right
(`core.accounts.ending`), kinds of notification (`core.notifications.kinds`), components of the API
(`core.http.openapi`) and pages of the dashboard (`games.admin.site`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, LiteralString
from uuid import UUID

from django.templatetags.static import static

from core.hooks import Hook

if TYPE_CHECKING:
    from core.accounts.models import Player


@dataclass(frozen=True, slots=True)
class Panel:
    """A part of the page of a table, under the hand of those who sit there.

    template: hidden, until the script shows it. script: a module that exports `join(page)`, called once the reader sits
    there; the page has `api`, `say`, `button`, the reader's id as `me`, and whether it is `dealt`. It returns what has
    `load()`, called then, and in a room whenever somebody comes or goes; and, if it hears the game's live stream,
    `hear(event, data)`. company: at a table only for those who sit there with other people. in_rooms: also in a room.
    """

    template: str
    script: str
    style: str
    company: bool = False
    in_rooms: bool = False

    def for_script(self) -> dict[str, object]:
        return {"script": static(self.script), "company": self.company}


PANELS = Hook[Panel]()


@dataclass(slots=True)
class News:
    """What changes at a table beside its game, and live streams say to those who sit there.

    changes: the SQL of the game and the number of its newest change, of these games. of_players: of player, game and
    whatever differs once there is news, of these players. at_table: for the stream of a game, the number of the newest
    change, and what came since another one (None: the stream begins). to_player: for the stream of a player, of these
    games. data: the schemas of what the two streams hold.
    """

    event: str
    changes: LiteralString
    of_players: LiteralString
    at_table: Callable[[UUID, "Player", int | None], tuple[int, list[dict[str, Any]]]]
    to_player: Callable[["Player", Sequence[UUID]], list[dict[str, Any]]]
    data: tuple[Mapping[str, Any], Mapping[str, Any]]


NEWS = Hook[News]()
