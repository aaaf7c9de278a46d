"""Finds what is installed for an interpreter, from its files: the interpreter never runs."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Final

from quartermaster.core.errors import QmError

_READ: Final = frozenset((".py", ".pyi", ".md", ".rst", ".txt", ".typed"))
_COMPILED: Final = frozenset((".so", ".pyd"))
_MODULE: Final = re.compile(r"\A[A-Za-z_]\w*(-stubs)?\Z")
_LARGEST: Final = 20_000_000


@dataclass(frozen=True)
class Installed:
    """A distribution that is installed.

    Attributes:
        name: name as its metadata spells it.
        version: its version.
        summary: what it is for, in one line.
        modules: names under which programs import it.
        readme: its long description.
        documents: paths of further documents in it.
        compiled: names of compiled modules that have no stubs, so nothing can be read of them.
        digest: SHA-256 of all files that are read.
    """

    name: str
    version: str
    summary: str
    modules: tuple[str, ...]
    readme: str
    documents: tuple[Path, ...]
    compiled: tuple[str, ...]
    digest: bytes


def packages_folder(python: Path | None) -> Path:
    """The folder of packages of an interpreter; None means the interpreter that runs this.

    Args:
        python: the interpreter, the folder of its environment or the folder of packages itself.

    Raises:
        QmError: 404 environment_not_found.
    """
    path = Path(sys.prefix) if python is None else python.expanduser().absolute()
    if path.is_file() or path.is_symlink():
        # The link bin/python leads out of a virtual environment, so it is not followed.
        path = path.parent.parent
    if path.is_dir() and any(path.glob("*.dist-info")):
        return path
    for pattern in ("lib/python3*/site-packages", "Lib/site-packages", "lib/python3/dist-packages"):
        found = sorted(path.glob(pattern), key=_minor)
        if found:
            return found[-1]
    raise QmError(
        404,
        "environment_not_found",
        f"{path} has no folder of packages.",
        "Name an interpreter in a virtual environment, for example: --python .venv/bin/python.",
    )


def _minor(path: Path) -> int:
    found = re.search(r"python3\.(\d+)", path.as_posix())
    return int(found[1]) if found else 0


def installed(folder: Path) -> Iterator[Installed]:
    """All distributions in a folder of packages, each name once."""
    seen: set[str] = set()
    for found in sorted(distributions(path=[str(folder)]), key=_name):
        name = _name(found)
        if name and name not in seen:
            seen.add(name)
            yield _read(folder, found)


def _name(found: Distribution) -> str:
    return re.sub(r"[-_.]+", "-", _field(found, "Name")).lower()


def _field(found: Distribution, name: str) -> str:
    """A field of the metadata; "" where the distribution does not have it."""
    return str(found.metadata[name]) if name in found.metadata else ""


def _read(folder: Path, found: Distribution) -> Installed:
    digest = sha256()
    modules: set[str] = set()
    documents: list[Path] = []
    compiled: set[str] = set()
    sources: set[str] = set()
    for file in sorted(found.files or (), key=str):
        parts = file.parts
        if ".." in parts or file.is_absolute() or "__pycache__" in parts:
            continue
        path = folder.joinpath(*parts)
        top = _top(parts)
        if top:
            modules.add(top)
        name = ".".join((*parts[:-1], parts[-1].partition(".")[0]))
        (compiled if path.suffix in _COMPILED else sources).add(name)
        if path.suffix in _READ and path.is_file() and not path.is_symlink():
            data = path.read_bytes()[:_LARGEST]
            digest.update(b"%b\0%d\0" % (str(file).encode("utf-8", "replace"), len(data)))
            digest.update(data)
            if path.suffix in (".md", ".rst") and "licenses" not in parts:
                documents.append(path)
    body = found.metadata.get_payload()  # type: ignore[attr-defined]
    return Installed(
        name=_field(found, "Name"),
        version=found.version,
        summary=_field(found, "Summary"),
        modules=tuple(sorted(modules)),
        readme=str(body or _field(found, "Description")),
        documents=tuple(documents),
        compiled=tuple(sorted(compiled - sources)),
        digest=digest.digest(),
    )


def _top(parts: tuple[str, ...]) -> str | None:
    first = parts[0]
    if len(parts) == 1:
        first, _, suffix = first.partition(".")
        if suffix not in ("py", "pyi"):
            return None
    elif not parts[-1].endswith((".py", ".pyi")):
        return None
    return first if _MODULE.match(first) else None
