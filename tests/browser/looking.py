"""Looking at a page: when it has come to rest, and what axe-core finds on it."""

from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

# Loaded with its fonts, drawn, and through with every transition that ends.
DRAWN = """async () => {
  await document.fonts.ready;
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  const ends = document.getAnimations().filter((one) => one.effect?.getComputedTiming().endTime < 5000);
  await Promise.allSettled(ends.map((one) => one.finished));
}"""
# Whether one part of a page ends where another one begins, or above.
ABOVE = """(selectors) => {
  const [upper, lower] = selectors.map((one) => document.querySelector(one).getBoundingClientRect());
  return upper.bottom <= lower.top;
}"""
CONTRAST = {"runOnly": ["color-contrast"]}
# What axe-core sees of a page without shadow trees: the rest of a screen follows from it.
SEEN = """() => [...document.querySelectorAll('*')].some((one) => one.shadowRoot) ? null : JSON.stringify([
  document.documentElement.outerHTML.replace(/(csrfmiddlewaretoken" value|nonce)="[^"]*"/g, ''),
  innerWidth, innerHeight, matchMedia('(prefers-color-scheme: dark)').matches])"""
_clean = set[str]()


def watched(page: Page) -> Page:
    """The page, whose requests are counted from now on, for `at_rest`."""
    asked: set[Any] = set()
    page.asked = asked  # type: ignore[attr-defined]

    def answered(request: Any) -> None:
        asked.discard(request)

    # Playwright takes no built-in method.
    page.on("request", lambda request: asked.update([request]))
    page.on("requestfinished", answered)
    page.on("requestfailed", answered)
    return page


def at_rest(page: Page) -> None:
    """Wait until a watched page is drawn and waits for no answer: sooner than the half a second of "networkidle"."""
    page.wait_for_load_state("load")
    page.evaluate(DRAWN)
    while page.asked:  # type: ignore[attr-defined]
        while page.asked:  # type: ignore[attr-defined]
            page.wait_for_timeout(10)
        page.evaluate(DRAWN)


def violations(page: Page, options: dict[str, Any] | None = None) -> list[dict[str, Any]]:
    """What axe-core finds; it is read once a page, and does not look again at what is the same as a clean one."""
    page.wait_for_load_state()
    seen = f"{options} {page.evaluate(SEEN)}"
    if seen in _clean:
        return []
    if not page.evaluate("typeof axe !== 'undefined'"):
        # Not by the page's `evaluate`, which reads the whole of it twice.
        page.context.new_cdp_session(page).send("Runtime.evaluate", {"expression": AXE_SCRIPT})
    # Fetching sounds and styles once more would take half of the time; nothing here plays by itself.
    asked = {"resultTypes": ["violations"], "preload": False, **(options or {})}
    found = list(page.evaluate("async (options) => (await axe.run(options)).violations", asked))
    if not found and not seen.endswith("None"):
        _clean.add(seen)
    return found


def serious_in(page: Page, options: dict[str, Any] | None = None) -> list[Any]:
    """What axe-core finds serious on a page, and whether it is wider than the screen."""
    hurt: list[Any] = [
        (one["id"], [node["target"] for node in one["nodes"]][:3])
        for one in violations(page, options)
        if one["impact"] in ("serious", "critical")
    ]
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return [*hurt, f"{wide} px too wide"] if wide > 0 else hurt
