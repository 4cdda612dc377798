// The bell: how many notifications are unread, and the badge of the app: how many turns wait.
import { isFilledIn } from "../site/filled.js";
import { listen } from "./stream.js";

const bell = document.querySelector(".bell");
// The page of a game says itself what is told about that game.
const besides = bell?.dataset.besides;
export const silence = Number(bell?.dataset.silence);
const waiting = new Set();

/** A page as the server has it now, or null if this one is somewhere else by now (then it goes there, too). */
export async function again(address = location.href) {
  const answer = await fetch(address, { credentials: "same-origin" });
  if (answer.status === 403 || answer.status === 404) reader.leave();
  if (address === location.href && answer.redirected && new URL(answer.url).pathname !== location.pathname) {
    location.assign(answer.url);
    return null;
  }
  if (!answer.ok) return null;
  const newer = new DOMParser().parseFromString(await answer.text(), "text/html");
  return reader.reads(newer) ? newer : null;
}

const nameOf = (fold) => fold.firstElementChild.textContent;

const atSameAddress = (form) => (other) => other.getAttribute("action") === form.getAttribute("action");

/** Take a part of the page from its newer version, unless the reader is in one of its forms. What is filled in or unfolded stays so. */
export function take(newer, selector) {
  const here = document.querySelector(selector);
  const there = newer.querySelector(selector);
  const active = document.activeElement;
  const isWriting = active?.matches("input, textarea, select") || (active?.form && isFilledIn(active.form));
  if (!here || (isWriting && here.contains(active))) return;
  const forms = [...(there?.querySelectorAll("form") ?? [])];
  for (const form of here.querySelectorAll("form")) if (isFilledIn(form)) forms.find(atSameAddress(form))?.replaceWith(form);
  const open = [...here.querySelectorAll("details[open]")].map(nameOf);
  for (const fold of there?.querySelectorAll("details") ?? []) fold.open ||= open.includes(nameOf(fold));
  if (there) here.replaceWith(there);
  else here.remove();
}

function appBadge() {
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
  const mine = document.querySelector("#mine");
  // Not this page: it may be a form that is shown once, such as that for a code.
  const newer = await again(mine || besides ? location.href : "/").catch(() => null); // away: the next time
  if (!newer) return;
  take(newer, ".bell .badge");
  bell.dataset.newest = newer.querySelector(".bell").dataset.newest;
  if (!mine) return;
  take(newer, "#mine");
  document.title = newer.title;
}

function told(notification) {
  if (notification.read || (besides && notification.cause.includes(besides))) return;
  const count = bell.querySelector(".badge");
  count.textContent = Number(count.textContent || 0) + 1;
  count.hidden = false;
}

function moved(game) {
  if (game.your_turn) waiting.add(game.id);
  else waiting.delete(game.id);
  appBadge();
  if (document.querySelector("#mine") && differs(game)) refresh();
}

if (bell?.dataset.live) {
  listen(bell.dataset.live, {
    after: () => Number(bell.dataset.newest),
    onEvents: (events) => {
      const named = (kind) => events.filter(({ name }) => name === kind).map(({ data }) => data);
      const games = named("game");
      named("notification").forEach(told);
      games.forEach(moved);
      if (games.length) document.dispatchEvent(new CustomEvent("moved", { detail: games.map(({ id }) => id) }));
    },
    onSilence: refresh,
    onBegin: () => waiting.clear(),
    silence,
  });
  // Meanwhile they may have been read on another page.
  addEventListener("pageshow", ({ persisted }) => persisted && refresh());
}
