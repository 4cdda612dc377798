"""The points schemes (PT1), one file each. A new scheme is a file and a line here."""

from tournaments.rules.points.opponents_beaten import OPPONENTS_BEATEN
from tournaments.rules.points.places import PLACES
from tournaments.rules.points.scheme import Numbers, Places, Scheme
from tournaments.rules.points.score import SCORE
from tournaments.rules.points.wins import WINS

SCHEMES: dict[str, Scheme] = {scheme.name: scheme for scheme in (OPPONENTS_BEATEN, PLACES, WINS, SCORE)}

__all__ = ["SCHEMES", "Numbers", "Places", "Scheme"]
