"""Chromium, as the system has it."""

import asyncio
import atexit
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
# The same browser without its own windows, for which nobody waits here: two thirds of the processor time.
HEADLESS = shutil.which("chromium-headless-shell") or CHROMIUM
_ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Pages live for a second: to optimise what they run, axe-core above all, costs more than it saves.
    "--js-flags=--always-sparkplug --no-maglev --no-turbofan --min-semi-space-size=16",
)

# A busy machine is no fault of what is tested.
_PATIENCE = 60_000
expect.set_options(timeout=_PATIENCE)

needs_chromium = pytest.mark.skipif(HEADLESS is None and "CI" not in os.environ, reason="needs Chromium")


@contextmanager
def launched(executable: str | None = HEADLESS, **options: Any) -> Iterator[Browser]:
    """A browser without contexts, until the end of the block.

    Starting Playwright and Chromium takes as long as many tests: a process of tests does it once, and only its contexts
    are closed. Playwright's loop is the thread's only within the block, as Django reads nothing where one runs.
    """
    playwright, loop = _started()
    asyncio._set_running_loop(loop)
    try:
        if executable != HEADLESS or options:
            browser = _patient(
                playwright.chromium.launch(executable_path=executable, args=_ARGUMENTS, timeout=_PATIENCE, **options)
            )
            yield browser
            browser.close()
        else:
            browser = _headless()
            yield browser
            for context in browser.contexts:
                context.close()
    finally:
        asyncio._set_running_loop(None)


def goes_back(page: Page) -> None:
    """Press Back and wait for the whole page: Chromium goes back no further from one that has only begun."""
    page.go_back(wait_until="commit")
    page.wait_for_function("() => document.readyState === 'complete'")


@cache
def _started() -> tuple[Playwright, asyncio.AbstractEventLoop]:
    playwright = sync_playwright().start()
    atexit.register(_stop)
    return playwright, asyncio.get_running_loop()


@cache
def _headless() -> Browser:
    return _patient(_started()[0].chromium.launch(executable_path=HEADLESS, args=_ARGUMENTS, timeout=_PATIENCE))


def _patient(browser: Browser) -> Browser:
    """What is opened in it waits as long as `expect` does, not half as long."""

    def opens(make: Callable[..., Any]) -> Callable[..., Any]:
        def opened(**options: Any) -> Any:
            made = make(**options)
            made.set_default_timeout(_PATIENCE)
            return made

        return opened

    for name in ("new_context", "new_page"):
        setattr(browser, name, opens(getattr(browser, name)))
    return browser


def _stop() -> None:
    """Playwright stops its browsers, too."""
    playwright, loop = _started()
    asyncio._set_running_loop(loop)
    playwright.stop()
