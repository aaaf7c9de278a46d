"""An authority of a test, and certificates that it signs for this machine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from quartermaster.upstream.tls import pin_of


@dataclass(frozen=True)
class Certified:
    """A certificate with its key.

    Attributes:
        certificate, key: PEM files.
        pin: of the key.
    """

    certificate: Path
    key: Path
    pin: str


class Authority:
    """Signs certificates.

    Attributes:
        certificate: PEM file of its own.

    Args:
        folder: where files are put.
        name: of the authority, and the first part of their names.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self._folder = folder
        self._name = _named(name)
        self._key = ec.generate_private_key(ec.SECP256R1())
        self.certificate = folder / f"{name}.pem"
        whole = (
            _builder(self._name, self._name, self._key)
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .add_extension(_usage(), critical=True)
            .add_extension(
                x509.SubjectKeyIdentifier.from_public_key(self._key.public_key()), critical=False
            )
            .sign(self._key, hashes.SHA256())
        )
        self.certificate.write_bytes(whole.public_bytes(Encoding.PEM))

    def certify(
        self, name: str, hosts: Sequence[str] = (), lasts: timedelta = timedelta(days=1)
    ) -> Certified:
        """Returns a certificate of a server or a client; for 127.0.0.1 unless host names are
        given.
        """
        key = ec.generate_private_key(ec.SECP256R1())
        here = [x509.IPAddress(IPv4Address("127.0.0.1"))]
        named = [x509.DNSName(host) for host in hosts]
        address = x509.SubjectAlternativeName(named or here)
        issuer_key = x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key())
        whole = (
            _builder(_named(name), self._name, key, lasts)
            .add_extension(address, critical=False)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(issuer_key, critical=False)
            .sign(self._key, hashes.SHA256())
        )
        paths = self._folder / f"{name}.pem", self._folder / f"{name}.key"
        paths[0].write_bytes(whole.public_bytes(Encoding.PEM))
        paths[1].write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        return Certified(*paths, pin_of(whole.public_bytes(Encoding.DER)))


def _builder(
    subject: x509.Name,
    issuer: x509.Name,
    key: ec.EllipticCurvePrivateKey,
    lasts: timedelta = timedelta(days=1),
) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + lasts)
    )


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _usage() -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=True,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=True,
        crl_sign=True,
        encipher_only=False,
        decipher_only=False,
    )
