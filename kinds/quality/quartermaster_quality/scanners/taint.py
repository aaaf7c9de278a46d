"""Runs the taint pass as a scanner. It runs in a worker, which is killed after a timeout."""

from __future__ import annotations

from quartermaster.core.findings import Scan
from quartermaster_quality import taint
from quartermaster_quality.scanners.interface import SourceFile


def examine(source: SourceFile, _settings: object) -> Scan:
    """Scans a file with the taint pass."""
    return taint.scan(source.data, source.path)
