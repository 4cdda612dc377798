"""The parts of a play-by-turn service that know no game: the event log, accounts, HTTP, the clock, refusals."""
