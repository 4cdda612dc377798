"""Settings of the web process of `web_server`: little of everything, so that it is soon used up."""

from config.settings import *  # noqa: F403

TREY_HASHES_WAITING = 5
TREY_PAGES_WAITING, TREY_PAGE_SECONDS = 3, 2
TREY_HEARTBEAT, TREY_BODY_SECONDS = 1, 5
