"""How a request reaches the application."""

from types import SimpleNamespace
from typing import Any

from config.gateway import environ_of


class Headers:
    """granian's: names in lower case, each with all its values."""

    def __init__(self, *pairs: tuple[str, str]) -> None:
        self._pairs = pairs

    def keys(self) -> list[str]:
        return list(dict.fromkeys(name for name, _ in self._pairs))

    def get_all(self, wanted: str) -> list[str]:
        return [value for name, value in self._pairs if name == wanted]


def environ(*pairs: tuple[str, str]) -> dict[str, Any]:
    scope: Any = SimpleNamespace(
        server="127.0.0.1:8000", client="10.0.0.2:5000", method="GET", path="/", query_string="", scheme="http",
        http_version="1.1", authority=None, headers=Headers(*pairs),
    )  # fmt: skip
    return environ_of(scope, b"")


def test_a_header_with_an_underscore_does_not_pass_for_the_one_with_a_dash() -> None:
    """A proxy replaces X-Forwarded-For, by which limits count addresses, but lets X_Forwarded_For through."""
    found = environ(("x-forwarded-for", "203.0.113.1"), ("x_forwarded_for", "192.0.2.1"), ("content_length", "9"))
    assert found["HTTP_X_FORWARDED_FOR"] == "203.0.113.1"
    assert "CONTENT_LENGTH" not in found
    assert "HTTP_X_FORWARDED_FOR" not in environ(("x_forwarded_for", "192.0.2.1"))


def test_values_of_a_header_that_comes_several_times_are_joined() -> None:
    found = environ(("accept", "a"), ("accept", "b"), ("cookie", "c=1"), ("cookie", "d=2"))
    assert (found["HTTP_ACCEPT"], found["HTTP_COOKIE"]) == ("a,b", "c=1; d=2")
