"""Notifications of games: turns, reminders, and whatever else players are told.

A reactor of the log (`following`) tells; `turns` has the turns with their plans and reminders. `subject` says what may
be said of a game to whom; `kinds` has the sentences; `services` the invitation and *seen*.
"""
