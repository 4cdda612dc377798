"""Accounts over HTTP: signing up, logging in, and what belongs to the caller."""
