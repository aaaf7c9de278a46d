"""What a seal tells of a file."""

from __future__ import annotations

from pathlib import Path

import pytest

from quartermaster.snapshots import artifact, seal


def test_a_file_of_another_format_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    sealed = seal.write_sealed(tmp_path, "monday", "{}", []) | {"manifest": "{}"}
    assert seal.faults(sealed, tmp_path) == []
    monkeypatch.setattr(artifact, "FORMAT", artifact.FORMAT + 1)
    [fault] = seal.faults(sealed, tmp_path)
    assert "format 2" in fault
    assert "format 3" in fault
