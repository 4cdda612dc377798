#!/usr/bin/env python
"""Django's commands for Trey; `python manage.py help` lists them."""

import os
import sys


def main() -> None:
    """Run the command on the command line; what the environment makes impossible is said in one sentence."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from config.refusal import Refused

    try:
        from django.core.management import execute_from_command_line

        execute_from_command_line(sys.argv)
    except Refused as refused:
        sys.exit(f"trey: {refused}")


if __name__ == "__main__":
    main()
