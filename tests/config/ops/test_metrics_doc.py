"""docs/operate/operations.md names every metric, and says which have an alarm in the rules for Prometheus."""

import re

import pytest
import yaml

from config.ops import metrics, models
from config.processes import CHECKOUT
from games.services.outages import WEB, beat

pytestmark = pytest.mark.django_db

PAGE = (CHECKOUT / "docs/operate/operations.md").read_text().partition("## Alarms")[2].partition("\n## ")[0]
RULES = yaml.safe_load((CHECKOUT / "docs/operate/prometheus/trey.rules.yml").read_text())["groups"][0]["rules"]


def names(text):
    return {name.removesuffix("_bucket") for name in re.findall(r"\btrey_\w+", text)}


def test_every_metric_is_named_where_it_has_an_alarm_or_none():
    watched, silent = PAGE.split("No alarm of their own have")
    assert names(watched) == names(" ".join(rule["expr"] for rule in RULES))
    assert not names(watched) & names(silent)
    assert all(rule["annotations"]["summary"].endswith(".") for rule in RULES)


def test_every_metric_that_is_served_is_named_and_described():
    beat(WEB)
    models.done(models.BACKUP, "now")
    models.failed(models.HEADS, "no room")
    metrics.REQUESTS.labels("GET", "/", 200).inc()
    metrics.SECONDS.labels("GET", "/").observe(0.1)
    body = metrics.exposition()[0].decode()
    served = set(re.findall(r"^# TYPE (trey_\w+) ", body, re.MULTILINE)) - {"trey_http_request_seconds_created"}
    served = {name for name in served if not name.endswith("_created")}
    assert served == names(PAGE)
    assert served <= set(re.findall(r"^# HELP (trey_\w+) \S", body, re.MULTILINE))
    assert 'trey_upkeep_failed{job="heads"} 1.0' in body
    assert 'trey_upkeep_failed{job="backup"} 0.0' in body
    assert re.search(r'trey_upkeep_age_seconds\{job="backup"\} \d', body)
