"""Accounts in the browser: django-allauth's pages, under our limits, our hashing and our queue (AC1)."""
