// A room while it is open: who comes and goes, and the start, by the game's stream; the link to copy and to share.
import { again, take } from "./bell.js";
import { listen } from "./stream.js";

const room = document.querySelector("#room");

async function moved() {
  const newer = await again().catch(() => null); // away: the next time
  if (newer) for (const part of ["#room .facts", "#seats", "#invite-part", "#who-part"]) take(newer, part);
  offers();
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

offers();
if (room) listen(room.dataset.live, { after: () => Number(room.dataset.version), onEvents: (events) => events.some(({ name }) => name === "moved") && moved(), onSilence: moved });
