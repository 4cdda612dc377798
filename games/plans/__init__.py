"""Plans: what a player leaves for the turns to come (PLAY, PL2-PL5, PL8, PL11). Pure; the rules judge the moves.

A plan is read by `read_plan` for a game, and judged by `judge` against a position of it. The game declares what its
lines may say (`games.rules.planning`), and `schema_of` describes it for clients.
"""

from games.plans.judging import Verdict, judge, judge_as_in_turn
from games.plans.reading import MOST_LINES, MOST_TURNS, Plan, PlanError, read_plan, schema_of
