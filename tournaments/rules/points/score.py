"""score: the penalties of Three Thirteen; less is better (PT1)."""

from fractions import Fraction

from tournaments.rules.points.scheme import Scheme

SCORE = Scheme("score", None, lambda *_: Fraction())
