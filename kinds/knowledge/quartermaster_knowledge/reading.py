"""Reads the objects of an installed distribution from its files. None of its code is imported."""

from __future__ import annotations

import ast
import logging
import os
import re
import sys
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

import griffe

from quartermaster_knowledge.docstrings import anchors, comment_at, parameter_notes, plain, summary
from quartermaster_knowledge.environment import CONTROL, STUBS, is_plain
from quartermaster_knowledge.signatures import parameters_of, signature_of, typed_docs
from quartermaster_knowledge.words import body_words, name_words

# A method that is inherited has one more path a subclass; more than these help nobody.
_MOST_PATHS: Final = 12
_PASSAGE: Final = 4000
_SHORT_TEXT_CHARACTERS: Final = 300
_LEAST_NAME: Final = 4
_RAISED_PATTERN: Final = re.compile(r"\braise\s+(?:\w+\.)*([A-Z]\w+)")
_PYTHON: Final = f"Python {sys.version_info.major}.{sys.version_info.minor}"
_SKIPPED_PATTERN: Final = re.compile(r"\.(tests|conftest|_?vendor(ed)?)(\.|$)")
_INSTEAD_PATTERN: Final = re.compile(
    r"(?:use|replaced by|in favou?r of|instead:?)\s+(?:the\s+)?"
    r"[`'\"]*([A-Za-z_][\w.]*\w)(?:\(\))?[`'\"]*",
    re.IGNORECASE,
)
_DEPRECATED_PATTERN: Final = re.compile(
    r"^\.\. deprecated::[ ]*(.*(?:\n[ \t]+\S.*)*)|\A\W*(deprecated\b[^\n]*)",
    re.IGNORECASE | re.MULTILINE,
)
_FIRST_NAME: Final = re.compile(r"(?<![\w.])[a-zA-Z_]\w*")

# It logs each annotation that it cannot resolve, and nobody who reads a package can mend that. A
# filter lasts: fastmcp sets the level of this logger when it is imported, and logging.config, which
# uvicorn calls, enables all loggers again.
logging.getLogger("griffe").addFilter(lambda _: False)


@dataclass
class Symbol:
    """An object of a distribution.

    Attributes:
        path: the path with which programs should use the object.
        defined: the path at which the object is defined.
        kind: module, class, function, method, property or attribute.
        signature: how the object is called, or its type, as one line.
        file: path of the file, below the package folder.
        line: first line of the definition. 0 for a module.
        summary: first sentence of the documentation.
        passage: the documentation, without markup.
        notes: the descriptions of parameters in the documentation.
        parameters: names of the parameters.
        body: words in the code, such as error messages.
        mentions: sentences in other documentation that name the object.
        paths: other paths of the same object.
        public: whether the path has no private part.
        exported: whether a module lists the object in ``__all__``, or a package without ``__all__``
            imports it.
        mentioned: how often other objects, code and documents name the object.
        deprecated: the deprecation note. Empty if the object is not deprecated.
        is_async: whether the result of a call must be awaited.
    """

    path: str
    defined: str
    kind: str
    signature: str
    file: str
    line: int
    summary: str = ""
    passage: str = ""
    notes: str = ""
    parameters: tuple[str, ...] = ()
    body: str = ""
    mentions: list[str] = field(default_factory=list[str])
    paths: tuple[str, ...] = ()
    public: bool = False
    exported: bool = False
    mentioned: int = 0
    deprecated: str = ""
    is_async: bool = False


class _Finder(griffe.ModuleFinder):
    """Finds all modules except tests in one folder. Follows neither links nor `.pth` files.

    Args:
        folder: the folder.
        own: see `PackageReader`.
    """

    def __init__(self, folder: Path, own: Collection[str] | None) -> None:
        super().__init__([folder])
        self._own = own

    def is_own(self, path: Path | Sequence[Path] | None) -> bool:
        """Returns whether a file belongs to the distribution. A package without a file does not
        count, because distributions may share it.
        """
        if self._own is None:
            return True
        [folder] = self.search_paths
        return isinstance(path, Path) and path.relative_to(folder).as_posix() in self._own

    def _extend_from_pth_files(self) -> None:
        """Does nothing, so that `.pth` files add no folders."""

    def _filter_py_modules(self, path: Path) -> Iterator[Path]:
        for place, folders, names in os.walk(path):
            folders[:] = [
                name for name in folders if name != "__pycache__" and not CONTROL.search(name)
            ]
            for name in names:
                found = Path(place, name)
                if (
                    found.suffix in self.extensions_set
                    and not CONTROL.search(name)
                    and self.is_own(found)
                    and is_plain(found, path)
                ):
                    yield found

    def find_package(self, module_name: str) -> griffe.Package | griffe.NamespacePackage:
        has_stubs = self._own is not None and f"{module_name}{STUBS}/__init__.pyi" in self._own
        found = super().find_package(f"{module_name}{STUBS}" if has_stubs else module_name)
        paths = [found.path, found.stubs] if isinstance(found, griffe.Package) else found.path
        [folder] = self.search_paths
        if not all(path is None or is_plain(path, folder) for path in paths):
            raise ModuleNotFoundError(f"{module_name} is a link, or not a regular file")
        return found

    def submodules(self, module: griffe.Module) -> list[tuple[tuple[str, ...], Path]]:
        return [
            (parts, path)
            for parts, path in super().submodules(module)
            if not _SKIPPED_PATTERN.search("." + ".".join(parts))
        ]


class _Replaced(griffe.Extension):
    """Keeps the documentation of a function that a later definition replaces. Example: a name is
    defined under ``if TYPE_CHECKING`` and again under ``else``, but only one of the two definitions
    has documentation.
    """

    def __init__(self) -> None:
        self.of: dict[str, str] = {}

    def on_function_instance(self, *, func: griffe.Function, **_: object) -> None:
        """Keeps the docstring of a function. griffe calls this method for each definition."""
        if func.docstring:
            self.of[func.path] = func.docstring.value


class _Overloaded(griffe.Extension):
    """Adds a function for overloads without an implementation. Stubs contain such overloads."""

    def on_members(self, *, obj: griffe.Object, **_: object) -> None:
        """Adds the functions whose overloads have no implementation. griffe calls this method after
        it has read a module or a class.
        """
        if isinstance(obj, griffe.Module | griffe.Class):
            for name, overloads in obj.overloads.items():
                if overloads and name not in obj.members:
                    obj.set_member(name, overloads[0])
                    overloads[0].overloads = overloads


def _files_of(module: griffe.Module) -> Iterator[Path]:
    """Yields the files of a module and of all its submodules that were read."""
    if isinstance(module.filepath, Path):
        yield module.filepath
    for member in module.members.values():
        if not member.is_alias and isinstance(member, griffe.Module):
            yield from _files_of(member)


def _unparsed(path: Path) -> int | None:
    """Returns the line at which parsing a file fails. Returns None if the file can be parsed."""
    try:
        ast.parse(path.read_bytes())
    except SyntaxError as error:
        return error.lineno or 1
    except (ValueError, RecursionError):
        return 1
    return None


class PackageReader:
    """Reads one distribution.

    Args:
        folder: the package folder.
        tops: names of the top-level packages and modules.
        own: paths of the Python files that belong to the distribution, below the folder. None
            stands for all files of these packages and modules.
    """

    def __init__(
        self, folder: Path, tops: Sequence[str], own: Collection[str] | None = None
    ) -> None:
        self._folder = folder
        self._tops = tops
        self._symbols: dict[str, Symbol] = {}
        self._objects: dict[str, griffe.Object] = {}
        self._aliases: dict[str, set[str]] = defaultdict(set)
        self._assignments: dict[str, str] = {}
        self._exports: set[str] = set()
        self._of_instances: set[str] = set()
        self._raised: dict[str, list[str]] = defaultdict(list)
        self.unread: list[str] = []
        self._replaced = _Replaced()
        self._loader = griffe.GriffeLoader(
            extensions=griffe.Extensions(self._replaced, _Overloaded()),
            # griffe's own finder is not used: it would read all `.pth` files, whatever they are.
            search_paths=[folder / "nothing"],
            allow_inspection=False,
        )
        self._finder = _Finder(folder, own)
        self._loader.finder = self._finder

    def read(self) -> list[Symbol]:
        """Returns all objects of the distribution. Each object occurs once."""
        modules = [module for top in self._tops if (module := self._load(top)) is not None]
        self._loader.resolve_aliases(implicit=False, external=False)
        for module in modules:
            self._walk(module, module.path)
        for path, target in self._assignments.items():
            self._point(self._assignments.get(target, target), path)
        for module in modules:
            self._collect_aliases(module, module.path, 0)
        self._inherit()
        self._name_instances()
        self._name()
        self._mention()
        return list(self._symbols.values())

    def _load(self, top: str) -> griffe.Module | None:
        if (stubbed := top.removesuffix(STUBS)) != top:
            self.unread.append(f"stubs of {stubbed} in an editable install, which are not read")
            return None
        try:
            loaded = self._loader.load(top, submodules=True, try_relative_path=False)
        except MemoryError:
            raise
        except ModuleNotFoundError:
            self.unread.append(f"{top}: it has no regular file of this name")
            return None
        except griffe.LoadingError as error:  # its texts are sentences
            self.unread.append(f"{top}: {error}"[:300])
            return None
        except Exception:  # noqa: BLE001 - griffe raises whatever a broken file makes it raise
            self.unread.append(f"{top}: its files cannot be understood"[:300])
            return None
        if not isinstance(loaded, griffe.Module):
            return None
        self._say_what_is_wrong(loaded)
        return loaded

    def _say_what_is_wrong(self, top: griffe.Module) -> None:
        """Records which modules cannot be parsed. griffe skips them silently."""
        read = set(_files_of(top))
        for parts, path in self._finder.submodules(top):
            if path not in read and (line := _unparsed(path)):
                name = ".".join((top.path, *parts))
                self.unread.append(f"{name}: line {line} is not valid syntax in {_PYTHON}"[:300])

    def _walk(self, owner: griffe.Module | griffe.Class, path: str) -> None:
        if _SKIPPED_PATTERN.search(path):
            return
        is_shared = isinstance(owner, griffe.Module) and not self._finder.is_own(owner.filepath)
        if not is_shared:
            self._add(owner, path)
        if isinstance(owner, griffe.Module) and owner.exports:
            self._exports.update(f"{path}.{name}" for name in owner.exports)
        for name, member in list(owner.members.items()):
            if member.is_alias or (is_shared and not isinstance(member, griffe.Module)):
                continue
            below = f"{path}.{name}"
            if isinstance(member, griffe.Module | griffe.Class):
                self._walk(member, below)
            elif isinstance(member, griffe.Attribute) and (target := self._assigned(member, below)):
                self._assignments[below] = target
            elif isinstance(member, griffe.Function | griffe.Attribute):
                self._add(member, below)

    def _assigned(self, member: griffe.Attribute, path: str) -> str | None:
        """Returns the path of the object that an attribute only gives another name. Returns None if
        the attribute does not name an object of the same distribution.
        """
        target = self._behind(member.value)
        known = isinstance(target, griffe.Module | griffe.Class | griffe.Function)
        return target.path if known and target.path != path else None

    def _behind(self, expression: object) -> griffe.Object | None:
        """Returns the object for a name in code. Returns None for other expressions, and for
        objects of other distributions.
        """
        if not isinstance(expression, griffe.ExprName | griffe.ExprAttribute):
            return None
        try:
            found = self._loader.modules_collection.get_member(expression.canonical_path)
            return found.final_target if isinstance(found, griffe.Alias) else found
        except Exception:  # noqa: BLE001 - unresolved, circular or of another distribution
            return None

    def _add(self, item: griffe.Object, path: str) -> None:
        try:
            symbol = self._symbol(item, path)
        except MemoryError:
            raise
        except Exception:  # noqa: BLE001 - griffe raises whatever a file makes it raise
            self.unread.append(f"{path}: its definition cannot be understood"[:300])
            return
        self._symbols[path] = symbol
        self._objects[path] = item

    def _symbol(self, item: griffe.Object, path: str) -> Symbol:
        text = _documentation(item) or plain(self._replaced.of.get(path, "")) or _comment_of(item)
        is_function = isinstance(item, griffe.Function)
        says_little = isinstance(item, griffe.Class) and len(text) < _SHORT_TEXT_CHARACTERS
        source = item.lines if is_function or says_little else ()
        if is_function:
            for name in _RAISED_PATTERN.findall("\n".join(source)):
                self._raised[name].append(path)
        notes = parameter_notes(text)
        if isinstance(item, griffe.Function):
            notes = f"{notes} {typed_docs(item)}".strip()
        return Symbol(
            path=path,
            defined=path,
            kind=_kind(item),
            signature=signature_of(item),
            file=self._file(item),
            line=item.lineno or 0,
            summary=summary(text),
            passage=text[:_PASSAGE],
            notes=notes,
            parameters=parameters_of(item),
            body=body_words(source),
            deprecated=_deprecation(item, text),
            is_async="async" in item.labels,
        )

    def _file(self, item: griffe.Object) -> str:
        where = item.filepath
        where = where[0] if isinstance(where, list) else where
        return where.relative_to(self._folder).as_posix()

    def _collect_aliases(self, owner: griffe.Module | griffe.Class, path: str, depth: int) -> None:
        """Records the re-exports of a module: objects of other modules that it offers."""
        for name, member in owner.members.items():
            below = f"{path}.{name}"
            if isinstance(member, griffe.Alias):
                target = self._target(member)
                if target is not None and self._offers(owner, name, member, target):
                    self._point(target, below)
                    if owner.exports is None and owner.is_init_module and not name.startswith("_"):
                        self._exports.add(below)
            elif isinstance(member, griffe.Module | griffe.Class) and depth < 12:
                self._collect_aliases(member, below, depth + 1)

    def _offers(
        self, owner: griffe.Module | griffe.Class, name: str, member: griffe.Alias, target: str
    ) -> bool:
        """Returns whether a module imports a name in order to offer it to others, and not only to
        use it itself.
        """
        if isinstance(owner, griffe.Class):
            return True
        if owner.exports is not None:
            return name in owner.exports or (owner.is_init_module and bool(member.runtime))
        if owner.is_init_module:
            return True
        return bool(member.runtime) and _is_private(target) and not _is_private(owner.path)

    def _target(self, member: griffe.Alias) -> str | None:
        try:
            path = member.final_target.path
        except Exception:  # noqa: BLE001 - unresolved, circular or of another distribution
            return None
        path = self._assignments.get(path, path)
        return path if path in self._symbols else None

    def _point(self, target: str, path: str) -> None:
        """Records an additional path of an object and of its members."""
        if target == path or target not in self._symbols:
            return
        self._aliases[target].add(path)
        item = self._objects[target]
        if isinstance(item, griffe.Class):
            for name in item.members:
                if f"{target}.{name}" in self._symbols:
                    self._aliases[f"{target}.{name}"].add(f"{path}.{name}")

    def _inherit(self) -> None:
        """Adds the paths of inherited members: a member of a base class also has a path in each
        subclass.

        A class can be inside its own base class. So only paths that are known at the start are
        used. If new paths were used as well, the number of paths would double with each such class.
        """
        known = {path: sorted(others) for path, others in self._aliases.items()}
        for path, item in list(self._objects.items()):
            if not isinstance(item, griffe.Class) or not item.bases:
                continue
            seats = [path, *known.get(path, ())]
            taken = set(item.members)
            for base in self._ancestors(item):
                for name in base.members:
                    if name in taken or (name.startswith("_")):
                        continue
                    taken.add(name)
                    origin = f"{base.path}.{name}"
                    if origin in self._symbols:
                        self._aliases[origin].update(f"{seat}.{name}" for seat in seats)

    def _ancestors(self, item: griffe.Class) -> list[griffe.Class]:
        try:
            return [base for base in item.mro() if base.path in self._symbols]
        except Exception:  # noqa: BLE001 - an inconsistent hierarchy, or bases that cannot be resolved
            return []

    def _name_instances(self) -> None:
        """Adds the paths of members of module-level objects. For example, after ``logger =
        Logger()``, the members of the class also have paths that begin with ``logger``.
        """
        for path, item in self._objects.items():
            if not isinstance(item, griffe.Attribute) or not isinstance(item.parent, griffe.Module):
                continue
            made = item.value.function if isinstance(item.value, griffe.ExprCall) else None
            kind = item.annotation if item.annotation is not None else made
            known = self._behind(kind)
            if not isinstance(known, griffe.Class):
                continue
            seats = [path, *sorted(self._aliases.get(path, ()))]
            for owner in [known, *self._ancestors(known)]:
                for name in owner.members:
                    origin = f"{owner.path}.{name}"
                    if not name.startswith("_") and origin in self._symbols:
                        below = {f"{seat}.{name}" for seat in seats}
                        self._aliases[origin] |= below
                        self._of_instances |= below

    def _name(self) -> None:
        for defined, symbol in self._symbols.items():
            every = sorted(
                {defined, *self._aliases.get(defined, ())}, key=partial(self._rank, defined)
            )
            symbol.path = every[0]
            symbol.paths = tuple(every[1 : 1 + _MOST_PATHS])
            symbol.public = not _is_private(every[0])
            symbol.exported = any(path in self._exports for path in every)
            if not symbol.passage and symbol.kind in ("method", "property", "attribute"):
                self._borrow(symbol)
        self._borrow_from_twins()
        self._tell_who_raises()

    def _borrow(self, symbol: Symbol) -> None:
        """Gives a method without documentation the documentation of the method that it
        overrides.
        """
        owner, _, name = symbol.defined.rpartition(".")
        item = self._objects.get(owner)
        if not isinstance(item, griffe.Class):
            return
        for base in self._ancestors(item):
            other = self._symbols.get(f"{base.path}.{name}")
            if other is not None and other.passage:
                _take(symbol, other)
                return

    def _borrow_from_twins(self) -> None:
        """Gives an object without documentation the documentation of the only other object with the
        same name.

        For example, an asynchronous class gets the documentation of its synchronous counterpart,
        and a function gets that of the method that it calls.
        """
        documented: dict[str, list[Symbol]] = defaultdict(list)
        for symbol in self._symbols.values():
            if symbol.passage and symbol.kind != "module":
                documented[symbol.path.rpartition(".")[2].removeprefix("Async")].append(symbol)
        for symbol in self._symbols.values():
            if symbol.passage or symbol.kind not in ("class", "function", "method"):
                continue
            owner, _, name = symbol.path.rpartition(".")
            if len(name) < _LEAST_NAME or name.startswith("_"):
                continue
            owner = owner.replace("Async", "")
            twins = documented.get(name.removeprefix("Async"), [])
            beside = [each for each in twins if each.path.rpartition(".")[0] == owner] or twins
            if len(beside) == 1:
                _take(symbol, beside[0])

    def _tell_who_raises(self) -> None:
        """Describes an error class without documentation by the functions that raise it."""
        for symbol in self._symbols.values():
            name = symbol.path.rpartition(".")[2]
            if symbol.kind != "class" or symbol.passage or name not in self._raised:
                continue
            owners = (".".join(path.split(".")[-2:]) for path in self._raised[name])
            known = ", ".join(name_words(owner) for owner in list(dict.fromkeys(owners))[:4])
            symbol.mentions.insert(0, f"raised by {known}")

    def _rank(self, defined: str, path: str) -> tuple[bool, bool, bool, bool, int, int, str]:
        owner = path.rpartition(".")[0]
        unlisted = path not in self._exports and owner not in self._exports
        of_instance = path in self._of_instances
        # Where it is inherited, or called otherwise, is less well known than where it is defined.
        own = -2 if isinstance(self._objects[defined].parent, griffe.Class) else -1
        renamed = path.split(".")[own:] != defined.split(".")[own:]
        return _is_private(path), of_instance, unlisted, renamed, path.count("."), len(path), path

    def _mention(self) -> None:
        """Collects the sentences in other documentation and in code that name each object."""
        by_name = self._by_name()
        for symbol in self._symbols.values():
            for name, sentence in anchors(symbol.passage):
                self._credit(by_name, name, sentence, symbol)
        for item in self._objects.values():
            if isinstance(item, griffe.Module):
                for line in item.lines:
                    self._credit_successor(by_name, line)

    def _credit_successor(self, by_name: dict[str, list[Symbol]], line: str) -> None:
        """Counts a mention of an object that a message recommends as a replacement."""
        if "nstead" not in line and "eplaced by" not in line and "favor" not in line:
            return
        for found in _INSTEAD_PATTERN.finditer(line):
            name = found[1]
            if len(name) > 2 and len(by_name.get(name.rpartition(".")[2], ())) <= 3:
                self._credit(by_name, name, " ".join(line.split())[:300], None)

    def _by_name(self) -> dict[str, list[Symbol]]:
        by_name: dict[str, list[Symbol]] = defaultdict(list)
        for symbol in self._symbols.values():
            if symbol.public:
                by_name[symbol.path.rpartition(".")[2]].append(symbol)
        return by_name

    def _credit(
        self, by_name: dict[str, list[Symbol]], name: str, sentence: str, teller: Symbol | None
    ) -> None:
        parts = name.split(".")
        found = by_name.get(parts[-1], ())
        if len(parts) > 1:
            found = [s for s in found if s.path.split(".")[-2:-1] == parts[-2:-1]]
        elif len(found) > 3 and teller is not None:
            near = teller.path.rpartition(".")[0]
            found = [s for s in found if s.path.rpartition(".")[0] == near]
        for symbol in found[:3]:
            if symbol is not teller:
                symbol.mentioned += 1
                if len(symbol.mentions) < 6:
                    symbol.mentions.append(sentence)

    def read_document(self, text: str) -> None:
        """Counts the mentions of objects in a document of the distribution."""
        by_name = self._by_name()
        for name, sentence in anchors(text):
            self._credit(by_name, name, sentence, None)


def _documentation(item: griffe.Object) -> str:
    """Returns the documentation of an object. If the documentation of a class is short, adds the
    documentation of its ``__init__``.
    """
    text = plain(item.docstring.value) if item.docstring else ""
    made_by = item.members.get("__init__") if isinstance(item, griffe.Class) else None
    if (
        isinstance(made_by, griffe.Function)
        and made_by.docstring
        and len(text) < _SHORT_TEXT_CHARACTERS
    ):
        text = f"{text}\n\n{plain(made_by.docstring.value)}".strip()
    return text


def _comment_of(item: griffe.Object) -> str:
    """Returns the text of the comments at a definition, which griffe does not read."""
    if not item.lineno or isinstance(item, griffe.Module):
        return ""
    return plain(comment_at(item.module.lines, item.lineno))


def _deprecation(item: griffe.Object, text: str) -> str:
    """Returns the deprecation note of an object: from a decorator, from a directive, or from the
    first words of the documentation.
    """
    decorators = item.decorators if isinstance(item, griffe.Class | griffe.Function) else ()
    for decorator in decorators:
        if decorator.callable_path.rpartition(".")[2] == "deprecated":
            return _first_text(decorator.value) or "yes"
    # Further down, the documentation of a module tells about its members.
    find = (
        _DEPRECATED_PATTERN.match if isinstance(item, griffe.Module) else _DEPRECATED_PATTERN.search
    )
    found = find(text)
    # Or about a parameter, whose name comes first.
    if found and (_FIRST_NAME.findall(found[1] or "")[:1] or [""])[0] in parameters_of(item):
        return ""
    return (
        " ".join(next(filter(None, found.groups()), "yes").split())[:_SHORT_TEXT_CHARACTERS]
        if found
        else ""
    )


def _first_text(value: str | griffe.Expr) -> str:
    """Returns the first argument of a decorator, if it is a text."""
    first = value.arguments[0] if isinstance(value, griffe.ExprCall) and value.arguments else ""
    try:
        said = ast.literal_eval(str(first))
    except (SyntaxError, ValueError):
        return ""
    return " ".join(said.split())[:_SHORT_TEXT_CHARACTERS] if isinstance(said, str) else ""


def _take(symbol: Symbol, other: Symbol) -> None:
    """Copies the documentation of another symbol to a symbol."""
    symbol.summary, symbol.passage, symbol.notes = other.summary, other.passage, other.notes


def _kind(item: griffe.Object) -> str:
    if "property" in item.labels and not isinstance(item, griffe.Class):
        return "property"
    if isinstance(item, griffe.Function) and isinstance(item.parent, griffe.Class):
        return "method"
    return item.kind.value


def _is_private(path: str) -> bool:
    return any(part.startswith("_") and not part.endswith("__") for part in path.split("."))
