/**
 * <trey-table>: draws one game as a viewer sees it.
 *
 *   <script type="module" src="/static/table/table.js"></script>
 *   <trey-table></trey-table>
 *   document.querySelector("trey-table").show(view, { title: "Threes", names: ["ada", "bob"], seat: 0 });
 *
 * `view` is the `view` of `GET /api/v1/games/{id}`, whole. `title` is the game's name for people, `names` are the players'
 * names in seat order, `seat` is the viewer's own, whose cards lie nearest, or null. Nothing is fetched and nothing is kept:
 * what the view hides cannot be shown.
 *
 * A page on which one plays adds `play`: `{ lit, done, isSelected, positions, position, targets, numbers, order }` (`selecting.js` makes it;
 * `taps` is a set of what a lesson also answers, as `GET lessons/{game}` names it),
 * and hears `choose` events with `{ zone, code, position }` for what is tapped. `deadlines`, `present` (seats that look on),
 * `replaced` (seats in which a bot plays for somebody) and `actor` (whose move it was, for the motion) may be given, too. With `clock` a deadline is a button: `choose` brings
 * `{ zone: "clock", position }`, the seat.
 */

import { follow as keepFocus } from "../site/focus.js";
import { follow, renew } from "../site/times.js";
import { back, cardName, element, face, gap, lowToHigh, rankNames, ranksOf, rankText } from "./cards.js";
import { motion } from "./motion.js";
import { CALLS, asksFor, cards, isRace, now, ordinal, outcome } from "./words.js";

const ROWS = ".hand, .own .places"; // of cards, within which arrow keys lead

function group(label, kind, nodes, note = null) {
  return element("div", { class: `group ${kind}`, role: "group", "aria-label": label }, ...nodes, note);
}

function badge(text, kind = "") {
  return element("span", { class: `badge ${kind}` }, text);
}

function placeOf(view, index) {
  return view.result?.placements.find((placement) => placement.seat === index)?.place ?? view.players[index].place ?? null;
}

/** A key for each card: with several decks there are equal cards. */
function keys() {
  const counts = new Map();
  return (code) => {
    const count = (counts.get(code) ?? 0) + 1;
    counts.set(code, count);
    return `${code}.${count}`;
  };
}

/** A deadline: a button where the page explains the clock. */
function due(deadline, index, explained) {
  const time = element("time", { datetime: deadline, "data-form": explained ? "short" : "left", class: "left" });
  // The explanation says the rest.
  return explained ? element("button", { type: "button", class: "due", "data-zone": "clock", "data-position": index }, time, element("span", { class: "hidden-text" }, ": how the clock works")) : time;
}

function headline(view, index, { names, seat, deadlines = {}, present = [], replaced = [], clock = false }) {
  const acts = view.to_act.includes(index);
  const place = placeOf(view, index);
  const duty = view.status === "setup" ? "choosing" : isRace(view) ? "may open" : "to play";
  const parts = [
    present.includes(index) ? element("span", { class: "presence", role: "img", "aria-label": "is here" }) : null,
    element("span", { class: "name", title: names[index] ?? "" }, names[index] ?? `Seat ${index}`),
    index === seat ? badge("you") : null,
    replaced.includes(index) ? badge("a bot plays", acts ? "act" : "") : acts ? badge(duty, "act") : null,
    acts && deadlines[index] ? due(deadlines[index], index, clock) : null,
    view.may_interrupt?.includes(index) ? badge("may interrupt", "act") : null,
    view.settled?.includes(index) ? badge("agrees to end it") : null,
    index === view.dealer ? badge("dealer", "dealer") : null,
    place === null ? null : badge(`${ordinal(place)} place`, "ended"),
  ];
  // Nobody sees the blanks; without them a heading is read as one word.
  return element("h2", {}, ...parts.filter(Boolean).flatMap((part) => [part, " "]));
}

/** The hand of a player whose cards are not the viewer's own: open where they may be seen, else as a count. */
function otherHand(view, player, key) {
  const count = element("span", { class: "count", title: "cards in hand" }, back({ label: "" }), element("b", {}, `${player.hand_count}`), element("span", { class: "hidden-text" }, " in hand"));
  if (player.hand === null || !player.hand.length) return count;
  const shown = lowToHigh(player.hand, ranksOf(view)).map((code) => face(code, { key: key(code), marks: code[0] === view.wild ? ["wild"] : [] }));
  return group("Hand", "open", [count, element("span", { class: "shown" }, ...shown)]);
}

/** What lies on the table before somebody: their three places, as long as there is a card, or their penalty points. */
function before(player, context) {
  if (!("face_down" in player)) return element("span", { class: "total quiet" }, `${player.total} points`);
  return player.face_down.some(Boolean) || player.face_up?.length ? group(context.own ? "Your cards on the table" : "On the table", "places", places(player, context)) : null;
}

/** The three places on the table: a face-up card lies on a face-down one as long as there is one. */
function places(player, { key, play = null, own = false }) {
  const up = player.face_up === null ? [] : lowToHigh(player.face_up);
  return player.face_down.map((there, position) => {
    const known = player.face_down_cards[position];
    const code = up[position];
    const flips = own && play?.positions.includes(position);
    const chosen = own && play?.position === position;
    let down = gap(code ? "" : "empty");
    if (there) {
      const label = `${known === null ? "face-down card" : `${cardName(known)}, face down for its owner`}${flips ? ", can be turned over" : ""}`;
      const marks = [flips && "legal", chosen && "selected", known !== null && "seen"].filter(Boolean);
      const more = flips || (own && play?.taps?.has(`down:${position}`)) ? { tag: "button", "data-zone": "down", "data-position": position, "aria-pressed": String(chosen) } : {};
      down = known === null ? back({ label, marks, ...more }) : face(known, { label, marks, ...more });
    }
    return element("span", { class: `place-of ${code && there ? "both" : ""}`, role: "group", "aria-label": `place ${position + 1}` }, down, code ? playable(code, "up", { key, play, own }) : null);
  });
}

/** A card of the viewer's own, which can be pressed where `play` says so. */
function playable(code, zone, { key, play, own, wild = null }) {
  const id = key(code);
  const legal = own && play ? play.lit.has(code) : false;
  // The Tab key skips face-up cards that cannot be played now.
  const pressable = own && play && (legal || zone === "hand" || play.numbers || play.taps);
  if (!pressable) return face(code, { key: id, marks: code[0] === wild ? ["wild"] : [] });
  const selected = play.isSelected(code, zone, id);
  const number = play.numbers?.get(code) ?? null;
  const words = [cardName(code), code[0] === wild && "wild", zone === "up" && "face up", number !== null && `number ${number} in the plan`, selected ? "chosen" : legal && `can be ${play.done}`];
  return face(code, {
    tag: "button",
    key: id,
    number,
    label: words.filter(Boolean).join(", "),
    marks: [legal && "legal", selected && "selected", code[0] === wild && "wild"].filter(Boolean),
    "aria-pressed": String(selected),
    "data-zone": zone,
    "data-legal": legal,
    tabindex: "-1",
  });
}

function ownHand(view, player, context) {
  const { play = null, key } = context;
  if (player.hand === null) return [];
  const order = play?.order ? play.order(player.hand) : lowToHigh(player.hand, ranksOf(view));
  const hand = element("div", { class: "hand", role: "group", "aria-label": `Your hand, ${cards(player.hand.length)}`, "data-zone-of": "hand" });
  hand.style.setProperty("--cards", order.length);
  hand.style.setProperty("--gaps", Math.max(1, order.length - 1));
  for (const code of order) hand.append(playable(code, "hand", { key, play, own: true, wild: view.wild }));
  if (!order.length) hand.append(element("span", { class: "none" }, "No cards in your hand."));
  return [hand];
}

function target(zone, play, label, node) {
  const legal = play?.targets.includes(zone);
  if (!legal && !play?.taps?.has(zone)) return element("span", { class: "target" }, node);
  return element("button", { type: "button", class: legal ? "target legal" : "target", "data-zone": zone, "aria-label": label }, node);
}

function counted(what, count) {
  return element("span", { class: "count-of" }, element("span", { class: "quiet" }, `${what} `), `${count}`);
}

function stock(view, play) {
  const pile = element("span", { class: "stock", "data-from": "stock" }, view.stock_count ? back({ label: "" }) : gap(""));
  pile.style.setProperty("--layers", Math.min(6, Math.ceil(view.stock_count / 8)));
  const label = `Stock, ${cards(view.stock_count)}`;
  return group(label, "stock-of", [target("stock", play, `Draw from the stock, ${cards(view.stock_count)}`, pile)], counted("stock", view.stock_count));
}

/** The middle of a shedding game, with what the pile asks for in words. */
function shedding(view, context) {
  const { play, key } = context;
  const shown = view.pile.slice(-4);
  const fan = element("span", { class: "fan", "data-from": "pile" }, ...(shown.length ? shown.map((code) => face(code, { key: key(code) })) : [gap("")]));
  fan.style.setProperty("--shown", Math.max(1, shown.length));
  const top = view.pile.length ? `${cardName(view.pile.at(-1))} on top, ${cards(view.pile.length)}` : "no cards";
  return [
    stock(view, play),
    group(`Pile: ${top}`, "pile", [target("pile", play, `Pile: ${top}`, fan)], counted("pile", view.pile.length)),
    element(
      "div",
      { class: "asks" },
      view.status === "playing" && view.to_act.length ? element("p", { class: "ask" }, element("span", { class: "quiet" }, "Now: "), asksFor(view)) : null,
      element("p", { class: "quiet small" }, view.direction === 1 ? "↻ clockwise" : "↺ anticlockwise", view.out_of_play.length ? ` · ${cards(view.out_of_play.length)} out of play` : ""),
      view.may_settle ? element("p", { class: "small" }, "The game stands still: the players can agree to end it.") : null,
      ...view.calls.map((call) => (CALLS[call] ? element("p", { class: "call" }, CALLS[call]) : null)),
    ),
  ];
}

function rummy(view, context) {
  const { play, key } = context;
  const top = view.discard_top;
  const wild = top !== null && top[0] === view.wild ? ["wild"] : [];
  const fan = element("span", { class: "fan", "data-from": "pile" }, top === null ? gap("") : face(top, { key: key(top), marks: wild }));
  const label = top === null ? "Discard pile, no cards" : `Discard pile: ${cardName(top)} on top, ${cards(view.discard_count)}`;
  return [
    stock(view, play),
    group(label, "pile", [target("discard", play, label, fan)], counted("discards", view.discard_count)),
    element(
      "div",
      { class: "asks" },
      element("p", { class: "ask" }, `Round ${view.round}: `, element("b", {}, `${rankNames(view.wild)} are wild`)),
      view.went_out === null || view.result ? null : element("p", { class: "small" }, `${context.names[view.went_out]} went out: everyone else has one last turn.`),
      ...(view.laid ?? []).map((meld) => laidOut(meld, view.wild)),
    ),
  ];
}

/** A meld, or what is left over, in small cards. */
function laidOut(codes, wild) {
  return element("span", { class: "meld small-cards" }, ...codes.map((code) => face(code, { marks: code[0] === wild ? ["wild"] : [] })));
}

/** How all hands of a scored round, from 0, were laid out: everybody sees the melds (TT7). */
export function lastRound(view, at, names) {
  const wild = "3456789TJQK"[at];
  const rows = view.players.map(({ rounds }, seat) => {
    const { melds = [], left = [], penalty, went_out: isOut } = rounds[at] ?? {};
    if (!melds.length && !left.length) return null;
    return element("li", {}, `${names[seat]}${isOut ? " went out" : ""}, ${penalty} points: `, ...melds.map((meld) => laidOut(meld, wild)), left.length ? element("span", { class: "left-over" }, "left over ", laidOut(left, wild)) : null);
  });
  return element("div", { class: "lay-outs" }, element("ul", {}, ...rows));
}

/** Penalties round by round and the last round's cards, folded. */
function scores(view, context) {
  if (!view.players.some((player) => player.rounds.length)) return null;
  const rounds = Math.max(...view.players.map((player) => player.rounds.length));
  const row = (at) => element("tr", {}, element("th", { scope: "row" }, `${at + 1} (${rankText("3456789TJQKA2"[at])})`), ...view.players.map((player) => element("td", { class: "number" }, player.rounds[at] ? `${player.rounds[at].penalty}${player.rounds[at].went_out ? " ✓" : ""}` : "–")));
  const details = element(
    "details",
    { class: "scores" },
    element("summary", {}, "Penalty points, round by round"),
    element(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": "Penalty points" },
      element(
        "table",
        {},
        element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "Round (wild)"), ...context.names.map((name) => element("th", { scope: "col", class: "number" }, name)))),
        element("tbody", {}, ...Array.from({ length: rounds }, (_, at) => row(at))),
        element("tfoot", {}, element("tr", {}, element("th", { scope: "row" }, "Total"), ...view.players.map((player) => element("td", { class: "number" }, `${player.total}`)))),
      ),
    ),
  );
  const layOut = () => details.append(element("b", {}, `Round ${rounds} on the table`), lastRound(view, rounds - 1, context.names));
  if (context.open) layOut();
  else details.addEventListener("toggle", layOut, { once: true });
  return details;
}

function other(view, index, context, at, count) {
  const player = view.players[index];
  const node = element(
    "section",
    { class: `player ${view.to_act.includes(index) ? "acts" : ""}`, "aria-label": context.names[index] ?? `Seat ${index}`, "data-seat": index },
    headline(view, index, context),
    element("div", { class: "strip" }, otherHand(view, player, context.key), before(player, context)),
  );
  const [x, y] = seatAt(at, count);
  node.style.setProperty("--x", x.toFixed(3));
  node.style.setProperty("--y", y.toFixed(3));
  return node;
}

/** Where the opponent `at` of `count` sits in the circle: from -1 (left) to 1, and from 0 (the far side) to 1. */
function seatAt(at, count) {
  if (count < 4) {
    const angle = ((at + 0.5) * Math.PI) / count;
    return [-Math.cos(angle), 1 - Math.sin(angle)];
  }
  // More sit at three sides, clockwise from the left.
  const side = count < 6 ? 1 : 2;
  const far = count - 2 * side;
  if (at < side) return [-1, 0.75 * (1 - (at + 0.5) / side) + 0.1];
  if (at >= side + far) return [1, 0.75 * ((at - side - far + 0.5) / side) + 0.1];
  return [((at - side + 0.5) / far - 0.5) * 1.5, 0];
}

function mine(view, context) {
  const player = view.players[context.seat];
  return element(
    "section",
    { class: `player own ${view.to_act.includes(context.seat) ? "acts" : ""}`, "aria-label": `${context.names[context.seat]} (you)`, "data-seat": context.seat },
    headline(view, context.seat, context),
    before(player, { ...context, own: true }),
    element("div", { class: "hand-of" }, ...ownHand(view, player, context)),
  );
}

class TreyTable extends HTMLElement {
  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    const sheet = (name) => element("link", { rel: "stylesheet", href: new URL(name, import.meta.url).href });
    this.body = element("div", { class: "table" });
    root.append(sheet("cards.css"), sheet("table.css"), this.body);
    root.addEventListener("click", (event) => this.#choose(event));
    root.addEventListener("keydown", (event) => this.#move(event));
    root.addEventListener("scroll", () => this.#ends(), { capture: true, passive: true });
    new ResizeObserver(() => this.#ends()).observe(this.body);
    follow(root);
    keepFocus(root);
  }

  /** Draw a view; null draws an empty table. Resolves when the motion to it has ended. */
  show(view, context = {}) {
    const names = context.names ?? [];
    if (view === null) {
      this.body.replaceChildren(element("p", { class: "facts" }, "No cards have been dealt yet."));
      return Promise.resolve();
    }
    const open = this.body.querySelector("details[open]") !== null;
    const full = { title: null, seat: null, ...context, names, open, key: keys() };
    const arrive = motion(this.body, full);
    const focused = this.#focused();
    const scrolled = this.#hand?.scrollLeft ?? 0;
    this.#draw(view, full);
    if (scrolled) this.#hand?.scrollTo({ left: scrolled, behavior: "instant" });
    this.#ends();
    for (const node of this.body.querySelectorAll("details")) node.open = open;
    renew(this.body);
    this.#rove(focused);
    return arrive();
  }

  #draw(view, context) {
    const { seat, play } = context;
    const all = view.players.map((_, index) => index);
    // The viewer's own cards lie nearest, as at a table; the others follow in order of play.
    const from = seat === null ? 0 : seat + 1;
    const around = [...all.slice(from), ...all.slice(0, from)].filter((index) => index !== seat);
    const middle = "pile" in view ? shedding(view, context) : rummy(view, context);
    // In a circle more would cover each other, and so would three with open hands.
    const crowd = around.length > 7 || (around.length > 2 && around.some((index) => view.players[index].hand?.length));
    this.body.className = `table ${seat === null ? "watched" : ""} ${crowd ? "crowd" : around.length > 3 ? "full" : ""} ${play ? "playing" : ""}`;
    this.body.replaceChildren(
      element("p", { class: "facts" }, context.title ? element("b", {}, context.title) : null, element("span", {}, view.result ? outcome(view, context.names, seat) : now(view, context.names, seat))),
      element("div", { class: "round" }, element("div", { class: "others" }, ...around.map((index, at) => other(view, index, context, at, around.length))), element("section", { class: "middle", "aria-label": "Middle of the table" }, ...middle)),
      seat === null ? "" : mine(view, context),
      "pile" in view ? "" : (scores(view, context) ?? ""),
    );
  }

  /** Lead the keyboard to the viewer's cards. */
  focusHand() {
    const first = this.#hand?.querySelector("button[tabindex='0']") ?? this.body.querySelector(".own button[tabindex='0']");
    first?.focus({ preventScroll: true });
  }

  get #hand() {
    return this.body.querySelector(".hand");
  }

  /** Show at each end of the hand how many cards are out of sight. */
  #ends() {
    const hand = this.#hand;
    if (!hand) return;
    const sight = hand.getBoundingClientRect();
    const cards = [...hand.children].map((card) => card.getBoundingClientRect());
    // A card can be read by its corner alone.
    const before = cards.filter(({ left }) => left < sight.left - 8).length;
    const after = cards.filter(({ left }) => left > sight.right - 20).length;
    const sign = (side, count, text) => (count ? hand.parentNode.setAttribute(side, text) : hand.parentNode.removeAttribute(side));
    sign("data-before", before, `‹ ${before}`);
    sign("data-after", after, `${after} ›`);
  }

  #focused() {
    const node = this.shadowRoot.activeElement?.closest("button");
    return node ? { key: node.dataset.key, zone: node.dataset.zone, position: node.dataset.position } : null;
  }

  /** One card of each row is a tab stop, and arrow keys go on; drawing again keeps the focus. */
  #rove(focused) {
    for (const row of this.body.querySelectorAll(ROWS)) this.#stop(row.querySelector("button.legal") ?? row.querySelector("button"));
    if (!focused) return;
    const there = [...this.body.querySelectorAll("button")];
    const same = there.find((node) => focused.key !== undefined && node.dataset.key === focused.key) ?? there.find((node) => node.dataset.zone === focused.zone && node.dataset.position === focused.position);
    if (same) this.#stop(same);
    (same ?? this.body.querySelector(".hand button[tabindex='0']"))?.focus({ preventScroll: true });
  }

  /** Tab leads to this card of its row, and from it out of the row. */
  #stop(node) {
    for (const other of node?.closest(ROWS)?.querySelectorAll("button") ?? []) other.setAttribute("tabindex", other === node ? "0" : "-1");
  }

  #choose(event) {
    const node = event.target.closest("button[data-zone]");
    if (!node) return;
    const { zone, code, key, position } = node.dataset;
    this.dispatchEvent(new CustomEvent("choose", { detail: { zone, code, key, position: position === undefined ? null : Number(position) } }));
  }

  #move(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity }[event.key];
    const row = event.target.closest?.(ROWS);
    if (!step || !row || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    if (event.shiftKey && Number.isFinite(step)) {
      this.dispatchEvent(new CustomEvent("shift", { detail: { key: event.target.dataset.key, step } }));
      return;
    }
    const buttons = [...row.querySelectorAll("button")];
    const next = Number.isFinite(step) ? buttons[buttons.indexOf(event.target) + step] : buttons.at(step < 0 ? 0 : -1);
    this.#stop(next);
    next?.focus();
    next?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
}

customElements.define("trey-table", TreyTable);
