// The official client of Trey in TypeScript, without dependencies: Node runs it as it stands, browsers after `tsc`. docs/clients.md
// describes it. What it does by itself is AP19; numbers of seconds are seconds.

import { Operations } from "./schema.ts";
import type { Call, FieldProblem, Game, ProblemCode, Token, WebhookEvent } from "./schema.ts";

export * from "./schema.ts";

const LONGEST_PAUSE = 30;
const KEPT = 100;
const LISTED_EVERY = 60_000;
const BUSY = [429, 503];
const UNREACHED = [502, 504]; // what a proxy answers while the server restarts
const OVER = ["finished", "cancelled"];

/** One event of a stream, as docs/live.md lists them; `id` is null where there is nothing to resume. */
export interface LiveEvent {
  event: string;
  id: number | null;
  data: any;
}

export interface Options {
  token?: string | undefined;
  /** For an answer: 30. */
  timeout?: number;
  /** For all tries of a call: 120. */
  patience?: number;
  /** For the next byte of a stream: 45. */
  silence?: number;
  /** Before the second try: 0.5, then twice as long each time. */
  pause?: number;
}

/** The server refused a call and said why. */
export class Problem extends Error {
  status: number;
  /** For programs: docs/errors.md; under `/oauth/`, docs/apps.md. */
  code: ProblemCode | (string & {});
  /** For people. */
  detail: string;
  errors: FieldProblem[];
  /** The scope that is missing. */
  scope: string | null;
  retryAfter: number | null;
  /** What the lines in the server's log have. */
  requestId: string | null;

  constructor(response: Response, text: string) {
    let body: any;
    try {
      body = JSON.parse(text) ?? {};
    } catch {
      body = {}; // a proxy's page
    }
    const code = body.code ?? body.error ?? "";
    const detail = body.detail ?? body.error_description ?? (code || `The server failed (${response.status}).`);
    super(detail);
    this.name = "Problem";
    this.status = response.status;
    this.code = code;
    this.detail = detail;
    this.errors = body.errors ?? [];
    this.scope = body.scope ?? null;
    const wait = response.headers.get("Retry-After") ?? "";
    this.retryAfter = /^\d+$/.test(wait) ? Number(wait) : null;
    this.requestId = response.headers.get("X-Request-ID");
  }
}

/** The server cannot be reached, or did not answer in time. */
export class Lost extends Error {
  constructor(cause: unknown) {
    super("The server cannot be reached.", { cause });
    this.name = "Lost";
  }
}

interface Answer {
  response: Response;
  text: string;
}

/** A client of a Trey server. Each operation of the API is a method. Throws Problem and Lost. */
export class Trey extends Operations {
  url: string;
  token: string | undefined;
  timeout: number;
  patience: number;
  silence: number;
  pause: number;
  #kept = new Map<string, Answer>();

  constructor(url: string, options: Options = {}) {
    super();
    this.url = url.replace(/\/+$/, "");
    this.token = options.token;
    this.timeout = options.timeout ?? 30;
    this.patience = options.patience ?? 120;
    this.silence = options.silence ?? 45;
    this.pause = options.pause ?? 0.5;
  }

  /** The events of a game after that version, or from now on, until it is over. */
  async *watch(gameId: string, after?: number, { invitation }: { invitation?: string } = {}): AsyncGenerator<LiveEvent> {
    let last: number | null = null;
    const stream = new Stream(this, after, async () => {
      const game = await this.getGame(gameId, invitation ? { invitation } : {});
      stream.seen ??= game.version;
      last = OVER.includes(game.status) ? game.version : null;
      if (last !== null && stream.seen >= last) return null;
      return game.live_url + (invitation ? `?${new URLSearchParams({ invitation })}` : "");
    });
    for await (const event of stream.events()) {
      yield event;
      if (event.event === "moved") {
        const isEnd = ["finished", "called_off"].includes(event.data.type);
        if (last === null ? isEnd : event.data.version >= last) return;
      }
    }
  }

  /** What one is told after that number, or from now on, and which of one's games change. */
  news(after?: number): AsyncGenerator<LiveEvent> {
    const stream = new Stream(this, after, async () => {
      stream.seen ??= (await this.myNotifications({ limit: 1 })).results[0]?.number ?? 0;
      return (await this.myProfile()).live_url;
    });
    return stream.events();
  }

  /** What ends after that number, or from now on. */
  resultsLive(after?: number): AsyncGenerator<LiveEvent> {
    const address = async () => (await this.myProfile()).live_url.replace(/me\/live$/, "results/live");
    return new Stream(this, after, address).events();
  }

  /** A game each time a turn of one's own begins; at the start and each minute those that wait. */
  async *myTurns(): AsyncGenerator<Game> {
    let listed = -Infinity;
    const waiting = new Map<string, { version: number; mark: string | number }>(); // `mark` tells a turn from the next one
    const address = async () => (await this.myProfile()).live_url;
    for await (const event of new Stream(this, undefined, address).signs()) {
      try {
        if (performance.now() - listed >= LISTED_EVERY) {
          for await (const game of this.pages(this.listMyTurns)) {
            waiting.set(game.id, { version: game.version, mark: markOf(game) });
            yield game;
          }
          listed = performance.now();
        }
        if (event?.event !== "game") continue;
        const { id, version, your_turn: isMine } = event.data;
        const before = waiting.get(id);
        if (!isMine) waiting.delete(id);
        else if (!before || version > before.version) {
          const game = await this.getGame(id);
          if (!isTurn(game)) continue;
          waiting.set(id, { version: game.version, mark: markOf(game) });
          if (before?.mark !== markOf(game)) yield game;
        }
      } catch (no) {
        // What is for good, the stream meets as well; the rest is listed again.
        if (!(no instanceof Problem || no instanceof Lost)) throw no;
      }
    }
  }

  /** The game once it waits for one's own seat, or is over. */
  async waitForTurn(gameId: string): Promise<Game> {
    for (;;) {
      const game = await this.getGame(gameId);
      if (OVER.includes(game.status) || isTurn(game)) return game;
      for await (const { event, data } of this.watch(gameId, game.version))
        // Before the start the seat may still change.
        if (event === "moved" && (game.status === "open" || data.to_act.includes(game.your_seat))) break;
    }
  }

  /** Take a token and use it; `scopes` and `token_name` are those of `POST auth/login`. */
  async logIn(username: string, password: string, more: { scopes?: Token["scopes"]; token_name?: string } = {}): Promise<Token> {
    const made = await this.do({ method: "POST", path: "/auth/login", body: { username, password, ...more } });
    this.#logInWith(made.token);
    return made;
  }

  /** Have a player allow this program on another device, and use the token; `show` gets the letters to type (AP12). */
  async logInByDevice(clientId: string, scopes: string[], show: (device: any) => unknown): Promise<any> {
    const asked = { client_id: clientId, scope: scopes.join(" ") };
    const device = await this.do({ method: "POST", path: `${this.url}/oauth/device/code`, form: asked });
    await show(device);
    const grant = "urn:ietf:params:oauth:grant-type:device_code";
    for (let interval = device.interval; ; ) {
      await wait(interval);
      try {
        return await this.#takeToken({ grant_type: grant, device_code: device.device_code, client_id: clientId });
      } catch (no) {
        if (no instanceof Lost) continue;
        if (!(no instanceof Problem) || !["slow_down", "authorization_pending"].includes(no.code)) throw no;
        if (no.code === "slow_down") interval += 5;
      }
    }
  }

  /** The `url` to which a page sends a player who logs in (AP9), with a fresh `state` and `verifier` to keep. */
  async authorizeUrl(clientId: string, redirectUri: string, scopes: string[]): Promise<{ url: string; state: string; verifier: string }> {
    const [state, verifier] = [random(), random()];
    const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(verifier));
    const asked = new URLSearchParams({
      response_type: "code", client_id: clientId, redirect_uri: redirectUri, scope: scopes.join(" "), state,
      code_challenge: urlsafe(new Uint8Array(hash)), code_challenge_method: "S256",
    });
    return { url: `${this.url}/oauth/authorize?${asked}`, state, verifier };
  }

  /** Take a token for the code with which a player came back, and use it (AP11). */
  exchange(code: string, verifier: string, clientId: string, redirectUri: string): Promise<any> {
    const form = { grant_type: "authorization_code", code, redirect_uri: redirectUri, client_id: clientId };
    return this.#takeToken({ ...form, code_verifier: verifier });
  }

  /** The items of all pages of a list: `pages(trey.listGames, { status: "open" })`. */
  async *pages<T>(method: (...given: any[]) => Promise<Page<T>>, ...given: any[]): AsyncGenerator<T> {
    let keys = typeof given.at(-1) === "object" ? given.pop() : {};
    for (;;) {
      const page = await method.call(this, ...given, keys);
      yield* page.results ?? page.standings ?? [];
      if (!page.next) return;
      keys = Object.fromEntries(new URL(page.next, this.url).searchParams);
    }
  }

  /** The address and the headers of a call. */
  request(call: Call): { url: string; headers: Record<string, string>; body?: string | URLSearchParams } & RequestInit {
    const asked = Object.entries(call.query ?? {}).filter(([, value]) => value !== undefined && value !== null);
    const url = call.path.startsWith("http") ? call.path : `${this.url}/api/v1${call.path}`;
    const query = new URLSearchParams(asked.map(([key, value]) => [key, String(value)])).toString();
    const headers: Record<string, string> = { Accept: "application/json, */*;q=0.5" };
    if (call.key) headers["Idempotency-Key"] = crypto.randomUUID?.() ?? random(); // pages without TLS have none
    if (this.token !== undefined && !call.form) headers["Authorization"] = `Bearer ${this.token}`;
    if (call.expect !== undefined) headers["If-Match"] = typeof call.expect === "number" ? `"v${call.expect}"` : call.expect;
    if (call.body !== undefined) headers["Content-Type"] = "application/json";
    const body = call.form ? new URLSearchParams(call.form) : call.body === undefined ? undefined : JSON.stringify(call.body);
    const full = query ? `${url}${url.includes("?") ? "&" : "?"}${query}` : url;
    return { url: full, headers, method: call.method, redirect: "manual", ...(body === undefined ? {} : { body }) };
  }

  protected async do(call: Call): Promise<any> {
    const { url, ...init } = this.request(call);
    const kept = call.etag ? this.#kept.get(url) : undefined;
    if (kept) init.headers["If-None-Match"] = kept.response.headers.get("ETag") ?? "";
    let answer = await this.#again(url, init, call.key === true || !["POST", "PATCH"].includes(call.method));
    if (answer.response.status === 304 && kept) answer = kept;
    if (!answer.response.ok) throw new Problem(answer.response, answer.text);
    if (call.etag && answer.response.headers.has("ETag")) {
      this.#kept.delete(url);
      this.#kept.set(url, answer);
      if (this.#kept.size > KEPT) for (const [oldest] of [...this.#kept].slice(0, 1)) this.#kept.delete(oldest);
    }
    if (answer.response.status === 204) return undefined;
    const isJson = answer.response.headers.get("Content-Type")?.split(";")[0] === "application/json";
    return isJson ? JSON.parse(answer.text) : answer.text;
  }

  async #again(url: string, init: RequestInit, isSafe: boolean): Promise<Answer> {
    const ends = performance.now() + 1000 * this.patience;
    for (let pause = this.pause; ; ) {
      let answer: Answer | undefined;
      let lost: unknown;
      let wanted: number | null = null;
      try {
        const stop = new AbortController();
        const response = await inTime(stop, this.timeout, fetch(url, { ...init, signal: stop.signal }));
        const decoder = new TextDecoder();
        let text = "";
        for await (const part of partsOf(stop, this.timeout, response)) text += decoder.decode(part, { stream: true });
        answer = { response, text: text + decoder.decode() };
      } catch (error) {
        lost = error;
        if (!isSafe) throw error;
      }
      if (answer) {
        const { status } = answer.response;
        if (BUSY.includes(status)) wanted = new Problem(answer.response, answer.text).retryAfter;
        if (wanted === null && !(isSafe && [...BUSY, ...UNREACHED].includes(status))) return answer;
      }
      const waits = wanted ?? pause * (0.5 + Math.random() / 2);
      if (performance.now() + 1000 * waits > ends) {
        if (answer) return answer;
        throw lost;
      }
      await wait(waits);
      if (wanted === null) pause = Math.min(2 * pause, LONGEST_PAUSE);
    }
  }

  async #takeToken(form: Record<string, string>): Promise<any> {
    const made = await this.do({ method: "POST", path: `${this.url}/oauth/token`, form });
    this.#logInWith(made.access_token);
    return made;
  }

  #logInWith(token: string): void {
    this.token = token;
    this.#kept.clear();
  }
}

interface Page<T> {
  results?: T[];
  standings?: T[];
  next?: string | null;
}

/** Parts of a stream, cut into events. Lines end at LF, CR and CRLF only: data may hold U+2028. */
export class Blocks {
  #rest = "";
  #skipsLf = false;
  #lines: string[] = [];
  #decoder = new TextDecoder();

  /** The events that end in these bytes. */
  feed(bytes: Uint8Array): LiveEvent[] {
    let part = this.#decoder.decode(bytes, { stream: true });
    if (!part) return [];
    if (this.#skipsLf && part.startsWith("\n")) part = part.slice(1);
    this.#skipsLf = part.endsWith("\r");
    const lines = (this.#rest + part).split(/\r\n|\r|\n/);
    this.#rest = lines.pop() ?? "";
    const found: LiveEvent[] = [];
    for (const line of lines) {
      if (line) {
        this.#lines.push(line);
        continue;
      }
      const fields = this.#lines.map((each) => /^([^:]*):? ?([^]*)$/.exec(each) ?? []);
      const all = (name: string) => fields.filter(([, key]) => key === name).map(([, , value]) => value ?? "");
      this.#lines = [];
      const [data, id] = [all("data"), all("id").at(-1) ?? ""];
      if (data.length > 0)
        found.push({
          event: all("event").at(-1) ?? "message",
          id: /^\d+$/.test(id) ? Number(id) : null,
          data: JSON.parse(data.join("\n")),
        });
    }
    return found;
  }
}

/** A stream that is opened again whenever it ends, after the last event that came: `seen`. */
class Stream {
  seen: number | undefined;
  #trey: Trey;
  #address: () => Promise<string | null>;

  /** `address` says before each time where to open it, or null when it is over. */
  constructor(trey: Trey, seen: number | undefined, address: () => Promise<string | null>) {
    this.#trey = trey;
    this.seen = seen;
    this.#address = address;
  }

  async *events(): AsyncGenerator<LiveEvent> {
    for await (const event of this.signs()) if (event) yield event;
  }

  /** The events; null whenever something came that is none, and before each time it is opened. */
  async *signs(): AsyncGenerator<LiveEvent | null> {
    for (let pause = this.#trey.pause; ; ) {
      let waits = pause;
      yield null;
      try {
        const address = await this.#address();
        if (address === null) return;
        const blocks = new Blocks();
        for await (const part of this.#parts(address)) {
          waits = pause = this.#trey.pause;
          for (const event of blocks.feed(part)) if (this.#isNew(event)) yield event;
          yield null;
        }
      } catch (lost) {
        if (!(lost instanceof Problem || lost instanceof Lost)) throw lost;
        if (lost instanceof Problem) {
          if (lost.status < 500 && !BUSY.includes(lost.status)) throw lost;
          waits = Math.max(pause, lost.retryAfter ?? 0);
        }
      }
      await wait(waits);
      pause = Math.min(2 * pause, LONGEST_PAUSE);
    }
  }

  async *#parts(address: string): AsyncGenerator<Uint8Array> {
    const query = { after: this.seen };
    const { url, ...init } = this.#trey.request({ method: "GET", path: new URL(address, `${this.#trey.url}/`).href, query });
    const stop = new AbortController();
    const { silence } = this.#trey;
    try {
      const response = await inTime(stop, silence, fetch(url, { ...init, signal: stop.signal }));
      if (!response.ok) throw new Problem(response, await inTime(stop, silence, response.text()));
      yield* partsOf(stop, silence, response);
    } finally {
      stop.abort();
    }
  }

  #isNew({ id }: LiveEvent): boolean {
    if (id === null) return true;
    if (this.seen !== undefined && id <= this.seen) return false;
    this.seen = id;
    return true;
  }
}

/** What a body has, part by part. Throws Lost where the next one takes longer than so many seconds. */
async function* partsOf(stop: AbortController, seconds: number, response: Response): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader();
  for (;;) {
    const part = reader && (await inTime(stop, seconds, reader.read()));
    if (!part?.value) return;
    yield part.value;
  }
}

async function inTime<T>(stop: AbortController, seconds: number, coming: Promise<T>): Promise<T> {
  const timer = setTimeout(() => stop.abort(), 1000 * seconds);
  try {
    return await coming;
  } catch (error) {
    throw new Lost(error);
  } finally {
    clearTimeout(timer);
  }
}

/** What a webhook posted, if it is signed with one of the secrets and at most five minutes old; else it throws. By Standard
 * Webhooks, over the body as it came. */
export async function verify(
  secrets: string | string[], headers: Headers | Record<string, string>, body: string | Uint8Array,
): Promise<WebhookEvent> {
  const named = new Headers(headers);
  const [id, sent, signed] = ["id", "timestamp", "signature"].map((name) => named.get(`webhook-${name}`));
  if (!id || !sent || !signed || !/^\d+$/.test(sent)) throw new Error("The headers of a signed webhook are not there.");
  if (Math.abs(Date.now() / 1000 - Number(sent)) > 300)
    throw new Error("The webhook was signed more than five minutes ago, or is from the future.");
  const text = typeof body === "string" ? body : new TextDecoder("utf-8", { ignoreBOM: true }).decode(body);
  const over = new TextEncoder().encode(`${id}.${sent}.${text}`);
  const given = signed.split(" ").filter((each) => each.startsWith("v1,")).map((each) => each.slice(3));
  for (const secret of typeof secrets === "string" ? [secrets] : secrets) {
    const raw = bytesOf(secret.replace(/^whsec_/, ""));
    if (!raw) throw new Error("A webhook's secret is `whsec_` and base64.");
    const key = await crypto.subtle.importKey("raw", raw, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
    for (const each of given.map(bytesOf))
      if (each && (await crypto.subtle.verify("HMAC", key, each, over))) return JSON.parse(text);
  }
  throw new Error("The webhook is not signed with this secret.");
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  } catch {
    return null; // it is none
  }
}

const urlsafe = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const random = () => urlsafe(crypto.getRandomValues(new Uint8Array(32)));
const wait = (seconds: number) => new Promise<void>((done) => setTimeout(done, 1000 * seconds));
const isTurn = (game: Game) => game.your_seat !== null && game.to_act.includes(game.your_seat);
const markOf = (game: Game) => game.deadlines[String(game.your_seat)] ?? game.version;
