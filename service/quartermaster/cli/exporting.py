"""Where exports go: a file, or standard output."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from quartermaster.cli.output import out
from quartermaster.core.errors import QmError

To = Annotated[Path | None, typer.Option("--to", help="File to write; left out: standard output.")]


@contextmanager
def written(to: Path | None) -> Generator[Callable[[str], object]]:
    """What writes text to the file, or to standard output.

    Args:
        to: the file; None for standard output.

    Raises:
        QmError: QM422 file_not_writable.
    """
    if to is None:
        yield lambda text: out.out(text, end="", highlight=False)
        return
    try:
        with to.open("w", encoding="utf-8") as file:
            yield file.write
    except OSError as error:
        raise QmError(
            422,
            "file_not_writable",
            f"{to} cannot be written: {error.strerror}.",
            "Name a file in a folder that is there and yours.",
        ) from error
