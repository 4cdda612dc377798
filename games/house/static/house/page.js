/** The page of a house game: its figures, asked for with one tap, and a bar while they are made. */

import { element } from "../table/cards.js";

const PAUSE = 1000;
const box = document.getElementById("drawn");

async function ask(options = {}) {
  const headers = { Accept: "application/json", "Trey-Reader": reader.id };
  const answer = await fetch(box.dataset.url, { credentials: "same-origin", ...options, headers });
  if (!answer.ok) throw new Error(answer.status === 429 ? "You have asked for many games. Try again in an hour." : `The server answered ${answer.status}.`);
  return answer.json();
}

async function wait() {
  for (;;) {
    const { played, games, html } = await ask().catch(() => ({})); // away: the next time
    if (html) {
      box.innerHTML = html; // ours, with its texts escaped
      return;
    }
    if (played !== undefined) {
      box.replaceChildren(element("p", { id: "far" }, `${played} of ${games} games played.`), element("progress", { max: games, value: played, "aria-labelledby": "far" }));
    }
    await new Promise((over) => setTimeout(over, PAUSE));
  }
}

// What was typed is saved: this browser need not keep it.
const draft = sessionStorage.getItem("trey:house");
sessionStorage.removeItem("trey:house");
if (draft) localStorage.removeItem(draft);

box?.querySelector("form")?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const body = new FormData(event.target);
  try {
    await ask({ method: "POST", body });
  } catch (wrong) {
    box.append(element("p", { class: "error", role: "alert" }, wrong.message));
    return;
  }
  wait();
});
if (box?.dataset.waits) wait();
