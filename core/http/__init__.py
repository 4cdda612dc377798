"""HTTP that every API of the service shares; it knows no game and no account."""
