"""Rooms as pages: forms that post to the services, of use without script."""

import html
from typing import Any

import pytest
from django.test import Client

from core.accounts.models import Player
from games import services
from games.models import Game
from games.projections import Snapshot, load
from games.rules import GAMES

pytestmark = pytest.mark.django_db
FIRST = {"seats": "3", "bots": "0", "visibility": "private", "per_turn": ""}


@pytest.fixture
def ada() -> Player:
    return Player.objects.create_user("ada")


@pytest.fixture
def browser(ada: Player) -> Client:
    client = Client()
    client.force_login(ada)
    return client


def room_of(browser: Client, game: str = "threes", **fields: str) -> Snapshot:
    answer = browser.post(f"/rooms/new/{game}", {**FIRST, "plans": "on", "rated": "on", **fields})
    assert answer.status_code == 302, answer.content.decode()
    found = load(answer.headers["Location"].removeprefix("/rooms/"))  # type: ignore[arg-type]
    assert found is not None
    return found


@pytest.mark.sampled
def test_a_room_is_open_to_all_by_the_usual_settings_of_each_game(browser: Client) -> None:
    for game in GAMES:
        page = browser.get(f"/rooms/new/{game}")
        assert page.status_code == 200
        initial = {field.name: str(field.value() or "") for field in page.context["form"].first()}
        room = room_of(browser, game, **initial)
        assert (room.game, room.visibility, room.clock["per_turn"]) == (game, "private", 86_400)
        assert room.start == "full", "as the form ticks it (BT1)"
        assert room.asked_options == {}


@pytest.mark.parametrize(
    ("chosen", "clock"), [({}, None), ({"per_turn": "86400"}, 86_400), ({"clock_bank": "3600"}, 86_400)]
)
def test_bt2_a_table_with_bots_alone_has_the_clock_that_its_opener_chose(
    browser: Client, chosen: dict[str, str], clock: int | None
) -> None:
    game = room_of(browser, seats="2", bots="1", starts_full="on", **chosen)
    assert (game.status != "open", game.is_practice) == (True, clock is None)
    assert game.clock["per_turn"] == 86_400


@pytest.mark.sampled
def test_bt5_the_form_offers_the_last_five_sets_of_rules_clock_and_size(browser: Client) -> None:
    assert "As last time" not in browser.get("/rooms/new/threes").content.decode()
    for seats in (2, 3, 4, 5, 6, 6, 3):
        room = room_of(browser, seats=str(seats), per_turn="3600", option_decks="2")
    room_of(browser, "castle")
    page = browser.get("/rooms/new/threes")
    assert [one["said"] for one in page.context["last_times"]] == [
        f"{seats} seats, 1 hour per turn, Decks: 2" for seats in (3, 6, 5, 4, 2)
    ]
    again = browser.get(f"/rooms/new/threes?like={room.id}")
    fields = {field.name: str(field.value() or "") for field in again.context["form"]}
    assert (fields["seats"], fields["per_turn"], fields["option_decks"]) == ("3", "3600", "2")
    assert browser.get("/rooms/new/threes?like=x").status_code == 200


def test_bt2_an_opener_takes_a_clock_back(browser: Client) -> None:
    room = room_of(browser, per_turn="86400")
    page = browser.get(f"/rooms/{room.id}/rules")
    assert 'value="86400" selected' in page.content.decode()
    assert browser.post(f"/rooms/{room.id}/rules", {**FIRST, "seen": page.context["seen"]}).status_code == 302
    now = load(room.id)
    assert now is not None
    assert (room.named_clock, now.named_clock) == (True, False)


def test_the_form_is_drawn_from_the_rulesets_with_their_ranges(browser: Client) -> None:
    text = html.unescape(browser.get("/rooms/new/threes").content.decode())
    for name, option in GAMES["threes"].options_of("2023").items():
        assert f'name="option_{name}"' in text
        said = option.help.replace("ten_wild", "“10s are wild”")
        assert (said in text) == (name != "play_until"), "its choices say it"
    assert 'max="16"' in text


@pytest.mark.parametrize("game", GAMES)
def test_the_form_says_everything_in_words_and_no_default_that_a_ruleset_changes(browser: Client, game: str) -> None:
    form = browser.get(f"/rooms/new/{game}").context["form"]
    said = [field.label + field.help_text for field in form]
    said += [words for field in form for _, words in getattr(field.field, "choices", ())]
    assert not [text for text in said if "_" in text]
    if game == "threes":
        unset = dict(form["option_ten_wild"].field.choices)[""], dict(form["option_ten_obeys_seven"].field.choices)[""]
        assert unset == ("as the rules say", "as the rules say: no")


def test_the_room_names_its_options_as_the_form_does(browser: Client) -> None:
    room = room_of(browser, option_play_until="first_out", option_ten_wild="yes")
    text = browser.get(f"/rooms/{room.id}").content.decode()
    assert "Play until: the first player is out" in text
    assert "10s are wild: yes" in text


def test_options_and_clock_reach_the_room_as_they_were_chosen(browser: Client) -> None:
    chosen = {"ruleset": "2022", "option_decks": "2", "option_ten_wild": "no", "option_play_until": "first_out",
              "clock_weekend_pause": "yes", "clock_bank": "28800", "bots": "1"}  # fmt: skip
    room = room_of(browser, **chosen)
    assert room.ruleset == "2022"
    assert room.asked_options == {"decks": 2, "ten_wild": False, "play_until": "first_out"}
    assert (room.clock["weekend_pause"], room.clock["bank"], len(room.players)) == (True, 28_800, 2)


@pytest.mark.parametrize(
    ("field", "value"), [("option_decks", "99"), ("option_decks", "x"), ("seats", "40"), ("clock_time_zone", "Nowhere")]
)
def test_what_is_wrong_is_said_beside_its_field_and_nothing_opens(browser: Client, field: str, value: str) -> None:
    answer = browser.post("/rooms/new/threes", {**FIRST, field: value})
    assert answer.status_code == 400
    [said] = answer.context["form"].errors[field]
    assert said[0].isupper() and field.removeprefix("clock_") not in said, "in words, not as the API calls it"
    assert not Game.objects.exists()


def test_who_has_no_account_opens_a_table_under_a_name(ada: Player) -> None:
    browser = Client()
    assert browser.post("/rooms/new/castle", {**FIRST, "name": "ADA"}).context["form"].errors["name"]
    assert browser.post("/rooms/new/castle", {**FIRST, "name": "Bob"}).status_code == 302
    assert Player.objects.get(username="Bob").is_guest


def test_the_room_shows_the_link_its_code_and_who_is_there(browser: Client) -> None:
    room = room_of(browser)
    text = browser.get(f"/rooms/{room.id}").content.decode()
    assert f"http://testserver/join/{room.invitation}" in text
    assert "<svg" in text and "You need at least 2 players." in text


def test_an_opener_adds_a_bot_changes_the_rules_and_starts(browser: Client) -> None:
    room = room_of(browser)
    assert room.start == "opener"
    where = f"/rooms/{room.id}"
    browser.post(f"{where}/bots", {"level": "steady"})
    page = browser.get(f"{where}/rules")
    assert 'value="2" selected' in page.content.decode().replace('value="3" selected', 'value="2" selected')
    wanted = {**FIRST, "seats": "2", "per_turn": "3600", "option_decks": "2", "seen": page.context["seen"]}
    changed = browser.post(f"{where}/rules", wanted)
    assert changed.headers["Location"] == where
    now = load(room.id)
    assert now is not None
    assert (now.seats, now.clock["per_turn"], now.asked_options) == (2, 3600, {"decks": 2})
    browser.post(f"{where}/start")
    assert browser.get(where).headers["Location"] == f"/games/{room.id}"


def sent_untouched(page: Any) -> dict[str, Any]:
    """What a browser sends of the rules' form if nothing is touched."""
    filled = {one.name: one.value() for one in page.context["form"] if one.value() not in ("", None, False)}
    return {**filled, "seen": page.context["seen"]}


def test_what_was_changed_elsewhere_meanwhile_stays_where_an_old_page_left_it_alone(browser: Client) -> None:
    room = room_of(browser, starts_full="on")
    where = f"/rooms/{room.id}"
    old = sent_untouched(browser.get(f"{where}/rules"))
    changed = {**old, "per_turn": "3600", "option_decks": "2", "option_ten_wild": "no"}
    del changed["starts_full"]
    assert browser.post(f"{where}/rules", changed).status_code == 302
    merged = browser.post(f"{where}/rules", {**old, "seats": "2", "option_decks": "2"}, follow=True)
    now = load(room.id)
    assert now is not None
    assert (now.seats, now.clock["per_turn"], now.start) == (2, 3600, "opener")
    assert now.asked_options == {"decks": 2, "ten_wild": False}
    kept = "Time per turn: 1 hour, Start when the table is full: off, Decks: 2, 10s are wild: no."
    assert f"Changed elsewhere meanwhile, and kept: {kept}" in merged.content.decode()


def test_what_an_old_page_changed_too_is_shown_with_what_is_saved_before_it_is_replaced(browser: Client) -> None:
    room = room_of(browser)
    where = f"/rooms/{room.id}"
    old = sent_untouched(browser.get(f"{where}/rules"))
    assert browser.post(f"{where}/rules", {**old, "seats": "2", "option_ten_wild": "no"}).status_code == 302
    stale = browser.post(f"{where}/rules", {**old, "seats": "4", "option_decks": "3"})
    text, now = stale.content.decode(), load(room.id)
    assert now is not None
    assert (stale.status_code, now.seats, now.asked_options) == (400, 2, {"ten_wild": False})
    assert "These settings may have changed since you opened this page." in text
    assert {one.name: one.saved for one in stale.context["form"] if hasattr(one, "saved")} == {"seats": "2"}
    assert 'value="4" selected' in text and "Saved now: 2</p>" in text
    again = sent_untouched(stale)
    assert again["option_ten_wild"] == "no", "what was left alone is merged meanwhile"
    assert browser.post(f"{where}/rules", again).status_code == 302, "having been told"
    now = load(room.id)
    assert now is not None
    assert (now.seats, now.asked_options) == (4, {"ten_wild": False, "decks": 3})


@pytest.mark.parametrize("seen", [{}, {"seen": "v2"}])
def test_a_page_that_does_not_say_what_it_showed_replaces_nothing_unasked(
    browser: Client, seen: dict[str, str]
) -> None:
    room = room_of(browser)
    where = f"/rooms/{room.id}/rules"
    old = {**sent_untouched(browser.get(where)), "clock_bank": "0"}
    del old["seen"]
    assert browser.post(where, {**old, **seen}).status_code == 302, "nothing differs"
    refused = browser.post(where, {**old, **seen, "seats": "2"})
    now = load(room.id)
    assert now is not None
    assert (refused.status_code, now.seats) == (400, room.seats)
    assert 'value="2" selected' in refused.content.decode()
    assert f"Saved now: {room.seats}</p>" in refused.content.decode()
    assert browser.post(where, sent_untouched(refused)).status_code == 302, "having been told"


def test_the_room_of_a_rematch_names_those_whose_seats_are_kept(browser: Client, ada: Player) -> None:
    bob = Player.objects.create_user("bob")
    game = services.open_room(ada, services.Terms("threes", 2))
    services.join(game.id, bob)
    services.start(game.id, ada)
    services.play(game.id, bob, {"move": "resign"})
    room = services.rematch(game.id, ada)
    text = " ".join(browser.get(f"/rooms/{room.id}").content.decode().split())
    assert "A seat is kept for bob, who played in the last game and has been told, <time datetime=" in text
    other = Client()
    other.force_login(bob)
    assert '"again": "ada"' in other.get(f"/games/{game.id}").content.decode()
    services.rematch(game.id, bob)
    assert "kept for" not in browser.get(f"/rooms/{room.id}").content.decode()


def test_a_refusal_is_said_on_the_page_where_it_happened(browser: Client) -> None:
    room = room_of(browser)
    text = browser.post(f"/rooms/{room.id}/start", follow=True).content.decode()
    assert "needs at least 2 players" in text
    assert "Nobody is sitting in that seat" in browser.post(f"/rooms/{room.id}/kick", follow=True).content.decode()


def test_nobody_is_removed_for_having_moved_up_to_a_seat(browser: Client, ada: Player) -> None:
    room, (bob, cleo) = room_of(browser), [Player.objects.create_user(name) for name in ("bob", "cleo")]
    for player in (bob, cleo):
        services.join(room.id, player, invitation=room.invitation)
    page = browser.get(f"/rooms/{room.id}").content.decode()
    sent = {"seat": "1", "who": str(bob.pk)}
    assert f'name="seat" value="1"><input type="hidden" name="who" value="{bob.pk}">' in page
    services.leave(room.id, bob)
    text = browser.post(f"/rooms/{room.id}/kick", sent, follow=True).content.decode()
    assert "Somebody else is sitting in that seat now." in text
    browser.post(f"/rooms/{room.id}/kick", {**sent, "who": str(cleo.pk)})
    now = load(room.id)
    assert now is not None
    assert [seat.player for seat in now.players] == [ada.pk]


def test_strangers_are_led_to_the_door_of_a_public_room_and_find_no_private_one(browser: Client) -> None:
    public, private = room_of(browser, visibility="public"), room_of(browser)
    stranger = Client()
    stranger.force_login(Player.objects.create_user("zoe"))
    assert stranger.get(f"/rooms/{public.id}").headers["Location"] == f"/join/{public.id}"
    assert stranger.get(f"/rooms/{private.id}").status_code == 404
    assert stranger.post(f"/rooms/{private.id}/start", follow=True).status_code == 404
    assert str(private.id) not in stranger.get("/rooms").content.decode()
    assert f"/join/{public.id}" in stranger.get("/rooms").content.decode()


def test_the_list_of_rooms_is_public_and_bounded(ada: Player, django_assert_max_num_queries: Any) -> None:
    for _ in range(40):
        services.open_room(ada, services.Terms("threes", 2))
    with django_assert_max_num_queries(4):
        page = Client().get("/rooms")
    assert len(page.context["rooms"]) == 30
    assert "X-Robots-Tag" not in page.headers


def test_a_rematch_is_a_button(browser: Client, ada: Player) -> None:
    bob = Player.objects.create_user("bob")
    room = services.open_room(ada, services.Terms("threes", 2))
    services.join(room.id, bob)
    services.start(room.id, ada)
    services.play(room.id, bob, {"move": "resign"})
    assert "Play again" in browser.get("/").content.decode()
    answer = browser.post(f"/rooms/{room.id}/rematch")
    assert Game.objects.get(rematch_of=room.id).pk == load(answer.headers["Location"].removeprefix("/rooms/")).id  # type: ignore[arg-type,union-attr]


def test_a_page_that_changes_something_needs_ones_session_and_its_own_form(browser: Client) -> None:
    room = room_of(browser)
    assert Client().post(f"/rooms/{room.id}/start").headers["Location"].startswith("/accounts/login/")
    assert browser.get(f"/rooms/{room.id}/start").status_code == 405
    assert browser.post(f"/rooms/{room.id}/nonsense").status_code == 404


def test_a_name_of_no_account_stays_in_its_field_to_be_put_right(browser: Client) -> None:
    room = room_of(browser)
    page = browser.post(f"/rooms/{room.id}/invite", {"username": "<bobb>"}, follow=True).content.decode()
    assert "<details open><summary>Somebody with an account" in page
    assert 'value="&lt;bobb&gt;"' in page
    Player.objects.create_user("bob")
    page = browser.post(f"/rooms/{room.id}/invite", {"username": "bob"}, follow=True).content.decode()
    assert "bob has been sent a link to join." in page
    assert "<details><summary>Somebody with an account" in page
