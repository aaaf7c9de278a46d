"""TLS of the service: loads its certificate, checks it at the start, and renews it."""

from __future__ import annotations

import ssl
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NoReturn, Self
from urllib.parse import urlsplit

import anyio
from cryptography import x509
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from quartermaster.core.errors import QmError
from quartermaster.core.logs import get_logger
from quartermaster.core.trust import trusting
from quartermaster.settings.sections import ServerSettings

_LOOK_EVERY_S: Final = 5.0
_LOOPBACK: Final = ("127.0.0.1", "localhost")
_ANY_ADDRESS: Final = frozenset({"0.0.0.0", "::"})  # noqa: S104 - compared, not bound
# OpenSSL's codes for a certificate that is valid, but has another name or another address.
_OTHER_NAME: Final = frozenset({62, 64})
# A handshake in memory needs three steps for each side.
_STEPS: Final = 6

log = get_logger(part="tls")


@dataclass(frozen=True, slots=True)
class ServerTls:
    """The certificate and the key of the service; they belong together.

    Attributes:
        context: context of the listening socket; `renewed` changes its certificate.
        host: host name or address for which the certificate is valid, for clients on this machine.
        names: host names in the certificate.
        ca: absolute path of a file with the authorities that clients must trust; None means the
            authorities of the system.
    """

    context: ssl.SSLContext
    host: str
    names: tuple[str, ...]
    ca: str | None
    _settings: ServerSettings
    _files: tuple[str, str]
    _stamp: tuple[int, ...]

    @classmethod
    def find(cls, settings: ServerSettings) -> Self | None:
        """Reads the files that the settings name; None if the settings name none.

        Raises:
            QmError: QM422 tls_invalid: a file is missing, unreadable or of the wrong kind, the key
                does not belong to the certificate, or clients would not trust the certificate.
        """
        certificate, key, authority = settings.tls_cert, settings.tls_key, settings.tls_ca
        if certificate is None and key is None and authority is None:
            return None
        if certificate is None or key is None:
            raise _invalid(
                "TLS needs a certificate and its key.",
                "Give both --tls-cert and --tls-key (server.tls_cert and server.tls_key).",
            )
        stamp = _stamp_of(certificate, key)
        names = _checked(Path(certificate), Path(key))
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.set_alpn_protocols(["http/1.1"])
        context.load_cert_chain(certificate, key)
        ca = None if authority is None else str(Path(authority).absolute())
        host = _trusted_host(context, _hosts(settings, names), ca, names)
        return cls(context, host, names, ca, settings, (certificate, key), stamp)

    async def renew(self) -> NoReturn:
        """Reads the files again whenever they change. A wrong file is logged and changes nothing.

        New connections get the new certificate; open connections are not ended.
        """
        read = self._stamp
        while True:
            await anyio.sleep(_LOOK_EVERY_S)
            stamp = _stamp_of(*self._files)
            if stamp == read:
                continue
            read = stamp
            try:
                renewed = ServerTls.find(self._settings)
            except QmError as error:
                log.warning("tls_not_renewed", error=error.message, hint=error.hint)
                continue
            assert renewed is not None
            self.context.load_cert_chain(*self._files)
            log.info("tls_renewed", names=renewed.names)


def _stamp_of(*paths: str) -> tuple[int, ...]:
    """Returns a value that changes whenever one of these files changes."""
    stamp: list[int] = []
    for path in paths:
        with suppress(OSError):
            found = Path(path).stat()
            stamp += [found.st_ino, found.st_mtime_ns, found.st_size]
    return tuple(stamp)


def _checked(certificate: Path, key: Path) -> tuple[str, ...]:
    """Checks that a key belongs to a certificate, and returns the host names in the certificate."""
    try:
        first = x509.load_pem_x509_certificates(_read(certificate, "certificate", "--tls-cert"))[0]
    except ValueError:
        raise _invalid(
            f"{certificate} is not a certificate in PEM format.",
            "Set --tls-cert to a file that begins with -----BEGIN CERTIFICATE-----.",
        ) from None
    try:
        private = load_pem_private_key(_read(key, "key", "--tls-key"), None)
    except TypeError:
        raise _invalid(
            f"The key {key} is encrypted.",
            f"Decrypt it, for example with: openssl pkey -in {key} -out PLAIN. Then set --tls-key"
            " to the new file.",
        ) from None
    except ValueError:
        raise _invalid(
            f"{key} is not a private key in PEM format.",
            "Set --tls-key to a file that begins with -----BEGIN PRIVATE KEY-----.",
        ) from None
    if private.public_key() != first.public_key():
        raise _invalid(
            f"The key {key} does not belong to the certificate {certificate}.",
            "Set --tls-key to the key with which the certificate was requested. If the certificate"
            " file contains a chain, this service's certificate must come first.",
        )
    with suppress(x509.ExtensionNotFound):
        found = first.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
        return tuple(found.get_values_for_type(x509.DNSName))
    return ()


def _read(path: Path, what: str, option: str) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise _invalid(
            f"The {what} {path} does not exist.", f"Set {option} to an existing file."
        ) from None
    except OSError as error:
        raise _invalid(
            f"The {what} {path} cannot be read: {error.strerror}.",
            "Allow the user that runs the service to read the file and to enter its folder. Or copy"
            f" the file to a folder of that user, and set {option} to the copy.",
        ) from None


def _hosts(settings: ServerSettings, names: tuple[str, ...]) -> list[str]:
    """Returns the host names by which clients may address the service, best first."""
    host = settings.host
    is_local = host in _LOOPBACK or host in _ANY_ADDRESS
    own = _LOOPBACK if is_local else (host,)
    public = urlsplit(settings.public_url or "").hostname
    known = [*own, *([public] if public else []), *names]
    return [each for each in dict.fromkeys(known) if "*" not in each]


def _trusted_host(
    context: ssl.SSLContext, hosts: list[str], ca: str | None, names: tuple[str, ...]
) -> str:
    """Returns the first host name for which clients would trust the certificate."""
    client = trusting(ca)
    for host in hosts:
        try:
            _shake_hands(context, client, host)
        except ssl.SSLCertVerificationError as error:
            if error.verify_code in _OTHER_NAME:
                continue
            raise _invalid(
                f"Clients would not trust the certificate: {error.verify_message}.",
                "If the certificate comes from an authority of your own, name the authority's"
                " certificate with --tls-ca (server.tls_ca). If the certificate is self-signed,"
                " name the certificate itself there. If it has expired, renew it. If it comes from"
                " a public authority, --tls-cert must contain the whole chain.",
            ) from None
        return host
    raise _invalid(
        f"The certificate is for {', '.join(names) or 'no host name'}, not for {', '.join(hosts)}.",
        "Request a certificate whose subject alternative names contain the name by which clients"
        " reach this service. If a wildcard covers that name, also set server.public_url.",
    )


def _shake_hands(server: ssl.SSLContext, client: ssl.SSLContext, host: str) -> None:
    """Performs a TLS handshake in memory."""
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    ours = client.wrap_bio(to_client, to_server, server_hostname=host)
    theirs = server.wrap_bio(to_server, to_client, server_side=True)
    for _ in range(_STEPS):
        for side in (ours, theirs):
            with suppress(ssl.SSLWantReadError):
                side.do_handshake()


def _invalid(what: str, hint: str) -> QmError:
    return QmError(422, "tls_invalid", what, hint)
