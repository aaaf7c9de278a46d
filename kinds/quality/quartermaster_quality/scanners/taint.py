"""The taint pass as a scanner. It runs in a worker, which is killed if it does not end."""

from __future__ import annotations

from quartermaster.core.findings import Scan
from quartermaster_quality import taint
from quartermaster_quality.scanners.interface import SourceFile


def examine(source: SourceFile, _settings: object) -> Scan:
    """Scans a file."""
    return taint.scan(source.data, source.path)
