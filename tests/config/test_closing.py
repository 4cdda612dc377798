"""AC5: an account closes whatever else is written at the same moment, in any table that refers to a player."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.contrib.postgres.fields import ArrayField
from django.db import OperationalError, connection, connections, models

from core.accounts import services
from core.accounts.login import tokens
from core.accounts.models import Player
from tests.games.api.client import Person

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

KEYS = [
    (model, field)
    for model in apps.get_models(include_auto_created=True)
    for field in model._meta.concrete_fields
    if isinstance(field, models.ForeignKey) and field.related_model is Player and field.db_constraint
]
VALUES: list[tuple[type[models.Field], Callable[[Any], Any]]] = [
    (models.UUIDField, lambda field: uuid4()),
    (models.DateTimeField, lambda field: datetime(2026, 11, 21, tzinfo=UTC)),
    (models.BooleanField, lambda field: False),
    (models.IntegerField, lambda field: 1),
    (models.GenericIPAddressField, lambda field: "::1"),
    (models.JSONField, lambda field: {}),
    (ArrayField, lambda field: []),
    (models.CharField, lambda field: uuid4().hex[: field.max_length]),
    (models.TextField, lambda field: uuid4().hex),
]


def written(model: type[models.Model], key: models.Field | None = None, player: Player | None = None) -> models.Model:
    """A row of any table, with `key` on the player."""
    values: dict[str, Any] = {}
    for field in model._meta.concrete_fields:
        if field is key:
            values[field.name] = player
        elif field.null or field.has_default() or isinstance(field, models.AutoField):
            continue
        elif isinstance(field, models.ForeignKey):
            to = field.related_model
            values[field.attname] = written(to).pk if field.db_constraint else uuid4()
        else:
            values[field.name] = next(make(field) for kind, make in VALUES if isinstance(field, kind))
    return model._base_manager.create(**values)


def meanwhile(act: Callable[[], object]) -> str:
    """What comes of something that another connection does now; it waits for no lock."""

    def there() -> str:
        try:
            with connection.cursor() as cursor:
                cursor.execute("SET lock_timeout = '100ms'")
            act()
        except OperationalError:
            return "held"
        finally:
            connections.close_all()
        return "written"

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(there).result()


@contextmanager
def before_the_player_goes(act: Callable[[], object]) -> Iterator[list[str]]:
    done: list[str] = []

    def watch(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.startswith('DELETE FROM "accounts_player" ') and not done:
            done.append(meanwhile(act))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(watch):
        yield done


def test_ac5_an_account_closes_while_a_row_that_refers_to_it_is_written_in_any_table() -> None:
    assert len(KEYS) > 20
    found = []
    for model, field in KEYS:
        player = Player.objects.create_user("ada")
        person = Person("ada", tokens.issue(player)[0])
        written(model, field, player)
        with before_the_player_goes(lambda: written(model, field, player)) as done:  # noqa: B023  called at once
            status = person.post("me/close").status
        left = Player.objects.filter(username="ada").exists() or model._base_manager.filter(
            **{field.attname: player.pk}
        )
        if (status, done, bool(left)) != (204, ["held"], False):
            found.append((str(field), status, done, bool(left)))
    assert not found


def test_ac5_what_the_database_ends_of_a_closing_is_done_anew() -> None:
    ada = Player.objects.create_user("ada")
    person, ended = Person("ada", tokens.issue(ada)[0]), []

    def end(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.startswith('DELETE FROM "accounts_player" ') and not ended:
            ended.append(sql)
            execute("SELECT pg_terminate_backend(pg_backend_pid())", None, False, context)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(end):
        assert person.post("me/close").status == 204
    assert ended and not Player.objects.filter(username="ada").exists()


def test_ac5_what_stays_in_the_way_of_a_closing_is_left_to_the_sweep() -> None:
    ada = Player.objects.create_user("ada")
    person = Person("ada", tokens.issue(ada)[0])

    def fails(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.startswith('DELETE FROM "accounts_player" '):
            sql, params = "DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '40P01'; END $$", None
        return execute(sql, params, many, context)

    with connection.execute_wrapper(fails):
        assert person.post("me/close").status == 204
    assert person.get("me").status == 401
    assert services.finish_closing() == 1
    assert not Player.objects.exists()
