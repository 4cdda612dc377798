"""The channel that wakes players' live streams after a commit; a message is the id of a player with something new."""

from core.wakeups import Channel

told_players = Channel("notifications", lost="no wake-up signal for live streams, they poll meanwhile")
