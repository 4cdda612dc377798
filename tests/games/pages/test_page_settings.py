"""The bell and the settings, as pages."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from config.processes import CHECKOUT
from core import clock as service_clock
from core.accounts.models import Player
from core.notifications import services as telling
from core.notifications.kinds import NAMES, SECURITY, the_kind
from core.notifications.preferences import preferences_of
from core.notifications.selectors import unread_count
from games import services
from games.pages.lobby.preferences import PARTS

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada() -> Player:
    return Player.objects.create_user("ada", password="a quiet evening")


@pytest.fixture
def browser(ada: Player) -> Client:
    client = Client()
    client.force_login(ada)
    return client


def told(ada: Player, count: int) -> None:
    for number in range(count):
        telling.tell([ada.pk], the_kind(SECURITY, "account"), f"cause-{number}", data={"what": "test"})


@pytest.mark.sampled
def test_nt8_the_bell_lists_what_was_told_and_where_it_went(browser: Client, ada: Player) -> None:
    assert "Nothing yet" in browser.get("/me/notifications").content.decode()
    told(ada, 32)
    text = browser.get("/me/notifications").content.decode()
    assert text.count("This is a test of your notifications") == 30
    assert "Where it went" in text and "<b>On this site</b> sent" in text and "?before=3" in text
    assert browser.get("/me/notifications?before=3").content.decode().count("This is a test") == 2


def entries(browser: Client, query: str = "") -> list[tuple[str, list[str], int]]:
    """When, what is in sight of it, and how much is folded."""
    page = browser.get(f"/me/notifications{query}")
    return [
        (one.when, [one.said] if one.said else [line["kind"] for line in one.in_sight], len(one.more))
        for one in page.context["news"]
    ]


def rooms_of_bob(count: int) -> list[Any]:
    bob = Player.objects.create_user("bob")
    return [services.open_room(bob, services.Terms("threes", 2)) for _ in range(count)]


def test_nt8_what_is_told_of_a_table_is_one_entry_and_the_newest_is_in_sight(
    browser: Client, ada: Player, clock: Any
) -> None:
    rooms = rooms_of_bob(2)
    for cause in range(3):
        for room in rooms[: 2 if cause == 0 else 1]:
            telling.tell([ada.pk], the_kind("started", "game"), f"{room.id}:{cause}", subject_id=room.id)
    told(ada, 2)
    security, started = ("New", ["security"], 0), ["started"]
    assert entries(browser) == [security, security, ("New", started * 2, 1), ("New", started, 0)]
    assert "1 more, and where they went" in browser.get("/me/notifications").content.decode()
    telling.tell([ada.pk], the_kind("finished", "game"), "over", subject_id=rooms[0].id)
    assert entries(browser)[:2] == [("New", ["finished"], 3), security]
    telling.read(ada, 7)
    assert entries(browser) == [
        ("Today", ["finished"], 3), ("Today", ["security"], 0), ("Today", ["security"], 0), ("Today", started, 0)
    ]  # fmt: skip


@pytest.mark.sampled
def test_nt8_what_the_clock_did_at_three_tables_or_more_is_one_entry(browser: Client, ada: Player, clock: Any) -> None:
    rooms = rooms_of_bob(8)
    for number, room in enumerate(rooms):
        act = {"action": "play"}
        telling.tell([ada.pk], the_kind("timed_out", "game"), f"clock-{number}", subject_id=room.id, data=act)
        telling.tell([ada.pk], the_kind("timed_out", "game"), f"again-{number}", subject_id=room.id, data=act)
    telling.tell([ada.pk], the_kind("finished", "game"), "over", subject_id=rooms[0].id)
    of_all = ["You ran out of time at 8 tables"]
    assert entries(browser) == [("New", ["finished"], 0), ("New", of_all, 16)]
    clock.advance(days=1)
    telling.read(ada, 17)
    assert entries(browser) == [("Yesterday", ["finished"], 0), ("Yesterday", of_all, 16)]
    clock.advance(days=1)
    assert {when for when, _, _ in entries(browser)} == {f"{clock.at - timedelta(days=2):%A}"}
    clock.advance(days=6)
    assert {when for when, _, _ in entries(browser)} == {f"{clock.at - timedelta(days=8):%-d %B}"}


@pytest.mark.sampled
def test_bt3_the_unread_come_first_and_one_button_reads_all_of_them(browser: Client, ada: Player, clock: Any) -> None:
    bob = Player.objects.create_user("bob")
    room = services.open_room(bob, services.Terms("threes", 2))
    told(ada, 31)
    telling.tell([ada.pk], the_kind("started", "game"), "begun", subject_id=room.id)
    telling.lose([telling.Loss(ada.pk, room.id, telling.SEEN)])
    assert entries(browser) == [*[("New", ["security"], 0)] * 30, ("Today", ["started"], 0)]
    # From an older page, too, whatever it shows.
    page = browser.get("/me/notifications?before=2")
    assert "Mark all as read" in page.content.decode()
    browser.post("/me/notifications", {"up_to": page.context["newest_unread"]})
    assert unread_count(ada) == 0
    assert "Mark all as read" not in browser.get("/me/notifications").content.decode()


@pytest.mark.sampled
def test_bt3_what_is_unread_comes_first_however_old_it_is(browser: Client, ada: Player, clock: Any) -> None:
    room = services.open_room(Player.objects.create_user("bob"), services.Terms("threes", 2))
    told(ada, 1)
    for number in range(40):
        telling.tell([ada.pk], the_kind("started", "game"), f"begun-{number}", subject_id=room.id)
    telling.lose([telling.Loss(ada.pk, room.id, telling.PLAYED)])
    assert entries(browser) == [("New", ["security"], 0), ("Today", ["started"], 29)]
    assert browser.get("/me/notifications").context["older"] == 12
    assert browser.get("/me/notifications?before=12").context["older"] is None


def test_nt16_a_stream_counts_as_dead_after_three_comments_that_did_not_come(browser: Client, settings: Any) -> None:
    assert 'data-silence="45000"' in browser.get("/").content.decode()
    settings.TREY_LIVE_HEARTBEAT = 60
    assert 'data-silence="180000"' in browser.get("/").content.decode()


def test_nt8_the_pages_of_the_account_have_the_live_bell_too(browser: Client, ada: Player) -> None:
    told(ada, 3)
    for path in (
        "/accounts/",
        "/accounts/email/",
        "/accounts/2fa/",
        "/me/settings",
        "/oauth/device",
        "/problems/not_found",
    ):
        text = browser.get(path).content.decode()
        assert '<span class="badge act">3</span>' in text, path
        assert "me/live" in text, path
    assert "News" not in Client().get("/accounts/login/").content.decode()


def test_nt8_all_that_was_shown_is_read_with_one_button(browser: Client, ada: Player) -> None:
    told(ada, 3)
    browser.post("/me/notifications", {"up_to": "2"})
    assert unread_count(ada) == 1
    browser.post("/me/notifications", {"up_to": "nonsense"})
    assert unread_count(ada) == 1


def saved(browser: Client, ada: Player, **sent: str) -> str:
    text = browser.post("/me/settings", sent, follow=True).content.decode()
    ada.refresh_from_db()
    return text


def test_each_part_of_the_settings_is_saved_by_its_own_form(
    clock: service_clock.FrozenClock, browser: Client, ada: Player
) -> None:
    assert "Saved." in saved(browser, ada, part="name", username="Ada Lovelace")
    assert ada.username == "Ada-Lovelace"
    saved(browser, ada, part="play", forced_moves="on")
    assert ada.preferences == {"forced_moves": True, "unlisted": False, "not_in_people": False}
    said = saved(browser, ada, part="calendar", time_zone="Europe/Berlin", quiet_from="22:00", quiet_to="07:00",
          vacation="2026-12-24 to 2026-12-26\n2027-05-01")  # fmt: skip
    assert "Saved." in said, said
    text = browser.get("/me/settings").content.decode()
    assert 'value="Europe/Berlin"' in text and 'value="22:00"' in text
    assert "2026-12-24 2026-12-26" in text and "2027-05-01 2027-05-01" in text


def test_what_is_wrong_is_said_and_nothing_is_saved(browser: Client, ada: Player) -> None:
    assert "IANA time zone" in saved(browser, ada, part="calendar", time_zone="Nowhere")
    assert "Enter both a start and an end for your quiet hours" in saved(
        browser, ada, part="calendar", time_zone="UTC", quiet_from="22:00"
    )
    assert "Enter the first and last day" in saved(
        browser, ada, part="calendar", time_zone="UTC", vacation="24.12.2026"
    )
    long = saved(browser, ada, part="calendar", time_zone="UTC", quiet_from="22:00", quiet_to="21:00")
    assert "Quiet hours can be at most 12 hours a day." in long
    assert "Use letters" in saved(browser, ada, part="name", username="<b>")
    assert (ada.username, ada.calendar) == ("ada", None)
    assert browser.post("/me/settings", {"part": "nonsense"}).status_code == 404


def test_nt3_the_matrix_is_a_table_of_boxes(browser: Client, ada: Player) -> None:
    page = browser.get("/me/settings").content.decode()
    assert 'name="turn.push" checked' in page and 'name="security.mail" checked disabled' in page
    matrix = browser.get("/me/settings").context["matrix"]
    boxes = {cell["name"]: "on" for rows in matrix.values() for row in rows for cell in row["cells"]}
    assert {name.partition(".")[0] for name in boxes} == set(NAMES)
    del boxes["started.push"]
    saved(browser, ada, part="told", reminders="24h, 4h", always="on", **boxes)
    chosen = preferences_of(ada.pk)
    assert chosen.matrix["started"]["push"] is False
    assert chosen.matrix["turn"]["mail"] == "fallback", "a box that was not touched stays as it is"
    assert chosen.matrix["security"]["mail"] is True
    assert (chosen.reminders, chosen.always) == (("24h", "4h"), True)
    assert "share of the time left" in saved(browser, ada, part="told", reminders="soon", **boxes)


@pytest.mark.parametrize(
    ("sent", "said", "kept"),
    [
        (
            {"part": "told", "reminders": "4h soon", "turn.live": "on"},
            "not soon.",
            ['value="4h soon"', 'name="turn.live" checked>', 'name="turn.push">', 'name="always">'],
        ),
        (
            {"part": "told", "reminders": "1h 2h 3h 4h 5h 6h"},
            "You can have at most five reminders.",
            ['value="1h 2h 3h 4h 5h 6h"'],
        ),
        (
            {"part": "calendar", "time_zone": "Europe/Oslo", "quiet_from": "22:00", "vacation": "24 December"},
            "Enter both a start and an end for your quiet hours.",
            ['value="Europe/Oslo"', 'name="quiet_from" value="22:00"', ">24 December</textarea>"],
        ),
        (
            {"part": "chat", "service": "slack", "url": "http://example.org/mine"},
            "https",
            ['<option value="slack" selected>', 'value="http://example.org/mine"'],
        ),
        (
            {"part": "handles", "discord": "ada", "telegram": "ada_l"},
            "17 to 20 digits",
            ['name="discord" value="ada"', 'name="telegram" value="ada_l"', '<details id="handles" open>'],
        ),
        ({"part": "name", "username": "a d a!"}, "Use letters", ['value="a d a!"']),
    ],
)
def test_a_refused_part_stays_open_with_what_was_typed(
    browser: Client, sent: dict[str, str], said: str, kept: list[str]
) -> None:
    answer = browser.post("/me/settings", sent)
    text = answer.content.decode()
    assert answer.status_code == 400
    messages = [str(message) for message in answer.context["messages"]]
    assert len(messages) == 1 and said in messages[0], messages
    assert text.count("<details open>") >= 1 and all(one in text for one in kept), text


@pytest.mark.parametrize(
    ("part", "elsewhere", "mine", "shown"),
    [
        ("name", {"username": "ada-l"}, {"username": "countess"}, {"username": "ada-l"}),
        (
            "play",
            {"forced_moves": "on", "talk": "off"},
            {"presence": "never"},
            {"forced_moves": "on", "talk": "Nothing", "presence": "At private tables"},
        ),
        (
            "calendar",
            {"quiet_from": "22:00", "quiet_to": "07:00"},
            {"time_zone": "Europe/Berlin"},
            {"quiet_from": "22:00", "quiet_to": "07:00", "time_zone": "UTC"},
        ),
        (
            "told",
            {"started.push": None, "reminders": "4h"},
            {"always": "on"},
            {"started.push": "off", "reminders": "4h", "always": "off"},
        ),
        ("handles", {"discord": "1" * 18}, {"slack": "U012AB3CD"}, {"discord": "1" * 18, "slack": "empty"}),
    ],
)
def test_an_old_page_does_not_write_over_what_was_saved_meanwhile(
    browser: Client,
    ada: Player,
    part: str,
    elsewhere: dict[str, str | None],
    mine: dict[str, str],
    shown: dict[str, str],
) -> None:
    def fields() -> dict[str, str]:
        held = PARTS[part].held(Player.objects.get(pk=ada.pk))
        return {name: "on" if value is True else str(value) for name, value in held.items() if value is not False}

    old = {**fields(), "part": part, "seen": browser.get("/me/settings").context["seen"][part]}
    there = {name: value for name, value in {**old, **elsewhere}.items() if value is not None}
    assert browser.post("/me/settings", there).status_code == 302
    kept = fields()
    answer = browser.post("/me/settings", {**old, **mine})
    text = answer.content.decode()
    assert (answer.status_code, answer.context["saved"], fields()) == (412, shown, kept)
    assert all(answer.context["typed"][name] in (value, value == "on") for name, value in mine.items())
    assert all(f"Saved now: {value}</p>" in text for value in shown.values()), text
    assert browser.post("/me/settings", {**old, **mine, "seen": answer.context["seen"][part]}).status_code == 302
    assert fields().items() >= mine.items(), "having been told"


def test_nobody_sees_settings_or_news_without_being_logged_in() -> None:
    for path in ("/me/settings", "/me/notifications", "/me/device", "/me/keep"):
        assert Client().get(path).headers["Location"] == f"/accounts/login/?next={path}"


def test_nt14_a_chat_address_is_added_tested_and_removed_and_its_secret_is_shown_nowhere(
    browser: Client, ada: Player
) -> None:
    url = "https://discord.com/api/webhooks/1234567890/a-s3cret"
    assert "Saved." in saved(browser, ada, part="chat", service="discord", url=url)
    page = browser.get("/me/settings")
    assert "discord.com" in page.content.decode() and "a-s3cret" not in page.content.decode()
    [one] = page.context["chats"]
    assert "A test is on its way." in saved(browser, ada, part="chat", test=str(one.pk))
    assert "no such chat address" in saved(browser, ada, part="chat", remove="nonsense")
    saved(browser, ada, part="chat", remove=str(one.pk))
    assert browser.get("/me/settings").context["chats"] == []
    assert "Saved." not in saved(browser, ada, part="chat", service="discord", url="https://example.org/")


def test_nt7_handles_and_lv4_presence_are_the_players_choice(browser: Client, ada: Player) -> None:
    saved(browser, ada, part="handles", matrix="@ada:example.org")
    assert ada.handles == {"matrix": "@ada:example.org"}
    assert "Must be" in saved(browser, ada, part="handles", matrix="nonsense")
    saved(browser, ada, part="play", presence="never")
    assert ada.preferences["presence"] == "never"


def test_the_site_is_an_app_with_its_worker_at_the_root(browser: Client) -> None:
    assert 'rel="manifest"' in browser.get("/").content.decode()
    worker = Client().get("/sw.js")
    assert worker.headers["Content-Type"].startswith("text/javascript")
    assert "showNotification" in worker.content.decode()
    manifest = json.loads((CHECKOUT / "games/pages/static/lobby/app.webmanifest").read_text())
    for icon in manifest["icons"]:
        assert finders.find(icon["src"].removeprefix("/static/")), icon
