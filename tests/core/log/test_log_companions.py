"""An export carries the rows that the log cannot make again; an import brings them back, or says why it cannot."""

import json

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.apps import apps
from django.contrib.auth.models import Group, Permission
from django.core.management import call_command
from django.db import connection

from core import clock as service_clock
from core import log
from core.accounts import tokens
from core.accounts.models import Player
from core.log.export_format import RowChain, read_export
from core.log.registry import companions
from core.notifications.models import Hook, Inbox

pytestmark = pytest.mark.django_db(transaction=True)

# What makes the rows of these tables again.
FROM_THE_LOG = {
    "log_event", "log_stream", "log_counter", "log_checkpoint", "games_game", "games_seat", "tournaments_tournament",
    "tournaments_entrant", "tournaments_round", "tournaments_table", "tournaments_tournamentgame",
    "tournaments_proposal", "tournaments_elector", "leaderboards_league", "leaderboards_leaguegame",
    "leaderboards_playertally",
    "leaderboards_entry", "leaderboards_count", "leaderboards_boardstate", "leaderboards_point",
}  # fmt: skip
BY_MIGRATE = {"auth_permission", "django_content_type"}
BY_OTHER_COMPANIONS = {
    "games_heartbeat", "games_outage", "jobs_work", "auth_group_permissions", "accounts_player_user_permissions",
}  # fmt: skip
# docs/operations.md names them.
LEFT_OUT = {
    "jobs_receipt", "accounts_session", "usersessions_usersession", "accounts_code",
    "account_emailconfirmation", "django_admin_log", "ops_upkeep", "notifications_delivery", "notifications_posting",
    "notifications_gathering", "notifications_subscription", "notifications_busyaddress",
    "notifications_endedsubscription", "tournaments_simulation",
    "allauth_idp_oidc_client", "allauth_idp_oidc_token",  # empty: an app is no row, its tokens are ours
}  # fmt: skip
SEES = "games.see_hidden_cards"


def imported(lines):
    return log.import_export(in_bytes(lines))


def in_bytes(lines):
    return (f"{line}\n".encode() for line in lines)


def rows():
    """Every row that an export carries by its table, as PostgreSQL writes it."""
    found = {}
    with connection.cursor() as cursor:
        for table in (one.name for one in companions() if isinstance(one, log.Table)):
            cursor.execute(f"SELECT row_to_json(t)::text FROM {table} t ORDER BY 1")
            found[table] = cursor.fetchall()
    return found


@pytest.fixture
def club(clock: service_clock.FrozenClock) -> Player:
    """Olga, who judges, with a token, a second factor, an address and a webhook; and Ada."""
    olga, _ = Player.objects.create_user("olga", password="secret of olga"), Player.objects.create_user("ada")
    judges = Group.objects.create(name="judges")
    judges.permissions.add(Permission.objects.get(codename="see_hidden_cards"))
    olga.groups.add(judges)
    olga.user_permissions.add(Permission.objects.get(codename="view_player"))
    tokens.issue(olga)
    EmailAddress.objects.create(user=olga, email="olga@example.org", verified=True, primary=True)
    Authenticator.objects.create(user=olga, type="totp", data={"secret": "sealed"})
    Hook.objects.create(player=olga, url="sealed", secret="sealed", types=["turn", "over"], created_at=clock.at)
    Inbox.objects.create(player=olga)
    return olga


@pytest.fixture
def lines(club):
    """Their export; the database is empty afterwards."""
    lines = list(log.export())
    call_command("flush", interactive=False, verbosity=0)
    return lines


def with_accounts(lines, change):
    """The export with other rows of accounts, and all digests made again."""
    export = read_export(in_bytes(lines))
    assert not list(export.events)
    chain = RowChain(export.header)
    changed = [
        (row.companion, change(row.value) if row.companion == "accounts_player" else row.value) for row in export.rows
    ]
    return [lines[0], *(chain.line(*row) for row in changed)]


def test_every_table_is_carried_or_made_again_or_left_out_on_purpose():
    tables = {model._meta.db_table for model in apps.get_models(include_auto_created=True) if model._meta.managed}
    carried = {one.name for one in companions() if isinstance(one, log.Table)}
    others = [FROM_THE_LOG, BY_MIGRATE, BY_OTHER_COMPANIONS, LEFT_OUT]
    assert tables == carried.union(*others)
    assert sum(map(len, [carried, *others])) == len(tables), "each once"


def test_rows_come_back_as_they_were(club):
    before, rights, lines = rows(), club.get_all_permissions(), list(log.export())
    assert all(before[table] for table in ("accounts_player", "mfa_authenticator", "account_emailaddress"))
    call_command("flush", interactive=False, verbosity=0)
    imported(lines)
    assert rows() == before
    assert Player.objects.get(username="olga").get_all_permissions() == rights == {"accounts.view_player", SEES}
    # The next row gets a number that is free.
    assert Group.objects.create(name="guests").pk > Group.objects.get(name="judges").pk
    imported(lines)
    assert rows()["accounts_player"] == before["accounts_player"]


def test_an_account_that_is_here_under_the_same_name_is_not_lost(lines):
    other = Player.objects.create_user("Olga")
    with pytest.raises(log.BadExport, match=r"the accounts_player up .*another row has the place of"):
        imported(lines)
    assert list(Player.objects.all()) == [other]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda row: row | {"hat": 1}, "there is no column 'hat' here"),
        (lambda row: row | {"username": None}, "null value in column"),
    ],
)
def test_a_row_that_cannot_be_stored_is_refused_with_its_line(lines, change, why):
    with pytest.raises(log.BadExport, match=rf"^line \d+: the accounts_player up to here cannot be .*{why}"):
        imported(with_accounts(lines, change))
    assert not Player.objects.exists()


def test_a_column_that_came_later_gets_its_default(lines):
    imported(with_accounts(lines, lambda row: {key: value for key, value in row.items() if key != "closed_at"}))
    assert Player.objects.filter(closed_at=None).count() == 2


def test_a_changed_row_shows_without_a_database(lines):
    at = next(number for number, line in enumerate(lines) if '"ada"' in line)

    def problem(changed):
        with pytest.raises(log.BadExport) as found:
            list(log.verify_export(in_bytes(changed)))
        return str(found.value)

    told = problem([*lines[:at], lines[at].replace('"ada"', '"eve"'), *lines[at + 1 :]])
    assert told == f"line {at + 1}: this is not the row of accounts_player that was written here"
    assert "it was cut off" in problem(lines[:-1])
    assert problem([*lines[:at], *lines[at + 1 :]]).startswith(f"line {at + 1}: ")
    assert "there is more than" in problem([*lines, lines[-1]])
    assert list(log.verify_export(in_bytes(lines))) == []


def test_an_auditor_gets_the_events_alone(club):
    [header] = log.export(events_only=True)
    assert json.loads(header)["companions"] == {}
