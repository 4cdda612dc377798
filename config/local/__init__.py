"""One machine: embedded PostgreSQL and Redis, and the supervisor behind `make run`."""
