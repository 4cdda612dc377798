import pytest

from core.jobs import handlers


@pytest.fixture(autouse=True)
def _own_kinds(monkeypatch):
    """What a test registers is gone after it."""
    monkeypatch.setattr(handlers, "LOCAL", dict(handlers.LOCAL))
    monkeypatch.setattr(handlers, "OUTBOUND", dict(handlers.OUTBOUND))
