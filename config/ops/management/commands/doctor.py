import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from config.ops.doctor import Finding, Level, examine

_STYLES = {Level.OK: "SUCCESS", Level.WARN: "WARNING", Level.BAD: "ERROR"}


class Command(BaseCommand):
    help = (
        "Check on one page whether all is well, and say what to do about each problem. Exit status 0: all is "
        "well; 1: something needs a look; 2: something is wrong."
    )
    # They are one of the lines.
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="one JSON object, for programs")
        parser.add_argument(
            "--newest",
            type=int,
            default=100,
            metavar="N",
            help="verify the N most recently written streams (default 100)",
        )

    def handle(self, *_: Any, newest: int, **options: Any) -> None:
        findings = []
        for finding in examine(newest):
            findings.append(finding)
            if not options["json"]:
                self._print(finding)
        worst = max((finding.level for finding in findings), key=lambda level: level.value)
        if options["json"]:
            self.stdout.write(json.dumps(_as_json(findings, worst), indent=2))
        if worst is not Level.OK:
            sys.exit(worst.value)

    def _print(self, finding: Finding) -> None:
        style = getattr(self.style, _STYLES[finding.level])
        self.stdout.write(f"{style(f'{finding.level.name.lower():<5}')} {finding.name:<12} {finding.detail}")
        if finding.advice and finding.level is not Level.OK:
            self.stdout.write(f"{'':<19}{finding.advice}")


def _as_json(findings: list[Finding], worst: Level) -> dict[str, Any]:
    return {
        "status": worst.name.lower(),
        "findings": [
            {
                "status": finding.level.name.lower(),
                "check": finding.name,
                "detail": finding.detail,
                "advice": finding.advice if finding.level is not Level.OK else "",
            }
            for finding in findings
        ],
    }
