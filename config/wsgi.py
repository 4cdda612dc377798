"""The WSGI application that granian serves. Each process of it has a heartbeat."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = get_wsgi_application()

from games.services.outages import WEB, Pulse  # noqa: E402  Django is set up above

Pulse(WEB).start()
