"""Pieces drawn without a template: the rows of the standings and tables, most of a page and of its cost."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from tournaments.picture.names import Name
from tournaments.picture.numbers import NONE, ordinal
from tournaments.picture.standings import StandingsRow
from tournaments.picture.tables import ResultLine, TableLine, Waiting

VOID = '<p class="small"><span class="badge warn">void</span> does not count</p>'
BEYOND = '<p class="small"><span class="badge">does not count</span> too many games among the same entrants</p>'


def rows_drawn(rows: Iterable[StandingsRow], base: str, query: str, *, leader: bool) -> SafeString:
    """The rows of the standings as HTML. `leader`: the first place is highlighted."""
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


def tables_drawn(tables: Iterable[TableLine], heading: int = 4) -> SafeString:
    """Tables of a round, or games of a season, as HTML. `heading`: the level of their headings."""
    return mark_safe("\n".join(_table(one, heading) for one in tables))  # noqa: S308  names are escaped


def _table(table: TableLine, heading: int) -> str:
    names = [escape(name.text) for name in table.names]
    return (
        f'<div class="panel seating{" live" if table.is_open else ""}">\n'
        f"<h{heading}>{_heading(table)}{''.join(_links(table, names))}</h{heading}>\n"
        f"{_results(table, names)}{''.join(map(_awaited, table.waiting))}{_left_to_bots(table)}</div>"
    )


def _heading(table: TableLine) -> str:
    said = f"Table {table.number}"
    if not table.number:
        row = table.games[0].row
        since = row.since
        said = "Open game" if table.games[0].status == "open" else "Game"
        said += f" {row.number}" if row.number else ""
        if since is not None:
            said += f' <time class="quiet small" datetime="{since.isoformat()}" data-form="ago">{_day(since)}</time>'
    if table.status == "not_played":
        said += ' <span class="badge">all go on</span>'
    return said + (f' <span class="badge">{escape(table.rules)}</span>' if table.rules else "")


def _links(table: TableLine, names: Sequence[str]) -> Iterable[str]:
    what = "Sit down" if table.games and table.games[0].status == "open" else "Watch" if table.is_open else "Replay"
    several = len(table.replays) > 1
    for number, game in enumerate(table.replays, 1):
        which = f" {number}" if several else ""
        yield (
            f' <a class="look" href="/games/{game}">{what}{which}'
            f'<span class="hidden-text">: {", ".join(names)}</span></a>'
        )


def _results(table: TableLine, names: Sequence[str]) -> str:
    if table.results:
        return "".join(
            f'{_uncounted(one)}<ol class="places{" void" if one.is_void else ""}">'
            f"{''.join(_place(name, place) for name, place in one.places)}</ol>\n"
            for one in table.results
        )
    who = ", ".join(names) or '<span class="quiet">Nobody sits there yet.</span>'
    none = '<p class="small quiet">No result</p>' if not table.is_open and table.games else ""
    return f"<p>{who}</p>{none}\n"


def _uncounted(result: ResultLine) -> str:
    return VOID if result.is_void else BEYOND if result.is_beyond else ""


def _place(name: Name, place: str) -> str:
    first = ' class="first"' if place == ordinal(1) else ""
    return f'<li{first}><span class="place">{place}</span> {escape(name.text)}</li>'


def _awaited(one: Waiting) -> str:
    when = ""
    if one.until is not None:
        when = f', <time datetime="{one.until.isoformat()}" data-form="left">until {_minute(one.until)}</time>'
    elif one.since is not None:
        when = f' <time datetime="{one.since.isoformat()}" data-form="ago">since {_minute(one.since)}</time>'
    return f'<p class="small awaited">Waits for <strong>{escape(one.names)}</strong>{when}</p>\n'


def _left_to_bots(table: TableLine) -> str:
    who = escape(table.left_to_bots)
    return f'<p class="small awaited">A bot plays for <strong>{who}</strong></p>\n' if who else ""


def _day(moment: datetime) -> str:
    return f"{moment.day} {moment:%b}"


def _minute(moment: datetime) -> str:
    return f"{_day(moment)}, {moment:%H:%M} UTC"


def _moved(row: StandingsRow) -> str:
    if not row.moved:
        return ""
    way, sign, by = ("up", "▲", row.moved) if row.moved > 0 else ("down", "▼", -row.moved)
    return f' <span class="{way}" title="{way} {by}">{sign}{by}</span>'
