import random
from io import StringIO
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from service_scene import SHORT, open_threes, play_on, started

from games import selectors, services
from games.models import Game
from games.rules import GAMES, notation

pytestmark = pytest.mark.django_db


def said(*command: object) -> str:
    out = StringIO()
    call_command(*map(str, command), stdout=out)
    return out.getvalue()


def test_rebuild_says_that_nothing_differed(alice, bob):
    play_on(started(alice, bob).id, 9)
    open_threes(alice)
    assert said("rebuild", "--all") == "2 games rebuilt from 16 events, 0 of them differed.\n"


def test_rebuild_names_a_difference_repairs_it_and_fails(alice, bob, capsys):
    game = play_on(started(alice, bob).id, 5)
    Game.objects.filter(pk=game.id).update(rated=False, state=None)
    with pytest.raises(SystemExit) as ended:
        said("rebuild", game.id)
    assert ended.value.code == 1
    assert said("rebuild", game.id).endswith("0 of them differed.\n")


def test_rebuild_brings_back_a_game_whose_rows_are_lost(alice, bob):
    game = play_on(started(alice, bob).id, 5)
    before = selectors.view_of(game, alice)
    Game.objects.filter(pk=game.id).delete()
    with pytest.raises(SystemExit):
        said("rebuild", "--all")
    assert selectors.view_of(selectors.game_for(alice, game.id), alice) == before


def test_rebuild_wants_games_or_all(alice):
    for wrong in (["rebuild"], ["rebuild", uuid4()], ["rebuild", "--all", uuid4()]):
        with pytest.raises(CommandError):
            said(*wrong)


@pytest.mark.sampled
def test_a_game_is_shown_from_its_opening_to_its_places(alice, bob, charlie):
    room = open_threes(alice, 3, options=SHORT)
    services.join(room.id, charlie)
    services.kick(room.id, alice, 1)
    services.join(room.id, bob)
    services.start(room.id, alice)
    game = play_on(room.id)
    shown = said("show_game", game.id)
    for sentence in (
        "   1  a table of Threes (2023) was opened for 3 players\n   2  alice sat down\n   3  charlie sat down\n",
        "   4  charlie was removed from the table\n   5  Bob sat down\n",
        "   6  the game started with 2 players\n   7  Bob dealt the cards\n",
        "all have chosen; to open: ",
        " played ",
        "the game ended: ",
        "\n1. ",
    ):
        assert sentence in shown


def test_a_seat_is_shown_what_it_may_see_and_a_version_as_it_was(alice, bob):
    game = play_on(started(alice, bob).id, 2)
    hands = GAMES["threes"].view(game.state, None)["players"]
    shown = said("show_game", game.id, "--seat", 0, "--version", game.version)
    assert notation.hand(hands[0]["hand"], 3) in shown
    assert notation.hand(hands[1]["hand"], 3) not in shown
    assert notation.hand(None, 3) in shown
    assert "version 4," in said("show_game", game.id, "--version", 4)
    for wrong in ([game.id, "--seat", 2], [game.id, "--version", 99], [game.id, "--version", 0], [uuid4()]):
        with pytest.raises(CommandError):
            said("show_game", *wrong)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_game_can_be_shown_at_every_step(alice, bob, game):
    room = started(alice, bob, game=game)
    over = play_on(room.id, 60, random.Random(2))
    shown = said("show_game", over.id)
    assert f"\n{over.version:>4}  " in shown
    assert "alice" in shown
