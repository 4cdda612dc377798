"""The folders of the embedded servers, and the user they run as.

They are in a folder of the state directory, one for each profile. PostgreSQL refuses to run as root, so for root both
servers run as an unprivileged user, with a copy of their binaries. The mode of other people's folders is never changed.
"""

import errno
import hashlib
import os
import pwd
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from config.errors import StartupError
from config.running.embedded import state

UNPRIVILEGED = "nobody"
# The path of a socket has 107 bytes on Linux and 103 on macOS, `/.s.PGSQL.5432` included.
_SOCKET_FOLDER_LIMIT = 80


@dataclass(frozen=True)
class Place:
    """The folders of one profile's servers."""

    profile: str
    root: Path
    sockets: Path
    user: str | None
    """The user the servers run as; None is the current user."""

    @property
    def postgres(self) -> Path:
        """PostgreSQL's data."""
        return self.root / "postgres"

    @property
    def redis(self) -> Path:
        """Redis's working directory."""
        return self.root / "redis"

    @property
    def binaries(self) -> Path:
        """Copies of the servers' binaries that the unprivileged user can read."""
        return self.root.parent / "bin"


def place(profile: str) -> Place:
    """The folders of a profile. They may not exist yet."""
    root = state.directory() / profile
    sockets = root / "sockets"
    if _too_long(sockets):
        short = hashlib.sha256(os.fsencode(root)).hexdigest()[:12]
        # Without a folder for temporary files, `prepare` refuses the long path.
        with suppress(FileNotFoundError):
            sockets = Path(tempfile.gettempdir()) / f"trey-{short}"
    return Place(profile, root, sockets, UNPRIVILEGED if state.is_root() else None)


def make_root(at: Place) -> None:
    """Create the profile's folder. Raises `StartupError` if the current user cannot write there."""
    try:
        at.root.mkdir(parents=True, exist_ok=True, mode=0o755)
        (at.root / "change.lock").touch(mode=0o600)
        if not os.access(at.root, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(at.root))
        state.claim(at.root.parent)
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
            f"Root's PostgreSQL runs as the user {at.user}, who cannot reach the state directory {state.directory()}. "
            "Set TREY_STATE_DIR to one that all users can enter."
        )


def owner(at: Place) -> int:
    """The id of the user the servers run as."""
    if at.user is None:
        return os.getuid()
    try:
        return pwd.getpwnam(at.user).pw_uid
    except KeyError:
        raise StartupError(
            f"PostgreSQL does not run as root, and there is no user {at.user} to run it as. "
            "Start Trey as an ordinary user, or set DATABASE_URL."
        ) from None


def run(
    at: Place, argv: Sequence[str | Path], environ: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
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
                env={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C", "TZ": "UTC", **(environ or {})},
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


def _too_long(sockets: Path) -> bool:
    return len(os.fsencode(sockets)) > _SOCKET_FOLDER_LIMIT


def _unwritable(error: OSError) -> StartupError:
    return StartupError(
        f"The state directory {state.directory()} is not writable ({error.strerror}: {error.filename}). "
        "Set TREY_STATE_DIR to another one."
    )


def _reachable(at: Place) -> bool:
    writable = 'cd "$1" && test -w . && cd "$2" && test -w .'
    return run(at, ["/bin/sh", "-c", writable, "sh", at.postgres, at.sockets]).returncode == 0
