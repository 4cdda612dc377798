"""`make setup`: install the packages of a lock, and show the progress. It imports only the standard library."""

import argparse
import os
import re
import subprocess
import sys
import time
from collections import deque
from importlib.util import find_spec
from pathlib import Path

# Without a terminal that shows a running count, a line of progress is written after this many packages.
_EVERY = 10
_LAST_LINES = 15
# What pip prints for a package that it downloads, has in a folder of wheels, or finds installed.
_FOUND = re.compile(r"(?:Collecting |Processing (?:.*/)?|Requirement already satisfied: )([A-Za-z0-9._]+)")


def main() -> None:
    """Make the environment if it is missing, and install. If that is impossible, exit with a sentence and status 1."""
    parser = argparse.ArgumentParser(description="Install a lock into a virtual environment.")
    parser.add_argument("--venv", type=Path, required=True, help="the folder of the environment")
    parser.add_argument("--what", required=True, help="what is installed, for people")
    parser.add_argument("--takes", required=True, help="how long it takes and how much space, for people")
    parser.add_argument("lock", type=Path, help="the file of requirements with their hashes")
    options = parser.parse_args()
    begun = time.monotonic()
    try:
        _say(f"Installing {options.what} into {options.venv}. {options.takes}")
        _make_environment(options.venv)
        count = _install(options.venv, options.lock)
        _say(f"Installed {count} packages in {time.monotonic() - begun:.0f} seconds.")
    except KeyboardInterrupt:
        sys.exit("trey: the installation was interrupted. The same command continues it.")


def _make_environment(venv: Path) -> None:
    if (venv / "bin" / "python").exists():
        return
    if find_spec("ensurepip") is None:
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        sys.exit(
            f"trey: {sys.executable} has no venv, which Debian and Ubuntu keep in a package of its own. "
            f"Install it: apt install python{version}-venv"
        )
    try:
        venv.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        sys.exit(
            f"trey: the environment cannot be made at {venv.absolute()} ({error.strerror}). "
            "Name another place: make VENV=/path/to/an/environment"
        )
    made = subprocess.run([sys.executable, "-m", "venv", venv], capture_output=True, text=True, check=False)  # noqa: S603
    if made.returncode != 0:
        # A part of it may exist already.
        (venv / "bin" / "python").unlink(missing_ok=True)
        print((made.stdout + made.stderr).strip(), file=sys.stderr)  # noqa: T201
        sys.exit(f"trey: {sys.executable} cannot make the environment {venv}. The lines above say why.")


def _install(venv: Path, lock: Path) -> int:
    """Return how many packages the lock has for this platform."""
    total = len(re.findall(r"^\S+==", lock.read_text(encoding="utf-8"), re.MULTILINE))
    pip = subprocess.Popen(  # noqa: S603
        [
            venv / "bin" / "python", "-m", "pip", "install", "--disable-pip-version-check", "--no-input",
            "--progress-bar", "off", "--no-compile", "--require-hashes", "--requirement", lock,
        ],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
    )  # fmt: skip
    found, last = 0, deque[str](maxlen=_LAST_LINES)
    for line in pip.stdout or ():
        last.append(line.rstrip())
        if line.startswith("Ignoring "):
            total -= 1
        elif named := _FOUND.match(line):
            found += 1
            _show_progress(found, total, named[1])
        elif line.startswith("Installing collected packages"):
            _say("Unpacking ...")
    if pip.wait() != 0:
        print("\n".join(last), file=sys.stderr)  # noqa: T201
        sys.exit(f"trey: what {lock} names could not be installed. The lines above say why.")
    # pip would compile on one processor. Files that some packages have for other Pythons do not compile, and are not
    # needed.
    subprocess.run([venv / "bin" / "python", "-m", "compileall", "-qq", "-j", "0", venv / "lib"], check=False)  # noqa: S603
    return found


def _show_progress(found: int, total: int, name: str) -> None:
    if sys.stdout.isatty():
        _say(f"\r  {found} of {total}: {name:<40}", end="\n" if found == total else "")
    elif found % _EVERY == 0 or found == total:
        _say(f"  {found} of {total}")


def _say(text: str, end: str = "\n") -> None:
    try:
        print(text, end=end, flush=True)  # noqa: T201
    except BrokenPipeError:
        # Nobody reads the output. The installation goes on.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


if __name__ == "__main__":
    main()
