"""The application as granian serves it: `granian --interface rsgi config.serving:gateway`."""

from config.wsgi import application

# Django is set up by now.
from django.conf import settings  # isort: skip
from django.urls import reverse  # isort: skip
from config.gateway import Gateway, Lane  # isort: skip
from config.ops.middleware import HEALTH  # isort: skip
from games.accounts.hashing import CALLS  # isort: skip

_health = Lane("health", 1)
_hashing = Lane("hashing", settings.TREY_HASHES, settings.TREY_HASHES_WAITING)
gateway = Gateway(
    application,
    Lane("request", settings.TREY_THREADS),
    settings.TREY_BODY_SECONDS,
    {(method, path): _health for path in HEALTH for method in ("GET", "HEAD")}
    | {("POST", reverse(name)): _hashing for name in CALLS},
)
