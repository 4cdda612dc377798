// A room while it is open: who comes and goes, what features show there, and the start, by the game's stream; the link to copy and to share.
import { Api } from "../play/api.js";
import { element } from "../table/cards.js";
import { again, silence, take } from "./bell.js";
import { listen } from "./stream.js";

const room = document.querySelector("#room");
let panels = null;

async function moved() {
  const newer = await again().catch(() => null); // away: the next time
  if (newer) for (const part of ["#room .facts", "#seats", "#invite-part", "#who-part"]) take(newer, part);
  offers();
  await show(); // with the first who comes there is somebody to talk to
}

/** Show what features have for a room, as it is now. */
async function show() {
  const { base, me } = room.dataset;
  const api = new Api({ base, root: "/api/v1" });
  const say = (text) => document.querySelector("#said").append(element("p", {}, text));
  const join = async (script) => (await import(script)).join({ api, me, say, button, dealt: false });
  panels ??= Promise.all(room.dataset.panels.split(" ").filter(Boolean).map(join)).catch(() => []); // the room goes on without them
  for (const panel of await panels) await panel.load().catch(() => {}); // away: when the next comes
}

function button(text, act, kind) {
  const node = element("button", { type: "button", class: kind }, text);
  node.addEventListener("click", act);
  return node;
}

function offers() {
  for (const button of document.querySelectorAll("[data-copy]")) button.hidden = !navigator.clipboard;
  for (const button of document.querySelectorAll("[data-send]")) button.hidden = !(navigator.share ?? navigator.clipboard);
}

document.addEventListener("click", async ({ target }) => {
  const button = target.closest("[data-copy], [data-send]");
  if (!button) return;
  const url = document.getElementById(button.dataset.copy ?? button.dataset.send).value;
  if (button.dataset.send && navigator.share) {
    await navigator.share({ url }).catch(() => {});
    return;
  }
  await navigator.clipboard.writeText(url);
  button.textContent = button.dataset.send ? "Link copied. Send it to your friends" : "Copied";
});

async function hear(events) {
  for (const panel of await panels) for (const { name, data } of events) panel.hear?.(name, data);
  return events.some(({ name }) => name === "moved") && moved();
}

offers();
if (room) {
  show();
  listen(room.dataset.live, { after: () => Number(room.dataset.version), onEvents: hear, onSilence: moved, silence });
}
