"""Lists that never count a big table."""

from __future__ import annotations

from typing import Any

from unfold.paginator import InfinitePaginator


class NoCount:
    """For a ModelAdmin: pages lead on as long as there are rows, and nobody asks how many there are."""

    show_full_result_count = False
    paginator: Any = InfinitePaginator
    list_per_page = 50
