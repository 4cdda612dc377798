/**
 * A plan for the next turns: cards in the order in which one would play them, conditions as chips, and what it would do now.
 *
 * What a game's plans may say is drawn from its JSON Schema (`GET rulesets`): a condition it gets later is a chip here.
 */

import { element, rankNames, rankText } from "../table/cards.js";
import { named } from "../table/words.js";
import { Refused } from "./api.js";

const LOWEST = { move: "play", choose: "lowest", count: "all" };
const KEPT = { three_card: ["2", "T"], tripp_jokes: ["2", "3", "T", "X"], threes: ["2", "8", "T", "X"], castle: ["2", "T"] };
const RUMMY = [
  { move: { move: "go_out" } },
  { move: { move: "draw", from: "discard" }, when: { top_helps: 5 } },
  { move: { move: "draw", from: "discard" }, when: { top_melds: true } },
  { move: { move: "draw", from: "stock" } },
  { move: { move: "discard", choose: "best" } },
];
const WORDS = {
  to_beat: "to beat", inverted: "pile asks for lower", pile_at_least: "pile at least", pile_at_most: "pile at most", hand_at_least: "my hand at least",
  hand_at_most: "my hand at most", next_has_at_most: "next player has at most", anyone_has_at_most: "anybody has at most", stock_is_out: "stock is out",
  bonus: "in a bonus play", would_close: "it closes the pile", top: "top discard is", top_helps: "top discard helps", top_melds: "top discard melds",
};
const JUDGED = { "does not hold": "condition does not hold", "not in hand": "card not in hand", "not legal": "not legal", plays: "plays", "not tried": "not tried" };

/** What a line does, in words. Pure. */
export function worded(move) {
  if (move.choose === "lowest" || move.choose === "highest") {
    const kept = move.keep?.length ? `, keep ${move.keep.map(rankNames).join(", ")}` : "";
    return `${move.choose} that goes${move.count === "all" ? ", all of the rank" : ""}${kept}`;
  }
  if (move.move === "play") return `play ${named(move.cards)}`;
  if (move.move === "discard") return move.choose ? "discard what costs most" : `discard ${named([move.card])}`;
  const words = { flip: "turn over the first card", pick_up: "take the pile", end_turn: "end the turn", go_out: "go out if I can" };
  if (move.move === "draw") return move.from === "discard" ? "take the top discard" : "draw from the stock";
  return words[move.move] ?? move.move;
}

/** A condition in words: "to beat: 7, king", "not: stock is out". Pure. */
export function condition(name, value) {
  const words = WORDS[name] ?? name.replaceAll("_", " ");
  if (value === true) return words;
  if (value === false) return `not: ${words}`;
  if (Array.isArray(value)) return `${words} ${value.map((rank) => (rank === null ? "nothing" : rank.length === 1 ? rankText(rank) : rank)).join(" or ")}`;
  return `${words} ${value}`;
}

/** The plan that suits most turns of a game. Pure. */
export function usual(game) {
  if (game === "three_thirteen") return structuredClone(RUMMY);
  return [{ move: { ...LOWEST, keep: KEPT[game] ?? [] } }, { move: { move: "flip", choose: "first" } }, { move: { move: "pick_up" } }];
}

export class Planning {
  constructor(page) {
    this.page = page;
    this.box = document.getElementById("plan");
    this.isOpen = false;
    this.lines = [];
    this.turns = 1;
    this.kept = null;
    this.verdict = null;
  }

  get #rummy() {
    return this.page.game.game === "three_thirteen";
  }

  get #possible() {
    const { page } = this;
    return page.seat !== null && page.running && page.game.plans && !page.past && !page.game.players[page.seat].bot;
  }

  /** The numbers of the cards that the plan names; null while it is closed. */
  get numbers() {
    if (!this.isOpen) return null;
    const found = new Map();
    this.lines.forEach(({ move }, at) => {
      for (const code of move.cards ?? (move.card ? [move.card] : [])) if (!found.has(code)) found.set(code, at + 1);
    });
    return found;
  }

  /** After a new state: the plan that is still kept, and what it would do now. */
  async renew() {
    this.box.hidden = !this.#possible;
    if (this.box.hidden) {
      this.isOpen = false;
      return;
    }
    if (this.kept !== null || !this.asked) {
      this.asked = true;
      this.kept = await this.page.api.get("/plan", {}, "no_plan");
    }
    if (this.isOpen) this.#try();
    this.#draw();
  }

  /** After a move that ended one's turn: the offer, where people take their time. */
  offer() {
    const { game, seat, mine } = this.page;
    const people = game.players.filter((row) => row.player && !row.bot && row.seat !== seat);
    if (this.#possible && !mine && people.length && !this.kept) this.page.say("You can leave a plan for your next turn.");
  }

  async open(wanted) {
    if (!this.#possible) return;
    this.isOpen = wanted;
    if (wanted && !this.schema) {
      const { results } = await (await fetch("/api/v1/rulesets")).json();
      this.schema = results.find(({ game }) => game === this.page.game.game).plan.properties.lines.items.properties.when.properties;
    }
    if (wanted && !this.lines.length && this.kept) this.lines = structuredClone(this.kept.lines);
    if (wanted) this.#try();
    this.#draw();
    this.page.draw({ moves: false });
    if (wanted) this.box.querySelector("h2")?.focus();
  }

  /** Whether a tap on the table belongs to the plan: while it is open and no turn is to be played. */
  takes({ zone, code }) {
    if (!this.isOpen || this.page.mine || (zone !== "hand" && zone !== "up")) return false;
    const at = this.lines.findIndex(({ move }) => (move.cards ?? [move.card]).includes(code));
    const last = this.lines.at(-1)?.move;
    if (at >= 0) this.#without(at, code);
    else if (this.#rummy) this.#add({ move: "discard", card: code });
    else if (last?.cards?.[0][0] === code[0]) this.#change(() => last.cards.push(code));
    else this.#add({ move: "play", cards: [code] });
    return true;
  }

  #without(at, code) {
    const { move } = this.lines[at];
    this.#change(() => {
      if (move.cards?.length > 1) move.cards.splice(move.cards.indexOf(code), 1);
      else this.lines.splice(at, 1);
    });
  }

  #add(move) {
    this.#change(() => this.lines.push({ move }));
  }

  #change(act) {
    act();
    this.#draw();
    this.page.draw({ moves: false });
    clearTimeout(this.soon);
    this.soon = setTimeout(() => this.#try(), 250);
  }

  get #plan() {
    return { lines: this.lines, turns: this.turns };
  }

  async #try() {
    if (!this.lines.length) {
      this.verdict = null;
      return;
    }
    try {
      this.verdict = await this.page.api.post("/plan/try", this.#plan);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.verdict = { problem: error.message };
    }
    this.#draw();
  }

  async #keep() {
    try {
      this.kept = await this.page.api.put("/plan", this.#plan);
      this.page.say("Planned. What you play yourself counts instead.");
      await this.open(false);
    } catch (error) {
      this.page.trouble(error);
    }
  }

  async #drop() {
    await this.page.api.remove("/plan");
    this.kept = null;
    this.lines = [];
    this.page.say("The plan is dropped.");
    await this.open(false);
  }

  #draw() {
    const { page } = this;
    const title = element("h2", { tabindex: "-1" }, "Plan ahead");
    if (!this.isOpen) {
      const text = this.kept ? `Planned for ${this.kept.turns_left === 1 ? "one more turn" : `${this.kept.turns_left} more turns`}.` : "Say now what to play when your turn comes.";
      const row = element("div", { class: "row" }, page.button(this.kept ? "Change the plan" : "Leave a plan", () => this.open(true)));
      if (this.kept) row.append(page.button("Drop it", () => this.#drop(), "link"));
      this.box.replaceChildren(title, element("p", { class: "small" }, text), row);
      return;
    }
    const focused = this.box.contains(document.activeElement) ? document.activeElement.dataset.id : null;
    const add = (text, move) => page.button(text, () => this.#add(move), "chip");
    const more = this.#rummy
      ? [add("+ go out if I can", { move: "go_out" }), add("+ top discard", { move: "draw", from: "discard" }), add("+ stock", { move: "draw", from: "stock" }), add("+ discard what costs most", { move: "discard", choose: "best" })]
      : [add("+ lowest that goes", { ...LOWEST, keep: KEPT[page.game.game] ?? [] }), add("+ highest that goes", { ...LOWEST, choose: "highest" }), add("+ turn over a card", { move: "flip", choose: "first" }), add("+ take the pile", { move: "pick_up" })];
    const keep = page.button("Keep this plan", () => this.#keep(), "act");
    keep.disabled = !this.lines.length || Boolean(this.verdict?.problem);
    this.box.replaceChildren(
      title,
      element("p", { class: "small" }, page.mine ? "It is your turn: play first, or plan for the turn after." : "Tap your cards in the order in which you would play them. The first line that fits is played."),
      element("ol", { class: "lines" }, ...this.lines.map((line, at) => this.#line(line, at))),
      element("div", { class: "chips" }, ...more, page.button("The usual plan", () => this.#change(() => (this.lines = usual(page.game.game))), "chip")),
      this.#turns(),
      element("p", { class: "small try", role: "status" }, this.#judged()),
      element("div", { class: "row" }, keep, page.button("Close", () => this.open(false), "link")),
    );
    if (focused) this.box.querySelector(`[data-id="${focused}"]`)?.focus();
  }

  #turns() {
    const choice = (count, text) => {
      const field = element("input", { type: "radio", name: "turns", "data-id": `turns-${count}` });
      field.checked = this.turns === count;
      field.addEventListener("change", () => this.#change(() => (this.turns = count)));
      return element("label", { class: "check" }, field, text);
    };
    return element("div", { class: "row", role: "radiogroup", "aria-label": "For how many turns" }, choice(1, "one turn"), choice(2, "two turns"));
  }

  #judged() {
    if (!this.lines.length) return "";
    if (!this.verdict) return "…";
    if (this.verdict.problem) return this.verdict.problem;
    const when = this.page.mine ? "Now it" : "If it were your turn now, it";
    return this.verdict.line === null ? `${when} would play nothing: your clock would run.` : `${when} would ${worded(this.verdict.move)} (line ${this.verdict.line + 1}).`;
  }

  #line(line, at) {
    const word = this.verdict?.lines?.[at];
    const tool = (text, label, act, id) => {
      const button = this.page.button(text, () => this.#change(act), "link");
      button.setAttribute("aria-label", `${label} line ${at + 1}`);
      button.dataset.id = `${id}-${at}`;
      return button;
    };
    const when = Object.entries(line.when ?? {});
    const chips = when.map(([name, value]) => {
      const chip = this.page.button(`${condition(name, value)} ✕`, () => this.#change(() => delete line.when[name]), "chip on");
      chip.setAttribute("aria-label", `only if ${condition(name, value)}: remove`);
      return chip;
    });
    if (line.interrupt) chips.push(this.page.button("also out of turn ✕", () => this.#change(() => delete line.interrupt), "chip on"));
    const up = at ? tool("↑", "Move up", () => this.lines.splice(at - 1, 0, ...this.lines.splice(at, 1)), "up") : null;
    return element(
      "li",
      { class: word === "plays" ? "plays" : null },
      element("span", { class: "what" }, element("b", {}, worded(line.move)), word && word !== "not tried" ? element("span", { class: "quiet small" }, ` ${word === "plays" ? "◀ " : ""}${JUDGED[word] ?? word}`) : null),
      element("span", { class: "tools" }, up, tool("✕", "Remove", () => this.lines.splice(at, 1), "remove")),
      element("span", { class: "chips" }, ...chips, this.#adder(line, at)),
    );
  }

  /** A choice of further conditions; those with a value ask for it in place. */
  #adder(line, at) {
    const select = element("select", { class: "chip", "aria-label": `Only if … (line ${at + 1})`, "data-id": `when-${at}` }, element("option", { value: "" }, "only if …"));
    for (const name of Object.keys(this.schema ?? {})) if (!(name in (line.when ?? {}))) select.append(element("option", { value: name }, WORDS[name] ?? name));
    if (this.page.game.game === "castle" && !line.interrupt) select.append(element("option", { value: "interrupt" }, "also out of turn"));
    select.addEventListener("change", () => {
      const name = select.value;
      if (name === "interrupt") this.#change(() => (line.interrupt = true));
      else if (name) this.#ask(select, name, (value) => this.#change(() => (line.when = { ...line.when, [name]: value })));
    });
    return select;
  }

  #ask(select, name, done) {
    const schema = this.schema[name];
    if (schema.type === "boolean") return done(true);
    if (schema.type !== "array" && !schema.anyOf?.length && schema.type !== "integer") return done(true);
    const ranks = schema.type === "array";
    const field = ranks
      ? element("select", { "aria-label": WORDS[name] }, element("option", { value: "" }, "which?"), ...schema.items.enum.filter((rank) => rank === null || rank.length === 1 || rank === "wild").map((rank) => element("option", { value: rank ?? "null" }, rank === null ? "nothing" : rank === "wild" ? "wild" : rankText(rank))))
      : element("input", { type: "number", min: schema.minimum ?? 1, value: 3, inputmode: "numeric", "aria-label": `${WORDS[name]}: how many` });
    const take = () => (ranks ? field.value && done([field.value === "null" ? null : field.value]) : done(Number(field.value)));
    select.replaceWith(field);
    if (ranks) field.addEventListener("change", take);
    else {
      const ok = this.page.button("OK", take);
      field.after(ok);
      field.addEventListener("keydown", (event) => event.key === "Enter" && take());
    }
    return field.focus();
  }
}
