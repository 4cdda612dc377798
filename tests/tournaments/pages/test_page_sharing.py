"""What messengers find at a shared link: Open Graph, and a picture that they can read."""

import re
from io import BytesIO

import pytest
from django.test import Client
from PIL import Image

from games import services as games
from games.platform.http import pictures
from games.platform.pages.share_pictures import Words, draw, known
from tests.tournaments.services.season_scene import room_of, season
from tests.tournaments.services.tournament_scene import Club, end_game
from tournaments import services
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db
ROUNDS = {"settings": {"rounds": 2, "tables": {"size": 3}}}


def metas(client: Client, path: str) -> dict[str, str]:
    text = client.get(path).content.decode()
    return dict(re.findall(r'<meta (?:property|name)="((?:og|twitter):[^"]+)" content="([^"]*)">', text))


def path_of(club: Club) -> str:
    return f"/t/{Tournament.objects.get(pk=club.id).slug}"


def test_a_tournaments_link_shows_title_round_and_leader(
    club: Club, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    club.start(**ROUNDS)
    club.finish(1)
    drawn: list[Words] = []
    monkeypatch.setattr(pictures, "draw", lambda words: drawn.append(words) or draw(words))
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
    assert [name[:2] for name, _ in words.rows][:1] == ["1."]
    # It is drawn once, and not sent to whoever has it.
    assert client.get(path_of(club) + "/picture.png").content == answer.content
    assert (
        client.get(path_of(club) + "/picture.png", headers={"if-none-match": answer.headers["ETag"]}).status_code == 304
    )
    assert len(drawn) == 1


def test_a_tournament_that_was_called_off_shows_nobody_as_first(
    club: Club, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    club.start(**ROUNDS)
    club.finish(1)
    services.cancel(club.id, club.olga, "The hall burnt down.", now=club.now)
    drawn: list[Words] = []
    monkeypatch.setattr(pictures, "draw", lambda words: drawn.append(words) or draw(words))
    client.get(path_of(club) + "/picture.png")
    [words] = drawn
    assert (words.said, words.rows) == ("It was called off.", [])


def test_a_private_tournament_and_a_draft_give_nothing_away(club: Club, client: Client) -> None:
    club.start(visibility="private", **ROUNDS)
    invited = f"?invitation={club.t.invitation}"
    assert client.get(path_of(club) + "/picture.png" + invited).status_code == 404
    assert client.get(path_of(club) + invited).status_code == 200
    assert metas(client, path_of(club) + invited) == {}
    Tournament.objects.filter(pk=club.id).update(visibility="public", status="draft")
    assert client.get(path_of(club) + "/picture.png").status_code == 404


def test_a_public_games_link_shows_its_people_and_a_private_one_nothing(club: Club, client: Client) -> None:
    ada, bob = club.people[:2]
    room = games.open_room(ada, game="threes", seats=2, now=club.now)
    games.join(room.id, bob, now=club.now)
    games.start(room.id, ada, now=club.now)
    found = metas(client, f"/games/{room.id}")
    assert found["og:title"] == f"Threes: {ada.username} and {bob.username}"
    assert client.get("/" + found["og:image"].split("/", 3)[3]).headers["Content-Type"] == "image/png"
    hidden = games.open_room(ada, game="threes", seats=2, visibility="private", now=club.now)
    assert client.get(f"/games/{hidden.id}/picture.png?invitation={hidden.invitation}").status_code == 404
    assert metas(client, f"/games/{hidden.id}?invitation={hidden.invitation}") == {}
    # Three Thirteen is nobody else's to see once it is dealt (TT10).
    secret = games.open_room(ada, game="three_thirteen", seats=2, now=club.now)
    games.join(secret.id, bob, now=club.now)
    games.start(secret.id, ada, now=club.now)
    assert client.get(f"/games/{secret.id}/picture.png").status_code == 404


@pytest.mark.parametrize(
    "words",
    [
        Words("", "", ""),
        Words("k" * 500, "W" * 500, "said " * 200, [("n" * 300, "9" * 40)] * 9),
        Words("Threes", "Žofie Çağla 雨 \N{GRINNING FACE}", "\N{ARABIC LETTER ALEF}", [("\N{SNOWMAN}", "½")]),
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


def test_a_picture_has_the_letters_of_european_names() -> None:
    assert known("Łódź, Žofie, Çağla, Ωμέγα, Кубок") == "Łódź, Žofie, Çağla, Ωμέγα, Кубок"
    assert known("雨") == "?"


def test_a_cups_link_says_how_many_are_still_in_and_then_who_won(
    club: Club, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[Words] = []
    monkeypatch.setattr(pictures, "draw", lambda words: drawn.append(words) or draw(words))
    club.start(kind="knockout", settings={"tables": {"size": 3}, "advance": 1})
    club.finish(1)
    client.get(path_of(club) + "/picture.png")
    assert drawn[-1].said == "Round 1: 1 of 2 tables still playing. 4 of 6 are still in."
    assert not drawn[-1].rows
    club.finish(2).run().finish(1)
    client.get(path_of(club) + "/picture.png")
    assert drawn[-1].said.endswith(" won.")
    assert [total for _, total in drawn[-1].rows] == ["", "", "", "", "", ""], "points are those of one table"


def test_a_seasons_link_shows_who_leads(club: Club, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[Words] = []
    monkeypatch.setattr(pictures, "draw", lambda words: drawn.append(words) or draw(words))
    season(club)
    room = room_of(club, *club.people[:3])
    games.start(room, club.people[0], now=club.now)
    end_game(room, [0, 1, 2], club.now)
    club.run()
    client.get(path_of(club) + "/picture.png")
    assert drawn[-1].said.startswith("ada leads with 0.57 points")
    assert drawn[-1].rows[0] == ("1. ada", "0.57")
