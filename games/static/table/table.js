/**
 * <trey-table>: draws one game as a viewer sees it.
 *
 *   <script type="module" src="/static/table/table.js"></script>
 *   <trey-table></trey-table>
 *   document.querySelector("trey-table").show(view, { title: "Threes", names: ["ada", "bob"], seat: 0 });
 *
 * `view` is the `view` of `GET /api/v1/games/{id}`, whole. `title` is the game's name for people, `names` are the players'
 * names in seat order. `seat` is the viewer's own seat, drawn last, or null. Nothing is fetched and nothing is kept: what the view hides cannot be shown.
 */

const SUITS = {
  S: { symbol: "♠", name: "spades" },
  H: { symbol: "♥", name: "hearts", red: true },
  D: { symbol: "♦", name: "diamonds", red: true },
  C: { symbol: "♣", name: "clubs" },
};
const RANKS = { T: "ten", J: "jack", Q: "queen", K: "king", A: "ace", X: "joker" };
const ORDER = "3456789TJQKA2X";
const ENDINGS = {
  out: "a player is out",
  stalemate: "nobody could make progress",
  agreed: "all agreed to end it",
  rounds: "the last round is scored",
  resignation: "one player is left",
};

/** What players of Three Card say when something happens. */
const CALLS = {
  kerchoo: "“Kerchoo!”",
  number_of_the_beast: "“The number of the beast!”",
  lucky_number_of_the_beast: "“The LUCKY number of the beast!”",
  exorcism: "An exorcism",
  on_the_train: "On the train",
  who_dealt: "“Who the fuck dealt?”",
};

/** A new element: `element("p", { class: "x" }, child, "text")`. Text is always text, never markup. */
function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

function rankName(rank) {
  return RANKS[rank] ?? rank;
}

/** "seven of hearts" for "7H", "red joker" for "XR". */
export function cardName(code) {
  if (code[0] === "X") return code[1] === "R" ? "red joker" : "black joker";
  return `${rankName(code[0])} of ${SUITS[code[1]].name}`;
}

function card(code, extra = "") {
  const joker = code[0] === "X";
  const suit = SUITS[code[1]];
  const red = joker ? code[1] === "R" : suit.red;
  // U+FE0E keeps the suits text: without it some phones draw them as pictures.
  const pip = joker ? "★" : `${suit.symbol}\uFE0E`;
  const rank = joker ? "J\u2009K" : code[0] === "T" ? "10" : code[0];
  return element(
    "span",
    { class: `card face ${red ? "red" : "black"} ${joker ? "joker" : ""} ${extra}`, role: "img", "aria-label": cardName(code) },
    element("span", { class: "rank", "aria-hidden": "true" }, rank),
    element("span", { class: "pip", "aria-hidden": "true" }, pip),
  );
}

function back(label = "hidden card") {
  return element("span", { class: "card back", role: "img", "aria-label": label });
}

function gap(label) {
  return element("span", { class: "card gap", role: "img", "aria-label": label });
}

function sorted(codes) {
  return [...codes].sort((a, b) => ORDER.indexOf(a[0]) - ORDER.indexOf(b[0]) || a.localeCompare(b));
}

function group(label, cards, { note = null, kind = "" } = {}) {
  return element(
    "div",
    { class: `group ${kind}`, role: "group", "aria-label": label },
    element("span", { class: "label" }, label, note === null ? null : element("span", { class: "note" }, ` ${note}`)),
    element("span", { class: "cards" }, ...(cards.length ? cards : [element("span", { class: "none" }, "none")])),
  );
}

function hand(player) {
  const cards = player.hand === null ? Array.from({ length: player.hand_count }, () => back()) : sorted(player.hand).map((code) => card(code));
  return group("Hand", cards, { note: player.hand_count ? `${player.hand_count}` : null, kind: player.hand_count > 8 ? "many" : "" });
}

function badge(text, kind = "") {
  return element("span", { class: `badge ${kind}` }, text);
}

function ordinal(place) {
  const tens = place % 100;
  const ending = tens >= 11 && tens <= 13 ? "th" : ["th", "st", "nd", "rd"][place % 10] ?? "th";
  return `${place}${ending}`;
}

function placeOf(view, index) {
  return view.result?.placements.find((placement) => placement.seat === index)?.place ?? view.players[index].place ?? null;
}

function playerArea(view, index, { names, seat }, ...areas) {
  const place = placeOf(view, index);
  const acts = view.to_act.includes(index);
  const name = names[index] ?? `Seat ${index}`;
  return element(
    "section",
    { class: `player ${acts ? "acts" : ""} ${index === seat ? "own" : ""}`, "aria-label": name },
    element(
      "h3",
      {},
      element("span", { class: "name" }, name),
      index === seat ? badge("you") : null,
      index === view.dealer ? badge("dealer") : null,
      acts ? badge(view.status === "setup" ? "choosing" : "to move", "active") : null,
      view.may_interrupt?.includes(index) ? badge("may interrupt", "active") : null,
      acts && view.bonus ? badge(view.bonus === "must" ? "must play again" : "may play again") : null,
      view.settled?.includes(index) ? badge("agrees to end it") : null,
      place === null ? null : badge(`${ordinal(place)} place`, "place"),
    ),
    ...areas,
  );
}

function beatText(view) {
  if (view.to_beat) {
    const rank = rankName(view.to_beat.rank);
    return `Play ${rank} or ${view.to_beat.or}`;
  }
  return view.status === "playing" ? "Any card may be played" : "";
}

const shedding = {
  player(view, index, context) {
    const player = view.players[index];
    const down = player.face_down.map((there, position) => {
      const known = player.face_down_cards[position];
      if (!there) return gap(`position ${position}: empty`);
      return known === null ? back(`position ${position}: face-down card`) : card(known, "seen");
    });
    const up = player.face_up === null ? [back("hidden"), back("hidden"), back("hidden")] : sorted(player.face_up).map((code) => card(code));
    return playerArea(
      view,
      index,
      context,
      hand(player),
      element("div", { class: "laid" }, group("Face up", up), group("Face down", down)),
    );
  },

  centre(view) {
    const shown = view.pile.slice(-12);
    const left = view.pile.length - shown.length;
    return [
      group(
        "Pile",
        shown.map((code, at) => card(code, at === shown.length - 1 ? "top" : "")),
        { note: left ? `top 12 of ${view.pile.length}` : view.pile.length ? `${view.pile.length}` : null, kind: "pile" },
      ),
      group("Stock", view.stock_count ? [back(`${view.stock_count} cards in the stock`)] : [], { note: `${view.stock_count}` }),
      group("Out of play", view.out_of_play.length ? [card(view.out_of_play.at(-1), "faded")] : [], { note: `${view.out_of_play.length}` }),
    ];
  },

  facts(view) {
    const still = view.may_settle ? "The game stands still: the players may agree to end it" : "";
    return [beatText(view), view.direction === 1 ? "Clockwise ↻" : "Counterclockwise ↺", still, ...view.calls.map((call) => CALLS[call] ?? "")];
  },
};

const rummy = {
  player(view, index, context) {
    const player = view.players[index];
    const areas = [hand(player)];
    if (view.went_out === index) areas.unshift(element("p", { class: "said" }, "Went out: everybody else has one last turn."));
    if (view.went_out === index && view.laid) areas.push(melds("Melds", view.laid));
    if (player.rounds.length) areas.push(rounds(player));
    return playerArea(view, index, context, ...areas);
  },

  centre(view) {
    return [
      group("Stock", view.stock_count ? [back(`${view.stock_count} cards in the stock`)] : [], { note: `${view.stock_count}` }),
      group("Discard pile", view.discard_top ? [card(view.discard_top, "top")] : [], { note: `${view.discard_count}`, kind: "pile" }),
    ];
  },

  facts(view) {
    const wild = `${rankName(view.wild)}s are wild`;
    const step = view.status === "playing" ? (view.step === "draw" ? "Draw a card" : "Discard a card") : "";
    return [`Round ${view.round}`, wild, step];
  },
};

function melds(label, sets) {
  return element(
    "div",
    { class: "melds", role: "group", "aria-label": label },
    ...sets.map((set, at) => group(`${label} ${at + 1}`, set.map((code) => card(code)))),
  );
}

function rounds(player) {
  const rows = player.rounds.map((round, at) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, `${at + 1}`),
      element("td", {}, `${round.penalty}`, round.went_out ? " (went out)" : ""),
      element("td", { class: "small" }, ...round.melds.map((meld) => element("span", { class: "meld" }, ...meld.map((code) => card(code))))),
      element("td", { class: "small" }, ...sorted(round.left).map((code) => card(code))),
    ),
  );
  return element(
    "details",
    {},
    element("summary", {}, `${player.total} penalty points in ${player.rounds.length} round${player.rounds.length === 1 ? "" : "s"}`),
    element(
      "table",
      {},
      element("thead", {}, element("tr", {}, ...["Round", "Points", "Melds", "Left over"].map((title) => element("th", { scope: "col" }, title)))),
      element("tbody", {}, ...rows),
    ),
  );
}

function resultLine(view, names) {
  const order = view.result.placements.map(({ seat, place }) => `${ordinal(place)} ${names[seat] ?? `seat ${seat}`}`);
  return `Finished: ${ENDINGS[view.result.ended_by] ?? view.result.ended_by}. ${order.join(", ")}.`;
}

class TreyTable extends HTMLElement {
  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    const style = element("link", { rel: "stylesheet", href: new URL("table.css", import.meta.url).href });
    this.body = element("div", { class: "table" });
    root.append(style, this.body);
  }

  /** Draw a view; null draws an empty table. */
  show(view, { title = null, names = [], seat = null } = {}) {
    if (view === null) {
      this.body.replaceChildren(element("p", { class: "facts" }, "No cards have been dealt yet."));
      return;
    }
    const kind = "pile" in view ? shedding : rummy;
    const open = new Set([...this.body.querySelectorAll("details[open]")].map((node) => node.closest("section").ariaLabel));
    const seats = view.players.map((_, index) => index);
    // The viewer's own cards lie nearest, as at a table.
    const from = seat === null ? 0 : seat + 1;
    const around = [...seats.slice(from), ...seats.slice(0, from)];
    this.body.replaceChildren(
      element("p", { class: "facts" }, ...[title ?? view.game, ...kind.facts(view)].filter(Boolean).map((fact) => element("span", {}, fact))),
      view.result ? element("p", { class: "result", role: "status" }, resultLine(view, names)) : "",
      element("section", { class: "centre", "aria-label": "Centre of the table" }, ...kind.centre(view)),
      element("div", { class: "players" }, ...around.map((index) => kind.player(view, index, { names, seat }))),
    );
    for (const node of this.body.querySelectorAll("details")) node.open = open.has(node.closest("section").ariaLabel);
  }
}

customElements.define("trey-table", TreyTable);
