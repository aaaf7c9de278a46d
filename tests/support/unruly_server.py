"""A stdio MCP server whose messages cost whoever reads them: ``python unruly_server.py [MODE]``.

Standard library only. The tool ``say`` answers with the message that its argument ``what`` names, a
key of `ANSWERS`. With a mode, a key of `LISTINGS`, the server greets or lists like that.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import Any

MODE = sys.argv[1] if len(sys.argv) > 1 else ""
_DEEP_LIST = "[" * 100_000 + "]" * 100_000
_DEEP_OBJECT = '{"a":' * 100_000 + "1" + "}" * 100_000
_LONG_NUMBER = "9" * 200_000
_TEXT = '{"type":"text","text":"x"}'
_OBJECT = '{"type":"object"}'


def structured(text: str) -> str:
    """Returns the result of a call, with a structured part."""
    return f'"result":{{"content":[],"structuredContent":{text}}}'


def content(text: str) -> str:
    """Returns the result of a call, with a list of parts."""
    return f'"result":{{"content":{text}}}'


def note(params: str) -> str:
    """Returns a notification before a good answer."""
    return (
        f'{{"jsonrpc":"2.0","method":"notifications/message","params":{params}}}\n'
        f'{{"jsonrpc":"2.0","id":ID,{content(f"[{_TEXT}]")}}}'
    )


# What comes with the id of the request; or, with ID in it, whole lines. Many are
# large, so each is made when it is sent.
ANSWERS: dict[str, Callable[[], str]] = {
    "an error with deep data": lambda: f'"error":{{"code":1,"message":"no","data":{_DEEP_LIST}}}',
    "an error with a deep message": lambda: f'"error":{{"code":1,"message":{_DEEP_OBJECT}}}',
    "deep structured content": lambda: structured(_DEEP_OBJECT),
    "a deep _meta": lambda: f'"result":{{"content":[{_TEXT}],"_meta":{_DEEP_OBJECT}}}',
    "deep content": lambda: content(_DEEP_LIST),
    "deep text": lambda: content(json.dumps([{"type": "text", "text": _DEEP_LIST}])),
    "a deep notification": lambda: note(f'{{"level":"error","data":{_DEEP_LIST}}}'),
    "a long number": lambda: structured(f'{{"n":{_LONG_NUMBER}}}'),
    "a long fraction": lambda: structured(f'{{"n":0.{_LONG_NUMBER}}}'),
    "a long exponent": lambda: structured(f'{{"n":1e{_LONG_NUMBER}}}'),
    "a long code": lambda: f'"error":{{"code":{_LONG_NUMBER},"message":"no"}}',
    "1e400": lambda: structured('{"n":1e400,"m":-1e400}'),
    "NaN": lambda: structured('{"n":NaN,"m":-Infinity}'),
    "equal keys": lambda: structured("{" + '"a":1,' * 500_000 + '"a":2}'),
    "two results": lambda: f'{content("[]")},"error":{{"code":1,"message":"no"}},{content("[]")}',
    "lone surrogates": lambda: structured('{"\\ud800":"\\udfff\\ud800","\\u0000":"\\u0000"}'),
    "a lone surrogate in an error": lambda: (
        '"error":{"code":1,"message":"\\ud800","data":"\\udc00"}'
    ),
    "a million parts": lambda: content(f"[{','.join([_TEXT] * 1_000_000)}]"),
    "many keys": lambda: structured("{" + ",".join(f'"{n}":{n}' for n in range(500_000)) + "}"),
    "a large text": lambda: content(json.dumps([{"type": "text", "text": "x" * 30_000_000}])),
    "many numbers": lambda: structured(f'{{"n":[{",".join(["0.1"] * 3_000_000)}]}}'),
}
LISTINGS: dict[str, Callable[[], str]] = {
    "a deep schema": lambda: f'{{"type":"object","default":{_DEEP_LIST}}}',
    "a deep schema of objects": lambda: f'{{"type":"object","properties":{_DEEP_OBJECT}}}',
    "a long number in a schema": lambda: f'{{"type":"object","maximum":{_LONG_NUMBER}}}',
    "1e400 in a schema": lambda: (
        '{"type":"object","properties":{"n":{"maximum":1e400,"default":NaN}}}'
    ),
    "a lone surrogate in a schema": lambda: '{"type":"object","title":"\\ud800"}',
    "a schema about itself": lambda: '{"type":"object","$ref":"#","allOf":[{"$ref":"#"}]}',
    "a large schema": lambda: f'{{"type":"object","title":"{"x" * 20_000_000}"}}',
    "a deep greeting": lambda: _OBJECT,
    "deep prompts": lambda: _OBJECT,
    "deep resources": lambda: _OBJECT,
}


def result(method: str) -> str:
    """Returns the result of a request other than a call."""
    match method:
        case "initialize":
            version = f',"x":{_DEEP_LIST}' if MODE == "a deep greeting" else ""
            return (
                '{"protocolVersion":"2025-06-18",'
                '"capabilities":{"tools":{},"prompts":{},"resources":{}},'
                f'"serverInfo":{{"name":"unruly","version":"1"{version}}}}}'
            )
        case "tools/list":
            schema = LISTINGS.get(MODE, lambda: _OBJECT)()
            return (
                f'{{"tools":[{{"name":"say","description":"Say","inputSchema":{_OBJECT}}},'
                f'{{"name":"odd","description":"Odd","inputSchema":{schema}}}]}}'
            )
        case "prompts/list":
            more = f',"_meta":{_DEEP_OBJECT}' if MODE == "deep prompts" else ""
            return f'{{"prompts":[{{"name":"p","description":"A prompt"{more}}}]}}'
        case "resources/list":
            more = f',"annotations":{_DEEP_OBJECT}' if MODE == "deep resources" else ""
            return f'{{"resources":[{{"uri":"x://y","name":"r"{more}}}]}}'
        case "resources/templates/list":
            return '{"resourceTemplates":[]}'
        case _:
            return "{}"


def reply(request: dict[str, Any]) -> str:
    """Returns the line, or the lines, of an answer."""
    number = json.dumps(request["id"])
    if request["method"] != "tools/call":
        return f'{{"jsonrpc":"2.0","id":{number},"result":{result(request["method"])}}}'
    what = request["params"].get("arguments", {}).get("what")
    said = ANSWERS.get(what, lambda: content(f"[{_TEXT}]"))()
    if '"id":ID' in said:
        return said.replace('"id":ID', f'"id":{number}')
    return f'{{"jsonrpc":"2.0","id":{number},{said}}}'


def main() -> None:
    """Answers each line."""
    for line in sys.stdin:
        request = json.loads(line)
        if "id" in request and "method" in request:
            data = f"{reply(request)}\n".encode()
            while data:
                data = data[os.write(1, data[:1_000_000]) :]


if __name__ == "__main__":
    main()
