"""The error for a file of an evaluation: which one, which line, what is wrong there."""

from __future__ import annotations

from pathlib import Path

from quartermaster.core.errors import QmError


def bad_file(path: Path, line: int | None, what: str, hint: str = "") -> QmError:
    """QM422 evaluation_file_invalid.

    Args:
        path: of the file.
        line: from 1; None where the whole file is meant.
        what: what is wrong.
        hint: the next step, where the ordinary one does not do.
    """
    place = f"{path}:{line}" if line else str(path)
    return QmError(
        422,
        "evaluation_file_invalid",
        f"{place}: {what}",
        hint or "Nothing was changed. Correct the file there and run the command again.",
    )


def unreadable(path: Path, error: OSError) -> QmError:
    """QM404 file_not_found."""
    return QmError(
        404, "file_not_found", f"{path} cannot be read: {error.strerror}", "Check the path."
    )
