"""Accounts: players, their tokens and calendars, and closing an account.

This room knows no game. What has to happen in games and tournaments when an account changes is done by receivers of
`games.platform.accounts.signals`.
"""
