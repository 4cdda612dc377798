/** A moment of the past by slider or link, the record, and the check of the shuffles. */

import { element } from "../table/cards.js";
import { shown } from "../table/words.js";

export class History {
  constructor(page, last) {
    this.page = page;
    this.last = last;
    this.games = new Map();
    this.events = null;
    /** What happened in the step that is shown. */
    this.said = "";
    this.box = document.querySelector("#history > div");
  }

  /** Draw the controls once the page stands. */
  ready() {
    const { api, game } = this.page;
    this.slider = element("input", { type: "range", min: 1, max: this.last, value: this.page.at ?? this.last, id: "version", "aria-label": "Step of the game" });
    this.shown = element("output", { for: "version" });
    this.told = element("p", { class: "small", "aria-live": "polite" });
    // On a phone the slider lies under the table, far from the heading that closes it.
    const close = this.page.button("✕", () => this.#close(), "close");
    close.setAttribute("aria-label", "Close the history");
    this.link = element("a", {}, "Link to this moment");
    const step = (by, text, label) => {
      const button = element("button", { type: "button", "aria-label": label }, text);
      button.addEventListener("click", () => this.go(Number(this.slider.value) + by));
      return button;
    };
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    const over = this.page.ended;
    const verdict = element("div", { "aria-live": "polite" });
    const fair = this.page.button("Was the shuffle fair?", () => this.#check(verdict));
    const record = element("a", { class: "button", href: api.url("/record"), download: `${game.id}.json` }, "Download the record");
    this.box.replaceChildren(
      element("div", { class: "row steps" }, step(-1, "◀", "One step back"), this.slider, step(1, "▶", "One step forward"), close),
      element("p", {}, this.shown, " · ", this.link),
      this.told,
      over ? element("div", { class: "row proof" }, fair, record) : element("p", { class: "quiet small" }, "The record and the proof of the shuffles will be here when the game is over."),
      verdict,
    );
    this.#mark(Number(this.slider.value));
    if (this.page.past) document.getElementById("history").open = true;
  }

  grow(version) {
    this.last = version;
    if (!this.slider) return;
    const newest = !this.page.past;
    this.slider.max = version;
    if (newest) this.slider.value = version;
    this.#mark(Number(this.slider.value));
  }

  /** The moment that the page was opened at. */
  async open(game) {
    this.games.set(game.version, game);
    this.#tell(await this.#event(game.version));
    this.page.bar();
  }

  #tell(event) {
    this.said = event ? shown(event.said) : "";
    this.told.textContent = this.said;
  }

  #close() {
    document.getElementById("history").open = false;
    if (this.page.past) this.page.now();
  }

  /** Show a version; the newest one is the present. */
  async go(version) {
    const wanted = Math.min(Math.max(1, version), this.last);
    this.wanted = wanted;
    this.slider.value = wanted;
    this.#mark(wanted);
    let event;
    try {
      if (!this.games.has(wanted)) this.games.set(wanted, await this.page.api.get(`/history/${wanted}`));
      event = await this.#event(wanted);
    } catch (error) {
      this.page.trouble(error);
      if (this.wanted === wanted) this.#back();
      return;
    }
    // The reader has gone on meanwhile: only the newest step is drawn.
    if (this.wanted !== wanted) return;
    this.page.at = wanted;
    this.page.game = this.games.get(wanted);
    this.#tell(event);
    this.page.draw({ actor: event?.seat ?? null, took: event?.type === "picked_up" });
    history.replaceState(null, "", `?${this.#query(wanted)}`);
  }

  /** Put the slider back to the step that is shown, because the other one did not come. */
  #back() {
    const shown = this.page.at ?? this.last;
    this.slider.value = shown;
    this.#mark(shown);
  }

  async #all() {
    if (!this.events || this.events.at(-1).version < this.last) this.events = await this.page.api.events(0);
    return this.events;
  }

  async #event(version) {
    return (await this.#all()).find(({ version: at }) => at === version);
  }

  #query(version) {
    const query = new URLSearchParams({ at: version });
    if (this.page.api.invitation) query.set("invitation", this.page.api.invitation);
    return query;
  }

  #mark(version) {
    this.shown.value = `Step ${version} of ${this.last}`;
    this.link.href = `?${this.#query(version)}`;
  }

  async #check(verdict) {
    if (!crypto.subtle) {
      verdict.replaceChildren(element("p", {}, "This browser can check this only over HTTPS. docs/build/fairness.md says how to check it anywhere."));
      return;
    }
    verdict.replaceChildren(element("p", { class: "quiet" }, "Checking …"));
    const { api } = this.page;
    const { check } = await import("./fairness.js");
    const [fairness, record, events] = await Promise.all([api.get("/fairness"), api.get("/record"), api.events(0)]);
    const found = await check(fairness, record, events);
    const fair = found.every(({ holds }) => holds);
    verdict.replaceChildren(
      element("p", { class: fair ? "verdict" : "warn" }, element("b", {}, fair ? "Yes: nobody could choose the cards after the table was opened." : "No: something does not match the commitment.")),
      element("ul", { class: "plain small" }, ...found.map(({ what, holds }) => element("li", {}, `${holds ? "✓" : "✗"} ${what}`))),
      element("details", {}, element("summary", {}, "How to check this"), element("p", { class: "small" }, "Commitment ", element("code", {}, fairness.commitment)), element("p", { class: "small" }, "Secret ", element("code", {}, fairness.secret)), element("p", { class: "small" }, "Salts ", element("code", {}, fairness.salts.join(", ")))),
    );
  }
}
