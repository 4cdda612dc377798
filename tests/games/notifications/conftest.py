"""What tests of telling begin with."""

import pytest


@pytest.fixture(autouse=True)
def _no_tables():
    """Every test begins as a process does."""
    from games.notifications import tables

    tables._tables.clear()
