"""The addresses that `make run` prints, and the host names that lead to them."""

import re

import pytest

from config.running.run import allowed_hosts, banner, reachable


@pytest.mark.parametrize(
    ("host", "hosts"),
    [("127.0.0.1", ["127.0.0.1"]), ("localhost", ["localhost"]), ("::1", ["[::1]"]), ("192.0.2.7", ["192.0.2.7"])],
)
def test_an_address_of_its_own_is_where_people_reach_it(host, hosts):
    assert reachable(host) == hosts


@pytest.mark.parametrize(("host", "nearest"), [("0.0.0.0", "127.0.0.1"), ("::", "[::1]")])
def test_the_address_for_all_is_reached_by_loopback_first_and_is_never_printed_itself(host, nearest):
    hosts = reachable(host)
    assert hosts[0] == nearest
    assert len(set(hosts)) == len(hosts)
    assert not {"0.0.0.0", "::", "[::]"} & set(hosts)


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0", "::", "192.0.2.7"])
def test_whatever_the_banner_prints_is_an_allowed_host(host):
    hosts = reachable(host)
    printed = re.findall(r"http://(\S+?):8123/", banner(hosts, 8123))
    assert set(printed) == set(hosts)
    assert set(printed) | {"localhost", "127.0.0.1", "[::1]"} <= set(allowed_hosts(host))


@pytest.mark.parametrize(
    ("host", "port", "command"),
    [
        ("127.0.0.1", 8000, "make demo  "),
        ("127.0.0.1", 8001, "make organiser PORT=8001  "),
        ("0.0.0.0", 8001, "make demo PORT=8001  "),
        ("192.0.2.7", 8000, "make demo URL=http://192.0.2.7:8000  "),
    ],
)
def test_the_commands_for_a_second_terminal_name_what_is_not_the_default(host, port, command):
    assert re.sub(" +", " ", command) in re.sub(" +", " ", banner(reachable(host), port))
