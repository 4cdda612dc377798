import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = get_wsgi_application()

from core.http import documents  # noqa: E402  Django is set up above

# Generating the document takes about a second and is not thread-safe.
documents.load()
