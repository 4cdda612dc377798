"""The page about this server: the operator's words, before what Trey itself says of the data that it keeps."""

import pytest
from django.test import Client

from core.about.models import About
from core.accounts.models import Audit, Player

pytestmark = pytest.mark.django_db


def test_without_words_of_the_operator_it_says_what_is_kept() -> None:
    shown = Client().get("/about").content.decode()
    assert "What this server stores about you" in shown
    assert "Imprint" not in shown
    assert "Close your account" not in shown


def test_every_page_leads_there() -> None:
    assert 'href="/about"' in Client().get("/rules/castle").content.decode()


def test_a_superuser_writes_the_words_and_markup_in_them_is_text() -> None:
    susan = Client()
    susan.force_login(Player.objects.create_superuser("susan"))
    form = susan.get("/admin/about/about/", follow=True)
    assert form.status_code == 200
    words = {"contact": "help@example.org", "imprint": "<b>Ada</b>\n1 Lane", "privacy": ""}
    assert susan.post(form.request["PATH_INFO"], words).status_code == 302
    shown = susan.get("/about").content.decode()
    assert 'href="mailto:help@example.org"' in shown
    assert "&lt;b&gt;Ada&lt;/b&gt;<br>1 Lane" in shown
    assert "Close your account" in shown
    assert Audit.objects.filter(action="changed").exists()


def test_staff_without_the_right_do_not() -> None:
    stan = Client()
    stan.force_login(Player.objects.create_user("stan", is_staff=True))
    About.objects.create()
    assert stan.get("/admin/about/about/1/change/").status_code == 403
