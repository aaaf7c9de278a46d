"""``qm import``: imports files with servers or tools."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final, Literal

import typer
from rich.progress import TextColumn
from typer import Argument

from quartermaster import api
from quartermaster.catalog.importers.apply import (
    AppliedOrigin,
    apply_origins,
    foreign_secrets,
    new_grants,
    replaced_origins,
)
from quartermaster.catalog.importers.mcp_servers import McpConfig, parse_config, read_files
from quartermaster.catalog.importers.origin_definition import OriginDefinition
from quartermaster.catalog.importers.registry_dump import is_registry_dump, read_servers
from quartermaster.catalog.importers.tools_jsonl import (
    ImportProgress,
    JsonObject,
    StoreBatch,
    import_tools,
)
from quartermaster.cli.command import Command, Decision
from quartermaster.cli.credential_prompt import missing_values, open_store
from quartermaster.cli.grants import allow_networks, confirm_grants, confirm_secrets, note_network
from quartermaster.cli.making_room import say_replaced
from quartermaster.cli.noun import Noun
from quartermaster.cli.originals import put_back, take_out
from quartermaster.cli.output import counted, note
from quartermaster.cli.session import Row
from quartermaster.cli.waiting import finish_embedding, progress_bar, wait_for_refreshes
from quartermaster.clients.client import Client
from quartermaster.clients.known import CLIENTS, EXAMPLE
from quartermaster.clients.reading import read_text
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


@dataclass
class Originals:
    """Options that say whether the imported servers stay in their files."""

    panel: ClassVar = "The imported files"
    take_out: Annotated[
        bool,
        "Also take the imported servers out of their files, so that the agent does not see them"
        " twice. --put-back undoes this.",
    ] = False
    put_back: Annotated[bool, "Put back what --take-out has taken out; import nothing."] = False


@noun.verb()
def import_command(
    qm: Decision,
    originals: Originals,
    source: Annotated[
        str | None,
        "A client, such as claude-code, whose files are looked for; or a file: that of a client,"
        " tools as JSON Lines, or a registry dump.",
        Argument(metavar="CLIENT or FILE"),
    ] = None,
    format: Annotated[Format, "Format of the file."] = "auto",  # noqa: A002
    wait: Annotated[bool, "Wait until tools are read and embedded."] = True,
    example: Annotated[
        bool, "Print a commented example file, or write it to FILE; import nothing."
    ] = False,
) -> Row:
    """Import servers from a client, or servers or tools from a file.

    Asks for confirmation before a local server may see files other than its own, and before a
    server gets a secret that is not under its own name. Also asks before Quartermaster connects to
    an address that is not public, such as an address of this machine.

    A server with the name of an existing server replaces it. A server also replaces
    the same starter server, even if that has another name. --dry-run shows what would be replaced.

    Reads the files of all clients that qm connect lists, of smartmcp, tool files, and registry
    dumps. Keys among the arguments and in the URLs are stored as secrets. Exits with status 1 if
    every entry was rejected.
    """
    if example:
        return _write_example(qm, source)
    files = ImportSource.named(source)
    if originals.put_back:
        return put_back(qm, files.paths, files.client)
    files.require()
    [first, *_] = files.paths
    holds_servers = files.client is not None or format == "mcp"
    if not holds_servers and (format != "auto" or not _holds_servers(first)):
        report = import_tools_file(qm, first, wait=wait)
    else:
        report = import_servers(qm, files, wait=wait, take_out_too=originals.take_out)
    qm.failed = report["all_rejected"]
    return report


@dataclass(frozen=True, slots=True)
class ImportSource:
    """The files to import.

    Attributes:
        paths: the files.
        client: the client that the files belong to; None if it is unknown.
    """

    paths: list[Path]
    client: Client | None

    @classmethod
    def named(cls, name: str | None) -> ImportSource:
        """Returns the files of the client with this name, or the file with this path.

        Raises:
            QmError: QM404 file_not_found if no file of the client exists on this machine or in this
                folder.
        """
        if name is None:
            raise typer.BadParameter(
                f"Give a file or a client: {', '.join(CLIENTS)}. For an example: --example."
            )
        path = Path(name)
        if name not in CLIENTS or path.is_file():
            here = path.absolute()
            owners = (one for one in CLIENTS.values() if here in one.places(Path.cwd()))
            return cls([path], next(owners, None))
        client = CLIENTS[name]
        places = client.places(Path.cwd())
        if not (found := [place for place in places if place.is_file()]):
            raise QmError(
                404,
                "file_not_found",
                f"{client.title} has no file here. Looked for: {', '.join(map(str, places))}",
                f"Name the file: qm import FILE. It is {client.format.upper()} with"
                f" {'.'.join(client.keys[0])}.",
            )
        return cls(found, client)

    def require(self) -> None:
        """Refuses a name that is neither a client nor an existing file.

        Raises:
            QmError: QM404 file_not_found.
        """
        for path in self.paths:
            if not path.exists():
                raise QmError(
                    404,
                    "file_not_found",
                    f"There is no file {path}, and no client has this name.",
                    f"Check the path, or give a client: {', '.join(CLIENTS)}.",
                )


def _write_example(qm: Command, name: str | None) -> Row:
    """Prints the example file, or writes it to a new file."""
    text = EXAMPLE.read_text(encoding="utf-8")
    if name is None:
        if not qm.json:
            sys.stdout.write(text)
        return {"example": text}
    path = Path(name)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise QmError(
            409, "file_exists", f"{path} already exists.", "Choose another name."
        ) from None
    qm.say(f"Written. Edit it, and import it with: qm import {shlex.quote(str(path))}")
    return {"example": text, "file": str(path)}


def _holds_servers(file: Path) -> bool:
    """Returns whether a file contains servers rather than tools. Tools are in a JSON array, or in
    one object per line; any other content, such as a single JSON object, is servers.
    """
    if file.suffix == ".jsonl":
        return False
    text = read_text(file).lstrip()
    if text.startswith("[") and not re.match(r"\[{1,2}[\w.\"-]+\]", text):
        return False
    try:
        first, _ = parse(text.partition("\n")[0])
    except SyntaxProblem:
        return True
    return not (isinstance(first, dict) and "name" in first)


def import_servers(qm: Command, source: ImportSource, *, wait: bool, take_out_too: bool) -> Row:
    """Adds the servers in files of a client, and waits until the service has read their tools.

    Returns:
        ``{file, files, format, origins: [{name, outcome, reason}], warnings, top_k,
        embedding_model, taken_out, all_rejected}``, and ``refreshes`` and ``unembedded`` if it
        waited.

    Raises:
        QmError: QM404 file_not_found, QM422 config_invalid, QM503.
    """
    config = _read_servers(source)
    _keep_working_starters(qm, config)
    report: dict[str, Any] = {
        "file": str(source.paths[0]),
        "files": [str(path) for path in source.paths],
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
        confirm_secrets(qm, foreign_secrets(config.origins, qm))
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
    qm.table(report["origins"], columns, empty="There is no server to import.")
    read: Row = _read_tools(qm, applied) if wait else {}
    say_replaced(qm, [one.name for one in applied if one.outcome in {"added", "changed"}])
    unfit = {one.name for one in applied if one.outcome == "rejected"}
    unfit |= {row["origin"] for row in read.get("refreshes", ()) if row["status"] == "failed"}
    gone = take_out(qm, config, source.client, unfit, asked=take_out_too)
    return {**report, **read, "taken_out": gone}


def _keep_working_starters(qm: Command, config: McpConfig) -> None:
    """Rejects each server that would replace a starter although its program is missing on this
    machine.
    """
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
    """Returns the valid servers. If the database is available, also says which origins they would
    replace.
    """
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
        {"name": o.name, "outcome": "valid", "reason": _expected(o, names), **o.arguments}
        for o, names in zip(config.origins, replaced, strict=True)
    ]


def _expected(origin: OriginDefinition, replaced: Mapping[str, bool]) -> str | None:
    """Returns a text about the import of an origin: which origins it would replace, and whether the
    origin stays off. Returns None if neither applies.
    """
    names = [f"the starter {name}" if starter else name for name, starter in replaced.items()]
    effects = [f"would replace {' and '.join(names)}"] if names else []
    if origin.is_off:
        effects.append("it is off, and stays off")
    return "; ".join(effects) or None


def _read_servers(source: ImportSource) -> McpConfig:
    if source.client is not None:
        config = read_files(source.paths, source.client)
    else:
        [file] = source.paths
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
        and ``unembedded`` if something was stored.

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
