// What a reader chose for this browser: theme (light, dark) and deck (two, four colours). Before the first paint, so it is small.
"use strict";
for (const choice of ["theme", "deck"]) {
  try {
    const chosen = localStorage.getItem(`trey:${choice}`);
    if (chosen) document.documentElement.dataset[choice] = chosen;
  } catch {
    break; // Storage is switched off: the system's theme and two colours it is.
  }
}
