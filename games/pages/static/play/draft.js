/** What is typed and not yet sent, kept in this browser for its author. */

import { newKey } from "./api.js";

export class Draft {
  constructor(name) {
    this.name = `trey:draft:${name}:`;
    // Pages that are open at once do not write over each other's.
    this.key = this.name + newKey();
  }

  /** Keep a value until the next one; null keeps nothing. */
  keep(value) {
    try {
      if (value === null) localStorage.removeItem(this.key);
      else localStorage.setItem(this.key, JSON.stringify(value));
    } catch {
      // Storage is full: it is kept while the page is open.
    }
  }

  /** Take over what other pages have kept. */
  takeOver() {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(this.name) && key !== this.key);
    const values = keys.map((key) => JSON.parse(localStorage.getItem(key)));
    for (const key of keys) localStorage.removeItem(key);
    return values;
  }
}
