"""A client that openapi-python-client generates from docs/openapi.yaml plays over HTTP."""

import importlib
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

COMMITTED = Path(__file__).parents[3] / "docs" / "openapi.yaml"

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


@pytest.fixture(scope="module")
def trey_client(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The generated package, imported."""
    folder = tmp_path_factory.mktemp("generated")
    program = Path(sys.executable).parent / "openapi-python-client"
    command: list[str | Path] = [
        program,
        "generate",
        "--path",
        COMMITTED,
        "--output-path",
        folder / "trey_client",
        "--meta",
        "none",
    ]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    for word in ("WARNING", "ERROR", "Unable"):
        assert word not in done.stdout + done.stderr
    sys.path.insert(0, str(folder))
    yield importlib.import_module("trey_client")
    sys.path.remove(str(folder))


class Generated:
    """The generated modules, by short names."""

    def __init__(self) -> None:
        self.models: Any = importlib.import_module("trey_client.models")

    def call(self, name: str, **arguments: Any) -> Any:
        """A call of the API; its answer, of the type that the document says."""
        module = importlib.import_module(f"trey_client.api.{name}")
        answer = module.sync_detailed(**arguments)
        assert answer.status_code < 300, answer.content
        return answer.parsed


def typed(models: Any, legal: Any) -> Any:
    """A move to send, of its generated type, made of a generated LegalMove."""
    kind = legal.move.value
    if kind == "arrange":
        return models.ArrangeMove(move="arrange", face_up=legal.from_[: legal.choose])
    if kind == "play":
        return models.PlayMove(move="play", cards=legal.cards[: legal.max_])
    if kind == "flip":
        return models.FlipMove(move="flip", position=legal.positions[0])
    if kind == "draw" and legal.from_:
        return models.DrawMove(move="draw", from_=models.DrawMoveFrom(legal.from_.value))
    if kind == "discard":
        return models.DiscardMove(move="discard", card=legal.card)
    if kind == "go_out":
        return models.GoOutMove(move="go_out", discard=legal.discard)
    return {"pick_up": models.PickUpMove, "end_turn": models.EndTurnMove, "draw": models.DrawMove}[kind](move=kind)


@pytest.mark.parametrize(("game", "view"), [("threes", "SheddingView"), ("three_thirteen", "ThreeThirteenView")])
def test_a_generated_client_opens_a_room_joins_starts_and_plays(
    trey_client: Any, live_server: Any, game: str, view: str
) -> None:
    with ExitStack() as clients:
        _play(trey_client, live_server.url, clients, game, view)


def _play(trey_client: Any, url: str, clients: ExitStack, game: str, view: str) -> None:
    api, people = Generated(), []
    m = api.models
    public = clients.enter_context(trey_client.Client(base_url=url))
    assert game in {offer.game for offer in api.call("rulesets.list_rulesets", client=public).results}
    for name in ("alice", "bob"):
        pair = {"username": name, "password": "a quiet evening"}
        api.call("players.sign_up", client=public, body=m.SignUpRequest(**pair))
        token = api.call("auth.log_in", client=public, body=m.LoginRequest(**pair)).token
        people.append(clients.enter_context(trey_client.AuthenticatedClient(base_url=url, token=token)))
    alice, bob = people
    room = api.call("games.open_room", client=alice, body=m.OpenRoomRequest(game=m.GameName(game), seats=2))
    api.call("games.join_game", client=bob, game_id=room.id, body=m.JoinRequest())
    table = api.call("games.start_game", client=alice, game_id=room.id)
    for _ in range(12):
        if table.status.value == "finished":
            break
        mover = people[table.to_act[0]]
        legal = api.call("moves.legal_moves", client=mover, game_id=room.id)
        assert isinstance(legal.moves[0], m.LegalMove)
        played = api.call(
            "moves.play_move",
            client=mover,
            game_id=room.id,
            body=typed(m, legal.moves[0]),
            if_match=f'"v{legal.version}"',
            idempotency_key=f"move {legal.version}",
        )
        assert played.version == played.events[-1].version
        table = played.game
        assert type(table.view).__name__ == view
        assert table.view.players[table.your_seat].hand is not None
    assert table.version >= room.version + 10
    (mine,) = api.call("games.list_games", client=bob, mine=True).results
    assert mine.id == room.id
    assert api.call("history.list_events", client=bob, game_id=room.id, after=table.version - 1).results
    assert api.call("history.game_at_version", client=bob, game_id=room.id, version=4).version == 4
    api.call("moves.play_move", client=bob, game_id=room.id, body=m.ResignMove(move="resign"))
    assert api.call("history.get_record", client=bob, game_id=room.id).game == game
    assert api.call("me.my_turns", client=alice).results == []
