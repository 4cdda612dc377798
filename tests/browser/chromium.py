"""Chromium, as the system has it."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
# The same browser without its own windows, for which nobody waits here: two thirds of the processor time.
HEADLESS = shutil.which("chromium-headless-shell") or CHROMIUM
_ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

needs_chromium = pytest.mark.skipif(HEADLESS is None and "CI" not in os.environ, reason="needs Chromium")


@contextmanager
def launched(executable: str | None = HEADLESS, **options: Any) -> Iterator[Browser]:
    """A browser, until the end of the block."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=_ARGUMENTS, **options)
        yield browser
        browser.close()
