"""``qm import``: imports files with servers or tools."""

from __future__ import annotations

import shutil
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from rich.progress import TextColumn

from quartermaster import api
from quartermaster.catalog.importers.apply import (
    AppliedOrigin,
    apply_origins,
    new_grants,
    replaced_origins,
)
from quartermaster.catalog.importers.mcp_servers import McpConfig, parse_config, read_text
from quartermaster.catalog.importers.registry_dump import is_registry_dump, read_servers
from quartermaster.catalog.importers.tools_jsonl import (
    ImportProgress,
    JsonObject,
    StoreBatch,
    import_tools,
)
from quartermaster.cli.command import Command, Decision
from quartermaster.cli.credentials import missing_values, open_store
from quartermaster.cli.grants import allow_networks, confirm_grants, note_network
from quartermaster.cli.making_room import say_replaced
from quartermaster.cli.noun import Noun
from quartermaster.cli.output import counted, note
from quartermaster.cli.session import Row
from quartermaster.cli.waiting import finish_embedding, progress_bar, wait_for_refreshes
from quartermaster.core.errors import QmError
from quartermaster.core.json_text import SyntaxProblem, parse
from quartermaster.core.kinds import TOOL
from quartermaster.settings.settings import FILE_NAME

Format = Literal["auto", "mcp", "jsonl"]

_EXAMPLE: Final = (
    'A line is a tool, for example: {"origin": "time", "name": "convert_time", "description":'
    ' "..."} (docs/evaluation.md describes the members).'
)

noun = Noun()


@noun.verb()
def import_command(
    qm: Decision,
    file: Annotated[Path, "File: mcpServers JSON, tools as JSON Lines, or a registry dump."],
    format: Annotated[Format, "Format of the file."] = "auto",  # noqa: A002
    wait: Annotated[bool, "Wait until tools are read and embedded."] = True,
) -> Row:
    """Import servers or tools from a file.

    Asks for confirmation before a local server may see files other than its own. Also asks before
    Quartermaster connects to an address that is not public, such as an address of this machine.

    A server with the name of an existing server replaces it. A starter server also makes room for
    the same server under another name. --dry-run shows what would be replaced.

    Reads configuration files from Claude, Cursor, VS Code and smartmcp, tool files, and registry
    dumps. Exits with status 1 if every entry was rejected.
    """
    holds_servers = format == "mcp" or (format == "auto" and _holds_servers(file))
    if holds_servers:
        report = import_servers_file(qm, file, wait=wait)
    else:
        report = import_tools_file(qm, file, wait=wait)
    qm.failed = report["all_rejected"]
    return report


def _holds_servers(file: Path) -> bool:
    """Whether a file is a single JSON object, rather than an array or one object per line."""
    if file.suffix == ".jsonl":
        return False
    text = read_text(file).lstrip()
    if text.startswith("["):
        return False
    try:
        first, _ = parse(text.partition("\n")[0])
    except SyntaxProblem:
        return True
    return not (isinstance(first, dict) and "name" in first)


def import_servers_file(qm: Command, file: Path, *, wait: bool) -> Row:
    """Adds the servers in a configuration and waits until their tools are read.

    Returns:
        ``{file, format, origins: [{name, outcome, reason}], warnings, top_k, embedding_model,
        all_rejected}``, and ``refreshes`` and ``unembedded`` if it waited.

    Raises:
        QmError: QM404 file_not_found, QM422 config_invalid, QM503.
    """
    config = _read_servers(file)
    _keep_working_starters(qm, config)
    report: dict[str, Any] = {
        "file": str(file),
        "format": "mcp",
        "top_k": config.top_k,
        "embedding_model": config.embedding_model,
        "warnings": config.warnings,
    }
    rejected = [AppliedOrigin(n, "rejected", reason=why) for n, why in config.rejected.items()]
    applied: list[AppliedOrigin] = []
    if qm.dry_run:
        report["origins"] = [*_foretold(qm, config)]
    else:
        _compare_model(qm, config)
        confirm_grants(qm, new_grants(config.origins, qm))
        urls = {origin.name: origin.arguments.get("url") for origin in config.origins}
        allow_networks(qm, {name: url for name, url in urls.items() if url})
        applied = apply_origins(config.origins, qm, open_store(qm.data_dir))
        report["origins"] = [*map(_plain, applied)]
        added = {one.name for one in applied if one.outcome in {"added", "changed"}}
        note_network(qm, [origin for origin in config.origins if origin.name in added])
    report["origins"] += map(_plain, rejected)
    outcomes = {origin["outcome"] for origin in report["origins"]}
    report["all_rejected"] = outcomes == {"rejected"}
    for warning in config.warnings:
        qm.note(warning)
    columns = (("origin", "name"), "outcome", "reason")
    qm.table(report["origins"], columns)
    read: Row = _read_tools(qm, applied) if wait else {}
    say_replaced(qm, [one.name for one in applied if one.outcome in {"added", "changed"}])
    return {**report, **read}


def _keep_working_starters(qm: Command, config: McpConfig) -> None:
    """Rejects servers whose program is not here and that would replace a starter."""
    absent = {
        origin.name: origin.arguments["command"][0]
        for origin in config.origins
        if origin.arguments["transport"] == "stdio"
        and shutil.which(origin.arguments["command"][0]) is None
    }
    for origin in [one for one in config.origins if one.name in absent]:
        try:
            replaced = replaced_origins(origin, qm)
        except QmError as error:
            if error.status != 503:
                raise
            return
        starters = [name for name, is_starter in replaced.items() if is_starter]
        if starters:
            config.origins.remove(origin)
            config.rejected[origin.name] = (
                f"its program {absent[origin.name]} was not found, so the starter"
                f" {' and '.join(starters)} stays"
            )


def _foretold(qm: Command, config: McpConfig) -> Sequence[Row]:
    """The valid servers, and what the import would replace by them if the database can tell."""
    replaced: list[dict[str, bool]] = [{} for _ in config.origins]
    try:
        replaced = [replaced_origins(origin, qm) for origin in config.origins]
    except QmError as error:
        if error.status != 503:
            raise
        config.warnings.append(
            "Quartermaster is not running, so this cannot say which servers would be replaced."
        )
    return [
        {"name": o.name, "outcome": "valid", "reason": _would_replace(names), **o.arguments}
        for o, names in zip(config.origins, replaced, strict=True)
    ]


def _would_replace(names: Mapping[str, bool]) -> str | None:
    shown = [f"the starter {name}" if starter else name for name, starter in names.items()]
    return f"would replace {' and '.join(shown)}" if shown else None


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
            f" modes.balanced.top: {config.top_k} in {FILE_NAME}"
        )
    return config


def _compare_model(qm: Command, config: McpConfig) -> None:
    active = qm.call_value(api.status())["model"]
    asked = (config.embedding_model or "").rpartition("/")[2]
    if asked and asked != active:
        config.warnings.append(
            f"embedding_model {config.embedding_model} is not the active model ({active}). To use"
            f" it, set embedding.model in {FILE_NAME}"
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


def import_tools_file(qm: Command, file: Path, *, wait: bool) -> Row:
    """Imports JSON Lines or a JSON array of tools and reports the outcome.

    Returns:
        ``{file, format, tools: {outcome: number}, problems, seconds, tools_per_s, all_rejected}``
        and ``unembedded`` unless nothing was stored.

    Raises:
        QmError: see `importers.tools_jsonl.import_tools`.
    """

    def store(batch: list[JsonObject]) -> Sequence[Row]:
        if qm.dry_run:
            return [{"outcome": "valid"} for _ in batch]
        return qm.call(api.import_items(kind=TOOL, items=batch))

    started = time.monotonic()
    progress = _stored(file, qm.settings().upstream.max_tool_bytes, store)
    report = _tools_report(progress, started)
    for problem in report["problems"]:
        qm.note(problem)
    hidden = report["tools"].get("rejected", 0) - len(report["problems"])
    if hidden > 0:
        qm.note(f"and {counted(hidden, 'more problem')}")
    rows = [{"outcome": name, "tools": f"{n:,}"} for name, n in sorted(report["tools"].items())]
    qm.table(rows, ("outcome", "tools"))
    qm.say(f"{report['seconds']:.1f} s, {report['tools_per_s']:,.0f} tools/s")
    if report["all_rejected"]:
        qm.note(_EXAMPLE)
        return report
    return report if qm.dry_run else {**report, "unembedded": finish_embedding(qm, wait=wait)}


def _stored(file: Path, max_tool_bytes: int, store: StoreBatch) -> ImportProgress:
    tools = TextColumn("{task.fields[tools]:,} tools · {task.fields[rate]:,.0f}/s")
    with progress_bar(tools) as bar:
        started = time.monotonic()
        task = bar.add_task("Importing", total=None, tools=0, rate=0.0)
        progress = None
        for progress in import_tools(file, store, max_tool_bytes=max_tool_bytes):
            bar.update(
                task,
                total=progress.bytes_total,
                completed=progress.bytes_read,
                tools=progress.tools,
                rate=progress.tools / (time.monotonic() - started),
            )
    assert progress is not None, "this point is never reached"
    return progress


def _tools_report(progress: ImportProgress, started: float) -> Row:
    seconds = time.monotonic() - started
    rejected = progress.counts["rejected"]
    return {
        "file": str(progress.file),
        "format": "jsonl",
        "tools": dict(progress.counts),
        "problems": progress.problems,
        "seconds": round(seconds, 3),
        "tools_per_s": round(progress.tools / seconds, 1),
        "all_rejected": 0 < rejected == progress.tools,
    }
