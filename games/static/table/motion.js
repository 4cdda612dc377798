/**
 * Motion explains: a card goes where it went, a closed pile lifts off, taken cards slide to who took them. 180 ms, and
 * nothing at all where the reader wants less motion.
 */

const MILLISECONDS = 180;

function still() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/**
 * Note where everything lies in `body`, which is about to be drawn again; call what this returns afterwards. It resolves
 * when everything has arrived. `actor` is the seat whose move it was: cards that were not there before come from it.
 */
export function motion(body, { actor = null, took = false, moves = true } = {}) {
  if (!moves || still() || !body.isConnected || !body.querySelector(".card")) return () => Promise.resolve();
  const before = new Map([...body.querySelectorAll("[data-key]")].map((node) => [node.dataset.key, node.getBoundingClientRect()]));
  const oldPile = body.querySelector(".fan");
  const pile = oldPile && { node: oldPile.cloneNode(true), box: oldPile.getBoundingClientRect(), cards: keysIn(oldPile) };
  const keep = body.querySelector(".hand")?.scrollLeft ?? 0;
  return async () => {
    const hand = body.querySelector(".hand");
    if (hand) hand.scrollLeft = keep;
    const running = [];
    for (const node of body.querySelectorAll("[data-key]")) {
      const from = before.get(node.dataset.key) ?? origin(body, node, actor);
      if (from) running.push(glide(node, from));
    }
    if (pile) running.push(lift(body, pile, actor, took));
    await Promise.allSettled(running.filter(Boolean).map((animation) => animation.finished));
  };
}

function keysIn(node) {
  return [...node.querySelectorAll("[data-key]")].map((card) => card.dataset.key);
}

/** Where a card that was hidden before comes from: its player's place, or the stock. */
function origin(body, node, actor) {
  const seat = actor === null ? null : body.querySelector(`.player[data-seat="${actor}"]`);
  const source = node.closest(".fan") ? seat : node.closest(".own") ? body.querySelector("[data-from='stock']") : null;
  return source?.getBoundingClientRect() ?? null;
}

function glide(node, from) {
  const to = node.getBoundingClientRect();
  const x = from.left + from.width / 2 - (to.left + to.width / 2);
  const y = from.top + from.height / 2 - (to.top + to.height / 2);
  if (Math.abs(x) + Math.abs(y) < 2) return null;
  return node.animate([{ translate: `${x}px ${y}px`, zIndex: 5 }, { translate: "0 0", zIndex: 5 }], { duration: MILLISECONDS, easing: "ease-out" });
}

/** Move the old pile, if it is gone, to whoever took it, or up and away; not if its cards are shown elsewhere now. */
function lift(body, { node, box, cards }, actor, took) {
  const there = new Set(keysIn(body));
  if (!cards.length || cards.some((key) => there.has(key))) return null;
  const seat = actor === null ? null : body.querySelector(`.player[data-seat="${actor}"]`);
  const taken = seat && took;
  node.removeAttribute("data-from");
  node.setAttribute("aria-hidden", "true");
  Object.assign(node.style, { position: "fixed", left: `${box.left}px`, top: `${box.top}px`, width: `${box.width}px`, height: `${box.height}px`, pointerEvents: "none", zIndex: "6" });
  body.append(node);
  const goal = taken ? seat.getBoundingClientRect() : null;
  const end = goal ? { translate: `${goal.left - box.left}px ${goal.top - box.top}px`, opacity: 0.6 } : { translate: "0 -60px", opacity: 0 };
  const animation = node.animate([{ translate: "0 0", opacity: 1 }, end], { duration: 2 * MILLISECONDS, easing: "ease-in" });
  const remove = () => node.remove();
  animation.finished.then(remove, remove);
  return animation;
}
