/** A note to oneself under the hand: kept as one types, and in the browser while there is no connection. */

import { Refused, passes } from "../play/api.js";
import { Draft } from "../play/draft.js";

const PAUSE = 800; // after the last letter
const AGAIN = 5000; // until a text that got lost is sent again

const merging = () => import("./merging.js");
const byId = (id) => document.getElementById(id);

class Note {
  constructor(api, game, author) {
    this.api = api;
    // Others may play the same game in this browser.
    this.draft = new Draft(`note:${game}:${author}`);
    this.area = byId("note-text");
    this.area.addEventListener("input", () => {
      this.changed(true);
      this.later(PAUSE);
    });
    byId("note").addEventListener("toggle", ({ target }) => target.open && this.area.scrollIntoView({ block: "center" }));
    addEventListener("online", () => this.later(0));
  }

  /** `known` is what the server had when the text of this page was begun. What it has not got yet is in the browser. */
  changed(isUnsent) {
    this.isUnsent = isUnsent;
    this.draft.keep(isUnsent ? { text: this.area.value, known: this.known } : null);
    const line = this.area.value.trim().split("\n")[0];
    byId("note-title").textContent = line ? `Note: ${line}` : "A note to yourself";
  }

  async load() {
    this.known = await this.ask();
    this.area.value = this.known.text;
    const [first, ...others] = this.draft.takeOver();
    if (first) ({ text: this.area.value, known: this.known } = first);
    for (const { text, known } of others) this.area.value = (await merging()).merged(known.text, text, this.area.value);
    this.changed(Boolean(first));
    byId("note").hidden = false;
    this.later(0);
  }

  /** The note with its tag, by which two devices notice each other. A proxy that compresses weakens tags. */
  async ask(options = {}) {
    const { answer, body } = await this.api.ask(`${this.api.base}/note`, options);
    return { text: body.text, etag: answer.headers.get("ETag").replace("W/", "") };
  }

  say(text) {
    byId("note-said").textContent = text;
  }

  later(wait) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.save(), wait);
  }

  async save() {
    if (!this.isUnsent || this.sending) return;
    this.sending = true;
    try {
      await this.send(this.area.value);
    } catch (error) {
      if (!(error instanceof Refused) || passes(error)) this.later(AGAIN);
      if (error instanceof Refused) this.say(`${error.errors[0]?.detail ?? error.message} What you wrote is kept in this browser.`);
      else this.say("Kept in this browser until the connection is back.");
    } finally {
      this.sending = false;
    }
  }

  async send(text) {
    let now = text;
    try {
      this.known = await this.ask({ method: "PUT", headers: { "If-Match": this.known.etag }, body: JSON.stringify({ text }) });
      this.say("Saved. Nobody else sees it.");
    } catch (error) {
      if (error.status !== 412) {
        this.sent = text; // it may have arrived
        throw error;
      }
      const [theirs, { merged }] = await Promise.all([this.ask(), merging()]);
      now = theirs.text;
      this.show(merged(now === this.sent ? now : this.known.text, this.area.value, now));
      this.known = theirs;
      this.say("Another device also wrote here, so both texts are kept.");
    }
    this.changed(this.area.value !== now);
    if (this.isUnsent) this.later(PAUSE);
  }

  /** Show another text in place of the one that is being written, without moving the place where one writes. */
  show(text) {
    const { value, selectionStart: at } = this.area;
    this.area.value = text;
    const caret = text.startsWith(value.slice(0, at)) ? at : text.length - value.length + at;
    if (document.activeElement === this.area) this.area.setSelectionRange(caret, caret);
  }
}

export const join = ({ api, game, me }) => new Note(api, game.id, me);
