"""What entrants do on a tournament's page: forms that the services judge, for who is logged in."""

import re
from typing import Any

import pytest
from django.test import Client

from core import clock as service_clock
from core.accounts.login import guests
from core.accounts.models import Player
from games.models import Game
from tests.games.services.service_scene import game_now
from tests.tournaments.moment import services
from tests.tournaments.pages.test_tournament_page import text_of
from tests.tournaments.services.season_scene import room_of, season
from tests.tournaments.services.tournament_scene import Club, end_game
from tournaments.models import Tournament
from tournaments.notifications.following import tell_entrants
from tournaments.pages.acts import ACTS

pytestmark = pytest.mark.django_db
ROUNDS = {"settings": {"rounds": 2, "tables": {"size": 3}}}


def base(club: Club) -> str:
    return f"/t/{Tournament.objects.get(pk=club.id).slug}"


def logged_in(player: Player) -> Client:
    client = Client()
    client.force_login(player)
    return client


def done(client: Client, club: Club, what: str, **given: Any) -> str:
    """What the page says after a form was sent."""
    return text_of(client.post(f"{base(club)}/{what}", given, follow=True))


def standing(club: Club, player: Player) -> str | None:
    entrant = club.t.entrant_of(player.pk)
    return None if entrant is None else entrant.standing.value


@pytest.mark.sampled
def test_li1_somebody_enters_checks_in_and_withdraws_on_the_page(club: Club) -> None:
    club.open(*club.people[:3], check_in=3600, **ROUNDS)
    eve = Player.objects.create_user("newcomer")
    client = logged_in(eve)
    assert "Enter" in text_of(client.get(base(club)))
    assert "You have entered." in done(client, club, "enter")
    assert standing(club, eve) == "registered"
    assert "You are checked in." in done(client, club, "check-in")
    assert "and checked in. The tournament has not started yet" in text_of(client.get(base(club)))
    assert "Nothing has changed" in done(client, club, "withdraw")
    assert "You have withdrawn." in done(client, club, "withdraw", sure="on")
    assert standing(club, eve) == "withdrawn"


def test_who_is_not_logged_in_is_led_to_the_log_in_and_nothing_happens(club: Club, client: Client) -> None:
    club.open(*club.people[:3], **ROUNDS)
    for what in ACTS:
        answer = client.post(f"{base(club)}/{what}")
        assert answer.status_code == 302
        assert f"next={base(club).replace('/', '%2F')}" in answer.headers["Location"]
        assert client.get(f"{base(club)}/{what}").status_code == 405
    assert "Log in to enter" in text_of(client.get(base(club)))
    assert club.t.numbers == 3


def test_a_form_without_its_token_is_refused(club: Club) -> None:
    club.open(*club.people[:3], **ROUNDS)
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(club.people[4])
    assert strict.post(f"{base(club)}/enter").status_code == 403
    assert standing(club, club.people[4]) is None


@pytest.mark.sampled
def test_an_invitation_is_accepted_and_what_is_refused_is_said(club: Club) -> None:
    club.open(*club.people[:3], **ROUNDS)
    services.invite(club.id, club.olga, "dan", now=club.now)
    dan = logged_in(club.player("dan"))
    assert "You are invited to play." in text_of(dan.get(base(club))), "before the news is written"
    tell_entrants.catch_up()
    asked = text_of(dan.get(base(club)))
    assert "olga invites you to play in Threes 2026." in asked and "Decline" in asked
    assert "You have accepted." in done(dan, club, "accept")
    assert "You have no open invitation to this tournament." in done(dan, club, "accept")


def test_too_many_invitations_are_refused_on_a_page(club: Club, settings: Any) -> None:
    settings.TREY_LIMITS = {**settings.TREY_LIMITS, "invite": (1, 3600)}
    club.open(*club.people[:3], **ROUNDS)
    olga = logged_in(club.olga)
    assert "dan has been invited." in done(olga, club, "invite", who="dan")
    refused = olga.post(f"{base(club)}/invite", {"who": "eve"})
    assert refused.status_code == 429 and "Too many attempts" in text_of(refused)


@pytest.mark.sampled
def test_an_invitation_is_declined(club: Club) -> None:
    club.open(*club.people[:3], **ROUNDS)
    services.invite(club.id, club.olga, "dan", now=club.now)
    dan = logged_in(club.player("dan"))
    assert "Nothing has changed" in done(dan, club, "withdraw")
    said = done(dan, club, "withdraw", sure="on")
    assert "You have declined the invitation." in said and "You have withdrawn." not in said
    assert standing(club, club.player("dan")) == "gone"


@pytest.mark.sampled
@pytest.mark.parametrize("kind", ["season", "rounds", "knockout"])
def test_a_reader_is_told_where_they_stand_and_in_the_end_where_they_came(club: Club, kind: str) -> None:
    settings = {"tables": {"size": 3}, **({"advance": 1} if kind == "knockout" else {})}
    if kind == "season":
        season(club)
        room = room_of(club, *club.people[:3])
        end_game(room, [0, 1, 2], club.now)
        club.run()
    else:
        club.start(*club.people[:3], kind=kind, settings=settings)
        club.finish(1, "e1", "e2", "e3")
    ada = logged_in(club.people[0])
    over = {"season": "You came 1st with 0.57 points from 1 game.", "rounds": "You came 1st with 1 point from 1 game.",
            "knockout": "You came 1st."}  # fmt: skip
    if kind != "knockout":  # which its final ended
        assert "You are in, ranked 1st with" in text_of(ada.get(base(club)))
        services.finish(club.id, club.olga, now=club.now)
        club.run()
    assert over[kind] in text_of(ada.get(base(club)))


@pytest.mark.sampled
def test_in_a_tournament_that_was_called_off_nobody_came_first_or_needs_anything(club: Club) -> None:
    club.start(*club.people[:3], settings={"rounds": 2, "tables": {"size": 3}})
    club.finish_round().run()
    ada = logged_in(club.people[0])
    assert "What do I need?" in text_of(ada.get(base(club)))
    services.cancel(club.id, club.olga, "Rain.", now=club.now)
    club.run()
    shown = text_of(ada.get(base(club)))
    assert re.search(r"You were ranked (1st|2nd|3rd) with \S+ points? from 1 game\.", shown)
    assert "You came" not in shown
    assert "What do I need?" not in shown
    assert "After the open games" not in text_of(ada.get(f"{base(club)}/entrants/e1"))


def test_in_a_registration_that_was_called_off_there_are_entrants_and_no_places(club: Club) -> None:
    club.open(*club.people[:3])
    services.cancel(club.id, club.olga, "Too few.", now=club.now)
    shown = logged_in(club.people[0]).get(base(club)).content.decode()
    assert "You entered." in shown
    assert ">Entrants</h2>" in shown
    assert ">Standings</h2>" not in shown


def test_an_organiser_finds_the_way_on_from_the_page_of_a_draft(club: Club) -> None:
    club.set_up()
    shown = text_of(logged_in(club.olga).get(base(club)))
    assert "Set it up and open it" in shown
    assert shown.count("Nobody can enter yet.") == 1
    assert "has not been opened yet" not in shown


@pytest.mark.sampled
def test_a_private_tournament_is_404_alike_for_strangers_also_where_forms_lead(club: Club, client: Client) -> None:
    club.start(*club.people[:4], visibility="private", **ROUNDS)
    stranger = logged_in(club.people[5])
    for who in (client, stranger):
        answers = [
            who.get(base(club)),
            who.get(f"{base(club)}/propose"),
            *(who.post(f"{base(club)}/{what}") for what in ACTS),
        ]
        assert {answer.status_code for answer in answers} == {404}
    own = logged_in(club.people[0]).get(base(club))
    assert own.status_code == 200
    assert club.t.invitation not in own.content.decode(), "who is known by the log-in alone gets links without it"
    assert own.headers["Cache-Control"] == "private, no-store"
    assert "private" in logged_in(club.people[0]).get(f"{base(club)}/propose").headers["Cache-Control"]


@pytest.mark.sampled
def test_the_part_of_a_reader_is_in_nobody_elses_page(club: Club, client: Client) -> None:
    club.start(**ROUNDS)
    own = logged_in(club.people[0])
    assert "My tables" in text_of(own.get(base(club)))
    stranger = client.get(base(club))
    assert "My tables" not in text_of(stranger)
    assert stranger.headers["Vary"] == own.get(base(club)).headers["Vary"] == "Cookie"
    first = own.get(base(club))
    assert own.get(base(club), headers={"If-None-Match": first.headers["ETag"]}).status_code == 304
    assert client.get(base(club), headers={"If-None-Match": first.headers["ETag"]}).status_code == 200


def test_sn1_a_game_of_the_season_is_opened_on_the_page(club: Club) -> None:
    season(club)
    ada = logged_in(club.people[0])
    answer = ada.post(f"{base(club)}/open-game", {"seats": "3"})
    room = Game.objects.get(tournament=club.id)
    assert (answer.status_code, answer.headers["Location"]) == (302, f"/rooms/{room.pk}")
    assert game_now(room.pk).seats == 3
    # A key that no page made is ignored.
    assert ada.post(f"{base(club)}/open-game", {"seats": "2", "key": "a\0b"}).status_code == 302
    club.run()
    text = text_of(ada.get(base(club)))
    assert "Waiting for players" in text
    shown = [logged_in(one).get(f"/games/{room.pk}").context["page"]["maySit"] for one in (club.people[1], club.olga)]
    assert shown == [True, False], "only entrants may sit down"
    assert "Sit down" not in text_of(logged_in(club.olga).get(base(club)))
    assert "starts when all seats are taken" in text


@pytest.mark.sampled
def test_rt2_a_guest_who_has_no_vote_is_offered_no_proposal_either(
    club: Club, clock: service_clock.FrozenClock
) -> None:
    guest = guests.sign_up("a-guest")
    club.start(*club.people[:2], guest, guests=True, proposals="entrants", **ROUNDS)
    page = logged_in(guest).get(base(club))
    assert "You are in" in text_of(page) and "Propose other rules" not in text_of(page)
    assert "who are not guests" in text_of(logged_in(guest).get(f"{base(club)}/propose"))


@pytest.mark.sampled
def test_rt1_rules_are_proposed_looked_at_first_voted_on_and_withdrawn(
    club: Club, clock: service_clock.FrozenClock
) -> None:
    season(club, proposals="entrants")
    room_of(club, *club.people[:3])
    ada = logged_in(club.people[0])
    address = f"{base(club)}/propose"
    assert "Propose other rules" not in text_of(ada.get(base(club))), "RT2: they have entered today"
    too_early = text_of(ada.get(address))
    assert "who are not guests, and entered at least 7 days ago or have played" in too_early
    assert "Show what changes" not in too_early, "before anything is filled in"
    club.run(days=8)
    clock.advance(days=8)
    assert "Propose other rules" in text_of(ada.get(base(club)))
    asked = {"title": "Tens are wild", "reason": "More fun", "option_ten_wild": "yes", "look": "1"}
    looked = text_of(ada.post(address, asked))
    assert "What would change" in looked
    assert "10s are wild" in looked
    assert club.t.proposed == 0
    assert "Select a valid choice" in text_of(ada.post(address, {**asked, "option_play_until": "the end of time"}))
    assert "Proposed." in text_of(ada.post(address, {**asked, "sure": "1"}, follow=True))
    assert "The entrants decide by vote." in text_of(logged_in(club.olga).get(base(club)))
    assert club.t.proposals[1].options == {"ten_wild": True}
    assert "Your vote: no." in done(ada, club, "vote", proposal="1", vote="no")
    assert club.t.electors[1, "e1"].vote == "no"
    assert "The proposal has been withdrawn." in done(ada, club, "withdraw-proposal", proposal="1")
    nothing = text_of(ada.post(address, {"title": "x", "reason": "y", "look": "1"}))
    assert "These rules hold already." in nothing


@pytest.mark.sampled
def test_the_list_finds_tournaments_and_begins_with_ones_own(club: Club, client: Client) -> None:
    club.start(title="Winter cup", **ROUNDS)
    club.open(*club.people[:2], title="Spring open", **ROUNDS)
    club.set_up(title="A draft", **ROUNDS)
    club.open(*club.people[:2], title="Secret", visibility="private", **ROUNDS)
    text = text_of(client.get("/tournaments"))
    assert "Spring open Threes, rounds, 2 entrants" in text
    assert "Winter cup Threes, rounds, 6 entrants, round 1 of 2" in text
    assert "Secret" not in text
    assert "A draft" not in text
    mine = text_of(logged_in(club.people[0]).get("/tournaments"))
    assert mine.index("Mine") < mine.index("Secret Threes, rounds, open for entries, 2 entrants")
    # What is over is listed for its players, private or not; "More" has all of it.
    own = logged_in(club.people[0])
    services.cancel(club.id, club.olga, "Nobody came.", now=club.now)
    assert "Secret" in text_of(own.get("/tournaments"))
    assert "Secret" in text_of(own.get("/tournaments?status=mine"))
    assert client.get("/tournaments?status=mine").status_code == 404
    assert "Keep this account to set up" in text_of(logged_in(guests.sign_up("gus")).get("/tournaments"))
    found = text_of(client.get("/tournaments?q=winter&game=threes"))
    assert "Winter cup" in found
    assert "Spring open" not in found
    assert "Spring open" in text_of(client.get("/tournaments?status=registration"))
    for bad in ("status=draft", "game=chess", "page=0", "status=running&page=9", "q=%00"):
        assert client.get(f"/tournaments?{bad}").status_code in (400, 404), bad


def test_a_page_for_who_is_logged_in_costs_a_few_statements(club: Club, django_assert_max_num_queries: Any) -> None:
    club.start(**ROUNDS)
    own = logged_in(club.people[0])
    own.get(base(club))
    with django_assert_max_num_queries(24):
        own.get(base(club))
