"""README.md and docs/api.md: their lines run as written, and answer what they show."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]
BLOCK = re.compile(r"^```(sh|json)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MARK = "-- end of block --"


def lacking(shown: Any, real: Any, path: str = "") -> list[str]:
    """Where an answer lacks a key that the page shows, or holds another kind of value."""
    if isinstance(shown, dict):
        if not isinstance(real, dict):
            return [path]
        return [
            gap
            for key, value in shown.items()
            for gap in (lacking(value, real[key], f"{path}.{key}") if key in real else [f"{path}.{key}"])
        ]
    if isinstance(shown, list):
        return lacking(shown[0], real[0], f"{path}[0]") if shown and real else [] if isinstance(real, list) else [path]
    return [] if shown is None or real is None or type(shown) is type(real) else [path]


@pytest.mark.slow
@pytest.mark.parametrize(("page", "least"), [("README.md", 2), ("docs/api.md", 10)])
@pytest.mark.django_db(transaction=True)
def test_the_lines_of_the_page_run_and_answer_what_it_shows(live_server: Any, page: str, least: int) -> None:
    blocks = BLOCK.findall((ROOT / page).read_text())
    lines = [text for kind, text in blocks if kind == "sh"]
    script = f"\necho; echo '{MARK}'\n".join(lines).replace("http://127.0.0.1:8000", live_server.url)
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    printed = iter(done.stdout.split(MARK))
    answers = 0
    for (kind, _), (follows, shown) in zip(blocks, [*blocks[1:], ("", "")], strict=True):
        if kind != "sh":
            continue
        real = next(printed)
        if follows == "json":
            assert not lacking(json.loads(shown), json.loads(real)), real
            answers += 1
    assert answers >= least
