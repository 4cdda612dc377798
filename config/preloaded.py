"""What the parts of `make run` need: its first process imports it before it forks them (config.running.supervisor)."""

from importlib import import_module

# Sets Django up.
import config.wsgi  # noqa: F401

from django.db.migrations.loader import MigrationLoader  # isort: skip
from django.urls import get_resolver  # isort: skip
from config import celery_app  # isort: skip

_NEEDED = (
    "argon2", "billiard.heap", "billiard.popen_fork", "billiard.sharedctypes", "billiard.synchronize",
    "celery.apps.beat", "celery.apps.worker", "celery.bin.celery", "celery.concurrency.prefork",
    "celery.events.dispatcher", "celery.events.receiver", "celery.worker.autoscale", "celery.worker.components",
    "celery.worker.consumer", "celery.worker.consumer.delayed_delivery", "celery.worker.strategy", "config.gateway",
    "config.ops.management.commands.follow", "core.accounts.login.hashing", "core.live.database", "core.live.feed",
    "core.live.server", "django.db.migrations.executor", "games.live", "granian.cli", "kombu.transport.redis",
)  # fmt: skip
for name in _NEEDED:
    import_module(name)
# Imports all views, all migrations, and all tasks.
get_resolver().url_patterns  # noqa: B018
MigrationLoader(None)
celery_app.loader.import_default_modules()
celery_app.finalize()
