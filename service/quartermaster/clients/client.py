"""Facts about one MCP client, and the files and entries that follow from them."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

Format = Literal["json", "toml", "yaml"]
KeyPath = tuple[str, ...]

_VARIABLE_PATTERN: Final = re.compile(r"\{(\w+)\|([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class Client:
    """One MCP client.

    Attributes:
        name: name on the command line.
        title: name by which people know the client.
        source: page of the client's documentation that describes its file; for a client that was
            run, the version that was read.
        checked: day on which the file was compared with the source.
        user: paths of the user's files, the usual one first. ``~`` is the home folder,
            ``{applications}`` and ``{config}`` are folders of this system, and ``{NAME|PATH}`` is
            the environment variable NAME or else a path.
        further: paths of the user's files that are only read.
        project: paths of a project's files, relative to its folder. The name ``*`` stands for all
            files of a folder.
        keys: where the servers are in a file, the usual place first; ``*`` is any name.
        off_lists: where a file has lists of servers that are switched off.
        off_file: a second file of the client, and where it has such a list.
        format: format of the files; JSON may have comments and trailing commas.
        members: names of members that differ from ``command``, ``args``, ``env``, ``cwd``, ``url``,
            ``headers`` and ``type``. A dot separates nested names.
        older: other names of members that some version of the client reads.
        types: value of the member type for each transport; a transport without a value needs no
            type.
        off: member and value by which a server is switched off; None if there is none.
        more: other members of a new entry.
        is_list: whether the servers are a list of objects with names.
        has_line: whether the command and its arguments are one list.
        speaks_http: whether the client connects to a URL with headers.
    """

    name: str
    title: str
    source: str
    checked: str
    user: tuple[str, ...] = ()
    further: tuple[str, ...] = ()
    project: tuple[str, ...] = ()
    keys: tuple[KeyPath, ...] = (("mcpServers",),)
    off_lists: tuple[KeyPath, ...] = ()
    off_file: tuple[str, KeyPath] | None = None
    format: Format = "json"
    members: Mapping[str, str] = field(default_factory=dict[str, str])
    older: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    types: Mapping[str, str] = field(default_factory=dict[str, str])
    off: tuple[str, bool] | None = None
    more: Mapping[str, Any] = field(default_factory=dict[str, Any])
    is_list: bool = False
    has_line: bool = False
    speaks_http: bool = True

    def file(self, project: Path) -> Path:
        """Returns the file to which an entry is written: the first one that exists, or the usual
        one.
        """
        places = [_resolved(path) for path in self.user]
        places = places or [project / path for path in self.project]
        return next((path for path in places if path.exists()), places[0])

    def places(self, project: Path) -> list[Path]:
        """Returns the paths of the user's files and of a project's files, whether or not the files
        exist.
        """
        patterns = [_resolved(path) for path in (*self.user, *self.further)]
        patterns += [project / path for path in self.project]
        return list(dict.fromkeys(path for pattern in patterns for path in _matching(pattern)))

    def remote(self, name: str, url: str, headers: Mapping[str, str]) -> dict[str, Any]:
        """Returns the entry for a server with a URL (streamable HTTP)."""
        return self._entry(name, "http", {"url": url, "headers": dict(headers)})

    def local(
        self, name: str, command: str, args: list[str], env: Mapping[str, str]
    ) -> dict[str, Any]:
        """Returns the entry for a server that the client starts."""
        given = {"command": command, "args": args, "env": dict(env)}
        if self.has_line:
            given = {"command": [command, *args], "env": dict(env)}
        return self._entry(name, "stdio", given)

    def _entry(self, name: str, transport: str, given: Mapping[str, Any]) -> dict[str, Any]:
        entry: dict[str, Any] = {"name": name} if self.is_list else {}
        if transport in self.types:
            entry["type"] = self.types[transport]
        for member, value in given.items():
            *outer, last = self.members.get(member, member).split(".")
            place = entry
            for part in outer:
                place = place.setdefault(part, {})
            place[last] = value
        return entry | dict(self.more)


def _matching(pattern: Path) -> list[Path]:
    """Returns all files in the folder if the last part of the path is ``*``; otherwise, returns the
    path itself.
    """
    return sorted(pattern.parent.glob("*")) if pattern.name == "*" else [pattern]


def _resolved(path: str) -> Path:
    """Returns a path in which the placeholders and ``~`` are replaced for this system and user."""
    home = Path.home()
    config = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config")
    match sys.platform:
        case "darwin":
            applications = home / "Library" / "Application Support"
        case "win32":
            config = applications = Path(os.environ.get("APPDATA") or home / "AppData" / "Roaming")
        case _:
            applications = config
    found = _VARIABLE_PATTERN.sub(lambda match: os.environ.get(match[1]) or match[2], path)
    found = found.replace("{applications}", str(applications)).replace("{config}", str(config))
    return Path(found).expanduser()
