"""The authorities of this machine's certificates, read once for all HTTP clients of a process."""

from __future__ import annotations

import functools
import os
import ssl

import httpcore2

_read = httpcore2.default_ssl_context


def read_once() -> None:
    """From now on, clients share a context: to read the authorities would take each 30 ms."""
    httpcore2.default_ssl_context = _context


def _context(*, _trust_env: bool = True) -> ssl.SSLContext:
    return _cached_context(
        _trust_env, os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR")
    )


@functools.cache
def _cached_context(trust_env: bool, _file: str | None, _folder: str | None) -> ssl.SSLContext:
    return _read(_trust_env=trust_env)
