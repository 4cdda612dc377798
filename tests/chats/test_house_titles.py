"""Titles of house games are words of people: each channel says them as they are, and none takes them for markup."""

import json
import re
from html import unescape

import icalendar
import pytest
from allauth.account.models import EmailAddress
from django.test import Client

from chats.rooms import ROOMS
from core.jobs import services as work
from core.notifications import ics
from core.refusals import Invalid
from games.notifications.following import tell_players
from tests.chats.test_telling_groups import local, receiver, said, subscribed
from tests.core.notifications.conftest import mails
from tests.core.notifications.mail_server import bodies
from tests.games.notifications.telling_scene import dealt, handed_over
from tests.games.services.service_scene import started

__all__ = ["local", "mails", "receiver"]

EMOJI = "\N{PLAYING CARD BLACK JOKER}"
TITLES = [
    '<b>"Jo\'s"</b> & <script>alert(1)',
    "Commas, semicolons; back\\slashes\\n: 8s",
    "@everyone *#1* [x](http://x.example) `y`",
    EMOJI * 40,
    "\N{HEBREW LETTER SHIN}\N{HEBREW LETTER LAMED} 7 \N{HEBREW LETTER VAV}",
]


def as_people_read(text: str) -> str:
    return " ".join(text.replace("\N{WORD JOINER}", "").split())


@pytest.mark.parametrize("title", TITLES)
def test_hg2_mails_pushes_chats_and_calendars_say_a_title_as_it_is(alice, bob, receiver, mails, clock, title):
    rules = {"rules": {"title": title}}
    game = dealt(alice, bob, visibility="private", game="house", options=rules, clock={"per_turn": 86_400})
    said(receiver)
    for service, path in (("discord", "/discord"), ("slack", "/slack"), ("matrix", "/matrix")):
        ROOMS.add(game.id, alice, service, f"{receiver.url}{path}")
    mailed = handed_over(game)
    EmailAddress.objects.create(user=mailed, email="own@example.org", verified=True, primary=True)
    tell_players.catch_up()
    clock.advance(minutes=15)
    work.Deliverer().do_all()

    got = {path.rpartition("/")[2]: body for path, _, body in receiver.got}
    chats = {name: json.loads(got[name]) for name in ("discord", "slack", "matrix")}
    table = f"it is your turn: {title} with alice and Bob."
    assert table in as_people_read(re.sub(r"\\([^\w\s])", r"\1", chats["discord"]["content"]))
    assert table in as_people_read(unescape(chats["slack"]["text"]))
    assert table in as_people_read(chats["matrix"]["text"])
    assert table in as_people_read(unescape(re.sub("<br>.*", "", chats["matrix"]["html"])))
    assert "<b>" not in chats["slack"]["text"] and "](" not in chats["discord"]["content"]
    assert "<b>" not in chats["matrix"]["html"] and "<script" not in chats["matrix"]["html"]
    with_whom = f"{title} with {'Bob' if mailed == alice else 'alice'}"
    [mail] = [mail for mail in mails.got if "Your turn" in mail["Subject"]]
    plain, html = bodies(mail)
    assert mail["Subject"].strip() == f"Your turn: {with_whom}"
    assert with_whom in as_people_read(plain)
    assert with_whom in as_people_read(unescape(html)) and "<b>" not in html and "<script" not in html

    path = ics.make(mailed).removeprefix("http://localhost:8000")
    raw = Client().get(path).content
    assert all(len(line) <= 75 for line in raw.split(b"\r\n"))
    [event] = icalendar.Calendar.from_ical(raw).events
    assert event["SUMMARY"] == f"Your turn: {with_whom}" and not event.errors

    pushed = bob if mailed == alice else alice
    browser = subscribed(pushed, receiver)
    while handed_over(game) != pushed:
        pass
    receiver.got.clear()
    tell_players.catch_up()
    work.Deliverer().do_all()
    [body] = [body for path, _, body in receiver.got if path.endswith(pushed.username)]
    assert browser.read(body)["notification"]["title"].startswith(f"Your turn: {title} with {mailed.username}")


@pytest.mark.parametrize(
    "bad",
    [
        "Two\nlines",
        "\r\n",
        "a\N{RIGHT-TO-LEFT MARK}b",
        "a\N{RIGHT-TO-LEFT OVERRIDE}b",
        EMOJI * 41,
    ],
)
def test_hg2_what_would_break_a_line_or_turn_it_round_is_no_title(alice, bob, bad):
    with pytest.raises(Invalid):
        started(alice, bob, game="house", options={"rules": {"title": bad}})
