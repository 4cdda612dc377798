"""granian, which has imported what its processes need before it forks them: they start at once, and share its memory.

python -m config.web [OPTION ...] config.serving:gateway
"""

import gc

import config.wsgi

# Django is set up by now.
from django.urls import get_resolver  # isort: skip
from granian.cli import entrypoint  # isort: skip
import config.gateway  # noqa: F401  # isort: skip

if __name__ == "__main__":
    get_resolver().url_patterns  # noqa: B018  imports all views
    gc.collect()
    gc.freeze()
    entrypoint()  # type: ignore[no-untyped-call]
