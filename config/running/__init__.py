"""Running Trey: its processes, in production too, and for `make run` their supervisor and embedded servers."""
