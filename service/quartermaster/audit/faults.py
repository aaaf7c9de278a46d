"""Finds the faults in an audit chain that the database itself cannot detect."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from quartermaster.core.errors import QmError, unreadable
from quartermaster.secrets.signing_key import SigningKey, is_signed

_FILE: Final = "audit_heads.jsonl"
# Ids of records are numbers of 8 bytes.
_RECORDS: Final = 1 << 63
_MEMBER: Final = '"record": '


@dataclass(frozen=True)
class Head:
    """The head of the audit chain at one time: the newest record and its hash, which also covers
    all earlier records.

    Attributes:
        record: id of the record.
        hash: hash in hexadecimal.
        public_key, signature: key and signature in hexadecimal; empty until it is signed.
    """

    record: int
    hash: str
    public_key: str = ""
    signature: str = ""

    @property
    def message(self) -> bytes:
        """The text of the head that is signed."""
        return f"quartermaster audit head {self.record} {self.hash}".encode()

    @property
    def line(self) -> str:
        """The head (record, hash, key and signature) as a line of JSON."""
        return json.dumps(asdict(self))

    @property
    def is_signed(self) -> bool:
        """Whether the signature is valid for the public key in the head."""
        key, signature = bytes.fromhex(self.public_key), bytes.fromhex(self.signature)
        return is_signed(key, self.message, signature)

    def signed(self, key: SigningKey) -> Head:
        """Returns a copy of the head that is signed with the key."""
        signature = key.sign(self.message).hex()
        return replace(self, public_key=key.public_key.hex(), signature=signature)

    def append(self, data_dir: Path) -> None:
        """Appends the head to the file of signed heads."""
        opened = os.open(data_dir / _FILE, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)
        with os.fdopen(opened, "w", encoding="utf-8") as file:
            file.write(f"{self.line}\n")

    @classmethod
    def parse(cls, line: str) -> Head:
        """Creates a head from a line of JSON.

        Raises:
            ValueError, TypeError: the line is not a head.
        """
        head = cls(**json.loads(line))
        bytes.fromhex(head.hash + head.public_key + head.signature)
        if type(head.record) is not int or not 0 < head.record < _RECORDS:
            raise TypeError("the record is not a number of a record")
        return head

    @classmethod
    def read(cls, data_dir: Path) -> Head | None:
        """Returns the last head in the file of signed heads; None if there is none.

        Raises:
            QmError: see `read_heads`.
        """
        heads = cls.read_all(data_dir)
        return heads[-1] if heads else None

    @classmethod
    def read_all(cls, data_dir: Path) -> list[Head]:
        """Returns the heads in the file of signed heads, oldest first.

        Raises:
            QmError: see `read_heads`.
        """
        path = data_dir / _FILE
        if path.is_file():
            return list(read_heads(path))
        if path.exists():
            # Whoever opens a pipe waits for a writer.
            raise _invalid(f"{path} is not a file")
        return []


def read_heads(path: Path) -> Iterator[Head]:
    """Reads a file of heads, one per line. Ignores a last line that does not end with a newline.

    Raises:
        QmError: QM422 audit_heads_invalid; the errors of `unreadable`.
    """
    try:
        # What is not text is not a head either, and is told by its line.
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise unreadable(path, error) from error
    for number, line in enumerate(text.split("\n")[:-1], start=1):
        try:
            yield Head.parse(line)
        except (ValueError, TypeError, RecursionError) as error:
            raise _invalid(
                f"line {number} of {path} is not a signature of an audit record"
            ) from error


def _invalid(message: str) -> QmError:
    return QmError(
        422,
        "audit_heads_invalid",
        message,
        "Give a file to which the setting audit.heads_to sends signatures, or a copy of"
        " audit_heads.jsonl.",
    )


@dataclass(frozen=True)
class AuditFault:
    """One difference between the audit chain and the records as they were first written.

    Attributes:
        fault: type of the fault: changed, missing, reordered, added, cut, or signature.
        record: id of the record with the fault, or of the first such record.
        why: explanation for people.
    """

    fault: str
    record: int
    why: str


def signature_faults(
    found: Mapping[str, Any], ours: Head | None, public_key: str | None
) -> Iterator[AuditFault]:
    """Finds invalid signatures, and signatures of this machine that are missing from its own file.

    Args:
        found: result of api.verify_audit.
        ours: the last head in this machine's file. Read it after the call of api.verify_audit,
            because each head is written to the file before it is stored in the database. None if
            the file has no head.
        public_key: public key of this machine in hexadecimal; None if it has no key.
    """
    for entry in found["signatures"]:
        head = Head(entry["record"], entry["hash"], entry["public_key"], entry["signature"])
        if not head.is_signed:
            why = "the signature was not made with the key that is named in it"
            yield AuditFault("signature", head.record, why)
    own = [one["record"] for one in found["signatures"] if one["public_key"] == public_key]
    known = 0 if ours is None else ours.record
    if own and own[-1] > known:
        why = f"this machine signed the record, but {_FILE} ends with record {known}"
        yield AuditFault("cut", own[-1], why)


def head_faults(
    heads: Iterable[Head], hashes: Mapping[int, str], first_id: int
) -> Iterator[AuditFault]:
    """Compares heads that were stored outside the database with the chain.

    Args:
        heads: the heads in the order in which they were signed.
        hashes: hashes of the records that the heads name, by id.
        first_id: id of the oldest record in the chain. Older records were deleted because of their
            age.
    """
    before = 0
    for head in heads:
        if not head.is_signed:
            yield AuditFault("signature", head.record, "the signature of this head is not valid")
        if head.record < before:
            yield AuditFault(
                "reordered", head.record, f"this head comes after that of record {before}"
            )
        before = head.record
        if head.record < first_id:
            continue
        if head.record not in hashes:
            yield AuditFault("missing", head.record, "the record that was signed is missing")
        elif hashes[head.record] != head.hash:
            yield AuditFault("changed", head.record, "the hash is not the one that was signed")


def line_faults(lines: Iterable[str]) -> Iterator[AuditFault]:
    """Finds the faults in exported records: in each line, and between consecutive lines.

    Args:
        lines: lines written by `qm audit export`; the first can be any record in the chain.
    """
    before: tuple[int, str] | None = None
    for number, line in enumerate(lines, start=1):
        try:
            entry = json.loads(line)
            said, link = str(entry["hash"]), str(entry["previous_hash"])
            record = int(entry["record"]["id"])
            text = line.rstrip("\n")[line.index(_MEMBER) + len(_MEMBER) : -1]
            computed = sha256(bytes.fromhex(link) + text.encode()).hexdigest()
        except (ValueError, KeyError, TypeError):
            yield AuditFault(
                "changed", before[0] + 1 if before else 0, f"line {number} is not a record"
            )
            continue
        if said != computed:
            yield AuditFault("changed", record, "the content does not match the hash")
        if before is not None and record > before[0] + 1:
            yield AuditFault(
                "missing", before[0] + 1, f"the records up to {record - 1} are missing"
            )
        elif before is not None and record <= before[0]:
            yield AuditFault("reordered", record, f"the record comes after record {before[0]}")
        elif before is not None and link != before[1]:
            yield AuditFault(
                "changed",
                before[0],
                f"the hash differs from the hash to which record {record} refers",
            )
        before = record, said
