/**
 * What is chosen, and the moves that it makes. Pure: legal moves (as `GET games/{id}/moves` lists them) and taps in, moves out.
 */

import { command, COUNTS, now, written } from "../table/words.js";

const WITHOUT_CARDS = new Set(["pick_up", "draw", "end_turn"]);

/** What one taps in the middle for a move without cards. */
function placeOf(move) {
  return { pick_up: "pile", draw: move.from ?? "stock" }[move.move] ?? null;
}

export class Selecting {
  /** `legal` are the viewer's listed moves; `out` says whether they interrupt out of turn. */
  constructor(legal, view, seat) {
    Object.assign(this, { legal, view, seat });
    this.out = view !== null && !view.to_act.includes(seat);
    this.clear();
  }

  #of(kind) {
    return this.legal.filter((listed) => listed.move === kind);
  }

  /** Choose again what was chosen in the state before, as far as it can still be played. */
  keep(before) {
    if (this.positions.includes(before.position)) this.position = before.position;
    else if (this.targets.includes(before.target)) this.target = before.target;
    else this.chosen = before.chosen.filter(({ code }) => this.lit.has(code));
    if (this.chosen.length && !this.out && !this.#of("arrange").length && !this.moves().length) this.chosen = [];
  }

  /** The codes of cards that some legal move takes. */
  get lit() {
    if (this.out) return new Set(this.interruption?.cards);
    const codes = new Set();
    for (const listed of this.legal) {
      for (const code of [...(listed.cards ?? []), ...(listed.with_face_up ?? []), ...(listed.from instanceof Array ? listed.from : [])]) codes.add(code);
      if (listed.card) codes.add(listed.card);
    }
    return codes;
  }

  /** The face-down places that may be turned over. */
  get positions() {
    return this.out ? [] : this.#of("flip").flatMap((listed) => listed.positions);
  }

  /** What may be tapped in the middle: `stock`, `discard`, `pile`. */
  get targets() {
    if (this.out) return [];
    const found = this.#of("draw").map((listed) => listed.from ?? "stock");
    if (this.#of("pick_up").length || this.#of("play").length && this.chosen.length) found.push("pile");
    return found;
  }

  isSelected(code, zone, key) {
    return this.chosen.some((card) => (card.key ? card.key === key : card.code === code && card.zone === zone));
  }

  clear() {
    /** What is chosen of one's own cards, in the order of the taps: `{ code, zone, key }`. */
    this.chosen = [];
    this.position = null;
    this.target = null;
    /** A card that was tapped and cannot be played. */
    this.stray = null;
  }

  /** A tap. Returns a move where the tap plays what was chosen, else null. */
  tap({ zone, code, key, position }) {
    if (zone === "stock" || zone === "discard" || zone === "pile") return this.#tapMiddle(zone);
    if (zone === "down") {
      const again = this.position === position;
      this.clear();
      this.position = again ? null : position;
      return null;
    }
    this.#tapCard({ zone, code, key });
    return null;
  }

  #tapMiddle(zone) {
    if (this.chosen.length) return zone === "pile" || zone === "discard" ? (this.moves()[0] ?? null) : null;
    const again = this.target === zone;
    this.clear();
    this.target = zone;
    return again ? (this.moves()[0] ?? null) : null;
  }

  #tapCard(card) {
    this.position = null;
    this.target = null;
    this.stray = null;
    const at = this.chosen.findIndex((other) => (other.key ? other.key === card.key : other.code === card.code && other.zone === card.zone));
    if (at >= 0) {
      this.chosen.splice(at, 1);
      if (this.out) this.chosen = [];
      if (this.#entry() && !this.moves().length) this.chosen = [];
      return;
    }
    if (!this.lit.has(card.code)) {
      if (this.#of("play").length || this.#of("pick_up").length) this.stray = card.code;
      return;
    }
    const arrange = this.#of("arrange")[0];
    // The interruption takes all the cards that complete the four.
    if (this.out) this.chosen = this.interruption.cards.map((code) => ({ code, zone: card.zone, key: null }));
    else if (arrange) {
      if (this.chosen.length >= arrange.choose) this.chosen.shift();
      this.chosen.push(card);
    } else if (this.#of("discard").length) this.chosen = [card];
    else this.#choosePlay(card);
  }

  #entry(code = this.chosen[0]?.code) {
    return this.#of("play").find((listed) => listed.cards.includes(code) || listed.with_face_up?.includes(code));
  }

  #choosePlay(card) {
    const entry = this.#entry(card.code);
    if (!entry) return;
    if (this.#entry() !== entry) this.chosen = [];
    const merged = entry.with_face_up?.includes(card.code) && card.zone === "up" && !entry.cards.includes(card.code);
    if (merged) {
      // A merge takes the rest of the hand along.
      const have = this.chosen.map(({ code }) => code);
      for (const code of entry.cards) if (!have.includes(code)) this.chosen.push({ code, zone: "hand", key: null });
    } else if (this.chosen.filter(({ code }) => entry.cards.includes(code)).length >= entry.max) this.chosen.shift();
    this.chosen.push(card);
    const missing = entry.cards.filter((code) => !this.chosen.some((other) => other.code === code));
    while (this.chosen.length < entry.min && missing.length) this.chosen.push({ code: missing.shift(), zone: card.zone, key: null });
  }

  /** The moves that the choice makes, the likeliest first; without one, those that need no card. */
  moves() {
    const codes = this.chosen.map(({ code }) => code);
    if (this.position !== null) return [{ move: "flip", position: this.position }];
    if (this.target) return this.#withoutCards().filter((move) => placeOf(move) === this.target);
    if (this.out) return [];
    const arrange = this.#of("arrange")[0];
    if (!codes.length && arrange) {
      const { face_up: lying } = this.view.players[this.seat];
      return lying?.length === arrange.choose ? [{ move: "arrange", face_up: lying }] : [];
    }
    if (!codes.length) return [...this.#of("go_out").map((listed) => listed.send), ...this.#withoutCards()];
    if (arrange) return codes.length === arrange.choose ? [{ move: "arrange", face_up: codes }] : [];
    if (this.#of("discard").length) {
      const out = this.#of("go_out").filter((listed) => listed.discard === codes[0]).map((listed) => listed.send);
      return [...out, { move: "discard", card: codes[0] }];
    }
    const entry = this.#entry();
    if (!entry) return [];
    const whole = codes.length >= entry.min && (codes.length <= entry.max || entry.with_face_up);
    return whole ? [{ ...entry.send, cards: codes }] : [];
  }

  #withoutCards() {
    return this.legal.filter((listed) => WITHOUT_CARDS.has(listed.move)).map((listed) => listed.send);
  }

  /** Castle's right out of turn: the move that completes the four, or null. */
  get interruption() {
    return this.out ? (this.legal.find((listed) => listed.send.interrupt)?.send ?? null) : null;
  }

  /** Every move of a numbered list: different counts, not different suits. */
  choices() {
    return this.legal.flatMap((listed) => {
      if (listed.move === "play") {
        const counts = Array.from({ length: listed.max - listed.min + 1 }, (_, more) => listed.min + more);
        const along = listed.with_face_up ?? [];
        return [
          ...counts.map((count) => ({ ...listed.send, cards: listed.cards.slice(0, count) })),
          ...along.map((_, at) => ({ ...listed.send, cards: [...listed.cards, ...along.slice(0, at + 1)] })),
        ];
      }
      if (listed.move === "flip") return listed.positions.map((position) => ({ move: "flip", position }));
      return [listed.send];
    });
  }

  /** What is done with a card that is chosen: "played". */
  get done() {
    if (this.#of("arrange").length) return "laid face up";
    return this.#of("discard").length ? "discarded" : "played";
  }

  /** The sentence of the bar: what cannot be played, what is chosen, else what is to be done. */
  sentence(names) {
    return `${this.stray ? `${written([this.stray])} cannot be ${this.done} now. ` : ""}${this.#said(names)}`;
  }

  #said(names) {
    if (this.chosen.length) {
      const arrange = this.#of("arrange")[0];
      const codes = written(this.chosen.map(({ code }) => code));
      return arrange ? `Face up: ${codes}${this.chosen.length < arrange.choose ? ` – ${arrange.choose - this.chosen.length} to go` : ""}` : `Chosen: ${codes}`;
    }
    if (this.position !== null) return "Nobody knows this card yet.";
    const said = now(this.view, names, this.seat);
    if (!this.legal.length || this.out) return said;
    const outs = this.#of("go_out").map(({ discard }) => written([discard]));
    if (outs.length) return `${said} You can go out with ${outs.join(" or ")}.`;
    const kinds = new Set(this.legal.map((listed) => listed.move));
    const stuck = this.view.players[this.seat].hand_count ? "Nothing in your hand goes" : "None of your face-up cards goes";
    if (kinds.size === 1 && kinds.has("pick_up")) return `${said} ${stuck}: take the pile.`;
    if (kinds.has("pick_up") && kinds.has("draw") && !kinds.has("play")) return `${said} ${stuck}: try a card from the stock, or take the pile.`;
    if (kinds.has("flip") && !kinds.has("play")) return `${said} Turn over one of your face-down cards.`;
    if (kinds.has("play") && kinds.has("draw")) return `${said} Play a card, or draw one.`;
    return said;
  }

  /** What the one button says. */
  label(move) {
    if (move.move === "arrange" && !this.chosen.length) return `Keep the ${COUNTS[move.face_up.length]} that ${move.face_up.length === 1 ? "lies" : "lie"} there`;
    return command(move, this.view);
  }
}
