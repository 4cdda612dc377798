// Settings that only this browser knows: light or dark, the deck's colours, its time zone.
const root = document.documentElement;
const themes = document.querySelectorAll("[data-theme-choice]");
const four = document.querySelector("#four");

function keep(key, value, attribute) {
  if (value) {
    localStorage.setItem(key, value);
    root.setAttribute(attribute, value);
  } else {
    localStorage.removeItem(key);
    root.removeAttribute(attribute);
  }
  show();
}

function show() {
  for (const one of themes) one.setAttribute("aria-pressed", one.dataset.themeChoice === (root.dataset.theme ?? ""));
  four.checked = root.dataset.deck === "four";
}

for (const part of document.querySelectorAll("#look, #deck")) part.hidden = false;
document.querySelector("#look-none").hidden = true;
for (const one of themes) one.addEventListener("click", () => keep("trey:theme", one.dataset.themeChoice, "data-theme"));
four.addEventListener("change", () => keep("trey:deck", four.checked ? "four" : "", "data-deck"));
show();

const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
const button = document.querySelector("#zone-here");
const zone = document.querySelector("#id_zone");
if (here && here !== zone.value) {
  button.textContent = `Use this device's: ${here}`;
  button.hidden = false;
  button.addEventListener("click", () => { zone.value = here; });
}

/** Open the part that the address names, and what it lies in. */
function unfold() {
  const part = document.getElementById(location.hash.slice(1));
  for (let fold = part?.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  part?.scrollIntoView();
}

addEventListener("hashchange", unfold);
unfold();
