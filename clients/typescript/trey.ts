// The official client of Trey in TypeScript, without dependencies: Node runs it as it stands, browsers after `tsc`. docs/build/clients.md
// describes it. What it does by itself is AP19; numbers of seconds are seconds.

import { Operations } from "./schema.ts";
import type {
  Call, FieldProblem, Game, LiveOfGame, LiveOfPlayer, LiveOfResults, ProblemCode, Token, WebhookEvent,
} from "./schema.ts";

export * from "./schema.ts";

const LONGEST_PAUSE = 30;
const KEPT = 100;
const LISTED_EVERY = 60_000;
const BUSY = [429, 503];
const UNREACHED = [502, 504]; // what a proxy answers while the server restarts
const OVER = ["finished", "cancelled"];

/** One event of a stream; `id` is null where there is nothing to resume. */
export type LiveEvent = LiveOfGame | LiveOfPlayer | LiveOfResults;

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
  /** Hears of waits, retries and streams that are opened again: `console.warn`. */
  log?: (text: string) => void;
}

/** The server refused a call and said why. */
export class Problem extends Error {
  status: number;
  /** For programs: docs/build/errors.md; under `/oauth/`, docs/build/apps.md. */
  code: ProblemCode | (string & {});
  /** For people. */
  detail: string;
  errors: FieldProblem[];
  /** The scope that is missing. */
  scope: string | null;
  retryAfter: number | null;
  headers: Headers;
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
    const requestId = response.headers.get("X-Request-ID");
    super(`${response.status} ${code || "-"}: ${detail} (request ${requestId ?? "-"})`);
    this.name = "Problem";
    this.status = response.status;
    this.code = code;
    this.detail = detail;
    this.errors = body.errors ?? [];
    this.scope = body.scope ?? null;
    this.headers = response.headers;
    this.retryAfter = secondsOf(response.headers);
    this.requestId = requestId;
  }
}

/** What `Retry-After` says: a number, or a date, which the server's own clock dates. */
function secondsOf(headers: Headers): number | null {
  const said = headers.get("Retry-After")?.trim() ?? "";
  if (/^(\d+(\.\d*)?|\.\d+)$/.test(said)) return Number(said);
  const utc = (date: string) => Date.parse(date.endsWith("GMT") ? date : `${date} GMT`);
  const until = /^[A-Z][a-z]+.*:\d\d/.test(said) ? utc(said) : NaN;
  return Number.isNaN(until) ? null : Math.max(0, (until - (utc(headers.get("Date") ?? "") || Date.now())) / 1000);
}

/** The server cannot be reached, or did not answer in time. */
export class Lost extends Error {
  constructor(cause: unknown) {
    super("The server cannot be reached.", { cause });
    this.name = "Lost";
  }

  /** What came of it in the end: `ECONNREFUSED`, a certificate's error, or nothing in browsers. */
  get code(): string {
    let code = "";
    for (let each: any = this.cause; each; each = each.cause) if (typeof each.code === "string") code = each.code;
    return code;
  }
}

/** Where to open a stream, and after which id; null when it is over. It gets the last id that came. */
type Address = (seen?: number) => Promise<Place | null>;
type Place = [string, number | undefined];

type Answer = { response: Response; text: string };

/** A client of a Trey server. Each operation of the API is a method. Throws Problem and Lost. */
export class Trey extends Operations {
  url: string;
  timeout: number;
  patience: number;
  silence: number;
  pause: number;
  log: (text: string) => void;
  #kept = new Map<string, Answer>();
  #token: string | undefined;
  #hasMet = false;

  constructor(url: string, options: Options = {}) {
    super();
    const { href, protocol, username } = new URL(url);
    if (!/^https?:$/.test(protocol) || username)
      throw new TypeError("Give the server's full address, such as https://trey.example, without a username.");
    this.url = href.replace(/\/+$/, "");
    this.token = options.token;
    this.timeout = options.timeout ?? 30;
    this.patience = options.patience ?? 120;
    this.silence = options.silence ?? 45;
    this.pause = options.pause ?? 0.5;
    this.log = options.log ?? console.warn;
  }

  /** What it calls with. A new one forgets what the one before was shown. */
  get token(): string | undefined {
    return this.#token;
  }

  set token(token: string | undefined) {
    const word = token?.trim();
    if (word !== undefined && !/^[!-~]+$/.test(word)) throw new TypeError("This is not a token. A token is one word of printable ASCII.");
    this.#token = word;
    this.#kept.clear();
  }

  /** The events of a game after that version, or from now on, until it is over. */
  async *watch(gameId: string, after?: number, { invitation }: { invitation?: string } = {}): AsyncGenerator<LiveOfGame> {
    let last: number | null = null;
    const address = async (seen?: number): Promise<Place | null> => {
      const game = await this.getGame(gameId, invitation ? { invitation } : {});
      last = OVER.includes(game.status) ? game.version : null;
      const from = seen ?? game.version;
      if (last !== null && from >= last) return null;
      return [game.live_url + (invitation ? `?${new URLSearchParams({ invitation })}` : ""), from];
    };
    for await (const event of this.#events<LiveOfGame>(after, address)) {
      yield event;
      if (event.event === "moved") {
        const isEnd = ["finished", "called_off"].includes(event.data.type);
        if (last === null ? isEnd : event.data.version >= last) return;
      }
    }
  }

  /** What one is told after that number, or from now on, and which of one's games change. */
  news(after?: number): AsyncGenerator<LiveOfPlayer> {
    return this.#events(after, async (seen) => {
      const from = seen ?? (await this.myNotifications({ limit: 1 })).results[0]?.number ?? 0;
      return [(await this.myProfile()).live_url, from];
    });
  }

  /** What ends after that number, or from now on. */
  resultsLive(after?: number): AsyncGenerator<LiveOfResults> {
    return this.#events(after, async (seen) => [(await this.myProfile()).live_url.replace(/me\/live$/, "results/live"), seen]);
  }

  /** A game each time a turn of one's own begins; at the start and each minute those that wait. */
  async *myTurns(): AsyncGenerator<Game> {
    let listed = -Infinity;
    let waiting = new Map<string, Game>();
    for await (const event of this.#signs<LiveOfPlayer>(undefined, async () => [(await this.myProfile()).live_url, undefined])) {
      const isDue = performance.now() - listed >= LISTED_EVERY;
      let games: Game[] = [];
      try {
        if (isDue) {
          for await (const game of this.pages(this.listMyTurns)) games.push(game);
          [listed, waiting] = [performance.now(), new Map()];
        } else if (event?.event === "game" && event.data.your_turn) {
          const { id, version } = event.data;
          if (version > (waiting.get(id)?.version ?? 0)) games = [await this.getGame(id)].filter(isTurn);
        }
      } catch (no) {
        // What is for good, the stream meets as well; the rest is listed again.
        if (!(no instanceof Problem || no instanceof Lost)) throw no;
        continue;
      }
      for (const game of games) {
        const before = waiting.get(game.id);
        waiting.set(game.id, game);
        if (!before || markOf(before) !== markOf(game)) yield game;
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
        if (event === "moved" && (game.status === "open" || data.to_act?.includes(game.your_seat ?? -1))) break;
    }
  }

  /** Take a token and use it; `scopes` and `token_name` are those of `POST auth/login`. */
  async logIn(username: string, password: string, more: { scopes?: Token["scopes"]; token_name?: string } = {}): Promise<Token> {
    const made = await this.do({ method: "POST", path: "/auth/login", body: { username, password, ...more } });
    this.token = made.token;
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
        if (no instanceof Lost && this.mayHeal(no)) continue;
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
  async *pages<A extends any[], T>(method: (...given: A) => Promise<Page<T>>, ...given: A): AsyncGenerator<T> {
    let keys = typeof given.at(-1) === "object" ? given.pop() : {};
    for (;;) {
      const page = await method.call(this, ...(([...given, keys] as unknown) as A));
      yield* page.results ?? page.standings ?? [];
      if (!page.next) return;
      keys = Object.fromEntries(new URL(page.next, this.url).searchParams);
    }
  }

  /** What the method of an operation answers, and the headers with their `ETag`: `withHeaders(trey.getNote, id)`. */
  async withHeaders<A extends any[], T>(method: (...given: A) => Promise<T>, ...given: A): Promise<[T, Headers]> {
    let answer!: Answer;
    const hear = async (call: Call) => valueOf((answer = await this.#answer(call)));
    return [await method.apply({ do: hear }, given), answer.response.headers];
  }

  /** Whether another try may help: against no wrong address or certificate, nor a name unknown so far. */
  mayHeal({ code }: Lost): boolean {
    if (code === "ENOTFOUND") return this.#hasMet;
    return code === "" || (/^(E[A-Z]+|EAI_AGAIN|UND_ERR_SOCKET|UND_ERR_\w*TIMEOUT)$/.test(code) && code !== "EPROTO");
  }

  /** The address and the headers of a call. */
  request(call: Call): { url: string; headers: Record<string, string>; body?: string | URLSearchParams } & RequestInit {
    const asked = Object.entries(call.query ?? {}).filter(([, value]) => value !== undefined && value !== null);
    const url = call.path.startsWith("http") ? call.path : `${this.url}/api/v1${call.path}`;
    const query = new URLSearchParams(asked.map(([key, value]) => [key, String(value)])).toString();
    const headers: Record<string, string> = { Accept: "application/json, */*;q=0.5" };
    if ("process" in globalThis) headers["User-Agent"] = `trey-client/${Trey.version} (TypeScript)`; // browsers name themselves
    if (call.key !== undefined) headers["Idempotency-Key"] = call.key || random();
    if (this.token !== undefined && !call.form) headers["Authorization"] = `Bearer ${this.token}`;
    if (call.expect !== undefined) headers["If-Match"] = typeof call.expect === "number" ? `"v${call.expect}"` : call.expect.replace(/^W\//, "");
    if (call.body !== undefined) headers["Content-Type"] = "application/json";
    const body = call.form ? new URLSearchParams(call.form) : call.body === undefined ? undefined : JSON.stringify(call.body);
    const full = query ? `${url}${url.includes("?") ? "&" : "?"}${query}` : url;
    new Headers(headers); // throws what no try would mend
    return { url: full, headers, method: call.method, redirect: "manual", ...(body === undefined ? {} : { body }) };
  }

  async *#events<E extends LiveEvent>(...stream: [number | undefined, Address]): AsyncGenerator<E> {
    for await (const event of this.#signs<E>(...stream)) if (event) yield event;
  }

  /** The events of a stream that is opened again whenever it ends, and null at each attempt and after each part. */
  async *#signs<E extends LiveEvent>(after: number | undefined, address: Address): AsyncGenerator<E | null> {
    let seen = after;
    for (let pause = this.pause; ; ) {
      let [waits, why] = [pause, ""];
      yield null;
      try {
        const place = await address(seen);
        if (!place) return;
        seen = place[1];
        const blocks = new Blocks();
        for await (const part of this.#opened(...place)) {
          waits = pause = this.pause;
          for (const event of blocks.feed(part))
            if (event.id === null || seen === undefined || event.id > seen) {
              seen = event.id ?? seen;
              yield event;
            }
          yield null;
        }
      } catch (lost) {
        if (lost instanceof Problem) {
          if (lost.status < 500 && !BUSY.includes(lost.status)) throw lost;
          waits = Math.max(pause, lost.retryAfter ?? 0);
        } else if (!(lost instanceof Lost && this.mayHeal(lost))) throw lost;
        why = told(lost);
      }
      if (why) this.log(`A stream was ended: ${why} Again in ${waits.toFixed(1)} s.`);
      await wait(waits);
      pause = Math.min(2 * pause, LONGEST_PAUSE);
    }
  }

  async *#opened(where: string, after: number | undefined): AsyncGenerator<Uint8Array> {
    const { url, ...init } = this.request({ method: "GET", path: new URL(where, `${this.url}/`).href, query: { after } });
    const stop = new AbortController();
    try {
      const response = await this.#open(stop, this.silence, url, init);
      if (!response.ok) throw new Problem(response, await inTime(stop, this.silence, response.text()));
      yield* partsOf(stop, this.silence, response);
    } finally {
      stop.abort();
    }
  }

  protected async do(call: Call): Promise<any> {
    return valueOf(await this.#answer(call));
  }

  async #answer(call: Call): Promise<Answer> {
    const { url, ...init } = this.request(call);
    const kept = call.etag ? this.#kept.get(url) : undefined;
    if (kept) init.headers["If-None-Match"] = kept.response.headers.get("ETag") ?? "";
    // Of a condition that was sent again nobody knows whether the first try met it.
    const isSafe = call.key !== undefined || (!["POST", "PATCH"].includes(call.method) && call.expect === undefined);
    const came = await this.#again(url, init, isSafe);
    const answer = came.response.status === 304 && kept ? kept : came;
    if (!answer.response.ok) throw new Problem(answer.response, answer.text);
    if (call.etag && answer.response.headers.has("ETag")) {
      this.#kept.delete(url);
      this.#kept.set(url, answer);
      for (const oldest of this.#kept.keys()) if (this.#kept.size > KEPT) this.#kept.delete(oldest);
    }
    return answer;
  }

  async #again(url: string, init: RequestInit, isSafe: boolean): Promise<Answer> {
    const ends = performance.now() + 1000 * this.patience;
    for (let pause = this.pause; ; ) {
      let no: Problem | Lost;
      let wanted: number | null = null;
      try {
        const stop = new AbortController();
        const response = await this.#open(stop, this.timeout, url, init);
        const decoder = new TextDecoder();
        let text = "";
        for await (const part of partsOf(stop, this.timeout, response)) text += decoder.decode(part, { stream: true });
        text += decoder.decode();
        if (![...BUSY, ...UNREACHED].includes(response.status)) return { response, text };
        const problem = (no = new Problem(response, text));
        if (BUSY.includes(problem.status)) wanted = problem.retryAfter;
        if (wanted === null && !isSafe) throw problem;
      } catch (lost) {
        if (!(lost instanceof Lost && isSafe && this.mayHeal(lost))) throw lost;
        no = lost;
      }
      const waits = wanted === null ? pause * (0.5 + Math.random() / 2) : Math.max(wanted, this.pause);
      if (performance.now() + 1000 * waits > ends) throw no;
      this.log(`${init.method} ${new URL(url).pathname}: ${told(no)} Again in ${waits.toFixed(1)} s.`);
      await wait(waits);
      if (wanted === null) pause = Math.min(2 * pause, LONGEST_PAUSE);
    }
  }

  async #open(stop: AbortController, seconds: number, url: string, init: RequestInit): Promise<Response> {
    const response = await inTime(stop, seconds, fetch(url, { ...init, signal: stop.signal }));
    this.#hasMet = true;
    return response;
  }

  async #takeToken(form: Record<string, string>): Promise<any> {
    const made = await this.do({ method: "POST", path: `${this.url}/oauth/token`, form });
    this.token = made.access_token;
    return made;
  }
}

function valueOf({ response, text }: Answer): any {
  if (response.status === 204) return undefined;
  return response.headers.get("Content-Type")?.split(";")[0] === "application/json" ? JSON.parse(text) : text;
}

type Page<T> = { results?: T[]; standings?: T[]; next?: string | null };

/** Parts of a stream, cut into events. Lines end at LF, CR and CRLF only: data may hold U+2028. */
export class Blocks {
  #rest = "";
  #skipsLf = false;
  #decoder = new TextDecoder();

  /** The events that end in these bytes. */
  feed(bytes: Uint8Array): any[] {
    let part = this.#decoder.decode(bytes, { stream: true });
    if (!part) return [];
    if (this.#skipsLf) part = part.replace(/^\n/, "");
    this.#skipsLf = part.endsWith("\r");
    const blocks = (this.#rest + part.replace(/\r\n?/g, "\n")).split("\n\n");
    this.#rest = blocks.pop() ?? "";
    return blocks.flatMap((block) => {
      const fields = block.split("\n").map((line) => /^([^:]*):? ?([^]*)$/.exec(line) ?? []);
      const all = (name: string) => fields.filter(([, key]) => key === name).map(([, , value]) => value ?? "");
      const [data, id] = [all("data"), all("id").at(-1) ?? ""];
      const event = { event: all("event").at(-1) ?? "message", id: /^\d+$/.test(id) ? Number(id) : null };
      return data.length > 0 ? [{ ...event, data: JSON.parse(data.join("\n")) }] : [];
    });
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

/** What a webhook posted, if it is signed with one of the secrets and at most five minutes old; else it throws. As
 * described by Standard Webhooks, over the body as it came. */
export async function verify(
  secrets: string | string[], headers: Headers | Record<string, string>, body: string | Uint8Array,
): Promise<WebhookEvent> {
  const named = new Headers(headers);
  const [id, sent, signed] = ["id", "timestamp", "signature"].map((name) => named.get(`webhook-${name}`));
  if (!id || !sent || !signed || !/^\d+$/.test(sent)) throw new Error("The headers of a signed webhook are missing.");
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
const told = (no: Problem | Lost) => (no instanceof Lost ? `${no.message} ${no.code}` : no.message);
const markOf = (game: Game) => game.deadlines[String(game.your_seat)] ?? game.version;
