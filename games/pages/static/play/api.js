/**
 * The REST API of one game, as a page uses it: the reader's session, and no more than the API gives.
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

// A browser that is back online waits no longer.
const pause = (milliseconds) =>
  new Promise((over) => {
    setTimeout(over, milliseconds);
    addEventListener("online", over, { once: true });
  });

/** A new key for a command, so that sending it again does nothing twice. */
export function newKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export class Api {
  /** `base` is the game's address, `root` the API's. `onConnection(true | false)` is told whether the server answers. */
  constructor({ base, root, invitation = "", onConnection = () => {} }) {
    Object.assign(this, { base, root, invitation, onConnection });
    this.etag = null;
    // A request without an answer counts as lost after so many milliseconds.
    this.patience = 20_000;
  }

  /** An address below the page of the game, beside the API. */
  page(path, query = {}) {
    return this.url(path, query, location.pathname);
  }

  url(path, query = {}, base = this.base) {
    const asked = new URLSearchParams(query);
    if (this.invitation && !path.startsWith("/plan")) asked.set("invitation", this.invitation);
    return `${base}${path}${asked.size ? `?${asked}` : ""}`;
  }

  /** The response of an address with its body. Throws Refused, or Lost. */
  async ask(url, options = {}) {
    const headers = { Accept: "application/json", ...options.headers };
    if (options.body !== undefined) headers["Content-Type"] = "application/json";
    if (reader.id) headers["Trey-Reader"] = reader.id;
    if (options.method) headers["X-CSRFToken"] = reader.token();
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
    if (answer.status === 401) reader.doubt().catch(() => {});
    if (!answer.ok && answer.status !== 304) throw new Refused(answer.status, body);
    return { answer, body };
  }

  /** The game as it is, or null where nothing has changed since the last time. */
  async game() {
    const { answer, body } = await this.ask(this.url(""), { headers: this.etag ? { "If-None-Match": this.etag } : {} }).catch((error) => {
      if (error.status === 403 || error.status === 404) reader.leave(); // the right to look on has ended
      throw error;
    });
    this.etag = answer.headers.get("ETag") ?? this.etag;
    return body;
  }

  /** The body at a path below the game, or null where it answers 404 with `missing`. */
  async get(path, query = {}, missing = null) {
    try {
      return (await this.ask(this.url(path, query))).body;
    } catch (error) {
      if (missing && error.code === missing) return null;
      throw error;
    }
  }

  /** The turning moments of a game that is over: `version` and `said` of each. */
  async moments() {
    return (await this.ask(this.page("/moments"))).body.results;
  }

  /** All games with their rules; they change with a release only. */
  async rulesets() {
    return (await this.ask(`${this.root}/rulesets`, { cache: "default" })).body.results;
  }

  /** Two games that wait for the reader, the most urgent first. */
  async turns() {
    return (await this.ask(`${this.root}/me/turns?limit=2`)).body.results;
  }

  /** Set up a season of those who played a game, and give its address. */
  async season(game) {
    const headers = { "Idempotency-Key": newKey() };
    const send = () => this.ask(`${this.root}/tournaments`, { method: "POST", headers, body: JSON.stringify({ from_game: game }) });
    return (await insist(send)).body.share_url;
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
    return (await this.ask(this.url(path), { method: "POST", headers, body: body === undefined ? undefined : JSON.stringify(body) })).body;
  }

  async put(path, body) {
    return (await this.ask(this.url(path), { method: "PUT", body: JSON.stringify(body) })).body;
  }

  async remove(path) {
    await this.ask(this.url(path), { method: "DELETE" });
  }

  /**
   * Send a command for a version of the game. While no answer comes it is sent again under the same key, so it is carried
   * out once, and never in a game that went on meanwhile. Throws Refused for what the server would refuse again.
   */
  async command(path, body, version) {
    const headers = { "Idempotency-Key": newKey() };
    const again = () => (headers["If-Match"] = `"v${version}"`);
    return insist(() => this.post(path, body, headers).finally(again));
  }
}

/** Send until there is a final answer: for what may arrive twice and counts once. */
export async function insist(send, again = passes) {
  for (let wait = 500; ; wait = Math.min(2 * wait, 15000)) {
    try {
      return await send();
    } catch (error) {
      if (!again(error)) throw error;
      await pause(wait);
    }
  }
}
