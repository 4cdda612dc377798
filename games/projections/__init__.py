"""The current picture of a game: how it follows from the events, how it is kept in rows, how it is made anew."""

from games.projections.loading import load
from games.projections.picture import (
    LOBBY,
    Duty,
    Happened,
    Picture,
    SeatPicture,
    duties_to_meta,
    fold,
    fold_all,
    rules_event,
    with_banks,
    with_duties,
)
from games.projections.rebuild import Rebuilt, game_ids, rebuild
from games.projections.rows import LostRace, create, picture_at, picture_of, save, unsaved, with_seats

__all__ = [
    "LOBBY",
    "Duty",
    "Happened",
    "LostRace",
    "Picture",
    "Rebuilt",
    "SeatPicture",
    "create",
    "duties_to_meta",
    "fold",
    "fold_all",
    "game_ids",
    "load",
    "picture_at",
    "picture_of",
    "rebuild",
    "rules_event",
    "save",
    "unsaved",
    "with_banks",
    "with_duties",
    "with_seats",
]
