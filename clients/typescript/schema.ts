// The types of the API, and its operations as methods. Made by clients/generate.py from docs/openapi.yaml; do not edit.

/** Everything the service stores about you. docs/play/accounts.md describes its keys. */
export interface AccountExport {
  format: "trey-account/1";
  exported_at: string;
  account: { [key: string]: any };
  tokens: Array<{ [key: string]: any }>;
  sessions: Array<{ [key: string]: any }>;
  blocked: Array<{ [key: string]: any }>;
  second_factors: Array<{ [key: string]: any }>;
  login_places: Array<{ [key: string]: any }>;
  audit: Array<{ [key: string]: any }>;
  notifications: Array<{ [key: string]: any }>;
  webhooks: Array<{ [key: string]: any }>;
  push: Array<{ [key: string]: any }>;
  chat: Array<{ [key: string]: any }>;
  calendar_address: Array<{ [key: string]: any }>;
  games: Array<{ [key: string]: any }>;
  people: Array<{ [key: string]: any }>;
  entries: Array<{ [key: string]: any }>;
  organises: Array<{ [key: string]: any }>;
  votes: Array<{ [key: string]: any }>;
  channels: Array<{ [key: string]: any }>;
  house_games: Array<{ [key: string]: any }>;
  house_reports: Array<{ [key: string]: any }>;
  notes: Array<{ [key: string]: any }>;
  talk: Array<{ [key: string]: any }>;
  moderation: Array<{ [key: string]: any }>;
  ratings: Array<{ [key: string]: any }>;
}

/** The bot to add. */
export interface AddBotRequest {
  level?: BotLevel;
}

/** The new address. */
export interface AddressChangeRequest {
  password?: string;
  address: string;
}

/** The address to send a code to. */
export interface AddressRequest {
  address: string;
}

/** The answer of somebody who was asked. */
export interface AnswerRequest {
  accept?: boolean;
}

/** Shedding games, setup: the cards to lay face up. */
export interface ArrangeMove {
  move: "arrange";
  face_up: Array<Card>;
}

/** Somebody chose the face-up cards. */
export interface ArrangedData {
  move: Arrangement;
  effects: Array<Effect>;
  calls: Array<"kerchoo" | "number_of_the_beast" | "lucky_number_of_the_beast" | "exorcism" | "on_the_train" | "who_dealt">;
  planned?: true;
}

/** The seat has chosen. Others do not see the choice before the setup ends. */
export interface ArrangedEffect {
  effect: "arranged";
  seat: number;
  face_up: Array<Card> | null;
  hand: Array<Card> | null;
}

/** Somebody chose the face-up cards. */
export interface ArrangedEvent {
  type: "arranged";
  version: number;
  seat: number | null;
  recorded_at: string;
  said?: string;
  to_act?: Array<number>;
  deadlines?: { [key: string]: string };
  data: ArrangedData;
}

/** The chosen cards; null for other players until everyone has chosen. */
export interface Arrangement {
  move: "arrange";
  face_up: Array<Card> | null;
}

/** An offer to play for an entrant. */
export interface Asked {
  for: string;
  game: string | null;
  until: string;
}

/** Who wrote a house game. */
export interface Author {
  id: string;
  username: string;
}

/** An entrant for whom a game is waiting. */
export interface Awaited {
  entrant: string;
  since: string | null;
  until: string | null;
}

/** A player you have blocked. */
export interface Blocked {
  id: string;
  username: string;
  blocked_at: string;
}

/** A part of a board. */
export interface Board {
  game: string;
  board: string;
  period: string;
  results: Array<BoardRow>;
  total: number;
  as_of: string | null;
  as_of_result: number;
  recomputing: boolean;
  next: string | null;
  previous: string | null;
}

/** One line of a board. */
export interface BoardRow {
  rank: number;
  player: PlayerReference;
  value: string;
  decimal: string;
  deviation: string;
  games: number;
  lost_on_time: number;
  percentile: string;
}

/** The bot that plays in this seat, for itself or for a player. */
export interface Bot {
  level: "easy" | "plain" | "random" | "steady";
}

export type BotLevel = "easy" | "plain" | "random" | "steady";

/** A bot plays for the seat from now on. */
export interface BotSeatedData {
  bot: Bot | null;
  reason: string;
  lost_on_time: boolean;
}

/** A bot plays for the seat from now on. */
export interface BotSeatedEvent {
  type: "bot_seated";
  version: number;
  seat: number | null;
  recorded_at: string;
  said?: string;
  to_act?: Array<number>;
  deadlines?: { [key: string]: string };
  data: BotSeatedData;
}

/** When your clocks pause, in games that allow it. */
export interface Calendar {
  time_zone?: string;
  quiet_hours?: Array<string> | null;
  vacation?: Array<Array<string>>;
}

/** The address of the caller's calendar, for calendar programs. It is never shown again. */
export interface CalendarAddress {
  active: boolean;
  created_at: string | null;
  read_at: string | null;
}

/** The room or game was called off. Always the last event. */
export interface CalledOffData {
  game: string;
  ruleset: string;
  options: { [key: string]: any };
  rounds: number | null;
  started_at: string | null;
  belongs_to: { [key: string]: any } | null;
  rated: boolean;
  seats: Array<SeatAtEnd>;
  reason: string;
  placements: Array<Placement> | null;
}

/** The room or game was called off. Always the last event. */
export interface CalledOffEvent {
  type: "called_off";
  version: number;
  seat: number | null;
  recorded_at: string;
  said?: string;
  to_act?: Array<number>;
  deadlines?: { [key: string]: string };
  data: CalledOffData;
}

/** A player agrees to call the game off. */
export interface CancelAgreedData {
}

/** A player agrees to call the game off. */
export interface CancelAgreedEvent {
  type: "cancel_agreed";
  version: number;
  seat: number | null;
  recorded_at: string;
  said?: string;
  to_act?: Array<number>;
  deadlines?: { [key: string]: string };
  data: CancelAgreedData;
}

/** A reason, for all to see. It may be left out: a cancellation is not a ruling. */
export interface CancellationRequest {
  reason?: string;
}

/** Rank and suit: "TH" is the ten of hearts. Jokers: "XR", "XB". */
export type Card = string;

/** The next version of a house game. */
export interface ChangeHouseGameRequest {
  rules: { [key: string]: any };
  visibility?: HouseVisibility;
}

/** The opener changed the room: its new state, and which parts of it are new. */
export interface ChangedData {
  ruleset: string;
  options: { [key: string]: any };
  asked_options: { [key: string]: any };
  seats: number;
  clock: Clock;
  visibility: "private" | "public";
  invitation: string | null;
  start?: "full" | "opener";
  talk?: "all" | "off" | "signs" | null;
  changes: Array<"clock" | "options" | "ruleset" | "seats" | "start" | "talk" | "visibility">;
}

/** The opener changed the room: its new state, and which parts of it are new. */
export interface ChangedEvent {
  type: "changed";
  version: number;
  seat: number | null;
  recorded_at: string;
  said?: string;
  to_act?: Array<number>;
  deadlines?: { [key: string]: string };
  data: ChangedData;
}

/** A channel that a room or a tournament posts to. Its address is never shown. */
export interface Channel {
  id: string;
  service: string;
  own: OwnChannel | null;
  given_by: string | null;
}

/** The channel to post to. */
export interface ChannelCreationRequest {
  service: string;
  url: string;
}

/** All that a room or a tournament posts to. */
export interface Channels {
  channels: Array<Channel>;
}

/** The room posts to one more chat service or webhook, or to one fewer. */
export interface ChannelsChangedData {
  channels: Array<Posting>;
  added: string | null;
  removed: string | null;
}

/** The room posts to one more chat service or webhook, or to one fewer. */
export interface ChannelsChangedEvent {
  type: "channels_changed";
  version: number;
  seat: number | null;
  recorded_at: string;
  said?: string;
  to_act?: Array<number>;
  deadlines?: { [key: string]: string };
  data: ChannelsChangedData;
}

export interface ChannelsOfGameQuery {
  invitation?: string;
}

export interface ChannelsOfTournamentQuery {
  invitation?: string;
}

/** One of your chat addresses. */
export interface Chat {
  id: string;
  host: string;
  created_at: string;
  active: boolean;
  off_because: string | null;
  failing_since: string | null;
  error: string | null;
  service: string;
  tested_at: string | null;
}

/** The chat address to post to. */
export interface ChatCreationRequest {
  service: string;
  url: string;
}

/** The rules of a house game. */
export interface CheckRulesRequest {
  rules: { [key: string]: any };
}

/** What is wrong with the rules; or what they say, and the complete rules. */
export interface CheckedRules {
  errors?: Array<RulesError>;
  sentences?: Array<string>;
  rules?: { [key: string]: any };
}

export interface Clock {
  per_turn?: number;
  bank?: number;
  weekend_pause?: boolean;
  time_zone?: string;
  quiet_hours?: boolean;
  vacation?: boolean;
  on_timeout?: "play" | "resign" | "bot";
  strikes?: number;
}

/** Changes to the clock, key by key; null restores a default (RFC 7396). */
export interface ClockChange {
  per_turn?: number | null;
  bank?: number | null;
  weekend_pause?: boolean | null;
  time_zone?: string | null;
  quiet_hours?: boolean | null;
  vacation?: boolean | null;
  on_timeout?: "play" | "resign" | "bot" | null;
  strikes?: number | null;
}

/** The player's own: whether the clock runs, until when that stays so, and what is left. */
export interface ClockNow {
  at: string;
  reason: string | null;
  runs: boolean;
  until: string | null;
  turn_left: number;
  bank_left: number;
}

/** A stretch of a turn's time.
 * 
 * The player sees turn, bank, weekend, vacation, quiet_hours and outage; others see time, weekend and outage. */
export interface ClockSegment {
  from: string;
  to: string;
  seconds: number;
  kind: "deduction" | "pause" | "refund" | "time";
  reason: "bank" | "outage" | "quiet_hours" | "time" | "turn" | "vacation" | "weekend";
}

/** The pile went out of play. */
export interface ClosedEffect {
  effect: "closed";
  why: string;
}

/** The request for a code. If the address has no account, no code is sent, but the response is the same. */
export interface CodeAsked {
  request: string;
  expires_at: string;
}

/** The code, and details of the new token. */
export interface CodeLoginRequest {
  request: string;
  code: string;
  token_name?: string;
  scopes?: Array<ScopesEnum>;
}

/** The code, and the `request` id from the response to the request for it. */
export interface CodeRequest {
  request: string;
  code: string;
}

/** Who is at the table now. */
export interface Company {
  present: Array<PresentPlayer>;
}

/** The votes so far, and the number of electors. */
export interface Counts {
  yes: number;
  no: number;
  abstain: number;
  electors: number;
}

/** A calendar was changed, so a turn ends at another time. */
export interface DeadlineMovedData {
  deadline_at: string;
}

/** A calendar was changed, so a turn ends at another time. */
export interface DeadlineMovedEvent {
  type: "deadline_moved";
  version: number;
  seat: number | null;
  recorded_at: string;
  said?: string;
  to_act?: Array<number>;
  deadlines?: { [key: string]: string };
  data: DeadlineMovedData;
}

/** A secret from which the secrets of a tournament's games are derived. */
export interface Deals {
  commitment: string;
  secret: string | null;
  since: string;
  opened_at: string | null;
}

/** The cards of a shedding game. Or: The cards of a round of Three Thirteen. The first deal also has `ruleset`,
 * `options` and `seats`. */
export interface DealtEvent {
  type: "dealt";
  version: number;
  seat: number | null;
  recorded_at: string;
  said?: string;
  to_act?: Array<number>;
  deadlines?: { [key: string]: string };
  data: SheddingDealt | ThreeThirteenDealt;
}

/** One of the most costly decisions of a seat. */
export interface Decision {
  version: number;
  seat: number;
  made: { [key: string]: any };
  better: { [key: string]: any } | Array<string>;
  cost: string;
  by: string | null;
  what?: WhatEnum;
}

/** An organiser's decision, with its reason, for all to see. */
export interface DecisionRequest {
  ratified: boolean;
  reason: string;
}

/** Three Thirteen, second half of a turn: discard. */
export interface DiscardMove {
  move: "discard";
  card: Card;
}

/** A turn ended with a discard. */
export interface DiscardedData {
  move: DiscardMove;
  to_act: Array<number>;
  step: "discard" | "draw";
  turn_number: number;
  final_turns: Array<number> | null;
  planned?: true;
}

/** A turn ended with a discard. */
export interface DiscardedEvent {
  type: "discarded";
  version: number;
  seat: number | null;
  recorded_at: string;
  said?: string;
  to_act?: Array<number>;
  deadlines?: { [key: string]: string };
  data: DiscardedData;
}

/** A seating before it is published, with figures about its quality. */
export interface Draft {
  stage: number;
  round: number;
  tables: Array<Array<string>>;
  byes: Array<string>;
  repeats: number | null;
  cost: string | null;
  q: number | null;
  bound: number | null;
}

/** Three Thirteen, first half of a turn (`from` is needed). Three Card and Castle: without `from`. */
export interface DrawMove {
  move: "draw";
  from?: "discard" | "stock";
}

/** Cards from the stock went to the hand. */
export interface DrewEffect {
  effect: "drew";
  seat: number;
  count: number;
  cards: Array<Card> | null;
}

/** A draw in Three Card or Castle. Or: The first half of a turn of Three Thirteen. */
export interface DrewEvent {
  type: "drew";
  version: number;
  seat: number | null;
  recorded_at: string;
  said?: string;
  to_act?: Array<number>;
  deadlines?: { [key: string]: string };
  data: SheddingDrew | ThreeThirteenDrew;
}

/** Castle: a card went from the stock onto the pile. */
export interface DrewToPileEffect {
  effect: "drew_to_pile";
  seat: number;
  card: Card;
}

/** A consequence of a move. */
export type Effect = ArrangedEffect | SetupEndedEffect | OpeningEffect | OpenedEffect | LaidEffect | LiftedEffect | ShownEffect | PickedUpEffect | ClosedEffect | DrewEffect | DrewToPileEffect | FaceUpToHandEffect | TurnedRoundEffect | StalledEffect | SettledEffect | OutEffect | LeftEffect | TurnEffect | EndedEffect;

/** An elector and its vote. */
export interface Elector {
  entrant: string;
  name: string | null;
  voted: boolean;
  vote: VoteEnum | null;
}

/** Shedding games: decline an optional bonus play. */
export interface EndTurnMove {
  move: "end_turn";
}

/** The game is over. */
export interface EndedEffect {
  effect: "ended";
  placements: Array<Placement>;
  ended_by: "agreed" | "limit" | "out" | "resignation" | "rounds" | "stalemate";
}

/** A game that ended. */
export interface EndedGame {
  type: "game";
  n: number;
  id: string;
  at: string;
  game: "castle" | "house" | "three_card" | "three_thirteen" | "threes" | "tripp_jokes";
  url: string;
  ruleset: string;
  options: { [key: string]: any };
  rated: boolean;
  voided: boolean;
  ended_by: "agreed" | "limit" | "out" | "resignation" | "rounds" | "ruling" | "stalemate";
  players: Array<EndedPlayer>;
  tournament: EndedInTournament | null;
}

/** The tournament of a game that ended. */
export interface EndedInTournament {
  id: string;
  title: string;
  round: number | null;
  table: number | null;
}

/** A seat of a game that ended. */
export interface EndedPlayer {
  seat: number;
  player: PlayerRef | null;
  bot: Bot | null;
  place: number | null;
  score: number | null;
}

/** One row of final standings. */
export interface EndedStanding {
  entrant: string;
  name: string | null;
  place: number | null;
  total: string;
}

/** A tournament that was finished. */
export interface EndedTournament {
  type: "tournament";
  n: number;
  id: string;
  at: string;
  game: "castle" | "house" | "three_card" | "three_thirteen" | "threes" | "tripp_jokes";
  url: string;
  title: string;
  kind: string;
  entrants: number;
  standings: Array<EndedStanding>;
}

/** An entry, and who plays for it. */
export interface Entry {
  entrant: string;
  name: string;
  player: PlayerRef | null;
  bot: Bot | null;
  status: EntryStatusEnum;
  since: string;
  entered_at: string | null;
  checked_in: boolean;
  waiting: number | null;
  absences: number;
  asked: Asked | null;
  salt: string | null;
}

export type EntryEnum = "open" | "invitation" | "organiser";

export type EntryStatusEnum = "in" | "waiting" | "invited" | "withdrawn" | "removed";

/** What happened. Parts that the caller cannot see are null. */
export type Event = DealtEvent | ArrangedEvent | PlayedEvent | FlippedEvent | PickedUpEvent | DrewEvent | TurnEndedEvent | SettledEvent | ResignedEvent | StoppedEvent | DiscardedEvent | WentOutEvent | RoundScoredEvent | OpenedEvent | JoinedEvent | LeftEvent | KickedEvent | ChangedEvent | ChannelsChangedEvent | StartedEvent | BotSeatedEvent | PlayerReturnedEvent | PlayerReplacedEvent | TimedOutEvent | DeadlineMovedEvent | TurnExtendedEvent | CancelAgreedEvent | CalledOffEvent | FinishedEvent | VoidedEvent | RestoredEvent;

/** A change of the draft: a swap of two entrants, or all tables. */
export interface ExchangeRequest {
  swap?: Array<string>;
  tables?: Array<Array<string>>;
  byes?: Array<string>;
  reason: string;
  dry_run?: boolean;
}

/** The expected place of each seat at a version; null with more than four seats in play. */
export interface ExpectedPlaces {
  version: number;
  seats: Array<string> | null;
}

export interface ExplainClockQuery {
  invitation?: string;
}

export interface ExportMyResultsQuery {
  after?: number;
}

/** Three Card: the face-up cards became the hand. */
export interface FaceUpToHandEffect {
  effect: "face_up_to_hand";
  seat: number;
}

/** What a game's shuffles were made from. docs/build/fairness.md says how to check them. */
export interface Fairness {
  scheme: string;
  commitment: string;
  salts: Array<string> | null;
  dealer: number | null;
  shuffles: number;
  secret: string | null;
}

export interface FieldProblem {
  field: string;
  detail: string;
}

/** The game is over. Always the last event of a game. */
export interface FinishedData {
  game: string;
  ruleset: string;
  options: { [key: string]: any };
  rounds: number | null;
  started_at: string | null;
  belongs_to: { [key: string]: any } | null;
  rated: boolean;
  seats: Array<SeatAtEnd>;
  result: Result;
}

/** The game is over. Always the last event of a game. */
export interface FinishedEvent {
  type: "finished";
  version: number;
  seat: number | null;
  recorded_at: string;
  said?: string;
  to_act?: Array<number>;
  deadlines?: { [key: string]: string };
  data: FinishedData;
}

/** Shedding games: turn over and play a face-down card. */
export interface FlipMove {
  move: "flip";
  position: number;
}

/** A face-down card was turned over. */
export interface FlippedData {
  move: FlipMove;
  effects: Array<Effect>;
  calls: Array<"kerchoo" | "number_of_the_beast" | "lucky_number_of_the_beast" | "exorcism" | "on_the_train" | "who_dealt">;
  planned?: true;
}

/** A face-down card was turned over. */
export interface FlippedEvent {
  type: "flipped";
  version: number;
  seat: number | null;
  recorded_at: string;
  said?: string;
  to_act?: Array<number>;
  deadlines?: { [key: string]: string };
  data: FlippedData;
}

/** A room or a game, as the caller can see it. */
export interface Game {
  id: string;
  game: GameName;
  title: string;
  ruleset: string;
  options: { [key: string]: any };
  visibility: VisibilityEnum;
  status: GameStatusEnum;
  seats: number;
  players: Array<Seat>;
  your_seat: number | null;
  opener: number | null;
  version: number;
  to_act: Array<number>;
  deadlines: { [key: string]: string };
  deadline_at: string | null;
  timeouts: { [key: string]: number };
  rated: boolean;
  plans: boolean;
  clock: Clock | null;
  start: StartEnum | null;
  talk: TalkEnum;
  live_url: string;
  invitation: string | null;
  channels: Array<string>;
  rematch_of: string | null;
  tournament: TournamentRef | null;
  opened_at: string;
  moved_at: string;
  started_at: string | null;
  finished_at: string | null;
  view: View | null;
}

export interface GameAtVersionQuery {
  invitation?: string;
}

/** The deadlines of a game, to the second. */
export interface GameClock {
  version: number;
  at: string;
  clock: Clock | null;
  seats: { [key: string]: TurnClock };
}

export type GameName = "castle" | "house" | "three_card" | "three_thirteen" | "threes" | "tripp_jokes";

/** One of your games: as it is when the stream begins, and whenever it changes. */
export interface GameNews {
  id: string;
  version: number;
  status: GameStatusEnum;
  your_turn: boolean;
}

/** One of the games, its rulesets and their options. */
export interface GameRules {
  game: string;
  title: string;
  summary: string;
  min_seats: number;
  max_seats: number;
  default_ruleset: string;
  rulesets: Array<Ruleset>;
  interrupts: boolean;
  plan: { [key: string]: any };
}

export type GameStatusEnum = "open" | "setup" | "playing" | "finished" | "cancelled";

export type GamesEnum = "own" | "any";

export interface GetDraftQuery {
  invitation?: string;
}

export interface GetFairnessQuery {
  invitation?: string;
}

export interface GetGameQuery {
  invitation?: string;
}

export interface GetHouseGameQuery {
  version?: number;
}

export interface GetNextStageQuery {
  invitation?: string;
}

export interface GetProposalQuery {
  invitation?: string;
}

export interface GetRecordQuery {
  invitation?: string;
}

export interface GetReviewQuery {
  invitation?: string;
}

export interface GetRoundQuery {
  invitation?: string;
}

export interface GetStandingsQuery {
  at?: string;
  cursor?: string;
  format?: "csv" | "json";
  invitation?: string;
  limit?: number;
  stage?: number;
}

export interface GetTalkQuery {
  after?: number;
  before?: number;
  blocked?: "show";
  limit?: number;
}

export interface GetTournamentQuery {
  invitation?: string;
}

export interface GetTournamentRecordQuery {
  invitation?: string;
}

/** Three Thirteen, second half of a turn: go out. */
export interface GoOutMove {
  move: "go_out";
  discard: Card;
  melds?: Array<Array<Card>>;
}

/** Who is through to a stage after a ruling, and whom the ruling puts through or out. */
export interface GoingOn {
  stage: number;
  seeds: Array<string>;
  through: Array<string>;
  out: Array<string>;
}

export type GoneEnum = "author" | "organiser" | "staff" | "blocked";

/** A link with which a guest continues in another browser. */
export interface GuestLink {
  url: string;
  expires_at: string;
}

/** The reason for hiding a message, which its author is told. */
export interface HideRequest {
  reason: string;
}

/** One of your webhooks. */
export interface Hook {
  id: string;
  host: string;
  created_at: string;
  active: boolean;
  off_because: string | null;
  failing_since: string | null;
  error: string | null;
  types: Array<TypesEnum>;
}

/** A webhook's address, and the types of events to send there. */
export interface HookCreationRequest {
  url: string;
  types?: Array<TypesEnum>;
}

/** What webhooks get about a game. */
export interface HookedGame {
  timestamp: string;
  type: "game.turn" | "game.reminder" | "game.started" | "game.finished" | "game.timed_out" | "game.talk";
  data: HookedGameData;
}

/** The data that webhooks get about a game. */
export interface HookedGameData {
  text: string;
  link: string | null;
  cause: string;
  version: number | null;
  number?: number;
  kind?: "turn" | "reminder" | "invited" | "full" | "started" | "finished" | "timed_out" | "seat" | "changed" | "talk" | "round" | "ruling" | "tournament" | "proposal" | "security";
  topic?: string;
  game: string;
}

/** What webhooks get about a tournament. */
export interface HookedTournament {
  timestamp: string;
  type: "tournament.round" | "tournament.ruling" | "tournament.proposal" | "tournament.finished";
  data: HookedTournamentData;
}

/** The data that webhooks get about a tournament. */
export interface HookedTournamentData {
  text: string;
  link: string | null;
  cause: string;
  version: number | null;
  number?: number;
  kind?: "turn" | "reminder" | "invited" | "full" | "started" | "finished" | "timed_out" | "seat" | "changed" | "talk" | "round" | "ruling" | "tournament" | "proposal" | "security";
  topic?: string;
  tournament: string;
}

/** A house game at one of its versions. */
export interface HouseGame {
  id: string;
  title: string;
  about: string;
  visibility: HouseVisibility;
  version: number;
  author: Author | null;
  played: number;
  created_at: string;
  changed_at: string;
  digest: string;
  rules: { [key: string]: any };
  sentences: Array<string>;
  made_from: Origin | null;
  hidden: string | null;
  versions: Array<Version>;
}

/** A house game in a list. */
export interface HouseGameEntry {
  id: string;
  title: string;
  about: string;
  visibility: HouseVisibility;
  version: number;
  author: Author | null;
  played: number;
  created_at: string;
  changed_at: string;
}

/** A report. It waits for staff. */
export interface HouseReport {
  why: HouseReportWhyEnum;
  text: string;
  at: string;
}

/** Why a house game is reported. */
export interface HouseReportRequest {
  why: HouseReportWhyEnum;
  text?: string | null;
}

export type HouseReportWhyEnum = "insult" | "spam" | "other";

/** Who can find it. */
export type HouseVisibility = "link" | "public";

/** The player to invite. */
export interface InviteRequest {
  username: string;
}

/** A request about a game that may be private. */
export interface InvitedRequest {
  invitation?: string | null;
}

/** Optional details of joining a room. */
export interface JoinRequest {
  invitation?: string | null;
  salt?: string | null;
}

/** A player or a bot sat down. */
export interface JoinedData {
  player: string | null;
  bot: Bot | null;
  salt: string;
  rated: boolean;
}

/** A player or a bot sat down. */
export interface JoinedEvent {
  type: "joined";
  version: number;
  seat: number | null;
  recorded_at: string;
  said?: string;
  to_act?: Array<number>;
  deadlines?: { [key: string]: string };
  data: JoinedData;
}

/** The caller's plan, defaults included. */
export interface KeptPlan {
  lines: Array<PlanLine>;
  turns: number;
  turns_left: number;
  kept_at: string;
}

/** The seat to remove from the room. */
export interface KickRequest {
  seat: number;
}

/** The opener removed somebody from the table. */
export interface KickedData {
  player: string | null;
  opener: string | null;
  invitation: string | null;
}

/** The opener removed somebody from the table. */
export interface KickedEvent {
  type: "kicked";
  version: number;
  seat: number | null;
  recorded_at: string;
  said?: string;
  to_act?: Array<number>;
  deadlines?: { [key: string]: string };
  data: KickedData;
}

export type KindEnum = "season" | "rounds" | "knockout";

/** Cards went onto the pile: from the hand, from the face-up cards, or the one at the face-down position. */
export interface LaidEffect {
  effect: "laid";
  seat: number;
  cards: Array<Card>;
  hand: Array<Card>;
  face_up: Array<Card>;
  position: number | null;
}

export type LateEnum = "zero" | "bye";

/** The caller's hand, arranged into sets and runs at the least penalty. */
export interface LayOut {
  penalty: number;
  melds: Array<Array<string>>;
  left: Array<string>;
}

export interface LayOutQuery {
  invitation?: string;
  without?: "2C" | "2D" | "2H" | "2S" | "3C" | "3D" | "3H" | "3S" | "4C" | "4D" | "4H" | "4S" | "5C" | "5D" | "5H" | "5S" | "6C" | "6D" | "6H" | "6S" | "7C" | "7D" | "7H" | "7S" | "8C" | "8D" | "8H" | "8S" | "9C" | "9D" | "9H" | "9S" | "AC" | "AD" | "AH" | "AS" | "JC" | "JD" | "JH" | "JS" | "KC" | "KD" | "KH" | "KS" | "QC" | "QD" | "QH" | "QS" | "TC" | "TD" | "TH" | "TS" | "XB" | "XR";
}

export interface LeaderboardQuery {
  around?: "me";
  board?: "beaten" | "games" | "penalty" | "rating" | "streak" | "wins";
  cursor?: string;
  limit?: number;
  period?: string;
}

/** A player's rated games of one game. */
export interface LeagueProfile {
  game: string;
  games: number;
  places: { [key: string]: number };
  lost_on_time: number;
  never_came: number;
  rating: string;
  deviation: string;
  provisional: boolean;
  reason: string | null;
  boards: Array<Rank>;
}

/** Somebody left the room; the players after them moved up. */
export interface LeftData {
  player: string | null;
  opener: string | null;
}

/** The seat resigned; its cards are gone. */
export interface LeftEffect {
  effect: "left";
  seat: number;
  place: number;
}

/** Somebody left the room; the players after them moved up. */
export interface LeftEvent {
  type: "left";
  version: number;
  seat: number | null;
  recorded_at: string;
  said?: string;
  to_act?: Array<number>;
  deadlines?: { [key: string]: string };
  data: LeftData;
}

/** Choose the cards to lay face up. */
export interface LegalArrange {
  move: "arrange";
  choose: number;
  from: Array<Card>;
  send: ArrangeMove;
}

/** Discard this card. */
export interface LegalDiscard {
  move: "discard";
  card: Card;
  send: DiscardMove;
}

/** Draw a card; in Three Thirteen `from` says where. */
export interface LegalDraw {
  move: "draw";
  send: DrawMove;
  from?: "discard" | "stock";
}

/** Decline the bonus play. */
export interface LegalEndTurn {
  move: "end_turn";
  send: EndTurnMove;
}

/** Turn over one of the face-down cards. */
export interface LegalFlip {
  move: "flip";
  positions: Array<number>;
  send: FlipMove;
}

/** Discard this card and meld all others. */
export interface LegalGoOut {
  move: "go_out";
  discard: Card;
  send: GoOutMove;
}

/** A legal move. Similar moves are listed as one: `play` once for each rank, `flip` with its positions, `arrange`
 * with the cards to choose from. */
export type LegalMove = LegalArrange | LegalPlay | LegalFlip | LegalPickUp | LegalDraw | LegalEndTurn | LegalDiscard | LegalGoOut;

/** The caller's legal moves. */
export interface LegalMoves {
  version: number;
  moves: Array<LegalMove>;
  reason: Reason | null;
}

export interface LegalMovesQuery {
  invitation?: string;
}

/** Take the pile. */
export interface LegalPickUp {
  move: "pick_up";
  send: PickUpMove;
}

/** Cards of one rank: `min` to `max` of `cards`. */
export interface LegalPlay {
  move: "play";
  rank: string;
  cards: Array<Card>;
  min: number;
  max: number;
  send: PlayMove;
  with_face_up?: Array<Card>;
}

/** A first game that teaches the rules, one in each step. */
export interface Lesson {
  game: string;
  title: string;
  seat: number;
  names: Array<string>;
  steps: Array<LessonStep>;
}

/** A lesson: the game that it teaches, and its number of steps. */
export interface LessonEntry {
  game: string;
  title: string;
  steps: number;
}

/** An event as the learner sees it. */
export interface LessonEvent {
  type: string;
  seat: number | null;
  data: { [key: string]: any };
  said?: string;
}

/** A step: what the learner sees and can do, and the one move that leads to the next step. */
export interface LessonStep {
  at: number;
  teaches: Array<string>;
  say: string;
  after: string | null;
  other: string | null;
  view: View;
  moves: Array<LegalMove>;
  move: Move;
  events: Array<LessonEvent>;
  views: Array<View>;
  taps: { [key: string]: Tap };
}

/** The face-down card could not be played and went to the hand. */
export interface LiftedEffect {
  effect: "lifted";
  seat: number;
  position: number;
  card: Card;
}

export interface ListEntriesQuery {
  cursor?: string;
  invitation?: string;
  limit?: number;
}

export interface ListEventsQuery {
  after?: number;
  invitation?: string;
  limit?: number;
}

export interface ListGamesQuery {
  cursor?: string;
  game?: "castle" | "house" | "three_card" | "three_thirteen" | "threes" | "tripp_jokes";
  limit?: number;
  mine?: boolean;
  status?: "cancelled" | "finished" | "open" | "playing" | "setup";
}

export interface ListHouseGamesQuery {
  cursor?: string;
  limit?: number;
  mine?: boolean;
}

export interface ListMyTurnsQuery {
  cursor?: string;
  limit?: number;
}

export interface ListOrganisersQuery {
  invitation?: string;
}

export interface ListProposalsQuery {
  cursor?: string;
  invitation?: string;
  limit?: number;
}

export interface ListResultsQuery {
  after?: number;
  game?: "castle" | "house" | "three_card" | "three_thirteen" | "threes" | "tripp_jokes";
  limit?: number;
  type?: "game" | "tournament";
}

export interface ListRoundsQuery {
  cursor?: string;
  invitation?: string;
  limit?: number;
}

export interface ListRulingsQuery {
  cursor?: string;
  invitation?: string;
  limit?: number;
}

export interface ListTournamentEventsQuery {
  after?: number;
  invitation?: string;
  limit?: number;
}

export interface ListTournamentGamesQuery {
  cursor?: string;
  invitation?: string;
  limit?: number;
}

export interface ListTournamentsQuery {
  cursor?: string;
  game?: "castle" | "house" | "three_card" | "three_thirteen" | "threes" | "tripp_jokes";
  limit?: number;
  mine?: boolean;
  status?: "cancelled" | "draft" | "finished" | "registration" | "running";
}

/** Another player at the table, and which messages that player sees. */
export interface Listener {
  username: string;
  talk: TalkEnum;
}

/** An event of the stream. */
export type LiveOfGame = LiveOfGameMoved | LiveOfGameTalk | LiveOfGamePresent | LiveOfGameTogether;

export interface LiveOfGameMoved {
  event: "moved";
  id: number;
  data: Event;
}

export interface LiveOfGamePresent {
  event: "present";
  id: null;
  data: Company;
}

export interface LiveOfGameTalk {
  event: "talk";
  id: null;
  data: TalkMessage | TalkNews;
}

export interface LiveOfGameTogether {
  event: "together";
  id: null;
  data: Company;
}

/** An event of the stream. */
export type LiveOfPlayer = LiveOfPlayerNotification | LiveOfPlayerGame | LiveOfPlayerTalk;

export interface LiveOfPlayerGame {
  event: "game";
  id: null;
  data: GameNews;
}

export interface LiveOfPlayerNotification {
  event: "notification";
  id: number;
  data: Notification;
}

export interface LiveOfPlayerTalk {
  event: "talk";
  id: null;
  data: TalkNews;
}

/** An event of the stream. */
export type LiveOfResults = LiveOfResultsResult;

export interface LiveOfResultsResult {
  event: "result";
  id: number;
  data: ResultEntry;
}

/** The decisions of a seat, and their total cost. */
export interface Lost {
  seat: number;
  decisions: number;
  lost: string;
}

/** The review is being made. */
export interface Making {
  status: MakingStatusEnum;
}

export type MakingStatusEnum = "making";

export type MayEnum = "text" | "sign";

/** Rated games of two players together in one game. */
export interface Meetings {
  game: string;
  games: number;
  better: number;
  level: number;
  worse: number;
}

/** A message to all entrants. */
export interface MessageRequest {
  text: string;
  dry_run?: boolean;
}

/** One move. */
export type Move = ArrangeMove | PlayMove | FlipMove | PickUpMove | DrawMove | EndTurnMove | DiscardMove | GoOutMove | SettleMove | ResignMove;

export interface MyBlockedPlayersQuery {
  cursor?: string;
  limit?: number;
}

export interface MyBrowsersQuery {
  cursor?: string;
  limit?: number;
}

export interface MyChatsQuery {
  cursor?: string;
  limit?: number;
}

export interface MyNotificationsQuery {
  cursor?: string;
  limit?: number;
  unread?: boolean;
}

export interface MyTokensQuery {
  cursor?: string;
  limit?: number;
}

export interface MyWebhooksQuery {
  cursor?: string;
  limit?: number;
}

/** An entrant and who plays for it. */
export interface NamedEntrant {
  entrant: string;
  name: string | null;
}

/** A tournament that another one follows, or that follows it. */
export interface Neighbour {
  id: string;
  title: string;
  slug: string;
  status: TournamentStatus;
}

/** The new address of the caller's calendar. It holds a secret. */
export interface NewCalendarAddress {
  url: string;
}

/** A channel, with the secret of a webhook, which is shown only this once. */
export interface NewChannel {
  id: string;
  service: string;
  own: OwnChannel | null;
  given_by: string | null;
  secret: string | null;
}

/** The new entrant: the caller (`{}`), or a player or bot added by an organiser. */
export interface NewEntryRequest {
  invitation?: string | null;
  salt?: string | null;
  player?: string | null;
  bot?: BotLevel | null;
}

/** A webhook with its secret, which is shown only this once. */
export interface NewHook {
  id: string;
  host: string;
  created_at: string;
  active: boolean;
  off_because: string | null;
  failing_since: string | null;
  error: string | null;
  types: Array<TypesEnum>;
  secret: string;
}

/** Who would be through to the next stage. */
export interface NextStage {
  stage: number;
  seeds: Array<string>;
  decided_by: string | null;
  passed: Array<Passed>;
}

export type NoShowEnum = "play" | "substitute" | "absent";

/** Your note in a game. Without one the text is empty. */
export interface Note {
  text: string;
  version: number | null;
  at: string | null;
}

/** A note. An empty text deletes it. */
export interface NoteRequest {
  text: string;
}

/** One of your notifications. Its text is composed when you read it. */
export interface Notification {
  number: number;
  kind: NotificationKind;
  cause: string;
  text: string;
  link: string | null;
  created_at: string;
  read: boolean;
  channels: NotificationFates;
}

export interface NotificationChannels {
  live: boolean | "fallback";
  push: boolean | "fallback";
  mail: boolean | "fallback";
  chat: boolean | "fallback";
}

/** What happened to a notification on one channel, and why. */
export interface NotificationFate {
  state: StateEnum;
  at: string;
  reason?: string;
  until?: string;
  error?: string;
  next_try?: string;
  push?: string;
  webhook?: string;
  chat?: string;
}

/** What happened to it on each channel; a list if it was sent to several addresses. */
export interface NotificationFates {
  live?: NotificationFate;
  push?: Array<NotificationFate> | NotificationFate;
  mail?: NotificationFate;
  webhook?: Array<NotificationFate> | NotificationFate;
  chat?: Array<NotificationFate> | NotificationFate;
}

export type NotificationKind = "turn" | "reminder" | "invited" | "full" | "started" | "finished" | "timed_out" | "seat" | "changed" | "talk" | "round" | "ruling" | "tournament" | "proposal" | "security";

export interface NotificationMatrix {
  turn: NotificationChannels;
  reminder: NotificationChannels;
  invited: NotificationChannels;
  full: NotificationChannels;
  started: NotificationChannels;
  finished: NotificationChannels;
  timed_out: NotificationChannels;
  seat: NotificationChannels;
  changed: NotificationChannels;
  talk: NotificationChannels;
  round: NotificationChannels;
  ruling: NotificationChannels;
  tournament: NotificationChannels;
  proposal: NotificationChannels;
  security: NotificationChannels;
}

/** Notification settings. */
export interface NotificationSettings {
  matrix: NotificationMatrix;
  always: boolean;
  reminders: Array<string>;
}

/** The room to open. The caller takes its first seat. */
export interface OpenRoomRequest {
  game: GameName;
  ruleset?: RulesetEnum;
  options?: { [key: string]: any };
  house_game?: string;
  seats: number;
  visibility?: VisibilityEnum;
  rated?: boolean;
  plans?: boolean;
  clock?: Clock;
  start?: StartEnum;
  talk?: TalkEnum;
  bots?: number;
  salt?: string | null;
}

/** The room was opened. */
export interface OpenedData {
  ruleset: string;
  options: { [key: string]: any };
  asked_options: { [key: string]: any };
  seats: number;
  clock: Clock;
  visibility: "private" | "public";
  invitation: string | null;
  start?: "full" | "opener";
  talk?: "all" | "off" | "signs" | null;
  game: string;
  rated: boolean;
  plans: boolean;
  opener: string | null;
  rematch_of: string | null;
  belongs_to: { [key: string]: any } | null;
  commitment: string;
  secret: string | null;
}

/** The first play has been made. */
export interface OpenedEffect {
  effect: "opened";
  raced: Array<number>;
}

/** The room was opened. */
export interface OpenedEvent {
  type: "opened";
  version: number;
  seat: number | null;
  recorded_at: string;
  said?: string;
  to_act?: Array<number>;
  deadlines?: { [key: string]: string };
  data: OpenedData;
}

/** These seats may make the first play. A single one has the turn. */
export interface OpeningEffect {
  effect: "opening";
  seats: Array<number>;
  rank: string | null;
}

/** An option that a proposal changes, with a description. */
export interface OptionChange {
  option: string;
  before: any;
  after: any;
  description: string;
  seats: Array<number> | null;
}

/** An organiser, by name. */
export interface OrganiserRequest {
  player: string;
}

/** What a house game was made from. */
export interface Origin {
  game: string | null;
  house_game: string | null;
  version: number | null;
  title: string | null;
}

/** The seat has no card left. */
export interface OutEffect {
  effect: "out";
  seat: number;
  place: number;
}

export type OverdueEnum = "wait" | "adjudicate";

/** Your email address; null if you have none. */
export interface OwnAddress {
  address: string | null;
  verified: boolean;
}

/** The state of a channel that you added. */
export interface OwnChannel {
  id: string;
  host: string;
  created_at: string;
  active: boolean;
  off_because: string | null;
  failing_since: string | null;
  error: string | null;
  tested_at: string | null;
}

/** The chat of one of your tables. */
export interface OwnTalk {
  game: string;
  title: string;
  last: number;
  read: number;
  unread: number;
}

/** The caller's vote. */
export interface OwnVote {
  elector: boolean;
  vote: VoteEnum | null;
}

export type PaceEnum = "auto" | "manual";

export interface PaginatedBlockedList {
  results: Array<Blocked>;
  next: string | null;
  previous: string | null;
}

export interface PaginatedChatList {
  results: Array<Chat>;
  next: string | null;
  previous: string | null;
  services: Array<PaginatedChatListServicesItem>;
}

export interface PaginatedChatListServicesItem {
  service: string;
  address: string;
}

export interface PaginatedEntryList {
  results: Array<Entry>;
  next: string | null;
  previous: string | null;
}

export interface PaginatedEventList {
  results: Array<Event>;
  next: string | null;
  previous: string | null;
}

export interface PaginatedGameList {
  results: Array<Game>;
  next: string | null;
  previous: string | null;
}

export interface PaginatedGameRulesList {
  results: Array<GameRules>;
  next: string | null;
  previous: string | null;
}

export interface PaginatedHookList {
  results: Array<Hook>;
  next: string | null;
  previous: string | null;
}

export interface PaginatedHouseGameEntryList {
  results: Array<HouseGameEntry>;
  next: string | null;
  previous: string | null;
}

export interface PaginatedLessonEntryList {
  results: Array<LessonEntry>;
  next: string | null;
  previous: string | null;
}

export interface PaginatedNotificationList {
  results: Array<Notification>;
  next: string | null;
  previous: string | null;
  unread: number;
}

export interface PaginatedOwnTalkList {
  results: Array<OwnTalk>;
  next: string | null;
  previous: string | null;
}

export interface PaginatedPlayerRefList {
  results: Array<PlayerRef>;
  next: string | null;
  previous: string | null;
}

export interface PaginatedProposalList {
  results: Array<Proposal>;
  next: string | null;
  previous: string | null;
}

export interface PaginatedPushList {
  results: Array<Push>;
  next: string | null;
  previous: string | null;
  ended: Array<string>;
}

export interface PaginatedRoundList {
  results: Array<Round>;
  next: string | null;
  previous: string | null;
}

export interface PaginatedRulingList {
  results: Array<Ruling>;
  next: string | null;
  previous: string | null;
}

export interface PaginatedTokenInfoList {
  results: Array<TokenInfo>;
  next: string | null;
  previous: string | null;
}

export interface PaginatedTournamentEventList {
  results: Array<TournamentEvent>;
  next: string | null;
  previous: string | null;
}

export interface PaginatedTournamentGameList {
  results: Array<TournamentGame>;
  next: string | null;
  previous: string | null;
}

export interface PaginatedTournamentList {
  results: Array<Tournament>;
  next: string | null;
  previous: string | null;
}

/** An entrant who is not through, but ranked above somebody who is. */
export interface Passed {
  entrant: string;
  why: PassedWhyEnum;
}

export type PassedWhyEnum = "withdrew" | "removed" | "no_place";

/** The old password, unless your account has none, and the new one. */
export interface PasswordChangeRequest {
  password?: string;
  new_password: string;
}

/** Changes to an open room. Keys that you leave out stay as they are. */
export interface PatchedChangeRoomRequest {
  ruleset?: RulesetEnum;
  options?: { [key: string]: any };
  seats?: number;
  clock?: Clock;
  visibility?: VisibilityEnum;
  start?: StartEnum;
  talk?: TalkEnum;
}

/** Changes to a chat address. Keys that you leave out stay as they are. */
export interface PatchedChatChangeRequest {
  url?: string;
  active?: boolean;
}

/** Changes to a webhook. Keys that you leave out stay as they are. */
export interface PatchedHookChangeRequest {
  url?: string;
  active?: boolean;
  types?: Array<TypesEnum>;
}

/** Changes to a tournament's settings, key by key; null restores a default (RFC 7396). */
export interface PatchedPlanChangeRequest {
  title?: string;
  game?: GameName;
  ruleset?: RulesetEnum | null;
  options?: { [key: string]: any } | null;
  clock?: ClockChange | null;
  kind?: KindEnum;
  settings?: TournamentSettings | null;
  visibility?: VisibilityEnum | null;
  rated?: boolean | null;
  plans?: boolean | null;
  talk?: TalkEnum | null;
  guests?: boolean | null;
  entry?: EntryEnum | null;
  limit?: number | null;
  check_in?: number | null;
  starts_at?: string | null;
  opens_at?: string | null;
  closes_at?: string | null;
  grace?: number | null;
  deadline?: number | null;
  overdue?: OverdueEnum | null;
  no_show?: NoShowEnum | null;
  no_show_after?: number | null;
  late?: LateEnum | null;
  late_until?: number | null;
  pace?: PaceEnum | null;
  games?: GamesEnum | null;
  proposals?: ProposalsEnum | null;
  ratify?: RatifyEnum | null;
  seeds?: "lot" | "rating" | Array<string> | null;
  stages?: Array<StageAsked>;
}

/** Changes to your account. */
export interface PatchedProfileChangeRequest {
  username?: string;
  preferences?: PreferencesChangeRequest;
  handles?: PatchedProfileChangeRequestHandles;
  calendar?: Calendar;
}

export interface PatchedProfileChangeRequestHandles {
  discord?: string | null;
  slack?: string | null;
  mattermost?: string | null;
  telegram?: string | null;
  matrix?: string | null;
}

/** Changes to your notification settings. Keys and cells that you leave out stay as they are. */
export interface PatchedSettingsChangeRequest {
  matrix?: { [key: string]: { [key: string]: boolean | "fallback" } };
  always?: boolean;
  reminders?: Array<string>;
}

/** The people you have played with, the most recent first. */
export interface People {
  results: Array<Person>;
}

/** Somebody you have played with. */
export interface Person {
  id: string;
  username: string;
  games: number;
  last_at: string;
}

/** Shedding games: take the pile. */
export interface PickUpMove {
  move: "pick_up";
}

/** The pile was picked up. */
export interface PickedUpData {
  move: PickUpMove;
  effects: Array<Effect>;
  calls: Array<"kerchoo" | "number_of_the_beast" | "lucky_number_of_the_beast" | "exorcism" | "on_the_train" | "who_dealt">;
  planned?: true;
}

/** Cards of the pile went to the hand: all, or all but a joker just played (TJ9). */
export interface PickedUpEffect {
  effect: "picked_up";
  seat: number;
  cards: Array<Card>;
}

/** The pile was picked up. */
export interface PickedUpEvent {
  type: "picked_up";
  version: number;
  seat: number | null;
  recorded_at: string;
  said?: string;
  to_act?: Array<number>;
  deadlines?: { [key: string]: string };
  data: PickedUpData;
}

/** The places that an entrant can still have, by total alone: [best, worst]. */
export interface PlaceBounds {
  round: Array<number>;
  final?: Array<number>;
  needs?: { [key: string]: Array<number> };
  cut?: "through" | "open" | "out";
}

/** The outcome of a game for an entrant, as entered by an organiser. */
export interface PlacedRequest {
  entrant: string;
  place?: number | null;
  score?: number | null;
  timeouts?: number | null;
  absent?: boolean | null;
}

/** The place of a seat. */
export interface Placement {
  seat: number;
  place: number;
  score: number | null;
}

/** What to play on your next turns: the first line whose conditions are true and whose move is legal. */
export interface Plan {
  lines: Array<PlanLine>;
  turns?: number;
}

/** A line of a plan. It is played if all conditions in `when` are true and the move is legal. */
export interface PlanLine {
  move: PlanLineMove;
  when?: { [key: string]: any };
  interrupt?: boolean;
}

export interface PlanLineMove {
  move: string;
}

/** A tournament to set up. Keys that are null or left out get their defaults. Spans are whole seconds. */
export interface PlanRequest {
  title: string;
  game: GameName;
  ruleset?: RulesetEnum | null;
  options?: { [key: string]: any } | null;
  clock?: Clock | null;
  kind: KindEnum;
  settings?: TournamentSettings | null;
  visibility?: VisibilityEnum | null;
  rated?: boolean | null;
  plans?: boolean | null;
  talk?: TalkEnum | null;
  guests?: boolean | null;
  entry?: EntryEnum | null;
  limit?: number | null;
  check_in?: number | null;
  starts_at?: string | null;
  opens_at?: string | null;
  closes_at?: string | null;
  grace?: number | null;
  deadline?: number | null;
  overdue?: OverdueEnum | null;
  no_show?: NoShowEnum | null;
  no_show_after?: number | null;
  late?: LateEnum | null;
  late_until?: number | null;
  pace?: PaceEnum | null;
  games?: GamesEnum | null;
  proposals?: ProposalsEnum | null;
  ratify?: RatifyEnum | null;
  seeds?: "lot" | "rating" | Array<string> | null;
  house_game?: string | null;
}

/** What a plan would do. */
export interface PlanVerdict {
  line: number | null;
  move: { [key: string]: any } | null;
  lines: Array<PlanVerdictWord>;
}

export type PlanVerdictWord = "does not hold" | "not in hand" | "not legal" | "plays" | "not tried";

/** Shedding games: cards of one rank from the active zone, in the order in which they go onto the pile. */
export interface PlayMove {
  move: "play";
  cards: Array<Card>;
  interrupt?: boolean;
}

/** A move that was applied: its events and the game after it. */
export interface Played {
  version: number;
  events: Array<Event>;
  game: Game;
}

/** Cards were played. */
export interface PlayedData {
  move: PlayMove;
  effects: Array<Effect>;
  calls: Array<"kerchoo" | "number_of_the_beast" | "lucky_number_of_the_beast" | "exorcism" | "on_the_train" | "who_dealt">;
  planned?: true;
}

/** Cards were played. */
export interface PlayedEvent {
  type: "played";
  version: number;
  seat: number | null;
  recorded_at: string;
  said?: string;
  to_act?: Array<number>;
  deadlines?: { [key: string]: string };
  data: PlayedData;
}

/** A player, as others see them. */
export interface PlayerRef {
  id: string;
  username: string | null;
}

/** A player as others see it. */
export interface PlayerReference {
  id: string;
  username: string;
}

/** A ruling: somebody else plays there now. */
export interface PlayerReplacedData {
  player: string | null;
  bot: Bot | null;
  was: string | null;
  reason: string;
  rated: boolean;
  bank: number;
}

/** A ruling: somebody else plays there now. */
export interface PlayerReplacedEvent {
  type: "player_replaced";
  version: number;
  seat: number | null;
  recorded_at: string;
  said?: string;
  to_act?: Array<number>;
  deadlines?: { [key: string]: string };
  data: PlayerReplacedData;
}

/** The player took the seat back. */
export interface PlayerReturnedData {
}

/** The player took the seat back. */
export interface PlayerReturnedEvent {
  type: "player_returned";
  version: number;
  seat: number | null;
  recorded_at: string;
  said?: string;
  to_act?: Array<number>;
  deadlines?: { [key: string]: string };
  data: PlayerReturnedData;
}

/** A rating after one game. */
export interface Point {
  at: string;
  game_id: string;
  place: number;
  players: number;
  rating: string;
  deviation: string;
}

/** A channel of a room. */
export interface Posting {
  id: string;
  service: string;
}

/** Your preferences for playing. */
export interface Preferences {
  forced_moves: boolean;
  unlisted: boolean;
  not_in_people: boolean;
  presence: PresenceEnum;
  talk: TalkEnum;
}

/** Changes to your preferences. Keys that you leave out stay as they are. */
export interface PreferencesChangeRequest {
  forced_moves?: boolean;
  unlisted?: boolean;
  not_in_people?: boolean;
  presence?: PresenceEnum;
  talk?: TalkEnum;
}

export type PresenceEnum = "private" | "always" | "never";

/** A player who is at the table now. */
export interface PresentPlayer {
  seat: number;
  player: PlayerRef;
}

/** A stable code for programs. */
export type ProblemCode = "added_by_organisers" | "already_arranged" | "already_came" | "already_drawn" | "already_entered" | "already_joined" | "already_open" | "already_organiser" | "already_out" | "already_removed" | "already_reported" | "already_started" | "already_void" | "bad_bots" | "bad_calendar" | "bad_chat" | "bad_clock" | "bad_cursor" | "bad_entries" | "bad_etag" | "bad_handle" | "bad_key" | "bad_level" | "bad_name" | "bad_options" | "bad_placements" | "bad_plan" | "bad_plans" | "bad_rated" | "bad_reason" | "bad_request" | "bad_ruleset" | "bad_salt" | "bad_seat" | "bad_seats" | "bad_seconds" | "bad_settings" | "bad_subscription" | "bad_username" | "bad_visibility" | "bad_webhook" | "blocked" | "body_timeout" | "bot_limit" | "bot_plays" | "busy" | "can_play" | "cannot_beat_pile" | "cannot_draw" | "cannot_settle" | "channel_limit" | "chat_limit" | "choose_three" | "csrf_failed" | "decided_by_vote" | "discard_pile_empty" | "draft_outdated" | "draw_first" | "entries_closed" | "forbidden" | "game_cancelled" | "game_limit" | "game_over" | "guest_account" | "hand_first" | "hidden_rules" | "insufficient_scope" | "internal_error" | "invalid" | "invalid_token" | "invitation_needed" | "key_reused" | "last_organiser" | "length_required" | "malformed" | "message_limit" | "method_not_allowed" | "misdirected" | "mixed_ranks" | "must_flip" | "must_play" | "muted" | "no_bonus" | "no_bot" | "no_cards" | "no_check_in" | "no_deadline" | "no_draft" | "no_draw" | "no_guest" | "no_guests" | "no_meld" | "no_melds" | "no_networks" | "no_next_round" | "no_next_stage" | "no_plan" | "no_proposals" | "no_review" | "no_rounds" | "no_such_entrant" | "no_such_game" | "no_such_message" | "no_such_number" | "no_such_organiser" | "no_such_player" | "no_such_proposal" | "no_such_round" | "no_such_seat" | "no_such_stage" | "no_such_table" | "no_such_version" | "nobody_there" | "not_a_player" | "not_a_season" | "not_all_melded" | "not_an_elector" | "not_an_entrant" | "not_an_organiser" | "not_asked" | "not_authenticated" | "not_entered" | "not_finished" | "not_found" | "not_in_a_knockout" | "not_invited" | "not_open" | "not_removed" | "not_started" | "not_the_entrant" | "not_the_opener" | "not_the_proposer" | "not_to_act" | "not_void" | "not_yet_flipping" | "not_your_cards" | "not_your_turn" | "not_yours" | "opening_rank" | "own_house_game" | "own_message" | "own_table" | "plans_off" | "players_only" | "position_empty" | "proposal_ended" | "proposal_open" | "proposed_lately" | "race_lost" | "removed" | "resigned" | "room_full" | "room_limit" | "round_closed" | "round_open" | "season_closed" | "seats_kept" | "seats_taken" | "second_factor" | "sent_out" | "setup" | "setup_over" | "signs_in_a_row" | "signs_only" | "somebody_is_out" | "staff_only" | "stale_version" | "stock_empty" | "table_not_played" | "talk_off" | "talk_over" | "too_few_entrants" | "too_few_players" | "too_large" | "too_many_blocked" | "too_many_bots" | "too_many_entrants" | "too_many_house_games" | "too_many_organisers" | "too_many_proposals" | "too_many_requests" | "too_many_results" | "too_many_streams" | "too_many_tournaments" | "too_many_versions" | "tournament_full" | "tournament_game" | "tournament_over" | "unavailable" | "unknown_game" | "unknown_message" | "unknown_version" | "unsupported_media_type" | "username_taken" | "weak_tag" | "webhook_limit" | "whole_hand_first" | "wrong_code" | "wrong_credentials" | "wrong_password";

/** Your own account. */
export interface Profile {
  id: string;
  username: string;
  guest: boolean;
  joined_at: string;
  preferences: Preferences;
  handles: ProfileHandles;
  calendar: Calendar;
  live_url: string;
}

export interface ProfileHandles {
  discord?: string | null;
  slack?: string | null;
  mattermost?: string | null;
  telegram?: string | null;
  matrix?: string | null;
}

/** Your password, unless your account has none. */
export interface ProofRequest {
  password?: string;
}

/** A proposal of new rules for a tournament. */
export interface Proposal {
  n: number;
  title: string;
  reason: string;
  by: PlayerRef;
  entrant: string | null;
  ruleset: string;
  options: { [key: string]: any };
  changes: Array<OptionChange>;
  status: ProposalStatus;
  ratify: RatifyEnum;
  opened_at: string;
  closes_at: string;
  electors: number;
  voted: number;
  counts: Counts | null;
  ended_at: string | null;
  ended_why: string | null;
  you: OwnVote;
}

/** A proposal. Rules that are null or left out stay the same. If you give options, they replace all options. */
export interface ProposalAskedRequest {
  title: string;
  reason: string;
  ruleset?: RulesetEnum | null;
  options?: { [key: string]: any } | null;
  confirm?: boolean | null;
  closes_at?: string | null;
  dry_run?: boolean | null;
  house_game?: string | null;
}

export type ProposalStatus = "open" | "ratified" | "rejected" | "overtaken" | "withdrawn" | "closed";

/** A proposal with its electors. */
export interface ProposalWithVotes {
  n: number;
  title: string;
  reason: string;
  by: PlayerRef;
  entrant: string | null;
  ruleset: string;
  options: { [key: string]: any };
  changes: Array<OptionChange>;
  status: ProposalStatus;
  ratify: RatifyEnum;
  opened_at: string;
  closes_at: string;
  electors: number;
  voted: number;
  counts: Counts | null;
  ended_at: string | null;
  ended_why: string | null;
  you: OwnVote;
  votes: Array<Elector>;
  figures: { [key: string]: any } | null;
}

export type ProposalsEnum = "entrants" | "organisers" | "none";

/** A player, as everyone can see them. */
export interface PublicProfile {
  id: string;
  username: string;
  joined_at: string;
  leagues: Array<LeagueProfile>;
}

/** A browser of yours that gets pushes. */
export interface Push {
  id: string;
  host: string;
  created_at: string;
  active: boolean;
  off_because: string | null;
  failing_since: string | null;
  error: string | null;
  digest: string;
}

/** The key that browsers need to subscribe. */
export interface PushKey {
  key: string;
}

/** A player's rank on one board. */
export interface Rank {
  board: string;
  value: string;
  decimal: string;
  rank: number | null;
  percentile: string | null;
  reason: string | null;
}

export type RatifyEnum = "majority" | "two_thirds" | "unanimous" | "organiser";

/** A player's rating in one game. */
export interface Rating {
  game: string;
  rating: string;
  deviation: string;
  games: number;
  provisional: boolean;
  reason: string | null;
  rank: number | null;
  percentile: string | null;
  history: Array<Point>;
}

/** A player's ratings. */
export interface Ratings {
  results: Array<Rating>;
  next: string | null;
  previous: string | null;
}

export interface RatingsQuery {
  game?: "castle" | "three_card" | "three_thirteen" | "threes" | "tripp_jokes";
}

/** The newest notification that you have read. */
export interface ReadRequest {
  up_to: number;
}

/** The reason why there is no legal move. */
export interface Reason {
  code: ProblemCode;
  detail: string;
}

/** A whole game in one file: everything that decided it, and nothing else. */
export interface Record {
  format: "trey-record/1";
  game: string;
  ruleset: string;
  options: { [key: string]: any };
  seats: number;
  dealer: number;
  shuffles: Array<Array<Card>>;
  moves: Array<RecordMovesItem>;
}

/** Points were added or taken. */
export interface RecordAdjusted {
  type: "adjusted";
  n: number;
  at: string;
  entrant: string;
  points: string | number;
  stage?: number;
  reason?: string;
}

/** Somebody entered. */
export interface RecordEntered {
  type: "entered";
  n: number;
  at: string;
  entrant: string;
  name?: string | null;
}

/** The tournament is over. */
export interface RecordFinished {
  type: "finished";
  n: number;
  at: string;
  why?: string;
}

/** A line of a tournament's log. */
export type RecordLine = RecordEntered | RecordWithdrew | RecordReturned | RecordRemoved | RecordReinstated | RecordReplaced | RecordSeeded | RecordSeated | RecordResult | RecordVoided | RecordRestored | RecordAdjusted | RecordRatified | RecordStaged | RecordFinished | RecordReopened;

export interface RecordMovesItem {
  seat: number;
  move: string;
}

/** How a game ended for one of its entrants. */
export interface RecordPlayer {
  entrant: string;
  place?: number | null;
  score?: string | number | null;
  timeouts?: number;
  absent?: boolean;
}

/** These rules apply from here on (RT4). */
export interface RecordRatified {
  type: "ratified";
  n: number;
  at: string;
  ruleset: string;
  options: { [key: string]: any };
}

/** A removal was taken back. */
export interface RecordReinstated {
  type: "reinstated";
  n: number;
  at: string;
  entrant: string;
  reason?: string;
}

/** An organiser removed an entrant. */
export interface RecordRemoved {
  type: "removed";
  n: number;
  at: string;
  entrant: string;
  reason?: string;
}

/** The tournament was reopened. */
export interface RecordReopened {
  type: "reopened";
  n: number;
  at: string;
  reason?: string;
}

/** Somebody else plays for the entrant. */
export interface RecordReplaced {
  type: "replaced";
  n: number;
  at: string;
  entrant: string;
  reason?: string;
  name?: string | null;
}

/** A voided result counts again. */
export interface RecordRestored {
  type: "restored";
  n: number;
  at: string;
  id: string;
  reason?: string;
}

/** How a game ended. */
export interface RecordResult {
  type: "result";
  n: number;
  at: string;
  id: string;
  players: Array<RecordPlayer>;
  round?: number;
  table?: number;
  stage?: number;
  source?: "game" | "table" | "ruling";
  rounds?: number;
  rules?: number;
}

/** An entrant who had withdrawn plays again. */
export interface RecordReturned {
  type: "returned";
  n: number;
  at: string;
  entrant: string;
  reason?: string;
}

/** A round's tables and byes. */
export interface RecordSeated {
  type: "seated";
  n: number;
  at: string;
  round: number;
  tables: Array<Array<string>>;
  byes?: Array<string>;
}

/** The seeds of a knockout, the best first (KO2). */
export interface RecordSeeded {
  type: "seeded";
  n: number;
  at: string;
  order: Array<string>;
}

/** A stage of the record's head (SG1). */
export interface RecordStage {
  kind: "season" | "rounds" | "knockout";
  settings?: TournamentSettings;
  take?: number;
  carry?: boolean;
}

/** The next stage begins, with these entrants, the best seed first (SG2). */
export interface RecordStaged {
  type: "staged";
  n: number;
  at: string;
  stage: number;
  seeds: Array<string>;
}

/** A result, named by its id, no longer counts; or a game, named by round and table, will have no result. */
export interface RecordVoided {
  type: "voided";
  n: number;
  at: string;
  id?: string;
  round?: number;
  table?: number;
  reason?: string;
}

/** An entrant withdrew and is not seated any more. */
export interface RecordWithdrew {
  type: "withdrew";
  n: number;
  at: string;
  entrant: string;
  reason?: string;
}

/** Optional details of a rematch. */
export interface RematchRequest {
  seats?: number;
  salt?: string | null;
}

export type Reopened = Tournament | Ruled;

/** A ruling: its reason, for all to see. With `dry_run` nothing happens. */
export interface ReopeningRequest {
  reason: string;
  dry_run?: boolean;
}

/** The time from which to send everything again. */
export interface ReplayRequest {
  since: string;
}

/** The number of deliveries that are sent again. */
export interface Replayed {
  queued: number;
}

/** A report, which waits for staff or an organiser. */
export interface Report {
  number: number;
  why: ReportWhyEnum;
  text: string;
  at: string;
}

/** The reason for a report. */
export interface ReportRequest {
  why: ReportWhyEnum;
  text?: string | null;
}

export type ReportWhyEnum = "insult" | "spam" | "cheating" | "other";

/** The code and the new password. */
export interface ResetRequest {
  request: string;
  code: string;
  new_password: string;
}

/** Leave a running game for good. Always legal for a player still in. */
export interface ResignMove {
  move: "resign";
}

/** A resignation in a shedding game. Or: A resignation in Three Thirteen. */
export interface ResignedEvent {
  type: "resigned";
  version: number;
  seat: number | null;
  recorded_at: string;
  said?: string;
  to_act?: Array<number>;
  deadlines?: { [key: string]: string };
  data: SheddingResigned | ThreeThirteenResigned;
}

/** The game counts again. */
export interface RestoredData {
  reason: string;
}

/** The game counts again. */
export interface RestoredEvent {
  type: "restored";
  version: number;
  seat: number | null;
  recorded_at: string;
  said?: string;
  to_act?: Array<number>;
  deadlines?: { [key: string]: string };
  data: RestoredData;
}

/** How a game ended; placements by place, then seat. */
export interface Result {
  ended_by: "agreed" | "limit" | "out" | "resignation" | "rounds" | "stalemate";
  placements: Array<Placement>;
}

/** A game or a tournament that ended. */
export type ResultEntry = EndedGame | EndedTournament;

/** The outcome of a game for an entrant. */
export interface ResultPlayer {
  entrant: string;
  place: number;
  score: number | null;
  timeouts: number;
  absent?: boolean;
}

/** A page of results, oldest first. */
export interface Results {
  results: Array<ResultEntry>;
  next: string | null;
  previous: string | null;
}

export type Review = SheddingReview | ThreeThirteenReview;

/** A round of Three Thirteen. */
export interface ReviewedRound {
  round: number;
  turns: Array<ReviewedTurn>;
}

/** The least penalty of a hand after a turn. */
export interface ReviewedTurn {
  version: number;
  seat: number;
  penalty: number;
}

/** A round, and whom its tables wait for. */
export interface Round {
  stage: number;
  round: number;
  status: RoundStatusEnum;
  seated_at: string;
  deadline_at: string | null;
  overdue: boolean;
  closed_at: string | null;
  open_tables: number;
  proposal: number | null;
  byes: Array<NamedEntrant>;
  tables: Array<TournamentTable>;
}

/** A seat's round of Three Thirteen, as it was scored. */
export interface RoundScore {
  penalty: number;
  melds: Array<Array<Card>>;
  left: Array<Card>;
  went_out: boolean;
}

/** The round was scored. */
export interface RoundScoredData {
  round: number;
  went_out: number | null;
  scores: Array<RoundScore>;
  totals: Array<number>;
  result: Result | null;
}

/** The round was scored. */
export interface RoundScoredEvent {
  type: "round_scored";
  version: number;
  seat: number | null;
  recorded_at: string;
  said?: string;
  to_act?: Array<number>;
  deadlines?: { [key: string]: string };
  data: RoundScoredData;
}

export type RoundStatusEnum = "open" | "closed";

/** The changes that a ruling makes for an entrant. */
export interface RowChange {
  entrant: string;
  place: Array<number | null>;
  total: Array<string | null>;
  status: Array<string | null>;
}

/** A ruling, or with `dry_run` what it would change. */
export interface Ruled {
  ruling: RuledRulingEnum;
  reason: string;
  dry_run: boolean;
  version: number | null;
  before: TournamentStandings | null;
  after: TournamentStandings | null;
  changes: Array<RowChange> | null;
  going_on: GoingOn | null;
}

export type RuledRulingEnum = "void" | "restore" | "correct" | "rule_table" | "enter_result" | "adjust" | "replace" | "remove" | "reinstate" | "extend" | "end_stage" | "reopen";

/** Rules of a tournament, and since when they apply. */
export interface Rules {
  proposal: number | null;
  ruleset: string;
  options: { [key: string]: any };
  since: string | null;
}

/** What is wrong with rules. */
export interface RulesError {
  path: string;
  detail: string;
}

/** A ruleset and its options. */
export interface Ruleset {
  name: string;
  description: string;
  options: { [key: string]: any };
}

export type RulesetEnum = "2022" | "2023" | "classic" | "house";

/** A ruling: what was ruled, why, and by whom. Keys that do not belong to it are null. */
export interface Ruling {
  version: number;
  ruling: RulingRulingEnum;
  reason: string | null;
  by: PlayerRef | null;
  also_plays: string | null;
  at: string;
  game: string | null;
  stage: number | null;
  round: number | null;
  table: number | null;
  entrant: string | null;
  entrants: Array<string> | null;
  player: PlayerRef | null;
  bot: Bot | null;
  points: string | null;
  until: string | null;
  players: Array<ResultPlayer> | null;
}

/** A ruling. docs/build/tournaments-api.md lists the other keys of each. */
export interface RulingAskedRequest {
  ruling: RulingName;
  reason: string;
  dry_run?: boolean | null;
  game?: string | null;
  round?: number | null;
  table?: number | null;
  players?: Array<PlacedRequest> | null;
  rounds?: number | null;
  stage?: number | null;
  entrant?: string | null;
  points?: string | number | null;
  player?: string | null;
  bot?: BotLevel | null;
  seconds?: number | null;
}

export type RulingName = "void" | "restore" | "correct" | "rule_table" | "enter_result" | "adjust" | "replace" | "remove" | "reinstate" | "extend" | "end_stage";

export type RulingRulingEnum = "void" | "restore" | "correct" | "rule_table" | "enter_result" | "adjust" | "replace" | "remove" | "reinstate" | "extend" | "end_stage" | "exchange" | "reopen" | "absent";

/** A house game to save. */
export interface SaveHouseGameRequest {
  rules: { [key: string]: any };
  visibility?: HouseVisibility;
  made_from?: string;
}

/** A text of 1 to 500 characters, or a sign. */
export interface SayRequest {
  text?: string;
  sign?: SignEnum;
}

export type ScopesEnum = "read" | "play" | "organise" | "notify" | "account";

/** A season's room; the caller sits down in it. */
export interface SeasonGameRequest {
  seats?: number;
  bots?: Array<string>;
}

/** A season for the people who played a finished game: private, open for a year, and with the rules and clock of
 * that game unless you give others. */
export interface SeasonRequest {
  title?: string | null;
  game?: GameName | null;
  ruleset?: RulesetEnum | null;
  options?: { [key: string]: any } | null;
  clock?: Clock | null;
  kind?: KindEnum | null;
  settings?: TournamentSettings | null;
  visibility?: VisibilityEnum | null;
  rated?: boolean | null;
  plans?: boolean | null;
  talk?: TalkEnum | null;
  guests?: boolean | null;
  entry?: EntryEnum | null;
  limit?: number | null;
  check_in?: number | null;
  starts_at?: string | null;
  opens_at?: string | null;
  closes_at?: string | null;
  grace?: number | null;
  deadline?: number | null;
  overdue?: OverdueEnum | null;
  no_show?: NoShowEnum | null;
  no_show_after?: number | null;
  late?: LateEnum | null;
  late_until?: number | null;
  pace?: PaceEnum | null;
  games?: GamesEnum | null;
  proposals?: ProposalsEnum | null;
  ratify?: RatifyEnum | null;
  seeds?: "lot" | "rating" | Array<string> | null;
  stages?: Array<StageAsked> | null;
  from_game: string;
}

/** A seat with its player, its bot, or a player for whom a bot plays. */
export interface Seat {
  seat: number;
  player: PlayerRef | null;
  bot: Bot | null;
}

/** A seat as it was at the end. */
export interface SeatAtEnd {
  seat: number;
  player: string | null;
  bot: string | null;
  timeouts: number;
  moved: boolean;
  played: boolean;
  never_came: boolean;
  resigned: boolean;
  lost_on_time: boolean;
  replaced: boolean;
}

/** The version of the game that you have seen. */
export interface SeenRequest {
  version: number;
}

/** A message that was sent, or would be. */
export interface Sent {
  told: number;
  text: string;
  version: number | null;
}

export interface SetUpRequest {
  title?: string | null;
  game?: GameName | null;
  ruleset?: RulesetEnum | null;
  options?: { [key: string]: any } | null;
  clock?: Clock | null;
  kind?: KindEnum | null;
  settings?: TournamentSettings | null;
  visibility?: VisibilityEnum | null;
  rated?: boolean | null;
  plans?: boolean | null;
  talk?: TalkEnum | null;
  guests?: boolean | null;
  entry?: EntryEnum | null;
  limit?: number | null;
  check_in?: number | null;
  starts_at?: string | null;
  opens_at?: string | null;
  closes_at?: string | null;
  grace?: number | null;
  deadline?: number | null;
  overdue?: OverdueEnum | null;
  no_show?: NoShowEnum | null;
  no_show_after?: number | null;
  late?: LateEnum | null;
  late_until?: number | null;
  pace?: PaceEnum | null;
  games?: GamesEnum | null;
  proposals?: ProposalsEnum | null;
  ratify?: RatifyEnum | null;
  seeds?: "lot" | "rating" | Array<string> | null;
  house_game?: string | null;
  stages?: Array<StageAsked> | null;
  after?: string;
  from_game?: string;
}

/** Shedding games: agree to end a game that stands still, even out of turn. A second one takes it back.
 * 
 * Legal for a player still in while the view says `may_settle`, but never listed. */
export interface SettleMove {
  move: "settle";
}

/** A player agreed to end the game as it stands, or took that back. */
export interface SettledData {
  move: SettleMove;
  effects: Array<Effect>;
  calls: Array<"kerchoo" | "number_of_the_beast" | "lucky_number_of_the_beast" | "exorcism" | "on_the_train" | "who_dealt">;
  planned?: true;
}

/** The seats that have now agreed to end the game as it stands. */
export interface SettledEffect {
  effect: "settled";
  seats: Array<number>;
}

/** A player agreed to end the game as it stands, or took that back. */
export interface SettledEvent {
  type: "settled";
  version: number;
  seat: number | null;
  recorded_at: string;
  said?: string;
  to_act?: Array<number>;
  deadlines?: { [key: string]: string };
  data: SettledData;
}

/** Everyone has chosen. */
export interface SetupEndedEffect {
  effect: "setup_ended";
  face_up: Array<Array<Card>>;
}

/** The cards of a shedding game. */
export interface SheddingDealt {
  ruleset: string;
  options: { [key: string]: any };
  seats: number;
  dealer: number;
  direction: -1 | 1;
  hands: Array<Array<Card> | null>;
  face_up: Array<Array<Card>>;
  turned_up: Array<Card>;
  stock_count: number;
  face_down: Array<Array<Card>> | null;
  stock: Array<Card> | null;
  shuffle: Array<Card> | null;
  calls: Array<"kerchoo" | "number_of_the_beast" | "lucky_number_of_the_beast" | "exorcism" | "on_the_train" | "who_dealt">;
  who_dealt: Array<number> | null;
}

/** A draw in Three Card or Castle. */
export interface SheddingDrew {
  move: DrawMove;
  effects: Array<Effect>;
  calls: Array<"kerchoo" | "number_of_the_beast" | "lucky_number_of_the_beast" | "exorcism" | "on_the_train" | "who_dealt">;
  planned?: true;
}

/** One seat of a shedding game. */
export interface SheddingPlayer {
  seat: number;
  hand_count: number;
  hand: Array<Card> | null;
  face_up: Array<Card> | null;
  face_down: Array<boolean>;
  face_down_cards: Array<Card | null>;
  arranged: boolean;
  place: number | null;
}

/** A resignation in a shedding game. */
export interface SheddingResigned {
  move: ResignMove;
  effects: Array<Effect>;
  calls: Array<"kerchoo" | "number_of_the_beast" | "lucky_number_of_the_beast" | "exorcism" | "on_the_train" | "who_dealt">;
  planned?: true;
}

/** A review of a shedding game. The most costly decisions come first, at most five of each seat. */
export interface SheddingReview {
  game: string;
  networks: string;
  from: number;
  places: Array<ExpectedPlaces>;
  seats: Array<Lost>;
  decisions: Array<Decision>;
}

/** The table of a shedding game. */
export interface SheddingView {
  game: "three_card" | "tripp_jokes" | "threes" | "castle" | "house";
  ruleset: string;
  options: { [key: string]: any };
  seats: number;
  dealer: number;
  status: "finished" | "playing" | "setup";
  to_act: Array<number>;
  may_interrupt: Array<number>;
  result: Result | null;
  players: Array<SheddingPlayer>;
  pile: Array<Card>;
  to_beat: ToBeat | null;
  stock_count: number;
  out_of_play: Array<Card>;
  direction: -1 | 1;
  bonus: "may" | "must" | null;
  stalled: number;
  may_settle: boolean;
  settled: Array<number>;
  laid_on_empty: number;
  calls: Array<"kerchoo" | "number_of_the_beast" | "lucky_number_of_the_beast" | "exorcism" | "on_the_train" | "who_dealt">;
  skips?: number;
  powerless?: number;
}

/** Castle: the face-down card could not be played and went back to its position, seen by all. */
export interface ShownEffect {
  effect: "shown";
  seat: number;
  position: number;
  card: Card;
}

export type SignEnum = "hello" | "good_luck" | "thanks" | "well_played" | "ouch" | "wow" | "laugh" | "sorry" | "one_moment" | "away" | "back" | "again";

/** A new account. */
export interface SignUpRequest {
  username: string;
  password: string;
}

export type SourceEnum = "game" | "table" | "ruling";

/** The author; without a name if the account is closed. */
export interface Speaker {
  id: string;
  username: string | null;
}

/** A stage of a tournament. Every tournament has at least one. Spans are whole seconds. */
export interface Stage {
  kind: KindEnum;
  settings: TournamentSettings;
  deadline: number | null;
  overdue: OverdueEnum;
  pace: PaceEnum;
  games: GamesEnum;
  opens_at: string | null;
  closes_at: string | null;
  grace: number;
  title: string;
  take: number | null;
  carry: boolean;
  lasts: number | null;
  break: number | null;
}

/** A stage to set up. Keys that are null or left out get their defaults. */
export interface StageAsked {
  kind: KindEnum;
  settings?: TournamentSettings | null;
  deadline?: number | null;
  overdue?: OverdueEnum | null;
  pace?: PaceEnum | null;
  games?: GamesEnum | null;
  opens_at?: string | null;
  closes_at?: string | null;
  grace?: number | null;
  title?: string | null;
  take?: number | null;
  carry?: boolean | null;
  lasts?: number | null;
  break?: number | null;
}

/** A tournament of several stages to set up. */
export interface StagedPlanRequest {
  title: string;
  game: GameName;
  ruleset?: RulesetEnum | null;
  options?: { [key: string]: any } | null;
  clock?: Clock | null;
  visibility?: VisibilityEnum | null;
  rated?: boolean | null;
  plans?: boolean | null;
  talk?: TalkEnum | null;
  guests?: boolean | null;
  entry?: EntryEnum | null;
  limit?: number | null;
  check_in?: number | null;
  starts_at?: string | null;
  no_show?: NoShowEnum | null;
  no_show_after?: number | null;
  late?: LateEnum | null;
  late_until?: number | null;
  proposals?: ProposalsEnum | null;
  ratify?: RatifyEnum | null;
  seeds?: "lot" | "rating" | Array<string> | null;
  stages: Array<StageAsked>;
  house_game?: string | null;
}

/** How many pick-ups there have been without progress. */
export interface StalledEffect {
  effect: "stalled";
  count: number;
}

/** An entrant's row of the standings. */
export interface StandingsRow {
  entrant: string;
  name: string | null;
  place: number | null;
  total: string | null;
  games: number;
  byes: number;
  adjusted: string;
  kept: Array<string>;
  tie_breaks: { [key: string]: any };
  decided_by: string | null;
  status: "in" | "out" | "removed" | "withdrawn";
  stage?: number;
}

export type StartEnum = "full" | "opener";

/** The game has started. */
export interface StartedData {
  seats: number;
  options: { [key: string]: any };
  dealer: number;
  salts: Array<string>;
}

/** The game has started. */
export interface StartedEvent {
  type: "started";
  version: number;
  seat: number | null;
  recorded_at: string;
  said?: string;
  to_act?: Array<number>;
  deadlines?: { [key: string]: string };
  data: StartedData;
}

export type StateEnum = "sent" | "held" | "skipped" | "failed" | "given_up";

/** A house game of bots alone has taken too many moves (HG15). */
export interface StoppedData {
  effects: Array<Effect>;
  calls: Array<"kerchoo" | "number_of_the_beast" | "lucky_number_of_the_beast" | "exorcism" | "on_the_train" | "who_dealt">;
}

/** A house game of bots alone has taken too many moves (HG15). */
export interface StoppedEvent {
  type: "stopped";
  version: number;
  seat: number | null;
  recorded_at: string;
  said?: string;
  to_act?: Array<number>;
  deadlines?: { [key: string]: string };
  data: StoppedData;
}

/** A browser's keys. */
export interface SubscriptionKeysRequest {
  p256dh: string;
  auth: string;
}

/** A browser's `PushSubscription`, as `toJSON()` gives it. */
export interface SubscriptionRequest {
  endpoint: string;
  expirationTime?: number | null;
  keys: SubscriptionKeysRequest;
}

/** The successor of a tournament that is over. Settings that you leave out are copied, except times.
 * 
 * Objects change key by key; null restores a default. */
export interface SuccessorRequest {
  title?: string | null;
  game?: GameName | null;
  ruleset?: RulesetEnum | null;
  options?: { [key: string]: any } | null;
  clock?: Clock | null;
  kind?: KindEnum | null;
  settings?: TournamentSettings | null;
  visibility?: VisibilityEnum | null;
  rated?: boolean | null;
  plans?: boolean | null;
  talk?: TalkEnum | null;
  guests?: boolean | null;
  entry?: EntryEnum | null;
  limit?: number | null;
  check_in?: number | null;
  starts_at?: string | null;
  opens_at?: string | null;
  closes_at?: string | null;
  grace?: number | null;
  deadline?: number | null;
  overdue?: OverdueEnum | null;
  no_show?: NoShowEnum | null;
  no_show_after?: number | null;
  late?: LateEnum | null;
  late_until?: number | null;
  pace?: PaceEnum | null;
  games?: GamesEnum | null;
  proposals?: ProposalsEnum | null;
  ratify?: RatifyEnum | null;
  seeds?: "lot" | "rating" | Array<string> | null;
  stages?: Array<StageAsked> | null;
  after: string;
}

/** The chat of a table, as you see it. */
export interface Talk {
  results: Array<TalkMessage>;
  last: number;
  read: number;
  unread: number;
  talk: TalkEnum;
  may: MayEnum | null;
  reason: WhyNot | null;
  quiet: boolean;
  readers: Array<string>;
  people: Array<Listener>;
}

export type TalkEnum = "all" | "signs" | "off";

/** A message, as the caller can read it. */
export interface TalkMessage {
  number: number;
  at: string;
  by: Speaker;
  seat: number;
  text: string | null;
  sign: SignEnum | null;
  version: number;
  gone: GoneEnum | null;
}

/** The number of unread messages of a table; the stream of its game leaves `game` out. */
export interface TalkNews {
  last: number;
  unread: number;
  game?: string;
}

/** Whether the chat is muted: new messages are neither counted nor notified to you. */
export interface TalkQuietRequest {
  quiet: boolean;
}

/** How far you have read. */
export interface TalkReadRequest {
  up_to: number;
}

/** The answer to a tap that is not the move to make: the rules' refusal, or `legal`. */
export interface Tap {
  code: string;
  detail: string | null;
}

/** The cards of a round of Three Thirteen. The first deal also has `ruleset`, `options` and `seats`. */
export interface ThreeThirteenDealt {
  round: number;
  wild: string;
  dealer: number;
  hands: Array<Array<Card> | null>;
  discard_top: Card;
  stock_count: number;
  to_act: Array<number>;
  shuffle: Array<Card> | null;
  ruleset?: string;
  options?: { [key: string]: any };
  seats?: number;
}

/** The first half of a turn of Three Thirteen. */
export interface ThreeThirteenDrew {
  move: DrawMove;
  card: Card | null;
  stock_count: number;
  discard_count: number;
  renewed: number;
  idle: number;
  shuffle: Array<Card> | null;
  planned?: true;
}

/** One seat of Three Thirteen. */
export interface ThreeThirteenPlayer {
  seat: number;
  hand_count: number;
  hand: Array<Card> | null;
  rounds: Array<RoundScore>;
  total: number;
}

/** A resignation in Three Thirteen. */
export interface ThreeThirteenResigned {
  move: ResignMove;
  to_act: Array<number>;
  step: "discard" | "draw";
  turn_number: number;
  final_turns: Array<number> | null;
  place: number;
  result: Result | null;
  idle: number;
}

/** A review of a game of Three Thirteen. */
export interface ThreeThirteenReview {
  game: string;
  rounds: Array<ReviewedRound>;
  seats: Array<Lost>;
  decisions: Array<Decision>;
}

/** The table of Three Thirteen. */
export interface ThreeThirteenView {
  game: "three_thirteen";
  ruleset: string;
  options: { [key: string]: any };
  seats: number;
  dealer: number;
  status: "finished" | "playing" | "setup";
  to_act: Array<number>;
  may_interrupt: Array<number>;
  result: Result | null;
  players: Array<ThreeThirteenPlayer>;
  round: number;
  wild: string;
  step: "discard" | "draw";
  stock_count: number;
  discard_count: number;
  discard_top: Card | null;
  went_out: number | null;
  laid: Array<Array<Card>> | null;
  renewed: number;
}

/** A turn ran out. What happened then is in separate events. */
export interface TimedOutData {
  deadline_at: string;
  action: "bot" | "play" | "resign";
  misses: number;
  timeouts: number;
}

/** A turn ran out. What happened then is in separate events. */
export interface TimedOutEvent {
  type: "timed_out";
  version: number;
  seat: number | null;
  recorded_at: string;
  said?: string;
  to_act?: Array<number>;
  deadlines?: { [key: string]: string };
  data: TimedOutData;
}

/** What the next play must match or beat. */
export interface ToBeat {
  rank: string;
  or: "higher" | "lower";
}

/** Send it as `Authorization: Bearer <token>` until it expires or is revoked. */
export interface Token {
  token: string;
  expires_at: string;
  scopes: Array<ScopesEnum>;
}

/** One of your tokens. The token itself is shown only once, when it is issued. */
export interface TokenInfo {
  id: string;
  name: string;
  created_at: string;
  last_used_at: string;
  expires_at: string;
  current: boolean;
  scopes: Array<ScopesEnum>;
  app: string | null;
}

/** A tournament, as the caller can see it, with all settings. Spans are whole seconds. */
export interface Tournament {
  id: string;
  slug: string;
  title: string;
  game: GameName;
  ruleset: RulesetEnum;
  options: { [key: string]: any };
  clock: Clock;
  kind: KindEnum;
  settings: TournamentSettings;
  visibility: VisibilityEnum;
  rated: boolean;
  plans: boolean;
  talk: TalkEnum;
  guests: boolean;
  entry: EntryEnum;
  limit: number | null;
  check_in: number | null;
  starts_at: string | null;
  opens_at: string | null;
  closes_at: string | null;
  grace: number;
  deadline: number | null;
  overdue: OverdueEnum;
  no_show: NoShowEnum;
  no_show_after: number;
  late: LateEnum;
  late_until: number | null;
  pace: PaceEnum;
  games: GamesEnum;
  proposals: ProposalsEnum;
  ratify: RatifyEnum;
  seeds: "lot" | "rating" | Array<string>;
  status: TournamentStatus;
  version: number;
  seed_commitment: string;
  seed: string | null;
  deals_commitment: string | null;
  deals_secret: string | null;
  deals: Array<Deals>;
  entrants: number;
  waiting: number;
  stages: Array<Stage>;
  stage: number;
  break_ends: string | null;
  round: number;
  rounds: number | null;
  open_rounds: Array<number>;
  draft: number | null;
  put_off: boolean;
  rules: Array<Rules>;
  open_proposals: Array<number>;
  organisers: Array<PlayerRef>;
  asked_organisers: Array<PlayerRef>;
  channels: Array<string>;
  after: Neighbour | null;
  successors: Array<Neighbour>;
  you: TournamentYou;
  share_url: string;
  invitation: string | null;
  set_up_at: string;
  started_at: string | null;
  ended_at: string | null;
  ended_why: string | null;
}

/** An event of a tournament. Secrets are null. */
export interface TournamentEvent {
  version: number;
  type: string;
  data: { [key: string]: any };
  by: PlayerRef | null;
  recorded_at: string;
}

/** A game of a tournament. Its `id` is that of GET games/{id}, unless it is a result without a game. */
export interface TournamentGame {
  id: string;
  round: number | null;
  table: number | null;
  number: number | null;
  status: TournamentGameStatusEnum;
  beyond_same_table: boolean;
  source: SourceEnum | null;
  entrants: Array<string>;
  rounds: number | null;
  players: Array<ResultPlayer> | null;
  absent: Array<string>;
  waits_for: Array<Awaited>;
  since: string;
  ended_at: string | null;
  proposal: number | null;
}

export type TournamentGameStatusEnum = "pending" | "open" | "running" | "counted" | "voided" | "without_result";

/** Everything that the standings are computed from, for `python -m tournaments.rules standings`. */
export interface TournamentRecord {
  format: "trey-tournament/1";
  title: string;
  game: "castle" | "house" | "three_card" | "three_thirteen" | "threes" | "tripp_jokes";
  seed: string | null;
  log: Array<RecordLine>;
  kind?: "season" | "rounds" | "knockout";
  settings?: TournamentSettings;
  stages?: Array<RecordStage>;
  ruleset?: string;
  options?: { [key: string]: any };
}

/** The tournament that a game belongs to. */
export interface TournamentRef {
  id: string;
  title: string;
  stage: number;
  round: number | null;
  table: number | null;
  number: number;
}

/** The settings of a tournament's record. Settings that are null or left out have their defaults. */
export interface TournamentSettings {
  points?: TournamentSettingsPoints | null;
  total?: "sum" | "mean" | null;
  prior?: string | number | null;
  best?: number | null;
  same_table?: number | null;
  min_games?: number | null;
  bye?: string | number | null;
  tie_breaks?: Array<"opponents_strength" | "wins" | "head_to_head" | "countback" | "timeouts" | "lot"> | null;
  rounds?: number | null;
  tables?: TournamentSettingsTables | null;
  games_per_table?: number | null;
  seating?: "standing" | "even" | null;
  parallel?: number | null;
  advance?: number | null;
}

export interface TournamentSettingsPoints {
  scheme?: "opponents_beaten" | "wins" | "places" | "score" | null;
  list?: Array<string | number> | null;
}

export interface TournamentSettingsTables {
  size?: number | null;
  min?: number | null;
  max?: number | null;
}

/** The standings of a tournament. */
export interface TournamentStandings {
  standings: Array<StandingsRow>;
  bounds: { [key: string]: PlaceBounds };
  version?: number;
  as_of?: string | null;
  next?: string | null;
  previous?: string | null;
}

export type TournamentStatus = "draft" | "registration" | "running" | "finished" | "cancelled";

/** A table of a round. */
export interface TournamentTable {
  table: number;
  status: TournamentTableStatusEnum;
  entrants: Array<NamedEntrant>;
  games: Array<TournamentGame>;
}

export type TournamentTableStatusEnum = "open" | "closed" | "not_played";

/** The caller in a tournament. */
export interface TournamentYou {
  entrant: string | null;
  organiser: boolean;
  status: TournamentYouStatusEnum | null;
  checked_in: boolean | null;
  asked: Asked | null;
  may_organise_from: string | null;
}

export type TournamentYouStatusEnum = "in" | "waiting" | "invited" | "withdrawn" | "removed" | "out";

/** One seat's deadline: `segments` from `began_at` to `deadline_at` without gap, `totals` in seconds by reason. */
export interface TurnClock {
  began_at: string;
  deadline_at: string;
  per_turn: number;
  extra: number;
  bank: number;
  segments: Array<ClockSegment>;
  totals: { [key: string]: number };
  now?: ClockNow;
}

/** Whose turn it is. */
export interface TurnEffect {
  effect: "turn";
  seat: number;
  bonus: "may" | "must" | null;
  number: number;
  skips?: number;
}

/** A bonus play was declined. */
export interface TurnEndedData {
  move: EndTurnMove;
  effects: Array<Effect>;
  calls: Array<"kerchoo" | "number_of_the_beast" | "lucky_number_of_the_beast" | "exorcism" | "on_the_train" | "who_dealt">;
  planned?: true;
}

/** A bonus play was declined. */
export interface TurnEndedEvent {
  type: "turn_ended";
  version: number;
  seat: number | null;
  recorded_at: string;
  said?: string;
  to_act?: Array<number>;
  deadlines?: { [key: string]: string };
  data: TurnEndedData;
}

/** A ruling: the turn has more time. */
export interface TurnExtendedData {
  deadline_at: string;
  seconds: number;
  extra: number;
  reason: string;
}

/** A ruling: the turn has more time. */
export interface TurnExtendedEvent {
  type: "turn_extended";
  version: number;
  seat: number | null;
  recorded_at: string;
  said?: string;
  to_act?: Array<number>;
  deadlines?: { [key: string]: string };
  data: TurnExtendedData;
}

/** The direction of play changed. */
export interface TurnedRoundEffect {
  effect: "turned_round";
  direction: -1 | 1;
}

export type TypesEnum = "game.turn" | "game.reminder" | "game.started" | "game.finished" | "game.timed_out" | "game.talk" | "tournament.round" | "tournament.ruling" | "tournament.proposal" | "tournament.finished";

/** The number of unread notifications. */
export interface Unread {
  unread: number;
}

/** A version of a house game. It never changes. */
export interface Version {
  number: number;
  digest: string;
  at: string;
  changes: Array<string>;
}

/** Two players head to head. */
export interface Versus {
  player: PlayerReference;
  other: PlayerReference;
  results: Array<Meetings>;
  next: string | null;
  previous: string | null;
}

/** The table as the caller may see it. */
export type View = SheddingView | ThreeThirteenView;

export type VisibilityEnum = "public" | "private";

/** Staff declared the finished game void. */
export interface VoidedData {
  reason: string;
}

/** Staff declared the finished game void. */
export interface VoidedEvent {
  type: "voided";
  version: number;
  seat: number | null;
  recorded_at: string;
  said?: string;
  to_act?: Array<number>;
  deadlines?: { [key: string]: string };
  data: VoidedData;
}

export type VoteEnum = "yes" | "no" | "abstain";

/** A vote. */
export interface VoteRequest {
  vote: VoteEnum;
}

export type WebhookEvent = HookedGame | HookedTournament;

/** A player went out. */
export interface WentOutData {
  move: GoOutMove;
  to_act: Array<number>;
  step: "discard" | "draw";
  turn_number: number;
  final_turns: Array<number> | null;
  melds: Array<Array<Card>>;
  planned?: true;
}

/** A player went out. */
export interface WentOutEvent {
  type: "went_out";
  version: number;
  seat: number | null;
  recorded_at: string;
  said?: string;
  to_act?: Array<number>;
  deadlines?: { [key: string]: string };
  data: WentOutData;
}

export type WhatEnum = "missed_out" | "final_discard";

/** Why you cannot write, or can only send signs. */
export interface WhyNot {
  code: string;
  detail: string;
  until: string | null;
}

/** The request to withdraw. */
export interface WithdrawRequest {
  resign?: boolean;
}

export interface Call {
  method: string;
  path: string;
  query?: object;
  body?: unknown;
  form?: { [key: string]: string };
  key?: string;
  etag?: boolean;
  expect?: number | string | undefined;
}

const at = encodeURIComponent;

export abstract class Operations {
  static readonly version: string = "0.2.0";
  protected abstract do(call: Call): Promise<any>;

  /** Accept an invitation to play.
   * 
   * If you were asked to replace an entrant, name that entrant; on the waiting list, name your own. The response is
   * the entry that you play for. With `{"accept": false}`, you decline, and leave the waiting list if you are on
   * it. */
  acceptInvitation(tournamentId: string, entrant: string, keys: AnswerRequest = {}): Promise<Entry> {
    return this.do({ method: "POST", path: `/tournaments/${at(tournamentId)}/entries/${at(entrant)}/accept`, body: keys });
  }

  /** Become an organiser of a tournament.
   * 
   * You can if you were invited to, or if you may take over a tournament that has no organiser left. With
   * `{"accept": false}`, you decline or step down. */
  acceptToOrganise(tournamentId: string, keys: AnswerRequest = {}): Promise<PaginatedPlayerRefList> {
    return this.do({ method: "POST", path: `/tournaments/${at(tournamentId)}/organisers/accept`, body: keys });
  }

  /** Add a bot to an open room.
   * 
   * Only the opener can do this; `kick` removes the bot again. */
  addBot(gameId: string, keys: AddBotRequest = {}, { key }: { key?: string | undefined } = {}): Promise<Game> {
    return this.do({ method: "POST", path: `/games/${at(gameId)}/bots`, body: keys, key: key ?? "" });
  }

  /** Add a channel to your room.
   * 
   * It posts turns and the result there. Everyone at the table is told. */
  addChannelOfGame(gameId: string, keys: ChannelCreationRequest, { key }: { key?: string | undefined } = {}): Promise<NewChannel> {
    return this.do({ method: "POST", path: `/games/${at(gameId)}/channels`, body: keys, key: key ?? "" });
  }

  /** Add a channel to your tournament.
   * 
   * It posts turns, results, rounds and standings there. Entrants are told. */
  addChannelOfTournament(tournamentId: string, keys: ChannelCreationRequest, { key }: { key?: string | undefined } = {}): Promise<NewChannel> {
    return this.do({ method: "POST", path: `/tournaments/${at(tournamentId)}/channels`, body: keys, key: key ?? "" });
  }

  /** Invite somebody to organise a tournament with you.
   * 
   * They are in `asked_organisers` of the tournament until they accept. */
  addOrganiser(tournamentId: string, keys: OrganiserRequest): Promise<PaginatedPlayerRefList> {
    return this.do({ method: "POST", path: `/tournaments/${at(tournamentId)}/organisers`, body: keys });
  }

  /** Send a code by email to log in.
   * 
   * The response does not say whether the address has an account. */
  askForLoginCode(keys: AddressRequest): Promise<CodeAsked> {
    return this.do({ method: "POST", path: `/auth/code`, body: keys });
  }

  /** Send a code by email to reset your password.
   * */
  askForResetCode(keys: AddressRequest): Promise<CodeAsked> {
    return this.do({ method: "POST", path: `/auth/reset`, body: keys });
  }

  /** Request the review of a finished game.
   * 
   * It says how everyone stood at each move, and which decisions cost most. It is made once, by the steady bot's
   * networks; until it is ready the answer is 202. See docs/contribute/bots.md. */
  askForReview(gameId: string, keys: InvitedRequest = {}): Promise<Review | Making> {
    return this.do({ method: "POST", path: `/games/${at(gameId)}/review`, body: keys });
  }

  /** Mute or unmute the chat of a table.
   * */
  beQuiet(gameId: string, keys: TalkQuietRequest): Promise<void> {
    return this.do({ method: "PUT", path: `/games/${at(gameId)}/talk/quiet`, body: keys });
  }

  /** Block a player.
   * 
   * They cannot invite you or sit down at private tables that you open. */
  blockPlayer(username: string): Promise<void> {
    return this.do({ method: "PUT", path: `/me/blocked/${at(username)}` });
  }

  /** Call a game off.
   * 
   * The opener can call off an open room. A running game is called off when everyone in it has agreed. */
  cancelGame(gameId: string): Promise<Game> {
    return this.do({ method: "POST", path: `/games/${at(gameId)}/cancel` });
  }

  /** Cancel a tournament.
   * 
   * Its open games are called off. */
  cancelTournament(tournamentId: string, keys: CancellationRequest = {}): Promise<Tournament> {
    return this.do({ method: "POST", path: `/tournaments/${at(tournamentId)}/cancel`, body: keys });
  }

  /** Change one of your chat addresses.
   * 
   * One that was switched off can be switched on again. */
  changeChat(chatId: string, keys: PatchedChatChangeRequest = {}): Promise<Chat> {
    return this.do({ method: "PATCH", path: `/me/chat/${at(chatId)}`, body: keys });
  }

  /** Change the draft of the next round.
   * 
   * Swap two entrants (`swap`), or give all `tables`. The response has the new figures. This is a ruling, with a
   * reason; `dry_run` changes nothing. */
  changeDraft(tournamentId: string, keys: ExchangeRequest): Promise<Draft> {
    return this.do({ method: "PUT", path: `/tournaments/${at(tournamentId)}/draft`, body: keys });
  }

  /** Save the next version of your house game.
   * 
   * If the rules are the same, no version is added. */
  changeHouseGame(houseGameId: string, keys: ChangeHouseGameRequest, { expect }: { expect?: number | string | undefined } = {}): Promise<HouseGame> {
    return this.do({ method: "PUT", path: `/house-games/${at(houseGameId)}`, body: keys, expect });
  }

  /** Send a code to your new address.
   * 
   * Your old address stays until you verify the new one. */
  changeMyAddress(keys: AddressChangeRequest): Promise<CodeAsked> {
    return this.do({ method: "PUT", path: `/me/address`, body: keys });
  }

  /** Change your notification settings.
   * 
   * Keys and cells that you leave out stay as they are. */
  changeMyNotificationSettings(keys: PatchedSettingsChangeRequest = {}): Promise<NotificationSettings> {
    return this.do({ method: "PATCH", path: `/me/notifications/settings`, body: keys });
  }

  /** Change or set your password.
   * 
   * All other tokens are revoked and other sessions ended. */
  changeMyPassword(keys: PasswordChangeRequest): Promise<void> {
    return this.do({ method: "POST", path: `/me/password`, body: keys });
  }

  /** Change your account.
   * 
   * Keys that you leave out stay as they are. */
  changeMyProfile(keys: PatchedProfileChangeRequest = {}): Promise<Profile> {
    return this.do({ method: "PATCH", path: `/me`, body: keys });
  }

  /** Change your open room.
   * 
   * Everyone at the table is told. The rules of a tournament's table cannot be changed. */
  changeRoom(gameId: string, keys: PatchedChangeRoomRequest = {}): Promise<Game> {
    return this.do({ method: "PATCH", path: `/games/${at(gameId)}`, body: keys });
  }

  /** Change a tournament.
   * 
   * You can change everything before the start, and `pace` until the end. Objects change key by key; null restores
   * the default. If `If-Match` is stale, the error names the settings that have changed since. */
  changeTournament(tournamentId: string, keys: PatchedPlanChangeRequest = {}, { expect }: { expect?: number | string | undefined } = {}): Promise<Tournament> {
    return this.do({ method: "PATCH", path: `/tournaments/${at(tournamentId)}`, body: keys, expect });
  }

  /** Change one of your webhooks.
   * 
   * One that was switched off can be switched on again. */
  changeWebhook(webhookId: string, keys: PatchedHookChangeRequest = {}): Promise<Hook> {
    return this.do({ method: "PATCH", path: `/me/webhooks/${at(webhookId)}`, body: keys });
  }

  /** List the channels of a room.
   * 
   * Anyone who can see it also sees which chat services and webhooks it posts to. */
  channelsOfGame(gameId: string, keys: ChannelsOfGameQuery = {}): Promise<Channels> {
    return this.do({ method: "GET", path: `/games/${at(gameId)}/channels`, query: keys });
  }

  /** List the channels of a tournament.
   * 
   * Anyone who can see it also sees which chat services and webhooks it posts to. */
  channelsOfTournament(tournamentId: string, keys: ChannelsOfTournamentQuery = {}): Promise<Channels> {
    return this.do({ method: "GET", path: `/tournaments/${at(tournamentId)}/channels`, query: keys });
  }

  /** Check in shortly before the start.
   * 
   * Organisers can do it for others. */
  checkIn(tournamentId: string, entrant: string): Promise<Entry> {
    return this.do({ method: "POST", path: `/tournaments/${at(tournamentId)}/entries/${at(entrant)}/check-in` });
  }

  /** Check the rules of a house game.
   * 
   * Nothing is stored. */
  checkRules(keys: CheckRulesRequest): Promise<CheckedRules> {
    return this.do({ method: "POST", path: `/house-games/check`, body: keys });
  }

  /** Close your account for good.
   * 
   * You leave open rooms and resign running games; your name is deleted. */
  closeMyAccount(keys: ProofRequest = {}): Promise<void> {
    return this.do({ method: "POST", path: `/me/close`, body: keys });
  }

  /** Give your calendar a new address.
   * 
   * Calendar programs read it there, and the previous address stops working. It is shown only this once. Anyone who
   * has it can see your turns and dates, but never a card. */
  createCalendar(): Promise<NewCalendarAddress> {
    return this.do({ method: "POST", path: `/me/ics` });
  }

  /** Post your notifications to a chat service.
   * 
   * Its address is never shown again. */
  createChat(keys: ChatCreationRequest, { key }: { key?: string | undefined } = {}): Promise<Chat> {
    return this.do({ method: "POST", path: `/me/chat`, body: keys, key: key ?? "" });
  }

  /** Create a webhook.
   * 
   * Your notifications are posted to its address, signed by Standard Webhooks. The secret is shown only this once. */
  createWebhook(keys: HookCreationRequest, { key }: { key?: string | undefined } = {}): Promise<NewHook> {
    return this.do({ method: "POST", path: `/me/webhooks`, body: keys, key: key ?? "" });
  }

  /** Decide a proposal as an organiser.
   * 
   * You decide only if `ratify` is `organiser`; otherwise `false` closes the proposal. */
  decideProposal(tournamentId: string, n: number, keys: DecisionRequest): Promise<ProposalWithVotes> {
    return this.do({ method: "POST", path: `/tournaments/${at(tournamentId)}/proposals/${at(n)}/decide`, body: keys });
  }

  /** Delete your house game.
   * 
   * Games that use it go on. */
  deleteHouseGame(houseGameId: string): Promise<void> {
    return this.do({ method: "DELETE", path: `/house-games/${at(houseGameId)}` });
  }

  /** Delete your note.
   * 
   * Without a note, nothing happens. */
  dropNote(gameId: string, { expect }: { expect?: string | undefined } = {}): Promise<void> {
    return this.do({ method: "DELETE", path: `/games/${at(gameId)}/note`, expect });
  }

  /** Drop your plan, if you have one.
   * */
  dropPlan(gameId: string): Promise<void> {
    return this.do({ method: "DELETE", path: `/games/${at(gameId)}/plan` });
  }

  /** Enter a tournament.
   * 
   * Organisers can also add a `player`, who is invited until they accept, or a `bot`. */
  enterTournament(tournamentId: string, keys: NewEntryRequest = {}, { key }: { key?: string | undefined } = {}): Promise<Entry> {
    return this.do({ method: "POST", path: `/tournaments/${at(tournamentId)}/entries`, body: keys, key: key ?? "" });
  }

  /** Explain the deadlines of a game to the second.
   * 
   * Your own shows every pause; those of other players leave out their private hours. */
  explainClock(gameId: string, keys: ExplainClockQuery = {}): Promise<GameClock> {
    return this.do({ method: "GET", path: `/games/${at(gameId)}/clock`, query: keys });
  }

  /** Export your account.
   * 
   * You get everything the service stores about you: your account, tokens without their secrets, games and ratings. */
  exportMyAccount(): Promise<AccountExport> {
    return this.do({ method: "GET", path: `/me/export` });
  }

  /** Export your results.
   * 
   * You get your finished games and tournaments, including private ones, as lines of JSON, oldest first. Each line
   * is an entry as in `GET results`, with its `record`. If the connection breaks, or the last line has no line
   * feed, continue after the `n` of the last whole line. */
  exportMyResults(keys: ExportMyResultsQuery = {}): Promise<string> {
    return this.do({ method: "GET", path: `/me/results`, query: keys });
  }

  /** Finish a tournament.
   * 
   * Running games continue, but their results count only after a ruling, or if the tournament is reopened. */
  finishTournament(tournamentId: string): Promise<Tournament> {
    return this.do({ method: "POST", path: `/tournaments/${at(tournamentId)}/finish` });
  }

  /** Get the game as you saw it at a version.
   * 
   * After the end, everything is shown. */
  gameAtVersion(gameId: string, version: number, keys: GameAtVersionQuery = {}): Promise<Game> {
    return this.do({ method: "GET", path: `/games/${at(gameId)}/history/${at(version)}`, query: keys });
  }

  /** Get one of your chat addresses.
   * */
  getChat(chatId: string): Promise<Chat> {
    return this.do({ method: "GET", path: `/me/chat/${at(chatId)}` });
  }

  /** Get the draft of the next round.
   * 
   * Only organisers see it. */
  getDraft(tournamentId: string, keys: GetDraftQuery = {}): Promise<Draft> {
    return this.do({ method: "GET", path: `/tournaments/${at(tournamentId)}/draft`, query: keys });
  }

  /** Get the proof that nobody chose the cards.
   * 
   * The commitment is there from the start; the secret that opens it follows when the game is finished. How to
   * check them: docs/build/fairness.md. */
  getFairness(gameId: string, keys: GetFairnessQuery = {}): Promise<Fairness> {
    return this.do({ method: "GET", path: `/games/${at(gameId)}/fairness`, query: keys });
  }

  /** Get a room or game as you may see it.
   * 
   * The strong ETag covers the whole body, so that you can poll with `If-None-Match`. */
  getGame(gameId: string, keys: GetGameQuery = {}): Promise<Game> {
    return this.do({ method: "GET", path: `/games/${at(gameId)}`, query: keys, etag: true });
  }

  /** Get a house game.
   * 
   * Anyone who has its id can read it. */
  getHouseGame(houseGameId: string, keys: GetHouseGameQuery = {}): Promise<HouseGame> {
    return this.do({ method: "GET", path: `/house-games/${at(houseGameId)}`, query: keys, etag: true });
  }

  /** Get the lesson of a game.
   * 
   * It has everything that is shown, said and refused at each step. */
  getLesson(game: "castle" | "three_card" | "three_thirteen" | "threes" | "tripp_jokes"): Promise<Lesson> {
    return this.do({ method: "GET", path: `/lessons/${at(game)}`, etag: true });
  }

  /** Find out who would be through to the next stage.
   * 
   * It is the same as what `python -m tournaments.rules stage --early` computes from the record. */
  getNextStage(tournamentId: string, keys: GetNextStageQuery = {}): Promise<NextStage> {
    return this.do({ method: "GET", path: `/tournaments/${at(tournamentId)}/next-stage`, query: keys, etag: true });
  }

  /** Get your note to yourself in a game.
   * 
   * It stays yours after you have left the seat. */
  getNote(gameId: string): Promise<Note> {
    return this.do({ method: "GET", path: `/games/${at(gameId)}/note`, etag: true });
  }

  /** Get your plan in a game.
   * 
   * 404 with the code `no_plan` if you have none. */
  getPlan(gameId: string): Promise<KeptPlan> {
    return this.do({ method: "GET", path: `/games/${at(gameId)}/plan` });
  }

  /** Get a proposal.
   * 
   * It says who has voted, and after the end also how. */
  getProposal(tournamentId: string, n: number, keys: GetProposalQuery = {}): Promise<ProposalWithVotes> {
    return this.do({ method: "GET", path: `/tournaments/${at(tournamentId)}/proposals/${at(n)}`, query: keys });
  }

  /** Get the record of a finished game.
   * 
   * It holds everything that decided the game; `python -m games.rules replay` replays it. */
  getRecord(gameId: string, keys: GetRecordQuery = {}): Promise<Record> {
    return this.do({ method: "GET", path: `/games/${at(gameId)}/record`, query: keys });
  }

  /** Get the review of a finished game.
   * 
   * It must have been requested first. */
  getReview(gameId: string, keys: GetReviewQuery = {}): Promise<Review | Making> {
    return this.do({ method: "GET", path: `/games/${at(gameId)}/review`, query: keys });
  }

  /** Get a round.
   * 
   * It has the tables and their games with results, and says whom each game waits for, since when and until when. */
  getRound(tournamentId: string, number: number, keys: GetRoundQuery = {}): Promise<Round> {
    return this.do({ method: "GET", path: `/tournaments/${at(tournamentId)}/rounds/${at(number)}`, query: keys });
  }

  /** Get the standings.
   * 
   * `bounds` says which places can still be reached. `python -m tournaments.rules standings` computes the same from
   * the record. `at` gives the standings at an earlier time, `stage` those of a single stage. */
  getStandings(tournamentId: string, keys: GetStandingsQuery = {}): Promise<TournamentStandings> {
    return this.do({ method: "GET", path: `/tournaments/${at(tournamentId)}/standings`, query: keys, etag: true });
  }

  /** Get the chat of a table.
   * 
   * Only its players can read it, and the organisers of its tournament. */
  getTalk(gameId: string, keys: GetTalkQuery = {}): Promise<Talk> {
    return this.do({ method: "GET", path: `/games/${at(gameId)}/talk`, query: keys });
  }

  /** Get a tournament.
   * 
   * The strong ETag covers the whole body. */
  getTournament(tournamentId: string, keys: GetTournamentQuery = {}): Promise<Tournament> {
    return this.do({ method: "GET", path: `/tournaments/${at(tournamentId)}`, query: keys, etag: true });
  }

  /** Get the record of a tournament.
   * 
   * Anybody can compute the standings from it with `python -m tournaments.rules standings`. */
  getTournamentRecord(tournamentId: string, keys: GetTournamentRecordQuery = {}): Promise<TournamentRecord> {
    return this.do({ method: "GET", path: `/tournaments/${at(tournamentId)}/record`, query: keys });
  }

  /** Get one of your webhooks.
   * */
  getWebhook(webhookId: string): Promise<Hook> {
    return this.do({ method: "GET", path: `/me/webhooks/${at(webhookId)}` });
  }

  /** Hide a message at a table of your tournament.
   * 
   * Its author is told why. */
  hideMessage(gameId: string, number: number, keys: HideRequest): Promise<void> {
    return this.do({ method: "POST", path: `/games/${at(gameId)}/talk/${at(number)}/hide`, body: keys });
  }

  /** List the addresses of this API by name.
   * 
   * Those with parameters are URI templates (RFC 6570). */
  index(): Promise<{ [key: string]: string }> {
    return this.do({ method: "GET", path: `/` });
  }

  /** Invite a player to your open room.
   * 
   * The player is told once, with a link to the table. */
  invitePlayer(gameId: string, keys: InviteRequest): Promise<void> {
    return this.do({ method: "POST", path: `/games/${at(gameId)}/invite`, body: keys });
  }

  /** Join an open room.
   * 
   * A private room needs its invitation code. */
  joinGame(gameId: string, keys: JoinRequest = {}): Promise<Game> {
    return this.do({ method: "POST", path: `/games/${at(gameId)}/join`, body: keys });
  }

  /** Save a plan for your next turns.
   * 
   * It replaces your current plan. Nobody else is told that you have one.
   * 
   * When your turn begins, the first line whose conditions are true and whose move is legal is played within two
   * seconds. A plan saved during your turn also applies to the rest of that turn. */
  keepPlan(gameId: string, plan: Plan): Promise<KeptPlan> {
    return this.do({ method: "PUT", path: `/games/${at(gameId)}/plan`, body: plan });
  }

  /** Remove somebody from an open room.
   * 
   * Only the opener can do this. */
  kickPlayer(gameId: string, keys: KickRequest): Promise<Game> {
    return this.do({ method: "POST", path: `/games/${at(gameId)}/kick`, body: keys });
  }

  /** Lay out your hand of Three Thirteen.
   * 
   * You get the melds, the cards left over and their penalty. */
  layOut(gameId: string, keys: LayOutQuery = {}): Promise<LayOut> {
    return this.do({ method: "GET", path: `/games/${at(gameId)}/lay_out`, query: keys });
  }

  /** Get a leaderboard, best first.
   * 
   * `around=me` gives the page with you on it. */
  leaderboard(game: "castle" | "three_card" | "three_thirteen" | "threes" | "tripp_jokes", keys: LeaderboardQuery = {}): Promise<Board> {
    return this.do({ method: "GET", path: `/leaderboards/${at(game)}`, query: keys });
  }

  /** Leave an open room.
   * 
   * Later seats move up. To leave a running game, play the move `resign`. */
  leaveGame(gameId: string): Promise<Game> {
    return this.do({ method: "POST", path: `/games/${at(gameId)}/leave` });
  }

  /** List your legal moves.
   * 
   * Each has `send`, a complete move that you can post as it is. If there are none, `reason` says why. */
  legalMoves(gameId: string, keys: LegalMovesQuery = {}): Promise<LegalMoves> {
    return this.do({ method: "GET", path: `/games/${at(gameId)}/moves`, query: keys });
  }

  /** List the entries, in the order of entry.
   * */
  listEntries(tournamentId: string, keys: ListEntriesQuery = {}): Promise<PaginatedEntryList> {
    return this.do({ method: "GET", path: `/tournaments/${at(tournamentId)}/entries`, query: keys });
  }

  /** List the events of a game, oldest first.
   * 
   * Parts that you cannot see are null until the game is over. */
  listEvents(gameId: string, keys: ListEventsQuery = {}): Promise<PaginatedEventList> {
    return this.do({ method: "GET", path: `/games/${at(gameId)}/events`, query: keys });
  }

  /** List public rooms and games and your own, newest first.
   * */
  listGames(keys: ListGamesQuery = {}): Promise<PaginatedGameList> {
    return this.do({ method: "GET", path: `/games`, query: keys });
  }

  /** List the public house games, or your own.
   * 
   * The most played come first. */
  listHouseGames(keys: ListHouseGamesQuery = {}): Promise<PaginatedHouseGameEntryList> {
    return this.do({ method: "GET", path: `/house-games`, query: keys });
  }

  /** List the lessons, one for each game.
   * 
   * There is only one page. */
  listLessons(): Promise<PaginatedLessonEntryList> {
    return this.do({ method: "GET", path: `/lessons`, etag: true });
  }

  /** List the people you have played with.
   * 
   * These are players with whom you finished a private game or at least two others, the most recent first, at most
   * 200. Nobody else sees the list. Players who set `not_in_people` or blocked you are left out. */
  listMyPeople(): Promise<People> {
    return this.do({ method: "GET", path: `/me/people` });
  }

  /** List the games that wait for you, most urgent first.
   * */
  listMyTurns(keys: ListMyTurnsQuery = {}): Promise<PaginatedGameList> {
    return this.do({ method: "GET", path: `/me/turns`, query: keys });
  }

  /** List the organisers.
   * */
  listOrganisers(tournamentId: string, keys: ListOrganisersQuery = {}): Promise<PaginatedPlayerRefList> {
    return this.do({ method: "GET", path: `/tournaments/${at(tournamentId)}/organisers`, query: keys });
  }

  /** List the proposals to ratify rules, newest first.
   * */
  listProposals(tournamentId: string, keys: ListProposalsQuery = {}): Promise<PaginatedProposalList> {
    return this.do({ method: "GET", path: `/tournaments/${at(tournamentId)}/proposals`, query: keys });
  }

  /** List the public games and tournaments that ended, oldest first.
   * 
   * The list is the same for everyone. A game or tournament that is voided, restored, or reopened and finished
   * again gets a new entry with a greater `n`; all its entries show the current state. */
  listResults(keys: ListResultsQuery = {}): Promise<Results> {
    return this.do({ method: "GET", path: `/results`, query: keys });
  }

  /** List the rounds.
   * 
   * Each has its tables with their games and results. */
  listRounds(tournamentId: string, keys: ListRoundsQuery = {}): Promise<PaginatedRoundList> {
    return this.do({ method: "GET", path: `/tournaments/${at(tournamentId)}/rounds`, query: keys });
  }

  /** List the games with their rulesets, options and plans.
   * 
   * Options and plans are JSON Schemas, from which a client can draw a form. There is only one page. */
  listRulesets(): Promise<PaginatedGameRulesList> {
    return this.do({ method: "GET", path: `/rulesets`, etag: true });
  }

  /** List the rulings with their reasons, newest first.
   * */
  listRulings(tournamentId: string, keys: ListRulingsQuery = {}): Promise<PaginatedRulingList> {
    return this.do({ method: "GET", path: `/tournaments/${at(tournamentId)}/rulings`, query: keys });
  }

  /** List the events of a tournament, oldest first.
   * 
   * Each event says who caused it. */
  listTournamentEvents(tournamentId: string, keys: ListTournamentEventsQuery = {}): Promise<PaginatedTournamentEventList> {
    return this.do({ method: "GET", path: `/tournaments/${at(tournamentId)}/events`, query: keys });
  }

  /** List the games of a tournament, newest first.
   * 
   * Each has its result, or says whom it waits for. */
  listTournamentGames(tournamentId: string, keys: ListTournamentGamesQuery = {}): Promise<PaginatedTournamentGameList> {
    return this.do({ method: "GET", path: `/tournaments/${at(tournamentId)}/games`, query: keys });
  }

  /** List public tournaments and your own, newest first.
   * */
  listTournaments(keys: ListTournamentsQuery = {}): Promise<PaginatedTournamentList> {
    return this.do({ method: "GET", path: `/tournaments`, query: keys });
  }

  /** Log in with the code to get a new token.
   * */
  logInByCode(keys: CodeLoginRequest): Promise<Token> {
    return this.do({ method: "POST", path: `/auth/code/login`, body: keys });
  }

  /** Log out.
   * 
   * This revokes the token of the call, or ends the session of the page. */
  logOut(): Promise<void> {
    return this.do({ method: "POST", path: `/auth/logout` });
  }

  /** Get your email address.
   * 
   * Nobody else sees it. */
  myAddress(): Promise<OwnAddress> {
    return this.do({ method: "GET", path: `/me/address` });
  }

  /** List the players you have blocked, newest first.
   * 
   * Nobody else sees the list. */
  myBlockedPlayers(keys: MyBlockedPlayersQuery = {}): Promise<PaginatedBlockedList> {
    return this.do({ method: "GET", path: `/me/blocked`, query: keys });
  }

  /** List your browsers that get pushes, and whether they work.
   * */
  myBrowsers(keys: MyBrowsersQuery = {}): Promise<PaginatedPushList> {
    return this.do({ method: "GET", path: `/me/push`, query: keys });
  }

  /** Get the state of your calendar's address.
   * 
   * You see when it was created and last read. */
  myCalendar(): Promise<CalendarAddress> {
    return this.do({ method: "GET", path: `/me/ics` });
  }

  /** List your chat addresses.
   * 
   * You also see whether they work, and which services the operator offers. */
  myChats(keys: MyChatsQuery = {}): Promise<PaginatedChatList> {
    return this.do({ method: "GET", path: `/me/chat`, query: keys });
  }

  /** Get your notification settings, defaults included.
   * */
  myNotificationSettings(): Promise<NotificationSettings> {
    return this.do({ method: "GET", path: `/me/notifications/settings` });
  }

  /** List your notifications, newest first.
   * 
   * Each says what happened to it on every channel. */
  myNotifications(keys: MyNotificationsQuery = {}): Promise<PaginatedNotificationList> {
    return this.do({ method: "GET", path: `/me/notifications`, query: keys });
  }

  /** Get your account.
   * */
  myProfile(): Promise<Profile> {
    return this.do({ method: "GET", path: `/me` });
  }

  /** List the chats of your tables.
   * 
   * Only those with messages are listed, unread ones first. */
  myTalks(): Promise<PaginatedOwnTalkList> {
    return this.do({ method: "GET", path: `/me/talk` });
  }

  /** List your valid tokens, newest first.
   * */
  myTokens(keys: MyTokensQuery = {}): Promise<PaginatedTokenInfoList> {
    return this.do({ method: "GET", path: `/me/tokens`, query: keys });
  }

  /** List your webhooks, and whether they work.
   * */
  myWebhooks(keys: MyWebhooksQuery = {}): Promise<PaginatedHookList> {
    return this.do({ method: "GET", path: `/me/webhooks`, query: keys });
  }

  /** Make a link for a guest who lost the browser.
   * 
   * It works once, within a day, and ends the guest's other sessions. A newer link replaces it. It stops working
   * when the session or token that made it ends. */
  newGuestLink(tournamentId: string, entrant: string): Promise<GuestLink> {
    return this.do({ method: "POST", path: `/tournaments/${at(tournamentId)}/entries/${at(entrant)}/link` });
  }

  /** Open a tournament for entries.
   * */
  openRegistration(tournamentId: string): Promise<Tournament> {
    return this.do({ method: "POST", path: `/tournaments/${at(tournamentId)}/open` });
  }

  /** Open a room and sit down in it.
   * 
   * For a private room, the response contains the `invitation` code. */
  openRoom(keys: OpenRoomRequest, { key }: { key?: string | undefined } = {}): Promise<Game> {
    return this.do({ method: "POST", path: `/games`, body: keys, key: key ?? "" });
  }

  /** Open a season's room and sit down in it.
   * 
   * Only entrants can join. */
  openSeasonGame(tournamentId: string, keys: SeasonGameRequest = {}, { key }: { key?: string | undefined } = {}): Promise<Game> {
    return this.do({ method: "POST", path: `/tournaments/${at(tournamentId)}/games`, body: keys, key: key ?? "" });
  }

  /** Play a move.
   * 
   * Post what a legal move has in `send`, or a move of your own. With an `Idempotency-Key` a retry is safe: the
   * move is applied once, and the response is the same for 30 days. */
  playMove(gameId: string, move: Move, { key, expect }: { key?: string | undefined; expect?: number | string | undefined } = {}): Promise<Played> {
    return this.do({ method: "POST", path: `/games/${at(gameId)}/moves`, body: move, key: key ?? "", expect });
  }

  /** Get a player's public profile.
   * 
   * It has the player's rated games, places, ratings and ranks. */
  player(username: string): Promise<PublicProfile> {
    return this.do({ method: "GET", path: `/players/${at(username)}` });
  }

  /** Propose rules for a running tournament.
   * 
   * With `confirm`, you propose the current rules. With `dry_run`, nothing happens, and the response (200) is the
   * proposal as it would be. */
  propose(tournamentId: string, keys: ProposalAskedRequest, { key }: { key?: string | undefined } = {}): Promise<ProposalWithVotes> {
    return this.do({ method: "POST", path: `/tournaments/${at(tournamentId)}/proposals`, body: keys, key: key ?? "" });
  }

  /** Publish the draft.
   * 
   * This seats the round as drafted and opens its games. */
  publishDraft(tournamentId: string): Promise<Tournament> {
    return this.do({ method: "POST", path: `/tournaments/${at(tournamentId)}/draft/publish` });
  }

  /** Get the `applicationServerKey` with which browsers subscribe.
   * */
  pushKey(): Promise<PushKey> {
    return this.do({ method: "GET", path: `/me/push/key` });
  }

  /** Get a player's ratings with their history.
   * */
  ratings(username: string, keys: RatingsQuery = {}): Promise<Ratings> {
    return this.do({ method: "GET", path: `/players/${at(username)}/ratings`, query: keys });
  }

  /** Mark your notifications as read, up to a number.
   * */
  readMyNotifications(keys: ReadRequest): Promise<Unread> {
    return this.do({ method: "POST", path: `/me/notifications/read`, body: keys });
  }

  /** Mark a table's chat as read, up to a message.
   * */
  readTalk(gameId: string, keys: TalkReadRequest): Promise<void> {
    return this.do({ method: "POST", path: `/games/${at(gameId)}/talk/read`, body: keys });
  }

  /** Play again with the same people.
   * 
   * The first request opens the room, the others join it.
   * 
   * The seats are kept for the same players for a day. */
  rematch(gameId: string, keys: RematchRequest = {}, { key }: { key?: string | undefined } = {}): Promise<Game> {
    return this.do({ method: "POST", path: `/games/${at(gameId)}/rematch`, body: keys, key: key ?? "" });
  }

  /** Remove the address of your calendar.
   * */
  removeCalendar(): Promise<void> {
    return this.do({ method: "DELETE", path: `/me/ics` });
  }

  /** Remove a channel from your room.
   * 
   * Everyone at the table is told. */
  removeChannelOfGame(gameId: string, channelId: string): Promise<void> {
    return this.do({ method: "DELETE", path: `/games/${at(gameId)}/channels/${at(channelId)}` });
  }

  /** Remove a channel from your tournament.
   * 
   * Entrants are told. */
  removeChannelOfTournament(tournamentId: string, channelId: string): Promise<void> {
    return this.do({ method: "DELETE", path: `/tournaments/${at(tournamentId)}/channels/${at(channelId)}` });
  }

  /** Remove one of your chat addresses.
   * */
  removeChat(chatId: string): Promise<void> {
    return this.do({ method: "DELETE", path: `/me/chat/${at(chatId)}` });
  }

  /** Remove the address from your account.
   * 
   * The address gets an email about it. */
  removeMyAddress(keys: ProofRequest = {}): Promise<void> {
    return this.do({ method: "DELETE", path: `/me/address`, body: keys });
  }

  /** Remove an organiser.
   * 
   * You can also step down yourself. The last organiser cannot be removed. */
  removeOrganiser(tournamentId: string, keys: OrganiserRequest): Promise<PaginatedPlayerRefList> {
    return this.do({ method: "DELETE", path: `/tournaments/${at(tournamentId)}/organisers`, body: keys });
  }

  /** Remove one of your webhooks.
   * */
  removeWebhook(webhookId: string): Promise<void> {
    return this.do({ method: "DELETE", path: `/me/webhooks/${at(webhookId)}` });
  }

  /** Renew the invitation of a tournament.
   * 
   * The old code stops working; existing entries stay. */
  renewInvitation(tournamentId: string): Promise<Tournament> {
    return this.do({ method: "POST", path: `/tournaments/${at(tournamentId)}/invitation` });
  }

  /** Reopen a finished tournament.
   * 
   * This is a ruling, with a reason.
   * 
   * With `dry_run`, nothing happens, and the response says what would change. */
  reopenTournament(tournamentId: string, keys: ReopeningRequest): Promise<Reopened> {
    return this.do({ method: "POST", path: `/tournaments/${at(tournamentId)}/reopen`, body: keys });
  }

  /** Resend what a webhook missed.
   * 
   * Deliveries since `since` are sent again, with the same ids. */
  replayWebhook(webhookId: string, keys: ReplayRequest): Promise<Replayed> {
    return this.do({ method: "POST", path: `/me/webhooks/${at(webhookId)}/replay`, body: keys });
  }

  /** Report a message to staff and organisers.
   * 
   * They get a copy of the message and of the ten before it. */
  report(gameId: string, number: number, keys: ReportRequest, { key }: { key?: string | undefined } = {}): Promise<Report> {
    return this.do({ method: "POST", path: `/games/${at(gameId)}/talk/${at(number)}/report`, body: keys, key: key ?? "" });
  }

  /** Report a public house game to staff.
   * */
  reportHouseGame(houseGameId: string, keys: HouseReportRequest, { key }: { key?: string | undefined } = {}): Promise<HouseReport> {
    return this.do({ method: "POST", path: `/house-games/${at(houseGameId)}/report`, body: keys, key: key ?? "" });
  }

  /** Reset your password with the code.
   * 
   * All your tokens are revoked and your sessions ended. */
  resetMyPassword(keys: ResetRequest): Promise<void> {
    return this.do({ method: "POST", path: `/auth/reset/password`, body: keys });
  }

  /** Revoke one of your tokens.
   * */
  revokeMyToken(tokenId: string): Promise<void> {
    return this.do({ method: "DELETE", path: `/me/tokens/${at(tokenId)}` });
  }

  /** Log out everywhere.
   * 
   * All your tokens are revoked and your sessions ended, including those of this call. */
  revokeMyTokens(): Promise<void> {
    return this.do({ method: "DELETE", path: `/me/tokens` });
  }

  /** Replace the secret of a webhook.
   * 
   * The new one is shown only this once. For a day, deliveries are signed with the old one, too. */
  rotateWebhookSecret(webhookId: string): Promise<NewHook> {
    return this.do({ method: "POST", path: `/me/webhooks/${at(webhookId)}/rotate` });
  }

  /** Make a ruling.
   * 
   * With `dry_run`, nothing happens, and the response (200) says what would change. */
  rule(tournamentId: string, keys: RulingAskedRequest, { key, expect }: { key?: string | undefined; expect?: number | string | undefined } = {}): Promise<Ruled> {
    return this.do({ method: "POST", path: `/tournaments/${at(tournamentId)}/rulings`, body: keys, key: key ?? "", expect });
  }

  /** Save a house game.
   * 
   * Its rules are its first version. */
  saveHouseGame(keys: SaveHouseGameRequest, { key }: { key?: string | undefined } = {}): Promise<HouseGame> {
    return this.do({ method: "POST", path: `/house-games`, body: keys, key: key ?? "" });
  }

  /** Report that you see a game.
   * 
   * You get no more notifications about this version. */
  sawGame(gameId: string, keys: SeenRequest): Promise<void> {
    return this.do({ method: "POST", path: `/games/${at(gameId)}/seen`, body: keys });
  }

  /** Write a message at a table.
   * 
   * It cannot be edited, but it can be taken back. */
  say(gameId: string, keys: SayRequest = {}, { key }: { key?: string | undefined } = {}): Promise<TalkMessage> {
    return this.do({ method: "POST", path: `/games/${at(gameId)}/talk`, body: keys, key: key ?? "" });
  }

  /** Seat the next round.
   * 
   * With pace `manual` it is drafted, or drafted again. */
  seatNextRound(tournamentId: string): Promise<Tournament> {
    return this.do({ method: "POST", path: `/tournaments/${at(tournamentId)}/next-round` });
  }

  /** Set up a tournament.
   * 
   * You are its organiser, and it begins as a draft. The response has all settings, defaults included. With
   * `after`, it succeeds one of your tournaments that is over: it copies the settings and the last rules, and
   * invites the other organisers and everyone who was in at the end. With `from_game`, it is a private season for
   * the players of a finished game of yours: it has begun, you are in, and they are invited. */
  setUpTournament(keys: SetUpRequest = {}, { key }: { key?: string | undefined } = {}): Promise<Tournament> {
    return this.do({ method: "POST", path: `/tournaments`, body: keys, key: key ?? "" });
  }

  /** Show a hidden message again.
   * */
  showMessage(gameId: string, number: number): Promise<void> {
    return this.do({ method: "DELETE", path: `/games/${at(gameId)}/talk/${at(number)}/hide` });
  }

  /** Sign up.
   * 
   * Then log in with the same name and password to get a token. */
  signUp(keys: SignUpRequest): Promise<Profile> {
    return this.do({ method: "POST", path: `/players`, body: keys });
  }

  /** Start the game with the players at the table.
   * 
   * Only the opener can do this. */
  startGame(gameId: string): Promise<Game> {
    return this.do({ method: "POST", path: `/games/${at(gameId)}/start` });
  }

  /** Start a tournament with the entrants who are in.
   * 
   * With pace `manual` the first round is drafted. */
  startTournament(tournamentId: string): Promise<Tournament> {
    return this.do({ method: "POST", path: `/tournaments/${at(tournamentId)}/start` });
  }

  /** Push your notifications to a browser.
   * 
   * Send its `PushSubscription` as it is. Sending it again changes nothing. It ends with the session or token of
   * this call. */
  subscribeBrowser(keys: SubscriptionRequest): Promise<Push> {
    return this.do({ method: "POST", path: `/me/push`, body: keys });
  }

  /** Take back a message of yours.
   * 
   * Its number and time stay. */
  takeBack(gameId: string, number: number): Promise<void> {
    return this.do({ method: "DELETE", path: `/games/${at(gameId)}/talk/${at(number)}` });
  }

  /** Take your seat back from the bot.
   * 
   * If it is your turn, its time starts afresh. */
  takeSeatBack(gameId: string): Promise<Game> {
    return this.do({ method: "POST", path: `/games/${at(gameId)}/return` });
  }

  /** Post a test to a channel.
   * 
   * You must have added the channel. Afterwards `tested_at` is set, and `error` says what failed. */
  testChannelOfGame(gameId: string, channelId: string): Promise<Channel> {
    return this.do({ method: "POST", path: `/games/${at(gameId)}/channels/${at(channelId)}/test` });
  }

  /** Post a test to a channel.
   * 
   * You must have added the channel. Afterwards `tested_at` is set, and `error` says what failed. */
  testChannelOfTournament(tournamentId: string, channelId: string): Promise<Channel> {
    return this.do({ method: "POST", path: `/tournaments/${at(tournamentId)}/channels/${at(channelId)}/test` });
  }

  /** Post a test to a chat address of yours.
   * 
   * Afterwards `tested_at` is set, and `error` says what failed. */
  testChat(chatId: string): Promise<Chat> {
    return this.do({ method: "POST", path: `/me/chat/${at(chatId)}/test` });
  }

  /** Try what a plan would do now.
   * 
   * If it is not your turn, the plan is tried as if your turn began now. Nothing is saved. */
  tryPlan(gameId: string, plan: Plan): Promise<PlanVerdict> {
    return this.do({ method: "POST", path: `/games/${at(gameId)}/plan/try`, body: plan });
  }

  /** Unblock a player.
   * */
  unblockPlayer(username: string): Promise<void> {
    return this.do({ method: "DELETE", path: `/me/blocked/${at(username)}` });
  }

  /** End the pushes to one of your browsers.
   * */
  unsubscribeBrowser(subscriptionId: string): Promise<void> {
    return this.do({ method: "DELETE", path: `/me/push/${at(subscriptionId)}` });
  }

  /** Verify your new address with the code.
   * 
   * The old address gets an email about it. */
  verifyMyAddress(keys: CodeRequest): Promise<OwnAddress> {
    return this.do({ method: "POST", path: `/me/address/verify`, body: keys });
  }

  /** Compare two players.
   * 
   * Only rated games with both players count. */
  versus(username: string, other: string): Promise<Versus> {
    return this.do({ method: "GET", path: `/players/${at(username)}/versus/${at(other)}` });
  }

  /** Vote on a proposal.
   * 
   * You can change your vote as long as the proposal is open. */
  vote(tournamentId: string, n: number, keys: VoteRequest): Promise<ProposalWithVotes> {
    return this.do({ method: "PUT", path: `/tournaments/${at(tournamentId)}/proposals/${at(n)}/vote`, body: keys });
  }

  /** Withdraw from a tournament.
   * 
   * Running games go on unless `resign` is true. Organisers can do it for others. */
  withdraw(tournamentId: string, entrant: string, keys: WithdrawRequest = {}): Promise<Entry> {
    return this.do({ method: "POST", path: `/tournaments/${at(tournamentId)}/entries/${at(entrant)}/withdraw`, body: keys });
  }

  /** Withdraw your own proposal, as long as it is open.
   * */
  withdrawProposal(tournamentId: string, n: number): Promise<ProposalWithVotes> {
    return this.do({ method: "DELETE", path: `/tournaments/${at(tournamentId)}/proposals/${at(n)}` });
  }

  /** Write your note in a game, replacing the current one.
   * 
   * Nobody else is told that you have one. */
  writeNote(gameId: string, keys: NoteRequest, { expect }: { expect?: string | undefined } = {}): Promise<Note> {
    return this.do({ method: "PUT", path: `/games/${at(gameId)}/note`, body: keys, expect });
  }

  /** Write to all entrants.
   * 
   * With `dry_run`, nothing is sent (200). */
  writeToEntrants(tournamentId: string, keys: MessageRequest, { key }: { key?: string | undefined } = {}): Promise<Sent> {
    return this.do({ method: "POST", path: `/tournaments/${at(tournamentId)}/messages`, body: keys, key: key ?? "" });
  }
}
