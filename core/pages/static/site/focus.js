/** The keyboard's place: where a part is drawn anew, the focus is on the same control as before (WCAG 2.4.3). */

const CONTROLS = "a[href], button, input, select, textarea, summary, [tabindex]";
const NAMES = ["data-id", "aria-label", "href"];

/** What a control is by; of those that are alike, one says it by its row. */
function mark(node) {
  const named = NAMES.map((name) => node.getAttribute(name)).find(Boolean) ?? node.textContent;
  return JSON.stringify([node.localName, node.id, named, node.name, node.getAttribute("value"), node.form?.getAttribute("action")]);
}

const rowOf = (node) => node.closest("li, tr, article, section")?.textContent;
/** Where the browser itself looks for controls like this one: a page may have ten thousand. */
function narrowed(node) {
  const name = NAMES.find((one) => node.getAttribute(one));
  return `${node.localName}:is(${CONTROLS})${name ? `[${name}="${CSS.escape(node.getAttribute(name))}"]` : ""}`;
}

const alike = (region, { selector, wanted }) => [...region.querySelectorAll(selector)].filter((node) => mark(node) === wanted);
const isThere = (node) => node.isConnected && !node.disabled && node.checkVisibility();

/** Keep the place in a document or a shadow tree, from now on. */
export function follow(root) {
  let held = null;
  // Nobody has gone elsewhere meanwhile.
  const isLost = () => held && !isThere(held.node) && [null, document.body, held.node].includes(root.activeElement ?? document.activeElement);

  root.addEventListener("focusin", ({ target: node }) => {
    const ids = [];
    for (let at = node; at; at = at.parentElement) if (at.id) ids.push(at.id);
    const like = { selector: narrowed(node), wanted: mark(node) };
    held = { node, ids, like, row: rowOf(node), at: alike(root, like).indexOf(node) };
  });
  // Whoever leaves it for nothing, by a click beside, wants it no longer. A window that loses the focus keeps it.
  root.addEventListener("focusout", ({ target }) => queueMicrotask(() => target.isConnected && root.activeElement !== target && held?.node === target && isThere(target) && (held = null)));

  new MutationObserver(() => {
    if (!isLost()) return;
    const there = alike(root, held.like).filter(isThere);
    const same = there.find((node) => rowOf(node) === held.row) ?? there[Math.min(held.at, there.length - 1)];
    // Where it has gone, the next Tab leads on from what it was in.
    const around = held.ids.map((id) => root.getElementById(id)).find((node) => node && isThere(node));
    if (!same && around && !around.matches(CONTROLS)) around.tabIndex = -1;
    (same ?? around)?.focus({ preventScroll: true });
  }).observe(root, { subtree: true, childList: true, attributeFilter: ["hidden", "disabled"] });
}

follow(document);
