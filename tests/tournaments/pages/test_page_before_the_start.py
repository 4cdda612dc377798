"""The page of a tournament that has not started: who has a place, who is checked in, and who waits (LI1)."""

from datetime import timedelta

import pytest
from django.test import Client

from core import clock as service_clock
from core.accounts.models import Player
from tests.tournaments.moment import services
from tests.tournaments.pages.test_page_acts import base, done, logged_in
from tests.tournaments.pages.test_tournament_page import page, text_of
from tests.tournaments.services.tournament_scene import Club

pytestmark = pytest.mark.django_db


def later(club: Club, clock: service_clock.FrozenClock, **time: float) -> None:
    clock.advance(**time)
    club.now = service_clock.now()
    club.run()


@pytest.mark.sampled
def test_with_a_check_in_all_who_have_a_place_are_named_and_the_waiting_list_apart(
    club: Club, client: Client, clock: service_clock.FrozenClock
) -> None:
    starts = club.now + timedelta(days=2)
    club.open(*club.people[:4], limit=3, check_in=86_400, starts_at=starts.isoformat())
    text = text_of(page(club, client))
    assert "3 entrants" in text and "3 of 3 places taken, 1 on the waiting list." in text
    assert "Entrants ada bob cleo Waiting list dan" in text
    assert "check-in from 22 November 2026, 12:00 UTC" in text
    ada = logged_in(club.people[0])
    own = text_of(ada.get(base(club)))
    assert "You have a place. Check in to keep it." in own
    assert "The check-in opens 22 November 2026, 12:00 UTC" in own
    later(club, clock, days=1)
    assert "Entrants who have not checked in by then go to the end of the waiting list." in text_of(ada.get(base(club)))
    done(ada, club, "check-in")
    text = text_of(page(club, client))
    assert "1 of 3 has checked in. It has not started yet." in text
    assert "Entrants ada checked in bob cleo Waiting list dan" in text


def test_whoever_withdrew_is_not_among_those_who_will_play(club: Club, client: Client) -> None:
    club.open()
    services.withdraw(club.id, club.people[0], "e1", resign=False, now=club.now)
    text = text_of(page(club, client))
    assert "5 entrants" in text and "5 places taken" in text
    assert "Entrants bob cleo dan eve fay" in text


@pytest.mark.parametrize(("check_in", "said"), [(None, "too few had entered"), (3600, "too few had checked in")])
def test_a_start_that_was_put_off_is_not_announced_any_more(
    club: Club, client: Client, clock: service_clock.FrozenClock, check_in: int | None, said: str
) -> None:
    starts = club.now + timedelta(hours=3)
    club.open(*club.people[: 1 if check_in is None else 4], check_in=check_in, starts_at=starts.isoformat())
    assert "starts 21 November 2026, 15:00 UTC" in text_of(page(club, client))
    later(club, clock, hours=4)
    text = text_of(page(club, client))
    assert f"The start was postponed: {said}." in text
    assert "starts 21 November" not in text
    assert "It starts" not in text_of(logged_in(club.people[0]).get(base(club)))


def test_whoever_comes_when_all_places_are_taken_is_told_to_wait(club: Club, client: Client) -> None:
    club.open(*club.people[:3], limit=3)
    assert "Log in to join the waiting list" in text_of(page(club, client))
    newcomer = logged_in(Player.objects.create_user("newcomer"))
    assert "Join the waiting list" in text_of(newcomer.get(base(club)))
    said = done(newcomer, club, "enter")
    assert "All places are taken, so you are on the waiting list." in said and "You have entered." not in said
