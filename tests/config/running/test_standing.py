"""Why a process is silent, of figures and of real processes."""

import os
import signal
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from config.running import standing
from config.running.standing import Look, Why, why

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
SPINS = "print(flush=True)\nwhile True: pass"
SLEEPS = "import time; print(flush=True); time.sleep(600)"


def figures(used=0.0, waited=0.0, pressure: float | None = 0.0, runnable=0):
    """Two looks, ten seconds and a hundred looks apart."""
    first = Look(100.0, 7.0, 3.0, None if pressure is None else 50.0)
    last = Look(110.0, 7.0 + used, 3.0 + waited, None if pressure is None else 50.0 + pressure, 100, runnable)
    return first, last


@pytest.mark.parametrize(
    ("seen", "reason"),
    [
        pytest.param(figures(), Why.STILL, id="stopped on a quiet machine"),
        pytest.param(figures(pressure=10.0), Why.STILL, id="stopped on a machine that is short of processors"),
        pytest.param(figures(used=0.1, waited=0.1, runnable=2), Why.STILL, id="one thread stands, others are idle"),
        pytest.param(figures(waited=9.0, pressure=10.0), Why.STARVED, id="waited nearly all the time"),
        pytest.param(figures(waited=3.0, pressure=None), Why.STARVED, id="a kernel that knows no pressure"),
        pytest.param(figures(runnable=100, pressure=10.0), Why.STARVED, id="waits still: it is not counted yet"),
        pytest.param(figures(waited=1.8, pressure=8.0), Why.STARVED, id="some waiting, and much pressure"),
        pytest.param(figures(waited=1.8, pressure=1.8), Why.STILL, id="some waiting without pressure"),
        pytest.param(figures(used=9.9, runnable=100), Why.AT_WORK, id="computes without a word"),
        pytest.param(figures(used=4.0, waited=5.0, pressure=10.0), Why.STARVED, id="half of what it wants"),
    ],
)
def test_figures_say_why(seen, reason):
    assert why(*seen) is reason


@contextmanager
def process(code, processor=None, idle=False):
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as running:
        try:
            # It has started.
            assert running.stdout is not None
            running.stdout.readline()
            if processor is not None:
                os.sched_setaffinity(running.pid, {processor})
            if idle:
                os.sched_setscheduler(running.pid, os.SCHED_IDLE, os.sched_param(0))
            yield running.pid
        finally:
            running.kill()


def reason_of(pid):
    """Why it is silent, once it is known."""
    silence, until = standing.Silence(pid), time.monotonic() + 30
    while (judged := silence.look()) is None:
        assert time.monotonic() < until
        time.sleep(0.05)
    return judged


def test_a_process_that_was_stopped_stands_still_also_on_a_busy_machine():
    with ExitStack() as held:
        for _ in range(4):
            held.enter_context(process(SPINS, processor=0))
        pid = held.enter_context(process(SPINS, processor=0))
        os.kill(pid, signal.SIGSTOP)
        # The signal, too, waits until the process has a processor.
        os.waitpid(pid, os.WUNTRACED)
        assert reason_of(pid) is Why.STILL


def test_a_process_that_is_asleep_stands_still():
    with process(SLEEPS) as pid:
        while standing._fields(Path(f"/proc/{pid}/stat"))[0] != "S":
            time.sleep(0.01)
        assert reason_of(pid) is Why.STILL


def test_a_process_that_others_leave_no_processor_to_is_starved():
    with ExitStack() as held:
        for _ in range(6):
            held.enter_context(process(SPINS, processor=0))
        pid = held.enter_context(process(SPINS, processor=0, idle=True))
        assert reason_of(pid) is Why.STARVED


def test_of_a_process_that_is_gone_nothing_is_known():
    with process(SLEEPS) as pid:
        pass
    assert reason_of(pid) is Why.STILL
