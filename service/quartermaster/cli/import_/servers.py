"""Imports the servers of a configuration or a registry dump, and reads their tools."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from quartermaster import settings
from quartermaster.catalog.importers.apply import AppliedOrigin, apply_origins
from quartermaster.catalog.importers.mcp_servers import McpConfig, parse_config, read_text
from quartermaster.catalog.importers.registry_dump import is_registry_dump, read_servers
from quartermaster.cli.command import Command
from quartermaster.cli.credentials import missing_values, open_store
from quartermaster.cli.output import note
from quartermaster.cli.session import Row
from quartermaster.cli.waiting import finish_embedding, wait_for_refreshes
from quartermaster.core.json_text import SyntaxProblem, parse


def import_servers_file(qm: Command, file: Path, *, wait: bool) -> Row:
    """Adds the servers of a configuration and waits for their tools.

    Returns:
        ``{file, format, origins: [{name, outcome, reason}], warnings, top_k, embedding_model,
        all_rejected}``, and ``refreshes`` and ``unembedded`` if it waited.

    Raises:
        QmError: QM404 file_not_found, QM422 config_invalid, QM503.
    """
    config = _read_servers(file)
    report: Row = {
        "file": str(file),
        "format": "mcp",
        "top_k": config.top_k,
        "embedding_model": config.embedding_model,
        "warnings": config.warnings,
    }
    rejected = [AppliedOrigin(n, "rejected", reason=why) for n, why in config.rejected.items()]
    applied: list[AppliedOrigin] = []
    if qm.dry_run:
        report["origins"] = [
            {"name": o.name, "outcome": "valid", "reason": None, **o.arguments}
            for o in config.origins
        ]
    else:
        _compare_model(qm, config)
        applied = apply_origins(config.origins, qm.call, open_store(qm.data_dir))
        report["origins"] = [*map(_plain, applied)]
    report["origins"] += map(_plain, rejected)
    outcomes = {origin["outcome"] for origin in report["origins"]}
    report["all_rejected"] = outcomes == {"rejected"}
    for warning in config.warnings:
        qm.note(warning)
    columns = (("origin", "name"), "outcome", "reason")
    qm.table(report["origins"], columns)
    return report | (_read_tools(qm, applied) if wait else {})


def _read_servers(file: Path) -> McpConfig:
    text = read_text(file)
    try:
        found, _ = parse(text)
    except SyntaxProblem:
        found = None
    if is_registry_dump(found):
        origins, rejected = read_servers(found)
        return McpConfig(origins=origins, rejected=rejected)
    config = parse_config(text, file)
    for origin in config.origins:
        config.warnings += missing_values(origin)
    if config.top_k is not None:
        config.warnings.append(
            f"top_k {config.top_k} limits how many tools a search offers. To keep it, set"
            f" modes.balanced.top: {config.top_k} in {settings.FILE_NAME}"
        )
    return config


def _compare_model(qm: Command, config: McpConfig) -> None:
    active = qm.call_value("status")["model"]
    asked = (config.embedding_model or "").rpartition("/")[2]
    if asked and asked != active:
        config.warnings.append(
            f"embedding_model {config.embedding_model} is not the active model ({active}). To use"
            f" it, set embedding.model in {settings.FILE_NAME}"
        )


def _read_tools(qm: Command, applied: Sequence[AppliedOrigin]) -> Row:
    refreshes = {o.name: o.refresh_id for o in applied if o.refresh_id is not None}
    if not refreshes:
        return {}
    if not qm.is_served:
        note("No service is running. The tools are read when you next run: qm up.")
        return {}
    refreshed = wait_for_refreshes(qm, refreshes)
    return {"refreshes": refreshed, "unembedded": finish_embedding(qm, wait=True)}


def _plain(origin: AppliedOrigin) -> Row:
    return {"name": origin.name, "outcome": origin.outcome, "reason": origin.reason}
