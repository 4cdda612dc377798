"""The executor: one write path for every kind of stream, tested with a kind of its own (accounts with a balance)."""

import threading
from dataclasses import dataclass, replace
from uuid import uuid4

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from log_scene import NOW, PATIENCE, stranger

from core import log

ME = log.Actor("player", "ada")


@dataclass(frozen=True)
class Account:
    key: str
    version: int
    balance: int


class Accounts:
    """A kind of stream that keeps its state in a table."""

    name = "account"

    def __init__(self):
        self.loads = []
        self.rebuilds = 0

    def load(self, stream_id, lock):
        self.loads.append(lock)
        locking = {
            log.Lock.NONE: "",
            log.Lock.WAIT: "FOR NO KEY UPDATE",
            log.Lock.SKIP: "FOR NO KEY UPDATE SKIP LOCKED",
        }[lock]
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT id, version, balance FROM account WHERE id = %s {locking}", [stream_id])
            row = cursor.fetchone()
        return Account(*row) if row else None

    def evolve(self, account, event):
        if account is None:
            return Account(event.stream.partition("-")[2], 1, event.data["amount"])
        return replace(account, version=event.version, balance=account.balance + event.data["amount"])

    def save(self, before, after):
        with connection.cursor() as cursor:
            if before is None:
                cursor.execute(
                    "INSERT INTO account VALUES (%s, %s, %s) ON CONFLICT DO NOTHING",
                    [after.key, after.version, after.balance],
                )
            else:
                cursor.execute(
                    "UPDATE account SET version = %s, balance = %s WHERE id = %s AND version = %s",
                    [after.version, after.balance, after.key, before.version],
                )
            if cursor.rowcount != 1:
                raise log.LostRace

    def rebuild(self, stream_id):
        self.rebuilds += 1
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM account WHERE id = %s", [stream_id])
        account = None
        for event in log.read(f"account-{stream_id}"):
            account = self.evolve(account, event)
        self.save(None, account)


class Broke(Exception):  # noqa: N818  named after what happened
    pass


def withdraw(amount):
    def decide(account):
        if account is None or account.balance < amount:
            raise Broke
        return log.Decided([log.NewEvent("account.moved", {"amount": -amount})], account.balance - amount)

    return decide


def opening(amount=100):
    def decide(account):
        if account is not None:
            return log.Decided([], account.balance)
        return log.Decided([log.NewEvent("account.moved", {"amount": amount})], amount)

    return decide


@pytest.fixture
def accounts(db):
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE IF EXISTS account")
        cursor.execute("CREATE TABLE account (id text PRIMARY KEY, version int, balance int)")
    yield Accounts()
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE account")


def execute(accounts, key, decide, **more):
    return log.execute(accounts, key, decide, actor=ME, now=NOW, **more)


def opened(accounts, amount=100):
    key = str(uuid4())
    execute(accounts, key, opening(amount))
    accounts.loads.clear()
    return key


def test_a_command_gives_the_state_before_and_after_its_events_and_its_result(accounts):
    key, command = opened(accounts), uuid4()
    done = execute(accounts, key, withdraw(30), command_id=command, reason="cash")
    assert (done.before.balance, done.after.balance, done.result) == (100, 70, 70)
    [event] = done.events
    assert (event.stream, event.version, event.type, event.recorded_at) == (f"account-{key}", 2, "account.moved", NOW)
    assert not done.replayed and not done.skipped
    [_, stored] = log.read(f"account-{key}")
    assert (stored.data, stored.command_id, stored.actor, stored.reason) == ({"amount": -30}, command, ME, "cash")
    assert accounts.load(key, log.Lock.NONE) == done.after


def test_a_new_stream_is_decided_on_nothing_and_a_second_try_finds_it(accounts):
    key = str(uuid4())
    first, second = execute(accounts, key, opening()), execute(accounts, key, opening(7))
    assert (first.before, first.after.version, second.before, second.events) == (None, 1, first.after, [])
    assert second.result == 100
    assert len(log.read(f"account-{key}")) == 1


def test_a_refusal_leaves_nothing_behind(accounts):
    key = opened(accounts)
    with pytest.raises(Broke):
        execute(accounts, key, withdraw(101))
    assert len(log.read(f"account-{key}")) == 1
    assert accounts.load(key, log.Lock.NONE).balance == 100


def test_a_state_that_was_made_while_deciding_is_not_made_again(accounts, monkeypatch):
    key = opened(accounts)

    def decide(account):
        return log.Decided(
            [log.NewEvent("account.moved", {"amount": 5})], None, replace(account, version=2, balance=105)
        )

    monkeypatch.setattr(accounts, "evolve", None)
    assert execute(accounts, key, decide).after.balance == 105


def test_the_first_try_takes_no_lock_and_costs_what_the_kind_and_the_log_cost(accounts):
    key = opened(accounts)
    with CaptureQueriesContext(connection) as queries:
        execute(accounts, key, withdraw(1))
    # BEGIN (here a savepoint), load, save, the log's own, COMMIT.
    assert len(queries) == 5
    assert accounts.loads == [log.Lock.NONE]


def saving(before, after):
    return log.Saving(
        "saved AS (UPDATE account SET version = %(to)s, balance = %(balance)s WHERE id = %(id)s AND version = %(at)s"
        " RETURNING id)",
        {"id": after.key, "at": before.version, "to": after.version, "balance": after.balance},
    )


def test_rows_are_saved_in_the_statement_that_appends_if_the_kind_returns_what_saves_them(accounts, monkeypatch):
    key = opened(accounts)
    monkeypatch.setattr(accounts, "save", saving)
    with CaptureQueriesContext(connection) as queries:
        assert execute(accounts, key, withdraw(1)).after == Account(key, 2, 99)
    # BEGIN (here a savepoint), load, save with the events, COMMIT.
    assert len(queries) == 4
    assert accounts.load(key, log.Lock.NONE) == Account(key, 2, 99)


def test_rows_that_have_moved_on_are_not_saved_and_nothing_is_appended(accounts, monkeypatch):
    key = opened(accounts)
    monkeypatch.setattr(accounts, "save", saving)
    monkeypatch.setattr(accounts, "load", lambda *_: Account(key, 0, 500))
    with pytest.raises(log.LostRace):
        execute(accounts, key, withdraw(1))
    monkeypatch.undo()
    assert accounts.load(key, log.Lock.NONE) == Account(key, 1, 100)
    assert len(log.read(f"account-{key}")) == 1


def test_rows_behind_their_log_are_rebuilt_and_the_command_is_decided_on_the_truth(accounts):
    key = opened(accounts)
    execute(accounts, key, withdraw(60))
    with connection.cursor() as cursor:
        cursor.execute("UPDATE account SET version = 1, balance = 100")
    with pytest.raises(Broke):
        execute(accounts, key, withdraw(60))
    assert accounts.rebuilds == 1
    assert execute(accounts, key, withdraw(40)).after == Account(key, 3, 0)


class Kept:
    """A receipt that keeps results in a dict."""

    def __init__(self):
        self.result = None

    def claim(self):
        return self.result

    def keep(self, executed):
        self.result = f"balance {executed.after.balance}"
        return self.result


def test_a_receipt_answers_for_a_command_that_ran_before(accounts):
    key, receipt = opened(accounts), Kept()
    first = execute(accounts, key, withdraw(10), receipt=receipt)
    second = execute(accounts, key, withdraw(10), receipt=receipt)
    assert (first.result, first.replayed) == (second.result, False) == ("balance 90", False)
    assert second.replayed and second.events == ()
    assert accounts.load(key, log.Lock.NONE).balance == 90


def test_a_command_id_is_carried_out_once_in_a_stream(accounts):
    key, command = opened(accounts), uuid4()
    receipt = log.OncePerCommand(f"account-{key}", command)
    for replayed in (False, True, True):
        done = execute(accounts, key, withdraw(10), command_id=command, receipt=receipt)
        assert done.replayed is replayed
    assert accounts.load(key, log.Lock.NONE).balance == 90


def asked_never(account):
    pytest.fail("decide was asked")


@pytest.mark.django_db(transaction=True)
def test_skip_leaves_a_stream_alone_that_somebody_holds(accounts, crew):
    key = opened(accounts)
    holding, go_on = threading.Event(), threading.Event()

    def slow(account):
        holding.set()
        assert go_on.wait(PATIENCE)
        return withdraw(10)(account)

    slow_one = crew.start(lambda: execute(accounts, key, slow, lock=log.Lock.WAIT))
    assert holding.wait(PATIENCE)
    skipped = execute(accounts, key, asked_never, lock=log.Lock.SKIP)
    assert skipped.skipped and skipped.result is None and skipped.events == ()
    go_on.set()
    assert slow_one.result().after.balance == 90
    assert execute(accounts, key, withdraw(10), lock=log.Lock.SKIP).after.balance == 80
    assert execute(accounts, "nobody", asked_never, lock=log.Lock.SKIP).skipped


@pytest.mark.django_db(transaction=True)
def test_who_loses_a_race_decides_again_under_a_lock(accounts, crew):
    key = opened(accounts)
    seen = []

    def overtaken(account):
        seen.append(account.balance)
        if len(seen) == 1:
            crew.start(lambda: execute(Accounts(), key, withdraw(30))).result()
        return withdraw(50)(account)

    assert execute(accounts, key, overtaken).after == Account(key, 3, 20)
    assert seen == [100, 70]
    assert accounts.loads == [log.Lock.NONE, log.Lock.WAIT]
    assert accounts.rebuilds == 0


@pytest.mark.django_db(transaction=True)
def test_of_many_who_open_one_stream_one_does_and_the_others_find_it(accounts, crew):
    key, start = str(uuid4()), threading.Barrier(8)

    def open_it():
        start.wait(PATIENCE)
        return execute(Accounts(), key, opening())

    answers = [running.result() for running in [crew.start(open_it) for _ in range(8)]]
    assert sorted(len(answer.events) for answer in answers) == [0] * 7 + [1]
    assert {answer.after for answer in answers} == {Account(key, 1, 100)}


@pytest.mark.django_db(transaction=True)
def test_commands_of_many_on_one_stream_are_all_counted(accounts, crew):
    key, start = opened(accounts), threading.Barrier(10)

    def take():
        start.wait(PATIENCE)
        return execute(Accounts(), key, withdraw(10))

    for running in [crew.start(take) for _ in range(10)]:
        running.result()
    assert accounts.load(key, log.Lock.NONE) == Account(key, 11, 0)
    assert log.verify(f"account-{key}") == []


def test_a_command_within_a_command_on_another_stream_is_refused(accounts):
    one = opened(accounts)
    two = stranger(f"account-{one}").partition("-")[2]

    def both():
        with transaction.atomic():
            execute(accounts, one, withdraw(1))
            execute(accounts, two, opening())

    with pytest.raises(log.Misuse, match="one transaction writes to one stream"):
        both()
    assert accounts.load(one, log.Lock.NONE).balance == 100
