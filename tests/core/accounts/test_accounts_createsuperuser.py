"""manage.py createsuperuser: good passwords only, and a sentence where there is no terminal."""

import io

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
    with pytest.raises(CommandError, match="This is not a terminal") as ended:
        call_command("createsuperuser")
    assert ended.value.returncode == 1
    assert not Player.objects.exists()


def test_with_noinput_name_and_password_come_from_the_environment(environ):
    environ(username="olga", password=GOOD)
    out = io.StringIO()
    call_command("createsuperuser", interactive=False, stdout=out)
    olga = Player.objects.get()
    assert (olga.username, olga.is_superuser, olga.is_staff, olga.check_password(GOOD)) == ("olga", True, True, True)
    assert out.getvalue() == "Superuser created successfully.\n"


@pytest.mark.parametrize(
    ("name", "password", "said"),
    [
        ("olga", "", "Set DJANGO_SUPERUSER_USERNAME and"),
        ("", GOOD, "Set DJANGO_SUPERUSER_USERNAME and"),
        ("olga.petrova", "olga.petrova1", "too similar to the username"),
        ("olga", "short", "too short"),
        ("olga", "password", "too common"),
        ("o", GOOD, "at least 2 characters"),
        ("Taken", GOOD, "already taken"),
    ],
)
def test_a_weak_password_or_a_bad_name_is_refused(environ, name, password, said):
    Player.objects.create_user("taken")
    environ(username=name, password=password)
    with pytest.raises(CommandError, match=said):
        call_command("createsuperuser", interactive=False)
    assert Player.objects.count() == 1
