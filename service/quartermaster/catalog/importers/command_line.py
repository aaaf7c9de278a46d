"""Splits a command line that was given where only a program was expected."""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Final

_ASSIGNMENT: Final = re.compile(r"([A-Za-z_]\w*)=(.*)", re.DOTALL)
_WINDOWS_PROGRAM: Final = re.compile(
    r"(?i)\"?((?:[a-z]:|%\w+%|\.{0,2})?\\.*?\.(?:exe|cmd|bat|com|ps1))\"?(?=\s|$)"
)
_WINDOWS_WORD: Final = re.compile(r"(?:\"[^\"]*\"|[^\s\"])+")
# What only a shell understands.
_SHELL: Final = re.compile(r"&&|\|\|?|;|(?<![\w-])[<>]|\$\(|`")
_QUOTED_PATTERN: Final = re.compile(r"'[^']*'|\"(?:[^\"\\]|\\.)*\"")


def split_command(command: str, args: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """Returns the environment variables in the command of a server, and its program with all
    arguments.

    Args:
        command: a program, or a whole command line. It is a Windows command line if it contains
            backslashes; otherwise, a command line of a POSIX shell.
        args: the other arguments.
    """
    line = command.strip()
    if not any(c.isspace() for c in line) or _is_program(line):
        return {}, [_unquoted(line), *args]
    words = split_words(line)
    if _SHELL.search(_QUOTED_PATTERN.sub("", line)) and "\\" not in line:
        return {}, ["sh", "-c", line, *(["sh", *args] if args else [])]
    variables: dict[str, str] = {}
    while len(words) > 1 and (found := _ASSIGNMENT.fullmatch(words[0])) is not None:
        variables[found[1]] = found[2]
        del words[0]
    return variables, [*words, *args]


def split_words(line: str) -> list[str]:
    """Returns the words of a command line. Returns the whole line as one word if it is the path of
    a program with spaces, or if its quotes do not match.
    """
    if "\\" in line and (windows := _WINDOWS_PROGRAM.match(line)) is not None:
        return [windows[1], *map(_unquoted, _WINDOWS_WORD.findall(line[windows.end() :]))]
    if re.search(r"(?i)(?:^|[\s\"])(?:[a-z]:|%\w+%)\\", line):
        return [*map(_unquoted, _WINDOWS_WORD.findall(line))]
    if line.startswith(("/", "~", "./", "../")):
        places = [match.start() for match in re.finditer(r"\s", line)] + [len(line)]
        for place in reversed(places):
            if _is_program(line[:place]):
                rest = line[place:]
                return [line[:place], *_posix(rest)]
    return _posix(line)


def _posix(line: str) -> list[str]:
    try:
        return shlex.split(line)
    except ValueError:
        return [line]


def _unquoted(word: str) -> str:
    return word.replace('"', "")


def _is_program(path: str) -> bool:
    return shutil.which(str(Path(path).expanduser())) is not None
