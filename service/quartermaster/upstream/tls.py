"""Configures TLS for upstreams: trusted authorities, pinned keys, and the client certificate."""

from __future__ import annotations

import os
import ssl
import tempfile
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import field
from functools import lru_cache
from hashlib import sha256
from typing import Annotated, Any, Self

from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from pydantic import ConfigDict, Field, StrictBool, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass

from quartermaster.core.errors import QmError

Pin = Annotated[str, Field(pattern=r"^sha256/[A-Za-z0-9+/]{43}=$")]


@dataclass(frozen=True, slots=True, config=ConfigDict(extra="forbid"))
class TlsSettings:
    """The settings for checking an HTTPS upstream, and the client certificate to use.

    Attributes:
        verify: False accepts any certificate; pins are still checked.
        ca_file: path to a PEM file with the authorities to trust instead of the system's
            authorities.
        pins: pins of the keys that the upstream may have; if empty, any key is allowed. A pin is
            ``sha256/`` and the Base64 of the SHA-256 of the SubjectPublicKeyInfo.
        client_certificate, client_key: certificate and key to show to the upstream. Each is a path
            or a locator in the catalog, and a PEM text in the spec of an origin.
    """

    verify: StrictBool = True
    ca_file: str | None = None
    pins: tuple[Pin, ...] = ()
    client_certificate: str | None = None
    client_key: str | None = field(default=None, repr=False)

    @classmethod
    def from_mapping(cls, settings: Mapping[str, object]) -> Self:
        """Reads ``{verify, ca_file, pins, client_certificate, client_key}``; all members are
        optional.

        Raises:
            QmError: QM422 ``origin_tls_invalid`` for an unknown member or an invalid value.
        """
        try:
            found = TypeAdapter(cls).validate_python(dict(settings))
        except ValidationError as error:
            problems = error.errors(include_url=False)
            # Only a pin is a member of a member.
            if all(len(problem["loc"]) == 2 for problem in problems):
                raise _invalid(f"{str(problems[0]['input'])!r} is not a valid pin") from None
            found = None
        if found is None or (found.client_certificate is None) != (found.client_key is None):
            raise _invalid("a member is unknown or missing, or its value has the wrong type")
        return found


def _invalid(why: str) -> QmError:
    return QmError(
        422,
        "origin_tls_invalid",
        f"The TLS settings are invalid: {why}.",
        "Give only verify (true or false), ca_file (path to a PEM file), pins (list of "
        "sha256/BASE64), client_certificate and client_key (paths, or references such as "
        "secret:NAME).",
    )


@lru_cache(maxsize=64)
def tls_context(tls: TlsSettings) -> ssl.SSLContext:
    """Returns the TLS context for the settings. Contexts are cached, because creating a context
    takes 20 ms of CPU time.

    Raises:
        OSError: the file with the authorities is missing or is not a PEM file, or the client's
            certificate and key do not match.
    """
    context = ssl.create_default_context(cafile=tls.ca_file)
    if not tls.verify:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    if tls.client_certificate is not None and tls.client_key is not None:
        _load(context, f"{tls.client_certificate}\n{tls.client_key}\n")
    if tls.pins:
        context.sslobject_class = _checking(frozenset(tls.pins))
    return context


def _load(context: ssl.SSLContext, pem: str) -> None:
    """Loads a certificate and its key into OpenSSL, which can read only files."""
    # On Linux, the file is only in memory; on other systems, it is a private file that is deleted
    # immediately.
    in_memory = hasattr(os, "memfd_create")
    with (
        os.fdopen(os.memfd_create("pem"), "w")
        if in_memory
        else tempfile.NamedTemporaryFile("w", encoding="ascii") as file
    ):
        file.write(pem)
        file.flush()
        path = f"/proc/self/fd/{file.fileno()}" if in_memory else file.name
        # Without a password argument, OpenSSL would ask for a password at the terminal if the key
        # is encrypted.
        context.load_cert_chain(path, password="")


def pin_of(certificate: bytes) -> str:
    """Returns the pin for the key in a certificate.

    Args:
        certificate: certificate in DER form.
    """
    key = x509.load_der_x509_certificate(certificate).public_key()
    info = key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return f"sha256/{b64encode(sha256(info).digest()).decode()}"


class UntrustedKeyError(ssl.SSLCertVerificationError):
    """The upstream's key is not one of the pinned keys."""


def untrusted_key(error: BaseException) -> str | None:
    """Returns the message of the `UntrustedKeyError` that caused an exception; None if there is
    another cause.
    """
    cause: BaseException | None = error
    while cause is not None and not isinstance(cause, UntrustedKeyError):
        cause = cause.__cause__ or cause.__context__
    return None if cause is None else str(cause.args[0])


def _checking(pins: frozenset[str]) -> type[ssl.SSLObject]:
    """Returns a class for TLS connections that checks the upstream's key. If the key is not pinned,
    the connection fails after the handshake, before any data is sent.
    """

    class PinnedObject(ssl.SSLObject):
        def do_handshake(self) -> None:
            super().do_handshake()
            shown: Any = self.getpeercert(binary_form=True)
            pin = pin_of(shown) if shown else "none"
            if pin not in pins:
                raise UntrustedKeyError(f"the key {pin} is not one of the pinned keys")

    return PinnedObject
