"""Sessions log browsers in: Django's in the database (SESSION_ENGINE), each with its player, by the service's clock."""

import hashlib
from datetime import datetime
from typing import Any, cast

from allauth.usersessions.models import UserSession
from celery import shared_task
from django.contrib import auth
from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.db import Error
from django.db.models import F, QuerySet
from django.db.models.fields.reverse_related import ForeignObjectRel
from django.http import HttpRequest

from core import clock as service_clock
from core.accounts import ending
from core.accounts.ending import Right, What
from core.accounts.models import GuestLink, Player, Session
from core.http.exceptions import is_of_the_database


class SessionStore(DatabaseStore):
    unanswered = 0

    @classmethod
    def get_model_class(cls) -> Any:
        return Session

    def _get_session_from_db(self) -> Session | None:
        found = Session.objects.filter(session_key=self.session_key, expire_date__gt=service_clock.now()).first()
        if found is None:
            self._session_key = None
        else:
            self.unanswered = found.unanswered
        return found

    def save(self, must_create: bool = False) -> None:
        """Raises UpdateError if the session has ended. Django says so, too, if the database fails."""
        try:
            super().save(must_create)
        except UpdateError as error:
            if isinstance(failure := error.__context__, Error) and is_of_the_database(failure):
                raise failure from failure.__cause__
            raise

    def cycle_key(self) -> None:
        """A new key for the same session; what belongs to it moves along."""
        before, kept = self.session_key, dict(self.items())
        self.create()
        self.update(kept)
        if before:
            for one in Session._meta.get_fields(include_hidden=True):  # noqa: SLF001  Django's public way
                if isinstance(one, ForeignObjectRel):
                    rows = one.related_model._base_manager.filter(**{one.field.name: before})  # noqa: SLF001
                    rows.update(**{one.field.name: self.session_key})
            self.delete(before)

    def create_model_instance(self, data: dict[str, Any]) -> Session:
        row = cast("Session", super().create_model_instance(data))
        row.player_id = data.get(auth.SESSION_KEY)
        return row

    def get_expiry_date(self, **kwargs: Any) -> datetime:
        kwargs.setdefault("modification", service_clock.now())
        return super().get_expiry_date(**kwargs)

    @classmethod
    def clear_expired(cls) -> None:
        Session.objects.filter(expire_date__lte=service_clock.now()).delete()


@shared_task(name="core.accounts.tasks.purge_sessions")
def purge() -> None:
    SessionStore.clear_expired()
    UserSession.objects.exclude(session_key__in=Session.objects.values("pk")).delete()


def valid(player: Player) -> QuerySet[Session]:
    running = Session.objects.filter(player=player, expire_date__gt=service_clock.now())
    return running.order_by("-expire_date", "pk")


def browsers(player: Player) -> list[tuple[Session, UserSession | None]]:
    rows = list(valid(player))
    known = {one.session_key: one for one in UserSession.objects.filter(session_key__in=[row.pk for row in rows])}
    return [(row, known.get(row.pk)) for row in rows]


def player_in(key: str) -> Player | None:
    """Return the player of a session if it is valid: not expired, and not older than the password."""
    request = HttpRequest()
    request.session = SessionStore(key)
    user = auth.get_user(request)
    return user if isinstance(user, Player) and user.is_active else None


def name_of(session: Session) -> str:
    """Return a name for the session that pages can show: its key would let anybody in."""
    return hashlib.sha256(session.pk.encode()).hexdigest()[:16]


def revoke(player: Player, name: str) -> bool:
    keys = [session.pk for session in valid(player) if name_of(session) == name]
    return Session.objects.filter(pk__in=keys).delete()[0] > 0


@ending.on_the_way_out(Right.SESSION, What.GRANTS)
def runs(player: Player, name: str) -> bool:
    return any(name_of(one) == name for one in valid(player))


@ending.at_once(Right.ACCOUNT, What.BEGUN)
def end_standing(player: Player, **_: Any) -> None:
    """End every session without the new mark, including one that is just starting, and every unfinished log-in."""
    rows = Player.objects.filter(pk=player.pk)
    rows.update(logged_out=F("logged_out") + 1)
    # An account that has just been closed has none.
    player.logged_out = rows.values_list("logged_out", flat=True).first() or 0


def revoke_all(player: Player, *, keep: str | None = None) -> int:
    """End the player's sessions, and a guest's way to another one; return how many there were."""
    GuestLink.objects.filter(player=player).delete()
    return Session.objects.filter(player=player).exclude(pk=keep or "").delete()[0]
