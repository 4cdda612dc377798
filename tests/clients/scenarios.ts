// What the TypeScript client does in each scenario: `node scenarios.ts`; scenarios.py has the same.

import { createInterface } from "node:readline";
import { Blocks, Lost, Problem, Trey, verify } from "../../clients/typescript/trey.ts";

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const say = (value: unknown) => process.stdout.write(JSON.stringify(value ?? null) + "\n");
const camel = (name: string) => name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
const told = (no: Problem) => ({
  status: no.status, code: no.code, detail: no.detail, errors: no.errors, scope: no.scope,
  retry_after: no.retryAfter, request_id: no.requestId,
});

/** Say what is refused, and that the server cannot be reached. */
async function said(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (no) {
    if (no instanceof Problem) say(told(no));
    else if (no instanceof Lost) say("lost");
    else throw no;
  }
}

/** What a method takes: its places, its keys as one object, and behind them the conditions of a call. */
function given(places: unknown[], { expect, key, ...keys }: Record<string, unknown>): unknown[] {
  const conditions = expect === undefined && key === undefined ? [] : [{ expect, key }];
  return [...places, ...(Object.keys(keys).length > 0 ? [keys] : []), ...conditions];
}

const scenarios: Record<string, (trey: any, args: any) => Promise<void>> = {
  async calls(trey, args) {
    for (const [name, places, keys] of args.calls)
      await said(async () => say(await trey[camel(name)](...given(places, keys))));
  },
  async follows(trey, args) {
    let left = args.count ?? 1_000_000;
    await said(async () => {
      for await (const event of trey[camel(args.stream)](...given(args.places, args.keys ?? {}))) {
        say(event);
        if (--left === 0) return;
      }
      say("over");
    });
  },
  async headers(trey, args) {
    const [value, headers] = await trey.withHeaders(trey[camel(args.method)], ...given(args.places, args.keys));
    say([value, headers.get("ETag")]);
  },
  async makes(_, args) {
    for (const [url, token] of args.clients)
      try {
        say(new Trey(url, { token }).token);
      } catch (no) {
        say({ refused: String(no) });
      }
  },
  async lists(trey, args) {
    for await (const item of trey.pages(trey[camel(args.method)], ...args.places, args.keys)) say(item);
  },
  async device(trey, args) {
    await said(async () => {
      say(await trey.logInByDevice(args.client_id, args.scopes, say));
      say(await trey.myProfile());
    });
  },
  async webhooks(_, args) {
    for (const [secrets, headers, body] of args.posts)
      try {
        say(await verify(secrets, headers, body));
      } catch (no) {
        say({ refused: String(no) });
      }
  },
  async parts(_, args) {
    const raw = new TextEncoder().encode(args.text);
    const whole = new Blocks().feed(raw);
    say(whole);
    for (let size = 1; size < raw.length; size += 1) {
      const blocks = new Blocks();
      const cut = [];
      for (let at = 0; at < raw.length; at += size) cut.push(...blocks.feed(raw.subarray(at, at + size)));
      if (JSON.stringify(cut) !== JSON.stringify(whole)) say({ size, events: cut });
    }
  },
  async page(trey, args) {
    const asked = await trey.authorizeUrl(args.client_id, args.redirect_uri, args.scopes);
    say(asked);
    const code = JSON.parse((await lines.next()).value);
    say(await trey.exchange(code, asked.verifier, args.client_id, args.redirect_uri));
    say(await trey.myProfile());
  },
};

for (let line = await lines.next(); !line.done; line = await lines.next()) {
  const [name, args] = JSON.parse(line.value);
  await scenarios[name]!(new Trey(args.url, { token: args.token ?? undefined, ...args.spans }), args);
  process.stdout.write("\n");
}
process.exit(0);
