"""What is wrong with a clock or a calendar that somebody asked for."""


class ClockError(ValueError):
    """A clock policy or a player's calendar is refused.

    `field` names the place ("clock.per_turn"), `detail` is a sentence for people.
    """

    def __init__(self, field: str, detail: str) -> None:
        super().__init__(f"{field}: {detail}")
        self.field = field
        self.detail = detail
