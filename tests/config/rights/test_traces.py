"""Whoever changes a game or a tournament over the API is named by the events of it: organisers and staff, too."""

import pytest

from core import log
from core.accounts.models import Player
from tests.config.rights.rights_scene import EVERYBODY, Scene, taken_back
from tests.config.rights.test_rights import ARGUMENTS, RULING, rows

pytestmark = pytest.mark.django_db
#: These change nothing of what they are about: a rematch and a season's room are new games, who takes part in a
#: tournament without a check-in is there anyway, and a plan or a note is no event, so that nobody learns of it, nor is
#: a review or a talk. Nor is
#: what a player has seen, or has told somebody else, or the test of a channel. A guest's new link is in the audit log.
ELSEWHERE = {
    "rematch",
    "tournament_games",
    "tournament_check_in",
    "plan",
    "note",
    "review",
    "talk",
    "talk_message",
    "talk_hide",
    "talk_report",
    "talk_quiet",
    "talk_read",
    "try_plan",
    "seen",
    "invite",
    "channel_test",
    "tournament_channel_test",
    "tournament_guest_link",
}


@pytest.mark.slow
def test_every_act_is_an_event_with_its_actor(scene: Scene) -> None:
    ids = dict(Player.objects.values_list("username", "pk"))
    untraced, acts = [], 0
    for method, name, about, body, statuses in rows():
        if method == "GET" or not about or about.startswith("the player's") or name in ELSEWHERE:
            continue
        stream = f"{'tournament' if name.startswith('tournament') else 'game'}-{scene.ids[about]}"
        before = len(log.read(stream))
        for who, status in zip(EVERYBODY, statuses.split(), strict=True):
            if status >= "300":
                continue
            acts += 1
            with taken_back():
                scene.act(who, method, name, about, body, ARGUMENTS.get(name, {}))
                actors = [event.actor for event in log.read(stream)[before:]]
            if str(ids[who]) not in {actor.id for actor in actors if actor is not None}:
                untraced.append((who, method, name, actors))
    assert untraced == []
    assert acts > 60


def test_a_ruling_of_staff_says_who_and_why_to_everybody(scene: Scene) -> None:
    staff = Player.objects.get(username="staff")
    assert scene.cast["staff"].post(f"tournaments/{scene.ids['rounds']}/rulings", RULING).status == 201
    ruling = scene.cast["nobody"].get(f"tournaments/{scene.ids['rounds']}/rulings").body["results"][0]
    assert ruling["by"] == {"id": str(staff.pk), "username": "staff"}
    assert ruling["reason"] == RULING["reason"]
