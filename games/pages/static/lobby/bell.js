// The bell: how many notifications are unread, and the badge of the app: how many turns wait.
import { again, listen, take } from "./stream.js";

const bell = document.querySelector(".bell");
const waiting = new Set();

function badge() {
  if (!("setAppBadge" in navigator)) return;
  (waiting.size ? navigator.setAppBadge(waiting.size) : navigator.clearAppBadge()).catch(() => {});
}

/** Whether the first page shows a game otherwise than it is now. */
function differs(game) {
  const card = document.querySelector(`#mine [data-game="${game.id}"]`);
  if (!card) return ["open", "setup", "playing"].includes(game.status);
  return (card.dataset.turn === "true") !== game.your_turn || card.dataset.status !== game.status;
}

let asked = false;
async function refresh() {
  if (asked) return;
  asked = true;
  await new Promise((wait) => setTimeout(wait, 300));
  asked = false;
  const newer = await again();
  if (!newer) return;
  take(newer, "#mine");
  document.title = newer.title;
}

if (bell?.dataset.live) {
  listen(bell.dataset.live, {
    notification(told) {
      if (told.read) return;
      const count = bell.querySelector(".badge");
      count.textContent = Number(count.textContent || 0) + 1;
      count.hidden = false;
    },
    game(game) {
      if (game.your_turn) waiting.add(game.id);
      else waiting.delete(game.id);
      badge();
      if (document.querySelector("#mine") && differs(game)) refresh();
    },
  });
}
