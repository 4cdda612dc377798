"""Tasks that are sent after a commit: a broker that hangs delays nobody."""

import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

import pytest
from celery import Celery, current_app
from django.conf import LazySettings
from redis import Redis
from redis.backoff import ConstantBackoff
from redis.retry import Retry

from config import addresses
from config.running.embedded.redis import _binary
from core.wakeups import Task

# A Redis that was just started.
STARTING = Retry(ConstantBackoff(0.05), 200)


@contextmanager
def broker_at(path: Path, settings: LazySettings) -> Iterator[None]:
    """Celery's tasks go to the Redis at this socket."""
    before = current_app._get_current_object()
    app = Celery("hanging", broker=addresses.broker(f"unix://{path}"), set_as_current=True)
    app.conf.broker_transport_options = settings.CELERY_BROKER_TRANSPORT_OPTIONS
    try:
        yield
    finally:
        before.set_current()


def test_a_broker_that_hangs_delays_a_commit_for_a_moment_only(
    settings: LazySettings, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "redis"
    command = [str(_binary(settings.PLACE)), "--port", "0", "--save", "", "--unixsocket", str(path)]
    task = Task("games.tasks.play_bots", lost="the sweep finds them")
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd=tmp_path) as hanging, broker_at(path, settings):
        try:
            with Redis(unix_socket_path=str(path), socket_timeout=10, retry=STARTING) as server:
                server.ping()
                task.send("a game")
                assert server.llen(f"{settings.REDIS_PREFIX}celery") == 1
            hanging.send_signal(signal.SIGSTOP)
            begun = monotonic()
            task.send("another game")
            assert monotonic() - begun < 2
            assert "the sweep finds them" in caplog.text
        finally:
            hanging.kill()
