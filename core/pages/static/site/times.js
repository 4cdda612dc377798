/**
 * Times in the reader's zone. `<time datetime="..." data-form="...">` gets its text from here, exact on tap and on paper:
 * `left` "until tomorrow 18:00, 5 h left", `short` "5 h left", `ago` "3 min ago", `at` "22 Nov 2026, 18:00", `second` with seconds.
 * `<li data-time-zone>` names the zone, once a page. It is the server's clock that counts. Nobody sets the one that says how long the page is open, but it may stop while a
 * device sleeps.
 */

const CLOCK = new Intl.DateTimeFormat("en-GB", { timeStyle: "short" });
const SECOND = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });
const DAY = new Intl.DateTimeFormat("en", { weekday: "long" });
const DATE = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });
const ZONE = DATE.resolvedOptions().timeZone.replaceAll("_", " ");
const AWAKE = 2000; // by so many milliseconds the two clocks of a browser may part in half a minute
let server = Date.now() - performance.now();
let slept = Infinity; // nobody has answered yet

async function ask() {
  const apart = Date.now() - performance.now();
  const { headers } = await fetch("/healthz", { method: "HEAD", cache: "no-store" });
  slept = apart;
  server = Date.parse(headers.get("Date")) - performance.now() || server;
  renew();
}

const clock = () => new Date(server + performance.now());
const quietly = () => ask().catch(() => renew()); // away from the network: the next time

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
  return days > 1 && days < 7 ? DAY.format(when) : DATE.format(when);
}

const exact = (when) => `${DATE.format(when)}, ${CLOCK.format(when)}`;
const second = (when) => `${DATE.format(when)}, ${SECOND.format(when)}`;

/** "5 h left"; "time is up" once it has passed. */
export function short(when, now = clock()) {
  const seconds = (when - now) / 1000;
  return seconds <= 0 ? "time is up" : `${span(seconds)} left`;
}

/** "until tomorrow 18:00, 5 h left". */
export function left(when, now = clock()) {
  if (when <= now) return short(when, now);
  const day = dayOf(when, now);
  return `until ${day === "today" ? "" : `${day} `}${CLOCK.format(when)}, ${short(when, now)}`;
}

/** "3 min ago"; a date once it is a week old. */
export function ago(when, now = clock()) {
  const seconds = (now - when) / 1000;
  if (seconds < 45) return "just now";
  return seconds < 7 * 86400 ? `${span(seconds)} ago` : DATE.format(when);
}

const FORMS = { left, short, ago, at: exact, second };

const roots = [document];
let onPaper = false;

/** Renew what is within a shadow root, too, from now on. */
export const follow = (root) => roots.push(root);

/** Write the texts of all `<time data-form>`, or of those within `root`; on paper all are exact. */
export function renew(root = null) {
  const within = root ? [root] : roots;
  for (const node of within.flatMap((one) => [...one.querySelectorAll("time[data-form]")])) {
    const when = new Date(node.dateTime);
    const precise = node.dataset.form === "second" ? second : exact;
    const form = node.dataset.tapped || onPaper ? precise : FORMS[node.dataset.form];
    const text = Number.isNaN(when.getTime()) || !form ? node.textContent : form(when);
    if (node.textContent !== text) node.textContent = text;
    node.title = precise(when);
  }
  for (const node of within.flatMap((one) => [...one.querySelectorAll("[data-time-zone]")])) node.textContent = `times are in ${ZONE}`;
}

document.addEventListener("click", (event) => {
  const node = event.target.closest?.("time[data-form]");
  if (!node) return;
  if (node.dataset.tapped) delete node.dataset.tapped;
  else node.dataset.tapped = "yes";
  renew();
});
for (const [printing, does] of [["beforeprint", true], ["afterprint", false]]) {
  addEventListener(printing, () => {
    onPaper = does;
    renew();
  });
}
addEventListener("pageshow", ({ persisted }) => persisted && quietly());
document.addEventListener("visibilitychange", () => document.hidden || quietly());
setInterval(() => (Math.abs(Date.now() - performance.now() - slept) > AWAKE ? quietly() : renew()), 30000);
renew();
quietly();
