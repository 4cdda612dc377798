/** Draws the cards that the rules name in their pictures. */

import { back, face } from "../table/cards.js";

const SUITS = { "♠": "S", "♥": "H", "♦": "D", "♣": "C" };

for (const node of document.querySelectorAll("[data-cards]")) {
  const drawn = node.dataset.cards.match(/(?:red|black) ★|\S+/g).map((card) => {
    if (card === "▒▒") return back();
    return face(card.endsWith("★") ? `X${card[0].toUpperCase()}` : `${card.startsWith("10") ? "T" : card[0]}${SUITS[card.at(-1)]}`);
  });
  node.replaceChildren(...drawn);
}
