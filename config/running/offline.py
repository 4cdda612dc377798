"""Run a management command while Trey is stopped. The embedded servers run as long as the command.

    python -m config.running.offline restore trey.dump

Trey cannot be started meanwhile. With DATABASE_URL and REDIS_URL there is nothing to start: use `manage.py`.
"""

import os
import subprocess
import sys

from config.environment import StartupError
from config.processes import CHECKOUT


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    if len(sys.argv) < 2:
        sys.exit("usage: python -m config.running.offline COMMAND [ARGUMENT ...]")
    try:
        sys.exit(_run(sys.argv[1:]))
    except StartupError as error:
        sys.exit(f"trey: {error}")
    except KeyboardInterrupt:
        sys.exit(130)


def _run(command: list[str]) -> int:
    from django.conf import settings

    from config.running import embedded
    from config.running.run import only_one

    with only_one(settings.PLACE), embedded.started(settings.PLACE):
        return subprocess.run([sys.executable, CHECKOUT / "manage.py", *command], check=False).returncode  # noqa: S603


if __name__ == "__main__":
    main()
