"""Accounts: players, their tokens and calendars, and closing an account; games and tournaments receive `signals`."""
