"""/healthz, /readyz and /metrics."""

import pytest
import redis
from django.db import connection, transaction
from redis.backoff import NoBackoff
from redis.retry import Retry

from config.ops import middleware
from core import log
from core.log import registry

pytestmark = pytest.mark.django_db


def test_alive(client):
    answer = client.get("/healthz")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


def test_ready_when_database_redis_and_migrations_are_there(client):
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json()["checks"] == {"database": "ok", "redis": "ok", "migrations": "ok"}


def test_not_ready_without_redis(client, monkeypatch):
    nowhere = redis.Redis(unix_socket_path="/nonexistent/redis.sock", retry=Retry(NoBackoff(), 0))
    monkeypatch.setattr(middleware, "_asked", nowhere)
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json()["code"] == "not_ready"
    assert answer.json()["detail"] == "Redis does not respond."
    assert client.get("/healthz").status_code == 200


def test_not_ready_while_the_database_is_read_only(client):
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL transaction_read_only = on")
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["checks"]["database"]) == (503, "The database does not accept changes.")


def test_what_changes_something_while_the_database_is_read_only_is_told_to_try_again(client):
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL transaction_read_only = on")
    answer = client.post("/api/v1/players", {"username": "ada", "password": "a quiet evening"}, "application/json")
    assert (answer.status_code, answer.json()["code"], answer["Retry-After"]) == (503, "unavailable", "2")


def test_not_ready_when_a_migration_is_missing(client):
    with connection.cursor() as cursor:
        cursor.execute(
            "DELETE FROM django_migrations WHERE id = (SELECT max(id) FROM django_migrations WHERE app = 'accounts')"
        )
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["checks"] == {"database": "ok", "redis": "ok", "migrations": "Migrations are missing: 1."}


def test_health_is_asked_under_any_host_name_and_only_read(client):
    assert client.get("/healthz", headers={"host": "10.0.0.7:8000"}).status_code == 200
    assert client.post("/healthz").status_code == 405


def test_metrics_count_requests_by_route_never_by_path(client):
    client.get("/api/v1/rulesets")
    client.get("/no-such-page")
    answer = client.get("/metrics")
    assert answer["Content-Type"].startswith("text/plain")
    text = answer.content.decode()
    assert 'trey_http_requests_total{method="GET",status="200",view="/api/v1/rulesets"}' in text
    assert "no-such-page" not in text
    assert "trey_http_request_seconds_bucket" in text
    assert "trey_build_info" in text


def test_metrics_say_how_far_subscribers_are_behind_the_log(client, monkeypatch, clock):
    def fail(_):
        raise ZeroDivisionError

    broken = log.Reactor("broken", handler=fail)
    monkeypatch.setattr(registry, "_subscribers", {"broken": broken})
    with transaction.atomic():
        log.append("game-1", 0, [log.NewEvent("test.counted", {})] * 3, recorded_at=clock.at)
    clock.advance(seconds=90)
    assert broken.look().failures
    text = client.get("/metrics").content.decode()
    assert 'trey_subscriber_lag_events{subscriber="broken"} 3.0' in text
    assert 'trey_subscriber_lag_seconds{subscriber="broken"} 90.0' in text
    assert 'trey_subscriber_stuck_buckets{subscriber="broken"} 1.0' in text


@pytest.mark.django_db
def test_the_front_door_is_a_page_for_people_that_names_the_docs(client):
    answer = client.get("/")
    assert answer.status_code == 200
    assert 'href="/api/v1/docs"' in answer.content.decode()
