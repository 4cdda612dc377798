"""Values that are declared once: what is read, what is refused, and what the document says of both."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from core.refusals import Invalid
from core.values import LEFT_OUT, read, schema_of, value, values_of


class Keys:
    """A browser's keys."""

    auth: str = value(most=4)


class Everything:
    """One of each."""

    seats: int = value(least=2, most=4)
    from_two: int = value(2, least=2)
    any_number: int = value(0)
    word: str = value("b", words=("a", "b"))
    note: str | None = value(LEFT_OUT, most=3)
    marks: list[Any] = value(LEFT_OUT, most=2)
    tables: list[Keys] = value(LEFT_OUT, least=1)
    keys: Keys = LEFT_OUT
    rated: bool = True


def errors_of(sent: dict[str, Any]) -> dict[str, str]:
    with pytest.raises(Invalid) as refused:
        read(Everything, sent)
    return dict(refused.value.errors)


def test_what_is_left_out_has_its_default_or_is_not_there() -> None:
    found = read(Everything, {"seats": 3})
    assert found == {"seats": 3, "from_two": 2, "any_number": 0, "word": "b", "rated": True}


def test_null_is_a_value_only_where_the_type_has_it() -> None:
    assert read(Everything, {"seats": 3, "note": None})["note"] is None
    assert errors_of({"seats": 3, "word": None}) == {"word": "Must be one of: a, b."}
    assert read(Everything, {"seats": 3, "word": None}, null_is_nothing=True)["word"] == "b"


def test_everything_that_does_not_fit_is_named_at_once_by_its_path() -> None:
    sent = {"from_two": 1, "word": "c", "keys": {"auth": "12345", "more": 1}, "tables": [{"auth": "1"}, 7], "rated": 1}
    assert errors_of(sent) == {
        "seats": "This field is required.",
        "from_two": "Must be a whole number, at least 2.",
        "word": "Must be one of: a, b.",
        "keys.auth": "Must be 1 to 4 characters.",
        "keys.more": "Unknown key. Choose from: auth.",
        "tables.1": "Must be an object.",
        "rated": "Must be true or false.",
    }


@pytest.mark.parametrize("sent", [True, "3", 3.0, 1, 5, None, []])
def test_nothing_is_converted(sent: object) -> None:
    assert list(errors_of({"seats": sent})) == ["seats"]


def test_a_field_with_a_least_needs_no_most() -> None:
    assert read(Everything, {"seats": 2, "from_two": 10**30, "any_number": -5})["from_two"] == 10**30


# 2.0 is a whole number to JSON Schema, and none here.
_FRACTIONS = st.floats(-9, 9).filter(lambda one: one != int(one))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 6) | _FRACTIONS | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["auth", "more", "x"]), inner, max_size=2)
    ),
    max_leaves=4,
)


@given(st.dictionaries(st.sampled_from([*values_of(Everything), "other"]), JSON))
def test_what_the_schema_forbids_is_refused_and_what_it_allows_is_read(sent: dict[str, Any]) -> None:
    schema = schema_of(Everything, lambda kind: schema_of(kind, dict))
    allowed = Draft202012Validator(schema).is_valid(sent)
    try:
        read(Everything, sent)
    except Invalid:
        # White space around a text is not counted, and what cannot be stored is refused.
        assert not allowed or any(isinstance(one, str) for one in _leaves(sent))
    else:
        assert allowed or any(isinstance(one, str) for one in _leaves(sent))


def _leaves(found: Any) -> list[Any]:
    if isinstance(found, dict | list):
        return [leaf for one in (found.values() if isinstance(found, dict) else found) for leaf in _leaves(one)]
    return [found]
