"""Django's backend for PostgreSQL, which leaves a server that has become a standby."""
