"""Two people play a game with the client that openapi-python-client makes of docs/openapi.yaml.

A program of its own, run and checked with `mypy --strict` by test_api_generated_client.py, where `trey_client` is.
"""

import sys
from typing import TypeVar

from trey_client import AuthenticatedClient, Client
from trey_client.api.auth import log_in
from trey_client.api.games import get_game, join_game, open_room, start_game
from trey_client.api.history import game_at_version, get_record, list_events
from trey_client.api.me import list_my_turns
from trey_client.api.moves import legal_moves, play_move
from trey_client.api.players import sign_up
from trey_client.api.rulesets import list_rulesets
from trey_client.models import (
    FinishedEvent,
    Game,
    GameName,
    JoinRequest,
    LaidEffect,
    LegalGoOut,
    LegalPlay,
    LoginRequest,
    OpenRoomRequest,
    OpenRoomRequestOptions,
    PlayedEvent,
    PlayMove,
    Problem,
    RoundScoredEvent,
    SheddingView,
    SignUpRequest,
    ThreeThirteenView,
)

T = TypeVar("T")


def good(answer: T | Problem | None) -> T:
    """What was asked for."""
    if isinstance(answer, Problem):
        raise SystemExit(f"{answer.code}: {answer.detail}")
    if answer is None:
        raise SystemExit("an answer that is not in the document")
    return answer


def account(public: Client, name: str) -> AuthenticatedClient:
    """Somebody with a token."""
    password = "a quiet evening"
    good(sign_up.sync(client=public, body=SignUpRequest(username=name, password=password)))
    token = good(log_in.sync(client=public, body=LoginRequest(username=name, password=password))).token
    return AuthenticatedClient(base_url=sys.argv[1], token=token)


def move(person: AuthenticatedClient, game: Game) -> tuple[Game, str]:
    """The first legal move, or a better one. The game after it, and what happened in words."""
    listed = good(legal_moves.sync(client=person, game_id=game.id))
    chosen = next((entry for entry in listed.moves if isinstance(entry, LegalGoOut)), listed.moves[0])
    body = chosen.send
    if isinstance(chosen, LegalPlay) and isinstance(body, PlayMove):
        body.cards = chosen.cards[: chosen.max_]
    played = good(
        play_move.sync(
            client=person,
            game_id=game.id,
            body=body,
            if_match=f'"v{listed.version}"',
            idempotency_key=f"move {listed.version}",
        )
    )
    said = ""
    for event in played.events:
        if isinstance(event, PlayedEvent):
            laid = [card for effect in event.data.effects if isinstance(effect, LaidEffect) for card in effect.cards]
            said += f"{event.seat} plays {' '.join(laid)}. "
        elif isinstance(event, RoundScoredEvent):
            said += f"Penalties: {[score.penalty for score in event.data.scores]}. "
        elif isinstance(event, FinishedEvent):
            said += f"Places: {[place.place for place in event.data.result.placements]}."
    return played.game, said


def cards_of(game: Game) -> list[str]:
    """The caller's own hand."""
    seat, view = game.your_seat, game.view
    if seat is None or not isinstance(view, SheddingView | ThreeThirteenView):
        raise SystemExit("no seat or no cards")
    return view.players[seat].hand or []


def main() -> None:
    """Sign up two people, and let them play `sys.argv[2]` to its end."""
    name = GameName(sys.argv[2])
    public = Client(base_url=sys.argv[1])
    assert name in {GameName(offer.game) for offer in good(list_rulesets.sync(client=public)).results}
    people = [account(public, "alice"), account(public, "bob")]
    options = OpenRoomRequestOptions()
    if name == GameName.THREE_THIRTEEN:
        options["rounds"] = 1
    room = good(open_room.sync(client=people[0], body=OpenRoomRequest(game=name, seats=2, options=options)))
    good(join_game.sync(client=people[1], game_id=room.id, body=JoinRequest()))
    game = good(start_game.sync(client=people[0], game_id=room.id))
    waiting = good(list_my_turns.sync(client=people[game.to_act[0]]))
    assert [found.id for found in waiting.results] == [room.id]
    said: list[str] = []
    while game.status.value not in ("finished", "cancelled"):
        assert game.deadline_at is not None
        assert cards_of(game) or name != GameName.THREE_THIRTEEN
        game, words = move(people[game.to_act[0]], game)
        said.append(words)
    assert good(get_game.sync(client=people[1], game_id=room.id)).version == game.version
    assert good(game_at_version.sync(client=people[1], game_id=room.id, version=4)).version == 4
    assert len(good(list_events.sync(client=people[1], game_id=room.id)).results) == game.version
    assert good(get_record.sync(client=people[1], game_id=room.id)).game == name
    sys.stdout.write("\n".join(said))


if __name__ == "__main__":
    main()
