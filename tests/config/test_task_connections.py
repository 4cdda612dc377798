"""A worker keeps its connection to the database from one task to the next, and gives up one that is broken or old."""

import pytest
from celery.fixups.django import DjangoWorkerFixup
from django.db import connection

from config import celery_app
from core.rows import fetch_all


def backend():
    """The number of PostgreSQL's process behind the connection."""
    return fetch_all("SELECT pg_backend_pid()")[0][0]


@pytest.fixture
def first(transactional_db):
    number = backend()
    # As long as tasks keep it; the settings of tests keep none.
    connection.close_at = None
    return number


def between_two_tasks():
    worker, task = DjangoWorkerFixup(celery_app), celery_app.tasks["celery.backend_cleanup"]
    worker.on_task_postrun(sender=task)
    worker.on_task_prerun(sender=task)


def test_the_next_task_has_the_same_connection(first):
    between_two_tasks()
    assert backend() == first


def test_not_one_that_is_too_old(first):
    connection.close_at = 0
    between_two_tasks()
    assert backend() != first


def test_not_one_that_was_lost(first):
    connection.connection.close()
    between_two_tasks()
    assert backend() != first
