"""The REST API of rooms and games, on top of services and selectors.

No rule of any game lives here.
"""
