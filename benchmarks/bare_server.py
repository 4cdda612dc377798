"""Trey's own server with `benchmarks/bare.py` as its addresses, for `benchmarks/request_cost.py`."""

from django.conf import settings

settings.ROOT_URLCONF = "benchmarks.bare"

from config.serving import gateway  # noqa: E402  it needs the addresses

__all__ = ["gateway"]
