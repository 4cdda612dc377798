"""When the account of the only organiser closes, the entrant in longest who accepts takes over, else staff (LI3)."""

from datetime import timedelta

import pytest
from tournament_scene import Club

from core.accounts import services as accounts
from core.refusals import Conflict, Forbidden
from tests.tournaments.moment import services
from tournaments.projections import rebuild
from tournaments.stream import life

HALF_A_DAY = timedelta(hours=12)


def left(club: Club) -> Club:
    """Ada, Bob and Cleo play when Olga closes her account."""
    club.start(*club.people[:3], settings={"rounds": 2, "tables": {"size": 3}})
    accounts.close(club.olga, now=club.now)
    return club.run()


def accepts(club: Club, name: str) -> None:
    services.accept_to_organise(club.id, club.player(name), now=club.now)


def test_who_is_in_longest_is_asked_first_and_takes_over_by_accepting(club: Club) -> None:
    left(club)
    assert club.t.organisers == () and club.t.unorganised_at == club.now
    with pytest.raises(Forbidden) as error:
        accepts(club, "bob")
    assert error.value.code == "not_an_organiser"
    accepts(club, "ada")
    assert club.t.organisers == (club.people[0].pk,) and club.t.unorganised_at is None
    assert services.finish(club.id, club.people[0], now=club.now).tournament is not None
    assert rebuild(club.id).differences == ()


def test_after_half_a_day_the_next_one_may_too(club: Club) -> None:
    left(club)
    began = club.now
    cleo = club.player("cleo").pk
    assert life.may_organise_from(club.t, cleo) == began + 2 * HALF_A_DAY
    club.now += HALF_A_DAY
    accepts(club, "bob")
    with pytest.raises(Conflict):
        accepts(club, "ada")


def test_nobody_else_and_nobody_while_there_is_an_organiser(club: Club) -> None:
    club.start(*club.people[:3], settings={"rounds": 2, "tables": {"size": 3}})
    with pytest.raises(Conflict):
        accepts(club, "ada")
    accounts.close(club.olga, now=club.now)
    with pytest.raises(Conflict):
        accepts(club, "fay")


def test_another_organiser_goes_on_alone(club: Club) -> None:
    club.start(*club.people[:3], settings={"rounds": 2, "tables": {"size": 3}})
    services.add_organiser(club.id, club.olga, "fay", now=club.now)
    accepts(club, "fay")
    accounts.close(club.olga, now=club.now)
    assert club.t.organisers == (club.player("fay").pk,) and club.t.unorganised_at is None


def test_else_staff_see_to_it(club: Club) -> None:
    left(club)
    fay = club.player("fay")
    fay.is_staff = True
    fay.save()
    services.add_organiser(club.id, fay, "fay", now=club.now)
    assert club.t.organisers == (fay.pk,)
