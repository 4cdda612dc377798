"""Fixtures of the log's tests."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from log_scene import Crew, TailingReader


@pytest.fixture
def crew() -> Iterator[Crew]:
    with ThreadPoolExecutor(16) as pool:
        yield Crew(pool)


@pytest.fixture
def reader(crew: Crew) -> Iterator[TailingReader]:
    """Torn down before the crew, so that a test that fails does not leave it reading."""
    reader = TailingReader()
    yield reader
    reader.finish()
