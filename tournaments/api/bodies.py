"""A tournament, and the parts of it that other bodies have, too. Only what is named here is sent."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, get_origin
from uuid import UUID

import msgspec
from msgspec import Meta, defstruct

from core.accounts.models import Player
from core.http.bodies import AnyObject, Body, Moment, Url, doc, made_from, one_of, schema
from core.http.openapi import ref
from core.text import uuid_in
from core.values import REQUIRED, Value
from games.api.bodies import GAME_NAMES, PlayerRefBody
from games.api.requests import RULESETS
from tournaments import access, selectors
from tournaments.models import Entrant, Tournament
from tournaments.projections import state_of
from tournaments.rules.settings import KINDS
from tournaments.stream import Plan, Rules, Standing, Status, life
from tournaments.stream.plan import MAX_TITLE, OF_STAGE, OWN, STAGE
from tournaments.stream.proposals import complete

Bot = Annotated[dict[str, Any], schema(ref("Bot"))]
BY_RULES = "The proposal that set the rules of this game; null for the tournament's first rules."


class NamedEntrantBody(Body):
    """An entrant and who plays for it."""

    entrant: str
    name: str | None


class RulesBody(Body):
    """Rules of a tournament, and since when they apply."""

    proposal: Annotated[int | None, doc("The proposal that introduced them; null for the first rules.")]
    ruleset: str
    options: Annotated[AnyObject, doc("All options, for a table of the preferred size.")]
    since: Annotated[Moment | None, doc("For the first rules, the start of the tournament; null before it.")]


def rules_body(plan: Plan, rules: Rules) -> RulesBody:
    options = dict(sorted(complete(plan, rules, plan.size).items()))
    return RulesBody(rules.proposal, rules.ruleset, options, rules.since)


ENTRY_STATUSES = ("in", "waiting", "invited", "withdrawn", "removed")
# The status that an entry is shown with: an entrant with a place is in, checked in or not.
SHOWN_STANDING: Mapping[str, str] = {Standing.REGISTERED: "in", Standing.GONE: "withdrawn"}
assert Standing.GONE not in ENTRY_STATUSES  # noqa: S101  an entrant that left before coming in no longer has an entry


class AskedBody(Body):
    """An offer to play for an entrant."""

    entrant: Annotated[str, doc("The entrant to play for.")] = msgspec.field(name="for")
    game: Annotated[
        UUID | None, doc("The game for which the entrant did not show up; null if an organiser made the offer.")
    ]
    until: Annotated[Moment, doc("The deadline for accepting.")]


class EntryBody(Body):
    """An entry, and who plays for it."""

    entrant: Annotated[str, doc("The key of the entrant: `e` and a number, in the order of entry.")]
    name: str
    player: PlayerRefBody | None
    bot: Bot | None
    status: Annotated[str, one_of(ENTRY_STATUSES)]
    since: Moment
    entered_at: Moment | None
    checked_in: bool
    waiting: Annotated[int | None, doc("The place on the waiting list.")]
    absences: int
    asked: Annotated[AskedBody | None, doc("For an entrant on the waiting list: an offer to replace a no-show.")]
    salt: Annotated[
        str | None, doc("The salt from which the salts of the entrant's games are derived. Shown only to its player.")
    ]


class GuestLinkBody(Body):
    """A link with which a guest continues in another browser."""

    url: Annotated[str, doc("Send this link to the guest. Whoever opens it first gets the guest's account.")]
    expires_at: Moment


def entry_body(row: Tournament, entrant: Entrant, player: Player | None) -> EntryBody:
    """An entry; its salt is shown to its player only."""
    own = player is not None and entrant.player_id == player.pk
    plays = entrant.player
    return made_from(
        EntryBody,
        entrant.state,
        entrant=entrant.key,
        name=selectors.name_of(entrant),
        player=PlayerRefBody(entrant.player_id, plays.username if plays else None) if entrant.player_id else None,
        status=shown_standing(entrant),
        waiting=row.state.queue.index(entrant.key) + 1 if entrant.key in row.state.queue else None,
        asked=asked_body(row, entrant),
        salt=entrant.state.salt if own else None,
    )


def shown_standing(entrant: Entrant) -> str:
    return SHOWN_STANDING.get(entrant.standing, entrant.standing)


def asked_body(row: Tournament, entrant: Entrant) -> AskedBody | None:
    """The request to stand in for a no-show (LI4); None once all is over."""
    if row.ended_at is not None or entrant.state.asked_for is None or entrant.state.asked_until is None:
        return None
    return AskedBody(entrant.state.asked_for, uuid_in(entrant.state.asked_game), entrant.state.asked_until)


def asked_of(row: Tournament, entrant: Entrant | None, player: Player | None) -> AskedBody | None:
    """For whom a player is asked to play on, by an organiser or from the waiting list; None once all is over."""
    offer = next((one for one in row.offers if player is not None and one["player"] == str(player.pk)), None)
    if offer is not None and row.ended_at is None:
        return AskedBody(offer["entrant"], None, datetime.fromisoformat(offer["until"]))
    return asked_body(row, entrant) if entrant is not None else None


STATUSES = [status.value for status in Status]
FINISH_REASONS = "Why it ended: organiser, rounds, final, no_round, closed, too few; or the reason of a cancellation."


class NeighbourBody(Body):
    """A tournament that another one follows, or that follows it."""

    id: UUID
    title: str
    slug: str
    status: Annotated[str, one_of(STATUSES)]


class DealsBody(Body):
    """A secret from which the secrets of a tournament's games are derived."""

    commitment: str
    secret: str | None
    since: Annotated[Moment, doc("The time at which the commitment was published.")]
    opened_at: Moment | None


class TournamentYouBody(Body):
    """The caller in a tournament."""

    entrant: str | None
    organiser: bool
    status: Annotated[str, one_of([*ENTRY_STATUSES, "out"])] | None
    checked_in: bool | None
    asked: AskedBody | None
    may_organise_from: Annotated[
        Moment | None, doc("When you can take over the tournament, if it has no organiser left.")
    ]


class _Named(Body):
    id: UUID
    slug: str


def field_of(setting: Value) -> Any:
    """The type of a field that holds a setting, with its bounds, default and description."""
    known = {datetime: Moment, Mapping: AnyObject}
    kind = Any if setting.schema else known.get(get_origin(setting.type) or setting.type, setting.type)
    text = setting.about or setting.help
    described: list[Meta] = [doc(text)] if text else []
    if setting.schema is not None:
        return Annotated[kind, schema(setting.schema), *described]
    if setting.words is not None:
        described.insert(0, one_of(setting.words))
    elif kind is str and setting.most is not None:
        kind = Annotated[kind, Meta(min_length=1, max_length=setting.most)]
    elif kind is int:
        kind = Annotated[kind, Meta(ge=setting.least, le=setting.most)]
    if setting.default is None:
        kind = kind | None
    elif setting.default is not REQUIRED and not callable(setting.default):
        described.append(schema({"default": setting.default}))
    return Annotated[kind, *described] if described else kind


_WRITTEN_OUT: dict[str, Any] = {
    "title": Annotated[str, Meta(min_length=1, max_length=MAX_TITLE)],
    "game": Annotated[str, one_of(GAME_NAMES)],
    "ruleset": Annotated[str, one_of(RULESETS), doc("Default: the game's default.")],
    "options": Annotated[AnyObject, doc("The game's options; GET rulesets has their schema.")],
    "clock": Annotated[dict[str, Any], schema(ref("Clock"))],
    "kind": Annotated[str, one_of(KINDS)],
    "settings": Annotated[dict[str, Any], schema(ref("TournamentSettings"))],
}
_fields = _WRITTEN_OUT | {name: field_of(setting) for name, setting in OWN.items()}
_of_stage = {name: _fields[name] for name in OF_STAGE} | {name: field_of(setting) for name, setting in STAGE.items()}
StageBody: Any = defstruct(
    "StageBody",
    list(_of_stage.items()),
    bases=(Body,),
    namespace={"__doc__": "A stage of a tournament. Every tournament has at least one. Spans are whole seconds."},
)
_Planned: Any = defstruct("_Planned", list(_fields.items()), bases=(_Named,))


class TournamentBody(_Planned):  # type: ignore[misc]
    """A tournament, as the caller can see it, with all settings. Spans are whole seconds."""

    status: Annotated[str, one_of(STATUSES)]
    version: Annotated[int, doc("The number of events in its stream.")]
    seed_commitment: Annotated[str, doc("SHA-256, in hex, of the seed's 32 bytes.")]
    seed: Annotated[
        str | None, doc("32 random bytes in hex; null before the first seating, or in a season before the end.")
    ]
    deals_commitment: Annotated[
        str | None,
        doc("The commitment to the secret from which the secrets of the games are derived (docs/build/fairness.md)."),
    ]
    deals_secret: Annotated[
        str | None,
        doc("The secret that opens the commitment, in hex; null until the tournament and all its games are over."),
    ]
    deals: Annotated[
        Sequence[DealsBody],
        doc("All commitments, the current one last. Reopening can add a new one."),
    ]
    entrants: Annotated[int, doc("The number of entrants with a place.")]
    waiting: int
    stages: Annotated[
        Sequence[StageBody], doc("All stages; `kind`, `settings` and so on are those of the current stage.")
    ]
    stage: Annotated[int, doc("The current stage, counted from 1.")]
    break_ends: Annotated[Moment | None, doc("When the next stage begins, if the current one is over.")]
    round: Annotated[int, doc("The last round that was seated; 0 before the first.")]
    rounds: Annotated[
        int | None, doc("The number of the current stage's last round. Rounds are numbered across stages.")
    ]
    open_rounds: Sequence[int]
    draft: Annotated[int | None, doc("For organisers: the round that has been drafted.")]
    put_off: Annotated[bool, doc("True if too few had entered at `starts_at`.")]
    rules: Annotated[
        Sequence[RulesBody], doc("All rules since the start; `ruleset` and `options` are the current ones.")
    ]
    open_proposals: Sequence[int]
    organisers: Annotated[Sequence[PlayerRefBody], doc("The organisers, in the order in which they became organisers.")]
    asked_organisers: Annotated[
        Sequence[PlayerRefBody], doc("Players who have been invited to organise it, but have not accepted yet.")
    ]
    channels: Annotated[Sequence[str], doc("The chat services (or `webhook`) that it posts to.")]
    after: Annotated[NeighbourBody | None, doc("The tournament that it follows.")]
    successors: Annotated[Sequence[NeighbourBody], doc("The tournaments that follow it.")]
    you: TournamentYouBody
    share_url: Annotated[Url, doc("The address of the public page.")]
    invitation: Annotated[str | None, doc("The invitation code, for organisers and entrants.")]
    set_up_at: Moment
    started_at: Moment | None
    ended_at: Moment | None
    ended_why: Annotated[str | None, doc(FINISH_REASONS)]


def tournament_body(row: Tournament, player: Player | None, root: str) -> TournamentBody:
    """A tournament as somebody may see it; `root` is the address of this server, as in `https://host`."""
    entrant = selectors.entry_of(row, player)
    names = selectors.usernames([*row.organisers, *row.asked_organisers])
    after, successors = selectors.neighbours_of(row, player)
    organises = access.organises(row, player)
    t = state_of(row)
    plan = t.plan
    rules = rules_body(plan, t.rules)
    belongs = organises or (entrant is not None and entrant.standing not in access.OUTSIDE)
    deals = [
        DealsBody(one.commitment, one.secret if one.opened_at else None, one.since, one.opened_at) for one in t.deals
    ]
    return made_from(
        TournamentBody,
        t,
        **{
            **plan.as_json(),
            "ruleset": rules.ruleset,
            "options": rules.options,
            "stages": [StageBody(**one) for one in plan.all_stages],
        },
        seed_commitment=row.state.commitment,
        seed=row.shown_seed,
        deals_commitment=deals[-1].commitment if deals else None,
        deals_secret=deals[-1].secret if deals else None,
        deals=deals,
        entrants=row.state.places,
        waiting=len(row.state.queue),
        round=row.state.seated,
        stage=t.stage,
        rounds=None if plan.rounds is None else t.seated_before + plan.rounds,
        open_rounds=sorted(row.state.open_rounds),
        draft=row.state.draft.round if organises and row.state.draft is not None else None,
        rules=[rules_body(plan, rules) for rules in t.all_rules],
        organisers=[PlayerRefBody(pk, names.get(pk)) for pk in row.organisers],
        asked_organisers=[PlayerRefBody(pk, names.get(pk)) for pk in row.asked_organisers],
        channels=[one["service"] for one in row.state.channels],
        after=None if after is None else made_from(NeighbourBody, after),
        successors=[made_from(NeighbourBody, one) for one in successors],
        you=TournamentYouBody(
            entrant=entrant.key if entrant is not None else None,
            organiser=player is not None and player.pk in row.organisers,
            status=_own_status(row, entrant),
            checked_in=entrant.state.checked_in if entrant is not None else None,
            asked=asked_of(row, entrant, player),
            may_organise_from=None if player is None else life.may_organise_from(t, player.pk),
        ),
        share_url=root + (row.shared_url if belongs else row.get_absolute_url()),
        invitation=row.invitation if belongs else None,
    )


def _own_status(row: Tournament, entrant: Entrant | None) -> str | None:
    """The caller's entrant may have been knocked out, or not have come to the present stage."""
    if entrant is None:
        return None
    is_out = entrant.standing == Standing.IN and entrant.key in selectors.out_of(row)
    return "out" if is_out else shown_standing(entrant)
