"""Running Trey: its processes, also in production, and for `make run` their supervisor and the embedded servers."""
