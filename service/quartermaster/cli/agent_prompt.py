"""The short instructions for agents, which ``qm connect --prompt FILE`` writes into a file."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from quartermaster.core.errors import QmError

BEGIN: Final = "<!-- Quartermaster: begin. `qm connect --prompt` writes this part. -->"
END: Final = "<!-- Quartermaster: end. -->"
_BLOCK: Final = re.compile(rf"\n*{re.escape(BEGIN)}.*?{re.escape(END)}\n*", re.DOTALL)
# The prompts of the doors that say in which order their tools are used.
_NAME: Final = "workflow"


def instructions() -> str:
    """Returns the texts of the doors' prompts that are called ``workflow``."""
    from quartermaster.core.kind_packages import doors

    texts = [
        prompt.text
        for door in doors()
        for prompt in door.prompts
        if prompt.definition.name == _NAME
    ]
    return "\n".join(text.strip() + "\n" for text in texts)


def with_instructions(before: str) -> str:
    """Returns a text with the instructions. They replace older instructions, or are added at the
    end.
    """
    block = f"{BEGIN}\n{instructions()}{END}\n"
    head, *rest = _BLOCK.split(before, maxsplit=1)
    tail = "".join(rest)
    parts = [head.rstrip("\n") + "\n\n" if head.strip() else "", block]
    return "".join([*parts, "\n" + tail.lstrip("\n") if tail.strip() else ""])


def without_instructions(before: str) -> str:
    """Returns a text without the instructions."""
    head, *tail = _BLOCK.split(before, maxsplit=1)
    if not tail:
        return before
    rest = [part for part in (head.rstrip("\n"), tail[0].strip("\n")) if part.strip()]
    return "\n\n".join(rest) + "\n" if rest else ""


def read(path: Path) -> str:
    """Returns the text of a file; empty if there is none.

    Raises:
        QmError: QM422 file_invalid if it is not a text file.
    """
    try:
        return path.read_text(encoding="utf-8") if path.exists() else ""
    except (UnicodeDecodeError, IsADirectoryError):
        raise QmError(
            422,
            "file_invalid",
            f"{path} is not a text file.",
            "Give a file for agents, such as CLAUDE.md or AGENTS.md.",
        ) from None


def write(path: Path, text: str) -> None:
    """Writes a file, or removes it if the text is empty."""
    if text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    else:
        path.unlink(missing_ok=True)
