"""The channel on which a commit wakes the readers of the log; a message is the bucket that has new events."""

from core.wakeups import Channel

signals = Channel("log", lost="no wake-up signal for readers of the log, they poll meanwhile")
