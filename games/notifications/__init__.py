"""Notifications of games: turns, reminders, and the rest of NT1 (PLAY sections 1 and 2).

A reactor of the log (`following`) tells. `subject` says what a notification about a game may say to whom; `kinds` has
its sentences; `services` the invitation, *seen*, and the reminders.
"""
