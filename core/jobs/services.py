"""The public functions of the queue; the package's docstring explains how it works."""

from core.jobs.queue import (
    Do,
    Figures,
    GaveUp,
    Job,
    Later,
    Outbound,
    Retries,
    Wait,
    drop,
    figures,
    find,
    give_again,
    kinds,
    local,
    outbound,
    put,
    put_all,
    wait_for,
)
from core.jobs.running import Deliverer, Done, do, do_all
