"""Notifications of tournaments, and messages to their channels (PLAY sections 1 and 2).

A reactor of the log (`following`) tells. `subject` says what may be said of a tournament to whom; `kinds` has the
sentences.
"""
