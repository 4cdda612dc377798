"""RT5: the page tells which rules hold since when, what a proposal would change, and how its vote stands."""

import re
from typing import Any

import pytest
from django.test import Client

from core.jobs import services as work
from tests.scenes import done_at
from tests.tournaments.moment import services
from tests.tournaments.services.tournament_scene import Club, end_game
from tournaments.models import Tournament
from tournaments.simulations import services as simulations

pytestmark = pytest.mark.django_db

SHORTER = {"title": "Shorter games", "reason": "They last for weeks.", "options": {"stalemate_after": 10}}


def page_of(club: Club, client: Client) -> str:
    response: Any = client.get(f"/t/{Tournament.objects.get(pk=club.id).slug}")
    assert response.status_code == 200
    return str(response.content.decode())


def text_of(club: Club, client: Client) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page_of(club, client)))


@pytest.fixture
def season(club: Club) -> Club:
    return club.start(kind="season", settings={"tables": {"size": 2}}).run(days=8)


def propose(club: Club, name: str = "ada", **asked: Any) -> int:
    return int(services.propose(club.id, club.player(name), {**SHORTER, **asked}, now=club.now).n)


def vote(club: Club, n: int, **votes: str) -> None:
    for name, choice in votes.items():
        services.vote(club.id, club.player(name), n, choice, now=club.now)


def test_rt5_without_a_proposal_the_page_has_no_rules_to_tell(season, client):
    assert "All rules so far" not in text_of(season, client)


def test_rt5_an_open_proposal_is_shown_option_by_option_with_its_reason_and_how_long_it_lasts(season, client):
    propose(season)
    vote(season, 1, ada="yes", bob="no")
    text = text_of(season, client)
    assert "Shorter games vote open" in text
    assert "Proposal 1 by ada" in text
    assert "ada: “They last for weeks.”" in text
    assert "to games opened from then on. Running games keep their rules." in text
    assert "The vote ends as soon as no missing vote can change the outcome, but not on its first day." in text
    assert "Organisers see the counts" not in text
    assert "had entered at least 7 days before or had a game that counts" in text
    assert "Everyone can see who has voted, and after the vote also how." in text
    assert "Stalemate after The game ends after this many pick-ups without progress" in text
    assert "20 10" in text
    closes = season.t.proposals[1].closes_at
    until = f"until {closes:%-d %B %Y, %H:%M} UTC"
    # Counted down by the script, as in the reader's own panel.
    assert f'<time datetime="{closes.isoformat()}" data-form="left">{until}</time>' in page_of(season, client)
    takes = "To pass, it needs more yes than no, and yes from at least a quarter of the electors."
    assert re.search(rf"Open {until} ?\. {takes}", text)
    assert "2 of 6 electors have voted: ada, bob." in text
    assert "1 yes" not in text
    assert "ada: yes" not in text


def test_rt2_where_an_organiser_decides_the_page_says_who_sees_the_counts(club, client):
    club.start(kind="season", settings={"tables": {"size": 2}}, ratify="organiser").run(days=8)
    propose(club)
    text = text_of(club, client)
    assert "Organisers see the counts at any time." in text
    assert "The vote ends as soon as" not in text


def test_rt5_options_are_called_what_the_form_of_a_table_calls_them(season, client):
    propose(season, options={"ten_wild": True, "play_until": "first_out"})
    text = text_of(season, client)
    assert "Play until one player is left the first player is out" in text
    assert re.search(r"10s are wild \S[^_]* no yes", text)
    assert "last_left" not in text


def test_rt5_when_it_has_ended_the_counts_and_the_votes_are_shown_and_which_rules_hold(season, client):
    propose(season)
    vote(season, 1, ada="yes", bob="no", cleo="yes")
    season.run(days=7)
    text = text_of(season, client)
    assert re.search(r"Ratified \d+ \w+ \d{4}, \d\d:\d\d UTC ?: 2 yes, 1 no, 0 abstained, of 6 electors\.", text)
    assert "ada: yes, bob: no, cleo: yes" in text
    assert "Rules of proposal 1 in force since" in text
    assert "Ruleset 2023; stalemate after: 10" in text
    assert re.search(r"First rules since \d", text)


def test_rt5_a_single_elector_is_one(club: Club, client: Client) -> None:
    club.start(club.people[0], kind="season", settings={}).run(days=8)
    propose(club)
    vote(club, 1, ada="yes")
    assert "1 yes, 0 no, 0 abstained, of 1 elector." in text_of(club.run(days=2), client)


def test_rt5_one_that_was_closed_has_the_organisers_reason(season, client):
    propose(season)
    services.decide_proposal(season.id, season.olga, 1, "Not in the middle.", ratified=False, now=season.now)
    text = text_of(season, client)
    assert "Closed by an organiser" in text
    assert "The organiser: “Not in the middle.”" in text


def test_rt5_results_are_marked_by_their_rules_once_there_are_several(season, client):
    def play(first: str, second: str) -> None:
        room = services.open_game(season.id, season.player(first), seats=2, now=season.now)
        from games import services as games

        done_at(season.now, games.join, room.id, season.player(second))
        end_game(room.id, [0, 1], season.now)
        season.run(minutes=1)

    play("ada", "bob")
    assert "first rules" not in text_of(season, client)
    propose(season)
    vote(season, 1, ada="yes", bob="yes", cleo="yes", dan="yes")
    season.run(days=1)
    play("ada", "cleo")
    text = text_of(season, client)
    assert "first rules Replay : ada, bob 1st ada 2nd bob" in text
    assert "rules of proposal 1 Replay : ada, cleo 1st ada 2nd cleo" in text


def test_rt5_what_people_write_is_escaped(season, client):
    propose(season, title="<b>Bold</b>", reason="<script>alert(1)</script>")
    page: Any = client.get(f"/t/{Tournament.objects.get(pk=season.id).slug}")
    assert b"<script>alert" not in page.content
    assert b"<b>Bold" not in page.content


def test_lb11_simulated_games_are_told_in_two_sentences_and_a_picture(season, client, monkeypatch):
    monkeypatch.setattr(simulations, "PAIRS", 40)
    propose(season, options={}, ruleset="2022")
    while (job := work.find(simulations.JOB, f"{season.id}/1")) is not None:
        assert work.do(job.kind, job.key, now=job.due_at)

    text = text_of(season, client)
    assert re.search(r"In 40 simulated games among two simple players a game takes \d+ turns instead of \d+\.", text)
    assert "What changes in Threes with 2022 instead of 2023?" in text
    assert "Simulated by players who look at nothing but the rules. People may find better." in text


def test_lb11_until_they_are_played_nothing_is_said(season, client):
    propose(season)

    assert "imulated" not in text_of(season, client)
