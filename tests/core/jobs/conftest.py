import pytest

from core.jobs import queue


@pytest.fixture(autouse=True)
def _own_kinds(monkeypatch):
    """What a test registers is gone after it."""
    monkeypatch.setattr(queue, "LOCAL", dict(queue.LOCAL))
    monkeypatch.setattr(queue, "OUTBOUND", dict(queue.OUTBOUND))
