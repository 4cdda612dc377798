// A room while it is open: who comes and goes, what is said, and the start, by the game's stream; the link to copy and to share.
import { Api } from "../play/api.js";
import { Talk } from "../play/talk.js";
import { element } from "../table/cards.js";
import { again, silence, take } from "./bell.js";
import { listen } from "./stream.js";

const room = document.querySelector("#room");
let talk = null;

async function moved() {
  const newer = await again().catch(() => null); // away: the next time
  if (newer) for (const part of ["#room .facts", "#seats", "#invite-part", "#who-part"]) take(newer, part);
  offers();
  await speak(); // with the first who comes there is somebody to talk to
}

/** Show what is said here, from now on. */
async function speak() {
  const { talk: base, me } = room.dataset;
  const api = new Api({ base, root: "/api/v1" });
  const say = (text) => document.querySelector("#said").append(element("p", {}, text));
  talk ??= new Talk({ api, me, say, button, dealt: false });
  await talk.load().catch(() => {}); // away: when the next comes
}

function button(text, act, kind) {
  const node = element("button", { type: "button", class: kind }, text);
  node.addEventListener("click", act);
  return node;
}

function offers() {
  for (const button of document.querySelectorAll("[data-copy]")) button.hidden = !navigator.clipboard;
  for (const button of document.querySelectorAll("[data-share]")) button.hidden = !navigator.share;
}

document.addEventListener("click", async ({ target }) => {
  const button = target.closest("[data-copy], [data-share]");
  if (!button) return;
  const url = document.getElementById(button.dataset.copy ?? button.dataset.share).value;
  if (button.dataset.share) {
    await navigator.share({ url }).catch(() => {});
    return;
  }
  await navigator.clipboard.writeText(url);
  button.textContent = "Copied";
});

function hear(events) {
  for (const { name, data } of events) if (name === "talk") talk?.hear(data);
  return events.some(({ name }) => name === "moved") && moved();
}

offers();
if (room) {
  speak();
  listen(room.dataset.live, { after: () => Number(room.dataset.version), onEvents: hear, onSilence: moved, silence });
}
