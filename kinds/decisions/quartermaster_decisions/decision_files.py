"""Reads and writes folders of decision files. `qm decisions export` writes them; `qm decisions
import` reads them from the folder or from a commit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from quartermaster.core.errors import QmError
from quartermaster.projects.git import open_repository
from quartermaster_decisions.markdown import (
    MAX_FILE_BYTES,
    file_name,
    read_markdown,
    write_markdown,
)


def write_files(folder: Path, decisions: Iterable[Mapping[str, Any]]) -> list[Path]:
    """Writes one file for each decision. Deletes an old file of the same decision with another
    name.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    for decision in decisions:
        path = folder / file_name(decision)
        for old in folder.glob(f"{decision['id']:04d}-*.md"):
            if old != path:
                old.unlink()
        path.write_text(write_markdown(decision), encoding="utf-8")
        written.append(path)
    return written


def read_files(folder: Path) -> list[dict[str, Any]]:
    """Reads the decisions in a folder, ordered by the names of their files. Symbolic links are
    skipped.

    Raises:
        QmError: QM404 folder_not_found or file_not_found, QM422 file_invalid.
    """
    if not folder.is_dir():
        raise _no_folder(folder)
    paths = sorted(path for path in folder.glob("*.md") if path.is_file() and not path.is_symlink())
    if not paths:
        raise _no_files(str(folder))
    return [_read(path.name, path.read_bytes()) for path in paths]


def read_reviewed(root: Path, folder: Path, revision: str) -> tuple[str, list[dict[str, Any]]]:
    """Reads the decisions in a folder from a commit, not from the current files.

    Args:
        root: folder of the project, which is a git repository.
        folder: the folder of the decision files, below the root.
        revision: the commit, or a branch or tag.

    Returns:
        The id of the commit, and the decisions.

    Raises:
        QmError: QM404 commit_not_found, folder_not_found or file_not_found, QM422 file_invalid, and
            errors of git.
    """
    try:
        inside = folder.resolve().relative_to(root.resolve()).as_posix()
    except ValueError:
        raise _no_folder(folder) from None
    with open_repository(root) as repository:
        commit = repository.commit(revision)
        if commit is None:
            raise QmError(
                404,
                "commit_not_found",
                f"The repository {root} has no commit {revision}.",
                "Give a commit, a branch or a tag that exists.",
            )
        entries = {
            entry.path: entry.blob
            for entry in repository.tree(commit, inside)
            if entry.path.endswith(".md") and not entry.is_link and entry.size <= MAX_FILE_BYTES
        }
        contents = repository.contents(entries)
    found = [_read(path, content) for path, content in sorted(contents.items())]
    if not found:
        raise _no_files(f"{folder} at the commit {commit[:12]}")
    return commit, found


def _read(name: str, content: bytes) -> dict[str, Any]:
    if len(content) > MAX_FILE_BYTES:
        raise QmError(422, "file_invalid", f"The file {name} is too large.", "Split it.")
    return dict(read_markdown(_text(name, content), name))


def _text(name: str, content: bytes) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        raise QmError(
            422, "file_invalid", f"The file {name} is not UTF-8 text.", "Save the file as UTF-8."
        ) from None


def _no_files(where: str) -> QmError:
    return QmError(
        404,
        "file_not_found",
        f"There are no decision files in {where}.",
        "Write the files with qm decisions export. To use --as-reviewed, also commit the files.",
    )


def _no_folder(folder: Path) -> QmError:
    return QmError(
        404,
        "folder_not_found",
        f"There is no folder {folder} in the project.",
        "Give the folder to which qm decisions export wrote the files.",
    )
