"""What Prometheus counts, over all processes of the machine when PROMETHEUS_MULTIPROC_DIR names a folder they share."""

import platform

from django.conf import settings
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

REQUESTS = Counter("trey_http_requests", "Requests answered.", ["method", "view", "status"])
SECONDS = Histogram(
    "trey_http_request_seconds",
    "Time to answer a request.",
    ["method", "view"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10),
)
BUILD = Gauge(
    "trey_build_info", "Always 1; the labels tell the version.", ["version", "python"], multiprocess_mode="max"
)


def exposition() -> tuple[bytes, str]:
    """The metrics in Prometheus's text form, and its content type."""
    BUILD.labels(settings.TREY_VERSION, platform.python_version()).set(1)
    registry: CollectorRegistry = REGISTRY
    if settings.PROMETHEUS_MULTIPROC_DIR:
        registry = CollectorRegistry()
        multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry), CONTENT_TYPE_LATEST
