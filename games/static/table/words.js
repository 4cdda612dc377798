/** What a table shows and asks for, in words. What happened is said by the server (`said` of an event). */

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
  limit: "the bots had made too many moves",
  agreed: "all agreed to end it",
  rounds: "the last round has been scored",
};
// For the middle of a sentence.
const whom = (who) => (who === "You" ? "you" : who);

/** Why a game ended. Whoever resigned has no score. */
function ending({ ended_by: by, placements }, who) {
  if (by !== "resignation") return ENDINGS[by] ?? by;
  const resigned = placements.filter(({ score }) => score === null).map(({ seat }) => whom(who(seat)));
  return `${listed(resigned)} resigned`;
}

const CALLED_OFF = "The game was called off.";
export const COUNTS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

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

/** A sentence of the server for the eye: signs of suits as text, not as pictures. */
export const shown = (said) => said.replace(/[♠♥♦♣]/g, "$&\uFE0E");

/** A sentence for the ear: "You played 7♥ 7♦." becomes "You played seven of hearts, seven of diamonds." */
export function aloud(text) {
  const suits = { "♠": "S", "♥": "H", "♦": "D", "♣": "C" };
  const card = (rank, suit) => cardName(`${rank === "10" ? "T" : rank}${suits[suit]}`);
  return text
    .replaceAll("\uFE0E", "")
    .replace(/([♠♥♦♣★]) (?=(?:10|[2-9JQKA])[♠♥♦♣]|(?:red|black)\s★)/g, "$1, ")
    .replace(/(10|[2-9JQKA])([♠♥♦♣])/g, (_, rank, suit) => card(rank, suit))
    .replace(/(red|black)\s★/g, "$1 joker");
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

/** The face-down cards from left to right, by how many places there are. */
const SIDES = { 1: ["face-down"], 2: ["left", "right"], 3: ["left", "middle", "right"] };
/** The games in which any card may open: the page knows. */
export const anyCardOpens = new Set();

/** What a shedding game's pile asks for: "7 or lower", "anything goes". */
export function asksFor(view) {
  if (view.to_beat) return `${rankText(view.to_beat.rank)} or ${view.to_beat.or}`;
  // No card has been played: all hands are as they were dealt.
  const opens = !anyCardOpens.has(view.game) && !view.pile.length && !view.out_of_play.length && view.players.every(({ place, hand_count: held }) => place || held === (view.options.rules?.deal.hand ?? 3));
  return opens ? "the lowest card opens" : "anything goes";
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
  if (view.status === "setup") return mine ? `Choose ${COUNTS[view.players[0].face_down.length]} ${view.players[0].face_down.length === 1 ? "card" : "cards"} to lay face up. You play them last, so choose good ones.` : `${listed(acting)} still choose${acting.length === 1 ? "s" : ""} face-up cards.`;
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
      return `${move.interrupt ? `Complete the ${COUNTS[view.options.rules?.row.size ?? 4]} with` : "Play"} ${named(move.cards)}`;
    case "flip":
      return `Turn over the ${(SIDES[view.players[0].face_down.length] ?? [])[move.position] ?? ordinal(move.position + 1)} card`;
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
      return move.face_up.length === 1 ? "Lay this card face up" : `Lay these ${COUNTS[move.face_up.length]} face up`;
    case "settle":
      return "Agree to end the game as it stands";
    default:
      return rankName(move.move);
  }
}
