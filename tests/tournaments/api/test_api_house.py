"""Tournaments of house games: their rules hold a document, which a proposal may change (HG21)."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from core import clock as service_clock
from core.accounts.models import Player
from core.jobs import services as work
from games.models import Game
from games.notifications.following import tell_players
from games.selectors import access
from tests.games.api.test_api_house_tables import said
from tests.tournaments.api.conftest import PAIRS, run, set_up
from tests.tournaments.api.test_api_proposals import propose, vote
from tournaments.notifications.following import tell_entrants
from tournaments.services.commands import loaded
from tournaments.simulations import services as simulations
from tournaments.simulations.services import run_of

RULES = {"title": "Sevens low", "powers": {"7": ["lower"], "8": ["clear"]}, "row": {"size": 4}}
OF_HOUSE = {"game": "house", "options": {"rules": RULES}}

pytestmark = pytest.mark.django_db


@pytest.mark.sampled
@pytest.mark.parametrize(
    "asked", [{"kind": "rounds", "settings": PAIRS}, {"kind": "knockout", "settings": {"advance": 1}}]
)
def test_hg21_a_tournament_plays_by_its_document_and_is_not_rated(cast, running, asked):
    made = running(**OF_HOUSE, **asked)
    assert made["rated"] is False and made["options"]["rules"]["end"]["until"] == "first_out", "complete"
    run()
    tables = Game.objects.filter(tournament=made["id"])
    assert tables and {(one.title, one.rated, one.status) for one in tables} == {("Sevens low", False, "setup")}
    page = cast["nobody"].client.get(reverse("tournament-page", args=[made["slug"]])).content.decode()
    assert "Sevens low" in page and "After a 7, the next play must be of that rank or lower." in page


def test_hg19_the_title_of_hidden_rules_is_on_no_page_of_its_tournament(cast, running, monkeypatch):
    made = running(game="house", options={"rules": {**RULES, "title": "Zanzibar"}}, settings=PAIRS)
    path, page = f"tournaments/{made['id']}", f"/t/{made['slug']}"
    monkeypatch.setattr(access, "HIDING", [lambda digest: True])
    run()
    tell_entrants.catch_up()
    tell_players.catch_up()
    table = Game.objects.filter(tournament=made["id"]).first()
    pages = ["/", "/tournaments", page, f"{page}/games", f"{page}/rounds/1", f"{page}/entrants/e1", f"{page}/propose"]
    pages += [f"/games/{table.pk}", "/me/notifications", f"/admin/tournaments/tournament/{made['id']}/change/"]
    pages += ["/admin/games/game/", f"/admin/games/game/{table.pk}/change/", "/admin/tournaments/tournament/"]
    seen = []
    for name in ("nobody", "ada", "olga", "sue"):
        browser = Client()
        if name != "nobody":
            browser.force_login(Player.objects.get(username=name))
        seen += [browser.get(one, follow=True).content.decode() for one in pages]
    calls = ["tournaments", path, f"{path}/games", f"{path}/record", f"{path}/events", "me/notifications", "me/turns"]
    seen += [cast[name].get(one).raw.decode() for one in calls for name in ("ada", "olga")]
    given = {"round": 1, "players": [{"entrant": "e1", "place": 1}], "reason": "played at a table"}
    seen.append(cast["olga"].post(f"{path}/rulings", {"ruling": "enter", **given}).raw.decode())
    found = "\n".join(seen)
    assert "Zanzibar" not in said(found) and "House game" in found


def test_hg21_what_is_wrong_with_the_document_or_does_not_go_with_it_is_named(cast):
    def refused(**asked):
        wanted = {"title": "A", "game": "house", "kind": "rounds", **asked}
        return [error["field"] for error in cast["olga"].post("tournaments", wanted).body["errors"]]

    assert refused() == ["options"]
    assert refused(options={"rules": {"row": {"size": 2}}}) == ["options.rules.title", "options.rules.row.size"]
    assert refused(options={"rules": RULES}, rated=True) == ["rated"]
    small = {**RULES, "seats": [3, 4]}
    assert refused(options={"rules": small}, settings={"tables": {"size": 4, "min": 2}}) == ["settings.tables.min"]


def test_hg21_a_proposal_changes_the_document_and_says_so_in_sentences(cast, running, clock: service_clock.FrozenClock):
    made = running(**OF_HOUSE, kind="season", settings={})
    clock.advance(timedelta(days=8))
    path = f"tournaments/{made['id']}"
    after = {**RULES, "powers": {"7": ["lower"]}}
    body = propose(cast["ada"], path, options={"rules": after})
    [change] = body["changes"]
    assert change["option"] == "rules" and change["description"] == "8s are no longer seen through."
    sides = run_of(loaded(made["id"]), 1).sides
    assert [sorted(side.options["rules"]["powers"]) for side in sides] == [["7", "8"], ["7"]]
    page = cast["nobody"].client.get(reverse("tournament-page", args=[made["slug"]])).content.decode()
    assert "8s are no longer seen through." in page
    assert cast["bob"].post(f"{path}/proposals", {"title": "B", "reason": "C", "options": {"rules": {}}}).status == 400
    vote(cast, path, 1, ada="yes", bob="yes", cleo="yes", dan="yes")
    clock.advance(timedelta(days=8))
    run()
    assert loaded(made["id"]).rules.options["rules"]["powers"] == {"7": ["lower"]}


def test_hg20_bots_of_a_house_tournament_have_the_levels_of_house_games(cast):
    made = set_up(cast["olga"], **OF_HOUSE, settings=PAIRS)
    cast["olga"].post(f"tournaments/{made['id']}/open")
    entries = f"tournaments/{made['id']}/entries"
    assert cast["olga"].post(entries, {"bot": "steady"}).status == 400
    assert cast["olga"].post(entries, {"bot": "plain"}).status == 201


def test_hg17_a_tournament_whose_document_would_be_refused_now_goes_on(cast, running, monkeypatch):
    made = running(**OF_HOUSE, kind="season", settings={})
    path = f"tournaments/{made['id']}"
    monkeypatch.setattr("games.rules.shedding.house.read", lambda given: ({}, {"powers.8": "Must be one of those."}))
    page = reverse("tournament-page", args=[made["slug"]])
    assert cast["olga"].client.get(page).status_code == 200
    assert cast["ada"].post(f"{path}/games", {"entrants": ["e2"]}).status < 500
    refused = cast["olga"].post(f"{path}/proposals", {"title": "B", "reason": "C", "options": {"rules": RULES}})
    assert refused.status == 400 and "powers.8 must be one of those." in refused.body["detail"]


@pytest.mark.sampled
def test_hg21_a_round_that_runs_is_played_by_its_own_document_and_the_next_by_the_new_one(
    cast, running, clock: service_clock.FrozenClock, monkeypatch
):
    monkeypatch.setattr(simulations, "PAIRS", 31)
    made = running(**OF_HOUSE, kind="rounds", settings=PAIRS)
    path, page = f"tournaments/{made['id']}", reverse("tournament-page", args=[made["slug"]])
    clock.advance(timedelta(days=8))
    after = {**RULES, "title": "Eights skip", "powers": {"8": ["skips"]}}
    [change] = propose(cast["olga"], path, options={"rules": after})["changes"]
    differ = ["8s are no longer seen through.", "7s no longer ask for lower cards.", "Each 8 skips one player."]
    assert change["description"] == " ".join(differ)
    while (job := work.find(simulations.JOB, f"{made['id']}/1")) is not None:
        assert work.do(job.kind, job.key, now=job.due_at) is True
    shown = cast["nobody"].client.get(page).content.decode()
    assert all(one in shown for one in differ) and "Sevens low" in shown and "Eights skip" in shown and "<svg" in shown
    vote(cast, path, 1, ada="yes", bob="yes", cleo="yes", dan="yes")
    clock.advance(timedelta(days=8))
    run()
    assert cast["ada"].get(path).body["options"]["rules"]["title"] == "Eights skip"
    first = {str(one.pk) for one in Game.objects.filter(tournament=made["id"])}
    assert len(first) == 2
    for game in first:
        seen = cast["ada"].get(f"games/{game}").body
        assert (seen["title"], seen["view"]["options"]["rules"]["powers"]) == (
            "Sevens low", {"7": ["lower"], "8": ["clear"]},
        )  # fmt: skip
        assert (
            cast[seen["players"][0]["player"]["username"]].post(f"games/{game}/moves", {"move": "resign"}).status == 201
        )
    run()
    [second, other] = Game.objects.filter(tournament=made["id"]).exclude(pk__in=first)
    assert second.title == other.title == "Eights skip"
    assert cast["ada"].get(f"games/{second.pk}").body["view"]["options"]["rules"]["powers"] == {"8": ["skips"]}
