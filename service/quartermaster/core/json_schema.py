"""Reads JSON Schemas of any draft as clients read them, even if they have faults.

A fault with a clear meaning is repaired (`repaired`). A part that cannot be understood is not
checked (`usable`), but all other parts are.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any, Final, cast

import jsonschema_rs

Schema = dict[str, Any]


def words(text: str) -> frozenset[str]:
    """Returns the words of a text as a set."""
    return frozenset(text.split())


_NEWEST_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_METASCHEMAS: Final[dict[str, jsonschema_rs.Validator]] = {
    # This validator treats the schema as data, so it never follows references in it.
    uri.partition("://")[2]: validator({"$ref": uri})
    for uri, validator in {
        _NEWEST_DIALECT: jsonschema_rs.Draft202012Validator,
        "https://json-schema.org/draft/2019-09/schema": jsonschema_rs.Draft201909Validator,
        "http://json-schema.org/draft-07/schema": jsonschema_rs.Draft7Validator,
        "http://json-schema.org/draft-06/schema": jsonschema_rs.Draft6Validator,
        "http://json-schema.org/draft-04/schema": jsonschema_rs.Draft4Validator,
    }.items()
}
NEWEST_METASCHEMA: Final = _METASCHEMAS[_NEWEST_DIALECT.partition("://")[2]]
DRAFT_7_METASCHEMA: Final = _METASCHEMAS["json-schema.org/draft-07/schema"]

# Keywords by what they hold: one schema, a list of schemas, schemas by name.
SCHEMA_KEYWORDS: Final = words(
    "items contains additionalItems additionalProperties propertyNames not if then else"
    " unevaluatedItems unevaluatedProperties contentSchema"
)
SCHEMA_LIST_KEYWORDS: Final = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
SCHEMA_MAP_KEYWORDS: Final = frozenset(
    {"properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"}
)
HOLDS_SCHEMAS: Final = SCHEMA_KEYWORDS | SCHEMA_LIST_KEYWORDS | SCHEMA_MAP_KEYWORDS
_NUMBERS: Final = words(
    "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems"
    " maxItems minProperties maxProperties minContains maxContains"
)
_CHOICES: Final = words(
    "additionalProperties additionalItems uniqueItems nullable deprecated readOnly writeOnly"
)
TEXTS: Final = frozenset({"title", "description", "$comment"})
_LISTS: Final = frozenset({"enum", "examples", "required"})
# For these, null is a value like any other.
_VALUES: Final = frozenset({"const", "default"})
_KNOWN_KEYWORDS: Final = (
    HOLDS_SCHEMAS | _NUMBERS | _CHOICES | TEXTS | _LISTS
    | frozenset({"type", "format", "pattern", "$ref", "$id", "id", "$schema", "$anchor"})
)  # fmt: skip
_TYPES: Final = words("string number integer boolean object array null")
# Names that other languages use.
_OTHER_TYPES: Final = {
    **dict.fromkeys(words("str text char"), "string"),
    **dict.fromkeys(words("int int32 int64 long uint uint32 uint64 short"), "integer"),
    **dict.fromkeys(words("float double decimal float32 float64"), "number"),
    **dict.fromkeys(["bool"], "boolean"),
    **dict.fromkeys(words("dict map mapping record struct"), "object"),
    **dict.fromkeys(words("list tuple set"), "array"),
    **dict.fromkeys(words("none nil nonetype"), "null"),
}
# A place in a list, as a pointer writes it.
_INDEX: Final = re.compile(r"0|[1-9][0-9]{0,9}")
_MOST_ROUNDS: Final = 50
_MOST_DEPTH: Final = 100
# What these hold judges the same value.
_KEYWORDS_BESIDE_REFERENCES: Final = words(
    "allOf anyOf oneOf not if then else dependentSchemas dependencies"
)
_REFERENCES: Final = frozenset({"$ref", "$dynamicRef", "$recursiveRef"})
NAMES: Final = frozenset({"$id", "$anchor", "$dynamicAnchor"})
# So many references judge a value some thousand times at most, wherever they lead.
_FEW_REFERENCES: Final = 20
_MOST_JUDGEMENTS: Final = 20_000


def is_valid(schema: object) -> bool:
    """Returns whether a schema follows the draft that it names (by default, the newest one)."""
    if not isinstance(schema, dict):
        return False
    given = cast("Schema", schema)
    dialect = str(given.get("$schema", _NEWEST_DIALECT)).partition("://")[2].removesuffix("#")
    metaschema = _METASCHEMAS.get(dialect)
    return metaschema is not None and follows(metaschema, given)


def follows(metaschema: jsonschema_rs.Validator, schema: Schema) -> bool:
    """Returns whether a schema follows a draft. A schema that cannot be read follows none, for
    example one with incomplete characters or with too many levels.
    """
    try:
        return metaschema.is_valid(schema)
    except ValueError:
        return False


def repaired(schema: object) -> Schema:
    """Returns the schema with all faults repaired whose meaning is clear. No part of the schema is
    lost.

    A schema that follows the draft that it names is returned unchanged. Faults that remain are left
    in the schema, for models to read.

    Args:
        schema: the published schema, as an object or as its JSON text. Anything else counts as an
            empty schema.
    """
    if isinstance(schema, str):
        schema = _parsed(schema)
    if not isinstance(schema, dict):
        return {}
    given = cast("Schema", schema)
    return given if is_valid(given) else _in_newest(given)


def usable(schema: object) -> Schema:
    """Returns the part of a schema that a validator can check: it compiles, and has no unusable
    members.

    Args:
        schema: any schema, as published or as stored.
    """
    given = cast("Schema", schema) if isinstance(schema, dict) else {}
    found = given if is_valid(given) and _compiles(given) else modern(given)
    return mapped(found, _without_references) if _has_costly_references(found) else found


def modern(schema: Schema) -> Schema:
    """Returns the usable part of a schema, in the newest draft, so that it compiles."""
    found = _in_newest(schema)
    for _ in range(_MOST_ROUNDS):
        try:
            # Each of the metaschema's parts reports an error.
            paths = {place_of(error, found) for error in NEWEST_METASCHEMA.iter_errors(found)}
        except ValueError:
            return {}
        if not paths:
            break
        for path in paths:
            _forget(found, path)
    else:
        return {}
    if not _compiles(found):
        found = _without_broken(found, found)
    return found if _compiles(found) else {}


def as_input(schema: object) -> Schema:
    """Returns the usable schema of a tool's arguments, which are always an object."""
    found = usable(schema)
    kind: object = found.get("type", "object")
    kinds = cast("list[object]", kind) if isinstance(kind, list) else [kind]
    return found if "object" in kinds else {**found, "type": "object"}


def number_in(text: str) -> int | float | None:
    """Returns the number that a text represents in JSON; None if a number cannot hold all its
    digits, or if it is larger than 2^53.

    Such whole numbers are usually ids rather than quantities, and many programs round them.
    """
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or text != text.strip():
        return None
    if abs(value) > 2**53 or text.startswith("-0"):
        return value if text.startswith("-0.") and value else None
    try:
        is_same = Decimal(text) == Decimal(repr(value))
    except InvalidOperation:
        return None
    return value if is_same else None


def place_of(error: jsonschema_rs.ValidationError, value: object) -> tuple[str | int, ...]:
    """Returns the place of an error in the value that was checked. The validator returns a name
    that looks like a number as a number, so 1 may stand for ``01``.
    """
    path: list[str | int] = []
    for step in error.instance_path:
        if isinstance(value, Mapping) and isinstance(step, int):
            members = cast("Mapping[str, object]", value)
            alike = (name for name in members if re.fullmatch(rf"\+?0*{step}", name))
            name = str(step) if str(step) in members else next(alike, str(step))
            value = members.get(name)
            path.append(name)
            continue
        path.append(step)
        try:
            value = cast("Any", value)[step]
        except (KeyError, IndexError, TypeError):
            value = None
    return tuple(path)


def places(schema: object) -> Iterator[Schema]:
    """Yields every schema inside a schema, itself included; booleans are not yielded."""
    pending: list[object] = [schema]
    while pending:
        found = pending.pop()
        if not isinstance(found, dict):
            continue
        given = cast("Schema", found)
        yield given
        for keyword, value in given.items():
            if keyword in SCHEMA_KEYWORDS and not isinstance(value, list):
                pending.append(value)
            elif (keyword in SCHEMA_LIST_KEYWORDS or keyword == "items") and isinstance(
                value, list
            ):
                pending += cast("list[object]", value)
            elif keyword in SCHEMA_MAP_KEYWORDS and isinstance(value, dict):
                pending += cast("Schema", value).values()


def objects(value: object) -> Iterator[Schema]:
    """Yields every object in a value, itself included."""
    pending: list[object] = [value]
    while pending:
        found = pending.pop()
        if isinstance(found, dict):
            yield cast("Schema", found)
            pending += cast("Schema", found).values()
        elif isinstance(found, list):
            pending += cast("list[object]", found)


def _beside(place: Schema, root: Schema) -> list[Schema]:
    """Returns the schemas inside a schema that apply to the same value."""
    found: list[object] = [referred(place["$ref"], root)] if "$ref" in place else []
    for keyword in _KEYWORDS_BESIDE_REFERENCES & place.keys():
        held: object = place[keyword]
        if isinstance(held, list):
            found += cast("list[object]", held)
        elif keyword in SCHEMA_MAP_KEYWORDS and isinstance(held, dict):
            found += cast("Schema", held).values()
        else:
            found.append(held)
    return [cast("Schema", one) for one in found if isinstance(one, dict)]


def judgements(root: Schema) -> float:
    """Returns the largest number of schemas that apply to one value; infinity if references form a
    cycle.

    Args:
        root: a valid schema.
    """
    counts: dict[int, float] = {}
    # Each schema is counted after all that it leads to.
    pending: list[tuple[Schema, bool]] = [(start, False) for start in places(root)]
    while pending:
        place, is_left = pending.pop()
        inner = _beside(place, root)
        if is_left:
            counts[id(place)] = 1 + sum(counts[id(one)] for one in inner)
        elif id(place) not in counts:
            # What leads back to a schema that is not left yet leads in a circle.
            counts[id(place)] = math.inf
            pending.append((place, True))
            pending += [(one, False) for one in inner if id(one) not in counts]
    return max(counts.values(), default=0)


def _in_newest(schema: Schema) -> Schema:
    """Repairs a schema; the result is in the newest draft, whichever draft the schema named."""
    found: Schema = _repaired(schema, 0)
    found.pop("$schema", None)
    return found


def mapped(schema: object, change: Callable[[Schema], Schema]) -> Any:
    """Returns a copy of a schema in which the schema itself, and then each schema inside it, has
    been changed.
    """
    if not isinstance(schema, dict):
        return cast("Any", schema)
    found = dict(change(cast("Schema", schema)))
    for keyword, value in found.items():
        if keyword in SCHEMA_KEYWORDS and not isinstance(value, list):
            found[keyword] = mapped(value, change)
        elif (keyword in SCHEMA_LIST_KEYWORDS or keyword == "items") and isinstance(value, list):
            found[keyword] = [mapped(one, change) for one in cast("list[object]", value)]
        elif keyword in SCHEMA_MAP_KEYWORDS and isinstance(value, dict):
            members = cast("Schema", value).items()
            found[keyword] = {name: mapped(one, change) for name, one in members}
    return found


def _has_costly_references(schema: Schema) -> bool:
    """Returns whether references may make the check of a value too slow for a call.

    Twenty schemas, each of which refers to the next one twice, check a value a million times.
    """
    references = [one[word] for one in objects(schema) for word in _REFERENCES & one.keys()]
    if len(references) <= _FEW_REFERENCES:
        return False
    is_plain = all(
        (isinstance(one, str) and one.startswith("#/")) or one == "#" for one in references
    )
    has_names = any(NAMES & one.keys() for one in objects(schema) if one is not schema)
    return not is_plain or has_names or judgements(schema) > _MOST_JUDGEMENTS


def _without_references(place: Schema) -> Schema:
    return {keyword: value for keyword, value in place.items() if keyword not in _REFERENCES}


def _repaired(schema: object, depth: int) -> Any:
    """Repairs a schema, but not the schemas inside it. A boolean is not changed; null or the name
    of a type becomes a schema.
    """
    if schema is None:
        return {}
    if isinstance(schema, str):
        schema = {"type": schema}
    if not isinstance(schema, dict) or depth > _MOST_DEPTH:
        return cast("Any", schema)
    found: Schema = {}
    for keyword, value in cast("Schema", schema).items():
        if value is None and keyword in _KNOWN_KEYWORDS - _VALUES:
            continue
        found[keyword] = _repaired_value(keyword, value, depth + 1)
    _repair_type(found)
    for keyword in ("allOf", "anyOf", "oneOf", "enum"):
        if found.get(keyword) == []:
            del found[keyword]
    _repair_bounds(found)
    _repair_items(found)
    _repair_required(found)
    return found


def _repaired_value(keyword: str, value: Any, depth: int) -> Any:
    if keyword in _CHOICES and isinstance(value, str) and value.lower() in {"true", "false"}:
        return value.lower() == "true"
    if keyword in _NUMBERS and isinstance(value, str):
        number = number_in(value)
        return value if number is None else number
    if keyword in TEXTS and not isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if keyword in _LISTS and isinstance(value, str):
        return [value]
    if keyword in SCHEMA_KEYWORDS and not isinstance(value, list):
        return _repaired(value, depth)
    if (keyword in SCHEMA_LIST_KEYWORDS or keyword == "items") and isinstance(value, list):
        return [_repaired(item, depth) for item in cast("list[object]", value)]
    if keyword in SCHEMA_MAP_KEYWORDS and isinstance(value, dict):
        members = cast("Schema", value).items()
        return {
            name: cast("Any", one) if isinstance(one, list) else _repaired(one, depth)
            for name, one in members
        }
    return cast("Any", value)


def _type_name(name: object) -> str | None:
    """Returns the JSON type that a name means; None if the name is unknown."""
    if not isinstance(name, str):
        return "null" if name is None else None
    low = name.strip().lower()
    return low if low in _TYPES else _OTHER_TYPES.get(low)


def _repair_type(found: Schema) -> None:
    """Translates the types. A name that is not a type, such as ``any``, moves to ``x-type``, for
    models to read.
    """
    if "type" not in found:
        return
    given: object = found.pop("type")
    if isinstance(given, list):
        listed = cast("list[object]", given)
    else:
        listed = list[object](given.split("|")) if isinstance(given, str) else [given]
    names = list(dict.fromkeys(_type_name(one) for one in listed))
    if None in names:
        found["x-type"] = given
    elif names:
        found["type"] = names if len(names) > 1 or isinstance(given, list) else names[0]


def _repair_bounds(found: Schema) -> None:
    """Translates ``exclusiveMinimum: true``, which in draft 4 means that the value of ``minimum``
    itself is not allowed.
    """
    for bound, exclusive in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
        is_exclusive: object = found.get(exclusive)
        if not isinstance(is_exclusive, bool):
            continue
        del found[exclusive]
        if is_exclusive and bound in found and not isinstance(found[bound], bool):
            found[exclusive] = found.pop(bound)


def _repair_items(found: Schema) -> None:
    """Translates a list in ``items``, which up to draft 2019-09 describes the items one by one."""
    items: object = found.get("items")
    if not isinstance(items, list):
        return
    del found["items"]
    rest: object = found.pop("additionalItems", None)
    if items:
        found.setdefault("prefixItems", items)
    if rest is not None:
        found["items"] = rest


def _repair_required(found: Schema) -> None:
    """Collects the required properties: in draft 3, the schema of each property contains whether
    the property is required.
    """
    if isinstance(found.get("required"), list):
        names = cast("list[object]", found["required"])
        found["required"] = list(dict.fromkeys(name for name in names if isinstance(name, str)))
    properties: object = found.get("properties")
    if not isinstance(properties, dict):
        return
    needed: list[str] = []
    for name, one in cast("Schema", properties).items():
        of_property = cast("Schema", one) if isinstance(one, dict) else {}
        if not isinstance(of_property.get("required"), bool):
            continue
        if of_property.pop("required"):
            needed.append(name)
    listed: object = found.get("required", [])
    if needed and isinstance(listed, list):
        found["required"] = list(dict.fromkeys([*cast("list[Any]", listed), *needed]))


def _parsed(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _compiles(schema: Schema) -> bool:
    try:
        jsonschema_rs.validator_for(schema, offline=True)
    except (ValueError, jsonschema_rs.ReferencingError):
        return False
    return True


def _forget(schema: Schema, path: Sequence[str | int]) -> None:
    """Removes the keyword at a path. An invalid schema at the path becomes one that allows
    everything. Several errors can have the same path.
    """
    holder: Any = schema
    step: Any = None
    kind = "schema"
    for position, key in enumerate(path):
        if kind == "schema":
            step = (holder, key)
            kind = _held(cast("str", key), holder)
        else:
            kind = "schema"
            if position == len(path) - 1:
                holder[key] = {}
                return
        if kind == "value":
            break
        try:
            holder = holder[key]
        except (KeyError, IndexError, TypeError):
            return
    if step is not None and isinstance(step[0], dict):
        cast("Schema", step[0]).pop(step[1], None)


def _held(keyword: str, schema: Any) -> str:
    """Returns what a keyword of a schema contains: a schema, several schemas, or a plain value."""
    value = cast("Mapping[str, Any]", schema).get(keyword) if isinstance(schema, dict) else None
    if keyword in SCHEMA_KEYWORDS and isinstance(value, dict):
        return "schema"
    if keyword in SCHEMA_MAP_KEYWORDS and isinstance(value, dict):
        return "several"
    return "several" if keyword in SCHEMA_LIST_KEYWORDS and isinstance(value, list) else "value"


def _without_broken(schema: Any, root: Schema) -> Any:
    """Returns a valid schema without references that have no target, and without patterns that
    cannot be compiled.
    """

    def without_refused(given: Schema) -> Schema:
        found = dict(given)
        for keyword in ("$id", "$anchor", "$dynamicAnchor", "$dynamicRef", "$recursiveRef"):
            found.pop(keyword, None)
        if "$ref" in found and not _leads_somewhere(found["$ref"], root):
            del found["$ref"]
        if "pattern" in found and not _compiles({"pattern": found["pattern"]}):
            del found["pattern"]
        if "patternProperties" in found:
            rules: Schema = found["patternProperties"]
            found["patternProperties"] = {k: v for k, v in rules.items() if _is_pattern(k)}
        return found

    return mapped(schema, without_refused)


def _is_pattern(text: str) -> bool:
    return _compiles({"pattern": text})


def _leads_somewhere(reference: str, root: Schema) -> bool:
    found = referred(reference, root)
    return isinstance(found, dict | bool)


def referred(reference: str, root: object) -> object:
    """Resolves a reference within a schema, such as ``#/$defs/point``; None if it has no target."""
    if not reference.startswith("#"):
        return None
    place = root
    for step in reference.split("/")[1:]:
        key = step.replace("~1", "/").replace("~0", "~")
        if isinstance(place, list):
            items = cast("list[object]", place)
            number = int(key) if _INDEX.fullmatch(key) else len(items)
            place = items[number] if number < len(items) else None
        else:
            place = cast("Schema", place).get(key) if isinstance(place, dict) else None
    return place
