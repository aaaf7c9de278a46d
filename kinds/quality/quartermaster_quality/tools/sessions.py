"""The tools about the server, the session and the project."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import Final

from mcp_types.version import LATEST_HANDSHAKE_VERSION, MODERN_PROTOCOL_VERSIONS

from quartermaster import __version__
from quartermaster import api as core_api
from quartermaster.core.errors import QmError
from quartermaster.core.kinds import TOOL
from quartermaster.projects.guard import ProjectFileAccess, real_folder
from quartermaster.projects.profile import manifests_of, profile
from quartermaster.projects.project_files import walk
from quartermaster.projects.threads import run_sync
from quartermaster.projects.worker_calls import WorkerError
from quartermaster.projects.workers import readers
from quartermaster_quality import api
from quartermaster_quality.baseline import changed_in_session, last_commit
from quartermaster_quality.impact import ChangeType
from quartermaster_quality.reports import rendered
from quartermaster_quality.scanners.concurrent_scan import available
from quartermaster_quality.tools import definitions
from quartermaster_quality.tools.quality_call import Body, QualityToolCall, tool

# What each checker cannot read; the others look nevertheless.
_LIMITS: Final = {
    "bandit": f"syntax that is newer than Python {sys.version_info[0]}.{sys.version_info[1]}",
    "mypy": "files outside the project",
    "ty": "files outside the project",
    "coverage": "coverage data that is older than the file",
}

_MOST_DECISIONS: Final = 20


async def _server_info(call: QualityToolCall) -> Body:
    try:
        root = (await call.project()).guard.root
        commit = await run_sync(last_commit, root)
        [opened] = await call.ask(api.open_quality_session(base_commit=commit))
    except QmError as error:
        if error.slug not in {"project_not_found", "project_ambiguous"}:
            raise
        opened = {"session": None, "project_name": None, "root": None, "hint": str(error)}
    call.is_recorded = True
    interpreter = f"{sys.version_info[0]}.{sys.version_info[1]}"
    checkers = {
        name: {
            "installed": not found.problem,
            "version": found.version,
            "interpreter": interpreter,
            "cannot_read": _LIMITS.get(name, ""),
            **({"install_hint": found.problem} if found.problem else {}),
        }
        for name, found in available().items()
    }
    config = {"quality_preset": "standard", "config_source": "database"}
    tools = await call.service.database.call(
        core_api.list_items(kind=TOOL, of_origin="quality", maximum=None), call.principal
    )
    return {
        "version": __version__,
        "protocol_version": call.caller.context.protocol_version,
        "protocol_versions": sorted({LATEST_HANDSHAKE_VERSION, *MODERN_PROTOCOL_VERSIONS}),
        "tools_available": [row["name"] for row in tools],
        "external_tools": checkers,
        "config": {"project_root": opened["root"], **config},
        "session_id": opened["session"],
        "project": opened["project_name"],
        "degraded": any(not row["installed"] for row in checkers.values()),
        **({"hint": opened["hint"]} if "hint" in opened else {}),
    }


async def _project_profile(call: QualityToolCall) -> Body:
    project = await call.project()
    guard = await run_sync(_part, project.guard, call.arguments.get("project_root"))
    paths, manifests = await run_sync(_profiled, guard)
    gaps: list[str] = []
    try:
        found = await readers().call(profile, paths, manifests)
    except WorkerError as error:
        gaps.append(f"The files that name dependencies are left out: {error}")
        found = await readers().call(profile, paths, dict[str, bytes]())
    conditions = {
        row["metric"]: float(row["minimum"])
        for row in await call.ask(api.gate_conditions(preset="standard"))
        if row["minimum"] is not None
    }
    return found.as_dict() | {
        "project": project.name,
        "quality_config": {
            "min_score": conditions["overall"],
            "security_min": conditions["security"],
            "test_coverage_min": conditions["coverage"],
        },
        "degraded": bool(gaps),
        **({"partial_results": {"gaps": gaps}} if gaps else {}),
    }


def _profiled(guard: ProjectFileAccess) -> tuple[list[str], dict[str, bytes]]:
    paths = [*walk(guard).files]
    return paths, manifests_of(guard, paths)


def _part(guard: ProjectFileAccess, root: str | None) -> ProjectFileAccess:
    """Returns a guard for a folder of the project, such as one service of a monorepo.

    Raises:
        QmError: QM403 path_denied, QM404 file_not_found.
    """
    if root is None or ("\0" not in root and Path(root).resolve() == guard.root):
        return guard
    part = real_folder(guard.root / guard.below(root))
    guard.below(part)
    return ProjectFileAccess(part)


async def _checklist(call: QualityToolCall) -> Body:
    project = await call.project()
    task_type: str = call.arguments.get("task_type", "general")
    changed, unknown = await changed_in_session(call.bench, project)
    session = call.arguments.get("session")
    rows = await call.ask(api.checklist(task_type=task_type, changed=changed, session=session))
    missing = [_expected(row) for row in rows if row["state"] == "missing"]
    return {
        "project": project.name,
        "passed": not missing,
        "called": sorted({row["tool"] for row in rows if row["state"] == "done"}),
        "missing": missing,
        "optional_missing": [_expected(row) for row in rows if row["state"] == "optional"],
        "degraded": changed is None or bool(unknown),
        **({"partial_results": {"unknown": "changed files"}} if changed is None else {}),
        **({"partial_results": {"unknown": unknown}} if unknown else {}),
    }


def _expected(row: api.ChecklistRow) -> Body:
    return {key: row[key] for key in ("tool", "path", "reason") if row[key] is not None}


async def _impact_analysis(call: QualityToolCall) -> Body:
    project = await call.project()
    change = ChangeType(call.arguments.get("change_type", ChangeType.MODIFIED))
    path = project.guard.below(call.arguments["file_path"])
    found, modules = await call.bench.impact(project, path, change)
    call.path = path
    if change is not ChangeType.REMOVED:
        content = await run_sync(project.guard.read, path)
        call.blob_hash = content.blob_hash
    decisions = await call.bench.decisions(call.principal, project, path)
    body = asdict(found)
    gaps: list[str] = list(body.pop("gaps"))
    files = [each["path"] for each in body["importers"]]
    return {
        "file_path": body.pop("path"),
        "change_type": body.pop("change_type"),
        "affected_files": files,
        "affected_modules": modules,
        "affected_tests": body.pop("tests"),
        "decisions": [
            {name: each[name] for name in ("id", "pattern", "instead", "rationale", "health")}
            for each in decisions[:_MOST_DECISIONS]
        ],
        **body,
        "degraded": bool(gaps),
        **({"partial_results": {"gaps": gaps}} if gaps else {}),
    }


async def _session_notes(call: QualityToolCall) -> Body:
    return await call.ask_value(
        api.session_notes(
            action=call.arguments["action"],
            key=call.arguments.get("key"),
            value=call.arguments.get("value"),
            session=call.arguments.get("session"),
        )
    )


async def _report(call: QualityToolCall) -> Body:
    project = await call.project()
    path: str | None = call.arguments.get("file_path")
    if path is not None:
        path = project.guard.below(path)
    found = await call.ask_value(api.quality_report(path=path))
    form: str = call.arguments.get("format", "json")
    report = rendered(found, form)
    return {"project": project.name, "format": form, "report": report}


async def _feedback(call: QualityToolCall) -> Body:
    await call.ask(
        api.give_quality_feedback(
            tool=call.arguments["tool"],
            rating=call.arguments["rating"],
            comment=call.arguments.get("comment"),
        )
    )
    return {"recorded": True}


async def _stats(call: QualityToolCall) -> Body:
    return await call.ask_value(api.quality_stats())


TOOLS: Final = (
    tool(definitions.SERVER_INFO, _server_info),
    tool(definitions.CHECKLIST, _checklist),
    tool(definitions.SESSION_NOTES, _session_notes),
    tool(definitions.PROJECT_PROFILE, _project_profile),
    tool(definitions.IMPACT_ANALYSIS, _impact_analysis),
    tool(definitions.REPORT, _report),
    tool(definitions.FEEDBACK, _feedback),
    tool(definitions.STATS, _stats),
)
