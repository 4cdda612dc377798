"""The event log's page shows what happened in tournaments and leagues, and none of their secrets."""

import html
import json
import re

import pytest

from core import log
from tests.tournaments.leaderboards.league_scene import append, result, voided
from tests.tournaments.moment import services
from tournaments import models

pytestmark = pytest.mark.django_db


def shown(client, stream):
    """The data of a stream's events as its page has it, oldest first."""
    text, found, query = "", [], f"?stream={stream}"
    while query:
        page = client.get(f"/admin/log/{query}").content.decode()
        text += page
        found += re.findall(r"<code>(.*?)</code>", page, re.DOTALL)
        older = re.search(r'href="(\?stream=[^"]*before=[^"]*)"', page)
        query = html.unescape(older[1]) if older else ""
    return html.unescape(text), [html.unescape(one) for one in reversed(found)]


def test_the_data_of_a_tournament_is_shown(club, cast):
    club.start(deadline=86_400, settings={"tables": {"size": 3}}).finish(1)
    asked = {"ruling": "adjust", "entrant": "e1", "points": "-1/2", "reason": "late"}
    services.rule(club.id, club.olga, asked, now=club.now)
    text, data = shown(cast["staff"], models.stream_of(club.id))
    assert len(data) == club.t.version
    assert "not shown" not in data
    ruled = next(one for one in map(json.loads, data) if one.get("points"))
    assert (ruled["entrant"], ruled["points"], ruled["reason"]) == ("e1", "-1/2", "late")
    entered = [json.loads(one) for one in data if '"username": "ada"' in one]
    assert entered, "players have their names"
    assert "organiser olga" in text


@pytest.mark.parametrize("who", ["staff", "superuser"])
def test_secrets_of_a_tournament_are_null(club, cast, who):
    club.open(visibility="private", entry="invitation")
    t = club.t
    secrets = {t.seed, t.invitation, *(entrant.salt for entrant in t.entrants.values())}
    stored = json.dumps([event.data for event in log.read(models.stream_of(club.id))])
    assert all(secret in stored for secret in secrets)
    text, _ = shown(cast[who], models.stream_of(club.id))
    assert [secret for secret in secrets if secret in text] == []


def test_the_seed_is_shown_once_it_is_public(club, cast):
    club.start()
    assert models.Tournament.objects.get(pk=club.id).state.seed_shown
    text, _ = shown(cast["staff"], models.stream_of(club.id))
    assert club.t.seed in text


@pytest.mark.sampled
def test_a_bucket_with_events_of_many_tournaments_takes_few_statements(
    club, cast, settings, django_assert_max_num_queries
):
    settings.TREY_LIMITS = {**settings.TREY_LIMITS, "tournaments_per_organiser": 1000}
    ids = []
    for number in range(300):
        done = services.set_up(club.olga, {"title": f"{number}", "game": "threes", "kind": "rounds"}, now=club.now)
        ids.append(done.tournament.id)
    buckets = [log.bucket_of(models.stream_of(pk)) for pk in ids]
    fullest = max(set(buckets), key=buckets.count)
    assert buckets.count(fullest) > 2
    with django_assert_max_num_queries(9):
        text = cast["staff"].get(f"/admin/log/?bucket={fullest}").content.decode()
    assert text.count("<code>") >= buckets.count(fullest)
    assert "not shown" not in text.partition("<tbody>")[2]


def test_results_in_a_league_are_shown(club, cast):
    ada, bob = club.people[:2]
    first = result(ada, bob)
    append("threes", first, voided(first))
    _, data = shown(cast["staff"], "league-threes")
    one, other = map(json.loads, data)
    assert [row["player"] for row in one["players"]] == [str(ada.pk), str(bob.pk)]
    assert one["game_id"] == other["game_id"]
