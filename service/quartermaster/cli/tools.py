"""``qm search`` and ``qm call``: what an agent does, by hand."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated, Any, cast

import anyio
import typer

from quartermaster.cli.models import embed_goal, rerank
from quartermaster.cli.options import AsOf
from quartermaster.cli.output import err, harmless, out, print_json, print_table
from quartermaster.cli.session import DataDir, Dsn, Json, Row, open_session, running
from quartermaster.core.errors import QmError

if TYPE_CHECKING:
    from mcp_types import CallToolResult, ContentBlock


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    app.command("search")(search_command)
    app.command("call")(call_command)


def search_command(
    goal: Annotated[str, typer.Argument(help="What is to be done, in plain words.")],
    mode: Annotated[str, typer.Option(help="fast, balanced or thorough.")] = "balanced",
    limit: Annotated[int | None, typer.Option(help="How many tools at most (1 to 100).")] = None,
    budget_tokens: Annotated[
        int | None, typer.Option(help="How many tokens the definitions may have together.")
    ] = None,
    explain: Annotated[bool, typer.Option(help="Show every stage's score and its source.")] = False,
    as_of: AsOf = None,
    as_json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Find the tools for a goal."""
    with open_session(data_dir, dsn) as session:
        vector = embed_goal(session, goal, data_dir)
        asked: Row = {"goal": goal, "mode": mode, "top": limit, "query_vector": vector}
        if as_of is not None:
            _refuse_budget(budget_tokens)
            facts: Row = {"as_of": as_of}
            rows = session.call("select_tools", **asked, as_of=as_of)
        else:
            reranked = rerank(session, goal, mode, vector, data_dir)
            rows = session.call(
                "search_cards", **asked, rerank=reranked, budget_tokens=budget_tokens
            )
            known = rows[0]["receipt"] if rows else session.call_value("last_receipt", goal=goal)
            facts = {"receipt": known}
        [arrivals] = session.call("count_arrivals")
    tools = [{k: v for k, v in row.items() if k not in {"receipt", "ref", "kind"}} for row in rows]
    hint: str | None = arrivals.pop("hint")
    if hint:
        facts["on_their_way"] = arrivals
    if as_json:
        print_json(facts | {"tools": tools})
    elif not tools:
        advice = hint or "Say it in other words, or add servers: qm import FILE."
        out.print(f"No tool was found. {advice}")
    elif explain:
        _print_explained(tools)
    else:
        columns = ("rank", "name", "score", "brief")
        print_table(
            columns, [(t["rank"], t["name"], f"{t['score']:.3f}", t["brief"]) for t in tools]
        )


def call_command(
    name: Annotated[str, typer.Argument(help="Callable name, such as time__get_current_time.")],
    arguments: Annotated[
        str, typer.Argument(help="JSON object, or - to read it from stdin.")
    ] = "{}",
    as_json: Json = False,
    data_dir: DataDir = None,
) -> None:
    """Call a tool through the running Quartermaster; exit status 1 if the tool reports an error."""
    given = _json_object(sys.stdin.read() if arguments == "-" else arguments)
    run = running(data_dir)
    from quartermaster.doors.mcp.own_client import call_tool

    result = anyio.run(call_tool, run, name, given)
    if as_json:
        print_json(result.model_dump(by_alias=True, mode="json", exclude_none=True))
    else:
        _print_result(result)
    if result.is_error:
        raise typer.Exit(1)


def _refuse_budget(budget_tokens: int | None) -> None:
    if budget_tokens is not None:
        raise QmError(
            422,
            "argument_invalid",
            "of the past there is no selection within a budget, only what was offered then",
            "Leave out --budget-tokens, or --as-of.",
        )


def _print_explained(tools: list[dict[str, Any]]) -> None:
    rows = [(t["rank"], t["name"], f"{t['score']:.3f}", _why(t["scores"])) for t in tools]
    print_table(("rank", "name", "score", "why"), rows)


def _why(scores: dict[str, Any]) -> str:
    """Every stage's score, and the channels that found the tool."""
    stages = [f"{stage} {value:.4g}" for stage, value in scores.items() if stage != "sources"]
    return ", ".join([*stages, f"found by {' and '.join(scores.get('sources', []))}"])


def _json_object(text: str) -> dict[str, Any]:
    example = """Quote it for the shell, for instance: qm call NAME '{"key": "value"}'."""
    try:
        value: object = json.loads(text)
        # Half of a surrogate pair is JSON, and no text that could be sent.
        json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        raise QmError(
            422,
            "json_invalid",
            f"The arguments are not JSON: {error.msg} at line {error.lineno} column {error.colno}.",
            example,
        ) from error
    except (RecursionError, UnicodeEncodeError) as error:
        what = f"The arguments cannot be sent: {error}."
        raise QmError(422, "json_invalid", what, example) from None
    if not isinstance(value, dict):
        raise QmError(
            422,
            "json_invalid",
            f"The arguments are a JSON {_kind(value)}, but an object is expected.",
            example,
        )
    return cast("dict[str, Any]", value)


def _kind(value: object) -> str:
    match value:
        case list():
            return "array"
        case str():
            return "string"
        case bool():
            return "boolean"
        case int() | float():
            return "number"
        case _:
            return "null"


def _print_result(result: CallToolResult) -> None:
    texts = [_readable(block) for block in result.content]
    structured = result.structured_content
    # Most servers repeat the structured content as text; once is enough.
    is_repeated = any(_is_json_of(text, structured) for text in texts)
    if structured is not None and not is_repeated and not (result.is_error and texts):
        texts.append(json.dumps(structured, indent=2, ensure_ascii=False))
    stream = err if result.is_error else out
    for text in texts:
        # Programs get it as it is.
        stream.out(harmless(text) if stream.is_terminal else text, highlight=False)


def _readable(block: ContentBlock) -> str:
    if block.type == "text":
        return block.text
    wire = block.model_dump(by_alias=True, mode="json", exclude_none=True)
    if isinstance(data := wire.get("data"), str):
        wire["data"] = f"{len(data)} characters of base64"
    return json.dumps(wire, ensure_ascii=False)


def _is_json_of(text: str, structured: object) -> bool:
    try:
        return json.loads(text) == structured
    except ValueError:
        return False
