"""Finds the names that the Python files of a project import, define and use, from their text.

No code of the project is imported. Files that have not changed are not read again.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, cast

import grimp

from quartermaster.core.errors import QmError
from quartermaster.projects.guard import ProjectFileAccess
from quartermaster_quality.config.python_calls import dotted
from quartermaster_quality.scanners.interface import PYTHON_SUFFIXES, SourceFile, UnreadableError

_INIT: Final = "__init__"
_NAMES: Final = frozenset({ast.Name, ast.Attribute})
_LOADERS: Final = frozenset({"__import__", "importlib.import_module", "import_module"})


@dataclass(frozen=True)
class ImportBinding:
    """A name that an import statement binds.

    Attributes:
        module: absolute name of the module; for ``from a import b``, it is ``a``.
        name: the name imported from the module; empty if the module itself is imported.
        alias: the local name.
        line: line of the statement.
    """

    module: str
    name: str
    alias: str
    line: int


@dataclass(frozen=True)
class NameUse:
    """A use of a name that was imported.

    Attributes:
        name: the dotted name as it is written, such as ``errors.QmError``.
        line: line of the use.
    """

    name: str
    line: int


@dataclass
class ModuleSymbols:
    """The imports, uses and definitions of one file.

    Attributes:
        imports: the imports of the file.
        uses: uses of imported names.
        defined: maps each name that the file defines at the top level to its line.
        has_dynamic_imports: whether the file computes the names of modules that it imports.
        is_readable: whether the file could be read and parsed.
    """

    imports: list[ImportBinding] = field(default_factory=list[ImportBinding])
    uses: list[NameUse] = field(default_factory=list[NameUse])
    defined: dict[str, int] = field(default_factory=dict[str, int])
    has_dynamic_imports: bool = False
    is_readable: bool = True


class ImportIndex:
    """The imports of a project. `update` reads the changed files.

    Args:
        guard: opens the files of the project.
    """

    def __init__(self, guard: ProjectFileAccess) -> None:
        self._guard = guard
        self._known: dict[str, tuple[int, int]] = {}
        self.files: dict[str, ModuleSymbols] = {}
        self.modules: dict[str, str] = {}
        self.graph = grimp.ImportGraph()

    def update(self, paths: Iterable[str]) -> None:
        """Reads new and changed files, and forgets files that no longer exist."""
        wanted = sorted(path for path in paths if path.endswith(tuple(PYTHON_SUFFIXES)))
        names = module_names(wanted)
        own = {path: name for name, path in names.items()}
        before = {path: name for name, path in self.modules.items()}
        for path in self.files.keys() - set(wanted):
            del self.files[path], self._known[path]
        for path in wanted:
            facts = self._guard.facts(path)
            # Relative imports depend on the module's name.
            is_known = self._known.get(path) == facts and before.get(path) == own.get(path)
            if facts is None or is_known:
                continue
            self._known[path] = facts
            self.files[path] = self._read(path, own.get(path, ""))
        self.modules = names
        self.graph = self._graph()

    def module_of(self, path: str) -> str | None:
        """Returns the name of a file's module; None if the file is not a module of the project."""
        return next((name for name, own in self.modules.items() if own == path), None)

    def resolved(self, found: ImportBinding) -> str | None:
        """Returns the project's module that an import loads; None if the import loads a module from
        outside the project.
        """
        candidates = [f"{found.module}.{found.name}"] if found.name else []
        module = found.module
        while module:
            candidates.append(module)
            module = module.rpartition(".")[0]
        return next((name for name in candidates if name in self.modules), None)

    def _read(self, path: str, module: str) -> ModuleSymbols:
        try:
            text = SourceFile(path, self._guard.read(path).data).text()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = ast.parse(text)
            is_package = path.rpartition("/")[2].startswith(_INIT)
            return _facts(tree, module if is_package else module.rpartition(".")[0])
        except (QmError, UnreadableError, SyntaxError, ValueError, RecursionError, MemoryError):
            return ModuleSymbols(is_readable=False)

    def _graph(self) -> grimp.ImportGraph:
        graph = grimp.ImportGraph()
        for module in self.modules:
            graph.add_module(module)
        for module, path in self.modules.items():
            for found in self.files.get(path, ModuleSymbols()).imports:
                target = self.resolved(found)
                if target and target != module:
                    graph.add_import(importer=module, imported=target)
        return graph


def module_names(paths: Iterable[str]) -> dict[str, str]:
    """Maps the name under which each Python file is imported to the path of the file.

    The name of a file in a package starts at the topmost folder with an ``__init__.py``. The name
    of any other file starts at the folder that contains a topmost package and the file. If there
    are several such folders, the nearest one is used. If there is none, the name starts at the
    root.
    """
    files = sorted(paths)
    packages = {path.rpartition("/")[0] for path in files if _stem(path) == _INIT}
    starts = {_start(folder, packages) for folder in packages} | {""}
    names: dict[str, str] = {}
    for path in files:
        folder, stem = path.rpartition("/")[0], _stem(path)
        if folder in packages:
            start = _start(folder, packages)
        else:
            inside = [s for s in starts if not s or f"{folder}/".startswith(f"{s}/")]
            start = max(inside, key=len)
        below = folder[len(start) :].strip("/")
        parts = [*filter(None, below.split("/")), *([] if stem == _INIT else [stem])]
        name = ".".join(parts)
        # A stub stands beside its module, which counts.
        if name and not (name in names and path.endswith(".pyi")):
            names[name] = path
    return names


def _stem(path: str) -> str:
    return path.rpartition("/")[2].rpartition(".")[0]


def _start(folder: str, packages: set[str]) -> str:
    """Returns the folder that contains the topmost package to which a folder belongs."""
    while folder in packages and folder:
        folder = folder.rpartition("/")[0]
    return folder


def _facts(tree: ast.Module, package: str) -> ModuleSymbols:
    facts = ModuleSymbols(defined=dict(_defined(tree)))
    names: list[ast.Attribute | ast.Name] = []
    for node in ast.walk(tree):
        kind = type(node)
        if kind in _NAMES:
            names.append(cast("ast.Attribute | ast.Name", node))
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            facts.imports += _imports(node, package)
        elif isinstance(node, ast.Call) and dotted(node.func) in _LOADERS:
            _add_dynamic(facts, node)
    imported = {found.alias.partition(".")[0] for found in facts.imports}
    if "*" in imported:
        imported |= {node.id for node in names if isinstance(node, ast.Name)}
    seen: set[tuple[str, int]] = set()
    for node in names:
        name = dotted(node)
        if name and name.partition(".")[0] in imported and (name, node.lineno) not in seen:
            seen.add((name, node.lineno))
            facts.uses.append(NameUse(name, node.lineno))
    return facts


def _defined(tree: ast.Module) -> Iterator[tuple[str, int]]:
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name, node.lineno
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                if isinstance(target, ast.Name):
                    yield target.id, node.lineno


def _add_dynamic(facts: ModuleSymbols, node: ast.Call) -> None:
    first = node.args[0] if node.args else None
    if isinstance(first, ast.Constant) and isinstance(first.value, str):
        facts.imports.append(ImportBinding(first.value, "", "", node.lineno))
    else:
        facts.has_dynamic_imports = True


def _imports(node: ast.Import | ast.ImportFrom, package: str) -> Iterator[ImportBinding]:
    if isinstance(node, ast.Import):
        for alias in node.names:
            local = alias.asname or alias.name
            yield ImportBinding(alias.name, "", local, node.lineno)
        return
    module = node.module or ""
    if node.level:
        base = package.split(".")
        retained = base[: len(base) - node.level + 1] if node.level > 1 else base
        module = ".".join([*filter(None, retained), *([module] if module else [])])
    for alias in node.names:
        name = "" if alias.name == "*" else alias.name
        yield ImportBinding(module, name, alias.asname or alias.name, node.lineno)
