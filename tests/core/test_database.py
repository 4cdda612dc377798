"""Connections after a fail-over: what a request is answered meanwhile, and that the next one leads to the primary."""

import psycopg
import pytest
from django.db import OperationalError, close_old_connections, connection, connections, transaction
from django.test import Client

from config import addresses
from core.accounts.models import Player

READ_ONLY = "SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY"
pytestmark = pytest.mark.django_db(transaction=True)


def place() -> tuple[str, str]:
    found = connection.get_connection_params()
    return found["host"], found["dbname"]


@pytest.fixture
def pooled():
    """The connection of this thread, out of a pool as the web's."""
    wrapper = connections["default"].copy()
    wrapper.settings_dict["OPTIONS"]["pool"] = {"min_size": 2, "max_size": 4, "timeout": 5, "reconnect_timeout": 2}
    wrapper.settings_dict["CONN_MAX_AGE"] = 0
    before = connections["default"]
    connections["default"] = wrapper
    wrapper._connection_pools = {}  # one of its own
    yield wrapper
    wrapper.close()
    wrapper.close_pool()
    connections["default"] = before


def pid(wrapper) -> int:
    with wrapper.cursor() as cursor:
        return int(cursor.execute("SELECT pg_backend_pid()").fetchone()[0])


def test_of_several_hosts_the_one_is_found_that_can_be_written_to():
    folder, name = place()
    found = addresses.database(f"postgresql://{connection.get_connection_params()['user']}@/{name}?host=/none,{folder}")
    with psycopg.connect(host=found["HOST"], dbname=name, user=found["USER"], **found["OPTIONS"]) as there:
        assert there.execute("SELECT pg_is_in_recovery()").fetchone() == (False,)
        assert there.info.host == folder


def test_a_server_that_refuses_to_write_is_left(pooled):
    before = pid(pooled)
    with pooled.cursor() as cursor:
        cursor.execute(READ_ONLY)
    with pytest.raises(OperationalError, match="read-only"), transaction.atomic():
        Player.objects.create_user("alice")
    pooled.close_if_unusable_or_obsolete()
    Player.objects.create_user("alice")
    assert pid(pooled) != before


def test_when_one_connection_is_lost_the_others_of_the_pool_are_not_used_any_more(pooled):
    lost = pid(pooled)
    with pooled.pool.connection() as other:
        waiting = other.info.backend_pid
    assert lost != waiting
    with psycopg.connect(host=place()[0], dbname=place()[1], user=connection.get_connection_params()["user"]) as killer:
        killer.execute("SELECT pg_terminate_backend(%s)", [lost])
    with pytest.raises(OperationalError):
        pid(pooled)
    pooled.close_if_unusable_or_obsolete()
    again = {pid(pooled)}
    with pooled.pool.connection() as other:
        again.add(other.info.backend_pid)
    assert not again & {lost, waiting}


def test_a_request_that_meets_a_standby_gets_503_and_may_be_sent_again(pooled, client: Client):
    account = {"username": "bob", "password": "bob keeps a secret"}
    with pooled.cursor() as cursor:
        cursor.execute(READ_ONLY)
    refused = client.post("/api/v1/players", account, content_type="application/json")
    assert (refused.status_code, refused.json()["code"], refused["Retry-After"]) == (503, "unavailable", "2")
    assert not Player.objects.filter(username="bob").exists()
    close_old_connections()  # as after each request, but not after one of a test
    accepted = client.post("/api/v1/players", account, content_type="application/json")
    assert accepted.status_code == 201
