"""What lets somebody in: passwords, codes, tokens, sessions and guests' links, and the limits on guessing them."""
