"""Renders reports in several formats, for people and for programs."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files
from typing import Any, Final

from jinja2 import Environment

from quartermaster import __version__

Report = dict[str, Any]

VERDICTS: Final = {True: "passed", False: "failed", None: "not checked"}
"""The meaning, in words, of the member ``passed`` of a gate's answer."""
_LEVELS: Final = {"low": "note", "medium": "warning", "high": "error", "critical": "error"}
_SARIF: Final = "https://json.schemastore.org/sarif-2.1.0.json"

# Names and messages of files are text, never markup.
_HTML: Final = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(
    files("quartermaster_quality").joinpath("report.html.jinja").read_text(encoding="utf-8")
)


def rendered(report: Report, form: str) -> str | Report:
    """Converts a report to another format.

    Args:
        report: the answer of api.quality_report.
        form: json, markdown, html or sarif.
    """
    match form:
        case "markdown":
            return "\n".join(_markdown(report)) + "\n"
        case "html":
            return _HTML.render(report=report, verdicts=VERDICTS)
        case "sarif":
            return _sarif(report)
        case _:
            return report


def _markdown(report: Report) -> Iterable[str]:
    yield f"# Quality of {_plain(report['project'])}"
    for file in report["files"]:
        yield f"\n## {_plain(file['path'])}\n"
        overall = file["scores"]["overall"]["score"]
        yield f"Overall: {'unknown' if overall is None else overall} of 100."
        if gate := file["gate"]:
            yield f"Gate {gate['preset']}: {VERDICTS[gate['passed']]}."
            yield from (f"* {_plain(failure)}" for failure in gate["failures"])
        yield "\n| category | score | not read by |\n|---|---|---|"
        for name, one in file["scores"].items():
            if name != "overall":
                score = "unknown" if one["score"] is None else one["score"]
                yield f"| {name} | {score} | {', '.join(one['missing'])} |"
        if file["findings"]:
            yield "\n| line | rule | severity | finding |\n|---|---|---|---|"
        for one in file["findings"]:
            cells = (one["line"], one["rule"], one["severity"], one["message"])
            yield f"| {' | '.join(_plain(str(cell)) for cell in cells)} |"
        if file["suppressions"]:
            yield "\nWords that tell checkers to be silent:\n"
            yield from (f"* {_plain(word['message'])}" for word in file["suppressions"])


def _plain(text: str) -> str:
    """Escapes a text so that Markdown shows it unchanged, on one line."""
    flat = " ".join(text.split())
    return "".join(f"\\{sign}" if sign in r"\`*_{}[]<>#|!" else sign for sign in flat)


def _sarif(report: Report) -> Report:
    runs: dict[str, Report] = {}
    for file in report["files"]:
        for one in (*file["findings"], *map(_as_finding, file["suppressions"])):
            run = runs.setdefault(one["tool"], _run(one["tool"]))
            run["results"].append(
                {
                    "ruleId": one["rule"],
                    "level": _LEVELS[one["severity"]],
                    "message": {"text": one["message"]},
                    "partialFingerprints": {"quartermaster/v1": one["fingerprint"]},
                    "locations": [
                        {
                            "physicalLocation": {
                                "artifactLocation": {"uri": file["path"]},
                                "region": {"startLine": max(one["line"], 1)},
                            }
                        }
                    ],
                }
            )
    return {"$schema": _SARIF, "version": "2.1.0", "runs": list(runs.values()) or [_run("none")]}


def _as_finding(word: Report) -> Report:
    return {**word, "tool": "suppressions", "rule": "suppression", "severity": "low"}


def _run(name: str) -> Report:
    driver = {"name": f"quartermaster/{name}", "version": __version__}
    return {"tool": {"driver": driver}, "results": []}
