"""The record of a tournament: what is read, what is refused and by which sentence (COMPETITION, The record)."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.rules.notation import document
from tournaments.rules import BadLine, BadRecord, BadSetting, evolve, read_record, read_settings
from tournaments.rules.exact import MAX_DIGITS
from tournaments.rules.settings import KINDS
from tournaments.rules.standings import standings_and_bounds

GOOD = document("""
    rounds tables={"size":2} rounds=3
    enter ada bob cleo dan
    round 1: ada bob | cleo dan
    g1 at 1.1: ada > bob
    void g1
    adjust ada 1
""")
RESULT = GOOD["log"][5]


def changed(**fields: Any) -> dict[str, Any]:
    """The good record with some fields changed; ... takes one out."""
    return {key: value for key, value in (GOOD | fields).items() if value is not ...}


def with_line(at: int, /, **fields: Any) -> dict[str, Any]:
    """The good record with one line changed, counted from 1."""
    line = {key: value for key, value in (GOOD["log"][at - 1] | fields).items() if value is not ...}
    return GOOD | {"log": [*GOOD["log"][: at - 1], line, *GOOD["log"][at:]]}


def and_then(**fields: Any) -> dict[str, Any]:
    """The good record with one line more."""
    return GOOD | {"log": [*GOOD["log"], {"n": 9, "at": "2026-02-02T00:00:00Z", **fields}]}


def refusal(record: object) -> str:
    with pytest.raises(BadRecord) as refused:
        read_record(record)
    sentence = str(refused.value)
    assert len(sentence.splitlines()) == 1 and sentence.endswith(".")
    return sentence


def test_the_good_record_is_good():
    assert read_record(GOOD).n == 8


@pytest.mark.parametrize("document_", [None, [], "a record", 7, {}])
def test_a_record_is_an_object_of_the_format(document_):
    refusal(document_)


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"format": "trey-tournament/2"}, "format"),
        ({"format": ...}, "format"),
        ({"game": "bridge"}, "game"),
        ({"game": ["threes"]}, "game"),
        ({"game": ...}, "game"),
        ({"kind": "swiss"}, "kind"),
        ({"kind": {}}, "kind"),
        ({"log": {}}, "log"),
        ({"log": ...}, "log"),
        ({"settings": []}, "settings"),
        ({"settings": "none"}, "settings"),
        ({"seed": 5}, "seed"),
        ({"seed": "\ud800"}, "seed"),
        ({"title": ["T"]}, "title"),
    ],
)
def test_what_is_wrong_beside_settings_and_log_is_named(fields, named):
    assert refusal(changed(**fields)).startswith(f"{named}:")


def test_unknown_keys_are_ignored_and_missing_ones_have_defaults():
    lines = [line | {"by": "eve"} for line in GOOD["log"]]
    assert (
        read_record(changed(title=..., seed=..., settings=..., log=lines, organiser={})).settings.games_per_table == 1
    )


COUNTS = ("best", "same_table", "min_games", "rounds", "games_per_table", "parallel", "advance")


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        *(({name: value}, name) for name in COUNTS for value in (1.0, "1", True, [], -1)),
        *(({name: 0}, name) for name in ("best", "same_table", "rounds", "games_per_table", "parallel", "advance")),
        *(
            ({name: value}, name)
            for name in ("prior", "bye")
            for value in (0.5, "1.5", "1/0", "x", True, "+1", " 1", "1/-2", [])
        ),
        ({"prior": -1}, "prior"),
        ({"prior": "-1/2"}, "prior"),
        ({"advance": 3}, "advance"),
        ({"advance": 2, "tables": {"size": 3}}, "advance"),
        ({"total": "median"}, "total"),
        ({"total": 1}, "total"),
        ({"seating": "swiss"}, "seating"),
        ({"tie_breaks": "wins"}, "tie_breaks"),
        ({"tie_breaks": ["wins", "buchholz"]}, "tie_breaks"),
        ({"tie_breaks": [["wins"]]}, "tie_breaks"),
        ({"points": "wins"}, "points"),
        ({"points": {"scheme": "elo"}}, "points.scheme"),
        ({"points": {"scheme": "score"}}, "points.scheme"),
        ({"points": {"scheme": "places"}}, "points.list"),
        ({"points": {"scheme": "places", "list": "5321"}}, "points.list"),
        ({"points": {"scheme": "places", "list": [5, 2.5]}}, "points.list"),
        ({"points": {"scheme": "places", "list": ["3/0"]}}, "points.list"),
        ({"tables": 4}, "tables"),
        ({"tables": {"size": 4.0}}, "tables.size"),
        ({"tables": {"size": "4"}}, "tables.size"),
        ({"tables": {"size": 33}}, "tables.size"),
        ({"tables": {"size": 1}}, "tables.size"),
        ({"tables": {"min": 1}}, "tables.min"),
        ({"tables": {"max": 33}}, "tables.max"),
        ({"tables": {"min": 5}}, "tables"),
        ({"tables": {"max": 3}}, "tables"),
    ],
)
def test_a_bad_setting_is_refused_by_its_name(settings, named):
    with pytest.raises(BadSetting) as refused:
        read_record(changed(settings=settings))
    assert refused.value.field == named
    assert refusal(changed(settings=settings)).startswith(f"settings.{named}: ")


@pytest.mark.parametrize("name", ["prior", "bye"])
@pytest.mark.parametrize("kind", KINDS)
def test_under_score_some_settings_must_not_be_set(kind, name):
    score = {"points": {"scheme": "score"}, "advance": 1}
    for value in (0, 6):
        with pytest.raises(BadSetting, match=name):
            read_settings("three_thirteen", kind, score | {name: value})
    with pytest.raises(BadSetting, match="total"):
        read_settings("three_thirteen", kind, score | {"total": "sum"})
    assert read_settings("three_thirteen", kind, score | {name: None, "total": "mean"})


def test_ko1_a_knockout_needs_to_know_how_many_go_on():
    with pytest.raises(BadSetting, match="advance"):
        read_settings("threes", "knockout", {})


@pytest.mark.parametrize("game", ["castle", "tripp_jokes", "three_thirteen", "threes", "three_card"])
def test_tables_have_sizes_that_the_game_has(game):
    assert read_settings(game, "rounds", {"tables": {"size": 2}}).tables.min == 2
    largest = {"castle": 5, "tripp_jokes": 6, "three_thirteen": 8, "threes": 32, "three_card": 32}[game]
    assert read_settings(game, "rounds", {"tables": {"size": largest}}).tables.max == largest
    with pytest.raises(BadSetting):
        read_settings(game, "rounds", {"tables": {"size": largest + 1}})


ANY_SETTINGS = st.fixed_dictionaries(
    {},
    optional={
        "points": st.sampled_from(
            [{"scheme": "wins"}, {"scheme": "places", "list": ["5/3", 2, -1]}, {"scheme": "score"}]
        ),
        "total": st.sampled_from(["sum", "mean", None]),
        "prior": st.sampled_from([0, 6, "5/2", None]),
        "bye": st.sampled_from([1, "1/3", None]),
        "best": st.sampled_from([3, None]),
        "tables": st.sampled_from([None, {"size": 3}, {"size": 4, "max": 4}, {"min": 2}]),
        "tie_breaks": st.sampled_from([None, [], ["lot"]]),
        "seating": st.sampled_from([None, "even"]),
        "rounds": st.sampled_from([None, 5]),
    },
)


@given(st.sampled_from(KINDS), ANY_SETTINGS)
def test_complete_settings_read_again_are_the_same(kind, raw):
    try:
        settings = read_settings("three_thirteen", kind, {"advance": 1, **raw})
    except BadSetting:
        return
    assert read_settings("three_thirteen", kind, json.loads(json.dumps(settings.as_json()))) == settings


@pytest.mark.parametrize(
    ("record", "n"),
    [
        (changed(log=["a line"]), 1),
        (changed(log=[GOOD["log"][0], None]), 2),
        (changed(log=[GOOD["log"][0], []]), 2),
        (with_line(1, n=2), 1),
        (with_line(3, n=2), 3),
        (with_line(3, n=3.0), 3),
        (with_line(3, n="3"), 3),
        (with_line(3, n=True), 3),
        (with_line(3, n=...), 3),
        (with_line(3, at="2026-01-01T00:00:00Z"), 3),
        (with_line(3, at="yesterday"), 3),
        (with_line(3, at=1767312000), 3),
        (with_line(3, at=...), 3),
        (with_line(3, type="joined"), 3),
        (with_line(3, type=["entered"]), 3),
        (with_line(3, type=...), 3),
        (with_line(2, entrant="e1"), 2),
        *(
            (with_line(2, entrant=entrant), 2)
            for entrant in ("2", "e0", "e02", "E2", "e", "e-1", "e²", 2, None, ["e2"])
        ),
        (with_line(2, entrant="e" + "9" * 5000), 2),
        (with_line(2, name=7), 2),
        (with_line(5, round=0), 5),
        (with_line(5, round="1"), 5),
        (with_line(5, round=...), 5),
        (with_line(5, tables=...), 5),
        (with_line(5, tables="e1 e2"), 5),
        (with_line(5, tables=["e1", "e2"]), 5),
        (with_line(5, tables=[[["e1"], "e2"]]), 5),
        (with_line(5, tables=[["e1", "e9"]]), 5),
        (with_line(5, tables=[["e1", "e2", "e1"]]), 5),
        (with_line(5, tables=[["e1", "e2"], ["e2", "e3"]]), 5),
        (with_line(5, byes=["e1"]), 5),
        (with_line(5, byes="e1"), 5),
        (with_line(5, byes=["e5"], tables=[["e1", "e2"]]), 5),
        (with_line(5, tables=[["e1"], ["e2", "e3"]]), 5),
        (with_line(5, tables=[[], ["e2", "e3"]]), 5),
        (with_line(6, id=...), 6),
        (with_line(6, id=1), 6),
        (with_line(6, source="rumour"), 6),
        (with_line(6, source=["game"]), 6),
        (with_line(6, round="1"), 6),
        (with_line(6, table=0), 6),
        (with_line(6, rounds=0), 6),
        (with_line(6, rounds="11"), 6),
        (with_line(6, players=...), 6),
        (with_line(6, players={}), 6),
        (with_line(6, players=["e1", "e2"]), 6),
        (with_line(6, players=[]), 6),
        (with_line(6, players=RESULT["players"][:1]), 6),
        (with_line(7, id="g2"), 7),
        (with_line(7, id=...), 7),
        (with_line(7, id=..., round=1), 7),
        (with_line(7, id=..., table=1), 7),
        (with_line(7, id=["g1"]), 7),
        (with_line(7, type="restored", id=..., round=1, table=1), 7),
        (with_line(8, entrant="e5"), 8),
        *((with_line(8, points=points), 8) for points in (0.5, "0.5", "1/0", "", "1e3", None, True, "-", "1/2/3", "٣")),
        (with_line(8, points=...), 8),
        (with_line(8, points="9" * (MAX_DIGITS + 1)), 8),
        (with_line(8, points=10**MAX_DIGITS), 8),
        (and_then(type="seated", round=1, tables=[["e1", "e2"]], byes=[]), 9),
        (and_then(**{key: RESULT[key] for key in ("type", "id", "players")}), 9),
        (and_then(type="withdrew", entrant="e5"), 9),
        (and_then(type="replaced", entrant="e5", name="eve"), 9),
        (and_then(type="seeded", order=["e1", "e2", "e3", "e4"]), 9),
    ],
)
def test_a_bad_line_is_refused_by_its_number(record, n):
    with pytest.raises(BadLine) as refused:
        read_record(record)
    assert refused.value.n == n
    assert refusal(record).startswith(f"n {n}: ")


def places(*given_places: Any, absent: tuple[int, ...] = ()) -> dict[str, Any]:
    players = [
        {"entrant": f"e{at}", "place": place} | ({"absent": True} if at in absent else {})
        for at, place in enumerate(given_places, 1)
    ]
    return with_line(6, players=players)


@pytest.mark.parametrize("good", [(1, 2, 3), (1, 1, 3), (1, 2, 2), (2, 1, 2), (1, 1, 1), (3, 2, 1)])
def test_a_place_is_1_and_the_number_of_better_ones(good):
    read_record(places(*good))


@pytest.mark.parametrize(
    "bad", [(1, 1, 2), (2, 3, 4), (1, 3, 3), (1, 2, 4), (0, 1, 2), (1, 2, None), (1, "2", 3), (1, 2.0, 3), (1, True, 3)]
)
def test_other_places_are_refused(bad):
    with pytest.raises(BadLine, match="n 6"):
        read_record(places(*bad))


@pytest.mark.parametrize("good", [(1, 2, 3), (2, 1, 3), (1, 3, 2), (9, 1, 2), (None, 1, 2), (None, 1, 1), (1, 1, 2)])
def test_pt8_places_fit_with_or_without_the_absent(good):
    read_record(places(*good, absent=(1,)))


@pytest.mark.parametrize("bad", [(1, 3, 4), (2, 1, 4), (None, 2, 3), (0, 1, 2), ("1", 1, 2)])
def test_pt8_places_that_fit_neither_way_are_refused(bad):
    with pytest.raises(BadLine, match="n 6"):
        read_record(places(*bad, absent=(1,)))


@pytest.mark.parametrize(
    "fields", [{"absent": 1}, {"absent": "yes"}, {"timeouts": -1}, {"timeouts": 1.0}, {"score": 1.5}, {"entrant": "e7"}]
)
def test_a_player_of_a_result_has_fields_of_the_right_kind(fields):
    with pytest.raises(BadLine, match="n 6"):
        read_record(with_line(6, players=[RESULT["players"][0] | fields, RESULT["players"][1]]))


def test_li5_a_table_never_has_more_results_that_stand_than_games():
    again = {key: RESULT[key] for key in ("type", "round", "table", "players")}
    assert read_record(and_then(**again, id="g2"))  # g1 is voided
    twice = and_then(**again, id="g2")
    restored = {"n": 10, "at": "2026-02-02T00:00:00Z", "type": "restored", "id": "g1"}
    with pytest.raises(BadLine, match="n 10: table 1 of round 1"):
        read_record(twice | {"log": [*twice["log"], restored]})
    with pytest.raises(BadLine, match="n 10"):
        read_record(twice | {"log": [*twice["log"], restored | again | {"id": "g3"}]})


KNOCKOUT = "knockout advance=1\nenter ada bob cleo\n"


@pytest.mark.parametrize(
    ("text", "n"),
    [
        (KNOCKOUT + "round 1: ada bob cleo", 4),
        (KNOCKOUT + "seed ada bob", 4),
        (KNOCKOUT + "seed ada bob cleo\nenter dan\nround 1: ada bob cleo", 6),
        (KNOCKOUT + "seed ada bob cleo\nround 1: ada bob cleo\nseed bob ada cleo", 6),
        (KNOCKOUT + "seed ada bob cleo\nround 1: ada bob cleo\nenter dan", 6),
        (KNOCKOUT + "seed ada bob cleo\nadjust ada 1", 5),
        ("season\nenter ada bob\nseed ada bob", 3),
        ("rounds\nenter ada bob\nseed ada bob", 3),
        ("castle".join(["rounds ", "\nenter a b c d e f\nround 1: a b c d e f"]), 7),
        ("castle".join(["season ", "\nenter a b c d e f\ng1: a > b > c > d > e > f"]), 7),
    ],
)
def test_ko2_and_more_what_does_not_fit_the_lines_before_is_refused(text, n):
    with pytest.raises(BadLine) as refused:
        read_record(document(text))
    assert refused.value.n == n


def test_ko2_a_seeding_may_be_given_again_before_the_first_round():
    record = read_record(
        document(KNOCKOUT + "seed ada bob cleo\nenter dan\nseed dan cleo bob ada\nround 1: ada bob cleo dan")
    )
    assert record.seeds == ("e4", "e3", "e2", "e1")


def test_ko2_a_seeding_names_nobody_twice():
    made = document(KNOCKOUT + "seed ada bob cleo")
    made["log"][3]["order"].append("e1")
    assert refusal(made).startswith("n 4: e1 is named twice")


@pytest.mark.parametrize("missing", ["rounds", "score"])
def test_under_score_a_result_needs_its_rounds_and_scores(missing):
    made = document('season three_thirteen points={"scheme":"score"}\nenter ada bob\ng1, 11 rounds: ada:1 > bob:2')
    del (made["log"][2] if missing == "rounds" else made["log"][2]["players"][1])[missing]
    assert refusal(made).startswith("n 3: ")


def test_actions_without_effect_are_harmless():
    text = "ada withdraws\nada withdraws\nbob returns\ncleo is reinstated\nrestore g1\nvoid g1\nvoid g1\nvoid 7.3\n"
    read_record(document("rounds\nenter ada bob cleo\nround 1: ada bob cleo\ng1 at 1.1: ada > bob > cleo\n" + text))


def test_null_is_what_is_not_set():
    nothing = dict.fromkeys(("source", "round", "table", "rounds"))
    players = [player | dict.fromkeys(("score", "timeouts", "absent")) for player in RESULT["players"]]
    record = read_record(with_line(6, **nothing, players=players))
    assert record.results["g1"].source == "game" and record.results["g1"].seat is None
    assert [(player.timeouts, player.absent) for player in record.results["g1"].players] == [(0, False)] * 2
    read_record(with_line(5, byes=None))


def test_entrants_may_enter_in_any_order_and_numbers_may_be_missing():
    lines = [
        {"n": at, "at": "2026-01-01T00:00:00Z", "type": "entered", "entrant": e} for at, e in enumerate(("e7", "e2"), 1)
    ]
    rows = standings_and_bounds(read_record(changed(log=lines)))["standings"]
    assert [(row["entrant"], row["name"], row["place"]) for row in rows] == [("e2", None, 1), ("e7", None, 1)]


def test_lines_one_by_one_make_the_same_record_as_all_at_once():
    record = read_record(changed(log=[]))
    for line in GOOD["log"]:
        before = (record.n, dict(record.entrants), dict(record.results), dict(record.voids))
        following = evolve(record, line)
        assert (record.n, record.entrants, record.results, record.voids) == before
        record = following
    assert record == read_record(GOOD)


def test_a_refused_line_leaves_the_record_as_it_was():
    record = read_record(GOOD)
    with pytest.raises(BadLine, match="n 9"):
        evolve(record, GOOD["log"][0] | {"n": 9, "at": "2027-01-01T00:00:00Z"})
    assert record == read_record(GOOD)


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=5)
    | st.sampled_from(["e1", "1/2"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


def test_what_is_in_a_list_has_no_default():
    with pytest.raises(BadLine, match=r"^n 5: table 1 must be a list of entrants, not null\.$"):
        read_record(with_line(5, tables=[None]))


@given(st.integers(1, 8), st.data())
def test_whatever_stands_in_a_line_a_record_is_read_or_refused(at, data):
    line = GOOD["log"][at - 1]
    key = data.draw(st.sampled_from([*line, "absent", "rounds", "round", "table", "source", "name"]))
    record = with_line(at, **{key: data.draw(ANYTHING)})
    sentence = ""
    try:
        standings_and_bounds(read_record(record))
    except BadRecord as refused:
        sentence = str(refused)
    assert len(sentence.splitlines()) <= 1


@given(st.sampled_from([*read_record(GOOD).settings.as_json()]), ANYTHING, st.sampled_from(KINDS))
def test_whatever_stands_in_a_setting_a_record_is_read_or_refused(name, value, kind):
    named = name
    try:
        read_settings("threes", kind, {"advance": 1, name: value})
    except BadSetting as refused:
        named = refused.field.split(".")[0]
    assert named == name
