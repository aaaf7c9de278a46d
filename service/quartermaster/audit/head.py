"""The end of the audit chain as this machine last signed it; the database cannot change it."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from quartermaster.core.paths import write_private

_FILE: Final = "audit_head.json"


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
        """The text that is signed."""
        return f"quartermaster audit head {self.record} {self.hash}".encode()

    def write(self, data_dir: Path) -> None:
        """Stores it as the head that was last signed."""
        write_private(data_dir / _FILE, json.dumps(asdict(self)) + "\n")

    @classmethod
    def read(cls, data_dir: Path) -> Head | None:
        """The head that was last signed from this data directory; None if there is none."""
        path = data_dir / _FILE
        return cls(**json.loads(path.read_text(encoding="utf-8"))) if path.exists() else None
