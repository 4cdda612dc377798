/**
 * The form of a plan: cards in the order in which one would play them, conditions as chips, and what it would do now.
 *
 * What a game's plans may say is drawn from its JSON Schema (`GET rulesets`): a condition it gets later is a chip here.
 */

import { element, rankText } from "../table/cards.js";
import { listed, named } from "../table/words.js";
import { Lost, Refused } from "../play/api.js";

const LOWEST = { move: "play", choose: "lowest", count: "all" };
const WORDS = {
  to_beat: "to beat", inverted: "pile asks for lower", pile_at_least: "pile at least", pile_at_most: "pile at most", hand_at_least: "my hand at least",
  hand_at_most: "my hand at most", next_has_at_most: "next player has at most", anyone_has_at_most: "anybody has at most", stock_is_out: "stock is out",
  bonus: "in a bonus play", would_close: "it clears the pile", top: "top discard is", top_helps: "top discard saves points", top_melds: "top discard melds",
};
const NOT = { stock_is_out: "there is a stock" };
const JUDGED = { "does not hold": "condition does not hold", "not in hand": "card not in hand", "not legal": "not legal", plays: "would play", "not tried": "not tried" };

/** What a line does, in words. Pure. */
function worded(move) {
  if (move.choose === "lowest" || move.choose === "highest") {
    const kept = move.keep?.length ? `; keep ${listed(move.keep.map(rankText))}` : "";
    return `${move.count === "all" ? "all of " : ""}the ${move.choose} that goes${kept}`;
  }
  if (move.move === "play") return `play ${named(move.cards)}`;
  if (move.move === "discard") return move.choose ? "discard what costs most" : `discard ${named([move.card])}`;
  const words = { flip: "turn over the first card", pick_up: "take the pile", end_turn: "end the turn", go_out: "go out if I can" };
  if (move.move === "draw") return move.from === "discard" ? "take the top discard" : "draw from the stock";
  return words[move.move] ?? move.move;
}

/** A condition in words: "to beat: 7, king", "not: in a bonus play". Pure. */
export function condition(name, value) {
  const words = WORDS[name] ?? name.replaceAll("_", " ");
  if (value === true) return words;
  if (value === false) return NOT[name] ?? `not: ${words}`;
  if (name === "top_helps") return `top discard saves at least ${value} points`;
  if (Array.isArray(value)) return `${words} ${value.map((rank) => (rank === null ? "nothing" : rank.length === 1 ? rankText(rank) : rank)).join(" or ")}`;
  return `${words} ${value}`;
}

const said = ({ move, when = {} }) => [worded(move), ...Object.entries(when).map((one) => condition(...one))].join(" if ");

export class PlanForm {
  static async of(planning) {
    const results = await planning.page.api.rulesets();
    return new PlanForm(planning, results.find(({ game }) => game === planning.page.game.game));
  }

  constructor(planning, { plan, interrupts }) {
    const schema = plan.properties.lines.items.properties.when.properties;
    Object.assign(this, { planning, schema, interrupts, usual: plan.examples, page: planning.page, box: planning.box, verdict: null });
    this.clear();
  }

  get #rummy() {
    return !("pile" in this.page.game.view);
  }

  clear() {
    this.theirs = null;
    this.lines = [];
    this.turns = 1;
  }

  /** Begin with the plan that is kept, unless one was begun already. */
  begin() {
    const { kept } = this.planning;
    if (!this.lines.length) this.since = kept?.kept_at;
    if (!this.lines.length && kept) {
      this.lines = structuredClone(kept.lines);
      this.turns = Math.min(2, kept.turns_left || 1);
    }
    this.draw();
    this.try();
  }

  get numbers() {
    const found = new Map();
    this.lines.forEach(({ move }, at) => {
      for (const code of move.cards ?? (move.card ? [move.card] : [])) if (!found.has(code)) found.set(code, at + 1);
    });
    return found;
  }

  /** Take a tap on a card: its line comes after the cards tapped before it, and before lines for any card. */
  takes({ zone, code }) {
    if (zone !== "hand" && zone !== "up") return false;
    const named = this.lines.findIndex(({ move }) => (move.cards ?? [move.card]).includes(code));
    const last = this.lines.findLastIndex(({ move }) => move.cards || move.card);
    const same = this.lines[last]?.move.cards;
    if (named >= 0) this.#without(named, code);
    else if (this.#rummy) this.#add({ move: "discard", card: code }, this.#place(last));
    else if (same?.[0][0] === code[0]) this.#change(() => same.push(code));
    else this.#add({ move: "play", cards: [code] }, last + 1);
    return true;
  }

  /** Where a discard goes: after the last one named, else before what costs most. */
  #place(last) {
    const best = this.lines.findIndex(({ move }) => move.move === "discard" && move.choose);
    return last >= 0 ? last + 1 : best >= 0 ? best : this.lines.length;
  }

  #without(at, code) {
    const { move } = this.lines[at];
    this.#change(() => {
      if (move.cards?.length > 1) move.cards.splice(move.cards.indexOf(code), 1);
      else this.lines.splice(at, 1);
    });
  }

  #add(move, at = this.lines.length) {
    this.#change(() => this.lines.splice(at, 0, { move }));
  }

  #change(act) {
    this.box.querySelector(".asking")?.remove();
    act();
    this.draw();
    this.page.draw({ moves: false });
    clearTimeout(this.soon);
    this.soon = setTimeout(() => this.try(), 250);
  }

  get #plan() {
    return { lines: this.lines, turns: this.turns };
  }

  /** Keep the plan. One that another device has kept since this one was begun is shown before it is replaced. */
  async #keep() {
    const { page, planning } = this;
    const now = await page.api.get("/plan", {}, "no_plan");
    this.theirs = now && now.kept_at !== this.since ? now.lines : null;
    if (this.theirs) {
      this.since = now.kept_at;
      this.draw();
      return;
    }
    const sent = JSON.stringify(this.#plan);
    planning.kept = await page.api.put("/plan", this.#plan);
    this.since = planning.kept.kept_at;
    page.say(`${planning.told} If you move in time, your own move counts instead.`);
    if (JSON.stringify(this.#plan) === sent) await planning.open(false);
  }

  async try() {
    if (!this.lines.length) {
      this.verdict = null;
      return;
    }
    try {
      this.verdict = await this.page.api.post("/plan/try", this.#plan);
    } catch (error) {
      if (error instanceof Lost) {
        clearTimeout(this.soon);
        this.soon = setTimeout(() => this.try(), 3000);
        return;
      }
      if (!(error instanceof Refused)) throw error;
      this.verdict = { problem: error.message };
    }
    if (this.planning.isOpen) this.draw();
  }

  draw() {
    const { page } = this;
    // A condition is being filled in: drawing would take it away.
    if (this.box.querySelector(".asking")) return;
    const add = (text, move) => page.button(`+ ${text}`, () => this.#add(move), "chip");
    const more = this.#rummy
      ? [add("go out if I can", { move: "go_out" }), add("top discard", { move: "draw", from: "discard" }), add("stock", { move: "draw", from: "stock" }), add("discard what costs most", { move: "discard", choose: "best" })]
      : [add("lowest that fits", { ...LOWEST, keep: this.usual[0].lines[0].move.keep }), add("highest that fits", { ...LOWEST, choose: "highest" }), add("turn over a card", { move: "flip", choose: "first" }), add("take the pile", { move: "pick_up" })];
    const all = page.button("The usual plan", () => this.#change(() => (this.lines = structuredClone(this.usual[page.game.view.stock_count ? 0 : 1].lines))), this.lines.length ? "chip" : "chip on");
    const keep = page.button("Keep this plan", () => this.#keep(), "act");
    keep.disabled = !this.lines.length || Boolean(this.verdict?.problem);
    this.box.replaceChildren(
      element("h2", { tabindex: "-1" }, "Plan ahead"),
      element("p", { class: "small" }, page.mine ? "It is your turn. Play first, or plan for your next turn." : `${this.#rummy ? "Tap the cards that you would discard" : "Tap your cards in the order in which you would play them"}, or choose below. The first line that fits is played.`),
      element("ol", { class: "lines" }, ...this.lines.map((line, at) => this.#line(line, at))),
      element("div", { class: "chips" }, ...(this.lines.length ? [...more, all] : [all, ...more])),
      this.#turns(),
      ...(this.theirs ? [element("p", { class: "note small", role: "status" }, `Another plan has been saved since: ${this.theirs.map(said).join("; ")}. Replace it with this one?`)] : []),
      element("div", { class: "end" }, element("p", { class: "small try", role: "status" }, this.#judged()), element("div", { class: "row" }, page.button("Close", () => this.planning.open(false), "link"), keep)),
    );
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
    const when = this.page.mine ? "Now the plan" : "If it were your turn now, the plan";
    return this.verdict.line === null ? `${when} would do nothing, and your clock would run.` : `${when} would ${worded(this.verdict.move)} (line ${this.verdict.line + 1}).`;
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
    const up = at > 0 ? tool("↑", "Move up", () => this.lines.splice(at - 1, 0, ...this.lines.splice(at, 1)), "up") : null;
    return element(
      "li",
      { class: word === "plays" ? "plays" : null },
      element("span", { class: "what" }, element("b", {}, worded(line.move)), word && word !== "not tried" ? element("span", { class: "verdict-of small" }, ` ${JUDGED[word] ?? word}`) : null),
      element("span", { class: "tools" }, this.#adder(line, at), up, tool("✕", "Remove", () => this.lines.splice(at, 1), "remove")),
      chips.length ? element("span", { class: "chips" }, ...chips) : null,
    );
  }

  /** A choice of further conditions; those with a value ask for it in place. */
  #adder(line, at) {
    const select = element("select", { class: "chip when", "aria-label": `Only if … (line ${at + 1})`, "data-id": `when-${at}` }, element("option", { value: "" }, "if …"));
    for (const name of Object.keys(this.schema ?? {})) if (!(name in (line.when ?? {}))) select.append(element("option", { value: name }, WORDS[name] ?? name));
    if (this.interrupts && !line.interrupt) select.append(element("option", { value: "interrupt" }, "also out of turn"));
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
    const asking = element("span", { class: "chips asking" }, `${WORDS[name] ?? name}: `, field);
    select.closest("li").append(asking);
    if (ranks) field.addEventListener("change", take);
    else {
      asking.append(this.page.button("OK", take, "chip"));
      field.addEventListener("keydown", (event) => event.key === "Enter" && take());
    }
    return field.focus();
  }
}
