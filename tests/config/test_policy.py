import pytest

from config import middleware as policy

pytestmark = pytest.mark.django_db


def test_the_dashboard_has_a_policy_of_its_own_and_everything_else_a_strict_one(client):
    assert "'unsafe-eval'" in client.get("/admin/")["Content-Security-Policy"]
    for path in ("/api/v1/rulesets", "/players/nobody", "/healthz", "/administer"):
        found = client.get(path).get("Content-Security-Policy", policy.STRICT)
        assert "unsafe-eval" not in found
        assert "script-src 'self' " not in found.replace("script-src 'self';", "")


@pytest.mark.parametrize("host", ["localhost:8000", "127.0.0.1:8000"])
def test_a_page_may_read_the_streams_beside_it_under_its_own_host(client, settings, host):
    settings.TREY_LIVE_URL = "http://127.0.0.1:8001"
    found = client.get("/", headers={"Host": host})["Content-Security-Policy"]
    [allowed] = [part.split() for part in found.split(";") if part.strip().startswith("connect-src")]
    assert {"'self'", f"http://{host.removesuffix('8000')}8001"} <= set(allowed)


def test_no_policy_names_another_host():
    for found in (policy.STRICT, policy.DOCS, policy.ADMIN):
        assert "http" not in found
        assert found.startswith("default-src 'none'")


def test_the_page_of_the_api_runs_no_script_within_the_page(client):
    text = client.get("/api/v1/docs").content.decode()
    assert text.count("<script src=") == text.count("<script") == 3
