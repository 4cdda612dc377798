"""Log lines."""

from config.ops.logs import JsonFormatter, TextFormatter


def test_a_host_that_is_not_ours_is_one_line_in_the_log(client, caplog):
    assert client.get("/api/v1/rulesets", headers={"host": "evil.example"}).status_code == 400
    (record,) = (record for record in caplog.records if record.name == "django.security.DisallowedHost")
    line = TextFormatter().format(record)
    assert "evil.example" in line
    assert "\n" not in line and "traceback" not in JsonFormatter().format(record)
