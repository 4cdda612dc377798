"""Turns of a few seconds that nobody takes, while worker, beat and Redis are killed: what the log says afterwards.

    python benchmarks/timeouts.py [--games 300] [--turn 3] [--seconds 40] [--outage 75] [--port 8040]

Starts the service as `make run` does, in a state directory's folder of its own that is removed at the end, and opens
games of all five kinds through the services. Kills (signal 9) a process of the worker, the worker, beat and Redis,
whose data is lost with it, then stops the worker for --outage seconds. The log must then tell of every due turn once,
none early; it says how late they were. Linux only.
"""

import argparse
import os
import signal
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
os.environ["TREY_PROFILE"] = "timeouts"
os.environ["TREY_MIN_TURN"] = "1"
os.environ["TREY_LOG_LEVEL"] = "warning"
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

CHECKOUT = Path(__file__).resolve().parents[1]
BETWEEN_KILLS = 15.0
SILENCE = timedelta(seconds=7)


def say(text: str) -> None:
    """A line for whoever watches, with the time."""
    print(f"{datetime.now(UTC):%H:%M:%S}  {text}", flush=True)


def children(pid: int) -> list[int]:
    """The processes that a process started."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            found.append(int(status.parent.name))
    return found


def part(service: int, name: str) -> int:
    """The leading process of a part of the service (worker, beat), as of now."""
    for pid in children(service):
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        if b"celery" in words and name.encode() in words:
            return pid
    raise LookupError(name)


def wait_for_both_parts() -> None:
    """Until the web and the sweeper have left a heartbeat."""
    from games.models import Heartbeat

    until = time.monotonic() + 90
    while Heartbeat.objects.count() < 2:
        if time.monotonic() > until:
            sys.exit("The service does not start; its lines above say why.")
        time.sleep(0.2)


def open_games(count: int, turn: int) -> None:
    """So many games of all kinds and of two to four players, dealt; a quarter gives seats to bots and resigns."""
    from core.accounts.models import Player
    from games import services
    from games.rules import GAMES

    people = [Player(username=f"sleeper{number}") for number in range(20)]
    Player.objects.bulk_create(people)
    kinds = sorted(GAMES)
    for number in range(count):
        seated = [people[(number + seat) % len(people)] for seat in range(2 + number // len(kinds) % 3)]
        clock: dict[str, Any] = {"per_turn": turn, "strikes": 100}
        if number % 4 == 3:
            clock = {"per_turn": turn, "strikes": 3, "on_timeout": ("play", "bot")[number % 8 // 4]}
        game = services.open_room(seated[0], game=kinds[number % len(kinds)], seats=len(seated), clock=clock)
        for player in seated[1:]:
            services.join(game.id, player)
        services.start(game.id, seated[0])


def disturb(service: int, redis_pid_file: Path, outage: float) -> None:
    """Kill what can be killed, one after the other, then stop the worker for a while."""
    for what in ("a process of the worker", "the worker", "beat", "Redis, its data", "the worker and Redis, its data"):
        if what.startswith("a process"):
            os.kill(children(part(service, "worker"))[0], signal.SIGKILL)
        if what.startswith("the worker"):
            os.kill(part(service, "worker"), signal.SIGKILL)
        if what == "beat":
            os.kill(part(service, "beat"), signal.SIGKILL)
        if "Redis" in what:
            os.kill(int(redis_pid_file.read_text(encoding="ascii")), signal.SIGKILL)
        say(f"killed: {what}")
        time.sleep(BETWEEN_KILLS)
    if outage:
        worker = part(service, "worker")
        # The supervisor first: it would have the worker go on.
        os.kill(service, signal.SIGSTOP)
        os.killpg(worker, signal.SIGSTOP)
        say(f"stopped the worker for {outage:.0f} s")
        time.sleep(outage)
        os.killpg(worker, signal.SIGCONT)
        os.kill(service, signal.SIGCONT)
        say("the worker goes on")


def read_off(turn: timedelta) -> bool:
    """Print what the log says of the timeouts; whether each was handled once and none early."""
    from core.log.models import StoredEvent
    from games.models import Outage

    outages = sorted(Outage.objects.values_list("began_at", "ended_at"))
    for outage in Outage.objects.order_by("began_at"):
        say(f"outage of the {outage.part}: {(outage.ended_at - outage.began_at).total_seconds():.1f} s")
    moments: dict[str, set[datetime]] = defaultdict(set)
    seen: Counter[tuple[str, int | None, str]] = Counter()
    kinds: Counter[str] = Counter()
    late: list[tuple[float, datetime]] = []
    early = unfounded = 0
    rows = StoredEvent.objects.order_by("stream_id", "version")
    for stream, seat, kind, data, at in rows.values_list("stream_id", "seat", "type", "data", "recorded_at").iterator():
        if kind == "timed_out":
            end = datetime.fromisoformat(data["deadline_at"])
            seen[stream, seat, data["deadline_at"]] += 1
            kinds[data["action"]] += 1
            early += at < end
            # The turn must have begun with an earlier event, and its end must be that and what the clock gives.
            unfounded += not any(later(began, turn, outages) == end for began in moments[stream])
            late.append(((at - end).total_seconds(), at))
        moments[stream].add(at)
    times = sorted(at for _, at in late)
    for before, after in pairwise(times):
        if after - before > SILENCE:
            say(f"nothing was timed out from {before:%H:%M:%S} for {(after - before).total_seconds():.1f} s")
    late.sort()
    twice = sum(1 for count in seen.values() if count > 1)
    say(f"{len(late)} turns timed out {dict(kinds)}, {twice} twice, {early} early, {unfounded} at an unexplained time")
    if late:
        middle, most = late[len(late) // 2][0], late[int(len(late) * 0.99)][0]
        worst, when = late[-1]
        say(f"late by {middle:.1f} s (median), {most:.1f} s (99 %), {worst:.1f} s at most (at {when:%H:%M:%S})")
    return bool(late) and not (twice or early or unfounded)


def later(began: datetime, turn: timedelta, outages: Sequence[tuple[datetime, datetime]]) -> datetime:
    """The end of a turn with nothing but outages in its way, worked out again."""
    end, behind = began + turn, began
    for start, stop in outages:
        if start < end and stop > behind:
            end += stop - max(start, behind)
            behind = stop
    return end


def left_over(turn: timedelta, patience: timedelta) -> int:
    """How many turns are overdue for longer than the patience, and were not handled."""
    from games.models import Outage, Seat

    outages = sorted(Outage.objects.values_list("began_at", "ended_at"))
    waiting = Seat.objects.filter(due_at__isnull=False, bot__isnull=True).values_list("duty_since", flat=True)
    now = datetime.now(UTC)
    return sum(1 for since in waiting if since is not None and later(since, turn, outages) < now - patience)


def main() -> None:
    """Run the load and print the figures; exit status 1 when they are wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--turn", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=40, help="undisturbed, half before and half after")
    parser.add_argument("--outage", type=float, default=75)
    parser.add_argument("--port", default="8040")
    options = parser.parse_args()
    from benchmarks.ground import own_place

    turn = timedelta(seconds=options.turn)
    with own_place() as place:
        from django.conf import settings
        from django.core.management import call_command

        service = subprocess.Popen([sys.executable, "-m", "config.running.run", "--port", options.port], cwd=CHECKOUT)
        try:
            wait_for_both_parts()
            say(f"opening {options.games} games, turns of {options.turn} s")
            open_games(options.games, options.turn)
            say(f"opened; load of the machine {os.getloadavg()[0]:.1f}")
            time.sleep(options.seconds / 2)
            disturb(service.pid, place.redis / "server.pid", options.outage)
            time.sleep(options.seconds / 2)
            left = left_over(turn, timedelta(seconds=2 * settings.TREY_SWEEP))
            say(f"overdue for more than two sweeps: {left}; load of the machine {os.getloadavg()[0]:.1f}")
        finally:
            service.send_signal(signal.SIGINT)
            service.wait(60)
        sound = read_off(turn) and not left
        call_command("log", "verify")
        call_command("rebuild", "--all")
    sys.exit(not sound)


if __name__ == "__main__":
    main()
