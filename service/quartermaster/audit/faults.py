"""What is wrong with an audit chain that the database itself cannot tell."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from quartermaster.audit.head import Head
from quartermaster.secrets.signing_key import is_signed

_MEMBER: Final = '"record": '


@dataclass(frozen=True)
class Fault:
    """One thing that is not as it was written.

    Attributes:
        fault: changed, missing, reordered, added, cut, or signature.
        record: id of the first record it concerns.
        why: for people.
    """

    fault: str
    record: int
    why: str


def signature_faults(found: dict[str, Any], data_dir: Path) -> Iterator[Fault]:
    """Signatures that do not hold, and what this machine signed that is no longer there.

    Args:
        found: answer of api.verify_audit.
        data_dir: whose last signed head is compared.
    """
    signed: dict[int, str] = {}
    for entry in found["signatures"]:
        head = Head(entry["record"], entry["hash"])
        signed[head.record] = head.hash
        key, signature = bytes.fromhex(entry["public_key"]), bytes.fromhex(entry["signature"])
        if not is_signed(key, head.message, signature):
            yield Fault("signature", head.record, "it was not made with the key that it names")
    ours = Head.read(data_dir)
    if ours is None or (found["first_id"] or 0) > ours.record:
        return
    if (found["last_id"] or 0) < ours.record:
        yield Fault("missing", ours.record, "this machine signed it, and it is not there")
    elif signed.get(ours.record) != ours.hash:
        yield Fault("changed", ours.record, "this machine signed it with another hash")


def line_faults(lines: Iterable[str]) -> Iterator[Fault]:
    """What is wrong with exported records: each line by itself, and from line to line.

    Args:
        lines: as `qm audit export` writes them; the first may be any record of the chain.
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
            yield Fault("changed", before[0] + 1 if before else 0, f"line {number} is no record")
            continue
        if said != computed:
            yield Fault("changed", record, "its content does not match its hash")
        if before is not None and record > before[0] + 1:
            yield Fault("missing", before[0] + 1, f"records to {record - 1} are not there")
        elif before is not None and record <= before[0]:
            yield Fault("reordered", record, f"it comes after record {before[0]}")
        elif before is not None and link != before[1]:
            yield Fault(
                "changed",
                before[0],
                f"its hash differs from the one that record {record} continues",
            )
        before = record, said
