/** What is said at the table: one line under it, and a sheet that opens below the hand. */

import { renew } from "../site/times.js";
import { element } from "../table/cards.js";
import { Refused, insist, newKey, passes } from "../play/api.js";
import { Draft } from "../play/draft.js";

const SIGNS = { hello: "👋", good_luck: "🍀", thanks: "🙏", well_played: "👏", ouch: "🤕", wow: "😮", laugh: "😄", sorry: "😔", one_moment: "⏳", away: "🚶", back: "🏠", again: "🔁" };
const GONE = { author: "taken back", organiser: "removed by an organiser", staff: "removed by the operator", blocked: "from somebody you have blocked" };

const WHY = { insult: "It is insulting", spam: "It is spam", cheating: "It is cheating", other: "Something else" };

const PAGE = 100;
const byId = (id) => document.getElementById(id);
const word = (sign) => sign.replace("_", " ");
const moment = new Intl.DateTimeFormat("en-GB", { weekday: "short", hour: "2-digit", minute: "2-digit" });

/** Why nothing can be said, and until when in the reader's zone. */
function whyNot({ detail, until }) {
  const [before, after] = until ? detail.split(/(?<= until ).+? UTC(?=: )/) : [detail];
  return after === undefined ? [detail] : [before, element("time", { datetime: until, "data-form": "at" }), after];
}

/** The talk of a page's table. The page has `api`, `say` and `button`, the reader's id as `me`, and whether it is `dealt`. */
class Talk {
  constructor(page) {
    this.page = page;
    this.api = page.api;
    this.messages = new Map();
    /** What is to be said, and has no answer yet: said in turn, each once, from the next page if this one goes. */
    this.waiting = [];
    this.text = byId("talk-text");
    this.draft = new Draft(`talk:${page.api.base}:${page.me}`);
    this.box = byId("talk");
    this.box.addEventListener("toggle", () => {
      if (!this.talk) return;
      this.draw();
      if (this.box.open) this.opened();
    });
    byId("talk-form").addEventListener("submit", (event) => {
      event.preventDefault();
      const text = this.text.value;
      if (!text.trim()) return;
      this.text.value = "";
      this.say({ text });
    });
    this.text.addEventListener("input", () => this.keep());
    byId("talk-signs").replaceChildren(...Object.entries(SIGNS).map(([sign, picture]) => this.sign(sign, picture)));
    byId("talk-quiet").addEventListener("change", ({ target }) => this.ask("/quiet", "PUT", { quiet: target.checked }).then(() => this.load(), (error) => this.trouble(error)));
    document.addEventListener("visibilitychange", () => document.hidden || this.load().catch(() => {}));
    for (const { text, waiting } of this.draft.takeOver()) {
      this.type(text);
      this.waiting.push(...waiting);
    }
    this.send();
  }

  async ask(path, method, body, headers = {}) {
    return (await this.api.ask(`${this.api.base}/talk${path}`, method && { method, headers, body: body && JSON.stringify(body) })).body;
  }

  told({ body, key }) {
    // Who says too much is told, and may say it later.
    return insist(() => this.ask("", "POST", body, { "Idempotency-Key": key }), (error) => passes(error) && error.status !== 429);
  }

  /** Put words before what is being typed. */
  type(...words) {
    this.text.value = [...words, this.text.value].filter(Boolean).join(" ");
  }

  keep() {
    const { value: text } = this.text;
    this.draft.keep(text || this.waiting.length ? { text, waiting: this.waiting } : null);
  }

  sign(sign, picture) {
    const button = element("button", { type: "button" }, element("span", { "aria-hidden": "true" }, `${picture} `), word(sign));
    button.addEventListener("click", () => this.say({ sign }));
    return button;
  }

  /** The newest messages anew: of those that were there some may be gone, and between them and the newest others came. */
  async load() {
    const talk = await this.ask(`?limit=${PAGE}`);
    this.talk = talk;
    const newest = Math.max(0, ...talk.results.map((one) => one.number));
    const since = [...this.messages.values()].filter((one) => one.number > newest); // heard on the way
    this.messages = new Map([...talk.results, ...since].map((one) => [one.number, one]));
    this.more = talk.results.length === PAGE;
    this.box.hidden = !talk.people.length && !talk.last;
    byId("talk-quiet").checked = talk.quiet;
    this.draw();
    if (this.box.open) this.read();
  }

  async earlier() {
    const list = byId("talk-list");
    const below = list.scrollHeight - list.scrollTop;
    const { results } = await this.ask(`?limit=${PAGE}&before=${Math.min(...this.messages.keys())}`);
    for (const one of results) this.messages.set(one.number, one);
    this.more = results.length === PAGE;
    this.draw();
    list.scrollTop = list.scrollHeight - below;
  }

  /** What the stream sends: how much there is, or a message. */
  hear(event, data) {
    if (event !== "talk") return;
    if (data.number === undefined) {
      // Words may have been taken back while there was no stream.
      if (this.begun || data.last > this.last) this.load().catch((error) => this.trouble(error));
      this.begun = true;
      return;
    }
    const isNew = !this.messages.has(data.number);
    this.messages.set(data.number, data);
    if (!this.talk) return; // all is drawn once it has come
    if (isNew && data.by.id !== this.page.me && !data.gone) {
      if (!this.talk.quiet) this.talk.unread += 1;
      this.page.say(`${data.by.username}: ${data.sign ? word(data.sign) : data.text}`);
    }
    this.draw();
    if (this.box.open) this.read();
  }

  get last() {
    return Math.max(0, ...this.messages.keys());
  }

  draw() {
    if (!this.talk) return;
    const rows = [...this.messages.values()].sort((one, other) => one.number - other.number);
    const newest = rows.at(-1);
    byId("talk-last").classList.toggle("silent", !newest);
    byId("talk-last").replaceChildren(...(this.box.open ? ["Table chat"] : newest ? [element("b", {}, `${this.name(newest)}: `), ...this.words(newest, false)] : ["Nobody has written anything yet. Say hello!"]));
    const { unread, people, readers, may, reason } = this.talk;
    byId("talk-count").hidden = !unread;
    byId("talk-count").textContent = unread;
    const said = [
      readers.length ? `${readers.join(" and ")} can read this to run the tournament.` : "",
      ...people.map(({ username, talk }) => ({ off: `${username} has turned chat off.`, signs: `${username} sees only signs.` })[talk] ?? ""),
    ];
    byId("talk-about").textContent = said.filter(Boolean).join(" ");
    const list = byId("talk-list");
    const atEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 8;
    list.replaceChildren(...(this.more ? [element("li", {}, this.button("Earlier messages", () => this.earlier()))] : []), ...rows.map((row) => this.row(row)));
    byId("talk-waiting").replaceChildren(...this.waiting.map(({ body }) => element("li", {}, element("b", {}, "You: "), ...this.words(body), " … on its way")));
    if (atEnd) list.scrollTop = list.scrollHeight;
    byId("talk-form").hidden = may !== "text";
    byId("talk-signs").hidden = may === null;
    byId("talk-said").replaceChildren(...(may === "text" || !reason ? [] : whyNot(reason)));
    renew(byId("talk-said"));
  }

  name(row) {
    return row.by.id === this.page.me ? "You" : (row.by.username ?? "somebody who has left");
  }

  /** The words of a message; of its addresses those of this server become links, but in the line that opens the sheet. */
  words(row, links = true) {
    if (row.gone) return [element("i", { class: "quiet" }, GONE[row.gone])];
    if (row.sign) return [element("span", { "aria-hidden": "true" }, `${SIGNS[row.sign]} `), word(row.sign)];
    const own = (part) => links && part.startsWith(`${location.origin}/`);
    return row.text.split(/(\s+)/).map((part) => (own(part) ? element("a", { href: part }, part) : part));
  }

  row(row) {
    const when = moment.format(new Date(row.at));
    const at = this.page.dealt ? element("a", { class: "small quiet", href: this.api.page("", { at: row.version }), title: "The table as it was then" }, when) : element("span", { class: "small quiet" }, when);
    const parts = [element("b", {}, `${this.name(row)}: `), ...this.words(row), " ", at];
    if (row.by.id === this.page.me && !row.gone) parts.push(" ", this.button("Take back", () => this.ask(`/${row.number}`, "DELETE").then(() => this.messages.set(row.number, { ...row, text: null, sign: null, gone: "author" }))));
    if (row.by.id !== this.page.me && !row.gone) parts.push(" ", this.button("Report", () => this.report(row)));
    if (row.gone === "blocked") parts.push(" ", this.button("Show it", () => this.ask(`?after=${row.number - 1}&limit=1&blocked=show`).then(({ results }) => this.messages.set(row.number, { ...results[0], shown: true }))));
    return element("li", {}, ...parts);
  }

  /** Ask why; staff and organisers read it with the ten messages before. */
  async report(row) {
    const why = element("select", { id: "talk-why" }, ...Object.entries(WHY).map(([value, words]) => element("option", { value }, words)));
    const text = element("textarea", { id: "talk-what", rows: 2, maxlength: 500 });
    const send = element("button", { type: "button", class: "act" }, "Report it");
    const box = element("div", { class: "report" }, element("label", { for: "talk-why" }, "Why?"), why, element("label", { for: "talk-what" }, "In your own words, if you like"), text, send);
    send.addEventListener("click", () => {
      this.ask(`/${row.number}/report`, "POST", { why: why.value, text: text.value }).then(
        () => box.replaceChildren("Reported. We'll tell you what was decided."),
        (error) => box.append(" ", error.message),
      );
    });
    const { dialog } = await import("../play/dialog.js");
    dialog(this.page, `Report what ${this.name(row)} said`, [element("blockquote", {}, ...this.words(row, false)), box], { kind: "link" });
  }

  button(text, act) {
    const button = element("button", { type: "button", class: "link small" }, text);
    button.addEventListener("click", () => act().then(() => this.draw(), (error) => this.trouble(error)));
    return button;
  }

  opened() {
    byId("talk-list").scrollTop = byId("talk-list").scrollHeight;
    const signs = byId("talk-signs");
    (signs.hidden ? byId("talk-said") : signs).scrollIntoView({ block: "center" });
    this.read();
  }

  read() {
    if (document.hidden || this.talk.read >= this.last) return;
    this.talk.read = this.last;
    this.talk.unread = 0;
    byId("talk-count").hidden = true;
    this.ask("/read", "POST", { up_to: this.last }).catch(() => (this.talk.read = 0));
  }

  /** Say it when what was said before has arrived. Of one sign a second press says nothing. */
  say(body) {
    if (!body.sign || this.waiting.at(-1)?.body.sign !== body.sign) this.waiting.push({ body, key: newKey() });
    this.send();
  }

  async send() {
    this.keep();
    this.draw();
    if (this.sending || !this.waiting.length) return;
    this.sending = true;
    let trouble = null;
    while (this.waiting.length) {
      const [first] = this.waiting;
      let done = [first];
      try {
        const said = await this.told(first);
        this.messages.set(said.number, said);
      } catch (error) {
        trouble = error;
        // What would be said after these words goes back to the box with them.
        if (first.body.text) done = this.waiting.filter(({ body }) => body.text);
        this.type(...done.map(({ body }) => body.text));
      }
      this.waiting = this.waiting.filter((one) => !done.includes(one));
      this.keep();
      this.draw();
    }
    this.sending = false;
    await this.load().catch((error) => (trouble ??= error));
    if (trouble) this.trouble(trouble);
  }

  trouble(error) {
    byId("talk-said").textContent = error instanceof Refused ? error.errors[0]?.detail ?? error.message : "There is no connection. Try again.";
  }
}

export const join = (page) => new Talk(page);
