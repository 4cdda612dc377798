"""Streams that stay open: server-sent events to many readers from one event loop (PLAY LV1 to LV5).

Nothing here knows a game. `server` speaks HTTP, `streams` counts and feeds the open streams, `database` reads
PostgreSQL without holding up the loop, and `feed` says which streams of the log have moved on.
"""
