"""The REST API under `/api/v1/`: it reads requests, asks services and selectors, and writes answers.

No rule of any game lives here.
"""
