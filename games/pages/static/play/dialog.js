/** What lies over the table until it is tapped away. */

import { renew } from "../site/times.js";
import { element } from "../table/cards.js";

/** Show a dialogue: its title, what it says, and beside the button that closes it some links. */
export function dialog(page, title, parts, { close = "Close", kind = "act", links = [] } = {}) {
  const shut = page.button(close, () => box.close(), kind);
  shut.autofocus = true;
  const box = element("dialog", { class: "over-table", "aria-labelledby": "dialog-title" }, element("h2", { id: "dialog-title" }, title), ...parts, element("div", { class: "row" }, ...links, shut));
  box.addEventListener("close", () => box.remove());
  box.addEventListener("click", (event) => event.target === box && box.close());
  document.querySelector("dialog.over-table")?.close();
  document.body.append(box);
  renew(box);
  box.showModal();
}
