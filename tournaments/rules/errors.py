"""What can be wrong with a record, and with asking for one more round."""


class BadRecord(ValueError):  # noqa: N818 - named after what it refuses
    """A record that is refused; the message says why in one sentence."""


class BadSetting(BadRecord):
    """A setting that is refused. `field` names it (`best`, `tables.size`, ...), `detail` is a sentence about it."""

    def __init__(self, field: str, detail: str) -> None:
        super().__init__(f"settings.{field}: {detail}")
        self.field = field
        self.detail = detail


class BadLine(BadRecord):
    """A line of the log that is refused. `n` is its number, `detail` is a sentence about it."""

    def __init__(self, n: int, detail: str) -> None:
        super().__init__(f"n {n}: {detail}")
        self.n = n
        self.detail = detail


class NoRound(ValueError):  # noqa: N818 - named after what there is not
    """There is no next round to seat; the message says why in one sentence."""
