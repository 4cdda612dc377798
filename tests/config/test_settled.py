"""What the web shows first after a pause of the service is what it shows from then on; silence is a pause."""

import http.client
import json
from contextlib import ExitStack
from datetime import datetime, timedelta

import pytest
from django.db import transaction

from core import clock as service_clock
from core.accounts.login import tokens
from core.accounts.models import Player
from games.models import Heartbeat, Outage
from games.services import outages
from games.services.outages import WEB, Pulse, beat
from tests.config.web_server import idle, status, until, web_server
from tests.games.services.service_scene import game_now, started

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


def shown_deadline(port, game_id, token):
    caller = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    headers = {"Host": "localhost", "Authorization": f"Bearer {token}"}
    caller.request("GET", f"/api/v1/games/{game_id}", headers=headers)
    response = caller.getresponse()
    assert response.status == 200
    answer = json.load(response)
    caller.close()
    return datetime.fromisoformat(answer["deadline_at"])


def test_the_first_answer_after_a_pause_shows_deadlines_that_have_moved_with_it():
    alice, bob = (Player.objects.create_user(name) for name in ("alice", "bob"))
    began = service_clock.now() - timedelta(hours=1, seconds=30)
    with service_clock.frozen(began):
        game = started(alice, bob)
        beat(WEB)
    due = min(seat.duty.due for seat in game_now(game.id).players)
    token = tokens.issue(alice)[0]
    with ExitStack() as servers:
        with transaction.atomic():
            # Which holds up the first heartbeat.
            Heartbeat.objects.select_for_update().get()
            port = servers.enter_context(web_server())
            assert status(port, "GET", f"/api/v1/games/{game.id}", token=token) is None
        first = shown_deadline(port, game.id, token)
        outage = Outage.objects.get()
        assert first == due + (outage.ended_at - outage.began_at)
        assert shown_deadline(port, game.id, token) == first


@pytest.fixture
def pulse_of():
    """Heartbeats of the web that end with the test."""
    pulses = []

    def pulse_of(works):
        pulses.append(pulse := Pulse(WEB, works))
        pulse.start()
        return pulse

    yield pulse_of
    for pulse in pulses:
        pulse.stop()
        pulse.join()


def test_a_process_that_was_stopped_for_long_settles_the_pause_when_it_is_asked(clock, settings, pulse_of):
    settings.TREY_HEARTBEAT = 600
    beat(WEB)
    pulse = pulse_of(lambda: True)
    pulse.settle()
    assert not Outage.objects.exists()
    began = clock.at
    ended = clock.advance(hours=1)
    pulse.settle()
    assert [(outage.began_at, outage.ended_at) for outage in Outage.objects.all()] == [(began, ended)]


def test_nobody_waits_twice_for_a_heartbeat_that_cannot_be_recorded(clock, monkeypatch, pulse_of):
    monkeypatch.setattr(outages, "SETTLE_TIMEOUT", 0.01)
    pulse = pulse_of(lambda: False)
    pulse.settle()
    monkeypatch.setattr(outages, "SETTLE_TIMEOUT", 600)
    pulse.settle()
    assert not Heartbeat.objects.exists()


def test_a_web_that_answers_nobody_is_an_outage(tmp_path):
    silent = "no heartbeat of the web: it does not answer"
    log = tmp_path / "log"
    limits = ("--backpressure", "2", "--http1-header-read-timeout", "60000")

    def said():
        return log.read_text().count(silent)

    with (
        log.open("w") as output,
        web_server(*limits, output=output, TREY_LOG_LEVEL="warning") as port,
        ExitStack() as clients,
    ):
        until(lambda: Heartbeat.objects.filter(part="web").exists(), 20)
        idle(clients, port, 4)
        until(lambda: said() >= 1, 30)
        began = service_clock.now() - timedelta(minutes=2)
        Heartbeat.objects.filter(part="web").update(at=began)
        before = said()
        until(lambda: said() > before, 30)
        assert Heartbeat.objects.get(part="web").at == began
        assert not Outage.objects.exists()
        clients.close()
        until(Outage.objects.exists, 30)
    assert Outage.objects.get().began_at == began
