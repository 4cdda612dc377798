"""A process that is killed before it sends some statement to the database."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection


class Killed(BaseException):
    """The process was killed: nobody may catch it."""


@contextmanager
def killed_after(statements: int) -> Iterator[None]:
    """Let the process die before it sends its statement of that number to the database."""
    left = statements

    def execute(run: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        nonlocal left
        left -= 1
        if left == 0:
            raise Killed
        return run(sql, params, many, context)

    with connection.execute_wrapper(execute):
        yield
