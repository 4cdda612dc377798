import pytest

from core.jobs import handlers


@pytest.fixture(autouse=True)
def _own_kinds(monkeypatch):
    """What a test registers is gone after it."""
    monkeypatch.setattr(handlers, "_local", dict(handlers._local))
    monkeypatch.setattr(handlers, "_outbound", dict(handlers._outbound))
