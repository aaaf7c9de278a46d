"""``qm call``: calls a tool, as an agent does."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated, Any, Final, cast

import anyio
from typer import Argument

from quartermaster.cli.command import Local
from quartermaster.cli.noun import Noun
from quartermaster.cli.options import ToolName
from quartermaster.cli.output import err, harmless, out
from quartermaster.cli.session import running
from quartermaster.core.errors import QmError
from quartermaster.core.json_text import is_json_of

if TYPE_CHECKING:
    from mcp_types import CallToolResult, ContentBlock

_NAMES: Final[dict[type, str]] = {
    list: "array",
    str: "string",
    bool: "boolean",
    int: "number",
    float: "number",
    type(None): "null",
}

noun = Noun()


@noun.verb()
def call_command(
    qm: Local,
    name: ToolName,
    arguments: Annotated[
        str, "Arguments as a JSON object, or - to read them from standard input.", Argument()
    ] = "{}",
) -> dict[str, Any]:
    """Call a tool through the running Quartermaster.

    Exits with status 1 if the tool reports an error.
    """
    given = _json_object(sys.stdin.read() if arguments == "-" else arguments)
    run = running(qm.data_dir)
    from quartermaster.doors.mcp.own_client import call_tool

    with err.status(f"calling {name}"):
        result = anyio.run(call_tool, run, name, given)
    if not qm.json:
        _print_result(result)
    qm.failed = result.is_error
    return result.model_dump(by_alias=True, mode="json", exclude_none=True)


def _json_object(text: str) -> dict[str, Any]:
    example = (
        """Quote the arguments for the shell, for instance: qm call NAME '{"key": "value"}'."""
    )
    try:
        value: object = json.loads(text)
        # Half of a surrogate pair is valid JSON, but it cannot be encoded as text.
        json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        place = f"at line {error.lineno} column {error.colno}"
        what = f"The arguments are not JSON: {error.msg} {place}."
    except (RecursionError, UnicodeEncodeError) as error:
        what = f"The arguments cannot be sent: {error}."
    else:
        if isinstance(value, dict):
            return cast("dict[str, Any]", value)
        what = f"The arguments must be a JSON object, not a JSON {_NAMES[type(value)]}."
    raise QmError(422, "json_invalid", what, example)


def _print_result(result: CallToolResult) -> None:
    texts = [_readable(block) for block in result.content]
    structured = result.structured_content
    # Most servers repeat the structured content as text; it is printed only once.
    is_repeated = any(is_json_of(text, structured) for text in texts)
    if structured is not None and not is_repeated and not (result.is_error and texts):
        texts.append(json.dumps(structured, indent=2, ensure_ascii=False))
    stream = err if result.is_error else out
    for text in texts:
        # Text that is written to a pipe stays unchanged.
        stream.out(harmless(text) if stream.is_terminal else text, highlight=False)


def _readable(block: ContentBlock) -> str:
    if block.type == "text":
        return block.text
    wire = block.model_dump(by_alias=True, mode="json", exclude_none=True)
    if isinstance(data := wire.get("data"), str):
        wire["data"] = f"{len(data)} characters of base64"
    return json.dumps(wire, ensure_ascii=False)
