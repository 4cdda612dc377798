#!/usr/bin/env python
"""Django's commands for Trey; `python manage.py help` lists them."""

import os
import sys


def main() -> None:
    """Run the command on the command line; what the environment makes impossible is said in one sentence."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.db import OperationalError

    from config.errors import StartupError

    try:
        from django.core.management import execute_from_command_line

        execute_from_command_line(sys.argv)
    except StartupError as refused:
        sys.exit(f"trey: {refused}")
    except OperationalError as error:
        if "connection" not in str(error):
            raise
        sys.exit("trey: no database answers. Start Trey with `make run`, or name a PostgreSQL with DATABASE_URL.")


if __name__ == "__main__":
    main()
