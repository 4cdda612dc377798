// Live streams of ours, with the page's session. `EventSource` resumes by itself, after the last id it has seen.

/** Listen to a stream: `handlers` by the names of its events. It ends with the page. */
export function listen(url, handlers) {
  const stream = new EventSource(url, { withCredentials: true });
  for (const [name, handle] of Object.entries(handlers)) {
    stream.addEventListener(name, (event) => handle(JSON.parse(event.data)));
  }
  addEventListener("pagehide", () => stream.close(), { once: true });
  return stream;
}

/** The same page as the server has it now, or null if it is somewhere else by now (then this one goes there, too). */
export async function again() {
  const answer = await fetch(location.href, { credentials: "same-origin" });
  if (answer.redirected && new URL(answer.url).pathname !== location.pathname) {
    location.assign(answer.url);
    return null;
  }
  return answer.ok ? new DOMParser().parseFromString(await answer.text(), "text/html") : null;
}

/** Take a part of the page from its newer version, unless the reader is writing in it. */
export function take(newer, selector) {
  const here = document.querySelector(selector);
  const there = newer.querySelector(selector);
  if (!here || here.contains(document.activeElement?.closest("input:not([type=hidden]), textarea, select"))) return;
  if (there) here.replaceWith(there);
  else here.remove();
}
