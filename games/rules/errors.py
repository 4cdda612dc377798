"""What can be wrong with a move or with the opening of a game."""


class IllegalMove(Exception):  # noqa: N818 - the name the contract gives it
    """A move that the rules refuse. `code` is stable and for programs, `detail` a sentence for people."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail


class MalformedMove(IllegalMove):
    """A move that cannot be read: unknown keys, unknown cards, wrong types (CONTRACT, Moves)."""

    def __init__(self, detail: str) -> None:
        super().__init__("malformed", detail)


class SetupError(ValueError):
    """A game that cannot be opened so. `field` names what is wrong: "seats", "ruleset", "options.decks", ..."""

    def __init__(self, field: str, detail: str) -> None:
        super().__init__(detail)
        self.field = field
        self.detail = detail
