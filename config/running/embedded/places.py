"""The folders of the embedded servers, the user they run as, and the processes found there.

They are in a folder of the state directory, one for each profile. `TREY_STATE_DIR` names that directory. By default it
is `var/` of the checkout. PostgreSQL refuses to run as root, so for root both servers run as an unprivileged user, who
may not reach the checkout: they have a copy of their binaries, and a folder of /var/lib/trey. `var/state` of the
checkout names it, so a checkout that is moved keeps its data. The mode of other people's folders is never changed.
"""

import errno
import fcntl
import hashlib
import os
import pwd
import signal
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from config import environment
from config.environment import StartupError

if TYPE_CHECKING:
    from psutil import Process

UNPRIVILEGED = "nobody"
# The path of a socket has 107 bytes on Linux and 103 on macOS, `/.s.PGSQL.5432` included.
_SOCKET_FOLDER_LIMIT = 80
CHECKOUT = Path(__file__).resolve().parent.parent.parent.parent
_ROOTS = Path("/var/lib/trey")
# Seconds within which a killed process must be gone.
_DYING = 5.0
# Files in the checkout and in root's state directory: each names the other.
_NAMES_STATE = Path("var/state")
_NAMES_CHECKOUT = "checkout"


@dataclass(frozen=True)
class Place:
    profile: str
    root: Path
    sockets: Path
    user: str | None
    """The user the servers run as; None is the current user."""

    @property
    def postgres(self) -> Path:
        return self.root / "postgres"

    @property
    def redis(self) -> Path:
        return self.root / "redis"

    @property
    def binaries(self) -> Path:
        return self.root.parent / "bin"


def place(profile: str) -> Place:
    """The folders of a profile. They may not exist yet."""
    root = directory() / profile
    sockets = root / "sockets"
    if _too_long(sockets):
        # Without a folder for temporary files, `prepare` refuses the long path.
        with suppress(FileNotFoundError):
            sockets = Path(tempfile.gettempdir()) / f"trey-{_digest(str(root))}"
    return Place(profile, root, sockets, UNPRIVILEGED if is_root() else None)


def make_root(at: Place) -> None:
    try:
        at.root.mkdir(parents=True, exist_ok=True, mode=0o755)
        (at.root / "change.lock").touch(mode=0o600)
        if not os.access(at.root, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(at.root))
        claim(at.root.parent)
    except OSError as error:
        raise _unwritable(error) from None


def prepare(at: Place) -> None:
    """Create the folders. Raises `StartupError` if the servers' user cannot write where it must."""
    if os.name != "posix":
        raise StartupError(
            "The embedded servers run on Linux and macOS. Set DATABASE_URL and REDIS_URL, or use WSL on Windows."
        )
    if _too_long(at.sockets):
        raise StartupError(
            f"The path {at.sockets} is too long for the sockets of PostgreSQL and Redis. "
            "Set TREY_STATE_DIR to a directory with a short path."
        )
    make_root(at)
    try:
        for folder in (at.postgres, at.redis, at.sockets):
            folder.mkdir(exist_ok=True, mode=0o700)
            if folder.stat().st_uid != owner(at):
                os.chown(folder, owner(at), -1)
    except OSError as error:
        raise _unwritable(error) from None
    if at.user is not None and not _reachable(at):
        raise StartupError(
            f"Root's PostgreSQL runs as the user {at.user}, who cannot reach the state directory {directory()}. "
            "Set TREY_STATE_DIR to one that all users can enter."
        )


def copied(copy: Path, what: str, fill: Callable[[Path], object]) -> Path:
    """Return the copy of a server's binaries. The profiles share it, and the first that needs it makes it. Atomic."""
    if copy.exists():
        return copy
    try:
        copy.parent.mkdir(exist_ok=True, mode=0o755)
        with (copy.parent / "copy.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not copy.exists():
                unfinished = copy.with_name(f"{copy.name}.unfinished")
                fill(unfinished)
                unfinished.rename(copy)
    except OSError as error:
        raise StartupError(f"{what} cannot be copied to {copy.parent}: {error.strerror}.") from None
    return copy


def owner(at: Place) -> int:
    if at.user is None:
        return os.getuid()
    try:
        return pwd.getpwnam(at.user).pw_uid
    except KeyError:
        raise StartupError(
            f"PostgreSQL does not run as root, and there is no user {at.user} to run it as. "
            "Start Trey as an ordinary user, or set DATABASE_URL."
        ) from None


def run(at: Place, argv: Sequence[str | Path]) -> subprocess.CompletedProcess[str]:
    """Run a tool of a server as the servers' user. Standard output holds standard error too."""
    log = at.root / "tools.log"
    # Not a pipe, which pg_ctl's child would keep open.
    with log.open("w+", encoding="utf-8", errors="replace") as output:
        try:
            done = subprocess.run(  # noqa: S603  our own commands
                [str(part) for part in argv],
                cwd=at.postgres,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                # Not in our process group, where Ctrl-C would end it, too.
                start_new_session=True,
                user=None if at.user is None else owner(at),
                group=None if at.user is None else pwd.getpwnam(at.user).pw_gid,
                extra_groups=None if at.user is None else [],
                env={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C", "TZ": "UTC"},
                check=False,
            )
        except PermissionError:
            raise StartupError(
                f"The embedded servers cannot run as the user {at.user or 'who started this'} here ({argv[0]}). "
                "Set DATABASE_URL and REDIS_URL to servers of your own."
            ) from None
        except OSError as error:
            raise StartupError(f"{argv[0]} does not run on this machine: {error.strerror}.") from None
        output.seek(0)
        return subprocess.CompletedProcess(done.args, done.returncode, output.read(), None)


def processes_in(folder: Path, name: str | None = None) -> "list[Process]":
    """The processes, with this name or any, whose working directory is the folder."""
    # Installed along with the embedded servers only.
    import psutil

    found, at = [], str(folder.resolve())
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if name in (None, process.name()) and process.cwd() == at:
                found.append(process)
    return found


def is_alive(folder: Path, file: str) -> bool:
    """Return whether the process whose number is in the file of the folder runs there, even if it hangs."""
    import psutil

    with suppress(OSError, ValueError, IndexError, psutil.Error):
        number = int((folder / file).read_text(encoding="ascii").split()[0])
        where: str = psutil.Process(number).cwd()
        return where == str(folder.resolve())
    return False


def resume(processes: "Sequence[Process]") -> None:
    for process in processes:
        _send(process, signal.SIGCONT)


def end(processes: "Sequence[Process]", patience: float) -> None:
    """Resume them, wait this many seconds for them to end on their own, then kill what is left."""
    if not processes:
        return
    import psutil

    resume(processes)
    _, left = psutil.wait_procs(processes, patience)
    for process in left:
        _send(process, signal.SIGKILL)
    psutil.wait_procs(left, _DYING)


def _send(process: "Process", number: signal.Signals) -> None:
    import psutil

    with suppress(psutil.NoSuchProcess):
        process.send_signal(number)


def reason(folder: Path, output: str) -> str:
    """The last line that says why a server does not start, of what it printed or of its log in a folder."""
    log = folder / "server.log"
    logged = log.read_text(encoding="utf-8", errors="replace").splitlines()[-20:] if log.exists() else []
    lines = [line.strip() for line in (*logged, *output.splitlines()) if line.strip()]
    fatal = [line for line in lines if "FATAL" in line or "PANIC" in line]
    return f"{[*lines, *fatal][-1]} (see {log})" if lines else "it gave no reason"


def _too_long(sockets: Path) -> bool:
    return len(os.fsencode(sockets)) > _SOCKET_FOLDER_LIMIT


def _unwritable(error: OSError) -> StartupError:
    return StartupError(
        f"The state directory {directory()} is not writable ({error.strerror}: {error.filename}). "
        "Set TREY_STATE_DIR to another one."
    )


def _reachable(at: Place) -> bool:
    writable = 'cd "$1" && test -w . && cd "$2" && test -w .'
    return run(at, ["/bin/sh", "-c", writable, "sh", at.postgres, at.sockets]).returncode == 0


def directory() -> Path:
    """The state directory. It may not exist yet."""
    chosen = environment.text("TREY_STATE_DIR")
    if chosen:
        return Path(chosen).expanduser().absolute()
    return _roots_directory() if is_root() else CHECKOUT / "var"


def claim(directory: Path) -> None:
    """Record which checkout root's directory belongs to, and the other way round.

    Raises OSError, and StartupError if it belongs to the checkout of which this one is a copy.
    """
    if environment.text("TREY_STATE_DIR") or not is_root() or _ROOTS not in directory.parents:
        return
    owner = _path_in(directory / _NAMES_CHECKOUT)
    # After a move nothing is left at the old path; after a copy both exist.
    if owner is not None and owner != CHECKOUT and _path_in(owner / _NAMES_STATE) == directory:
        raise StartupError(
            f"The data in {directory} belongs to {owner}, and this checkout is a copy of it. "
            f"Remove {CHECKOUT / _NAMES_STATE} to start with empty data, or set TREY_STATE_DIR."
        )
    _write(directory / _NAMES_CHECKOUT, CHECKOUT)
    # A checkout that cannot be written to finds its directory by its path.
    with suppress(OSError):
        (CHECKOUT / _NAMES_STATE).parent.mkdir(exist_ok=True)
        _write(CHECKOUT / _NAMES_STATE, directory)


def is_root() -> bool:
    return os.name == "posix" and os.geteuid() == 0


def _roots_directory() -> Path:
    named = _path_in(CHECKOUT / _NAMES_STATE)
    if named is not None:
        return named
    return _ROOTS / _digest(f"{CHECKOUT}:{CHECKOUT.stat().st_ino}")


def _path_in(file: Path) -> Path | None:
    try:
        return Path(file.read_text(encoding="utf-8").strip())
    except OSError:
        return None


def _write(file: Path, path: Path) -> None:
    """Replace the file, so that another process never reads half of it."""
    if _path_in(file) != path:
        unfinished = file.with_name(f"{file.name}.{os.getpid()}")
        unfinished.write_text(f"{path}\n", encoding="utf-8")
        unfinished.replace(file)


def _digest(text: str) -> str:
    return hashlib.sha256(os.fsencode(text)).hexdigest()[:12]
