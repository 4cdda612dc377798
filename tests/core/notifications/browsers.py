"""A browser of the tests' own: it subscribes, and decrypts what its push service got (RFC 8291)."""

import json
import os
from base64 import urlsafe_b64encode
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


class Browser:
    def __init__(self, endpoint: str) -> None:
        self.endpoint = endpoint
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._auth = os.urandom(16)

    def subscription(self) -> dict[str, Any]:
        """As `PushSubscription.toJSON()` gives it."""
        point = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        keys = {"p256dh": _base64(point), "auth": _base64(self._auth)}
        return {"endpoint": self.endpoint, "expirationTime": None, "keys": keys}

    def read(self, body: bytes) -> dict[str, Any]:
        """The message in what was posted."""
        # RFC 8188, 2.1: the salt, the size of a record, and a name, which is the sender's public key.
        salt, size, sender, record = body[:16], int.from_bytes(body[16:20]), body[21:86], body[86:]
        assert body[20] == len(sender) == 65
        assert len(record) <= size
        point = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        there = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
        info = b"WebPush: info\0" + point + sender
        secret = HKDF(SHA256(), 32, self._auth, info).derive(self._key.exchange(ec.ECDH(), there))
        key, nonce = (
            HKDF(SHA256(), length, salt, b"Content-Encoding: " + name + b"\0").derive(secret)
            for name, length in ((b"aes128gcm", 16), (b"nonce", 12))
        )
        plain, end = (padded := AESGCM(key).decrypt(nonce, record, None).rstrip(b"\0"))[:-1], padded[-1:]
        assert end == b"\2"
        message: dict[str, Any] = json.loads(plain)
        return message


def _base64(raw: bytes) -> str:
    return urlsafe_b64encode(raw).decode().rstrip("=")
