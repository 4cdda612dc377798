"""The one text of a JSON value."""

import enum
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.log import NotCanonical, canonical

text = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
numbers = st.integers(-(2**53) + 1, 2**53 - 1)
values = st.recursive(
    st.none() | st.booleans() | numbers | text,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(text, inner, max_size=5),
    max_leaves=20,
)


def shuffled(value, random):
    """The same value, with the keys of its objects in another order."""
    if isinstance(value, dict):
        keys = list(value)
        random.shuffle(keys)
        return {key: shuffled(value[key], random) for key in keys}
    if isinstance(value, list):
        return [shuffled(item, random) for item in value]
    return value


@given(values)
def test_the_text_means_the_value(value):
    assert json.loads(canonical(value)) == value


@given(values)
def test_the_text_of_what_was_read_back_is_the_same_text(value):
    assert canonical(json.loads(canonical(value))) == canonical(value)


@given(values, st.randoms(use_true_random=False))
def test_the_order_of_keys_does_not_matter(value, random):
    assert canonical(shuffled(value, random)) == canonical(value)


@given(values, values)
def test_different_values_have_different_texts(one, other):
    # As JSON: 1 and true are different there, though equal in Python.
    same = json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
    assert (canonical(one) == canonical(other)) == same


@pytest.mark.django_db
@settings(max_examples=50)
@given(values)
def test_postgresql_gives_the_text_back_byte_for_byte(value):
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT %s::json::text", [canonical(value)])
        assert cursor.fetchone() == (canonical(value),)


@given(values, st.floats(), st.integers(0, 3))
def test_a_float_is_refused_however_deep(value, number, depth):
    for _ in range(depth):
        number = {"in": [value, number]}
    with pytest.raises(NotCanonical, match="float"):
        canonical(number)


def test_keys_stand_in_the_order_of_utf_16_as_in_rfc_8785():
    names = ["\u20ac", "\r", "\ufb33", "1", "\U0001f600", "\u0080", "\u00f6"]
    text = canonical(dict.fromkeys(names, 0))
    assert list(json.loads(text)) == ["\r", "1", "\u0080", "\u00f6", "\u20ac", "\U0001f600", "\ufb33"]


def test_only_what_must_be_is_escaped():
    assert canonical('\x01\b\t\n\f\r"\\/\x7fé€😀') == '"\\u0001\\b\\t\\n\\f\\r\\"\\\\/\x7fé€😀"'


def test_there_is_no_space_between():
    assert canonical({"b": [1, True, None], "a": {}}) == '{"a":{},"b":[1,true,null]}'


def test_tuples_and_enumerations_are_what_json_makes_of_them():
    class Colour(enum.StrEnum):
        RED = "red"

    assert canonical({"a": (1, 2), "b": Colour.RED}) == '{"a":[1,2],"b":"red"}'


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"a": [0, 1.5]}, "float has no canonical text: 1.5"),
        ({"a": float("nan")}, "float"),
        ({1: 2}, "the key 1 is no text"),
        (2**53, "beyond"),
        (-(2**53), "beyond"),
        ("\ud800", "surrogate"),
        ({"\udfff": 1}, "surrogate"),
        ("a\0b", "NUL"),
        ("é\0", "NUL"),
        ({"\0": 1}, "NUL"),
        (b"bytes", "bytes"),
        ({"a": {1, 2}}, "set"),
    ],
)
def test_what_has_no_canonical_text_is_refused(value, said):
    with pytest.raises(NotCanonical, match=said):
        canonical(value)
