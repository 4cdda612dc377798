"""Rulings (LI5): each is one value, from which requests, forms, sentences and notifications follow."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """One ruling.

    name: of the API. said: its events, each with what everybody reads. keys: of the request, beside those that all
    have; None: it is made elsewhere. told: what those whom it concerns are told. counter: what takes it back.

    Of the form: title, occasion (in everyday words), explained, nothing (to choose from), games (the outcomes that it
    is about), standings (of entrants).
    """

    name: str
    said: Mapping[str, str]
    keys: tuple[str, ...] | None = None
    told: str = ""
    counter: str | None = None
    title: str = ""
    occasion: str = ""
    explained: str = ""
    nothing: str = ""
    games: tuple[str, ...] = ()
    standings: tuple[str, ...] = ()


_TABLE = ("game", "round", "table", "players", "rounds")
_RESULT = {"result": "{game}: {result}"}
_RESULT_TOLD = "The result of a game of yours was ruled"

ALL = (
    Ruling(
        name="void",
        said={"voided": "{game} is void"},
        keys=("game", "round", "table"),
        told="A result of yours does not count any more",
        counter="restore",
        title="Void a game",
        occasion="The result is wrong: a game must not count",
        explained="The game does not count. A game that still runs is called off, and has no result.",
        nothing="No game goes on or has a result.",
        games=("open", "result"),
    ),
    Ruling(
        name="restore",
        said={"restored": "{game} counts again"},
        keys=("game",),
        told="A result of yours counts again",
        counter="void",
        title="Restore a game",
        occasion="A voided game is to count after all",
        explained="A game that was voided counts again.",
        nothing="No game has been voided.",
        games=("void",),
    ),
    Ruling(
        name="rule_table",
        said=_RESULT,
        keys=_TABLE,
        told=_RESULT_TOLD,
        counter="void",
        title="Rule a table",
        occasion="Somebody stopped playing, and a table does not come to an end",
        explained="You give the places of a game that has no result. If it still runs, it is called off.",
        nothing="No table lacks a result.",
        games=("open",),
    ),
    Ruling(
        name="enter_result",
        said=_RESULT,
        keys=(*_TABLE, "stage"),
        told=_RESULT_TOLD,
        counter="void",
        title="Enter a result from a real table",
        occasion="A game was played with real cards",
        explained="A game that was played with real cards, with the places of everybody at the table.",
        nothing="No table lacks a result.",
        games=("open",),
    ),
    Ruling(
        name="adjust",
        said={"adjusted": "{entrant}: {points}"},
        keys=("entrant", "points", "stage"),
        told="Your points were changed",
        counter="adjust",
        title="Adjust points",
        occasion="Somebody gets a penalty, or points",
        explained="Points are added to an entrant's total, or taken away with a minus.",
        nothing="Nobody has been in yet.",
        standings=("in", "withdrawn", "removed"),
    ),
    Ruling(
        name="replace",
        said={
            "replacement_asked": "{player} is asked to play on for {entrant}",
            "replaced": "{new} plays on for {was}",
        },
        keys=("entrant", "player", "bot"),
        told="Somebody else plays for you now",
        counter="replace",
        title="Replace an entrant",
        occasion="Somebody plays for an entrant from now on",
        explained="Somebody else plays for the entrant from now on, in running games too; those become unrated. A "
        "person is asked first, and has 12 hours to accept.",
        nothing="Nobody is in.",
        standings=("in",),
    ),
    Ruling(
        name="remove",
        said={"removed": "{entrant} is removed"},
        keys=("entrant",),
        told="You were taken out",
        counter="reinstate",
        title="Remove an entrant",
        occasion="Somebody is out",
        explained="The entrant is removed from the tournament and no longer seated. Results count for the opponents.",
        nothing="Nobody is in.",
        standings=("in", "withdrawn", "registered", "waiting", "invited"),
    ),
    Ruling(
        name="reinstate",
        said={"reinstated": "{entrant} is back in"},
        keys=("entrant",),
        told="You are back in",
        counter="remove",
        title="Reinstate an entrant",
        occasion="Somebody who was put out is let back",
        explained="A removal is taken back.",
        nothing="Nobody has been removed.",
        standings=("removed",),
    ),
    Ruling(
        name="extend",
        said={"extended": "{extended}"},
        keys=("round", "game", "entrant", "seconds"),
        told="There is more time for a round",
        title="Give more time",
        occasion="Somebody needs more time",
        explained="A round's deadline, or the turn of one entrant in one game, gets more time.",
        nothing="No game goes on.",
        games=("open",),
        standings=("in", "withdrawn"),
    ),
    Ruling(
        name="end_stage",
        said={"staged": "Stage {stage} begins early"},
        keys=(),
        title="End the stage",
        occasion="The present stage is to end now",
        explained="The next stage begins at once, with those who go on as it stands. Games that run are played on, and "
        "count in the stage that was left.",
    ),
    Ruling(name="absent", said={"absent": "{entrant} did not turn up"}, told="You were ruled absent from a game"),
    Ruling(name="exchange", said={"exchanged": "Entrants of {round}'s draft change places"}),
    Ruling(name="reopen", said={"reopened": "The tournament is open again"}),
    Ruling(name="cancel", said={"cancelled": "The tournament is called off"}),
)
RULINGS = {ruling.name: ruling for ruling in ALL if ruling.keys is not None}
"""Those that organisers make by `POST tournaments/{id}/rulings`, by name."""
BY_EVENT = {event: ruling for ruling in ALL for event in ruling.said}
"""By the type of the event; a result that was ruled is `enter_result` or `rule_table`."""
