"""State in many rows, of which a command reads only those it needs and writes only those it changes.

All that is read must be of one version: rows are fetched only while the tournament is locked, else all at once.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")
AT_ONCE = 100


class Part(Mapping[K, V], Generic[K, V]):
    """The rows of one kind by key, fetched on first access; `changed` are those that `put` changed."""

    __slots__ = ("_complete", "_fetch", "_fetch_all", "_read", "changed")

    def __init__(
        self,
        rows: Mapping[K, V] | None = None,
        *,
        fetch: Callable[[Sequence[K]], Mapping[K, V]] | None = None,
        fetch_all: Callable[[], Mapping[K, V]] | None = None,
    ) -> None:
        # The copies that `put` makes share what was fetched: they started from the same rows.
        self._read: dict[K, V | None] = dict(rows or {})
        self._complete = [fetch_all is None]
        self._fetch = fetch
        self._fetch_all = fetch_all
        self.changed: dict[K, V] = {}

    def put(self, rows: Mapping[K, V]) -> "Part[K, V]":
        copy = object.__new__(Part)
        copy._read, copy._complete = self._read, self._complete
        copy._fetch, copy._fetch_all = self._fetch, self._fetch_all
        copy.changed = {**self.changed, **rows}
        return copy

    def __getitem__(self, key: K) -> V:
        if key in self.changed:
            return self.changed[key]
        if key not in self._read:
            self._look([key])
        row = self._read[key]
        if row is None:
            raise KeyError(key)
        return row

    def several(self, keys: Iterable[K]) -> Iterator[V]:
        """The rows of these keys, in this order, fetched many at once. Raises KeyError for one that is not there."""
        left = iter(keys)
        while some := list(islice(left, AT_ONCE)):
            self._look([key for key in some if key not in self.changed and key not in self._read])
            yield from (self[key] for key in some)

    def _look(self, keys: Sequence[K]) -> None:
        found = self._fetch(keys) if keys and self._fetch is not None and not self._complete[0] else {}
        self._read.update({key: found.get(key) for key in keys})

    def __iter__(self) -> Iterator[K]:
        if self._fetch_all is not None and not self._complete[0]:
            # A list, as another read may add rows to the cache during the iteration.
            self._read.update(self._fetch_all())
            self._complete[0] = True
        yield from [key for key, row in self._read.items() if row is not None or key in self.changed]
        yield from [key for key in self.changed if key not in self._read]

    def __len__(self) -> int:
        return sum(1 for _ in self)
