/** The replay on the page of a game: slider, buttons and keys fetch the table of a version and draw it. */
import "../table/table.js";
import { anyCardOpens } from "../table/words.js";

const section = document.getElementById("replay");
const table = section.querySelector("trey-table");
const slider = document.getElementById("version");
const shown = document.getElementById("shown");
const said = document.getElementById("said");
const first = JSON.parse(document.getElementById("first").textContent);
const pictures = new Map([[first.version, first]]);
let wanted = first.version;
if (first.anyCardOpens) anyCardOpens.add(first.view?.game);

function theme() {
  table.setAttribute("theme", document.documentElement.classList.contains("dark") ? "dark" : "light");
}

function draw(picture) {
  table.show(picture.view, { title: picture.title, names: picture.names, seat: picture.seat });
  slider.value = picture.version;
  shown.value = `${picture.version} of ${picture.last}`;
  const line = document.querySelector(`[data-version="${picture.version}"]`);
  said.textContent = line ? line.textContent : "";
  for (const marked of document.querySelectorAll(".log [aria-current]")) marked.removeAttribute("aria-current");
  line?.setAttribute("aria-current", "step");
}

async function go(version) {
  wanted = Math.min(Math.max(1, version), Number(slider.max));
  if (!pictures.has(wanted)) {
    const asked = wanted;
    const answer = await fetch(section.dataset.url.replace(/0\/$/, `${asked}/`), { headers: { Accept: "application/json" } });
    if (!answer.ok) {
      said.textContent = "This version could not be loaded. Reload the page and try again.";
      return;
    }
    pictures.set(asked, await answer.json());
    // The reader has moved on meanwhile: only the newest version asked for is drawn.
    if (asked !== wanted) return;
  }
  draw(pictures.get(wanted));
}

slider.addEventListener("input", () => go(Number(slider.value)));
document.getElementById("previous").addEventListener("click", () => go(wanted - 1));
document.getElementById("next").addEventListener("click", () => go(wanted + 1));
document.addEventListener("click", (event) => {
  const version = event.target.closest?.("[data-version]")?.dataset.version;
  if (version) go(Number(version));
});
document.addEventListener("keydown", (event) => {
  if (event.target.closest("input, textarea, select") || event.ctrlKey || event.altKey || event.metaKey) return;
  const step = { ArrowLeft: wanted - 1, ArrowRight: wanted + 1, Home: 1, End: Number(slider.max) }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  go(step);
});
new MutationObserver(theme).observe(document.documentElement, { attributeFilter: ["class"] });
theme();
draw(first);
