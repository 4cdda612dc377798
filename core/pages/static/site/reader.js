// Whose page this is. If somebody else now uses this browser, the page empties itself and reloads. It runs before the first paint: a page
// that comes back by the Back button may belong to somebody who has logged out, with the token and keys of that time.
"use strict";
const reader = (() => {
  const LAST = "trey:reader"; // of the newest page that the server gave this browser; "" is nobody
  const DOUBTED = "trey:doubted"; // in this tab: whose page was left for an answer that did not know them
  const idIn = (page) => page.querySelector("meta[name=reader]")?.content;
  const id = idIn(document);
  const cameBack = performance.getEntriesByType("navigation")[0]?.type === "back_forward";
  const last = () => {
    try {
      return localStorage.getItem(LAST);
    } catch {
      return null; // Storage is switched off: the server says it.
    }
  };
  const tab = (() => {
    try {
      return sessionStorage;
    } catch {
      return undefined;
    }
  })();
  let isSent = false; // whether a form was sent, whose answer replaces this page
  const isOther = () => id !== undefined && ![null, id].includes(last());

  /** Empty this page, and load its address again for whoever is logged in now. If a form was sent, its answer comes instead. */
  function leave() {
    document.documentElement.hidden = true;
    document.body?.replaceChildren();
    if (!isSent) location.replace(location.pathname + location.search);
  }

  /** Ask whether the page's reader is still logged in here, after an answer that gives cause to doubt it. */
  async function doubt() {
    if (!id) return;
    const { status } = await fetch("/api/v1/me", { headers: { "Trey-Reader": id }, cache: "no-store" });
    // Where a proxy keeps the session from the API alone, the page is its reader's all the same: it is loaded anew once.
    if (status === 200) tab?.removeItem(DOUBTED);
    if (status !== 401 || tab?.getItem(DOUBTED) === id) return;
    tab?.setItem(DOUBTED, id);
    leave();
  }

  /** Whether a newer version of the page is its reader's, too. If not, this one is left. */
  function reads(newer) {
    const same = idIn(newer) === id;
    if (!same) leave();
    return same;
  }

  /** The token of forms and of the API's changes: a log-in in another tab has brought a new one. */
  const token = () => document.cookie.match(/\bcsrftoken=(\w+)/)?.[1] ?? "";

  function comesBack({ persisted }) {
    if (persisted) isSent = false;
    if (!persisted && !cameBack) return;
    if (isOther()) leave();
    else doubt().catch(() => {}); // away from the network: the next answer says it
    // What was sent from here was answered: the same once more is another one.
    const key = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    for (const field of document.querySelectorAll("input[type=hidden]:is([name=once], [name=key])")) field.value = key;
  }

  function sends(event) {
    const field = event.target.querySelector("[name=csrfmiddlewaretoken]");
    if (id && isOther()) {
      event.preventDefault();
      leave();
    } else if (field && token()) field.value = token();
  }

  if (!id) tab?.removeItem(DOUBTED);
  if (cameBack && isOther()) leave();
  else if (id !== undefined && id !== last()) {
    try {
      if (last()) localStorage.removeItem("authorized"); // a token that the API's page to try calls keeps
      localStorage.setItem(LAST, id);
    } catch {
      // Switched off.
    }
  }
  addEventListener("pageshow", comesBack);
  addEventListener("storage", ({ key }) => key === LAST && id && isOther() && leave());
  addEventListener("submit", sends, true);
  addEventListener("submit", ({ defaultPrevented }) => (isSent ||= !defaultPrevented));
  return { id, token, leave, doubt, reads };
})();
