"""docs/build/tournaments-api.md has a row for each setting of a tournament and of a stage, with its default."""

import re

from core.values import values_of
from tests.docs.pages import ROOT
from tournaments.stream.plan import OF_STAGE, STAGE, Plan

TEXT = (ROOT / "docs/build/tournaments-api.md").read_text()


def rows(heading: str) -> dict[str, str]:
    """The defaults that the table after a heading gives, by key; a row may be about several."""
    table = TEXT.partition(heading)[2].partition("| key | default | meaning |\n")[2].partition("\n\n")[0]
    found = {}
    for line in table.splitlines()[1:]:
        keys, default, *_ = (cell.strip() for cell in line.strip("|").split("|"))
        names = re.findall(r"`(\w+)`", keys)
        defaults = re.split(r", ", default) if len(names) > 1 and ", " in default else [default] * len(names)
        found |= dict(zip(names, defaults, strict=True))
    return found


def test_each_setting_of_a_tournament_has_its_row_with_its_default():
    told = rows("## Set up")
    assert set(told) == set(values_of(Plan)) - {"stages"}, "stages have a section of their own"
    for name, value in values_of(Plan).items():
        if type(value.default) is bool:
            assert told[name] == str(value.default).lower()
        elif type(value.default) is str and value.default:
            assert told[name] == f"`{value.default}`"


def test_each_setting_of_a_stage_has_its_row_or_is_named_above():
    assert set(rows("### Stages")) == set(STAGE)
    named = TEXT.partition("`stages` stands in place of")[2].partition(".")[0]
    assert set(re.findall(r"`(\w+)`", named)) == set(OF_STAGE)
