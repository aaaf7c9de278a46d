"""Reads the servers in a file of any client, in any format."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, cast

from quartermaster.clients.client import Client, Format, KeyPath
from quartermaster.clients.known import CLIENTS, names_of
from quartermaster.core.errors import QmError, unreadable
from quartermaster.core.json_text import SyntaxProblem, parse, syntax_error, without_comments

JsonObject = dict[str, Any]

# The byte order mark, which some editors write.
MARK: Final = "\ufeff"

_FORMATS: Final[dict[str, Format]] = {
    ".json": "json",
    ".jsonc": "json",
    ".code-workspace": "json",
    ".toml": "toml",
    ".yaml": "yaml",
    ".yml": "yaml",
}
_EXAMPLE: Final = 'Write {"mcpServers": {"NAME": {"command": "...", "args": []}}}. See also:'
_LAST_KEYS: Final = frozenset(client.keys[0][-1] for client in CLIENTS.values())
_MAX_PATH_DEPTH: Final = 4
_DEEPEST_VALUE: Final = 100
_MOST_VALUES: Final = 100_000
_TOO_DEEP: Final = "it is nested too deep"
_LINKS: Final = frozenset({*names_of("command"), *names_of("url")})
_MARKS: Final = frozenset(
    {*names_of("command"), *names_of("url"), *names_of("type"), "source", "settings"}
)


@dataclass(frozen=True, slots=True)
class ConfiguredServer:
    """A server in a file.

    Attributes:
        name: its name.
        server: its definition, exactly as in the file.
        path: the keys that lead to the server; the last one is its name, or its position in a list.
        is_off: whether a list in the file says that the server is off.
    """

    name: str
    server: object
    path: tuple[str | int, ...]
    is_off: bool = False


@dataclass(slots=True)
class ClientFile:
    """The content of a file.

    Attributes:
        value: the whole content.
        servers: its servers.
        repeated: names that occur twice.
    """

    value: object
    servers: list[ConfiguredServer] = field(default_factory=list[ConfiguredServer])
    repeated: list[str] = field(default_factory=list[str])


def read_text(path: Path) -> str:
    """Reads the text in a file, without its byte order mark; line ends are not changed.

    Raises:
        QmError: QM404 file_not_found, QM422 config_invalid.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise unreadable(path, error) from error
    is_utf16 = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        return data.decode("utf-16" if is_utf16 else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise QmError(
            422,
            "config_invalid",
            f"{path}: byte {error.start} is not UTF-8",
            "Save the file as UTF-8.",
        ) from error


def read_exactly(path: Path) -> str | None:
    """Reads the text in a file that is to be changed; None if there is no file.

    Raises:
        QmError: QM422 config_invalid if the file is not UTF-8.
    """
    if not path.exists():
        return None
    text = read_text(path)
    data = path.read_bytes()
    if data == text.encode():
        return text
    if data == text.encode("utf-8-sig"):
        return f"{MARK}{text}"
    raise QmError(422, "config_invalid", f"{path} is not UTF-8", "Save the file as UTF-8.")


def read_servers(text: str, path: Path, client: Client | None = None) -> ClientFile:
    """Finds the servers in the text of a client's file.

    Args:
        text: the text.
        path: path of the file, for its suffix and for errors.
        client: the client whose file it is; None if it is unknown.

    Raises:
        QmError: QM422 config_invalid if the file cannot be read, or if no client has such a file.
    """
    value, repeated = read_value(text, path, client.format if client else None)
    found = list(_servers(value, client, path))
    if not found and not _places(value, [client] if client else CLIENTS.values()):
        raise _unknown(path)
    return ClientFile(value, _with_off_file(found, path, client), repeated)


def read_value(text: str, path: Path, format_: Format | None = None) -> tuple[object, list[str]]:
    """Returns the content of a file, and the names that occur twice in it.

    Args:
        text: the text.
        path: path of the file, for its suffix and for errors.
        format_: the format; None if the format is not known.

    Raises:
        QmError: QM422 config_invalid.
    """
    text = text.removeprefix(MARK)
    format_ = format_ or format_of(text, path)
    if format_ == "json":
        bare = without_comments(text)
        try:
            return parse(bare)
        except SyntaxProblem as problem:
            if bare.lstrip().startswith('"'):
                # Members that were copied without the braces around them.
                with suppress(SyntaxProblem):
                    return parse(without_comments(f"{{{text}\n}}"))
            raise syntax_error(str(path), problem) from None
    try:
        return (_toml(text) if format_ == "toml" else _yaml(text)), []
    except ValueError as error:
        raise QmError(
            422,
            "config_invalid",
            f"{path} is not {format_.upper()}: {error}",
            f"Correct the file. Files of clients: {_formats()}.",
        ) from None


def format_of(text: str, path: Path) -> Format:
    """Returns the format of a file, which is recognised by the suffix or else by the text."""
    if (known := _FORMATS.get(path.suffix.lower())) is not None:
        return known
    begin = without_comments(text).lstrip()[:1]
    if begin in {"{", ""}:
        return "json"
    try:
        _toml(text)
    except ValueError:
        return "json" if begin == "[" else "yaml"
    return "toml"


def _toml(text: str) -> object:
    import tomllib

    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None


def _yaml(text: str) -> object:
    import yaml

    try:
        value = cast("object", yaml.safe_load(text))
        return _without_aliases(value, [_MOST_VALUES], 0)
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
    except yaml.YAMLError as error:
        place = getattr(error, "problem_mark", None)
        what = getattr(error, "problem", None) or "it cannot be read"
        raise ValueError(f"line {place.line + 1}: {what}" if place else what) from None


def _without_aliases(value: Any, left: list[int], depth: int) -> Any:
    """Returns a copy of a value in which no object occurs twice. With anchors in YAML, one object
    can occur at several places.

    Args:
        value: the value.
        left: how many more values the copy may have.
        depth: the depth of the value in the file.

    Raises:
        ValueError: the value is too deep (perhaps because it contains itself), or has too many
            values.
    """
    left[0] -= 1
    if depth > _DEEPEST_VALUE or left[0] < 0:
        raise ValueError(_TOO_DEEP if left[0] >= 0 else "its anchors stand for too many values")
    if isinstance(value, dict):
        members = cast("dict[Any, Any]", value)
        return {key: _without_aliases(one, left, depth + 1) for key, one in members.items()}
    if isinstance(value, list):
        return [_without_aliases(one, left, depth + 1) for one in cast("list[Any]", value)]
    return value


def _servers(value: object, client: Client | None, file: Path) -> Iterator[ConfiguredServer]:
    """Yields the servers in a file.

    Looks in four places, and stops at the first place with servers: where one of the clients has
    servers; in maps of the same names elsewhere in the file; in the whole file, as a map of
    servers; in the whole file, as a single server, which gets the name of the file.
    """
    clients = [client] if client else [*CLIENTS.values()]
    # A list in a project says nothing about the servers outside of it.
    off = [
        (path[:-1] if "*" in keys else (), cast("list[object]", names))
        for each in clients
        for keys in each.off_lists
        for path, names in _at(value, keys)
        if isinstance(names, list)
    ]
    places = _places(value, clients) or dict(_elsewhere(value)) or dict(_bare(value))
    if not places and isinstance(value, dict) and _LINKS & cast("JsonObject", value).keys():
        yield ConfiguredServer(file.stem, cast("object", value), ())
    for path, servers in places.items():
        for key, name, server in _named(servers):
            is_off = any(path[: len(scope)] == scope and name in names for scope, names in off)
            yield ConfiguredServer(name, server, (*path, key), is_off)


def _places(value: object, clients: Iterable[Client]) -> dict[KeyPath, object]:
    """Returns the maps and lists of servers in a file, by the keys that lead to them."""
    found: dict[KeyPath, object] = {}
    for keys in dict.fromkeys(keys for client in clients for keys in client.keys):
        for path, servers in _at(value, keys):
            is_empty = servers in ({}, []) and len(keys) == 1
            if is_empty or any(_is_server(server) for _, _, server in _named(servers)):
                found[path] = servers
            elif isinstance(servers, dict) and keys == ("mcpServers",):
                found[path] = cast("object", servers)
    return found


def _elsewhere(value: object, path: KeyPath = ()) -> Iterator[tuple[KeyPath, object]]:
    """Yields maps of servers under a name that some client uses for them, anywhere in the file."""
    if not isinstance(value, dict) or len(path) == _MAX_PATH_DEPTH:
        return
    for key, inner in cast("JsonObject", value).items():
        place = (*path, str(key))
        if key in _LAST_KEYS and any(map(_has_link, _named(inner))):
            yield place, inner
        else:
            yield from _elsewhere(inner, place)


def _has_link(named: tuple[str | int, str, object]) -> bool:
    server = named[2]
    return isinstance(server, dict) and not _LINKS.isdisjoint(cast("JsonObject", server))


def _bare(value: object) -> Iterator[tuple[KeyPath, object]]:
    if isinstance(value, dict):
        servers = list(cast("JsonObject", value).values())
        if servers and all(map(_is_server, servers)):
            yield (), cast("object", value)


def _is_server(value: object) -> bool:
    if not isinstance(value, dict):
        return False
    members = cast("JsonObject", value)
    return not _MARKS.isdisjoint(members) or _is_server(members.get("config"))


def _named(servers: object) -> Iterator[tuple[str | int, str, object]]:
    """Yields the key, name and definition of each server in a map, or in a list of objects with
    names. An entry that only refers to a server in a client's hub gets the name in the reference.
    """
    if isinstance(servers, dict):
        for name, server in cast("JsonObject", servers).items():
            yield name, str(name), server
    elif isinstance(servers, list):
        for place, server in enumerate(cast("list[object]", servers)):
            given = cast("JsonObject", server) if isinstance(server, dict) else {}
            label = given.get("name") or given.get("uses")
            if isinstance(label, str) and label:
                rest = {key: value for key, value in given.items() if key != "name"}
                yield place, label, rest


def _at(value: object, keys: KeyPath, path: KeyPath = ()) -> Iterator[tuple[KeyPath, object]]:
    """Yields the values at a place in a file; ``*`` is any key."""
    if not keys:
        yield path, value
    elif isinstance(value, dict):
        members = cast("JsonObject", value)
        for key in members if keys[0] == "*" else [keys[0]]:
            if key in members:
                yield from _at(members[key], keys[1:], (*path, key))


def _with_off_file(
    found: list[ConfiguredServer], path: Path, client: Client | None
) -> list[ConfiguredServer]:
    """Returns the servers. Servers that another file of the client switches off are marked as
    off.
    """
    if client is None or client.off_file is None:
        return found
    name, keys = client.off_file
    beside = path.parent / name
    if not beside.is_file():
        return found
    value, _ = read_value(read_text(beside), beside)
    off = [
        one
        for _, names in _at(value, keys)
        if isinstance(names, list)
        for one in cast("list[object]", names)
    ]
    return [
        ConfiguredServer(one.name, one.server, one.path, is_off=one.is_off or one.name in off)
        for one in found
    ]


def _formats() -> str:
    """Returns the places of servers in files of clients, each with the clients that use this
    place.
    """
    by_keys: dict[str, list[str]] = {}
    for client in CLIENTS.values():
        keys = ".".join(client.keys[0])
        by_keys.setdefault(f"{client.format.upper()} with {keys}", []).append(client.title)
    return "; ".join(f"{keys} ({', '.join(titles)})" for keys, titles in by_keys.items())


def _unknown(path: Path) -> QmError:
    return QmError(
        422,
        "config_invalid",
        f"{path}: no servers were found. Files of clients: {_formats()}",
        f"{_EXAMPLE} qm import --example.",
    )
