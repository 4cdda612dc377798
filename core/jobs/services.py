"""The public functions of the queue; the package's docstring explains how it works."""

from core.jobs.handlers import Do, GaveUp, Job, Later, Outbound, Retries, Wait, kinds, local, outbound
from core.jobs.queue import Figures, drop, figures, find, give_again, put, put_all, wait_for
from core.jobs.running import Deliverer, Done, do, do_all
