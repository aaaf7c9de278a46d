"""Finds the packages that are installed for a Python interpreter. It reads only files and never
runs the interpreter.
"""

from __future__ import annotations

import csv
import os
import re
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from email.message import Message
from email.parser import HeaderParser
from hashlib import sha256
from importlib.metadata import Distribution, PackagePath
from itertools import islice
from math import inf
from pathlib import Path
from typing import Any, Final

from quartermaster.core.errors import QmError

_READ_SUFFIXES: Final = frozenset((".py", ".pyi", ".md", ".rst", ".txt", ".typed"))
_COMPILED_SUFFIXES: Final = frozenset((".so", ".pyd"))
CONTROL: Final = re.compile(r"[\0-\x1f\x7f-\x9f\ud800-\udfff]")
_MODULE: Final = re.compile(r"\A[A-Za-z_]\w{0,199}(-stubs)?\Z")
_INTERPRETER: Final = re.compile(r"(python|pypy)[\w.]*\Z", re.IGNORECASE)
STUBS: Final = "-stubs"
_MAX_LIST_BYTES: Final = 20_000_000
_MOST_BYTES: int = 500_000_000
# What installers write about distributions: the largest lists have some ten thousand files.
_MOST_LISTED, _MOST_METADATA, _MOST_DESCRIBED = 100_000, 1_000_000, 200_000_000
_IMPORT: Final = re.compile(r"^[ \t\f]*(?:from|import)[ \t]+([A-Za-z_]\w*)", re.MULTILINE)
_MOST_FILES, _MOST_SEEN, _IMPORTS = 3000, 100_000, 20_000
_LISTS: Final = frozenset(("RECORD", "installed-files.txt", "SOURCES.txt"))
_MAPPING: Final = re.compile(r"^MAPPING\b[^=\n]*= *\{(.*)\}", re.MULTILINE)
_PLACE: Final = re.compile(r"'([A-Za-z_]\w*)': '([^']+)'")
_OF_CHECKOUTS: Final = frozenset(
    ("setup", "conftest", "noxfile", "tests", "test", "docs", "examples", "benchmarks", "scripts")
)


@dataclass
class _Budget:
    """Limits on the amount of the installers' metadata that may still be read for an environment.

    Attributes:
        letters: number of characters that may still be read.
        files: number of files that lists may still name.
    """

    letters: int = _MOST_DESCRIBED
    files: int = 5 * _MOST_LISTED


class _Described(Distribution):
    """A distribution as its installer's metadata describes it. The metadata files are read up to a
    limit.
    """

    def __init__(self, info: Path, budget: _Budget) -> None:
        self._info = info
        self._budget = budget

    def read_text(self, filename: str) -> str | None:
        path = self._info / filename
        if self._budget.letters <= 0 or not path.is_file() or not is_plain(path, self._info.parent):
            return None
        text = _text_of(path)
        if filename not in _LISTS:
            text = text[:_MOST_METADATA]
        self._budget.letters -= len(text)
        if filename in _LISTS:
            count = len(text.splitlines())
            self._budget.files -= count
            if count > _MOST_LISTED or self._budget.files < 0:
                raise ValueError(f"{filename} lists too many files")
        return text

    @property
    def files(self) -> list[PackagePath] | None:
        """The installed files. None if there is no list of them, or if the list is damaged."""
        try:
            return super().files
        except (csv.Error, OSError, TypeError, ValueError):
            return None

    def locate_file(self, path: str | os.PathLike[str]) -> Path:
        return self._info.parent / path


@dataclass(frozen=True)
class InstalledDistribution:
    """An installed distribution.

    Attributes:
        name: name as the metadata spells it.
        version: version of the distribution.
        summary: summary of the distribution, in one line.
        modules: names with which programs import its modules. For stubs, the names of the modules
            that they describe. Stubs that are not read are left out. A distribution with only such
            stubs has the stubs' own names (``yaml-stubs``).
        readme: the long description.
        digest: SHA-256 of all files that are read, and of the name and version.
        size: total size of these files in bytes.
        folder: the folder that contains its modules.
        documents: paths of other documents in the distribution.
        compiled: names of compiled modules without stubs, which cannot be read.
        unread: reason why the distribution is not read. Empty if it is read.
        own: paths of its Python files below the folder. These paths are needed because other
            distributions may have modules in the same top-level package. None: all files of the
            modules belong to the distribution.
    """

    name: str
    version: str
    summary: str
    modules: tuple[str, ...]
    readme: str
    digest: bytes
    size: int
    folder: Path
    documents: tuple[Path, ...] = ()
    compiled: tuple[str, ...] = ()
    unread: str = ""
    own: frozenset[str] | None = None


class _Digest:
    """Computes the digest and the total size of files."""

    def __init__(self) -> None:
        self.hash = sha256()
        self.size = 0

    def add(self, name: str, path: Path) -> None:
        data = _start_of(path)
        self.hash.update(b"%b\0%d\0" % (name.encode("utf-8", "replace"), len(data)))
        self.hash.update(data)
        self.size += len(data)


def packages_folder(python: Path | None) -> Path:
    """Returns the package folder of an interpreter.

    Args:
        python: the interpreter, the folder of its environment, or the package folder itself. None
            stands for the environment ``.venv`` or ``venv`` in the current folder.

    Raises:
        QmError: 404 environment_not_found.
    """
    path = _environment_here() if python is None else python.expanduser().absolute()
    with suppress(PermissionError):  # a folder of somebody else
        if (found := _packages_of(path)) is not None:
            return found
    raise _not_found(f"{path} contains no package folder, or may not be read.")


def _packages_of(path: Path) -> Path | None:
    """Returns the package folder of an interpreter or environment. Returns a package folder
    unchanged.
    """
    if path.is_file() or (path.is_symlink() and not path.is_dir()):
        if not _INTERPRETER.match(path.name):
            raise _not_found(f"{path} is not a Python interpreter.")
        # The link bin/python leads out of a virtual environment, so it is not followed.
        path = path.parent.parent
    if path.is_dir() and any(path.glob("*.dist-info")):
        return path
    for pattern in ("lib/python3*/site-packages", "Lib/site-packages", "lib/python3/dist-packages"):
        found = sorted(path.glob(pattern), key=_minor)
        if found:
            return found[-1]
    return None


def _environment_here() -> Path:
    near = (Path.cwd() / name for name in (".venv", "venv"))
    here = next((path for path in near if (path / "pyvenv.cfg").is_file()), None)
    if here is None:
        raise _not_found(
            f"There is no .venv or venv in {Path.cwd()}.",
            "Give the environment: --python .venv/bin/python. "
            f"For the packages of Quartermaster itself: --python {sys.prefix}.",
        )
    return here


def _not_found(message: str, hint: str | None = None) -> QmError:
    example = "an interpreter in a virtual environment, for example: --python .venv/bin/python."
    return QmError(404, "environment_not_found", message, hint or f"Give {example}")


def _minor(path: Path) -> int:
    found = re.search(r"python3\.(\d+)", path.as_posix())
    return int(found[1]) if found else 0


def installed(
    folder: Path, only: Collection[str] = (), within: Path | None = None
) -> Iterator[InstalledDistribution]:
    """Yields all distributions in a package folder, ordered by name. Each name occurs once.

    Args:
        folder: the package folder.
        only: normalised names of the wanted distributions. Empty means all of them.
        within: folder that must contain the sources of editable installs. None allows any folder.
    """
    by_name: dict[str, tuple[Distribution, Message]] = {}
    budget = _Budget()
    for info in sorted((*folder.glob("*.dist-info"), *folder.glob("*.egg-info"))):
        found = _Described(info, budget)
        metadata = _metadata(found)
        if name := _field(metadata["Name"], 200):
            by_name.setdefault(normalised(name), (found, metadata))
    for name, (found, metadata) in sorted(by_name.items()):
        if not only or name in only:
            yield _read(folder, found, metadata, within)


def state_of(folder: Path, within: Path | None = None) -> str:
    """Returns a digest of the state of a package folder. The digest is computed without reading the
    packages' files.

    Installers rewrite the list of files (RECORD) of each package that they install or update. The
    sources of editable installs change without an installer, so the digest includes each of their
    files.

    Args:
        folder: the package folder.
        within: see `installed`.
    """
    digest, budget = sha256(), _Budget()
    for info in sorted(folder.glob("*.dist-info")):
        record = info / "RECORD"
        written = record.stat() if record.is_file() else info.lstat()
        digest.update(_line(info.name, written))
        sources = sources_of(folder, _Described(info, budget))
        for path in _files_of({} if _lie_outside(sources, within) else sources):
            digest.update(_line(str(path), path.stat()))
    return digest.hexdigest()


def _line(name: str, known: os.stat_result) -> bytes:
    """Returns the entry of a file in the state of an environment: its name, time of change, and
    size.
    """
    return os.fsencode(f"{name}\0{known.st_mtime_ns}\0{known.st_size}\n")


def imported_by(root: Path) -> frozenset[str]:
    """Returns the top-level modules that the Python files of a project import. Environments in the
    project are skipped.
    """
    found: set[str] = set()
    for path in islice(own_python_files(root, _MOST_SEEN), _MOST_FILES):
        if is_plain(path, path.parent):
            with path.open("rb") as file:
                found.update(_IMPORT.findall(file.read(_IMPORTS).decode("utf-8", "replace")))
    return frozenset(found)


def own_python_files(root: Path, most: float = inf) -> Iterator[Path]:
    """Yields the Python files of a project, in order. Environments in the project are skipped.

    Args:
        root: folder of the project.
        most: maximum number of files and folders to look at.
    """
    seen = 0
    for place, folders, names in os.walk(root):
        seen += len(names) + len(folders)
        if seen > most:
            return
        folders[:] = _own_folders(place, folders)
        yield from (Path(place, name) for name in sorted(names) if name.endswith(".py"))


def _own_folders(place: str, folders: Iterable[str]) -> list[str]:
    """Returns the subfolders of a project folder that contain the project's own code, in order."""
    return sorted(
        name
        for name in folders
        if not name.startswith(".")
        and name not in ("node_modules", "__pycache__")
        # Path.exists would raise an error for the folder of somebody else.
        and not os.path.exists(os.path.join(place, name, "pyvenv.cfg"))  # noqa: PTH110, PTH118
    )


def normalised(name: str) -> str:
    """Returns the name of a distribution in the normalised form by which package indexes compare
    names.
    """
    return re.sub(r"[-_.]+", "-", name).lower()


def _metadata(found: Distribution) -> Message:
    """Returns the metadata of a distribution: its fields, with the long description as the
    payload.
    """
    text = found.read_text("METADATA") or found.read_text("PKG-INFO") or ""
    return HeaderParser().parsestr(text)


def sources_of(folder: Path, found: Distribution) -> dict[str, Path]:
    """Returns the places of the modules of an editable install. Returns an empty dict for other
    installs.

    For an editable install, installers put a .pth file beside the packages. The .pth file names the
    folder of the sources, or imports a finder that knows the place of each module.
    """
    if '"editable"' not in (found.read_text("direct_url.json") or ""):
        return {}
    try:
        return _linked_by(folder, found.files or ())
    except (OSError, ValueError):  # a name that no file can have, or a folder of somebody else
        return {}


def _linked_by(folder: Path, files: Sequence[PackagePath]) -> dict[str, Path]:
    sources: dict[str, Path] = {}
    for file in files:
        path = folder / file.name
        if len(file.parts) > 1 or not path.is_file():
            continue
        if path.suffix == ".pth":
            for place in (Path(line.strip()) for line in _text_of(path).splitlines()):
                if place.is_absolute() and place.is_dir():
                    sources.update(_modules_in(place))
        elif found_at := _MAPPING.search(_text_of(path)):
            sources.update({name: Path(place) for name, place in _PLACE.findall(found_at[1])})
    return {name: path for name, path in sources.items() if path.exists() and not path.is_symlink()}


def _modules_in(place: Path) -> dict[str, Path]:
    """Returns the packages and modules in a source folder. Skips tests, documentation and other
    parts of a checkout.
    """
    return {
        path.stem: path
        for path in sorted(place.iterdir())
        if _MODULE.match(path.stem)
        and path.stem not in _OF_CHECKOUTS
        and (path.suffix == ".py" or (path / "__init__.py").is_file())
    }


def _files_of(sources: Mapping[str, Path]) -> Iterator[Path]:
    """Returns the source files of an editable install."""
    files = (
        each
        for path in sources.values()
        for each in ([path] if path.is_file() else _below(path))
        if each.suffix in (".py", ".pyi")
        and not CONTROL.search(each.name)
        and is_plain(each, path.parent)
    )
    return islice(files, _MOST_FILES)


def _below(path: Path) -> Iterator[Path]:
    """Yields the files in a folder, in order. Does not follow links to folders."""
    seen = 0
    for place, folders, names in os.walk(path):
        folders.sort()
        for name in sorted(names):
            yield Path(place, name)
        seen += len(names) + len(folders)
        if seen > _MOST_SEEN:
            return


def is_plain(path: Path, folder: Path) -> bool:
    """Returns whether a file or folder exists inside a folder, can be read, and is not reached
    through a link.
    """
    try:
        real = os.path.realpath(path)
        is_there = (path.is_file() or path.is_dir()) and os.access(path, os.R_OK)
    except (OSError, ValueError):  # a name that no file can have
        return False
    expected = os.path.join(os.path.realpath(folder), path.relative_to(folder))  # noqa: PTH118
    return is_there and real == expected


def _start_of(path: Path) -> bytes:
    """Returns the beginning of a file. The rest is not read, because a sparse file can be larger
    than the memory.
    """
    with path.open("rb") as file:
        return file.read(_MAX_LIST_BYTES)


def _text_of(path: Path) -> str:
    """Returns the text of a file. Replaces zero bytes, which the database cannot store."""
    return _start_of(path).decode("utf-8", "replace").replace("\0", "\ufffd")


def _lie_outside(sources: Mapping[str, Path], within: Path | None) -> bool:
    """Returns whether any of the sources lies outside the allowed folder."""
    if within is None:
        return False
    allowed = within.resolve()
    return any(not path.resolve().is_relative_to(allowed) for path in sources.values())


def _read(
    folder: Path, found: Distribution, metadata: Message, within: Path | None
) -> InstalledDistribution:
    sources = sources_of(folder, found)
    if sources:
        return _read_editable(sources, metadata, within)
    digest = _Digest()
    modules: set[str] = set()
    documents: list[Path] = []
    compiled: set[str] = set()
    written: set[str] = set()
    own: set[str] = set()
    files = found.files
    unread = "" if files else "the list of its files (RECORD) is missing, empty or damaged"
    for file in sorted(set(files or ()), key=str):
        parts = file.parts
        if not parts or ".." in parts or file.is_absolute() or "__pycache__" in parts:
            continue
        if CONTROL.search(str(file)):
            continue
        path = folder.joinpath(*parts)
        top = _top(parts)
        if top:
            modules.add(top)
            own.add("/".join(parts))
        name = ".".join((*parts[:-1], parts[-1].partition(".")[0]))
        (compiled if path.suffix in _COMPILED_SUFFIXES else written).add(name)
        if (
            path.suffix in _READ_SUFFIXES
            and digest.size < _MOST_BYTES
            and is_plain(path, folder)
            and path.is_file()
        ):
            digest.add(str(file), path)
            if path.suffix in (".md", ".rst") and "licenses" not in parts:
                documents.append(path)
    if digest.size >= _MOST_BYTES:
        unread = f"its files are larger than {_MOST_BYTES // 1_000_000} MB"
    needless = {name for name in modules if _are_needless(folder, name)}
    if modules and modules == needless:
        stubbed = ", ".join(sorted(name.removesuffix(STUBS) for name in needless))
        unread = unread or f"stubs of {stubbed}, which is read itself"
    else:
        modules = {name.removesuffix(STUBS) for name in modules - needless}
        own = {path for path in own if path.partition("/")[0] not in needless}
    return _installed(
        metadata,
        digest,
        folder=folder,
        modules=tuple(sorted(modules)),
        unread=unread,
        documents=tuple(documents),
        compiled=tuple(sorted(compiled - written)),
        own=frozenset(own),
    )


def _are_needless(folder: Path, module: str) -> bool:
    """Returns whether a module consists of stubs that are not needed.

    Separate stubs are not needed if the library itself is installed with sources, or with its own
    stubs for compiled modules. The separate stubs then contain the same information with less
    documentation.
    """
    name = module.removesuffix(STUBS)
    if name == module:
        return False
    library = folder / name
    if not is_plain(library, folder):
        return is_plain(folder / f"{name}.py", folder)
    compiled: set[str] = set()
    written: set[str] = set()
    for path in _below(library):
        module = path.relative_to(library).as_posix().partition(".")[0]
        if path.suffix in (".py", ".pyi"):
            written.add(module)
        elif path.suffix in _COMPILED_SUFFIXES and not path.name.startswith("_"):
            compiled.add(module)
    return bool(written) and compiled <= written


def _read_editable(
    sources: Mapping[str, Path], metadata: Message, within: Path | None
) -> InstalledDistribution:
    """Returns an editable install, read from its sources. Does not open sources outside the allowed
    folder.
    """
    folder = next(iter(sources.values())).parent
    modules = tuple(sorted(name for name, path in sources.items() if path.parent == folder))
    digest, unread = _Digest(), ""
    if _lie_outside(sources, within):
        unread = f"an editable install whose sources lie outside {within}"
    for path in () if unread else _files_of({name: sources[name] for name in modules}):
        digest.add(path.relative_to(folder).as_posix(), path)
    return _installed(metadata, digest, folder=folder, modules=modules, unread=unread)


def _installed(
    metadata: Message, digest: _Digest, *, modules: tuple[str, ...], unread: str, **facts: Any
) -> InstalledDistribution:
    name, version = _field(metadata["Name"], 200), _field(metadata["Version"], 100)
    # What tells a distribution from another one whose list names the same files.
    identity = "\0".join((name, version, unread, *modules))
    digest.hash.update(identity.encode("utf-8", "replace"))
    return InstalledDistribution(
        name=name,
        version=version,
        summary=_field(metadata["Summary"], 500),
        readme=str(metadata.get_payload() or metadata["Description"] or ""),
        modules=modules,
        digest=digest.hash.digest(),
        size=digest.size,
        unread=unread,
        **facts,
    )


def _field(value: object, most: int) -> str:
    """Returns a metadata field as one line that the database can store."""
    return CONTROL.sub("\ufffd", " ".join(str(value or "").split()))[:most]


def _top(parts: tuple[str, ...]) -> str | None:
    first = parts[0]
    if len(parts) == 1:
        first, _, suffix = first.partition(".")
        if suffix not in ("py", "pyi"):
            return None
    elif not parts[-1].endswith((".py", ".pyi")):
        return None
    return first if _MODULE.match(first) else None
