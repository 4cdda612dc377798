"""What is generated is fresh, and what is by hand is as little as was promised (AP17, AP18, AP21)."""

import inspect
import runpy
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import trey

from tests.openapi import DOCUMENT

ROOT = Path(__file__).parents[2]


@cache
def made() -> dict[Path, str]:
    return dict(runpy.run_path(str(ROOT / "clients" / "generate.py"))["files"]())


def test_ap17_what_is_made_from_the_document_is_fresh() -> None:
    for path, text in made().items():
        assert path.read_text(encoding="utf-8") == text, "docs/openapi.yaml has changed: run `make clients`"


TOLD = {told["operationId"]: told for methods in DOCUMENT["paths"].values() for told in methods.values()}


def operations() -> list[tuple[str, bool]]:
    """The name of each operation, and whether it is a stream."""
    return [
        (name, "text/event-stream" in told["responses"].get("200", {}).get("content", {}))
        for name, told in TOLD.items()
    ]


@pytest.mark.parametrize("client", [trey.Trey, trey.AsyncTrey])
def test_ap18_every_operation_but_streams_is_a_method(client: Any) -> None:
    for name, is_stream in operations():
        assert hasattr(client, name) is not is_stream, name
    public = {name for name in dir(trey.Trey) if not name.startswith("_")}
    assert public == {name for name in dir(trey.AsyncTrey) if not name.startswith("_")}


def test_ap17_both_clients_have_the_same_methods_with_the_same_keys() -> None:
    for name in {name for name, is_stream in operations() if not is_stream} | {"watch", "my_turns", "log_in"}:
        one, other = (getattr(client, name) for client in (trey.Trey, trey.AsyncTrey))
        assert [*inspect.signature(one).parameters][1:] == [*inspect.signature(other).parameters][1:], name
        assert one.__doc__ == other.__doc__
        by_hand = name not in TOLD or name == "log_in"
        assert by_hand or one.__doc__.startswith(f"{TOLD[name]['summary']}.")


@pytest.mark.parametrize(
    ("pattern", "most"), [("python/trey/**/*.py", 700), ("typescript/trey.ts", 500), ("generate.py", 300)]
)
def test_ap21_what_is_by_hand_is_little(pattern: str, most: int) -> None:
    by_hand = [path for path in (ROOT / "clients").glob(pattern) if path not in made()]
    assert sum(path.read_text(encoding="utf-8").count("\n") for path in by_hand) <= most
