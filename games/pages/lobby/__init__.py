"""Rooms, guests, what one was told and settings: pages for people, of use without script."""
