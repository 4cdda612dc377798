from allauth.usersessions.models import UserSession
from celery import shared_task

from core.accounts import codes, guests, services, tokens
from core.accounts.models import Session
from core.accounts.sessions import SessionStore


@shared_task(name="core.accounts.tasks.finish_closing")
def finish_closing() -> int:
    return services.finish_closing()


@shared_task(name="core.accounts.tasks.purge_sessions")
def purge_sessions() -> None:
    SessionStore.clear_expired()
    UserSession.objects.exclude(session_key__in=Session.objects.values("pk")).delete()
    codes.purge()
    tokens.purge()


@shared_task(name="core.accounts.tasks.close_idle_guests")
def close_idle_guests() -> int:
    return guests.close_idle()
