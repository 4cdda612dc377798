"""The error for a bad clock policy or calendar."""


class ClockError(ValueError):
    """A clock policy or a calendar is invalid.

    `field` is the path of the field at fault ("clock.per_turn"); `detail` is a sentence for the user.
    """

    def __init__(self, field: str, detail: str) -> None:
        super().__init__(f"{field}: {detail}")
        self.field = field
        self.detail = detail
