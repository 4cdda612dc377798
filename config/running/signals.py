"""Signals to stop."""

import signal
import threading
from types import FrameType


def listen() -> tuple[threading.Event, threading.Event]:
    """Two events: the first signal to stop sets the first one, any further signal the second one."""
    stopping, hurry = threading.Event(), threading.Event()

    def handle(number: int, frame: FrameType | None) -> None:
        (hurry if stopping.is_set() else stopping).set()

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, handle)
    return stopping, hurry
