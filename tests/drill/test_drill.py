"""The drill: what is running is backed up, restored into an empty database, and played on."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from drill_scene import Elsewhere, Scene

from core import clock as service_clock
from core import log
from core.accounts.login import tokens
from tests.tournaments.moment import services as tournaments
from tournaments.leaderboards.stream import record_result

pytestmark = pytest.mark.slow


def test_a_dump_is_the_whole_service(
    scene: Scene, elsewhere: Elsewhere, clock: service_clock.FrozenClock, tmp_path: Path
) -> None:
    scene.live(minutes=30)
    before = scene.picture()
    dump = tmp_path / "trey.dump"
    call_command("backup", "database", str(dump))
    assert dump.stat().st_mode & 0o777 == 0o600
    with elsewhere():
        call_command("restore", str(dump))
        assert scene.picture() == before
        assert list(log.verify_all(before["heads"])) == []
        # Nothing is done twice: reactors go on where they were.
        assert record_result.catch_up() == tournaments.follow_games.catch_up() == scene.follow() == 0
        found = tokens.find(scene.token)
        assert found is not None
        assert found.user_id == scene.ada.pk
        call_command("rebuild", "--all", "--check")
        scene.goes_on()
        with pytest.raises(
            CommandError,
            match=r"has \d+ accounts and \d+ events\. A backup can only be restored into an empty database",
        ):
            call_command("restore", str(dump))
