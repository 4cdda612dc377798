"""The queue: each piece once, done in the transaction that removes it, tried again, given up for all to see."""

from datetime import timedelta
from io import StringIO
from itertools import pairwise
from threading import Event, Thread
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import DataError, OperationalError, connection, transaction

from core import clock as service_clock
from core.jobs import queue
from core.jobs import services as work
from core.jobs.models import Work

RETRIES = work.Retries(timedelta(seconds=5), timedelta(hours=6), timedelta(days=3))


def run(*arguments):
    out = StringIO()
    call_command("work", *arguments, stdout=out)
    return out.getvalue()


@pytest.fixture
def done(db, monkeypatch):
    """The keys of the local jobs that were done; `fails` in the data makes one fail."""
    keys = []
    monkeypatch.setattr(queue, "LOCAL_RETRIES", RETRIES)

    @work.local("test.note")
    def note(piece, now):
        if piece.data.get("fails"):
            raise work.Later("the pen is dry")
        if piece.data.get("never"):
            raise work.GaveUp("nobody knows how")
        keys.append(piece.key)
        if again := piece.data.get("again"):
            return now + timedelta(seconds=again) if len(keys) < 2 else None
        return None

    return keys


def test_a_piece_is_there_once_while_it_waits_and_may_come_again_after_it(clock, done):
    work.put("test.note", "a")
    work.put("test.note", "a", {"fails": True})
    assert work.do_all().done == 1 and done == ["a"]
    work.put("test.note", "a")
    assert work.do_all().done == 1 and done == ["a", "a"]
    assert not Work.objects.exists()


def test_nothing_is_done_before_it_is_due(clock, done):
    work.put("test.note", "later", due_at=clock.at + timedelta(minutes=1))
    assert work.do_all().done == 0
    clock.advance(minutes=1)
    assert work.do_all().done == 1


def test_with_sooner_a_waiting_piece_gets_the_earlier_time_and_the_new_data(clock, done):
    work.put("test.note", "a", {"fails": True}, due_at=clock.at + timedelta(hours=1))
    again = Work(kind="test.note", key="a", data={}, due_at=clock.at + timedelta(hours=2))
    work.put_all([again], sooner=True)
    row = Work.objects.get()
    assert (row.data, row.due_at) == ({}, clock.at + timedelta(hours=1))
    again.due_at = clock.at
    work.put_all([again], sooner=True)
    assert work.do_all().done == 1


def test_an_unknown_kind_is_refused_when_it_is_put(db):
    with pytest.raises(LookupError, match=r"no handler of 'test\.nobody'"):
        work.put("test.nobody", "a")


def test_what_a_rolled_back_transaction_put_is_not_there(done):
    with transaction.atomic():
        work.put("test.note", "a")
        transaction.set_rollback(True)
    assert work.do_all().done == 0


def test_a_local_job_that_says_when_is_done_again_then(clock, done):
    work.put("test.note", "a", {"again": 60})
    assert work.do_all().done == 1
    clock.advance(seconds=59)
    assert work.do_all().done == 0
    clock.advance(seconds=1)
    assert work.do_all().done == 1
    assert not Work.objects.exists()


def test_nt9_a_failure_is_tried_again_from_five_seconds_on_and_given_up_after_three_days(clock, done):
    begun = clock.at
    work.put("test.note", "a", {"fails": True})
    pauses = []
    while True:
        assert work.do_all().failed == 1
        row = Work.objects.get()
        assert row.error == "the pen is dry"
        if row.given_up_at is not None:
            break
        pauses.append(row.due_at - clock.at)
        clock.set(row.due_at)
    assert timedelta(seconds=5) <= pauses[0] <= timedelta(seconds=7)
    assert all(timedelta(seconds=5) <= pause <= timedelta(hours=6) for pause in pauses)
    # Three quarters of twice the pause before, at least three quarters of it after five quarters: it grows.
    assert all(later > sooner for sooner, later in pairwise(pauses[:9]))
    assert clock.at - begun == timedelta(days=3)
    assert work.do_all() == work.Done()  # given up is given up


def test_a_receivers_wish_is_heeded_up_to_the_longest_pause(clock, db):
    wish = RETRIES.next_try(1, clock.at, clock.at, after=90.0)
    assert wish == clock.at + timedelta(seconds=90)
    assert RETRIES.next_try(1, clock.at, clock.at, after=1e9) == clock.at + timedelta(hours=6)


def test_what_can_never_succeed_is_given_up_at_once_and_can_be_started_again(clock, done):
    work.put("test.note", "a", {"never": True})
    assert work.do_all().failed == 1
    row = Work.objects.get()
    assert (row.given_up_at, row.error) == (clock.at, "nobody knows how")
    assert "given up\n    nobody knows how" in run("--stuck")
    Work.objects.update(data={})
    assert run("--retry", str(row.pk)) == "1 started again\n"
    assert work.do_all().done == 1


def test_a_local_job_and_what_it_wrote_are_undone_together(clock, db):
    @work.local("test.writes")
    def writes(piece, now):
        Work.objects.create(kind="other", key="x", due_at=now, queued_at=now)
        raise ValueError("half-way")

    work.put("test.writes", "a")
    assert work.do_all().failed == 1
    assert list(Work.objects.values_list("kind", "error")) == [("test.writes", "ValueError: half-way")]


def test_figures_are_there_before_the_first_piece(clock, done):
    def row():
        return next(row for row in work.figures() if row.kind == "test.note")

    assert row() == work.Figures("test.note", 0, 0, timedelta(), 0, 0)
    work.put("test.note", "a", {"fails": True})
    work.put("test.note", "b", due_at=clock.at + timedelta(hours=1))
    clock.advance(seconds=30)
    assert row() == work.Figures("test.note", 2, 1, timedelta(seconds=30), 0, 0)
    work.do_all()
    assert row() == work.Figures("test.note", 2, 0, timedelta(), 1, 0)
    from config.ops import metrics

    assert 'trey_work_given_up{kind="test.note"} 0.0' in metrics.exposition()[0].decode()


def test_the_command_shows_retries_and_takes_out(clock, done):
    work.put("test.note", "a", {"fails": True})
    assert "test.note" in run()
    assert run("--stuck") == "Nothing has failed.\n"
    work.do_all()
    row = Work.objects.get()
    assert "the pen is dry" in run("--stuck") and "next try" in run("--stuck")
    assert run("--retry", "all") == "1 started again\n"
    with pytest.raises(CommandError, match="invalid choice: 'nothing'"):
        run("--kind", "nothing")
    with pytest.raises(CommandError, match="'x'"):
        run("--retry", "x")
    assert run("--drop", "999999") == "0 taken out\n"
    assert run("--drop", str(row.pk)) == "1 taken out\n"
    assert not Work.objects.exists()


# Outbound jobs


@pytest.fixture
def sent(transactional_db):
    """What was sent, in order; `wait` in the data is an event to wait for."""
    letters = []
    gates, begun = {}, set()

    def send(letter):
        begun.add(letter)
        if letter in gates:
            assert gates[letter].wait(20)
        if letter.startswith("bad"):
            raise work.Later("nobody opens", after=60)
        letters.append(letter)
        return letter.upper()

    settled, failed = [], []
    work.outbound(
        "test.letter",
        work.Outbound(
            prepare=lambda jobs, now: [job.data.get("letter") for job in jobs],
            send=send,
            settle=lambda done, now: settled.extend(reply for _, _, reply in done),
            failed=lambda job, error, again, now: failed.append((str(error), again)),
            retries=lambda: RETRIES,
        ),
    )
    send.letters, send.gates, send.begun, send.settled, send.failed = letters, gates, begun, settled, failed
    return send


def post(letter, lane="", due_at=None, **how):
    job = Work(kind="test.letter", key=letter, data={"letter": letter}, lane=lane or letter)
    job.due_at = due_at or service_clock.now()
    work.put_all([job], **how)


def test_an_outbound_job_is_prepared_sent_and_settled(clock, sent):
    post("a")
    work.put("test.letter", "nothing to send")
    assert work.Deliverer().do_all() == 1
    assert sent.settled == ["A"]
    assert not Work.objects.exists()


def test_an_outbound_job_that_fails_waits_as_long_as_the_receiver_wishes(clock, sent):
    post("bad")
    work.Deliverer().do_all()
    row = Work.objects.get()
    assert row.due_at == clock.at + timedelta(seconds=60) and row.holder is None
    assert sent.failed == [("nobody opens", row.due_at)]


def test_outbound_jobs_of_one_lane_keep_their_order_and_hold_up_no_other(sent):
    sent.gates["slow 1"] = Event()
    for letter, lane in (("slow 1", "slow"), ("slow 2", "slow"), ("quick 1", "quick"), ("quick 2", "quick")):
        post(letter, lane)
    stop = Event()
    thread = Thread(target=_deliver, args=(stop,))
    thread.start()
    try:
        _until(lambda: sent.letters == ["quick 1", "quick 2"])
        sent.gates["slow 1"].set()
        _until(lambda: sent.letters == ["quick 1", "quick 2", "slow 1", "slow 2"])
    finally:
        sent.gates["slow 1"].set()
        stop.set()
        thread.join()
    assert not Work.objects.exists()


def test_what_waits_until_the_morning_is_not_looked_through_at_night(clock, sent):
    """Each browser has a lane; in quiet hours there are as many as players."""
    for number in range(300):
        post(f"morning {number}", f"push {number}", due_at=clock.at + timedelta(hours=8))
    post("now")
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE jobs_work")
    values = {
        "until": clock.at, "holder": uuid4(), "now": clock.at, "busy": [], "limit": 64, "kinds": ["test.letter"],
    }  # fmt: skip
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {queue._CLAIM}", values)
        plan = cursor.fetchone()[0][0]["Plan"]

    def looped(node):
        return max([node["Actual Loops"], *(looped(inner) for inner in node.get("Plans", ()))])

    assert looped(plan) < 20


def test_an_outbound_job_put_again_while_it_is_under_way_is_done_again(sent):
    sent.gates["a"] = Event()
    post("a")
    stop = Event()
    thread = Thread(target=_deliver, args=(stop,))
    thread.start()
    try:
        # A piece that is claimed and put again before it is sent is sent once.
        _until(lambda: "a" in sent.begun)
        post("a", sooner=True)
        sent.gates["a"].set()
        _until(lambda: sent.letters == ["a", "a"] and not Work.objects.exists())
    finally:
        sent.gates["a"].set()
        stop.set()
        thread.join()


@pytest.mark.parametrize("error", [ValueError, DataError, OperationalError])
def test_several_are_prepared_together_and_one_that_cannot_be_takes_no_other_with_it(clock, transactional_db, error):
    together, letters = [], []

    def prepare(pieces, now):
        together.append([piece.key for piece in pieces])
        if any(piece.key == "bad" for piece in pieces):
            raise error("a bad letter")
        return [None if piece.key == "void" else piece.key for piece in pieces]

    work.outbound("test.letters", work.Outbound(prepare=prepare, send=letters.append))
    for number, key in enumerate(("a", "void", "bad", "b")):
        work.put("test.letters", key, due_at=clock.at + timedelta(seconds=number), lane=key)
    clock.advance(seconds=10)
    assert work.Deliverer().do_all() == 2
    assert sorted(letters) == ["a", "b"]
    assert together == [["a", "void", "bad", "b"], ["a"], ["void"], ["bad"], ["b"]]
    [bad] = Work.objects.all()
    assert bad.key == "bad" and bad.tries == 1 and "a bad letter" in bad.error


def test_what_a_dead_process_held_is_done_by_the_next(clock, sent):
    from core.jobs import queue

    post("a")
    assert len(queue.claim(["test.letter"], clock.at, hold=timedelta(minutes=2), busy=(), limit=9)) == 1
    assert work.Deliverer().do_all() == 0
    clock.advance(minutes=2)
    assert work.Deliverer().do_all() == 1


def _deliver(stop):
    try:
        work.Deliverer(at_once=4).run(stop, poll_seconds=0.05)
    finally:
        connection.close()


def _until(true, seconds=20.0):
    """Wait until something becomes true; fails after so many seconds."""
    import time

    ends = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < ends, "it did not become true"
        Event().wait(0.01)
