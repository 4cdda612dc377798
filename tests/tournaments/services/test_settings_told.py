"""NT1: that the settings have changed is told with which ones, from what to what."""

from test_service_telling import news
from tournament_scene import Club

from core.jobs import services as work
from core.notifications import services as telling
from tests.tournaments.moment import services
from tournaments.notifications.following import tell_entrants
from tournaments.picture.changes import settings_changed
from tournaments.services.setting_up import plan_of


def told(club: Club, name: str) -> list[str]:
    tell_entrants.catch_up()
    work.do_all(kinds=[telling.CHANGES])
    return [body["text"] for body in news(name, "changed")]


def test_nt1_what_changed_is_told_from_what_to_what(club: Club) -> None:
    club.open(settings={"rounds": 5})
    change = {"settings": {"rounds": 7, "tie_breaks": ["wins", "lot"]}, "deadline": 129_600, "plans": False}
    services.change(club.id, club.olga, change, now=club.now)
    assert told(club, "ada") == [
        "The settings of Threes 2026 have changed. "
        "Tie-breaks: opponents' strength, wins, head to head, countback, missed turns, now wins, lot. "
        "Rounds: 5, now 7. Plans: yes, now no. Deadline of a round: none, now 36 hours."
    ]
    assert told(club, "olga") == []


def test_nt1_many_changes_are_told_in_short_and_those_taken_back_not_at_all(club: Club) -> None:
    club.open(settings={"rounds": 5})
    services.change(club.id, club.olga, {"title": "Cup", "limit": 8}, now=club.now)
    services.change(club.id, club.olga, {"limit": None, "settings": {"rounds": 7, "best": 3, "min_games": 1}})
    services.change(club.id, club.olga, {"guests": True})
    [text] = told(club, "ada")
    assert text.startswith("The settings of Cup have changed. Title: Threes 2026, now Cup. ")
    assert text.endswith(" And 1 more.") and "Most" not in text and text.count(", now ") == 4


def test_nt1_whoever_may_not_see_it_any_more_reads_nothing_of_its_settings(club: Club) -> None:
    club.open(club.people[0], club.people[1], visibility="private")
    services.change(club.id, club.olga, {"title": "Our secret"}, now=club.now)
    assert "Our secret" in told(club, "ada")[0]
    services.rule(club.id, club.olga, {"ruling": "remove", "entrant": "e1", "reason": "insults"}, now=club.now)
    assert told(club, "ada") == ["The settings of a private tournament have changed."]


def test_each_setting_is_named_as_in_its_form_stages_and_options_too() -> None:
    stages = [
        {"kind": "rounds", "settings": {"rounds": 3}, "take": 4},
        {"kind": "knockout", "settings": {"advance": 1}},
    ]
    asked = {"title": "Cup", "game": "threes", "stages": stages}
    first, last = stages
    changed = {
        **asked,
        "options": {"ten_wild": True},
        "starts_at": "2026-12-04T18:00:00Z",
        "stages": [{**first, "take": 3, "break": 3600}, {**last, "title": "The end"}, {**last, "title": "More"}],
    }
    changed["stages"][1]["take"] = 2
    said = list(map(str, settings_changed(plan_of(asked), plan_of(changed))))
    assert said[:6] == [
        "10s are wild: as the rules say, now yes",
        "Starts at: none, now 4 December 2026, 18:00 UTC",
        "Stage 1, how many go through: 4, now 3",
        "Stage 1, break afterwards: 1 day, now 1 hour",
        "Stage 2, title: Knockout, now The end",
        "Stage 2, how many go through: none, now 2",
    ]
    assert "Stage 3, title: none, now More" in said
    assert settings_changed(plan_of(asked), plan_of(asked)) == []
