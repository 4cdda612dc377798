/** What the page says: what happened, for the eye and the ear, what went wrong, and whether the server is there. */

import { renew } from "../site/times.js";
import { element } from "../table/cards.js";
import { aloud, now, shown } from "../table/words.js";
import { Lost, Refused } from "./api.js";

const byId = (id) => document.getElementById(id);

export class Telling {
  constructor() {
    this.sayings = [];
    this.told = 0;
  }

  /** Write what happened, newest first; `aloud` says it to screen readers, too. */
  tell(events, { aloud: isNew, names, seat, view }) {
    const list = byId("happened");
    // What came while the page asked for the past is in both answers.
    const untold = events.filter(({ version }) => version > this.told);
    this.told = events.at(-1)?.version ?? this.told;
    for (const event of untold) {
      const told = shown(event.said);
      this.sayings.push(told);
      const link = element("a", { href: `?at=${event.version}`, tabindex: "-1", "aria-label": aloud(told) }, told);
      list.prepend(element("li", { class: event.data.calls?.length ? "call" : null }, link, " ", element("time", { datetime: event.recorded_at, "data-form": "ago", class: "quiet small" })));
      if (isNew) this.say(told);
    }
    while (list.children.length > 60) list.lastElementChild.remove();
    byId("happened-box").hidden = !list.children.length;
    renew();
    // Whoever has a turn hears what to do once the legal moves have come.
    if (isNew && untold.length && !view?.to_act.includes(seat)) this.say(now(view, names, seat));
  }

  say(text) {
    const said = byId("said");
    said.append(element("p", {}, aloud(text)));
    while (said.children.length > 8) said.firstElementChild.remove();
  }

  trouble(error) {
    // The page already says that the connection is lost.
    if (error instanceof Lost) return;
    const box = byId("trouble");
    const text = error instanceof Refused ? error.message : "Something went wrong. Reload the page.";
    box.textContent = text;
    box.hidden = false;
    clearTimeout(this.hiding);
    if (error instanceof Refused) this.hiding = setTimeout(() => (box.hidden = true), 8000);
    else console.error(error);
  }

  connected(there, sending = false) {
    if (there === this.wasThere) return;
    const box = byId("trouble");
    clearTimeout(this.hiding);
    box.hidden = there;
    if (!there) box.textContent = `The connection is lost. ${sending ? "What you played is sent as soon as it is back, once." : "The page goes on by itself when it is back."}`;
    if (there && this.wasThere === false) this.say("The connection is back.");
    this.wasThere = there;
  }
}
