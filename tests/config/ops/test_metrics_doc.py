"""docs/operate/operations.md says of every metric when it is an alarm."""

import re

import pytest

from config.ops import metrics, models
from config.processes import CHECKOUT
from games.services.outages import WEB, beat

pytestmark = pytest.mark.django_db


def test_every_metric_is_in_the_table_of_alarms():
    beat(WEB)
    models.done(models.BACKUP, "now")
    models.failed(models.HEADS, "no room")
    metrics.REQUESTS.labels("GET", "/", 200).inc()
    metrics.SECONDS.labels("GET", "/").observe(0.1)
    body = metrics.exposition()[0].decode()
    served = set(re.findall(r"^# TYPE (trey_\w+) ", body, re.MULTILINE)) - {"trey_http_request_seconds_created"}
    table = set(re.findall(r"^\| `(trey_\w+)", (CHECKOUT / "docs/operate/operations.md").read_text(), re.MULTILINE))
    assert {name for name in served if not name.endswith("_created")} == table
    assert 'trey_upkeep_failed{job="heads"} 1.0' in body
    assert 'trey_upkeep_failed{job="backup"} 0.0' in body
    assert re.search(r'trey_upkeep_age_seconds\{job="backup"\} \d', body)
