"""Trey's settings, with the URLs of `benchmarks/bare.py`."""

from config.settings import *  # noqa: F403

ROOT_URLCONF = "benchmarks.bare"
