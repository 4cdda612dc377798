"""docs/play/clocks.md says what is so: its settings, its examples and its answers are run."""

import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from games.clocks import (
    Duty,
    change_calendar,
    complete_calendar,
    complete_clock,
    deadline,
    explain,
    load_calendar,
    spent,
)

TEXT = (Path(__file__).parents[2] / "docs" / "play" / "clocks.md").read_text()
EXAMPLES = re.findall(r"^\| (\d{4}-\S+ \S+) \| `(.*?)` \| (.*?) ?\| (\S+ \S+) \|$", TEXT, re.MULTILINE)
ANSWERS = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", TEXT, re.DOTALL)]


def berlin(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo("Europe/Berlin")).astimezone(UTC)


def example(began: str, clock: str, own: str) -> Duty:
    policy = complete_clock(json.loads(clock))
    asked: dict[str, object] = {"time_zone": "Europe/Berlin"}
    if own == "quiet":
        asked["quiet_hours"] = ["22:00", "07:00"]
    elif own:
        asked["vacation"] = [re.findall(r"\d{4}-\d\d-\d\d", own)]
    calendar = load_calendar(change_calendar(None, asked, berlin("2026-01-01 00:00")))
    return Duty(policy, berlin(began), timedelta(seconds=policy["bank"]), calendar)


@pytest.mark.parametrize(("began", "clock", "own", "up"), EXAMPLES)
def test_each_example_is_up_when_it_says(began: str, clock: str, own: str, up: str) -> None:
    assert deadline(example(began, clock, own)) == berlin(up)


def test_there_are_as_many_examples_as_there_are_rows() -> None:
    assert len(EXAMPLES) == 8


def test_the_answers_shown_are_those_given() -> None:
    calendar, mine = ANSWERS
    assert complete_calendar(calendar) == calendar
    duty, now = example(*EXAMPLES[1][:3]), berlin("2026-11-20 23:00")
    assert explain(duty, now, owner=True) == mine
    theirs = explain(duty, now, owner=False)
    assert {segment["kind"] for segment in theirs["segments"]} == {"time"} and "now" not in theirs
    assert theirs["totals"]["paused"] == mine["totals"]["quiet_hours"]


def test_what_the_text_counts_out_is_so() -> None:
    assert spent(example(*EXAMPLES[4][:3]), berlin("2026-11-20 19:25")).bank == timedelta(minutes=25)
    asked = {"time_zone": "Europe/Berlin", "vacation": [["2026-11-21", "2026-11-22"]]}
    calendar = load_calendar(change_calendar(None, asked, berlin("2026-11-21 16:30")))
    late = Duty(complete_clock({}), berlin("2026-11-20 18:00"), calendar=calendar)
    assert deadline(late) == berlin("2026-11-23 01:30")


def test_every_setting_is_listed_with_its_default() -> None:
    for key, default in complete_clock({}).items():
        assert re.search(rf"^\| `{key}` \| `?{re.escape(json.dumps(default))}`? ", TEXT, re.MULTILINE), key
