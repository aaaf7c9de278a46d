"""Repairs the answer to a tool call, so that a fault in the answer does not lose the result of an
executed call.

Clients refuse a whole answer if one part of it is faulty. So every part of the answer is converted
to a part that all clients can read. A faulty part with a clear meaning is repaired. An optional
part with a fault is left out. Any other faulty part becomes text that describes the part.
"""

from __future__ import annotations

import binascii
import json
import re
from collections.abc import Iterator
from typing import Any, Final, cast

import mcp_types as types
from pydantic import TypeAdapter, ValidationError

from quartermaster.core.json_schema import number_in
from quartermaster.core.tool_repair import choice_in, text_of

JsonObject = dict[str, Any]

_BLOCK: Final[TypeAdapter[types.ContentBlock]] = TypeAdapter(types.ContentBlock)
_KINDS: Final = frozenset({"text", "image", "audio", "resource", "resource_link"})
_REQUIRED_MEMBERS: Final = frozenset(
    {"type", "text", "data", "mimeType", "resource", "uri", "name"}
)
_ROLES: Final = ("user", "assistant")
_MOMENT: Final = re.compile(
    r"\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-][0-2]\d:[0-5]\d)"
)
_DATA_URL: Final = re.compile(r"data:([\w.+/-]+);base64,")
# How the base64 of a file begins, by its media type.
_BEGINNINGS: Final = {
    "iVBOR": "image/png",
    "/9j/": "image/jpeg",
    "R0lGOD": "image/gif",
    "UklGR": "image/webp",
    "PHN2Zy": "image/svg+xml",
    "SUQz": "audio/mpeg",
    "T2dnUw": "audio/ogg",
    "ZkxhQw": "audio/flac",
}
_ANY_FILE: Final = "application/octet-stream"


def repaired_answer(result: JsonObject) -> JsonObject:
    """Returns the answer to a tool call in the form that the protocol describes.

    Args:
        result: the result as the upstream sent it. A question that the tool asks is returned
            unchanged.
    """
    if result.get("resultType") == "input_required":
        return result
    found = dict(result)
    found["content"] = [
        block for part in _parts(found.get("content")) for block in _repaired_block(part)
    ]
    if "isError" in found:
        given: object = found["isError"]
        choice = choice_in(given)
        found["isError"] = bool(given) if choice is None else choice
    if found.get("structuredContent") is None:
        found.pop("structuredContent", None)
    for name, kind in (("_meta", dict), ("resultType", str)):
        if not isinstance(found.get(name), kind):
            found.pop(name, None)
    return found


def _parts(content: object) -> list[object]:
    if content is None:
        return []
    return cast("list[object]", content) if isinstance(content, list) else [content]


def _repaired_block(part: object) -> Iterator[JsonObject]:
    """Yields the content blocks for a part of the answer: usually one block, none for null, and two
    if a file needs an explanation.
    """
    if part is None:
        return
    if not isinstance(part, dict):
        yield _text(text_of(part))
        return
    given = cast("JsonObject", part)
    if given.keys() == {"type", "text"} and given["type"] == "text" and _is_text(given["text"]):
        yield given
        return
    found = {name: value for name, value in given.items() if value is not None}
    found["type"] = _kind(found)
    if "annotations" in found:
        found["annotations"] = _annotations(found["annotations"])
    match found["type"]:
        case "text":
            found["text"] = text_of(found.get("text", ""))
        case "image" | "audio":
            _repair_file(found, "data")
            found.setdefault("mimeType", _media_type(found))
        case "resource_link":
            found.setdefault("name", str(found.get("uri", "")).rpartition("/")[2])
        case "resource":
            found["resource"] = _resource(found.get("resource"))
        case _:
            pass
    checked = _checked(found)
    if checked is not None:
        yield checked
    else:
        yield from _named(given)


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _text(text: str) -> JsonObject:
    return {"type": "text", "text": text}


def _kind(found: JsonObject) -> object:
    given: object = found.get("type")
    if isinstance(given, str) and given.lower() in _KINDS:
        return given.lower()
    if given is None and _is_text(found.get("text")):
        return "text"
    return given


def _checked(found: JsonObject) -> JsonObject | None:
    """Returns a content block without faulty optional members, so that all clients accept the
    block; None if a required member is faulty.
    """
    for _ in range(2):
        try:
            _BLOCK.validate_python(found, by_name=False)
        except ValidationError as error:
            # Each place begins with the kind of block that was tried.
            faulty = {
                str(place["loc"][1])
                for place in error.errors(include_url=False, include_input=False)
                if len(place["loc"]) > 1
            }
            found = {
                k: one for k, one in found.items() if k in _REQUIRED_MEMBERS or k not in faulty
            }
        else:
            return found if _has_good_data(found) else None
    return None


def _has_good_data(block: JsonObject) -> bool:
    """Returns whether the file in a valid block is base64; other blocks may have any members."""
    match block["type"]:
        case "image" | "audio":
            return _is_base64(block["data"])
        case "resource":
            data: object = block["resource"].get("blob")
            return data is None or _is_base64(data)
        case _:
            return True


def _is_base64(data: object) -> bool:
    if not isinstance(data, str):
        return False
    try:
        binascii.a2b_base64(data, strict_mode=True)
    except ValueError:
        return False
    return True


def _repair_file(found: JsonObject, member: str) -> None:
    """Converts the content of a file to standard base64: without line breaks, in the usual
    alphabet, with padding.
    """
    data: object = found.get(member)
    if not isinstance(data, str) or _is_base64(data):
        return
    if address := _DATA_URL.match(data):
        found.setdefault("mimeType", address[1])
        data = data[address.end() :]
    plain = "".join(data.split()).replace("-", "+").replace("_", "/").rstrip("=")
    padded = plain + "=" * (-len(plain) % 4)
    if _is_base64(padded):
        found[member] = padded


def _media_type(found: JsonObject) -> str:
    data: object = found.get("data")
    if not isinstance(data, str):
        return _ANY_FILE
    kind: str = found["type"]
    known = (name for start, name in _BEGINNINGS.items() if data.startswith(start))
    found_type = next(known, _ANY_FILE)
    if kind == "audio" and found_type == "image/webp":
        return "audio/wav"
    return found_type


def _resource(value: object) -> object:
    if not isinstance(value, dict):
        return {"uri": "", "text": "" if value is None else text_of(value)}
    found = {name: one for name, one in cast("JsonObject", value).items() if one is not None}
    found.setdefault("uri", "")
    _repair_file(found, "blob")
    if "blob" not in found:
        found["text"] = text_of(found.get("text", ""))
    if not _is_text(found.get("mimeType", "")):
        del found["mimeType"]
    return found


def _annotations(value: object) -> JsonObject:
    """Returns those annotations that clients accept: known roles, a priority from 0 to 1, and a
    time with a UTC offset.
    """
    if not isinstance(value, dict):
        return {}
    found = dict(cast("JsonObject", value))
    audience: object = found.pop("audience", None)
    named = [audience] if isinstance(audience, str) else audience
    if isinstance(named, list):
        roles = [role for role in cast("list[object]", named) if role in _ROLES]
        if roles:
            found["audience"] = roles
    priority: object = found.pop("priority", None)
    if isinstance(priority, str):
        priority = number_in(priority)
    if isinstance(priority, int | float) and not isinstance(priority, bool) and 0 <= priority <= 1:
        found["priority"] = priority
    moment: object = found.get("lastModified")
    if not (isinstance(moment, str) and _MOMENT.fullmatch(moment)):
        found.pop("lastModified", None)
    return found


def _named(block: JsonObject) -> Iterator[JsonObject]:
    """Yields content blocks for a part whose type the protocol does not define: a resource if the
    part is a file, otherwise text.
    """
    file = dict(block)
    _repair_file(file, "data")
    kind, media_type = text_of(block.get("type")), file.get("mimeType")
    if _is_base64(file.get("data")) and isinstance(media_type, str):
        yield _text(f"Content of the type {kind} ({media_type}) follows as a resource.")
        resource = {"uri": "", "mimeType": media_type, "blob": file["data"]}
        yield {"type": "resource", "resource": resource}
    else:
        written = json.dumps(block, ensure_ascii=False, separators=(",", ":"))
        yield _text(f"Content of the type {kind}: {written}")
