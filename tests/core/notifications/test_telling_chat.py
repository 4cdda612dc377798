"""NT14: chat services of a player's own, each as its documentation has it, by receivers of the tests' own."""

import json
from datetime import UTC, datetime
from html.parser import HTMLParser
from itertools import pairwise
from uuid import uuid4

import pytest
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from core.accounts.login import tokens
from core.chatting import SERVICES, Mention, Message
from core.jobs import services as work
from core.jobs.models import Work
from core.notifications import endpoints, push
from core.notifications import services as telling
from core.notifications.kinds import ACCOUNT, SECURITY, the_kind
from core.notifications.models import Chat, Delivery, Notification
from core.refusals import Invalid, TooMany
from games.notifications.kinds import FINISHED, RULING
from tests import notifications
from tests.core.notifications.browsers import Browser
from tests.games.api.client import Person

HANDLES = {"discord": "12345678901234567", "slack": "U012AB3CD", "mattermost": "bob", "telegram": "bob_t"}
BOB = {**HANDLES, "matrix": "@bob:example.org", "ntfy": None}
NASTY = (
    "@everyone @here <!channel> <@U999> *b* [x](http://evil.example) @room ~town #x `c` &amp; @all /start www.evil.com"
)
LONGEST = {"discord": 2000, "slack": 4000, "mattermost": 4000, "telegram": 4096, "ntfy": 4096, "matrix": 20_000}


def posted(service, *parts, link="https://trey.example/g/1"):
    where = (
        "https://chat.example/bot1:s3cret/sendMessage?chat_id=-100" if service == "telegram" else "https://c.example/t"
    )
    return SERVICES[service].post(where, Message(parts, link))


def text_of(service, body):
    return body[{"discord": "content", "ntfy": "message"}.get(service, "text")]


# Each service's documented form


def test_nt14_discord():
    """https://docs.discord.com/developers/resources/webhook#execute-webhook"""
    _, body = posted("discord", Mention("Bob", BOB["discord"]), ": your turn. ", NASTY)
    assert body["allowed_mentions"] == {"parse": [], "users": ["12345678901234567"]}
    assert body["content"].startswith("<@12345678901234567>\\: your turn\\. \\@everyone")
    assert "<!channel>" not in body["content"] and "](" not in body["content"]
    assert body["content"].endswith("\n<https://trey.example/g/1>") and body.keys() == {"content", "allowed_mentions"}


def test_nt14_slack():
    """https://docs.slack.dev/messaging/formatting-message-text#escaping"""
    _, body = posted("slack", Mention("Bob", BOB["slack"]), " ", NASTY)
    assert body["text"].startswith("<@U012AB3CD> ") and "&lt;!channel&gt;" in body["text"]
    assert "&lt;@" in body["text"] and "&amp;amp;" in body["text"]
    assert (body["mrkdwn"], body["parse"], body["link_names"]) == (False, "none", False)


def test_nt14_mattermost():
    """https://developers.mattermost.com/integrate/webhooks/incoming/"""
    _, body = posted("mattermost", Mention("Bob", BOB["mattermost"]), " ", NASTY)
    assert body.keys() == {"text"} and body["text"].startswith("@bob ")
    for mass in ("@everyone", "@here", "@channel", "@all"):
        assert mass not in body["text"]
    assert "\\*b\\*" in body["text"] and "\\[x\\]\\(" in body["text"]


def test_nt14_telegram():
    """https://core.telegram.org/bots/api#sendmessage"""
    where, body = posted("telegram", Mention("Bob", BOB["telegram"]), " ", NASTY)
    assert where == "https://chat.example/bot1:s3cret/sendMessage"
    assert body["chat_id"] == "-100" and body["link_preview_options"] == {"is_disabled": True}
    assert "parse_mode" not in body and body["text"].startswith("@bob_t ")
    for taken in ("@everyone", "/start", "#x", "http://evil", "www.evil.com"):
        assert taken not in body["text"]


@pytest.mark.parametrize(
    ("query", "rest"),
    [
        ("chat_id=5&/x&close", "?/x&close"),
        ("thread=a+b%2f&chat_id=5&y=", "?thread=a+b%2f&y="),
        ("%63hat_id=5", ""),
        ("chat_id=&chat_id=5&", ""),
    ],
)
def test_nt14_telegram_is_posted_to_at_the_address_as_it_was_given(query: str, rest: str) -> None:
    where, body = SERVICES["telegram"].post(f"https://chat.example/bot1:2/sendMessage?{query}", Message(("Hi",)))
    assert (where, body["chat_id"]) == (f"https://chat.example/bot1:2/sendMessage{rest}", "5")


def test_nt14_ntfy():
    """https://docs.ntfy.sh/publish/#publish-as-json"""
    where, body = posted("ntfy", Mention("Bob"), " ", NASTY)
    assert where == "https://c.example/"
    assert body == {"topic": "t", "title": "Trey", "message": f"Bob {NASTY}", "click": "https://trey.example/g/1"}


def test_nt14_matrix():
    """https://matrix-org.github.io/matrix-hookshot/latest/setup/webhooks.html"""
    _, body = posted("matrix", Mention("Bob", BOB["matrix"]), " <b>bold</b> ", NASTY)
    assert body["text"].startswith("@bob:example.org ") and "@room" not in body["text"] + body["html"]
    tags = []
    reader = HTMLParser()
    reader.handle_starttag = lambda tag, attributes: tags.append((tag, dict(attributes).get("href")))
    reader.feed(body["html"])
    assert tags == [("a", "https://matrix.to/#/@bob:example.org"), ("br", None), ("a", "https://trey.example/g/1")]


@pytest.mark.parametrize("service", SERVICES)
@given(st.lists(st.text(max_size=3000) | st.builds(Mention, st.text(max_size=40)), max_size=4))
def test_nt14_no_message_is_too_long_and_none_mentions_anybody_without_consent(service, parts):
    _, body = posted(service, *parts)
    text = text_of(service, body)
    assert len(text.encode("utf-16-le")) // 2 <= LONGEST[service]
    assert service != "ntfy" or len(text.encode()) <= 4096
    words = text.removesuffix("\n<https://trey.example/g/1>").removesuffix("\nhttps://trey.example/g/1")
    if service == "discord":
        assert body["allowed_mentions"]["users"] == [] and "<@" not in words.replace("\\<", "")
    elif service == "slack":
        assert "<" not in words
    elif service != "ntfy":
        assert not any(at == "@" and after.isalnum() for at, after in pairwise(words))


# Carried by the deliverer


@pytest.fixture
def me(ada) -> Person:
    return Person("ada", tokens.issue(ada)[0])


def deliver():
    return work.Deliverer().do_all()


def tell(player, kind=FINISHED, **data):
    cause = f"game:{uuid4()}:x"
    telling.tell([player.pk], kind, cause, subject_id=uuid4(), data=data or {"called_off": True})


def fate(player):
    [body] = notifications.bodies(player, Notification.objects.filter(player=player).order_by("-number")[:1])
    return body["channels"]["chat"]


@pytest.mark.parametrize("service", SERVICES)
def test_nt14_what_a_player_is_told_is_posted_once(ada, receiver, service):
    url = f"{receiver.url.rpartition('/')[0]}/bot1:2/sendMessage?chat_id=5" if service == "telegram" else receiver.url
    endpoints.create_chat(ada, service, url)
    tell(ada, RULING, what="voided", reason="@everyone lost")
    assert deliver() == 1
    [(_, headers, raw)] = receiver.got
    assert headers["Content-Type"].startswith("application/json")
    assert headers["Idempotency-Key"] == f"msg_{Notification.objects.get().pk}"
    text = text_of(service, json.loads(raw))
    assert text.startswith("The game no longer counts")
    assert service in ("ntfy", "slack") or "@everyone" not in text.replace("\\@", "")
    assert fate(ada)["state"] == "sent" and fate(ada)["chat"] == str(Chat.objects.get().pk)
    assert deliver() == 0


def test_nt5_quiet_hours_hold_chat_and_push_back_and_nothing_else(ada, receiver, clock):
    ada.quiet_hours = [{"since": "2026-01-01T00:00:00Z", "time_zone": "UTC", "quiet_hours": ["22:00", "07:00"]}]
    ada.save()
    browser = Browser(receiver.url).subscription()
    tokens.issue(ada)
    keys = browser["keys"]
    push.subscribe(ada, browser["endpoint"], keys["p256dh"], keys["auth"], token=tokens.valid(ada).get())
    endpoints.create_chat(ada, "slack", receiver.url)
    endpoints.create_webhook(ada, receiver.url, None)
    clock.set(datetime(2026, 11, 21, 23, tzinfo=UTC))
    tell(ada)
    assert deliver() == 1
    [body] = notifications.bodies(ada, Notification.objects.all())
    states = {channel: fate["state"] for channel, fate in body["channels"].items()}
    morning = datetime(2026, 11, 22, 7, tzinfo=UTC)
    assert states == {"live": "sent", "push": "held", "chat": "held", "webhook": "sent", "mail": "skipped"}
    assert body["channels"]["push"]["until"] == body["channels"]["chat"]["until"] == morning
    telling.tell([ada.pk], the_kind(SECURITY, ACCOUNT), "test:1", data={"what": "test"})
    assert deliver() == 2  # by push and by chat
    clock.set(morning)
    assert deliver() == 2


def test_nt14_tokens_in_addresses_are_never_shown_again(ada, me, receiver, caplog):
    made = me.post("me/chat", {"service": "discord", "url": receiver.url})
    assert made.status == 201 and (made.body["service"], made.body["host"]) == ("discord", "127.0.0.1")
    receiver.status = 500
    tell(ada)
    deliver()
    with connection.cursor() as cursor:
        cursor.execute("SELECT notifications_chat::text FROM notifications_chat")
        stored = str(cursor.fetchall())
    everywhere = [made.body, me.get("me/chat").body, me.get(f"me/chat/{made.body['id']}").body, fate(ada), stored]
    everywhere += [caplog.text, list(Work.objects.values()), me.get("me/export").body]
    assert "s3cret-token" not in str(everywhere)
    assert me.get("me/chat").body["results"][0]["error"] == "It answered 500."


def test_nt14_a_test_says_whether_it_arrived(ada, me, receiver, clock):
    one = me.post("me/chat", {"service": "slack", "url": receiver.url}).body
    receiver.status = 403
    assert me.post(f"me/chat/{one['id']}/test").status == 202
    deliver()
    shown = me.get(f"me/chat/{one['id']}").body
    assert (shown["error"], shown["active"]) == ("It answered 403.", True) and shown["tested_at"] is not None
    assert not Work.objects.exists()
    receiver.status = 200
    clock.advance(seconds=1)
    me.post(f"me/chat/{one['id']}/test")
    deliver()
    shown = me.get(f"me/chat/{one['id']}").body
    assert shown["error"] is None and json.loads(receiver.got[1][2])["text"].startswith("This is a test: Trey")
    assert not Delivery.objects.exists()


def test_nt14_only_what_the_operator_lists_is_offered(ada, me, settings):
    assert [one["service"] for one in me.get("me/chat").body["services"]] == list(SERVICES)
    settings.TREY_CHAT_SERVICES = ["ntfy"]
    assert [one["service"] for one in me.get("me/chat").body["services"]] == ["ntfy"]
    refused = me.post("me/chat", {"service": "discord", "url": "https://discord.com/api/webhooks/1/x"})
    assert refused.status == 400 and "Choose one of: ntfy." in str(refused.body)


@pytest.mark.parametrize(
    ("service", "url"),
    [
        ("telegram", "https://api.telegram.org/bot1:2/sendMessage"),
        ("telegram", "https://api.telegram.org/bot1:2/getMe?chat_id=1"),
        ("ntfy", "https://ntfy.sh/"),
        ("discord", "https://discord.com/"),
        ("slack", "http://hooks.slack.com/services/x"),
        ("slack", "https://10.0.0.1/services/x"),
        ("icq", "https://example.org/x"),
    ],
)
def test_nt14_an_address_that_cannot_be_one_is_refused(ada, service, url):
    with pytest.raises(Invalid):
        endpoints.create_chat(ada, service, url)
    assert not Chat.objects.exists()


def test_a_player_has_at_most_five(ada):
    for _ in range(Chat.MOST):
        endpoints.create_chat(ada, "ntfy", "https://ntfy.sh/ada")
    with pytest.raises(TooMany):
        endpoints.create_chat(ada, "ntfy", "https://ntfy.sh/ada")


def test_nt9_one_that_is_gone_is_switched_off_and_can_be_switched_on(ada, me, receiver):
    one = me.post("me/chat", {"service": "discord", "url": receiver.url}).body
    receiver.status = 410
    tell(ada)
    deliver()
    path = f"me/chat/{one['id']}"
    assert me.get(path).body["off_because"] == "gone"
    [body] = notifications.bodies(ada, Notification.objects.filter(kind="security"))
    assert body["text"] == "Your chat at 127.0.0.1 answered that it no longer exists and was switched off."
    assert me.patch(path, {"active": True}).body["active"] is True
    assert me.call("DELETE", path).status == 204 and me.get(path).status == 404


OLD, NEW = "/api/webhooks/1/x", "/api/v10/webhooks/1/x"


@pytest.mark.parametrize(
    ("service", "path", "headers", "body", "waits"),
    [
        ("discord", OLD, {"Retry-After": "90000", "X-RateLimit-Reset-After": "90.5"}, {"retry_after": 90000}, 90.5),
        ("discord", OLD, {"Retry-After": "90000"}, {"retry_after": 90000}, 90),
        ("discord", OLD, {"Retry-After": "90000"}, None, 90),
        ("discord", NEW, {"Retry-After": "90"}, {"retry_after": 90.25}, 90.25),
        ("discord", NEW, {"Retry-After": "90"}, "no JSON", 90),
        ("slack", "/x", {"Retry-After": "90"}, "rate_limited", 90),
        ("mattermost", "/x", {"X-Ratelimit-Reset": "90"}, "limit exceeded", 90),
        ("telegram", "/bot1:x/sendMessage?chat_id=1", {}, {"ok": False, "parameters": {"retry_after": 90}}, 90),
        ("telegram", "/bot1:x/sendMessage?chat_id=1", {"Retry-After": "90"}, {"ok": False, "parameters": []}, 90),
        ("ntfy", "/topic", {"Retry-After": "90"}, {"code": 42901, "http": 429}, 90),
        ("matrix", "/x", {}, {"errcode": "M_LIMIT_EXCEEDED", "retry_after_ms": 90500}, 90.5),
        ("matrix", "/x", {"Retry-After": "90"}, {"retry_after_ms": "90500"}, 90),
        ("telegram", "/bot1:x/sendMessage?chat_id=1", {}, {"parameters": {"retry_after": 10**400}}, 6 * 3600),
        ("discord", NEW, {}, {"retry_after": True}, None),
        ("discord", NEW, {}, {"retry_after": -90}, None),
    ],
)
def test_nt9_each_service_says_in_its_own_way_how_long_to_leave_it_alone(
    ada, receiver, clock, service, path, headers, body, waits
):
    endpoints.create_chat(ada, service, receiver.url.removesuffix("/hook/s3cret-token") + path)
    receiver.status, receiver.headers, receiver.body = 429, headers, json.dumps(body).encode()
    telling.tell([ada.pk], FINISHED, "game:1:finished", subject_id=uuid4(), version=1, data={"called_off": True})
    work.Deliverer().do_all()
    pause = (Delivery.objects.get(channel="chat").until - clock.at).total_seconds()
    assert pause == waits if waits is not None else pause < 20


def test_nt14_discord_is_asked_for_the_version_that_counts_in_seconds():
    for version in ("", "v6/", "v10/"):
        where = f"https://canary.discord.com/api/{version}webhooks/1/x"
        assert SERVICES["discord"].post(where, Message(("Hi",)))[0] == (
            "https://canary.discord.com/api/v10/webhooks/1/x"
        )
