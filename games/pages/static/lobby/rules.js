/** Draws the cards that the rules name in their pictures. */

import { back, face } from "../table/cards.js";

const SUITS = { "♠": "S", "♥": "H", "♦": "D", "♣": "C" };

for (const node of document.querySelectorAll("[data-cards]")) {
  const drawn = node.dataset.cards.split(" ").map((card) => {
    if (card === "▒▒") return back();
    return face(card[0] === "★" ? `X${card[1]}` : `${card.startsWith("10") ? "T" : card[0]}${SUITS[card.at(-1)]}`);
  });
  node.replaceChildren(...drawn);
}
