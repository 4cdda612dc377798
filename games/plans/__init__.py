"""Plans: what players leave for their turns to come, kept and followed; what they can say is `games.rules.plans`."""
