/**
 * The REST API and the live stream of one game, as a page uses them: the reader's session, and no more than the API gives.
 *
 * Whoever is not logged in gets the same shapes of public games from the page's own address.
 */

/** What the server refused, with its problem document: `code` for programs, `message` for people. */
export class Refused extends Error {
  constructor(status, problem) {
    super(problem?.detail ?? `The server answered ${status}.`);
    this.status = status;
    this.code = problem?.code ?? "";
    this.errors = problem?.errors ?? [];
  }
}

/** No answer came: the server or the network is away. `onConnection` was told. */
export class Lost extends Error {}

/** Whether the same request may succeed a little later. */
export function passes(error) {
  return error instanceof Lost || (error instanceof Refused && (error.status === 429 || error.status >= 500));
}

const pause = (milliseconds) => new Promise((wait) => setTimeout(wait, milliseconds));
// A browser that is back online waits no longer.
const pauseOrBack = (milliseconds) => Promise.race([pause(milliseconds), new Promise((back) => addEventListener("online", back, { once: true }))]);

/** A new key for a command, so that sending it again does nothing twice. */
function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export class Api {
  /**
   * `base` is the game's address, `root` the API's; a stream that sends nothing for `silence` milliseconds counts
   * as dead. `onConnection(true | false)` is told whether the server answers.
   */
  constructor({ base, root, csrf, invitation = "", silence = 45_000, onConnection = () => {} }) {
    Object.assign(this, { base, root, csrf, invitation, silence, onConnection });
    this.etag = null;
    // A request without an answer counts as lost after so many milliseconds.
    this.patience = 20_000;
  }

  url(path, query = {}) {
    const asked = new URLSearchParams(query);
    if (this.invitation && !path.startsWith("/plan")) asked.set("invitation", this.invitation);
    return `${this.base}${path}${asked.size ? `?${asked}` : ""}`;
  }

  async #ask(url, options = {}) {
    const headers = { Accept: "application/json", ...options.headers };
    if (options.body !== undefined) headers["Content-Type"] = "application/json";
    if (options.method) headers["X-CSRFToken"] = this.csrf;
    let answer;
    let text;
    try {
      answer = await fetch(url, { credentials: "same-origin", cache: "no-store", signal: AbortSignal.timeout(this.patience), ...options, headers });
      text = await answer.text();
    } catch (lost) {
      this.onConnection(false);
      throw new Lost("no answer", { cause: lost });
    }
    this.onConnection(true);
    const body = text && answer.headers.get("Content-Type")?.includes("json") ? JSON.parse(text) : null;
    if (!answer.ok && answer.status !== 304) throw new Refused(answer.status, body);
    return { answer, body };
  }

  /** The game as it is, or null where nothing has changed since the last time. */
  async game() {
    const { answer, body } = await this.#ask(this.url(""), { headers: this.etag ? { "If-None-Match": this.etag } : {} });
    this.etag = answer.headers.get("ETag") ?? this.etag;
    return body;
  }

  /** The body at a path below the game, or null where it answers 404 with `missing`. */
  async get(path, query = {}, missing = null) {
    try {
      return (await this.#ask(this.url(path, query))).body;
    } catch (error) {
      if (missing && error.code === missing) return null;
      throw error;
    }
  }

  /** All games with their rules; they change with a release only. */
  async rulesets() {
    return (await this.#ask(`${this.root}/rulesets`, { cache: "default" })).body.results;
  }

  /** All events after a version, page by page. */
  async events(after) {
    const all = [];
    for (let at = after; ; ) {
      const page = await this.get("/events", { after: at });
      all.push(...page.results);
      if (!page.next || !page.results.length) return all;
      at = page.results.at(-1).version;
    }
  }

  async post(path, body = undefined, headers = {}) {
    return (await this.#ask(this.url(path), { method: "POST", headers, body: body === undefined ? undefined : JSON.stringify(body) })).body;
  }

  async put(path, body) {
    return (await insist(() => this.#ask(this.url(path), { method: "PUT", body: JSON.stringify(body) }))).body;
  }

  async remove(path) {
    await insist(() => this.#ask(this.url(path), { method: "DELETE" }));
  }

  /**
   * Send a command. While no answer comes it is sent again under the same key, so it is carried out once.
   * Throws Refused for what the server would refuse again.
   */
  async command(path, body) {
    const key = newKey();
    return insist(() => this.post(path, body, { "Idempotency-Key": key }));
  }

  /**
   * Listen for `moved`, `present` and `together` after a version, until the game `isOver`: `onEvents([{ name, data }])`. If the
   * stream breaks or `url` is null, `onSilence` is called, less and less often.
   */
  async listen(url, { after, onEvents, onSilence, isOver }) {
    // The page has just brought the game.
    if (url === null) await pause(2000);
    for (let wait = 1000; !isOver(); wait = Math.min(wait * 1.5, 15000)) {
      try {
        if (url === null) throw new Refused(401, null);
        const asked = new URL(url, location.href);
        asked.searchParams.set("after", after());
        if (this.invitation) asked.searchParams.set("invitation", this.invitation);
        const answer = await fetch(asked, { credentials: "include", cache: "no-store" });
        if (!answer.ok) throw new Refused(answer.status, null);
        this.onConnection(true);
        wait = 1000;
        await read(answer.body, onEvents, this.silence);
      } catch {
        await onSilence();
      }
      await pause(wait);
    }
  }
}

/** Send until there is a final answer: for what may arrive twice and counts once. */
async function insist(send) {
  for (let wait = 500; ; wait = Math.min(2 * wait, 15000)) {
    try {
      return await send();
    } catch (error) {
      if (!passes(error)) throw error;
      await pauseOrBack(wait);
    }
  }
}

/** Read server-sent events until the stream ends. Throws Lost if nothing comes for `silence` milliseconds. */
async function read(body, onEvents, silence) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  const next = async () => {
    let timer;
    const silent = new Promise((_, dead) => (timer = setTimeout(() => dead(new Lost("a silent stream")), silence)));
    try {
      return await Promise.race([reader.read(), silent]);
    } catch (error) {
      reader.cancel().catch(() => {});
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };
  let text = "";
  for (let part = await next(); !part.done; part = await next()) {
    const blocks = (text + part.value).split("\n\n");
    text = blocks.pop();
    const heard = blocks.map(parsed).filter(Boolean);
    if (heard.length) await onEvents(heard);
  }
}

function parsed(block) {
  const lines = block.split("\n");
  const value = (name) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
  const data = value("data");
  return data ? { name: value("event") ?? "message", data: JSON.parse(data) } : null;
}
