"""Make what this version stores, to be kept: samples of all events, and a dump and an export of a small service.

    .venv/bin/python -m tests.stored

Writes the files of the version in pyproject.toml and touches no others: what a release has stored loads for ever.
"""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
FOLDER = HERE / VERSION

if __name__ == "__main__":
    import django

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings_test")
    django.setup()
    from tests.stored import collect, collect_leagues, collect_tournaments

    FOLDER.mkdir(exist_ok=True)
    for samples in (collect, collect_tournaments, collect_leagues):
        samples.collect(FOLDER)
    made = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(ROOT / "tests/drill/keep_release.py")]
    sys.exit(subprocess.run(made, cwd=ROOT, check=False).returncode)
