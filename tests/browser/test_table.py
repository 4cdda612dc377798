"""The table in real Chromium: two people play all five games to the end, one by touch, one by keyboard alone."""

import os
import re
from collections.abc import Callable, Iterable, Iterator
from datetime import timedelta
from itertools import combinations
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from playwright.sync_api import Browser, Route, expect

from core.jobs import services as work
from games import selectors
from games.models import Seat
from games.projections import Snapshot
from games.rules import GAMES
from games.rules.fairness import Chance
from games.rules.moves import first_of
from games.services import play_bots, timeouts
from tests.browser.chromium import launched, needs_chromium
from tests.browser.tables import DESK, PHONE, TABLE, Window, apart, play_by_hand
from tests.games.api.client import Person, concrete
from tests.games.live.conftest import alice, bob, charlie, live, plays, serving
from tests.games.services.service_scene import game_now, play

__all__ = ["alice", "bob", "charlie", "live", "serving"]

pytestmark = [
    pytest.mark.browser,
    needs_chromium,
]
PICTURES = os.environ.get("TREY_PICTURES")
BY_HAND = 6
# How often a page whose stream falls silent for 0.2 s was connected, and how often it then looked for itself.
GIVEN_UP = """async () => {
  const { listen } = await import('/static/lobby/stream.js');
  const { live, last } = JSON.parse(document.querySelector('#page').textContent);
  let begun = 0;
  let looked = 0;
  await new Promise((silent) => listen(live, {
    after: () => last + 2, silence: 200, onEvents() {}, onBegin() { begun += 1; },
    onSilence() { looked += 1; silent(); }, isOver: () => looked === 1,
  }));
  return [begun, looked];
}"""
# In how many rows an opponent's name, count and cards lie.
ROWS = f"""() => {{
  const parts = {TABLE}.shadowRoot.querySelectorAll('.others .name, .others .count, .others .place-of');
  const middles = [...parts].map((node) => node.getBoundingClientRect()).map(({{ top, bottom }}) => (top + bottom) / 2);
  return new Set(middles.map((middle) => Math.round(middle / 32))).size;
}}"""
LONG_HAND = f"""() => {{
  {TABLE}.page.game.view.players[0].hand = [...'23456789TJQK'].map((rank) => `${{rank}}H`);
  {TABLE}.page.draw();
}}"""

ALL_CHOOSE = f"""() => {{
  const {{ page }} = {TABLE};
  page.game.view.status = 'setup';
  page.game.view.to_act = page.game.view.players.map((_, seat) => seat);
  page.draw();
}}"""
OPEN_HANDS = f"""() => {{
  const {{ page }} = {TABLE};
  for (const player of page.game.view.players.slice(1)) player.hand = [...'3456789TJQKA'].map((rank) => `${{rank}}H`);
  page.draw();
}}"""


LONG_NAMES = f"""() => {{
  const {{ page }} = {TABLE};
  for (const one of page.game.players) one.player = {{ username: 'W'.repeat(40) }};
  page.draw();
}}"""
LONG_NEXT = f"""() => {{
  const {{ page }} = {TABLE};
  for (const one of page.next.players) one.player = {{ username: 'W'.repeat(40) }};
  page.bar();
}}"""


@pytest.fixture
def browser() -> Iterator[Browser]:
    with launched() as opened:
        yield opened


@pytest.fixture
def opens(browser: Browser, live_server: Any, live: Any, settings: Any) -> Iterator[Callable[..., Window]]:
    """Opens windows: `opens("alice", game, PHONE)`. A script that breaks in one of them fails the test."""
    settings.TREY_LIVE_URL = f"http://localhost:{live.port}"
    settings.TREY_SITE_URL = live_server.url
    windows: list[Window] = []

    def window(username: str | None, game: dict[str, Any], screen: dict[str, Any] = DESK, **more: Any) -> Window:
        made = Window(browser.new_context(**screen, **more), live_server.url, username)
        windows.append(made)
        made.page.goto(f"{live_server.url}/games/{game['id']}")
        made.page.locator("trey-table .player").first.wait_for()
        made.now()
        return made

    yield window
    for each in windows:
        each.page.goto("about:blank")
        assert each.errors == []


def dealt(alice: Person, bob: Person, **wanted: Any) -> dict[str, Any]:
    """A game of the two."""
    room = alice.opens(**wanted)
    assert bob.post(f"games/{room['id']}/join", {"invitation": room["invitation"]}).status == 200
    assert alice.post(f"games/{room['id']}/start").status == 200
    return room


def fast_forward(game: dict[str, Any]) -> None:
    """Play by the services until a move would be the last, or somebody can go out."""
    awaited = Seat.objects.filter(game=game["id"], to_act=True).order_by("index").select_related("player")
    while seat := awaited.first():
        held, player = game_now(seat.game_id), seat.player
        legal = list(selectors.legal_moves(player, held).moves)
        if any(move["move"] == "go_out" for move in legal) or is_last(held, seat.index, concrete(legal[0])):
            return
        if legal[0]["move"] == "discard":
            legal.sort(key=lambda move: selectors.lay_out_of(player, held, without=move["card"]).penalty)
        play(held.id, player, concrete(legal[0]))


def is_last(held: Snapshot, seat: int, move: dict[str, Any]) -> bool:
    """Whether the game would end with a move, however the stock is shuffled."""
    rules, state = GAMES[held.game], held.state
    for event in rules.decide(state, seat, move, list):
        state = rules.evolve(state, event)
    return rules.result(state) is not None


def times_out(game: dict[str, Any], seat: int) -> str | None:
    """Let the seat's time be up."""
    due = Seat.objects.get(game=game["id"], index=seat).due_at
    assert due is not None
    return timeouts.time_out(UUID(game["id"]), seat, due, until=due + timedelta(seconds=1), now=due)


def is_over(windows: Iterable[Window], ended: dict[str, Any]) -> None:
    """Each window, in the order of seats, says how the game ended for its player."""
    places = {row["seat"]: row["place"] for row in ended["view"]["result"]["placements"]}
    for seat, window in enumerate(windows):
        bar = window.waits_for(ended["version"])["bar"]
        assert "The game is over" in bar
        shared = list(places.values()).count(places[seat]) > 1
        said = "You share" if shared else "You won" if places[seat] == 1 else "You came 2nd of 2"
        assert said in bar
        # The end stands above the table, and covers no card.
        boxes = [window.page.locator(part).bounding_box() for part in ("#bar", "trey-table")]
        assert boxes[0]["y"] + boxes[0]["height"] <= boxes[1]["y"]
        window.is_accessible()


def picture(window: Window, name: str) -> None:
    if PICTURES:
        window.page.screenshot(path=Path(PICTURES) / f"{name}.png")


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_two_people_play_to_the_end_by_touch_and_by_keyboard_alone(alice, bob, opens, name) -> None:
    options = {"options": {"rounds": 1}} if name == "three_thirteen" else {}
    game = apart(lambda: dealt(alice, bob, game=name, visibility="private", **options))
    by_touch = opens("alice", game, PHONE)
    # Somebody who wants no motion.
    by_key = opens("bob", game, DESK, color_scheme="dark", reduced_motion="reduce")
    hands = {by_touch: "touch", by_key: "keyboard"}

    for window in hands:
        window.page.locator("#together").wait_for()
        picture(window, f"{name}-together-{'phone' if window is by_touch else 'desk'}")

    by_touch.is_accessible()
    play_by_hand(hands, BY_HAND)
    by_key.is_accessible()
    # The long middle while nobody looks, the end by hand again, unless the first moves were the last.
    last_moves = int(apart(alice.sees, game)["status"] == "finished")
    while apart(alice.sees, game)["status"] != "finished":
        for window in hands:
            window.page.goto("about:blank")
        apart(fast_forward, game)
        now = apart(alice.sees, game)
        last_moves += now["status"] != "finished"
        for window in hands:
            window.page.go_back()
            window.waits_for(now["version"])
            picture(window, f"{name}-{'phone' if window is by_touch else 'desk'}")
        play_by_hand(hands, 3)
    assert last_moves
    is_over(hands, apart(alice.sees, game))
    # What turned the game, and a picture to hand on: of a private game without names, until they are asked for.
    moment = by_key.page.locator(".moments li a").first
    expect(moment).to_have_attribute("href", re.compile(rf"^/games/{game['id']}\?at="))
    by_touch.page.get_by_role("button", name="A picture to share").tap()
    shown = by_touch.page.locator("img.shared")
    expect(shown).to_have_attribute("src", re.compile(r"/picture\.png$"))
    by_touch.page.get_by_label("With everyone's names").tap()
    expect(shown).to_have_attribute("src", re.compile(r"/picture\.png\?names=1$"))
    assert shown.evaluate("async (img) => { await img.decode(); return img.naturalWidth; }") == 1200
    if name == "threes":  # it is the same in every game
        by_touch.is_accessible()
    by_touch.page.get_by_role("button", name="Close").tap()
    # The proof of the shuffles, in the browser of one of them.
    by_key.page.locator("#history > summary").click()
    by_key.page.get_by_role("button", name="Was the shuffle fair?").click()
    by_key.page.get_by_text("Yes: nobody could choose the cards").wait_for()
    if name in ("threes", "three_thirteen"):
        looks_back(by_key)
    # BT5: who leads over the year?
    by_touch.page.get_by_role("button", name="Play on as a season").click()
    by_touch.page.wait_for_url("**/t/**")
    by_touch.page.get_by_role("heading", level=1, name=str(GAMES[name].title)).wait_for()
    picture(by_touch, f"{name}-season")


def looks_back(window: Window) -> None:
    """RV8: how did it go, and where was it lost?"""
    page = window.page
    page.get_by_role("link", name="How did it go?").click()
    page.get_by_role("button", name="Review this game").click()
    page.get_by_text("The bot is looking through the game").wait_for()
    apart(lambda: work.do_all(kinds=["games.review"]))
    page.get_by_role("heading", name="In total").wait_for()
    window.is_accessible()
    picture(window, "review")
    page.get_by_role("link", name="with alice and bob").click()
    page.get_by_role("link", name="How did it go?").wait_for()


@pytest.mark.parametrize("hand", ["touch", "keyboard"])
@pytest.mark.parametrize("name", GAMES)
def test_whole_games_are_played_by_hand(alice, bob, opens, pytestconfig, name, hand) -> None:
    if not pytestconfig.getoption("by_hand"):
        pytest.skip("takes minutes: pytest --by-hand")
    game = apart(lambda: dealt(alice, bob, game=name, visibility="private"))
    hands = {opens(who, game, PHONE if hand == "touch" else DESK): hand for who in ("alice", "bob")}
    play_by_hand(hands)
    is_over(hands, apart(alice.sees, game))


def test_what_is_tapped_before_the_legal_moves_have_come_is_selected(alice, bob, opens) -> None:
    game = apart(lambda: dealt(alice, bob))
    window, held = opens("alice", game, PHONE), list[Route]()
    before = window.now()["version"]
    window.page.route("**/moves", lambda route: held.append(route))  # noqa: PLW0108  Playwright marks its handlers
    with window.page.expect_request("**/moves"):
        window.page.reload()
    for at in range(3):
        window.page.locator("trey-table .hand button").nth(at).tap()
    expect(window.page.locator("#buttons button.act")).to_have_count(0)
    held[0].continue_()
    window.page.unroute("**/moves")
    window.page.locator("#buttons button.act").tap()
    window.waits_for(before + 1)


def test_bt_what_is_chosen_stays_and_no_card_moves_while_somebody_else_plays(alice, bob, opens) -> None:
    game = apart(lambda: dealt(alice, bob))
    window = opens("alice", game, PHONE)
    cards = window.page.locator("trey-table .hand button")
    for at in range(2):
        cards.nth(at).tap()
    places = [box.bounding_box() for box in cards.all()]
    legal = apart(bob.get, f"games/{game['id']}/moves").body["moves"]
    window.waits_for(apart(bob.post, f"games/{game['id']}/moves", concrete(legal[0])).body["version"])
    assert [card.get_attribute("aria-pressed") for card in cards.all()] == ["true", "true", "false"]
    assert [box.bounding_box() for box in cards.all()] == places
    cards.nth(2).tap()
    expect(window.page.locator("#buttons button.act")).to_have_text("Lay these three face up")
    # The three that lie there are kept by one tap, and the keyboard goes on at the hand.
    window.page.get_by_role("button", name="Undo").press("Enter")
    window.page.wait_for_function(f"() => {TABLE}.shadowRoot.activeElement?.dataset.zone === 'hand'")
    window.page.get_by_role("button", name="Keep the three that lie there").press("Enter")
    window.page.get_by_text("You laid").first.wait_for()
    tops = []
    for _ in range(8):
        now = apart(alice.sees, game)
        window.waits_for(now["version"])
        tops.append(window.page.locator("trey-table .hand").bounding_box()["y"])
        apart(play_one, [alice, bob], now)
    # The stock that gets thinner takes a little away.
    assert max(tops) - min(tops) < 4


def test_what_is_to_be_done_is_spoken_whole_and_headings_and_places_are_read_apart(alice, bob, opens) -> None:
    game = apart(lambda: dealt(alice, bob))
    window = opens("alice", game)
    take = {"moves": [{"move": "pick_up", "send": {"move": "pick_up"}}]}
    window.page.route("**/moves", lambda route: route.fulfill(json=take))
    now = apart(alice.sees, game)
    while now["status"] == "setup" or now["to_act"] != [0]:
        apart(play_one, [alice, bob], now)
        now = apart(alice.sees, game)
        window.waits_for(now["version"])
    expect(window.page.locator("#said p").last).to_contain_text("Nothing in your hand goes: take the pile.")
    own = window.page.locator("trey-table .own")
    expect(own.get_by_role("heading")).to_contain_text("alice you to play ")
    expect(own.get_by_role("group", name="place 1").get_by_role("img")).to_have_count(2)


def play_one(people: list[Person], now: dict[str, Any]) -> None:
    """The first legal move of whoever is to act."""
    seat = now["to_act"][0]
    legal = people[seat].get(f"games/{now['id']}/moves").body["moves"]
    assert people[seat].post(f"games/{now['id']}/moves", concrete(legal[0])).status == 201


def test_a_lost_connection_sends_the_move_once_and_the_page_says_so(alice, bob, opens) -> None:
    game = apart(lambda: dealt(alice, bob))
    window = opens("alice", game, PHONE)
    keys: list[str] = []

    def lose_the_answer(route: Route) -> None:
        if route.request.method != "POST":
            route.continue_()
            return
        keys.append(route.request.headers["idempotency-key"])
        if len(keys) == 1:
            route.fetch()
            route.abort()
        else:
            route.continue_()

    window.page.route("**/moves*", lose_the_answer)
    before = window.now()["version"]
    for at in range(3):
        window.page.locator("trey-table .hand button").nth(at).tap()
    window.page.locator("#buttons button.act").tap()
    window.page.get_by_text("The connection is lost").wait_for()
    window.waits_for(before + 1)
    assert len(keys) == 2
    assert keys[0] == keys[1]
    assert apart(alice.sees, game)["version"] == before + 1
    # A look that gets no answer is no fault of the page: it says what is the matter, and when that is over.
    window.page.get_by_text("The connection is lost").wait_for(state="hidden")
    window.page.context.set_offline(True)
    window.page.evaluate(f"{TABLE}.page.queue(() => {TABLE}.page.look())")
    window.page.get_by_text("The connection is lost").wait_for()
    expect(window.page.locator("#trouble")).not_to_contain_text("Something went wrong")
    window.page.context.set_offline(False)
    window.page.get_by_text("The connection is lost").wait_for(state="hidden")
    expect(window.page.locator("#said")).to_contain_text("The connection is back.")


@pytest.mark.slow
def test_what_got_lost_on_a_bad_line_is_asked_for_again_and_a_slow_move_is_said(alice, bob, opens) -> None:
    game = apart(lambda: dealt(alice, bob))
    window = opens("alice", game, PHONE)
    path, lost = f"**/api/v1/games/{game['id']}", list[str]()

    def loses_the_first(route: Route) -> None:
        if route.request.url in lost:
            route.continue_()
        else:
            lost.append(route.request.url)
            route.abort()

    # The page stands, and its legal moves did not come.
    window.page.route(f"{path}/moves", loses_the_first)
    window.page.reload()
    window.page.locator("trey-table .hand .legal").first.wait_for()
    window.page.unroute(f"{path}/moves")
    # The stream says that somebody played, and the game itself did not come.
    window.page.route(path, loses_the_first)
    legal = apart(bob.get, f"games/{game['id']}/moves").body["moves"]
    played = apart(bob.post, f"games/{game['id']}/moves", concrete(legal[0])).body
    window.waits_for(played["version"])
    assert len(lost) == 2
    window.page.unroute(path)
    # A line that takes everything and answers nothing: the move is on its way, then sent again under the same key.
    sent = list[Route]()

    def takes_the_first(route: Route) -> None:
        sent.append(route)
        if len(sent) > 1:
            route.continue_()

    window.page.evaluate(f"{TABLE}.page.api.patience = 1500")
    window.page.route(f"{path}/moves", takes_the_first)
    for at in range(3):
        window.page.locator("trey-table .hand button").nth(at).tap()
    window.page.locator("#buttons button.act").tap()
    window.page.get_by_text("On its way: lay these three face up").wait_for()
    window.page.get_by_text("What you played is sent as soon as it is back, once.").wait_for()
    window.waits_for(played["version"] + 1)
    keys = [route.request.headers.get("idempotency-key") for route in sent if route.request.method == "POST"]
    assert len(keys) == 2
    assert keys[0] == keys[1]
    # A stream that falls silent is given up, and the page looks for itself.
    assert window.page.evaluate(GIVEN_UP) == [1, 1]


def test_a_move_that_is_chosen_while_its_hand_is_still_sorted_is_sent(alice, bob, opens) -> None:
    game = apart(lambda: dealt(alice, bob, game="three_thirteen"))
    [seat] = apart(alice.sees, game)["to_act"]
    window, held = opens(("alice", "bob")[seat], game, PHONE), list[Route]()
    before = window.now()["version"]
    released: list[bool] = []

    def waits(route: Route) -> None:
        if released:
            route.continue_()
        else:
            held.append(route)

    window.page.route("**/lay_out*", waits)
    window.page.get_by_role("button", name="Draw from stock").tap()
    window.page.wait_for_function(f"() => {TABLE}.page.selecting.legal.some(({{ move }}) => move === 'discard')")
    window.page.locator("trey-table .hand button").last.tap()
    window.page.locator("#buttons button.act").tap()
    released.append(True)
    for route in held:
        route.continue_()
    window.waits_for(before + 2)


@pytest.mark.slow
def test_what_happens_elsewhere_arrives_is_said_and_counts_as_seen(alice, bob, opens) -> None:
    game = apart(lambda: dealt(alice, bob, clock={"on_timeout": "bot"}))
    window = opens("alice", game, PHONE)
    legal = apart(bob.get, f"games/{game['id']}/moves").body["moves"]
    with window.page.expect_request(lambda asked: asked.method == "POST" and asked.url.endswith("/seen")):
        played = apart(bob.post, f"games/{game['id']}/moves", concrete(legal[0])).body
        window.waits_for(played["version"])
    expect(window.page.locator("#said")).to_contain_text("bob chose what lies face up.")
    # The clock is explained in a tap: how it stands, and what it is in this game.
    window.page.locator("trey-table .due").first.tap()
    clock = window.page.get_by_role("dialog")
    clock.get_by_text("You have 1 day for each turn.").wait_for()
    expect(clock).to_contain_text("When time runs out, a bot takes the seat")
    expect(clock).to_contain_text("Your clock is running. You have 2")
    window.is_accessible()
    window.page.keyboard.press("Escape")
    clock.wait_for(state="detached")
    # 320 px wide with text twice as large: everything is there, and nothing is cut off sideways.
    window.page.set_viewport_size({"width": 320, "height": 640})
    window.page.evaluate("document.documentElement.style.fontSize = '200%'")
    window.is_accessible()
    picture(window, "large-text")
    # An opponent takes two lines there: the name, and below it the count beside the cards.
    assert window.page.evaluate(ROWS) == 2
    # A hand that scrolls says how many cards are out of sight, and stays where it was when one is tapped.
    hand = window.page.locator("trey-table .hand")
    window.page.evaluate(LONG_HAND)
    window.page.locator("trey-table .hand-of[data-after$='\u203a']").wait_for()
    hand.evaluate("(node) => (node.scrollLeft = node.scrollWidth)")
    window.page.locator("trey-table .hand-of[data-before^='\u2039']").wait_for()
    scrolled = hand.evaluate("(node) => node.scrollLeft")
    hand.locator("button").last.tap()
    assert hand.evaluate("(node) => node.scrollLeft") == scrolled > 0
    # A seat whose time was up is a bot's, and its owner takes it back.
    assert apart(times_out, game, 0) == "bot"
    window.page.get_by_text("A bot plays for you.", exact=True).wait_for()
    for sentence in ("Your time was up.", "A bot took your seat."):
        expect(window.page.locator("#said")).to_contain_text(sentence)
    window.is_accessible()
    window.page.get_by_role("button", name="Take your seat back").tap()
    window.page.get_by_text("A bot plays for you.", exact=True).wait_for(state="detached")
    window.page.locator("trey-table .hand button.legal").first.wait_for()


def test_tk12_who_sits_down_on_the_page_of_the_table_has_its_talk_and_a_note_there(
    alice, bob, browser, live, live_server, settings
) -> None:
    settings.TREY_LIVE_URL = f"http://localhost:{live.port}"
    settings.TREY_SITE_URL = live_server.url
    room = apart(lambda: alice.opens(visibility="public"))
    page = Window(browser.new_context(**PHONE), live_server.url, "bob").page
    page.goto(f"{live_server.url}/games/{room['id']}")
    page.get_by_role("button", name="Sit down").tap()
    page.get_by_text("Everyone is here; the opener starts").wait_for()
    apart(alice.post, f"games/{room['id']}/start")
    page.locator("trey-table .player").first.wait_for()
    expect(page.locator("#talk-last")).to_be_visible()
    expect(page.locator("#note-title")).to_be_visible()


def test_tk6_what_is_said_after_the_end_comes_at_once(alice, bob, opens) -> None:
    game = apart(dealt, alice, bob)
    apart(bob.post, f"games/{game['id']}/moves", {"move": "resign"})
    window = opens("alice", game)
    held: list[Route] = []
    # The page is ready before the script of the talk.
    window.page.route("**/talk/talk.js", lambda route: held.append(route))  # noqa: PLW0108  Playwright marks its handlers
    window.page.reload()
    window.page.get_by_role("button", name="A picture to share").wait_for()
    held[0].continue_()
    window.page.get_by_text("Nobody has written anything yet.").wait_for()
    assert apart(bob.post, f"games/{game['id']}/talk", {"sign": "well_played"}).status == 201
    expect(window.page.locator("#talk-last")).to_contain_text("well played")


def until_awaited(alice: Person, bob: Person, game: dict[str, Any], seat: int) -> None:
    while (now := alice.sees(game))["to_act"] != [seat] or now["status"] != "playing":
        plays((alice, bob)[now["to_act"][0]], game)


def test_pl2_a_plan_that_says_nothing_in_its_last_turn_is_changed_there(alice, bob, opens) -> None:
    game = apart(dealt, alice, bob)
    apart(until_awaited, alice, bob, game, 1)
    plan = {"lines": [{"move": {"move": "pick_up"}, "when": {"pile_at_least": 40}}], "turns": 1}
    assert apart(lambda: alice.call("PUT", f"games/{game['id']}/plan", plan)).status == 200
    window = opens("alice", game)
    apart(until_awaited, alice, bob, game, 0)
    box = window.page.locator("#plan")
    expect(box).to_contain_text("Planned for this turn.")
    box.get_by_role("button", name="Change the plan").click()
    expect(box.get_by_label("one turn")).to_be_checked()
    box.get_by_text("Now the plan would do nothing, and your clock would run.").wait_for()


def test_a_plan_is_made_of_taps_tried_at_once_and_kept(alice, bob, opens) -> None:
    game = apart(lambda: dealt(alice, bob, game="threes"))
    apart(until_awaited, alice, bob, game, 1)
    window = opens("alice", game, PHONE)
    asked: list[str] = []
    window.page.on("request", lambda request: asked.append(request.method) if request.url.endswith("/plan") else None)
    window.page.reload()
    # In the bar, too, while one waits. Where there is no plan none is asked for.
    window.page.locator("#buttons").get_by_role("button", name="Plan ahead").tap()
    assert "GET" not in asked
    window.page.get_by_role("button", name="+ lowest that fits").tap()
    # A card that is tapped comes before what is meant for any card.
    window.page.locator("trey-table .hand button").first.tap()
    expect(window.page.locator(".lines li").first).to_have_text(re.compile(r"^\s*play"))
    window.page.get_by_label("Only if … (line 2)").select_option("stock_is_out")
    window.page.get_by_role("button", name="+ take the pile").tap()
    window.page.get_by_label("two turns").check()
    window.page.get_by_text("If it were your turn now, the plan would").wait_for()
    window.is_accessible()
    picture(window, "plan")
    window.page.get_by_role("button", name="Keep this plan").tap()
    window.page.get_by_text("Planned for 2 more turns.", exact=True).wait_for()
    kept = apart(alice.get, f"games/{game['id']}/plan").body
    assert (len(kept["lines"]), kept["turns"], kept["lines"][1]["when"]) == (3, 2, {"stock_is_out": True})


def test_no1_a_plan_that_another_device_kept_meanwhile_is_shown_before_it_is_replaced(alice, bob, opens) -> None:
    game = apart(lambda: dealt(alice, bob, game="threes"))
    apart(until_awaited, alice, bob, game, 1)
    window = opens("alice", game, PHONE)
    path = f"games/{game['id']}/plan"
    window.page.locator("#buttons").get_by_role("button", name="Plan ahead").tap()
    window.page.get_by_role("button", name="+ take the pile").tap()
    window.page.route("**/plan", lambda one: one.abort())
    keep = window.page.get_by_role("button", name="Keep this plan")
    with window.page.expect_event("requestfailed", lambda one: one.url.endswith("/plan")):
        keep.tap()
    other = {"lines": [{"move": {"move": "flip", "choose": "first"}, "when": {"stock_is_out": True}}], "turns": 1}
    assert apart(lambda: alice.call("PUT", path, other)).status == 200
    window.page.unroute("**/plan")
    # Nothing is sent by itself once the connection is back.
    window.page.evaluate("dispatchEvent(new Event('online'))")
    expect(keep).not_to_have_attribute("aria-busy", "true")
    keep.tap()
    words = "Another plan has been saved since: turn over the first card if stock is out. Replace it with this one?"
    window.page.get_by_text(words).wait_for()
    assert apart(alice.get, path).body["lines"][0]["move"]["move"] == "flip"
    keep.tap()
    window.page.get_by_text("Planned for one more turn.", exact=True).wait_for()
    assert apart(alice.get, path).body["lines"][0]["move"]["move"] == "pick_up"


@pytest.mark.slow
def test_no1_a_move_that_could_not_be_sent_is_not_played_in_a_game_that_went_on(alice, bob, opens) -> None:
    game = apart(lambda: dealt(alice, bob, game="three_thirteen"))
    people = [alice, bob]
    [seat] = apart(alice.sees, game)["to_act"]
    window = opens(("alice", "bob")[seat], game, PHONE)
    window.page.route("**/moves", lambda one: one.abort() if one.request.method == "POST" else one.continue_())
    with window.page.expect_request("**/moves"):
        window.page.get_by_role("button", name="Draw from stock").tap()

    def once_round() -> int:
        """The other device plays this turn, and the next player theirs."""
        for _ in range(4):
            play_one(people, people[seat].sees(game))
        return int(people[seat].sees(game)["version"])

    version = apart(once_round)
    assert apart(people[seat].sees, game)["to_act"] == [seat]
    with window.page.expect_response(lambda one: one.request.method == "POST" and one.url.endswith("/moves")) as answer:
        window.page.unroute("**/moves")
    assert answer.value.status == 412
    expect(window.page.locator("#trouble")).to_have_text("The game moved on before this arrived, so it was not played.")
    window.waits_for(version)
    assert apart(people[seat].sees, game)["version"] == version


def test_a_line_that_is_typed_while_a_move_is_on_its_way_waits_for_it(alice, bob, opens) -> None:
    game = apart(lambda: dealt(alice, bob, game="three_thirteen"))
    [seat] = apart(alice.sees, game)["to_act"]
    window, held = opens(("alice", "bob")[seat], game, DESK), list[Route]()
    before = window.now()["version"]
    window.page.route(
        "**/moves", lambda one: one.continue_() if held or one.request.method != "POST" else held.append(one)
    )
    window.page.keyboard.press("/")
    with window.page.expect_request(lambda one: one.method == "POST" and one.url.endswith("/moves")):
        window.page.keyboard.type("stock")
        window.page.keyboard.press("Enter")
    window.page.keyboard.type("1")
    window.page.keyboard.press("Enter")
    expect(window.page.locator("#answer")).to_have_text("1 …")
    held[0].continue_()
    window.waits_for(before + 2)


@pytest.mark.slow
def test_everybody_watches_a_public_game_without_its_hidden_cards_and_a_moment_has_a_link(alice, bob, opens) -> None:
    game = apart(lambda: dealt(alice, bob))
    sent: list[int] = []
    looks: list[str] = []
    hands = [apart(who.sees, game)["view"]["players"][seat]["hand"] for seat, who in enumerate((alice, bob))]
    window = opens(None, game, PHONE)
    window.page.on("response", lambda answer: sent.append(len(answer.body())) if "/static/" in answer.url else None)
    window.page.on("request", lambda asked: looks.append(asked.url) if asked.url.endswith("/data") else None)
    window.page.reload()
    window.page.locator("trey-table .player").first.wait_for()
    window.page.wait_for_load_state("networkidle")
    assert looks == [], "the page itself is as new"
    assert hands[0]
    assert hands[1]
    drawn = window.page.locator("trey-table").evaluate("(table) => table.shadowRoot.innerHTML")
    known = drawn + window.page.content()
    assert not [code for hand in hands for code in hand if f'"{code}"' in known or f"&quot;{code}&quot;" in known]
    expect(window.page.locator("trey-table .back").first).to_be_attached()
    assert sum(sent) < 150_000, "all but what is loaded when it is opened, before compression"
    version = window.now()["version"]
    window.page.locator("#history > summary").tap()
    window.page.get_by_role("button", name="One step back").tap()
    window.page.wait_for_url(f"**/games/{game['id']}?at={version - 1}")
    slider, board = (window.page.locator(part).bounding_box() for part in ("#history .steps", ".board"))
    assert slider["y"] + slider["height"] == PHONE["viewport"]["height"], "the lowest bar of a phone"  # type: ignore[index]
    assert board["y"] < slider["y"]
    window.page.reload()
    window.page.get_by_text(f"Step {version - 1} of {version}.").wait_for()
    window.is_accessible()
    window.page.get_by_role("button", name="Close the history").tap()
    window.page.wait_for_url(f"**/games/{game['id']}")


def test_the_table_is_light_with_talk_and_notes_too(alice, bob, opens) -> None:
    game = apart(lambda: dealt(alice, bob, talk="all"))
    sent: list[int] = []
    window = opens("alice", game, PHONE)
    window.page.on("response", lambda answer: sent.append(len(answer.body())) if "/static/" in answer.url else None)
    window.page.reload()
    for part in ("trey-table .hand", "#talk", "#note"):
        window.page.locator(part).first.wait_for()
    assert 100_000 < sum(sent) < 172_000, "with the bell (BT3) and what knows its reader, before compression"


@pytest.mark.slow
def test_tt7_how_a_round_ended_lies_over_the_table_until_it_is_tapped_away(alice, bob, opens) -> None:
    game = apart(lambda: dealt(alice, bob, game="three_thirteen", options={"rounds": 2}))
    apart(fast_forward, game)
    [out] = apart(alice.sees, game)["to_act"]
    windows = [opens("alice", game, PHONE), opens("bob", game, DESK)]
    before = windows[out].now()["version"]
    bar = windows[out].page.locator("#bar")
    bar.get_by_text("You can go out").wait_for()
    bar.locator(".laid-out .card").nth(2).wait_for()
    bar.get_by_role("button", name="Go out").click()
    windows[out].waits_for(before + 1)
    for step in range(2):
        apart(play_one, [alice, bob], now := apart(alice.sees, game))
        windows[out].waits_for(now["version"] + 1)
        expect(windows[out].page.get_by_role("dialog")).to_have_count(step)
    for window in windows:
        told = window.page.get_by_role("dialog")
        expect(told).to_contain_text(f"{('alice', 'bob')[out]} went out, 0 points")
        expect(told).to_contain_text("Round 2: fours are wild")
        expect(told.locator(".lay-outs li")).to_have_count(2)
        picture(window, f"round-over-{('desk', 'phone')[window is windows[0]]}")
        window.is_accessible()
        told.get_by_role("button", name="Continue").click()
        told.wait_for(state="detached")


def about_to_interrupt(people: list[Person]) -> tuple[dict[str, Any], list[str]]:
    """A game of Castle in which the first may interrupt once the second has played these cards.

    The last one's salt decides how the cards lie, so one is looked for with which it comes to that soon.
    """
    room = people[0].opens(game="castle", seats=len(people))
    for person in people[1:-1]:
        assert person.post(f"games/{room['id']}/join").status == 200
    opened = game_now(room["id"])
    secret, salts = bytes.fromhex(opened.secret), [seat.salt for seat in opened.players]
    salt, moves = next((f"{n}", found) for n in range(1000) if (found := interrupted(secret, [*salts, f"{n}"])))
    assert people[-1].post(f"games/{room['id']}/join", {"salt": salt}).status == 200
    assert people[0].post(f"games/{room['id']}/start").status == 200
    for seat, move in moves[:-1]:
        assert people[seat].post(f"games/{room['id']}/moves", move).status == 201
    return room, moves[-1][1]["cards"]


def interrupted(secret: bytes, salts: list[str]) -> list[tuple[int, dict[str, Any]]] | None:
    """The moves until the first seat may interrupt what the second played, if it comes to that within thirty."""
    rules, chance, played = GAMES["castle"], Chance(secret, salts), []
    seats = len(salts)
    state, _ = rules.deal(seats, None, {}, chance.dealer(seats), chance.shuffle(1))
    while len(played) < 30 and rules.status(state) != "finished":
        seat = rules.to_act(state)[0]
        move = first_of(rules.legal_moves(state, seat)[0])
        played.append((seat, move))
        for event in rules.decide(state, seat, move, sorted):
            state = rules.evolve(state, event)
        if rules.view(state, 0)["may_interrupt"] == [0]:
            return played if seat == 1 and move["move"] == "play" and 0 not in rules.to_act(state) else None
    return None


@pytest.mark.slow
def test_ca9_one_window_plays_and_the_other_interrupts(alice, bob, charlie, opens) -> None:
    game, cards = apart(about_to_interrupt, [alice, bob, charlie])
    on_phone, on_desk = opens("alice", game, PHONE), opens("bob", game, DESK)
    before = on_desk.now()["version"]
    on_desk.page.keyboard.press("/")
    on_desk.page.keyboard.type(" ".join(cards))
    on_desk.page.keyboard.press("Enter")
    on_phone.waits_for(before + 1)
    on_phone.page.locator("#interrupt button").wait_for()
    expect(on_phone.page.locator("#said")).to_contain_text("You may interrupt")
    picture(on_phone, "castle-interruption")
    on_phone.is_accessible()
    # The cards that complete the four are lifted; a tap on one leads to the button.
    lifted = on_phone.page.locator("trey-table .own button.legal")
    assert {card.get_attribute("data-code")[0] for card in lifted.all()} == {cards[0][0]}
    lifted.first.tap()
    expect(on_phone.page.locator("#interrupt button")).to_be_focused()
    on_phone.page.locator("#interrupt button").tap()
    on_phone.waits_for(before + 2)
    expect(on_phone.page.locator("#interrupt button")).to_have_count(0)
    on_desk.waits_for(before + 2)
    told = on_desk.page.locator("#happened li").first
    expect(told).to_contain_text("alice played")
    expect(told).to_contain_text("cleared the pile")


def test_s14_whoever_still_plays_may_agree_to_end_a_game_that_stands_still(alice, bob, opens) -> None:
    game = apart(lambda: dealt(alice, bob))
    window = opens("alice", game, PHONE)
    stands_still = f"""([settled, place]) => {{
      const page = {TABLE}.page;
      Object.assign(page.game, {{ status: 'playing', to_act: [1] }});
      Object.assign(page.game.view, {{ status: 'playing', to_act: [1], may_settle: true, settled }});
      page.game.view.players[0].place = place;
      page.play = (move) => (page.played = move);
      page.draw();
      return page.planning.possible;
    }}"""
    agree = window.page.get_by_role("button", name="Agree to end the game")
    assert window.page.evaluate(stands_still, [[], None]) is True
    agree.tap()
    assert window.page.evaluate(f"{TABLE}.page.played") == {"move": "settle"}
    window.page.evaluate(stands_still, [[0], None])
    window.page.get_by_role("button", name="Play on after all").wait_for()
    # Whoever is out has nothing to agree to, no turn to plan and no move to type, and reads which place it was.
    expect(window.page.locator("#typing")).to_be_visible()
    assert window.page.evaluate(stands_still, [[], 1]) is False
    expect(agree).to_have_count(0)
    expect(window.page.get_by_role("button", name="Plan ahead")).to_have_count(0)
    expect(window.page.locator("#typing")).to_be_hidden()
    expect(window.page.locator("#bar")).to_contain_text("You are out: 1st place.")


@pytest.mark.slow
def test_bt3_a_game_is_called_off_by_both_in_the_bar_and_the_next_one_is_named(alice, bob, opens) -> None:
    game, _ = apart(lambda: (dealt(alice, bob), dealt(alice, bob, game="castle")))
    windows = [one, other] = [opens("alice", game, PHONE), opens("bob", game)]
    before = one.now()["version"]
    one.page.locator("#more summary").click()
    one.page.get_by_role("button", name="Agree to call it off").click()
    one.page.get_by_text("You agree to call the game off. Your next move takes it back.").wait_for()
    other.page.locator("#bar").get_by_text("alice agrees to call the game off.").wait_for()
    # Who would rather play on is asked again when the page is opened again.
    other.page.get_by_role("button", name="Play on").click()
    expect(other.page.get_by_role("button", name="Agree", exact=True)).to_have_count(0)
    other.page.reload()
    other.page.get_by_role("button", name="Agree", exact=True).click()
    for window in windows:
        assert window.waits_for(before + 2)["bar"].strip().startswith("The game was called off.")
        window.page.get_by_role("button", name="Resign").wait_for(state="detached")
        window.page.get_by_role("link", name="Next: Castle with ").wait_for()
        expect(window.page.locator("trey-table .badge.act")).to_have_count(0)
        window.is_accessible()


def test_bt3_the_next_game_is_named_once_it_waits_and_until_it_does_no_more(alice, bob, opens) -> None:
    game = apart(dealt, alice, bob)
    apart(plays, alice, game)
    window = opens("alice", game, PHONE)
    link = window.page.get_by_role("link", name="Next: ")
    expect(link).to_have_count(0)
    other = apart(lambda: dealt(alice, bob, game="castle"))
    expect(link).to_have_text("Next: Castle with bob, 24\u00a0h left")
    # It runs on while nothing happens (LV7).
    expect(link.locator("time[data-form=short]")).to_have_count(1)
    window.page.evaluate(LONG_NEXT)
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert window.page.evaluate(wide) == 0, "with names of 40 wide letters"
    # On another device.
    apart(plays, alice, other)
    expect(link).to_have_count(0)


def against_bots(alice: Person, name: str, bots: int) -> dict[str, Any]:
    """A game against bots that waits for alice, with face-up cards on the table where there are any."""
    game = alice.opens(game=name, seats=bots + 1, bots=bots)
    path = f"games/{game['id']}"
    assert alice.post(f"{path}/start").status == 200
    if alice.sees(game)["status"] == "setup":
        alice.post(f"{path}/moves", concrete(alice.get(f"{path}/moves").body["moves"][0]))
    play_bots(UUID(game["id"]))
    return game


@pytest.mark.sampled
@pytest.mark.parametrize("name", ["threes", "three_thirteen"])
def test_at_a_table_of_four_the_hand_is_on_the_first_screen_of_a_phone(alice, opens, name) -> None:
    game = apart(lambda: against_bots(alice, name, 3))
    # What a browser's own bars leave of a phone of 844 pixels.
    window = opens("alice", game, {**PHONE, "viewport": {"width": 390, "height": 664}})
    assert window.now()["mine"]
    card, bar = (window.page.locator(part).first.bounding_box() for part in ("trey-table .hand .card", "#bar"))
    # The upper corner says which card it is.
    assert card["y"] + 0.5 * card["height"] <= bar["y"]


@pytest.mark.slow
def test_long_names_leave_the_hand_on_the_first_screen_of_a_phone_and_the_pile_free_on_a_desktop(alice, opens) -> None:
    game = apart(lambda: against_bots(alice, "threes", 2))
    window = opens("alice", game, PHONE)
    window.page.evaluate(LONG_NAMES)
    card, bar = (window.page.locator(part).first.bounding_box() for part in ("trey-table .hand .card", "#bar"))
    assert card["y"] + 0.5 * card["height"] <= bar["y"]
    window = opens("alice", game)
    window.page.evaluate(LONG_NAMES)
    *others, stock = window.page.locator("trey-table .others .player, trey-table .stock-of").all()
    top = stock.bounding_box()["y"]
    assert all(box["y"] + box["height"] <= top for box in (one.bounding_box() for one in others))


def test_at_a_table_of_eight_the_pile_is_on_the_first_screen_of_a_phone(alice, opens) -> None:
    game = apart(lambda: against_bots(alice, "threes", 7))
    window = opens("alice", game, {**PHONE, "viewport": {"width": 390, "height": 664}})
    pile, bar = (window.page.locator(part).bounding_box() for part in ("trey-table .pile .fan", "#bar"))
    assert pile["y"] + 0.5 * pile["height"] <= bar["y"]


@pytest.mark.sampled
def test_at_a_table_of_twelve_the_whole_hand_is_on_the_first_screen_of_a_phone(alice, opens) -> None:
    window = opens("alice", apart(lambda: against_bots(alice, "threes", 11)), PHONE)
    card, bar = (window.page.locator(part).first.bounding_box() for part in ("trey-table .hand .card", "#bar"))
    assert card["y"] + card["height"] <= bar["y"]


@pytest.mark.sampled
@pytest.mark.parametrize("opponents", [2, 4, 7, 11])
def test_on_a_phone_held_sideways_pile_and_hand_are_on_the_screen(alice, opens, opponents) -> None:
    game = apart(lambda: against_bots(alice, "threes", opponents))
    window = opens("alice", game, {**PHONE, "viewport": {"width": 844, "height": 390}})
    parts = ("trey-table .pile .fan", "trey-table .hand .card", "#bar")
    *boxes, bar = [window.page.locator(part).first.bounding_box() for part in parts]
    assert all(box["y"] + box["height"] <= bar["y"] for box in boxes)


@pytest.mark.sampled
@pytest.mark.parametrize("opponents", [3, 4, 5, 6, 7])
def test_on_a_desktop_no_opponent_covers_another(alice, opens, opponents) -> None:
    window = opens("alice", apart(lambda: against_bots(alice, "threes", opponents)))
    for change in (ALL_CHOOSE, OPEN_HANDS):
        window.page.evaluate(change)
        boxes = [one.bounding_box() for one in window.page.locator("trey-table .others .player").all()]
        assert len(boxes) == opponents
        for one, other in combinations(boxes, 2):
            beside = one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
            assert beside or one["y"] + one["height"] <= other["y"] or other["y"] + other["height"] <= one["y"]


def test_castles_interruption_is_there_at_once_and_no_tap_meant_for_something_else_hits_it(alice, bob, opens) -> None:
    game = apart(lambda: dealt(alice, bob))
    window = opens("alice", game, PHONE)
    offer = f"""() => {{
      const page = {TABLE}.page;
      page.played = null;
      page.play = (move) => (page.played = move);
      const send = {{ move: 'play', cards: ['7H', '7D'], interrupt: true }};
      page.selecting.legal = [{{ move: 'play', rank: '7', cards: ['7H', '7D'], min: 2, max: 2, send }}];
      page.selecting.out = true;
      page.bar();
    }}"""
    window.page.evaluate(offer)
    button = window.page.get_by_role("button", name="Complete the four with two sevens")
    # A finger that went down elsewhere, before the button was there, does nothing when it is lifted.
    button.evaluate("(node) => node.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 }))")
    assert window.page.evaluate(f"{TABLE}.page.played") is None
    expect(window.page.locator("#buttons button.act"), "nothing of it in the bar").to_have_count(0)
    button.tap()
    assert window.page.evaluate(f"{TABLE}.page.played.interrupt") is True
