"""Connections after a fail-over lead to the primary."""

import runpy

import psycopg
import pytest
from django.db import connection, connections

from config import addresses
from config.processes import CHECKOUT

pytestmark = pytest.mark.django_db(transaction=True)


def place() -> tuple[str, str]:
    found = connection.get_connection_params()
    return found["host"], found["dbname"]


@pytest.fixture
def pooled():
    """The connection of this thread, out of a pool as the web's."""
    wrapper = connections["default"].copy()
    wrapper.settings_dict["OPTIONS"]["pool"] = {"min_size": 2, "max_size": 4, "timeout": 5}
    wrapper.settings_dict |= {"CONN_MAX_AGE": 0, "CONN_HEALTH_CHECKS": True}
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


def test_connections_that_a_fail_over_has_ended_are_not_used_any_more(pooled):
    found = {pid(pooled)}
    with pooled.pool.connection() as other:
        found.add(other.info.backend_pid)
    assert len(found) == 2
    pooled.close()
    with psycopg.connect(host=place()[0], dbname=place()[1], user=connection.get_connection_params()["user"]) as killer:
        for one in found:
            killer.execute("SELECT pg_terminate_backend(%s)", [one])
    assert pid(pooled) not in found


def test_of_several_hosts_the_pool_checks_each_connection_before_it_is_used(monkeypatch):
    monkeypatch.setenv("TREY_THREADS", "4")
    for host, checks in (("one", False), ("one,two", True)):
        monkeypatch.setenv("DATABASE_URL", f"postgresql://{host}/trey")
        found = runpy.run_path(str(CHECKOUT / "config/settings.py"))
        assert found["DATABASES"]["default"]["CONN_HEALTH_CHECKS"] == checks
