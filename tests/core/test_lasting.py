"""Locks that outlast a transaction, and who else is connected."""

from threading import Event, Thread

import pytest
from django.db import connection

from core import lasting


@pytest.mark.django_db
def test_a_lock_is_free_once_its_block_has_failed_even_if_the_server_learns_late_that_its_connection_is_closed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    closing, copy = [], connection.copy

    def closed_late():
        holder = copy()
        closing.append(holder.close)
        holder.close = lambda: None
        return holder

    def fail() -> None:
        with lasting.lock("a trial", wait=False):
            raise KeyboardInterrupt

    monkeypatch.setattr(connection, "copy", closed_late)
    with pytest.raises(KeyboardInterrupt):
        fail()
    with lasting.lock("a trial", wait=False) as held:
        assert held
    for close in closing:
        close()


@pytest.mark.django_db
def test_a_lock_that_is_held_is_not_waited_for() -> None:
    with lasting.lock("a trial"), lasting.lock("a trial", wait=False) as held:
        assert not held


@pytest.mark.django_db
def test_a_connection_that_is_about_to_end_is_waited_for_and_one_that_stays_is_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    connected, leave = Event(), Event()

    def serve() -> None:
        connection.ensure_connection()
        connected.set()
        leave.wait()
        connection.close()

    service = Thread(target=serve)
    service.start()
    connected.wait()
    try:
        assert lasting.others(patience=0) == 1
        # Whoever looks sees it once, and it ends while they wait.
        monkeypatch.setattr("core.lasting.time.sleep", lambda _: leave.set())
        assert lasting.others(patience=60) == 0
    finally:
        leave.set()
        service.join()
