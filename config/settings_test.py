"""Settings for tests: the test profile of the embedded servers, with names for each test run and worker."""

import os

os.environ.setdefault("TREY_ENV", "test")
os.environ.setdefault("TREY_PROFILE", "test")
# The workers of pytest-xdist inherit the id of the process that started them.
SESSION = os.environ.setdefault("TREY_TEST_SESSION", str(os.getpid()))
WORKER = os.environ.get("PYTEST_XDIST_WORKER", "gw")
os.environ["TREY_TEST_REDIS_PREFIX"] = f"trey-test:{SESSION}:{WORKER}:"

from config.settings import *  # noqa: E402, F403
from config.settings import ALLOWED_HOSTS, DATABASES  # noqa: E402

DATABASES["default"]["TEST"] = {"NAME": f"test_trey_{SESSION}"}
# A database to copy instead of migrating an empty one.
if template := os.environ.get("TREY_TEST_TEMPLATE"):
    DATABASES["default"]["TEST"] |= {"TEMPLATE": template, "MIGRATE": False}
# Open connections would keep databases from being dropped.
DATABASES["default"]["CONN_MAX_AGE"] = 0
ALLOWED_HOSTS.append("testserver")
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
