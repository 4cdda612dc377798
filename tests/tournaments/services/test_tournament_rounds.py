"""Rounds by themselves, and by hand (LI2, LI3)."""

from datetime import timedelta
from uuid import UUID

import pytest
from tournament_scene import Club

from core import log
from core.refusals import Conflict, Invalid
from games import services as games
from games.models import Game
from games.projections import load
from tests.scenes import done_at
from tests.tournaments.moment import services
from tournaments.leaderboards.stream import record_result

PAIRS = {"settings": {"rounds": 2, "tables": {"size": 2}}}


@pytest.mark.sampled
def test_li2_rounds_open_and_close_by_themselves(club: Club) -> None:
    club.start(*club.people[:4], **PAIRS)
    club.finish_round()
    assert club.t.seated == 2
    club.finish_round()
    assert club.t.status == "finished"
    assert club.t.ended_why == "rounds"
    assert {row["games"] for row in club.standings().values()} == {2}


def test_se5_the_seed_is_shown_with_the_first_seating(club: Club) -> None:
    club.open(*club.people[:4], **PAIRS)
    from tournaments.models import Tournament

    assert Tournament.objects.get(pk=club.id).shown_seed is None
    services.start(club.id, club.olga, now=club.now)
    club.run()
    assert Tournament.objects.get(pk=club.id).shown_seed == club.t.seed
    assert club.record().seed == club.t.seed


def test_an_uneven_number_has_a_bye(club: Club) -> None:
    club.start(*club.people[:3], settings={"rounds": 3, "tables": {"size": 2, "max": 2}})
    for _ in range(3):
        assert len(club.t.rounds[club.t.seated].byes) == 1
        club.finish_round()
    assert {row["byes"] for row in club.standings().values()} == {1}


@pytest.mark.sampled
def test_li2_even_seating_keeps_rounds_open_at_once(club: Club) -> None:
    club.start(*club.people[:4], settings={"rounds": 3, "tables": {"size": 2}, "seating": "even", "parallel": 2})
    assert club.t.open_rounds == (1, 2)
    for table in (1, 2):
        club.finish(table, round=2)
    assert club.t.open_rounds == (1,)
    for table in (1, 2):
        club.finish(table, round=1)
    assert club.t.seated == 3


def test_several_games_a_table(club: Club) -> None:
    club.start(*club.people[:2], settings={"rounds": 1, "tables": {"size": 2}, "games_per_table": 3})
    for number in (1, 2, 3):
        assert club.t.status == "running"
        club.finish(1, number=number)
    assert club.t.status == "finished"


def test_li3_a_late_entrant_begins_with_the_next_round(club: Club) -> None:
    club.start(*club.people[:4], **PAIRS)
    services.enter(club.id, club.people[4], now=club.now)
    club.finish_round()
    seated = {key for table in club.t.tables_of(2) for key in table.entrants} | set(club.t.rounds[2].byes)
    assert "e5" in seated


def test_a_round_without_a_table_ends_the_tournament(club: Club) -> None:
    club.start(*club.people[:4], **PAIRS)
    for key in ("e1", "e2", "e3"):
        services.withdraw(club.id, club.olga, key, now=club.now)
    club.finish_round()
    assert club.t.status == "finished"
    assert club.t.ended_why == "no_round"


def test_li5_who_reopens_finishes(club: Club) -> None:
    club.start(*club.people[:4], settings={"rounds": 1, "tables": {"size": 2}})
    club.finish_round()
    assert club.t.status == "finished"
    services.reopen(club.id, club.olga, "a wrong result", now=club.now)
    club.run(days=30)
    assert club.t.status == "running"
    services.finish(club.id, club.olga, now=club.now)
    assert club.run().t.status == "finished"


class TestByHand:
    """LI2: with `pace: "manual"` the organiser says so, and sees a draft first."""

    def drafted(self, club: Club) -> Club:
        club.start(*club.people[:4], pace="manual", **PAIRS)
        services.next_round(club.id, club.olga, now=club.now)
        return club

    def test_nothing_is_seated_by_itself(self, club: Club) -> None:
        club.start(*club.people[:4], pace="manual", **PAIRS)
        club.run(days=3)
        assert club.t.seated == 0

    def test_a_round_is_drafted_and_published(self, club: Club) -> None:
        self.drafted(club)
        drafted = club.t.draft
        assert drafted is not None
        assert club.t.seated == 0
        assert drafted.figures["repeats"] == 0
        services.publish(club.id, club.olga, now=club.now)
        club.run()
        assert [table.entrants for table in club.t.tables_of(1)] == list(drafted.tables)
        assert club.game(1).status == "setup"

    def test_li5_two_entrants_change_places_and_the_cost_is_shown(self, club: Club) -> None:
        self.drafted(club)
        services.publish(club.id, club.olga, now=club.now)
        club.run().finish_round()
        services.next_round(club.id, club.olga, now=club.now)
        before = club.t.draft
        assert before is not None
        (one, two), (three, _) = before.tables
        met = club.t.tables[1, 1].entrants
        shown = services.exchange(club.id, club.olga, swap=(two, three), reason="a couple", dry_run=True, now=club.now)
        assert club.t.draft == before, "a dry run changes nothing"
        assert shown["tables"][0] == [one, three]
        assert shown["figures"]["cost"] != before.figures["cost"] or set(met) != {one, three}
        services.exchange(club.id, club.olga, swap=(two, three), reason="a couple", now=club.now)
        assert club.t.draft.tables[0] == (one, three)  # type: ignore[union-attr]
        services.publish(club.id, club.olga, now=club.now)
        assert club.t.tables[2, 1].entrants == (one, three)

    def test_what_cannot_be_exchanged_is_refused(self, club: Club) -> None:
        self.drafted(club)
        for swap in (("e1", "e1"), ("e1", "e9"), ("e1",)):
            with pytest.raises(Invalid) as error:
                services.exchange(club.id, club.olga, swap=swap, reason="why", now=club.now)
            assert error.value.field == "swap"
        with pytest.raises(Invalid) as error:
            services.exchange(club.id, club.olga, tables=[["e1", "e2"], ["e3", "e9"]], reason="why", now=club.now)
        assert error.value.field == "tables"

    def test_a_round_that_is_open_comes_first(self, club: Club) -> None:
        self.drafted(club)
        services.publish(club.id, club.olga, now=club.now)
        with pytest.raises(Conflict) as error:
            services.next_round(club.id, club.olga, now=club.now)
        assert error.value.code == "round_open"


class TestDeadline:
    """LI2: a span of wall time; outages of the service are added."""

    LIMITED = {**PAIRS, "deadline": 86_400}

    def test_tables_still_open_are_overdue_and_the_organiser_is_told(self, club: Club) -> None:
        club.start(*club.people[:4], **self.LIMITED)
        club.finish(1)
        club.run(hours=23)
        assert "overdue" not in club.types()
        club.run(hours=2)
        assert club.t.rounds[1].overdue
        assert club.types().count("overdue") == 1
        assert club.game(2).status == "setup"

    @pytest.mark.sampled
    def test_or_the_open_games_are_ruled_as_they_stand(self, club: Club) -> None:
        club.start(*club.people[:4], overdue="adjudicate", **self.LIMITED)
        club.finish(1)
        game = club.game(2)
        club.run(hours=25)
        game.refresh_from_db()
        assert game.status == "cancelled"
        result = club.record().results[str(game.id)]
        assert result.source == "ruling"
        assert club.t.seated == 2

    def test_ra1_an_adjudicated_game_is_rated_by_its_places(self, club: Club) -> None:
        club.start(*club.people[:4], overdue="adjudicate", **self.LIMITED)
        game = club.game(2)
        for seat in game.seat_rows():
            assert seat.player is not None
            hand = load(game.pk).state.players[seat.index].hand[:3]
            arrange = {"move": "arrange", "face_up": list(hand)}
            games.play(game.id, seat.player, arrange, now=club.now)
        club.run(hours=25)
        record_result.catch_up()
        results = {event.data["game_id"]: event for event in log.read("league-threes")}
        places = {UUID(one["player"]): one["place"] for one in results[str(game.id)].data["players"]}
        told = club.record().results[str(game.id)].players
        assert places == {club.t.entrants[one.entrant].player: one.place for one in told}
        done_at(club.now, games.void_game, game.id, actor=log.Actor("staff", "somebody"), reason="the wrong deck")
        record_result.catch_up()
        assert [event.type for event in log.read("league-threes")][-1] == "league.voided"

    def test_ra1_a_game_that_an_organiser_rules_is_not_rated(self, club: Club) -> None:
        club.start(*club.people[:4], overdue="adjudicate", **self.LIMITED)
        players = [{"entrant": key, "place": at} for at, key in enumerate(club.t.tables[1, 2].entrants, 1)]
        asked = {"ruling": "rule_table", "round": 1, "table": 2, "players": players, "reason": "agreed"}
        services.rule(club.id, club.olga, asked, now=club.now)
        record_result.catch_up()
        assert club.game(2).status == "cancelled" and log.read("league-threes") == []

    def test_an_extension_comes_before_the_ruling(self, club: Club) -> None:
        club.start(*club.people[:4], overdue="adjudicate", **self.LIMITED)
        asked = {"ruling": "extend", "round": 1, "seconds": 7200, "reason": "a wedding"}
        services.rule(club.id, club.olga, asked, now=club.now)
        club.run(hours=25)
        assert not club.t.rounds[1].overdue
        club.run(hours=2)
        assert club.t.seated == 2

    def test_outages_are_added(self, club: Club) -> None:
        from games.models import Outage

        club.start(*club.people[:4], **self.LIMITED)
        began = club.now + timedelta(hours=2)
        Outage.objects.create(part="web", began_at=began, ended_at=began + timedelta(hours=3))
        club.run(hours=25)
        assert not club.t.rounds[1].overdue
        club.run(hours=2, minutes=1)
        assert club.t.rounds[1].overdue

    def test_no_round_is_overdue_while_an_outage_may_turn_out_that_moves_its_deadline(self, club: Club) -> None:
        from games.models import Heartbeat, Outage

        club.start(*club.people[:4], **self.LIMITED)
        ends = club.now + timedelta(days=1)
        Heartbeat.objects.create(part="web", at=ends - timedelta(seconds=20))
        club.now = ends
        club.run(seconds=30)
        assert not club.t.rounds[1].overdue
        Heartbeat.objects.all().delete()
        Outage.objects.create(part="web", began_at=ends - timedelta(seconds=20), ended_at=ends + timedelta(seconds=100))
        club.run(seconds=89)
        assert not club.t.rounds[1].overdue
        club.run(seconds=1)
        assert club.t.rounds[1].overdue

    @pytest.mark.parametrize(("ruled_after", "hours"), [(11, 24 + 5 + 3), (25, 24 + 5 + 3), (28, 28 + 5)])
    def test_li2_an_outage_that_was_over_before_an_extension_is_added_once(
        self, club: Club, ruled_after: int, hours: int
    ) -> None:
        from games.models import Outage

        club.start(*club.people[:4], **self.LIMITED)
        began, seated = club.now + timedelta(hours=2), club.now
        Outage.objects.create(part="web", began_at=began, ended_at=began + timedelta(hours=3))
        club.run(hours=ruled_after)
        asked = {"ruling": "extend", "round": 1, "seconds": 5 * 3600, "reason": "a wedding"}
        services.rule(club.id, club.olga, asked, now=club.now)
        club.now = seated
        club.run(hours=hours, minutes=-1)
        assert not club.t.rounds[1].overdue
        club.run(minutes=2)
        assert club.t.rounds[1].overdue


def test_pl10_the_games_of_rounds_are_played_with_plans_unless_the_tournament_says_no(club: Club) -> None:
    club.start(*club.people[:4], plans=False, **PAIRS)
    assert not Game.objects.filter(tournament=club.id, state__plans=True).exists()
    assert Game.objects.filter(tournament=club.id, state__plans=False).count() == 2
