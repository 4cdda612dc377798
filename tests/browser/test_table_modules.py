"""The table's pure modules, run as they are in a browser: shuffles, moves, typed lines, plans and clocks in words."""

import random
from typing import Any

import pytest
from playwright.sync_api import Page

from games.clocks import clock_schema
from games.rules import GAMES
from games.rules.cards import JOKERS, PLAIN_DECK
from games.rules.moves import first_of
from tests.browser.chromium import needs_chromium
from tests.browser.test_pages import page
from tests.docs.test_fairness_doc import SALTS, SECRET, VECTORS, Played
from tests.rules.playing import concrete, pick

__all__ = ["page"]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    needs_chromium,
]

VECTORS_BY_BROWSER = """async ([secret, salts, decks]) => {
  const fair = await import('/static/play/fairness.js');
  const bytes = Uint8Array.from(secret);
  const key = await fair.keyOf(bytes, salts);
  const hex = (buffer) => [...buffer].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const first = [];
  for await (const number of fair.stream(key, 'dealer')) {
    if (first.push(number.toString(16).padStart(8, '0')) === 8) break;
  }
  const begins = async (deck, label) => (await fair.shuffled(deck, fair.stream(key, label))).slice(0, 8).join(' ');
  return {
    commitment: await fair.commitment(bytes), key: hex(key), 'block 0 of `dealer`': first.join(''),
    'dealer of 3 seats': `${await fair.below(3, fair.stream(key, 'dealer'))}`,
    '`shuffle 1` of 52 cards begins': await begins(decks[0], 'shuffle 1'),
    '`shuffle 2` of 52 cards begins': await begins(decks[0], 'shuffle 2'),
    '`shuffle 1` of 108 cards with jokers begins': await begins(decks[1], 'shuffle 1'),
  };
}"""

CHECKED = """async ({ fairness, record, events }) =>
  (await (await import('/static/play/fairness.js')).check(fairness, record, events)).map(({ holds }) => holds)"""

CHOICES = """async (positions) => {
  const { Selecting } = await import('/static/play/selecting.js');
  return positions.map(({ legal, view, seat }) => {
    const choices = new Selecting(legal, view, seat).choices();
    const tapped = new Set();
    const taps = new Selecting(legal, view, seat);
    const own = view.players[seat];
    const inZone = (codes, zone) => (codes ?? []).map((code) => ({ zone, code }));
    const cards = [...inZone(own.hand, 'hand'), ...inZone(own.face_up, 'up')];
    for (const card of cards) {
      taps.clear();
      taps.tap({ ...card, key: null });
      for (const move of taps.moves()) tapped.add(JSON.stringify(move));
    }
    for (const position of taps.positions) {
      taps.clear();
      taps.tap({ zone: 'down', position });
      for (const move of taps.moves()) tapped.add(JSON.stringify(move));
    }
    taps.clear();
    return { choices, tapped: [...tapped].map((text) => JSON.parse(text)) };
  });
}"""

TYPED = """async (cases) => {
  const { understand, cardOf } = await import('/static/play/commands.js');
  const legal = [
    { move: 'play', rank: '7', cards: ['7H', '7D'], min: 1, max: 2, send: { move: 'play', cards: ['7H'] } },
    { move: 'flip', positions: [0, 2], send: { move: 'flip', position: 0 } },
    { move: 'pick_up', send: { move: 'pick_up' } },
  ];
  const choices = [{ move: 'play', cards: ['7H'] }, { move: 'pick_up' }];
  return [cases.map((line) => understand(line, legal, choices)), ['10d', 'th', '7♥', 'xr', '1h', '7'].map(cardOf)];
}"""


RARE = """async () => {
  const { Selecting } = await import('/static/play/selecting.js');
  const { now } = await import('/static/table/words.js');
  const names = ['ada', 'bob'];
  const stuck = { status: 'playing', to_act: [0], pile: ['QC'], to_beat: { rank: 'Q', or: 'higher' } };
  stuck.players = [{ hand_count: 1 }];
  const legal = [{ move: 'draw', send: { move: 'draw' } }, { move: 'pick_up', send: { move: 'pick_up' } }];
  const last = { status: 'playing', to_act: [0], step: 'draw', went_out: 1 };
  const told = [0, 1].map((seat) => now(last, names, seat));
  const selecting = new Selecting(legal, stuck, 0);
  const before = selecting.sentence(names);
  selecting.tap({ zone: 'hand', code: '4H', key: '4H.1' });
  const out = { move: 'go_out', discard: '4H' };
  const goes = new Selecting([{ move: 'discard', card: '4H' }, { ...out, send: out }], stuck, 0);
  return [goes.moves()[0].move, goes.done, before, selecting.sentence(names), ...told];
}"""

LAST_ROUND = """async (view) => {
  await import('/static/table/table.js');
  const table = document.body.appendChild(document.createElement('trey-table'));
  const names = ['ada', 'bob', 'cleo'];
  const rows = () => [...table.shadowRoot.querySelectorAll('.lay-outs li')]
    .map((row) => [row.textContent, row.querySelectorAll('.card').length]);
  await table.show(view, { names });
  const details = table.shadowRoot.querySelector('details.scores');
  const toggled = new Promise((done) => details.addEventListener('toggle', done, { once: true }));
  details.open = true;
  await toggled;
  const opened = rows();
  await table.show(view, { names });
  return [opened, rows()];
}"""

ENDS_OF_A_HAND = """async ([view, seat]) => {
  await import('/static/table/table.js');
  const table = document.body.appendChild(document.createElement('trey-table'));
  const play = { lit: new Set(), positions: [], targets: [], isSelected: () => false };
  await table.show(view, { names: ['ada', 'bob', 'cleo'], seat, play });
  const buttons = [...table.shadowRoot.querySelectorAll('.hand button')];
  buttons[1].focus();
  return ['End', 'ArrowRight', 'ArrowLeft', 'Home'].map((key) => {
    table.shadowRoot.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    return buttons.indexOf(table.shadowRoot.activeElement);
  });
}"""

OPEN_HANDS = """async ([view, width]) => {
  await import('/static/table/table.js');
  const table = document.createElement('trey-table');
  table.style.width = `${width}px`;
  document.body.replaceChildren(table);
  const { shadowRoot } = table;
  await Promise.all([...shadowRoot.querySelectorAll('link')].map(
    (link) => link.sheet || new Promise((done) => link.addEventListener('load', done)),
  ));
  await table.show(view, { names: ['ada', 'bob', 'cleo'], seat: 0 });
  const rows = [...shadowRoot.querySelectorAll('.shown, .hand')];
  const box = (name) => shadowRoot.querySelector(name).getBoundingClientRect();
  const [left, right] = [box('.others .player'), box('.others .player:last-child')];
  return {
    codes: rows.map((row) => [...row.querySelectorAll('.card')].map((card) => card.dataset.code)),
    apart: left.right <= right.left && Math.max(left.bottom, right.bottom) <= box('.stock-of').top,
    inside: left.left >= box('.table').left && right.right <= box('.table').right,
  };
}"""


# What of the opponents' names is cut off, what lies under their cards, and how high their strips are, whoever acts.
SIDEWAYS = """async (view) => {
  await import('/static/table/table.js');
  const table = document.createElement('trey-table');
  document.body.replaceChildren(table);
  const { shadowRoot } = table;
  await Promise.all([...shadowRoot.querySelectorAll('link')].map(
    (link) => link.sheet || new Promise((done) => link.addEventListener('load', done)),
  ));
  const box = (node) => node.getBoundingClientRect();
  const meet = (side, end, one, other) => one[side] < other[end] && other[side] < one[end];
  const cover = (one, other) => meet('left', 'right', one, other) && meet('top', 'bottom', one, other);
  const names = ['You', 'Maximiliane', 'Christopher'];
  const [cut, under, heights] = [[], [], []];
  for (const seat of [0, 1, 2]) {
    // A bot has no deadline.
    const deadlines = seat === 2 ? {} : { [seat]: new Date(Date.now() + 86_400_000).toISOString() };
    const how = { names, seat: 0, deadlines, clock: true, present: [1, 2], replaced: [2] };
    await table.show({ ...view, to_act: [seat] }, how);
    const others = [...shadowRoot.querySelectorAll('.others .player')];
    heights.push(others.map((player) => box(player).height));
    for (const player of others) {
      const cards = [...player.querySelectorAll('.card')].map(box);
      const name = player.querySelector('.name');
      if (box(name).height > 30 || name.scrollWidth > name.clientWidth) cut.push(name.textContent);
      for (const part of player.querySelectorAll('h2 > *')) {
        if (cards.some((card) => cover(box(part), card))) under.push(part.textContent);
      }
    }
  }
  return { cut, under, heights };
}"""


@pytest.fixture
def browser_page(page: Page, live_server: Any) -> Page:
    page.goto(f"{live_server.url}/healthz")
    return page


def positions_of(name: str, count: int, lots: int) -> list[dict[str, Any]]:
    """Positions of a game played at random, each with a seat's legal moves as the API lists them."""
    rules, rng = GAMES[name], random.Random(lots)

    def shuffle(cards: Any) -> list[str]:
        return rng.sample(list(cards), len(cards))

    found: list[dict[str, Any]] = []
    while len(found) < count:
        state, _ = rules.deal(3, None, {}, 0, shuffle)
        while rules.status(state) != "finished" and len(found) < count:
            seat = pick(rules.to_act(state), rng)
            legal = rules.legal_moves(state, seat)
            listed = [{**move, "send": first_of(move)} for move in legal]
            found.append({"state": state, "seat": seat, "legal": listed, "view": rules.view(state, seat)})
            for event in rules.decide(state, seat, concrete(pick(legal, rng), rng), shuffle):
                state = rules.evolve(state, event)
    return found


@pytest.mark.slow
def test_the_tables_modules_say_what_the_rules_and_the_documents_say(browser_page: Page) -> None:
    # Shuffles: the numbers of docs/build/fairness.md, whole games, and games in which something was changed.
    decks = [list(PLAIN_DECK), [*PLAIN_DECK, *JOKERS] * 2]
    found = browser_page.evaluate(VECTORS_BY_BROWSER, [list(SECRET), SALTS, decks])
    assert len(found) == 7
    assert {name: VECTORS[name] for name in found} == found
    for game, lots in (("three_thirteen", 5), ("threes", 3)):
        shown = Played(game, 3, lots).shown()
        assert all(browser_page.evaluate(CHECKED, shown))
        other = {**shown["record"], "dealer": (shown["record"]["dealer"] + 1) % 3}
        assert browser_page.evaluate(CHECKED, {**shown, "record": other}).count(False) == 1
        secret = {**shown["fairness"], "secret": "00" * 32}
        assert False in browser_page.evaluate(CHECKED, {**shown, "fairness": secret})

    # Moves: whatever the list or taps come to is legal, and each legal move can be chosen from the list.
    for name, rules in GAMES.items():
        positions = positions_of(name, 60, lots=7)
        sent = [{key: one[key] for key in ("legal", "view", "seat")} for one in positions]
        for one, offered in zip(positions, browser_page.evaluate(CHOICES, sent), strict=True):
            for move in [*offered["choices"], *offered["tapped"]]:
                if move["move"] == "arrange" and len(move["face_up"]) != 3:
                    continue
                rules.decide(one["state"], one["seat"], move, sorted)
            kinds = {move["move"] for move in offered["choices"]}
            assert kinds == {move["move"] for move in one["legal"]}

    # Typed lines.
    lines = ["1", "2", "9", "take", "flip 3", "flip 2", "7h 7d", "out KS", "?", "l", "plan", "settle", "what", "10x"]
    said, cards = browser_page.evaluate(TYPED, lines)
    play = {"move": "play", "cards": ["7H"]}
    assert said[:2] == [{"move": play}, {"move": {"move": "pick_up"}}]
    assert said[3:5] == [{"move": {"move": "pick_up"}}, {"move": {"move": "flip", "position": 2}}]
    assert said[6] == {"move": {"move": "play", "cards": ["7H", "7D"]}}
    assert [one for at in (2, 5, 7, 12, 13) for one in said[at]] == ["error"] * 5
    assert said[8:12] == [{"say": "choices"}, {"say": "last"}, {"open": "plan"}, {"move": {"move": "settle"}}]
    assert cards == ["TD", "TH", "7H", "XR", None, None]

    # Its conditions, in words.
    said = "async (when) => (await import('/static/plans/plan_form.js')).condition(...when)"
    for name, words in (("stock_is_out", "there is a stock"), ("bonus", "not: in a bonus play")):
        assert browser_page.evaluate(said, [name, False]) == words
    assert browser_page.evaluate(said, ["top_helps", 5]) == "top discard saves at least 5 points"

    # The clock, in words.
    policy = "async (clock) => (await import('/static/play/clock.js')).policy(clock).join(' ')"
    usually = {key: schema["default"] for key, schema in clock_schema()["properties"].items()}
    told = browser_page.evaluate(policy, usually)
    assert told.startswith(
        "You have 1 day for each turn. The clock pauses during the quiet hours of the player to move and on"
    )
    assert "The 3rd time in a row, a bot takes the seat" in told
    assert "After 6 missed turns in a row, the player resigns." in told
    strict = {**usually, "bank": 5400, "quiet_hours": False, "vacation": False, "on_timeout": "resign"}
    told = browser_page.evaluate(policy, strict)
    assert "a reserve of 1 hour and 30 minutes" in told and "When time runs out, the player resigns." in told
    assert "Nobody's nights or weekends stop the clock, only an outage" in told


def test_ca2_tc3_the_table_says_that_the_lowest_card_opens(browser_page: Page) -> None:
    asks = """async ([views, any]) => {
      const { anyCardOpens, asksFor } = await import('/static/table/words.js');
      if (any) anyCardOpens.add(views[0].game);
      return views.map(asksFor);
    }"""
    for name in ("three_card", "tripp_jokes", "threes", "castle"):
        playing = [one for one in positions_of(name, 300, lots=7) if one["view"]["status"] == "playing"]
        opening = [one["state"].opening_rank is not None for one in playing]
        said = browser_page.evaluate(asks, [[one["view"] for one in playing], GAMES[name].any_card_opens])
        assert [text == "the lowest card opens" for text in said] == opening
        assert any(opening) is (name in {"three_card", "castle"})


def test_ca2_in_the_race_nobody_is_said_to_have_the_turn(browser_page: Page) -> None:
    firsts = (positions_of("castle", 4, lots)[3]["view"] for lots in range(100))
    race = next(view for view in firsts if view["status"] == "playing" and len(view["to_act"]) == 2)
    names = ["ada", "bob", "cleo"]
    (one, other), says = race["to_act"], "may open with the lowest card: the first to play does."
    said = "async ([view, names, own]) => (await import('/static/table/words.js')).now(view, names, own)"
    assert browser_page.evaluate(said, [race, names, None]) == f"{names[one]} and {names[other]} {says}"
    assert browser_page.evaluate(said, [race, names, other]) == f"You and {names[one]} {says}"


def test_what_the_bar_says_of_rare_moments(browser_page: Page) -> None:
    said = browser_page.evaluate(RARE)
    assert said[:2] == ["go_out", "discarded"]
    assert said[2:] == [
        stuck
        := "Your turn. Now: queen or higher. Nothing in your hand goes: try a card from the stock, or take the pile.",
        f"4♥\ufe0e cannot be played now. {stuck}",
        "bob went out: this is your last turn. Draw a card.",
        "You went out. ada to play.",
    ]


def test_tt7_the_last_rounds_cards_lie_open_below_its_points(browser_page: Page) -> None:
    views = [one["view"] for one in positions_of("three_thirteen", 400, lots=3)]
    view = next(one for one in views if one["players"][0]["rounds"])
    opened, drawn_again = browser_page.evaluate(LAST_ROUND, view)
    last = [player["rounds"][-1] for player in view["players"]]
    assert [count for _, count in opened] == [len(one["left"]) + sum(map(len, one["melds"])) for one in last]
    assert all(f"{one['penalty']} points" in text for (text, _), one in zip(opened, last, strict=True))
    assert opened == drawn_again, "it stays open"


def test_home_and_end_lead_to_the_ends_of_the_hand(browser_page: Page) -> None:
    first = positions_of("three_thirteen", 1, lots=3)[0]
    assert browser_page.evaluate(ENDS_OF_A_HAND, [first["view"], first["seat"]]) == [2, 2, 1, 0]


def test_what_is_read_aloud_has_no_signs_of_suits(browser_page: Page) -> None:
    lines = [
        "You played 7♥\ufe0e 10♦\ufe0e. Now: 7 or lower.",
        "cleo played black\u00a0★ red\u00a0★.",
        "Bob discarded A♠\ufe0e.",
    ]
    said = browser_page.evaluate(
        "async (lines) => { const { aloud } = await import('/static/table/words.js'); return lines.map(aloud); }", lines
    )
    assert said == [
        "You played seven of hearts, ten of diamonds. Now: 7 or lower.",
        "cleo played black joker, red joker.",
        "Bob discarded ace of spades.",
    ]


@pytest.mark.parametrize("width", [740, 872])
def test_tt1_hands_lie_from_the_ace_to_the_king_and_thirteen_open_cards_cover_no_stock(
    browser_page: Page, width: int
) -> None:
    [position] = positions_of("three_thirteen", 1, lots=2)
    suits = "SHDC"
    hand = [f"{rank}{suits[at % 4]}" for at, rank in enumerate("K2A3TQ4J56789")]
    view = position["view"]
    for player in view["players"]:
        player.update(hand=hand, hand_count=len(hand))
    shown = browser_page.evaluate(OPEN_HANDS, [view, width])
    assert ["".join(code[0] for code in codes) for codes in shown["codes"]] == ["A23456789TJQK"] * 3
    assert shown["apart"] and shown["inside"]


def test_a_name_that_is_written_from_right_to_left_turns_nothing_round_in_a_sentence(browser_page: Page) -> None:
    isolated = "async (names) => names.map((await import('/static/table/words.js')).isolated)"
    names = ["bob", "Zoë", "小林", "\u0645\u062d\u0645\u062f", "\u05d3\u05df"]
    assert browser_page.evaluate(isolated, names) == [*names[:3], *(f"\u2068{name}\u2069" for name in names[3:])]


@pytest.mark.parametrize("game", ["castle", "three_thirteen"])
def test_on_a_phone_held_sideways_names_are_whole_nothing_lies_under_cards_and_no_strip_grows(
    browser_page: Page, game: str
) -> None:
    view = GAMES[game].view(positions_of(game, 12, lots=3)[-1]["state"], 0)
    browser_page.set_viewport_size({"width": 844, "height": 390})
    seen = browser_page.evaluate(SIDEWAYS, view)
    assert (seen["cut"], seen["under"]) == ([], [])
    assert len({height for heights in seen["heights"] for height in heights}) == 1


def test_the_key_that_leads_to_the_line_may_come_along(browser_page: Page) -> None:
    typed = """async (lines) => {
      const { understand } = await import('/static/play/commands.js');
      return lines.map((line) => understand(line, [], []));
    }"""
    assert browser_page.evaluate(typed, ["/help", "/ ?", "/"]) == browser_page.evaluate(typed, ["help", "?", ""])
