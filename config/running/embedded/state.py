"""The state directory, for everything that is kept between runs. `TREY_STATE_DIR` names it.

By default it is `var/` of the checkout. Root's servers run as an unprivileged user who may not reach that, so root has
a folder of /var/lib/trey. `var/state` of the checkout names it, so a checkout that is moved keeps its data.
"""

import hashlib
import os
from contextlib import suppress
from pathlib import Path

from config import environment
from config.errors import StartupError

CHECKOUT = Path(__file__).resolve().parent.parent.parent.parent
_ROOTS = Path("/var/lib/trey")
# Files in the checkout and in root's state directory: each names the other.
_NAMES_STATE = Path("var/state")
_NAMES_CHECKOUT = "checkout"


def directory() -> Path:
    """The state directory. It may not exist yet."""
    chosen = environment.text("TREY_STATE_DIR")
    if chosen:
        return Path(chosen).expanduser().absolute()
    return _roots_directory() if is_root() else CHECKOUT / "var"


def claim(directory: Path) -> None:
    """Record which checkout root's directory belongs to, and the other way round.

    Raises:
        StartupError: the directory belongs to the checkout of which this one is a copy.
        OSError: it cannot be written to.
    """
    if environment.text("TREY_STATE_DIR") or not is_root() or _ROOTS not in directory.parents:
        return
    owner = _path_in(directory / _NAMES_CHECKOUT)
    # After a move nothing is left at the old path; after a copy both exist.
    if owner is not None and owner != CHECKOUT and _path_in(owner / _NAMES_STATE) == directory:
        raise StartupError(
            f"The data in {directory} belongs to {owner}, of which this checkout is a copy. "
            f"Remove {CHECKOUT / _NAMES_STATE} to start with empty data, or set TREY_STATE_DIR."
        )
    _write(directory / _NAMES_CHECKOUT, CHECKOUT)
    # A checkout that cannot be written to finds its directory by its path.
    with suppress(OSError):
        (CHECKOUT / _NAMES_STATE).parent.mkdir(exist_ok=True)
        _write(CHECKOUT / _NAMES_STATE, directory)


def is_root() -> bool:
    """Return whether the current user is root."""
    return os.name == "posix" and os.geteuid() == 0


def _roots_directory() -> Path:
    """Root's state directory: the one that the checkout names, else a new one that only this checkout gets."""
    named = _path_in(CHECKOUT / _NAMES_STATE)
    if named is not None:
        return named
    # Earlier versions named it after the path and did not record it.
    old = _ROOTS / _digest(str(CHECKOUT))
    if old.is_dir() and _path_in(old / _NAMES_CHECKOUT) in (None, CHECKOUT):
        return old
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
