"""Reports, hiding and muting (TK8, TK9)."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.test import Client

from core.accounts.models import Audit, Player
from core.accounts.services import close
from core.notifications.models import Notification
from core.refusals import NotFound
from games.talk import moderation
from games.talk.models import Mute, TalkMessage, TalkReport
from tests.games.api.client import Answer, Person
from tests.games.talk.test_api_talk import heard, say, table

__all__ = ["table"]


@pytest.fixture
def staff(db: None) -> Client:
    browser = Client()
    browser.force_login(Player.objects.create_user("stan", is_staff=True))
    return browser


def report(who: Person, game: dict[str, Any], number: int, why: str = "insult", **more: Any) -> Answer:
    return who.post(f"games/{game['id']}/talk/{number}/report", {"why": why, **more})


def told(name: str) -> list[str]:
    rows = Notification.objects.filter(player__username=name, kind="ruling").order_by("number")
    return [one.data["what"] for one in rows]


@pytest.mark.sampled
def test_tk8_a_report_copies_the_message_and_the_ten_before_it(alice: Person, bob: Person, table: Any) -> None:
    for number in range(1, 13):
        say(alice, table, f"{number}")
    made = report(bob, table, 12, text=" He always\ndoes. ")
    assert (made.status, made.body["number"], made.body["text"]) == (201, 12, "He always does.")
    alice.call("DELETE", f"games/{table['id']}/talk/12")
    copied = TalkReport.objects.get().copied
    assert [one["text"] for one in copied] == [str(number) for number in range(2, 13)]
    again = report(bob, table, 12)
    assert (again.status, again.code) == (404, "no_such_message"), "it is gone"
    report(bob, table, 11)
    assert (report(bob, table, 11).status, report(bob, table, 11).code) == (409, "already_reported")


@pytest.mark.sampled
def test_tk8_the_copy_is_what_the_reporter_sees_and_the_words_that_are_reported(
    alice: Person, bob: Person, charlie: Person
) -> None:
    room = alice.opens(seats=3, talk="all")
    for who in (bob, charlie):
        who.post(f"games/{room['id']}/join")
    say(alice, room, "One")
    say(charlie, room, "Two")
    say(alice, room, "Three")
    bob.call("PUT", "me/blocked/alice")
    report(bob, room, 3)
    copied = TalkReport.objects.get().copied
    assert [(one["text"], one["gone"]) for one in copied] == [(None, "blocked"), ("Two", None), ("Three", None)]


@pytest.mark.sampled
def test_tk8_a_decision_is_taken_back_and_the_reports_wait_again(
    alice: Person, bob: Person, table: Any, staff: Client
) -> None:
    say(alice, table, "You cheat.")
    report(bob, table, 1)
    key = TalkReport.objects.get().pk
    staff.post(f"/admin/reports/{key}/", {"decision": "both", "span": "for good", "reason": "Insults."})
    assert "Take back the decision about alice" in staff.get("/admin/reports/").content.decode()
    assert staff.post(f"/admin/reports/{key}/back/").status_code == 302
    assert heard(bob, table)["results"][0]["text"] == "You cheat."
    assert say(alice, table, "I do not.").status == 201
    assert told("bob") == ["report_acted", "taken_back"]
    assert told("alice") == ["hidden", "muted", "taken_back"]
    news = alice.get("me/notifications").body["results"]
    assert "A decision about a message was reversed: Threes with bob." in [one["text"] for one in news]
    assert Audit.objects.order_by("-id")[0].action == "reversed a decision"
    assert moderation.open_reports(Player.objects.get(username="stan"), is_staff=True).count() == 1
    staff.post(f"/admin/reports/{key}/back/")
    assert told("alice") == ["hidden", "muted", "taken_back"], "once"


@pytest.mark.sampled
def test_tk9_somebody_is_muted_without_a_report_and_told_when_it_is_taken_back(
    alice: Person, bob: Person, charlie: Person, table: Any, staff: Client
) -> None:
    form = {"player": "alice", "table": f"http://localhost/games/{table['id']}", "span": "day", "reason": "Spam."}
    for bad in ({"player": "charlie"}, {"player": "\0"}, {"table": "there"}, {"span": "year"}, {"reason": " "}):
        staff.post("/admin/reports/mute/", form | bad)
        assert not Mute.objects.exists()
    staff.post("/admin/reports/mute/", form | {"player": "Alice"})
    assert say(alice, table, "Hello").code == "muted"
    staff.post("/admin/reports/unmute/", {"mute": Mute.objects.get().pk})
    staff.post("/admin/reports/unmute/", {"mute": Mute.objects.get().pk})
    assert told("alice") == ["muted", "unmuted"]


@pytest.mark.django_db(transaction=True)
def test_tk8_several_who_decide_about_one_message_at_once_decide_once(
    alice: Person, bob: Person, charlie: Person
) -> None:
    room = alice.opens(seats=3, talk="all")
    for who in (bob, charlie):
        who.post(f"games/{room['id']}/join")
    moderators = [Player.objects.create_user(f"staff{number}", is_staff=True) for number in range(2)]
    say(alice, room, "You idiots.")
    for who in (bob, charlie):
        report(who, room, 1)
    keys = list(TalkReport.objects.order_by("at").values_list("pk", flat=True))

    def decide(at: int) -> str:
        try:
            moderation.decide(keys[at], moderators[at], "both", "Insults.", is_staff=True)
        except NotFound:
            return "decided already"
        finally:
            connection.close()
        return "decided"

    with ThreadPoolExecutor(2) as threads:
        assert sorted(threads.map(decide, range(2))) == ["decided", "decided already"]
    assert (Mute.objects.count(), told("bob"), told("charlie")) == (1, ["report_acted"], ["report_acted"])


def test_tk8_bad_reports_are_refused_and_strangers_report_nothing(
    alice: Person, bob: Person, charlie: Person, table: Any
) -> None:
    say(alice, table, "Hello")
    assert report(charlie, table, 1).status == 404
    assert [one["field"] for one in report(bob, table, 1, "boring").body["errors"]] == ["why"]
    assert [one["field"] for one in report(bob, table, 1, text="x" * 501).body["errors"]] == ["text"]
    assert report(bob, table, 2).code == "no_such_message"
    own = report(alice, table, 1)
    assert (own.status, own.code) == (403, "own_message")
    assert not TalkReport.objects.exists()


def test_tk8_what_was_not_reported_does_not_count(alice: Person, bob: Person, table: Any, settings: Any) -> None:
    for text in ("One", "Two"):
        say(alice, table, text)
    settings.TREY_LIMITS = {**settings.TREY_LIMITS, "report": (1, 24 * 3600)}
    statuses = [report(bob, table, number).status for number in (7, 1, 1, 2)]
    assert statuses == [404, 201, 409, 429]
    assert [one.number for one in TalkReport.objects.all()] == [1]


@pytest.mark.sampled
def test_tk8_a_decision_answers_all_reports_of_a_message_and_is_told(
    alice: Person, bob: Person, charlie: Person, staff: Client
) -> None:
    room = alice.opens(seats=3, talk="all")
    for who in (bob, charlie):
        who.post(f"games/{room['id']}/join")
    say(alice, room, "You idiots.")
    report(bob, room, 1)
    report(charlie, room, 1, "other")
    page = staff.get("/admin/reports/").content.decode()
    assert "You idiots." in page
    assert "2 reports" in staff.get("/admin/").content.decode()
    key = TalkReport.objects.order_by("at").first().pk
    sent = {"decision": "both", "span": "week", "reason": "Insults."}
    assert staff.post(f"/admin/reports/{key}/", {**sent, "reason": " "}).status_code == 302
    assert TalkReport.objects.filter(decided_at__isnull=True).count() == 2
    assert staff.post(f"/admin/reports/{key}/", sent).status_code == 302
    assert not TalkReport.objects.filter(decided_at__isnull=True).exists()
    assert heard(bob, room)["results"][0] | {"gone": "staff", "text": None} == heard(bob, room)["results"][0]
    assert told("bob") == told("charlie") == ["report_acted"]
    assert told("alice") == ["hidden", "muted"]
    assert list(Audit.objects.order_by("id").values_list("action", flat=True)) == ["muted", "decided a report"]
    refused = say(alice, room, "Sorry")
    assert (refused.status, refused.code) == (403, "muted")
    found = heard(alice, room)
    assert (found["may"], found["reason"]["code"]) == (None, "muted")
    assert found["reason"]["detail"].startswith("You cannot write until ")
    assert found["reason"]["detail"].endswith(" UTC: Insults.")
    assert found["reason"]["until"] is not None
    assert alice.post(f"games/{room['id']}/talk", {"sign": "sorry"}).code == "muted"
    assert staff.post("/admin/reports/unmute/", {"mute": Mute.objects.get().pk}).status_code == 302
    assert say(alice, room, "Sorry").status == 201


def test_tk8_what_is_left_is_told_to_the_reporters_alone(alice: Person, bob: Person, table: Any, staff: Client) -> None:
    say(alice, table, "Nice try.")
    report(bob, table, 1)
    staff.post(f"/admin/reports/{TalkReport.objects.get().pk}/", {"decision": "leave", "reason": "It is friendly."})
    assert told("bob") == ["report_left"]
    assert told("alice") == []
    assert heard(bob, table)["results"][0]["text"] == "Nice try."


def test_tk8_nobody_decides_about_their_own_words_or_reports(alice: Person, bob: Person, table: Any) -> None:
    Player.objects.filter(username__in=("alice", "bob")).update(is_staff=True)
    say(alice, table, "Hello")
    report(bob, table, 1)
    for name in ("alice", "bob"):
        assert not moderation.open_reports(Player.objects.get(username=name), is_staff=True).exists()


def test_tk9_a_muting_ends_by_itself(alice: Person, bob: Person, table: Any, clock: Any) -> None:
    stan = Player.objects.create_user("stan", is_staff=True)
    ada = Player.objects.get(username="alice")
    moderation.mute(UUID(table["id"]), ada, stan, "hour", "Spam.", is_staff=True)
    assert say(alice, table, "Hello").code == "muted"
    assert say(bob, table, "Hello").status == 201
    clock.advance(hours=1, seconds=1)
    assert say(alice, table, "Hello").status == 201


def test_tk8_nor_by_the_report_of_somebody_else_on_the_same_message(
    alice: Person, bob: Person, charlie: Person, staff: Client
) -> None:
    room = alice.opens(seats=3, talk="all")
    for who in (bob, charlie):
        who.post(f"games/{room['id']}/join")
    say(alice, room, "You idiots.")
    report(bob, room, 1)
    report(charlie, room, 1)
    Player.objects.filter(username="bob").update(is_staff=True)
    bobs = Player.objects.get(username="bob")
    assert not moderation.open_reports(bobs, is_staff=True).exists()
    key = TalkReport.objects.get(by__username="charlie").pk
    with pytest.raises(NotFound):
        moderation.decide(key, bobs, "mute", "Insults.", is_staff=True)
    staff.post(f"/admin/reports/{key}/", {"decision": "leave", "reason": "It is friendly."})
    assert not moderation.decided_reports(bobs, is_staff=True).exists()
    with pytest.raises(NotFound):
        moderation.take_back(key, bobs, is_staff=True)


@pytest.mark.django_db(transaction=True)
def test_tk11_a_closed_account_takes_its_name_off_reported_copies(
    alice: Person, bob: Person, table: Any, clock: Any
) -> None:
    say(alice, table, "You cheat.")
    report(bob, table, 1)
    close(Player.objects.get(username="alice"))
    [copied] = TalkReport.objects.get().copied
    assert (copied["text"], copied["by"]["username"]) == ("You cheat.", None)
    assert TalkMessage.objects.get().text is None
    TalkReport.objects.update(decided_at=clock.at)
    clock.advance(days=181)
    assert moderation.sweep_reports() == 1


@pytest.mark.django_db(transaction=True)
def test_tk8_a_report_is_decided_although_the_author_has_closed_the_account(
    alice: Person, bob: Person, table: Any
) -> None:
    staff = Client()
    staff.force_login(Player.objects.create_user("stan", is_staff=True))
    say(alice, table, "You cheat.")
    report(bob, table, 1)
    close(Player.objects.get(username="alice"))
    key = TalkReport.objects.get().pk
    assert staff.post(f"/admin/reports/{key}/", {"decision": "both", "reason": "Insults."}).status_code == 302
    assert TalkReport.objects.get().decision == "both"
    assert staff.post(f"/admin/reports/{key}/back/").status_code == 302
    assert TalkReport.objects.get().decision is None
