"""Notifications of tournaments, and messages to their channels.

A reactor of the log (`following`) tells. `subject` says what may be said of a tournament to whom; `kinds` has the
sentences.
"""
