"""The page that says whether all is well: each fault is found, and nothing else."""

import json
import shutil
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.models import F
from django.test import override_settings

from config.ops import doctor, models, tasks
from config.ops.doctor import examine, length, size
from core import log
from core.accounts.models import Player
from core.clock import frozen
from core.jobs import services as work
from core.jobs.models import Work
from core.notifications.models import Hook
from games import services
from games.models import Game, Heartbeat, Seat
from games.projections import Snapshot
from games.services.outages import SWEEPER, WEB, beat
from tests.games.services.service_scene import started
from tests.tournaments.moment import services as tournaments
from tournaments.leaderboards.models import League
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def well(module_rows, tmp_path_factory):
    """A service in which all is well, with a game that runs, one that is over and counts, and a tournament."""
    heads = tmp_path_factory.mktemp("doctor") / "heads"
    with module_rows(), frozen(datetime.now(UTC)) as clock, override_settings(TREY_HEADS_FILE=str(heads)):
        return SimpleNamespace(**vars(all_well()), at=clock.at, heads=heads)


@pytest.fixture
def healthy(well, clock, settings, tmp_path):
    """The same for one test, which finds it as it was made."""
    settings.TREY_HEADS_FILE = str(shutil.copy(well.heads, tmp_path))
    clock.set(well.at)
    return SimpleNamespace(**vars(well), clock=clock)


def all_well():
    ada, bob = (Player.objects.create_user(name) for name in ("ada", "bob"))
    over = started(ada, bob)
    play(over, ada)
    game = started(ada, bob)
    tournaments.set_up(ada, {"title": "Threes", "game": "threes", "kind": "season"})
    live()
    tasks.publish_heads()
    models.done(models.BACKUP, "by a test")
    # Twice: what one of them appends is news for the others.
    for subscriber in 2 * log.subscribers():
        subscriber.catch_up()
    return SimpleNamespace(game=game, over=over, ada=ada)


def play(game: Snapshot, player: Player) -> None:
    services.play(game.id, player, {"move": "resign"})


def live() -> None:
    beat(WEB)
    beat(SWEEPER)
    work.do_all()


def found(name: str) -> list[tuple[str, str]]:
    return [(each.level.name, each.detail) for each in examine(50) if each.name == name]


def wrong() -> set[str]:
    return {each.name for each in examine(50) if each.level.value}


@pytest.mark.slow
def test_all_is_well(healthy):
    assert wrong() == set()
    out = StringIO()
    call_command("doctor", stdout=out)
    lines = out.getvalue().splitlines()
    assert len(lines) == 17
    assert all(line.startswith("ok ") for line in lines)


def test_the_exit_status_is_the_worst_finding(healthy):
    healthy.clock.advance(days=3)
    live()
    with pytest.raises(SystemExit) as ended:
        call_command("doctor", "--json", stdout=(out := StringIO()))
    page = json.loads(out.getvalue())
    assert (ended.value.code, page["status"]) == (1, "warn")
    assert {"status": "warn", "check": "backup", "detail": "made 3 days ago: by a test"}.items() <= next(
        line.items() for line in page["findings"] if line["check"] == "backup"
    )
    assert all(line["advice"] for line in page["findings"] if line["status"] != "ok")
    healthy.clock.advance(minutes=1)
    with pytest.raises(SystemExit) as ended:
        call_command("doctor", stdout=(out := StringIO()))
    assert ended.value.code == 2
    assert "bad   web          last seen 1 minute ago\n" in out.getvalue()


def no_heartbeat(scene):
    Heartbeat.objects.filter(part=WEB).update(at=scene.clock.at - timedelta(seconds=40))


def never_a_heartbeat(scene):
    Heartbeat.objects.filter(part=SWEEPER).delete()


def overdue_turn(scene):
    late = Seat.objects.filter(game=scene.game.id, due_at__isnull=False)
    assert late.update(due_at=scene.clock.at - timedelta(hours=1))


def follower_behind(scene):
    play(scene.game, scene.ada)
    scene.clock.advance(minutes=2)
    live()


def stuck_follower(scene):
    bucket = log.bucket_of(scene.game.stream)
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE log_checkpoint SET failing_since = now(), error = 'KeyError: 7'"
            " WHERE subscriber = 'leagues' AND bucket = %s",
            [bucket],
        )
        assert cursor.rowcount


def lost_key(scene):
    Hook.objects.create(
        player=scene.ada, url="x", host="example.org", secret="x", types=["game.turn"], created_at=scene.clock.at
    )


def given_up_work(scene):
    at = scene.clock.at
    Work.objects.create(
        kind="notifications.hook", key="7", due_at=at, queued_at=at, tries=9, error="410", given_up_at=at
    )


def overdue_work(scene):
    at = scene.clock.at - timedelta(minutes=5)
    Work.objects.create(kind="notifications.hook", key="7", due_at=at, queued_at=at)


def failing_job(scene):
    later = scene.clock.at + timedelta(hours=1)
    Work.objects.create(
        kind="tournament.open", key="t/g", due_at=later, queued_at=scene.clock.at, tries=3, error="boom"
    )


def overdue_job(scene):
    at = scene.clock.at - timedelta(hours=1)
    Work.objects.create(kind="tournament.open", key="t/g", due_at=at, queued_at=at)


def outage(scene):
    scene.clock.advance(minutes=10)
    live()


def changed_event(scene):
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE log_event DISABLE TRIGGER USER")
        cursor.execute("UPDATE log_event SET seat = 1 WHERE stream_id = %s AND version = 2", [scene.game.stream])
        assert cursor.rowcount
        cursor.execute("ALTER TABLE log_event ENABLE TRIGGER USER")


def changed_game(scene):
    Game.objects.filter(pk=scene.game.id).update(rated=False)


def changed_seat(scene):
    Seat.objects.filter(game=scene.game.id, index=0).update(timeouts=7)


def changed_tournament(scene):
    Tournament.objects.update(title="Fours")


def changed_league(scene):
    League.objects.update(version=F("version") + 1)


def lost_rows(scene):
    Seat.objects.filter(game=scene.game.id).delete()
    Game.objects.filter(pk=scene.game.id).delete()


def failed_backup(scene):
    models.failed(models.BACKUP, "no room")


def failed_heads(scene):
    models.failed(models.HEADS, "no room")


def lost_heads(scene):
    Path(tasks.settings.TREY_HEADS_FILE).unlink()


FAULTS: list[tuple[Callable[[SimpleNamespace], None], str, str, set[str]]] = [
    (no_heartbeat, WEB, "last seen 40 seconds ago", set()),
    (never_a_heartbeat, SWEEPER, "has had no heartbeat yet", set()),
    (overdue_turn, "turns", "are overdue, the oldest by 1 hour", {"rows"}),
    (follower_behind, "followers", "leagues is ", {"outages"}),
    (stuck_follower, "followers", "leagues has been stuck in bucket", set()),
    (lost_key, "keys", "the newest webhook is encrypted with a key that is not set", set()),
    (given_up_work, "queue", "notifications.hook 7 was given up after 9 tries: 410", set()),
    (overdue_work, "queue", "1 notifications.hook task is due, the oldest for 5 minutes", set()),
    (failing_job, "queue", "tournament.open t/g failed 3 times: boom", set()),
    (overdue_job, "queue", "1 tournament.open task is due, the oldest for 1 hour", set()),
    (outage, "outages", "the sweeper was out for 10 minutes from", set()),
    (changed_event, "log", "version 2 is not what was recorded, or an event before it is not", {"rows"}),
    (changed_game, "rows", "game: was", set()),
    (changed_seat, "rows", "seat 0: was", set()),
    (changed_tournament, "rows", "tournament: was", set()),
    (changed_league, "rows", "the rows of league-threes are missing or behind its log", set()),
    (lost_rows, "rows", "are missing or behind its log", set()),
    (failed_backup, "backup", "failed 0 seconds ago: no room", set()),
    (failed_heads, "heads", "no room", set()),
    (lost_heads, "heads", "no longer has any", set()),
]


@pytest.mark.sampled
@pytest.mark.parametrize(("fault", "name", "words", "also"), FAULTS, ids=lambda value: getattr(value, "__name__", ""))
def test_a_fault_is_found(healthy, fault, name, words, also):
    fault(healthy)
    page = list(examine(50))
    lines = [(each.level.name, each.detail) for each in page if each.name == name]
    assert any(words in detail for _, detail in lines), lines
    assert all(level in ("WARN", "BAD") for level, _ in lines)
    assert {each.name for each in page if each.level.value} - also == {name}


def test_looking_changes_nothing(healthy):
    changed_seat(healthy)
    list(examine(50))
    assert Seat.objects.get(game=healthy.game.id, index=0).timeouts == 7


def test_a_clock_that_was_set_back_is_found(healthy):
    healthy.clock.advance(hours=-1)
    assert found("clock") == [("BAD", "the last heartbeat is 1 hour in the future")]


def test_a_full_disk_is_found(healthy, monkeypatch):
    for free, level in ((15, "OK"), (5, "WARN"), (2, "BAD")):
        usage = SimpleNamespace(total=100 << 30, free=free << 30)
        monkeypatch.setattr(doctor.shutil, "disk_usage", lambda _, usage=usage: usage)
        assert {each for each, _ in found("disk")} == {level}


def test_what_is_dangerous_in_production_is_found(healthy, settings):
    settings.PRODUCTION = True
    settings.SECRET_KEY = settings.DEVELOPMENT_SECRET_KEY
    settings.TREY_HEADS_FILE = ""
    details = [detail for level, detail in found("settings") if level == "BAD"]
    assert any("secret key" in detail for detail in details)
    assert found("heads") == [("WARN", "are not written to a file")]


def test_a_service_that_has_just_started_has_no_heads_and_nothing_failed(healthy):
    lost_heads(healthy)
    models.Upkeep.objects.filter(pk=models.HEADS).delete()
    [heads] = [each for each in examine(50) if each.name == "heads"]
    assert (heads.level.name, heads.detail.endswith("has none yet")) == ("WARN", True)
    assert "an hour after their start" in heads.advice


def test_a_database_that_logs_secrets_is_found(healthy):
    with connection.cursor() as cursor:
        cursor.execute("SET log_min_error_statement = 'error'")
    try:
        [_, (level, detail)] = found("settings")
        assert level == "WARN"
        assert detail.endswith("(trey.W001)")
    finally:
        with connection.cursor() as cursor:
            cursor.execute("RESET log_min_error_statement")


def test_a_redis_that_is_away_is_found(healthy, settings):
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    [(level, detail)] = found("redis")
    assert level == "BAD"
    assert "does not respond" in detail


def test_lengths_and_sizes_are_for_people():
    assert [length(timedelta(seconds=seconds)) for seconds in (0, 1, 59, 119, 120, 7200, 172799, 172800)] == [
        "0 seconds",
        "1 second",
        "59 seconds",
        "1 minute",
        "2 minutes",
        "2 hours",
        "47 hours",
        "2 days",
    ]
    assert [size(count) for count in (2048, 5 << 20, 3 << 30)] == ["2 kB", "5.0 MB", "3.0 GB"]
