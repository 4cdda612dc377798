/**
 * A plan for the next turns: whether there is one, and the way to its form, which is loaded when it is opened.
 */

import { element } from "../table/cards.js";

class Planning {
  /** `kept` is the plan there was when the page was made, or null. */
  constructor(page, kept) {
    this.page = page;
    this.kept = kept;
    this.box = document.getElementById("plan");
    this.home = document.createComment("the plan's place");
    document.getElementById("typing").before(this.home, this.box);
    this.form = null;
    this.isOpen = false;
  }

  get possible() {
    const { page } = this;
    return page.seat !== null && page.running && page.game.plans && !page.past && !page.gone && !page.game.players[page.seat].bot;
  }

  /** "Planned for one more turn." */
  get told() {
    if (!this.kept) return "";
    if (!this.kept.turns_left) return "Planned for this turn.";
    return this.kept.turns_left === 1 ? "Planned for one more turn." : `Planned for ${this.kept.turns_left} more turns.`;
  }

  /** The numbers of the cards that the plan names; null while it is closed. */
  get numbers() {
    return this.isOpen ? this.form.numbers : null;
  }

  /** Whether a tap on the table belongs to the plan: while it is open and no turn is to be played. */
  takes(choice) {
    return this.isOpen && !this.page.mine && this.form.takes(choice);
  }

  load() {
    this.draw();
    this.page.bar();
  }

  /** After a new state, ask whether the plan is still kept, and try the open one again. */
  async renew() {
    const shown = this.possible;
    // Without a plan none is asked for: only this page and the turns that it served change it.
    if (this.kept !== null && shown) this.kept = await this.page.api.get("/plan", {}, "no_plan");
    if (!shown) this.kept = null;
    if (!shown && this.isOpen) await this.open(false);
    this.draw();
    if (this.isOpen) await this.form.try();
    this.page.bar();
  }

  /** Offer a plan after a move that ended one's turn, where people take their time. */
  offer() {
    const { game, seat, mine } = this.page;
    const people = game.players.filter((row) => row.player && !row.bot && row.seat !== seat);
    if (this.possible && !mine && people.length && !this.kept) this.page.say("You can leave a plan for your next turn.");
  }

  async open(wanted) {
    if (wanted && !this.possible) return;
    if (wanted && !this.form) {
      const { PlanForm } = await import("./plan_form.js");
      this.form = await PlanForm.of(this);
    }
    this.isOpen = wanted;
    this.#lie();
    this.draw();
    if (wanted) this.form.begin();
    this.page.draw({ moves: false });
    if (!wanted) return;
    this.box.querySelector("h2").focus({ preventScroll: true });
    // The pile, the hand and the lines of the plan are seen together.
    if (!this.page.isWide) this.page.table.shadowRoot.querySelector(".middle")?.scrollIntoView({ block: "start" });
  }

  /** An open plan lies under the hand; on a wide screen it is the first thing beside the table. */
  #lie() {
    if (!this.isOpen) this.home.after(this.box);
    else if (this.page.isWide) this.home.parentNode.prepend(this.box);
    else document.querySelector(".foot").before(this.box);
  }

  async drop() {
    await this.page.api.remove("/plan");
    this.kept = null;
    this.form?.clear();
    this.page.say("The plan has been dropped.");
    await this.open(false);
  }

  draw() {
    this.box.classList.toggle("open", this.isOpen);
    // While others play, the bar offers it.
    this.box.hidden = !this.possible || !(this.isOpen || this.kept || this.page.mine);
    if (this.isOpen) {
      this.form.draw();
      return;
    }
    const { page } = this;
    const row = element("div", { class: "row" }, page.button(this.kept ? "Change the plan" : "Leave a plan", () => this.open(true)));
    if (this.kept) row.append(page.button("Drop the plan", () => this.drop(), "link"));
    this.box.replaceChildren(element("h2", { tabindex: "-1" }, "Plan ahead"), element("p", { class: "small" }, this.told || "Choose now what to play on your next turn."), row);
  }
}

export const join = (page, kept) => (page.planning = new Planning(page, kept));
