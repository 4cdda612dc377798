/** A note to oneself under the hand: kept as one types, and in the browser while there is no connection (NO2). */

import { Refused } from "./api.js";

const PAUSE = 800; // after the last letter
const AGAIN = 5000; // until a text that got lost is sent again

const byId = (id) => document.getElementById(id);

class Note {
  constructor(api, game, author) {
    this.api = api;
    // Others may play the same game in this browser.
    this.key = `trey:note:${game}:${author}`;
    this.area = byId("note-text");
    this.area.addEventListener("input", () => {
      this.keep(this.area.value);
      this.title();
      this.later(PAUSE);
    });
    byId("note").addEventListener("toggle", ({ target }) => target.open && this.area.scrollIntoView({ block: "center" }));
    addEventListener("online", () => this.later(0));
  }

  /** Keep what is not yet sent: in the page, and for after it in the browser. */
  keep(draft) {
    this.draft = draft;
    if (draft === null) localStorage.removeItem(this.key);
    else localStorage.setItem(this.key, draft);
  }

  async load() {
    const { text, etag } = await this.api.note();
    this.etag = etag;
    this.draft = localStorage.getItem(this.key);
    this.area.value = this.draft ?? text;
    this.title();
    byId("note").hidden = false;
    this.later(0);
  }

  title() {
    const line = this.area.value.trim().split("\n")[0];
    byId("note-title").textContent = line ? `Note: ${line}` : "A note to yourself";
  }

  say(text) {
    byId("note-said").textContent = text;
  }

  later(wait) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.save(), wait);
  }

  async save() {
    const text = this.draft;
    if (text === null || this.sending) return;
    this.sending = true;
    try {
      this.etag = await this.api.writeNote(text, this.etag);
      if (this.draft === text) this.keep(null);
      this.say("Kept. Nobody else sees it.");
    } catch (error) {
      await this.mend(error, text);
    } finally {
      this.sending = false;
    }
    if (this.draft !== null && this.draft !== text) this.later(PAUSE);
  }

  async mend(error, text) {
    if (!(error instanceof Refused)) {
      this.say("Kept in this browser until the connection is back.");
      this.later(AGAIN);
    } else if (error.status === 412) {
      const other = await this.api.note();
      this.etag = other.etag;
      if (other.text && other.text !== text) this.area.value = `${other.text}\n\n${this.area.value}`;
      this.keep(this.area.value);
      this.say("Another device wrote here, too: both texts are kept.");
      this.later(0);
    } else this.say(error.errors[0]?.detail ?? error.message);
  }
}

export const noteOf = (...of) => new Note(...of).load();
