import pytest

from config import addresses
from config.environment import StartupError
from config.processes import why_unreachable


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
        ("postgresql://trey:secret@one:5433,two/trey", "several hosts"),
        ("postgresql:///trey?host=one,two", "several hosts"),
        ("nonsense", "must look like"),
        ("postgresql://host:5432/", "name of the database is missing"),
        ("postgresql://host/name?sslmod=require", 'invalid URI query parameter: "sslmod"'),
        ("postgresql://ada:secret@[::1/name", "in IPv6 host address"),
    ],
)
def test_a_bad_database_address_is_refused_in_a_sentence(url, said):
    with pytest.raises(StartupError, match=said) as refused:
        addresses.database(url)
    assert str(refused.value).endswith(".")
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    "url", ["redis://host", "redis://host:6379/3", "rediss://:pw@host/0", "unix:///run/r.sock?db=1"]
)
def test_a_redis_address_is_taken_as_it_is(url):
    assert addresses.redis(url) == url


@pytest.mark.parametrize(
    "url",
    [
        "sentinel://one/0?master_name=trey",
        "redis://one:6379,two:6379/0",
        "http://host",
        "redis://host:x/0",
        "host:6379",
    ],
)
def test_a_bad_redis_address_is_refused_in_a_sentence(url):
    with pytest.raises(StartupError, match="REDIS_URL must look like"):
        addresses.redis(url)


def test_celery_spells_a_socket_in_its_own_way():
    assert addresses.broker("unix:///run/r.sock?db=2") == "redis+socket:///run/r.sock?virtual_host=2"
    assert addresses.broker("redis://host:6379/0") == "redis://host:6379/0"


@pytest.mark.parametrize(
    ("url", "wanted"),
    [
        ("smtp://mail.example.org", ("mail.example.org", 25, "", "", {})),
        ("smtp+tls://ada:s%40crt@mail.example.org", ("mail.example.org", 587, "ada", "s@crt", {"EMAIL_USE_TLS": True})),
        ("smtps://mail.example.org:4650/", ("mail.example.org", 4650, "", "", {"EMAIL_USE_SSL": True})),
    ],
)
def test_nt11_mails_go_to_the_server_of_the_address(url, wanted):
    host, port, user, password, more = wanted
    assert addresses.mail(url) == {
        "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend", "EMAIL_HOST": host, "EMAIL_PORT": port,
        "EMAIL_HOST_USER": user, "EMAIL_HOST_PASSWORD": password, **more,
    }  # fmt: skip


def test_nt11_mails_are_printed_or_put_into_files_where_that_is_said():
    assert addresses.mail("console:")["EMAIL_BACKEND"].endswith("console.EmailBackend")
    assert addresses.mail("file:///var/mail/trey")["EMAIL_FILE_PATH"] == "/var/mail/trey"


@pytest.mark.parametrize(
    "url",
    ["mail.example.org", "smtp://", "http://mail.example.org", "smtp://h:x", "smtp://h:0", "file:", "smtp://h?tls=1"],
)
def test_an_address_of_mail_that_is_none_is_refused(url):
    with pytest.raises(StartupError, match="TREY_MAIL_URL must look like"):
        addresses.mail(url)


def test_what_libpq_guesses_of_a_failure_is_left_out():
    said = 'connection to server at "127.0.0.1", port 5000 failed: server closed the connection unexpectedly'
    guess = "\n\tThis probably means the server terminated abnormally\n\tbefore or while processing the request.\n"
    assert why_unreachable(Exception(said + guess)) == said
