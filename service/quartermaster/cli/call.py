"""``qm call``: calls a tool, as an agent does."""

from __future__ import annotations

import json
import sys
from typing import Annotated, Any, Final, cast

from typer import Argument

from quartermaster.cli.command import Local
from quartermaster.cli.noun import Noun
from quartermaster.cli.options import ToolName
from quartermaster.cli.output import err, harmless, out
from quartermaster.cli.session import Row
from quartermaster.core.errors import QmError
from quartermaster.core.json_text import is_json_of

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
    with err.status(f"calling {name}"):
        result = qm.service.call_tool("call_tool", {"name": name, "arguments": given})
    if not qm.json:
        _print_result(result)
    qm.failed = result.get("isError", False)
    return result


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


def _print_result(result: Row) -> None:
    texts = [_readable(block) for block in result.get("content", ())]
    structured = result.get("structuredContent")
    is_error = result.get("isError", False)
    # Most servers repeat the structured content as text; it is printed only once.
    is_repeated = any(is_json_of(text, structured) for text in texts)
    if structured is not None and not is_repeated and not (is_error and texts):
        texts.append(json.dumps(structured, indent=2, ensure_ascii=False))
    stream = err if is_error else out
    for text in texts:
        # Text that is written to a pipe stays unchanged.
        stream.out(harmless(text) if stream.is_terminal else text, highlight=False)


def _readable(block: Row) -> str:
    if block["type"] == "text":
        return block["text"]
    if isinstance(data := block.get("data"), str):
        block = {**block, "data": f"{len(data)} characters of base64"}
    return json.dumps(block, ensure_ascii=False)
