/** The command line: what is typed is done, or answered for the eye and the ear. */

import { element, lowToHigh, ranksOf } from "../table/cards.js";
import { spoken } from "../table/words.js";
import { HELP, understand } from "./commands.js";

function answer(page, ...nodes) {
  const box = document.getElementById("answer");
  box.replaceChildren(...nodes);
  const lines = [...box.querySelectorAll("p")].map((line) => line.textContent);
  const choices = [...box.querySelectorAll("li")].map((line, at) => `${at + 1}: ${line.textContent}.`);
  page.say([...(lines.length ? lines : nodes.filter((node) => typeof node === "string")), ...choices].join(" "));
}

/** Do what a line of the command line says, and answer below it. */
export async function obey(page, line) {
  const { selecting, game } = page;
  const choices = selecting.choices();
  const meant = understand(line, selecting.legal, choices);
  const own = page.seat === null || !game.view ? null : game.view.players[page.seat];
  if (meant.move) return answer(page, `${selecting.label(meant.move)}.`), page.play(meant.move);
  if (meant.open) return page.planning.open(true);
  if (meant.error) return answer(page, meant.error);
  if (meant.say === "help") return answer(page, HELP);
  if (meant.say === "last") return answer(page, ...page.telling.sayings.slice(-8).map((told) => element("p", {}, told)));
  if (meant.say === "hand") return answer(page, own?.hand ? `${spoken(lowToHigh(own.hand, ranksOf(game.view)))}${own.face_up?.length ? `. Face up: ${spoken(lowToHigh(own.face_up))}` : ""}.` : "You have no hand in this game.");
  if (meant.say === "table") return answer(page, ...game.view.players.map((player, seat) => element("p", {}, `${page.names[seat]}: ${player.hand_count} in hand${player.face_up?.length ? `, face up ${spoken(player.face_up)}` : ""}${player.total === undefined ? "" : `, ${player.total} points`}.`)));
  const rows = choices.map((move) => {
    const label = move.face_up ? `Lay ${spoken(move.face_up)} face up` : selecting.label(move);
    const button = page.button(label, () => page.play(move), "link");
    return element("li", {}, button);
  });
  return answer(page, element("p", {}, selecting.sentence(page.names)), element("ol", {}, ...rows));
}
