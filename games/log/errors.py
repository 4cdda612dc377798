"""What can go wrong with the log."""


class LogError(Exception):
    """Any error of the log itself."""


class VersionConflict(LogError):  # noqa: N818  named after what happened
    """The stream has moved on: it is at version `found`, not at `expected`. Judge anew on the new state."""

    def __init__(self, stream: str, expected: int, found: int) -> None:
        super().__init__(f"stream {stream!r} is at version {found}, not at {expected}")
        self.stream = stream
        self.expected = expected
        self.found = found

    def __reduce__(self) -> tuple[type["VersionConflict"], tuple[str, int, int]]:
        return VersionConflict, (self.stream, self.expected, self.found)


class Misuse(LogError):  # noqa: N818  named after what happened
    """The caller broke a rule of the log: a mistake in the program, never of a user."""


class Gap(LogError):  # noqa: N818  named after what happened
    """Positions or versions read are not consecutive: the log is damaged, and nobody may read on past it."""
