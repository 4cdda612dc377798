"""Talk at a table, its reports and its moderation: a feature, whose folder can be deleted (core/hooks.py)."""
