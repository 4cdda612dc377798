/** What is around the table: a room before the deal, and what is seldom needed. */

import { element } from "../table/cards.js";

/** A room in which no cards have been dealt: who sits there, and the way in. */
export function lobby(page, box) {
  const { game, names } = page;
  const free = game.seats - names.length;
  const seats = [...names.map((name, seat) => element("li", {}, `${name}${seat === page.seat ? " (you)" : ""}${seat === game.opener ? ", opened the table" : ""}`)), ...Array.from({ length: Math.max(0, free) }, () => element("li", { class: "quiet" }, "a free seat"))];
  const open = game.status === "open" && !page.past;
  const buttons = [];
  if (open && page.seat === game.opener && page.seat !== null && names.length > 1) buttons.push(page.button("Start the game", () => page.command("/start"), "act"));
  if (open && page.seat === null && free > 0 && page.maySit) buttons.push(page.button("Sit down", () => page.command("/join", page.api.invitation ? { invitation: page.api.invitation } : {}), "act"));
  const said = game.status === "cancelled" ? "This game was called off." : free > 0 ? `Waiting for ${free} more.` : "Everyone is here; the opener starts the game.";
  box.replaceChildren(element("div", { class: "panel" }, element("p", {}, said), element("ul", {}, ...seats), element("div", { class: "row" }, ...buttons)));
}

/** Preferences of this browser, and the ways out of the game. */
export function aside(page) {
  const box = document.querySelector("#more > div");
  const root = document.documentElement;
  const choice = (name, value, text) => {
    const field = element("input", { type: "checkbox" });
    field.checked = root.dataset[name] === value;
    field.addEventListener("change", () => {
      if (field.checked) root.dataset[name] = value;
      else delete root.dataset[name];
      try {
        if (field.checked) localStorage.setItem(`trey:${name}`, value);
        else localStorage.removeItem(`trey:${name}`);
      } catch {
        // Storage is switched off: it applies to this page.
      }
    });
    return element("label", { class: "check" }, field, text);
  };
  const rows = [choice("deck", "four", "Four-colour deck"), choice("theme", "dark", "Always dark")];
  if (page.seat !== null && !page.game.tournament && page.channels) rows.push(element("p", {}, element("a", { href: page.channels }, "Channels that this table posts to")));
  if (page.seat !== null && page.running && !page.past) {
    // A tournament's game is its organisers' to call off.
    if (!page.game.tournament) rows.push(element("div", {}, page.button("Agree to call it off", () => page.command("/cancel")), element("p", { class: "hint" }, "The game is called off, without a result, when everyone agrees. Your next move takes this back.")));
    rows.push(resigning(page));
  }
  box.replaceChildren(...rows);
}

/** Resigning cannot be taken back: it takes two taps, the second one elsewhere. */
function resigning(page) {
  const sure = element("span", { class: "row", hidden: true }, "You will leave the game for good. ");
  const resign = page.button("Resign", () => {
    sure.hidden = false;
    sure.scrollIntoView({ block: "center" });
  }, "warn");
  sure.append(page.button("No, play on", () => (sure.hidden = true)), page.button("Yes, resign", () => page.play({ move: "resign" }), "warn"));
  return element("div", {}, resign, sure);
}
