"""The files of deploy/machines are what the servers take, and lead to each other."""

import re
import runpy
import shutil
import subprocess

import pytest
import yaml

from benchmarks.machines.cluster import DEPLOY, environ_of
from config.processes import CHECKOUT, POSTGRES_LOG

STORES = ["10.77.0.11", "10.77.0.12", "10.77.0.13"]
APPS = ["10.77.0.21", "10.77.0.22"]


def test_trey_takes_its_settings_and_finds_all_stores(monkeypatch):
    for name, value in {**environ_of(DEPLOY / "trey.env"), "TREY_ENV": "production"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("TREY_SECRET_KEY", "0123456789" * 5)
    found = runpy.run_path(str(CHECKOUT / "config/settings.py"))
    assert found["DATABASES"]["default"]["HOST"].split(",") == STORES
    assert found["DATABASES"]["default"]["OPTIONS"]["target_session_attrs"] == "read-write"
    assert found["CELERY_BROKER_TRANSPORT_OPTIONS"]["master_name"] == "trey"
    assert [each.split("//")[1].split(":")[0] for each in found["CELERY_BROKER_URL"].split(";")] == STORES


def test_patroni_acknowledges_what_a_standby_has_and_logs_no_values():
    found = yaml.safe_load((DEPLOY / "patroni.yml").read_text())
    dcs = found["bootstrap"]["dcs"]
    assert (dcs["synchronous_mode"], dcs["synchronous_mode_strict"]) == ("quorum", True)
    # Patroni's own rule: else a primary that is cut off would stop after another has taken over.
    assert dcs["loop_wait"] + 2 * dcs["retry_timeout"] <= dcs["ttl"]
    assert {name: str(dcs["postgresql"]["parameters"][name]) for name in POSTGRES_LOG} == POSTGRES_LOG
    assert [each.split(":")[0] for each in found["etcd3"]["hosts"].split(",")] == STORES


def test_sentinel_and_trey_call_the_primary_by_one_name():
    assert "sentinel monitor trey 10.77.0.11 6379 2" in (DEPLOY / "sentinel.conf").read_text()
    assert environ_of(DEPLOY / "trey.env")["REDIS_URL"].endswith("master_name=trey")


def test_the_proxy_leads_to_both_machines_and_hides_what_is_asked_from_inside():
    text = (DEPLOY / "haproxy.cfg").read_text()
    assert re.findall(r"server app\d (\S+):8000", text) == re.findall(r"server app\d (\S+):8001", text) == APPS
    assert "deny deny_status 404 if { path /metrics /readyz }" in text


def test_haproxy_takes_its_file():
    haproxy = shutil.which("haproxy", path="/usr/sbin:/usr/bin:/usr/local/sbin")
    if haproxy is None:
        pytest.skip("HAProxy is not installed")
    done = subprocess.run([haproxy, "-c", "-f", DEPLOY / "haproxy.cfg"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Warnings" not in done.stdout


def test_etcd_is_told_of_all_three():
    found = environ_of(DEPLOY / "etcd.env")
    assert re.findall(r"db\d=http://([\d.]+):2380", found["ETCD_INITIAL_CLUSTER"]) == STORES
