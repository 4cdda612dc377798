"""Whether everybody is told once, whatever dies, and how long mails wait when very much happens at once (NT2, NT9).

    python -m benchmarks.notifications [--deaths 100] [--tables 12] [--burst 10000] [--seconds 60] [--port 8071]

Starts the service as `make run` does, in a folder of the state directory of its own that is removed at the end, with a
mail server and a receiver of webhooks in this process. At each table two players, who are mailed every turn and have a
webhook, play over HTTP, say of some turns that they have seen them, and watch each game by its live stream; after
`MOVES` moves two others take their place, before anybody has more mails than there are in an hour (NT4). Meanwhile
`follow`, the worker, the process of live streams, the web, Redis and PostgreSQL are killed (signal 9) one after the
other, at random moments, each after something has arrived by both channels since the last. In the end, by the log: each
turn that was not begun by its owner's own move is told once; what was still open when its time came has arrived on both
channels, doubles under the same id; no mail was begun and no webhook came later than two seconds after it was played or
seen; each stream sent every event once and in order.

`--burst`: a turn then begins in so many games within `--seconds`, each of another player: each is to get one mail and
one webhook. The moves are written into the log by SQL, for the service could not make so many. How late it comes is
counted from then, of mails without the grace. Exit status 1 if anything is wrong. Linux only.
"""

import argparse
import email
import json
import os
import random
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.policy import default
from functools import partial
from http.client import HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.request import Request, urlopen
from uuid import UUID, uuid4

import psutil
from aiosmtpd.controller import Controller

from benchmarks.service import Service, postmaster, redis, say, served, wait_until_well

# A part is known by a word of its command.
PARTS: dict[str, Callable[[Service], psutil.Process]] = {
    name: partial(Service.part, name=name) for name in ("follow", "worker", "config.live", "granian")
} | {"Redis": redis, "PostgreSQL": postmaster}
LATE = timedelta(seconds=2)
# Seconds until a part that died is there again.
PATIENCE = 600.0
# Seconds from one death to the next: a part that ends five times in a minute stops the service.
BETWEEN = (4.2, 8.0)
# Of a game, before two others play: none of them then has more than the 20 mails that go out in an hour.
MOVES = 36
# How many of the turns that are thought about for long are seen.
SEEN = 0.2
Arrivals = dict[str, list[tuple[str, str, datetime]]]
Onlookers = dict[str, list["Onlooker"]]


class MailServer(Controller):
    """Takes every mail; `arrived` has, by cause, whom it went to, its Message-ID and when it was begun."""

    def __init__(self) -> None:
        self.arrived: Arrivals = defaultdict(list)
        self.mails: list[tuple[str, str, datetime]] = []
        super().__init__(self, hostname="127.0.0.1", port=0)

    def _trigger_server(self) -> None:
        self.port = self.server.sockets[0].getsockname()[1]  # type: ignore[union-attr]
        super()._trigger_server()  # type: ignore[no-untyped-call]

    async def handle_MAIL(  # noqa: N802
        self,
        server: Any,  # noqa: ARG002
        session: Any,
        envelope: Any,
        address: str,
        options: list[str],  # noqa: ARG002
    ) -> str:
        session.begun = datetime.now(UTC)
        envelope.mail_from = address
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: ARG002, N802
        message = email.message_from_bytes(envelope.content, policy=default)
        address, name = envelope.rcpt_tos[0], str(message["Message-ID"])
        self.mails.append((address, name, datetime.now(UTC)))
        for cause in message.get_all("X-Trey-Cause", []):
            self.arrived[str(cause)].append((address, name, session.begun))
        return "250 OK"


class Receiver:
    """Answers 204 to every webhook; `arrived` has, by cause, the path, the webhook-id and when, as `posts` in a row."""

    def __init__(self) -> None:
        self.arrived: Arrivals = defaultdict(list)
        self.posts: list[tuple[str, str, datetime]] = []
        arrived, posts = self.arrived, self.posts

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                posts.append((self.path, self.headers["webhook-id"], datetime.now(UTC)))
                arrived[body["data"]["cause"]].append(posts[-1])
                self.send_response(204)
                self.end_headers()

            def log_message(self, *arguments: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, daemon=True).start()


def people(count: int) -> list[Any]:
    """So many accounts with verified addresses."""
    from allauth.account.models import EmailAddress

    from core.accounts.models import Player

    mark = uuid4().hex[:8]
    players = Player.objects.bulk_create([Player(username=f"p{mark}-{number}") for number in range(count)])
    EmailAddress.objects.bulk_create(
        [EmailAddress(user=one, email=f"{one.pk.hex}@example.org", verified=True, primary=True) for one in players]
    )
    return players


def tell_by_both(players: Sequence[UUID], receiver: Receiver) -> None:
    """Give each player a webhook, and have every turn mailed although it is there."""
    from core import vault
    from core.notifications import endpoints
    from core.notifications.kinds import HOOK_TYPES
    from core.notifications.models import Hook, Inbox

    chosen = {"matrix": {"turn": {"mail": True}, "reminder": {"mail": False}}}
    now, host = datetime.now(UTC), "127.0.0.1"
    Inbox.objects.bulk_create([Inbox(player_id=one, choices=chosen) for one in players], batch_size=1000)
    rows = (
        Hook(
            player_id=one,
            url=vault.seal(f"http://{host}:{receiver.port}/{one.hex}"),
            host=host,
            secret=vault.seal(endpoints.new_secret()),
            types=list(HOOK_TYPES),
            created_at=now,
        )
        for one in players
    )
    Hook.objects.bulk_create(rows, batch_size=1000)


class Onlooker:
    """Somebody who watches a game, and comes back after the last event that came; `got` has their versions."""

    def __init__(self, url: str, token: str, after: int) -> None:
        self.begun = after
        self.got: list[int] = []
        self._url, self._headers = url, {"Authorization": f"Bearer {token}"}
        threading.Thread(target=self._watch, daemon=True).start()

    def until(self, version: int, seconds: float) -> list[int]:
        """What came, once the stream has had time to come to this version."""
        ends = time.monotonic() + seconds
        while self._last() < version and time.monotonic() < ends:
            time.sleep(0.05)
        return list(self.got)

    def _last(self) -> int:
        return self.got[-1] if self.got else self.begun

    def _watch(self) -> None:
        while True:
            try:
                with urlopen(Request(f"{self._url}?after={self._last()}", headers=self._headers), timeout=30) as stream:
                    self._read(stream)
            except (OSError, HTTPException):
                # It is away.
                pass
            time.sleep(0.2)

    def _read(self, stream: Iterable[bytes]) -> None:
        for line in stream:
            if line.startswith(b"id: "):
                self.got.append(int(line[4:]))


@dataclass
class Run:
    """What has happened: the games, who watched them, and which turns were seen when."""

    games: list[str] = field(default_factory=list)
    onlookers: Onlookers = field(default_factory=dict)
    seen: dict[str, datetime] = field(default_factory=dict)

    def play(self, service: Service, pairs: Iterable[Sequence[tuple[Any, str]]], rng: random.Random) -> None:
        """Two players after two others play a game, and watch it, until the run is over."""
        for owned in pairs:
            room = service.surely("POST", "games", {"game": "threes", "seats": 2}, token=owned[0][1])
            if room is None:
                return
            path = f"games/{room['id']}"
            self.games.append(room["id"])
            self.onlookers[room["id"]] = [Onlooker(room["live_url"], token, room["version"]) for _, token in owned]
            service.surely("POST", f"{path}/join", {}, token=owned[1][1])
            service.surely("POST", f"{path}/start", {}, token=owned[0][1])
            for _ in range(MOVES):
                game = service.surely("GET", path, token=owned[0][1])
                if game is None or game["status"] not in ("setup", "playing"):
                    break
                self._move(service, game, owned[game["to_act"][0]][1], rng)

    def _move(self, service: Service, game: dict[str, Any], token: str, rng: random.Random) -> None:
        path, seat = f"games/{game['id']}", game["to_act"][0]
        legal = service.surely("GET", f"{path}/moves", token=token)
        if game["status"] == "playing":
            # Some turns are played before they can be told, others after a part that died has come back and told them.
            service.stopping.wait(rng.uniform(0, 3))
            if rng.random() < SEEN:
                service.surely("POST", f"{path}/seen", {"version": game["version"]}, token=token)
                if not service.stopping.is_set():
                    self.seen[f"turn:{game['id']}:{seat}:{game['version']}"] = datetime.now(UTC)
            service.stopping.wait(rng.choice((rng.uniform(0, 3), rng.uniform(10, 40))))
        if legal:
            service.surely("POST", f"{path}/moves", legal["moves"][0]["send"], token=token)


def kill(service: Service, deaths: int, rng: random.Random, roads: Collection[Arrivals]) -> None:
    """Kill one of the parts, all its processes, at a random moment after it has come back and something has arrived."""
    arrived = [0 for _ in roads]
    for number in range(deaths):
        name = list(PARTS)[number % len(PARTS)]
        until = time.monotonic() + PATIENCE
        while any(len(road) <= before for road, before in zip(roads, arrived, strict=True)):
            if time.monotonic() > until:
                sys.exit("Nothing arrives any more.")
            time.sleep(0.05)
        arrived = [len(road) for road in roads]
        time.sleep(rng.uniform(*BETWEEN))
        before = _part(service, name)
        for process in [before, *before.children(recursive=True)]:
            try:
                process.kill()
            except psutil.NoSuchProcess:
                continue
        while _part(service, name).pid == before.pid:
            time.sleep(0.05)
        if number % 10 == 9:
            say(f"{number + 1} deaths")


def _part(service: Service, name: str) -> psutil.Process:
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        try:
            return PARTS[name](service)
        except (LookupError, OSError, ValueError, psutil.Error):
            time.sleep(0.05)
    sys.exit(f"{name} does not come back.")


def until_empty(minutes: float = 10) -> None:
    """Wait until nothing to tell is left in the queue, and every follower has caught up."""
    from core import log
    from core.jobs.models import Work

    until = time.monotonic() + 60 * minutes
    while time.monotonic() < until:
        left = Work.objects.filter(kind__startswith="notifications.").count()
        behind = sum(lag.events for lag in log.lags(["telling of games"]))
        if left == behind == 0:
            return
        time.sleep(0.5)
    sys.exit(f"{left} pieces of work and {behind} events are left.")


def turns_of(games: list[str]) -> dict[str, tuple[UUID, bool, datetime | None]]:
    """By the log, each turn: its owner, whether the owner's own move began it, and when it ended."""
    from core import log
    from games.projections.snapshot import evolve

    found: dict[str, tuple[UUID, bool, datetime | None]] = {}
    for game in games:
        snapshot, running = None, dict[str, UUID]()
        for event in log.read(f"game-{game}"):
            snapshot = evolve(snapshot, event)
            hand = event.actor.id if event.actor is not None else None
            now = {
                f"turn:{game}:{index}:{seat.duty.turn}": seat.player
                for index, seat in enumerate(snapshot.players)
                if seat.duty is not None and seat.player is not None and seat.bot is None
            }
            for name in running.keys() - now.keys():
                found[name] = (*found[name][:2], event.recorded_at)
            for name, owner in now.items():
                found.setdefault(name, (owner, hand == str(owner), None))
            running = now
    return found


def missed(onlookers: Onlookers) -> list[str]:
    """What is wrong with the streams of games, by the log."""
    from core import log

    wrong = []
    for game, watching in onlookers.items():
        last = max(event.version for event in log.read(f"game-{game}"))
        came = [(one.begun, one.until(last, PATIENCE / 10)) for one in watching]
        wrong += [
            f"a stream of {game} sent {len(got)} events after {begun}, not all up to {last} once"
            for begun, got in came
            if got != list(range(begun + 1, last + 1))
        ]
    return wrong


def judged(run: Run, roads: dict[str, Arrivals]) -> bool:
    """Compare what arrived with the log; print what is wrong and the figures."""
    from core.notifications.models import Delivery, Notification

    turns = turns_of(run.games)
    told = {one.cause: one for one in Notification.objects.filter(kind="turn", subject_id__in=run.games)}
    wrong = [f"{name} is not in the list" for name in turns if name not in told]
    wrong += [f"{name} is no turn of the log" for name in told if name not in turns]
    wrong += missed(run.onlookers)
    fates = defaultdict(list)
    for row in Delivery.objects.filter(notification__kind="turn").select_related("notification"):
        fates[row.notification.cause, row.channel].append((row.state, row.reason))
    figures = []
    for road, arrived in roads.items():
        doubles = late = none = 0
        for name, (_, own, ended) in turns.items():
            came = arrived.get(name, [])
            states = fates[name, road]
            if any(state in ("held", "failed", "given_up") for state, _ in states):
                wrong.append(f"{name} is {states} by {road}")
            went = any(state == "sent" or reason == "bundled" for state, reason in states)
            if went and not came:
                wrong.append(f"{name} never came by {road}")
            if own and came:
                wrong.append(f"{name}, begun by its owner's own move, came by {road}")
            if len({name for _, name, _ in came}) > 1:
                wrong.append(f"{name} came under {len({name for _, name, _ in came})} ids by {road}")
            doubles += max(0, len(came) - 1)
            none += any(reason in ("played", "seen") for _, reason in states) and not own
            over = min(filter(None, (ended, run.seen.get(name))), default=None)
            late += sum(1 for *_, at in came if over is not None and at > over + LATE)
        if late:
            wrong.append(f"{late} came by {road} more than {LATE.seconds} s after they were played or seen")
        figures.append(
            f"{sum(name in arrived for name in turns)} by {road} ({doubles} doubles of the same id; "
            f"{none} were played or seen before)"
        )
    for line in wrong[:20]:
        say(f"WRONG: {line}")
    events = sum(len(one.got) for each in run.onlookers.values() for one in each)
    say(f"{events} events by {2 * len(run.onlookers)} streams")
    say(
        f"{len(turns)} turns in {len(run.games)} games, {len(run.seen)} seen; arrived: {', '.join(figures)}; "
        f"wrong: {len(wrong)}"
    )
    return not wrong


def burst(count: int, seconds: int, server: MailServer, receiver: Receiver) -> bool:
    """Have a turn begin in so many games within so many seconds; whether each was told once by each, and how late."""
    from benchmarks.filling import Burst
    from core import log
    from core.notifications.models import Notification

    turns = Burst([one.pk for one in people(2 * count)])
    tell_by_both(turns.awaited, receiver)
    say(f"burst: {count} games are there")
    until_empty()
    mails, posts, begun = len(server.mails), len(receiver.posts), time.monotonic()
    at: dict[UUID, datetime] = {}
    for second in range(seconds):
        start, upto = count * second // seconds, count * (second + 1) // seconds
        when = turns.begin(start, upto)
        at |= dict.fromkeys(turns.awaited[start:upto], when)
        time.sleep(max(0.0, begun + second + 1 - time.monotonic()))
    moved = time.monotonic() - begun
    while sum(lag.events for lag in log.lags(["telling of games"])):
        time.sleep(0.2)
    told = time.monotonic() - begun
    until_empty(30)
    took = time.monotonic() - begun
    listed = Notification.objects.filter(player__in=turns.awaited, version=turns.version).count()
    say(
        f"burst: {count} turns in {moved:.0f} s, told after {told:.0f} s, all sent after {took:.0f} s; "
        f"{listed} listed; load {os.getloadavg()[0]:.1f}"
    )
    good = listed == count
    for road, got, grace in (
        ("mail", server.mails[mails:], float(os.environ["TREY_MAIL_GRACE"])),
        ("webhook", receiver.posts[posts:], 0.0),
    ):
        late = sorted((when - at[UUID(to.strip("/")[:32])]).total_seconds() - grace for to, _, when in got)
        reached = {to for to, *_ in got}
        say(
            f"burst by {road}: {len(got)} to {len(reached)} players; doubles: {len(got) - len(reached)}, forgotten: "
            f"{count - len(reached)}; delay: {late[len(late) // 2]:.1f} s (median), "
            f"{late[len(late) * 95 // 100]:.1f} s (95 %), {late[-1]:.1f} s (most)"
        )
        good = good and len(got) == len(reached) == count
    return good


def main() -> None:
    """Start the service, kill, judge, and remove everything."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deaths", type=int, default=100)
    parser.add_argument("--tables", type=int, default=12)
    parser.add_argument("--burst", type=int, default=10_000)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--port", type=int, default=8071)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    server, receiver = MailServer(), Receiver()
    server.start()
    os.environ |= {
        "TREY_MAIL_URL": f"smtp://127.0.0.1:{server.port}", "TREY_MAIL_GRACE": "2", "TREY_HOOKS_LOCAL": "1",
        "TREY_RETRIES": "1,5,600",
    }  # fmt: skip
    run, roads = Run(), {"mail": server.arrived, "webhook": receiver.arrived}
    with served(options.port) as service:
        from django.db import connection

        from core.accounts.login import tokens

        # A game takes far longer than ten deaths.
        each = 1 + options.deaths // 10
        players = people(2 * each * options.tables)
        tell_by_both([one.pk for one in players], receiver)
        owned = [(one, tokens.issue(one)[0]) for one in players]
        pairs = list(zip(owned[::2], owned[1::2], strict=True))
        tables = [
            threading.Thread(
                target=run.play, args=(service, pairs[at :: options.tables], random.Random(at)), daemon=True
            )
            for at in range(options.tables)
        ]
        for table in tables:
            table.start()
        begun = time.monotonic()
        kill(service, options.deaths, rng, list(roads.values()))
        say(f"{options.deaths} deaths in {time.monotonic() - begun:.0f} s; load {os.getloadavg()[0]:.1f}")
        service.stopping.set()
        for table in tables:
            table.join()
        if not wait_until_well(service):
            sys.exit("The service does not come back.")
        # That to the PostgreSQL that was killed.
        connection.close()
        until_empty()
        good = judged(run, roads)
        good = (not options.burst or burst(options.burst, options.seconds, server, receiver)) and good
    server.stop()
    sys.exit(not good)


if __name__ == "__main__":
    main()
