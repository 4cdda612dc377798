"""manage.py createsuperuser: good passwords only, and a sentence where there is no terminal."""

import io
from collections.abc import Iterable

import pytest
from django.core.management import CommandError, call_command

from core.accounts.models import Player

pytestmark = pytest.mark.django_db
GOOD = "a quiet evening"


@pytest.fixture
def environ(monkeypatch):
    def set_to(**values: str) -> None:
        for name, value in values.items():
            monkeypatch.setenv(f"DJANGO_SUPERUSER_{name.upper()}", value)

    return set_to


def test_without_a_terminal_it_fails_with_a_sentence(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("olga\n"))
    with pytest.raises(CommandError, match="There is no terminal to ask in") as ended:
        call_command("createsuperuser")
    assert ended.value.returncode == 1
    assert not Player.objects.exists()


def test_with_noinput_name_and_password_come_from_the_environment(environ):
    environ(username="olga", password=GOOD)
    out = io.StringIO()
    call_command("createsuperuser", interactive=False, stdout=out)
    olga = Player.objects.get()
    assert (olga.username, olga.is_superuser, olga.is_staff, olga.check_password(GOOD)) == ("olga", True, True, True)
    assert out.getvalue() == "olga is a superuser, who may do everything in the dashboard, /admin/.\n"


@pytest.mark.parametrize(
    ("name", "password", "said"),
    [
        ("olga", "", "Set DJANGO_SUPERUSER_USERNAME and"),
        ("", GOOD, "Set DJANGO_SUPERUSER_USERNAME and"),
        ("olga.petrova", "olga.petrova1", "too similar to the username"),
        ("olga", "short", "too short"),
        ("olga", "password", "too common"),
        ("o", GOOD, "Username: "),
        ("Taken", GOOD, "Username: This name is taken."),
    ],
)
def test_a_weak_password_or_a_bad_name_is_refused(environ, name, password, said):
    Player.objects.create_user("taken")
    environ(username=name, password=password)
    with pytest.raises(CommandError, match=said):
        call_command("createsuperuser", interactive=False)
    assert Player.objects.count() == 1


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def asked(monkeypatch, names: Iterable[str], passwords: Iterable[str]) -> str:
    typed, secret, err = iter(names), iter(passwords), io.StringIO()
    monkeypatch.setattr("sys.stdin", Terminal())
    monkeypatch.setattr("builtins.input", lambda _: next(typed))
    monkeypatch.setattr("getpass.getpass", lambda _: next(secret))
    call_command("createsuperuser", stderr=err, verbosity=0)
    return err.getvalue()


def test_in_a_terminal_it_asks_until_name_and_password_are_good(monkeypatch):
    told = asked(monkeypatch, ["o", "olga"], ["short", GOOD, "something else", GOOD, GOOD])
    assert Player.objects.get().check_password(GOOD)
    assert "at least 8 characters" in told
    assert "not the same" in told


def test_an_interrupted_dialogue_makes_no_account(monkeypatch):
    def interrupted(_: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("sys.stdin", Terminal())
    monkeypatch.setattr("builtins.input", interrupted)
    with pytest.raises(CommandError, match="Cancelled"):
        call_command("createsuperuser")
    assert not Player.objects.exists()
