"""A process that hangs ends itself, and is started again by whoever started it: Docker asks nobody whether it runs."""

import signal
import subprocess
import sys

from config.processes import CHECKOUT

# Within C, holding the lock of the interpreter: no other thread runs.
HANGS = "import ctypes; ctypes.PyDLL(None).sleep(600)"
FORKS = f"import os, sys; child = os.fork(); child or exec({HANGS!r}); sys.exit(os.waitpid(child, 0)[1])"


def ended(program: str) -> int:
    start = "from config import watchdog; watchdog.LONGEST, watchdog.EVERY = 2, 0.2; watchdog.start(); "
    return subprocess.run([sys.executable, "-c", start + program], cwd=CHECKOUT, timeout=120, check=False).returncode


def test_a_process_that_hangs_is_ended() -> None:
    assert ended(HANGS) == -signal.SIGALRM


def test_a_process_that_it_forked_is_ended_too() -> None:
    assert ended(FORKS) == signal.SIGALRM
