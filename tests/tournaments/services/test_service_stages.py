"""Stages as the runner plays them (SG10 to SG12): rounds, then a final; a season, then a table of the best."""

from datetime import timedelta
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest
from tournament_scene import Club, end_game

from core import clock as service_clock
from core.accounts.models import Player
from core.notifications.models import Notification
from core.refusals import Conflict, Forbidden, Invalid, NotFound
from games import services as games
from games.models import Game
from tests import notifications
from tests.scenes import done_at
from tests.tournaments.moment import services
from tournaments import models, selectors
from tournaments.notifications.following import tell_entrants
from tournaments.notifications.kinds import OF_STAGE
from tournaments.rules import cut, evolve, read_record
from tournaments.rules.standings import standings_and_bounds
from tournaments.services import runner
from tournaments.stream import fold_all

ROUNDS: dict[str, Any] = {"kind": "rounds", "settings": {"rounds": 1, "tables": {"size": 3, "min": 2}}, "take": 3}
FINAL: dict[str, Any] = {"title": "Final", "kind": "knockout", "settings": {"advance": 1, "tables": {"size": 3}}}
SEASON: dict[str, Any] = {"kind": "season", "take": 2}


@pytest.fixture
def club(db: None, clock: service_clock.FrozenClock) -> Club:
    return Club(service_clock.now(), people=6)


def in_the_break(club: Club, **first: Any) -> Club:
    """Two tables have been played, and three of the six are through as it stands."""
    club.start(stages=[{**ROUNDS, **first}, FINAL])
    club.finish_round()
    return club


def as_it_stands(club: Club) -> list[str]:
    return list(selectors.next_stage_for(models.Tournament.objects.get(pk=club.id))["seeds"])


def standing_below(club: Club) -> list[str]:
    through = as_it_stands(club)
    return [key for key in club.standings() if key not in through]


def rule(club: Club, ruling: str, **asked: Any) -> Any:
    return services.rule(club.id, club.olga, {"ruling": ruling, "reason": "because", **asked}, now=club.now)


def agrees_with_its_log(club: Club) -> None:
    """The rows are what the log says, and who went on is what the record's rules say (SG4)."""
    events = selectors.events_of(club.id)
    folded, t = fold_all(club.id, events), club.t
    assert folded is not None
    assert (folded.begun, folded.plan, folded.break_ends, folded.draft) == (t.begun, t.plan, t.break_ends, t.draft)
    for n, event in enumerate(events):
        if event.type == "staged":
            before = read_record(selectors.document(t.plan, t.seed, events[:n], {}))
            early = event.data["reason"] is not None
            assert cut.next_stage(before, early=early).as_json() == {
                name: event.data[name] for name in ("stage", "seeds", "decided_by")
            }


@pytest.mark.sampled
def test_sg11_a_break_begins_when_the_stage_is_over_and_then_the_next_stage(club: Club) -> None:
    in_the_break(club)
    assert club.types()[-2:] == ["round_closed", "stage_over"]
    assert club.t.stage == 1
    assert club.t.break_ends == club.now + timedelta(days=1)
    club.run(hours=23)
    assert club.t.stage == 1
    through = as_it_stands(club)

    club.run(hours=1)

    assert club.types()[-2:] == ["staged", "seated"]
    assert club.t.begun[0].seeds == tuple(through)
    assert club.t.plan.kind == "knockout"
    assert club.t.tables[2, 1].entrants == tuple(through)
    agrees_with_its_log(club)


@pytest.mark.sampled
def test_sg11_without_a_break_the_next_stage_begins_at_once_and_the_last_one_finishes(club: Club) -> None:
    in_the_break(club, **{"break": 0})
    assert "stage_over" not in club.types()
    club.finish(1, *reversed(club.t.tables[2, 1].entrants))
    assert club.t.ended_why == "final"
    winner, *_ = club.standings().values()
    assert (winner["entrant"], winner["place"], winner["stage"]) == (club.t.begun[0].seeds[-1], 1, 2)
    agrees_with_its_log(club)


def test_sg11_run_twice_no_stage_begins_twice(club: Club) -> None:
    in_the_break(club).run(days=1)
    version = club.t.version
    for _ in range(3):
        assert runner.run_step(club.id, now=club.now) is None
    assert club.t.version == version


def test_sg4_who_withdraws_in_the_break_is_passed_over_and_the_next_one_moves_up(club: Club) -> None:
    in_the_break(club)
    first, *rest = as_it_stands(club)
    services.withdraw(club.id, club.olga, first, resign=False, now=club.now)
    up = as_it_stands(club)
    assert up[:2] == rest
    club.run(days=1)
    assert club.t.begun[0].seeds == tuple(up)
    staged = next(event for event in selectors.events_of(club.id) if event.type == "staged")
    assert staged.data["passed"] == [{"entrant": first, "why": "withdrew"}]


def test_sg9_who_is_not_in_a_stage_is_seated_no_more_and_nobody_enters(club: Club) -> None:
    in_the_break(club).run(days=1)
    out = next(key for key in club.standings() if key not in club.t.begun[0].seeds)
    assert club.standings()[out]["status"] == "out"
    with pytest.raises(Conflict) as refused:
        services.enter(club.id, club.olga, invitation=club.t.invitation, now=club.now)
    assert refused.value.code == "entries_closed"


def test_sg11_too_few_finish_the_tournament_as_it_stands(club: Club) -> None:
    in_the_break(club)
    for key in list(club.standings())[1:]:
        services.withdraw(club.id, club.olga, key, resign=False, now=club.now)
    club.run(days=1)
    assert (club.t.status, club.t.ended_why, club.t.stage) == ("finished", "too few", 1)


@pytest.mark.sampled
def test_sg11_a_stage_that_is_drafted_begins_with_the_draft_s_publishing(club: Club) -> None:
    club.start(stages=[ROUNDS, {**FINAL, "pace": "manual"}])
    club.finish_round()
    club.run(days=2)
    assert club.t.stage == 1
    services.next_round(club.id, club.olga, now=club.now)
    assert club.types()[-1] == "drafted"
    assert club.t.draft is not None
    drafted = club.t.draft.tables
    services.publish(club.id, club.olga, now=club.now)
    assert club.types()[-2:] == ["staged", "seated"]
    assert (club.t.stage, club.t.tables[2, 1].entrants) == (2, drafted[0])
    agrees_with_its_log(club)


def test_sg11_a_withdrawal_or_a_ruling_outdates_the_draft_of_the_next_stage(club: Club) -> None:
    club.start(stages=[ROUNDS, {**FINAL, "pace": "manual"}])
    club.finish_round()
    first, last = as_it_stands(club)[0], standing_below(club)[-1]
    services.next_round(club.id, club.olga, now=club.now)
    rule(club, "adjust", entrant=last, points=9)
    assert club.t.draft is None
    services.next_round(club.id, club.olga, now=club.now)
    services.withdraw(club.id, club.olga, first, resign=False, now=club.now)
    with pytest.raises(Conflict) as refused:
        services.publish(club.id, club.olga, now=club.now)
    assert refused.value.code == "no_draft"
    services.next_round(club.id, club.olga, now=club.now)
    services.publish(club.id, club.olga, now=club.now)
    assert club.t.begun[0].seeds[0] == last
    agrees_with_its_log(club)


class TestRulings:
    """SG12"""

    @pytest.mark.sampled
    def test_an_organiser_ends_a_stage_early_and_open_games_count_in_it(self, club: Club) -> None:
        club.start(stages=[{**ROUNDS, "take": 2}, {**FINAL, "settings": {"advance": 1, "tables": {"size": 2}}}])
        club.finish(1)
        dry = rule(club, "end_stage", dry_run=True)
        assert club.t.stage == 1
        assert dry.going_on == {"stage": 2, "seeds": as_it_stands(club), "through": [], "out": []}
        rule(club, "end_stage")
        club.run()
        assert list(club.t.begun[0].seeds) == dry.going_on["seeds"]
        assert club.t.open_rounds == (1, 2)
        club.finish(2, round=1)
        result = [event for event in selectors.events_of(club.id) if event.type == "result"][-1]
        assert result.data["round"] == 1
        whole = standings_and_bounds(club.record(), 1)["standings"]
        assert sum(row["games"] for row in whole) == 6
        agrees_with_its_log(club)

    def test_a_ruling_says_whom_it_puts_through_or_out(self, club: Club) -> None:
        in_the_break(club)
        third, fourth = as_it_stands(club)[-1], standing_below(club)[0]
        dry = rule(club, "adjust", entrant=fourth, points=9, dry_run=True)
        assert (dry.going_on["through"], dry.going_on["out"]) == ([fourth], [third])
        assert dry.going_on["seeds"][0] == fourth

    def test_on_a_stage_that_was_left_nobody_s_going_on_changes(self, club: Club) -> None:
        in_the_break(club).run(days=1)
        out = next(key for key, row in club.standings().items() if row["status"] == "out")
        asked = {"entrant": out, "points": 9, "stage": 1}
        dry = rule(club, "adjust", **asked, dry_run=True)
        assert dry.going_on == {"stage": 2, "seeds": list(club.t.begun[0].seeds), "through": [], "out": []}
        rule(club, "adjust", **asked)
        row = next(one for one in standings_and_bounds(club.record(), 1)["standings"] if one["entrant"] == out)
        assert (row["place"], row["status"]) == (1, "out")
        assert club.standings()[out]["place"] == 4

    def test_a_stage_that_has_not_begun_or_is_not_the_round_s_is_refused(self, club: Club) -> None:
        in_the_break(club)
        version = club.t.version
        with pytest.raises(NotFound) as refused:
            rule(club, "adjust", entrant="e1", points=1, stage=2)
        assert refused.value.code == "no_such_stage"
        players = [{"entrant": key, "place": place} for place, key in enumerate(club.t.tables[1, 1].entrants, 1)]
        rule(club, "void", game=str(club.game_id(1)))
        club.run(days=1)
        with pytest.raises(Invalid) as named:
            rule(club, "enter_result", round=1, table=1, players=players, stage=2)
        assert named.value.field == "stage"
        assert club.t.version > version

    def test_without_a_stage_after_it_nothing_is_ended(self, club: Club) -> None:
        club.start()
        with pytest.raises(Conflict) as refused:
            rule(club, "end_stage")
        assert refused.value.code == "no_next_stage"


class TestSeason:
    """SN2: a season before a final, and one after rounds."""

    @pytest.mark.sampled
    def test_a_season_is_followed_by_its_final_table(self, club: Club) -> None:
        closes = (club.now + timedelta(days=10)).isoformat()
        club.start(stages=[{**SEASON, "closes_at": closes}, FINAL])
        self.play(club, 0, 1)
        self.play(club, 2, 3)
        idle = services.open_game(club.id, club.people[4], seats=2, now=club.now)
        club.run(days=10)
        assert "stage_over" in club.types()
        assert games_status(idle.id) == "cancelled"
        club.run(days=1)
        assert club.t.plan.kind == "knockout"
        assert len(club.t.begun[0].seeds) == 2
        assert club.t.tables[1, 1].entrants == club.t.begun[0].seeds
        agrees_with_its_log(club)

    @pytest.mark.sampled
    def test_a_later_season_opens_with_its_stage_for_as_long_as_it_lasts(self, club: Club) -> None:
        club.start(stages=[{**ROUNDS, "break": 0}, {"kind": "season", "lasts": 5 * 86_400}])
        club.finish_round()
        began = club.now
        club.run(minutes=1)
        assert (club.t.plan.opens_at, club.t.plan.closes_at) == (began, began + timedelta(days=5))
        through = [club.people[int(key[1:]) - 1] for key in club.t.begun[0].seeds]
        out = next(one for one in club.people if one not in through)
        with pytest.raises(Forbidden) as refused:
            services.open_game(club.id, out, seats=2, now=club.now)
        assert refused.value.code == "not_an_entrant"
        room = services.open_game(club.id, through[0], seats=2, now=club.now)
        with pytest.raises(Forbidden):
            done_at(club.now, games.join, room.id, out, invitation=None)
        done_at(club.now, games.join, room.id, through[1], invitation=None)
        end_game(room.id, [0, 1], club.now)
        club.run()
        row = club.standings()[club.t.begun[0].seeds[0]]
        assert (row["games"], row["stage"]) == (1, 2)
        club.run(days=5)
        assert club.t.ended_why == "closed"
        agrees_with_its_log(club)

    @pytest.mark.sampled
    def test_a_game_that_runs_when_its_season_is_ended_counts_in_it(self, club: Club) -> None:
        club.start(stages=[SEASON, {**FINAL, "settings": {"advance": 1, "tables": {"size": 2}}}])
        self.play(club, 0, 1)
        self.play(club, 2, 3)
        running = self.begin(club, 4, 5)
        rule(club, "end_stage")
        club.run(minutes=1)
        end_game(running, [0, 1], club.now)
        club.run()
        result = [event for event in selectors.events_of(club.id) if event.type == "result"][-1]
        assert result.data["stage"] == 1
        assert {row["entrant"]: row["games"] for row in standings_and_bounds(club.record(), 1)["standings"]}["e5"] == 1
        agrees_with_its_log(club)

    def test_sg11_a_final_after_a_season_can_be_drafted_too(self, club: Club) -> None:
        closes = (club.now + timedelta(days=10)).isoformat()
        two = {"min_games": 1}
        club.start(stages=[{**SEASON, "settings": two, "closes_at": closes, "break": 0}, {**FINAL, "pace": "manual"}])
        self.play(club, 0, 1)
        with pytest.raises(Conflict) as refused:
            services.next_round(club.id, club.olga, now=club.now)
        assert refused.value.code == "no_rounds"
        club.run(days=10)
        services.next_round(club.id, club.olga, now=club.now)
        services.publish(club.id, club.olga, now=club.now)
        assert (club.t.stage, club.t.tables[1, 1].entrants) == (2, ("e1", "e2"))
        agrees_with_its_log(club)

    def play(self, club: Club, *people: int) -> None:
        end_game(self.begin(club, *people), list(range(len(people))), club.now)
        club.run()

    def begin(self, club: Club, *people: int) -> UUID:
        opener, *others = (club.people[one] for one in people)
        room = services.open_game(club.id, opener, seats=len(people), now=club.now)
        for one in others:
            done_at(club.now, games.join, room.id, one, invitation=None)
        club.run()
        return room.id


def games_status(game: UUID) -> str:
    return str(Game.objects.get(pk=game).status)


@pytest.mark.sampled
def test_sg6_a_stage_that_carries_goes_on_with_fewer(club: Club) -> None:
    second = {"kind": "rounds", "settings": {"rounds": 1}, "carry": True, "title": "Upper half"}
    club.start(stages=[{**ROUNDS, "break": 0}, second])
    club.finish_round()
    assert (club.t.stage, club.t.seated) == (2, 2)
    assert club.t.plan.size == 3
    club.finish_round()
    assert club.t.ended_why == "rounds"
    assert [row["games"] for row in club.standings().values()] == [2, 2, 2, 1, 1, 1]
    agrees_with_its_log(club)


def test_finished_in_its_break_it_has_none(club: Club) -> None:
    in_the_break(club)
    services.finish(club.id, club.olga, now=club.now)
    assert club.t.break_ends is None


def test_sg9_reopened_in_its_last_stage_it_goes_on_there(club: Club) -> None:
    in_the_break(club).run(days=1)
    club.finish(1)
    services.reopen(club.id, club.olga, "a card was seen", now=club.now)
    rule(club, "void", game=str(club.game_id(1)))
    club.run()
    assert (club.t.stage, club.t.status) == (2, "running")
    assert sum(game.is_open for game in club.t.games.values()) == 1


def test_the_pace_of_a_stage_can_be_changed_while_it_runs_and_nothing_else(club: Club) -> None:
    in_the_break(club).run(days=1)
    slower = [ROUNDS, {**FINAL, "pace": "manual"}]
    services.change(club.id, club.olga, {"stages": slower}, now=club.now)
    assert club.t.plan.pace == "manual"
    assert club.t.plan.kind == "knockout"
    for other in ([{**ROUNDS, "take": 2}, FINAL], [FINAL]):
        with pytest.raises(Conflict) as refused:
            services.change(club.id, club.olga, {"stages": other}, now=club.now)
        assert refused.value.code == "already_started"
    agrees_with_its_log(club)


def told(club: Club, entrant: str) -> list[str]:
    """What the player of an entrant has been told of stages, oldest first."""
    tell_entrants.catch_up()
    player = club.people[int(entrant[1:]) - 1]
    rows = Notification.objects.filter(player=player, data__what__in=OF_STAGE).order_by("number")
    return [body["text"] for body in notifications.bodies(player, list(rows))]


@pytest.mark.sampled
def test_sg11_the_break_and_the_next_stage_are_told(club: Club) -> None:
    in_the_break(club)
    first = as_it_stands(club)[0]
    ends = club.t.break_ends
    said = "Threes 2026: as things stand, you're through. Can't play? Withdraw by {}, on the tournament's page."
    assert told(club, first) == [said.format(f"{ends:%-d %B, %H:%M} UTC")]
    there = ends.astimezone(ZoneInfo("Asia/Tokyo"))
    hours = [{"since": "2026-01-01T00:00:00.000000Z", "time_zone": "Asia/Tokyo", "quiet_hours": None}]
    reader = club.people[int(first[1:]) - 1]
    reader.quiet_hours = hours
    reader.save(update_fields=["quiet_hours"])
    assert told(club, first) == [said.format(f"{there:%-d %B, %H:%M}")]
    club.run(days=1)
    assert told(club, first)[1:] == ["Threes 2026: Final begins. You're in, seeded 1."]
    out = [key for key in club.standings() if key not in club.t.begun[0].seeds]
    for key in out:
        assert told(club, key)[-1].startswith("Threes 2026: Final begins without you. You came ")
    last = club.people[int(club.t.begun[0].seeds[-1][1:]) - 1].username
    assert f"level with {last}, separated by " in told(club, out[0])[-1]


@pytest.mark.sampled
def test_sg11_who_moves_up_in_the_break_is_told_for_whom_and_the_first_in_line_that_they_are(club: Club) -> None:
    in_the_break(club)
    first, second, *_ = as_it_stands(club)
    third = (in_line := following(club))[0]
    by = f"by {club.t.break_ends:%-d %B, %H:%M} UTC"
    waits = f"Threes 2026: you're first in line for Final. You move up if a player who is through withdraws {by}."
    assert [told(club, key) for key in in_line[:2]] == [[waits], []]
    services.withdraw(club.id, player_of(club, first), first, now=club.now)
    for_whom = f"Threes 2026: you move up to Final for {player_of(club, first).username}."
    through = f"As things stand, you're through. Can't play? Withdraw {by}, on the tournament's page."
    assert told(club, third) == [waits, f"{for_whom} {through}"]
    assert [told(club, key) for key in in_line[1:3]] == [[waits], []]
    rule(club, "remove", entrant=second)
    assert f"you move up to Final for {player_of(club, second).username}." in told(club, in_line[1])[-1]
    assert told(club, in_line[2]) == [waits]
    for_one, others = told(club, first), [told(club, key) for key in in_line]
    club.run(days=1)
    rule(club, "adjust", entrant=in_line[2], points="3", stage=1)
    assert all("first in line" not in told(club, key)[-1] for key in in_line), "the break is over"
    assert told(club, first)[: len(for_one)] == for_one and [told(club, key)[:-1] for key in in_line] == others


@pytest.mark.sampled
def test_sg11_who_moves_up_for_nobody_is_told_so_too(club: Club) -> None:
    in_the_break(club)
    first, second, *gone = [*as_it_stands(club), *following(club)]
    for key in gone:
        rule(club, "remove", entrant=key)
    assert as_it_stands(club) == [first, second]
    rule(club, "reinstate", entrant=gone[-1])
    assert "you move up to Final. As things stand, you're through." in told(club, gone[-1])[-1]


@pytest.mark.sampled
def test_sg11_a_stage_that_is_reopened_and_over_again_is_told_and_goes_on(club: Club) -> None:
    in_the_break(club)
    first = as_it_stands(club)[0]
    services.finish(club.id, club.olga, now=club.now)
    services.reopen(club.id, club.olga, "too early", now=club.now)
    club.run()
    assert club.t.reopened and club.t.break_ends is not None
    assert len(told(club, first)) == 2
    club.run(days=1)
    assert (club.t.stage, club.t.reopened) == (2, False)


def test_sg11_a_season_that_is_reopened_goes_on_by_the_runner_when_it_closes(club: Club) -> None:
    closes = club.now + timedelta(days=30)
    club.start(stages=[{**SEASON, "closes_at": closes.isoformat()}, FINAL])
    for number in range(2):
        players = [{"entrant": f"e{at}", "place": 1 + (at + number) % 2} for at in (1, 2)]
        rule(club, "enter_result", players=players)
    services.finish(club.id, club.olga, now=club.now)
    services.reopen(club.id, club.olga, "too early", now=club.now)
    club.run(days=29)
    assert (club.t.stage, club.t.break_ends) == (1, None)
    club.run(days=2)
    assert club.t.break_ends is not None
    club.run(days=1)
    assert club.t.stage == 2


def player_of(club: Club, entrant: str) -> Player:
    return club.people[int(entrant[1:]) - 1]


def following(club: Club) -> list[str]:
    """Who does not go on as it stands, in the order in which they would move up."""
    record = read_record(selectors.document(club.t.plan, club.t.seed, selectors.events_of(club.id), {}))
    found, at = [], f"{club.now:%Y-%m-%dT%H:%M:%SZ}"
    for _ in range(3):
        stands = cut.next_stage(record)
        found.append(stands.first_in_line[0])
        gone = {"n": record.n + 1, "at": at, "type": "withdrew", "entrant": stands.seeds[0]}
        record = evolve(record, gone)
    return found


@pytest.mark.sampled
def test_sg11_a_correction_in_the_break_tells_only_whom_it_puts_through(club: Club) -> None:
    in_the_break(club)
    before, line = as_it_stands(club), {key: told(club, key) for key in club.standings()}
    order = [one.entrant for one in sorted(club.record().results[str(club.game_id(1))].players, key=lambda p: p.place)]
    players = [{"entrant": key, "place": place} for place, key in enumerate(order[::-1], 1)]
    rule(club, "correct", round=1, table=1, players=players)
    after = as_it_stands(club)
    assert order[-1] in set(after) - set(before), "the test needs somebody who moves up"
    for key in {*before} & {*after}:
        assert told(club, key) == line[key], "nobody is out and in again on the way"
    for key in {*after} - {*before}:
        assert "you move up to Final" in told(club, key)[-1]


@pytest.mark.sampled
def test_nt1_who_fell_out_is_not_told_of_each_round_of_the_others_but_of_the_end(club: Club) -> None:
    in_the_break(club).run(days=1)
    club.finish(1, *club.t.tables[2, 1].entrants)
    assert club.t.ended_why == "final"
    tell_entrants.catch_up()

    def told_of(**data: object) -> set[str]:
        rows = Notification.objects.filter(**{f"data__{name}": value for name, value in data.items()})
        players = set(rows.values_list("player", flat=True))
        return {f"e{number}" for number, player in enumerate(club.people, 1) if player.pk in players}

    assert told_of(what="closed", round=1) == told_of(what="finished") == set(club.standings())
    assert told_of(what="closed", round=2) == set(club.t.begun[0].seeds)


@pytest.mark.sampled
def test_rt2_who_is_out_has_no_vote_on_what_is_proposed_then(club: Club) -> None:
    asked = {"title": "As they are", "reason": "because", "confirm": True}

    def electors() -> set[str]:
        services.propose(club.id, club.olga, asked)
        found = {key for n, key in club.t.electors if n == club.t.proposed}
        services.withdraw_proposal(club.id, club.olga, club.t.proposed)
        return found

    in_the_break(club)
    assert electors() == set(club.standings()), "ST10: all are in until the next stage begins"
    club.run(days=1)
    assert electors() == set(club.t.begun[0].seeds)
    club.start(kind="knockout", settings={"advance": 1, "tables": {"size": 3}})
    club.finish_round()
    assert electors() == set(club.t.tables[2, 1].entrants), "who was knocked out is out"


@pytest.mark.sampled
def test_who_has_left_is_told_nothing_of_the_next_stage(club: Club) -> None:
    in_the_break(club)
    gone = standing_below(club)[-1]
    services.withdraw(club.id, club.olga, gone, resign=False, now=club.now)
    club.run(days=1)
    assert told(club, gone) == []


def test_sg5_a_knockout_in_which_no_more_than_go_on_is_over_at_once(club: Club) -> None:
    first = {"kind": "knockout", "settings": {"advance": 1, "tables": {"size": 2}}, "take": 4, "break": 0}
    club.start(*club.people[:3], stages=[first, {"kind": "rounds", "settings": {"rounds": 1}}])
    assert (club.t.stage, len(club.t.begun[0].seeds)) == (2, 3)
    assert len(club.t.tables[1, 1].entrants) == 3
    agrees_with_its_log(club)


@pytest.mark.sampled
def test_sg5_a_knockout_before_another_stage_ends_when_no_more_than_go_on_are_left(club: Club) -> None:
    first = {"kind": "knockout", "settings": {"advance": 1, "tables": {"size": 2}}, "take": 3, "break": 0}
    club.start(stages=[first, {"kind": "rounds", "settings": {"rounds": 1}}])
    club.finish_round()
    assert (club.t.stage, club.t.seated) == (2, 2)
    assert set(club.t.tables[2, 1].entrants) == set(club.t.begun[0].seeds)
    agrees_with_its_log(club)
