"""``qm quality``: scores, scans and gates for people, CI and pre-commit."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import anyio
from typer import Argument

from quartermaster.cli.command import Local
from quartermaster.cli.noun import Noun
from quartermaster.cli.output import counted, err, say
from quartermaster.core.api_call import without_none
from quartermaster.core.errors import QmError

Paths = Annotated[list[str], "Files, or folders with Python files.", Argument(metavar="PATHS")]
Preset = Literal["standard", "strict", "framework"]
FilePath = Annotated[str, "The file.", Argument(metavar="PATH")]
ProjectName = Annotated[
    str | None, "Name of the project; default: the project that contains the file."
]
Row = Mapping[str, Any]
_LOSSES: Final = 10
"""How many losses of a file are printed, largest first."""
_SHOWN_PROBLEMS: Final = 5
"""How many files and folders are named that cannot be read."""
_VERBS: Final = {
    "tapps_quality_gate": "gate",
    "tapps_score_file": "score",
    "tapps_validate_config": "config",
    "tapps_impact_analysis": "impact",
    "tapps_project_profile": "profile",
}
"""The command that records the same step of a session as a tool, by the name of the tool."""

noun = Noun("Check the quality of code: scores, security scans, gates.")


def _call(qm: Local, tool: str, /, **arguments: object) -> Row:
    """Calls a tool of the running Quartermaster and returns its answer. If several projects fit,
    the project that contains the working directory is used.

    Raises:
        QmError: the tool failed, or no Quartermaster is running.
    """
    given = without_none(**arguments)
    try:
        return _answer(qm, tool, given)
    except QmError as error:
        if error.slug != "project_ambiguous":
            raise
        try:
            return _answer(qm, tool, {"project": str(Path.cwd()), **given})
        except QmError as again:
            raise (error if again.slug == "project_not_found" else again) from None


def _answer(qm: Local, tool: str, given: dict[str, object]) -> Row:
    with err.status(f"asking {tool}"):
        result = qm.service.call_tool("call_tool", {"name": f"quality__{tool}", "arguments": given})
    body: dict[str, Any] = result.get("structuredContent") or {}
    if result.get("isError"):
        if "slug" not in body:
            texts = (block["text"] for block in result["content"] if block["type"] == "text")
            body = body.get("error") or {"slug": "tool_failed", "message": next(texts, "")}
        hint = body.get("install_hint") or body.get("hint") or ""
        raise QmError(422, body["slug"], body["message"], hint)
    return body


def _name_project(qm: Local, given: str | None, row: Row) -> None:
    """Prints which project an answer is about, because another project may contain the working
    directory.
    """
    if given is None:
        qm.note(f"Project: {row['project']}. For another, use --project, or: qm project add PATH.")


def _absolute(path: str) -> str:
    return str(Path(path).absolute())


def _each(
    qm: Local, tool: str, paths: list[str], show: Callable[[Row, str], None], **given: object
) -> Sequence[Row]:
    """Calls a tool for each file, and returns the answers. Prints each answer as soon as it
    arrives.
    """
    rows: list[Row] = []
    for path in paths:
        rows.append(_call(qm, tool, file_path=_absolute(path), **given))
        if not qm.json:
            show(rows[-1], path)
    return rows


@noun.verb()
def score_command(
    qm: Local,
    paths: Paths,
    project: ProjectName = None,
    quick: Annotated[bool, "Run ruff only."] = False,
    fix: Annotated[bool, "Let ruff apply safe fixes; needs --quick."] = False,
) -> Sequence[Row]:
    """Score files: seven categories from 0 to 10, and 0 to 100 overall."""
    if fix and not quick:
        raise QmError(422, "argument_invalid", "--fix needs --quick.", "Add --quick.")
    given = {"project": project, "quick": quick, "fix": fix}
    return _each(qm, "tapps_score_file", _files(paths), _show_score, **given)


def _show_score(row: Row, _path: str) -> None:
    overall = "unknown" if row["overall"] is None else f"{row['overall']:g} of 100"
    say(f"{row['file_path']}: {overall}")
    for name, one in row["categories"].items():
        score = "unknown" if one["score"] is None else f"{one['score']:g}"
        missing = f" (not read by {', '.join(one['missing'])})" if one["missing"] else ""
        say(f"  {name:16} {score:>7}{missing}")
    for gap in row["missing"]:
        say(f"  {gap['tool']}: {gap['reason']}")
    losses = sorted(row["losses"], key=lambda loss: -loss["points"])
    for loss in losses[:_LOSSES]:
        place = f" line {loss['line']}" if loss["line"] else ""
        say(f"  -{loss['points']:g} {loss['category']}{place}: {loss['why']}")
    if len(losses) > _LOSSES:
        say(f"  and {len(losses) - _LOSSES} more; --json prints all.")
    for word in row["suppressions"]:
        say(f"  {word['message']}")
    if row.get("diff"):
        say(row["diff"])


@noun.verb()
def scan_command(qm: Local, paths: Paths) -> Row:
    """Scan files for weaknesses. Needs no running Quartermaster and no project.

    Exits with status 1 if a file has findings, or could not be read or parsed.
    """
    from quartermaster_quality.local import scan_files

    results = anyio.run(scan_files, _files(paths, refused=True))
    qm.failed = any(result.findings or result.status != "ok" for result in results)
    if not qm.json:
        for result in results:
            for finding in result.findings:
                where = f"{result.path}:{finding.line}: {finding.severity.value} {finding.rule}"
                say(f"{where}: {finding.message}")
            for word in result.suppressions:
                say(f"{result.path}:{word.line}: {word.message}")
            if result.status != "ok":
                say(f"{result.path}: {result.status}: {result.reason}")
        found = sum(len(result.findings) for result in results)
        unread = sum(result.status != "ok" for result in results)
        files = f"{counted(len(results), 'file')}, {counted(found, 'finding')}"
        say(f"{files}, {counted(unread, 'file')} not read completely.")
    return {"files": [result.as_dict() for result in results]}


def _files(paths: list[str], *, refused: bool = False) -> list[str]:
    """Returns the given files, and the Python files in the given folders.

    Args:
        paths: files and folders.
        refused: whether to return also files and folders that may not be read.

    Raises:
        QmError: QM404 file_not_found; QM403 path_denied if a file or folder may not be read and
            ``refused`` is false.
    """
    from quartermaster.projects.guard import ProjectFileAccess, printable, real_folder
    from quartermaster.projects.project_files import walk

    files: list[str] = []
    problems: dict[str, str] = {}
    for path in paths:
        folder = Path(path)
        if not folder.is_dir():
            files.append(path)
            continue
        found = walk(ProjectFileAccess(real_folder(folder)))
        names = [name for name in (*found.files, *found.refused) if name.endswith((".py", "/"))]
        if not names:
            raise QmError(
                404,
                "file_not_found",
                f"There are no Python files in {printable(path)}, except for ignored files.",
                "Give files, or another folder.",
            )
        files += (str(folder / name) for name in sorted(names))
        problems |= {name: why for name, why in found.refused.items() if name in names}
    if not refused:
        _no_refused(problems)
    return files


def _no_refused(problems: dict[str, str]) -> None:
    """Raises an error if the guard refuses the names of some files, or refuses to read some
    folders.

    Raises:
        QmError: QM403 path_denied.
    """
    if problems:
        first = "; ".join(
            f"{path!r}: {why}" for path, why in list(problems.items())[:_SHOWN_PROBLEMS]
        )
        raise QmError(
            403,
            "path_denied",
            (
                f"{counted(len(problems), 'file or folder', 'files or folders')} cannot be read. "
                f"First: {first}."
            ),
            "Rename what has a name that is not supported, and let Quartermaster read the rest; or "
            "list it in .gitignore if it is not part of the project.",
        )


@noun.verb()
def gate_command(
    qm: Local,
    paths: Annotated[
        list[str] | None,
        "Files; default with --new-code: the changed files.",
        Argument(metavar="PATHS"),
    ] = None,
    project: ProjectName = None,
    preset: Annotated[Preset, "Which gate."] = "standard",
    new_code: Annotated[bool, "Judge only code that is new since a commit; see --since."] = False,
    since: Annotated[
        str | None,
        "Judge only code that is new since this commit, branch or tag; default with --new-code:"
        " the last commit.",
    ] = None,
) -> Sequence[Row]:
    """Check whether files pass a quality gate. Exits with status 1 if a file does not pass."""
    new_code = new_code or since is not None
    if not paths and not new_code:
        raise QmError(
            422, "argument_missing", "No files were given.", "Give files, or use --new-code."
        )
    given = {"project": project, "preset": preset, "new_code": new_code, "base": since}
    files = _files(paths) if paths else _changed(since)
    rows = _each(qm, "tapps_quality_gate", files, _show_gate, **given)
    if not rows and not qm.json:
        say("No source file has changed.")
    qm.failed = any(row["passed"] is False for row in rows)
    return rows


def _show_gate(row: Row, path: str) -> None:
    say(f"{row['file_path']}: {_verdict(row)}")
    for line in (*row["failures"], *row["warnings"], *_findings(row, path)):
        say(f"  {line}")


def _findings(row: Row, path: str) -> Iterator[str]:
    """Yields a line for each serious finding of a judged file, and a line with the number of other
    findings.
    """
    for one in row["findings"]:
        yield f"line {one['line']}, {one['severity']} {one['rule']}: {one['message']}"
    if others := row["finding_count"] - len(row["findings"]):
        number = (
            f"and {counted(others, 'more finding')}"
            if row["findings"]
            else f"{counted(others, 'finding')}, none serious"
        )
        yield f"{number}; `qm quality report {path}` lists all."


def _verdict(row: Row) -> str:
    from quartermaster_quality.reports import VERDICTS

    verdict = VERDICTS[row["passed"]]
    if row["passed"] is None:
        return f"{verdict}, because no scanner reads this language"
    if row["passed"] and row["only_secrets"]:
        return f"{verdict}, but only secrets were looked for"
    score = "its score is unknown" if row["score"] is None else f"{row['score']:g} of 100"
    return f"{verdict} ({score})"


def _changed(since: str | None) -> list[str]:
    """Returns the source files that differ from a commit, in the repository that contains the
    working directory.

    Raises:
        QmError: QM404 repository_not_found or commit_not_found, QM403 path_denied.
    """
    from quartermaster.projects.guard import ProjectFileAccess, real_folder
    from quartermaster_quality.baseline import changed_files, refused_files

    here = Path.cwd()
    root = next((each for each in (here, *here.parents) if (each / ".git").exists()), None)
    found = None if root is None else changed_files(ProjectFileAccess(real_folder(root)), since)
    if root is None or found is None:
        raise QmError(
            404,
            "repository_not_found",
            f"There is no git repository with a commit at {here}.",
            "Go to the project's folder, or give the files.",
        )
    _no_refused(refused_files(root))
    return [str(root / path) for path in found.hashes]


@noun.verb()
def report_command(
    qm: Local,
    path: Annotated[str | None, "The file; default: the whole project.", Argument()] = None,
    project: ProjectName = None,
    format: Annotated[  # noqa: A002
        Literal["json", "markdown", "html", "sarif"], "Format of the report."
    ] = "markdown",
) -> Row:
    """Print a report about the scanned files."""
    file_path = _absolute(path) if path is not None else None
    row = _call(qm, "tapps_report", file_path=file_path, project=project, format=format)
    if path is None:
        _name_project(qm, project, row)
    if not qm.json:
        report = row["report"]
        # Written as it is: a wrapped line would break a table, or a text in JSON.
        text = report if isinstance(report, str) else json.dumps(report, indent=2)
        sys.stdout.write(text.removesuffix("\n") + "\n")
    return row


@noun.verb()
def checklist_command(
    qm: Local,
    project: ProjectName = None,
    task_type: Annotated[
        Literal["feature", "bugfix", "refactor", "config", "general"], "Type of the task."
    ] = "general",
    session: Annotated[str | None, "Session from tapps_server_info."] = None,
) -> Row:
    """List the tools that a session should use but has not used yet.

    Exits with status 1 if a tool is listed.
    """
    given = {"project": project, "task_type": task_type, "session": session}
    row = _call(qm, "tapps_checklist", **given)
    _name_project(qm, project, row)
    qm.failed = not row["passed"]
    if not qm.json:
        for missing in row["missing"]:
            _show_missing(missing)
        if row["passed"]:
            say("No step is missing.")
    return row


def _show_missing(step: Row) -> None:
    """Prints a missing step of the checklist, with the command that performs it."""
    verb = _VERBS.get(step["tool"])
    if verb is None:
        say(f"missing: {step['reason']}")
        return
    command = " ".join(("qm quality", verb, *([step["path"]] if "path" in step else [])))
    say(f"missing: {step['reason'].replace(step['tool'], f'qm quality {verb}')}")
    say(f"  Run: {command}")


@noun.verb()
def config_command(
    qm: Local,
    paths: Paths,
    project: ProjectName = None,
    config_type: Annotated[
        Literal["dockerfile", "docker-compose", "auto"],
        "Kind of the files; auto: detect it from the file name.",
    ] = "auto",
) -> Sequence[Row]:
    """Validate Dockerfiles and Compose files. Exits with status 1 if a file is invalid."""
    given = {"project": project, "config_type": config_type}
    rows = _each(qm, "tapps_validate_config", paths, _show_config, **given)
    qm.failed = not all(row["valid"] for row in rows)
    return rows


def _show_config(row: Row, _path: str) -> None:
    for finding in row["findings"]:
        place = f"{row['file_path']}:{finding['line']}: {finding['severity']} {finding['rule']}"
        say(f"{place}: {finding['message']}")
    for gap in row["missing"]:
        say(f"{row['file_path']}: {gap['tool']}: {gap['reason']}")


@noun.verb()
def profile_command(qm: Local, project: ProjectName = None) -> Row:
    """Show the languages, frameworks and tools that a project uses, each with the file that proves
    it.
    """
    row = _call(qm, "tapps_project_profile", project=project)
    _name_project(qm, project, row)
    if not qm.json:
        for fact in row["facts"]:
            say(f"{fact['kind']:16} {fact['value']:24} {fact['file']}")
    return row


@noun.verb()
def impact_command(
    qm: Local,
    path: FilePath,
    project: ProjectName = None,
    change: Annotated[Literal["added", "modified", "removed"], "Type of the change."] = "modified",
) -> Row:
    """Show what a change to a file affects: importers, uses, tests, and files that often change
    together with this file.

    With --change removed, exits with status 1 if something still uses the file.
    """
    given = {"project": project, "change_type": change}
    row = _call(qm, "tapps_impact_analysis", file_path=_absolute(path), **given)
    qm.failed = bool(row["broken"])
    if not qm.json:
        for importer in row["importers"]:
            say(f"imported by {importer['path']}")
        for test in row["affected_tests"]:
            say(f"tested by {test}")
        for use in row["broken"]:
            say(f"breaks {use['path']}:{use['line']}: {use['name']}")
        if not (row["importers"] or row["affected_tests"] or row["broken"]):
            say(f"Nothing uses {row['file_path']}.")
        for companion in row["companions"]:
            say(f"changes together with {companion['path']}")
        for decision in row["decisions"]:
            say(f"decision {decision['id']}: {decision['pattern']}")
        for gap in row.get("partial_results", {}).get("gaps", ()):
            say(f"not complete: {gap}")
    return row
