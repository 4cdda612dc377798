"""Sitting down in a room, a player with a salt, or a bot; and the deal, for which the dealer is drawn by lot."""

import secrets

from core import log
from core.accounts.models import Player
from core.refusals import Conflict, Invalid
from games.bots import levels_of
from games.events import Joined, Started
from games.projections import Snapshot
from games.projections.vocabulary import from_rules
from games.rules import PLAYED
from games.rules.fairness import Chance
from games.selectors.access import game_title
from games.services.terms import complete_options

SALT_BYTES = 16
MAX_SALT = 64


def player_joined(player: Player, seat: int, salt: object, *, rated: bool) -> log.NewEvent:
    """The event of a player sitting down. `rated`: whether the game is rated so far; a guest makes it unrated.

    Raises Invalid for a bad salt.
    """
    if salt is None:
        salt = secrets.token_hex(SALT_BYTES)
    elif not isinstance(salt, str) or not 1 <= len(salt) <= MAX_SALT or not salt.isprintable():
        raise Invalid("bad_salt", f"salt must be 1 to {MAX_SALT} printable characters.", field="salt")
    data = {"player": str(player.pk), "bot": None, "salt": salt, "rated": rated and not player.is_guest}
    return log.NewEvent(Joined.type, data, seat)


def bot_joined(game: str, level: object, seat: int, salt: str | None = None) -> log.NewEvent:
    """The event of a bot sitting down; from then on the game is not rated.

    A level of None is the usual one. Raises Invalid for an unknown level.
    """
    level = usual_level(game) if level is None else level
    check_level(game, level)
    salt = salt or secrets.token_hex(SALT_BYTES)
    return log.NewEvent(Joined.type, {"player": None, "bot": {"level": level}, "salt": salt, "rated": False}, seat)


def usual_level(game: str) -> str:
    return levels_of(PLAYED[game])[-1]


def check_level(game: str, level: object) -> None:
    levels = levels_of(PLAYED[game])
    if not isinstance(level, str) or level not in levels:
        raise Invalid("bad_level", f"level must be one of {', '.join(levels)}.", field="level")


def deal(snapshot: Snapshot) -> list[log.NewEvent]:
    """The events that start the game with the players present.

    Raises Conflict (too_few_players) and Invalid (options that do not go with the number of seats).
    """
    rules = snapshot.rules
    seats = len(snapshot.players)
    if seats < rules.min_seats:
        title = game_title(snapshot)
        raise Conflict("too_few_players", f"{title} needs at least {rules.min_seats} players to start.")
    # The rules of a house game were accepted when its room was opened, for ever (HG17).
    asked = snapshot.asked_options if snapshot.digest is None else {}
    _, options = complete_options(rules, seats, snapshot.ruleset, asked)
    salts = [seat.salt for seat in snapshot.players]
    chance = Chance(bytes.fromhex(snapshot.secret), salts)
    dealer = chance.dealer(seats)
    _, events = rules.deal(seats, snapshot.ruleset, options, dealer, chance.shuffle(snapshot.shuffles + 1))
    data = {"seats": seats, "options": options, "dealer": dealer, "salts": salts}
    return [
        log.NewEvent(Started.type, data),
        *(from_rules(snapshot.game, event) for event in events),
    ]
