"""Encrypts a push so that only the browser can read it (RFC 8291, in the content coding aes128gcm of RFC 8188)."""

import os

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

#: The size of a record, of which there is one: the message, a byte that ends it, and a tag of 16 bytes.
RECORD = 4096


def encrypt(
    content: bytes,
    browser: bytes,
    auth: bytes,
    private: ec.EllipticCurvePrivateKey | None = None,
    salt: bytes | None = None,
) -> bytes:
    """The body of a push for the browser with this public key (65 bytes) and this secret (16 bytes).

    Only tests give a private key and a salt (16 bytes). Raises ValueError if `browser` is not a point on the curve, or
    if `content` is longer than 4,079 bytes.
    """
    if len(content) > RECORD - 17:
        raise ValueError(f"{len(content)} bytes do not fit into a record.")
    private = private or ec.generate_private_key(ec.SECP256R1())
    salt = salt or os.urandom(16)
    own = point(private.public_key())
    shared = private.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), browser))
    secret = derived(shared, auth, b"WebPush: info\0" + browser + own, 32)
    key = derived(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = derived(secret, salt, b"Content-Encoding: nonce\0", 12)
    header = salt + RECORD.to_bytes(4) + bytes([len(own)]) + own
    return header + AESGCM(key).encrypt(nonce, content + b"\2", None)


def point(public: ec.EllipticCurvePublicKey) -> bytes:
    return public.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, info).derive(secret)
