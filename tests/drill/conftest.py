"""A club with everything going on, and a second database to restore it into."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import pytest
from django.db import connection
from drill_scene import Elsewhere, Scene

from core import clock as service_clock


@pytest.fixture
def clock() -> Iterator[service_clock.FrozenClock]:
    with service_clock.frozen(datetime(2026, 11, 21, 12, tzinfo=UTC)) as held:
        yield held


@pytest.fixture
def scene(transactional_db: None, clock: service_clock.FrozenClock) -> Scene:
    return Scene(clock)


@pytest.fixture
def elsewhere(transactional_db: None) -> Iterator[Elsewhere]:
    """A context in which the service's database is another one: a copy of one that is named, or empty at first."""
    here = connection.settings_dict["NAME"]
    there = f"{here}_elsewhere"

    def use(name: str) -> None:
        connection.close()
        connection.settings_dict["NAME"] = name

    def execute(statement: str) -> None:
        with connection.cursor() as cursor:
            cursor.execute(statement)

    @contextmanager
    def elsewhere(like: str = "template0") -> Iterator[None]:
        execute(f"CREATE DATABASE {there} TEMPLATE {like}")
        use(there)
        try:
            yield
        finally:
            use(here)

    execute(f"DROP DATABASE IF EXISTS {there}")
    yield elsewhere
    use(here)
    execute(f"DROP DATABASE IF EXISTS {there}")
