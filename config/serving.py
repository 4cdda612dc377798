"""The application as granian serves it: `granian --interface rsgi config.serving:gateway`."""

from config.wsgi import application

# Django is set up by now.
from django.conf import settings  # isort: skip
from config.gateway import Gateway  # isort: skip
from config.ops.middleware import HEALTH  # isort: skip

gateway = Gateway(application, settings.TREY_THREADS, settings.TREY_BODY_SECONDS, aside=HEALTH)
