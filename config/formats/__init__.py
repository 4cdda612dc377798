"""The dashboard's formats of dates and times, which are UTC everywhere."""
