"""``qm tool terms``: what holds of a tool's calls: budgets, repeating, caching, redaction."""

from __future__ import annotations

from typing import Annotated, Any, Final

import typer

from quartermaster.cli.options import DryRun
from quartermaster.cli.output import out, print_json, print_table
from quartermaster.cli.session import DataDir, Dsn, Json, open_session

Name = Annotated[str, typer.Argument(help="Callable name, such as time__convert_time.")]
Number = int | None
Choice = bool | None

_MEANINGS: Final = {
    "timeout_s": "seconds for a call, all attempts together",
    "attempts": "how often it is tried at most",
    "is_read_only": "it only reads",
    "may_repeat": "the upstream may get the same call twice",
    "key_argument": "argument that tells it of a repeated call",
    "cache_s": "seconds an answer is given again",
    "is_public": "such an answer is everybody's",
    "arguments_bytes": "largest arguments",
    "arguments_depth": "deepest arguments",
    "result_bytes": "largest result",
    "page_characters": "longer results are read in pages",
    "redacted": "arguments whose values are in no log",
}


def register(tool: typer.Typer) -> None:
    """Adds the command."""
    tool.command("terms")(terms_command)


def terms_command(
    name: Name,
    timeout: Annotated[float | None, typer.Option(help="Seconds for a call.")] = None,
    attempts: Annotated[Number, typer.Option(help="Tries at most, where that is harmless.")] = None,
    read_only: Annotated[
        Choice, typer.Option("--read-only/--not-read-only", help="Whether it only reads.")
    ] = None,
    idempotent: Annotated[
        Choice,
        typer.Option("--idempotent/--not-idempotent", help="Whether twice is the same as once."),
    ] = None,
    key_argument: Annotated[
        str | None, typer.Option(help="Argument by which it knows a repeated call itself.")
    ] = None,
    cache: Annotated[
        float | None, typer.Option(help="Seconds for which an answer is given again.")
    ] = None,
    public: Annotated[
        Choice, typer.Option("--public/--private", help="Whose such an answer is.")
    ] = None,
    arguments: Annotated[Number, typer.Option(help="Largest arguments, in bytes.")] = None,
    depth: Annotated[Number, typer.Option(help="Deepest arguments, in levels.")] = None,
    result: Annotated[Number, typer.Option(help="Largest result, in bytes.")] = None,
    page: Annotated[Number, typer.Option(help="Characters in a page of a large result.")] = None,
    redact: Annotated[
        list[str] | None, typer.Option(help="Arguments whose values are in no log.")
    ] = None,
    reset: Annotated[
        list[str] | None, typer.Option(help="Members that go back to the default.")
    ] = None,
    dry_run: DryRun = False,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Show what holds of a tool's calls, or set it."""
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
        print_table((f"would be set for {name}", "value"), [(k, _shown(v)) for k, v in own.items()])


def _print(row: dict[str, Any]) -> None:
    held, own = row["effective"], row["own"]
    print_table(
        ("term", "value", "set", "meaning"),
        [
            (member, _shown(held.get(member)), "here" if member in own else "", meaning)
            for member, meaning in _MEANINGS.items()
        ],
    )
    if own and row["is_of_this_version"] is False:
        out.print(
            "The definition has changed since: what was said of its harmlessness does not hold."
            " Say it again to keep it."
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
