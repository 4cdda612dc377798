/**
 * Times in the reader's zone. `<time datetime="...">` gets its text from here: relative first, exact on tap and on paper.
 *
 *   <time datetime="2026-11-22T18:00:00Z" data-form="left">   "till tomorrow 18:00, 5 h left", renewed each half minute
 *   <time datetime="..." data-form="short">                    "5 h left"
 *   <time datetime="..." data-form="ago">                      "3 min ago"
 *   <time datetime="..." data-form="at">                       "22 Nov 2026, 18:00"
 *   <time datetime="..." data-form="second">                   "22 Nov 2026, 18:00:05"
 *
 * Without `data-form` the text stays as the server wrote it. What script adds later is found as well.
 */

const ZONE_CLOCK = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const ZONE_SECOND = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });
const ZONE_DAY = new Intl.DateTimeFormat("en", { weekday: "long" });
const ZONE_DATE = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });

/** "40 s", "12 min", "5 h", "3 days": seconds as people say them, on one line. */
export function span(seconds) {
  // Rounded up, 59.6 minutes are an hour.
  if (seconds < 59.5) return `${Math.max(0, Math.round(seconds))}\u00a0s`;
  if (seconds < 59.5 * 60) return `${Math.round(seconds / 60)}\u00a0min`;
  if (seconds < 47.5 * 3600) return `${Math.round(seconds / 3600)}\u00a0h`;
  return `${Math.round(seconds / 86400)}\u00a0days`;
}

function dayOf(when, now) {
  const midnight = (day) => new Date(day.getFullYear(), day.getMonth(), day.getDate());
  const days = Math.round((midnight(when) - midnight(now)) / 86400000);
  if (days === 0) return "today";
  if (days === 1) return "tomorrow";
  if (days === -1) return "yesterday";
  return days > 1 && days < 7 ? ZONE_DAY.format(when) : ZONE_DATE.format(when);
}

/** "22 Nov 2026, 18:00" in the reader's zone. */
export function exact(when) {
  return `${ZONE_DATE.format(when)}, ${ZONE_CLOCK.format(when)}`;
}

/** "22 Nov 2026, 18:00:05": where the order within a minute matters. */
export function second(when) {
  return `${ZONE_DATE.format(when)}, ${ZONE_SECOND.format(when)}`;
}

/** "till tomorrow 18:00, 5 h left"; "time is up" once it has passed. */
export function left(when, now = new Date()) {
  const seconds = (when - now) / 1000;
  if (seconds <= 0) return "time is up";
  const day = dayOf(when, now);
  return `till ${day === "today" ? "" : `${day} `}${ZONE_CLOCK.format(when)}, ${span(seconds)}\u00a0left`;
}

/** "5 h left": where there is little room. */
export function short(when, now = new Date()) {
  const seconds = (when - now) / 1000;
  return seconds <= 0 ? "time is up" : `${span(seconds)} left`;
}

/** "3 min ago"; a date once it is a week old. */
export function ago(when, now = new Date()) {
  const seconds = (now - when) / 1000;
  if (seconds < 45) return "just now";
  return seconds < 7 * 86400 ? `${span(seconds)} ago` : ZONE_DATE.format(when);
}

const FORMS = { left, short, ago, at: exact, second };

let onPaper = false;

/** Write the texts of all `<time data-form>` within `root`; on paper all are exact. */
export function renew(root = document) {
  for (const node of root.querySelectorAll("time[data-form]")) {
    const when = new Date(node.dateTime);
    const precise = node.dataset.form === "second" ? second : exact;
    const form = node.dataset.tapped || onPaper ? precise : FORMS[node.dataset.form];
    const text = Number.isNaN(when.getTime()) || !form ? node.textContent : form(when);
    if (node.textContent !== text) node.textContent = text;
    node.title = precise(when);
  }
}

document.addEventListener("click", (event) => {
  const node = event.target.closest?.("time[data-form]");
  if (!node) return;
  node.toggleAttribute("data-tapped");
  if (node.dataset.tapped === "") node.dataset.tapped = "yes";
  renew();
});
for (const [printing, does] of [["beforeprint", true], ["afterprint", false]]) {
  addEventListener(printing, () => {
    onPaper = does;
    renew();
  });
}
setInterval(renew, 30000);
renew();
