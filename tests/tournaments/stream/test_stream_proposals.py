"""RT1, RT2: who proposes what and when, and who votes on it."""

import pytest
from proposal_scene import DAY, PEOPLE, SHORT, Chamber
from stream_scene import NEW_DEALS, OLGA, SERVICE, by, ended

from core.refusals import Conflict, Forbidden, Invalid, NotFound
from tournaments.picture.ratifying import changes_as_shown
from tournaments.selectors import changes_of
from tournaments.stream import Ending, entries, life, outcomes, proposals


def refused(kind, code, act, *args, **kwargs):
    with pytest.raises(kind) as error:
        act(*args, **kwargs)
    assert error.value.code == code
    return error.value


# RT1: what is proposed


def test_rt1_a_proposal_has_a_title_a_reason_and_complete_rules():
    it = Chamber()
    n = it.propose("ada", ruleset="2022", options={"decks": 2})
    made = it.proposal(n)
    assert (made.n, made.title, made.reason, made.ruleset, made.options) == (
        1, "Shorter games", "They last for weeks.", "2022", {"decks": 2},
    )  # fmt: skip


def test_rt1_options_that_are_given_replace_all_of_the_tournaments():
    it = Chamber(options={"ten_wild": True})
    it.propose("ada", options=SHORT)
    assert it.proposal().options == SHORT


def test_rt1_rules_that_are_left_out_stay():
    it = Chamber(ruleset="2022", options={"ten_wild": False})
    it.propose("ada", ruleset="2023", options=None)
    assert (it.proposal().ruleset, it.proposal().options) == ("2023", {"ten_wild": False})


@pytest.mark.parametrize("missing", ["title", "reason"])
def test_rt1_a_title_and_a_reason_are_needed(missing):
    assert refused(Invalid, "invalid", Chamber().propose, **{missing: None}).field == missing


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"ruleset": "2021"}, "ruleset"),
        ({"options": {"hats": 3}}, "options.hats"),
        ({"options": {"stalemate_after": 2}}, "options.stalemate_after"),
    ],
)
def test_rt1_rules_that_the_game_refuses_are_refused(asked, field):
    assert refused(Invalid, "invalid", Chamber().propose, **asked).field == field


@pytest.mark.parametrize(
    ("kind", "settings", "most"),
    [
        ("season", {"tables": {"size": 4}}, 5),
        ("rounds", {"tables": {"size": 4, "max": 6}}, 6),
        ("knockout", {"tables": {"size": 6}, "advance": 2}, 6),
    ],
)
def test_rt1_rules_are_refused_that_the_game_refuses_at_any_size_of_table(kind, settings, most):
    """With so many decks as there are, one deck is too few for the largest table only."""
    it = Chamber("ada", "bob", "cleo", "dan", kind=kind, settings=settings, game="three_thirteen", ruleset="house")
    fitting = next(seats for seats in range(2, 9) if most * 13 + 1 <= seats * 52)
    error = refused(Invalid, "invalid", it.propose, who=OLGA, options={"decks": fitting - 1})
    assert error.field == "options.decks"
    assert it.propose(who=OLGA, options={"decks": fitting}) == 1


def test_rt1_the_sizes_of_tables_are_those_that_the_tournament_has():
    def sizes(**plan):
        return list(proposals.table_sizes(Chamber(**plan).t.plan))

    assert sizes(kind="rounds", settings={"tables": {"size": 4}}) == [3, 4, 5]
    assert sizes(kind="knockout", settings={"tables": {"size": 4}, "advance": 2}) == [2, 3, 4]
    assert sizes(kind="season", settings={"tables": {"size": 4}}) == [2, 3, 4, 5]


@pytest.mark.parametrize("same", [{}, {"play_until": "last_left"}, {"stalemate_after": 20}])
def test_rt1_a_proposal_that_changes_nothing_is_refused(same):
    assert refused(Invalid, "invalid", Chamber().propose, options=same).field == "options"


AS_2023 = {"merge_last_hand": False, "eight_plain_on_empty": False, "ten_wild": False}


def test_rt1_another_ruleset_with_the_options_of_today_changes_nothing():
    """What changes is what the completed options change: 10s are not wild because the ruleset is called 2022."""
    it = Chamber()
    assert refused(Invalid, "invalid", it.propose, ruleset="2022", options=AS_2023).field == "options"
    n = it.propose(ruleset="2022", options=AS_2023, confirm=True)
    assert changes_of(it.t, it.proposal(n)) == []


def test_rt5_of_another_ruleset_the_options_that_change_are_shown():
    it = Chamber()
    n = it.propose(ruleset="2022", options={"ten_wild": False})
    changed = [(one.option, one.before, one.after) for one in changes_of(it.t, it.proposal(n))]
    assert changed == [("merge_last_hand", False, True), ("eight_plain_on_empty", False, True)]


def test_rt5_a_change_names_the_tables_for_which_it_is_meant():
    """Of two players there was one deck before, too, so that nothing changes for them."""
    it = Chamber(settings={"tables": {"size": 4}})
    n = it.propose(options={"decks": 1, "ten_wild": True})
    changes = changes_of(it.t, it.proposal(n))
    assert [(one.option, one.before, one.after, one.seats) for one in changes] == [
        ("decks", 2, 1, (3, 4, 5)),
        ("ten_wild", False, True, None),
    ]
    assert next(one.option for one in changes_as_shown(changes)) == "Decks (tables of 3 to 5)"
    n = it.propose("bob", options={"decks": 2})
    [only] = changes_of(it.t, it.proposal(n))
    assert (only.before, only.after, only.seats) == (1, 2, (2,))


def test_rt1_with_confirm_it_ratifies_what_is():
    it = Chamber(options={"ten_wild": True})
    n = it.propose(who=OLGA, options=None, confirm=True)
    it.vote("yes", *PEOPLE)
    assert it.wait(days=1) == ["ratified"]
    assert (it.t.rules.proposal, it.t.rules.options) == (n, {"ten_wild": True})


@pytest.mark.parametrize(
    ("days", "is_good"), [(1.9, False), (2, True), (7, True), (60, True), (60.1, False), (-3, False)]
)
def test_rt3_it_closes_two_to_sixty_days_away(days, is_good):
    it = Chamber()
    asked = {"closes_at": (it.now + days * DAY).isoformat()}
    if is_good:
        it.propose(**asked)
        assert it.proposal().closes_at.isoformat() == asked["closes_at"]
    else:
        assert refused(Invalid, "invalid", it.propose, **asked).field == "closes_at"


def test_rt3_it_closes_after_seven_days_unless_it_says_so():
    it = Chamber()
    before = it.now
    it.propose()
    assert it.proposal().closes_at == before + 7 * DAY


# RT1: who proposes, and when


def test_rt1_in_a_season_electors_propose_and_else_organisers():
    assert Chamber().t.plan.proposals == "entrants"
    for kind, settings in (("rounds", {}), ("knockout", {"advance": 2})):
        it = Chamber(kind=kind, settings=settings)
        assert it.t.plan.proposals == "organisers"
        refused(Forbidden, "not_an_organiser", it.propose, "ada")
        assert it.propose(who=OLGA) == 1


def test_rt1_none_lets_nobody_propose():
    it = Chamber(proposals="none")
    refused(Forbidden, "no_proposals", it.propose, "ada")
    refused(Forbidden, "no_proposals", it.propose, who=OLGA)


def test_rt1_only_electors_among_the_entrants_propose():
    it = Chamber()
    it.enter("eve")
    refused(Forbidden, "not_an_elector", it.propose, "eve")
    assert "who are still in" in refused(Forbidden, "not_an_elector", it.propose, "zoe").detail
    it.now += 7 * DAY
    assert it.propose("eve") == 1


def test_rt1_each_proposer_has_one_open():
    it = Chamber()
    it.propose("ada")
    refused(Conflict, "proposal_open", it.propose, "ada")
    it.withdraw("ada", 1)
    assert it.propose("ada") == 2


def test_rt1_five_of_entrants_are_open_in_all():
    it = Chamber("ada", "bob", "cleo", "dan", "eve", "fay")
    for name in ("ada", "bob", "cleo", "dan", "eve"):
        it.propose(name)
    refused(Conflict, "too_many_proposals", it.propose, "fay")
    assert it.propose(who=OLGA) == 6


@pytest.mark.parametrize("how", ["rejected", "closed"])
def test_rt1_none_is_made_within_seven_days_of_ones_own_that_was_rejected_or_closed(how):
    it = Chamber()
    n = it.propose("ada")
    if how == "closed":
        it.decide(n, ratified=False)
    else:
        it.vote("no", *PEOPLE)
        it.wait(days=1)
    assert it.status(n) == how
    it.now = it.proposal(n).ended_at + 7 * DAY - DAY / 1000
    refused(Conflict, "proposed_lately", it.propose, "ada")
    assert it.propose("bob") == 2
    it.now = it.proposal(n).ended_at + 7 * DAY
    assert it.propose("ada") == 3


def test_rt1_after_one_that_was_overtaken_another_may_be_made_at_once():
    it = Chamber()
    it.propose("ada")
    it.vote("yes", *PEOPLE, n=1)
    it.propose("bob", options={"stalemate_after": 5})
    assert it.wait(days=1) == ["ratified", "overtaken"]
    assert it.propose("bob", options={"stalemate_after": 5}) == 3


def test_rt1_proposals_are_made_only_while_the_tournament_runs():
    it = Chamber()
    it.do(life.finish(it.t, OLGA, "organiser"))
    refused(Conflict, "tournament_over", it.propose, "ada")
    it.do(life.reopen(it.t, OLGA, "too early", deals=NEW_DEALS))
    assert it.propose("ada") == 1


def test_rt1_before_the_start_rules_are_changed_and_not_proposed():
    it = Chamber()
    before = type(it).__mro__[1](kind="season").open("ada")
    read = proposals.read_proposal({"title": "t", "reason": "r", "options": SHORT})
    refused(Conflict, "not_started", proposals.propose, before.t, OLGA, read, now=before.now)


def test_rt1_its_proposer_withdraws_it_and_nobody_else():
    it = Chamber()
    n = it.propose("ada")
    for who in ("bob", "olga"):
        refused(Forbidden, "not_the_proposer", it.withdraw, who, n)
    assert it.withdraw("ada", n) == ["proposal_withdrawn"]
    assert it.status(n) is Ending.WITHDRAWN
    refused(Conflict, "proposal_ended", it.withdraw, "ada", n)


def test_rt1_an_organiser_closes_it_with_a_reason():
    it = Chamber()
    n = it.propose("ada")
    refused(Forbidden, "not_an_organiser", it.decide, n, ratified=False, who=by("ada"))
    assert it.decide(n, ratified=False) == ["proposal_closed"]
    assert (it.status(n), it.proposal(n).ended_why) == (Ending.CLOSED, "Because.")


@pytest.mark.parametrize("act", ["vote", "withdraw", "close"])
def test_rt1_once_it_is_decided_nothing_is_changed_even_if_the_runner_is_late(act):
    it = Chamber()
    n = it.propose("ada")
    it.now = it.proposal(n).closes_at
    acts = {
        "vote": lambda: it.vote("yes", "bob"),
        "withdraw": lambda: it.withdraw("ada", n),
        "close": lambda: it.decide(n, ratified=False),
    }
    refused(Conflict, "proposal_ended", acts[act])


def test_a_proposal_that_was_never_made_is_not_found():
    it = Chamber()
    refused(NotFound, "no_such_proposal", it.vote, "yes", "ada", n=1)
    refused(NotFound, "no_such_proposal", it.withdraw, "ada", 1)
    refused(NotFound, "no_such_proposal", it.decide, 1, ratified=False)


# RT2


def test_rt2_electors_are_people_who_are_in_and_entered_seven_days_before_or_have_a_counted_game():
    it = Chamber()
    it.do(entries.add_bot(it.t, OLGA, "steady", now=it.now))
    it.enter("eve", "fay", "gus")
    room = "5f0c0f6e-0000-4000-8000-000000000001"
    it.do(outcomes.open_room(it.t, room, 1))
    started = it.now
    it.now += DAY / 24
    result = ended(["e1", "e6"])
    it.do(outcomes.take_in_season(it.t, room, result, started_at=started, ended_at=it.now, own=True))
    it.do(entries.withdraw(it.t, by("dan"), "e4", resign=False, now=it.now))
    it.propose("ada")
    assert it.electors() == ["e1", "e2", "e3", "e6"]


def test_rt2_a_voided_game_makes_nobody_an_elector():
    it = Chamber()
    it.enter("eve")
    room = "5f0c0f6e-0000-4000-8000-000000000001"
    it.do(outcomes.open_room(it.t, room, 1))
    started = it.now
    it.now += DAY / 24
    it.do(outcomes.take_in_season(it.t, room, ended(["e1", "e5"]), started_at=started, ended_at=it.now, own=True))
    it.do(outcomes.void(it.t, OLGA, room, "wrong deck"))
    it.propose("ada")
    assert it.electors() == ["e1", "e2", "e3", "e4"]


def test_rt2_who_comes_later_is_no_elector():
    it = Chamber()
    n = it.propose("ada")
    it.enter("eve")
    it.now += 6 * DAY
    refused(Forbidden, "not_an_elector", it.vote, "yes", "eve", n=n)


@pytest.mark.parametrize("how", ["withdraws", "is removed", "is replaced by a bot"])
def test_rt2_who_leaves_is_no_elector_from_then_on_also_after_returning(how):
    it = Chamber()
    n = it.propose("ada")
    it.vote("yes", "bob")
    it.vote("no", "cleo")
    if how == "withdraws":
        it.do(entries.withdraw(it.t, by("bob"), "e2", resign=False, now=it.now))
    elif how == "is removed":
        it.do(it.ruled("remove", entrant="e2"))
    else:
        it.do(it.ruled("replace", entrant="e2", bot="steady"))
    assert it.proposal(n).counts.as_json() == {"yes": 0, "no": 1, "abstain": 0, "electors": 3}
    if how == "withdraws":
        it.enter("bob")
    elif how == "is removed":
        it.reinstate("e2")
    else:
        it.replace("e2", "bob")
    refused(Forbidden, "not_an_elector", it.vote, "yes", "bob", n=n)
    assert it.electors(n) == ["e1", "e3", "e4"]


def test_rt2_a_successor_has_the_vote_as_it_was_cast_and_may_change_it():
    it = Chamber()
    n = it.propose("ada")
    it.vote("yes", "bob")
    it.replace("e2", "zoe")
    assert it.proposal(n).counts.as_json() == {"yes": 1, "no": 0, "abstain": 0, "electors": 4}
    refused(Forbidden, "not_an_elector", it.vote, "no", "bob", n=n)
    it.vote("no", "zoe", n=n)
    assert it.proposal(n).counts.as_json() == {"yes": 0, "no": 1, "abstain": 0, "electors": 4}


def test_rt2_a_vote_is_changed_at_will_and_a_second_time_the_same_is_no_event():
    it = Chamber()
    n = it.propose("ada")
    for choice in ("yes", "no", "abstain", "yes"):
        it.vote(choice, "bob")
    assert it.proposal(n).counts.as_json() == {"yes": 1, "no": 0, "abstain": 0, "electors": 4}
    assert proposals.vote(it.t, by("bob"), n, "yes", now=it.now) == []


def test_only_a_player_proposes():
    it = Chamber()
    with pytest.raises(ValueError, match="only a player"):
        it.propose(who=SERVICE)
