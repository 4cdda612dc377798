"""A table without an opener (LI6, LI8): opened and started once, for given people and bots, under a given id."""

from uuid import UUID, uuid4, uuid5

import pytest
from service_scene import a_move, all_at_once, game_now, next_mover, play, play_on, seats_of

from core import log
from games import selectors, services
from games.models import Game
from games.projections import rebuild
from games.selectors import belonging

pytestmark = pytest.mark.django_db

RUNNER = log.Actor("runner")
TOURNAMENT = UUID("4f1f7f0e-2d0a-4c55-9d43-9c6a1f2b7e11")
BELONGS_TO = {"tournament": str(TOURNAMENT), "round": 1, "table": 2, "number": 1}


def entries(*players, bots=()):
    return [services.Entry(player=player) for player in players] + [services.Entry(bot=level) for level in bots]


def open_table(*players, bots=(), game_id=None, belongs_to=BELONGS_TO, **terms):
    terms = services.Terms(**{"game": "threes", "seats": len(players) + len(bots), **terms})
    sitting = entries(*players, bots=bots)
    return services.open_table(game_id or uuid4(), sitting, terms, actor=RUNNER, belongs_to=belongs_to)


@pytest.mark.sampled
def test_it_is_opened_and_started_in_one_append(alice, bob):
    game_id = uuid5(TOURNAMENT, "1/2/1")
    game = open_table(alice, bob, game_id=game_id, clock={"per_turn": 3600})
    assert (game.id, game.status, game.opener, game.rated) == (game_id, "setup", None, True)
    assert [seat.player for seat in seats_of(game)] == [alice, bob]
    events = log.read(game.stream)
    assert [event.type for event in events] == [
        "game.opened",
        "game.joined",
        "game.joined",
        "game.started",
        "shedding.dealt",
    ]
    assert {(event.recorded_at, event.actor) for event in events} == {(game.opened_at, RUNNER)}
    assert len(selectors.deadlines(game)) == 2
    assert rebuild(game_id).differences == ()
    assert play_on(game_id).status == "finished"


def test_what_it_belongs_to_is_in_its_events_and_can_be_listed(alice, bob):
    game = open_table(alice, bob)
    open_table(alice, bob, belongs_to=None)
    assert [one.id for one in Game.objects.filter(tournament=TOURNAMENT)] == [game.id]
    assert game_now(game.id).belongs_to == BELONGS_TO
    play(game.id, alice, {"move": "resign"})
    opened, *_, finished = log.read(game.stream)
    assert opened.data["belongs_to"] == finished.data["belongs_to"] == BELONGS_TO


def test_a_caller_that_tries_again_finds_the_game_it_opened(alice, bob, charlie):
    game = open_table(alice, bob)
    mover = next_mover(game)
    play(game.id, mover, a_move(game, mover))
    again = open_table(alice, charlie, game_id=game.id)
    assert again.version == game.version + 1
    assert [seat.player for seat in seats_of(again)] == [alice, bob]


@pytest.mark.django_db(transaction=True)
def test_callers_at_once_open_one_game(alice, bob):
    game_id = uuid4()
    games = all_at_once([lambda: open_table(alice, bob, game_id=game_id)] * 6)
    assert {game.id for game in games} == {game_id}
    assert [event.version for event in log.read(games[0].stream)] == [1, 2, 3, 4, 5]
    assert log.verify(games[0].stream) == []


@pytest.mark.django_db(transaction=True)
def test_a_caller_that_is_killed_before_the_commit_leaves_nothing_and_can_try_again(alice, bob, monkeypatch):
    game_id = uuid4()

    def killed(*_, **__):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("core.log.executing.append", killed)
        with pytest.raises(KeyboardInterrupt):
            open_table(alice, bob, game_id=game_id)
    assert not Game.objects.exists()
    assert open_table(alice, bob, game_id=game_id).status == "setup"


def test_bots_sit_down_too_and_make_it_unrated(alice):
    game = open_table(alice, bots=["steady", "random"])
    assert [seat.bot and seat.bot["level"] for seat in seats_of(game)] == [None, "steady", "random"]
    assert not game.rated
    bots_first = services.open_table(
        uuid4(), [services.Entry(bot="steady"), services.Entry(player=alice)], services.Terms("threes", 2), actor=RUNNER
    )
    assert not bots_first.rated


@pytest.mark.sampled
def test_a_table_of_bots_plays_itself(settings):
    settings.TREY_BOT_PACE = 0
    game = open_table(bots=["steady", "steady"], options={"play_until": "first_out"})
    while game_now(game.id).status != "finished":
        assert services.play_bots(game.id)
    assert [row["player"] for row in log.read(game.stream)[-1].data["seats"]] == [None, None]


def test_salts_of_the_entries_are_used(alice, bob):
    game = services.open_table(
        uuid4(),
        [services.Entry(player=alice, salt="a"), services.Entry(player=bob)],
        services.Terms("threes", 2),
        actor=RUNNER,
    )
    assert game.salts[0] == "a" and len(game.salts[1]) == 32


def test_what_cannot_be_is_refused_and_leaves_nothing(alice, bob):
    for settings, field in [
        ({"game": "bridge"}, "game"),
        ({"clock": {"per_turn": 0}}, "clock.per_turn"),
        ({"ruleset": "none"}, "ruleset"),
        ({"seats": 3}, "entries"),
    ]:
        with pytest.raises(services.Invalid) as refused:
            open_table(alice, bob, **settings)
        assert [name for name, _ in refused.value.errors] == [field]
    with pytest.raises(services.Invalid, match="once"):
        open_table(alice, alice)
    with pytest.raises(services.Invalid, match="either a player or a bot"):
        services.open_table(
            uuid4(), [services.Entry(), services.Entry(player=bob)], services.Terms("threes", 2), actor=RUNNER
        )
    assert not Game.objects.exists()


def test_its_players_cannot_call_it_off(alice, bob):
    """LI8."""
    game = open_table(alice, bob)
    for player in (alice, bob):
        with pytest.raises(services.Forbidden) as refused:
            services.cancel(game.id, player)
        assert refused.value.code == "tournament_game"
    assert game_now(game.id).status == "setup"


class Season:
    """An owner that knows one title, and lets nobody in but Alice."""

    def __init__(self, alice):
        self.alice = alice
        self.asked = 0

    def describe(self, games):
        self.asked += 1
        return [
            {"id": each["tournament"], "title": "Season", "round": each["round"], "table": each["table"]}
            for each in games
        ]

    def admit(self, belongs_to, game_id, player):
        if player.username == "charlie":
            raise services.Forbidden("not_entered", "You have not entered.")
        return f"salt of {player}"

    def may_know(self, belongs_to, player):
        return player == self.alice

    def may_watch(self, belongs_to, player):
        return player == self.alice


@pytest.fixture
def season(alice, monkeypatch):
    monkeypatch.setattr(belonging, "_owners", [])
    owner = Season(alice)
    belonging.register(owner)
    return owner


def test_the_owner_says_who_may_enter_a_seasons_room(alice, bob, charlie, season):
    free = {**BELONGS_TO, "round": None, "table": None, "number": None}
    room = services.open_room(bob, services.Terms("threes", 3, visibility="private"), belongs_to=free)
    with pytest.raises(services.NotFound):
        services.join(room.id, charlie)
    with pytest.raises(services.Forbidden, match="not entered"):
        services.join(room.id, charlie, invitation=room.invitation)
    with pytest.raises(services.Forbidden, match="not entered"):
        services.open_room(charlie, services.Terms("threes", 3), belongs_to=free)
    joined = services.join(room.id, alice)
    assert [seat.salt for seat in seats_of(joined)] == ["salt of Bob", "salt of alice"]
    assert services.cancel(room.id, bob).status == "cancelled"


def test_the_owner_says_who_may_watch_a_game_without_spectators(alice, bob, charlie, season):
    """LI7: organisers see what the public would see, and what a seat sees where they sit."""
    game = open_table(bob, charlie, game="three_thirteen")
    view = selectors.view_of(selectors.game_for(alice, game.id), alice)
    assert [player["hand"] for player in view["players"]] == [None, None]
    own = open_table(alice, charlie, game="three_thirteen")
    assert selectors.view_of(selectors.game_for(alice, own.id), alice)["players"][0]["hand"] is not None


def test_the_owner_describes_the_games_of_a_list_at_once(alice, bob, season):
    games = [open_table(alice, bob), open_table(alice, bob, belongs_to=None), open_table(alice, bob)]
    found = belonging.described(games)
    assert {key: shown["title"] for key, shown in found.items()} == {games[0].id: "Season", games[2].id: "Season"}
    assert season.asked == 1
