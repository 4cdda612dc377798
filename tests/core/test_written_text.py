"""What a name, a title and a reason may hold (TK4, AC7): the characters, and every call that takes one."""

from copy import deepcopy

import pytest
from django.test import Client

from core.accounts.login import guests, tokens
from core.accounts.models import Player
from core.refusals import Refused
from core.text import checked
from tests.config.rights.rights_scene import EVERYBODY, make
from tests.config.rights.test_rights import ARGUMENTS, rows

#: A Hangul filler, a zero-width space, an override, a soft hyphen, a tag, a bell, a line break, a tower of marks.
UNREADABLE = [
    "\u3164",
    "\u200b",
    "\u202e",
    "\u00ad",
    "\U000e0041",
    "\x07",
    "\n",
    "e\u0301\u0302\u0303\u0304\u0305\u0306",
]
LONGEST = 40


@pytest.mark.parametrize("bad", UNREADABLE)
@pytest.mark.parametrize("text", ["Cup {} 2026", "{}Cup", "Cup{}"])
def test_ac7_what_nobody_sees_or_can_read_is_refused(text, bad):
    with pytest.raises(ValueError, match=r"invisible character|marks"):
        checked(text.format(bad), LONGEST)


@pytest.mark.parametrize(
    "text",
    ["", " ", "\u00a0", "\u0301", "\u200d", "\ufe0f", "\u2800", "\u2800 \u2800\u0301", "\U0001d159", "\ufffc"],
)
def test_ac7_there_is_something_to_see(text):
    with pytest.raises(ValueError, match=r"1 to 40|something visible"):
        checked(text, LONGEST)


def test_tk4_scripts_and_pictures_keep_their_joiners_and_names_have_none():
    family, persian = "\U0001f469\u200d\U0001f467 \u2764\ufe0f", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"
    assert [checked(text, LONGEST) for text in (family, persian)] == [family, persian]
    for text in (family, persian):
        with pytest.raises(ValueError, match="invisible character"):
            checked(text, LONGEST, joiners=False)


def test_tk4_text_is_trimmed_and_composed_before_it_is_measured():
    assert checked("  " + "e\u0301" * LONGEST + "  ", LONGEST) == "é" * LONGEST
    with pytest.raises(ValueError, match="Must be 1 to 40 characters"):
        checked("x" * (LONGEST + 1), LONGEST)


#: The parts of bodies that others read. A name that is looked up is none.
TEXTS = ("username", "title", "reason", "token_name", "text")


@pytest.mark.sampled
@pytest.mark.django_db
def test_ac7_no_call_takes_a_text_that_nobody_can_read():
    scene, taken, tried = make(), [], set()
    for method, name, about, body, statuses in rows():
        sent = {"token_name": "phone", **body} if name in ("login", "code_login") else body
        if name == "me" and method == "PATCH":
            sent = {"username": "newcomer"}
        for key in set(TEXTS) & set(sent if isinstance(sent, dict) else ()):
            if name in ("invite", "login") and key == "username":
                continue
            who = next((who for who, status in zip(EVERYBODY, statuses.split(), strict=True) if status < "300"), None)
            if who is None:
                continue
            # A note has lines (NO1), and in a talk they become spaces (TK4).
            for bad in UNREADABLE if name not in ("note", "talk") else [one for one in UNREADABLE if one != "\n"]:
                changed = deepcopy(sent) | {key: f"a{bad}b"}
                answer = scene.call(who, method, name, about, changed, ARGUMENTS.get(name, {}))
                fields = {error["field"] for error in answer.body.get("errors", ())}
                if (answer.status, fields) != (400, {key}):
                    taken.append((method, name, key, ascii(bad), answer.status, answer.body))
            tried.add((name, key))
    assert taken == []
    assert {key for _, key in tried} == set(TEXTS)
    assert len(tried) > 10


@pytest.mark.django_db
@pytest.mark.parametrize("bad", UNREADABLE)
def test_ac7_no_page_takes_a_name_that_nobody_can_read(bad):
    player = Player.objects.create_user("ada", password="a quiet evening")
    browser = Client()
    browser.force_login(player)
    name, password = f"b{bad}b", "a quieter evening"
    assert Client().post("/accounts/signup/", {"username": name, "password1": password, "password2": password})
    assert browser.post("/accounts/tokens/", {"name": name})
    if bad != "\n":  # white space becomes a dash
        with pytest.raises(Refused):
            guests.checked_name(name)
    assert not tokens.valid(player).exists()
    assert Player.objects.count() == 1
