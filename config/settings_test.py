"""Settings of the tests: the embedded servers' test profile, and names of its own for each test run and worker."""

import os

os.environ.setdefault("TREY_ENV", "test")
os.environ.setdefault("TREY_PROFILE", "test")
# The workers of pytest-xdist inherit the number of the process that started them.
SESSION = os.environ.setdefault("TREY_TEST_SESSION", str(os.getpid()))
WORKER = os.environ.get("PYTEST_XDIST_WORKER", "gw")
os.environ["TREY_REDIS_PREFIX"] = f"trey-test:{SESSION}:{WORKER}:"

from config.settings import *  # noqa: E402, F403
from config.settings import ALLOWED_HOSTS, DATABASES  # noqa: E402

DATABASES["default"]["TEST"] = {"NAME": f"test_trey_{SESSION}"}
# Connections end with their thread's test, so that databases can be dropped.
DATABASES["default"]["CONN_MAX_AGE"] = 0
ALLOWED_HOSTS.append("testserver")
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
