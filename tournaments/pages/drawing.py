"""What is drawn without a template: the rows of the standings, the greater part of a page and of its cost."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from tournaments.picture.numbers import NONE
from tournaments.picture.standings import StandingsRow


def rows_drawn(rows: Iterable[StandingsRow], base: str, query: str, *, leader: bool) -> SafeString:
    """The rows of the standings as HTML. `leader`: the first place is set apart."""
    address, secret = escape(base), escape(query)
    # Names are the only text from people, and are escaped.
    return mark_safe("\n".join(_row(row, address, secret, leader=leader) for row in rows))  # noqa: S308


def _row(row: StandingsRow, base: str, query: str, *, leader: bool) -> str:
    key, first = row.name.key, ' class="first"' if leader and row.place == 1 else ""
    status = "" if row.status == "in" else f' <span class="badge">{row.status}</span>'
    byes = f' <span class="quiet">+ {row.byes} bye{"" if row.byes == 1 else "s"}</span>' if row.byes else ""
    return (
        f'<tr id="{key}"{first}><td class="number">{row.place or NONE}{_moved(row)}</td><th scope="row" class="name">'
        f'<a href="{base}/entrants/{key}{query}" data-opens>{escape(row.name.text)}</a>{status}</th>'
        f'<td class="number">{row.total}</td><td class="number">{row.games}{byes}</td></tr>'
    )


def _moved(row: StandingsRow) -> str:
    if not row.moved:
        return ""
    way, sign, by = ("up", "▲", row.moved) if row.moved > 0 else ("down", "▼", -row.moved)
    return f' <span class="{way}" title="{way} {by} since the last round">{sign}{by}</span>'
