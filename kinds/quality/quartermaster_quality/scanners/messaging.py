"""Applies Quartermaster's own rules for WebSocket, MQTT and InfluxDB. Runs in a worker."""

from __future__ import annotations

from quartermaster.core.findings import Scan, Status
from quartermaster_quality.config.messaging_rules import findings
from quartermaster_quality.scanners.interface import SourceFile
from quartermaster_quality.scanners.parsing import unparsed


def examine(source: SourceFile, _settings: object) -> Scan:
    """Scans a file with the rules for WebSocket, MQTT and InfluxDB."""
    if wrong := unparsed(source, "messaging"):
        return wrong
    return Scan("messaging", "", Status.OK, findings=tuple(findings(source.text())))
