/** A lesson: a scripted game at the table's own component, of which one makes the moves that teach. */

import "../table/table.js";
import { element, lowToHigh, ranksOf } from "../table/cards.js";
import { aloud, shown } from "../table/words.js";
import { Selecting } from "../play/selecting.js";

const PAUSE = 900; // between two moves that are played by themselves

const byId = (id) => document.getElementById(id);
const table = byId("table");
const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const sorted = (cards) => [...(cards ?? [])].sort().join(" ");

/** Whether two moves are the same, whatever the order of their cards. */
function isSame(one, other) {
  return ["move", "card", "from", "position", "discard"].every((key) => one[key] === other[key]) && sorted(one.cards) === sorted(other.cards) && sorted(one.face_up) === sorted(other.face_up);
}

class Lesson {
  constructor({ game, seat, names, steps }) {
    Object.assign(this, { game, seat, names, steps });
    this.names[seat] = ""; // the table says "you"
    this.round = 0;
    table.addEventListener("choose", ({ detail }) => this.tap(detail));
    byId("back").addEventListener("click", () => this.begin(Math.max(0, this.at - 1)));
    byId("skip").addEventListener("click", () => this.goOn());
    byId("skip").disabled = false;
    this.begin(0);
  }

  get step() {
    return this.steps[this.at];
  }

  begin(at, before = "") {
    this.round += 1; // what still plays by itself stops
    this.isPlaying = false;
    this.at = at;
    this.selecting = new Selecting(this.step.moves, this.step.view, this.seat);
    this.before = before;
    byId("count").textContent = `Step ${at + 1} of ${this.steps.length}`;
    byId("back").disabled = at === 0;
    byId("progress").value = at;
    this.steers(true);
    this.say("");
    this.draw();
    // The bar covers no hand, and where not all is in sight the sentence begins at the top.
    document.querySelector(".board").scrollIntoView({ block: "end" });
    document.querySelector(".teacher").scrollTop = byId("said").lastElementChild.offsetTop;
  }

  /** Show what goes back and on, or what comes after the end. */
  steers(goesOn) {
    byId("end").hidden = goesOn;
    for (const id of ["foot", "skip", "stop"]) byId(id).hidden = !goesOn;
  }

  /** What the step says, and below it the answer to a tap or a move. */
  say(answer) {
    byId("said").replaceChildren(...[this.before, this.step.say].filter(Boolean).map((text) => element("p", {}, text)));
    byId("answer").textContent = answer || (this.selecting.chosen.length ? this.selecting.sentence(this.names) : "Your move.");
  }

  draw() {
    const { selecting, step } = this;
    const play = {
      lit: selecting.lit,
      done: selecting.done,
      positions: selecting.positions,
      position: selecting.position,
      targets: selecting.targets,
      numbers: null,
      order: (hand) => lowToHigh(hand, ranksOf(step.view)),
      isSelected: (...card) => selecting.isSelected(...card),
      taps: new Set(Object.keys(step.taps)),
    };
    table.show(step.view, { title: null, names: this.names, seat: this.seat, play });
    this.bar();
  }

  bar() {
    const { selecting, step } = this;
    const moves = selecting.interruption ? [selecting.interruption] : selecting.moves();
    const chosen = selecting.chosen.length || selecting.position !== null || selecting.target !== null;
    const buttons = moves.filter((move) => chosen || isSame(move, step.move) || move.move === "end_turn").map((move) => this.button(selecting.label(move), () => this.play(move), "act"));
    // A lesson may invite to try what cannot be done now.
    if (step.taps.go_out?.code && step.taps.go_out.code !== "legal") buttons.push(this.button("Go out", () => this.answer("go_out")));
    if (chosen) buttons.push(this.button("Undo", () => this.undo(), "link"));
    byId("buttons").replaceChildren(...buttons.reverse());
  }

  button(text, act, kind = "") {
    const node = element("button", { type: "button", class: kind || null }, text);
    node.addEventListener("click", act);
    return node;
  }

  undo() {
    this.selecting.clear();
    this.say("");
    this.draw();
    table.focusHand();
  }

  tap({ zone, code, key, position }) {
    if (this.isPlaying) return;
    const name = zone === "hand" || zone === "up" ? code : zone === "down" ? `down:${position}` : zone;
    if (name in this.step.taps) return this.answer(name);
    // What needs no card takes one tap.
    const next = this.step.move;
    if (name === { draw: next.from ?? "stock", pick_up: "pile" }[next.move]) return this.goOn();
    const move = this.selecting.tap({ zone, code, key, position });
    this.say("");
    if (move) this.play(move);
    else this.draw();
  }

  answer(name) {
    this.say(this.step.taps[name].detail ?? this.step.say);
  }

  play(move) {
    if (isSame(move, this.step.move)) return this.goOn();
    const name = { end_turn: "end_turn", draw: move.from ?? "stock", pick_up: "pile" }[move.move];
    this.say(this.step.taps[name]?.detail ?? this.step.other ?? "There is more to play first.");
  }

  /** Make the step's move, and those of the others up to the next step, in motion; asked again meanwhile, at once. */
  async goOn() {
    const { step, at } = this;
    const atOnce = this.isPlaying || still();
    const round = (this.round += 1);
    this.isPlaying = true;
    byId("buttons").replaceChildren();
    const moves = step.events.filter(({ data }) => data.move);
    for (const [number, view] of step.views.entries()) {
      if (this.round !== round) return;
      if (atOnce && number < step.views.length - 1) continue;
      const event = moves[number];
      const last = step.events.indexOf(moves[number + 1]);
      const told = step.events.slice(step.events.indexOf(event), last < 0 ? undefined : last);
      const words = shown(told.map(({ said }) => said).join(" "));
      byId("answer").replaceChildren(element("span", { "aria-hidden": "true" }, words), element("span", { class: "hidden-text" }, aloud(words)));
      table.show(view, { title: null, names: this.names, seat: this.seat, actor: event?.seat ?? null });
      await new Promise((wait) => setTimeout(wait, atOnce ? 0 : PAUSE));
    }
    if (this.round !== round) return;
    if (at + 1 < this.steps.length) {
      this.begin(at + 1, step.after ?? "");
      table.focusHand();
    } else this.end(step.after ?? "");
  }

  end(after) {
    byId("said").replaceChildren(element("p", {}, after));
    byId("answer").textContent = "";
    byId("count").textContent = "The end";
    byId("progress").value = this.steps.length;
    this.steers(false);
    localStorage.setItem(`trey:learnt:${this.game}`, "1");
    byId("end").querySelector("button").focus({ preventScroll: true });
    byId("end").scrollIntoView({ block: "nearest" });
  }
}

fetch(byId("lesson").dataset.from)
  .then((answer) => answer.json())
  .then((lesson) => new Lesson(lesson));
