"""An export proves itself: no byte of an event can be changed, and no line taken out, without it showing."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st

from core import log
from core.log.canonical import canonical
from core.log.export_format import Header
from core.log.sealed import GENESIS, Sealed

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


def sealed(stream: str, count: int) -> list[Sealed]:
    """A stream whose events differ in everything."""
    events: list[Sealed] = []
    previous = GENESIS
    for version in range(1, count + 1):
        event = Sealed(
            stream=stream,
            version=version,
            type="sample.counted",
            seat=version % 3 or None,
            schema=1 + version % 2,
            data=canonical({"cards": ["7H", "XR"], "text": 'ß\u2028"\\' * version, "number": version, "none": None}),
            meta=canonical({"actor": {"kind": "player", "id": str(UUID(int=version))}}),
            command_id=UUID(int=version) if version % 2 else None,
            recorded_at=NOW + timedelta(microseconds=version),
            nonce=bytes([version]) * 16,
        )
        previous = event.digest_after(previous)
        events.append(replace(event, digest=previous))
    return events


STREAMS = sorted((f"sample-{number}" for number in range(4)), key=log.bucket_of)
EVENTS = [event for stream in STREAMS for event in sealed(stream, 3)]
HEADER = f"{Header(exported_at=NOW, events=len(EVENTS)).line()}\n".encode()
LINES = [f"{event.line()}\n".encode() for event in EVENTS]


def is_sound(lines: list[bytes]) -> bool:
    try:
        return list(log.verify_export(lines)) == []
    except log.BadExport:
        return False


def test_a_line_is_read_as_it_was_written():
    assert is_sound([HEADER, *LINES])
    assert [Sealed.of_line(line.decode()) for line in LINES] == EVENTS


@given(st.integers(0, len(b"".join(LINES)) - 2), st.integers(0, 255))
def test_no_byte_can_be_changed(at, byte):
    text = bytearray(b"".join(LINES))
    if text[at] == byte:
        return
    text[at] = byte
    assert not is_sound([HEADER, *bytes(text).splitlines(keepends=True)])


@given(st.integers(0, len(EVENTS) - 1), st.integers(0, len(EVENTS) - 1))
def test_no_two_lines_can_change_places(one, other):
    lines = list(LINES)
    lines[one], lines[other] = lines[other], lines[one]
    assert is_sound([HEADER, *lines]) == (one == other)


@given(st.integers(0, len(EVENTS) - 1), st.booleans())
def test_no_line_can_be_taken_out_or_doubled_even_if_the_header_counts_along(at, doubled):
    lines = [*LINES[: at + 1], *LINES[at:]] if doubled else [*LINES[:at], *LINES[at + 1 :]]
    header = f"{Header(exported_at=NOW, events=len(lines)).line()}\n".encode()
    is_last = at == len(LINES) - 1 or EVENTS[at].stream != EVENTS[at + 1].stream
    # Without its head nobody can tell that a stream once was longer.
    assert is_sound([header, *lines]) == (is_last and not doubled)
    heads = [log.Head(event.stream, event.version, event.digest.hex()) for event in EVENTS]
    if not doubled and is_last:
        lost = f"{EVENTS[at].stream}: version 3 is not the one whose head was published"
        assert list(log.verify_export([header, *lines], heads)) == [lost]
