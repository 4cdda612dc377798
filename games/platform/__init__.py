"""What a play-by-turn service needs and no game knows: the event log, accounts, HTTP, the clock, refusals."""
