"""The types of the API, and its operations as methods. Made by clients/generate.py from docs/openapi.yaml; do not edit."""

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict, Unpack

__version__ = "0.2.0"


class AccountExport(TypedDict):
    """Everything the service stores about you. docs/play/accounts.md describes its keys."""

    format: "Literal['trey-account/1']"
    exported_at: "str"
    account: "dict[str, Any]"
    tokens: "list[dict[str, Any]]"
    sessions: "list[dict[str, Any]]"
    blocked: "list[dict[str, Any]]"
    second_factors: "list[dict[str, Any]]"
    login_places: "list[dict[str, Any]]"
    audit: "list[dict[str, Any]]"
    notifications: "list[dict[str, Any]]"
    webhooks: "list[dict[str, Any]]"
    push: "list[dict[str, Any]]"
    chat: "list[dict[str, Any]]"
    calendar_address: "list[dict[str, Any]]"
    games: "list[dict[str, Any]]"
    people: "list[dict[str, Any]]"
    entries: "list[dict[str, Any]]"
    organises: "list[dict[str, Any]]"
    votes: "list[dict[str, Any]]"
    channels: "list[dict[str, Any]]"
    house_games: "list[dict[str, Any]]"
    house_reports: "list[dict[str, Any]]"
    notes: "list[dict[str, Any]]"
    talk: "list[dict[str, Any]]"
    moderation: "list[dict[str, Any]]"
    ratings: "list[dict[str, Any]]"


class AddBotRequest(TypedDict):
    """The bot to add."""

    level: "NotRequired[BotLevel]"


class AddressChangeRequest(TypedDict):
    """The new address."""

    password: "NotRequired[str]"
    address: "str"


class AddressRequest(TypedDict):
    """The address to send a code to."""

    address: "str"


class AnswerRequest(TypedDict):
    """The answer of somebody who was asked."""

    accept: "NotRequired[bool]"


class ArrangeMove(TypedDict):
    """Shedding games, setup: the cards to lay face up."""

    move: "Literal['arrange']"
    face_up: "list[Card]"


class ArrangedData(TypedDict):
    """Somebody chose the face-up cards."""

    move: "Arrangement"
    effects: "list[Effect]"
    calls: "list[Literal['kerchoo', 'number_of_the_beast', 'lucky_number_of_the_beast', 'exorcism', 'on_the_train', 'who_dealt']]"
    planned: "NotRequired[Literal[True]]"


class ArrangedEffect(TypedDict):
    """The seat has chosen. Others do not see the choice before the setup ends."""

    effect: "Literal['arranged']"
    seat: "int"
    face_up: "list[Card] | None"
    hand: "list[Card] | None"


class ArrangedEvent(TypedDict):
    """Somebody chose the face-up cards."""

    type: "Literal['arranged']"
    version: "int"
    seat: "int | None"
    recorded_at: "str"
    said: "NotRequired[str]"
    to_act: "NotRequired[list[int]]"
    deadlines: "NotRequired[dict[str, str]]"
    data: "ArrangedData"


class Arrangement(TypedDict):
    """The chosen cards; null for other players until everyone has chosen."""

    move: "Literal['arrange']"
    face_up: "list[Card] | None"


Asked = TypedDict("Asked", {"for": "str", "game": "str | None", "until": "str"})



class Author(TypedDict):
    """Who wrote a house game."""

    id: "str"
    username: "str"


class Awaited(TypedDict):
    """An entrant for whom a game is waiting."""

    entrant: "str"
    since: "str | None"
    until: "str | None"


class Blocked(TypedDict):
    """A player you have blocked."""

    id: "str"
    username: "str"
    blocked_at: "str"


class Board(TypedDict):
    """A part of a board."""

    game: "str"
    board: "str"
    period: "str"
    results: "list[BoardRow]"
    total: "int"
    as_of: "str | None"
    as_of_result: "int"
    recomputing: "bool"
    next: "str | None"
    previous: "str | None"


class BoardRow(TypedDict):
    """One line of a board."""

    rank: "int"
    player: "PlayerReference"
    value: "str"
    decimal: "str"
    deviation: "str"
    games: "int"
    lost_on_time: "int"
    percentile: "str"


class Bot(TypedDict):
    """The bot that plays in this seat, for itself or for a player."""

    level: "Literal['easy', 'plain', 'random', 'steady']"
BotLevel: TypeAlias = "Literal['easy', 'plain', 'random', 'steady']"


class BotSeatedData(TypedDict):
    """A bot plays for the seat from now on."""

    bot: "Bot | None"
    reason: "str"
    lost_on_time: "bool"


class BotSeatedEvent(TypedDict):
    """A bot plays for the seat from now on."""

    type: "Literal['bot_seated']"
    version: "int"
    seat: "int | None"
    recorded_at: "str"
    said: "NotRequired[str]"
    to_act: "NotRequired[list[int]]"
    deadlines: "NotRequired[dict[str, str]]"
    data: "BotSeatedData"


class Calendar(TypedDict):
    """When your clocks pause, in games that allow it."""

    time_zone: "NotRequired[str]"
    quiet_hours: "NotRequired[list[str] | None]"
    vacation: "NotRequired[list[list[str]]]"


class CalendarAddress(TypedDict):
    """The address of the caller's calendar, for calendar programs. It is never shown again."""

    active: "bool"
    created_at: "str | None"
    read_at: "str | None"


class CalledOffData(TypedDict):
    """The room or game was called off. Always the last event."""

    game: "str"
    ruleset: "str"
    options: "dict[str, Any]"
    rounds: "int | None"
    started_at: "str | None"
    belongs_to: "dict[str, Any] | None"
    rated: "bool"
    seats: "list[SeatAtEnd]"
    reason: "str"
    placements: "list[Placement] | None"


class CalledOffEvent(TypedDict):
    """The room or game was called off. Always the last event."""

    type: "Literal['called_off']"
    version: "int"
    seat: "int | None"
    recorded_at: "str"
    said: "NotRequired[str]"
    to_act: "NotRequired[list[int]]"
    deadlines: "NotRequired[dict[str, str]]"
    data: "CalledOffData"


class CancelAgreedData(TypedDict):
    """A player agrees to call the game off."""



class CancelAgreedEvent(TypedDict):
    """A player agrees to call the game off."""

    type: "Literal['cancel_agreed']"
    version: "int"
    seat: "int | None"
    recorded_at: "str"
    said: "NotRequired[str]"
    to_act: "NotRequired[list[int]]"
    deadlines: "NotRequired[dict[str, str]]"
    data: "CancelAgreedData"


class CancellationRequest(TypedDict):
    """A reason, for all to see. It may be left out: a cancellation is not a ruling."""

    reason: "NotRequired[str]"
Card: TypeAlias = "str"


class ChangeHouseGameRequest(TypedDict):
    """The next version of a house game."""

    rules: "dict[str, Any]"
    visibility: "NotRequired[HouseVisibility]"


class ChangedData(TypedDict):
    """The opener changed the room: its new state, and which parts of it are new."""

    ruleset: "str"
    options: "dict[str, Any]"
    asked_options: "dict[str, Any]"
    seats: "int"
    clock: "Clock"
    visibility: "Literal['private', 'public']"
    invitation: "str | None"
    start: "NotRequired[Literal['full', 'opener']]"
    talk: "NotRequired[Literal['all', 'off', 'signs', None]]"
    changes: "list[Literal['clock', 'options', 'ruleset', 'seats', 'start', 'talk', 'visibility']]"


class ChangedEvent(TypedDict):
    """The opener changed the room: its new state, and which parts of it are new."""

    type: "Literal['changed']"
    version: "int"
    seat: "int | None"
    recorded_at: "str"
    said: "NotRequired[str]"
    to_act: "NotRequired[list[int]]"
    deadlines: "NotRequired[dict[str, str]]"
    data: "ChangedData"


class Channel(TypedDict):
    """A channel that a room or a tournament posts to. Its address is never shown."""

    id: "str"
    service: "str"
    own: "OwnChannel | None"
    given_by: "str | None"


class ChannelCreationRequest(TypedDict):
    """The channel to post to."""

    service: "str"
    url: "str"


class Channels(TypedDict):
    """All that a room or a tournament posts to."""

    channels: "list[Channel]"


class ChannelsChangedData(TypedDict):
    """The room posts to one more chat service or webhook, or to one fewer."""

    channels: "list[Posting]"
    added: "str | None"
    removed: "str | None"


class ChannelsChangedEvent(TypedDict):
    """The room posts to one more chat service or webhook, or to one fewer."""

    type: "Literal['channels_changed']"
    version: "int"
    seat: "int | None"
    recorded_at: "str"
    said: "NotRequired[str]"
    to_act: "NotRequired[list[int]]"
    deadlines: "NotRequired[dict[str, str]]"
    data: "ChannelsChangedData"


class ChannelsOfGameQuery(TypedDict):
    invitation: "NotRequired[str]"


class ChannelsOfTournamentQuery(TypedDict):
    invitation: "NotRequired[str]"


class Chat(TypedDict):
    """One of your chat addresses."""

    id: "str"
    host: "str"
    created_at: "str"
    active: "bool"
    off_because: "str | None"
    failing_since: "str | None"
    error: "str | None"
    service: "str"
    tested_at: "str | None"


class ChatCreationRequest(TypedDict):
    """The chat address to post to."""

    service: "str"
    url: "str"


class CheckRulesRequest(TypedDict):
    """The rules of a house game."""

    rules: "dict[str, Any]"


class CheckedRules(TypedDict):
    """What is wrong with the rules; or what they say, and the complete rules."""

    errors: "NotRequired[list[RulesError]]"
    sentences: "NotRequired[list[str]]"
    rules: "NotRequired[dict[str, Any]]"


class Clock(TypedDict):
    per_turn: "NotRequired[int]"
    bank: "NotRequired[int]"
    weekend_pause: "NotRequired[bool]"
    time_zone: "NotRequired[str]"
    quiet_hours: "NotRequired[bool]"
    vacation: "NotRequired[bool]"
    on_timeout: "NotRequired[Literal['play', 'resign', 'bot']]"
    strikes: "NotRequired[int]"


class ClockChange(TypedDict):
    """Changes to the clock, key by key; null restores a default (RFC 7396)."""

    per_turn: "NotRequired[int | None]"
    bank: "NotRequired[int | None]"
    weekend_pause: "NotRequired[bool | None]"
    time_zone: "NotRequired[str | None]"
    quiet_hours: "NotRequired[bool | None]"
    vacation: "NotRequired[bool | None]"
    on_timeout: "NotRequired[Literal['play', 'resign', 'bot', None]]"
    strikes: "NotRequired[int | None]"


class ClockNow(TypedDict):
    """The player's own: whether the clock runs, until when that stays so, and what is left."""

    at: "str"
    reason: "str | None"
    runs: "bool"
    until: "str | None"
    turn_left: "float"
    bank_left: "float"


ClockSegment = TypedDict("ClockSegment", {"from": "str", "to": "str", "seconds": "float", "kind": "Literal['deduction', 'pause', 'refund', 'time']", "reason": "Literal['bank', 'outage', 'quiet_hours', 'time', 'turn', 'vacation', 'weekend']"})



class ClosedEffect(TypedDict):
    """The pile went out of play."""

    effect: "Literal['closed']"
    why: "str"


class CodeAsked(TypedDict):
    """The request for a code. If the address has no account, no code is sent, but the response is the same."""

    request: "str"
    expires_at: "str"


class CodeLoginRequest(TypedDict):
    """The code, and details of the new token."""

    request: "str"
    code: "str"
    token_name: "NotRequired[str]"
    scopes: "NotRequired[list[ScopesEnum]]"


class CodeRequest(TypedDict):
    """The code, and the `request` id from the response to the request for it."""

    request: "str"
    code: "str"


class Company(TypedDict):
    """Who is at the table now."""

    present: "list[PresentPlayer]"


class Counts(TypedDict):
    """The votes so far, and the number of electors."""

    yes: "int"
    no: "int"
    abstain: "int"
    electors: "int"


class DeadlineMovedData(TypedDict):
    """A calendar was changed, so a turn ends at another time."""

    deadline_at: "str"


class DeadlineMovedEvent(TypedDict):
    """A calendar was changed, so a turn ends at another time."""

    type: "Literal['deadline_moved']"
    version: "int"
    seat: "int | None"
    recorded_at: "str"
    said: "NotRequired[str]"
    to_act: "NotRequired[list[int]]"
    deadlines: "NotRequired[dict[str, str]]"
    data: "DeadlineMovedData"


class Deals(TypedDict):
    """A secret from which the secrets of a tournament's games are derived."""

    commitment: "str"
    secret: "str | None"
    since: "str"
    opened_at: "str | None"


class DealtEvent(TypedDict):
    """The cards of a shedding game. Or: The cards of a round of Three Thirteen. The first deal also has `ruleset`,
    `options` and `seats`."""

    type: "Literal['dealt']"
    version: "int"
    seat: "int | None"
    recorded_at: "str"
    said: "NotRequired[str]"
    to_act: "NotRequired[list[int]]"
    deadlines: "NotRequired[dict[str, str]]"
    data: "SheddingDealt | ThreeThirteenDealt"


class Decision(TypedDict):
    """One of the most costly decisions of a seat."""

    version: "int"
    seat: "int"
    made: "dict[str, Any]"
    better: "dict[str, Any] | list[str]"
    cost: "str"
    by: "str | None"
    what: "NotRequired[WhatEnum]"


class DecisionRequest(TypedDict):
    """An organiser's decision, with its reason, for all to see."""

    ratified: "bool"
    reason: "str"


class DiscardMove(TypedDict):
    """Three Thirteen, second half of a turn: discard."""

    move: "Literal['discard']"
    card: "Card"


class DiscardedData(TypedDict):
    """A turn ended with a discard."""

    move: "DiscardMove"
    to_act: "list[int]"
    step: "Literal['discard', 'draw']"
    turn_number: "int"
    final_turns: "list[int] | None"
    planned: "NotRequired[Literal[True]]"


class DiscardedEvent(TypedDict):
    """A turn ended with a discard."""

    type: "Literal['discarded']"
    version: "int"
    seat: "int | None"
    recorded_at: "str"
    said: "NotRequired[str]"
    to_act: "NotRequired[list[int]]"
    deadlines: "NotRequired[dict[str, str]]"
    data: "DiscardedData"


class Draft(TypedDict):
    """A seating before it is published, with figures about its quality."""

    stage: "int"
    round: "int"
    tables: "list[list[str]]"
    byes: "list[str]"
    repeats: "int | None"
    cost: "str | None"
    q: "int | None"
    bound: "int | None"


DrawMove = TypedDict("DrawMove", {"move": "Literal['draw']", "from": "NotRequired[Literal['discard', 'stock']]"})



class DrewEffect(TypedDict):
    """Cards from the stock went to the hand."""

    effect: "Literal['drew']"
    seat: "int"
    count: "int"
    cards: "list[Card] | None"


class DrewEvent(TypedDict):
    """A draw in Three Card or Castle. Or: The first half of a turn of Three Thirteen."""

    type: "Literal['drew']"
    version: "int"
    seat: "int | None"
    recorded_at: "str"
    said: "NotRequired[str]"
    to_act: "NotRequired[list[int]]"
    deadlines: "NotRequired[dict[str, str]]"
    data: "SheddingDrew | ThreeThirteenDrew"


class DrewToPileEffect(TypedDict):
    """Castle: a card went from the stock onto the pile."""

    effect: "Literal['drew_to_pile']"
    seat: "int"
    card: "Card"
Effect: TypeAlias = "ArrangedEffect | SetupEndedEffect | OpeningEffect | OpenedEffect | LaidEffect | LiftedEffect | ShownEffect | PickedUpEffect | ClosedEffect | DrewEffect | DrewToPileEffect | FaceUpToHandEffect | TurnedRoundEffect | StalledEffect | SettledEffect | OutEffect | LeftEffect | TurnEffect | EndedEffect"


class Elector(TypedDict):
    """An elector and its vote."""

    entrant: "str"
    name: "str | None"
    voted: "bool"
    vote: "VoteEnum | None"


class EndTurnMove(TypedDict):
    """Shedding games: decline an optional bonus play."""

    move: "Literal['end_turn']"


class EndedEffect(TypedDict):
    """The game is over."""

    effect: "Literal['ended']"
    placements: "list[Placement]"
    ended_by: "Literal['agreed', 'limit', 'out', 'resignation', 'rounds', 'stalemate']"


class EndedGame(TypedDict):
    """A game that ended."""

    type: "Literal['game']"
    n: "int"
    id: "str"
    at: "str"
    game: "Literal['castle', 'house', 'three_card', 'three_thirteen', 'threes', 'tripp_jokes']"
    url: "str"
    ruleset: "str"
    options: "dict[str, Any]"
    rated: "bool"
    voided: "bool"
    ended_by: "Literal['agreed', 'limit', 'out', 'resignation', 'rounds', 'ruling', 'stalemate']"
    players: "list[EndedPlayer]"
    tournament: "EndedInTournament | None"


class EndedInTournament(TypedDict):
    """The tournament of a game that ended."""

    id: "str"
    title: "str"
    round: "int | None"
    table: "int | None"


class EndedPlayer(TypedDict):
    """A seat of a game that ended."""

    seat: "int"
    player: "PlayerRef | None"
    bot: "Bot | None"
    place: "int | None"
    score: "int | None"


class EndedStanding(TypedDict):
    """One row of final standings."""

    entrant: "str"
    name: "str | None"
    place: "int | None"
    total: "str"


class EndedTournament(TypedDict):
    """A tournament that was finished."""

    type: "Literal['tournament']"
    n: "int"
    id: "str"
    at: "str"
    game: "Literal['castle', 'house', 'three_card', 'three_thirteen', 'threes', 'tripp_jokes']"
    url: "str"
    title: "str"
    kind: "str"
    entrants: "int"
    standings: "list[EndedStanding]"


class Entry(TypedDict):
    """An entry, and who plays for it."""

    entrant: "str"
    name: "str"
    player: "PlayerRef | None"
    bot: "Bot | None"
    status: "EntryStatusEnum"
    since: "str"
    entered_at: "str | None"
    checked_in: "bool"
    waiting: "int | None"
    absences: "int"
    asked: "Asked | None"
    salt: "str | None"
EntryEnum: TypeAlias = "Literal['open', 'invitation', 'organiser']"
EntryStatusEnum: TypeAlias = "Literal['in', 'waiting', 'invited', 'withdrawn', 'removed']"
Event: TypeAlias = "DealtEvent | ArrangedEvent | PlayedEvent | FlippedEvent | PickedUpEvent | DrewEvent | TurnEndedEvent | SettledEvent | ResignedEvent | StoppedEvent | DiscardedEvent | WentOutEvent | RoundScoredEvent | OpenedEvent | JoinedEvent | LeftEvent | KickedEvent | ChangedEvent | ChannelsChangedEvent | StartedEvent | BotSeatedEvent | PlayerReturnedEvent | PlayerReplacedEvent | TimedOutEvent | DeadlineMovedEvent | TurnExtendedEvent | CancelAgreedEvent | CalledOffEvent | FinishedEvent | VoidedEvent | RestoredEvent"


class ExchangeRequest(TypedDict):
    """A change of the draft: a swap of two entrants, or all tables."""

    swap: "NotRequired[list[str]]"
    tables: "NotRequired[list[list[str]]]"
    byes: "NotRequired[list[str]]"
    reason: "str"
    dry_run: "NotRequired[bool]"


class ExpectedPlaces(TypedDict):
    """The expected place of each seat at a version; null with more than four seats in play."""

    version: "int"
    seats: "list[str] | None"


class ExplainClockQuery(TypedDict):
    invitation: "NotRequired[str]"


class ExportMyResultsQuery(TypedDict):
    after: "NotRequired[int]"


class FaceUpToHandEffect(TypedDict):
    """Three Card: the face-up cards became the hand."""

    effect: "Literal['face_up_to_hand']"
    seat: "int"


class Fairness(TypedDict):
    """What a game's shuffles were made from. docs/build/fairness.md says how to check them."""

    scheme: "str"
    commitment: "str"
    salts: "list[str] | None"
    dealer: "int | None"
    shuffles: "int"
    secret: "str | None"


class FieldProblem(TypedDict):
    field: "str"
    detail: "str"


class FinishedData(TypedDict):
    """The game is over. Always the last event of a game."""

    game: "str"
    ruleset: "str"
    options: "dict[str, Any]"
    rounds: "int | None"
    started_at: "str | None"
    belongs_to: "dict[str, Any] | None"
    rated: "bool"
    seats: "list[SeatAtEnd]"
    result: "Result"


class FinishedEvent(TypedDict):
    """The game is over. Always the last event of a game."""

    type: "Literal['finished']"
    version: "int"
    seat: "int | None"
    recorded_at: "str"
    said: "NotRequired[str]"
    to_act: "NotRequired[list[int]]"
    deadlines: "NotRequired[dict[str, str]]"
    data: "FinishedData"


class FlipMove(TypedDict):
    """Shedding games: turn over and play a face-down card."""

    move: "Literal['flip']"
    position: "int"


class FlippedData(TypedDict):
    """A face-down card was turned over."""

    move: "FlipMove"
    effects: "list[Effect]"
    calls: "list[Literal['kerchoo', 'number_of_the_beast', 'lucky_number_of_the_beast', 'exorcism', 'on_the_train', 'who_dealt']]"
    planned: "NotRequired[Literal[True]]"


class FlippedEvent(TypedDict):
    """A face-down card was turned over."""

    type: "Literal['flipped']"
    version: "int"
    seat: "int | None"
    recorded_at: "str"
    said: "NotRequired[str]"
    to_act: "NotRequired[list[int]]"
    deadlines: "NotRequired[dict[str, str]]"
    data: "FlippedData"


class Game(TypedDict):
    """A room or a game, as the caller can see it."""

    id: "str"
    game: "GameName"
    title: "str"
    ruleset: "str"
    options: "dict[str, Any]"
    visibility: "VisibilityEnum"
    status: "GameStatusEnum"
    seats: "int"
    players: "list[Seat]"
    your_seat: "int | None"
    opener: "int | None"
    version: "int"
    to_act: "list[int]"
    deadlines: "dict[str, str]"
    deadline_at: "str | None"
    timeouts: "dict[str, int]"
    rated: "bool"
    plans: "bool"
    clock: "Clock | None"
    start: "StartEnum | None"
    talk: "TalkEnum"
    live_url: "str"
    invitation: "str | None"
    channels: "list[str]"
    rematch_of: "str | None"
    tournament: "TournamentRef | None"
    opened_at: "str"
    moved_at: "str"
    started_at: "str | None"
    finished_at: "str | None"
    view: "View | None"


class GameAtVersionQuery(TypedDict):
    invitation: "NotRequired[str]"


class GameClock(TypedDict):
    """The deadlines of a game, to the second."""

    version: "int"
    at: "str"
    clock: "Clock | None"
    seats: "dict[str, TurnClock]"
GameName: TypeAlias = "Literal['castle', 'house', 'three_card', 'three_thirteen', 'threes', 'tripp_jokes']"


class GameNews(TypedDict):
    """One of your games: as it is when the stream begins, and whenever it changes."""

    id: "str"
    version: "int"
    status: "GameStatusEnum"
    your_turn: "bool"


class GameRules(TypedDict):
    """One of the games, its rulesets and their options."""

    game: "str"
    title: "str"
    summary: "str"
    min_seats: "int"
    max_seats: "int"
    default_ruleset: "str"
    rulesets: "list[Ruleset]"
    interrupts: "bool"
    plan: "dict[str, Any]"
GameStatusEnum: TypeAlias = "Literal['open', 'setup', 'playing', 'finished', 'cancelled']"
GamesEnum: TypeAlias = "Literal['own', 'any']"


class GetDraftQuery(TypedDict):
    invitation: "NotRequired[str]"


class GetFairnessQuery(TypedDict):
    invitation: "NotRequired[str]"


class GetGameQuery(TypedDict):
    invitation: "NotRequired[str]"


class GetHouseGameQuery(TypedDict):
    version: "NotRequired[int]"


class GetNextStageQuery(TypedDict):
    invitation: "NotRequired[str]"


class GetProposalQuery(TypedDict):
    invitation: "NotRequired[str]"


class GetRecordQuery(TypedDict):
    invitation: "NotRequired[str]"


class GetReviewQuery(TypedDict):
    invitation: "NotRequired[str]"


class GetRoundQuery(TypedDict):
    invitation: "NotRequired[str]"


class GetStandingsQuery(TypedDict):
    at: "NotRequired[str]"
    cursor: "NotRequired[str]"
    format: "NotRequired[Literal['csv', 'json']]"
    invitation: "NotRequired[str]"
    limit: "NotRequired[int]"
    stage: "NotRequired[int]"


class GetTalkQuery(TypedDict):
    after: "NotRequired[int]"
    before: "NotRequired[int]"
    blocked: "NotRequired[Literal['show']]"
    limit: "NotRequired[int]"


class GetTournamentQuery(TypedDict):
    invitation: "NotRequired[str]"


class GetTournamentRecordQuery(TypedDict):
    invitation: "NotRequired[str]"


class GoOutMove(TypedDict):
    """Three Thirteen, second half of a turn: go out."""

    move: "Literal['go_out']"
    discard: "Card"
    melds: "NotRequired[list[list[Card]]]"


class GoingOn(TypedDict):
    """Who is through to a stage after a ruling, and whom the ruling puts through or out."""

    stage: "int"
    seeds: "list[str]"
    through: "list[str]"
    out: "list[str]"
GoneEnum: TypeAlias = "Literal['author', 'organiser', 'staff', 'blocked']"


class GuestLink(TypedDict):
    """A link with which a guest continues in another browser."""

    url: "str"
    expires_at: "str"


class HideRequest(TypedDict):
    """The reason for hiding a message, which its author is told."""

    reason: "str"


class Hook(TypedDict):
    """One of your webhooks."""

    id: "str"
    host: "str"
    created_at: "str"
    active: "bool"
    off_because: "str | None"
    failing_since: "str | None"
    error: "str | None"
    types: "list[TypesEnum]"


class HookCreationRequest(TypedDict):
    """A webhook's address, and the types of events to send there."""

    url: "str"
    types: "NotRequired[list[TypesEnum]]"


class HookedGame(TypedDict):
    """What webhooks get about a game."""

    timestamp: "str"
    type: "Literal['game.turn', 'game.reminder', 'game.started', 'game.finished', 'game.timed_out', 'game.talk']"
    data: "HookedGameData"


class HookedGameData(TypedDict):
    """The data that webhooks get about a game."""

    text: "str"
    link: "str | None"
    cause: "str"
    version: "int | None"
    number: "NotRequired[int]"
    kind: "NotRequired[Literal['turn', 'reminder', 'invited', 'full', 'started', 'finished', 'timed_out', 'seat', 'changed', 'talk', 'round', 'ruling', 'tournament', 'proposal', 'security']]"
    topic: "NotRequired[str]"
    game: "str"


class HookedTournament(TypedDict):
    """What webhooks get about a tournament."""

    timestamp: "str"
    type: "Literal['tournament.round', 'tournament.ruling', 'tournament.proposal', 'tournament.finished']"
    data: "HookedTournamentData"


class HookedTournamentData(TypedDict):
    """The data that webhooks get about a tournament."""

    text: "str"
    link: "str | None"
    cause: "str"
    version: "int | None"
    number: "NotRequired[int]"
    kind: "NotRequired[Literal['turn', 'reminder', 'invited', 'full', 'started', 'finished', 'timed_out', 'seat', 'changed', 'talk', 'round', 'ruling', 'tournament', 'proposal', 'security']]"
    topic: "NotRequired[str]"
    tournament: "str"


class HouseGame(TypedDict):
    """A house game at one of its versions."""

    id: "str"
    title: "str"
    about: "str"
    visibility: "HouseVisibility"
    version: "int"
    author: "Author | None"
    played: "int"
    created_at: "str"
    changed_at: "str"
    digest: "str"
    rules: "dict[str, Any]"
    sentences: "list[str]"
    made_from: "Origin | None"
    hidden: "str | None"
    versions: "list[Version]"


class HouseGameEntry(TypedDict):
    """A house game in a list."""

    id: "str"
    title: "str"
    about: "str"
    visibility: "HouseVisibility"
    version: "int"
    author: "Author | None"
    played: "int"
    created_at: "str"
    changed_at: "str"


class HouseReport(TypedDict):
    """A report. It waits for staff."""

    why: "HouseReportWhyEnum"
    text: "str"
    at: "str"


class HouseReportRequest(TypedDict):
    """Why a house game is reported."""

    why: "HouseReportWhyEnum"
    text: "NotRequired[str | None]"
HouseReportWhyEnum: TypeAlias = "Literal['insult', 'spam', 'other']"
HouseVisibility: TypeAlias = "Literal['link', 'public']"


class InviteRequest(TypedDict):
    """The player to invite."""

    username: "str"


class InvitedRequest(TypedDict):
    """A request about a game that may be private."""

    invitation: "NotRequired[str | None]"


class JoinRequest(TypedDict):
    """Optional details of joining a room."""

    invitation: "NotRequired[str | None]"
    salt: "NotRequired[str | None]"


class JoinedData(TypedDict):
    """A player or a bot sat down."""

    player: "str | None"
    bot: "Bot | None"
    salt: "str"
    rated: "bool"


class JoinedEvent(TypedDict):
    """A player or a bot sat down."""

    type: "Literal['joined']"
    version: "int"
    seat: "int | None"
    recorded_at: "str"
    said: "NotRequired[str]"
    to_act: "NotRequired[list[int]]"
    deadlines: "NotRequired[dict[str, str]]"
    data: "JoinedData"


class KeptPlan(TypedDict):
    """The caller's plan, defaults included."""

    lines: "list[PlanLine]"
    turns: "int"
    turns_left: "int"
    kept_at: "str"


class KickRequest(TypedDict):
    """The seat to remove from the room."""

    seat: "int"


class KickedData(TypedDict):
    """The opener removed somebody from the table."""

    player: "str | None"
    opener: "str | None"
    invitation: "str | None"


class KickedEvent(TypedDict):
    """The opener removed somebody from the table."""

    type: "Literal['kicked']"
    version: "int"
    seat: "int | None"
    recorded_at: "str"
    said: "NotRequired[str]"
    to_act: "NotRequired[list[int]]"
    deadlines: "NotRequired[dict[str, str]]"
    data: "KickedData"
KindEnum: TypeAlias = "Literal['season', 'rounds', 'knockout']"


class LaidEffect(TypedDict):
    """Cards went onto the pile: from the hand, from the face-up cards, or the one at the face-down position."""

    effect: "Literal['laid']"
    seat: "int"
    cards: "list[Card]"
    hand: "list[Card]"
    face_up: "list[Card]"
    position: "int | None"
LateEnum: TypeAlias = "Literal['zero', 'bye']"


class LayOut(TypedDict):
    """The caller's hand, arranged into sets and runs at the least penalty."""

    penalty: "int"
    melds: "list[list[str]]"
    left: "list[str]"


class LayOutQuery(TypedDict):
    invitation: "NotRequired[str]"
    without: "NotRequired[Literal['2C', '2D', '2H', '2S', '3C', '3D', '3H', '3S', '4C', '4D', '4H', '4S', '5C', '5D', '5H', '5S', '6C', '6D', '6H', '6S', '7C', '7D', '7H', '7S', '8C', '8D', '8H', '8S', '9C', '9D', '9H', '9S', 'AC', 'AD', 'AH', 'AS', 'JC', 'JD', 'JH', 'JS', 'KC', 'KD', 'KH', 'KS', 'QC', 'QD', 'QH', 'QS', 'TC', 'TD', 'TH', 'TS', 'XB', 'XR']]"


class LeaderboardQuery(TypedDict):
    around: "NotRequired[Literal['me']]"
    board: "NotRequired[Literal['beaten', 'games', 'penalty', 'rating', 'streak', 'wins']]"
    cursor: "NotRequired[str]"
    limit: "NotRequired[int]"
    period: "NotRequired[str]"


class LeagueProfile(TypedDict):
    """A player's rated games of one game."""

    game: "str"
    games: "int"
    places: "dict[str, int]"
    lost_on_time: "int"
    never_came: "int"
    rating: "str"
    deviation: "str"
    provisional: "bool"
    reason: "str | None"
    boards: "list[Rank]"


class LeftData(TypedDict):
    """Somebody left the room; the players after them moved up."""

    player: "str | None"
    opener: "str | None"


class LeftEffect(TypedDict):
    """The seat resigned; its cards are gone."""

    effect: "Literal['left']"
    seat: "int"
    place: "int"


class LeftEvent(TypedDict):
    """Somebody left the room; the players after them moved up."""

    type: "Literal['left']"
    version: "int"
    seat: "int | None"
    recorded_at: "str"
    said: "NotRequired[str]"
    to_act: "NotRequired[list[int]]"
    deadlines: "NotRequired[dict[str, str]]"
    data: "LeftData"


LegalArrange = TypedDict("LegalArrange", {"move": "Literal['arrange']", "choose": "int", "from": "list[Card]", "send": "ArrangeMove"})



class LegalDiscard(TypedDict):
    """Discard this card."""

    move: "Literal['discard']"
    card: "Card"
    send: "DiscardMove"


LegalDraw = TypedDict("LegalDraw", {"move": "Literal['draw']", "send": "DrawMove", "from": "NotRequired[Literal['discard', 'stock']]"})



class LegalEndTurn(TypedDict):
    """Decline the bonus play."""

    move: "Literal['end_turn']"
    send: "EndTurnMove"


class LegalFlip(TypedDict):
    """Turn over one of the face-down cards."""

    move: "Literal['flip']"
    positions: "list[int]"
    send: "FlipMove"


class LegalGoOut(TypedDict):
    """Discard this card and meld all others."""

    move: "Literal['go_out']"
    discard: "Card"
    send: "GoOutMove"
LegalMove: TypeAlias = "LegalArrange | LegalPlay | LegalFlip | LegalPickUp | LegalDraw | LegalEndTurn | LegalDiscard | LegalGoOut"


class LegalMoves(TypedDict):
    """The caller's legal moves."""

    version: "int"
    moves: "list[LegalMove]"
    reason: "Reason | None"


class LegalMovesQuery(TypedDict):
    invitation: "NotRequired[str]"


class LegalPickUp(TypedDict):
    """Take the pile."""

    move: "Literal['pick_up']"
    send: "PickUpMove"


class LegalPlay(TypedDict):
    """Cards of one rank: `min` to `max` of `cards`."""

    move: "Literal['play']"
    rank: "str"
    cards: "list[Card]"
    min: "int"
    max: "int"
    send: "PlayMove"
    with_face_up: "NotRequired[list[Card]]"


class Lesson(TypedDict):
    """A first game that teaches the rules, one in each step."""

    game: "str"
    title: "str"
    seat: "int"
    names: "list[str]"
    steps: "list[LessonStep]"


class LessonEntry(TypedDict):
    """A lesson: the game that it teaches, and its number of steps."""

    game: "str"
    title: "str"
    steps: "int"


class LessonEvent(TypedDict):
    """An event as the learner sees it."""

    type: "str"
    seat: "int | None"
    data: "dict[str, Any]"
    said: "NotRequired[str]"


class LessonStep(TypedDict):
    """A step: what the learner sees and can do, and the one move that leads to the next step."""

    at: "int"
    teaches: "list[str]"
    say: "str"
    after: "str | None"
    other: "str | None"
    view: "View"
    moves: "list[LegalMove]"
    move: "Move"
    events: "list[LessonEvent]"
    views: "list[View]"
    taps: "dict[str, Tap]"


class LiftedEffect(TypedDict):
    """The face-down card could not be played and went to the hand."""

    effect: "Literal['lifted']"
    seat: "int"
    position: "int"
    card: "Card"


class ListEntriesQuery(TypedDict):
    cursor: "NotRequired[str]"
    invitation: "NotRequired[str]"
    limit: "NotRequired[int]"


class ListEventsQuery(TypedDict):
    after: "NotRequired[int]"
    invitation: "NotRequired[str]"
    limit: "NotRequired[int]"


class ListGamesQuery(TypedDict):
    cursor: "NotRequired[str]"
    game: "NotRequired[Literal['castle', 'house', 'three_card', 'three_thirteen', 'threes', 'tripp_jokes']]"
    limit: "NotRequired[int]"
    mine: "NotRequired[bool]"
    status: "NotRequired[Literal['cancelled', 'finished', 'open', 'playing', 'setup']]"


class ListHouseGamesQuery(TypedDict):
    cursor: "NotRequired[str]"
    limit: "NotRequired[int]"
    mine: "NotRequired[bool]"


class ListMyTurnsQuery(TypedDict):
    cursor: "NotRequired[str]"
    limit: "NotRequired[int]"


class ListOrganisersQuery(TypedDict):
    invitation: "NotRequired[str]"


class ListProposalsQuery(TypedDict):
    cursor: "NotRequired[str]"
    invitation: "NotRequired[str]"
    limit: "NotRequired[int]"


class ListResultsQuery(TypedDict):
    after: "NotRequired[int]"
    game: "NotRequired[Literal['castle', 'house', 'three_card', 'three_thirteen', 'threes', 'tripp_jokes']]"
    limit: "NotRequired[int]"
    type: "NotRequired[Literal['game', 'tournament']]"


class ListRoundsQuery(TypedDict):
    cursor: "NotRequired[str]"
    invitation: "NotRequired[str]"
    limit: "NotRequired[int]"


class ListRulingsQuery(TypedDict):
    cursor: "NotRequired[str]"
    invitation: "NotRequired[str]"
    limit: "NotRequired[int]"


class ListTournamentEventsQuery(TypedDict):
    after: "NotRequired[int]"
    invitation: "NotRequired[str]"
    limit: "NotRequired[int]"


class ListTournamentGamesQuery(TypedDict):
    cursor: "NotRequired[str]"
    invitation: "NotRequired[str]"
    limit: "NotRequired[int]"


class ListTournamentsQuery(TypedDict):
    cursor: "NotRequired[str]"
    game: "NotRequired[Literal['castle', 'house', 'three_card', 'three_thirteen', 'threes', 'tripp_jokes']]"
    limit: "NotRequired[int]"
    mine: "NotRequired[bool]"
    status: "NotRequired[Literal['cancelled', 'draft', 'finished', 'registration', 'running']]"


class Listener(TypedDict):
    """Another player at the table, and which messages that player sees."""

    username: "str"
    talk: "TalkEnum"
LiveOfGame: TypeAlias = "LiveOfGameMoved | LiveOfGameTalk | LiveOfGamePresent | LiveOfGameTogether"


class LiveOfGameMoved(TypedDict):
    event: "Literal['moved']"
    id: "int"
    data: "Event"


class LiveOfGamePresent(TypedDict):
    event: "Literal['present']"
    id: "None"
    data: "Company"


class LiveOfGameTalk(TypedDict):
    event: "Literal['talk']"
    id: "None"
    data: "TalkMessage | TalkNews"


class LiveOfGameTogether(TypedDict):
    event: "Literal['together']"
    id: "None"
    data: "Company"
LiveOfPlayer: TypeAlias = "LiveOfPlayerNotification | LiveOfPlayerGame | LiveOfPlayerTalk"


class LiveOfPlayerGame(TypedDict):
    event: "Literal['game']"
    id: "None"
    data: "GameNews"


class LiveOfPlayerNotification(TypedDict):
    event: "Literal['notification']"
    id: "int"
    data: "Notification"


class LiveOfPlayerTalk(TypedDict):
    event: "Literal['talk']"
    id: "None"
    data: "TalkNews"
LiveOfResults: TypeAlias = "LiveOfResultsResult"


class LiveOfResultsResult(TypedDict):
    event: "Literal['result']"
    id: "int"
    data: "ResultEntry"


class Lost(TypedDict):
    """The decisions of a seat, and their total cost."""

    seat: "int"
    decisions: "int"
    lost: "str"


class Making(TypedDict):
    """The review is being made."""

    status: "MakingStatusEnum"
MakingStatusEnum: TypeAlias = "Literal['making']"
MayEnum: TypeAlias = "Literal['text', 'sign']"


class Meetings(TypedDict):
    """Rated games of two players together in one game."""

    game: "str"
    games: "int"
    better: "int"
    level: "int"
    worse: "int"


class MessageRequest(TypedDict):
    """A message to all entrants."""

    text: "str"
    dry_run: "NotRequired[bool]"
Move: TypeAlias = "ArrangeMove | PlayMove | FlipMove | PickUpMove | DrawMove | EndTurnMove | DiscardMove | GoOutMove | SettleMove | ResignMove"


class MyBlockedPlayersQuery(TypedDict):
    cursor: "NotRequired[str]"
    limit: "NotRequired[int]"


class MyBrowsersQuery(TypedDict):
    cursor: "NotRequired[str]"
    limit: "NotRequired[int]"


class MyChatsQuery(TypedDict):
    cursor: "NotRequired[str]"
    limit: "NotRequired[int]"


class MyNotificationsQuery(TypedDict):
    cursor: "NotRequired[str]"
    limit: "NotRequired[int]"
    unread: "NotRequired[bool]"


class MyTokensQuery(TypedDict):
    cursor: "NotRequired[str]"
    limit: "NotRequired[int]"


class MyWebhooksQuery(TypedDict):
    cursor: "NotRequired[str]"
    limit: "NotRequired[int]"


class NamedEntrant(TypedDict):
    """An entrant and who plays for it."""

    entrant: "str"
    name: "str | None"


class Neighbour(TypedDict):
    """A tournament that another one follows, or that follows it."""

    id: "str"
    title: "str"
    slug: "str"
    status: "TournamentStatus"


class NewCalendarAddress(TypedDict):
    """The new address of the caller's calendar. It holds a secret."""

    url: "str"


class NewChannel(TypedDict):
    """A channel, with the secret of a webhook, which is shown only this once."""

    id: "str"
    service: "str"
    own: "OwnChannel | None"
    given_by: "str | None"
    secret: "str | None"


class NewEntryRequest(TypedDict):
    """The new entrant: the caller (`{}`), or a player or bot added by an organiser."""

    invitation: "NotRequired[str | None]"
    salt: "NotRequired[str | None]"
    player: "NotRequired[str | None]"
    bot: "NotRequired[BotLevel | None]"


class NewHook(TypedDict):
    """A webhook with its secret, which is shown only this once."""

    id: "str"
    host: "str"
    created_at: "str"
    active: "bool"
    off_because: "str | None"
    failing_since: "str | None"
    error: "str | None"
    types: "list[TypesEnum]"
    secret: "str"


class NextStage(TypedDict):
    """Who would be through to the next stage."""

    stage: "int"
    seeds: "list[str]"
    decided_by: "str | None"
    passed: "list[Passed]"
NoShowEnum: TypeAlias = "Literal['play', 'substitute', 'absent']"


class Note(TypedDict):
    """Your note in a game. Without one the text is empty."""

    text: "str"
    version: "int | None"
    at: "str | None"


class NoteRequest(TypedDict):
    """A note. An empty text deletes it."""

    text: "str"


class Notification(TypedDict):
    """One of your notifications. Its text is composed when you read it."""

    number: "int"
    kind: "NotificationKind"
    cause: "str"
    text: "str"
    link: "str | None"
    created_at: "str"
    read: "bool"
    channels: "NotificationFates"


class NotificationChannels(TypedDict):
    live: "bool | Literal['fallback']"
    push: "bool | Literal['fallback']"
    mail: "bool | Literal['fallback']"
    chat: "bool | Literal['fallback']"


class NotificationFate(TypedDict):
    """What happened to a notification on one channel, and why."""

    state: "StateEnum"
    at: "str"
    reason: "NotRequired[str]"
    until: "NotRequired[str]"
    error: "NotRequired[str]"
    next_try: "NotRequired[str]"
    push: "NotRequired[str]"
    webhook: "NotRequired[str]"
    chat: "NotRequired[str]"


class NotificationFates(TypedDict):
    """What happened to it on each channel; a list if it was sent to several addresses."""

    live: "NotRequired[NotificationFate]"
    push: "NotRequired[list[NotificationFate] | NotificationFate]"
    mail: "NotRequired[NotificationFate]"
    webhook: "NotRequired[list[NotificationFate] | NotificationFate]"
    chat: "NotRequired[list[NotificationFate] | NotificationFate]"
NotificationKind: TypeAlias = "Literal['turn', 'reminder', 'invited', 'full', 'started', 'finished', 'timed_out', 'seat', 'changed', 'talk', 'round', 'ruling', 'tournament', 'proposal', 'security']"


class NotificationMatrix(TypedDict):
    turn: "NotificationChannels"
    reminder: "NotificationChannels"
    invited: "NotificationChannels"
    full: "NotificationChannels"
    started: "NotificationChannels"
    finished: "NotificationChannels"
    timed_out: "NotificationChannels"
    seat: "NotificationChannels"
    changed: "NotificationChannels"
    talk: "NotificationChannels"
    round: "NotificationChannels"
    ruling: "NotificationChannels"
    tournament: "NotificationChannels"
    proposal: "NotificationChannels"
    security: "NotificationChannels"


class NotificationSettings(TypedDict):
    """Notification settings."""

    matrix: "NotificationMatrix"
    always: "bool"
    reminders: "list[str]"


class OpenRoomRequest(TypedDict):
    """The room to open. The caller takes its first seat."""

    game: "GameName"
    ruleset: "NotRequired[RulesetEnum]"
    options: "NotRequired[dict[str, Any]]"
    house_game: "NotRequired[str]"
    seats: "int"
    visibility: "NotRequired[VisibilityEnum]"
    rated: "NotRequired[bool]"
    plans: "NotRequired[bool]"
    clock: "NotRequired[Clock]"
    start: "NotRequired[StartEnum]"
    talk: "NotRequired[TalkEnum]"
    bots: "NotRequired[int]"
    salt: "NotRequired[str | None]"


class OpenedData(TypedDict):
    """The room was opened."""

    ruleset: "str"
    options: "dict[str, Any]"
    asked_options: "dict[str, Any]"
    seats: "int"
    clock: "Clock"
    visibility: "Literal['private', 'public']"
    invitation: "str | None"
    start: "NotRequired[Literal['full', 'opener']]"
    talk: "NotRequired[Literal['all', 'off', 'signs', None]]"
    game: "str"
    rated: "bool"
    plans: "bool"
    opener: "str | None"
    rematch_of: "str | None"
    belongs_to: "dict[str, Any] | None"
    commitment: "str"
    secret: "str | None"


class OpenedEffect(TypedDict):
    """The first play has been made."""

    effect: "Literal['opened']"
    raced: "list[int]"


class OpenedEvent(TypedDict):
    """The room was opened."""

    type: "Literal['opened']"
    version: "int"
    seat: "int | None"
    recorded_at: "str"
    said: "NotRequired[str]"
    to_act: "NotRequired[list[int]]"
    deadlines: "NotRequired[dict[str, str]]"
    data: "OpenedData"


class OpeningEffect(TypedDict):
    """These seats may make the first play. A single one has the turn."""

    effect: "Literal['opening']"
    seats: "list[int]"
    rank: "str | None"


class OptionChange(TypedDict):
    """An option that a proposal changes, with a description."""

    option: "str"
    before: "Any"
    after: "Any"
    description: "str"
    seats: "list[int] | None"


class OrganiserRequest(TypedDict):
    """An organiser, by name."""

    player: "str"


class Origin(TypedDict):
    """What a house game was made from."""

    game: "str | None"
    house_game: "str | None"
    version: "int | None"
    title: "str | None"


class OutEffect(TypedDict):
    """The seat has no card left."""

    effect: "Literal['out']"
    seat: "int"
    place: "int"
OverdueEnum: TypeAlias = "Literal['wait', 'adjudicate']"


class OwnAddress(TypedDict):
    """Your email address; null if you have none."""

    address: "str | None"
    verified: "bool"


class OwnChannel(TypedDict):
    """The state of a channel that you added."""

    id: "str"
    host: "str"
    created_at: "str"
    active: "bool"
    off_because: "str | None"
    failing_since: "str | None"
    error: "str | None"
    tested_at: "str | None"


class OwnTalk(TypedDict):
    """The chat of one of your tables."""

    game: "str"
    title: "str"
    last: "int"
    read: "int"
    unread: "int"


class OwnVote(TypedDict):
    """The caller's vote."""

    elector: "bool"
    vote: "VoteEnum | None"
PaceEnum: TypeAlias = "Literal['auto', 'manual']"


class PaginatedBlockedList(TypedDict):
    results: "list[Blocked]"
    next: "str | None"
    previous: "str | None"


class PaginatedChatList(TypedDict):
    results: "list[Chat]"
    next: "str | None"
    previous: "str | None"
    services: "list[PaginatedChatListServicesItem]"


class PaginatedChatListServicesItem(TypedDict):
    service: "str"
    address: "str"


class PaginatedEntryList(TypedDict):
    results: "list[Entry]"
    next: "str | None"
    previous: "str | None"


class PaginatedEventList(TypedDict):
    results: "list[Event]"
    next: "str | None"
    previous: "str | None"


class PaginatedGameList(TypedDict):
    results: "list[Game]"
    next: "str | None"
    previous: "str | None"


class PaginatedGameRulesList(TypedDict):
    results: "list[GameRules]"
    next: "str | None"
    previous: "str | None"


class PaginatedHookList(TypedDict):
    results: "list[Hook]"
    next: "str | None"
    previous: "str | None"


class PaginatedHouseGameEntryList(TypedDict):
    results: "list[HouseGameEntry]"
    next: "str | None"
    previous: "str | None"


class PaginatedLessonEntryList(TypedDict):
    results: "list[LessonEntry]"
    next: "str | None"
    previous: "str | None"


class PaginatedNotificationList(TypedDict):
    results: "list[Notification]"
    next: "str | None"
    previous: "str | None"
    unread: "int"


class PaginatedOwnTalkList(TypedDict):
    results: "list[OwnTalk]"
    next: "str | None"
    previous: "str | None"


class PaginatedPlayerRefList(TypedDict):
    results: "list[PlayerRef]"
    next: "str | None"
    previous: "str | None"


class PaginatedProposalList(TypedDict):
    results: "list[Proposal]"
    next: "str | None"
    previous: "str | None"


class PaginatedPushList(TypedDict):
    results: "list[Push]"
    next: "str | None"
    previous: "str | None"
    ended: "list[str]"


class PaginatedRoundList(TypedDict):
    results: "list[Round]"
    next: "str | None"
    previous: "str | None"


class PaginatedRulingList(TypedDict):
    results: "list[Ruling]"
    next: "str | None"
    previous: "str | None"


class PaginatedTokenInfoList(TypedDict):
    results: "list[TokenInfo]"
    next: "str | None"
    previous: "str | None"


class PaginatedTournamentEventList(TypedDict):
    results: "list[TournamentEvent]"
    next: "str | None"
    previous: "str | None"


class PaginatedTournamentGameList(TypedDict):
    results: "list[TournamentGame]"
    next: "str | None"
    previous: "str | None"


class PaginatedTournamentList(TypedDict):
    results: "list[Tournament]"
    next: "str | None"
    previous: "str | None"


class Passed(TypedDict):
    """An entrant who is not through, but ranked above somebody who is."""

    entrant: "str"
    why: "PassedWhyEnum"
PassedWhyEnum: TypeAlias = "Literal['withdrew', 'removed', 'no_place']"


class PasswordChangeRequest(TypedDict):
    """The old password, unless your account has none, and the new one."""

    password: "NotRequired[str]"
    new_password: "str"


class PatchedChangeRoomRequest(TypedDict):
    """Changes to an open room. Keys that you leave out stay as they are."""

    ruleset: "NotRequired[RulesetEnum]"
    options: "NotRequired[dict[str, Any]]"
    seats: "NotRequired[int]"
    clock: "NotRequired[Clock]"
    visibility: "NotRequired[VisibilityEnum]"
    start: "NotRequired[StartEnum]"
    talk: "NotRequired[TalkEnum]"


class PatchedChatChangeRequest(TypedDict):
    """Changes to a chat address. Keys that you leave out stay as they are."""

    url: "NotRequired[str]"
    active: "NotRequired[bool]"


class PatchedHookChangeRequest(TypedDict):
    """Changes to a webhook. Keys that you leave out stay as they are."""

    url: "NotRequired[str]"
    active: "NotRequired[bool]"
    types: "NotRequired[list[TypesEnum]]"


class PatchedPlanChangeRequest(TypedDict):
    """Changes to a tournament's settings, key by key; null restores a default (RFC 7396)."""

    title: "NotRequired[str]"
    game: "NotRequired[GameName]"
    ruleset: "NotRequired[RulesetEnum | None]"
    options: "NotRequired[dict[str, Any] | None]"
    clock: "NotRequired[ClockChange | None]"
    kind: "NotRequired[KindEnum]"
    settings: "NotRequired[TournamentSettings | None]"
    visibility: "NotRequired[VisibilityEnum | None]"
    rated: "NotRequired[bool | None]"
    plans: "NotRequired[bool | None]"
    talk: "NotRequired[TalkEnum | None]"
    guests: "NotRequired[bool | None]"
    entry: "NotRequired[EntryEnum | None]"
    limit: "NotRequired[int | None]"
    check_in: "NotRequired[int | None]"
    starts_at: "NotRequired[str | None]"
    opens_at: "NotRequired[str | None]"
    closes_at: "NotRequired[str | None]"
    grace: "NotRequired[int | None]"
    deadline: "NotRequired[int | None]"
    overdue: "NotRequired[OverdueEnum | None]"
    no_show: "NotRequired[NoShowEnum | None]"
    no_show_after: "NotRequired[int | None]"
    late: "NotRequired[LateEnum | None]"
    late_until: "NotRequired[int | None]"
    pace: "NotRequired[PaceEnum | None]"
    games: "NotRequired[GamesEnum | None]"
    proposals: "NotRequired[ProposalsEnum | None]"
    ratify: "NotRequired[RatifyEnum | None]"
    seeds: "NotRequired[Literal['lot', 'rating'] | list[str] | None]"
    stages: "NotRequired[list[StageAsked]]"


class PatchedProfileChangeRequest(TypedDict):
    """Changes to your account."""

    username: "NotRequired[str]"
    preferences: "NotRequired[PreferencesChangeRequest]"
    handles: "NotRequired[PatchedProfileChangeRequestHandles]"
    calendar: "NotRequired[Calendar]"


class PatchedProfileChangeRequestHandles(TypedDict):
    discord: "NotRequired[str | None]"
    slack: "NotRequired[str | None]"
    mattermost: "NotRequired[str | None]"
    telegram: "NotRequired[str | None]"
    matrix: "NotRequired[str | None]"


class PatchedSettingsChangeRequest(TypedDict):
    """Changes to your notification settings. Keys and cells that you leave out stay as they are."""

    matrix: "NotRequired[dict[str, dict[str, bool | Literal['fallback']]]]"
    always: "NotRequired[bool]"
    reminders: "NotRequired[list[str]]"


class People(TypedDict):
    """The people you have played with, the most recent first."""

    results: "list[Person]"


class Person(TypedDict):
    """Somebody you have played with."""

    id: "str"
    username: "str"
    games: "int"
    last_at: "str"


class PickUpMove(TypedDict):
    """Shedding games: take the pile."""

    move: "Literal['pick_up']"


class PickedUpData(TypedDict):
    """The pile was picked up."""

    move: "PickUpMove"
    effects: "list[Effect]"
    calls: "list[Literal['kerchoo', 'number_of_the_beast', 'lucky_number_of_the_beast', 'exorcism', 'on_the_train', 'who_dealt']]"
    planned: "NotRequired[Literal[True]]"


class PickedUpEffect(TypedDict):
    """Cards of the pile went to the hand: all, or all but a joker just played (TJ9)."""

    effect: "Literal['picked_up']"
    seat: "int"
    cards: "list[Card]"


class PickedUpEvent(TypedDict):
    """The pile was picked up."""

    type: "Literal['picked_up']"
    version: "int"
    seat: "int | None"
    recorded_at: "str"
    said: "NotRequired[str]"
    to_act: "NotRequired[list[int]]"
    deadlines: "NotRequired[dict[str, str]]"
    data: "PickedUpData"


class PlaceBounds(TypedDict):
    """The places that an entrant can still have, by total alone: [best, worst]."""

    round: "list[int]"
    final: "NotRequired[list[int]]"
    needs: "NotRequired[dict[str, list[int]]]"
    cut: "NotRequired[Literal['through', 'open', 'out']]"


class PlacedRequest(TypedDict):
    """The outcome of a game for an entrant, as entered by an organiser."""

    entrant: "str"
    place: "NotRequired[int | None]"
    score: "NotRequired[int | None]"
    timeouts: "NotRequired[int | None]"
    absent: "NotRequired[bool | None]"


class Placement(TypedDict):
    """The place of a seat."""

    seat: "int"
    place: "int"
    score: "int | None"


class Plan(TypedDict):
    """What to play on your next turns: the first line whose conditions are true and whose move is legal."""

    lines: "list[PlanLine]"
    turns: "NotRequired[int]"


class PlanLine(TypedDict):
    """A line of a plan. It is played if all conditions in `when` are true and the move is legal."""

    move: "PlanLineMove"
    when: "NotRequired[dict[str, Any]]"
    interrupt: "NotRequired[bool]"


class PlanLineMove(TypedDict):
    move: "str"


class PlanRequest(TypedDict):
    """A tournament to set up. Keys that are null or left out get their defaults. Spans are whole seconds."""

    title: "str"
    game: "GameName"
    ruleset: "NotRequired[RulesetEnum | None]"
    options: "NotRequired[dict[str, Any] | None]"
    clock: "NotRequired[Clock | None]"
    kind: "KindEnum"
    settings: "NotRequired[TournamentSettings | None]"
    visibility: "NotRequired[VisibilityEnum | None]"
    rated: "NotRequired[bool | None]"
    plans: "NotRequired[bool | None]"
    talk: "NotRequired[TalkEnum | None]"
    guests: "NotRequired[bool | None]"
    entry: "NotRequired[EntryEnum | None]"
    limit: "NotRequired[int | None]"
    check_in: "NotRequired[int | None]"
    starts_at: "NotRequired[str | None]"
    opens_at: "NotRequired[str | None]"
    closes_at: "NotRequired[str | None]"
    grace: "NotRequired[int | None]"
    deadline: "NotRequired[int | None]"
    overdue: "NotRequired[OverdueEnum | None]"
    no_show: "NotRequired[NoShowEnum | None]"
    no_show_after: "NotRequired[int | None]"
    late: "NotRequired[LateEnum | None]"
    late_until: "NotRequired[int | None]"
    pace: "NotRequired[PaceEnum | None]"
    games: "NotRequired[GamesEnum | None]"
    proposals: "NotRequired[ProposalsEnum | None]"
    ratify: "NotRequired[RatifyEnum | None]"
    seeds: "NotRequired[Literal['lot', 'rating'] | list[str] | None]"
    house_game: "NotRequired[str | None]"


class PlanVerdict(TypedDict):
    """What a plan would do."""

    line: "int | None"
    move: "dict[str, Any] | None"
    lines: "list[PlanVerdictWord]"
PlanVerdictWord: TypeAlias = "Literal['does not hold', 'not in hand', 'not legal', 'plays', 'not tried']"


class PlayMove(TypedDict):
    """Shedding games: cards of one rank from the active zone, in the order in which they go onto the pile."""

    move: "Literal['play']"
    cards: "list[Card]"
    interrupt: "NotRequired[bool]"


class Played(TypedDict):
    """A move that was applied: its events and the game after it."""

    version: "int"
    events: "list[Event]"
    game: "Game"


class PlayedData(TypedDict):
    """Cards were played."""

    move: "PlayMove"
    effects: "list[Effect]"
    calls: "list[Literal['kerchoo', 'number_of_the_beast', 'lucky_number_of_the_beast', 'exorcism', 'on_the_train', 'who_dealt']]"
    planned: "NotRequired[Literal[True]]"


class PlayedEvent(TypedDict):
    """Cards were played."""

    type: "Literal['played']"
    version: "int"
    seat: "int | None"
    recorded_at: "str"
    said: "NotRequired[str]"
    to_act: "NotRequired[list[int]]"
    deadlines: "NotRequired[dict[str, str]]"
    data: "PlayedData"


class PlayerRef(TypedDict):
    """A player, as others see them."""

    id: "str"
    username: "str | None"


class PlayerReference(TypedDict):
    """A player as others see it."""

    id: "str"
    username: "str"


class PlayerReplacedData(TypedDict):
    """A ruling: somebody else plays there now."""

    player: "str | None"
    bot: "Bot | None"
    was: "str | None"
    reason: "str"
    rated: "bool"
    bank: "int"


class PlayerReplacedEvent(TypedDict):
    """A ruling: somebody else plays there now."""

    type: "Literal['player_replaced']"
    version: "int"
    seat: "int | None"
    recorded_at: "str"
    said: "NotRequired[str]"
    to_act: "NotRequired[list[int]]"
    deadlines: "NotRequired[dict[str, str]]"
    data: "PlayerReplacedData"


class PlayerReturnedData(TypedDict):
    """The player took the seat back."""



class PlayerReturnedEvent(TypedDict):
    """The player took the seat back."""

    type: "Literal['player_returned']"
    version: "int"
    seat: "int | None"
    recorded_at: "str"
    said: "NotRequired[str]"
    to_act: "NotRequired[list[int]]"
    deadlines: "NotRequired[dict[str, str]]"
    data: "PlayerReturnedData"


class Point(TypedDict):
    """A rating after one game."""

    at: "str"
    game_id: "str"
    place: "int"
    players: "int"
    rating: "str"
    deviation: "str"


class Posting(TypedDict):
    """A channel of a room."""

    id: "str"
    service: "str"


class Preferences(TypedDict):
    """Your preferences for playing."""

    forced_moves: "bool"
    unlisted: "bool"
    not_in_people: "bool"
    presence: "PresenceEnum"
    talk: "TalkEnum"


class PreferencesChangeRequest(TypedDict):
    """Changes to your preferences. Keys that you leave out stay as they are."""

    forced_moves: "NotRequired[bool]"
    unlisted: "NotRequired[bool]"
    not_in_people: "NotRequired[bool]"
    presence: "NotRequired[PresenceEnum]"
    talk: "NotRequired[TalkEnum]"
PresenceEnum: TypeAlias = "Literal['private', 'always', 'never']"


class PresentPlayer(TypedDict):
    """A player who is at the table now."""

    seat: "int"
    player: "PlayerRef"
ProblemCode: TypeAlias = "Literal['added_by_organisers', 'already_arranged', 'already_came', 'already_drawn', 'already_entered', 'already_joined', 'already_open', 'already_organiser', 'already_out', 'already_removed', 'already_reported', 'already_started', 'already_void', 'bad_bots', 'bad_calendar', 'bad_chat', 'bad_clock', 'bad_cursor', 'bad_entries', 'bad_etag', 'bad_handle', 'bad_key', 'bad_level', 'bad_name', 'bad_options', 'bad_placements', 'bad_plan', 'bad_plans', 'bad_rated', 'bad_reason', 'bad_request', 'bad_ruleset', 'bad_salt', 'bad_seat', 'bad_seats', 'bad_seconds', 'bad_settings', 'bad_subscription', 'bad_username', 'bad_visibility', 'bad_webhook', 'blocked', 'body_timeout', 'bot_limit', 'bot_plays', 'busy', 'can_play', 'cannot_beat_pile', 'cannot_draw', 'cannot_settle', 'channel_limit', 'chat_limit', 'choose_three', 'csrf_failed', 'decided_by_vote', 'discard_pile_empty', 'draft_outdated', 'draw_first', 'entries_closed', 'forbidden', 'game_cancelled', 'game_limit', 'game_over', 'guest_account', 'hand_first', 'hidden_rules', 'insufficient_scope', 'internal_error', 'invalid', 'invalid_token', 'invitation_needed', 'key_reused', 'last_organiser', 'length_required', 'malformed', 'message_limit', 'method_not_allowed', 'misdirected', 'mixed_ranks', 'must_flip', 'must_play', 'muted', 'no_bonus', 'no_bot', 'no_cards', 'no_check_in', 'no_deadline', 'no_draft', 'no_draw', 'no_guest', 'no_guests', 'no_meld', 'no_melds', 'no_networks', 'no_next_round', 'no_next_stage', 'no_plan', 'no_proposals', 'no_review', 'no_rounds', 'no_such_entrant', 'no_such_game', 'no_such_message', 'no_such_number', 'no_such_organiser', 'no_such_player', 'no_such_proposal', 'no_such_round', 'no_such_seat', 'no_such_stage', 'no_such_table', 'no_such_version', 'nobody_there', 'not_a_player', 'not_a_season', 'not_all_melded', 'not_an_elector', 'not_an_entrant', 'not_an_organiser', 'not_asked', 'not_authenticated', 'not_entered', 'not_finished', 'not_found', 'not_in_a_knockout', 'not_invited', 'not_open', 'not_removed', 'not_started', 'not_the_entrant', 'not_the_opener', 'not_the_proposer', 'not_to_act', 'not_void', 'not_yet_flipping', 'not_your_cards', 'not_your_turn', 'not_yours', 'opening_rank', 'own_house_game', 'own_message', 'own_table', 'plans_off', 'players_only', 'position_empty', 'proposal_ended', 'proposal_open', 'proposed_lately', 'race_lost', 'removed', 'resigned', 'room_full', 'room_limit', 'round_closed', 'round_open', 'season_closed', 'seats_kept', 'seats_taken', 'second_factor', 'sent_out', 'setup', 'setup_over', 'signs_in_a_row', 'signs_only', 'somebody_is_out', 'staff_only', 'stale_version', 'stock_empty', 'table_not_played', 'talk_off', 'talk_over', 'too_few_entrants', 'too_few_players', 'too_large', 'too_many_blocked', 'too_many_bots', 'too_many_entrants', 'too_many_house_games', 'too_many_organisers', 'too_many_proposals', 'too_many_requests', 'too_many_results', 'too_many_streams', 'too_many_tournaments', 'too_many_versions', 'tournament_full', 'tournament_game', 'tournament_over', 'unavailable', 'unknown_game', 'unknown_message', 'unknown_version', 'unsupported_media_type', 'username_taken', 'weak_tag', 'webhook_limit', 'whole_hand_first', 'wrong_code', 'wrong_credentials', 'wrong_password']"


class Profile(TypedDict):
    """Your own account."""

    id: "str"
    username: "str"
    guest: "bool"
    joined_at: "str"
    preferences: "Preferences"
    handles: "ProfileHandles"
    calendar: "Calendar"
    live_url: "str"


class ProfileHandles(TypedDict):
    discord: "NotRequired[str | None]"
    slack: "NotRequired[str | None]"
    mattermost: "NotRequired[str | None]"
    telegram: "NotRequired[str | None]"
    matrix: "NotRequired[str | None]"


class ProofRequest(TypedDict):
    """Your password, unless your account has none."""

    password: "NotRequired[str]"


class Proposal(TypedDict):
    """A proposal of new rules for a tournament."""

    n: "int"
    title: "str"
    reason: "str"
    by: "PlayerRef"
    entrant: "str | None"
    ruleset: "str"
    options: "dict[str, Any]"
    changes: "list[OptionChange]"
    status: "ProposalStatus"
    ratify: "RatifyEnum"
    opened_at: "str"
    closes_at: "str"
    electors: "int"
    voted: "int"
    counts: "Counts | None"
    ended_at: "str | None"
    ended_why: "str | None"
    you: "OwnVote"


class ProposalAskedRequest(TypedDict):
    """A proposal. Rules that are null or left out stay the same. If you give options, they replace all options."""

    title: "str"
    reason: "str"
    ruleset: "NotRequired[RulesetEnum | None]"
    options: "NotRequired[dict[str, Any] | None]"
    confirm: "NotRequired[bool | None]"
    closes_at: "NotRequired[str | None]"
    dry_run: "NotRequired[bool | None]"
    house_game: "NotRequired[str | None]"
ProposalStatus: TypeAlias = "Literal['open', 'ratified', 'rejected', 'overtaken', 'withdrawn', 'closed']"


class ProposalWithVotes(TypedDict):
    """A proposal with its electors."""

    n: "int"
    title: "str"
    reason: "str"
    by: "PlayerRef"
    entrant: "str | None"
    ruleset: "str"
    options: "dict[str, Any]"
    changes: "list[OptionChange]"
    status: "ProposalStatus"
    ratify: "RatifyEnum"
    opened_at: "str"
    closes_at: "str"
    electors: "int"
    voted: "int"
    counts: "Counts | None"
    ended_at: "str | None"
    ended_why: "str | None"
    you: "OwnVote"
    votes: "list[Elector]"
    figures: "dict[str, Any] | None"
ProposalsEnum: TypeAlias = "Literal['entrants', 'organisers', 'none']"


class PublicProfile(TypedDict):
    """A player, as everyone can see them."""

    id: "str"
    username: "str"
    joined_at: "str"
    leagues: "list[LeagueProfile]"


class Push(TypedDict):
    """A browser of yours that gets pushes."""

    id: "str"
    host: "str"
    created_at: "str"
    active: "bool"
    off_because: "str | None"
    failing_since: "str | None"
    error: "str | None"
    digest: "str"


class PushKey(TypedDict):
    """The key that browsers need to subscribe."""

    key: "str"


class Rank(TypedDict):
    """A player's rank on one board."""

    board: "str"
    value: "str"
    decimal: "str"
    rank: "int | None"
    percentile: "str | None"
    reason: "str | None"
RatifyEnum: TypeAlias = "Literal['majority', 'two_thirds', 'unanimous', 'organiser']"


class Rating(TypedDict):
    """A player's rating in one game."""

    game: "str"
    rating: "str"
    deviation: "str"
    games: "int"
    provisional: "bool"
    reason: "str | None"
    rank: "int | None"
    percentile: "str | None"
    history: "list[Point]"


class Ratings(TypedDict):
    """A player's ratings."""

    results: "list[Rating]"
    next: "str | None"
    previous: "str | None"


class RatingsQuery(TypedDict):
    game: "NotRequired[Literal['castle', 'three_card', 'three_thirteen', 'threes', 'tripp_jokes']]"


class ReadRequest(TypedDict):
    """The newest notification that you have read."""

    up_to: "int"


class Reason(TypedDict):
    """The reason why there is no legal move."""

    code: "ProblemCode"
    detail: "str"


class Record(TypedDict):
    """A whole game in one file: everything that decided it, and nothing else."""

    format: "Literal['trey-record/1']"
    game: "str"
    ruleset: "str"
    options: "dict[str, Any]"
    seats: "int"
    dealer: "int"
    shuffles: "list[list[Card]]"
    moves: "list[RecordMovesItem]"


class RecordAdjusted(TypedDict):
    """Points were added or taken."""

    type: "Literal['adjusted']"
    n: "int"
    at: "str"
    entrant: "str"
    points: "str | int"
    stage: "NotRequired[int]"
    reason: "NotRequired[str]"


class RecordEntered(TypedDict):
    """Somebody entered."""

    type: "Literal['entered']"
    n: "int"
    at: "str"
    entrant: "str"
    name: "NotRequired[str | None]"


class RecordFinished(TypedDict):
    """The tournament is over."""

    type: "Literal['finished']"
    n: "int"
    at: "str"
    why: "NotRequired[str]"
RecordLine: TypeAlias = "RecordEntered | RecordWithdrew | RecordReturned | RecordRemoved | RecordReinstated | RecordReplaced | RecordSeeded | RecordSeated | RecordResult | RecordVoided | RecordRestored | RecordAdjusted | RecordRatified | RecordStaged | RecordFinished | RecordReopened"


class RecordMovesItem(TypedDict):
    seat: "int"
    move: "str"


class RecordPlayer(TypedDict):
    """How a game ended for one of its entrants."""

    entrant: "str"
    place: "NotRequired[int | None]"
    score: "NotRequired[str | int | None]"
    timeouts: "NotRequired[int]"
    absent: "NotRequired[bool]"


class RecordRatified(TypedDict):
    """These rules apply from here on (RT4)."""

    type: "Literal['ratified']"
    n: "int"
    at: "str"
    ruleset: "str"
    options: "dict[str, Any]"


class RecordReinstated(TypedDict):
    """A removal was taken back."""

    type: "Literal['reinstated']"
    n: "int"
    at: "str"
    entrant: "str"
    reason: "NotRequired[str]"


class RecordRemoved(TypedDict):
    """An organiser removed an entrant."""

    type: "Literal['removed']"
    n: "int"
    at: "str"
    entrant: "str"
    reason: "NotRequired[str]"


class RecordReopened(TypedDict):
    """The tournament was reopened."""

    type: "Literal['reopened']"
    n: "int"
    at: "str"
    reason: "NotRequired[str]"


class RecordReplaced(TypedDict):
    """Somebody else plays for the entrant."""

    type: "Literal['replaced']"
    n: "int"
    at: "str"
    entrant: "str"
    reason: "NotRequired[str]"
    name: "NotRequired[str | None]"


class RecordRestored(TypedDict):
    """A voided result counts again."""

    type: "Literal['restored']"
    n: "int"
    at: "str"
    id: "str"
    reason: "NotRequired[str]"


class RecordResult(TypedDict):
    """How a game ended."""

    type: "Literal['result']"
    n: "int"
    at: "str"
    id: "str"
    players: "list[RecordPlayer]"
    round: "NotRequired[int]"
    table: "NotRequired[int]"
    stage: "NotRequired[int]"
    source: "NotRequired[Literal['game', 'table', 'ruling']]"
    rounds: "NotRequired[int]"
    rules: "NotRequired[int]"


class RecordReturned(TypedDict):
    """An entrant who had withdrawn plays again."""

    type: "Literal['returned']"
    n: "int"
    at: "str"
    entrant: "str"
    reason: "NotRequired[str]"


class RecordSeated(TypedDict):
    """A round's tables and byes."""

    type: "Literal['seated']"
    n: "int"
    at: "str"
    round: "int"
    tables: "list[list[str]]"
    byes: "NotRequired[list[str]]"


class RecordSeeded(TypedDict):
    """The seeds of a knockout, the best first (KO2)."""

    type: "Literal['seeded']"
    n: "int"
    at: "str"
    order: "list[str]"


class RecordStage(TypedDict):
    """A stage of the record's head (SG1)."""

    kind: "Literal['season', 'rounds', 'knockout']"
    settings: "NotRequired[TournamentSettings]"
    take: "NotRequired[int]"
    carry: "NotRequired[bool]"


class RecordStaged(TypedDict):
    """The next stage begins, with these entrants, the best seed first (SG2)."""

    type: "Literal['staged']"
    n: "int"
    at: "str"
    stage: "int"
    seeds: "list[str]"


class RecordVoided(TypedDict):
    """A result, named by its id, no longer counts; or a game, named by round and table, will have no result."""

    type: "Literal['voided']"
    n: "int"
    at: "str"
    id: "NotRequired[str]"
    round: "NotRequired[int]"
    table: "NotRequired[int]"
    reason: "NotRequired[str]"


class RecordWithdrew(TypedDict):
    """An entrant withdrew and is not seated any more."""

    type: "Literal['withdrew']"
    n: "int"
    at: "str"
    entrant: "str"
    reason: "NotRequired[str]"


class RematchRequest(TypedDict):
    """Optional details of a rematch."""

    seats: "NotRequired[int]"
    salt: "NotRequired[str | None]"
Reopened: TypeAlias = "Tournament | Ruled"


class ReopeningRequest(TypedDict):
    """A ruling: its reason, for all to see. With `dry_run` nothing happens."""

    reason: "str"
    dry_run: "NotRequired[bool]"


class ReplayRequest(TypedDict):
    """The time from which to send everything again."""

    since: "str"


class Replayed(TypedDict):
    """The number of deliveries that are sent again."""

    queued: "int"


class Report(TypedDict):
    """A report, which waits for staff or an organiser."""

    number: "int"
    why: "ReportWhyEnum"
    text: "str"
    at: "str"


class ReportRequest(TypedDict):
    """The reason for a report."""

    why: "ReportWhyEnum"
    text: "NotRequired[str | None]"
ReportWhyEnum: TypeAlias = "Literal['insult', 'spam', 'cheating', 'other']"


class ResetRequest(TypedDict):
    """The code and the new password."""

    request: "str"
    code: "str"
    new_password: "str"


class ResignMove(TypedDict):
    """Leave a running game for good. Always legal for a player still in."""

    move: "Literal['resign']"


class ResignedEvent(TypedDict):
    """A resignation in a shedding game. Or: A resignation in Three Thirteen."""

    type: "Literal['resigned']"
    version: "int"
    seat: "int | None"
    recorded_at: "str"
    said: "NotRequired[str]"
    to_act: "NotRequired[list[int]]"
    deadlines: "NotRequired[dict[str, str]]"
    data: "SheddingResigned | ThreeThirteenResigned"


class RestoredData(TypedDict):
    """The game counts again."""

    reason: "str"


class RestoredEvent(TypedDict):
    """The game counts again."""

    type: "Literal['restored']"
    version: "int"
    seat: "int | None"
    recorded_at: "str"
    said: "NotRequired[str]"
    to_act: "NotRequired[list[int]]"
    deadlines: "NotRequired[dict[str, str]]"
    data: "RestoredData"


class Result(TypedDict):
    """How a game ended; placements by place, then seat."""

    ended_by: "Literal['agreed', 'limit', 'out', 'resignation', 'rounds', 'stalemate']"
    placements: "list[Placement]"
ResultEntry: TypeAlias = "EndedGame | EndedTournament"


class ResultPlayer(TypedDict):
    """The outcome of a game for an entrant."""

    entrant: "str"
    place: "int"
    score: "int | None"
    timeouts: "int"
    absent: "NotRequired[bool]"


class Results(TypedDict):
    """A page of results, oldest first."""

    results: "list[ResultEntry]"
    next: "str | None"
    previous: "str | None"
Review: TypeAlias = "SheddingReview | ThreeThirteenReview"


class ReviewedRound(TypedDict):
    """A round of Three Thirteen."""

    round: "int"
    turns: "list[ReviewedTurn]"


class ReviewedTurn(TypedDict):
    """The least penalty of a hand after a turn."""

    version: "int"
    seat: "int"
    penalty: "int"


class Round(TypedDict):
    """A round, and whom its tables wait for."""

    stage: "int"
    round: "int"
    status: "RoundStatusEnum"
    seated_at: "str"
    deadline_at: "str | None"
    overdue: "bool"
    closed_at: "str | None"
    open_tables: "int"
    proposal: "int | None"
    byes: "list[NamedEntrant]"
    tables: "list[TournamentTable]"


class RoundScore(TypedDict):
    """A seat's round of Three Thirteen, as it was scored."""

    penalty: "int"
    melds: "list[list[Card]]"
    left: "list[Card]"
    went_out: "bool"


class RoundScoredData(TypedDict):
    """The round was scored."""

    round: "int"
    went_out: "int | None"
    scores: "list[RoundScore]"
    totals: "list[int]"
    result: "Result | None"


class RoundScoredEvent(TypedDict):
    """The round was scored."""

    type: "Literal['round_scored']"
    version: "int"
    seat: "int | None"
    recorded_at: "str"
    said: "NotRequired[str]"
    to_act: "NotRequired[list[int]]"
    deadlines: "NotRequired[dict[str, str]]"
    data: "RoundScoredData"
RoundStatusEnum: TypeAlias = "Literal['open', 'closed']"


class RowChange(TypedDict):
    """The changes that a ruling makes for an entrant."""

    entrant: "str"
    place: "list[int | None]"
    total: "list[str | None]"
    status: "list[str | None]"


class Ruled(TypedDict):
    """A ruling, or with `dry_run` what it would change."""

    ruling: "RuledRulingEnum"
    reason: "str"
    dry_run: "bool"
    version: "int | None"
    before: "TournamentStandings | None"
    after: "TournamentStandings | None"
    changes: "list[RowChange] | None"
    going_on: "GoingOn | None"
RuledRulingEnum: TypeAlias = "Literal['void', 'restore', 'correct', 'rule_table', 'enter_result', 'adjust', 'replace', 'remove', 'reinstate', 'extend', 'end_stage', 'reopen']"


class Rules(TypedDict):
    """Rules of a tournament, and since when they apply."""

    proposal: "int | None"
    ruleset: "str"
    options: "dict[str, Any]"
    since: "str | None"


class RulesError(TypedDict):
    """What is wrong with rules."""

    path: "str"
    detail: "str"


class Ruleset(TypedDict):
    """A ruleset and its options."""

    name: "str"
    description: "str"
    options: "dict[str, Any]"
RulesetEnum: TypeAlias = "Literal['2022', '2023', 'classic', 'house']"


class Ruling(TypedDict):
    """A ruling: what was ruled, why, and by whom. Keys that do not belong to it are null."""

    version: "int"
    ruling: "RulingRulingEnum"
    reason: "str | None"
    by: "PlayerRef | None"
    also_plays: "str | None"
    at: "str"
    game: "str | None"
    stage: "int | None"
    round: "int | None"
    table: "int | None"
    entrant: "str | None"
    entrants: "list[str] | None"
    player: "PlayerRef | None"
    bot: "Bot | None"
    points: "str | None"
    until: "str | None"
    players: "list[ResultPlayer] | None"


class RulingAskedRequest(TypedDict):
    """A ruling. docs/build/tournaments-api.md lists the other keys of each."""

    ruling: "RulingName"
    reason: "str"
    dry_run: "NotRequired[bool | None]"
    game: "NotRequired[str | None]"
    round: "NotRequired[int | None]"
    table: "NotRequired[int | None]"
    players: "NotRequired[list[PlacedRequest] | None]"
    rounds: "NotRequired[int | None]"
    stage: "NotRequired[int | None]"
    entrant: "NotRequired[str | None]"
    points: "NotRequired[str | int | None]"
    player: "NotRequired[str | None]"
    bot: "NotRequired[BotLevel | None]"
    seconds: "NotRequired[int | None]"
RulingName: TypeAlias = "Literal['void', 'restore', 'correct', 'rule_table', 'enter_result', 'adjust', 'replace', 'remove', 'reinstate', 'extend', 'end_stage']"
RulingRulingEnum: TypeAlias = "Literal['void', 'restore', 'correct', 'rule_table', 'enter_result', 'adjust', 'replace', 'remove', 'reinstate', 'extend', 'end_stage', 'exchange', 'reopen', 'absent']"


class SaveHouseGameRequest(TypedDict):
    """A house game to save."""

    rules: "dict[str, Any]"
    visibility: "NotRequired[HouseVisibility]"
    made_from: "NotRequired[str]"


class SayRequest(TypedDict):
    """A text of 1 to 500 characters, or a sign."""

    text: "NotRequired[str]"
    sign: "NotRequired[SignEnum]"
ScopesEnum: TypeAlias = "Literal['read', 'play', 'organise', 'notify', 'account']"


class SeasonGameRequest(TypedDict):
    """A season's room; the caller sits down in it."""

    seats: "NotRequired[int]"
    bots: "NotRequired[list[str]]"


class SeasonRequest(TypedDict):
    """A season for the people who played a finished game: private, open for a year, and with the rules and clock of
    that game unless you give others."""

    title: "NotRequired[str | None]"
    game: "NotRequired[GameName | None]"
    ruleset: "NotRequired[RulesetEnum | None]"
    options: "NotRequired[dict[str, Any] | None]"
    clock: "NotRequired[Clock | None]"
    kind: "NotRequired[KindEnum | None]"
    settings: "NotRequired[TournamentSettings | None]"
    visibility: "NotRequired[VisibilityEnum | None]"
    rated: "NotRequired[bool | None]"
    plans: "NotRequired[bool | None]"
    talk: "NotRequired[TalkEnum | None]"
    guests: "NotRequired[bool | None]"
    entry: "NotRequired[EntryEnum | None]"
    limit: "NotRequired[int | None]"
    check_in: "NotRequired[int | None]"
    starts_at: "NotRequired[str | None]"
    opens_at: "NotRequired[str | None]"
    closes_at: "NotRequired[str | None]"
    grace: "NotRequired[int | None]"
    deadline: "NotRequired[int | None]"
    overdue: "NotRequired[OverdueEnum | None]"
    no_show: "NotRequired[NoShowEnum | None]"
    no_show_after: "NotRequired[int | None]"
    late: "NotRequired[LateEnum | None]"
    late_until: "NotRequired[int | None]"
    pace: "NotRequired[PaceEnum | None]"
    games: "NotRequired[GamesEnum | None]"
    proposals: "NotRequired[ProposalsEnum | None]"
    ratify: "NotRequired[RatifyEnum | None]"
    seeds: "NotRequired[Literal['lot', 'rating'] | list[str] | None]"
    stages: "NotRequired[list[StageAsked] | None]"
    from_game: "str"


class Seat(TypedDict):
    """A seat with its player, its bot, or a player for whom a bot plays."""

    seat: "int"
    player: "PlayerRef | None"
    bot: "Bot | None"


class SeatAtEnd(TypedDict):
    """A seat as it was at the end."""

    seat: "int"
    player: "str | None"
    bot: "str | None"
    timeouts: "int"
    moved: "bool"
    played: "bool"
    never_came: "bool"
    resigned: "bool"
    lost_on_time: "bool"
    replaced: "bool"


class SeenRequest(TypedDict):
    """The version of the game that you have seen."""

    version: "int"


class Sent(TypedDict):
    """A message that was sent, or would be."""

    told: "int"
    text: "str"
    version: "int | None"


class SetUpRequest(TypedDict):
    title: "NotRequired[str | None]"
    game: "NotRequired[GameName | None]"
    ruleset: "NotRequired[RulesetEnum | None]"
    options: "NotRequired[dict[str, Any] | None]"
    clock: "NotRequired[Clock | None]"
    kind: "NotRequired[KindEnum | None]"
    settings: "NotRequired[TournamentSettings | None]"
    visibility: "NotRequired[VisibilityEnum | None]"
    rated: "NotRequired[bool | None]"
    plans: "NotRequired[bool | None]"
    talk: "NotRequired[TalkEnum | None]"
    guests: "NotRequired[bool | None]"
    entry: "NotRequired[EntryEnum | None]"
    limit: "NotRequired[int | None]"
    check_in: "NotRequired[int | None]"
    starts_at: "NotRequired[str | None]"
    opens_at: "NotRequired[str | None]"
    closes_at: "NotRequired[str | None]"
    grace: "NotRequired[int | None]"
    deadline: "NotRequired[int | None]"
    overdue: "NotRequired[OverdueEnum | None]"
    no_show: "NotRequired[NoShowEnum | None]"
    no_show_after: "NotRequired[int | None]"
    late: "NotRequired[LateEnum | None]"
    late_until: "NotRequired[int | None]"
    pace: "NotRequired[PaceEnum | None]"
    games: "NotRequired[GamesEnum | None]"
    proposals: "NotRequired[ProposalsEnum | None]"
    ratify: "NotRequired[RatifyEnum | None]"
    seeds: "NotRequired[Literal['lot', 'rating'] | list[str] | None]"
    house_game: "NotRequired[str | None]"
    stages: "NotRequired[list[StageAsked] | list[StageAsked] | None]"
    after: "NotRequired[str]"
    from_game: "NotRequired[str]"


class SettleMove(TypedDict):
    """Shedding games: agree to end a game that stands still, even out of turn. A second one takes it back.
    
    Legal for a player still in while the view says `may_settle`, but never listed."""

    move: "Literal['settle']"


class SettledData(TypedDict):
    """A player agreed to end the game as it stands, or took that back."""

    move: "SettleMove"
    effects: "list[Effect]"
    calls: "list[Literal['kerchoo', 'number_of_the_beast', 'lucky_number_of_the_beast', 'exorcism', 'on_the_train', 'who_dealt']]"
    planned: "NotRequired[Literal[True]]"


class SettledEffect(TypedDict):
    """The seats that have now agreed to end the game as it stands."""

    effect: "Literal['settled']"
    seats: "list[int]"


class SettledEvent(TypedDict):
    """A player agreed to end the game as it stands, or took that back."""

    type: "Literal['settled']"
    version: "int"
    seat: "int | None"
    recorded_at: "str"
    said: "NotRequired[str]"
    to_act: "NotRequired[list[int]]"
    deadlines: "NotRequired[dict[str, str]]"
    data: "SettledData"


class SetupEndedEffect(TypedDict):
    """Everyone has chosen."""

    effect: "Literal['setup_ended']"
    face_up: "list[list[Card]]"


class SheddingDealt(TypedDict):
    """The cards of a shedding game."""

    ruleset: "str"
    options: "dict[str, Any]"
    seats: "int"
    dealer: "int"
    direction: "Literal[-1, 1]"
    hands: "list[list[Card] | None]"
    face_up: "list[list[Card]]"
    turned_up: "list[Card]"
    stock_count: "int"
    face_down: "list[list[Card]] | None"
    stock: "list[Card] | None"
    shuffle: "list[Card] | None"
    calls: "list[Literal['kerchoo', 'number_of_the_beast', 'lucky_number_of_the_beast', 'exorcism', 'on_the_train', 'who_dealt']]"
    who_dealt: "list[int] | None"


class SheddingDrew(TypedDict):
    """A draw in Three Card or Castle."""

    move: "DrawMove"
    effects: "list[Effect]"
    calls: "list[Literal['kerchoo', 'number_of_the_beast', 'lucky_number_of_the_beast', 'exorcism', 'on_the_train', 'who_dealt']]"
    planned: "NotRequired[Literal[True]]"


class SheddingPlayer(TypedDict):
    """One seat of a shedding game."""

    seat: "int"
    hand_count: "int"
    hand: "list[Card] | None"
    face_up: "list[Card] | None"
    face_down: "list[bool]"
    face_down_cards: "list[Card | None]"
    arranged: "bool"
    place: "int | None"


class SheddingResigned(TypedDict):
    """A resignation in a shedding game."""

    move: "ResignMove"
    effects: "list[Effect]"
    calls: "list[Literal['kerchoo', 'number_of_the_beast', 'lucky_number_of_the_beast', 'exorcism', 'on_the_train', 'who_dealt']]"
    planned: "NotRequired[Literal[True]]"


SheddingReview = TypedDict("SheddingReview", {"game": "str", "networks": "str", "from": "int", "places": "list[ExpectedPlaces]", "seats": "list[Lost]", "decisions": "list[Decision]"})



class SheddingView(TypedDict):
    """The table of a shedding game."""

    game: "Literal['three_card', 'tripp_jokes', 'threes', 'castle', 'house']"
    ruleset: "str"
    options: "dict[str, Any]"
    seats: "int"
    dealer: "int"
    status: "Literal['finished', 'playing', 'setup']"
    to_act: "list[int]"
    may_interrupt: "list[int]"
    result: "Result | None"
    players: "list[SheddingPlayer]"
    pile: "list[Card]"
    to_beat: "ToBeat | None"
    stock_count: "int"
    out_of_play: "list[Card]"
    direction: "Literal[-1, 1]"
    bonus: "Literal['may', 'must', None]"
    stalled: "int"
    may_settle: "bool"
    settled: "list[int]"
    laid_on_empty: "int"
    calls: "list[Literal['kerchoo', 'number_of_the_beast', 'lucky_number_of_the_beast', 'exorcism', 'on_the_train', 'who_dealt']]"
    skips: "NotRequired[int]"
    powerless: "NotRequired[int]"


class ShownEffect(TypedDict):
    """Castle: the face-down card could not be played and went back to its position, seen by all."""

    effect: "Literal['shown']"
    seat: "int"
    position: "int"
    card: "Card"
SignEnum: TypeAlias = "Literal['hello', 'good_luck', 'thanks', 'well_played', 'ouch', 'wow', 'laugh', 'sorry', 'one_moment', 'away', 'back', 'again']"


class SignUpRequest(TypedDict):
    """A new account."""

    username: "str"
    password: "str"
SourceEnum: TypeAlias = "Literal['game', 'table', 'ruling']"


class Speaker(TypedDict):
    """The author; without a name if the account is closed."""

    id: "str"
    username: "str | None"


Stage = TypedDict("Stage", {"kind": "KindEnum", "settings": "TournamentSettings", "deadline": "int | None", "overdue": "OverdueEnum", "pace": "PaceEnum", "games": "GamesEnum", "opens_at": "str | None", "closes_at": "str | None", "grace": "int", "title": "str", "take": "int | None", "carry": "bool", "lasts": "int | None", "break": "int | None"})



StageAsked = TypedDict("StageAsked", {"kind": "KindEnum", "settings": "NotRequired[TournamentSettings | None]", "deadline": "NotRequired[int | None]", "overdue": "NotRequired[OverdueEnum | None]", "pace": "NotRequired[PaceEnum | None]", "games": "NotRequired[GamesEnum | None]", "opens_at": "NotRequired[str | None]", "closes_at": "NotRequired[str | None]", "grace": "NotRequired[int | None]", "title": "NotRequired[str | None]", "take": "NotRequired[int | None]", "carry": "NotRequired[bool | None]", "lasts": "NotRequired[int | None]", "break": "NotRequired[int | None]"})



class StagedPlanRequest(TypedDict):
    """A tournament of several stages to set up."""

    title: "str"
    game: "GameName"
    ruleset: "NotRequired[RulesetEnum | None]"
    options: "NotRequired[dict[str, Any] | None]"
    clock: "NotRequired[Clock | None]"
    visibility: "NotRequired[VisibilityEnum | None]"
    rated: "NotRequired[bool | None]"
    plans: "NotRequired[bool | None]"
    talk: "NotRequired[TalkEnum | None]"
    guests: "NotRequired[bool | None]"
    entry: "NotRequired[EntryEnum | None]"
    limit: "NotRequired[int | None]"
    check_in: "NotRequired[int | None]"
    starts_at: "NotRequired[str | None]"
    no_show: "NotRequired[NoShowEnum | None]"
    no_show_after: "NotRequired[int | None]"
    late: "NotRequired[LateEnum | None]"
    late_until: "NotRequired[int | None]"
    proposals: "NotRequired[ProposalsEnum | None]"
    ratify: "NotRequired[RatifyEnum | None]"
    seeds: "NotRequired[Literal['lot', 'rating'] | list[str] | None]"
    stages: "list[StageAsked]"
    house_game: "NotRequired[str | None]"


class StalledEffect(TypedDict):
    """How many pick-ups there have been without progress."""

    effect: "Literal['stalled']"
    count: "int"


class StandingsRow(TypedDict):
    """An entrant's row of the standings."""

    entrant: "str"
    name: "str | None"
    place: "int | None"
    total: "str | None"
    games: "int"
    byes: "int"
    adjusted: "str"
    kept: "list[str]"
    tie_breaks: "dict[str, Any]"
    decided_by: "str | None"
    status: "Literal['in', 'out', 'removed', 'withdrawn']"
    stage: "NotRequired[int]"
StartEnum: TypeAlias = "Literal['full', 'opener']"


class StartedData(TypedDict):
    """The game has started."""

    seats: "int"
    options: "dict[str, Any]"
    dealer: "int"
    salts: "list[str]"


class StartedEvent(TypedDict):
    """The game has started."""

    type: "Literal['started']"
    version: "int"
    seat: "int | None"
    recorded_at: "str"
    said: "NotRequired[str]"
    to_act: "NotRequired[list[int]]"
    deadlines: "NotRequired[dict[str, str]]"
    data: "StartedData"
StateEnum: TypeAlias = "Literal['sent', 'held', 'skipped', 'failed', 'given_up']"


class StoppedData(TypedDict):
    """A house game of bots alone has taken too many moves (HG15)."""

    effects: "list[Effect]"
    calls: "list[Literal['kerchoo', 'number_of_the_beast', 'lucky_number_of_the_beast', 'exorcism', 'on_the_train', 'who_dealt']]"


class StoppedEvent(TypedDict):
    """A house game of bots alone has taken too many moves (HG15)."""

    type: "Literal['stopped']"
    version: "int"
    seat: "int | None"
    recorded_at: "str"
    said: "NotRequired[str]"
    to_act: "NotRequired[list[int]]"
    deadlines: "NotRequired[dict[str, str]]"
    data: "StoppedData"


class SubscriptionKeysRequest(TypedDict):
    """A browser's keys."""

    p256dh: "str"
    auth: "str"


class SubscriptionRequest(TypedDict):
    """A browser's `PushSubscription`, as `toJSON()` gives it."""

    endpoint: "str"
    expirationTime: "NotRequired[float | None]"
    keys: "SubscriptionKeysRequest"


class SuccessorRequest(TypedDict):
    """The successor of a tournament that is over. Settings that you leave out are copied, except times.
    
    Objects change key by key; null restores a default."""

    title: "NotRequired[str | None]"
    game: "NotRequired[GameName | None]"
    ruleset: "NotRequired[RulesetEnum | None]"
    options: "NotRequired[dict[str, Any] | None]"
    clock: "NotRequired[Clock | None]"
    kind: "NotRequired[KindEnum | None]"
    settings: "NotRequired[TournamentSettings | None]"
    visibility: "NotRequired[VisibilityEnum | None]"
    rated: "NotRequired[bool | None]"
    plans: "NotRequired[bool | None]"
    talk: "NotRequired[TalkEnum | None]"
    guests: "NotRequired[bool | None]"
    entry: "NotRequired[EntryEnum | None]"
    limit: "NotRequired[int | None]"
    check_in: "NotRequired[int | None]"
    starts_at: "NotRequired[str | None]"
    opens_at: "NotRequired[str | None]"
    closes_at: "NotRequired[str | None]"
    grace: "NotRequired[int | None]"
    deadline: "NotRequired[int | None]"
    overdue: "NotRequired[OverdueEnum | None]"
    no_show: "NotRequired[NoShowEnum | None]"
    no_show_after: "NotRequired[int | None]"
    late: "NotRequired[LateEnum | None]"
    late_until: "NotRequired[int | None]"
    pace: "NotRequired[PaceEnum | None]"
    games: "NotRequired[GamesEnum | None]"
    proposals: "NotRequired[ProposalsEnum | None]"
    ratify: "NotRequired[RatifyEnum | None]"
    seeds: "NotRequired[Literal['lot', 'rating'] | list[str] | None]"
    stages: "NotRequired[list[StageAsked] | None]"
    after: "str"


class Talk(TypedDict):
    """The chat of a table, as you see it."""

    results: "list[TalkMessage]"
    last: "int"
    read: "int"
    unread: "int"
    talk: "TalkEnum"
    may: "MayEnum | None"
    reason: "WhyNot | None"
    quiet: "bool"
    readers: "list[str]"
    people: "list[Listener]"
TalkEnum: TypeAlias = "Literal['all', 'signs', 'off']"


class TalkMessage(TypedDict):
    """A message, as the caller can read it."""

    number: "int"
    at: "str"
    by: "Speaker"
    seat: "int"
    text: "str | None"
    sign: "SignEnum | None"
    version: "int"
    gone: "GoneEnum | None"


class TalkNews(TypedDict):
    """The number of unread messages of a table; the stream of its game leaves `game` out."""

    last: "int"
    unread: "int"
    game: "NotRequired[str]"


class TalkQuietRequest(TypedDict):
    """Whether the chat is muted: new messages are neither counted nor notified to you."""

    quiet: "bool"


class TalkReadRequest(TypedDict):
    """How far you have read."""

    up_to: "int"


class Tap(TypedDict):
    """The answer to a tap that is not the move to make: the rules' refusal, or `legal`."""

    code: "str"
    detail: "str | None"


class ThreeThirteenDealt(TypedDict):
    """The cards of a round of Three Thirteen. The first deal also has `ruleset`, `options` and `seats`."""

    round: "int"
    wild: "str"
    dealer: "int"
    hands: "list[list[Card] | None]"
    discard_top: "Card"
    stock_count: "int"
    to_act: "list[int]"
    shuffle: "list[Card] | None"
    ruleset: "NotRequired[str]"
    options: "NotRequired[dict[str, Any]]"
    seats: "NotRequired[int]"


class ThreeThirteenDrew(TypedDict):
    """The first half of a turn of Three Thirteen."""

    move: "DrawMove"
    card: "Card | None"
    stock_count: "int"
    discard_count: "int"
    renewed: "int"
    idle: "int"
    shuffle: "list[Card] | None"
    planned: "NotRequired[Literal[True]]"


class ThreeThirteenPlayer(TypedDict):
    """One seat of Three Thirteen."""

    seat: "int"
    hand_count: "int"
    hand: "list[Card] | None"
    rounds: "list[RoundScore]"
    total: "int"


class ThreeThirteenResigned(TypedDict):
    """A resignation in Three Thirteen."""

    move: "ResignMove"
    to_act: "list[int]"
    step: "Literal['discard', 'draw']"
    turn_number: "int"
    final_turns: "list[int] | None"
    place: "int"
    result: "Result | None"
    idle: "int"


class ThreeThirteenReview(TypedDict):
    """A review of a game of Three Thirteen."""

    game: "str"
    rounds: "list[ReviewedRound]"
    seats: "list[Lost]"
    decisions: "list[Decision]"


class ThreeThirteenView(TypedDict):
    """The table of Three Thirteen."""

    game: "Literal['three_thirteen']"
    ruleset: "str"
    options: "dict[str, Any]"
    seats: "int"
    dealer: "int"
    status: "Literal['finished', 'playing', 'setup']"
    to_act: "list[int]"
    may_interrupt: "list[int]"
    result: "Result | None"
    players: "list[ThreeThirteenPlayer]"
    round: "int"
    wild: "str"
    step: "Literal['discard', 'draw']"
    stock_count: "int"
    discard_count: "int"
    discard_top: "Card | None"
    went_out: "int | None"
    laid: "list[list[Card]] | None"
    renewed: "int"


class TimedOutData(TypedDict):
    """A turn ran out. What happened then is in separate events."""

    deadline_at: "str"
    action: "Literal['bot', 'play', 'resign']"
    misses: "int"
    timeouts: "int"


class TimedOutEvent(TypedDict):
    """A turn ran out. What happened then is in separate events."""

    type: "Literal['timed_out']"
    version: "int"
    seat: "int | None"
    recorded_at: "str"
    said: "NotRequired[str]"
    to_act: "NotRequired[list[int]]"
    deadlines: "NotRequired[dict[str, str]]"
    data: "TimedOutData"


ToBeat = TypedDict("ToBeat", {"rank": "str", "or": "Literal['higher', 'lower']"})



class Token(TypedDict):
    """Send it as `Authorization: Bearer <token>` until it expires or is revoked."""

    token: "str"
    expires_at: "str"
    scopes: "list[ScopesEnum]"


class TokenInfo(TypedDict):
    """One of your tokens. The token itself is shown only once, when it is issued."""

    id: "str"
    name: "str"
    created_at: "str"
    last_used_at: "str"
    expires_at: "str"
    current: "bool"
    scopes: "list[ScopesEnum]"
    app: "str | None"


class Tournament(TypedDict):
    """A tournament, as the caller can see it, with all settings. Spans are whole seconds."""

    id: "str"
    slug: "str"
    title: "str"
    game: "GameName"
    ruleset: "RulesetEnum"
    options: "dict[str, Any]"
    clock: "Clock"
    kind: "KindEnum"
    settings: "TournamentSettings"
    visibility: "VisibilityEnum"
    rated: "bool"
    plans: "bool"
    talk: "TalkEnum"
    guests: "bool"
    entry: "EntryEnum"
    limit: "int | None"
    check_in: "int | None"
    starts_at: "str | None"
    opens_at: "str | None"
    closes_at: "str | None"
    grace: "int"
    deadline: "int | None"
    overdue: "OverdueEnum"
    no_show: "NoShowEnum"
    no_show_after: "int"
    late: "LateEnum"
    late_until: "int | None"
    pace: "PaceEnum"
    games: "GamesEnum"
    proposals: "ProposalsEnum"
    ratify: "RatifyEnum"
    seeds: "Literal['lot', 'rating'] | list[str]"
    status: "TournamentStatus"
    version: "int"
    seed_commitment: "str"
    seed: "str | None"
    deals_commitment: "str | None"
    deals_secret: "str | None"
    deals: "list[Deals]"
    entrants: "int"
    waiting: "int"
    stages: "list[Stage]"
    stage: "int"
    break_ends: "str | None"
    round: "int"
    rounds: "int | None"
    open_rounds: "list[int]"
    draft: "int | None"
    put_off: "bool"
    rules: "list[Rules]"
    open_proposals: "list[int]"
    organisers: "list[PlayerRef]"
    asked_organisers: "list[PlayerRef]"
    channels: "list[str]"
    after: "Neighbour | None"
    successors: "list[Neighbour]"
    you: "TournamentYou"
    share_url: "str"
    invitation: "str | None"
    set_up_at: "str"
    started_at: "str | None"
    ended_at: "str | None"
    ended_why: "str | None"


class TournamentEvent(TypedDict):
    """An event of a tournament. Secrets are null."""

    version: "int"
    type: "str"
    data: "dict[str, Any]"
    by: "PlayerRef | None"
    recorded_at: "str"


class TournamentGame(TypedDict):
    """A game of a tournament. Its `id` is that of GET games/{id}, unless it is a result without a game."""

    id: "str"
    round: "int | None"
    table: "int | None"
    number: "int | None"
    status: "TournamentGameStatusEnum"
    beyond_same_table: "bool"
    source: "SourceEnum | None"
    entrants: "list[str]"
    rounds: "int | None"
    players: "list[ResultPlayer] | None"
    absent: "list[str]"
    waits_for: "list[Awaited]"
    since: "str"
    ended_at: "str | None"
    proposal: "int | None"
TournamentGameStatusEnum: TypeAlias = "Literal['pending', 'open', 'running', 'counted', 'voided', 'without_result']"


class TournamentRecord(TypedDict):
    """Everything that the standings are computed from, for `python -m tournaments.rules standings`."""

    format: "Literal['trey-tournament/1']"
    title: "str"
    game: "Literal['castle', 'house', 'three_card', 'three_thirteen', 'threes', 'tripp_jokes']"
    seed: "str | None"
    log: "list[RecordLine]"
    kind: "NotRequired[Literal['season', 'rounds', 'knockout']]"
    settings: "NotRequired[TournamentSettings]"
    stages: "NotRequired[list[RecordStage]]"
    ruleset: "NotRequired[str]"
    options: "NotRequired[dict[str, Any]]"


class TournamentRef(TypedDict):
    """The tournament that a game belongs to."""

    id: "str"
    title: "str"
    stage: "int"
    round: "int | None"
    table: "int | None"
    number: "int"


class TournamentSettings(TypedDict):
    """The settings of a tournament's record. Settings that are null or left out have their defaults."""

    points: "NotRequired[TournamentSettingsPoints | None]"
    total: "NotRequired[Literal['sum', 'mean', None]]"
    prior: "NotRequired[str | int | None]"
    best: "NotRequired[int | None]"
    same_table: "NotRequired[int | None]"
    min_games: "NotRequired[int | None]"
    bye: "NotRequired[str | int | None]"
    tie_breaks: "NotRequired[list[Literal['opponents_strength', 'wins', 'head_to_head', 'countback', 'timeouts', 'lot']] | None]"
    rounds: "NotRequired[int | None]"
    tables: "NotRequired[TournamentSettingsTables | None]"
    games_per_table: "NotRequired[int | None]"
    seating: "NotRequired[Literal['standing', 'even', None]]"
    parallel: "NotRequired[int | None]"
    advance: "NotRequired[int | None]"


class TournamentSettingsPoints(TypedDict):
    scheme: "NotRequired[Literal['opponents_beaten', 'wins', 'places', 'score', None]]"
    list: "NotRequired[list[str | int] | None]"


class TournamentSettingsTables(TypedDict):
    size: "NotRequired[int | None]"
    min: "NotRequired[int | None]"
    max: "NotRequired[int | None]"


class TournamentStandings(TypedDict):
    """The standings of a tournament."""

    standings: "list[StandingsRow]"
    bounds: "dict[str, PlaceBounds]"
    version: "NotRequired[int]"
    as_of: "NotRequired[str | None]"
    next: "NotRequired[str | None]"
    previous: "NotRequired[str | None]"
TournamentStatus: TypeAlias = "Literal['draft', 'registration', 'running', 'finished', 'cancelled']"


class TournamentTable(TypedDict):
    """A table of a round."""

    table: "int"
    status: "TournamentTableStatusEnum"
    entrants: "list[NamedEntrant]"
    games: "list[TournamentGame]"
TournamentTableStatusEnum: TypeAlias = "Literal['open', 'closed', 'not_played']"


class TournamentYou(TypedDict):
    """The caller in a tournament."""

    entrant: "str | None"
    organiser: "bool"
    status: "TournamentYouStatusEnum | None"
    checked_in: "bool | None"
    asked: "Asked | None"
    may_organise_from: "str | None"
TournamentYouStatusEnum: TypeAlias = "Literal['in', 'waiting', 'invited', 'withdrawn', 'removed', 'out']"


class TurnClock(TypedDict):
    """One seat's deadline: `segments` from `began_at` to `deadline_at` without gap, `totals` in seconds by reason."""

    began_at: "str"
    deadline_at: "str"
    per_turn: "float"
    extra: "float"
    bank: "float"
    segments: "list[ClockSegment]"
    totals: "dict[str, float]"
    now: "NotRequired[ClockNow]"


class TurnEffect(TypedDict):
    """Whose turn it is."""

    effect: "Literal['turn']"
    seat: "int"
    bonus: "Literal['may', 'must', None]"
    number: "int"
    skips: "NotRequired[int]"


class TurnEndedData(TypedDict):
    """A bonus play was declined."""

    move: "EndTurnMove"
    effects: "list[Effect]"
    calls: "list[Literal['kerchoo', 'number_of_the_beast', 'lucky_number_of_the_beast', 'exorcism', 'on_the_train', 'who_dealt']]"
    planned: "NotRequired[Literal[True]]"


class TurnEndedEvent(TypedDict):
    """A bonus play was declined."""

    type: "Literal['turn_ended']"
    version: "int"
    seat: "int | None"
    recorded_at: "str"
    said: "NotRequired[str]"
    to_act: "NotRequired[list[int]]"
    deadlines: "NotRequired[dict[str, str]]"
    data: "TurnEndedData"


class TurnExtendedData(TypedDict):
    """A ruling: the turn has more time."""

    deadline_at: "str"
    seconds: "int"
    extra: "int"
    reason: "str"


class TurnExtendedEvent(TypedDict):
    """A ruling: the turn has more time."""

    type: "Literal['turn_extended']"
    version: "int"
    seat: "int | None"
    recorded_at: "str"
    said: "NotRequired[str]"
    to_act: "NotRequired[list[int]]"
    deadlines: "NotRequired[dict[str, str]]"
    data: "TurnExtendedData"


class TurnedRoundEffect(TypedDict):
    """The direction of play changed."""

    effect: "Literal['turned_round']"
    direction: "Literal[-1, 1]"
TypesEnum: TypeAlias = "Literal['game.turn', 'game.reminder', 'game.started', 'game.finished', 'game.timed_out', 'game.talk', 'tournament.round', 'tournament.ruling', 'tournament.proposal', 'tournament.finished']"


class Unread(TypedDict):
    """The number of unread notifications."""

    unread: "int"


class Version(TypedDict):
    """A version of a house game. It never changes."""

    number: "int"
    digest: "str"
    at: "str"
    changes: "list[str]"


class Versus(TypedDict):
    """Two players head to head."""

    player: "PlayerReference"
    other: "PlayerReference"
    results: "list[Meetings]"
    next: "str | None"
    previous: "str | None"
View: TypeAlias = "SheddingView | ThreeThirteenView"
VisibilityEnum: TypeAlias = "Literal['public', 'private']"


class VoidedData(TypedDict):
    """Staff declared the finished game void."""

    reason: "str"


class VoidedEvent(TypedDict):
    """Staff declared the finished game void."""

    type: "Literal['voided']"
    version: "int"
    seat: "int | None"
    recorded_at: "str"
    said: "NotRequired[str]"
    to_act: "NotRequired[list[int]]"
    deadlines: "NotRequired[dict[str, str]]"
    data: "VoidedData"
VoteEnum: TypeAlias = "Literal['yes', 'no', 'abstain']"


class VoteRequest(TypedDict):
    """A vote."""

    vote: "VoteEnum"
WebhookEvent: TypeAlias = "HookedGame | HookedTournament"


class WentOutData(TypedDict):
    """A player went out."""

    move: "GoOutMove"
    to_act: "list[int]"
    step: "Literal['discard', 'draw']"
    turn_number: "int"
    final_turns: "list[int] | None"
    melds: "list[list[Card]]"
    planned: "NotRequired[Literal[True]]"


class WentOutEvent(TypedDict):
    """A player went out."""

    type: "Literal['went_out']"
    version: "int"
    seat: "int | None"
    recorded_at: "str"
    said: "NotRequired[str]"
    to_act: "NotRequired[list[int]]"
    deadlines: "NotRequired[dict[str, str]]"
    data: "WentOutData"
WhatEnum: TypeAlias = "Literal['missed_out', 'final_discard']"


class WhyNot(TypedDict):
    """Why you cannot write, or can only send signs."""

    code: "str"
    detail: "str"
    until: "str | None"


class WithdrawRequest(TypedDict):
    """The request to withdraw."""

    resign: "NotRequired[bool]"


class Operations:
    def _do(self, *call: Any, **sent: Any) -> Any:
        raise NotImplementedError

    def accept_invitation(self, tournament_id: "str", entrant: "str", **keys: "Unpack[AnswerRequest]") -> "Entry":
        """Accept an invitation to play.
        
        If you were asked to replace an entrant, name that entrant; on the waiting list, name your own. The response
        is the entry that you play for. With `{"accept": false}`, you decline, and leave the waiting list if you are
        on it."""
        return self._do("POST", "/tournaments/{}/entries/{}/accept", (tournament_id, entrant,), body=keys)

    def accept_to_organise(self, tournament_id: "str", **keys: "Unpack[AnswerRequest]") -> "PaginatedPlayerRefList":
        """Become an organiser of a tournament.
        
        You can if you were invited to, or if you may take over a tournament that has no organiser left. With
        `{"accept": false}`, you decline or step down."""
        return self._do("POST", "/tournaments/{}/organisers/accept", (tournament_id,), body=keys)

    def add_bot(self, game_id: "str", *, key: "str | None" = None, **keys: "Unpack[AddBotRequest]") -> "Game":
        """Add a bot to an open room.
        
        Only the opener can do this; `kick` removes the bot again."""
        return self._do("POST", "/games/{}/bots", (game_id,), body=keys, key=key or "")

    def add_channel_of_game(self, game_id: "str", *, key: "str | None" = None, **keys: "Unpack[ChannelCreationRequest]") -> "NewChannel":
        """Add a channel to your room.
        
        It posts turns and the result there. Everyone at the table is told."""
        return self._do("POST", "/games/{}/channels", (game_id,), body=keys, key=key or "")

    def add_channel_of_tournament(self, tournament_id: "str", *, key: "str | None" = None, **keys: "Unpack[ChannelCreationRequest]") -> "NewChannel":
        """Add a channel to your tournament.
        
        It posts turns, results, rounds and standings there. Entrants are told."""
        return self._do("POST", "/tournaments/{}/channels", (tournament_id,), body=keys, key=key or "")

    def add_organiser(self, tournament_id: "str", **keys: "Unpack[OrganiserRequest]") -> "PaginatedPlayerRefList":
        """Invite somebody to organise a tournament with you.
        
        They are in `asked_organisers` of the tournament until they accept."""
        return self._do("POST", "/tournaments/{}/organisers", (tournament_id,), body=keys)

    def ask_for_login_code(self, **keys: "Unpack[AddressRequest]") -> "CodeAsked":
        """Send a code by email to log in.
        
        The response does not say whether the address has an account."""
        return self._do("POST", "/auth/code", body=keys)

    def ask_for_reset_code(self, **keys: "Unpack[AddressRequest]") -> "CodeAsked":
        """Send a code by email to reset your password."""
        return self._do("POST", "/auth/reset", body=keys)

    def ask_for_review(self, game_id: "str", **keys: "Unpack[InvitedRequest]") -> "Review | Making":
        """Request the review of a finished game.
        
        It says how everyone stood at each move, and which decisions cost most. It is made once, by the steady bot's
        networks; until it is ready the answer is 202. See docs/contribute/bots.md."""
        return self._do("POST", "/games/{}/review", (game_id,), body=keys)

    def be_quiet(self, game_id: "str", **keys: "Unpack[TalkQuietRequest]") -> "None":
        """Mute or unmute the chat of a table."""
        return self._do("PUT", "/games/{}/talk/quiet", (game_id,), body=keys)

    def block_player(self, username: "str") -> "None":
        """Block a player.
        
        They cannot invite you or sit down at private tables that you open."""
        return self._do("PUT", "/me/blocked/{}", (username,))

    def cancel_game(self, game_id: "str") -> "Game":
        """Call a game off.
        
        The opener can call off an open room. A running game is called off when everyone in it has agreed."""
        return self._do("POST", "/games/{}/cancel", (game_id,))

    def cancel_tournament(self, tournament_id: "str", **keys: "Unpack[CancellationRequest]") -> "Tournament":
        """Cancel a tournament.
        
        Its open games are called off."""
        return self._do("POST", "/tournaments/{}/cancel", (tournament_id,), body=keys)

    def change_chat(self, chat_id: "str", **keys: "Unpack[PatchedChatChangeRequest]") -> "Chat":
        """Change one of your chat addresses.
        
        One that was switched off can be switched on again."""
        return self._do("PATCH", "/me/chat/{}", (chat_id,), body=keys)

    def change_draft(self, tournament_id: "str", **keys: "Unpack[ExchangeRequest]") -> "Draft":
        """Change the draft of the next round.
        
        Swap two entrants (`swap`), or give all `tables`. The response has the new figures. This is a ruling, with a
        reason; `dry_run` changes nothing."""
        return self._do("PUT", "/tournaments/{}/draft", (tournament_id,), body=keys)

    def change_house_game(self, house_game_id: "str", *, expect: "int | str | None" = None, **keys: "Unpack[ChangeHouseGameRequest]") -> "HouseGame":
        """Save the next version of your house game.
        
        If the rules are the same, no version is added."""
        return self._do("PUT", "/house-games/{}", (house_game_id,), body=keys, expect=expect)

    def change_my_address(self, **keys: "Unpack[AddressChangeRequest]") -> "CodeAsked":
        """Send a code to your new address.
        
        Your old address stays until you verify the new one."""
        return self._do("PUT", "/me/address", body=keys)

    def change_my_notification_settings(self, **keys: "Unpack[PatchedSettingsChangeRequest]") -> "NotificationSettings":
        """Change your notification settings.
        
        Keys and cells that you leave out stay as they are."""
        return self._do("PATCH", "/me/notifications/settings", body=keys)

    def change_my_password(self, **keys: "Unpack[PasswordChangeRequest]") -> "None":
        """Change or set your password.
        
        All other tokens are revoked and other sessions ended."""
        return self._do("POST", "/me/password", body=keys)

    def change_my_profile(self, **keys: "Unpack[PatchedProfileChangeRequest]") -> "Profile":
        """Change your account.
        
        Keys that you leave out stay as they are."""
        return self._do("PATCH", "/me", body=keys)

    def change_room(self, game_id: "str", **keys: "Unpack[PatchedChangeRoomRequest]") -> "Game":
        """Change your open room.
        
        Everyone at the table is told. The rules of a tournament's table cannot be changed."""
        return self._do("PATCH", "/games/{}", (game_id,), body=keys)

    def change_tournament(self, tournament_id: "str", *, expect: "int | str | None" = None, **keys: "Unpack[PatchedPlanChangeRequest]") -> "Tournament":
        """Change a tournament.
        
        You can change everything before the start, and `pace` until the end. Objects change key by key; null
        restores the default. If `If-Match` is stale, the error names the settings that have changed since."""
        return self._do("PATCH", "/tournaments/{}", (tournament_id,), body=keys, expect=expect)

    def change_webhook(self, webhook_id: "str", **keys: "Unpack[PatchedHookChangeRequest]") -> "Hook":
        """Change one of your webhooks.
        
        One that was switched off can be switched on again."""
        return self._do("PATCH", "/me/webhooks/{}", (webhook_id,), body=keys)

    def channels_of_game(self, game_id: "str", **keys: "Unpack[ChannelsOfGameQuery]") -> "Channels":
        """List the channels of a room.
        
        Anyone who can see it also sees which chat services and webhooks it posts to."""
        return self._do("GET", "/games/{}/channels", (game_id,), query=keys)

    def channels_of_tournament(self, tournament_id: "str", **keys: "Unpack[ChannelsOfTournamentQuery]") -> "Channels":
        """List the channels of a tournament.
        
        Anyone who can see it also sees which chat services and webhooks it posts to."""
        return self._do("GET", "/tournaments/{}/channels", (tournament_id,), query=keys)

    def check_in(self, tournament_id: "str", entrant: "str") -> "Entry":
        """Check in shortly before the start.
        
        Organisers can do it for others."""
        return self._do("POST", "/tournaments/{}/entries/{}/check-in", (tournament_id, entrant,))

    def check_rules(self, **keys: "Unpack[CheckRulesRequest]") -> "CheckedRules":
        """Check the rules of a house game.
        
        Nothing is stored."""
        return self._do("POST", "/house-games/check", body=keys)

    def close_my_account(self, **keys: "Unpack[ProofRequest]") -> "None":
        """Close your account for good.
        
        You leave open rooms and resign running games; your name is deleted."""
        return self._do("POST", "/me/close", body=keys)

    def create_calendar(self) -> "NewCalendarAddress":
        """Give your calendar a new address.
        
        Calendar programs read it there, and the previous address stops working. It is shown only this once. Anyone
        who has it can see your turns and dates, but never a card."""
        return self._do("POST", "/me/ics")

    def create_chat(self, *, key: "str | None" = None, **keys: "Unpack[ChatCreationRequest]") -> "Chat":
        """Post your notifications to a chat service.
        
        Its address is never shown again."""
        return self._do("POST", "/me/chat", body=keys, key=key or "")

    def create_webhook(self, *, key: "str | None" = None, **keys: "Unpack[HookCreationRequest]") -> "NewHook":
        """Create a webhook.
        
        Your notifications are posted to its address, signed by Standard Webhooks. The secret is shown only this
        once."""
        return self._do("POST", "/me/webhooks", body=keys, key=key or "")

    def decide_proposal(self, tournament_id: "str", n: "int", **keys: "Unpack[DecisionRequest]") -> "ProposalWithVotes":
        """Decide a proposal as an organiser.
        
        You decide only if `ratify` is `organiser`; otherwise `false` closes the proposal."""
        return self._do("POST", "/tournaments/{}/proposals/{}/decide", (tournament_id, n,), body=keys)

    def delete_house_game(self, house_game_id: "str") -> "None":
        """Delete your house game.
        
        Games that use it go on."""
        return self._do("DELETE", "/house-games/{}", (house_game_id,))

    def drop_note(self, game_id: "str", *, expect: "str | None" = None) -> "None":
        """Delete your note.
        
        Without a note, nothing happens."""
        return self._do("DELETE", "/games/{}/note", (game_id,), expect=expect)

    def drop_plan(self, game_id: "str") -> "None":
        """Drop your plan, if you have one."""
        return self._do("DELETE", "/games/{}/plan", (game_id,))

    def enter_tournament(self, tournament_id: "str", *, key: "str | None" = None, **keys: "Unpack[NewEntryRequest]") -> "Entry":
        """Enter a tournament.
        
        Organisers can also add a `player`, who is invited until they accept, or a `bot`."""
        return self._do("POST", "/tournaments/{}/entries", (tournament_id,), body=keys, key=key or "")

    def explain_clock(self, game_id: "str", **keys: "Unpack[ExplainClockQuery]") -> "GameClock":
        """Explain the deadlines of a game to the second.
        
        Your own shows every pause; those of other players leave out their private hours."""
        return self._do("GET", "/games/{}/clock", (game_id,), query=keys)

    def export_my_account(self) -> "AccountExport":
        """Export your account.
        
        You get everything the service stores about you: your account, tokens without their secrets, games and
        ratings."""
        return self._do("GET", "/me/export")

    def export_my_results(self, **keys: "Unpack[ExportMyResultsQuery]") -> "str":
        """Export your results.
        
        You get your finished games and tournaments, including private ones, as lines of JSON, oldest first. Each
        line is an entry as in `GET results`, with its `record`. If the connection breaks, or the last line has no
        line feed, continue after the `n` of the last whole line."""
        return self._do("GET", "/me/results", query=keys)

    def finish_tournament(self, tournament_id: "str") -> "Tournament":
        """Finish a tournament.
        
        Running games continue, but their results count only after a ruling, or if the tournament is reopened."""
        return self._do("POST", "/tournaments/{}/finish", (tournament_id,))

    def game_at_version(self, game_id: "str", version: "int", **keys: "Unpack[GameAtVersionQuery]") -> "Game":
        """Get the game as you saw it at a version.
        
        After the end, everything is shown."""
        return self._do("GET", "/games/{}/history/{}", (game_id, version,), query=keys)

    def get_chat(self, chat_id: "str") -> "Chat":
        """Get one of your chat addresses."""
        return self._do("GET", "/me/chat/{}", (chat_id,))

    def get_draft(self, tournament_id: "str", **keys: "Unpack[GetDraftQuery]") -> "Draft":
        """Get the draft of the next round.
        
        Only organisers see it."""
        return self._do("GET", "/tournaments/{}/draft", (tournament_id,), query=keys)

    def get_fairness(self, game_id: "str", **keys: "Unpack[GetFairnessQuery]") -> "Fairness":
        """Get the proof that nobody chose the cards.
        
        The commitment is there from the start; the secret that opens it follows when the game is finished. How to
        check them: docs/build/fairness.md."""
        return self._do("GET", "/games/{}/fairness", (game_id,), query=keys)

    def get_game(self, game_id: "str", **keys: "Unpack[GetGameQuery]") -> "Game":
        """Get a room or game as you may see it.
        
        The strong ETag covers the whole body, so that you can poll with `If-None-Match`."""
        return self._do("GET", "/games/{}", (game_id,), query=keys, etag=True)

    def get_house_game(self, house_game_id: "str", **keys: "Unpack[GetHouseGameQuery]") -> "HouseGame":
        """Get a house game.
        
        Anyone who has its id can read it."""
        return self._do("GET", "/house-games/{}", (house_game_id,), query=keys, etag=True)

    def get_lesson(self, game: "Literal['castle', 'three_card', 'three_thirteen', 'threes', 'tripp_jokes']") -> "Lesson":
        """Get the lesson of a game.
        
        It has everything that is shown, said and refused at each step."""
        return self._do("GET", "/lessons/{}", (game,), etag=True)

    def get_next_stage(self, tournament_id: "str", **keys: "Unpack[GetNextStageQuery]") -> "NextStage":
        """Find out who would be through to the next stage.
        
        It is the same as what `python -m tournaments.rules stage --early` computes from the record."""
        return self._do("GET", "/tournaments/{}/next-stage", (tournament_id,), query=keys, etag=True)

    def get_note(self, game_id: "str") -> "Note":
        """Get your note to yourself in a game.
        
        It stays yours after you have left the seat."""
        return self._do("GET", "/games/{}/note", (game_id,), etag=True)

    def get_plan(self, game_id: "str") -> "KeptPlan":
        """Get your plan in a game.
        
        404 with the code `no_plan` if you have none."""
        return self._do("GET", "/games/{}/plan", (game_id,))

    def get_proposal(self, tournament_id: "str", n: "int", **keys: "Unpack[GetProposalQuery]") -> "ProposalWithVotes":
        """Get a proposal.
        
        It says who has voted, and after the end also how."""
        return self._do("GET", "/tournaments/{}/proposals/{}", (tournament_id, n,), query=keys)

    def get_record(self, game_id: "str", **keys: "Unpack[GetRecordQuery]") -> "Record":
        """Get the record of a finished game.
        
        It holds everything that decided the game; `python -m games.rules replay` replays it."""
        return self._do("GET", "/games/{}/record", (game_id,), query=keys)

    def get_review(self, game_id: "str", **keys: "Unpack[GetReviewQuery]") -> "Review | Making":
        """Get the review of a finished game.
        
        It must have been requested first."""
        return self._do("GET", "/games/{}/review", (game_id,), query=keys)

    def get_round(self, tournament_id: "str", number: "int", **keys: "Unpack[GetRoundQuery]") -> "Round":
        """Get a round.
        
        It has the tables and their games with results, and says whom each game waits for, since when and until
        when."""
        return self._do("GET", "/tournaments/{}/rounds/{}", (tournament_id, number,), query=keys)

    def get_standings(self, tournament_id: "str", **keys: "Unpack[GetStandingsQuery]") -> "TournamentStandings":
        """Get the standings.
        
        `bounds` says which places can still be reached. `python -m tournaments.rules standings` computes the same
        from the record. `at` gives the standings at an earlier time, `stage` those of a single stage."""
        return self._do("GET", "/tournaments/{}/standings", (tournament_id,), query=keys, etag=True)

    def get_talk(self, game_id: "str", **keys: "Unpack[GetTalkQuery]") -> "Talk":
        """Get the chat of a table.
        
        Only its players can read it, and the organisers of its tournament."""
        return self._do("GET", "/games/{}/talk", (game_id,), query=keys)

    def get_tournament(self, tournament_id: "str", **keys: "Unpack[GetTournamentQuery]") -> "Tournament":
        """Get a tournament.
        
        The strong ETag covers the whole body."""
        return self._do("GET", "/tournaments/{}", (tournament_id,), query=keys, etag=True)

    def get_tournament_record(self, tournament_id: "str", **keys: "Unpack[GetTournamentRecordQuery]") -> "TournamentRecord":
        """Get the record of a tournament.
        
        Anybody can compute the standings from it with `python -m tournaments.rules standings`."""
        return self._do("GET", "/tournaments/{}/record", (tournament_id,), query=keys)

    def get_webhook(self, webhook_id: "str") -> "Hook":
        """Get one of your webhooks."""
        return self._do("GET", "/me/webhooks/{}", (webhook_id,))

    def hide_message(self, game_id: "str", number: "int", **keys: "Unpack[HideRequest]") -> "None":
        """Hide a message at a table of your tournament.
        
        Its author is told why."""
        return self._do("POST", "/games/{}/talk/{}/hide", (game_id, number,), body=keys)

    def index(self) -> "dict[str, str]":
        """List the addresses of this API by name.
        
        Those with parameters are URI templates (RFC 6570)."""
        return self._do("GET", "/")

    def invite_player(self, game_id: "str", **keys: "Unpack[InviteRequest]") -> "None":
        """Invite a player to your open room.
        
        The player is told once, with a link to the table."""
        return self._do("POST", "/games/{}/invite", (game_id,), body=keys)

    def join_game(self, game_id: "str", **keys: "Unpack[JoinRequest]") -> "Game":
        """Join an open room.
        
        A private room needs its invitation code."""
        return self._do("POST", "/games/{}/join", (game_id,), body=keys)

    def keep_plan(self, game_id: "str", plan: "Plan") -> "KeptPlan":
        """Save a plan for your next turns.
        
        It replaces your current plan. Nobody else is told that you have one.
        
        When your turn begins, the first line whose conditions are true and whose move is legal is played within two
        seconds. A plan saved during your turn also applies to the rest of that turn."""
        return self._do("PUT", "/games/{}/plan", (game_id,), body=plan)

    def kick_player(self, game_id: "str", **keys: "Unpack[KickRequest]") -> "Game":
        """Remove somebody from an open room.
        
        Only the opener can do this."""
        return self._do("POST", "/games/{}/kick", (game_id,), body=keys)

    def lay_out(self, game_id: "str", **keys: "Unpack[LayOutQuery]") -> "LayOut":
        """Lay out your hand of Three Thirteen.
        
        You get the melds, the cards left over and their penalty."""
        return self._do("GET", "/games/{}/lay_out", (game_id,), query=keys)

    def leaderboard(self, game: "Literal['castle', 'three_card', 'three_thirteen', 'threes', 'tripp_jokes']", **keys: "Unpack[LeaderboardQuery]") -> "Board":
        """Get a leaderboard, best first.
        
        `around=me` gives the page with you on it."""
        return self._do("GET", "/leaderboards/{}", (game,), query=keys)

    def leave_game(self, game_id: "str") -> "Game":
        """Leave an open room.
        
        Later seats move up. To leave a running game, play the move `resign`."""
        return self._do("POST", "/games/{}/leave", (game_id,))

    def legal_moves(self, game_id: "str", **keys: "Unpack[LegalMovesQuery]") -> "LegalMoves":
        """List your legal moves.
        
        Each has `send`, a complete move that you can post as it is. If there are none, `reason` says why."""
        return self._do("GET", "/games/{}/moves", (game_id,), query=keys)

    def list_entries(self, tournament_id: "str", **keys: "Unpack[ListEntriesQuery]") -> "PaginatedEntryList":
        """List the entries, in the order of entry."""
        return self._do("GET", "/tournaments/{}/entries", (tournament_id,), query=keys)

    def list_events(self, game_id: "str", **keys: "Unpack[ListEventsQuery]") -> "PaginatedEventList":
        """List the events of a game, oldest first.
        
        Parts that you cannot see are null until the game is over."""
        return self._do("GET", "/games/{}/events", (game_id,), query=keys)

    def list_games(self, **keys: "Unpack[ListGamesQuery]") -> "PaginatedGameList":
        """List public rooms and games and your own, newest first."""
        return self._do("GET", "/games", query=keys)

    def list_house_games(self, **keys: "Unpack[ListHouseGamesQuery]") -> "PaginatedHouseGameEntryList":
        """List the public house games, or your own.
        
        The most played come first."""
        return self._do("GET", "/house-games", query=keys)

    def list_lessons(self) -> "PaginatedLessonEntryList":
        """List the lessons, one for each game.
        
        There is only one page."""
        return self._do("GET", "/lessons", etag=True)

    def list_my_people(self) -> "People":
        """List the people you have played with.
        
        These are players with whom you finished a private game or at least two others, the most recent first, at
        most 200. Nobody else sees the list. Players who set `not_in_people` or blocked you are left out."""
        return self._do("GET", "/me/people")

    def list_my_turns(self, **keys: "Unpack[ListMyTurnsQuery]") -> "PaginatedGameList":
        """List the games that wait for you, most urgent first."""
        return self._do("GET", "/me/turns", query=keys)

    def list_organisers(self, tournament_id: "str", **keys: "Unpack[ListOrganisersQuery]") -> "PaginatedPlayerRefList":
        """List the organisers."""
        return self._do("GET", "/tournaments/{}/organisers", (tournament_id,), query=keys)

    def list_proposals(self, tournament_id: "str", **keys: "Unpack[ListProposalsQuery]") -> "PaginatedProposalList":
        """List the proposals to ratify rules, newest first."""
        return self._do("GET", "/tournaments/{}/proposals", (tournament_id,), query=keys)

    def list_results(self, **keys: "Unpack[ListResultsQuery]") -> "Results":
        """List the public games and tournaments that ended, oldest first.
        
        The list is the same for everyone. A game or tournament that is voided, restored, or reopened and finished
        again gets a new entry with a greater `n`; all its entries show the current state."""
        return self._do("GET", "/results", query=keys)

    def list_rounds(self, tournament_id: "str", **keys: "Unpack[ListRoundsQuery]") -> "PaginatedRoundList":
        """List the rounds.
        
        Each has its tables with their games and results."""
        return self._do("GET", "/tournaments/{}/rounds", (tournament_id,), query=keys)

    def list_rulesets(self) -> "PaginatedGameRulesList":
        """List the games with their rulesets, options and plans.
        
        Options and plans are JSON Schemas, from which a client can draw a form. There is only one page."""
        return self._do("GET", "/rulesets", etag=True)

    def list_rulings(self, tournament_id: "str", **keys: "Unpack[ListRulingsQuery]") -> "PaginatedRulingList":
        """List the rulings with their reasons, newest first."""
        return self._do("GET", "/tournaments/{}/rulings", (tournament_id,), query=keys)

    def list_tournament_events(self, tournament_id: "str", **keys: "Unpack[ListTournamentEventsQuery]") -> "PaginatedTournamentEventList":
        """List the events of a tournament, oldest first.
        
        Each event says who caused it."""
        return self._do("GET", "/tournaments/{}/events", (tournament_id,), query=keys)

    def list_tournament_games(self, tournament_id: "str", **keys: "Unpack[ListTournamentGamesQuery]") -> "PaginatedTournamentGameList":
        """List the games of a tournament, newest first.
        
        Each has its result, or says whom it waits for."""
        return self._do("GET", "/tournaments/{}/games", (tournament_id,), query=keys)

    def list_tournaments(self, **keys: "Unpack[ListTournamentsQuery]") -> "PaginatedTournamentList":
        """List public tournaments and your own, newest first."""
        return self._do("GET", "/tournaments", query=keys)

    def log_in_by_code(self, **keys: "Unpack[CodeLoginRequest]") -> "Token":
        """Log in with the code to get a new token."""
        return self._do("POST", "/auth/code/login", body=keys)

    def log_out(self) -> "None":
        """Log out.
        
        This revokes the token of the call, or ends the session of the page."""
        return self._do("POST", "/auth/logout")

    def my_address(self) -> "OwnAddress":
        """Get your email address.
        
        Nobody else sees it."""
        return self._do("GET", "/me/address")

    def my_blocked_players(self, **keys: "Unpack[MyBlockedPlayersQuery]") -> "PaginatedBlockedList":
        """List the players you have blocked, newest first.
        
        Nobody else sees the list."""
        return self._do("GET", "/me/blocked", query=keys)

    def my_browsers(self, **keys: "Unpack[MyBrowsersQuery]") -> "PaginatedPushList":
        """List your browsers that get pushes, and whether they work."""
        return self._do("GET", "/me/push", query=keys)

    def my_calendar(self) -> "CalendarAddress":
        """Get the state of your calendar's address.
        
        You see when it was created and last read."""
        return self._do("GET", "/me/ics")

    def my_chats(self, **keys: "Unpack[MyChatsQuery]") -> "PaginatedChatList":
        """List your chat addresses.
        
        You also see whether they work, and which services the operator offers."""
        return self._do("GET", "/me/chat", query=keys)

    def my_notification_settings(self) -> "NotificationSettings":
        """Get your notification settings, defaults included."""
        return self._do("GET", "/me/notifications/settings")

    def my_notifications(self, **keys: "Unpack[MyNotificationsQuery]") -> "PaginatedNotificationList":
        """List your notifications, newest first.
        
        Each says what happened to it on every channel."""
        return self._do("GET", "/me/notifications", query=keys)

    def my_profile(self) -> "Profile":
        """Get your account."""
        return self._do("GET", "/me")

    def my_talks(self) -> "PaginatedOwnTalkList":
        """List the chats of your tables.
        
        Only those with messages are listed, unread ones first."""
        return self._do("GET", "/me/talk")

    def my_tokens(self, **keys: "Unpack[MyTokensQuery]") -> "PaginatedTokenInfoList":
        """List your valid tokens, newest first."""
        return self._do("GET", "/me/tokens", query=keys)

    def my_webhooks(self, **keys: "Unpack[MyWebhooksQuery]") -> "PaginatedHookList":
        """List your webhooks, and whether they work."""
        return self._do("GET", "/me/webhooks", query=keys)

    def new_guest_link(self, tournament_id: "str", entrant: "str") -> "GuestLink":
        """Make a link for a guest who lost the browser.
        
        It works once, within a day, and ends the guest's other sessions. A newer link replaces it. It stops working
        when the session or token that made it ends."""
        return self._do("POST", "/tournaments/{}/entries/{}/link", (tournament_id, entrant,))

    def open_registration(self, tournament_id: "str") -> "Tournament":
        """Open a tournament for entries."""
        return self._do("POST", "/tournaments/{}/open", (tournament_id,))

    def open_room(self, *, key: "str | None" = None, **keys: "Unpack[OpenRoomRequest]") -> "Game":
        """Open a room and sit down in it.
        
        For a private room, the response contains the `invitation` code."""
        return self._do("POST", "/games", body=keys, key=key or "")

    def open_season_game(self, tournament_id: "str", *, key: "str | None" = None, **keys: "Unpack[SeasonGameRequest]") -> "Game":
        """Open a season's room and sit down in it.
        
        Only entrants can join."""
        return self._do("POST", "/tournaments/{}/games", (tournament_id,), body=keys, key=key or "")

    def play_move(self, game_id: "str", move: "Move", *, key: "str | None" = None, expect: "int | str | None" = None) -> "Played":
        """Play a move.
        
        Post what a legal move has in `send`, or a move of your own. With an `Idempotency-Key` a retry is safe: the
        move is applied once, and the response is the same for 30 days."""
        return self._do("POST", "/games/{}/moves", (game_id,), body=move, key=key or "", expect=expect)

    def player(self, username: "str") -> "PublicProfile":
        """Get a player's public profile.
        
        It has the player's rated games, places, ratings and ranks."""
        return self._do("GET", "/players/{}", (username,))

    def propose(self, tournament_id: "str", *, key: "str | None" = None, **keys: "Unpack[ProposalAskedRequest]") -> "ProposalWithVotes":
        """Propose rules for a running tournament.
        
        With `confirm`, you propose the current rules. With `dry_run`, nothing happens, and the response (200) is
        the proposal as it would be."""
        return self._do("POST", "/tournaments/{}/proposals", (tournament_id,), body=keys, key=key or "")

    def publish_draft(self, tournament_id: "str") -> "Tournament":
        """Publish the draft.
        
        This seats the round as drafted and opens its games."""
        return self._do("POST", "/tournaments/{}/draft/publish", (tournament_id,))

    def push_key(self) -> "PushKey":
        """Get the `applicationServerKey` with which browsers subscribe."""
        return self._do("GET", "/me/push/key")

    def ratings(self, username: "str", **keys: "Unpack[RatingsQuery]") -> "Ratings":
        """Get a player's ratings with their history."""
        return self._do("GET", "/players/{}/ratings", (username,), query=keys)

    def read_my_notifications(self, **keys: "Unpack[ReadRequest]") -> "Unread":
        """Mark your notifications as read, up to a number."""
        return self._do("POST", "/me/notifications/read", body=keys)

    def read_talk(self, game_id: "str", **keys: "Unpack[TalkReadRequest]") -> "None":
        """Mark a table's chat as read, up to a message."""
        return self._do("POST", "/games/{}/talk/read", (game_id,), body=keys)

    def rematch(self, game_id: "str", *, key: "str | None" = None, **keys: "Unpack[RematchRequest]") -> "Game":
        """Play again with the same people.
        
        The first request opens the room, the others join it.
        
        The seats are kept for the same players for a day."""
        return self._do("POST", "/games/{}/rematch", (game_id,), body=keys, key=key or "")

    def remove_calendar(self) -> "None":
        """Remove the address of your calendar."""
        return self._do("DELETE", "/me/ics")

    def remove_channel_of_game(self, game_id: "str", channel_id: "str") -> "None":
        """Remove a channel from your room.
        
        Everyone at the table is told."""
        return self._do("DELETE", "/games/{}/channels/{}", (game_id, channel_id,))

    def remove_channel_of_tournament(self, tournament_id: "str", channel_id: "str") -> "None":
        """Remove a channel from your tournament.
        
        Entrants are told."""
        return self._do("DELETE", "/tournaments/{}/channels/{}", (tournament_id, channel_id,))

    def remove_chat(self, chat_id: "str") -> "None":
        """Remove one of your chat addresses."""
        return self._do("DELETE", "/me/chat/{}", (chat_id,))

    def remove_my_address(self, **keys: "Unpack[ProofRequest]") -> "None":
        """Remove the address from your account.
        
        The address gets an email about it."""
        return self._do("DELETE", "/me/address", body=keys)

    def remove_organiser(self, tournament_id: "str", **keys: "Unpack[OrganiserRequest]") -> "PaginatedPlayerRefList":
        """Remove an organiser.
        
        You can also step down yourself. The last organiser cannot be removed."""
        return self._do("DELETE", "/tournaments/{}/organisers", (tournament_id,), body=keys)

    def remove_webhook(self, webhook_id: "str") -> "None":
        """Remove one of your webhooks."""
        return self._do("DELETE", "/me/webhooks/{}", (webhook_id,))

    def renew_invitation(self, tournament_id: "str") -> "Tournament":
        """Renew the invitation of a tournament.
        
        The old code stops working; existing entries stay."""
        return self._do("POST", "/tournaments/{}/invitation", (tournament_id,))

    def reopen_tournament(self, tournament_id: "str", **keys: "Unpack[ReopeningRequest]") -> "Reopened":
        """Reopen a finished tournament.
        
        This is a ruling, with a reason.
        
        With `dry_run`, nothing happens, and the response says what would change."""
        return self._do("POST", "/tournaments/{}/reopen", (tournament_id,), body=keys)

    def replay_webhook(self, webhook_id: "str", **keys: "Unpack[ReplayRequest]") -> "Replayed":
        """Resend what a webhook missed.
        
        Deliveries since `since` are sent again, with the same ids."""
        return self._do("POST", "/me/webhooks/{}/replay", (webhook_id,), body=keys)

    def report(self, game_id: "str", number: "int", *, key: "str | None" = None, **keys: "Unpack[ReportRequest]") -> "Report":
        """Report a message to staff and organisers.
        
        They get a copy of the message and of the ten before it."""
        return self._do("POST", "/games/{}/talk/{}/report", (game_id, number,), body=keys, key=key or "")

    def report_house_game(self, house_game_id: "str", *, key: "str | None" = None, **keys: "Unpack[HouseReportRequest]") -> "HouseReport":
        """Report a public house game to staff."""
        return self._do("POST", "/house-games/{}/report", (house_game_id,), body=keys, key=key or "")

    def reset_my_password(self, **keys: "Unpack[ResetRequest]") -> "None":
        """Reset your password with the code.
        
        All your tokens are revoked and your sessions ended."""
        return self._do("POST", "/auth/reset/password", body=keys)

    def revoke_my_token(self, token_id: "str") -> "None":
        """Revoke one of your tokens."""
        return self._do("DELETE", "/me/tokens/{}", (token_id,))

    def revoke_my_tokens(self) -> "None":
        """Log out everywhere.
        
        All your tokens are revoked and your sessions ended, including those of this call."""
        return self._do("DELETE", "/me/tokens")

    def rotate_webhook_secret(self, webhook_id: "str") -> "NewHook":
        """Replace the secret of a webhook.
        
        The new one is shown only this once. For a day, deliveries are signed with the old one, too."""
        return self._do("POST", "/me/webhooks/{}/rotate", (webhook_id,))

    def rule(self, tournament_id: "str", *, key: "str | None" = None, expect: "int | str | None" = None, **keys: "Unpack[RulingAskedRequest]") -> "Ruled":
        """Make a ruling.
        
        With `dry_run`, nothing happens, and the response (200) says what would change."""
        return self._do("POST", "/tournaments/{}/rulings", (tournament_id,), body=keys, key=key or "", expect=expect)

    def save_house_game(self, *, key: "str | None" = None, **keys: "Unpack[SaveHouseGameRequest]") -> "HouseGame":
        """Save a house game.
        
        Its rules are its first version."""
        return self._do("POST", "/house-games", body=keys, key=key or "")

    def saw_game(self, game_id: "str", **keys: "Unpack[SeenRequest]") -> "None":
        """Report that you see a game.
        
        You get no more notifications about this version."""
        return self._do("POST", "/games/{}/seen", (game_id,), body=keys)

    def say(self, game_id: "str", *, key: "str | None" = None, **keys: "Unpack[SayRequest]") -> "TalkMessage":
        """Write a message at a table.
        
        It cannot be edited, but it can be taken back."""
        return self._do("POST", "/games/{}/talk", (game_id,), body=keys, key=key or "")

    def seat_next_round(self, tournament_id: "str") -> "Tournament":
        """Seat the next round.
        
        With pace `manual` it is drafted, or drafted again."""
        return self._do("POST", "/tournaments/{}/next-round", (tournament_id,))

    def set_up_tournament(self, *, key: "str | None" = None, **keys: "Unpack[SetUpRequest]") -> "Tournament":
        """Set up a tournament.
        
        You are its organiser, and it begins as a draft. The response has all settings, defaults included. With
        `after`, it succeeds one of your tournaments that is over: it copies the settings and the last rules, and
        invites the other organisers and everyone who was in at the end. With `from_game`, it is a private season
        for the players of a finished game of yours: it has begun, you are in, and they are invited."""
        return self._do("POST", "/tournaments", body=keys, key=key or "")

    def show_message(self, game_id: "str", number: "int") -> "None":
        """Show a hidden message again."""
        return self._do("DELETE", "/games/{}/talk/{}/hide", (game_id, number,))

    def sign_up(self, **keys: "Unpack[SignUpRequest]") -> "Profile":
        """Sign up.
        
        Then log in with the same name and password to get a token."""
        return self._do("POST", "/players", body=keys)

    def start_game(self, game_id: "str") -> "Game":
        """Start the game with the players at the table.
        
        Only the opener can do this."""
        return self._do("POST", "/games/{}/start", (game_id,))

    def start_tournament(self, tournament_id: "str") -> "Tournament":
        """Start a tournament with the entrants who are in.
        
        With pace `manual` the first round is drafted."""
        return self._do("POST", "/tournaments/{}/start", (tournament_id,))

    def subscribe_browser(self, **keys: "Unpack[SubscriptionRequest]") -> "Push":
        """Push your notifications to a browser.
        
        Send its `PushSubscription` as it is. Sending it again changes nothing. It ends with the session or token of
        this call."""
        return self._do("POST", "/me/push", body=keys)

    def take_back(self, game_id: "str", number: "int") -> "None":
        """Take back a message of yours.
        
        Its number and time stay."""
        return self._do("DELETE", "/games/{}/talk/{}", (game_id, number,))

    def take_seat_back(self, game_id: "str") -> "Game":
        """Take your seat back from the bot.
        
        If it is your turn, its time starts afresh."""
        return self._do("POST", "/games/{}/return", (game_id,))

    def test_channel_of_game(self, game_id: "str", channel_id: "str") -> "Channel":
        """Post a test to a channel.
        
        You must have added the channel. Afterwards `tested_at` is set, and `error` says what failed."""
        return self._do("POST", "/games/{}/channels/{}/test", (game_id, channel_id,))

    def test_channel_of_tournament(self, tournament_id: "str", channel_id: "str") -> "Channel":
        """Post a test to a channel.
        
        You must have added the channel. Afterwards `tested_at` is set, and `error` says what failed."""
        return self._do("POST", "/tournaments/{}/channels/{}/test", (tournament_id, channel_id,))

    def test_chat(self, chat_id: "str") -> "Chat":
        """Post a test to a chat address of yours.
        
        Afterwards `tested_at` is set, and `error` says what failed."""
        return self._do("POST", "/me/chat/{}/test", (chat_id,))

    def try_plan(self, game_id: "str", plan: "Plan") -> "PlanVerdict":
        """Try what a plan would do now.
        
        If it is not your turn, the plan is tried as if your turn began now. Nothing is saved."""
        return self._do("POST", "/games/{}/plan/try", (game_id,), body=plan)

    def unblock_player(self, username: "str") -> "None":
        """Unblock a player."""
        return self._do("DELETE", "/me/blocked/{}", (username,))

    def unsubscribe_browser(self, subscription_id: "str") -> "None":
        """End the pushes to one of your browsers."""
        return self._do("DELETE", "/me/push/{}", (subscription_id,))

    def verify_my_address(self, **keys: "Unpack[CodeRequest]") -> "OwnAddress":
        """Verify your new address with the code.
        
        The old address gets an email about it."""
        return self._do("POST", "/me/address/verify", body=keys)

    def versus(self, username: "str", other: "str") -> "Versus":
        """Compare two players.
        
        Only rated games with both players count."""
        return self._do("GET", "/players/{}/versus/{}", (username, other,))

    def vote(self, tournament_id: "str", n: "int", **keys: "Unpack[VoteRequest]") -> "ProposalWithVotes":
        """Vote on a proposal.
        
        You can change your vote as long as the proposal is open."""
        return self._do("PUT", "/tournaments/{}/proposals/{}/vote", (tournament_id, n,), body=keys)

    def withdraw(self, tournament_id: "str", entrant: "str", **keys: "Unpack[WithdrawRequest]") -> "Entry":
        """Withdraw from a tournament.
        
        Running games go on unless `resign` is true. Organisers can do it for others."""
        return self._do("POST", "/tournaments/{}/entries/{}/withdraw", (tournament_id, entrant,), body=keys)

    def withdraw_proposal(self, tournament_id: "str", n: "int") -> "ProposalWithVotes":
        """Withdraw your own proposal, as long as it is open."""
        return self._do("DELETE", "/tournaments/{}/proposals/{}", (tournament_id, n,))

    def write_note(self, game_id: "str", *, expect: "str | None" = None, **keys: "Unpack[NoteRequest]") -> "Note":
        """Write your note in a game, replacing the current one.
        
        Nobody else is told that you have one."""
        return self._do("PUT", "/games/{}/note", (game_id,), body=keys, expect=expect)

    def write_to_entrants(self, tournament_id: "str", *, key: "str | None" = None, **keys: "Unpack[MessageRequest]") -> "Sent":
        """Write to all entrants.
        
        With `dry_run`, nothing is sent (200)."""
        return self._do("POST", "/tournaments/{}/messages", (tournament_id,), body=keys, key=key or "")


class AsyncOperations:
    async def _do(self, *call: Any, **sent: Any) -> Any:
        raise NotImplementedError

    async def accept_invitation(self, tournament_id: "str", entrant: "str", **keys: "Unpack[AnswerRequest]") -> "Entry":
        """Accept an invitation to play.
        
        If you were asked to replace an entrant, name that entrant; on the waiting list, name your own. The response
        is the entry that you play for. With `{"accept": false}`, you decline, and leave the waiting list if you are
        on it."""
        return await self._do("POST", "/tournaments/{}/entries/{}/accept", (tournament_id, entrant,), body=keys)

    async def accept_to_organise(self, tournament_id: "str", **keys: "Unpack[AnswerRequest]") -> "PaginatedPlayerRefList":
        """Become an organiser of a tournament.
        
        You can if you were invited to, or if you may take over a tournament that has no organiser left. With
        `{"accept": false}`, you decline or step down."""
        return await self._do("POST", "/tournaments/{}/organisers/accept", (tournament_id,), body=keys)

    async def add_bot(self, game_id: "str", *, key: "str | None" = None, **keys: "Unpack[AddBotRequest]") -> "Game":
        """Add a bot to an open room.
        
        Only the opener can do this; `kick` removes the bot again."""
        return await self._do("POST", "/games/{}/bots", (game_id,), body=keys, key=key or "")

    async def add_channel_of_game(self, game_id: "str", *, key: "str | None" = None, **keys: "Unpack[ChannelCreationRequest]") -> "NewChannel":
        """Add a channel to your room.
        
        It posts turns and the result there. Everyone at the table is told."""
        return await self._do("POST", "/games/{}/channels", (game_id,), body=keys, key=key or "")

    async def add_channel_of_tournament(self, tournament_id: "str", *, key: "str | None" = None, **keys: "Unpack[ChannelCreationRequest]") -> "NewChannel":
        """Add a channel to your tournament.
        
        It posts turns, results, rounds and standings there. Entrants are told."""
        return await self._do("POST", "/tournaments/{}/channels", (tournament_id,), body=keys, key=key or "")

    async def add_organiser(self, tournament_id: "str", **keys: "Unpack[OrganiserRequest]") -> "PaginatedPlayerRefList":
        """Invite somebody to organise a tournament with you.
        
        They are in `asked_organisers` of the tournament until they accept."""
        return await self._do("POST", "/tournaments/{}/organisers", (tournament_id,), body=keys)

    async def ask_for_login_code(self, **keys: "Unpack[AddressRequest]") -> "CodeAsked":
        """Send a code by email to log in.
        
        The response does not say whether the address has an account."""
        return await self._do("POST", "/auth/code", body=keys)

    async def ask_for_reset_code(self, **keys: "Unpack[AddressRequest]") -> "CodeAsked":
        """Send a code by email to reset your password."""
        return await self._do("POST", "/auth/reset", body=keys)

    async def ask_for_review(self, game_id: "str", **keys: "Unpack[InvitedRequest]") -> "Review | Making":
        """Request the review of a finished game.
        
        It says how everyone stood at each move, and which decisions cost most. It is made once, by the steady bot's
        networks; until it is ready the answer is 202. See docs/contribute/bots.md."""
        return await self._do("POST", "/games/{}/review", (game_id,), body=keys)

    async def be_quiet(self, game_id: "str", **keys: "Unpack[TalkQuietRequest]") -> "None":
        """Mute or unmute the chat of a table."""
        return await self._do("PUT", "/games/{}/talk/quiet", (game_id,), body=keys)

    async def block_player(self, username: "str") -> "None":
        """Block a player.
        
        They cannot invite you or sit down at private tables that you open."""
        return await self._do("PUT", "/me/blocked/{}", (username,))

    async def cancel_game(self, game_id: "str") -> "Game":
        """Call a game off.
        
        The opener can call off an open room. A running game is called off when everyone in it has agreed."""
        return await self._do("POST", "/games/{}/cancel", (game_id,))

    async def cancel_tournament(self, tournament_id: "str", **keys: "Unpack[CancellationRequest]") -> "Tournament":
        """Cancel a tournament.
        
        Its open games are called off."""
        return await self._do("POST", "/tournaments/{}/cancel", (tournament_id,), body=keys)

    async def change_chat(self, chat_id: "str", **keys: "Unpack[PatchedChatChangeRequest]") -> "Chat":
        """Change one of your chat addresses.
        
        One that was switched off can be switched on again."""
        return await self._do("PATCH", "/me/chat/{}", (chat_id,), body=keys)

    async def change_draft(self, tournament_id: "str", **keys: "Unpack[ExchangeRequest]") -> "Draft":
        """Change the draft of the next round.
        
        Swap two entrants (`swap`), or give all `tables`. The response has the new figures. This is a ruling, with a
        reason; `dry_run` changes nothing."""
        return await self._do("PUT", "/tournaments/{}/draft", (tournament_id,), body=keys)

    async def change_house_game(self, house_game_id: "str", *, expect: "int | str | None" = None, **keys: "Unpack[ChangeHouseGameRequest]") -> "HouseGame":
        """Save the next version of your house game.
        
        If the rules are the same, no version is added."""
        return await self._do("PUT", "/house-games/{}", (house_game_id,), body=keys, expect=expect)

    async def change_my_address(self, **keys: "Unpack[AddressChangeRequest]") -> "CodeAsked":
        """Send a code to your new address.
        
        Your old address stays until you verify the new one."""
        return await self._do("PUT", "/me/address", body=keys)

    async def change_my_notification_settings(self, **keys: "Unpack[PatchedSettingsChangeRequest]") -> "NotificationSettings":
        """Change your notification settings.
        
        Keys and cells that you leave out stay as they are."""
        return await self._do("PATCH", "/me/notifications/settings", body=keys)

    async def change_my_password(self, **keys: "Unpack[PasswordChangeRequest]") -> "None":
        """Change or set your password.
        
        All other tokens are revoked and other sessions ended."""
        return await self._do("POST", "/me/password", body=keys)

    async def change_my_profile(self, **keys: "Unpack[PatchedProfileChangeRequest]") -> "Profile":
        """Change your account.
        
        Keys that you leave out stay as they are."""
        return await self._do("PATCH", "/me", body=keys)

    async def change_room(self, game_id: "str", **keys: "Unpack[PatchedChangeRoomRequest]") -> "Game":
        """Change your open room.
        
        Everyone at the table is told. The rules of a tournament's table cannot be changed."""
        return await self._do("PATCH", "/games/{}", (game_id,), body=keys)

    async def change_tournament(self, tournament_id: "str", *, expect: "int | str | None" = None, **keys: "Unpack[PatchedPlanChangeRequest]") -> "Tournament":
        """Change a tournament.
        
        You can change everything before the start, and `pace` until the end. Objects change key by key; null
        restores the default. If `If-Match` is stale, the error names the settings that have changed since."""
        return await self._do("PATCH", "/tournaments/{}", (tournament_id,), body=keys, expect=expect)

    async def change_webhook(self, webhook_id: "str", **keys: "Unpack[PatchedHookChangeRequest]") -> "Hook":
        """Change one of your webhooks.
        
        One that was switched off can be switched on again."""
        return await self._do("PATCH", "/me/webhooks/{}", (webhook_id,), body=keys)

    async def channels_of_game(self, game_id: "str", **keys: "Unpack[ChannelsOfGameQuery]") -> "Channels":
        """List the channels of a room.
        
        Anyone who can see it also sees which chat services and webhooks it posts to."""
        return await self._do("GET", "/games/{}/channels", (game_id,), query=keys)

    async def channels_of_tournament(self, tournament_id: "str", **keys: "Unpack[ChannelsOfTournamentQuery]") -> "Channels":
        """List the channels of a tournament.
        
        Anyone who can see it also sees which chat services and webhooks it posts to."""
        return await self._do("GET", "/tournaments/{}/channels", (tournament_id,), query=keys)

    async def check_in(self, tournament_id: "str", entrant: "str") -> "Entry":
        """Check in shortly before the start.
        
        Organisers can do it for others."""
        return await self._do("POST", "/tournaments/{}/entries/{}/check-in", (tournament_id, entrant,))

    async def check_rules(self, **keys: "Unpack[CheckRulesRequest]") -> "CheckedRules":
        """Check the rules of a house game.
        
        Nothing is stored."""
        return await self._do("POST", "/house-games/check", body=keys)

    async def close_my_account(self, **keys: "Unpack[ProofRequest]") -> "None":
        """Close your account for good.
        
        You leave open rooms and resign running games; your name is deleted."""
        return await self._do("POST", "/me/close", body=keys)

    async def create_calendar(self) -> "NewCalendarAddress":
        """Give your calendar a new address.
        
        Calendar programs read it there, and the previous address stops working. It is shown only this once. Anyone
        who has it can see your turns and dates, but never a card."""
        return await self._do("POST", "/me/ics")

    async def create_chat(self, *, key: "str | None" = None, **keys: "Unpack[ChatCreationRequest]") -> "Chat":
        """Post your notifications to a chat service.
        
        Its address is never shown again."""
        return await self._do("POST", "/me/chat", body=keys, key=key or "")

    async def create_webhook(self, *, key: "str | None" = None, **keys: "Unpack[HookCreationRequest]") -> "NewHook":
        """Create a webhook.
        
        Your notifications are posted to its address, signed by Standard Webhooks. The secret is shown only this
        once."""
        return await self._do("POST", "/me/webhooks", body=keys, key=key or "")

    async def decide_proposal(self, tournament_id: "str", n: "int", **keys: "Unpack[DecisionRequest]") -> "ProposalWithVotes":
        """Decide a proposal as an organiser.
        
        You decide only if `ratify` is `organiser`; otherwise `false` closes the proposal."""
        return await self._do("POST", "/tournaments/{}/proposals/{}/decide", (tournament_id, n,), body=keys)

    async def delete_house_game(self, house_game_id: "str") -> "None":
        """Delete your house game.
        
        Games that use it go on."""
        return await self._do("DELETE", "/house-games/{}", (house_game_id,))

    async def drop_note(self, game_id: "str", *, expect: "str | None" = None) -> "None":
        """Delete your note.
        
        Without a note, nothing happens."""
        return await self._do("DELETE", "/games/{}/note", (game_id,), expect=expect)

    async def drop_plan(self, game_id: "str") -> "None":
        """Drop your plan, if you have one."""
        return await self._do("DELETE", "/games/{}/plan", (game_id,))

    async def enter_tournament(self, tournament_id: "str", *, key: "str | None" = None, **keys: "Unpack[NewEntryRequest]") -> "Entry":
        """Enter a tournament.
        
        Organisers can also add a `player`, who is invited until they accept, or a `bot`."""
        return await self._do("POST", "/tournaments/{}/entries", (tournament_id,), body=keys, key=key or "")

    async def explain_clock(self, game_id: "str", **keys: "Unpack[ExplainClockQuery]") -> "GameClock":
        """Explain the deadlines of a game to the second.
        
        Your own shows every pause; those of other players leave out their private hours."""
        return await self._do("GET", "/games/{}/clock", (game_id,), query=keys)

    async def export_my_account(self) -> "AccountExport":
        """Export your account.
        
        You get everything the service stores about you: your account, tokens without their secrets, games and
        ratings."""
        return await self._do("GET", "/me/export")

    async def export_my_results(self, **keys: "Unpack[ExportMyResultsQuery]") -> "str":
        """Export your results.
        
        You get your finished games and tournaments, including private ones, as lines of JSON, oldest first. Each
        line is an entry as in `GET results`, with its `record`. If the connection breaks, or the last line has no
        line feed, continue after the `n` of the last whole line."""
        return await self._do("GET", "/me/results", query=keys)

    async def finish_tournament(self, tournament_id: "str") -> "Tournament":
        """Finish a tournament.
        
        Running games continue, but their results count only after a ruling, or if the tournament is reopened."""
        return await self._do("POST", "/tournaments/{}/finish", (tournament_id,))

    async def game_at_version(self, game_id: "str", version: "int", **keys: "Unpack[GameAtVersionQuery]") -> "Game":
        """Get the game as you saw it at a version.
        
        After the end, everything is shown."""
        return await self._do("GET", "/games/{}/history/{}", (game_id, version,), query=keys)

    async def get_chat(self, chat_id: "str") -> "Chat":
        """Get one of your chat addresses."""
        return await self._do("GET", "/me/chat/{}", (chat_id,))

    async def get_draft(self, tournament_id: "str", **keys: "Unpack[GetDraftQuery]") -> "Draft":
        """Get the draft of the next round.
        
        Only organisers see it."""
        return await self._do("GET", "/tournaments/{}/draft", (tournament_id,), query=keys)

    async def get_fairness(self, game_id: "str", **keys: "Unpack[GetFairnessQuery]") -> "Fairness":
        """Get the proof that nobody chose the cards.
        
        The commitment is there from the start; the secret that opens it follows when the game is finished. How to
        check them: docs/build/fairness.md."""
        return await self._do("GET", "/games/{}/fairness", (game_id,), query=keys)

    async def get_game(self, game_id: "str", **keys: "Unpack[GetGameQuery]") -> "Game":
        """Get a room or game as you may see it.
        
        The strong ETag covers the whole body, so that you can poll with `If-None-Match`."""
        return await self._do("GET", "/games/{}", (game_id,), query=keys, etag=True)

    async def get_house_game(self, house_game_id: "str", **keys: "Unpack[GetHouseGameQuery]") -> "HouseGame":
        """Get a house game.
        
        Anyone who has its id can read it."""
        return await self._do("GET", "/house-games/{}", (house_game_id,), query=keys, etag=True)

    async def get_lesson(self, game: "Literal['castle', 'three_card', 'three_thirteen', 'threes', 'tripp_jokes']") -> "Lesson":
        """Get the lesson of a game.
        
        It has everything that is shown, said and refused at each step."""
        return await self._do("GET", "/lessons/{}", (game,), etag=True)

    async def get_next_stage(self, tournament_id: "str", **keys: "Unpack[GetNextStageQuery]") -> "NextStage":
        """Find out who would be through to the next stage.
        
        It is the same as what `python -m tournaments.rules stage --early` computes from the record."""
        return await self._do("GET", "/tournaments/{}/next-stage", (tournament_id,), query=keys, etag=True)

    async def get_note(self, game_id: "str") -> "Note":
        """Get your note to yourself in a game.
        
        It stays yours after you have left the seat."""
        return await self._do("GET", "/games/{}/note", (game_id,), etag=True)

    async def get_plan(self, game_id: "str") -> "KeptPlan":
        """Get your plan in a game.
        
        404 with the code `no_plan` if you have none."""
        return await self._do("GET", "/games/{}/plan", (game_id,))

    async def get_proposal(self, tournament_id: "str", n: "int", **keys: "Unpack[GetProposalQuery]") -> "ProposalWithVotes":
        """Get a proposal.
        
        It says who has voted, and after the end also how."""
        return await self._do("GET", "/tournaments/{}/proposals/{}", (tournament_id, n,), query=keys)

    async def get_record(self, game_id: "str", **keys: "Unpack[GetRecordQuery]") -> "Record":
        """Get the record of a finished game.
        
        It holds everything that decided the game; `python -m games.rules replay` replays it."""
        return await self._do("GET", "/games/{}/record", (game_id,), query=keys)

    async def get_review(self, game_id: "str", **keys: "Unpack[GetReviewQuery]") -> "Review | Making":
        """Get the review of a finished game.
        
        It must have been requested first."""
        return await self._do("GET", "/games/{}/review", (game_id,), query=keys)

    async def get_round(self, tournament_id: "str", number: "int", **keys: "Unpack[GetRoundQuery]") -> "Round":
        """Get a round.
        
        It has the tables and their games with results, and says whom each game waits for, since when and until
        when."""
        return await self._do("GET", "/tournaments/{}/rounds/{}", (tournament_id, number,), query=keys)

    async def get_standings(self, tournament_id: "str", **keys: "Unpack[GetStandingsQuery]") -> "TournamentStandings":
        """Get the standings.
        
        `bounds` says which places can still be reached. `python -m tournaments.rules standings` computes the same
        from the record. `at` gives the standings at an earlier time, `stage` those of a single stage."""
        return await self._do("GET", "/tournaments/{}/standings", (tournament_id,), query=keys, etag=True)

    async def get_talk(self, game_id: "str", **keys: "Unpack[GetTalkQuery]") -> "Talk":
        """Get the chat of a table.
        
        Only its players can read it, and the organisers of its tournament."""
        return await self._do("GET", "/games/{}/talk", (game_id,), query=keys)

    async def get_tournament(self, tournament_id: "str", **keys: "Unpack[GetTournamentQuery]") -> "Tournament":
        """Get a tournament.
        
        The strong ETag covers the whole body."""
        return await self._do("GET", "/tournaments/{}", (tournament_id,), query=keys, etag=True)

    async def get_tournament_record(self, tournament_id: "str", **keys: "Unpack[GetTournamentRecordQuery]") -> "TournamentRecord":
        """Get the record of a tournament.
        
        Anybody can compute the standings from it with `python -m tournaments.rules standings`."""
        return await self._do("GET", "/tournaments/{}/record", (tournament_id,), query=keys)

    async def get_webhook(self, webhook_id: "str") -> "Hook":
        """Get one of your webhooks."""
        return await self._do("GET", "/me/webhooks/{}", (webhook_id,))

    async def hide_message(self, game_id: "str", number: "int", **keys: "Unpack[HideRequest]") -> "None":
        """Hide a message at a table of your tournament.
        
        Its author is told why."""
        return await self._do("POST", "/games/{}/talk/{}/hide", (game_id, number,), body=keys)

    async def index(self) -> "dict[str, str]":
        """List the addresses of this API by name.
        
        Those with parameters are URI templates (RFC 6570)."""
        return await self._do("GET", "/")

    async def invite_player(self, game_id: "str", **keys: "Unpack[InviteRequest]") -> "None":
        """Invite a player to your open room.
        
        The player is told once, with a link to the table."""
        return await self._do("POST", "/games/{}/invite", (game_id,), body=keys)

    async def join_game(self, game_id: "str", **keys: "Unpack[JoinRequest]") -> "Game":
        """Join an open room.
        
        A private room needs its invitation code."""
        return await self._do("POST", "/games/{}/join", (game_id,), body=keys)

    async def keep_plan(self, game_id: "str", plan: "Plan") -> "KeptPlan":
        """Save a plan for your next turns.
        
        It replaces your current plan. Nobody else is told that you have one.
        
        When your turn begins, the first line whose conditions are true and whose move is legal is played within two
        seconds. A plan saved during your turn also applies to the rest of that turn."""
        return await self._do("PUT", "/games/{}/plan", (game_id,), body=plan)

    async def kick_player(self, game_id: "str", **keys: "Unpack[KickRequest]") -> "Game":
        """Remove somebody from an open room.
        
        Only the opener can do this."""
        return await self._do("POST", "/games/{}/kick", (game_id,), body=keys)

    async def lay_out(self, game_id: "str", **keys: "Unpack[LayOutQuery]") -> "LayOut":
        """Lay out your hand of Three Thirteen.
        
        You get the melds, the cards left over and their penalty."""
        return await self._do("GET", "/games/{}/lay_out", (game_id,), query=keys)

    async def leaderboard(self, game: "Literal['castle', 'three_card', 'three_thirteen', 'threes', 'tripp_jokes']", **keys: "Unpack[LeaderboardQuery]") -> "Board":
        """Get a leaderboard, best first.
        
        `around=me` gives the page with you on it."""
        return await self._do("GET", "/leaderboards/{}", (game,), query=keys)

    async def leave_game(self, game_id: "str") -> "Game":
        """Leave an open room.
        
        Later seats move up. To leave a running game, play the move `resign`."""
        return await self._do("POST", "/games/{}/leave", (game_id,))

    async def legal_moves(self, game_id: "str", **keys: "Unpack[LegalMovesQuery]") -> "LegalMoves":
        """List your legal moves.
        
        Each has `send`, a complete move that you can post as it is. If there are none, `reason` says why."""
        return await self._do("GET", "/games/{}/moves", (game_id,), query=keys)

    async def list_entries(self, tournament_id: "str", **keys: "Unpack[ListEntriesQuery]") -> "PaginatedEntryList":
        """List the entries, in the order of entry."""
        return await self._do("GET", "/tournaments/{}/entries", (tournament_id,), query=keys)

    async def list_events(self, game_id: "str", **keys: "Unpack[ListEventsQuery]") -> "PaginatedEventList":
        """List the events of a game, oldest first.
        
        Parts that you cannot see are null until the game is over."""
        return await self._do("GET", "/games/{}/events", (game_id,), query=keys)

    async def list_games(self, **keys: "Unpack[ListGamesQuery]") -> "PaginatedGameList":
        """List public rooms and games and your own, newest first."""
        return await self._do("GET", "/games", query=keys)

    async def list_house_games(self, **keys: "Unpack[ListHouseGamesQuery]") -> "PaginatedHouseGameEntryList":
        """List the public house games, or your own.
        
        The most played come first."""
        return await self._do("GET", "/house-games", query=keys)

    async def list_lessons(self) -> "PaginatedLessonEntryList":
        """List the lessons, one for each game.
        
        There is only one page."""
        return await self._do("GET", "/lessons", etag=True)

    async def list_my_people(self) -> "People":
        """List the people you have played with.
        
        These are players with whom you finished a private game or at least two others, the most recent first, at
        most 200. Nobody else sees the list. Players who set `not_in_people` or blocked you are left out."""
        return await self._do("GET", "/me/people")

    async def list_my_turns(self, **keys: "Unpack[ListMyTurnsQuery]") -> "PaginatedGameList":
        """List the games that wait for you, most urgent first."""
        return await self._do("GET", "/me/turns", query=keys)

    async def list_organisers(self, tournament_id: "str", **keys: "Unpack[ListOrganisersQuery]") -> "PaginatedPlayerRefList":
        """List the organisers."""
        return await self._do("GET", "/tournaments/{}/organisers", (tournament_id,), query=keys)

    async def list_proposals(self, tournament_id: "str", **keys: "Unpack[ListProposalsQuery]") -> "PaginatedProposalList":
        """List the proposals to ratify rules, newest first."""
        return await self._do("GET", "/tournaments/{}/proposals", (tournament_id,), query=keys)

    async def list_results(self, **keys: "Unpack[ListResultsQuery]") -> "Results":
        """List the public games and tournaments that ended, oldest first.
        
        The list is the same for everyone. A game or tournament that is voided, restored, or reopened and finished
        again gets a new entry with a greater `n`; all its entries show the current state."""
        return await self._do("GET", "/results", query=keys)

    async def list_rounds(self, tournament_id: "str", **keys: "Unpack[ListRoundsQuery]") -> "PaginatedRoundList":
        """List the rounds.
        
        Each has its tables with their games and results."""
        return await self._do("GET", "/tournaments/{}/rounds", (tournament_id,), query=keys)

    async def list_rulesets(self) -> "PaginatedGameRulesList":
        """List the games with their rulesets, options and plans.
        
        Options and plans are JSON Schemas, from which a client can draw a form. There is only one page."""
        return await self._do("GET", "/rulesets", etag=True)

    async def list_rulings(self, tournament_id: "str", **keys: "Unpack[ListRulingsQuery]") -> "PaginatedRulingList":
        """List the rulings with their reasons, newest first."""
        return await self._do("GET", "/tournaments/{}/rulings", (tournament_id,), query=keys)

    async def list_tournament_events(self, tournament_id: "str", **keys: "Unpack[ListTournamentEventsQuery]") -> "PaginatedTournamentEventList":
        """List the events of a tournament, oldest first.
        
        Each event says who caused it."""
        return await self._do("GET", "/tournaments/{}/events", (tournament_id,), query=keys)

    async def list_tournament_games(self, tournament_id: "str", **keys: "Unpack[ListTournamentGamesQuery]") -> "PaginatedTournamentGameList":
        """List the games of a tournament, newest first.
        
        Each has its result, or says whom it waits for."""
        return await self._do("GET", "/tournaments/{}/games", (tournament_id,), query=keys)

    async def list_tournaments(self, **keys: "Unpack[ListTournamentsQuery]") -> "PaginatedTournamentList":
        """List public tournaments and your own, newest first."""
        return await self._do("GET", "/tournaments", query=keys)

    async def log_in_by_code(self, **keys: "Unpack[CodeLoginRequest]") -> "Token":
        """Log in with the code to get a new token."""
        return await self._do("POST", "/auth/code/login", body=keys)

    async def log_out(self) -> "None":
        """Log out.
        
        This revokes the token of the call, or ends the session of the page."""
        return await self._do("POST", "/auth/logout")

    async def my_address(self) -> "OwnAddress":
        """Get your email address.
        
        Nobody else sees it."""
        return await self._do("GET", "/me/address")

    async def my_blocked_players(self, **keys: "Unpack[MyBlockedPlayersQuery]") -> "PaginatedBlockedList":
        """List the players you have blocked, newest first.
        
        Nobody else sees the list."""
        return await self._do("GET", "/me/blocked", query=keys)

    async def my_browsers(self, **keys: "Unpack[MyBrowsersQuery]") -> "PaginatedPushList":
        """List your browsers that get pushes, and whether they work."""
        return await self._do("GET", "/me/push", query=keys)

    async def my_calendar(self) -> "CalendarAddress":
        """Get the state of your calendar's address.
        
        You see when it was created and last read."""
        return await self._do("GET", "/me/ics")

    async def my_chats(self, **keys: "Unpack[MyChatsQuery]") -> "PaginatedChatList":
        """List your chat addresses.
        
        You also see whether they work, and which services the operator offers."""
        return await self._do("GET", "/me/chat", query=keys)

    async def my_notification_settings(self) -> "NotificationSettings":
        """Get your notification settings, defaults included."""
        return await self._do("GET", "/me/notifications/settings")

    async def my_notifications(self, **keys: "Unpack[MyNotificationsQuery]") -> "PaginatedNotificationList":
        """List your notifications, newest first.
        
        Each says what happened to it on every channel."""
        return await self._do("GET", "/me/notifications", query=keys)

    async def my_profile(self) -> "Profile":
        """Get your account."""
        return await self._do("GET", "/me")

    async def my_talks(self) -> "PaginatedOwnTalkList":
        """List the chats of your tables.
        
        Only those with messages are listed, unread ones first."""
        return await self._do("GET", "/me/talk")

    async def my_tokens(self, **keys: "Unpack[MyTokensQuery]") -> "PaginatedTokenInfoList":
        """List your valid tokens, newest first."""
        return await self._do("GET", "/me/tokens", query=keys)

    async def my_webhooks(self, **keys: "Unpack[MyWebhooksQuery]") -> "PaginatedHookList":
        """List your webhooks, and whether they work."""
        return await self._do("GET", "/me/webhooks", query=keys)

    async def new_guest_link(self, tournament_id: "str", entrant: "str") -> "GuestLink":
        """Make a link for a guest who lost the browser.
        
        It works once, within a day, and ends the guest's other sessions. A newer link replaces it. It stops working
        when the session or token that made it ends."""
        return await self._do("POST", "/tournaments/{}/entries/{}/link", (tournament_id, entrant,))

    async def open_registration(self, tournament_id: "str") -> "Tournament":
        """Open a tournament for entries."""
        return await self._do("POST", "/tournaments/{}/open", (tournament_id,))

    async def open_room(self, *, key: "str | None" = None, **keys: "Unpack[OpenRoomRequest]") -> "Game":
        """Open a room and sit down in it.
        
        For a private room, the response contains the `invitation` code."""
        return await self._do("POST", "/games", body=keys, key=key or "")

    async def open_season_game(self, tournament_id: "str", *, key: "str | None" = None, **keys: "Unpack[SeasonGameRequest]") -> "Game":
        """Open a season's room and sit down in it.
        
        Only entrants can join."""
        return await self._do("POST", "/tournaments/{}/games", (tournament_id,), body=keys, key=key or "")

    async def play_move(self, game_id: "str", move: "Move", *, key: "str | None" = None, expect: "int | str | None" = None) -> "Played":
        """Play a move.
        
        Post what a legal move has in `send`, or a move of your own. With an `Idempotency-Key` a retry is safe: the
        move is applied once, and the response is the same for 30 days."""
        return await self._do("POST", "/games/{}/moves", (game_id,), body=move, key=key or "", expect=expect)

    async def player(self, username: "str") -> "PublicProfile":
        """Get a player's public profile.
        
        It has the player's rated games, places, ratings and ranks."""
        return await self._do("GET", "/players/{}", (username,))

    async def propose(self, tournament_id: "str", *, key: "str | None" = None, **keys: "Unpack[ProposalAskedRequest]") -> "ProposalWithVotes":
        """Propose rules for a running tournament.
        
        With `confirm`, you propose the current rules. With `dry_run`, nothing happens, and the response (200) is
        the proposal as it would be."""
        return await self._do("POST", "/tournaments/{}/proposals", (tournament_id,), body=keys, key=key or "")

    async def publish_draft(self, tournament_id: "str") -> "Tournament":
        """Publish the draft.
        
        This seats the round as drafted and opens its games."""
        return await self._do("POST", "/tournaments/{}/draft/publish", (tournament_id,))

    async def push_key(self) -> "PushKey":
        """Get the `applicationServerKey` with which browsers subscribe."""
        return await self._do("GET", "/me/push/key")

    async def ratings(self, username: "str", **keys: "Unpack[RatingsQuery]") -> "Ratings":
        """Get a player's ratings with their history."""
        return await self._do("GET", "/players/{}/ratings", (username,), query=keys)

    async def read_my_notifications(self, **keys: "Unpack[ReadRequest]") -> "Unread":
        """Mark your notifications as read, up to a number."""
        return await self._do("POST", "/me/notifications/read", body=keys)

    async def read_talk(self, game_id: "str", **keys: "Unpack[TalkReadRequest]") -> "None":
        """Mark a table's chat as read, up to a message."""
        return await self._do("POST", "/games/{}/talk/read", (game_id,), body=keys)

    async def rematch(self, game_id: "str", *, key: "str | None" = None, **keys: "Unpack[RematchRequest]") -> "Game":
        """Play again with the same people.
        
        The first request opens the room, the others join it.
        
        The seats are kept for the same players for a day."""
        return await self._do("POST", "/games/{}/rematch", (game_id,), body=keys, key=key or "")

    async def remove_calendar(self) -> "None":
        """Remove the address of your calendar."""
        return await self._do("DELETE", "/me/ics")

    async def remove_channel_of_game(self, game_id: "str", channel_id: "str") -> "None":
        """Remove a channel from your room.
        
        Everyone at the table is told."""
        return await self._do("DELETE", "/games/{}/channels/{}", (game_id, channel_id,))

    async def remove_channel_of_tournament(self, tournament_id: "str", channel_id: "str") -> "None":
        """Remove a channel from your tournament.
        
        Entrants are told."""
        return await self._do("DELETE", "/tournaments/{}/channels/{}", (tournament_id, channel_id,))

    async def remove_chat(self, chat_id: "str") -> "None":
        """Remove one of your chat addresses."""
        return await self._do("DELETE", "/me/chat/{}", (chat_id,))

    async def remove_my_address(self, **keys: "Unpack[ProofRequest]") -> "None":
        """Remove the address from your account.
        
        The address gets an email about it."""
        return await self._do("DELETE", "/me/address", body=keys)

    async def remove_organiser(self, tournament_id: "str", **keys: "Unpack[OrganiserRequest]") -> "PaginatedPlayerRefList":
        """Remove an organiser.
        
        You can also step down yourself. The last organiser cannot be removed."""
        return await self._do("DELETE", "/tournaments/{}/organisers", (tournament_id,), body=keys)

    async def remove_webhook(self, webhook_id: "str") -> "None":
        """Remove one of your webhooks."""
        return await self._do("DELETE", "/me/webhooks/{}", (webhook_id,))

    async def renew_invitation(self, tournament_id: "str") -> "Tournament":
        """Renew the invitation of a tournament.
        
        The old code stops working; existing entries stay."""
        return await self._do("POST", "/tournaments/{}/invitation", (tournament_id,))

    async def reopen_tournament(self, tournament_id: "str", **keys: "Unpack[ReopeningRequest]") -> "Reopened":
        """Reopen a finished tournament.
        
        This is a ruling, with a reason.
        
        With `dry_run`, nothing happens, and the response says what would change."""
        return await self._do("POST", "/tournaments/{}/reopen", (tournament_id,), body=keys)

    async def replay_webhook(self, webhook_id: "str", **keys: "Unpack[ReplayRequest]") -> "Replayed":
        """Resend what a webhook missed.
        
        Deliveries since `since` are sent again, with the same ids."""
        return await self._do("POST", "/me/webhooks/{}/replay", (webhook_id,), body=keys)

    async def report(self, game_id: "str", number: "int", *, key: "str | None" = None, **keys: "Unpack[ReportRequest]") -> "Report":
        """Report a message to staff and organisers.
        
        They get a copy of the message and of the ten before it."""
        return await self._do("POST", "/games/{}/talk/{}/report", (game_id, number,), body=keys, key=key or "")

    async def report_house_game(self, house_game_id: "str", *, key: "str | None" = None, **keys: "Unpack[HouseReportRequest]") -> "HouseReport":
        """Report a public house game to staff."""
        return await self._do("POST", "/house-games/{}/report", (house_game_id,), body=keys, key=key or "")

    async def reset_my_password(self, **keys: "Unpack[ResetRequest]") -> "None":
        """Reset your password with the code.
        
        All your tokens are revoked and your sessions ended."""
        return await self._do("POST", "/auth/reset/password", body=keys)

    async def revoke_my_token(self, token_id: "str") -> "None":
        """Revoke one of your tokens."""
        return await self._do("DELETE", "/me/tokens/{}", (token_id,))

    async def revoke_my_tokens(self) -> "None":
        """Log out everywhere.
        
        All your tokens are revoked and your sessions ended, including those of this call."""
        return await self._do("DELETE", "/me/tokens")

    async def rotate_webhook_secret(self, webhook_id: "str") -> "NewHook":
        """Replace the secret of a webhook.
        
        The new one is shown only this once. For a day, deliveries are signed with the old one, too."""
        return await self._do("POST", "/me/webhooks/{}/rotate", (webhook_id,))

    async def rule(self, tournament_id: "str", *, key: "str | None" = None, expect: "int | str | None" = None, **keys: "Unpack[RulingAskedRequest]") -> "Ruled":
        """Make a ruling.
        
        With `dry_run`, nothing happens, and the response (200) says what would change."""
        return await self._do("POST", "/tournaments/{}/rulings", (tournament_id,), body=keys, key=key or "", expect=expect)

    async def save_house_game(self, *, key: "str | None" = None, **keys: "Unpack[SaveHouseGameRequest]") -> "HouseGame":
        """Save a house game.
        
        Its rules are its first version."""
        return await self._do("POST", "/house-games", body=keys, key=key or "")

    async def saw_game(self, game_id: "str", **keys: "Unpack[SeenRequest]") -> "None":
        """Report that you see a game.
        
        You get no more notifications about this version."""
        return await self._do("POST", "/games/{}/seen", (game_id,), body=keys)

    async def say(self, game_id: "str", *, key: "str | None" = None, **keys: "Unpack[SayRequest]") -> "TalkMessage":
        """Write a message at a table.
        
        It cannot be edited, but it can be taken back."""
        return await self._do("POST", "/games/{}/talk", (game_id,), body=keys, key=key or "")

    async def seat_next_round(self, tournament_id: "str") -> "Tournament":
        """Seat the next round.
        
        With pace `manual` it is drafted, or drafted again."""
        return await self._do("POST", "/tournaments/{}/next-round", (tournament_id,))

    async def set_up_tournament(self, *, key: "str | None" = None, **keys: "Unpack[SetUpRequest]") -> "Tournament":
        """Set up a tournament.
        
        You are its organiser, and it begins as a draft. The response has all settings, defaults included. With
        `after`, it succeeds one of your tournaments that is over: it copies the settings and the last rules, and
        invites the other organisers and everyone who was in at the end. With `from_game`, it is a private season
        for the players of a finished game of yours: it has begun, you are in, and they are invited."""
        return await self._do("POST", "/tournaments", body=keys, key=key or "")

    async def show_message(self, game_id: "str", number: "int") -> "None":
        """Show a hidden message again."""
        return await self._do("DELETE", "/games/{}/talk/{}/hide", (game_id, number,))

    async def sign_up(self, **keys: "Unpack[SignUpRequest]") -> "Profile":
        """Sign up.
        
        Then log in with the same name and password to get a token."""
        return await self._do("POST", "/players", body=keys)

    async def start_game(self, game_id: "str") -> "Game":
        """Start the game with the players at the table.
        
        Only the opener can do this."""
        return await self._do("POST", "/games/{}/start", (game_id,))

    async def start_tournament(self, tournament_id: "str") -> "Tournament":
        """Start a tournament with the entrants who are in.
        
        With pace `manual` the first round is drafted."""
        return await self._do("POST", "/tournaments/{}/start", (tournament_id,))

    async def subscribe_browser(self, **keys: "Unpack[SubscriptionRequest]") -> "Push":
        """Push your notifications to a browser.
        
        Send its `PushSubscription` as it is. Sending it again changes nothing. It ends with the session or token of
        this call."""
        return await self._do("POST", "/me/push", body=keys)

    async def take_back(self, game_id: "str", number: "int") -> "None":
        """Take back a message of yours.
        
        Its number and time stay."""
        return await self._do("DELETE", "/games/{}/talk/{}", (game_id, number,))

    async def take_seat_back(self, game_id: "str") -> "Game":
        """Take your seat back from the bot.
        
        If it is your turn, its time starts afresh."""
        return await self._do("POST", "/games/{}/return", (game_id,))

    async def test_channel_of_game(self, game_id: "str", channel_id: "str") -> "Channel":
        """Post a test to a channel.
        
        You must have added the channel. Afterwards `tested_at` is set, and `error` says what failed."""
        return await self._do("POST", "/games/{}/channels/{}/test", (game_id, channel_id,))

    async def test_channel_of_tournament(self, tournament_id: "str", channel_id: "str") -> "Channel":
        """Post a test to a channel.
        
        You must have added the channel. Afterwards `tested_at` is set, and `error` says what failed."""
        return await self._do("POST", "/tournaments/{}/channels/{}/test", (tournament_id, channel_id,))

    async def test_chat(self, chat_id: "str") -> "Chat":
        """Post a test to a chat address of yours.
        
        Afterwards `tested_at` is set, and `error` says what failed."""
        return await self._do("POST", "/me/chat/{}/test", (chat_id,))

    async def try_plan(self, game_id: "str", plan: "Plan") -> "PlanVerdict":
        """Try what a plan would do now.
        
        If it is not your turn, the plan is tried as if your turn began now. Nothing is saved."""
        return await self._do("POST", "/games/{}/plan/try", (game_id,), body=plan)

    async def unblock_player(self, username: "str") -> "None":
        """Unblock a player."""
        return await self._do("DELETE", "/me/blocked/{}", (username,))

    async def unsubscribe_browser(self, subscription_id: "str") -> "None":
        """End the pushes to one of your browsers."""
        return await self._do("DELETE", "/me/push/{}", (subscription_id,))

    async def verify_my_address(self, **keys: "Unpack[CodeRequest]") -> "OwnAddress":
        """Verify your new address with the code.
        
        The old address gets an email about it."""
        return await self._do("POST", "/me/address/verify", body=keys)

    async def versus(self, username: "str", other: "str") -> "Versus":
        """Compare two players.
        
        Only rated games with both players count."""
        return await self._do("GET", "/players/{}/versus/{}", (username, other,))

    async def vote(self, tournament_id: "str", n: "int", **keys: "Unpack[VoteRequest]") -> "ProposalWithVotes":
        """Vote on a proposal.
        
        You can change your vote as long as the proposal is open."""
        return await self._do("PUT", "/tournaments/{}/proposals/{}/vote", (tournament_id, n,), body=keys)

    async def withdraw(self, tournament_id: "str", entrant: "str", **keys: "Unpack[WithdrawRequest]") -> "Entry":
        """Withdraw from a tournament.
        
        Running games go on unless `resign` is true. Organisers can do it for others."""
        return await self._do("POST", "/tournaments/{}/entries/{}/withdraw", (tournament_id, entrant,), body=keys)

    async def withdraw_proposal(self, tournament_id: "str", n: "int") -> "ProposalWithVotes":
        """Withdraw your own proposal, as long as it is open."""
        return await self._do("DELETE", "/tournaments/{}/proposals/{}", (tournament_id, n,))

    async def write_note(self, game_id: "str", *, expect: "str | None" = None, **keys: "Unpack[NoteRequest]") -> "Note":
        """Write your note in a game, replacing the current one.
        
        Nobody else is told that you have one."""
        return await self._do("PUT", "/games/{}/note", (game_id,), body=keys, expect=expect)

    async def write_to_entrants(self, tournament_id: "str", *, key: "str | None" = None, **keys: "Unpack[MessageRequest]") -> "Sent":
        """Write to all entrants.
        
        With `dry_run`, nothing is sent (200)."""
        return await self._do("POST", "/tournaments/{}/messages", (tournament_id,), body=keys, key=key or "")
