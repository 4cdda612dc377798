"""The OpenAPI document explains each setting of a tournament and a stage; docs/build/tournaments-api.md the rest."""

from typing import Any

from core.http.documents import document
from core.values import values_of
from tests.docs.pages import ROOT
from tournaments.stream.plan import OF_STAGE, STAGE, Plan

TEXT = (ROOT / "docs/build/tournaments-api.md").read_text()


def properties(component: str) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = document()["components"]["schemas"][component]["properties"]
    return found


def test_what_the_document_leaves_open_of_a_setting_is_said_here() -> None:
    settings = {name: value for name, value in values_of(Plan).items() if name != "stages"}
    described = properties("PlanRequest")
    assert set(settings) <= set(described)
    silent = {name for name in settings if "description" not in described[name]}
    words = {word for name in silent - {"game"} for word in settings[name].words or ()}
    assert not [word for word in sorted(silent | words) if f"`{word}`" not in TEXT]


def test_each_setting_of_a_stage_is_described() -> None:
    described = properties("StageAsked")
    assert {*STAGE, *OF_STAGE} <= set(described)
    assert all("description" in described[name] for name in STAGE)
