"""AC2: guests, held by a browser's session until they keep their account."""

import re
from datetime import timedelta

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory

from core import clock as service_clock
from core.accounts import services
from core.accounts.login import guests, tokens
from core.accounts.login.sessions import SessionStore
from core.accounts.models import GuestLink, Player
from core.refusals import Conflict, Invalid, NotFound
from games import services as games
from tests.games.api.client import PASSWORD, Person

pytestmark = pytest.mark.django_db
YEAR = timedelta(days=365)


def kept(name: str) -> Player:
    return Player.objects.create_user(name, password=PASSWORD)


def browser(session: SessionStore | None = None) -> HttpRequest:
    request = RequestFactory().get("/")
    request.session = session or SessionStore()
    return request


@pytest.mark.parametrize(("said", "name"), [("Bob", "Bob"), ("  Aunt  Mary ", "Aunt-Mary"), ("Zoë", "Zoë")])
def test_ac2_a_guest_gives_a_name_and_nothing_else(said: str, name: str) -> None:
    guest = guests.sign_up(guests.checked_name(said))
    assert (guest.username, guest.is_guest) == (name, True)
    assert services.authenticate(name, "") is None


@pytest.mark.parametrize("said", ["", "  ", "b", "x" * 41, "b\u043eb", "<b>", "\0bob"])
def test_a_name_that_cannot_be_one_is_refused_with_its_field(said: str) -> None:
    with pytest.raises(Invalid) as refused:
        guests.checked_name(said)
    assert refused.value.field == "username"


def test_ac3_a_taken_name_is_said_and_a_free_one_is_near() -> None:
    kept("Bob")
    with pytest.raises(Conflict):
        guests.sign_up("bob")
    assert guests.free_name("bob") == "bob-2"
    guests.sign_up("Bob-2")
    assert guests.free_name("bob") == "bob-3"


def test_bt2_a_name_is_found_however_many_are_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    first = guests.sign_up_unnamed()
    assert re.fullmatch("guest-[0-9]{4}", first.username)
    tried = []
    monkeypatch.setattr(guests, "_is_free", lambda name: tried.append(name) or len(name) > len("guest-4711"))
    assert re.fullmatch("guest-[0-9]{5}", guests.sign_up_unnamed().username)
    monkeypatch.setattr(guests, "_is_free", lambda _: False)
    with pytest.raises(Conflict):
        guests.sign_up_unnamed()
    # Somebody else may take a name that was free just now.
    monkeypatch.setattr(guests, "_is_free", lambda _: True)
    monkeypatch.setattr(guests.secrets, "randbelow", lambda _: int(first.username.removeprefix("guest-")) - 1000)
    assert len(guests.sign_up_unnamed().username) > len(first.username)


def test_ac2_the_session_lasts_a_year_and_is_renewed_by_use(clock: service_clock.FrozenClock) -> None:
    guest, request = guests.sign_up("gus"), browser()
    guests.log_in(request, guest)
    assert request.session.get_expiry_age() == pytest.approx(YEAR.total_seconds(), abs=60)
    request.session.set_expiry(10)

    def look(asked: HttpRequest) -> HttpResponse:
        assert asked.session.get("_auth_user_id") == str(guest.pk)
        return HttpResponse()

    clock.advance(hours=23)
    guests.follow_sessions(look)(request)
    assert request.session.get_expiry_age() == 10
    clock.advance(hours=2)
    guests.follow_sessions(look)(request)
    assert request.session.get_expiry_age() == pytest.approx(YEAR.total_seconds(), abs=60)
    guest.refresh_from_db()
    assert guest.guest_seen_at == service_clock.now()


def test_a_session_at_which_nobody_looks_is_not_read(clock: service_clock.FrozenClock) -> None:
    guest, request = guests.sign_up("gus"), browser()
    guests.log_in(request, guest)
    request.session.save()
    clock.advance(days=2)
    later = browser(SessionStore(request.session.session_key))
    guests.follow_sessions(lambda _: HttpResponse())(later)
    assert not later.session.accessed


def test_ac2_a_link_takes_a_guest_to_another_device_once(clock: service_clock.FrozenClock) -> None:
    guest = guests.sign_up("gus")
    secret, expires_at = guests.new_link(guest)
    assert expires_at - service_clock.now() == timedelta(minutes=10)
    assert secret not in str(GuestLink.objects.values())
    assert guests.link_of(secret).player == guest
    assert guests.use_link(secret) == guest
    with pytest.raises(NotFound):
        guests.use_link(secret)


def test_ac2_a_link_is_for_ten_minutes_and_a_newer_one_replaces_it(clock: service_clock.FrozenClock) -> None:
    guest = guests.sign_up("gus")
    old, _ = guests.new_link(guest)
    new, _ = guests.new_link(guest)
    for secret in (old, "", "nonsense", "\ud800"):
        with pytest.raises(NotFound):
            guests.use_link(secret)
    clock.advance(minutes=10)
    with pytest.raises(NotFound):
        guests.use_link(new)


def test_an_organisers_link_ends_the_sessions_and_tokens_that_were_lost() -> None:
    guest, lost = guests.sign_up("gus"), browser()
    guests.log_in(lost, guest)
    lost.session.save()
    tokens.issue(guest)
    secret, _ = guests.new_link(guest, by=kept("olga"))
    assert guests.use_link(secret) == guest
    assert not SessionStore().exists(lost.session.session_key)
    assert not tokens.valid(guest).exists()


def test_ac6_nobody_comes_back_by_a_link_of_before_all_sessions_were_ended() -> None:
    guest, olga = guests.sign_up("gus"), Player.objects.create_superuser("olga")
    for by in (None, kept("otto")):
        secret, _ = guests.new_link(guest, by=by)
        services.revoke_access(guest, olga, "The phone was stolen.")
        with pytest.raises(NotFound):
            guests.use_link(secret)


def test_ac2_a_kept_account_is_no_guests_and_its_links_are_gone() -> None:
    guest = guests.sign_up("gus")
    secret, _ = guests.new_link(guest)
    services.set_password(guest, PASSWORD)
    assert services.authenticate("gus", PASSWORD) == guest
    assert not Player.objects.get(pk=guest.pk).is_guest
    with pytest.raises(NotFound):
        guests.use_link(secret)
    with pytest.raises(Conflict):
        guests.new_link(guest)


def test_ac2_a_guest_who_did_nothing_for_30_days_is_closed_unless_they_sit_in_a_game(
    clock: service_clock.FrozenClock,
) -> None:
    idle, sitting, fresh, ada = (*(guests.sign_up(name) for name in ("idle", "sitting", "fresh")), kept("ada"))
    room = games.open_room(ada, games.Terms("threes", 2))
    games.join(room.id, sitting)
    clock.advance(days=30)
    assert guests.close_idle() == 0
    Player.objects.filter(pk=fresh.pk).update(guest_seen_at=service_clock.now())
    clock.advance(seconds=1)
    assert guests.close_idle() == 1
    assert set(Player.objects.values_list("username", flat=True)) == {"sitting", "fresh", "ada"}
    games.cancel(room.id, ada)
    assert guests.close_idle() == 1
    assert not Player.objects.filter(pk__in=(idle.pk, sitting.pk)).exists()


def test_ac2_a_guest_who_uses_a_token_does_something(clock: service_clock.FrozenClock) -> None:
    guest = guests.sign_up("Mary")
    mary = Person("Mary", tokens.issue(guest)[0])
    clock.advance(days=29)
    assert mary.get("me").status == 200
    clock.advance(days=30)
    assert guests.close_idle() == 0
    clock.advance(hours=1)
    assert guests.close_idle() == 1


def test_ac2_a_guests_games_are_unrated_until_kept() -> None:
    ada, guest = kept("ada"), guests.sign_up("gus")
    assert games.open_room(guest, games.Terms("threes", 2)).rated is False
    room = games.open_room(ada, games.Terms("threes", 2))
    assert room.rated is True
    assert games.join(room.id, guest).rated is False
    services.set_password(guest, PASSWORD)
    assert games.open_room(guest, games.Terms("threes", 2)).rated is True


def test_ac2_a_guest_is_warned_before_the_browser_that_holds_the_account_forgets_it() -> None:
    guest, client = guests.sign_up("gus"), Client()
    client.force_login(guest)
    account = client.get("/accounts/").content.decode()
    assert 'href="/accounts/logout/"' in account and 'action="/accounts/logout/"' not in account
    assert "This guest account exists" in client.get("/accounts/logout/").content.decode()
