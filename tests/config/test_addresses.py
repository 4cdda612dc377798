import pytest

from config import addresses, environment
from config.errors import StartupError


def test_a_database_address_in_full():
    found = addresses.database("postgresql://ada:p%40ss@db.example:5433/trey?sslmode=require")
    assert found == {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": "trey",
        "USER": "ada",
        "PASSWORD": "p@ss",
        "HOST": "db.example",
        "PORT": "5433",
        "OPTIONS": {"sslmode": "require"},
    }


def test_a_database_behind_a_socket():
    assert addresses.database("postgresql://trey@/trey?host=/run/postgres%20ql")["HOST"] == "/run/postgres ql"


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("sqlite:///db.sqlite3", "PostgreSQL only"),
        ("mysql://host/name", "PostgreSQL only"),
        ("nonsense", "must look like"),
        ("postgresql://host:5432/", "name of the database is missing"),
        ("postgresql://host:port/name", "must look like"),
        ("postgresql://host/name?sslmod=require", "unknown option: sslmod"),
    ],
)
def test_a_bad_database_address_is_refused_in_a_sentence(url, said):
    with pytest.raises(StartupError, match=said) as refused:
        addresses.database(url)
    assert str(refused.value).endswith(".")


@pytest.mark.parametrize(
    "url", ["redis://host", "redis://host:6379/3", "rediss://:pw@host/0", "unix:///run/r.sock?db=1"]
)
def test_a_redis_address_is_taken_as_it_is(url):
    assert addresses.redis(url) == url


@pytest.mark.parametrize(
    "url", ["http://host", "redis://", "redis://host/zero", "unix://", "redis://host:x/0", "host:6379"]
)
def test_a_bad_redis_address_is_refused_in_a_sentence(url):
    with pytest.raises(StartupError, match="REDIS_URL must look like"):
        addresses.redis(url)


def test_celery_spells_a_socket_in_its_own_way():
    assert addresses.broker("unix:///run/r.sock?db=2") == "redis+socket:///run/r.sock?virtual_host=2"
    assert addresses.broker("redis://host:6379/0") == "redis://host:6379/0"


def test_a_setting_that_makes_no_sense_is_refused_by_name(monkeypatch):
    monkeypatch.setenv("TREY_X", "perhaps")
    with pytest.raises(StartupError, match="TREY_X must be yes or no"):
        environment.flag("TREY_X")
    with pytest.raises(StartupError, match="TREY_X must be an integer from 1 to 5"):
        environment.integer("TREY_X", 1, 1, 5)
    monkeypatch.setenv("TREY_X", "6")
    with pytest.raises(StartupError, match="not '6'"):
        environment.integer("TREY_X", 1, 1, 5)
    monkeypatch.setenv("TREY_X", " a, b ,,")
    assert environment.listing("TREY_X") == ["a", "b"]
