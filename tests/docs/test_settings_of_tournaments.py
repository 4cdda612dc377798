"""docs/build/tournaments-api.md names each setting of a tournament and a stage; the OpenAPI document explains it."""

import re
from typing import Any

from core.http.documents import document
from core.values import values_of
from tests.docs.pages import ROOT
from tournaments.stream.plan import OF_STAGE, STAGE, Plan

TEXT = (ROOT / "docs/build/tournaments-api.md").read_text()


def named(after: str, before: str) -> set[str]:
    """The words in backquotes between two others of the page."""
    return set(re.findall(r"`(\w+)`", TEXT.partition(after)[2].partition(before)[0]))


def properties(component: str) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = document()["components"]["schemas"][component]["properties"]
    return found


def test_each_setting_of_a_tournament_is_named_and_what_the_document_leaves_open_is_said_here() -> None:
    settings = {name: value for name, value in values_of(Plan).items() if name != "stages"}
    listed = named("`PlanRequest` in", "`rounds`, `seating`")
    described = properties("PlanRequest")
    assert set(settings) <= listed
    assert set(settings) <= set(described)
    silent = {name for name in settings if "description" not in described[name]}
    assert silent <= {"title", "game", "kind", "clock", "settings", "overdue", "no_show"}
    for name in silent - {"game"}:
        assert set(settings[name].words or ()) <= listed, name


def test_each_setting_of_a_stage_is_named_and_described() -> None:
    assert set(STAGE) <= named("Besides, a stage has", ": `StageAsked`")
    assert all("description" in properties("StageAsked")[name] for name in STAGE)
    assert named("`stages` stands in place of", ".") == set(OF_STAGE)
