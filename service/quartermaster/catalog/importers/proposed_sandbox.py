"""Proposes the files and the network that a local server may use, from the paths and addresses
among its arguments.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

# A file in one of these languages is a part of a program.
_CODE: Final = frozenset({".py", ".js", ".mjs", ".cjs", ".ts", ".rb", ".jar", ".sh", ".php"})
# The top folder of a program's source contains one of these.
_TOPS: Final = ("pyproject.toml", "setup.py", "requirements.txt", "package.json", ".git")
_LOOPBACK: Final = re.compile(r"(?<![\w.-])(localhost|127\.\d+\.\d+\.\d+|\[::1\])(?![\w.-])")


def propose_sandbox(command: Sequence[str], cwd: str | None) -> dict[str, Any]:
    """Returns the sandbox that a command seems to need.

    The server may change folders and data files among the arguments. It may only read the source of
    the program, and a working directory that contains the source. If a loopback address is among
    the arguments, the sandbox allows the network of this machine.

    Args:
        command: program and arguments.
        cwd: working directory of the program.
    """
    folders: dict[str, bool] = {}
    if cwd:
        folders[cwd] = not any((Path(cwd) / name).exists() for name in _TOPS)
    for argument in command[1:]:
        # Options may contain their value, as in --database=/a/file.
        text = argument.partition("=")[2] if argument.startswith("-") else argument
        path = Path(text).expanduser() if text.startswith(("/", "~/")) else None
        if path is None or not path.exists() or path == Path(path.anchor):
            continue
        is_code = path.is_file() and path.suffix in _CODE
        shown = str(_top(path) if is_code else path)
        folders[shown] = folders.get(shown, False) or not is_code
    found: dict[str, Any] = {}
    if folders:
        found["folders"] = [{"path": path, "write": write} for path, write in folders.items()]
    if any(_LOOPBACK.search(argument) for argument in command[1:]):
        found["network"] = "host"
    return found


def _top(path: Path) -> Path:
    """Returns the folder of a program's source, or only its file if the folder is a personal folder
    such as the home.
    """
    home = Path.home()
    above = [folder for folder in path.parents if len(folder.parts) > 2]
    inside = [folder for folder in above if not home.is_relative_to(folder)]
    tops = [folder for folder in inside if any((folder / name).exists() for name in _TOPS)]
    return next(iter([*tops, *inside]), path)
