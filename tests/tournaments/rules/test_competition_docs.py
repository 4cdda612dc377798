"""The worked examples of docs/organise/tournaments.md are computed; every ruling of this room is stated and tested."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.tournaments.rules.notation import document
from tests.tournaments.rules.table import Table
from tournaments.rules import read_record, read_settings
from tournaments.rules.cut import next_stage
from tournaments.rules.seating import seat
from tournaments.rules.tie_breaks import TIE_BREAKS

HERE = Path(__file__).parent
DOCS = (HERE.parents[2] / "docs" / "organise" / "tournaments.md").read_text(encoding="utf-8")
RULINGS = {"PT": 9, "ST": 11, "BO": 4, "SE": 6, "KO": 4, "SG": 9}
"""How many rulings each group has."""

Rows = list[dict[str, str]]


def examples() -> Iterator[tuple[str, Rows]]:
    """Each tournament in notation with the rows of the table behind it."""
    for text, table in re.findall(r"```text\n(.*?)```\n\n((?:\|[^\n]*\n)+)", DOCS, re.DOTALL):
        header, _, *rows = [[cell.strip() for cell in line.strip("|\n").split("|")] for line in table.splitlines()]
        yield text, [dict(zip(header, row, strict=True)) for row in rows]


def shown(value: Any) -> str:
    """A value of a row as the tables of the docs write it."""
    if value is None:
        return ""
    if isinstance(value, dict):
        return ", ".join(f"place {place}: {shown(span)}" for place, span in value.items())
    if isinstance(value, list):
        return ("-" if value and isinstance(value[0], int) else ", ").join(map(str, value))
    return str(value)


def computed(text: str, columns: list[str]) -> Rows:
    if "next round" in columns:
        record = read_record(document(text))
        found = seat(record)
        places = {f"table {at}": table for at, table in enumerate(found.tables, 1)}
        places |= {"bye": found.byes} if found.byes else {}
        return [
            {"next round": place, "sits at it": shown([record.entrants[entrant].name for entrant in entrants])}
            for place, entrants in places.items()
        ]
    if "goes through" in columns:
        record = read_record(document(text))
        seeds = next_stage(record).seeds
        return [{"seed": str(at), "goes through": record.everybody[one].name or ""} for at, one in enumerate(seeds, 1)]
    if "repeats" in columns:
        answer = seat(read_record(document(text))).as_json()
        return [{column: shown(answer[column]) for column in columns}]
    table = Table(text)
    rows = {name: row | row["tie_breaks"] | table.bounds.get(name, {}) for name, row in table.rows.items()}
    return [{column: shown(row.get(column)) for column in columns} for row in rows.values()]


def test_there_are_examples():
    assert len(list(examples())) == DOCS.count("```text") > 8


@pytest.mark.parametrize(("text", "rows"), list(examples()))
def test_an_example_is_what_its_table_says(text, rows):
    assert computed(text, list(rows[0])) == rows


@pytest.mark.parametrize("setting", list(read_settings("threes", "rounds", {}).as_json()))
def test_every_setting_has_a_row(setting):
    assert f"| `{setting}` |" in DOCS


@pytest.mark.parametrize("tie_break", list(TIE_BREAKS))
def test_every_tie_break_has_a_row(tie_break):
    assert f"| `{tie_break}` |" in DOCS


@pytest.mark.parametrize(
    "ruling", [f"{group}{number}" for group, count in RULINGS.items() for number in range(1, count + 1)]
)
def test_a_ruling_is_stated_in_the_docs_and_named_by_a_test(ruling):
    assert re.search(rf"\b{ruling}\b", DOCS)
    tests = "".join(path.read_text(encoding="utf-8") for path in HERE.glob("test_*.py"))
    assert re.search(rf"^def test_(\w+_and_)?{ruling.lower()}_", tests, re.MULTILINE)
