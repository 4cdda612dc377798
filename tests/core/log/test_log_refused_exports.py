"""An export is verified line by line, without a database; what `log export` cannot have written is refused."""

import gzip
import hashlib
import json
from functools import cache
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from log_scene import NOW

from core import log
from core.log.sealed import GENESIS, Sealed
from tests.emptying import empty_tables

pytestmark = pytest.mark.django_db(transaction=True)
STREAMS = [f"sample-{number}" for number in range(20)]


def append(stream, expected, *numbers, **more):
    with transaction.atomic():
        events = [log.NewEvent("sample.counted", {"number": number, "text": "ß\u2028😀"}) for number in numbers]
        log.append(stream, expected, events, recorded_at=NOW, **more)


def grow():
    """The heads of a log of twenty streams whose events came mixed."""
    for version in range(5):
        for stream in STREAMS:
            append(stream, version, version, actor=log.Actor("player", "1"))
    return list(log.heads())


@pytest.fixture
def heads():
    return grow()


@cache
def exported():
    found = grow(), list(log.export())
    empty_tables()
    return found


@pytest.fixture
def lines():
    return list(exported()[1])


def changed(line, **values):
    return log.canonical(json.loads(line) | values)


def with_header(line, **values):
    """A header with other values, and the digest that belongs to them."""
    header = json.loads(line) | values
    del header["digest"]
    digest = hashlib.sha256(log.canonical(header).encode()).hexdigest()
    return log.canonical({**header, "digest": digest})


def of_stream(lines, stream, version):
    """The index of an event."""
    return next(
        index
        for index, line in enumerate(lines)
        if index and (json.loads(line)["stream"], json.loads(line)["version"]) == (stream, version)
    )


BAD_VALUES = [
    ("seat", "one", r"Expected `int \| null`, got `str` - at `\$.seat`"),
    ("version", 0, r"Expected `int` >= 1 - at `\$.version`"),
    ("version", True, r"Expected `int`, got `bool` - at `\$.version`"),
    ("stream", "Sample 1", r"Expected `str` matching regex .* - at `\$.stream`"),
    ("type", "counted", r"Expected `str` matching regex .* - at `\$.type`"),
    ("at", "2026-11-21", r"Expected `str` matching regex .* - at `\$.at`"),
    ("nonce", "00", r"Expected `str` matching regex .* - at `\$.nonce`"),
    ("command", "1", r"Expected `str` matching regex .* - at `\$.command`"),
    ("at", "2026-11-31T08:00:00.000000Z", "day is out of range for month"),
    ("data", [], r"Expected `object`, got `array` - at `\$.data`"),
    ("extra", 1, "Object contains unknown field `extra`"),
]


def test_a_value_that_no_event_has_is_refused(lines):
    for key, value, why in BAD_VALUES:
        bad = changed(lines[50], **{key: value})
        refuse([*lines[:50], bad, *lines[51:]], rf"line 51: this is not an event \({why}\)")


def test_a_line_that_is_no_event_is_refused(lines):
    refuse([*lines[:9], "{", *lines[10:]], "line 10: this is not JSON")
    refuse([*lines[:9], "[]", *lines[10:]], "line 10: this is not a JSON object")
    refuse([*lines[:9], "{}", *lines[10:]], r"line 10: this is not an event \(Object missing required field `at`")


def test_a_float_cannot_be_stored(lines):
    bad = lines[9].replace('"number":', '"number":0.5,"x":')
    refuse([*lines[:9], bad, *lines[10:]], r"line 10: this is not an event \(float has no")


def test_text_that_is_not_utf_8_is_refused(lines):
    raw = [f"{line}\n".encode() for line in lines]
    raw[4] = b'{"at":"\xff"}\n'
    with pytest.raises(log.BadExport, match="line 5: this is not UTF-8"):
        list(log.verify_export(raw))


def refuse(lines, why):
    with pytest.raises((log.BadExport, AssertionError), match=f"^{why}"):
        assert_sound(lines)


def assert_sound(lines):
    for problem in log.verify_export(f"{line}\n".encode() for line in lines):
        raise AssertionError(problem)


def test_a_changed_event_is_refused(lines):
    at = of_stream(lines, "sample-3", 2)
    lines[at] = changed(lines[at], data={"number": 99, "text": ""})
    lie = "sample-3: version 2 is not what was recorded, or an event before it is not"
    refuse(lines, f"line {at + 1}: {lie}")


def test_an_event_that_is_missing_is_refused(lines):
    at = of_stream(lines, "sample-3", 2)
    header = with_header(lines[0], events=99)
    rest = [header, *lines[1:at], *lines[at + 1 :]]
    after = of_stream(rest, "sample-3", 3)
    refuse(rest, f"line {after + 1}: sample-3: version 2 is missing, 3 is in its place")


def test_an_event_that_comes_twice_is_refused(lines):
    at = of_stream(lines, "sample-3", 2)
    twice = [with_header(lines[0], events=101), *lines[1 : at + 1], *lines[at:]]
    refuse(twice, f"line {at + 2}: sample-3: version 2 comes again after version 2")


def test_streams_in_another_order_are_refused(lines):
    events = sorted(lines[1:], key=lambda line: -log.bucket_of(json.loads(line)["stream"]))
    refuse([lines[0], *events], r"line \d+: sample-\d+ is out of order: its bucket \d+ comes before bucket \d+")


def test_an_export_that_was_cut_off_is_refused(lines):
    refuse(lines[:-3], "line 98: the file ends after 97 of 100 events; it was cut off")


def test_more_events_than_the_header_counts_are_refused(lines):
    refuse(
        [with_header(lines[0], events=99), *lines[1:]],
        "line 101: there is more than the 99 events and 0 rows of the",
    )


def test_a_file_that_begins_otherwise_is_refused():
    for lines in ([], [b"{}"], [b"no"], [b'{"format":"trey-log-export/0"}'], [b'{"format":"trey-log-export/1"}']):
        with pytest.raises(log.BadExport, match=r"^line 1: "):
            list(log.verify_export(lines))


def test_a_header_that_says_impossible_things_is_refused(lines):
    short = with_header(lines[0], subscribers={"leagues": [0]})
    refuse([short, *lines[1:]], "line 1: the header is damaged")
    many = with_header(lines[0], companions={"outages": -1})
    refuse([many, *lines[1:]], "line 1: the header is damaged")


def test_a_digest_covers_the_header_and_its_companions(lines):
    for values in ({"exported_at": "2026-11-21T08:00:00.000000Z"}, {"companions": {"x": 1}}, {"digest": "00" * 32}):
        refuse([changed(lines[0], **values), *lines[1:]], "line 1: the header is not what was written")
    refuse(
        [with_header(lines[0], companions={"x": 0}).replace('"x":0', '"x":0.5'), *lines[1:]], "line 1: the header is"
    )


@pytest.mark.parametrize("depth", [101, 100_000])
@pytest.mark.parametrize("at", [0, 8])
def test_what_is_nested_too_deeply_is_refused_in_a_sentence(lines, at, depth):
    within = '"companions":{' if at == 0 else '"data":{'
    deep = '{"a":' * depth + "1" + "}" * depth
    bad = lines[at].replace(within, f'{within}"deep":{deep}{"," if at else ""}', 1)
    refuse([*lines[:at], bad, *lines[at + 1 :]], f"line {at + 1}: .*nested")


def test_a_line_is_what_was_stored(heads):
    for line in list(log.export("sample-3"))[1:]:
        sealed = Sealed.of_line(line)
        assert sealed.line() == line
        previous = GENESIS if sealed.version == 1 else log.read("sample-3")[sealed.version - 2].digest
        assert sealed.digest_after(previous) == sealed.digest


def test_the_commands_write_a_file_and_read_it_again(heads, tmp_path):
    out = StringIO()
    for name in ("export.jsonl", "export.jsonl.gz"):
        file = tmp_path / name
        call_command("log", "export", output=file, stdout=out)
        assert f"100 events exported to {file}." in out.getvalue()
        assert file.stat().st_mode & 0o777 == 0o600
        call_command("log", "verify", export=file, stdout=out)
    assert gzip.decompress(file.read_bytes()).count(b"\n") == 101
    assert sorted(path.name for path in tmp_path.iterdir()) == ["export.jsonl", "export.jsonl.gz"]


def test_the_command_names_the_file_the_line_and_the_cause(lines, tmp_path):
    file = tmp_path / "export.jsonl"
    file.write_text("\n".join([*lines[:9], "{", *lines[10:]]))
    with pytest.raises(
        CommandError, match=r"export.jsonl is not an export of the log: line 10: this is not JSON \(.*\)\.$"
    ):
        call_command("log", "verify", export=file)
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("log", "verify", export=tmp_path / "none")
    (tmp_path / "cut.gz").write_bytes(gzip.compress(file.read_bytes())[:200])
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("log", "verify", export=tmp_path / "cut.gz")
    # Behind the header of gzip, a block of a type that there is not.
    (tmp_path / "byte.gz").write_bytes(gzip.compress(b"")[:10] + b"\x07")
    with pytest.raises(CommandError, match=r"byte.gz cannot be read: Error -3 while decompressing data"):
        call_command("log", "verify", export=tmp_path / "byte.gz")
    with pytest.raises(CommandError, match="cannot be written"):
        call_command("log", "export", output=tmp_path / "no" / "such" / "folder")
