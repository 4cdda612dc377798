"""GET me/export: what the service holds about a player, and closing an account: what stays."""

import json
from typing import Any
from uuid import UUID

import pytest

from core.accounts import exporting, services
from core.accounts.api.bodies import AccountExport
from core.accounts.models import Audit, Player, Token
from core.log.models import StoredEvent
from games.models import Seat
from tests.games.api.client import PASSWORD, Person
from tests.games.services.service_scene import play_until_all_have
from tests.tournaments.api.conftest import PAIRS, run
from tournaments.leaderboards.projection import update_boards
from tournaments.leaderboards.stream import record_result
from tournaments.models import Entrant

KEYS = [
    "format", "exported_at", "account", "tokens", "sessions", "blocked", "second_factors", "login_places", "audit",
    "notifications", "webhooks", "push", "chat", "calendar_address", "games", "people", "entries", "organises", "votes",
    "channels", "house_games", "house_reports", "notes", "talk", "moderation", "ratings",
]  # fmt: skip


@pytest.fixture
def played(alice: Person, bob: Person, game: dict[str, Any]) -> dict[str, Any]:
    """Alice's and Bob's game, which Bob has resigned; and a tournament of Bob's, which Alice has entered."""
    play_until_all_have(UUID(game["id"]))
    assert bob.post(f"games/{game['id']}/moves", {"move": "resign"}).status == 201
    made = bob.post("tournaments", {"title": "Cup", "game": "threes", "kind": "rounds", "settings": PAIRS}).body
    bob.post(f"tournaments/{made['id']}/open")
    assert alice.post(f"tournaments/{made['id']}/entries", {}).status == 201
    run()
    record_result.catch_up()
    update_boards.catch_up()
    return game


def test_it_holds_the_account_and_what_every_app_knows_of_the_player(alice: Person, played: dict[str, Any]) -> None:
    calendar = {"time_zone": "Europe/Berlin", "quiet_hours": ["22:00", "07:00"]}
    alice.patch("me", {"calendar": calendar, "preferences": {"unlisted": False}})
    answer = alice.get("me/export")
    assert (answer.status, answer.headers["content-type"]) == (200, "application/json")
    assert answer.headers["content-disposition"] == 'attachment; filename="trey-account.json"'
    assert list(answer.body) == KEYS
    assert answer.body["account"]["username"] == "alice"
    assert answer.body["account"]["calendar"]["quiet_hours"] == ["22:00", "07:00"]
    assert [token["id"] for token in answer.body["tokens"]] == [str(Token.objects.get(user__username="alice").id)]
    [game] = answer.body["games"]
    assert (game["id"], game["seat"], game["place"], game["opened_by_you"]) == (played["id"], 0, 1, True)
    [entry] = answer.body["entries"]
    assert (entry["entrant"], entry["title"], entry["status"]) == ("e1", "Cup", "in")
    assert answer.body["organises"] == []
    [rating] = answer.body["ratings"]
    assert (rating["game"], rating["game_id"], rating["place"]) == ("threes", played["id"], 1)


def test_it_holds_nothing_of_others_and_no_secret(alice: Person, bob: Person, played: dict[str, Any]) -> None:
    bob_id = bob.get("me").body["id"]
    text = alice.get("me/export").raw.decode()
    player = Player.objects.get(username="alice")
    token = Token.objects.get(user=player)
    for secret in (bob_id, "bob", alice.token, token.digest, token.token_key, player.password):
        assert secret not in text
    [cup] = bob.get("me/export").body["organises"]
    assert cup["title"] == "Cup"


def test_staff_find_what_they_did_and_players_what_was_done_to_them(alice: Person, bob: Person) -> None:
    staff = Player.objects.get(username="bob")
    staff.is_staff = True
    staff.save()
    player = Player.objects.get(username="alice")
    services.suspend(player, staff, "insults")
    services.let_back(player, staff, "apologised")
    assert [entry["by_you"] for entry in bob.get("me/export").body["audit"]] == [True, True]
    told = list(exporting.parts_of(player, player.date_joined))
    audit = list(dict(told)["audit"])
    assert [(entry["action"], entry["reason"]) for entry in audit] == [
        ("suspended", "insults"),
        ("let back", "apologised"),
    ]
    assert str(staff.pk) not in str(audit)


def test_a_new_account_has_empty_lists(alice: Person) -> None:
    body = json.loads(alice.get("me/export").raw)
    assert [body[key] for key in KEYS[4:]] == [[]] * len(KEYS[4:])


def test_no1_tk11_the_document_names_all_that_is_in_it(alice: Person) -> None:
    assert set(json.loads(alice.get("me/export").raw)) == set(AccountExport.__struct_fields__)


def test_it_is_streamed_row_by_row(alice: Person, django_assert_max_num_queries: Any) -> None:
    player = Player.objects.get(username="alice")
    for number in range(3):
        alice.opens(rated=bool(number % 2))
    with django_assert_max_num_queries(20):
        parts = dict(exporting.parts_of(player, player.date_joined))
        games = parts["games"]
        assert next(games)["status"] == "open", "an iterator: no export has to fit into memory"
        assert len(list(games)) == 2


def test_more_exports_than_the_setting_allows_are_429(alice: Person, settings: Any) -> None:
    settings.TREY_LIMITS = {**settings.TREY_LIMITS, "exports": (2, 3600)}
    assert [alice.get("me/export").status for _ in range(3)] == [200, 200, 429]


def test_a_closed_account_leaves_no_trace_of_its_name_and_history_keeps_the_id(
    alice: Person, bob: Person, played: dict[str, Any]
) -> None:
    me = alice.get("me").body["id"]
    alice.patch("me", {"calendar": {"time_zone": "Europe/Berlin", "quiet_hours": ["22:00", "07:00"]}})
    assert alice.post("me/close", {"password": PASSWORD}).status == 204
    assert not Player.objects.filter(pk=me).exists()
    assert not Token.objects.filter(user_id=me).exists()
    # What stays: the id in games, tournaments and the log, without which they could not be proved.
    assert Seat.objects.filter(player_id=me).exists()
    assert Entrant.objects.filter(player_id=me).exists()
    logged = json.dumps(list(StoredEvent.objects.values_list("data", flat=True)), default=str)
    assert "alice" not in logged
    assert "22:00" not in logged
    assert "alice" not in str(list(Audit.objects.values_list("reason", "subject")))
    assert bob.get(f"games/{played['id']}").body["players"][0]["player"] == {"id": me, "username": None}
