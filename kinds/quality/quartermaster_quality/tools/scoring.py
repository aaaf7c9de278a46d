"""The tools that scan, score and judge files."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

from quartermaster.core.errors import QmError
from quartermaster.core.findings import Status
from quartermaster.db import Row
from quartermaster.guardrails.scan import find_spans
from quartermaster.projects.guard import Content
from quartermaster.projects.threads import run_sync
from quartermaster.projects.worker_calls import WorkerError
from quartermaster.projects.workers import readers
from quartermaster_quality import api
from quartermaster_quality.baseline import scan_new_code
from quartermaster_quality.config.validate import Kind, kind_of, validate
from quartermaster_quality.repair import changes, repaired
from quartermaster_quality.scanners.concurrent_scan import QUICK_SCANNERS, SECURITY, full
from quartermaster_quality.scanners.interface import ScanOptions
from quartermaster_quality.tools import definitions
from quartermaster_quality.tools.quality_call import Body, QualityToolCall, tool

_MOST_LISTED: Final = 100
_PERSONAL_DATA: Final = 359
_FINDING_MEMBERS: Final = (
    *("tool", "rule", "category", "severity", "cwe", "owasp", "line", "end_line", "message"),
    *("remedy", "steps", "fingerprint"),
)


async def _scanned(call: QualityToolCall, names: tuple[str, ...]) -> Content:
    project = await call.project()
    scanned = await call.bench.scan(call.principal, project, call.arguments["file_path"], names)
    call.path, call.blob_hash = scanned.content.path, scanned.content.blob_hash
    return scanned.content


async def _score_file(call: QualityToolCall) -> Body:
    quick: bool = call.arguments.get("quick", False)
    repair: Body = {}
    if call.arguments.get("fix", False):
        if not quick:
            raise QmError(422, "argument_invalid", "fix needs quick.", "Set quick to true as well.")
        repair = await _repair(call)
    content = await _scanned(call, QUICK_SCANNERS if quick else full())
    return await _scores(call, content.path, quick=quick) | repair


async def _scores(call: QualityToolCall, path: str, *, quick: bool) -> Body:
    known = await call.explained(path)
    scores, losses, scans = known["score"], known["losses"], known["scans"]
    findings = [row for row in known["findings"] if row["counts"]]
    wanted = call.arguments.get("categories") or definitions.CATEGORIES
    missing = [
        _gap(row)
        for row in scans
        if row["status"] != "ok" and (not quick or row["tool"] in QUICK_SCANNERS)
    ]
    metrics: dict[str, float] = {}
    for row in scans:
        if row["status"] == "ok":
            metrics |= row["metrics"]
    categories = {
        row["category"]: {
            "score": _number(row["score"]),
            "state": row["state"],
            "weight": _number(row["weight"]),
            "lost": _number(row["lost"]),
            "missing": row["missing"],
        }
        for row in scores
        if row["category"] in wanted
    }
    for name, metric, member in _DETAILS:
        if name in categories and metric in metrics:
            categories[name][member] = metrics[metric]
    by_tool = {name: [f for f in findings if f["tool"] == name] for name in _TOOLS}
    return {
        "file_path": path,
        "blob_hash": call.blob_hash,
        "overall": next(_number(row["score"]) for row in scores if row["category"] == "overall"),
        "categories": categories,
        "ruff_issues": [_issue(f) for f in by_tool["ruff"]][:_MOST_LISTED],
        "mypy_errors": [_issue(f) for f in by_tool["mypy"]][:_MOST_LISTED],
        "bandit_findings": [_issue(f) for f in by_tool["bandit"]][:_MOST_LISTED],
        "findings": [_shown(f) for f in findings if f["tool"] not in _TOOLS][:_MOST_LISTED],
        "losses": [
            {**row, "points": _number(row["points"])} for row in losses if row["category"] in wanted
        ][:_MOST_LISTED],
        "missing": missing,
        "suppressions": known["suppressions"],
        "tool_versions": {row["tool"]: row["version"] for row in scans if row["version"]},
        "degraded": bool(missing),
        **({"partial_results": {"missing": missing}} if missing else {}),
    }


_TOOLS: Final = ("ruff", "mypy", "bandit")
# Category, metric, and the name of the member that shows it.
_DETAILS: Final = (
    ("complexity", "complexity_mean", "complexity_mean"),
    ("complexity", "complexity_max", "complexity_max"),
    ("maintainability", "maintainability_index", "mi_score"),
    ("test_coverage", "coverage_percent", "coverage_pct"),
)


async def _repair(call: QualityToolCall) -> Body:
    """Repairs a file with the safe fixes of ruff, and returns the changes."""
    project = await call.project()
    content = await run_sync(project.guard.read, call.arguments["file_path"])
    after, number = await repaired(content)
    body: Body = {
        "fixes_applied": number,
        "hash_before": content.blob_hash,
        "hash_after": content.blob_hash,
        "diff": "",
    }
    if after == content.data:
        return body
    written = await run_sync(project.guard.replace, content, after)
    body["hash_after"] = written.blob_hash
    try:
        diff = await readers().call(changes, content.data, after, content.path)
    except WorkerError as error:
        return body | {"degraded": True, "partial_results": {"diff": str(error)}}
    return body | {"diff": diff}


async def _security_scan(call: QualityToolCall) -> Body:
    secrets: bool = call.arguments.get("scan_secrets", True)
    names = SECURITY if secrets else tuple(name for name in SECURITY if name != "secrets")
    content = await _scanned(call, names)
    known = await call.explained(content.path)
    rows = [
        row
        for row in known["findings"]
        if row["category"] == "security" and (secrets or row["tool"] != "secrets")
    ]
    scans = [row for row in known["scans"] if row["tool"] in names]
    missing = [_gap(row) for row in scans if row["status"] != "ok"]
    found = [row for row in rows if row["counts"]]
    return {
        "file_path": call.path,
        "blob_hash": call.blob_hash,
        "status": "degraded" if missing else "ok",
        "findings": [_shown(row) for row in found][:_MOST_LISTED],
        "hints": [
            {**_issue(row), "tool": row["tool"], "because": row["because"]}
            for row in rows
            if not row["counts"]
        ][:_MOST_LISTED]
        + await run_sync(_personal_data, content.data),
        "suppressions": known["suppressions"],
        "by_owasp": dict(Counter(row["owasp"] or "not classified" for row in found)),
        **_missing_text(missing),
    }


def _personal_data(data: bytes) -> list[Body]:
    """Returns hints about personal data in a file. The hints do not contain the data itself."""
    text = data.decode("utf-8", "replace")
    places = {
        (text.count("\n", 0, span.start) + 1, span.type) for span in find_spans(text, ("personal",))
    }
    return [
        {
            "code": f"personal-{type_}",
            "message": f"This line seems to contain personal data ({type_}).",
            "line": line,
            "severity": "low",
            "cwe": _PERSONAL_DATA,
            "tool": "personal",
            "because": "This is only a hint: names of authors and invented data are not a leak.",
        }
        for line, type_ in sorted(places)
    ][:_MOST_LISTED]


async def _quality_gate(call: QualityToolCall) -> Body:
    preset: str = call.arguments.get("preset", "standard")
    new_code: bool = call.arguments.get("new_code", False)
    base: str | None = call.arguments.get("base")
    if base is not None and not new_code:
        raise QmError(
            422, "argument_invalid", "base needs new_code.", "Set new_code to true as well."
        )
    project = await call.project()
    content = await run_sync(project.guard.read, call.arguments["file_path"])
    if new_code:
        reason = await scan_new_code(call.bench, call.principal, project, content, full(), base)
    else:
        reason = ""
        await call.bench.scan_content(call.principal, project, content, full())
    call.path, call.blob_hash = content.path, content.blob_hash
    [verdict] = await call.ask(
        api.gate(
            path=call.path, preset=preset, new_code=new_code, session=call.arguments.get("session")
        )
    )
    call.is_recorded = True
    return {
        "file_path": call.path,
        "preset": preset,
        **verdict,
        "score": _number(verdict["score"]),
        "threshold": _number(verdict["threshold"]),
        **({"degraded": True, "partial_results": {"new_code": reason}} if reason else {}),
    }


async def _validate_config(call: QualityToolCall) -> Body:
    project = await call.project()
    content = await run_sync(project.guard.read, call.arguments["file_path"])
    call.path, call.blob_hash = content.path, content.blob_hash
    kind = Kind(call.arguments.get("config_type", Kind.AUTO))
    scans = await validate(project.guard, content, ScanOptions(), kind)
    gaps = [scan for scan in scans if scan.status is not Status.OK]
    found = sorted(
        ((scan, finding) for scan in scans for finding in scan.findings if not finding.is_hint),
        key=lambda pair: (pair[1].line, pair[1].rule),
    )
    missing = [
        {"tool": scan.tool, "status": scan.status.value, "reason": scan.reason} for scan in gaps
    ]
    failed = any(scan.status is Status.ERROR for scan in gaps)
    return {
        "file_path": content.path,
        "blob_hash": content.blob_hash,
        "config_type": (kind_of(content.path) or kind).value if kind is Kind.AUTO else kind.value,
        "valid": not found and not failed,
        "findings": [
            {"tool": scan.tool, **finding.shown(), "remedy": finding.remedy}
            for scan, finding in found
        ][:_MOST_LISTED],
        **_missing_text(missing),
    }


def _missing_text(missing: list[Body]) -> Body:
    """Returns the members of an answer that name the checkers that could not read the file."""
    partial = {"partial_results": {"missing": missing}} if missing else {}
    return {"missing": missing, "degraded": bool(missing), **partial}


def _gap(scan: Row) -> Body:
    return {key: scan[key] for key in ("tool", "status", "reason")}


def _issue(finding: Row) -> Body:
    shown = ("message", "line", "severity", "cwe")
    return {"code": finding["rule"], **{key: finding[key] for key in shown}}


def _shown(finding: Row) -> Body:
    return {key: finding[key] for key in _FINDING_MEMBERS}


def _number(value: Any) -> float | None:
    return None if value is None else float(value)


TOOLS: Final = (
    tool(definitions.SCORE_FILE, _score_file),
    tool(definitions.SECURITY_SCAN, _security_scan),
    tool(definitions.QUALITY_GATE, _quality_gate),
    tool(definitions.VALIDATE_CONFIG, _validate_config),
)
