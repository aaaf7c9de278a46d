"""``qm tool terms``: limits, retries, caching and redaction of the calls of a tool."""

from __future__ import annotations

from typing import Annotated, Any, Final

import typer

from quartermaster.cli.options import DataDir, DryRun, Dsn, Json, ToolName
from quartermaster.cli.output import note, print_json, print_table
from quartermaster.cli.session import open_session

Number = int | None
Choice = bool | None

_MEANINGS: Final = {
    "timeout_s": "seconds for a call, including retries",
    "attempts": "maximum number of attempts",
    "is_read_only": "the tool only reads",
    "may_repeat": "the same call may be sent twice",
    "key_argument": "argument that carries the idempotency key",
    "cache_s": "seconds for which a result is cached",
    "is_public": "principals share cached results",
    "arguments_bytes": "maximum size of the arguments in bytes",
    "arguments_depth": "maximum nesting of the arguments",
    "result_bytes": "maximum size of a result in bytes",
    "page_characters": "page size of longer results in characters",
    "redacted": "arguments whose values are never logged",
}


def register(tool: typer.Typer) -> None:
    """Adds the command."""
    tool.command("terms")(terms_command)


def terms_command(
    name: ToolName,
    timeout: Annotated[
        float | None, typer.Option(help="Seconds for a call, including retries.")
    ] = None,
    attempts: Annotated[
        Number, typer.Option(help="Maximum number of attempts, if a repeated call is harmless.")
    ] = None,
    read_only: Annotated[
        Choice, typer.Option("--read-only/--not-read-only", help="Whether the tool only reads.")
    ] = None,
    idempotent: Annotated[
        Choice,
        typer.Option(
            "--idempotent/--not-idempotent",
            help="Whether calling twice has the same effect as once.",
        ),
    ] = None,
    key_argument: Annotated[
        str | None, typer.Option(help="Argument that carries the idempotency key.")
    ] = None,
    cache: Annotated[
        float | None, typer.Option(help="Seconds for which a result is cached.")
    ] = None,
    public: Annotated[
        Choice, typer.Option("--public/--private", help="Whether principals share cached results.")
    ] = None,
    arguments: Annotated[
        Number, typer.Option(help="Maximum size of the arguments in bytes.")
    ] = None,
    depth: Annotated[Number, typer.Option(help="Maximum nesting of the arguments.")] = None,
    result: Annotated[Number, typer.Option(help="Maximum size of a result in bytes.")] = None,
    page: Annotated[Number, typer.Option(help="Page size of a long result in characters.")] = None,
    redact: Annotated[
        list[str] | None, typer.Option(help="Argument whose values are never logged.")
    ] = None,
    reset: Annotated[list[str] | None, typer.Option(help="Term to reset to its default.")] = None,
    dry_run: DryRun = False,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Show or change limits, retries, caching and redaction of a tool's calls."""
    given: dict[str, Any] = {
        "timeout_s": timeout,
        "attempts": attempts,
        "is_read_only": read_only,
        "is_idempotent": idempotent,
        "key_argument": key_argument,
        "cache_s": cache,
        "is_public": public,
        "arguments_bytes": arguments,
        "arguments_depth": depth,
        "result_bytes": result,
        "page_characters": page,
        "redacted": redact or None,
    }
    changed = {member: value for member, value in given.items() if value is not None}
    changed |= dict.fromkeys(reset or ())
    with open_session(data_dir, dsn) as session:
        if changed:
            own = session.call_value("set_terms", name=name, terms=changed, dry_run=dry_run)
            if dry_run:
                _preview(name, own, json=json)
                return
        row = session.call("get_terms", name=name)[0]
    if json:
        print_json({"name": name, **row})
        return
    _print(row)


def _preview(name: str, own: dict[str, Any], *, json: bool) -> None:
    if json:
        print_json({"name": name, "own": own})
    else:
        terms = [(member, _shown(value)) for member, value in own.items()]
        print_table(("term", "value"), terms, title=f"{name} would have")


def _print(row: dict[str, Any]) -> None:
    held, own = row["effective"], row["own"]
    print_table(
        ("term", "value", "own", "meaning"),
        [
            (member, _shown(held.get(member)), "yes" if member in own else "", meaning)
            for member, meaning in _MEANINGS.items()
        ],
    )
    if own and row["is_of_this_version"] is False:
        note(
            "Safety and caching terms apply to one version of a tool, and this tool has changed."
            " Set them again to keep them."
        )


def _shown(value: object) -> str:
    match value:
        case None:
            return "-"
        case bool():
            return "yes" if value else "no"
        case list():
            return ", ".join(map(str, value))  # pyright: ignore[reportUnknownArgumentType,reportUnknownVariableType]
        case int():
            return f"{value:,}"
        case float():
            return f"{value:g}"
        case _:
            return str(value)
