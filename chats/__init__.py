"""Channels of groups, to which rooms and tournaments post: a feature, whose folder can be deleted (core/hooks.py)."""
