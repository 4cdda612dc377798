"""The sizes of a round's tables (SE1)."""

from itertools import combinations_with_replacement
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.rules.seating.sizes import table_sizes
from tournaments.rules.settings import Tables


@pytest.mark.parametrize(
    ("entrants", "tables", "sizes"),
    [
        (9, Tables(4, 3, 5), (5, 4)),
        (9, Tables(4, 3, 4), (3, 3, 3)),
        (10, Tables(4, 3, 5), (4, 3, 3)),
        (6, Tables(4, 3, 5), (3, 3)),
        (5, Tables(4, 3, 5), (5,)),
        (7, Tables(4, 3, 5), (4, 3)),
        (2, Tables(4, 3, 5), ()),
        (0, Tables(4, 3, 5), ()),
        (10, Tables(4, 4, 4), (4, 4)),
        (13, Tables(5, 2, 9), (5, 5, 3)),
        (1000, Tables(4, 3, 5), (4,) * 250),
    ],
)
def test_se1_sizes(entrants, tables, sizes):
    assert table_sizes(entrants, tables) == sizes


def rows_of_the_docs():
    text = (Path(__file__).parents[3] / "docs" / "organise" / "tournaments.md").read_text(encoding="utf-8")
    table = text.partition("| entrants | sizes | sizes with `max` 4 |\n|---|---|---|\n")[2].partition("\n\n")[0]
    for line in table.splitlines():
        entrants, *sizes = line.strip("|").split("|")
        yield int(entrants), *(tuple(map(int, cell.split("+"))) for cell in sizes)


@pytest.mark.parametrize(("entrants", "up_to_five", "up_to_four"), list(rows_of_the_docs()))
def test_se1_the_sizes_in_the_docs(entrants, up_to_five, up_to_four):
    assert table_sizes(entrants, Tables(4, 3, 5)) == up_to_five
    assert table_sizes(entrants, Tables(4, 3, 4)) == up_to_four


def by_counting(entrants, tables):
    """SE1 word by word, over all multisets of sizes."""

    def rank(sizes):
        off = sum(size != tables.size for size in sizes)
        return (entrants - sum(sizes), off, -len(sizes), sum(size * size for size in sizes))

    possible = range(tables.min, tables.max + 1)
    every = [
        sizes
        for count in range(1, entrants // tables.min + 1)
        for sizes in combinations_with_replacement(possible, count)
        if sum(sizes) <= entrants
    ]
    return tuple(sorted(min(every, key=rank), reverse=True)) if every else ()


@given(st.integers(0, 17), st.lists(st.integers(2, 7), min_size=3, max_size=3).map(sorted))
def test_se1_the_least_of_all_possible_sizes(entrants, limits):
    fewest, size, most = limits
    tables = Tables(size, fewest, most)
    assert table_sizes(entrants, tables) == by_counting(entrants, tables)
