"""Explains errors of a local server whose sandbox hides a path from it."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any, Final

import mcp_types as types

from quartermaster.calls.secret_arguments import texts_in
from quartermaster.upstream.confinement import SandboxProfile, is_hidden

_MOST_PATHS: Final = 3
_MAX_CHARACTERS: Final = 500


def explained(
    reply: types.CallToolResult,
    origin: str,
    profile: SandboxProfile | None,
    arguments: Mapping[str, Any],
) -> types.CallToolResult:
    """Adds an explanation to an error. It names the paths that the server cannot see, and says who
    can grant access to them.

    Args:
        reply: the error result of the server.
        origin: name of the server.
        profile: the home and the sandbox of the server; None for a server on another machine.
        arguments: arguments of the call.
    """
    paths = (t for t in texts_in(arguments) if len(t) <= _MAX_CHARACTERS and t.isprintable())
    hidden = [path for path in paths if profile and is_hidden(profile, path)]
    if not hidden:
        return reply
    words = " ".join(map(shlex.quote, dict.fromkeys(hidden[:_MOST_PATHS])))
    text = (
        f"Note from Quartermaster: {origin} runs in a sandbox that hides {words}. An administrator"
        f" can grant access to a folder: qm origin sandbox {shlex.quote(origin)} --folder FOLDER"
        " (or --read FOLDER for access without changes)."
    )
    content = [*reply.content, types.TextContent(type="text", text=text)]
    return reply.model_copy(update={"content": content})
