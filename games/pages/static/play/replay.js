/** What happened since the last look, replayed in two seconds. */

const REPLAYED = 6; // as many steps as two seconds can show

/** Show the moves up to now one after the other; a button skips them, and reduced motion shows none. */
export async function replay(page, missed) {
  const events = missed.slice(-REPLAYED);
  const skip = document.getElementById("skip");
  let skipped = matchMedia("(prefers-reduced-motion: reduce)").matches;
  skip.onclick = () => (skipped = true);
  skip.hidden = false;
  // Without an answer there is nothing to replay, and the page goes on.
  const pasts = skipped ? [] : await Promise.all(events.map((event) => page.api.get(`/history/${event.version}`))).catch(() => []);
  for (const [at, past] of pasts.entries()) {
    if (skipped) break;
    page.show(past, { actor: events[at].seat, took: events[at].type === "picked_up", moves: at > 0 });
    await new Promise((wait) => setTimeout(wait, Math.min(600, 2000 / pasts.length)));
  }
  skip.hidden = true;
  page.draw();
}
