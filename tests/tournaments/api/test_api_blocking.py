"""AC5 in tournaments: whom a player has blocked neither invites them nor puts them in."""

import pytest

from tests.tournaments.api.conftest import set_up

pytestmark = pytest.mark.django_db


@pytest.mark.sampled
def test_ac5_a_blocked_organiser_invites_nobody_who_blocked_them(cast):
    path = f"tournaments/{set_up(cast['olga'])['id']}"
    assert cast["olga"].post(f"{path}/open").status == 200
    assert cast["ada"].call("PUT", "me/blocked/olga").status == 204
    for call in ("entries", "organisers"):
        refused = cast["olga"].post(f"{path}/{call}", {"player": "ada"})
        assert (refused.status, refused.code) == (403, "blocked"), call
        assert cast["olga"].post(f"{path}/{call}", {"player": "bob"}).status == 201, call
    assert cast["ada"].get("me/notifications").body["results"] == []
    # It does not hold the other way round: what is open to everybody is open to her.
    assert cast["ada"].post(f"{path}/entries").status == 201


@pytest.mark.sampled
def test_ac5_nor_do_they_have_them_play_for_an_entrant(cast, running):
    path = f"tournaments/{running()['id']}"
    asked = {"ruling": "replace", "entrant": "e1", "player": "zoe", "reason": "has left"}
    assert cast["zoe"].call("PUT", "me/blocked/olga").status == 204
    for dry_run in (True, False):
        refused = cast["olga"].post(f"{path}/rulings", {**asked, "dry_run": dry_run})
        assert (refused.status, refused.code) == (403, "blocked")
    assert cast["zoe"].call("DELETE", "me/blocked/olga").status == 204
    assert cast["olga"].post(f"{path}/rulings", asked).status == 201
