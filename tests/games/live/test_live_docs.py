"""docs/build/live.md: its events have the shapes of real ones."""

import json
import re

from config.processes import CHECKOUT
from tests.games.live.conftest import plays

PAGE = (CHECKOUT / "docs/build/live.md").read_text()
EVENTS = {
    name: json.loads(data.replace("{...}", "{}"))
    for name, data in re.findall(r"^event: (\w+)\n(?:id: \d+\n)?data: (.*)$", PAGE, re.MULTILINE)
}


def test_the_events_of_the_page_have_the_keys_of_real_ones(live, alice, game) -> None:
    shown = live.opens("me/live", alice.token).next()
    assert set(EVENTS["game"]) == set(shown["data"])
    stream = live.opens(f"games/{game['id']}/live", alice.token)
    plays(alice, game)
    assert set(EVENTS["moved"]) == set(stream.next()["data"])
