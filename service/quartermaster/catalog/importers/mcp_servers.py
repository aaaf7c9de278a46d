"""Reads the servers in the files of MCP clients and in the files of the program smartmcp."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from quartermaster.catalog.importers.origin_definition import OriginDefinition, define_origin
from quartermaster.clients.client import Client
from quartermaster.clients.reading import ClientFile, ConfiguredServer, read_servers, read_text
from quartermaster.core.errors import QmError

JsonObject = dict[str, Any]
Place = tuple[Path, tuple[str | int, ...]]


@dataclass(slots=True)
class McpConfig:
    """The parsed content of a configuration.

    Attributes:
        origins: the servers with a valid definition.
        rejected: maps the name of each other server to the reason why it was rejected.
        warnings: messages about ignored content.
        top_k: number of tools that smartmcp returns for a search.
        embedding_model: the embedding model that smartmcp uses for searches.
        places: maps the name of each origin to the files of the server and its place in each file.
    """

    origins: list[OriginDefinition] = field(default_factory=list[OriginDefinition])
    rejected: dict[str, str] = field(default_factory=dict[str, str])
    warnings: list[str] = field(default_factory=list[str])
    top_k: int | None = None
    embedding_model: str | None = None
    places: dict[str, list[Place]] = field(default_factory=dict[str, list[Place]])


def read_config(path: Path, client: Client | None = None) -> McpConfig:
    """Reads the servers in a file.

    Args:
        path: path of a file of any client; see `clients.known`.
        client: the client that the file belongs to; None if it is unknown.

    Raises:
        QmError: QM422 config_invalid, with file, line and column if known; QM404 file_not_found. An
            invalid server definition raises no error: see `McpConfig.rejected`.
    """
    return parse_config(read_text(path), path, client)


def read_files(paths: Sequence[Path], client: Client) -> McpConfig:
    """Reads the servers in all files of a client.

    Args:
        paths: the files.
        client: the client.

    Raises:
        QmError: the errors of `read_config`, if there is only one file. If there are several files,
            a file that cannot be read causes a warning.
    """
    if len(paths) == 1:
        return read_config(paths[0], client)
    config = McpConfig()
    taken: dict[str, ConfiguredServer] = {}
    for path in paths:
        try:
            content = read_servers(read_text(path), path, client)
        except QmError as error:
            config.warnings.append(error.message)
        else:
            _add(content, path, config, taken)
    return config


def parse_config(text: str, path: Path, client: Client | None = None) -> McpConfig:
    """Reads the servers like `read_config`, but from a text. Errors name the path."""
    content = read_servers(text, path, client)
    config = McpConfig()
    _add(content, path, config, {})
    _read_smartmcp(content.value, config)
    return config


def _add(
    content: ClientFile, path: Path, config: McpConfig, taken: dict[str, ConfiguredServer]
) -> None:
    """Adds the servers of a file.

    Args:
        content: content of the file.
        path: path of the file.
        config: configuration to which they are added.
        taken: the servers that were already added, by the name of their origin.
    """
    config.warnings += [
        f"{name!r} is defined twice; the last definition is used" for name in content.repeated
    ]
    for found in content.servers:
        if _is_quartermaster(found):
            continue
        name = _free_name(found, path, taken)
        config.places.setdefault(name, []).append((path, found.path))
        if name in taken:
            continue
        taken[name] = found
        if name != found.name:
            config.warnings.append(
                f"{_folder(found, path)} has another server called {found.name!r}, which is"
                f" imported as {name!r}"
            )
        try:
            origin = define_origin(name, found.server, path, config.warnings, is_off=found.is_off)
            config.origins.append(origin)
        except ValueError as reason:
            config.rejected[name] = str(reason)


def _free_name(found: ConfiguredServer, path: Path, taken: dict[str, ConfiguredServer]) -> str:
    """Returns a free name for a server: its own name or, if another server has that name, a name
    with the folder or a number added.
    """
    name, number = found.name, 1
    while name in taken and taken[name].server != found.server:
        number += 1
        folder = Path(_folder(found, path)).name
        name = f"{found.name}-{folder}" if number == 2 else f"{found.name}-{number}"
    return name


def _folder(found: ConfiguredServer, path: Path) -> str:
    """Returns the folder of a server: the folder of the project if the file lists the server under
    a project, otherwise the folder of the file.
    """
    projects = found.path[-3:-2]
    return str(projects[0]) if projects and len(found.path) > 3 else str(path.absolute().parent)


def _is_quartermaster(found: ConfiguredServer) -> bool:
    """Returns whether a server is Quartermaster itself, in the form that ``qm connect`` writes."""
    given = found.server
    server = cast("JsonObject", given) if isinstance(given, dict) else {}
    line: list[object] = []
    for member in ("command", "cmd", "args"):
        value: object = server.get(member)
        line += cast("list[object]", value) if isinstance(value, list) else [value]
    program = next((Path(word).name for word in line if isinstance(word, str)), "")
    return (program in {"qm", "quartermaster"} and "stdio" in line) or (
        found.name == "qm" and "Bearer qm_" in repr(found)
    )


def _read_smartmcp(value: object, config: McpConfig) -> None:
    top = cast("JsonObject", value) if isinstance(value, dict) else {}
    top_k, model = top.get("top_k"), top.get("embedding_model")
    if isinstance(top_k, int) and not isinstance(top_k, bool) and top_k > 0:
        config.top_k = top_k
    elif top_k is not None:
        config.warnings.append(f"top_k {top_k!r} is not a positive number, so it is left out")
    if isinstance(model, str):
        config.embedding_model = model
    elif model is not None:
        config.warnings.append(f"embedding_model {model!r} is not text, so it is left out")
