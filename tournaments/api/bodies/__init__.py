"""The bodies of responses. Only what is named here is sent."""
