"""A backend for PostgreSQL that abandons a server that has become a standby."""
