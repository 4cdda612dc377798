"""What tests of telling begin with."""

import pytest

from tests.core.notifications.conftest import unsaid_additions

__all__ = ["unsaid_additions"]


@pytest.fixture(autouse=True)
def _no_tables():
    """Every test begins as a process does."""
    from games.notifications import tables

    tables._tables.clear()
