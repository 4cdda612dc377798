"""The play-by-turn service: rules, event log, rooms, moves, clocks and the API."""
