import pytest

from core.jobs import handlers


@pytest.fixture(autouse=True)
def _own_kinds(monkeypatch):
    """What a test registers is gone after it."""
    monkeypatch.setattr(handlers, "_chores", dict(handlers._chores))
    monkeypatch.setattr(handlers, "_errands", dict(handlers._errands))
