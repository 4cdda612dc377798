"""A strong ETag covers everything in the body, and a 304 tells the truth."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core import clock as service_clock
from core import log
from core.accounts import services as accounts
from core.accounts.models import Player
from games import services
from games.models import Heartbeat, Outage
from games.selectors import belonging
from tests.games.api.client import Person, concrete
from tests.games.api.conftest import person

CLOCK = {"per_turn": 3600, "bank": 600}
TOURNAMENT = {"tournament": str(uuid4()), "stage": 1, "round": 1, "table": 2, "number": 1}


class Organisers(belonging.Owner):
    """Those whom the game belongs to, who may give their tournament another title."""

    title = "Autumn"

    def describe(self, games: Any) -> list[dict[str, Any] | None]:
        return [
            {"id": game["tournament"], "title": self.title, "stage": 1, "round": 1, "table": 2, "number": 1}
            for game in games
        ]


class Scene:
    """A game of Alice, Bob and Dora, which Charlie watches, and all that can happen around it."""

    def __init__(self, organisers: Organisers, clock: service_clock.FrozenClock) -> None:
        self.organisers, self.clock = organisers, clock
        Outage.objects.all().delete()
        Heartbeat.objects.all().delete()
        self.alice, self.bob, self.charlie, self.dora = (person(f"{name}{uuid4().hex[:8]}") for name in "abcd")
        players = [Player.objects.get(username=who.username) for who in (self.alice, self.bob, self.dora)]
        entries = [services.Entry(player=player) for player in players]
        actor = log.Actor("organiser")
        game = services.open_table(
            uuid4(), entries, services.Terms("threes", len(entries), clock=CLOCK), actor=actor, belongs_to=TOURNAMENT
        )
        self.path = f"games/{game.id}"

    def move(self) -> None:
        for who in (self.alice, self.bob):
            if moves := who.get(f"{self.path}/moves").body["moves"]:
                assert who.post(f"{self.path}/moves", concrete(moves[0])).status == 201
                return

    def rename(self) -> None:
        self.bob.username = f"b{uuid4().hex[:8]}"
        assert self.bob.patch("me", {"username": self.bob.username}).status == 200

    def write_an_outage_down(self) -> None:
        began = self.clock.at - timedelta(minutes=5)
        Outage.objects.get_or_create(part="web", began_at=began, defaults={"ended_at": self.clock.at})

    def fall_silent(self) -> None:
        Heartbeat.objects.update_or_create(part="sweeper", defaults={"at": self.clock.at - timedelta(minutes=3)})

    def beat(self) -> None:
        services.beat("sweeper")

    def keep_quiet_hours(self) -> None:
        hour = (self.clock.at + timedelta(hours=1)).strftime("%H:00")
        later = (self.clock.at + timedelta(hours=4)).strftime("%H:00")
        calendar = {"time_zone": "UTC", "quiet_hours": [hour, later]}
        assert self.bob.patch("me", {"calendar": calendar}).status == 200

    def go_on_vacation(self) -> None:
        days = [str((self.clock.at + timedelta(days=ahead)).date()) for ahead in (1, 5)]
        assert self.alice.patch("me", {"calendar": {"time_zone": "UTC", "vacation": [days]}}).status == 200

    def close_an_account(self) -> None:
        for player in Player.objects.filter(username=self.dora.username):
            accounts.close(player)

    def wait(self) -> None:
        self.clock.advance(minutes=7)

    def change_the_title(self) -> None:
        self.organisers.title += "!"

    def give_more_time(self) -> None:
        services.extend_turn(self.path[6:], 0, 60, actor=log.Actor("organiser"), reason="a late train")

    def hand_over(self) -> None:
        services.hand_to_bot(self.path[6:], 1, actor=log.Actor("organiser"), reason="absent")


HAPPENINGS = [name for name in vars(Scene) if not name.startswith("_")]


@pytest.mark.django_db
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(happenings=st.lists(st.sampled_from(HAPPENINGS), min_size=3, max_size=8))
def test_no_two_bodies_share_an_etag_and_every_304_is_true(
    happenings: list[str], monkeypatch: pytest.MonkeyPatch, clock: service_clock.FrozenClock
) -> None:
    organisers = Organisers()
    monkeypatch.setattr(belonging, "_owners", [organisers])
    scene = Scene(organisers, clock)
    held: dict[str, dict[str, bytes]] = {"alice": {}, "bob": {}, "charlie": {}}
    for happening in [None, *happenings]:
        if happening is not None:
            try:
                getattr(scene, happening)()
            except services.Refused:
                continue
        for name, bodies in held.items():
            viewer: Person = getattr(scene, name)
            now = viewer.get(scene.path)
            etag = now.headers["etag"]
            assert bodies.setdefault(etag, now.raw) == now.raw, happening
            for known, body in list(bodies.items())[-4:]:
                again = viewer.get(scene.path, If_None_Match=known)
                if again.status == 304:
                    assert (again.headers["etag"], body) == (known, now.raw), happening
                else:
                    assert (again.status, again.headers["etag"], again.raw) == (200, etag, now.raw), happening
            assert viewer.get(scene.path, If_None_Match=etag).status == 304
    tags = [set(bodies) for bodies in held.values()]
    assert len(set.union(*tags)) == sum(len(each) for each in tags)


@pytest.mark.django_db
def test_a_304_takes_two_statements_and_no_rendering(
    alice: Person, game: dict[str, Any], django_assert_num_queries: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"games/{game['id']}"
    etag = alice.get(path).headers["etag"]
    monkeypatch.setattr("games.selectors.view_of", None)
    with django_assert_num_queries(2):  # the token with its player, the game with its seats
        assert alice.get(path, If_None_Match=etag).status == 304


def test_the_answer_to_a_move_has_the_etag_of_the_game_after_it_and_so_has_its_repetition(
    alice: Person, game: dict[str, Any]
) -> None:
    path = f"games/{game['id']}"
    move = concrete(alice.get(f"{path}/moves").body["moves"][0])
    answers = [alice.post(f"{path}/moves", move, Idempotency_Key="once") for _ in range(2)]
    now = alice.get(path)
    assert [answer.headers["etag"] for answer in answers] == [now.headers["etag"]] * 2
    assert [answer.body["game"] for answer in answers] == [now.body] * 2
    assert answers[0].raw == answers[1].raw


def test_the_invitation_in_the_query_changes_neither_the_body_nor_its_etag(alice: Person) -> None:
    room = alice.opens(visibility="private")
    plain, invited = (alice.get(f"games/{room['id']}{query}") for query in ("", f"?invitation={room['invitation']}"))
    assert (plain.status, plain.raw, plain.headers["etag"]) == (200, invited.raw, invited.headers["etag"])
