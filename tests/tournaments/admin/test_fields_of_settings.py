"""A setting is declared once; what it leaves out is left out of its field and its schema, too."""

import pytest
from django.forms import ValidationError

from core.values import Faults, schema, values_of
from games.clocks import Clock
from games.rules import GAMES
from tournaments.admin.forms import FIELDS, SetUpForm, field_for, initial_of
from tournaments.rules import read_settings
from tournaments.stream.plan import OWN
from tournaments.stream.reading import HOUR, Setting


@pytest.mark.parametrize("unit", [1, HOUR])
def test_a_setting_with_a_least_and_no_most_can_be_read_published_and_typed(unit):
    setting = Setting(name="patience", default=None, least=2 * unit, unit=unit, help="How long.")
    faults = Faults()
    assert setting.take({"patience": 10**9}, faults) == 10**9
    setting.take({"patience": unit}, faults)
    assert faults == {"patience": f"Must be a whole number, at least {2 * unit}."}
    assert schema(setting) == {"type": "integer", "minimum": 2 * unit, "description": "How long."}
    assert field_for(setting).clean("99999") == 99999 * unit
    with pytest.raises(ValidationError):
        field_for(setting).clean("1")


def test_every_setting_and_every_option_has_a_field():
    inner = {
        f"{name}.{one}" if isinstance(value, dict) else name
        for name, value in read_settings("threes", "rounds", {}).as_json().items()
        for one in (value if isinstance(value, dict) else ("",))
    }
    wanted = {f"settings.{name}" for name in inner} | {f"clock.{name}" for name in values_of(Clock)} | OWN.keys()
    assert wanted - {one.name for one in FIELDS.values()} == set()
    for game, rules in GAMES.items():
        names = set(SetUpForm(initial={"game": game}).fields)
        assert {f"option_{name}" for name in rules.options_of(rules.default_ruleset)} <= names
        assert ("ruleset" in names) == (len(rules.rulesets) > 1)


ASKED = {
    "title": "Cup",
    "game": "three_thirteen",
    "kind": "season",
    "visibility": "public",
    "ruleset": "classic",
    "options": {"rounds": 9},
    "grace": 90,
    "clock": {"bank": 3600, "quiet_hours": False, "strikes": 2, "time_zone": "Europe/Berlin"},
    "settings": {
        "same_table": None,
        "best": 3,
        "prior": "1/2",
        "min_games": 2,
        "total": "mean",
        "tie_breaks": ["wins", "lot"],
    },
}


def filled_in(asked):
    """The form as it is drawn and sent back, with nothing changed."""
    form = SetUpForm(initial=initial_of(asked))
    sent = {}
    for name, field in form.fields.items():
        value = form.get_initial_for_field(field, name)
        if hasattr(field.widget, "decompress"):
            sent |= {f"{name}_{at}": one for at, one in enumerate(field.widget.decompress(value))}
        elif not (value is None or value is False):
            sent[name] = field.prepare_value(value)
    return SetUpForm(sent)


@pytest.mark.parametrize(
    "changed",
    [
        {},
        {"tie_breaks": []},
        {"same_table": 2},
        {"same_table": 6, "points": {"scheme": "score", "list": None}, "total": None},
    ],
)
def test_what_a_form_shows_is_what_it_sends(changed):
    asked = {**ASKED, "settings": {**ASKED["settings"], **changed}}
    form = filled_in(asked)
    assert form.is_valid(), form.errors
    body = form.body(complete=True)
    for key, value in asked.items():
        if isinstance(value, dict):
            assert {name: body[key].get(name) for name in value} == value, key
        else:
            assert body[key] == value, key


def test_an_empty_same_table_is_the_default_and_0_no_limit():
    bare = {"title": "Cup", "game": "threes", "kind": "season", "visibility": "public"}
    for typed, limit in (("", 6), ("0", None), ("3", 3)):
        form = SetUpForm({**bare, "same_table": typed})
        assert form.is_valid()
        assert form.body(complete=True)["settings"]["same_table"] == limit


def test_another_game_shows_its_options_and_changes_nothing():
    form = SetUpForm(
        {"title": "Cup", "game": "three_thirteen", "kind": "rounds", "other-game": "1", "option_decks": "2"}
    )
    assert not form.is_valid() and not form.errors
    assert "option_ace_points" in form.fields and "option_ten_wild" not in form.fields


def test_a_house_game_stays_and_keeps_its_rules():
    form = SetUpForm(initial=initial_of({"title": "Cup", "game": "house", "kind": "rounds", "options": {"rules": {}}}))
    assert [name for name, _ in form.fields["game"].choices] == ["house"]
    assert form["rated"].value() is False and SetUpForm(initial={"game": "threes"})["rated"].value() is True
    sent = SetUpForm({"title": "Cup", "game": "house", "kind": "rounds", "visibility": "public"}, initial=form.initial)
    assert sent.is_valid() and "rules" not in sent.body(complete=True)["options"]
