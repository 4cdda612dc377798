"""Log lines by structlog: text in a terminal, elsewhere one JSON object a line. None holds a card, token or hash."""

import logging
import re
from collections.abc import Mapping
from typing import Any

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

# Tokens, digests, secrets and commitments are 64 or 128 hex digits; ids of requests have 32. PostgreSQL writes bytes,
# such as an event's nonce, as \x and hex digits. Django writes a password's hash as algorithm$cost$salt$hash.
_SECRET = re.compile(
    r"\b[0-9a-fA-F]{40,}\b"
    r"|\\x[0-9a-f]{16,}"
    r"|\b(?:argon2|pbkdf2_\w+|bcrypt\w*|scrypt|md5)\$[^\s'\"()]+"
)
# A row that PostgreSQL refused may hold anything, such as an invitation.
_ROW = re.compile(r"(?<=Failing row contains )\(.*?\)\.(?=\n|\Z)", re.DOTALL)
# A card in a list or in JSON, or alone. Text may well hold a bare "AS".
_CARD = re.compile(r"""(?<=['"])(?:[2-9TJQKA][SHDC]|X[RB])(?=['"])|\A(?:[2-9TJQKA][SHDC]|X[RB])\Z""")
# The attributes that Django, Celery, and other formatters before this one, add to a record for themselves.
_NOT_FOR_LINES = ("request", "server_time", "data", "message", "asctime")
# The errors of Django, psycopg, kombu, Celery and the Redis client. By name, so that no process has to import all of
# them.
_CONNECTING = {"OperationalError", "InterfaceError", "SchedulingError", "ConnectionError"}
_FIRST = ("time", "level", "logger", "event")


class OneLine(logging.Filter):
    """Removes the traceback: for errors of clients, not of the service."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.exc_info = record.exc_text = None
        return True


class Unreachable(logging.Filter):
    """Removes the traceback if the database or Redis could not be reached: it would only show who asked."""

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if type(error).__name__ in _CONNECTING and "connect" in str(error):
            # Celery writes the stack into the message itself.
            record.msg, record.args = record.getMessage().partition("\n")[0], None
            record.exc_info = record.exc_text = None
        return True


def formatter(form: str) -> structlog.stdlib.ProcessorFormatter:
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[
            structlog.contextvars.merge_contextvars,
            structlog.stdlib.add_log_level,
            structlog.stdlib.add_logger_name,
            structlog.stdlib.ExtraAdder(),
            # The machine's time, not the service's: a log line says when it was really written.
            structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
            _in_order,
        ],
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.format_exc_info,
            hide_secrets,
            *(_JSON if form == "json" else _TEXT),
        ],
    )


def hide_secrets(logger: WrappedLogger, name: str, line: EventDict) -> EventDict:
    """Replace what looks like a token, a digest or a card in all of a line, including the traceback."""
    return {key: _hidden(value) for key, value in line.items()}


def _hidden(value: Any) -> Any:
    if value is None or isinstance(value, int | float):
        return value
    if isinstance(value, Mapping):
        return {str(key): _hidden(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_hidden(inner) for inner in value]
    return _CARD.sub("??", _SECRET.sub("[hidden]", _ROW.sub("[hidden]", str(value))))


def _in_order(logger: WrappedLogger, name: str, line: EventDict) -> EventDict:
    context = structlog.contextvars.get_contextvars()
    own = [key for key in line if key not in _NOT_FOR_LINES and key not in context and key not in _FIRST]
    return {key: line[key] for key in (*_FIRST, *own, *context) if key in line}


def _text(logger: WrappedLogger, name: str, line: EventDict) -> str:
    """`12:00:00 info     trey.web GET /api/v1/me status=200 ms=4.2`, and the traceback below."""
    time, level, source, message = (str(line.pop(key)) for key in _FIRST)
    traceback = line.pop("exception", "")
    fields = "".join(f" {key}={value}" for key, value in line.items())
    return f"{time[11:19]} {level:<8} {source} {message}{fields}" + (f"\n{traceback}" if traceback else "")


_TEXT: list[Processor] = [_text]
_JSON: list[Processor] = [
    structlog.processors.EventRenamer("message"),
    structlog.processors.JSONRenderer(ensure_ascii=False, default=str),
]


def name_task(task_id: str, task: Any, **_: Any) -> None:
    structlog.contextvars.bind_contextvars(task=task.name, task_id=task_id)


def forget_task(**_: Any) -> None:
    structlog.contextvars.unbind_contextvars("task", "task_id")
