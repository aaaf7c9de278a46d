"""Finds the faults in an audit chain that the database itself cannot detect."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from quartermaster.core.paths import write_private
from quartermaster.secrets.signing_key import is_signed

_FILE: Final = "audit_head.json"
_MEMBER: Final = '"record": '


@dataclass(frozen=True)
class Head:
    """A record and its hash, which also covers all earlier records.

    Attributes:
        record: id of the record.
        hash: hash in hexadecimal.
    """

    record: int
    hash: str

    @property
    def message(self) -> bytes:
        """The text for the signature."""
        return f"quartermaster audit head {self.record} {self.hash}".encode()

    def write(self, data_dir: Path) -> None:
        """Stores this head as the head that was last signed."""
        write_private(data_dir / _FILE, json.dumps(asdict(self)) + "\n")

    @classmethod
    def read(cls, data_dir: Path) -> Head | None:
        """The head that was last signed from this data directory; None if there is none."""
        path = data_dir / _FILE
        return cls(**json.loads(path.read_text(encoding="utf-8"))) if path.exists() else None


@dataclass(frozen=True)
class Fault:
    """One difference between the audit chain and what was originally recorded.

    Attributes:
        fault: type of the fault: changed, missing, reordered, added, cut, or signature.
        record: id of the first record that it concerns.
        why: explanation for people.
    """

    fault: str
    record: int
    why: str


def signature_faults(found: dict[str, Any], data_dir: Path) -> Iterator[Fault]:
    """Finds invalid signatures, and checks that the head (newest record) that this machine last
    signed is unchanged.

    Args:
        found: result of api.verify_audit.
        data_dir: data directory with the head that was last signed.
    """
    signed: dict[int, str] = {}
    for entry in found["signatures"]:
        head = Head(entry["record"], entry["hash"])
        signed[head.record] = head.hash
        key, signature = bytes.fromhex(entry["public_key"]), bytes.fromhex(entry["signature"])
        if not is_signed(key, head.message, signature):
            yield Fault(
                "signature",
                head.record,
                "the signature was not made with the key that is named in it",
            )
    ours = Head.read(data_dir)
    if ours is None or (found["first_id"] or 0) > ours.record:
        return
    if (found["last_id"] or 0) < ours.record:
        yield Fault("missing", ours.record, "the record that this machine signed is missing")
    elif signed.get(ours.record) != ours.hash:
        yield Fault(
            "changed", ours.record, "the hash differs from the hash that this machine signed"
        )


def line_faults(lines: Iterable[str]) -> Iterator[Fault]:
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
            yield Fault("changed", before[0] + 1 if before else 0, f"line {number} is not a record")
            continue
        if said != computed:
            yield Fault("changed", record, "the content does not match the hash")
        if before is not None and record > before[0] + 1:
            yield Fault("missing", before[0] + 1, f"the records up to {record - 1} are missing")
        elif before is not None and record <= before[0]:
            yield Fault("reordered", record, f"the record comes after record {before[0]}")
        elif before is not None and link != before[1]:
            yield Fault(
                "changed",
                before[0],
                f"the hash differs from the hash to which record {record} refers",
            )
        before = record, said
