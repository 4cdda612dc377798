"""Pages for people that work without script: rooms, guests, notifications and settings."""
