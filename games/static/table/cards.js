/**
 * Cards as SVG, drawn here: a large rank and suit in two corners, a crown on courts, a star on jokers.
 *
 *   face("7H")                       a card face up
 *   back()                           a card face down
 *   face("7H", { marks: ["wild"], tag: "button", label: "…" })
 *
 * States are classes of `cards.css`: `legal` (raised), `selected` (higher, ringed), `wild` (a corner mark); `number` is the
 * place of a card in a plan. The size is the custom property `--card-width` around it.
 */

export const SUITS = {
  S: { symbol: "♠", name: "spades", kind: "spade" },
  H: { symbol: "♥", name: "hearts", kind: "heart" },
  D: { symbol: "♦", name: "diamonds", kind: "diamond" },
  C: { symbol: "♣", name: "clubs", kind: "club" },
};
const NAMES = { T: "ten", J: "jack", Q: "queen", K: "king", A: "ace", X: "joker", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine" };
/** Ranks for sorting a hand, low to high, jokers last: in shedding games, and where runs are looked for. */
const ORDER = "3456789TJQKA2X";
export const RUNS = "A23456789TJQKX";

const SVG = "http://www.w3.org/2000/svg";
const SHAPES = {
  heart: "M12 21C5 15.4 2 11.6 2 7.8 2 4.9 4.2 3 6.8 3 9 3 11 4.2 12 6.3 13 4.2 15 3 17.2 3 19.8 3 22 4.9 22 7.8c0 3.8-3 7.6-10 13.2z",
  spade: "M12 2C8 6.8 3 9.6 3 14.1c0 2.6 2 4.2 4.2 4.2 1.6 0 2.9-.7 3.8-2-.2 2.1-1 3.7-2.5 4.9h7c-1.5-1.2-2.3-2.8-2.5-4.9.9 1.3 2.2 2 3.8 2 2.2 0 4.2-1.6 4.2-4.2C21 9.6 16 6.8 12 2z",
  diamond: "M12 1.5l7.8 10.5L12 22.5 4.2 12z",
  club: "M12 2.2a4.7 4.7 0 0 0-3.5 7.8 4.7 4.7 0 1 0 2.6 6.6c-.1 2-.9 3.5-2.5 4.6h6.8c-1.6-1.1-2.4-2.6-2.5-4.6a4.7 4.7 0 1 0 2.6-6.6A4.7 4.7 0 0 0 12 2.2z",
  star: "M12 1.8l3 6.6 7.2.8-5.4 4.8 1.5 7.1L12 17.5l-6.3 3.6 1.5-7.1L1.8 9.2 9 8.4z",
  crown: "M2.5 6.5l5 4.5L12 3l4.5 8 5-4.5L19.5 18h-15zM4.5 19.5h15V22h-15z",
};

/** A new element: `element("p", { class: "x" }, child, "text")`. Text is always text, never markup. */
export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

function drawn(tag, attributes, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/** "seven" for "7", "ten" for "T". */
export function rankName(rank) {
  return NAMES[rank] ?? rank;
}

/** "sevens", "sixes", "jokers". */
export function rankNames(rank) {
  return rank === "6" ? "sixes" : `${rankName(rank)}s`;
}

/** "7" for "7", "10" for "T", "joker" for "X": as one reads it in a sentence. */
export function rankText(rank) {
  if (rank === "T") return "10";
  return "JQKAX".includes(rank) ? rankName(rank) : rank;
}

/** "seven of hearts" for "7H", "red joker" for "XR": what a screen reader says. */
export function cardName(code) {
  if (code[0] === "X") return code[1] === "R" ? "red joker" : "black joker";
  return `${rankName(code[0])} of ${SUITS[code[1]].name}`;
}

/** "7♥", "10♠", "red joker": what is written. U+FE0E keeps suits text: without it some phones draw them as pictures. */
export function pretty(code) {
  if (code[0] === "X") return code[1] === "R" ? "red\u00A0★" : "black\u00A0★";
  return `${code[0] === "T" ? "10" : code[0]}${SUITS[code[1]].symbol}\uFE0E`;
}

/** The ranks from low to high in the game of this view. */
export function ranksOf(view) {
  return "pile" in view ? ORDER : RUNS;
}

/** Cards from low to high, suits in the order spades, hearts, diamonds, clubs. */
export function lowToHigh(codes, ranks = ORDER) {
  const suit = (code) => "SHDCRB".indexOf(code[1]);
  return [...codes].sort((a, b) => ranks.indexOf(a[0]) - ranks.indexOf(b[0]) || suit(a) - suit(b));
}

/** Cards suit by suit, each from low to high: as runs are looked for. */
export function bySuit(codes) {
  return [...codes].sort((a, b) => "SHDCRB".indexOf(a[1]) - "SHDCRB".indexOf(b[1]) || RUNS.indexOf(a[0]) - RUNS.indexOf(b[0]));
}

function shape(name, x, y, size, extra = {}) {
  const scale = size / 24;
  return drawn("path", { d: SHAPES[name], transform: `translate(${x - size / 2} ${y - size / 2}) scale(${scale})`, ...extra });
}

function corner(code) {
  const joker = code[0] === "X";
  const rank = code[0] === "T" ? "10" : code[0];
  const open = joker && code[1] === "B" ? { fill: "none", stroke: "currentColor", "stroke-width": 2.4 } : {};
  if (joker) return drawn("g", {}, shape("star", 15, 16, 22, open));
  const text = drawn("text", { x: 14.5, y: 25, "text-anchor": "middle", "font-size": 27, "font-weight": 700 });
  if (rank === "10") {
    text.setAttribute("textLength", 24);
    text.setAttribute("lengthAdjust", "spacingAndGlyphs");
  }
  text.append(rank);
  return drawn("g", {}, text, shape(SUITS[code[1]].kind, 14.5, 39, 17));
}

function picture(code) {
  const joker = code[0] === "X";
  const turned = drawn("g", { transform: "rotate(180 30 42)" }, corner(code));
  const middle = [];
  if (joker) {
    const open = code[1] === "B" ? { fill: "none", stroke: "currentColor", "stroke-width": 1.6 } : {};
    middle.push(shape("star", 30, 42, 26, open));
  } else if ("JQK".includes(code[0])) middle.push(shape("crown", 36, 20, 17), drawn("g", { transform: "rotate(180 30 42)" }, shape("crown", 36, 20, 17)));
  const svg = drawn("svg", { viewBox: "0 0 60 84", "aria-hidden": "true", focusable: "false" });
  svg.append(corner(code), ...middle, turned);
  return svg;
}

function colour(code) {
  if (code[0] === "X") return code[1] === "R" ? "heart" : "spade";
  return SUITS[code[1]].kind;
}

/** A card face up. A `button` can be pressed; anything else is a picture with a name. */
export function face(code, { tag = "span", label = null, marks = [], number = null, key = null, ...attributes } = {}) {
  const wild = marks.includes("wild");
  const name = label ?? `${cardName(code)}${wild ? ", wild" : ""}`;
  return element(
    tag,
    {
      class: `card face ${colour(code)} ${marks.join(" ")}`.trim(),
      role: tag === "button" ? null : "img",
      type: tag === "button" ? "button" : null,
      "aria-label": name,
      "data-code": code,
      "data-key": key,
      ...attributes,
    },
    picture(code),
    wild ? element("span", { class: "mark", "aria-hidden": "true" }, "W") : null,
    number === null ? null : element("span", { class: "order", "aria-hidden": "true" }, `${number}`),
  );
}

/** A card face down; without a label a picture beside words that say it all. */
export function back({ tag = "span", label = "hidden card", marks = [], ...attributes } = {}) {
  return element(tag, {
    class: `card back ${marks.join(" ")}`.trim(),
    role: tag === "button" || !label ? null : "img",
    type: tag === "button" ? "button" : null,
    "aria-label": label || null,
    "aria-hidden": label ? null : "true",
    ...attributes,
  });
}

/** A place where no card lies any more. */
export function gap(label) {
  return element("span", { class: "card gap", role: label ? "img" : null, "aria-label": label || null, "aria-hidden": label ? null : "true" });
}
