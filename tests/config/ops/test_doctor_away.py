"""The doctor's page without a database. It closes the connection, with which a scene of other tests would go."""

import pytest
from django.db import connection

from config.ops.doctor import examine

pytestmark = pytest.mark.django_db


def test_a_database_that_is_away_leaves_what_needs_none(monkeypatch):
    monkeypatch.setitem(connection.settings_dict, "HOST", "/nowhere")
    connection.close()
    page = [(each.name, each.level.name) for each in examine(50)]
    connection.close()
    assert page[0] == ("database", "BAD")
    assert {name for name, _ in page} == {"database", "redis", "disk", "settings"}
