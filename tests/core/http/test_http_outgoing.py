"""NT13: one rule on addresses, ten seconds, 64 kB, no redirects."""

import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from ipaddress import ip_address
from threading import Event

import pytest

from core.http import outgoing
from tests.core.notifications.receivers import Receiver, make_certificate

PRIVATE = [
    "127.0.0.1", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1",
    "255.255.255.255", "192.0.2.1", "::1", "::", "fe80::1", "fc00::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1",
    "64:ff9b::7f00:1", "2002:7f00:1::", "2001:0:7f00:1::", "2001:db8::1", "fec0::1",
    "192.0.0.8", "3fff::1", "5f00::1",
]  # fmt: skip


@pytest.mark.parametrize("address", PRIVATE)
def test_nt13_an_address_that_is_not_public_is_refused(address):
    with pytest.raises(outgoing.BadAddress, match="is not a public address"):
        outgoing.check_ip(ip_address(address))


@pytest.mark.parametrize("address", ["8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8"])
def test_nt13_a_public_one_is_not(address):
    outgoing.check_ip(ip_address(address))


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/", "ftp://example.org/", "https://", "https:///x", "https://u:p@example.org/", "nonsense",
        "https://127.0.0.1/", "https://[::1]/", "https://exa mple.org/", "https://example.org:0/", "https://[::1",
        "https://example.org:99999/", "https://10.0.0.1:8443/", "https://example.org/\n", "https://0177.0.0.1/",
        "https://\uff11\uff12\uff17.0.0.1/", "https://a..b/", f"https://{'a' * 64}.org/",
        f"https://{'a.' * 150}org/", "https://example.org\\@127.0.0.1/",
    ],
)  # fmt: skip
def test_nt13_an_address_that_is_none_of_ours_is_refused_before_it_is_asked(url):
    with pytest.raises(outgoing.BadAddress):
        outgoing.check_url(url)


def test_nt13_a_host_is_what_the_resolver_is_asked_for():
    assert outgoing.check_url("https://B\xfccher.example:8443/x") == "xn--bcher-kva.example"


def test_nt13_all_addresses_of_a_name_must_be_public(monkeypatch):
    asked = []

    def resolve(host, port):
        asked.append((host, port))
        return ["8.8.8.8", "127.0.0.1"]

    with pytest.raises(outgoing.Unreachable) as refused:
        outgoing.post("https://rebind.example/", b"{}", {}, resolve=resolve)
    assert asked == [("rebind.example", 443)]
    # A name that is known inside only cannot be told from one that is not known at all.
    with pytest.raises(outgoing.Unreachable) as unknown:
        outgoing.post("https://rebind.example/", b"{}", {}, resolve=_fails)
    assert str(refused.value) == str(unknown.value) == "rebind.example has no public address"


def test_nt13_the_vetted_address_is_the_one_connected_to(receiver):
    """A name that changes between look-up and connection: it is looked up once, and only that answer counts."""
    answers = iter([["127.0.0.1"], ["203.0.113.1"]])
    reply = outgoing.post(
        f"http://changes.example:{receiver.port}/x", b"{}", {}, resolve=lambda host, port: next(answers)
    )
    assert reply.status == 204
    assert receiver.got[0][1]["Host"] == f"changes.example:{receiver.port}"
    assert next(answers) == ["203.0.113.1"]  # nobody asked a second time


def test_nt13_the_certificate_is_the_names_whatever_the_address(local, tmp_path, monkeypatch):
    authority, certificate = tmp_path / "authority.pem", tmp_path / "server.pem"
    make_certificate("hooks.example", authority, certificate)
    monkeypatch.setenv("SSL_CERT_FILE", str(authority))
    outgoing._tls.cache_clear()
    with Receiver(certificate=certificate) as receiver:
        post = partial(outgoing.post, body=b"{}", headers={}, resolve=lambda host, port: ["127.0.0.1"])
        assert post(f"https://hooks.example:{receiver.port}/x").status == 204
        with pytest.raises(outgoing.Unreachable, match="Hostname mismatch"):
            post(f"https://others.example:{receiver.port}/x")
        assert [headers["Host"] for _, headers, _ in receiver.got] == [f"hooks.example:{receiver.port}"]
    outgoing._tls.cache_clear()


def test_nt16_for_tests_only_this_machine_is_there(local):
    assert outgoing.check_url("http://127.0.0.1:8000/x") == "127.0.0.1"
    with pytest.raises(outgoing.BadAddress, match="is not this machine"):
        outgoing.post("https://example.org/", b"{}", {}, resolve=lambda host, port: ["8.8.8.8"])


def test_nt13_redirects_are_not_followed(receiver):
    receiver.status, receiver.headers = 302, {"Location": f"http://127.0.0.1:{receiver.port}/inside"}
    assert outgoing.post(receiver.url, b"{}", {}).status == 302
    assert [path for path, _, _ in receiver.got] == ["/hook/s3cret-token"]


@pytest.mark.parametrize("behaviour", ["hangs", "drips"])
def test_nt13_the_whole_exchange_has_an_end(receiver, behaviour):
    receiver.behaviour = behaviour
    begun = time.monotonic()
    with pytest.raises(outgoing.Unreachable):
        outgoing.post(receiver.url, b"{}", {}, seconds=1.0)
    assert 0.9 < time.monotonic() - begun < 5.0


def test_nt15_a_look_up_that_was_given_up_before_it_began_is_never_made(monkeypatch):
    """While names resolve slowly, they would add up, and everybody would wait for those that nobody waits for."""
    asked, go_on = [], Event()
    with ThreadPoolExecutor(1) as resolvers:
        monkeypatch.setattr(outgoing, "_resolvers", lambda: resolvers)
        resolvers.submit(go_on.wait)
        with pytest.raises(outgoing.Unreachable):
            outgoing.post("https://slow.example/", b"{}", {}, resolve=lambda *what: asked.append(what), seconds=0.05)
        go_on.set()
    assert asked == []


def test_nt13_a_look_up_that_hangs_has_an_end_too(receiver):
    begun = time.monotonic()
    with pytest.raises(outgoing.Unreachable, match="looking up"):
        outgoing.post(
            "http://slow.example/", b"{}", {}, resolve=lambda host, port: receiver.released.wait(9) or [], seconds=0.5
        )
    assert time.monotonic() - begun < 5.0


def test_nt13_of_gigabytes_64_kb_are_read(receiver):
    receiver.behaviour = "floods"
    reply = outgoing.post(receiver.url, b"{}", {})
    assert (reply.status, len(reply.body)) == (200, outgoing.MOST)
    assert receiver.sent_bytes < 50_000_000  # what the buffers between took, and no more


def test_nobody_there_is_said(local):
    with pytest.raises(outgoing.Unreachable):
        outgoing.post("http://127.0.0.1:9/", b"{}", {})
    with pytest.raises(outgoing.Unreachable, match="has no public address"):
        outgoing.post("http://nobody.invalid/", b"{}", {}, resolve=_fails)


def _fails(host, port):
    raise OSError("no such name")
