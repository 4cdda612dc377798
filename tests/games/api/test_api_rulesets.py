"""GET rulesets."""

import jsonschema_rs
import pytest

from games.rules import GAMES
from tests.games.api.client import Person


def test_every_game_is_on_offer_with_what_a_form_needs(nobody: Person) -> None:
    answer = nobody.get("rulesets")
    assert (answer.body["next"], answer.body["previous"]) == (None, None)
    assert {game["game"] for game in answer.body["results"]} == set(GAMES)
    for game in answer.body["results"]:
        assert game["title"]
        assert game["summary"].endswith(".")
        assert 2 <= game["min_seats"] <= game["max_seats"] <= 32
        assert game["default_ruleset"] in [ruleset["name"] for ruleset in game["rulesets"]]


def test_the_options_are_json_schemas_that_explain_and_bound_every_option(nobody: Person) -> None:
    for game in nobody.get("rulesets").body["results"]:
        for ruleset in game["rulesets"]:
            schema = ruleset["options"]
            jsonschema_rs.meta.validate(schema)
            assert schema["additionalProperties"] is False
            for name, option in schema["properties"].items():
                assert option["description"], (game["game"], name)
                assert {"enum", "minimum", "type"} & set(option), (game["game"], name)


def test_pl5_the_plans_of_each_game_are_a_json_schema_that_explains_its_forms_and_conditions(nobody: Person) -> None:
    for game in nobody.get("rulesets").body["results"]:
        jsonschema_rs.meta.validate(game["plan"])
        line = game["plan"]["properties"]["lines"]["items"]
        described = [*line["properties"]["move"]["oneOf"], *line["properties"]["when"]["properties"].values()]
        assert all(part["description"].endswith(".") for part in described)
        assert set(line["properties"]["when"]["properties"]) == {
            condition.name for condition in GAMES[game["game"]].plan_conditions
        }


@pytest.mark.parametrize("name", sorted(GAMES))
def test_a_room_opens_with_each_ruleset_and_its_defaults(alice: Person, name: str) -> None:
    offers = {game["game"]: game for game in alice.get("rulesets").body["results"]}
    for ruleset in offers[name]["rulesets"]:
        room = alice.opens(game=name, ruleset=ruleset["name"], seats=offers[name]["min_seats"])
        jsonschema_rs.validate(ruleset["options"], room["options"])
        for option, about in ruleset["options"]["properties"].items():
            if "default" in about:
                assert room["options"][option] == about["default"]
