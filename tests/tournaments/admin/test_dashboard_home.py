"""What the home page says needs attention, sentence by sentence; and what it says when all is well."""

import html
from datetime import timedelta

import pytest

from core import clock as service_clock
from core import log
from core.accounts.models import Player
from core.jobs.models import Work
from core.log.models import Checkpoint
from games.models import Game, Heartbeat, Outage, Seat
from tests.games.services.service_scene import started
from tests.tournaments.moment import services

pytestmark = pytest.mark.django_db
WELL = "No turns are held up, and all subscribers are up to date."
NOTHING = "Nothing in your tournaments needs your attention."


def home(client):
    return html.unescape(client.get("/admin/").content.decode())


def shown(moment):
    """The moment as the browser gets it, to show it in the reader's zone."""
    return f'<time datetime="{moment.isoformat()}" data-form="at">{moment:%d %b %Y, %H:%M} UTC</time>'


def caught_up():
    for subscriber in log.subscribers():
        subscriber.catch_up()


@pytest.mark.sampled
def test_all_is_well_where_nothing_is_wrong(club, cast):
    club.start()
    caught_up()
    assert WELL in home(cast["staff"])
    assert NOTHING in home(cast["organiser"])
    assert WELL not in home(cast["organiser"]), "the service is the operators'"


def test_it_names_its_icon(club, cast):
    """Browsers else ask for /favicon.ico by themselves."""
    assert '<link rel="icon" href="/static/site/icon.svg" type="image/svg+xml"' in home(cast["staff"])


@pytest.mark.sampled
def test_who_has_not_checked_in_is_counted_once_they_can(club, cast, clock):
    club.open(*club.people[:3], starts_at=(club.now + timedelta(hours=3)).isoformat(), check_in=7200)
    assert NOTHING in home(cast["organiser"])
    clock.advance(hours=2)
    club.run(hours=2)
    assert "Threes 2026</a>: 3 entrants have not checked in." in home(cast["organiser"])
    for number in (1, 2):
        services.check_in(club.id, club.olga, f"e{number}", now=club.now)
    assert "1 entrant has not checked in." in home(cast["organiser"])
    services.check_in(club.id, club.olga, "e3", now=club.now)
    assert "not checked in" not in home(cast["organiser"])


def test_a_start_with_too_few_is_put_off_and_said(club, cast):
    """LI1"""
    club.open(club.people[0], starts_at=(club.now + timedelta(hours=3)).isoformat())
    assert NOTHING in home(cast["organiser"])
    club.run(hours=4)
    assert "The start was postponed: too few had entered." in home(cast["organiser"])
    page = cast["organiser"].get(f"/admin/tournaments/tournament/{club.id}/change/").content.decode()
    assert "postponed: too few had entered" in page


def test_a_step_that_the_runner_cannot_do_is_said(club, cast):
    club.start()
    Work.objects.create(
        kind="tournament.open", key=f"{club.id}/g", data={"tournament": str(club.id)}, due_at=club.now,
        queued_at=club.now, tries=3, error="TimeoutError: no answer",
    )  # fmt: skip
    text = home(cast["organiser"])
    assert "The next step failed (open). It will be retried automatically." in text
    assert "TimeoutError" not in text


@pytest.mark.sampled
def test_a_round_to_draft_and_a_draft_to_publish_are_said(club, cast):
    club.start(pace="manual", settings={"rounds": 2, "tables": {"size": 3}})
    text = home(cast["organiser"])
    assert "Round 1 has been drafted and can be published." in text
    assert f"/admin/tournaments/tournament/{club.id}/draft/" in text
    overview = cast["organiser"].get(f"/admin/tournaments/tournament/{club.id}/change/").content.decode()
    assert "The next round is drafted." in overview
    services.publish(club.id, club.olga, now=club.now)
    club.run()
    assert NOTHING in home(cast["organiser"])
    club.finish_round()
    assert "All rounds are closed, so the next one can be drafted." in home(cast["organiser"])


@pytest.mark.sampled
def test_an_overdue_round_and_whom_its_tables_wait_for_are_said(club, cast, clock):
    club.start(settings={"rounds": 2, "tables": {"size": 3}}, deadline=86_400).finish(1)
    clock.advance(days=4)
    club.run(days=4)
    text = home(cast["organiser"])
    assert "Round 1 is overdue: 1 table is still open." in text
    assert text.count("Table 2 of round 1 has been waiting for") == 1, "one line a table"
    [since] = Seat.objects.filter(to_act=True).values_list("duty_since", flat=True).distinct()
    assert f" since {shown(since)}." in text
    assert "site/times.js" in text
    assert "Table 1 of round 1 has been waiting for" not in text
    assert "overdue" not in home(cast["other"])
    assert "overdue" in home(cast["staff"])


@pytest.mark.sampled
def test_an_older_tournament_is_not_hidden_by_newer_drafts(club, cast, clock, settings):
    settings.TREY_LIMITS = {**settings.TREY_LIMITS, "tournaments_per_organiser": 1000}
    club.start(settings={"rounds": 2, "tables": {"size": 3}}, deadline=86_400)
    for number in range(101):
        services.set_up(club.olga, {"title": f"{number}", "game": "threes", "kind": "rounds"}, now=club.now)
    clock.advance(days=2)
    club.run(days=2)
    assert "Round 1 is overdue: 2 tables are still open." in home(cast["organiser"])


def test_a_turn_that_nobody_sweeps_is_said(club, cast, clock):
    started(*club.people[:2])
    clock.advance(days=1, minutes=5)
    caught_up()
    # In the setup both choose at once.
    assert "Turns past their deadline: 2. The oldest has waited 5 minutes for the sweep." in home(cast["staff"])


def test_a_part_that_is_silent_is_said(cast, clock):
    Heartbeat.objects.create(part="sweeper", at=service_clock.now())
    Heartbeat.objects.create(part="web", at=service_clock.now() - timedelta(minutes=3))
    text = home(cast["staff"])
    assert "No sign of life from the web for 3 minutes." in text
    assert "from the sweeper" not in text
    assert WELL not in text


def test_an_outage_of_today_is_said(cast, clock):
    now = service_clock.now()
    Outage.objects.create(part="web", began_at=now - timedelta(hours=2), ended_at=now - timedelta(hours=1))
    Outage.objects.create(part="sweeper", began_at=now - timedelta(days=3), ended_at=now - timedelta(days=2))
    text = home(cast["staff"])
    assert f"Outage of the web from {shown(now - timedelta(hours=2))} to {shown(now - timedelta(hours=1))}. " in text
    assert "Outage of the sweeper" not in text


def test_a_subscriber_that_lags_and_one_that_is_stuck_are_said(club, cast, clock):
    caught_up()
    started(*club.people[:2])
    clock.advance(minutes=10)
    [lag] = log.lags(["tournament-news"])
    assert f"tournament-news is {lag.events} events behind, for 10 minutes." in home(cast["staff"])
    row = Checkpoint.objects.filter(subscriber="tournament-news").first()
    Checkpoint.objects.filter(pk=row.pk).update(failing_since=service_clock.now(), error="KeyError: seat")
    text = home(cast["staff"])
    assert "tournament-news is held up by a failing event (1 bucket)." in text
    assert "KeyError" not in text


def test_games_are_counted_by_day(club, cast, clock):
    for days in (0, 1, 1, 29, 31):
        game = started(*club.people[:2])
        moment = service_clock.now() - timedelta(days=days)
        Game.objects.filter(pk=game.id).update(opened_at=moment)
    text = home(cast["staff"])
    for day, count in (("21 Nov", 1), ("20 Nov", 2), ("19 Nov", 0), ("23 Oct", 1)):
        assert f"<title>{day}: {count}</title>" in text
    assert "Games opened in the last 30 days: 4 in total, at most 2 on a day" in text


def test_the_numbers_of_now(club, cast):
    started(*club.people[:2])
    Player.objects.update(last_login=None)
    Player.objects.filter(pk__in=[one.pk for one in club.people[:3]]).update(last_login=service_clock.now())
    text = home(cast["staff"])
    assert "<strong>3</strong> players logged in today" in text
    assert "<strong>1</strong> games running" in text
    assert "<strong>1</strong> games opened today" in text


@pytest.mark.sampled
def test_what_was_reopened_waits_for_its_end(club, cast):
    """LI5: it is finished by its organisers only."""
    club.start(settings={"rounds": 1, "tables": {"size": 3}}).finish_round()
    services.reopen(club.id, club.olga, "a result was wrong", now=club.now)
    assert "Threes 2026</a>: The tournament was reopened, and will end only when you finish it." in home(
        cast["organiser"]
    )
    page = cast["organiser"].get(f"/admin/tournaments/tournament/{club.id}/change/").content.decode()
    assert "After the last one it ends" not in page
