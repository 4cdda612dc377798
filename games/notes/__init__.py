"""Notes to oneself: a feature, whose folder can be deleted (core/hooks.py)."""
