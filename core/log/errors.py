"""Errors of the log."""


class LogError(Exception):
    """Any error of the log itself."""


class VersionConflict(LogError):  # noqa: N818  named after what happened
    """The stream has moved on: it is at version `found`, not at `expected`. Decide again on the new state."""

    def __init__(self, stream: str, expected: int, found: int) -> None:
        super().__init__(f"stream {stream!r} is at version {found}, not at {expected}")
        self.stream = stream
        self.expected = expected
        self.found = found

    def __reduce__(self) -> tuple[type["VersionConflict"], tuple[str, int, int]]:
        return VersionConflict, (self.stream, self.expected, self.found)


class LostRace(LogError):  # noqa: N818  named after what happened
    """The rows of a stream are no longer at the version that was loaded: another command came first."""


class Misuse(LogError):  # noqa: N818  named after what happened
    """The caller broke a rule of the log: a bug, never an error of a user."""


class Gap(LogError):  # noqa: N818  named after what happened
    """Positions or versions read are not consecutive: the log is damaged, and nobody may read past it."""


class CheckpointMoved(LogError):  # noqa: N818  named after what happened
    """Somebody else moved the checkpoint of a bucket that this worker holds; the whole batch is rolled back."""
