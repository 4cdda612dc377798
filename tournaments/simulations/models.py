from collections.abc import Mapping
from typing import Any

from django.db import models
from django.template.loader import render_to_string
from django.utils.safestring import mark_safe

from games.lab.picture import picture
from games.lab.report import Report
from games.rules import game_of
from games.selectors import title_by
from tournaments.models import Tournament


class Simulation(models.Model):
    """Simulated games beside a proposal. It is no part of the tournament's log."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="simulations")
    proposal = models.PositiveIntegerField()
    counted = models.JSONField(
        default=list, help_text="The figures of the pairs played so far; empty after it is done."
    )
    seconds = models.FloatField(default=0, help_text="How long it has taken so far.")
    report: "models.JSONField[Any, Any]" = models.JSONField(
        null=True, help_text="The result; null until it is done, or if there were too few games."
    )

    class Meta:
        db_table = "tournaments_simulation"
        constraints = [models.UniqueConstraint(fields=["tournament", "proposal"], name="simulation_once")]

    def __str__(self) -> str:
        return f"simulation of proposal {self.proposal}"

    def drawn(self, *, is_open: bool) -> str:
        """Two sentences and a picture, as HTML; open beside an open vote."""
        report = Report.read(_as_titled(self.report))
        context = {"sentences": report.sentences(), "picture": mark_safe(picture(report)), "is_open": is_open}  # noqa: S308  its texts are escaped
        return render_to_string("simulations/figures.html", context)


def _as_titled(report: Mapping[str, Any]) -> Mapping[str, Any]:
    """The report with the titles that people read: staff may have hidden that of a house game."""
    sides = []
    for side in report["sides"]:
        rules, options = game_of(report["game"], side["options"]), side["options"]
        if rules.digest:
            options = {"rules": {**options["rules"], "title": title_by(rules)}}
        sides.append({**side, "options": options})
    return {**report, "sides": sides}
