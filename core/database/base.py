"""The connection, which Django finds by ENGINE.

After a fail-over, a connection can lead to a server that has become a standby, and others in the pool to one that is
gone. A request then gets an OperationalError, so that it is answered with 503 and sent again; the connection and all
that wait in the pool are dropped, and the next one leads to the primary.
"""

from time import monotonic
from types import TracebackType
from typing import Any

from django.db import OperationalError
from django.db.backends.postgresql import base
from django.db.utils import DatabaseErrorWrapper
from django.utils.functional import cached_property
from psycopg import errors

# Seconds between two times that a pool is drained.
_REST = 1.0
_drained_at: dict[int, float] = {}


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that is not kept once its server is known to be a standby, or to be gone."""

    _refused = False

    def connect(self) -> None:
        """Open a new connection."""
        self._refused = False
        super().connect()

    @cached_property
    def wrap_database_errors(self) -> DatabaseErrorWrapper:
        """Django's errors out of psycopg's."""
        return _Errors(self)

    def is_usable(self) -> bool:
        """Return whether the connection works and, unless it is for reading, whether its server can be written to."""
        return super().is_usable() and not self.leads_astray()

    def leads_astray(self) -> bool:
        """Return whether the server is a standby although this connection is for writing.

        PostgreSQL reports it unasked.
        """
        if self.connection is None or self.connection.closed or self.settings_dict.get("READS"):
            return False
        # A pooler may not pass the report on: then the first refused statement shows it.
        return self._refused or self.connection.pgconn.parameter_status(b"in_hot_standby") == b"on"

    def _close(self) -> None:
        # Closed connections are not kept by the pool.
        if self.connection is not None and self.leads_astray():
            self.connection.close()
        super()._close()  # type: ignore[misc]  # the stubs leave it out

    def refuse(self) -> None:
        """Note that the server has refused to write."""
        self._refused = self.errors_occurred = True
        self.leave()

    def leave(self) -> None:
        """Make sure that no connection of the pool that was made before now is used again."""
        pool = self.pool
        now = monotonic()
        if pool is not None and now - _drained_at.get(id(pool), -_REST) >= _REST:
            _drained_at[id(pool)] = now
            pool.drain()


class _Errors(DatabaseErrorWrapper):
    wrapper: DatabaseWrapper

    def __exit__(
        self, exc_type: type[BaseException] | None, exc_value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if exc_type is None:
            return
        connection: Any = self.wrapper.connection
        if isinstance(exc_value, errors.ReadOnlySqlTransaction):
            self.wrapper.refuse()
            raise OperationalError(*exc_value.args).with_traceback(traceback) from exc_value
        if isinstance(exc_value, errors.OperationalError) and connection is not None and connection.closed:
            self.wrapper.leave()
        super().__exit__(exc_type, exc_value, traceback)
