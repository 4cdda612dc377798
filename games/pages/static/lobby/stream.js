/** Live streams, with the page's session. Of a browser's pages the one that came into sight last reads each and passes it on. */

// With HTTP/1.1 all pages together have six connections, which moves and pages need, too.
const MOST = 4;
const BEGINS = 5000;
const PREFIX = "trey:live:";

const pause = (milliseconds) => new Promise((wait) => setTimeout(wait, milliseconds));
// Locks need HTTPS or a server on this machine. Without them each page in sight reads for itself.
const lock = (...asked) => (navigator.locks ? navigator.locks.request(...asked) : asked.at(-1)());
const streams = async () => (await navigator.locks?.query())?.held.filter(({ name }) => name.startsWith(PREFIX)).length;

/**
 * Hear what comes after number `after()` while the page is in sight, until `isOver()`: `onEvents([{ name, id, data }])`. Without
 * a stream (`url` may be null) `onSilence` is called, less and less often. One that is silent for `silence` ms is none.
 */
export function listen(url, { after, onEvents, onSilence, onBegin = () => {}, isOver = () => false, silence }) {
  const address = new URL(url ?? "", location.href);
  const name = `${PREFIX}${reader.id}${address.pathname}`;
  let heard = 0;
  let sight = null;
  const at = () => Math.max(heard, after());
  const hear = (events) => {
    const fresh = events.filter(({ id }) => !(id <= at()));
    heard = Math.max(heard, ...fresh.map(({ id }) => id ?? 0));
    return fresh.length ? onEvents(fresh) : null;
  };

  const stay = async (signal) => {
    const others = new BroadcastChannel(name);
    others.onmessage = ({ data: { events, from } }) => (events ? hear(events) : from > at() ? onSilence() : onBegin());
    let reading = new AbortController();
    signal.addEventListener("abort", () => {
      reading.abort();
      others.close();
    });
    // The page has just brought what it shows.
    let wait = url ? 1000 : 2000;
    if (!url) await pause(wait);
    const lead = async () => {
      if (isOver()) return;
      if (!url || (await streams()) > MOST) throw new Error("no stream");
      const from = at();
      address.searchParams.set("after", from);
      const late = setTimeout(() => reading.abort(new Error("no response")), BEGINS);
      const answer = await fetch(address, { credentials: "include", cache: "no-store", signal: reading.signal }).finally(() => clearTimeout(late));
      if (!answer.ok) throw new Error(`status ${answer.status}`);
      wait = 1000;
      onBegin();
      others.postMessage({ from });
      await read(answer.body, silence, (events) => {
        others.postMessage({ events });
        return hear(events);
      });
    };
    for (let how = { steal: true }; !signal.aborted && !isOver(); how = { signal }) {
      reading = new AbortController();
      try {
        await (url ? lock(name, how, lead) : lead());
      } catch (error) {
        // Else another page has taken over, or this one is out of sight.
        if (error.name !== "AbortError" && !signal.aborted) {
          if (url) others.postMessage({ from: Infinity });
          await onSilence();
        }
      }
      reading.abort();
      await pause(wait);
      wait = Math.min(1.5 * wait, 15_000);
    }
    others.close();
  };

  const open = () => {
    if (sight || document.hidden) return;
    sight = new AbortController();
    stay(sight.signal);
  };
  const close = () => {
    sight?.abort();
    sight = null;
  };
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  addEventListener("pagehide", close);
  addEventListener("pageshow", open);
  open();
}

/** Read server-sent events until the stream ends, or throw. */
async function read(body, silence, onEvents) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  const next = async () => {
    let timer;
    const silent = new Promise((_, dead) => (timer = setTimeout(() => dead(new Error("a silent stream")), silence)));
    return Promise.race([reader.read(), silent]).finally(() => clearTimeout(timer));
  };
  let text = "";
  for (let part = await next(); !part.done; part = await next()) {
    const blocks = (text + part.value).split("\n\n");
    text = blocks.pop();
    const events = blocks.map(parsed).filter(({ data }) => data);
    if (events.length) await onEvents(events);
  }
}

function parsed(block) {
  const { event, id, data } = Object.fromEntries(block.split("\n").map((line) => line.split(/: (.*)/, 2)));
  return { name: event, id: id && Number(id), data: data && JSON.parse(data) };
}
