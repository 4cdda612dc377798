"""A push's encryption, with the example of RFC 8291."""

from base64 import urlsafe_b64decode

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from core.notifications.webpush import encrypt
from tests.core.notifications.browsers import Browser


def decoded(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


# RFC 8291, 5 and appendix A.
PRIVATE = decoded("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw")
BROWSER = decoded("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4")
AUTH = decoded("BTBZMqHH6r4Tts7J_aSIgg")
SALT = decoded("DGv6ra1nlYgDCS1FRnbzlw")
BODY = decoded(
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A"
    "_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)


def test_the_example_of_the_rfc():
    private = ec.derive_private_key(int.from_bytes(PRIVATE), ec.SECP256R1())
    assert encrypt(b"When I grow up, I want to be a watermelon", BROWSER, AUTH, private, SALT) == BODY


def test_the_browser_reads_the_longest_content_there_can_be():
    browser = Browser("https://push.example.org/x")
    keys = browser.subscription()["keys"]
    content = b'"' + b"x" * 4077 + b'"'
    bodies = {encrypt(content, decoded(keys["p256dh"]), decoded(keys["auth"])) for _ in range(2)}
    assert [browser.read(body) for body in bodies] == ["x" * 4077] * 2


def test_longer_content_is_refused():
    with pytest.raises(ValueError, match="4080 bytes"):
        encrypt(b"x" * 4080, BROWSER, AUTH)
