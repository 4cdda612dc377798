"""AP7 to AP15: logging in with Trey. An app is Authlib, which knows nothing but the discovery document."""

import base64
import hashlib
import json
import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlsplit

import pytest
from authlib.integrations.base_client.errors import OAuthError
from authlib.integrations.requests_client import OAuth2Session
from authlib.oidc.core import CodeIDToken
from django.core.cache import cache
from django.db import connections
from django.test import Client
from joserfc import jwk, jwt
from redis.exceptions import ConnectionError as RedisAway

from core import clock as service_clock
from core.accounts import services
from core.accounts.login import client_ids, sessions, tokens
from core.accounts.models import Player, SigningKey, Token
from core.accounts.oauth import devices
from core.http.scopes import SCOPES
from core.notifications.models import Notification
from tests.games.api.client import PASSWORD, Person, answer_of
from tests.tournaments.services.tournament_scene import Club

pytestmark = pytest.mark.django_db

SITE = "http://localhost:8000"
OWL = "https://owl.example/in"
DEVICE = "urn:ietf:params:oauth:grant-type:device_code"
VERIFIER = "v" * 43
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).decode().rstrip("=")
ASKED = {
    "response_type": "code",
    "client_id": OWL,
    "redirect_uri": OWL,
    "scope": "read play",
    "state": "s1",
    "code_challenge": CHALLENGE,
    "code_challenge_method": "S256",
}


@pytest.fixture
def ada() -> Player:
    return Player.objects.create_user("ada", password=PASSWORD)


@pytest.fixture
def browser(ada: Player) -> Client:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(ada)
    return browser


def asked(**changes: str | None) -> dict[str, str]:
    return {name: value for name, value in {**ASKED, **changes}.items() if value is not None}


def pressed(browser: Client, page: Any, **form: Any) -> Any:
    """The answer to a page's form, sent with its CSRF token to its own address."""
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.content.decode())[1]
    where = page.wsgi_request.get_full_path()
    return browser.post(where, {"csrfmiddlewaretoken": token, **form})


def boxes(page: Any) -> list[str]:
    return re.findall(r'type="checkbox" name="scopes" value="(\w+)" checked', page.content.decode())


def allowed(browser: Client, **changes: str | None) -> Any:
    """What the app is answered after all that it asked was allowed."""
    page = browser.get("/oauth/authorize", asked(**changes))
    assert page.status_code == 200, page.content
    return pressed(browser, page, action="allow", scopes=boxes(page))


def back(answer: Any) -> dict[str, str]:
    """What an app is told in the address to which the browser is sent."""
    assert answer.status_code == 302, answer.content
    return {name: value for name, [value] in parse_qs(urlsplit(answer["Location"]).query).items()}


def code_for(browser: Client, **changes: str | None) -> str:
    return back(allowed(browser, **changes))["code"]


def exchanged(code: str, **changes: str | None) -> Any:
    form = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": OWL,
        "client_id": OWL,
        "code_verifier": VERIFIER,
        **changes,
    }
    return Client().post("/oauth/token", {name: value for name, value in form.items() if value is not None})


def token_for(browser: Client, **changes: str | None) -> str:
    where = changes.get("client_id") or OWL
    answer = exchanged(code_for(browser, **changes), client_id=where, redirect_uri=changes.get("redirect_uri") or where)
    assert answer.status_code == 200, answer.content
    return str(answer.json()["access_token"])


def discovered() -> dict[str, Any]:
    return dict(Client().get("/.well-known/openid-configuration").json())


# AP7: the document


def test_ap7_the_discovery_document_is_the_same_at_both_addresses() -> None:
    assert discovered() == Client().get("/.well-known/oauth-authorization-server").json()
    assert discovered() == {
        "issuer": SITE,
        "authorization_endpoint": f"{SITE}/oauth/authorize",
        "token_endpoint": f"{SITE}/oauth/token",
        "device_authorization_endpoint": f"{SITE}/oauth/device/code",
        "revocation_endpoint": f"{SITE}/oauth/revoke",
        "userinfo_endpoint": f"{SITE}/oauth/userinfo",
        "jwks_uri": f"{SITE}/oauth/jwks",
        "scopes_supported": ["openid", "profile", "read", "play", "organise", "notify"],
        "response_types_supported": ["code"],
        "grant_types_supported": ["authorization_code", DEVICE],
        "token_endpoint_auth_methods_supported": ["none"],
        "code_challenge_methods_supported": ["S256"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256"],
    }


@pytest.mark.sampled
def test_ap7_authlib_logs_in_against_the_document_alone(
    live_server: Any, settings: Any, transactional_db: None
) -> None:
    settings.TREY_SITE_URL = live_server.url
    settings.ALLOWED_HOSTS = ["*"]
    ada = Player.objects.create_user("ada", password=PASSWORD)
    browser = Client()
    browser.force_login(ada)
    with OAuth2Session(
        OWL, redirect_uri=OWL, scope="openid read", token_endpoint_auth_method="none", code_challenge_method="S256"
    ) as app:
        about = app.get(f"{live_server.url}/.well-known/openid-configuration", withhold_token=True).json()
        url, state = app.create_authorization_url(
            about["authorization_endpoint"], code_verifier=VERIFIER, nonce="n-0S6", response_type="code"
        )
        page = browser.get(urlsplit(url).path, dict(parse_qs(urlsplit(url).query)))
        answer = pressed(browser, page, action="allow", scopes=boxes(page))
        token = app.fetch_token(
            about["token_endpoint"], authorization_response=answer["Location"], code_verifier=VERIFIER, state=state
        )
        assert token["scope"] == "openid read" and token["expires_in"] == 7776000 and "refresh_token" not in token
        keys = app.get(about["jwks_uri"], withhold_token=True).json()
        signed = jwt.decode(token["id_token"], jwk.KeySet.import_key_set(keys), algorithms=["RS256"])
        also = {"nonce": "n-0S6", "access_token": token["access_token"], "client_id": OWL}
        claims = CodeIDToken(signed.claims, signed.header, {"iss": {"value": live_server.url}}, also)
        claims.validate()
        assert claims["iss"] == live_server.url and claims["aud"] == OWL and claims["sub"] == str(ada.pk)
        assert claims["preferred_username"] == "ada" and claims["exp"] - claims["iat"] == 300
        assert app.get(about["userinfo_endpoint"]).json() == {"sub": str(ada.pk), "preferred_username": "ada"}
        assert app.get(f"{live_server.url}/api/v1/me").status_code == 200
        with pytest.raises(OAuthError, match="invalid_grant"):
            app.fetch_token(about["token_endpoint"], authorization_response=answer["Location"], code_verifier=VERIFIER)
        assert app.revoke_token(about["revocation_endpoint"], token["access_token"], body=f"client_id={OWL}").ok
        assert app.get(f"{live_server.url}/api/v1/me").status_code == 401


# AP8: an app is its address


@pytest.mark.parametrize(
    "text",
    [
        "https://owl.example/", "https://owl.example/in", "https://owl.example:8443/in?x=1", "https://OWL.example/a/b",
        "http://127.0.0.1/in", "http://[::1]/", "com.example.owl:/in", "com.example.owl:/",
    ],
)  # fmt: skip
def test_ap8_these_are_apps(text: str) -> None:
    assert client_ids.is_client_id(text)


@pytest.mark.parametrize(
    "text",
    [
        "", "owl", "https://owl.example", "http://owl.example/in", "https://u:p@owl.example/in",
        "https://u@owl.example/",
        "https://owl.example/in#f", "https://*.example/in", "https://owl.example/*", "https://localhost/in",
        "http://localhost/in", "http://127.0.0.1:5000/in", "http://[::1]:5000/in", "http://127.0.0.1", "owl:/in",
        "com.example.owl://in", "com.example.owl://host/in", "com.example.owl:in", "javascript:/alert(1)",
        "https://owl.example\\@evil.example/", "https://owl.example/\n", " https://owl.example/", "https:///in",
        "https://owl.example/in?x=\x00", "https://öwl.example/in", "https://owl.example/" + "x" * 81, "data.x:text",
        "http://127.0.0.1.evil.example/in", "https://owl.example/%zz", "https://.owl.example/",
    ],
)  # fmt: skip
def test_ap8_these_are_none_and_nobody_is_sent_there(browser: Client, text: str) -> None:
    assert not client_ids.is_client_id(text)
    answer = browser.get("/oauth/authorize", asked(client_id=text, redirect_uri=text))
    assert answer.status_code == 400 and "Location" not in answer


@pytest.mark.parametrize(
    ("client_id", "where"),
    [
        ("http://127.0.0.1/in", "http://127.0.0.1:49152/in"),
        ("http://[::1]/in", "http://[::1]:5000/in"),
        ("com.example.owl:/in", "com.example.owl:/in"),
        ("https://owl.example/in?x=1", "https://owl.example/in?x=1"),
    ],
)
def test_ap8_an_app_is_answered_at_its_id_and_on_this_device_at_any_port(
    browser: Client, client_id: str, where: str
) -> None:
    answer = allowed(browser, client_id=client_id, redirect_uri=where)
    assert answer["Location"].startswith(where + ("&" if "?" in where else "?"))
    assert "code" in back(answer) and back(answer)["state"] == "s1"
    assert exchanged(back(answer)["code"], client_id=client_id, redirect_uri=where).status_code == 200


@pytest.mark.parametrize(
    "where",
    [
        None, "", "https://owl.example/in/", "https://owl.example/in?x=1", "https://owl.example/in#f",
        "https://u:p@owl.example/in", "https://owl.example:8443/in", "https://evil.example/in", "http://owl.example/in",
        "https://owl.example/IN",
    ],
)  # fmt: skip
def test_ap8_anywhere_else_it_is_not_answered_at_all(browser: Client, where: str | None) -> None:
    answer = browser.get("/oauth/authorize", asked(redirect_uri=where))
    assert answer.status_code == 400 and "Location" not in answer and "text/html" in answer["Content-Type"]


def test_ap8_another_port_is_only_of_this_device(browser: Client) -> None:
    local = {"client_id": "http://127.0.0.1/in"}
    for where in ("http://127.0.0.1:0/in", "http://127.0.0.1:65536/in", "http://[::1]:5000/in", "http://127.0.0.1:5/x"):
        assert browser.get("/oauth/authorize", asked(**local, redirect_uri=where)).status_code == 400


def test_ap8_a_secret_is_refused(browser: Client) -> None:
    code = code_for(browser)
    assert exchanged(code, client_secret="x").json()["error"] == "invalid_client"
    basic = Client().post("/oauth/token", {"grant_type": "authorization_code"}, headers={"Authorization": "Basic eDp5"})
    assert basic.status_code == 401 and basic.json()["error"] == "invalid_client"
    assert basic["WWW-Authenticate"] == 'Basic realm="trey"', "RFC 6749, 5.2"
    assert exchanged(code).status_code == 200


# AP9: what an app asks


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"code_challenge": None}, "invalid_request"),
        ({"code_challenge_method": None}, "invalid_request"),
        ({"code_challenge_method": "plain"}, "invalid_request"),
        ({"code_challenge": "short"}, "invalid_request"),
        ({"code_challenge": "é" * 43}, "invalid_request"),
        ({"scope": "read account"}, "invalid_scope"),
        ({"scope": "email"}, "invalid_scope"),
        ({"scope": "openid offline_access"}, "invalid_scope"),
        ({"response_type": "token"}, "unsupported_response_type"),
        ({"response_type": "code id_token"}, "unsupported_response_type"),
        ({"response_type": None}, "invalid_request"),
        ({"prompt": "none"}, "consent_required"),
        ({"prompt": "none", "scope": "openid"}, "consent_required"),
    ],
)
def test_ap9_what_is_wrong_goes_back_with_the_state(browser: Client, changes: dict[str, str], error: str) -> None:
    for answer in (browser.get("/oauth/authorize", asked(**changes)),):
        assert answer["Location"].startswith(f"{OWL}?")
        assert back(answer)["error"] == error and back(answer)["state"] == "s1" and "code" not in back(answer)


@pytest.mark.sampled
def test_ap9_silence_is_never_a_yes_whatever_other_apps_were_granted(browser: Client) -> None:
    fox = "https://fox.example/in"
    token_for(browser, client_id=fox, redirect_uri=fox, scope="openid read play")
    token_for(browser, scope="openid read")
    for where in (OWL, fox):
        answer = browser.get(
            "/oauth/authorize", asked(client_id=where, redirect_uri=where, scope="openid read", prompt="none")
        )
        assert back(answer)["error"] == "consent_required"
    assert back(Client().get("/oauth/authorize", asked(prompt="none")))["error"] == "login_required"


@pytest.mark.parametrize(
    "query", ["", "?", "?close", "?x&", "?/auth/callback", "?x=&y=1&y=2", "?q=a+b%20c%2f%2F~%7e!'();:@,$", "?state=own"]
)
def test_ap9_what_an_app_has_in_its_address_is_there_again(browser: Client, query: str) -> None:
    """RFC 6749, 3.1.2: byte for byte, and what is added stands behind it."""
    app = dict.fromkeys(("client_id", "redirect_uri"), f"https://owl.example/{query}")
    page = browser.get("/oauth/authorize", asked(**app))
    answers = {
        "code": allowed(browser, **app),
        "refused": pressed(browser, page, action="refuse"),
        "silent": browser.get("/oauth/authorize", asked(**app, prompt="none")),
        "wrong": browser.get("/oauth/authorize", asked(**app, scope="account")),
    }
    for what, answer in answers.items():
        assert answer["Location"].startswith(app["redirect_uri"]), what
        told = dict(parse_qsl(answer["Location"].removeprefix(app["redirect_uri"]).removeprefix("?")))
        assert told["state"] == "s1" and ("code" if what == "code" else "error") in told, what
        assert what != "code" or exchanged(told["code"], **app).status_code == 200


def test_ap9_twice_the_same_parameter_is_refused(browser: Client) -> None:
    query = "&".join(f"{name}={value}" for name, value in ASKED.items() if name not in ("client_id", "redirect_uri"))
    own = f"client_id={OWL}&redirect_uri={OWL}"
    twice = browser.get(f"/oauth/authorize?{own}&redirect_uri=https://evil.example/&{query}")
    assert twice.status_code == 400 and "Location" not in twice
    assert back(browser.get(f"/oauth/authorize?{own}&{query}&scope=play"))["error"] == "invalid_request"


def test_ap9_who_is_not_logged_in_logs_in_and_comes_back(ada: Player) -> None:
    browser = Client()
    sent = browser.get("/oauth/authorize", asked())
    assert sent.status_code == 302 and sent["Location"].startswith("/accounts/login/?next=/oauth/authorize")
    where = parse_qs(urlsplit(sent["Location"]).query)["next"][0]
    came = browser.post("/accounts/login/", {"login": "ada", "password": PASSWORD, "next": where})
    assert came.status_code == 302 and came["Location"] == where
    assert boxes(browser.get(where)) == ["read", "play"]


def test_ap9_a_guest_is_told_how_to_keep_the_account_which_leads_back(browser: Client, ada: Player) -> None:
    Player.objects.filter(pk=ada.pk).update(guest_seen_at=service_clock.now())
    answer = browser.get("/oauth/authorize", asked())
    assert answer.status_code == 403
    keep = re.search(r'href="(/me/keep\?next=[^"]+)"', answer.content.decode())[1].replace("&amp;", "&")
    page = browser.get(keep)
    kept = pressed(browser, page, password="yet another evening")
    assert kept["Location"].startswith("/oauth/authorize?") and boxes(browser.get(kept["Location"])) == ["read", "play"]
    assert browser.get("/me/keep?next=https://evil.example/")["Location"] == "/me/settings"


def test_ap9_a_second_factor_that_is_demanded_comes_first(browser: Client, ada: Player, settings: Any) -> None:
    settings.TREY_SECOND_FACTOR = "staff"
    Player.objects.filter(pk=ada.pk).update(is_staff=True)
    assert browser.get("/oauth/authorize", asked()).status_code == 403
    assert browser.get("/oauth/device?code=BCDFGH").status_code == 403


def test_ap9_who_is_to_log_in_again_proves_it_and_comes_back(browser: Client) -> None:
    sent = browser.get("/oauth/authorize", asked(prompt="login consent"))["Location"]
    assert sent.startswith("/accounts/reauthenticate/?next=/oauth/authorize")
    came = pressed(browser, browser.get(sent), password=PASSWORD)["Location"]
    assert "prompt=consent" in came and boxes(browser.get(came)) == ["read", "play"]


def test_ap9_without_a_scope_it_is_who_one_is(browser: Client) -> None:
    assert boxes(browser.get("/oauth/authorize", asked(scope=None))) == ["openid"]


# AP10: consent


def test_ap10_the_page_says_who_asks_and_what_for_and_forbids_frames(browser: Client) -> None:
    page = browser.get("/oauth/authorize", asked(scope="openid notify read", client_id=OWL))
    text = page.content.decode()
    assert "<h1>owl.example wants" in text and OWL in text and boxes(page) == ["openid", "read", "notify"]
    assert "see your games, your cards" in text and "know your name and id on this server" in text
    assert "never close your account" in text and "does not vouch for it" in text
    policy = page["Content-Security-Policy"]
    assert "form-action" not in policy and "frame-ancestors 'none'" in policy and page["X-Frame-Options"] == "DENY"
    assert "form-action 'self'" in browser.get("/oauth/device")["Content-Security-Policy"]
    local = browser.get("/oauth/authorize", asked(client_id="http://[::1]/", redirect_uri="http://[::1]:80/"))
    assert "<h1>A program on this device wants" in local.content.decode()


@pytest.mark.parametrize(
    "form", [{"action": "refuse", "scopes": ["read"]}, {"action": "allow"}, {"scopes": ["read"]}, {}]
)
def test_ap10_refused_or_nothing_ticked_is_denied(browser: Client, form: dict[str, Any]) -> None:
    answer = pressed(browser, browser.get("/oauth/authorize", asked()), **form)
    assert back(answer) | {"error_description": ""} == {
        "error": "access_denied",
        "state": "s1",
        "error_description": "",
    }


def test_ap10_only_what_is_ticked_and_was_asked_is_given(browser: Client) -> None:
    page = browser.get("/oauth/authorize", asked(scope="read play"))
    answer = pressed(browser, page, action="allow", scopes=["play", "organise", "account"])
    assert exchanged(back(answer)["code"]).json()["scope"] == "play"


def test_ap10_only_a_post_with_the_pages_token_decides(browser: Client) -> None:
    page = browser.get("/oauth/authorize", asked())
    where = page.wsgi_request.get_full_path()
    assert browser.post(where, {"action": "allow", "scopes": ["read"]}).status_code == 403
    assert boxes(browser.get(f"{where}&action=allow&scopes=read")) == ["read", "play"]
    token_for(browser)
    assert boxes(browser.get("/oauth/authorize", asked())) == ["read", "play"]  # asked every time


# AP11: a token for a code


def test_ap11_the_answer(browser: Client, ada: Player) -> None:
    answer = exchanged(code_for(browser))
    body = answer.json()
    assert answer["Cache-Control"] == "no-store" and set(body) == {"access_token", "token_type", "expires_in", "scope"}
    assert (body["token_type"], body["expires_in"], body["scope"]) == ("Bearer", 7776000, "read play")
    [token] = tokens.valid(ada)
    assert (token.app, token.scopes) == (OWL, ["read", "play"])
    me = Person("ada", body["access_token"])
    assert me.get("me").status == 200 and me.get("me/tokens").code == "insufficient_scope"
    [told] = Notification.objects.filter(player=ada, data__what="grant")
    assert told.data["host"] == "owl.example"


@pytest.mark.parametrize(
    "changes",
    [
        {"code_verifier": "w" * 43},
        {"code_verifier": CHALLENGE},
        {"code_verifier": None},
        {"client_id": "https://fox.example/in"},
        {"client_id": "https://fox.example/in", "redirect_uri": "https://fox.example/in"},
        {"redirect_uri": "https://owl.example/other"},
        {"redirect_uri": None},
        {"code": "x"},
        {"code": None},
    ],
)
def test_ap11_what_does_not_belong_together_gives_nothing(browser: Client, changes: dict[str, str | None]) -> None:
    code = code_for(browser)
    answer = exchanged(**{"code": code, **changes})
    missing = None in changes.values() and "redirect_uri" not in changes
    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_request" if missing else "invalid_grant")
    assert not Token.objects.exists()
    assert exchanged(code).status_code == 200


def test_ap11_a_code_works_once_and_a_second_time_ends_what_it_gave(browser: Client) -> None:
    """RFC 6749, 4.1.2: somebody else may have the code. Another app's guess at it ends nothing."""
    code, other = code_for(browser), Person("ada", token_for(browser))
    owl = Person("ada", exchanged(code).json()["access_token"])
    fox = "https://fox.example/in"
    assert exchanged(code, client_id=fox, redirect_uri=fox).json()["error"] == "invalid_grant"
    assert owl.get("me").status == 200
    for changes in ({}, {"code_verifier": "z" * 43}):
        assert exchanged(code, **changes).json()["error"] == "invalid_grant"
        assert (owl.get("me").status, other.get("me").status) == (401, 200)


@pytest.mark.django_db(transaction=True)
def test_ap11_also_when_many_come_at_once() -> None:
    ada = Player.objects.create_user("ada", password=PASSWORD)
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(ada)
    code = code_for(browser)

    def exchange(_: int) -> int:
        try:
            return int(exchanged(code).status_code)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(exchange, range(4))) == [200, 400, 400, 400]
    assert Token.objects.count() <= 1


@pytest.mark.parametrize("end", ["closed", "suspended", "a new password"])
def test_ap11_a_code_of_an_account_that_has_ended_gives_nothing(browser: Client, ada: Player, end: str) -> None:
    code = code_for(browser)
    if end == "closed":
        services.close(ada)
    elif end == "suspended":
        services.suspend(ada, Player.objects.create_superuser("olga"), "a test")
    else:
        services.set_password(ada, "another quiet evening")
    assert exchanged(code).json()["error"] == "invalid_grant" and not Token.objects.exists()


@pytest.mark.parametrize("grant", ["refresh_token", "password", "client_credentials", "x"])
def test_ap11_there_is_no_other_grant(grant: str) -> None:
    answer = Client().post("/oauth/token", {"grant_type": grant, "client_id": OWL, "refresh_token": "x"})
    assert (answer.status_code, answer.json()["error"]) == (400, "unsupported_grant_type")


def test_ap11_errors_are_json_whatever_is_sent() -> None:
    for form in ({}, {"client_id": OWL}, {"client_id": "\0"}, {"client_id": [OWL, OWL], "grant_type": DEVICE}):
        answer = Client().post("/oauth/token", form)
        assert answer.status_code in (400, 401) and "error" in answer.json()
    assert Client().get("/oauth/token").json()["error"] == "invalid_request"
    raw = Client().post("/oauth/token", json.dumps({"client_id": OWL}), content_type="application/json")
    assert raw.json()["error"] == "invalid_request"


@pytest.mark.parametrize("address", ["/oauth/token", "/oauth/device/code", "/oauth/revoke"])
@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("multipart/form-data; boundary=", b"--x"),
        ("application/x-www-form-urlencoded; charset=utf-16", b"client_id=a"),
        ("application/x-www-form-urlencoded", b"&".join(b"a%d=1" % number for number in range(3000))),
    ],
)
def test_ap7_errors_are_json_where_there_is_no_form_at_all(address: str, kind: str, body: bytes) -> None:
    answer = Client().post(address, body, content_type=kind)
    assert (answer.status_code, answer.json()["error"]) == (400, "invalid_request")


# AP13: who it is


def test_ap13_names_only_with_openid(browser: Client, ada: Player) -> None:
    def who(token: str | None, method: str = "get") -> Any:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return getattr(Client(), method)("/oauth/userinfo", headers=headers)

    named, other = token_for(browser, scope="openid profile"), token_for(browser, scope="profile read")
    assert who(named).json() == who(named, "post").json() == {"sub": str(ada.pk), "preferred_username": "ada"}
    refused = who(other)
    assert refused.status_code == 403
    assert refused["WWW-Authenticate"] == 'Bearer realm="trey", error="insufficient_scope", scope="openid"'
    assert who(None).status_code == who("x").status_code == 401
    me = Person("ada", named)
    assert me.get("rulesets").status == 200 and me.get("me").code == "insufficient_scope"
    assert me.post("auth/logout").status == 204 and who(named).status_code == 401


@pytest.mark.sampled
def test_ap13_the_key_is_made_once_and_kept_in_the_vault(browser: Client) -> None:
    first = Client().get("/oauth/jwks").json()
    assert first == Client().get("/oauth/jwks").json() and SigningKey.objects.count() == 1
    assert {key["alg"] if "alg" in key else key["kty"] for key in first["keys"]} <= {"RS256", "RSA"}
    assert "d" not in first["keys"][0] and "PRIVATE" not in SigningKey.objects.get().private


# AP5: no staff


def test_ap5_an_app_of_staff_is_no_staff() -> None:
    stan, browser = Player.objects.create_superuser("stan", password=PASSWORD), Client()
    browser.force_login(stan)
    whole, of_app = tokens.issue(stan)[0], token_for(browser, scope="read play organise notify")
    hidden = Club(service_clock.now()).set_up(visibility="private", entry="invitation").id
    assert Person("stan", whole).get(f"tournaments/{hidden}").status == 200
    assert Person("ada", of_app).get(f"tournaments/{hidden}").status == 404
    assert Person("ada", whole).post(f"tournaments/{hidden}/messages", {"text": "Hello."}).status == 409
    assert Person("ada", of_app).post(f"tournaments/{hidden}/messages", {"text": "Hello."}).status == 404
    stan.refresh_from_db()
    assert stan.is_staff and stan.is_superuser


# AP14: life and end


def test_ap14_every_token_lasts_ninety_days_from_its_last_use(
    browser: Client, ada: Player, clock: service_clock.FrozenClock
) -> None:
    for new in (lambda: token_for(browser), lambda: tokens.issue(ada)[0]):
        secret, begun = new(), clock.at
        me = Person("ada", secret)
        clock.at = begun + timedelta(minutes=59)
        assert me.get("me").status == 200
        assert tokens.find(secret).expiry == begun + timedelta(days=90)
        clock.at = begun + timedelta(days=89)
        assert me.get("me").status == 200 and tokens.find(secret).expiry == clock.at + timedelta(days=90)
        clock.at += timedelta(days=89)
        assert me.get("me").status == 200
        clock.at += timedelta(days=90)
        assert me.get("me").status == 401


def test_ap14_an_app_ends_its_own_tokens_and_no_others(browser: Client, ada: Player) -> None:
    own, other, plain = token_for(browser), token_for(browser), tokens.issue(ada)[0]

    def revoke(**form: str) -> int:
        return int(Client().post("/oauth/revoke", form).status_code)

    assert revoke(token=own, client_id="https://fox.example/in") == revoke(token=own) == revoke() == 200
    assert revoke(token=plain, client_id=OWL) == revoke(token="é\0", client_id="\0") == 200
    assert Token.objects.count() == 3
    assert revoke(token=own, client_id=OWL) == 200
    assert Person("ada", own).get("me").status == 401 and Person("ada", other).get("me").status == 200


def test_ap14_the_page_groups_by_app_and_one_button_ends_them(browser: Client, ada: Player) -> None:
    first, second, plain = token_for(browser), token_for(browser, scope="organise"), tokens.issue(ada, name="mine")[0]
    browser = Client(enforce_csrf_checks=True)
    login = browser.get("/accounts/login/")
    assert pressed(browser, login, login="ada", password=PASSWORD).status_code == 302
    proof = browser.get("/accounts/reauthenticate/?next=/accounts/tokens/")
    assert pressed(browser, proof, password=PASSWORD)["Location"] == "/accounts/tokens/"
    page = browser.get("/accounts/tokens/")
    text = page.content.decode()
    assert text.count(OWL) == 2 and "read, play, organise" in text and "2 tokens" in text and "mine" in text
    boxes = re.findall(r'<label class="check"><input [^>]* value="(\w+)"[^>]*?( checked)?> <span>\1: ', text)
    ticked = {scope for scope, mark in boxes if mark}
    assert [scope for scope, _ in boxes] == list(SCOPES) and ticked == {"read", "play"}, "AP3"
    assert text.index("<legend>What it can do</legend>") < text.index('name="scopes"')
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', text)[1]
    browser.post("/accounts/tokens/revoke/", {"csrfmiddlewaretoken": token, "app": OWL})
    assert [Person("ada", one).get("me").status for one in (first, second, plain)] == [401, 401, 200]


def test_ap14_ten_tokens_of_an_app_live(browser: Client, ada: Player, clock: service_clock.FrozenClock) -> None:
    secrets = []
    for _ in range(10):
        secrets.append(tokens.issue(ada, app=OWL)[0])
        clock.at += timedelta(hours=2)
    assert Person("ada", secrets[0]).get("me").status == 200  # so the second is unused for longest
    tokens.issue(ada, app=OWL), tokens.issue(ada, app="https://fox.example/in"), tokens.issue(ada)
    assert [Person("ada", one).get("me").status for one in secrets] == [200, 401] + [200] * 8


# AP12: programs without a browser


def begun(**changes: str) -> dict[str, Any]:
    answer = Client().post("/oauth/device/code", {"client_id": OWL, "scope": "read play", **changes})
    assert answer.status_code == 200, answer.content
    return dict(answer.json())


def polled(device: dict[str, Any], **changes: str) -> Any:
    """The answer after five seconds, in which nothing else happened."""
    cache.delete(f"oauth.asked.{hashlib.sha256(device['device_code'].encode()).hexdigest()}")
    return polled_at_once(device, **changes)


def polled_at_once(device: dict[str, Any], **changes: str) -> Any:
    form = {"grant_type": DEVICE, "device_code": device["device_code"], "client_id": OWL, **changes}
    return Client().post("/oauth/token", form)


def decided(browser: Client, device: dict[str, Any], **form: Any) -> Any:
    page = browser.get("/oauth/device", {"code": device["user_code"].lower()})
    return pressed(browser, page, **form)


def test_ap12_a_program_logs_in(browser: Client, ada: Player) -> None:
    device = begun(scope="openid read play")
    letters = device["user_code"]
    assert re.fullmatch("[BCDFGHJKLMNPQRSTVWXZ]{6}", letters)
    assert device | {"device_code": ""} == {
        "device_code": "",
        "user_code": letters,
        "verification_uri": f"{SITE}/oauth/device",
        "verification_uri_complete": f"{SITE}/oauth/device?code={letters}",
        "expires_in": 600,
        "interval": 5,
    }
    assert polled(device).json()["error"] == "authorization_pending"
    assert polled_at_once(device).json()["error"] == "slow_down"
    page = browser.get(f"/oauth/device?code={letters}")
    assert boxes(page) == ["openid", "read", "play"] and "Continue only if you started this yourself" in str(
        page.content
    )
    assert polled(device).json()["error"] == "authorization_pending"  # opening it confirms nothing
    done = decided(browser, device, action="allow", scopes=["openid", "read"])
    assert "The program is logged in" in done.content.decode()
    assert polled(device, client_id="https://fox.example/in").json()["error"] == "invalid_grant"
    answer = polled(device).json()
    assert answer["scope"] == "openid read" and answer["expires_in"] == 7776000 and "refresh_token" not in answer
    keys = jwk.KeySet.import_key_set(Client().get("/oauth/jwks").json())
    claims = jwt.decode(answer["id_token"], keys, algorithms=["RS256"]).claims
    assert claims["sub"] == str(ada.pk) and claims["aud"] == OWL and "nonce" not in claims
    assert Person("ada", answer["access_token"]).get("me").status == 200
    assert polled(device).json()["error"] == "invalid_grant" and Token.objects.count() == 1
    assert browser.get(f"/oauth/device?code={letters}").status_code == 400


def test_ap12_refused(browser: Client) -> None:
    for form in ({"action": "refuse", "scopes": ["read"]}, {"action": "allow"}):
        device = begun()
        decided(browser, device, **form)
        answer = polled(device)
        assert (answer.status_code, answer.json()["error"]) == (400, "access_denied")
    assert not Token.objects.exists()


def test_ap12_a_question_at_the_wrong_moment_undoes_no_decision(browser: Client, monkeypatch: Any) -> None:
    device = begun()
    found = devices.cache.get

    def read(key: str) -> Any:
        value = found(key)
        if key.startswith("oauth.decision") and value is None:
            monkeypatch.undo()
            decided(browser, device, action="allow", scopes=["read"])
        return value

    monkeypatch.setattr(devices.cache, "get", read)
    assert polled(device).json()["error"] == "authorization_pending"
    assert polled(device).json()["scope"] == "read"


def test_ap12_a_decision_holds(browser: Client) -> None:
    device = begun()
    page = browser.get(f"/oauth/device?code={device['user_code']}")
    decided(browser, device, action="refuse")
    assert pressed(browser, page, action="allow", scopes=["read"]).status_code == 400
    assert polled(device).json()["error"] == "access_denied"


def test_ap12_only_who_is_logged_in_and_no_guest(browser: Client, ada: Player) -> None:
    where = begun()["verification_uri_complete"].removeprefix(SITE)
    assert Client().get(where)["Location"].startswith("/accounts/login/?next=/oauth/device")
    assert browser.get("/oauth/device?code=BBBBBB").status_code == 400
    assert browser.post(where, {"action": "allow", "scopes": ["read"]}).status_code == 403
    Player.objects.filter(pk=ada.pk).update(guest_seen_at=service_clock.now())
    assert browser.get(where).status_code == 403


def test_ap12_what_is_wrong_begins_nothing() -> None:
    def error(**form: str) -> str:
        return str(Client().post("/oauth/device/code", form).json()["error"])

    assert error(client_id=OWL, scope="read account") == error(client_id=OWL, scope="x") == "invalid_scope"
    assert error(client_id="owl") == error(client_id=OWL, client_secret="s") == "invalid_client"
    assert error() == "invalid_request"
    unknown = polled({"device_code": "x"})
    assert (unknown.status_code, unknown.json()["error"]) == (400, "invalid_grant")


@pytest.mark.parametrize("end", ["suspended", "a new password"])
def test_ap12_a_decision_of_an_account_that_has_ended_gives_nothing(browser: Client, ada: Player, end: str) -> None:
    device = begun()
    decided(browser, device, action="allow", scopes=["read"])
    if end == "suspended":
        services.suspend(ada, Player.objects.create_superuser("olga"), "a test")
    else:
        services.set_password(ada, "another quiet evening")
    assert polled(device).json()["error"] == "invalid_grant" and not Token.objects.exists()


# AP15: the operator


ADDRESSES = ["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server", "/oauth/jwks"]


def test_ap15_without_apps_there_are_no_addresses(browser: Client, settings: Any) -> None:
    secret = token_for(browser)
    settings.TREY_APPS = ["none"]
    for path in (*ADDRESSES, "/oauth/authorize", "/oauth/device", "/oauth/userinfo", "/oauth/token"):
        assert browser.get(path).status_code == 404, path
    for path in ("token", "revoke", "device/code", "userinfo"):
        assert Client().post(f"/oauth/{path}").status_code == 404, path
    assert Person("ada", secret).get("me").status == 401


def test_ap15_a_list_lets_only_its_apps_in(browser: Client, settings: Any) -> None:
    secret = token_for(browser)
    settings.TREY_APPS = ["https://fox.example/in"]
    assert Person("ada", secret).get("me").status == 401
    assert browser.get("/oauth/authorize", asked()).status_code == 400
    assert Client().post("/oauth/device/code", {"client_id": OWL}).json()["error"] == "invalid_client"
    assert exchanged("x").json()["error"] == "invalid_client"
    settings.TREY_APPS = ["https://fox.example/in", OWL]
    assert Person("ada", secret).get("me").status == 200


def test_ap15_attempts_are_counted(settings: Any) -> None:
    settings.TREY_LIMITS = {**settings.TREY_LIMITS, "logins": (2, 3600), "device_codes": (2, 3600)}
    for path in ("/oauth/token", "/oauth/device/code"):
        here = Client(REMOTE_ADDR="192.0.2.77")
        answers = [here.post(path, {"client_id": OWL, "grant_type": DEVICE, "device_code": "x"}) for _ in range(3)]
        assert answers[1].status_code in (200, 400) and answers[2].status_code == 429
        assert int(answers[2]["Retry-After"]) > 0 and "error" in answers[2].json()


def test_ap15_without_redis_no_app_begins_a_log_in_and_tokens_go_on(browser: Client, monkeypatch: Any) -> None:
    secret, code, device = token_for(browser), code_for(browser), begun()
    page = browser.get("/oauth/authorize", asked())

    def away(*_: Any, **__: Any) -> Any:
        raise RedisAway

    for name in ("get", "set", "delete"):
        monkeypatch.setattr("core.cache.Cache." + name, away)
    for answer in (exchanged(code), polled_at_once(device), Client().post("/oauth/device/code", {"client_id": OWL})):
        assert (answer.status_code, answer.json()["error"]) == (503, "temporarily_unavailable")
        assert answer["Retry-After"]
    assert browser.get("/oauth/authorize", asked()).status_code == 503
    assert pressed(browser, page, action="allow", scopes=["read"]).status_code == 503
    assert Person("ada", secret).get("me").status == 200


def test_the_sessions_of_the_player_are_not_the_apps(browser: Client, ada: Player) -> None:
    secret = token_for(browser)
    sessions.revoke_all(ada)
    assert Person("ada", secret).get("me").status == 200
    assert answer_of(Client().get("/oauth/authorize", asked())).status == 302
