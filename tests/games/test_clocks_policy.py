"""The clock policy a game is opened with, and what a missed turn leads to under it."""

import pytest
from jsonschema_rs import Draft202012Validator, meta

from games.clocks import ClockError, after_timeout, clock_schema, complete_clock, on_the_clock

DEFAULT = {
    "per_turn": 86400,
    "bank": 0,
    "weekend_pause": False,
    "time_zone": "UTC",
    "quiet_hours": True,
    "vacation": True,
    "on_timeout": "play",
    "strikes": 3,
}


def test_an_empty_clock_is_the_contracts_default() -> None:
    assert complete_clock({}) == DEFAULT


def test_what_is_given_stays_and_the_rest_is_filled_in() -> None:
    asked = {"per_turn": 3600, "time_zone": "Asia/Kolkata", "on_timeout": "bot"}
    assert complete_clock(asked) == DEFAULT | asked


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *[("per_turn", value) for value in (29, 30 * 86400 + 1, 0, -1, True, 60.0, "60", None, [60])],
        *[("bank", value) for value in (-1, 90 * 86400 + 1, False, 0.0, "0", None)],
        *[("strikes", value) for value in (0, 101, True, 1.5, None)],
        *[("weekend_pause", value) for value in (0, 1, "true", None)],
        ("quiet_hours", 1),
        ("vacation", "no"),
        *[("time_zone", value) for value in ("Mars/Olympus", "", "Europe", "../etc/passwd", "localtime", None, 1, [])],
        *[("on_timeout", value) for value in ("Play", "", None, True, ["play"], {})],
        ("perturn", 60),
        ("", 1),
    ],
)
def test_what_cannot_be_is_refused_with_the_name_of_the_field(key: str, value: object) -> None:
    with pytest.raises(ClockError) as refusal:
        complete_clock({key: value})
    assert refusal.value.field == f"clock.{key}"
    assert refusal.value.detail.endswith(".")
    # JSON Schema takes 60.0 for an integer, and does not know the zones' names.
    lenient = isinstance(value, float) or (key == "time_zone" and isinstance(value, str))
    assert lenient or not Draft202012Validator(clock_schema()).is_valid({key: value})


@pytest.mark.parametrize("raw", [None, [], "fast", 3, [("per_turn", 60)]])
def test_a_clock_that_is_no_object_is_refused(raw: object) -> None:
    with pytest.raises(ClockError) as refusal:
        complete_clock(raw)
    assert refusal.value.field == "clock"


@pytest.mark.parametrize("per_turn", [30, 30 * 86400])
def test_the_bounds_themselves_are_allowed(per_turn: int) -> None:
    assert complete_clock({"per_turn": per_turn})["per_turn"] == per_turn


def test_a_server_setting_can_lower_the_least_time_per_turn() -> None:
    assert complete_clock({"per_turn": 2}, minimum_per_turn=1)["per_turn"] == 2
    assert clock_schema(minimum_per_turn=1)["properties"]["per_turn"]["minimum"] == 1
    with pytest.raises(ClockError):
        complete_clock({"per_turn": 0}, minimum_per_turn=1)


def test_the_schema_is_one_and_says_the_defaults() -> None:
    schema = clock_schema()
    meta.validate(schema)
    assert {key: entry["default"] for key, entry in schema["properties"].items()} == DEFAULT
    assert Draft202012Validator(schema).is_valid(DEFAULT)
    assert not Draft202012Validator(schema).is_valid({"unknown": 1})


@pytest.mark.parametrize(
    ("on_timeout", "strikes", "actions"),
    [
        ("play", 3, ["play", "play", "bot", "bot", "bot", "resign", "resign"]),
        ("play", 1, ["bot", "resign", "resign"]),
        ("bot", 2, ["bot", "bot", "resign", "resign"]),
        ("resign", 3, ["resign", "resign"]),
    ],
)
def test_misses_in_a_row_lead_from_a_move_to_a_bot_to_a_resignation(
    on_timeout: str, strikes: int, actions: list[str]
) -> None:
    clock = complete_clock({"on_timeout": on_timeout, "strikes": strikes})
    assert [after_timeout(clock, misses) for misses in range(1, len(actions) + 1)] == actions


def test_all_who_choose_in_setup_are_on_the_clock() -> None:
    assert on_the_clock("setup", [3, 0, 2], dealer=1, seats=4) == [0, 2, 3]


@pytest.mark.parametrize(("dealer", "first"), [(0, 1), (1, 3), (2, 3), (3, 0)])
def test_in_a_race_only_the_first_eligible_seat_from_the_dealers_left_is(dealer: int, first: int) -> None:
    assert on_the_clock("playing", [0, 1, 3], dealer=dealer, seats=4) == [first]
