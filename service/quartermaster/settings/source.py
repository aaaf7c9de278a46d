"""Reads settings with the place where each value was written, for exact error messages."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

import yaml
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from quartermaster.core.errors import QmError
from quartermaster.core.logs import mask

KeyPath = tuple[str, ...]

_VARIABLE_PATTERN: Final = re.compile(r"QM_([A-Z0-9]+(?:_[A-Z0-9]+)*)__([A-Z0-9_]+)")
_HINT: Final = (
    "Correct the settings. default_settings.yaml in the package lists all keys and defaults."
)
_EXPECTATIONS: Final = {"model_type": "expected a section with keys"}
# No section is nested this deeply. The limit stops an alias that contains itself.
_MAX_DEPTH: Final = 8


@dataclass(frozen=True, slots=True)
class SettingsSource:
    """Nested settings, and the place where each key was written (``FILE:LINE`` or the variable), by
    the path of the key.
    """

    values: dict[str, Any]
    places: dict[KeyPath, str]

    def over(self, other: SettingsSource) -> SettingsSource:
        """Merges these values with the values of another source. These values take precedence, key
        by key.
        """
        return SettingsSource(_merged(other.values, self.values), {**other.places, **self.places})

    def place(self, path: KeyPath) -> str:
        """Returns the place where a key was written. For a missing key, returns the start of its
        section.
        """
        while path and path not in self.places:
            path = path[:-1]
        return self.places.get(path, "settings")


def _merged(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    result = dict(below)
    for key, value in above.items():
        old = result.get(key)
        if isinstance(old, Mapping) and isinstance(value, Mapping):
            result[key] = _merged(cast("Mapping[str, Any]", old), cast("Mapping[str, Any]", value))
        else:
            result[key] = value
    return result


def read_yaml(path: Path) -> SettingsSource:
    """Reads the values and lines of a YAML settings file.

    Raises:
        QmError: QM422 ``settings_invalid`` if the file cannot be read, is not valid YAML, is not a
            mapping, or contains a key twice.
    """
    places: dict[KeyPath, str] = {(): f"{path}:1"}
    try:
        loader = yaml.SafeLoader(path.read_text(encoding="utf-8"))
        node = loader.get_single_node()
        if node is None:
            return SettingsSource({}, places)
        if not isinstance(node, yaml.MappingNode):
            raise _invalid(f"{path}:1: expected sections such as `server:`, each with its keys.")
        return SettingsSource(_mapping(loader, node, (), path, places), places)
    except (OSError, UnicodeDecodeError) as error:
        raise _invalid(f"{path}: cannot be read: {error}.") from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f"{path}:{mark.line + 1}:{mark.column + 1}" if mark else str(path)
        context = f" {error.context}" if error.context else ""
        raise _invalid(f"{where}: not valid YAML{context}: {error.problem}.") from None
    except yaml.YAMLError as error:
        raise _invalid(f"{path}: not valid YAML: {error}.") from None


def _mapping(
    loader: yaml.SafeLoader,
    node: yaml.MappingNode,
    prefix: KeyPath,
    path: Path,
    places: dict[KeyPath, str],
) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key_node, value_node in cast("list[tuple[yaml.Node, yaml.Node]]", node.value):
        place = f"{path}:{key_node.start_mark.line + 1}"
        if not isinstance(key_node, yaml.ScalarNode):
            raise _invalid(f"{place}: expected a name before the colon.")
        key = str(key_node.value)
        here = (*prefix, key)
        if key in result:
            raise _invalid(f"{place}: {'.'.join(here)} is set twice.")
        if len(here) > _MAX_DEPTH:
            raise _invalid(f"{place}: sections are nested too deeply.")
        places[here] = place
        if isinstance(value_node, yaml.MappingNode):
            result[key] = _mapping(loader, value_node, here, path, places)
        else:
            # PyYAML's type stubs contain no types for this method.
            value: object = loader.construct_object(value_node, deep=True)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
            # A section whose keys are all commented out reads as null.
            result[key] = {} if value is None and not prefix else value
    return result


def read_environment(environment: Mapping[str, str]) -> SettingsSource:
    """Reads the overrides from variables ``QM_SECTION__KEY``. Each additional ``__`` separates a
    nested key.
    """
    values: dict[str, Any] = {}
    places: dict[KeyPath, str] = {}
    for variable, text in sorted(environment.items()):
        if not _VARIABLE_PATTERN.fullmatch(variable):
            continue
        path = tuple(variable.removeprefix("QM_").lower().split("__"))
        section = values
        for depth, key in enumerate(path[:-1], start=1):
            places.setdefault(path[:depth], f"environment variable {variable}")
            deeper = section.setdefault(key, {})
            if not isinstance(deeper, dict):
                raise _invalid(
                    f"environment variable {variable}: another variable sets all of {key} to a"
                    " single value."
                )
            section = cast("dict[str, Any]", deeper)
        section[path[-1]] = text
        places[path] = f"environment variable {variable}"
    return SettingsSource(values, places)


def explain(error: ValidationError, schema: type[BaseModel], source: SettingsSource) -> QmError:
    """Returns the error for a value that the schema refuses. The error names the place, the key and
    the expected value.

    Args:
        error: validation error with one entry for each problem.
        schema: model of all settings, which contains the names of the known keys.
        source: values with the places where they were written.
    """
    findings = [_finding(entry, schema, source) for entry in error.errors(include_url=False)]
    return _invalid(findings[0], "; ".join(findings[1:]) or None)


def _finding(entry: ErrorDetails, schema: type[BaseModel], source: SettingsSource) -> str:
    path = tuple(str(part) for part in entry["loc"])
    where = f"{source.place(path)}: "
    if entry["type"] != "extra_forbidden":
        value = mask(repr(entry["input"]))
        expected = _EXPECTATIONS.get(entry["type"], entry["msg"].lower())
        return f"{where}{'.'.join(path)} is {value}: {expected}."
    known = _keys(schema, path[:-1])
    nearest = difflib.get_close_matches(path[-1], known, n=1, cutoff=0.0)
    section = "" if path[1:] else " The section of a kind needs the package of the kind."
    return f"{where}unknown key {'.'.join(path)}; did you mean {nearest[0]}?{section}"


def _keys(schema: type[BaseModel], path: KeyPath) -> list[str]:
    for part in path:
        for name, field in schema.model_fields.items():
            if part in {name, field.alias}:
                schema = cast("type[BaseModel]", field.annotation)
    return [field.alias or name for name, field in schema.model_fields.items()]


def _invalid(message: str, detail: str | None = None) -> QmError:
    return QmError(422, "settings_invalid", message, _HINT, detail)
