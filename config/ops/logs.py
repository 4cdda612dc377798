"""Log lines: readable on a terminal, or one JSON object a line. Fields given as `extra={...}` are kept."""

import json
import logging
from datetime import UTC, datetime

_OWN = frozenset(logging.makeLogRecord({}).__dict__) | {"message", "asctime", "taskName", "request", "server_time"}


def _fields(record: logging.LogRecord) -> dict[str, object]:
    return {name: value for name, value in record.__dict__.items() if name not in _OWN}


def _time(record: logging.LogRecord) -> str:
    # The machine's time, not the service's: a log line says when it was really written.
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class OneLine(logging.Filter):
    """Takes the traceback off: for what a client did, not the service."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Always kept."""
        record.exc_info = record.exc_text = None
        return True


class TextFormatter(logging.Formatter):
    """`12:00:00 INFO trey.web GET /readyz status=200`."""

    def format(self, record: logging.LogRecord) -> str:
        """One line, and the traceback when there is one."""
        line = f"{_time(record)[11:19]} {record.levelname} {record.name} {record.getMessage()}"
        line += "".join(f" {name}={value}" for name, value in _fields(record).items())
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


class JsonFormatter(logging.Formatter):
    """`{"time": "...", "level": "info", "logger": "trey.web", "message": "...", ...}`."""

    def format(self, record: logging.LogRecord) -> str:
        """One line; a traceback is one of its fields."""
        line: dict[str, object] = {
            "time": _time(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **_fields(record),
        }
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str, ensure_ascii=False)
