/** What happened, in sentences: the player's name first, cards as symbols. The same facts as `games/notation.py`, in the past tense. */

import { cardName, pretty, rankName, rankNames, rankText } from "./cards.js";

export const CALLS = {
  kerchoo: "“Kerchoo!”",
  number_of_the_beast: "“The number of the beast!”",
  lucky_number_of_the_beast: "“The LUCKY number of the beast!”",
  exorcism: "An exorcism.",
  on_the_train: "On the train.",
  who_dealt: "“Who the fuck dealt?”",
};
const ENDINGS = {
  out: "a player is out of cards",
  stalemate: "nobody could make progress",
  agreed: "all agreed to end it",
  rounds: "the last round is scored",
};
/** Why a game ended. Whoever resigned has no score (CONTRACT). */
function ending({ ended_by: by, placements }, who) {
  if (by !== "resignation") return ENDINGS[by] ?? by;
  const resigned = placements.filter(({ score }) => score === null).map(({ seat }) => whom(who(seat)));
  return `${listed(resigned)} resigned`;
}

const CALLED_OFF = "The game was called off.";
const CLOSED = {
  ten: "A 10 closes the pile",
  joker: "The joker closes the pile",
  three_in_a_row: "Three of a rank close the pile",
  four_in_a_row: "Four of a rank close the pile",
  set_of_four: "The set of four closes the pile",
};
// What players and the service call a game off for; a ruling has a reason in words.
const OWN_REASONS = ["agreed", "opener", "idle", "empty"];
const COUNTS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

/** "2 cards", "1 card". */
export function cards(count) {
  return `${count} card${count === 1 ? "" : "s"}`;
}

/** "1st", "2nd", "11th". */
export function ordinal(place) {
  const tens = place % 100;
  return `${place}${tens >= 11 && tens <= 13 ? "th" : (["th", "st", "nd", "rd"][place % 10] ?? "th")}`;
}

/** "7♥ 7♦" for the eye. */
export function written(codes) {
  return codes.map(pretty).join(" ");
}

/** "seven of hearts and seven of diamonds" for the ear. */
export function spoken(codes) {
  return listed(codes.map(cardName));
}

/** A sentence for the ear: "You played 7♥ 7♦." becomes "You played seven of hearts, seven of diamonds." */
export function aloud(text) {
  const suits = { "♠": "S", "♥": "H", "♦": "D", "♣": "C" };
  const card = (rank, suit) => cardName(`${rank === "10" ? "T" : rank}${suits[suit]}`);
  return text
    .replaceAll("\uFE0E", "")
    .replace(/([♠♥♦♣]|★[RB]) (?=(?:10|[2-9JQKA])[♠♥♦♣]|★)/g, "$1, ")
    .replace(/(10|[2-9JQKA])([♠♥♦♣])/g, (_, rank, suit) => card(rank, suit))
    .replace(/★([RB])/g, (_, colour) => cardName(`X${colour}`));
}

/** "a, b and c". */
export function listed(parts) {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}

/** A name for a sentence: one that is written from right to left turns nothing round that stands beside it. */
export const isolated = (name) => (/[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(name) ? `\u2068${name}\u2069` : name);

/** Who does something together, at the head of a sentence: "You, ada and bob". */
export const together = (names) => listed([...names].sort((one, other) => (other === "You") - (one === "You")));

/** "Two sevens", "the seven of hearts": what a button names. */
export function named(codes) {
  if (codes.length === 1) return `the ${cardName(codes[0])}`;
  const ranks = new Set(codes.map((code) => code[0]));
  const count = COUNTS[codes.length] ?? `${codes.length}`;
  return ranks.size === 1 ? `${count} ${rankNames(codes[0][0])}` : `${count} cards`;
}

/** The games in which any card may open: the page knows. */
export const anyCardOpens = new Set();

/** What a shedding game's pile asks for: "7 or lower", "anything goes". */
export function asksFor(view) {
  if (view.to_beat) return `${rankText(view.to_beat.rank)} or ${view.to_beat.or}`;
  // No card has been played: all hands are as they were dealt.
  const opens = !anyCardOpens.has(view.game) && !view.pile.length && !view.out_of_play.length && view.players.every(({ place, hand_count: held }) => place || held === 3);
  return opens ? "the lowest card opens" : "anything goes";
}

const EFFECTS = {
  opening: (effect, who) => `${together(effect.seats.map(who))} may open${effect.rank ? ` with ${rankNames(effect.rank)}` : ""}.`,
  opened: (effect, who) => (effect.raced.length ? `${together(effect.raced.map(who))} lost the race to open.` : null),
  lifted: (effect) => `${pretty(effect.card)} could not be played and went to the hand.`,
  shown: (effect) => `${pretty(effect.card)} could not be played and lies open now.`,
  picked_up: (effect, who, seat) => (effect.seat === seat ? null : `${who(effect.seat)} took ${cards(effect.cards.length)}.`),
  closed: (effect) => `${CLOSED[effect.why] ?? "The pile is closed"}.`,
  drew_to_pile: (effect) => `${pretty(effect.card)} went from the stock onto the pile.`,
  face_up_to_hand: (effect, who) => `${who(effect.seat)} took up the face-up cards.`,
  turned_round: (effect) => `Play goes ${effect.direction === 1 ? "clockwise" : "anticlockwise"} now.`,
  out: (effect, who) => `${who(effect.seat)} ${who(effect.seat) === "You" ? "are" : "is"} out of cards: ${ordinal(effect.place)} place.`,
};

const MOVES = {
  arrange: (move) => (move.face_up ? `laid ${written(move.face_up)} face up` : "chose what lies face up"),
  play: (move) => `played ${written(move.cards)}`,
  flip: (move, data) => {
    const laid = data.effects.find((effect) => effect.effect === "laid");
    return laid ? `turned over ${written(laid.cards)}` : "turned over a face-down card";
  },
  pick_up: (_, data) => {
    const taken = data.effects.find((effect) => effect.effect === "picked_up");
    return `took the pile${taken ? ` (${cards(taken.cards.length)})` : ""}`;
  },
  draw: (move, data) => {
    if (move.from === "discard") return "took the top discard";
    const own = data.card ?? data.effects?.find((effect) => effect.effect === "drew")?.cards?.[0];
    return own ? `drew ${pretty(own)}` : "drew a card";
  },
  end_turn: () => "ended the turn",
  discard: (move) => `discarded ${pretty(move.card)}`,
  go_out: (move) => `went out, discarding ${pretty(move.discard)}`,
  resign: () => "resigned",
  settle: (_, data, seat) => (data.effects?.some((effect) => effect.effect === "settled" && !effect.seats.includes(seat)) ? "chose to play on after all" : "agreed to end the game as it stands"),
};

// For the middle of a sentence.
const whom = (who) => (who === "You" ? "you" : who);
const TOLD = {
  opened: () => "The room was opened.",
  joined: (_, who) => `${who} sat down.`,
  left: (_, who) => `${who} left.`,
  kicked: (_, who) => `${who} was sent out.`,
  changed: () => "The rules of the room changed.",
  started: (data) => `The game started with ${data.seats} players.`,
  dealt: (data) => (data.round ? `Round ${data.round} was dealt: ${rankNames(data.wild)} are wild.` : "The cards were dealt."),
  bot_seated: (_, who) => `A bot plays for ${whom(who)} now.`,
  player_returned: (_, who) => `${who} took the seat back.`,
  player_replaced: (_, who) => `${who} took the seat over.`,
  // A bot that takes the seat, or a resignation, is an event of its own.
  timed_out: (data, who) => `${who} ran out of time.${data.action === "play" ? ` A move was made for ${who === "You" ? "you" : "them"}.` : ""}`,
  deadline_moved: (_, who) => `${who === "You" ? "Your deadline" : `The deadline of ${who}`} moved.`,
  turn_extended: (data, who) => `${who} got more time.`,
  cancel_agreed: (_, who) => `${who} agreed to call the game off.`,
  called_off: ({ reason }) => (OWN_REASONS.includes(reason) ? CALLED_OFF : `${CALLED_OFF.slice(0, -1)}: ${reason}`),
  finished: (data, _, name) => `The game is over: ${ending(data.result, name)}.`,
  voided: (data) => `The game was declared void: ${data.reason}`,
  restored: () => "The game counts again.",
  round_scored: (data, _, name) => `Round ${data.round}: ${listed(data.scores.map((score, seat) => `${whom(name(seat))} ${score.penalty}`))}.`,
};

/** An event as one line of sentences, or "" for one that needs no words. `names` in seat order, `own` the reader's seat. */
export function sentence(event, names, own = null) {
  const who = (seat) => (seat === own ? "You" : (names[seat] ?? `Seat ${seat}`));
  const { data, seat } = event;
  if (data.move) {
    const said = [`${who(seat)} ${(MOVES[data.move.move] ?? (() => event.type.replace("_", " ")))(data.move, data, seat)}.`];
    for (const effect of data.effects ?? []) {
      const told = EFFECTS[effect.effect]?.(effect, who, data.move.move === "pick_up" ? effect.seat : null);
      if (told) said.push(told);
    }
    for (const call of data.calls ?? []) if (CALLS[call]) said.push(CALLS[call]);
    if (data.planned) said.push("As planned.");
    return said.join(" ");
  }
  const told = TOLD[event.type];
  return told ? told(data, seat === null ? "Somebody" : who(seat), who) : "";
}

/** Whether several may open, of whom the first to play does (CA2). */
export function isRace(view) {
  return view.status === "playing" && view.to_act.length > 1;
}

/** Whose turn it is, and what is asked, in one line: "Your turn. 7 or lower." */
export function now(view, names, own) {
  if (!view) return "No cards have been dealt yet.";
  if (view.result) return outcome(view, names, own);
  if (!view.to_act.length) return CALLED_OFF;
  const acting = view.to_act.map((seat) => names[seat] ?? `Seat ${seat}`);
  const mine = own !== null && view.to_act.includes(own);
  if (view.status === "setup") return mine ? "Choose three cards to lie face up. You play them when your hand and the stock are gone." : `${listed(acting)} still choose${acting.length === 1 ? "s" : ""} face-up cards.`;
  if (isRace(view)) return `${listed(mine ? ["You", ...acting.filter((_, at) => view.to_act[at] !== own)] : acting)} may open with the lowest card: the first to play does.`;
  const whose = mine ? (view.bonus ? (view.bonus === "must" ? "You must play again." : "You may play again.") : "Your turn.") : acting.length ? `${listed(acting)} to play.` : "";
  if ("pile" in view) return `${whose} Now: ${asksFor(view)}.`;
  const step = mine ? (view.step === "draw" ? "Draw a card." : "Discard a card.") : "";
  if (view.went_out === null) return [whose, step].filter(Boolean).join(" ");
  const out = view.went_out === own ? "You" : names[view.went_out];
  return mine ? `${out} went out: this is your last turn. ${step}` : `${out} went out. ${whose}`;
}

/** How it ended for the reader, in a few words; null for whoever has no place. `byBot`: a bot played to the end. */
export function headline(view, own, byBot) {
  const rows = view.result?.placements ?? [];
  const place = rows.find(({ seat }) => seat === own)?.place;
  if (!place) return null;
  if (byBot) return `A bot finished it for you: ${ordinal(place)}`;
  const shared = rows.filter((row) => row.place === place).length > 1;
  if (shared) return `You share ${ordinal(place)} place`;
  return place === 1 ? "You won" : `You came ${ordinal(place)} of ${rows.length}`;
}

/** The end, with all places. */
export function outcome(view, names, own) {
  // A score is what is left in a shedding game, and the penalty in Three Thirteen.
  const held = (score) => ("pile" in view ? (score ? ` (${cards(score)} left)` : "") : ` (${score} points)`);
  const rows = view.result.placements.map(({ seat, place, score }) => `${ordinal(place)} ${seat === own ? "you" : names[seat]}${score === null ? "" : held(score)}`);
  return `The game is over: ${ending(view.result, (seat) => (seat === own ? "You" : names[seat]))}. ${rows.join(", ")}.`;
}

/** A move as a button says it: "Play two sevens", "Take the pile (7)". */
export function command(move, view) {
  switch (move.move) {
    case "play":
      return `${move.interrupt ? "Complete the four with" : "Play"} ${named(move.cards)}`;
    case "flip":
      return `Turn over the ${["left", "middle", "right"][move.position] ?? `${ordinal(move.position + 1)}`} card`;
    case "pick_up":
      return `Take the pile (${view.pile.length})`;
    case "draw":
      return move.from === "discard" ? `Take ${pretty(view.discard_top)}` : "Draw from stock";
    case "discard":
      return `Discard the ${cardName(move.card)}`;
    case "go_out":
      return `Go out, discarding the ${cardName(move.discard)}`;
    case "end_turn":
      return "End your turn";
    case "arrange":
      return "Lay these three face up";
    case "settle":
      return "Agree to end the game as it stands";
    default:
      return rankName(move.move);
  }
}
