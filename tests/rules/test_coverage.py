"""Every ruling that docs/rules names is proved: a test whose name begins with its number."""

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
DOCS = TESTS.parents[1] / "docs" / "rules"
RULINGS = {"S": 13, "TC": 9, "TJ": 12, "TH": 11, "CA": 11, "TT": 13}
"""How many rulings each group has."""


def stated() -> set[str]:
    """The rulings that the rule book names."""
    text = "".join(path.read_text(encoding="utf-8") for path in DOCS.glob("*.md"))
    return set(re.findall(r"\b(?:TC|TJ|TH|CA|TT|S)\d+\b", text))


def proved() -> set[str]:
    """The rulings that names of tests begin with, or join with `_and_`."""
    names = [
        name
        for path in TESTS.glob("test_*.py")
        for name in re.findall(r"^def test_(\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    ]
    return {number.upper() for name in names for number in re.findall(r"(?:^|_)((?:tc|tj|th|ca|tt|s)\d+)", name)}


def test_the_rule_book_states_every_ruling():
    everything = {f"{group}{number}" for group, count in RULINGS.items() for number in range(1, count + 1)}
    assert stated() == everything


@pytest.mark.parametrize("ruling", sorted(stated()))
def test_a_stated_ruling_has_a_test(ruling):
    assert ruling in proved()
