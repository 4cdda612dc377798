"""What the lab (`games.lab`) says of house rules: simulated games, kept by the digest of the rules (HG22)."""
