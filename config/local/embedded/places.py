"""Where the embedded servers live, and as whom they run.

Not root: in `var/` of the checkout, as the user. Root: PostgreSQL refuses to run as root, so both servers run as an
unprivileged user, in a state directory of ours with a copy of their binaries; no folder that is not ours ever has its
mode changed. `TREY_STATE_DIR` names another place.
"""

import hashlib
import os
import pwd
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from config import environment
from config.errors import StartupError

CHECKOUT = Path(__file__).resolve().parent.parent.parent
UNPRIVILEGED = "nobody"
# A socket's path has room for 107 bytes on Linux and 103 on macOS; `/.s.PGSQL.5432` and the like come on top.
_SOCKET_FOLDER_LIMIT = 80


@dataclass(frozen=True)
class Place:
    """The folders of one profile's servers."""

    profile: str
    root: Path
    sockets: Path
    user: str | None
    """The user the servers run as; None for the one who starts them."""

    @property
    def postgres(self) -> Path:
        """PostgreSQL's data."""
        return self.root / "postgres"

    @property
    def redis(self) -> Path:
        """Redis's working folder."""
        return self.root / "redis"

    @property
    def binaries(self) -> Path:
        """Copies of the servers' binaries, where the unprivileged user can read them."""
        return self.root.parent / "bin"


def state_directory() -> Path:
    """The folder for everything that lasts, outside the repository's own files."""
    chosen = environment.text("TREY_STATE_DIR")
    if chosen:
        return Path(chosen).expanduser().absolute()
    if _is_root():
        return Path("/var/lib/trey") / _name_of_checkout()
    return CHECKOUT / "var"


def place(profile: str) -> Place:
    """The folders of a profile; nothing is made yet."""
    root = state_directory() / profile
    sockets = root / "sockets"
    if len(os.fsencode(sockets)) > _SOCKET_FOLDER_LIMIT:
        short = hashlib.sha256(os.fsencode(root)).hexdigest()[:12]
        sockets = Path(tempfile.gettempdir()) / f"trey-{short}"
    return Place(profile, root, sockets, UNPRIVILEGED if _is_root() else None)


def make_root(at: Place) -> None:
    """Make the profile's folder, in which the user who starts Trey can write; raises `StartupError` when not."""
    try:
        at.root.mkdir(parents=True, exist_ok=True, mode=0o755)
        (at.root / "door.lock").touch(mode=0o600)
    except OSError as error:
        raise _unwritable(error) from None


def prepare(at: Place) -> None:
    """Make the folders, and see that the servers' user can write where it must; raises `StartupError` when not."""
    if os.name != "posix":
        raise StartupError(
            "The embedded servers run on Linux and macOS; here set DATABASE_URL and REDIS_URL, or use Windows' WSL."
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
            f"The user {at.user}, as whom PostgreSQL runs when root starts it, cannot reach the state directory "
            f"{state_directory()}; name one that all users can enter with TREY_STATE_DIR."
        )


def owner(at: Place) -> int:
    """The number of the user the servers run as."""
    if at.user is None:
        return os.getuid()
    try:
        return pwd.getpwnam(at.user).pw_uid
    except KeyError:
        raise StartupError(
            f"PostgreSQL does not run as root, and there is no user {at.user} to run it as; "
            "start Trey as an ordinary user, or set DATABASE_URL."
        ) from None


def run(
    at: Place, argv: Sequence[str | Path], environ: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a server's tool to its end as the servers' user; output is kept, standard error within standard output."""
    log = at.root / "tools.log"
    # Not a pipe: pg_ctl's child would hold it open as long as it lives.
    with log.open("w+", encoding="utf-8", errors="replace") as output:
        try:
            done = subprocess.run(  # noqa: S603 - our own command lines
                [str(part) for part in argv],
                cwd=at.postgres,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                user=None if at.user is None else owner(at),
                group=None if at.user is None else pwd.getpwnam(at.user).pw_gid,
                extra_groups=None if at.user is None else [],
                env={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C", "TZ": "UTC", **(environ or {})},
                check=False,
            )
        except PermissionError:
            raise StartupError(
                f"The embedded servers cannot be run as the user {at.user or 'who started this'} here ({argv[0]}); "
                "set DATABASE_URL and REDIS_URL to servers of your own."
            ) from None
        except OSError as error:
            raise StartupError(f"{argv[0]} does not run on this machine: {error.strerror}.") from None
        output.seek(0)
        return subprocess.CompletedProcess(done.args, done.returncode, output.read(), None)


def _unwritable(error: OSError) -> StartupError:
    return StartupError(
        f"The state directory {state_directory()} cannot be written ({error.strerror}: {error.filename}); "
        "name another with TREY_STATE_DIR."
    )


def _reachable(at: Place) -> bool:
    writable = 'cd "$1" && test -w . && cd "$2" && test -w .'
    return run(at, ["/bin/sh", "-c", writable, "sh", at.postgres, at.sockets]).returncode == 0


def _is_root() -> bool:
    return os.name == "posix" and os.geteuid() == 0


def _name_of_checkout() -> str:
    return hashlib.sha256(os.fsencode(CHECKOUT)).hexdigest()[:12]
