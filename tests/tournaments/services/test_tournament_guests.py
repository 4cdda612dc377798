"""PLAY AC2, RT2: guests in tournaments."""

from datetime import timedelta
from typing import Any

import pytest
from tournament_scene import Club

from core import clock
from core.accounts.login import guests
from core.accounts.models import Audit, Player
from core.refusals import Conflict, Forbidden
from tests.tournaments.moment import services
from tournaments.services.proposals import without_a_vote
from tournaments.stream.proposals import electors_of

PAIRS: dict[str, Any] = {"settings": {"rounds": 2, "tables": {"size": 2}}}


@pytest.fixture
def guest(club: Club) -> Player:
    with clock.frozen(club.now):
        return guests.sign_up("a-guest")


def test_ac2_a_tournament_takes_guests_where_its_organiser_permits(club: Club, guest: Player) -> None:
    club.open(*club.people[:2], **PAIRS)
    with pytest.raises(Forbidden) as refused:
        services.enter(club.id, guest, now=club.now)
    assert refused.value.code == "no_guests"
    services.invite(club.id, club.olga, "a-guest", now=club.now)
    with pytest.raises(Forbidden):
        services.accept(club.id, guest, "e3", now=club.now)
    services.change(club.id, club.olga, {"guests": True}, now=club.now)
    services.accept(club.id, guest, "e3", now=club.now)
    assert club.t.entrants["e3"].player == guest.pk


def test_ac2_a_guests_tournament_games_are_unrated_and_the_others_are_rated(club: Club, guest: Player) -> None:
    club.start(*club.people[:3], guest, guests=True, **PAIRS)
    rated = {club.game(table).rated: club.t.tables[1, table].entrants for table in (1, 2)}
    assert "e4" in rated[False] and "e4" not in rated[True]


def test_rt2_a_guest_is_no_elector_until_the_account_is_kept(club: Club, guest: Player) -> None:
    club.start(*club.people[:3], guest, guests=True, **PAIRS)
    later = club.now + timedelta(days=8)
    assert [one.key for one in electors_of(club.t, later, **without_a_vote(club.t))] == ["e1", "e2", "e3"]
    guest.keep()
    assert [one.key for one in electors_of(club.t, later, **without_a_vote(club.t))] == ["e1", "e2", "e3", "e4"]


def test_rt2_a_guest_who_takes_an_entrant_over_has_no_vote(club: Club, guest: Player) -> None:
    club.start(*club.people[:4], proposals="entrants", **PAIRS)
    club.run(days=8)
    asked = {"title": "Ours", "reason": "ours", "confirm": True}
    n = services.propose(club.id, club.people[0], asked, now=club.now).n
    club.replace("e2", guest)
    with pytest.raises(Forbidden) as refused:
        services.vote(club.id, guest, n, "yes", now=club.now)
    assert refused.value.code == "not_an_elector"
    assert club.t.proposals[n].counts.electors == 3


def test_ac2_an_organiser_gives_a_guest_who_lost_the_browser_a_new_link(club: Club, guest: Player) -> None:
    club.open(club.people[0], guest, guests=True, **PAIRS)
    with pytest.raises(Forbidden):
        services.new_guest_link(club.id, club.people[0], "e2", now=club.now)
    with pytest.raises(Conflict):
        services.new_guest_link(club.id, club.olga, "e1", now=club.now)
    secret, expires_at = services.new_guest_link(club.id, club.olga, "e2", now=club.now)
    assert expires_at - club.now == timedelta(days=1)
    with clock.frozen(club.now):
        assert guests.use_link(secret) == guest
    assert Audit.objects.get(action="gave a guest a new link").subject == f"player {guest.pk}"


def test_ac2_a_guest_in_a_tournament_is_not_closed_until_it_is_over(club: Club, guest: Player) -> None:
    club.open(club.people[0], guest, guests=True, **PAIRS)
    with clock.frozen(club.now + timedelta(days=31)):
        assert guests.close_idle() == 0
        services.cancel(club.id, club.olga, "rain", now=club.now)
        assert guests.close_idle() == 1


def test_a_guest_sets_up_no_tournament(club: Club, guest: Player) -> None:
    with pytest.raises(Forbidden) as refused:
        services.set_up(guest, {"title": "Mine", "game": "threes", "kind": "rounds"}, now=club.now)
    assert refused.value.code == "guest_account"


def refuses_a_link(club: Club, entrant: str) -> str:
    with pytest.raises(Conflict) as refused:
        services.new_guest_link(club.id, club.olga, entrant, now=club.now)
    return refused.value.code


def test_ac2_no_organiser_gets_a_link_to_the_account_of_a_guest_who_has_not_come(club: Club, guest: Player) -> None:
    """Whoever has the link is the guest, with all their tables, and anybody can set up a tournament and invite them."""
    club.open(*club.people[:2], guests=True, **PAIRS)
    services.invite(club.id, club.olga, "a-guest", now=club.now)
    assert refuses_a_link(club, "e3") == "not_entered"
    services.accept(club.id, guest, "e3", now=club.now)
    assert services.new_guest_link(club.id, club.olga, "e3", now=club.now)


def test_ac2_nor_of_one_who_is_asked_to_play_on_for_an_entrant(club: Club, guest: Player) -> None:
    club.start(*club.people[:4], **PAIRS)
    replaced = {"ruling": "replace", "entrant": "e2", "player": "a-guest", "reason": "ill"}
    services.rule(club.id, club.olga, replaced, now=club.now)
    assert refuses_a_link(club, "e2") == "no_guest"
    services.accept(club.id, guest, "e2", now=club.now)
    assert services.new_guest_link(club.id, club.olga, "e2", now=club.now)


def test_ac2_nor_of_one_who_has_left(club: Club, guest: Player) -> None:
    club.open(*club.people[:3], guest, guests=True, **PAIRS)
    services.withdraw(club.id, guest, "e4", now=club.now)
    assert refuses_a_link(club, "e4") == "not_entered"
    services.enter(club.id, guest, now=club.now)
    assert services.new_guest_link(club.id, club.olga, "e4", now=club.now)
