from datetime import UTC, datetime, timedelta
from functools import partial
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from service_scene import a_move, all_at_once, game_now, next_mover, play, play_on, seats_of, started

from core import log
from core.accounts import signals
from core.accounts.services import change_profile
from games import services
from games.models import Game, Heartbeat, Outage, Seat
from games.projections import rebuild
from games.services import outages, timeouts
from games.services.timeouts import CLOCK
from tests.scenes import done_at

DAY = timedelta(days=1)


def on_the_clock(game_id):
    return next(seat for seat in seats_of(game_now(game_id)) if seat.due_at is not None)


def timed_out(game_id):
    return [event for event in log.read(f"game-{game_id}") if event.type == "game.timed_out"]


def past_setup(*players, **settings):
    game = started(*players, **settings)
    while game_now(game.id).status == "setup":
        play_on(game.id, 1)
    return game


def same_after_rebuild(game_id):
    return rebuild(game_id).differences == ()


def test_nothing_is_timed_out_early(alice, bob, clock):
    game = past_setup(alice, bob)
    clock.set(on_the_clock(game.id).due_at - timedelta(microseconds=1))
    assert services.sweep().handled == 0
    clock.advance(microseconds=1)
    assert services.sweep().timeouts == {"play": 1}
    assert services.sweep().handled == 0


def test_the_whole_turn_is_played_and_the_log_says_why_and_whose(alice, bob, clock):
    game = past_setup(alice, bob)
    before = on_the_clock(game.id)
    clock.advance(days=1)
    services.sweep()
    after = on_the_clock(game.id)
    assert (after.duty, after.index) != (before.duty, before.index)
    assert after.due_at == clock.at + DAY
    event, *moves = [event for event in log.read(game.stream) if event.actor == CLOCK]
    assert event.type == "game.timed_out" and event.seat == before.index
    assert event.data == {
        "deadline_at": log.time_text(before.due_at),
        "action": "play",
        "misses": 1,
        "timeouts": 1,
    }
    assert moves and all(move.seat == before.index for move in moves)
    assert same_after_rebuild(game.id)


def test_setup_is_chosen_for_each_who_has_not(alice, bob, clock):
    game = started(alice, bob)
    play(game.id, alice, a_move(game_now(game.id), alice))
    clock.advance(days=1)
    assert services.sweep().timeouts == {"play": 1}
    assert [event.seat for event in timed_out(game.id)] == [1]
    assert game_now(game.id).status == "playing"


def test_three_thirteen_draws_and_discards(alice, bob, clock):
    game = started(alice, bob, game="three_thirteen", options={"rounds": 1})
    first = on_the_clock(game.id)
    clock.advance(days=1)
    assert services.sweep().timeouts == {"play": 1}
    types = [event.type.partition(".")[2] for event in log.read(game.stream) if event.actor == CLOCK]
    assert types[:3] in (["timed_out", "drew", "discarded"], ["timed_out", "drew", "went_out"])
    assert on_the_clock(game.id).index != first.index


def test_resign(alice, bob, dora, clock):
    game = past_setup(alice, bob, dora, clock={"on_timeout": "resign"})
    seat = on_the_clock(game.id)
    clock.advance(days=1)
    assert services.sweep().timeouts == {"resign": 1}
    assert seats_of(game)[seat.index].resigned
    assert same_after_rebuild(game.id)


def test_the_ladder_of_strikes(alice, bob, clock):
    game = past_setup(alice, bob, clock={"strikes": 2}, options={})
    taken = []
    missed = on_the_clock(game.id)
    slow = missed.player
    for _ in range(40):
        now = game_now(game.id)
        if now.status == "finished":
            break
        seat = next(seat for seat in seats_of(now) if seat.to_act)
        if seat.bot is not None:
            taken.append(seat.misses)
            services.take_back(game.id, slow)
        elif seat.player_id == slow.id:
            clock.set(seat.due_at)
            Heartbeat.objects.all().delete()  # the service was there all the time
            services.sweep()
        else:
            play(game.id, seat.player, a_move(now, seat.player))
    told = [(event.data["misses"], event.data["action"]) for event in timed_out(game.id)]
    assert told == [(1, "play"), (2, "bot"), (3, "bot"), (4, "resign")]
    assert taken == [2, 3]
    row = seats_of(game)[missed.index]
    assert (row.misses, row.timeouts, row.resigned) == (4, 4, True)
    assert same_after_rebuild(game.id)


def test_a_move_in_time_begins_the_count_anew(alice, bob, clock):
    game = past_setup(alice, bob, options={})
    seat = on_the_clock(game.id)
    clock.advance(days=1)
    services.sweep()
    assert seats_of(game)[seat.index].misses == 1
    while next_mover(game_now(game.id)) != seat.player:
        play_on(game.id, 1)
    play_on(game.id, 1)
    row = seats_of(game)[seat.index]
    assert (row.misses, row.timeouts) == (0, 1)


def test_a_bank_is_used_up_over_several_turns(alice, bob, clock):
    game = past_setup(alice, bob, clock={"per_turn": 60, "bank": 100, "quiet_hours": False}, options={})
    seat = on_the_clock(game.id)
    left = [seat.bank]
    for used in (0, 70, 60, 30):
        while (now := on_the_clock(game.id)).index != seat.index:
            play_on(game.id, 1)
        assert now.due_at == now.duty_since + timedelta(seconds=60 + left[-1])
        clock.set(now.duty_since + timedelta(seconds=60 + used) if used else now.duty_since)
        while on_the_clock(game.id).duty == now.duty:
            play_on(game.id, 1)
        left.append(seats_of(game)[seat.index].bank)
    assert left == [100, 100, 30, 0, 0][: len(left)]
    assert same_after_rebuild(game.id)


@pytest.mark.sampled
def test_castle_opens_by_the_first_eligible_seat_from_the_dealers_left(alice, bob, dora, clock):
    for _ in range(100):
        game = past_setup(alice, bob, dora, game="castle")
        now = game_now(game.id)
        able = [seat.index for seat in seats_of(now) if seat.to_act]
        if len(able) > 1:
            break
    else:
        pytest.fail("no race in a hundred deals")
    first = min(able, key=lambda seat: (seat - now.dealer - 1) % 3)
    assert [seat.index for seat in seats_of(now) if seat.due_at is not None] == [first]
    clock.advance(days=1)
    services.sweep()
    assert [event.seat for event in timed_out(game.id)] == [first]
    assert same_after_rebuild(game.id)


def test_a_turn_that_was_timed_out_is_not_timed_out_again(alice, bob, clock):
    game = past_setup(alice, bob)
    seat = on_the_clock(game.id)
    clock.advance(days=1)
    services.sweep()
    # The same seat and deadline once more, as a sweep that read it a moment earlier would ask.
    assert timeouts.time_out(game.id, seat.index, seat.due_at, until=clock.at, now=clock.at) is None
    assert len(timed_out(game.id)) == 1


def test_a_timeout_loads_its_game_once(alice, bob, clock):
    game = past_setup(alice, bob)
    seat = on_the_clock(game.id)
    clock.advance(days=1)
    with CaptureQueriesContext(connection) as queries:
        assert timeouts.time_out(game.id, seat.index, seat.due_at, until=clock.at, now=clock.at) == "play"
    # BEGIN (here a savepoint), the lock, the game, the seat's plan, one that saves and appends, COMMIT.
    assert len(queries) == 6, [query["sql"][:80] for query in queries]


def test_a_sweep_reads_games_together_and_a_turn_takes_three_statements(alice, bob, clock):
    for _ in range(3):
        past_setup(alice, bob)
    clock.advance(days=1)
    with CaptureQueriesContext(connection) as queries:
        assert services.sweep().handled == 3
    sent = [query["sql"].split()[0] for query in queries]
    first = sent.index("SAVEPOINT", sent.index("RELEASE"))
    # BEGIN and COMMIT are savepoints here; between them one saves and appends. Then nothing else is due.
    assert sent[first:] == ["SAVEPOINT", "WITH", "RELEASE"] * 3 + ["SELECT"]
    assert sum("FROM games_game game" in query["sql"] for query in queries) == 1


def test_a_game_that_has_moved_on_since_it_was_read_ahead_is_judged_again(alice, bob, clock):
    game, other = past_setup(alice, bob), past_setup(alice, bob)
    seat, late = on_the_clock(game.id), on_the_clock(other.id)
    ahead = timeouts.ReadAhead([game.id, other.id])
    while on_the_clock(game.id).index == seat.index:
        play_on(game.id, 1)
    clock.advance(days=1)
    at = clock.at
    assert timeouts.time_out(game.id, seat.index, seat.due_at, until=at, now=at, ahead=ahead) is None
    assert timeouts.time_out(other.id, late.index, late.due_at, until=at, now=at, ahead=ahead) == "play"
    assert (timed_out(game.id), len(timed_out(other.id))) == ([], 1)
    assert same_after_rebuild(game.id)


@pytest.mark.django_db(transaction=True)
def test_two_sweeps_share_the_work_and_each_turn_is_timed_out_once(alice, bob, clock):
    games = [past_setup(alice, bob) for _ in range(12)]
    clock.advance(days=1)
    swept = all_at_once([services.sweep, services.sweep, services.sweep])
    assert sum(one.handled for one in swept) == len(games)
    assert [len(timed_out(game.id)) for game in games] == [1] * len(games)


@pytest.mark.django_db(transaction=True)
def test_a_move_in_the_last_moment_and_the_sweep(alice, bob, clock):
    for _ in range(5):
        game = past_setup(alice, bob)
        mover = on_the_clock(game.id).player
        move = a_move(game_now(game.id), mover)
        clock.advance(days=1)
        swept, moved = all_at_once([services.sweep, partial(play, game.id, mover, move)])
        assert swept.handled == len(timed_out(game.id))
        assert swept.handled == 1 or isinstance(moved, services.Answer)


def test_only_the_index_of_what_is_due_is_read(alice, bob, clock):
    game = past_setup(alice, bob)
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO games_seat (id, game_id, index, player_id, joined_at, resigned, to_act, duty_since, due_at,"
            " duty_extra, bank, timeouts, moved, lost_on_time)"
            " SELECT gen_random_uuid(), %s, 100 + n, NULL, now(), false, true, %s,"
            " CASE WHEN n %% 10 = 0 THEN %s::timestamptz + n * interval '1 second' END, 0, 0, 0, false, false"
            " FROM generate_series(1, 30000) AS n",
            [game.id, clock.at, clock.at + DAY],
        )
        cursor.execute("ANALYZE games_seat")
        cursor.execute("SET LOCAL jit = off")
        query = timeouts._DUE
        values = {"until": clock.at + DAY + timedelta(minutes=1), "after": clock.at, "after_id": game.id, "limit": 200}
        cursor.execute("EXPLAIN (ANALYZE, FORMAT JSON) " + query, values)
        plan = cursor.fetchone()[0][0]["Plan"]

    def nodes(node):
        yield node
        for child in node.get("Plans", ()):
            yield from nodes(child)

    scans = [node for node in nodes(plan) if "Scan" in node["Node Type"]]
    assert [scan.get("Index Name") for scan in scans if "Index" in scan["Node Type"]] == ["seat_due"]
    assert max(scan["Actual Rows"] + scan.get("Rows Removed by Filter", 0) for scan in scans) < 300


class TestOutages:
    def test_a_gap_of_more_than_a_minute_is_written_down_once(self, db, clock):
        services.beat("web")
        clock.advance(seconds=60)
        assert services.beat("web") is None
        began = clock.at
        clock.advance(seconds=61)
        assert services.beat("web") is not None
        assert services.beat("web") is None
        assert list(Outage.objects.values_list("part", "began_at", "ended_at")) == [("web", began, clock.at)]

    def test_a_clock_that_is_set_ahead_was_no_outage(self, alice, bob, clock, settings):
        game = past_setup(alice, bob)
        for part in ("web", "sweeper"):
            services.beat(part)
        settings.TREY_CLOCK_AHEAD = 86_400
        clock.advance(days=1)  # what the setting does to a clock that is not held
        assert services.sweep().handled == 1
        assert timed_out(game.id) and not Outage.objects.exists()
        settings.TREY_CLOCK_AHEAD = 0
        clock.advance(days=-1)
        assert services.beat("web") is None

    @pytest.mark.parametrize("minutes", [2, -2])
    def test_a_machine_whose_clock_is_wrong_ends_no_outage_that_never_was(self, db, clock, monkeypatch, minutes):
        """Of two machines one is minutes ahead, or behind."""
        here, wrong, right = outages.machine_time, timedelta(minutes=minutes), clock.at
        for second in range(0, 30, 5):
            clock.set(right + timedelta(seconds=second))
            assert services.beat("web") is None
            clock.set(clock.at + wrong)
            with monkeypatch.context() as patched:
                patched.setattr(outages, "machine_time", lambda: here() + wrong)
                assert services.beat("web") is None
            assert abs(Heartbeat.objects.get().at - right - timedelta(seconds=second)) < timedelta(seconds=2)

    @pytest.mark.django_db(transaction=True)
    def test_two_processes_of_the_web_come_back_at_once(self, clock):
        services.beat("web")
        clock.advance(minutes=5)
        all_at_once([lambda: services.beat("web")] * 4)
        assert Outage.objects.count() == 1

    @pytest.mark.sampled
    @pytest.mark.parametrize("out", [("web",), ("sweeper",), ("web", "sweeper")])
    def test_a_turn_that_ran_through_an_outage_is_later_by_its_length(self, alice, bob, clock, out):
        game = past_setup(alice, bob)
        due = on_the_clock(game.id).due_at

        def live(parts, until):
            while clock.at < until:
                clock.set(min(until, clock.at + timedelta(seconds=50)))
                for part in parts:
                    services.beat(part)

        for part in ("web", "sweeper"):
            Heartbeat.objects.create(part=part, at=clock.at)
        live(("web", "sweeper"), clock.at + timedelta(minutes=10))
        Heartbeat.objects.update(at=due - timedelta(hours=1))
        clock.set(due - timedelta(hours=1))
        # Three and a half hours without a sign of life, an hour before the end.
        if len(out) == 1:
            live({"web", "sweeper"} - set(out), clock.at + timedelta(hours=3.5))
        else:
            clock.advance(hours=3.5)
        version = game_now(game.id).version
        if out == ("web",):
            assert services.sweep().handled == 0  # it still goes on
        for part in out:
            services.beat(part)
        assert services.sweep().handled == 0
        assert game_now(game.id).version == version
        Heartbeat.objects.update(at=due + timedelta(hours=3.5))
        clock.set(due + timedelta(hours=3.5) - timedelta(seconds=1))
        assert services.sweep().handled == 0
        clock.advance(seconds=1)
        services.beat("web")
        assert services.sweep().handled == 1
        assert timed_out(game.id)[0].data["deadline_at"] == "2026-11-22T15:30:00.000000Z"
        assert same_after_rebuild(game.id)

    def test_nobody_is_judged_past_the_last_sign_of_the_web(self, alice, bob, clock):
        game = past_setup(alice, bob)
        due = on_the_clock(game.id).due_at
        done_at(due - timedelta(seconds=1), services.beat, "web")
        clock.set(due + timedelta(seconds=5))
        assert services.sweep().handled == 0
        services.beat("web")
        assert services.sweep().handled == 1


class TestCalendars:
    def test_quiet_hours_of_the_mover_stop_the_clock(self, alice, bob, clock):
        for player in (alice, bob):
            change_profile(player, calendar={"quiet_hours": ["22:00", "07:00"]})
        game = past_setup(alice, bob)
        assert on_the_clock(game.id).due_at == clock.at + timedelta(hours=24 + 9)

    def test_a_vacation_moves_the_deadlines_that_run_and_dropping_it_moves_them_back(self, alice, bob, clock):
        game = past_setup(alice, bob)
        seat = on_the_clock(game.id)
        change_profile(seat.player, calendar={"vacation": [["2026-11-22", "2026-11-25"]]})
        moved = on_the_clock(game.id)
        assert moved.due_at == seat.due_at + timedelta(days=4)
        assert [event.type for event in log.read(game.stream)][-1] == "game.deadline_moved"
        change_profile(seat.player, calendar={"vacation": []})
        assert on_the_clock(game.id).due_at == seat.due_at
        assert same_after_rebuild(game.id)

    def test_what_changes_no_deadline_writes_nothing_into_a_game(self, alice, bob, clock):
        # A vacation in a month, the quiet hours of coming turns, another zone: none of it concerns this turn.
        game = past_setup(alice, bob)
        mover, version = on_the_clock(game.id).player, game_now(game.id).version
        for wanted in (
            {"vacation": [["2026-12-24", "2026-12-26"]]},
            {"vacation": []},
            {"quiet_hours": ["22:00", "07:00"]},
            {"time_zone": "Europe/Berlin"},
        ):
            clock.advance(seconds=1)
            change_profile(mover, calendar=wanted)
        assert game_now(game.id).version == version

    def test_the_same_calendar_again_is_no_change(self, alice, bob, clock, django_assert_num_queries):
        game = past_setup(alice, bob)
        mover = on_the_clock(game.id).player
        change_profile(mover, calendar={"vacation": [["2026-11-22", "2026-11-25"]]})
        version = game_now(game.id).version
        clock.advance(hours=1)
        # The account alone is read and written; no game is even looked at.
        with django_assert_num_queries(4):
            change_profile(mover, calendar={"vacation": [["2026-11-22", "2026-11-25"]]})
        assert game_now(game.id).version == version

    def test_a_day_of_vacation_pauses_a_turn_for_a_day_whatever_zone_the_player_moves_to(self, alice, bob, clock):
        clock.set(datetime(2026, 11, 22, 8, tzinfo=UTC))
        game = past_setup(alice, bob)
        seat = on_the_clock(game.id)
        change_profile(seat.player, calendar={"time_zone": "Pacific/Kiritimati", "vacation": [["2026-11-23"] * 2]})
        # It begins on Kiritimati at 10:00 UTC, and 26 hours later at GMT+12.
        clock.advance(hours=20)
        change_profile(seat.player, calendar={"time_zone": "Etc/GMT+12"})
        assert on_the_clock(game.id).due_at == seat.due_at + timedelta(days=1)

    def test_a_vacation_does_not_bring_back_a_turn_that_is_up(self, alice, bob, clock):
        game = past_setup(alice, bob)
        seat = on_the_clock(game.id)
        clock.advance(days=1)
        change_profile(seat.player, calendar={"vacation": [["2026-11-22", "2026-11-25"]]})
        assert services.sweep().handled == 1

    def test_a_deadline_that_was_not_moved_in_time_is_found_by_the_sweep(self, alice, bob, clock, monkeypatch):
        game = past_setup(alice, bob)
        seat = on_the_clock(game.id)
        with monkeypatch.context() as patch:
            # As if the process had been killed between the two.
            patch.setattr(signals.calendar_changed, "send", lambda **_: [])
            change_profile(seat.player, calendar={"vacation": [["2026-11-22", "2026-11-25"]]})
        clock.set(seat.due_at)
        assert services.sweep().moved == 1
        assert on_the_clock(game.id).due_at == seat.due_at + timedelta(days=4)

    def test_the_weekend_pauses_where_the_game_says_so(self, alice, bob, clock):
        clock.set(datetime(2026, 11, 20, 12, tzinfo=UTC))
        game = past_setup(alice, bob, clock={"weekend_pause": True})
        assert on_the_clock(game.id).due_at == datetime(2026, 11, 23, 12, tzinfo=UTC)

    def test_the_allowance(self, alice, clock):
        with pytest.raises(services.Invalid) as refused:
            change_profile(alice, calendar={"vacation": [["2026-11-22", "2026-12-31"]]})
        assert (refused.value.code, refused.value.errors[0][0]) == ("bad_calendar", "calendar.vacation")


def test_what_others_do_leaves_a_deadline_as_it_was(alice, bob, dora, clock):
    game = started(alice, bob, dora)
    due = {seat.index: seat.due_at for seat in seats_of(game)}
    clock.advance(hours=1)
    play(game.id, bob, a_move(game_now(game.id), bob))
    play(game.id, dora, {"move": "resign"})
    assert {seat.index: seat.due_at for seat in seats_of(game) if seat.due_at} == {0: due[0]}
    assert Seat.objects.filter(game=game.id, to_act=True).count() == 1


def test_one_game_that_is_damaged_keeps_no_other_turn_from_ending(alice, bob, clock, caplog):
    damaged, sound = past_setup(alice, bob), past_setup(alice, bob)
    Game.objects.filter(pk=damaged.id).update(state={"damaged": True})
    clock.advance(days=1)
    assert services.sweep().timeouts == {"play": 1}
    assert len(timed_out(sound.id)) == 1
    assert f"the game {damaged.id} cannot be timed out" in caplog.text


def test_a_sweep_that_only_reads_what_an_outage_has_put_off_lives(alice, bob, clock, settings, monkeypatch):
    game = past_setup(alice, bob)
    due = on_the_clock(game.id).due_at
    Outage.objects.create(part="web", began_at=due - timedelta(hours=2), ended_at=due - timedelta(hours=1))
    clock.set(due)
    settings.TREY_HEARTBEAT = 0
    beats = []
    monkeypatch.setattr(timeouts, "beat", beats.append)
    assert services.sweep().handled == 0
    assert beats == ["sweeper", "sweeper"]


@pytest.mark.sampled
def test_turns_are_missed_for_years_each_ended_once_and_none_early(alice, bob, clock):
    policy = {"per_turn": 30 * 86400, "weekend_pause": True, "time_zone": "Europe/Berlin", "strikes": 100}
    began, games, ends = clock.at, [started(alice, bob, clock=policy)], []
    while clock.at - began < timedelta(days=4 * 365):
        if game_now(games[-1].id).status == "finished":
            games.append(started(alice, bob, clock=policy))
        waiting = [seat.due_at for seat in seats_of(games[-1]) if seat.due_at is not None]
        due = min(waiting)
        for moment, expected in ((due - timedelta(microseconds=1), 0), (due, waiting.count(due))):
            clock.set(moment)
            Heartbeat.objects.all().delete()  # the service was there all the time
            assert services.sweep().handled == expected
        ends += [due.astimezone(ZoneInfo("Europe/Berlin"))] * waiting.count(due)
    assert all(end.weekday() < 5 or (end.hour, end.minute, end.second) == (0, 0, 0) for end in ends), "no weekend"
    assert {end.utcoffset() for end in ends} == {timedelta(hours=1), timedelta(hours=2)}, "winter and summer"
    assert sum(len(timed_out(game.id)) for game in games) == len(ends)
    assert all(same_after_rebuild(game.id) for game in games)
