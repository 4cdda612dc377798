"""Notifications of games: turns, reminders, and the rest of NT1 (PLAY sections 1 and 2).

A reactor of the log (`following`) tells; `turns` has the turns with their plans and reminders. `subject` says what may
be said of a game to whom; `kinds` has the sentences; `services` the invitation and *seen*.
"""
