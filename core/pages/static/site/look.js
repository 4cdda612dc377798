// What a reader chose for this browser: theme (light, dark) and deck (two, four colours). Before the first paint, so it is small.
// A script that does not come cannot say so itself.
"use strict";
const failed = ({ target }) => {
  const box = target.localName === "script" && document.getElementById("trouble");
  if (!box) return;
  box.textContent = "Part of this page did not load, so it won't work. Reload the page.";
  box.hidden = false;
};
addEventListener("error", failed, true);
for (const choice of ["theme", "deck"]) {
  try {
    const chosen = localStorage.getItem(`trey:${choice}`);
    if (chosen) document.documentElement.dataset[choice] = chosen;
  } catch {
    break; // Storage is switched off: the system's theme and two colours it is.
  }
}
