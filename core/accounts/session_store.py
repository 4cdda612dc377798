"""Django's sessions in the database, each with its player, and by the service's clock (SESSION_ENGINE)."""

from datetime import datetime
from typing import Any, cast

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.db.models.fields.reverse_related import ForeignObjectRel

from core import clock
from core.accounts.models import Session


class SessionStore(DatabaseStore):
    """A session in `accounts_session`."""

    unanswered = 0

    @classmethod
    def get_model_class(cls) -> Any:
        """Our own table."""
        return Session

    def _get_session_from_db(self) -> Session | None:
        found = Session.objects.filter(session_key=self.session_key, expire_date__gt=clock.now()).first()
        if found is None:
            self._session_key = None
        else:
            self.unanswered = found.unanswered
        return found

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
        """The row, under the account that is logged in."""
        row = cast("Session", super().create_model_instance(data))
        row.player_id = data.get(SESSION_KEY)
        return row

    def get_expiry_date(self, **kwargs: Any) -> datetime:
        """Return the time at which the session ends if it is no longer used."""
        kwargs.setdefault("modification", clock.now())
        return super().get_expiry_date(**kwargs)

    @classmethod
    def clear_expired(cls) -> None:
        """Delete expired sessions."""
        Session.objects.filter(expire_date__lte=clock.now()).delete()
