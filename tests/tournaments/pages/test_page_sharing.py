"""What messengers find at a shared link: Open Graph, and a picture that they can read."""

import re
from datetime import timedelta
from io import BytesIO

import pytest
from django.test import Client
from PIL import Image, ImageDraw

from core import pictures
from core.accounts.models import Player
from core.pictures import Row, Words, draw, known
from games import services as games
from tests.scenes import done_at
from tests.tournaments.moment import services
from tests.tournaments.services.season_scene import room_of, season
from tests.tournaments.services.tournament_scene import Club, end_game
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db
ROUNDS = {"settings": {"rounds": 2, "tables": {"size": 3}}}


def metas(client: Client, path: str) -> dict[str, str]:
    text = client.get(path).content.decode()
    return dict(re.findall(r'<meta (?:property|name)="((?:og|twitter):[^"]+)" content="([^"]*)">', text))


def path_of(club: Club) -> str:
    return f"/t/{Tournament.objects.get(pk=club.id).slug}"


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Words]:
    """The words of each picture that is drawn."""
    found: list[Words] = []
    monkeypatch.setattr(pictures, "draw", lambda words: found.append(words) or draw(words))
    return found


def shared(club: Club, client: Client, drawn: list[Words]) -> tuple[str, list[tuple[str, str]]]:
    """What the newest picture says, and its rows."""
    client.get(path_of(club) + "/picture.png")
    return drawn[-1].said, [(row.what, row.text) for row in drawn[-1].rows]


@pytest.mark.sampled
def test_a_tournaments_link_shows_title_round_and_leader(club: Club, client: Client, drawn: list[Words]) -> None:
    club.start(**ROUNDS)
    club.finish(1)
    found = metas(client, path_of(club))
    assert found["og:title"] == "Threes 2026"
    assert found["twitter:card"] == "summary_large_image"
    assert "Round 1 of 2: 1 of 2 tables still playing." in found["og:image:alt"]
    assert found["og:image"].startswith("http://") and found["og:image"].endswith(f"?v={club.t.version}")
    answer = client.get("/" + found["og:image"].split("/", 3)[3])
    assert answer.headers["Content-Type"] == "image/png"
    image = Image.open(BytesIO(answer.content))
    assert image.size == (1200, 630) and len(answer.content) < 100_000
    [words] = drawn
    assert words.title == "Threes 2026" and " leads with 1 point" in words.said
    assert words.rows[0].what == "1."
    # It is drawn once, and not sent to whoever has it.
    assert client.get(path_of(club) + "/picture.png").content == answer.content
    assert (
        client.get(path_of(club) + "/picture.png", headers={"if-none-match": answer.headers["ETag"]}).status_code == 304
    )
    assert len(drawn) == 1


@pytest.mark.sampled
def test_a_tournament_that_was_called_off_shows_nobody_as_first(club: Club, client: Client, drawn: list[Words]) -> None:
    club.start(**ROUNDS)
    club.finish(1)
    services.cancel(club.id, club.olga, "The hall burnt down.", now=club.now)
    client.get(path_of(club) + "/picture.png")
    [words] = drawn
    assert words.said == "It was called off. The hall burnt down."
    assert [row.what for row in words.rows] == ["Started", "Ended"]


def test_the_picture_of_what_became_private_is_nobodys_copy(club: Club, client: Client) -> None:
    """Caches ask each time whether it may still be shown."""
    club.open(**ROUNDS)
    room = games.open_room(club.people[0], games.Terms("threes", 2), now=club.now)
    pictures = [path_of(club) + "/picture.png", f"/games/{room.id}/picture.png"]
    shown = [client.get(path) for path in pictures]
    assert {answer.headers["Cache-Control"] for answer in shown} == {"no-cache"}
    services.change(club.id, club.olga, {"visibility": "private"}, now=club.now)
    done_at(club.now, games.change_room, room.id, club.people[0], {"visibility": "private"})
    for path, answer in zip(pictures, shown, strict=True):
        assert client.get(path, headers={"if-none-match": answer.headers["ETag"]}).status_code == 404


def test_a_private_tournament_and_a_draft_give_nothing_away(club: Club, client: Client) -> None:
    club.start(visibility="private", **ROUNDS)
    invited = f"?invitation={club.t.invitation}"
    assert client.get(path_of(club) + "/picture.png" + invited).status_code == 404
    assert client.get(path_of(club) + invited).status_code == 200
    assert metas(client, path_of(club) + invited) == {}
    Tournament.objects.filter(pk=club.id).update(visibility="public", status="draft")
    assert client.get(path_of(club) + "/picture.png").status_code == 404


@pytest.mark.sampled
def test_a_public_games_link_shows_its_people_and_a_private_one_nothing(
    club: Club, client: Client, drawn: list[Words]
) -> None:
    ada, bob = club.people[:2]
    room = games.open_room(ada, games.Terms("threes", 2), now=club.now)
    client.get(f"/games/{room.id}/picture.png")
    assert list(drawn[-1].rows) == [Row("Seats", "1 of 2 taken"), Row("Pace", "1 day per turn")]
    done_at(club.now, games.join, room.id, bob)
    done_at(club.now, games.start, room.id, ada)
    client.get(f"/games/{room.id}/picture.png")
    assert [(row.text, row.number) for row in drawn[-1].rows] == [("ada", "9 cards"), ("bob", "9 cards")]
    games.play(room.id, ada, {"move": "resign"}, now=club.now)
    client.get(f"/games/{room.id}/picture.png")
    assert [(row.what, row.text) for row in drawn[-1].rows] == [("1.", "bob (9 cards left)"), ("2.", "ada")]
    assert drawn[-1].said.startswith("The game is over. 1. bob")
    room = games.open_room(ada, games.Terms("threes", 2), now=club.now)
    done_at(club.now, games.join, room.id, bob)
    done_at(club.now, games.start, room.id, ada)
    found = metas(client, f"/games/{room.id}")
    assert found["og:title"] == f"Threes: {ada.username} and {bob.username}"
    assert client.get("/" + found["og:image"].split("/", 3)[3]).headers["Content-Type"] == "image/png"
    hidden = games.open_room(ada, games.Terms("threes", 2, visibility="private"), now=club.now)
    assert client.get(f"/games/{hidden.id}/picture.png?invitation={hidden.invitation}").status_code == 404
    assert metas(client, f"/games/{hidden.id}?invitation={hidden.invitation}") == {}
    # Three Thirteen is nobody else's to see once it is dealt (TT10).
    secret = games.open_room(ada, games.Terms("three_thirteen", 2), now=club.now)
    done_at(club.now, games.join, secret.id, bob)
    done_at(club.now, games.start, secret.id, ada)
    assert client.get(f"/games/{secret.id}/picture.png").status_code == 404


@pytest.mark.parametrize(
    "words",
    [
        Words("", "", ""),
        Words("k" * 500, "W" * 500, "said " * 200, [Row("k" * 90, "n" * 300, "9" * 40)] * 9),
        Words("Threes", "Žofie Çağla 雨 \N{GRINNING FACE}", "\N{ARABIC LETTER ALEF}", [Row("", "\N{SNOWMAN}", "½")]),
    ],
)
def test_any_words_make_a_picture_of_the_size_that_messengers_want(words: Words) -> None:
    image = Image.open(BytesIO(draw(words)))
    assert image.size == (1200, 630)


def test_a_games_page_leads_to_its_tournament(club: Club, client: Client) -> None:
    club.start(**ROUNDS)
    address = f"/t/{club.id}"
    assert f'href="{address}"' in client.get(f"/games/{club.game_id(1)}").content.decode()
    assert client.get(address).headers["Location"] == path_of(club)
    Tournament.objects.filter(pk=club.id).update(visibility="private")
    assert client.get(address).status_code == 404
    client.force_login(club.people[0])
    assert client.get(address).headers["Location"] == path_of(club)
    assert client.get(path_of(club)).status_code == 200


def test_what_is_too_long_for_a_picture_is_cut_between_words_and_a_long_name_within(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn: list[str] = []
    monkeypatch.setattr(ImageDraw.ImageDraw, "text", lambda self, at, text, **_: drawn.append(text))
    said = "Stage 1 is over. Final begins on 29 November 2026, 15:16 UTC. steady bot (e4) leads with 1.67 points."
    draw(Words("Castle", "Autumn Cup", said, [Row("1.", "w" * 60, "1.67")] * 4))
    assert "15:16 UTC. steady bot (e4) leads with 1.67 points." in drawn
    assert any(text.startswith("wwww") and text.endswith("w…") for text in drawn)


def test_a_picture_has_the_letters_of_european_names() -> None:
    assert known("Łódź, Žofie, Çağla, Ωμέγα, Кубок") == "Łódź, Žofie, Çağla, Ωμέγα, Кубок"
    assert known("雨") == "?"


@pytest.mark.sampled
def test_a_cups_link_shows_who_plays_where_and_who_is_through_and_then_who_won(
    club: Club, client: Client, drawn: list[Words]
) -> None:
    club.start(kind="knockout", settings={"tables": {"size": 3}, "advance": 1})
    people = {f"e{number}": one.username for number, one in enumerate(club.people, 1)}
    names = {table: [people[key] for key in club.t.tables[1, table].entrants] for table in (1, 2)}
    together = {table: "{}, {} and {}".format(*names[table]) for table in names}
    said, rows = shared(club, client, drawn)
    assert (said, rows) == ("Round 1: 2 tables are playing.", [("Table 1", together[1]), ("Table 2", together[2])])
    club.finish(1)
    said, rows = shared(club, client, drawn)
    assert said == "Round 1: 1 of 2 tables still playing. 4 of 6 are still in."
    assert rows == [("Table 2", together[2]), ("Through", names[1][0])]
    club.finish(2).run()
    said, rows = shared(club, client, drawn)
    assert said == "The final is being played. 2 of 6 are still in."
    assert [what for what, _ in rows] == ["Final", ""] and {text for _, text in rows} == {names[1][0], names[2][0]}
    club.finish(1)
    said, rows = shared(club, client, drawn)
    assert said == f"{rows[0][1]} won."
    assert {row.number for row in drawn[-1].rows} == {""}, "points are those of one table"


@pytest.mark.sampled
def test_a_link_before_the_start_shows_who_is_in_when_it_starts_and_how_it_is_played(
    club: Club, client: Client, drawn: list[Words]
) -> None:
    club.open(**ROUNDS, limit=8, starts_at=(club.now + timedelta(days=3)).isoformat())
    starts = f"{club.now + timedelta(days=3):%d %B %Y, %H:%M} UTC"
    said, rows = shared(club, client, drawn)
    assert said == "6 of 8 places taken. It has not started yet."
    terms = [("Mode", "2 rounds at tables of about 3"), ("Pace", "1 day per turn")]
    assert rows == [("In", "ada, bob, cleo, dan, eve and fay"), ("Starts", starts), *terms]
    services.enter(club.id, Player.objects.create_user("gus"), now=club.now)
    assert shared(club, client, drawn)[1][0] == ("In", "ada, bob, cleo, dan, eve and 2 more")
    services.start(club.id, club.olga, now=club.now)
    club.run()
    said, rows = shared(club, client, drawn)
    assert said == "Round 1 of 2: 2 tables are playing."
    assert [what for what, _ in rows] == ["Table 1", "Table 2"]


@pytest.mark.sampled
def test_a_seasons_link_shows_who_plays_and_then_who_leads(club: Club, client: Client, drawn: list[Words]) -> None:
    season(club)
    room_of(club, club.people[3], seats=4)  # nobody else has sat down
    said, rows = shared(club, client, drawn)
    assert (said, rows[0]) == ("There is no result yet.", ("In", "ada, bob, cleo, dan, eve and fay"))
    room = room_of(club, *club.people[:3])
    assert shared(club, client, drawn)[1][0] == ("Playing", "ada, bob and cleo")
    end_game(room, [0, 1, 2], club.now)
    club.run()
    said, rows = shared(club, client, drawn)
    assert said.startswith("ada leads with 0.57 points")
    assert drawn[-1].rows[0] == Row("1.", "ada", "0.57")
