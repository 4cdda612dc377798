/** The clock in words: how long a turn may take, what stops the clock, and what happens when time is up. */

import { element } from "../table/cards.js";
import { listed, ordinal } from "../table/words.js";
import { dialog } from "./dialog.js";

const UNITS = [[86400, "day"], [3600, "hour"], [60, "minute"], [1, "second"]];
const PAUSES = { quiet_hours: "your quiet hours", vacation: "your vacation", weekend: "the weekend", outage: "an outage of the service" };
const WHY = { turn: "your time for this turn runs", bank: "your reserve runs", time: "the clock runs", ...PAUSES };

/** "1 day", "2 hours and 30 minutes": seconds in at most two units. Pure. */
export function lasting(seconds) {
  const parts = [];
  let left = Math.max(0, Math.floor(seconds));
  for (const [size, unit] of UNITS) {
    const count = Math.floor(left / size);
    if (!count || parts.length === 2) continue;
    parts.push(`${count} ${unit}${count === 1 ? "" : "s"}`);
    left -= count * size;
  }
  return parts.length ? listed(parts) : "no time";
}

/** What a game's clock is, in sentences. Pure. */
export function policy({ per_turn, bank, weekend_pause, time_zone, quiet_hours, vacation, on_timeout, strikes }) {
  const pauses = [weekend_pause && `at weekends (${time_zone})`, quiet_hours && "during the quiet hours of the player to move", vacation && "on their vacation days"].filter(Boolean);
  const after = {
    play: [strikes > 1 ? `When time runs out, a move is made for the player. The ${ordinal(strikes)} time in a row, a bot takes the seat; the player can take it back.` : "When time runs out, a bot takes the seat; the player can take it back.", `After ${2 * strikes} missed turns in a row, the player resigns.`],
    bot: ["When time runs out, a bot takes the seat; the player can take it back.", `A player who misses ${strikes} more turns in a row resigns.`],
    resign: ["When time runs out, the player resigns."],
  }[on_timeout];
  return [
    `You have ${lasting(per_turn)} for each turn${bank ? `, and a reserve of ${lasting(bank)} for the whole game` : ""}.`,
    `${pauses.length ? `The clock pauses ${listed(pauses)}` : "Nobody's nights or weekends stop the clock"}${pauses.length ? ", and while the service is out." : ", only an outage of the service does."}`,
    ...after,
    "Any move that you make resets your missed turns to 0.",
  ];
}

/** How the clock stands for one seat of `GET games/{id}/clock`, in sentences. Pure. */
export function standing(seat, name, own) {
  const { now, totals } = seat;
  if (own && now) {
    const bank = seat.bank ? `, then ${lasting(now.bank_left)} of the reserve` : "";
    return [`${now.runs ? "Your clock is running" : `Your clock is paused: ${PAUSES[now.reason] ?? "a pause"}`}. You have ${lasting(now.turn_left)} left for this turn${bank}.`];
  }
  const paused = (totals.paused ?? 0) + (totals.weekend ?? 0) + (totals.outage ?? 0);
  return [`${name} has ${lasting(seat.per_turn + seat.extra)} for this turn${seat.bank ? ` and ${lasting(seat.bank)} in reserve` : ""}${paused ? `; until then, the clock is paused for ${lasting(paused)}` : ""}.`];
}

function stretches({ segments }) {
  return element("ul", { class: "plain small" }, ...segments.map(({ to, reason, kind }) => element("li", {}, "until ", element("time", { datetime: to, "data-form": "at" }), ` ${kind === "pause" || kind === "refund" ? "it stands still: " : ""}${WHY[reason] ?? reason}`)));
}

/** Show it in a dialogue; `seat` is whose deadline was tapped. */
export async function explain(page, seat) {
  const { game, names } = page;
  const body = page.signedIn ? await page.api.get("/clock") : null;
  const due = game.deadlines[seat];
  const row = body?.seats?.[seat] ?? null;
  const own = seat === page.seat;
  const parts = [];
  if (due) parts.push(element("p", {}, element("b", {}, element("time", { datetime: due, "data-form": "left" })), " (", element("time", { datetime: due, "data-form": "at" }), ")"));
  if (row) parts.push(...standing(row, names[seat], own).map((said) => element("p", {}, said)));
  if (own && row?.segments.length > 1) parts.push(element("details", {}, element("summary", {}, "Hour by hour"), stretches(row)));
  parts.push(element("h3", {}, "In this game"), element("ul", {}, ...policy(game.clock).map((said) => element("li", {}, said))));
  const links = own ? [element("a", { href: "/me/settings#calendar" }, "Your quiet hours and vacation")] : [];
  dialog(page, own ? "Your clock" : `The clock of ${names[seat]}`, parts, { links });
}
