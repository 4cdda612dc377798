/** Three Thirteen's hand: sorted by rank, by suit, by melds or by hand; its penalty; and going out, laid out before it is sent. */

import { RUNS, bySuit, element, face, lowToHigh, rankNames } from "../table/cards.js";
import { lastRound } from "../table/table.js";
import { spoken, written } from "../table/words.js";
import { dialog } from "./dialog.js";

const SORTS = { ranks: "By rank", suits: "By suit", melds: "By melds", own: "My order" };

export class Melds {
  constructor(page) {
    this.page = page;
    this.found = null;
    this.own = [];
    this.box = document.getElementById("sorting");
    this.goes = null;
    this.sort = "melds";
  }

  get #hand() {
    const { view } = this.page.game;
    return view && "wild" in view && this.page.seat !== null ? view.players[this.page.seat].hand : null;
  }

  /** The order in which a hand lies. */
  order(hand) {
    if (!this.#hand) return lowToHigh(hand);
    if (this.sort === "ranks") return lowToHigh(hand, RUNS);
    if (this.sort === "suits") return bySuit(hand);
    const wanted = this.sort === "own" ? this.own : this.found ? [...this.found.melds.flat(), ...lowToHigh(this.found.left, RUNS)] : bySuit(hand);
    return arranged(hand, wanted);
  }

  /** Ask for the best lay-out of the hand as it is now. */
  async renew() {
    this.goes = null;
    const running = this.page.running && !this.page.past;
    this.found = this.#hand && running ? await this.page.api.get("/lay_out") : null;
    this.#draw();
  }

  #draw() {
    this.box.hidden = !this.#hand || !this.page.running;
    if (this.box.hidden) return;
    const buttons = Object.entries(SORTS).map(([sort, text]) => {
      const button = element("button", { type: "button", "aria-pressed": String(sort === this.sort) }, text);
      button.addEventListener("click", () => this.#choose(sort));
      return button;
    });
    const melds = this.found?.melds.map(written).join(" · ");
    const penalty = this.found && element("p", { class: "small" }, element("b", {}, `${this.found.penalty} penalty points`), " if the round ended now", melds ? `. Melds: ${melds}` : ". No melds yet.");
    const move = [-1, 1].map((step) => {
      const button = element("button", { type: "button", "aria-label": step < 0 ? "Move the selected card to the left" : "Move the selected card to the right" }, step < 0 ? "◀" : "▶");
      button.addEventListener("click", () => this.shift({ key: null, step }));
      return button;
    });
    // Buttons move a card in one's own order; Shift and an arrow key do it in any.
    this.box.replaceChildren(element("div", { class: "row", role: "group", "aria-label": "Sort your hand" }, ...buttons, ...(this.sort === "own" ? move : [])), penalty ?? "");
  }

  #choose(sort) {
    if (sort === "own") this.own = this.order(this.#hand);
    this.sort = sort;
    this.#draw();
    this.page.draw();
  }

  /** Move a card of one's own order: the one with this key, or the chosen one. */
  shift({ key, step }) {
    const hand = this.#hand;
    const code = key ? key.slice(0, 2) : this.page.selecting.chosen[0]?.code;
    if (!hand || !code) return;
    const order = this.order(hand);
    const at = order.indexOf(code);
    const to = at + step;
    if (at < 0 || to < 0 || to >= order.length) return;
    [order[at], order[to]] = [order[to], order[at]];
    this.own = order;
    this.sort = "own";
    this.#draw();
    this.page.draw();
  }

  /** If one can go out, with the chosen discard or the first that does, find how the rest is melded: the bar shows it before it is sent. */
  async preview(selecting) {
    const move = goingOut(selecting);
    if (!move || this.goes?.discard === move.discard) return;
    // The card may have been played meanwhile: then there is nothing to show.
    const laid = await this.page.api.get("/lay_out", { without: move.discard }, "not_your_cards");
    if (laid === null || goingOut(this.page.selecting)?.discard !== move.discard) return;
    this.goes = { discard: move.discard, melds: laid.melds };
    this.page.say(`You can go out with ${laid.melds.map(spoken).join("; ")}.`);
    this.page.bar();
  }

  /** The end of a round that another one follows: all hands as they were laid out, until it is tapped away. */
  roundOver(events) {
    const scored = events.findLast(({ type }) => type === "round_scored");
    const { game, names } = this.page;
    if (!scored || game.status !== "playing") return;
    const { round, wild, dealer } = game.view;
    dialog(this.page, `Round ${scored.data.round} is over`, [lastRound(game.view, scored.data.round - 1, names), element("p", {}, element("b", {}, `Round ${round}: ${rankNames(wild)} are wild.`), ` ${names[dealer]} deals.`)], { close: "Continue" });
  }

  /** What the bar shows when going out is chosen, else null. */
  laidOut(selecting) {
    const shown = this.goes && goingOut(selecting)?.discard === this.goes.discard;
    // The melds take the room of the buttons that sort the hand.
    this.box.classList.toggle("aside", Boolean(shown));
    if (!shown) return null;
    const { wild } = this.page.game.view;
    const melds = this.goes.melds.map((meld) => element("span", { class: "meld", role: "img", "aria-label": spoken(meld) }, ...meld.map((code) => face(code, { marks: code[0] === wild ? ["wild"] : [], "aria-hidden": "true" }))));
    return element("span", { class: "laid-out" }, `You can go out, discarding ${written([this.goes.discard])}, with`, element("span", { class: "melds" }, ...melds), element("span", { class: "small quiet" }, "Everyone else has one last turn."));
  }
}

/** The likeliest move that goes out, if any. */
function goingOut(selecting) {
  return selecting.moves().find(({ move }) => move === "go_out");
}

/** The hand in a wanted order, as far as it names its cards; new ones come last. */
export function arranged(hand, wanted) {
  const left = [...hand];
  const first = wanted.filter((code) => {
    const at = left.indexOf(code);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
  return [...first, ...lowToHigh(left, RUNS)];
}
