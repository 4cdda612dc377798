"""DESIGN 5: two games that differ only in cards a viewer cannot see give that viewer byte-identical answers.

The deck of each game here has every card once. One game is played; then, for each viewer, two cards that the viewer had
no right to see change places in the shuffle, the same moves are played again, and all that the viewer can ask for is
compared. What
the viewer may have seen is worked out from the omniscient views, not from what the service shows.
"""

import json
import random
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import combinations
from typing import Any

import pytest
from service_scene import choices

from chats.models import Posting
from chats.rooms import ROOMS
from config.processes import CHECKOUT
from core import clock as service_clock
from core import log, vault
from core.accounts.models import Player
from core.jobs import queue
from core.notifications import endpoints, mail, push, senders
from core.notifications import selectors as telling
from core.notifications.models import Chat, Delivery, Notification
from games import hooks, selectors, services
from games.api.bodies import game_bodies
from games.events import Started
from games.live.tables import written
from games.notifications.following import tell_players
from games.projections import Snapshot, load
from games.projections.vocabulary import from_rules
from games.rules import GAMES, IllegalMove
from games.services.commands import change
from tests import notifications
from tests.scenes import done_at

pytestmark = pytest.mark.django_db
AT = datetime(2026, 11, 21, 12, tzinfo=UTC)
OPTIONS: dict[str, dict[str, Any]] = {"three_thirteen": {"decks": 1}}
MOVES = {"three_thirteen": 12}
MOST_MOVES = 20
Move = tuple[int, dict[str, Any]]


def replayed(game: str, order: Sequence[str], moves: Sequence[Move]) -> Iterator[Any]:
    """The states of a game with this shuffle and these moves, from the deal on."""
    rules = GAMES[game]
    state, _ = rules.deal(2, None, OPTIONS.get(game, {}), 0, lambda _: list(order))
    yield state
    for seat, move in moves:
        for event in rules.decide(state, seat, move, _no_shuffle):
            state = rules.evolve(state, event)
        yield state


def _no_shuffle(cards: Sequence[str]) -> list[str]:
    raise AssertionError("these games end before a second shuffle")


def deck(game: str, rng: random.Random) -> list[str]:
    order: list[str] = []

    def shuffle(cards: Sequence[str]) -> list[str]:
        order.extend(cards)
        rng.shuffle(order)
        return order

    GAMES[game].deal(2, None, OPTIONS.get(game, {}), 0, shuffle)
    assert len(set(order)) == len(order)
    return order


def some_moves(game: str, order: Sequence[str], rng: random.Random) -> list[Move]:
    rules = GAMES[game]
    moves: list[Move] = []
    [state] = replayed(game, order, ())
    for _ in range(MOVES.get(game, MOST_MOVES)):
        acting = rules.to_act(state)
        if not acting:
            break
        seat = rng.choice(acting)
        move = choices(rng.choice(rules.legal_moves(state, seat)))
        if move["move"] == "go_out":
            continue
        events = rules.decide(state, seat, move, _no_shuffle)
        after = state
        for event in events:
            after = rules.evolve(after, event)
        if rules.status(after) == "finished":
            break
        state = after
        moves.append((seat, move))
    return moves


def seen_by(views: Sequence[dict[str, Any]], seat: int | None) -> set[str]:
    """The cards that a seat (None: somebody who only watches) had a right to see, from omniscient views."""
    seen: set[str] = set()
    for view in views:
        seen.update(view.get("pile", ()), view.get("out_of_play", ()), filter(None, [view.get("discard_top")]))
        for player in view["players"]:
            own = player["seat"] == seat
            seen.update(player["hand"] if own else ())
            if "face_up" in player and (own or view["status"] != "setup" or view["game"] == "threes"):
                seen.update(player["face_up"])
    return seen


def common(view: dict[str, Any]) -> str:
    """What happened openly: it may follow from hidden cards (who must open), and then the two games are no pair."""
    hidden = {"hand", "face_down_cards", "may_interrupt", "rounds"}
    players = [{key: value for key, value in player.items() if key not in hidden} for player in view["players"]]
    if view["status"] == "setup":
        players = [{key: value for key, value in player.items() if key != "face_up"} for player in players]
    return json.dumps({**view, "players": players, "may_interrupt": None}, sort_keys=True)


def pair(game: str, seat: int | None, rng: random.Random) -> tuple[list[str], list[str], list[Move]]:
    """A shuffle, another that differs in two cards the seat cannot see, and moves that go for both."""
    order = deck(game, rng)
    moves = some_moves(game, order, rng)
    return order, twin_of(game, order, moves, seat, rng), moves


def twin_of(game: str, order: Sequence[str], moves: Sequence[Move], seat: int | None, rng: random.Random) -> list[str]:
    """A shuffle that differs from `order` in two cards the seat cannot see, and for which the moves go, too."""
    rules = GAMES[game]
    views = [rules.view(state, None) for state in replayed(game, order, moves)]
    hidden = sorted(set(order) - seen_by(views, seat))
    candidates = list(combinations(hidden, 2))
    rng.shuffle(candidates)
    for one, other in candidates:
        exchange = {one: other, other: one}
        swapped = [exchange.get(card, card) for card in order]
        twin_moves = [(who, _exchanged(move, exchange)) for who, move in moves]
        try:
            twins = [rules.view(state, None) for state in replayed(game, swapped, twin_moves)]
        except IllegalMove:
            continue
        if list(map(common, twins)) == list(map(common, views)) and twins != views:
            return swapped
    raise AssertionError("no pair: choose another seed")


def _exchanged(move: dict[str, Any], exchange: dict[str, str]) -> dict[str, Any]:
    # Only a choice in setup names cards that others do not see.
    if move["move"] == "arrange":
        return {**move, "face_up": [exchange.get(card, card) for card in move["face_up"]]}
    return move


def stored(game: str, order: Sequence[str], moves: Sequence[Move], players: Sequence[Player]) -> Snapshot:
    """The game in the database, played through the service, with this shuffle."""
    room = services.open_room(players[0], services.Terms(game, 2, options=OPTIONS.get(game)), salt="a", now=AT)
    done_at(AT, services.join, room.id, players[1], salt="b")

    def deal(lobby: Snapshot) -> list[log.NewEvent]:
        _, events = GAMES[game].deal(2, lobby.ruleset, lobby.options, 0, lambda _: list(order))
        started = {"seats": 2, "options": lobby.options, "dealer": 0, "salts": ["a", "b"]}
        return [log.NewEvent(Started.type, started), *(from_rules(game, event) for event in events)]

    change(room.id, deal, actor=log.Actor("player", str(players[0].pk)), now=AT)
    for minutes, (seat, move) in enumerate(moves, 1):
        at = AT + timedelta(minutes=minutes)
        services.play(room.id, players[seat], move, now=at)
    found = load(room.id)
    assert found is not None
    return found


def all_answers(game: Snapshot, player: Player) -> str:
    """Everything there is to ask for, as text, without the game's own name and the commitment."""
    answers: dict[str, Any] = {
        "view": selectors.view_of(game, player),
        "events": selectors.events_for(player, game),
        "history": [
            selectors.view_of(selectors.history_view(game, version), player) for version in range(1, game.version + 1)
        ],
        "seats": [seat.duty for seat in game.players],
        "legal": selectors.legal_moves(player, game).moves if game.seat_of(player) is not None else None,
    }
    if game.seat_of(player) is not None:
        answers["told"] = told(game, player)
    opened = answers["events"][0]["data"]
    assert opened.pop("commitment") == game.commitment
    assert opened["secret"] is None
    answers["streamed"] = (
        written(game, player, log.read(game.stream)).decode().replace(game.commitment, "the commitment")
    )
    return json.dumps(answers, sort_keys=True, default=str)


#: How a notification leaves the house: the outbound jobs of the queue. A new one has to be among the answers of `told`.
# `notifications.test` says nothing of a game.
ROADS = {
    "notifications.webhook",
    "notifications.mail",
    "notifications.push",
    "notifications.chat",
    "notifications.group",
    "notifications.test",
}
# Codes and letters about accounts: they know no game.
OF_ACCOUNTS = {"accounts.code", "accounts.mail"}
#: What live streams send: `moved` and `notification` are among the answers, the others hold no more than ids and names,
#: and a `result` what `GET results` says of a game that has ended.
STREAMED = {"moved", "notification", "game", "present", "together", "talk", "result"}


def told(game: Snapshot, player: Player) -> list[Any]:
    """What the player was told of the game: in the list and the live stream, on every road."""
    with service_clock.frozen(game.moved_at):
        tell_players.catch_up()
        rows = list(Notification.objects.filter(player=player, subject_id=game.id).order_by("number"))
        bodies = notifications.bodies(player, rows)
        hook, _ = endpoints.create_webhook(player, "https://example.org/", None)
        letters = senders.WEBHOOKS.write([(Delivery(notification=one), hook) for one in rows], game.moved_at)
        mails = [mail_of(player, one, game.moved_at) for one in rows]
        other = [[pushed(one, game.moved_at), chatted(one, game.moved_at)] for one in rows]
        hook.delete()
    first = rows[0].number - 1 if rows else 0
    answers: list[Any] = []
    for one, body, letter, mailed, more in zip(rows, bodies, letters, mails, other, strict=True):
        posted = json.loads(letter.body)
        for numbered in (body, posted["data"]):
            numbered["number"] -= first
        # The game's own name differs, and nothing else may.
        text = json.dumps([body, posted, mailed, more], sort_keys=True, default=str)
        answers.append(text.replace(str(one.subject_id), "the game").replace(game.id.hex, "the game"))
    assert len(answers) > 1
    return [*answers, *grouped(game)]


def grouped(game: Snapshot) -> Iterator[str]:
    """What a group's channel would say now."""
    for topic in ("turn", "result"):
        for seat in range(len(game.players)):
            posting = Posting(topic=topic, subject="game", subject_id=game.id, data={"seat": seat})
            said = ROOMS.announce(posting, "slack", game.moved_at)
            yield f"{said.type} {said.parts}"


def pushed(one: Notification, now: datetime) -> str:
    """What a browser gets, before it is encrypted, without what counts the twin too: number and turns."""
    said = telling.messages([(one.player, one)], now)
    return re.sub(r'"(number|app_badge)":\d+', "", push.message(one, said[one.pk]).decode())


def chatted(one: Notification, now: datetime) -> str:
    """What a chat service of the player's own gets."""
    to = Chat(service="slack", url=vault.seal("https://hooks.slack.com/services/T/B/x"))
    [letter] = senders.CHATS.write([(Delivery(notification=one), to)], now)
    return letter.body.decode()


def mail_of(player: Player, one: Notification, now: datetime) -> list[str]:
    """All of a mail but what names it: both its bodies, and its headers."""
    letter = mail.letter(player, "a@example.org", 1, [one], telling.messages([(player, one)], now, in_full=True))
    message = letter.message()
    made = message.message()
    own = ("Date", "List-Unsubscribe", "Content-Type")
    headers = [f"{name}: {value}" for name, value in made.items() if name not in own]
    bodies = [message.body, *(str(content) for content, _ in message.alternatives)]
    # The signature of the link holds the time at which it was made.
    return [*headers, *(re.sub(r"/mail/stop/[-\w:.]+", "stop", body) for body in bodies)]


def test_every_road_out_is_among_the_answers():
    assert set(queue.OUTBOUND) == ROADS | OF_ACCOUNTS


def test_every_event_of_a_stream_is_among_the_answers():
    sources = [path.read_text() for path in (CHECKOUT / "games").rglob("*.py")]
    sent = [found for source in sources for found in re.findall(r"(?<!def )server_sent\((.*?)[,)]", source)]
    # Features name theirs where they hook in.
    names = {name.strip('"') for name in sent} - {"news.event"} | {news.event for news in hooks.NEWS}
    assert names == STREAMED


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("game", sorted(GAMES))
def test_cards_that_a_viewer_cannot_see_change_nothing_of_what_it_is_told(alice, bob, charlie, game, seed):
    players, rng = [alice, bob], random.Random(f"{game} {seed}")
    viewers = {0: alice, 1: bob, None: charlie}
    order = deck(game, rng)
    moves = some_moves(game, order, rng)
    table = stored(game, order, moves, players)
    ours = {seat: all_answers(table, viewer) for seat, viewer in viewers.items()}
    for seat, viewer in viewers.items():
        swapped = twin_of(game, order, moves, seat, rng)
        # Where the two cards were chosen to lie face up in setup, the twin's owner chose the other one.
        exchange = {one: other for one, other in zip(order, swapped, strict=True) if one != other}
        twin_moves = [(who, _exchanged(move, exchange)) for who, move in moves]
        assert all_answers(stored(game, swapped, twin_moves, players), viewer) == ours[seat], seat


def test_the_end_shows_everything_but_the_invitation(alice, bob):
    room = services.open_room(alice, services.Terms("threes", 2, visibility="private"))
    services.join(room.id, bob, invitation=room.invitation)
    services.start(room.id, alice)
    services.play(room.id, bob, {"move": "resign"})
    game = selectors.game_for(alice, room.id)
    events = selectors.events_for(alice, game)
    assert events[0]["data"]["secret"] == game.secret
    assert events[0]["data"]["invitation"] is None
    dealt = next(event for event in events if event["type"] == "dealt")
    assert len(dealt["data"]["shuffle"]) == 54
    past = selectors.view_of(selectors.history_view(game, dealt["version"]), alice)
    assert all(len(player["hand"]) == 3 for player in past["players"])


def test_a_game_called_off_keeps_its_secrets(alice, bob):
    room = services.open_room(alice, services.Terms("threes", 2))
    services.join(room.id, bob)
    services.start(room.id, alice)
    services.cancel(room.id, alice)
    services.cancel(room.id, bob)
    game = selectors.game_for(alice, room.id)
    events = selectors.events_for(alice, game)
    assert events[0]["data"]["secret"] is None
    assert [event["data"]["shuffle"] for event in events if event["type"] == "dealt"] == [None]
    with pytest.raises(services.Conflict):
        selectors.record_of(game)


def test_a_game_without_spectators_is_for_its_players_once_dealt(alice, bob, charlie):
    room = services.open_room(alice, services.Terms("three_thirteen", 2))
    services.join(room.id, bob)
    assert selectors.game_for(charlie, room.id).id == room.id
    listed = list(selectors.games_for(charlie))
    assert [body.id for body in game_bodies(listed, charlie)] == [room.id]
    services.start(room.id, alice)
    assert game_bodies(listed, charlie) == []  # it was listed just before the deal
    for _ in range(2):
        with pytest.raises(services.Forbidden) as refused:
            selectors.game_for(charlie, room.id)
        assert refused.value.code == "players_only"
        assert list(selectors.games_for(charlie)) == []
        assert [game.id for game in selectors.games_for(bob)] == [room.id]
        if selectors.game_for(bob, room.id).status == "playing":
            services.play(room.id, bob, {"move": "resign"})
