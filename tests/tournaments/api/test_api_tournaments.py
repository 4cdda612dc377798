"""Setting up, finding, changing, and a tournament's life over HTTP."""

import hashlib
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from core.accounts.login import second_factor
from core.accounts.models import Player
from tests.games.api.client import Person
from tests.tournaments.api.conftest import person, run, set_up
from tournaments.api import urls

Cast = dict[str, Person]
Make = Callable[..., dict[str, Any]]


NOTHING_ASKED = {"asked": None, "may_organise_from": None}


def test_a_tournament_is_set_up_complete_with_its_defaults(olga: Person) -> None:
    answer = olga.post("tournaments", {"title": "Threes 2026", "game": "threes", "kind": "rounds"})
    made = answer.body
    assert answer.status == 201
    assert answer.headers["location"] == f"/api/v1/tournaments/{made['id']}"
    assert made["status"] == "draft"
    assert made["settings"]["tables"] == {"size": 4, "min": 3, "max": 5}
    assert made["settings"]["tie_breaks"][0] == "opponents_strength"
    assert made["options"]["decks"] == 2
    assert made["clock"]["per_turn"] == 86_400
    assert (made["overdue"], made["no_show"], made["late"], made["pace"]) == ("wait", "play", "zero", "auto")
    assert made["you"] == {"entrant": None, "organiser": True, "status": None, "checked_in": None, **NOTHING_ASKED}
    assert [one["username"] for one in made["organisers"]] == ["olga"]
    assert made["seed"] is None
    assert made["share_url"].endswith(f"/t/{made['slug']}")


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"title": ""}, "title"),
        ({"game": "poker"}, "game"),
        ({"kind": "swiss"}, "kind"),
        ({"settings": {"rounds": 0}}, "settings.rounds"),
        ({"settings": {"bye": 0.5}}, "settings.bye"),
        ({"settings": {"tables": {"size": 1}}}, "settings.tables.size"),
        ({"clock": {"per_turn": 1}}, "clock.per_turn"),
        ({"options": {"decks": 99}}, "options.decks"),
        ({"starts_at": "soon"}, "starts_at"),
        ({"color": "red"}, "color"),
    ],
)
def test_bad_settings_name_the_field(olga: Person, asked: dict[str, Any], field: str) -> None:
    answer = olga.post("tournaments", {"title": "T", "game": "threes", "kind": "rounds", **asked})
    assert answer.status == 400
    assert field in [error["field"] for error in answer.body["errors"]]
    assert olga.get("tournaments?mine=true").body["results"] == []


def test_setting_up_takes_a_token(nobody: Person) -> None:
    assert nobody.post("tournaments", {"title": "T", "game": "threes", "kind": "rounds"}).status == 401


def test_its_etag_holds_until_it_changes(olga: Person, nobody: Person) -> None:
    made = set_up(olga)
    path = f"tournaments/{made['id']}"
    olga.post(f"{path}/open")
    etag = olga.get(path).headers["etag"]
    held = olga.get(path, If_None_Match=etag)
    assert (held.status, held.raw) == (304, b"")
    assert "content-type" not in held.headers
    assert nobody.get(path).headers["etag"] != etag, "another viewer"
    assert olga.patch(path, {"title": "T2"}, If_Match='"v99"').status == 412
    assert olga.patch(path, {"title": "T2"}, If_Match=f"W/{etag}").code == "weak_tag"
    assert olga.patch(path, {"title": "T2"}, If_Match=etag).status == 200
    assert olga.get(path, If_None_Match=etag).status == 200
    stale = olga.patch(path, {"title": "T3"}, If_Match=etag)
    assert stale.status == 412
    assert stale.body["detail"].endswith(" Settings changed since version 2: Title: Threes 2026, now T2.")


def test_it_changes_before_the_start_key_by_key(olga: Person, opened: Make) -> None:
    path = f"tournaments/{opened()['id']}"
    changed = olga.patch(path, {"limit": 12, "settings": {"rounds": 3}})
    assert changed.status == 200
    assert changed.body["settings"]["rounds"] == 3
    assert changed.body["settings"]["tables"]["size"] == 2
    assert olga.patch(path, {"limit": None}).body["limit"] is None
    assert olga.patch(path, {"limit": 1}).body["errors"][0]["field"] == "limit"
    olga.post(f"{path}/start")
    assert olga.patch(path, {"title": "T"}).code == "already_started"
    assert olga.patch(path, {"pace": "manual"}).body["pace"] == "manual"


def test_its_life(olga: Person, opened: Make) -> None:
    path = f"tournaments/{opened()['id']}"
    assert olga.post(f"{path}/open").code == "already_open"
    assert olga.post(f"{path}/start").body["status"] == "running"
    run()
    assert olga.post(f"{path}/reopen", {"reason": "why"}).code == "not_finished"
    assert olga.post(f"{path}/finish").body["status"] == "finished", "running games play on (LI3)"
    assert olga.post(f"{path}/reopen", {"reason": "why"}).body["status"] == "running"
    assert olga.post(f"{path}/cancel", {"reason": "rain"}).body["status"] == "cancelled"
    assert olga.post(f"{path}/start").code == "tournament_over"


def test_li5_to_cancel_is_no_ruling_and_needs_no_reason(olga: Person, opened: Make) -> None:
    path = f"tournaments/{opened()['id']}"
    assert olga.post(f"{path}/cancel", {"reason": ""}).body["errors"][0]["field"] == "reason"
    cancelled = olga.post(f"{path}/cancel").body
    assert (cancelled["status"], cancelled["ended_why"]) == ("cancelled", "An organiser cancelled the tournament.")


def test_li5_to_reopen_is_a_ruling_and_needs_a_reason(olga: Person, opened: Make) -> None:
    path = f"tournaments/{opened()['id']}"
    assert olga.post(f"{path}/reopen").body["errors"][0]["field"] == "reason"


def test_li5_to_reopen_says_first_what_it_would_change(olga: Person, zoe: Person, opened: Make) -> None:
    path = f"tournaments/{opened(kind='season', settings={})['id']}"
    asked = {"reason": "a wrong result", "dry_run": True}
    assert olga.post(f"{path}/reopen", asked).code == "not_finished"
    olga.post(f"{path}/start")
    olga.post(f"{path}/finish")
    finished = olga.get(path).body
    assert zoe.post(f"{path}/reopen", asked).code == "not_an_organiser"
    answer = olga.post(f"{path}/reopen", asked)
    assert (answer.status, answer.body["ruling"], answer.body["version"]) == (200, "reopen", None)
    assert answer.body["before"] == answer.body["after"]
    assert (answer.body["dry_run"], answer.body["changes"]) == (True, [])
    assert olga.get(path).body == finished, "nothing happened"
    assert olga.post(f"{path}/reopen", {**asked, "dry_run": False}).body["status"] == "running"


def test_li6_cancelled_it_calls_its_games_off(olga: Person, running: Make) -> None:
    made = running()
    game = olga.get(f"tournaments/{made['id']}/games").body["results"][0]["id"]
    olga.post(f"tournaments/{made['id']}/cancel", {"reason": "rain"})
    run()
    assert olga.get(f"games/{game}").body["status"] == "cancelled"


def test_se5_the_seed_is_shown_with_the_first_seating(olga: Person, nobody: Person, opened: Make) -> None:
    made = opened()
    path = f"tournaments/{made['id']}"
    assert "seed" not in {key for key, value in nobody.get(path).body.items() if key == "seed" and value}
    events = nobody.get(f"{path}/events").body["results"]
    assert events[0]["data"]["seed"] is None
    assert nobody.get(f"{path}/record").body["seed"] is None
    olga.post(f"{path}/start")
    run()
    shown = nobody.get(path).body
    assert hashlib.sha256(bytes.fromhex(shown["seed"])).hexdigest() == made["seed_commitment"]
    assert nobody.get(f"{path}/record").body["seed"] == shown["seed"]


def test_organisers_name_others(olga: Person, zoe: Person, opened: Make) -> None:
    path = f"tournaments/{opened()['id']}"
    assert zoe.post(f"{path}/cancel", {"reason": "no"}).code == "not_an_organiser"
    added = olga.post(f"{path}/organisers", {"player": "Zoe"})
    assert added.status == 201
    assert [one["username"] for one in added.body["results"]] == ["olga"]
    shown = zoe.get(path).body
    assert (shown["you"]["organiser"], shown["asked_organisers"][0]["username"]) == (False, "zoe")
    assert zoe.post(f"{path}/cancel", {"reason": "no"}).code == "not_an_organiser"
    accepted = zoe.post(f"{path}/organisers/accept")
    assert [one["username"] for one in accepted.body["results"]] == ["olga", "zoe"]
    assert zoe.get(path).body["you"]["organiser"] is True
    left = zoe.call("DELETE", f"{path}/organisers", {"player": "olga"})
    assert [one["username"] for one in left.body["results"]] == ["zoe"]
    assert zoe.call("DELETE", f"{path}/organisers", {"player": "zoe"}).code == "last_organiser"
    assert zoe.post(f"{path}/organisers", {"player": "nobody"}).code == "no_such_player"


@pytest.mark.parametrize("spelling", ["JOS\u00c9", "jose\u0301", "\uff4aos\u00e9"])
def test_li1_li7_a_name_is_found_as_at_log_in(olga: Person, opened: Make, spelling: str) -> None:
    person("jos\u00e9")
    path = f"tournaments/{opened()['id']}"
    assert olga.post(f"{path}/entries", {"player": spelling}).status == 201
    assert olga.post(f"{path}/organisers", {"player": spelling}).status == 201


@pytest.mark.sampled
def test_li7_who_is_asked_declines_and_an_organiser_steps_down(olga: Person, zoe: Person, opened: Make) -> None:
    path = f"tournaments/{opened(visibility='private')['id']}"
    for by in ({"accept": False}, None):
        assert olga.post(f"{path}/organisers", {"player": "zoe"}).status == 201
        assert zoe.get(path).status == 200
        if by is not None:
            assert zoe.post(f"{path}/organisers/accept", by).status == 200
        else:
            assert zoe.call("DELETE", f"{path}/organisers", {"player": "zoe"}).status == 200
        assert olga.get(path).body["asked_organisers"] == []
        assert zoe.get(path).status == 404, "a private tournament is not theirs any more"
    olga.post(f"{path}/organisers", {"player": "zoe"})
    zoe.post(f"{path}/organisers/accept")
    assert zoe.post(f"{path}/organisers/accept", {"accept": False}).status == 200
    assert olga.post(f"{path}/organisers/accept", {"accept": False}).code == "last_organiser"
    assert [one["username"] for one in olga.get(path).body["organisers"]] == ["olga"]


def test_li7_nothing_is_demanded_of_whoever_is_asked_nor_in_a_tournament_that_is_over(
    olga: Person, zoe: Person, opened: Make, settings: Any
) -> None:
    settings.TREY_SECOND_FACTOR = "organisers"
    path, player = f"tournaments/{opened()['id']}", Player.objects.get(username="zoe")
    olga.post(f"{path}/organisers", {"player": "zoe"})
    assert not second_factor.is_demanded(player)
    zoe.post(f"{path}/organisers/accept")
    assert second_factor.is_demanded(player)
    olga.post(f"{path}/cancel", {"reason": "rain"})
    assert not second_factor.is_demanded(player)


@pytest.mark.sampled
def test_li7_a_replacement_by_a_person_is_a_question(cast: Cast, running: Make) -> None:
    path = f"tournaments/{running(visibility='private')['id']}"
    asked = {"ruling": "replace", "entrant": "e2", "player": "zoe", "reason": "ill"}
    assert cast["zoe"].get(path).status == 404
    for accept in (False, True):
        assert cast["olga"].post(f"{path}/rulings", asked).status == 201
        you = cast["zoe"].get(path).body["you"]
        assert (you["entrant"], you["asked"]["for"], you["asked"]["game"]) == (None, "e2", None)
        assert cast["bob"].get(path).body["you"]["entrant"] == "e2"
        assert cast["ada"].post(f"{path}/entries/e2/accept").code == "not_the_entrant"
        answered = cast["zoe"].post(f"{path}/entries/e2/accept", {"accept": accept})
        assert answered.status == 200 and (answered.body["player"]["username"] == "zoe") is accept
    assert cast["zoe"].get(path).body["you"]["entrant"] == "e2"
    assert cast["zoe"].post(f"{path}/entries/e2/accept").code == "not_invited"


class TestLists:
    def test_public_tournaments_are_found_by_everybody_but_for_drafts(
        self, olga: Person, ada: Person, nobody: Person, opened: Make
    ) -> None:
        made = opened()
        draft = set_up(olga)
        for reader in (nobody, ada):
            assert [one["id"] for one in reader.get("tournaments").body["results"]] == [made["id"]]
        assert {one["id"] for one in olga.get("tournaments").body["results"]} == {draft["id"], made["id"]}

    @pytest.mark.sampled
    @pytest.mark.parametrize("cancelled", [False, True])
    def test_nothing_of_a_draft_is_read_by_others_who_know_its_id(
        self, olga: Person, ada: Person, nobody: Person, cancelled: bool
    ) -> None:
        """Also not once it is called off: it was never more than a draft."""
        for draft in (set_up(olga), set_up(olga, visibility="private")):
            if cancelled:
                assert olga.post(f"tournaments/{draft['id']}/cancel", {"reason": "rain"}).status == 200
                assert Client().get(f"/t/{draft['slug']}").status_code == 404
                assert nobody.get("tournaments").body["results"] == []
            code = olga.get(f"tournaments/{draft['id']}").body["invitation"] or ""
            for one in urls.urlpatterns:
                path = str(one.pattern)
                if "<" in path.partition(">")[2] or "<" not in path:
                    continue
                address = path.replace("<uuid:tournament_id>", draft["id"]) + f"?invitation={code}" * bool(code)
                for reader in (ada, nobody):
                    assert reader.get(address).status in (401, 404, 405), path

    def test_what_was_open_stays_public_when_it_is_cancelled(self, olga: Person, nobody: Person, opened: Make) -> None:
        made = opened()
        assert olga.post(f"tournaments/{made['id']}/cancel", {"reason": "rain"}).status == 200
        assert nobody.get(f"tournaments/{made['id']}").status == 200
        assert [one["id"] for one in nobody.get("tournaments").body["results"]] == [made["id"]]

    def test_rt7_who_is_invited_to_a_successor_lists_it_once_it_is_open(
        self, olga: Person, ada: Person, opened: Make
    ) -> None:
        before = opened()["id"]
        olga.post(f"tournaments/{before}/cancel", {"reason": "rain"})
        after = olga.post("tournaments", {"after": before}).body["id"]

        def listed() -> list[str]:
            return [one["id"] for one in ada.get("tournaments?mine=true").body["results"]]

        assert (ada.get(f"tournaments/{after}").status, listed()) == (404, [before])
        olga.post(f"tournaments/{after}/open")
        assert (ada.get(f"tournaments/{after}").status, set(listed())) == (200, {before, after})

    def test_they_are_filtered(self, olga: Person, ada: Person, zoe: Person, nobody: Person, opened: Make) -> None:
        made = opened()
        for query, found in (
            ("status=registration", 1),
            ("status=finished", 0),
            ("game=threes", 1),
            ("game=castle", 0),
            ("mine=true", 1),
        ):
            assert len(ada.get(f"tournaments?{query}").body["results"]) == found, query
        assert zoe.get("tournaments?mine=true").body["results"] == []
        assert nobody.get("tournaments?mine=true").body["results"] == []
        assert nobody.get("tournaments?status=odd").status == 400
        assert made["entrants"] == 4

    @pytest.mark.sampled
    def test_they_are_paged(self, olga: Person) -> None:
        ids = {set_up(olga, title=f"T{number}")["id"] for number in range(5)}
        seen, path = set(), "tournaments?mine=true&limit=2"
        while path:
            page = olga.get(path).body
            seen |= {one["id"] for one in page["results"]}
            path = page["next"]
        assert seen == ids


class TestPrivate:
    """LI7: a private tournament is 404 to others without the invitation, its games and standings too."""

    PATHS = "/entries /rounds /rounds/1 /standings /games /rulings /events /record /organisers"

    @pytest.mark.parametrize("path", ["", *PATHS.split()])
    def test_it_hides_from_strangers(self, cast: dict[str, Person], running: Make, path: str) -> None:
        made = running(visibility="private")
        address = f"tournaments/{made['id']}{path}"
        for stranger in ("zoe", "nobody"):
            assert cast[stranger].get(address).status == 404
            assert cast[stranger].get(f"{address}?invitation={made['invitation']}").status == 200
            assert cast[stranger].get(f"{address}?invitation=ABCDEFGHJKLM").status == 404
        for member in ("olga", "ada", "sue"):
            assert cast[member].get(address).status == 200

    def test_it_hides_from_those_who_would_change_it(self, zoe: Person, running: Make) -> None:
        made = running(visibility="private")
        for call in ("start", "next-round", "finish", "draft/publish", "open"):
            assert zoe.post(f"tournaments/{made['id']}/{call}").status == 404
        for call in ("cancel", "reopen"):
            assert zoe.post(f"tournaments/{made['id']}/{call}", {"reason": "x"}).status == 404
        assert zoe.post(f"tournaments/{made['id']}/rulings", {"ruling": "void"}).status == 404
        assert zoe.patch(f"tournaments/{made['id']}", {"title": "x"}).status == 404
        assert zoe.post(f"tournaments/{made['id']}/entries", {}).status == 404

    def test_its_games_hide_too(self, cast: dict[str, Person], running: Make) -> None:
        made = running(visibility="private")
        for game in cast["olga"].get(f"tournaments/{made['id']}/games").body["results"]:
            assert cast["zoe"].get(f"games/{game['id']}").status == 404
            for member in ("olga", "ada", "bob", "cleo", "dan"):
                assert cast[member].get(f"games/{game['id']}").status == 200
        assert cast["zoe"].get("games").body["results"] == []

    def test_it_is_in_no_list_of_others(self, cast: dict[str, Person], running: Make) -> None:
        running(visibility="private")
        for stranger in ("zoe", "nobody"):
            assert cast[stranger].get("tournaments").body["results"] == []
        assert len(cast["ada"].get("tournaments").body["results"]) == 1

    def test_the_invitation_lets_in(self, zoe: Person, olga: Person) -> None:
        made = set_up(olga, visibility="private")
        path = f"tournaments/{made['id']}"
        olga.post(f"{path}/open")
        assert zoe.post(f"{path}/entries", {"invitation": made["invitation"].lower()}).status == 201
        assert zoe.get(path).body["invitation"] == made["invitation"]
        assert zoe.get(path).body["share_url"].endswith(f"?invitation={made['invitation']}")

    @pytest.mark.parametrize("path", ["", *PATHS.split()])
    def test_who_was_removed_is_a_stranger_to_it(self, cast: dict[str, Person], running: Make, path: str) -> None:
        made = running(visibility="private")
        address = f"tournaments/{made['id']}"
        assert cast["ada"].get(address).body["invitation"] == made["invitation"]
        remove(cast["olga"], address, "e1")
        assert cast["ada"].get(f"{address}{path}").status == 404
        assert cast["ada"].get("tournaments").body["results"] == []
        assert cast["bob"].get(f"{address}{path}").status == 200
        undone = {"ruling": "reinstate", "entrant": "e1", "reason": "said sorry"}
        assert cast["olga"].post(f"{address}/rulings", undone).status == 201
        assert cast["ada"].get(f"{address}{path}").status == 200

    def test_who_was_removed_is_not_told_its_invitation(self, cast: dict[str, Person], opened: Make) -> None:
        """Also where the tournament is public and only its entries take the invitation."""
        made = opened(entry="invitation")
        address = f"tournaments/{made['id']}"
        remove(cast["olga"], address, "e1")
        assert cast["ada"].get(address).body["invitation"] is None
        assert cast["ada"].get(address).body["you"]["status"] == "removed"
        assert cast["bob"].get(address).body["invitation"] == made["invitation"]

    def test_a_renewed_invitation_lets_in_and_the_old_one_does_not(self, cast: dict[str, Person], opened: Make) -> None:
        made = opened(visibility="private")
        address, old = f"tournaments/{made['id']}", made["invitation"]
        renewed = cast["olga"].post(f"{address}/invitation")
        new = renewed.body["invitation"]
        assert (renewed.status, new != old, len(new)) == (200, True, 12)
        assert renewed.body["share_url"].endswith(f"?invitation={new}")
        assert cast["nobody"].get(f"{address}?invitation={old}").status == 404
        assert cast["nobody"].get(f"{address}?invitation={new}").status == 200
        assert cast["zoe"].post(f"{address}/entries", {"invitation": old}).status == 404
        assert cast["zoe"].post(f"{address}/entries", {"invitation": new}).status == 201
        assert cast["ada"].get(address).body["invitation"] == new, "entries stay"
        page = f"/t/{made['slug']}?invitation="
        assert [Client().get(f"{page}{code}").status_code for code in (old, new)] == [404, 200]
        events = cast["olga"].get(f"{address}/events").body["results"]
        told = next(event for event in events if event["type"] == "invitation_renewed")
        assert (told["by"]["username"], told["data"]) == ("olga", {"invitation": None})

    @pytest.mark.parametrize("who", ["entrant", "organiser", "asked", "invited", "replaced"])
    def test_ac6_who_was_put_out_cannot_look_in_with_the_code(
        self, cast: dict[str, Person], opened: Make, running: Make, who: str
    ) -> None:
        made = (running if who == "replaced" else opened)(visibility="private")
        path = f"tournaments/{made['id']}"
        name = {"entrant": "ada", "replaced": "ada"}.get(who, "zoe")
        if who in ("organiser", "asked"):
            cast["olga"].post(f"{path}/organisers", {"player": "zoe"})
            if who == "organiser":
                cast["zoe"].post(f"{path}/organisers/accept")
        if who == "invited":
            cast["olga"].post(f"{path}/entries", {"player": "zoe"})
        code = cast[name].get(path).body["invitation"] or made["invitation"]
        assert (cast[name].get(path).status, code) == (200, made["invitation"])
        match who:
            case "organiser" | "asked":
                put_out = cast["olga"].call("DELETE", f"{path}/organisers", {"player": "zoe"})
            case "invited":
                put_out = cast["olga"].post(f"{path}/entries/e5/withdraw")
            case "replaced":
                asked = {"ruling": "replace", "entrant": "e1", "bot": "steady", "reason": "ill"}
                put_out = cast["olga"].post(f"{path}/rulings", asked)
            case _:
                put_out = cast["olga"].post(f"{path}/rulings", {"ruling": "remove", "entrant": "e1", "reason": "x"})
        assert put_out.status in (200, 201), put_out.body
        for reader in (name, "nobody"):
            assert cast[reader].get(f"{path}?invitation={code}").status == 404
        new = cast["olga"].get(path).body["invitation"]
        assert new != code and cast["nobody"].get(f"{path}?invitation={new}").status == 200

    @pytest.mark.sampled
    def test_ac6_who_leaves_or_is_put_out_of_a_public_one_does_not_change_the_code(
        self, cast: dict[str, Person], opened: Make
    ) -> None:
        for made, leave in ((opened(visibility="private"), True), (opened(), False)):
            path = f"tournaments/{made['id']}"
            code = cast["olga"].get(path).body["invitation"]
            if leave:
                cast["ada"].post(f"{path}/entries/e1/withdraw")
                cast["olga"].post(f"{path}/organisers", {"player": "zoe"})
                cast["zoe"].post(f"{path}/organisers/accept", {"accept": False})
            else:
                remove(cast["olga"], path, "e1")
            assert cast["olga"].get(path).body["invitation"] == code

    def test_ac6_one_that_becomes_private_has_a_code_that_nobody_knew(self, olga: Person, opened: Make) -> None:
        made = opened(entry="invitation")
        changed = olga.patch(f"tournaments/{made['id']}", {"visibility": "private"})
        assert changed.status == 200 and changed.body["invitation"] not in (None, made["invitation"])


def remove(organiser: Person, tournament: str, entrant: str) -> None:
    asked = {"ruling": "remove", "entrant": entrant, "reason": "insults"}
    assert organiser.post(f"{tournament}/rulings", asked).status == 201
    run()


def test_a_tournament_there_is_not(olga: Person) -> None:
    missing = "tournaments/7d1a3f62-5f0e-5b4c-8b56-3c1f0f8d9a41"
    assert olga.get(missing).status == 404
    assert olga.post(f"{missing}/open").status == 404
    assert olga.get("tournaments/x").status == 404


def test_a_server_may_keep_tournaments_to_staff(cast: dict[str, Person], settings: Any) -> None:
    settings.TREY_LIMITS = {**settings.TREY_LIMITS, "tournaments_per_organiser": 0}
    asked = {"title": "T", "game": "threes", "kind": "rounds"}
    assert cast["olga"].post("tournaments", asked).code == "staff_only"
    assert cast["sue"].post("tournaments", asked).status == 201


def test_li6_an_organiser_has_so_many_unfinished_tournaments(olga: Person, settings: Any) -> None:
    settings.TREY_LIMITS = {**settings.TREY_LIMITS, "tournaments_per_organiser": 1}
    made = set_up(olga)
    asked = {"title": "T", "game": "threes", "kind": "rounds"}
    assert olga.post("tournaments", asked).code == "too_many_tournaments"
    olga.post(f"tournaments/{made['id']}/cancel", {"reason": "enough"})
    assert olga.post("tournaments", asked).status == 201


def test_li7_a_tournament_counts_for_who_set_it_up_whoever_runs_it(olga: Person, zoe: Person, settings: Any) -> None:
    settings.TREY_LIMITS = {**settings.TREY_LIMITS, "tournaments_per_organiser": 1}
    path = f"tournaments/{set_up(olga)['id']}"
    olga.post(f"{path}/organisers", {"player": "zoe"})
    zoe.post(f"{path}/organisers/accept")
    assert zoe.call("DELETE", f"{path}/organisers", {"player": "olga"}).status == 200
    asked = {"title": "T", "game": "threes", "kind": "rounds"}
    assert olga.post("tournaments", asked).code == "too_many_tournaments"
    assert zoe.post("tournaments", asked).status == 201
