"""Streams that stay open: server-sent events to many readers from one event loop."""
