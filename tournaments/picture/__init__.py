"""One reading of a tournament, which the API, the public pages and the dashboard draw."""

from tournaments.picture.open_games import GameNow, games_now, no_shows
from tournaments.picture.tables import RoundLine, rounds_of, table_name, where_played
from tournaments.picture.viewer import Viewer
from tournaments.picture.wording import Name, exact, texts_of
from tournaments.picture.words import Picture
