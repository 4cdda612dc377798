"""Accounts: players, their tokens and calendars, and closing an account.

This room knows no game. Receivers of `core.accounts.signals` do whatever has to happen in games and
tournaments when an account changes.
"""
