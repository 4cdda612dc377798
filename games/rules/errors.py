"""The errors of the rules: moves that are refused, and games that cannot be opened."""


class IllegalMove(Exception):  # noqa: N818 - CONTRACT names it so
    """A move that the rules refuse. `code` is stable and for programs, `detail` is a sentence for people."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail

    def as_json(self) -> dict[str, str]:
        return {"code": self.code, "detail": self.detail}


class MalformedMove(IllegalMove):
    """A move that cannot be read: unknown keys, unknown cards or wrong types (CONTRACT, Moves)."""

    def __init__(self, detail: str) -> None:
        super().__init__("malformed", detail)


class SetupError(ValueError):
    """A game that cannot be opened. `field` is the wrong value's dotted name: "seats", "options.decks", ..."""

    def __init__(self, field: str, detail: str) -> None:
        super().__init__(detail)
        self.field = field
        self.detail = detail
