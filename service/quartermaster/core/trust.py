"""The authorities that clients on this machine trust when they connect to the service."""

from __future__ import annotations

import ssl

from quartermaster.core.errors import QmError
from quartermaster.core.paths import RunFile


def trusting(ca: str | None) -> ssl.SSLContext:
    """Returns a TLS context for clients that trusts the authorities in a PEM file or, without a
    file, the authorities of the system.

    Raises:
        QmError: QM422 tls_invalid: the file is missing, unreadable or without a certificate.
    """
    try:
        return ssl.create_default_context(cafile=ca)
    except OSError as error:  # ssl.SSLError is one, too
        raise QmError(
            422,
            "tls_invalid",
            f"The authorities in {ca} cannot be read: {error.strerror or error}.",
            "Set --tls-ca (server.tls_ca) to a PEM file that contains the authority's certificate.",
        ) from None


def context_for(run: RunFile) -> ssl.SSLContext:
    """Returns the context with which a client must connect to a running Quartermaster.

    Raises:
        QmError: QM422 tls_invalid.
    """
    if run.url.startswith("https:"):
        return trusting(run.ca)
    # No authority is loaded, because that takes 20 ms.
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
