import pytest

from core.jobs import registry


@pytest.fixture(autouse=True)
def _own_kinds(monkeypatch):
    """What a test registers is gone after it."""
    monkeypatch.setattr(registry, "_chores", dict(registry._chores))
    monkeypatch.setattr(registry, "_errands", dict(registry._errands))
