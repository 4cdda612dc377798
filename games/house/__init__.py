"""Saved house games: rules that players wrote, in versions, with their pages (docs/play/house-games.md)."""
