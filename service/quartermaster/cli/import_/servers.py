"""Imports the servers of a configuration or a registry dump, and reads their tools."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from quartermaster import settings
from quartermaster.catalog.importers.apply import AppliedOrigin, apply_origins
from quartermaster.catalog.importers.mcp_servers import McpConfig, parse_config, read_text
from quartermaster.catalog.importers.registry_dump import is_registry_dump, read_servers
from quartermaster.cli.credentials import missing_values, open_store
from quartermaster.cli.output import note, print_table
from quartermaster.cli.session import Row, Session, open_session
from quartermaster.cli.waiting import (
    finish_embedding,
    is_service_running,
    print_refreshes,
    wait_for_refreshes,
)
from quartermaster.core.json_text import SyntaxProblem, parse


def import_servers_file(
    file: Path, dry_run: bool, wait: bool, as_json: bool, data_dir: Path | None, dsn: str | None
) -> Row:
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
        "all_rejected": not config.origins and bool(config.rejected),
    }
    rejected = [AppliedOrigin(n, "rejected", reason=why) for n, why in config.rejected.items()]
    if dry_run:
        report["origins"] = [
            {"name": o.name, "outcome": "valid", **o.arguments} for o in config.origins
        ] + [_plain(origin) for origin in rejected]
        if not as_json:
            _print_origins(report)
        return report
    with open_session(data_dir, dsn) as session:
        _compare_model(config, session)
        secrets = open_store(data_dir)
        applied = [*apply_origins(config.origins, session.call, secrets), *rejected]
        report["origins"] = [_plain(origin) for origin in applied]
        report["all_rejected"] = bool(applied) and all(o.outcome == "rejected" for o in applied)
        if not as_json:
            _print_origins(report)
        _read_tools(session, applied, wait, as_json, data_dir, report)
    return report


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


def _compare_model(config: McpConfig, session: Session) -> None:
    active = session.call_value("status")["model"]
    asked = (config.embedding_model or "").rpartition("/")[2]
    if asked and asked != active:
        config.warnings.append(
            f"embedding_model {config.embedding_model} is not the active model ({active}). To use"
            f" it, set embedding.model in {settings.FILE_NAME}"
        )


def _read_tools(
    session: Session,
    applied: list[AppliedOrigin],
    wait: bool,
    as_json: bool,
    data_dir: Path | None,
    report: Row,
) -> None:
    refreshes = {o.name: o.refresh_id for o in applied if o.refresh_id is not None}
    if not refreshes or not wait:
        return
    if not is_service_running(data_dir):
        note("No service is running. The tools are read when you next run: qm up.")
        return
    rows = wait_for_refreshes(session, refreshes)
    report["refreshes"] = rows
    if not as_json:
        print_refreshes(rows)
    report["unembedded"] = finish_embedding(session, wait, data_dir)


def _plain(origin: AppliedOrigin) -> dict[str, Any]:
    return {"name": origin.name, "outcome": origin.outcome, "reason": origin.reason}


def _print_origins(report: Row) -> None:
    for warning in report["warnings"]:
        note(warning)
    print_table(
        ("origin", "outcome", "reason"),
        [(o["name"], o["outcome"], o.get("reason")) for o in report["origins"]],
    )
