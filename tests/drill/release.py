"""A small service of everything, which a release keeps as a dump and an export, and which later ones find there."""

import random
from datetime import timedelta
from pathlib import Path
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from django.core.management import call_command
from django.db import connection
from django.test import RequestFactory
from drill_scene import FOLLOWED, Scene

from core import clock as service_clock
from core import log
from core.accounts import auditing
from core.accounts.login import attempts, guests, tokens
from core.accounts.models import Player
from games.models import Game
from games.rules import GAMES
from tests.core.notifications.browsers import Browser
from tests.games.api.client import Person
from tests.games.services.service_scene import game_now, play_on, started
from tests.tournaments.services.tournament_scene import Club
from tournaments.models import Tournament

KEY = "what the secrets of the kept services are sealed with"
SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
OPTIONS = {"three_thirteen": {"rounds": 2}, "threes": None}


class Told(Scene):
    """One in which players are told."""

    def follow(self) -> int:
        handled = super().follow()
        for subscriber in log.subscribers():
            if subscriber.name not in FOLLOWED:
                subscriber.catch_up()
        return handled


class Service(Told):
    """The drill's service with a row in every table and every kind of game and tournament."""

    def __init__(self, clock: service_clock.FrozenClock) -> None:
        super().__init__(clock)
        self._accounts()
        self._games()
        self._tournaments()
        for _ in range(2):
            self.follow()
        self.live(minutes=1)

    def _accounts(self) -> None:
        EmailAddress.objects.create(user=self.ada, email="ada@example.org", verified=True, primary=True)
        TOTP.activate(self.bob, SECRET)
        RecoveryCodes.activate(self.bob)
        guests.new_link(guests.sign_up("gus-2"))
        auditing.write(self.club.olga, auditing.Action.CHANGED, f"player {self.ada.pk}")
        attempts.logged_in(RequestFactory().get("/"), self.ada)
        ada = Person("ada", self.token)
        _done(ada.call("PUT", "me/blocked/fay"))
        _done(ada.post("me/webhooks", {"url": "https://example.org/trey", "types": ["game.turn"]}))
        _done(ada.post("me/push", Browser("https://push.example.org/ada").subscription()))
        _done(ada.post("me/chat", {"service": "ntfy", "url": "https://ntfy.sh/trey"}))
        _done(ada.patch("me/notifications/settings", {"always": True}))
        calendar = {"time_zone": "Europe/Vienna", "quiet_hours": ["22:00", "07:00"]}
        _done(ada.patch("me", {"calendar": calendar, "handles": {"telegram": "ada_l"}}))

    def _games(self) -> None:
        rng = random.Random(1)
        ada = Person("ada", self.token)
        for game in GAMES:
            asked = {"game": game, "options": OPTIONS.get(game, {"stalemate_after": 3})}
            asked = {key: value for key, value in asked.items() if value is not None}
            play_on(started(self.ada, self.bob, **asked).id, rng=rng)
            play_on(started(self.ada, self.bob, self.cleo, **asked).id, 12, rng=rng)
        planned = started(self.ada, self.bob)
        _done(ada.call("PUT", f"games/{planned.id}/plan", {"lines": [{"move": {"move": "play", "choose": "lowest"}}]}))
        _done(ada.post(f"games/{planned.id}/seen", {"version": planned.version}))
        room = ada.opens(game="castle", seats=3)
        _done(ada.post(f"games/{room['id']}/channels", {"service": "ntfy", "url": "https://ntfy.sh/x"}))
        _done(ada.post(f"games/{room['id']}/invite", {"username": "bob"}))

    def _tournaments(self) -> None:
        olga, club = Person("olga", tokens.issue(self.club.olga)[0]), self.club
        rounds, now = club.id, club.now
        club.start(title="A knockout", kind="knockout", settings={"tables": {"size": 2}, "advance": 1})
        club.finish(1)
        closes = (now + timedelta(days=30)).isoformat()
        club.start(title="A season", kind="season", closes_at=closes)
        season, ada, bob = f"tournaments/{club.id}", Person("ada", self.token), Person("bob", tokens.issue(self.bob)[0])
        _done(olga.post(f"{season}/messages", {"text": "We begin on Sunday."}))
        ruling = {"ruling": "adjust", "entrant": "e1", "points": "1", "reason": "a prize"}
        _done(olga.post(f"{season}/rulings", ruling))
        # Who has played is an elector.
        room = _done(ada.post(f"{season}/games", {"seats": 2})).body["id"]
        _done(bob.post(f"games/{room}/join"))
        _done(bob.post(f"games/{room}/moves", {"move": "resign"}))
        club.run()
        proposal = {"title": "Shorter games", "reason": "They last for weeks.", "options": {"stalemate_after": 10}}
        _done(ada.post(f"{season}/proposals", proposal))
        _done(ada.post(f"{season}/games", {"seats": 2}))
        club.id, club.now = rounds, now


class Found(Told):
    """The same, found in a database."""

    def __init__(self, clock: service_clock.FrozenClock) -> None:
        self.clock = clock
        self.club = object.__new__(Club)
        self.club.now = clock.at
        self.club.olga = Player.objects.get(username="olga")
        self.club.people = list(Player.objects.exclude(username__in=("olga", "gus-2")).order_by("date_joined"))
        self.ada, self.bob, self.cleo = (self.club.player(name) for name in ("ada", "bob", "cleo"))
        self.club.id = Tournament.objects.get(title="Threes 2026").pk
        self.running = game_now(Game.objects.get(clock__per_turn=7200, game="castle", tournament=None).id)

    def all_go_on(self) -> None:
        """Every game is played on, and every tournament."""
        for game in Game.objects.filter(status="playing"):
            before = game.version
            assert play_on(game.id, 10).version > before
        for tournament in Tournament.objects.exclude(status="finished"):
            self.club.id = tournament.pk
            self.club.run(hours=1)
        self.follow()


def _done(answer: Any) -> Any:
    assert answer.status < 300, answer
    return answer


def keep(folder: Path, clock: service_clock.FrozenClock) -> None:
    """Write what this release keeps. Raises whatever goes wrong."""
    folder.mkdir(exist_ok=True)
    Service(clock)
    with connection.cursor() as cursor:
        # As they are where no test has to empty the tables.
        cursor.execute("ALTER TABLE log_event ENABLE TRIGGER log_event_no_truncate")
        cursor.execute("ALTER TABLE accounts_audit ENABLE TRIGGER audit_no_truncate")
    try:
        call_command("log", "export", output=folder / "export.jsonl.gz")
        call_command("backup", "database", str(folder / "trey.dump"))
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE log_event DISABLE TRIGGER log_event_no_truncate")
            cursor.execute("ALTER TABLE accounts_audit DISABLE TRIGGER audit_no_truncate")
