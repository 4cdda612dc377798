"""What tests of telling begin with."""

from tests.core.notifications.conftest import unsaid_additions

__all__ = ["unsaid_additions"]
