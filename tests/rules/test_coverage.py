"""docs/rules/rulings.md lists every ruling, and each is proved: a test names it."""

import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
DOCS = TESTS.parents[1] / "docs"
GAMES = {"S": 14, "TC": 10, "TJ": 12, "TH": 13, "CA": 11, "TT": 13}
"""How many rulings each group has."""
COMPETING = {"LI": 9, "SN": 2, "RA": 6}
IN_TOURNAMENTS = {"PT": 9, "ST": 11, "BO": 4, "SE": 6, "KO": 4}
"""Those that docs/organise/tournaments.md explains."""


def numbers(groups: dict[str, int]) -> set[str]:
    return {f"{group}{number}" for group, count in groups.items() for number in range(1, count + 1)}


def listed() -> dict[str, str]:
    """The rulings of the list, each with its sentences."""
    text = (DOCS / "rules" / "rulings.md").read_text(encoding="utf-8")
    return dict(re.findall(r"^\| ([A-Z]+\d+) \| (.+) \|$", text, re.MULTILINE))


def proved() -> set[str]:
    """The rulings that names of tests of the games begin with, or join with `_and_`."""
    names = [
        name
        for path in TESTS.glob("test_*.py")
        for name in re.findall(r"^def test_(\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    ]
    return {number.upper() for name in names for number in re.findall(r"(?:^|_)((?:tc|tj|th|ca|tt|s)\d+)", name)}


def named_by_any_test() -> set[str]:
    """The rulings of competing that tests name, in a test's name, a docstring or a comment."""
    groups = "|".join({**COMPETING, **IN_TOURNAMENTS})
    pattern = re.compile(rf"(?<![A-Za-z0-9])((?:{groups})\d+)(?!\d)", re.IGNORECASE)
    others = [path for path in TESTS.parent.rglob("*.py") if path != Path(__file__)]
    return {number.upper() for path in others for number in pattern.findall(path.read_text(encoding="utf-8"))}


def test_the_list_has_every_ruling_once_in_whole_sentences():
    assert set(listed()) == numbers(GAMES | COMPETING)
    for number, sentences in listed().items():
        assert re.match(r"[A-Z0-9`]", sentences), number
        assert sentences.endswith("."), number


@pytest.mark.parametrize("ruling", sorted(numbers(GAMES)))
def test_a_ruling_of_the_games_has_a_test(ruling):
    assert ruling in proved()


def test_the_rulings_of_competing_are_named_by_tests_and_explained():
    assert named_by_any_test() == numbers(COMPETING | IN_TOURNAMENTS)
    explained = set(re.findall(r"\b[A-Z]{2}\d+\b", (DOCS / "organise" / "tournaments.md").read_text(encoding="utf-8")))
    assert numbers(IN_TOURNAMENTS) <= explained


@pytest.mark.parametrize("page", sorted(path.name for path in (DOCS / "rules").glob("*.md")))
def test_pages_for_players_have_no_numbers_of_rulings(page):
    if page != "rulings.md":
        assert not re.findall(r"\b(?:S|TC|TJ|TH|CA|TT)\d+\b", (DOCS / "rules" / page).read_text(encoding="utf-8"))
