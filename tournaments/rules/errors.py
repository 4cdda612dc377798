"""The errors of reading a record and of seating a round."""


class BadRecord(ValueError):  # noqa: N818 - named after what it refuses
    """An invalid record; the message says why in one sentence."""


class BadSetting(BadRecord):
    """An invalid setting. `field` names it (`best`, `tables.size`, ...), `detail` is a sentence about it."""

    def __init__(self, field: str, detail: str) -> None:
        super().__init__(f"settings.{field}: {detail}")
        self.field = field
        self.detail = detail


class BadStage(BadRecord):
    """An invalid stage of the head. `number` is counted from 1; the sentence of `error` begins with the field."""

    def __init__(self, number: int, error: BadRecord) -> None:
        super().__init__(f"stages: stage {number}: {error}")
        self.number = number
        self.error = error


class BadLine(BadRecord):
    """An invalid line of the log. `n` is its number, `detail` a sentence about it."""

    def __init__(self, n: int, detail: str) -> None:
        super().__init__(f"n {n}: {detail}")
        self.n = n
        self.detail = detail


class NoRound(ValueError):  # noqa: N818 - named after what there is not
    """There is no next round; the message says why in one sentence."""


class NoStage(ValueError):  # noqa: N818 - named after what there is not
    """No stage can begin; the message says why in one sentence."""


class TooFew(NoStage):
    """Too few would go on, so that the tournament ends as it stands (SG5)."""
