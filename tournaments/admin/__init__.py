"""The dashboard's pages about tournaments, and about players in tournaments."""

from tournaments.admin import home, players, tournaments
