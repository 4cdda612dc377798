from tests.core.notifications.conftest import unsaid_additions
from tests.games.conftest import alice, bob, charlie, dora

__all__ = ["alice", "bob", "charlie", "dora", "unsaid_additions"]
