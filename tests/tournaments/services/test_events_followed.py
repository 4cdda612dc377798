"""What follows an event is a row beside its class, in the agenda and in the notifications, or known to be nothing."""

from tournaments.notifications.following import FOLLOWED
from tournaments.rules.lines import LINES
from tournaments.stream.agenda import WORK
from tournaments.stream.events import EVENTS

#: Nothing has to be done elsewhere after these,
NO_WORK = {
    "adjusted", "changed", "channels_changed", "check_in_missed", "checked_in", "deals_opened", "drafted", "entered",
    "exchanged", "extended", "finished", "follows", "invitation_renewed", "invited", "left", "message_sent", "opened",
    "organiser_added", "organiser_asked", "organiser_removed", "overtaken", "proposal_closed", "proposal_withdrawn",
    "proposed", "put_off", "queued", "ratified", "registered", "rejected", "replacement_asked", "replacement_declined",
    "result", "returned", "room_opened", "round_closed", "round_reopened", "seeded", "set_up", "stage_over", "started",
    "substitute_asked", "substitute_let_go", "voted",
}  # fmt: skip
#: and nobody is told of these.
NOBODY = {
    "checked_in", "deals_opened", "drafted", "exchanged", "follows", "invitation_renewed", "reopened", "room_opened",
    "round_reopened", "seeded", "set_up",
}  # fmt: skip


def test_every_event_has_its_row_in_the_agenda_or_needs_none() -> None:
    assert set(EVENTS) == {kind.type for kind in WORK} | NO_WORK
    assert not {kind.type for kind in WORK} & NO_WORK


def test_every_event_has_its_row_in_the_notifications_or_tells_nobody() -> None:
    assert set(EVENTS) == {kind.type for kind in FOLLOWED} | NOBODY
    assert not {kind.type for kind in FOLLOWED} & NOBODY


def test_every_line_of_the_record_is_written_by_an_event() -> None:
    assert set(LINES) <= set(EVENTS)
