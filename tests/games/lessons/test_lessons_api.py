"""GET lessons (LE3)."""

from games.lessons import NAMES, lesson
from tests.games.api.client import Person


def test_le3_the_lessons_are_listed_for_everybody(nobody: Person) -> None:
    answer = nobody.get("lessons")
    assert (answer.status, answer.body["next"]) == (200, None)
    assert [row["game"] for row in answer.body["results"]] == list(NAMES)
    assert all(row["steps"] == len(lesson(row["game"]).steps) for row in answer.body["results"])


def test_le3_a_lesson_has_a_strong_etag(nobody: Person) -> None:
    answer = nobody.get("lessons/castle")
    assert answer.body == lesson("castle").document()
    etag = answer.headers["etag"]
    assert etag.startswith('"v')
    assert nobody.get("lessons/castle", If_None_Match=etag).status == 304


def test_le3_an_unknown_lesson_is_not_found(nobody: Person) -> None:
    answer = nobody.get("lessons/whist")
    assert (answer.status, answer.body["code"]) == (404, "not_found")
