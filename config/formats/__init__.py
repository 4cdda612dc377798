"""How the dashboard writes dates and times, which are UTC everywhere."""
