"""The REST API of notifications."""
