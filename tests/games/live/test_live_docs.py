"""docs/live.md: its events have the shapes of real ones. tests/browser tries its function for a browser."""

import io
import json
import re
import urllib.request

from config.processes import CHECKOUT
from tests.games.live.conftest import plays

PAGE = (CHECKOUT / "docs/live.md").read_text()
[TURNS] = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
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


def test_the_bot_of_the_page_passes_by_what_is_no_game_of_its_turn(monkeypatch) -> None:
    data = [{"number": 1, "kind": "turn"}, {"id": "one", "your_turn": False}, {"id": "two", "your_turn": True}]
    sent = "".join(f"data: {json.dumps(each)}\n\n" for each in data).encode()
    monkeypatch.setattr(urllib.request, "urlopen", lambda *_, **__: io.BytesIO(sent))
    names: dict = {}
    exec(TURNS, names)
    assert next(names["turns"]("http://127.0.0.1/api/v1/me/live", "token")) == "two"
