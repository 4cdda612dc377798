"""Starting a game: the dealer is drawn by lot and the cards are dealt."""

from core import log
from core.refusals import Conflict, Invalid
from games.projections import Snapshot
from games.projections import vocabulary as stored
from games.rules import GAMES, SetupError
from games.rules.fairness import Chance
from games.services.terms import complete_options


def deal(snapshot: Snapshot) -> list[log.NewEvent]:
    """The events that start the game with the players present.

    Raises Conflict (too_few_players) and Invalid (options that do not go with the number of seats).
    """
    rules = GAMES[snapshot.game]
    seats = len(snapshot.players)
    if seats < rules.min_seats:
        raise Conflict("too_few_players", f"{rules.title} needs at least {rules.min_seats} players to start.")
    _, options = complete_options(snapshot.game, seats, snapshot.ruleset, snapshot.asked_options)
    salts = [seat.salt for seat in snapshot.players]
    chance = Chance(bytes.fromhex(snapshot.secret), salts)
    dealer = chance.dealer(seats)
    try:
        _, events = rules.deal(seats, snapshot.ruleset, options, dealer, chance.shuffle(snapshot.shuffles + 1))
    except SetupError as error:
        raise Invalid("bad_" + error.field.split(".")[0], error.detail, field=error.field) from None
    data = {"seats": seats, "options": options, "dealer": dealer, "salts": salts}
    return [
        log.NewEvent(stored.STARTED, data),
        *(stored.from_rules(snapshot.game, event) for event in events),
    ]
