"""What only a program in Python sees of its client (AP19)."""

import logging
import pickle
import socket
import ssl
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from trey import Problem, Trey, __version__
from trey.call import retry_after

TOKEN = "trey_s3cret"


def client(answer: Callable[[httpx.Request], httpx.Response], **more: Any) -> Trey:
    """A client of Trey over a client of httpx of one's own."""
    return Trey("http://trey.example", http=httpx.Client(transport=httpx.MockTransport(answer)), pause=0.001, **more)


def test_ap19_what_it_waits_for_is_logged_without_the_token(caplog: pytest.LogCaptureFixture) -> None:
    answers = iter([httpx.Response(503, headers={"Retry-After": "0.001", "X-Request-ID": "r-1"}), httpx.Response(200)])

    def answer(request: httpx.Request) -> httpx.Response:
        assert request.headers["Authorization"] == f"Bearer {TOKEN}"
        assert request.headers["User-Agent"].startswith(f"trey-client/{__version__} ")
        return next(answers)

    with caplog.at_level(logging.INFO, "trey"):
        client(answer, token=f" {TOKEN}\n").get_game("g", invitation="c0de")
    [record] = [record for record in caplog.records if record.name == "trey"]
    assert record.levelno == logging.WARNING
    assert "GET /api/v1/games/g" in record.message and "503" in record.message and "r-1" in record.message
    assert TOKEN not in caplog.text and "c0de" not in record.message


def test_ap19_a_lost_connection_without_words_is_named(caplog: pytest.LogCaptureFixture) -> None:
    """As httpx raises time-outs under asyncio."""
    tries = iter([httpx.ReadTimeout(""), None])

    def answer(_: httpx.Request) -> httpx.Response:
        if error := next(tries):
            raise error
        return httpx.Response(200)

    client(answer).my_profile()
    assert "GET /api/v1/me: ReadTimeout. Again in" in caplog.text


@pytest.mark.parametrize("token", ["two\nlines", "two words", "", "é", "Bearer x"])
def test_ap19_a_token_that_is_none_is_refused_without_saying_it(token: str) -> None:
    good = Trey("http://trey.example", token=TOKEN)
    for make in (lambda: Trey("http://trey.example", token=token), lambda: setattr(good, "token", token)):
        with pytest.raises(ValueError, match="not a token") as refused:
            make()
        assert not token or token not in str(refused.value)


@pytest.mark.parametrize("url", ["127.0.0.1:8000", "localhost:8000", "", "//trey.example", "ftp://x", "http://u:p@x"])
def test_ap19_an_address_without_a_scheme_is_refused_at_once(url: str) -> None:
    with pytest.raises((ValueError, httpx.InvalidURL)) as refused:
        Trey(url)
    assert "u:p" not in str(refused.value)


def test_ap19_only_what_may_heal_is_tried_again() -> None:
    def raised(by: OSError) -> httpx.ConnectError:
        error = httpx.ConnectError(str(by))
        error.__cause__ = by
        return error

    here = client(lambda _: httpx.Response(200))
    unknown = raised(socket.gaierror(socket.EAI_NONAME, "unknown"))
    healing = [
        raised(ConnectionRefusedError()), raised(ssl.SSLEOFError()), raised(socket.gaierror(socket.EAI_AGAIN, "later")),
        httpx.ReadTimeout("late"), httpx.RemoteProtocolError("cut"), httpx.ReadError("cut"),
    ]  # fmt: skip
    lasting = [
        raised(ssl.SSLCertVerificationError("wrong")), raised(ssl.SSLError("no TLS here")), unknown,
        httpx.UnsupportedProtocol("none"), httpx.LocalProtocolError("illegal header"),
    ]  # fmt: skip
    assert [here._trey._may_heal(each) for each in healing + lasting] == [True] * len(healing) + [False] * len(lasting)
    here.my_profile()
    assert here._trey._may_heal(unknown), "the name was known"


def test_ap19_a_condition_is_not_sent_again_after_a_lost_answer() -> None:
    """The second try would fail by what the first one wrote."""
    sent = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request.headers["If-Match"])
        raise httpx.ReadError("cut")

    with pytest.raises(httpx.ReadError):
        client(answer).write_note("g", text="mine", expect='W/"a1"')
    assert sent == ['"a1"']


def test_ap19_a_problem_says_what_to_look_for_and_pickles() -> None:
    body = {"code": "not_found", "detail": "There is no such game.", "errors": [{"field": "id"}]}
    answer = httpx.Response(404, json=body, headers={"X-Request-ID": "r-2", "RateLimit": '"a";r=1'})
    with pytest.raises(Problem) as refused:
        client(lambda _: answer, token=TOKEN).get_game("g")
    for no in (refused.value, pickle.loads(pickle.dumps(refused.value))):
        assert str(no) == "404 not_found: There is no such game. (request r-2)"
        assert (no.status, no.code, no.errors) == (404, "not_found", body["errors"])
        assert no.headers["ratelimit"] == '"a";r=1'
    assert TOKEN.encode() not in pickle.dumps(refused.value)


def test_a_client_of_ones_own_is_left_open() -> None:
    own = httpx.Client(transport=httpx.MockTransport(lambda _: httpx.Response(200)))
    with Trey("http://trey.example", http=own) as trey:
        trey.my_profile()
    assert not own.is_closed


@pytest.mark.parametrize(
    ("said", "date", "seconds"),
    [
        ("3", "", 3), ("0.5", "", 0.5), ("nan", "", None), ("-1", "", None), ("later", "", None),
        ("Wed, 21 Oct 2026 07:28:00 GMT", "Wed, 21 Oct 2026 07:27:00 GMT", 60),
        ("Wed, 21 Oct 2015 07:28:00 GMT", "", 0),
        ("Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:00 1994", 37),
    ],
)  # fmt: skip
def test_ap19_retry_after_is_seconds_or_a_date(said: str, date: str, seconds: float | None) -> None:
    assert retry_after(httpx.Headers({"Retry-After": said, **({"Date": date} if date else {})})) == seconds


def test_ap18_a_list_without_next_is_the_last_page() -> None:
    trey = client(lambda _: httpx.Response(200, json={"standings": [{"entrant": "e1"}]}))
    assert list(trey.pages(trey.get_standings, "t")) == [{"entrant": "e1"}]
