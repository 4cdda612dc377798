"""One reading of a tournament, which the API, the public pages and the dashboard draw."""

from tournaments.picture.names import texts_of
from tournaments.picture.numbers import exact
from tournaments.picture.picture import Picture
from tournaments.picture.progress import progress
from tournaments.picture.rounds import Awaited, GameNow, NoShow, RoundNow, TableNow, games_now, no_shows, rounds_now
from tournaments.picture.tables import where_played
from tournaments.picture.viewer import Viewer
