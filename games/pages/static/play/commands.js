/** The command line: `7H 7D`, `3`, `?`, `l`, `hand`, `take`, `draw`, `plan`. Pure: text in, what is meant out. */

export const HELP =
  "A number plays that move of the list. Cards such as 7H 7D or 10S are played, discarded or laid out. Other commands: take, draw, stock, discard pile, flip 2, end, out KS. " +
  "? lists your moves, l says what happened last, hand and table read them out, plan opens the plan, settle agrees to end a game that stands still.";

/** Read a card as people type it: 7h, 10D, JOKER RED is XR. Null if it is no card. */
export function cardOf(typed) {
  const code = typed.toUpperCase().replace("10", "T").replace("♠", "S").replace("♥", "H").replace("♦", "D").replace("♣", "C").replace("\uFE0E", "");
  return /^([2-9TJQKA][SHDC]|X[RB])$/.test(code) ? code : null;
}

/**
 * What a line means, given the moves that may be made and their numbered choices: `{ say: "help" | "last" | "hand" | "table" |
 * "choices" }`, `{ open: "plan" }`, `{ move }`, or `{ error }`.
 */
export function understand(line, legal, choices) {
  // The key that leads here may come along.
  const typed = line.trim().replace(/^\/\s*/, "").replace(/\s+/g, " ");
  const word = typed.toLowerCase();
  const said = { "?": "choices", help: "help", h: "help", l: "last", last: "last", hand: "hand", table: "table", t: "table" }[word];
  if (said) return { say: said };
  if (word === "plan" || word === "p") return { open: "plan" };
  if (word === "settle") return { move: { move: "settle" } };
  if (/^\d{1,2}$/.test(word)) {
    const move = choices[Number(word) - 1];
    return move ? { move } : { error: choices.length ? `There are ${choices.length} moves: type a number from 1 to ${choices.length}.` : "You have nothing to play now." };
  }
  return byName(word, legal) ?? byCards(typed, legal);
}

function byName(word, legal) {
  const named = {
    take: (listed) => listed.move === "pick_up",
    "take pile": (listed) => listed.move === "pick_up",
    "pick up": (listed) => listed.move === "pick_up",
    draw: (listed) => listed.move === "draw" && listed.from !== "discard",
    stock: (listed) => listed.move === "draw" && listed.from !== "discard",
    "discard pile": (listed) => listed.move === "draw" && listed.from === "discard",
    top: (listed) => listed.move === "draw" && listed.from === "discard",
    end: (listed) => listed.move === "end_turn",
  }[word];
  if (named) {
    const listed = legal.find(named);
    return listed ? { move: listed.send } : { error: `You cannot ${word} now.` };
  }
  const flip = /^flip(?: ([1-9]))?$/.exec(word);
  if (flip) {
    const listed = legal.find(({ move }) => move === "flip");
    const position = flip[1] ? Number(flip[1]) - 1 : listed?.positions[0];
    return listed?.positions.includes(position) ? { move: { move: "flip", position } } : { error: "You cannot turn that card over now." };
  }
  const out = /^(?:go )?out (\S+)$/.exec(word);
  if (out) {
    const listed = legal.find(({ move, discard }) => move === "go_out" && discard === cardOf(out[1]));
    return listed ? { move: listed.send } : { error: "You cannot go out with that discard." };
  }
  return null;
}

function byCards(typed, legal) {
  const codes = typed.split(/[\s,]+/).map(cardOf);
  if (!typed || codes.includes(null)) return { error: `“${typed}” is not a command. Type ? for your moves, help for the commands.` };
  const arrange = legal.find(({ move }) => move === "arrange");
  if (arrange) return { move: { move: "arrange", face_up: codes } };
  if (legal.some(({ move }) => move === "discard")) return codes.length === 1 ? { move: { move: "discard", card: codes[0] } } : { error: "Discard one card." };
  const play = legal.find(({ move, cards, with_face_up: along = [] }) => move === "play" && codes.every((code) => cards.includes(code) || along.includes(code)));
  return { move: { ...(play?.send ?? { move: "play" }), cards: codes } };
}
