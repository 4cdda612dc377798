"""Second factors at rest: encrypted, readable by the keys that are set, encrypted again by `rotate_vault` (AC1)."""

import json
import re
import time
from io import StringIO
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal import auth
from allauth.mfa.totp.internal.auth import TOTP, hotp_value
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client

from config.ops import doctor
from core.accounts.models import Player
from core.redis_client import client
from tests.games.api.client import PASSWORD

pytestmark = pytest.mark.django_db

SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"


@pytest.fixture
def player() -> Player:
    return Player.objects.create_user("ada", password=PASSWORD)


def code(secret: str, at: float | None = None) -> str:
    """What an app shows (RFC 6238)."""
    return f"{hotp_value(secret, int(time.time() if at is None else at) // 30):06}"


def stored() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT mfa_authenticator::text FROM mfa_authenticator")
        return str(cursor.fetchall())


def gets_in(given: str) -> bool:
    browser = Client()
    browser.post("/accounts/login/", {"login": "ada", "password": PASSWORD})
    browser.post("/accounts/2fa/authenticate/", {"code": given})
    return "_auth_user_id" in browser.session


def test_a_player_who_has_only_an_app_is_not_asked_for_a_passkey(player: Player) -> None:
    TOTP.activate(player, SECRET)
    browser = Client()
    browser.post("/accounts/login/", {"login": "ada", "password": PASSWORD})
    page = browser.get("/accounts/2fa/authenticate/").content.decode()
    assert "Enter a code from your app" in page and "Use a passkey" not in page


def test_without_script_it_is_said_where_the_passkeys_are_that_they_need_one() -> None:
    main = Client(SERVER_NAME="localhost").get("/accounts/login/").content.decode().partition("</main>")[0]
    assert "<noscript>" in main.partition("With a passkey")[2]


def test_each_other_way_to_prove_that_it_is_oneself_is_called_what_it_is(player: Player) -> None:
    TOTP.activate(player, SECRET)
    browser = Client()
    browser.force_login(player)
    # Where one goes on afterwards says nothing about the way.
    asked = "?next=/accounts/2fa/webauthn/keys/1/edit/"
    ways = [
        re.findall(r'<a class="button" href="[^"]+">(Use [^<]+)</a>', browser.get(f"{page}{asked}").content.decode())
        for page in ("/accounts/reauthenticate/", "/accounts/2fa/reauthenticate/")
    ]
    assert ways == [["Use a code"], ["Use your password"]]


def test_ac1_without_redis_a_code_lets_its_owner_in_and_only_once(player: Player, settings: Any) -> None:
    TOTP.activate(player, SECRET)
    settings.CACHES = {"default": {**settings.CACHES["default"], "LOCATION": ["redis://127.0.0.1:1/0"]}}
    given = code(SECRET)
    assert gets_in(given)
    assert not gets_in(given)


@pytest.mark.parametrize("page", ["authenticate", "reauthenticate"])
def test_ac1_a_code_is_taken_once_as_long_as_it_is_valid(player: Player, settings: Any, page: str) -> None:
    factor = TOTP.activate(player, SECRET)
    given = code(SECRET, time.time() + 30)  # of an app whose clock is half a minute fast: it has a minute left
    assert gets_in(given)
    cache.delete(factor._get_used_cache_key(given))  # allauth keeps it for half a minute
    browser = Client()
    if page == "reauthenticate":
        browser.force_login(player)
    else:
        browser.post("/accounts/login/", {"login": "ada", "password": PASSWORD})
    answer = browser.post(f"/accounts/2fa/{page}/", {"code": f" {given[:3]} {given[3:]}"})
    assert (answer.status_code, "Incorrect code" in answer.content.decode()) == (200, True)
    kept = cache.make_key(f"second_factor.used.{player.pk}.{given}")
    assert 60 < client(settings.REDIS_URL).ttl(kept) <= 90


@pytest.mark.parametrize("page", ["authenticate", "reauthenticate"])
def test_ac1_the_code_that_switched_an_app_on_is_used(player: Player, page: str) -> None:
    owner, other = Client(), Client()
    owner.post("/accounts/login/", {"login": "ada", "password": PASSWORD})
    owner.post("/accounts/reauthenticate/", {"password": PASSWORD})
    secret = owner.get("/accounts/2fa/totp/activate/").context["form"].secret
    given = code(secret)
    assert owner.post("/accounts/2fa/totp/activate/", {"code": f"{given[:3]} {given[3:]}"}).status_code == 302
    if page == "reauthenticate":
        other.force_login(player)
    else:
        other.post("/accounts/login/", {"login": "ada", "password": PASSWORD})
    assert "Incorrect code" in other.post(f"/accounts/2fa/{page}/", {"code": given}).content.decode()
    # The app's other codes are as good as before.
    assert gets_in(code(secret, time.time() + 30))


def test_ac1_a_code_that_was_used_switches_no_app_on(player: Player) -> None:
    factor = TOTP.activate(player, SECRET).instance
    given = code(SECRET)
    assert gets_in(given)
    factor.delete()
    browser = Client()
    browser.post("/accounts/login/", {"login": "ada", "password": PASSWORD})
    browser.post("/accounts/reauthenticate/", {"password": PASSWORD})
    browser.get("/accounts/2fa/totp/activate/")
    changed = browser.session
    changed[auth.SECRET_SESSION_KEY] = SECRET
    changed.save()
    assert browser.post("/accounts/2fa/totp/activate/", {"code": given}).status_code == 200
    assert not Authenticator.objects.exists()


ANSWER = {"id": "YWJj", "rawId": "YWJj", "type": "public-key", "response": {}}


@pytest.mark.parametrize(
    "credential", ["{}", '{"id": 1}', "[]", "1", ANSWER, ANSWER | {"id": "eHl6"}, ANSWER | {"rawId": 1}]
)
@pytest.mark.parametrize("page", ["webauthn/login", "authenticate", "webauthn/add"])
def test_ac1_what_no_passkey_says_is_refused(player: Player, page: str, credential: object) -> None:
    TOTP.activate(player, SECRET)
    browser = Client()
    if page == "authenticate":
        browser.post("/accounts/login/", {"login": "ada", "password": PASSWORD})
    elif page != "webauthn/login":
        browser.force_login(player)
        browser.post("/accounts/reauthenticate/", {"password": PASSWORD})
    browser.get(f"/accounts/2fa/{page}/", headers={"X-Requested-With": "XMLHttpRequest"})
    text = credential if isinstance(credential, str) else json.dumps(credential)
    answer = browser.post(f"/accounts/2fa/{page}/", {"credential": text, "name": "x"}, follow=True)
    assert (answer.status_code, Authenticator.objects.count()) == (200, 1)


def test_ac1_no_secret_of_a_second_factor_is_in_the_database(player: Player) -> None:
    TOTP.activate(player, SECRET)
    seed = RecoveryCodes.activate(player)
    codes = seed.generate_codes()
    assert SECRET not in stored()
    assert "gAAAA" in seed.instance.data["seed"]
    assert not any(one in stored() for one in codes)
    assert not gets_in("000000")
    assert gets_in(code(SECRET))
    assert gets_in(codes[0])
    assert not gets_in(codes[0])  # once


def test_keys_are_rotated_for_second_factors_too(player: Player, settings: Any) -> None:
    settings.TREY_VAULT_KEYS = ["old"]
    TOTP.activate(player, SECRET)
    settings.TREY_VAULT_KEYS = ["new", "old"]
    out = StringIO()
    call_command("rotate_vault", stdout=out)
    assert out.getvalue() == "1 secrets are encrypted by the newest key\n"
    settings.TREY_VAULT_KEYS = ["new"]
    assert [one.detail for one in doctor.sealed()] == ["all encrypted data can be read"]
    assert gets_in(code(SECRET))


def test_a_key_that_is_gone_is_said_to_all_whom_it_concerns(player: Player, settings: Any) -> None:
    TOTP.activate(player, SECRET)
    settings.TREY_VAULT_KEYS = ["lost"]
    browser = Client()
    browser.post("/accounts/login/", {"login": "ada", "password": PASSWORD})
    answer = browser.post("/accounts/2fa/authenticate/", {"code": code(SECRET)})
    assert answer.status_code == 200
    assert "cannot be checked at the moment" in answer.content.decode()
    assert "_auth_user_id" not in browser.session
    [finding] = doctor.sealed()
    assert "a key that is not set" in finding.detail
    with pytest.raises(CommandError, match="1 are encrypted by a key that is not among"):
        call_command("rotate_vault", stdout=StringIO())


def test_ac1_a_passkey_is_offered_only_where_it_can_work(settings: Any) -> None:
    settings.TREY_PASSKEY_HOST = "play.example"
    settings.ALLOWED_HOSTS = ["*"]
    there, elsewhere = (
        Client(headers={"host": host}).get("/accounts/login/").content.decode()
        for host in ("play.example", "127.0.0.1")
    )
    assert "With a passkey" in there
    assert "With a passkey" not in elsewhere
    assert "Open the site there" in elsewhere
