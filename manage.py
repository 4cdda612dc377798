#!/usr/bin/env python
"""Django's management commands for Trey. `python manage.py help` lists them."""

import os
import sys
from pathlib import Path


def main() -> None:
    """Run a command. What the environment makes impossible is one sentence and exit status 1."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    # The demos use the official client, which need not be installed.
    sys.path.append(str(Path(__file__).resolve().parent / "clients" / "python"))
    from django.db import OperationalError

    from config.environment import StartupError

    try:
        from django.core.management import execute_from_command_line

        execute_from_command_line(sys.argv)
    except StartupError as error:
        sys.exit(f"trey: {error}")
    except OperationalError as error:
        if "connection" not in str(error):
            raise
        sys.exit("trey: no database responds. Start Trey with `make run`, or set DATABASE_URL.")


if __name__ == "__main__":
    main()
