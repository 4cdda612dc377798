"""The public page of a tournament: HTML without script, for whoever has the address."""
