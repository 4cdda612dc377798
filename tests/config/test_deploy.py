"""The files of deploy/machines are what the servers take, and lead to each other."""

import re
import runpy
import shutil
import subprocess
from urllib.parse import urlsplit

import pytest
import yaml

from benchmarks.machines.cluster import DEPLOY, environ_of
from config.processes import CHECKOUT, POSTGRES_LOG

STORES = ["10.77.0.11", "10.77.0.12", "10.77.0.13"]
APPS = ["10.77.0.21", "10.77.0.22"]


def test_trey_takes_its_settings_and_finds_the_stores_by_haproxy(monkeypatch):
    for name, value in {**environ_of(DEPLOY / "trey.env"), "TREY_ENV": "production"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("TREY_SECRET_KEY", "0123456789" * 5)
    found = runpy.run_path(str(CHECKOUT / "config/settings.py"))
    text = (DEPLOY / "haproxy-stores.cfg").read_text()
    assert f"bind {found['DATABASES']['default']['HOST']}:{found['DATABASES']['default']['PORT']}\n" in text
    assert f"bind {urlsplit(found['REDIS_URL']).netloc.rpartition('@')[2]}\n" in text
    assert re.findall(r"server db\d (\S+):5432 check port 8008", text) == STORES
    assert re.findall(r"server db\d (\S+):6379 check\n", text) == STORES
    assert "trey = host=127.0.0.1 port=5000 " in (DEPLOY / "pgbouncer.ini").read_text()


def test_patroni_acknowledges_what_a_standby_has_and_logs_no_values():
    found = yaml.safe_load((DEPLOY / "patroni.yml").read_text())
    dcs = found["bootstrap"]["dcs"]
    assert (dcs["synchronous_mode"], dcs["synchronous_mode_strict"]) == ("quorum", True)
    # Patroni's own rule: else a primary that is cut off would stop after another has taken over.
    assert dcs["loop_wait"] + 2 * dcs["retry_timeout"] <= dcs["ttl"]
    assert {name: str(dcs["postgresql"]["parameters"][name]) for name in POSTGRES_LOG} == POSTGRES_LOG
    assert [each.split(":")[0] for each in found["etcd3"]["hosts"].split(",")] == STORES


def test_redis_has_one_password_everywhere():
    asked = {
        "redis.conf": r"requirepass (\w+)\nmasterauth \1", "sentinel.conf": r"sentinel auth-pass trey (\w+)",
        "haproxy-stores.cfg": r"AUTH (\w+)", "trey.env": r"REDIS_URL=redis://:(\w+)@",
    }  # fmt: skip
    assert {re.search(pattern, (DEPLOY / name).read_text())[1] for name, pattern in asked.items()} == {"secret"}
    assert "sentinel monitor trey 10.77.0.11 6379 2" in (DEPLOY / "sentinel.conf").read_text()


def test_the_proxy_leads_to_both_machines_and_hides_what_is_asked_from_inside():
    text = (DEPLOY / "haproxy.cfg").read_text()
    assert re.findall(r"server app\d (\S+):8000", text) == re.findall(r"server app\d (\S+):8001", text) == APPS
    assert "deny deny_status 404 if { path /metrics /readyz }" in text


@pytest.mark.parametrize("name", ["haproxy.cfg", "haproxy-stores.cfg"])
def test_haproxy_takes_its_file(name):
    haproxy = shutil.which("haproxy", path="/usr/sbin:/usr/bin:/usr/local/sbin")
    if haproxy is None:
        pytest.skip("HAProxy is not installed")
    done = subprocess.run([haproxy, "-c", "-f", DEPLOY / name], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Warnings" not in done.stdout


def test_etcd_is_told_of_all_three():
    found = environ_of(DEPLOY / "etcd.env")
    assert re.findall(r"db\d=http://([\d.]+):2380", found["ETCD_INITIAL_CLUSTER"]) == STORES
