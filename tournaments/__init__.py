"""Tournaments, ratings and leaderboards: they follow the games' log; the games know nothing of them."""
