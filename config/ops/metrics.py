"""Metrics for Prometheus, summed over all processes of the machine that share PROMETHEUS_MULTIPROC_DIR."""

import platform
from collections.abc import Iterator
from datetime import timedelta

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

from config.ops import upkeep
from config.ops.models import Upkeep
from core import clock, log, reads
from core.jobs import services as work
from core.live import counting
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
    "trey_build_info", "Always 1. The labels have the version.", ["version", "python"], multiprocess_mode="max"
)


def count(method: str, view: str, status: int, seconds: float) -> None:
    """Count a response, and the seconds that it took."""
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
    reads.start_at_zero()


def exposition() -> tuple[bytes, str]:
    """The metrics in Prometheus's text format, and its content type."""
    BUILD.labels(settings.TREY_VERSION, platform.python_version()).set(1)
    registry: CollectorRegistry = REGISTRY
    if settings.PROMETHEUS_MULTIPROC_DIR:
        registry = CollectorRegistry()
        multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    on_demand = CollectorRegistry()
    on_demand.register(Clocks())
    on_demand.register(Followers())
    on_demand.register(Jobs())
    on_demand.register(Queue())
    on_demand.register(Deliveries())
    on_demand.register(LiveStreams())
    return generate_latest(registry) + generate_latest(on_demand), CONTENT_TYPE_LATEST


class Clocks(Collector):
    """Turns and outages, read from the database for each scrape. Empty while the database does not respond."""

    def collect(self) -> Iterator[Metric]:
        """Turns due, the oldest of them, heartbeats, outages."""
        try:
            status = clock_status()
        except DatabaseError:
            return
        yield GaugeMetricFamily("trey_turns_due", "Turns past their deadline that wait for the sweep.", status.due)
        yield GaugeMetricFamily(
            "trey_turns_oldest_overdue_seconds",
            "How long the oldest overdue turn has waited.",
            status.oldest_overdue.total_seconds(),
        )
        ages = GaugeMetricFamily(
            "trey_heartbeat_age_seconds",
            "Time since a part's last heartbeat (the sweeper: its last sweep).",
            labels=["part"],
        )
        for part in sorted(status.heartbeats):
            age = status.age(part)
            ages.add_metric([part], age.total_seconds() if age is not None else 0.0)
        yield ages
        outages = CounterMetricFamily("trey_outages", "Recorded outages.", labels=["part"])
        for part, count in sorted((dict.fromkeys((WEB, SWEEPER), 0) | status.outages).items()):
            outages.add_metric([part], count)
        yield outages

    def describe(self) -> Iterator[Metric]:
        """Return nothing: registering must not query the database."""
        return iter(())


class Followers(Collector):
    """The lag of projections and reactors behind the event log; none while the database does not respond."""

    def collect(self) -> Iterator[Metric]:
        """Lag in events and in seconds, and buckets that a failing event holds up, for each subscriber."""
        try:
            lags = log.lags([subscriber.name for subscriber in log.subscribers()])
        except DatabaseError:
            return
        now = clock.now()
        events = GaugeMetricFamily(
            "trey_subscriber_lag_events", "Events that a subscriber has not passed yet.", labels=["subscriber"]
        )
        seconds = GaugeMetricFamily(
            "trey_subscriber_lag_seconds", "How long the oldest of them has waited.", labels=["subscriber"]
        )
        stuck = GaugeMetricFamily(
            "trey_subscriber_stuck_buckets", "Buckets held up by an event that fails.", labels=["subscriber"]
        )
        for lag in lags:
            events.add_metric([lag.subscriber], lag.events)
            seconds.add_metric([lag.subscriber], lag.age(now).total_seconds())
            stuck.add_metric([lag.subscriber], lag.stuck)
        yield from (events, seconds, stuck)

    def describe(self) -> Iterator[Metric]:
        """Return nothing: registering must not query the database."""
        return iter(())


class Queue(Collector):
    """The pieces in the queue, by kind of work; none while the database does not respond."""

    def collect(self) -> Iterator[Metric]:
        """Work that waits, is due, or failed, and how long the oldest due piece has waited."""
        try:
            rows = work.figures()
        except DatabaseError:
            return
        waiting = GaugeMetricFamily("trey_work_waiting", "Pieces of work in the queue.", labels=["kind"])
        due = GaugeMetricFamily("trey_work_due", "Those that are due.", labels=["kind"])
        oldest = GaugeMetricFamily(
            "trey_work_oldest_seconds", "How long the oldest that is due has waited.", labels=["kind"]
        )
        retrying = GaugeMetricFamily("trey_work_retrying", "Those that failed and are tried again.", labels=["kind"])
        given_up = GaugeMetricFamily("trey_work_given_up", "Those that are not tried again.", labels=["kind"])
        for row in rows:
            waiting.add_metric([row.kind], row.waiting)
            due.add_metric([row.kind], row.due)
            oldest.add_metric([row.kind], row.oldest.total_seconds())
            retrying.add_metric([row.kind], row.retrying)
            given_up.add_metric([row.kind], row.given_up)
        yield from (waiting, due, oldest, retrying, given_up)

    def describe(self) -> Iterator[Metric]:
        """Return nothing: registering must not query the database."""
        return iter(())


class Deliveries(Collector):
    """What happened to notifications in the last hour; none while the database does not respond."""

    def collect(self) -> Iterator[Metric]:
        """The number for each channel and outcome; all series exist from the start."""
        try:
            counts = outcomes(clock.now() - timedelta(hours=1))
        except DatabaseError:
            return
        found = GaugeMetricFamily(
            "trey_deliveries", "Notifications of the last hour by channel and outcome.", labels=["channel", "outcome"]
        )
        for (channel, outcome), count in sorted(counts.items()):
            found.add_metric([channel, outcome], count)
        yield found

    def describe(self) -> Iterator[Metric]:
        """Return nothing: registering must not query the database."""
        return iter(())


class LiveStreams(Collector):
    """Open live streams, as their processes report through Redis; nothing while that does not respond."""

    def collect(self) -> Iterator[Metric]:
        """The processes, and the streams of all."""
        try:
            processes, streams = counting.counted()
        except redis.RedisError:
            return
        yield GaugeMetricFamily("trey_live_processes", "Processes of live streams.", processes)
        yield GaugeMetricFamily("trey_live_streams", "Open live streams.", streams)

    def describe(self) -> Iterator[Metric]:
        """Return nothing: registering must not query Redis."""
        return iter(())


class Jobs(Collector):
    """Recurring jobs: backups, and the heads of the log. Empty while the database does not respond."""

    def collect(self) -> Iterator[Metric]:
        """The age of each job's last success, and whether it has failed since."""
        try:
            rows = list(Upkeep.objects.order_by("job"))
        except DatabaseError:
            return
        now = clock.now()
        ages = GaugeMetricFamily(
            "trey_upkeep_age_seconds", "Time since a backup was made, or heads were written.", labels=["job"]
        )
        failed = GaugeMetricFamily("trey_upkeep_failed", "1 if it has failed since.", labels=["job"])
        for job in {upkeep.BACKUP, upkeep.HEADS} - {row.job for row in rows}:
            failed.add_metric([job], 0.0)
        for row in rows:
            if row.done_at is not None:
                ages.add_metric([row.job], (now - row.done_at).total_seconds())
            failed.add_metric([row.job], float(row.failed_at is not None))
        yield from (ages, failed)

    def describe(self) -> Iterator[Metric]:
        """Return nothing: registering must not query the database."""
        return iter(())
