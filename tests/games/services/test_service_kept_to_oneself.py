"""PL1, NO2, TK1: two services alike but for a plan, a note or what was said answer everybody else alike, byte by byte.

One game is played twice with the same cards and moves. In one of the two its first player keeps plans, changes, tries
and drops them, and none of them says what to do; or writes notes; or both players talk. All that the others can ask
for about the game, with the number of queries that it takes, must be the same.
"""

import random
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from service_scene import game_now
from test_service_hidden import AT, deck, some_moves, stored

from core.accounts.login import tokens
from games import services
from games.models import Game
from games.notes import services as notes
from games.plans import services as plan_moves
from games.plans.models import Plan
from games.rules import GAMES
from games.talk import services as talk
from tests.games.api.client import Person

pytestmark = pytest.mark.django_db

SILENT: dict[str, list[dict[str, Any]]] = {
    "shedding": [
        {"move": {"move": "play", "choose": "lowest"}, "when": {"hand_at_least": 99}, "interrupt": True},
        {"move": {"move": "pick_up"}, "when": {"pile_at_least": 99}},
    ],
    "three_thirteen": [{"move": {"move": "draw", "from": "discard"}, "when": {"top": []}}],
}
ROADS = ("games/{id}", "games/{id}/events?limit=200", "games/{id}/moves", "games/{id}/clock", "games/{id}/fairness")
LISTS = ("games", "me/turns")


def plans(game_id: Any, players: Any, game: str, rng: random.Random) -> None:
    """What the owner of a plan does between two moves, and what the server does about it."""
    plan = {"lines": SILENT[GAMES[game].family], "turns": rng.randint(1, 5)}
    player = players[0]
    for what in rng.choices(["keep", "try", "read", "drop", "sweep"], k=3):
        try:
            match what:
                case "keep":
                    plan_moves.keep_plan(game_id, player, plan)
                case "try":
                    plan_moves.try_plan(game_id, player, plan)
                case "read":
                    plan_moves.plan_of(game_id, player)
                case "drop":
                    plan_moves.drop_plan(game_id, player)
                case "sweep":
                    assert plan_moves.sweep_plans() == 0
        except services.Refused as refused:
            if refused.code not in ("no_plan", "already_out"):
                raise


def notes_to_oneself(game_id: Any, players: Any, game: str, rng: random.Random) -> None:
    if rng.random() < 0.7:
        notes.write_note(game_id, players[0], f"Why did I keep the {rng.randint(2, 9)}?")
    else:
        notes.drop_note(game_id, players[0])


def talks(game_id: Any, players: Any, game: str, rng: random.Random) -> None:
    who = rng.choice(players)
    said = talk.reading(game_id, who)
    match rng.choice(["say", "say", "take back", "read", "quiet"]):
        case "say":
            talk.say(game_id, rng.choice(players), text=f"{rng.random()}")
        case "take back":
            for one in said.messages.filter(player=who)[:1]:
                talk.take_back(game_id, who, one.number)
        case "read":
            talk.read_talk(game_id, who, said.last)
        case "quiet":
            talk.be_quiet(game_id, who, rng.random() < 0.5)


def asked(person: Person, game: Any, etags: dict[str, int], since: int) -> list[Any]:
    """Every answer about the game and its queries, without the names that differ between any two games.

    Of its history, the versions from `since` on.
    An ETag is a digest of these names as well: what is compared is which answers have the same one (`etags`).
    """
    answers = []
    paths = [road.format(id=game.id) for road in ROADS]
    paths += [f"games/{game.id}/history/{version}" for version in range(since, game_now(game.id).version + 1)]
    for path in paths:
        with CaptureQueriesContext(connection) as queries:
            answer = person.get(path)
        text = answer.raw.decode().replace(str(game.id), "ID").replace(game.commitment, "COMMITMENT")
        answers.append(
            (
                path.replace(str(game.id), "ID"),
                answer.status,
                text,
                etags.setdefault(answer.headers.get("etag", ""), len(etags)),
                len(queries),
            )
        )
    for path in LISTS:
        found = person.get(path).body["results"]
        mine = [str(one).replace(str(game.id), "ID") for one in found if one["id"] == str(game.id)]
        answers.append((path, mine))
    return answers


def whole_story(game: str, order: Any, moves: Any, people: Any, meddles: Any, clock: Any) -> list[Any]:
    """All answers to the viewers, after each move, around which `meddles` does what they must not learn of."""
    players, viewers = people
    clock.set(AT)
    table = stored(game, order, [], players)
    row = Game.objects.filter(pk=table.id)
    row.update(state={**row.get().state, "talk": "all"})
    story: list[Any] = []
    etags: dict[str, int] = {}
    for number, (seat, move) in enumerate(moves, 1):
        before = game_now(table.id).version
        clock.set(clock.at + timedelta(minutes=1))
        meddles(table.id)
        with CaptureQueriesContext(connection) as queries:
            services.play(table.id, players[seat], move)
        story.append(len(queries))
        meddles(table.id)
        since = 1 if number == len(moves) else before + 1
        story += [asked(viewer, table, etags, since) for viewer in viewers]
    return story


@pytest.mark.sampled
@pytest.mark.parametrize("meddles", [plans, notes_to_oneself, talks], ids=["pl1", "no2", "tk1"])
@pytest.mark.parametrize("game", sorted(GAMES))
def test_nobody_learns_of_a_plan_a_note_or_what_was_said(alice, bob, charlie, game, meddles, request, clock):
    rng = random.Random(f"{game} {request.config.getoption('lots')} {meddles.__name__}")
    order = deck(game, rng)
    moves = some_moves(game, order, rng)[:10]
    # What is said the table hears, in other calls than these.
    reading = (alice, bob, charlie) if meddles is talks else (bob, charlie)
    viewers = [Person(player.username, tokens.issue(player)[0]) for player in reading]
    people = ([alice, bob], viewers)
    meddled = whole_story(game, order, moves, people, lambda id_: meddles(id_, (alice, bob), game, rng), clock)
    assert meddled == whole_story(game, order, moves, people, lambda _: None, clock)


def test_the_meddling_keeps_plans(alice, bob):
    """Or the property above would compare nothing."""
    rng = random.Random(1)
    order = deck("threes", rng)
    table = stored("threes", order, [], [alice, bob])
    plan_moves.keep_plan(table.id, alice, {"lines": SILENT["shedding"]})
    assert plan_moves.sweep_plans() == 0
    assert Plan.objects.get().judged == table.version
