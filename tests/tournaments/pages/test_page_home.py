"""The first page: one's own turns first, and what is public."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from core.accounts.models import Player
from core.notifications import services as telling
from core.notifications.kinds import SECURITY, the_kind
from games import services as games
from games.models import Seat
from games.notifications.following import tell_players
from games.notifications.services import invite
from games.rules import GAMES
from games.services import timeouts
from tests.games.services.service_scene import game_now, next_mover, play_on
from tests.games.services.service_scene import started as of_service
from tests.tournaments.moment import services
from tests.tournaments.services.tournament_scene import Club

pytestmark = pytest.mark.django_db
STATEMENTS = 22


@pytest.fixture
def ada() -> Player:
    return Player.objects.create_user("ada")


@pytest.fixture
def bob() -> Player:
    return Player.objects.create_user("bob")


def page_of(player: Player | None, path: str = "/") -> Any:
    client = Client()
    if player is not None:
        client.force_login(player)
    return client.get(path)


def started(ada: Player, bob: Player, **asked: Any) -> Any:
    room = games.open_room(ada, games.Terms("threes", 2, **asked))
    games.join(room.id, bob, invitation=room.invitation)
    return games.start(room.id, ada)


def test_the_first_page_says_what_this_is_and_the_docs_keep_their_address() -> None:
    page = page_of(None)
    text = page.content.decode()
    assert page.status_code == 200
    for wanted in ("Open a table", "Three Thirteen", "Public tournaments", "/leaderboards/castle", "/api/v1/docs"):
        assert wanted in text
    assert "X-Robots-Tag" not in page.headers
    assert page_of(None, "/api/v1/docs").status_code == 200


@pytest.mark.sampled
def test_bt2_one_tap_deals_a_game_against_two_bots_to_anybody(ada: Player) -> None:
    assert page_of(None).content.decode().count("Play one now") == len(GAMES)
    for name in GAMES:
        stranger = Client()
        game = stranger.post(f"/rooms/now/{name}").headers["Location"]
        table = stranger.get(game).content.decode()
        assert '"your_seat": 0' in table and '"clock": null' in table
        assert Player.objects.latest("date_joined").username.startswith("guest-")
    own = Client()
    own.force_login(ada)
    assert own.post("/rooms/now/castle").headers["Location"].startswith("/games/")
    home = own.get("/").content.decode()
    assert "Nobody is waiting for you" in home
    assert home.index('<h2 id="practice">Practice</h2>') < home.index("Castle with two bots")
    assert own.post("/rooms/now/whist").status_code == 404


@pytest.mark.sampled
def test_bt4_the_first_page_says_what_the_clock_played_and_all_places(clock: Any, ada: Player, bob: Player) -> None:
    game = started(ada, bob, clock={"per_turn": 3600, "strikes": 3})
    text = page_of(ada).content.decode()
    assert "You have missed" not in text
    clock.advance(hours=2)
    timeouts.sweep()
    said = page_of(ada).content.decode() + page_of(bob).content.decode()
    assert "You have missed your turn. After three missed turns in a row, a bot takes your seat." in said
    games.play(game.id, bob, {"move": "resign"})
    assert "1st you, 2nd bob." in page_of(ada).content.decode()
    assert "1st ada, 2nd you." in page_of(bob).content.decode()


@pytest.mark.sampled
def test_bt4_a_game_that_waits_says_what_happened_since_one_looked(clock: Any, ada: Player, bob: Player) -> None:
    game = started(ada, bob, clock={"per_turn": 3600, "strikes": 9})
    for player in (ada, bob):
        telling.saw(player, game.id, game.version)
        assert " face up" not in page_of(player).content.decode()
    clock.advance(hours=2)
    timeouts.sweep()
    waits = next_mover(game_now(game.id))
    assert waits is not None
    text = page_of(waits).content.decode()
    other = bob if waits == ada else ada
    assert re.search(r"Your time was up: [^.]+ were laid face up for you[.;]", text)
    laid = r"([^.]+ were laid face up|the face-up cards were chosen)"
    assert re.search(rf"{other}&#x27;s time was up: {laid} for {other}[.;]", text)
    # While others are to move, it is what was played for oneself.
    rests = page_of(bob if waits == ada else ada).content.decode()
    assert "were laid face up for you" in rests and f"{waits}&#x27;s time" not in rests
    assert "You have missed your turn." in rests


def test_bt4_who_has_not_looked_yet_is_told_what_happened_since_the_start(clock: Any, ada: Player, bob: Player) -> None:
    game = started(ada, bob, clock={"per_turn": 3600, "strikes": 9})
    clock.advance(hours=2)
    timeouts.sweep()
    waits = next_mover(game_now(game.id))
    assert waits is not None
    assert "were laid face up for you" in page_of(waits).content.decode()
    rests = page_of(bob if waits == ada else ada).content.decode()
    assert "were laid face up for you" in rests and f"{waits}&#x27;s time" not in rests


@pytest.mark.sampled
def test_bt4_two_sentences_say_how_much_happened(ada: Player, bob: Player) -> None:
    others = [Player.objects.create_user(name) for name in ("cleo", "dan")]
    game = of_service(ada, bob, *others)
    telling.saw(ada, game.id, game.version)
    # All lay cards face up, and Ada moves by hand at least once.
    play_on(game.id, 8)
    while next_mover(game_now(game.id)) != ada:
        play_on(game.id, 1)
    text = page_of(ada).content.decode()
    assert re.search(r"\d moves? (was|were) made since you looked\. (bob|cleo|dan) ", text)
    assert "for you" not in text
    telling.saw(ada, game.id, game_now(game.id).version)
    assert "you looked" not in page_of(ada).content.decode()


def test_bt4_of_many_moves_the_one_that_the_clock_made_is_told(clock: Any, ada: Player, bob: Player) -> None:
    others = [Player.objects.create_user(name) for name in ("cleo", "dan")]
    game = of_service(ada, bob, *others, clock={"per_turn": 3600, "strikes": 9})
    play_on(game.id, 4)
    waits = next_mover(game_now(game.id))
    assert waits is not None
    telling.saw(waits, game.id, game_now(game.id).version)
    clock.advance(hours=2)
    timeouts.sweep()
    moves = 0
    while next_mover(game_now(game.id)) != waits:
        play_on(game.id, 1)
        moves += 1
        assert moves < 30
    made = r"\d moves? (was|were) made since you looked\. Your time was up: .* (was|were) played for you"
    assert re.search(made, page_of(waits).content.decode())


@pytest.mark.sampled
def test_bt4_what_a_bot_finished_is_told_so(clock: Any, ada: Player, bob: Player) -> None:
    game = started(ada, bob, clock={"per_turn": 3600, "strikes": 1, "on_timeout": "bot"})
    clock.advance(hours=2)
    timeouts.sweep()
    for player in (ada, bob):
        assert "A bot plays for you." in page_of(player).content.decode()
    while games.play_bots(game.id):
        clock.advance(minutes=1)
    tell_players.catch_up()
    assert game_now(game.id).status == "finished"
    assert "A bot finished it for you. " in page_of(ada).content.decode()
    assert "A bot finished it for you: " in page_of(ada, "/me/notifications").content.decode()


@pytest.mark.sampled
def test_bt1_a_full_room_that_waits_for_its_opener_comes_first(ada: Player, bob: Player) -> None:
    started(ada, bob)
    room = games.open_room(ada, games.Terms("castle", 2))
    assert "Everyone is here" not in page_of(ada).content.decode()
    games.join(room.id, bob)
    text = page_of(ada).content.decode()
    assert text.index("Everyone is here. You can start the game.") < text.index("Threes with bob")
    assert text.count(f'action="/rooms/{room.id}/start"') == 1
    assert f'action="/rooms/{room.id}/start"' not in page_of(bob).content.decode()


def test_ones_own_turns_come_first_then_games_and_rooms(ada: Player, bob: Player) -> None:
    game = started(ada, bob)
    first = next(player for player in (ada, bob) if game.players[game.seat_of(player)].duty is not None)
    waiting = games.open_room(first, games.Terms("castle", 3))
    other = started(first, Player.objects.create_user("cleo"), visibility="private")
    text = page_of(first).content.decode()
    assert text.index("Your turn") < text.index(f"/games/{game.id}") < text.index(f"/rooms/{waiting.id}")
    assert f"/games/{other.id}" in text
    assert "noindex" in page_of(first).headers["X-Robots-Tag"]


@pytest.mark.sampled
def test_a_room_that_one_is_invited_to_is_on_the_first_page_until_one_sits_in_it(ada: Player, bob: Player) -> None:
    room = games.open_room(ada, games.Terms("threes", 2, visibility="private"))
    invite(room.id, ada, "bob")
    text = page_of(bob).content.decode()
    assert "ada invites you to play: " in text
    (link,) = re.findall(r'<a href="([^"]*)">ada invites you', text)
    client = Client()
    client.force_login(bob)
    assert "Sit down" in client.get(link, follow=True).content.decode()
    games.join(room.id, bob, invitation=room.invitation)
    assert "invites you" not in page_of(bob).content.decode()


@pytest.mark.sampled
def test_a_rematch_asks_the_others_on_their_first_page(ada: Player, bob: Player) -> None:
    game = started(ada, bob)
    games.play(game.id, ada, {"move": "resign"})
    again = games.rematch(game.id, ada)
    tell_players.catch_up()
    text = page_of(bob).content.decode()
    assert "ada invites you to play again: " in text
    assert f'href="/join/{again.id}"' in text
    assert "invites you" not in page_of(ada).content.decode()
    games.leave(again.id, ada)
    assert "invites you" not in page_of(bob).content.decode()


def test_a_tournament_stands_once_on_the_first_page_where_it_matters_most(club: Club) -> None:
    club.open(*club.people[:1], title="Entered")
    club.set_up(title="Invited to")
    services.open_registration(club.id, club.olga, now=club.now)
    services.invite(club.id, club.olga, "ada", now=club.now)
    club.open(*club.people[1:2], title="Of others")
    text = page_of(club.people[0]).content.decode()
    assert [text.count(f">{title}</a>") for title in ("Entered", "Invited to", "Of others")] == [1, 1, 1]
    assert text.index("Invited to") < text.index("Entered") < text.index("Other tournaments") < text.index("Of others")


@pytest.mark.sampled
def test_a_turn_of_a_tournament_names_it(club: Club) -> None:
    club.start(settings={"rounds": 1, "tables": {"size": 3}})
    text = page_of(club.people[0]).content.decode()
    assert f"<br>{club.t.plan.title}</p>" in text


def test_a_seat_that_a_bot_plays_says_so_and_leads_back_to_the_table(ada: Player, bob: Player) -> None:
    game = started(ada, bob, clock={"on_timeout": "bot"})
    due = Seat.objects.get(game=game.id, player=ada).due_at
    assert due is not None
    assert timeouts.time_out(game.id, game.seat_of(ada), due, until=due + timedelta(seconds=1), now=due) == "bot"
    text = page_of(ada).content.decode()
    assert "A bot plays for you.</strong> Waiting for bob" in text and "Return<span" in text
    assert "A bot plays for you." not in page_of(bob).content.decode()


def test_a_private_game_is_on_nobody_elses_page(ada: Player, bob: Player) -> None:
    game = started(ada, bob, visibility="private")
    assert str(game.id) not in page_of(Player.objects.create_user("cleo")).content.decode()


def test_public_tournaments_are_listed_and_private_ones_are_not(ada: Player, bob: Player) -> None:
    for title, visibility in (("An open cup", "public"), ("A hidden cup", "private")):
        asked = {"title": title, "game": "threes", "kind": "rounds", "visibility": visibility}
        made = services.set_up(ada, asked).tournament
        assert made is not None
        services.open_registration(made.id, ada)
    for reader in (None, bob):
        text = page_of(reader).content.decode()
        assert "An open cup" in text and "A hidden cup" not in text
    assert "A hidden cup" in page_of(ada).content.decode()


def test_the_bell_says_how_many_are_unread(ada: Player) -> None:
    telling.tell([ada.pk], the_kind(SECURITY, "account"), "a-cause", data={"what": "test"})
    text = page_of(ada).content.decode()
    assert '<span class="badge act">1</span>' in text


@pytest.mark.sampled
def test_the_cost_of_the_page_is_bounded(ada: Player, bob: Player, django_assert_max_num_queries: Any) -> None:
    client = Client()
    client.force_login(ada)
    for _ in range(2):
        started(ada, bob)
    with django_assert_max_num_queries(STATEMENTS):
        client.get("/")
    for _ in range(25):
        started(ada, bob)
    with django_assert_max_num_queries(STATEMENTS):
        page = client.get("/")
    assert len(page.content) < 60_000


@pytest.mark.sampled
def test_whoever_plays_in_more_tournaments_than_are_listed_finds_none_among_the_others(club: Club) -> None:
    ada = club.people[0]
    for number in range(9):
        club.now += timedelta(minutes=1)
        club.open(ada, title=f"Cup {number}")
    club.open(club.people[1], title="Of others")
    text = page_of(ada).content.decode()
    assert text.count(">Cup ") == 8
    assert text.index("Cup 8") < text.index("Other tournaments") < text.index("Of others")
