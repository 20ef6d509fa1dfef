"""A real S3 server on this machine, moto's, whose requests fail as a test wants them to."""

from __future__ import annotations

import logging
import os
import random
import re
import socket
import threading
from contextlib import contextmanager
from html import escape, unescape
from urllib.parse import parse_qs, unquote

import pytest

BUCKET = "networks"
_CONTENTS = re.compile(rb"<Contents>.*?</Contents>", re.DOTALL)
_KEY = re.compile(rb"<Key>(.*?)</Key>", re.DOTALL)
_ERROR = '<?xml version="1.0" encoding="UTF-8"?><Error><Code>{}</Code><Message>{}</Message></Error>'


class S3Server:
    """moto's server, whose answers pass through `fault`.

    Attributes
    ----------
    url : str
        Address of the server.
    fault : callable or None
        ``fault(method, key)`` returns a status such as 503, ``"cut"`` to close the connection in the middle of the
        request, or None to answer as usual. `key` is the path below the bucket, empty for a list.
    lists_lag : bool
        Whether lists show the keys of the moment in which this was set.
    requests : list of tuple
        Method and key of every request, with the status where a fault decided it.
    """

    def __init__(self):
        from moto.moto_server.werkzeug_app import DomainDispatcherApplication, MotoRequestHandler, create_backend_app
        from werkzeug.serving import make_server

        for name in ("werkzeug", "moto", "botocore"):
            logging.getLogger(name).setLevel(logging.ERROR)
        self.fault, self.lists_lag, self.requests = None, False, []
        self._lock = threading.Lock()
        self._new, self._removed = set(), {}
        self._application = DomainDispatcherApplication(create_backend_app)
        self._server = make_server(
            "127.0.0.1", 0, self._answer, threaded=True, request_handler=_quiet(MotoRequestHandler)
        )
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self):
        self._server.shutdown()
        self._server.server_close()

    def calm(self):
        """Answer as usual from now on."""
        self.fault, self.lists_lag = None, False
        with self._lock:
            self._new, self._removed = set(), {}
            self.requests = []

    def environment(self):
        """Return the environment variables by which programs find the server."""
        return {
            "AWS_ENDPOINT_URL": self.url,
            "AWS_ACCESS_KEY_ID": "triadic",
            "AWS_SECRET_ACCESS_KEY": "triadic",
            "AWS_DEFAULT_REGION": "us-east-1",
            "AWS_MAX_ATTEMPTS": "1",  # botocore's own retries wait for seconds
            "AWS_EC2_METADATA_DISABLED": "true",
        }

    def system(self):
        """Return a file system of fsspec, without instances that know another server."""
        import s3fs

        s3fs.S3FileSystem.clear_instance_cache()
        return s3fs.S3FileSystem(use_listings_cache=False)

    def _answer(self, environ, start_response):
        method, path = environ["REQUEST_METHOD"], unquote(environ["PATH_INFO"]).lstrip("/")
        key = path.partition("/")[2]
        with self._lock:
            verdict = None if self.fault is None else self.fault(method, key)
            self.requests.append((method, key, verdict))
        if verdict == "cut":
            return self._cut(environ)
        if verdict is not None:
            return _refusal(verdict, environ, start_response)
        is_list = method == "GET" and not key and "list-type" in parse_qs(environ.get("QUERY_STRING", ""))
        if self.lists_lag and method == "DELETE":
            self._remember(path)
        answer = self._application(environ, start_response) if not is_list else self._listed(environ, start_response)
        if self.lists_lag and method in ("PUT", "POST") and key:
            with self._lock:
                self._new.add(key)
                self._removed.pop(key, None)
        return answer

    def _cut(self, environ):
        """Read half of the body, and close the connection without an answer."""
        environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0) // 2)
        environ["werkzeug.socket"].shutdown(socket.SHUT_RDWR)
        raise ConnectionAbortedError

    def _remember(self, path):
        """Keep the entry of a key that is removed: lists that lag still show it."""
        key = path.partition("/")[2]
        with self._lock:
            if key not in self._new:
                entry = (
                    f"<Contents><Key>{escape(key)}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified>"
                    '<ETag>"0"</ETag><Size>1</Size><StorageClass>STANDARD</StorageClass></Contents>'
                )
                self._removed[key] = entry.encode()
            self._new.discard(key)

    def _listed(self, environ, start_response):
        """Answer a list; if lists lag, without the keys that are new and with the keys that were removed."""
        if not self.lists_lag:
            return self._application(environ, start_response)
        said = []
        body = b"".join(self._application(environ, lambda status, headers, info=None: said.extend((status, headers))))
        with self._lock:
            new, removed = set(self._new), dict(self._removed)
        entries = [entry for entry in _CONTENTS.findall(body) if unescape(_KEY.search(entry)[1].decode()) not in new]
        prefix = parse_qs(environ["QUERY_STRING"]).get("prefix", [""])[0]
        entries += [entry for key, entry in removed.items() if key.startswith(prefix)]
        start = _CONTENTS.sub(b"", body).replace(b"</ListBucketResult>", b"")
        body = start + b"".join(entries) + b"</ListBucketResult>"
        body = re.sub(rb"<KeyCount>\d+</KeyCount>", b"<KeyCount>%d</KeyCount>" % len(entries), body)
        headers = [(name, value) for name, value in said[1] if name.lower() != "content-length"]
        start_response(said[0], [*headers, ("Content-Length", str(len(body)))])
        return [body]


def _quiet(handler):
    class Quiet(handler):
        def log(self, *_, **__):
            pass

        def log_error(self, *_, **__):
            pass

        def run_wsgi(self):
            try:
                super().run_wsgi()
            except (ConnectionError, ValueError, OSError):
                self.close_connection = True

    return Quiet


def _refusal(status, environ, start_response):
    """Answer as S3 and MinIO do when they refuse a request."""
    code, message = {
        403: ("AccessDenied", "Access Denied"),
        400: ("ExpiredToken", "The provided token has expired."),
        500: ("InternalError", "We encountered an internal error. Please try again."),
        503: ("SlowDown", "Please reduce your request rate."),
        507: ("XMinioStorageFull", "Storage backend has reached its minimum free drive threshold."),
    }[status]
    environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
    body = b"" if environ["REQUEST_METHOD"] == "HEAD" else _ERROR.format(code, message).encode()
    start_response(f"{status} {code}", [("Content-Type", "application/xml"), ("Content-Length", str(len(body)))])
    return [body]


def now_and_then(status, share, *, seed=0, methods=("GET", "PUT", "HEAD", "DELETE", "POST")):
    """Return a fault that answers a share of the requests with a status."""
    chance = random.Random(seed)
    return lambda method, key: status if method in methods and chance.random() < share else None


def after(status, number, *, methods=("PUT", "POST"), keys=""):
    """Return a fault that answers all requests of some methods with a status, from one of this number on."""
    count = iter(range(1 << 40))

    def fault(method, key):
        return status if method in methods and keys in key and next(count) >= number else None

    return fault


@contextmanager
def s3_server():
    """Yield a server with an empty bucket, which programs find by the environment."""
    server = S3Server()
    before = {name: os.environ.get(name) for name in server.environment()}
    os.environ.update(server.environment())
    try:
        server.system().mkdir(BUCKET)
        yield server
    finally:
        server.stop()
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


@pytest.fixture(scope="session")
def _server():
    pytest.importorskip("moto")
    pytest.importorskip("s3fs")
    pytest.importorskip("werkzeug")
    with s3_server() as server:
        yield server


@pytest.fixture
def s3(_server, tmp_path, monkeypatch):
    """The server, whose bucket has no files of this test; caches and work folders are in the test's folder."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    _server.calm()
    yield _server
    _server.calm()
