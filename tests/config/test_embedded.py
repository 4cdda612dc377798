import pytest
from django.db import connection


@pytest.mark.django_db
def test_the_database_is_postgresql_18():
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version_num")
        assert 180000 <= int(cursor.fetchone()[0]) < 190000
