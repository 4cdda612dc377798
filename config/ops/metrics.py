"""Metrics for Prometheus, summed over all processes of the machine that share PROMETHEUS_MULTIPROC_DIR."""

import platform
from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from typing import Any

import redis
from django.conf import settings
from django.db import DatabaseError
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
    multiprocess,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from config.ops.models import BACKUP, HEADS, Upkeep
from core import clock, log
from core.jobs import services as work
from core.live import streams as live_streams
from core.notifications.selectors import outcomes
from games.selectors import clock_status
from games.services.outages import SWEEPER, WEB

REQUESTS = Counter("trey_http_requests", "HTTP requests.", ["method", "view", "status"])
SECONDS = Histogram(
    "trey_http_request_seconds",
    "Time until the response.",
    ["method", "view"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
)
# Not by view: an alarm on a rise needs a series from before its first event, and few views have failed before.
FAILURES = Counter("trey_http_failures", "Responses with the status 500 or 503.", ["status"])
FAILED = (500, 503)
BUILD = Gauge(
    "trey_build_info", "Always 1. The labels give the version.", ["version", "python"], multiprocess_mode="max"
)


def count(method: str, view: str, status: int, seconds: float) -> None:
    REQUESTS.labels(method, view, status).inc()
    SECONDS.labels(method, view).observe(seconds)
    count_failure(status)


def count_failure(status: int) -> None:
    """Count a response if its status is one of a failure, also one that the gateway gives itself."""
    if status in FAILED:
        FAILURES.labels(status).inc()


def start_at_zero() -> None:
    """Create the counters that alarms watch, before there is anything to count. Every web process calls it once."""
    for status in FAILED:
        FAILURES.labels(status)


def exposition() -> tuple[bytes, str]:
    BUILD.labels(settings.TREY_VERSION, platform.python_version()).set(1)
    registry: CollectorRegistry = REGISTRY
    if settings.PROMETHEUS_MULTIPROC_DIR:
        registry = CollectorRegistry()
        multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    on_demand = CollectorRegistry()
    for read in (_clocks, _followers, _jobs, _queue, _deliveries, _live_streams):
        on_demand.register(OnDemand(read))
    return generate_latest(registry) + generate_latest(on_demand), CONTENT_TYPE_LATEST


class OnDemand(Collector):
    """Metrics that are read for each scrape; none while their store does not respond."""

    def __init__(self, read: Callable[[], Iterator[Metric]]) -> None:
        self._read = read

    def collect(self) -> list[Metric]:
        try:
            return list(self._read())
        except (DatabaseError, redis.RedisError):
            return []

    def describe(self) -> list[Metric]:
        """Return nothing: registering must not ask the store."""
        return []


def _gauge(
    name: str, text: str, label: str, rows: Mapping[str, Any], figure: Callable[[Any], float] = float
) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, text, labels=[label])
    for key, row in rows.items():
        family.add_metric([key], float(figure(row)))
    return family


def _clocks() -> Iterator[Metric]:
    status = clock_status()
    yield GaugeMetricFamily("trey_turns_due", "Turns past their deadline that are waiting for the sweep.", status.due)
    yield GaugeMetricFamily(
        "trey_turns_oldest_overdue_seconds",
        "How long the oldest overdue turn has waited.",
        status.oldest_overdue.total_seconds(),
    )
    ages = {part: (status.age(part) or timedelta()).total_seconds() for part in sorted(status.heartbeats)}
    text = "Time since a part's last heartbeat (the sweeper: its last sweep)."
    yield _gauge("trey_heartbeat_age_seconds", text, "part", ages)
    outages = CounterMetricFamily("trey_outages", "Recorded outages.", labels=["part"])
    for part, number in sorted((dict.fromkeys((WEB, SWEEPER), 0) | status.outages).items()):
        outages.add_metric([part], number)
    yield outages


def _followers() -> Iterator[Metric]:
    now = clock.now()
    lags = {lag.subscriber: lag for lag in log.lags([subscriber.name for subscriber in log.subscribers()])}
    for name, text, figure in (
        ("lag_events", "Events that a subscriber has not passed yet.", lambda lag: lag.events),
        ("lag_seconds", "How long the oldest of them has waited.", lambda lag: lag.age(now).total_seconds()),
        ("stuck_buckets", "Buckets held up by an event that fails.", lambda lag: lag.stuck),
    ):
        yield _gauge(f"trey_subscriber_{name}", text, "subscriber", lags, figure)


def _queue() -> Iterator[Metric]:
    rows = {row.kind: row for row in work.figures()}
    for name, text, figure in (
        ("waiting", "Tasks in the queue.", lambda row: row.waiting),
        ("due", "Tasks that are due.", lambda row: row.due),
        (
            "oldest_seconds",
            "How long the oldest due task has waited.",
            lambda row: row.oldest.total_seconds(),
        ),
        ("retrying", "Failed tasks that will be retried.", lambda row: row.retrying),
        ("given_up", "Tasks that will not be retried.", lambda row: row.given_up),
    ):
        yield _gauge(f"trey_work_{name}", text, "kind", rows, figure)


def _deliveries() -> Iterator[Metric]:
    found = GaugeMetricFamily(
        "trey_deliveries", "Notifications of the last hour by channel and outcome.", labels=["channel", "outcome"]
    )
    for (channel, outcome), number in sorted(outcomes(clock.now() - timedelta(hours=1)).items()):
        found.add_metric([channel, outcome], number)
    yield found


def _live_streams() -> Iterator[Metric]:
    processes, streams = live_streams.counted()
    yield GaugeMetricFamily("trey_live_processes", "Processes of live streams.", processes)
    yield GaugeMetricFamily("trey_live_streams", "Open live streams.", streams)


def _jobs() -> Iterator[Metric]:
    rows, now = list(Upkeep.objects.order_by("job")), clock.now()
    ages = {row.job: (now - row.done_at).total_seconds() for row in rows if row.done_at is not None}
    yield _gauge("trey_upkeep_age_seconds", "Time since a backup was made or heads were written.", "job", ages)
    failed = dict.fromkeys((BACKUP, HEADS), 0.0) | {row.job: float(row.failed_at is not None) for row in rows}
    yield _gauge("trey_upkeep_failed", "1 if it has failed since.", "job", failed)
