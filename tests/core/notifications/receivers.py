"""A receiver of webhooks on this machine, as good or as bad as a test wants it."""

import ssl
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


@dataclass
class Receiver:
    """Answers as `behave` says; `got` has what was posted: path, headers, body."""

    status: int = 204
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    got: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    behaviour: str = "answers"
    released: Event = field(default_factory=Event)
    sent_bytes: int = 0
    # A file with the certificate and its key, for https.
    certificate: Path | None = None

    def __enter__(self) -> "Receiver":
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                receiver.got.append((self.path, dict(self.headers), body))
                getattr(receiver, receiver.behaviour)(self)

            def log_message(self, *arguments: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        if self.certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(self.certificate)
            self._server.socket = context.wrap_socket(
                self._server.socket, server_side=True, do_handshake_on_connect=False
            )
        self._thread = Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.released.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook/s3cret-token"

    def answers(self, handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(self.status)
        for name, value in self.headers.items():
            handler.send_header(name, value)
        handler.send_header("Content-Length", str(len(self.body)))
        handler.end_headers()
        handler.wfile.write(self.body)

    def hangs(self, handler: BaseHTTPRequestHandler) -> None:
        self.released.wait(60)

    def drips(self, handler: BaseHTTPRequestHandler) -> None:
        """A byte of the head of its answer at a time, so that no single read takes long."""
        try:
            for letter in b"HTTP/1.1 200 OK\r\nX-Drip: " + b"x" * 10_000:
                handler.wfile.write(bytes([letter]))
                handler.wfile.flush()
                if self.released.wait(0.05):
                    return
        except OSError:
            return

    def floods(self, handler: BaseHTTPRequestHandler) -> None:
        """Gigabytes."""
        handler.send_response(200)
        handler.end_headers()
        try:
            for _ in range(100_000):
                handler.wfile.write(b"x" * 65536)
                self.sent_bytes += 65536
        except OSError:
            return


def make_certificate(name: str, authority: Path, server: Path) -> None:
    """Write a certificate authority of the test's own, and a certificate for a host with its key."""
    now = datetime.now(UTC)

    def signed(subject: str, key: Any, by: str, by_key: Any, *, ca: bool) -> x509.Certificate:
        names = [x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, one)]) for one in (subject, by)]
        made = x509.CertificateBuilder(names[1], names[0], key.public_key(), x509.random_serial_number())
        made = made.not_valid_before(now - timedelta(hours=1)).not_valid_after(now + timedelta(hours=1))
        made = made.add_extension(x509.BasicConstraints(ca=ca, path_length=None), critical=True)
        return made.add_extension(x509.SubjectAlternativeName([x509.DNSName(subject)]), critical=False).sign(
            by_key, hashes.SHA256()
        )

    authority_key, key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    pem = serialization.Encoding.PEM
    root = signed("authority.example", authority_key, "authority.example", authority_key, ca=True)
    authority.write_bytes(root.public_bytes(pem))
    own = signed(name, key, "authority.example", authority_key, ca=False)
    private = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    server.write_bytes(private + own.public_bytes(pem))


def wait_until(true: Any, seconds: float = 20.0) -> None:
    ends = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < ends, "it did not become true"
        Event().wait(0.02)
