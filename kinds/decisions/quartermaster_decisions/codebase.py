"""The facts of all files of a commit: their modules, definitions, ancestors of classes, and
areas.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import PurePosixPath
from typing import Final

from quartermaster_decisions.facts import Class, FileFacts, Function

_TEST_FOLDERS: Final = frozenset({"test", "tests", "testing", "functional_tests", "spec"})
_OTHERS_CODE: Final = frozenset(
    {"node_modules", "vendor", "vendored", "_vendor", "third_party", "thirdparty", "extern"}
    | {"migrations", "alembic", "site-packages", "dist", "build", "docs", "doc", "examples"}
)
_STEPS: Final = 6
# More than anybody writes: a file that was made to be hard to read takes little time.
_MOST_PARTS: Final = 200
_MOST_ANCESTORS: Final = 200
_MOST_PATHS: Final = 65_536
_LEAST_SAME_NAMES: Final = 4
WHOLE_TREE: Final = "**"


@lru_cache(maxsize=_MOST_PATHS)
def is_test(path: str) -> bool:
    """Returns whether a file belongs to the tests."""
    parts = path.split("/")
    name = parts[-1]
    return (
        any(part in _TEST_FOLDERS or part.endswith("_tests") for part in parts[:-1])
        or name.startswith("test_")
        or name.endswith(("_test.py", "_tests.py"))
        or name in {"conftest.py", "tests.py"}
    )


@lru_cache(maxsize=_MOST_PATHS)
def is_mined(path: str) -> bool:
    """Returns whether a file was written for this code base. Migrations, documentation, and
    third-party code do not count.
    """
    return not _OTHERS_CODE.intersection(path.split("/")[:-1])


def folders_of_others(paths: Iterable[str]) -> list[str]:
    """Returns globs for the folders of migrations, documentation and copied code that contain the
    given files. The miners do not read these folders.
    """
    names = {part for path in paths for part in path.split("/")[:-1] if part in _OTHERS_CODE}
    return [f"**/{name}/**" for name in sorted(names)]


def module_names(paths: Iterable[str]) -> dict[str, str]:
    """Returns the dotted name with which each file is imported.

    The name begins at the highest folder with an `__init__.py`. The name of a file outside packages
    begins at the root of the repository, without a leading `src`, `lib`, `python` or `service`.
    """
    all_paths = list(paths)
    packages = {
        str(PurePosixPath(path).parent) for path in all_paths if path.endswith("__init__.py")
    }
    names: dict[str, str] = {}
    for path in all_paths:
        folder = PurePosixPath(path).parent
        top = folder
        while top.parts and str(top) in packages and str(top.parent) in packages:
            top = top.parent
        start = len(top.parts) - 1 if str(top) in packages else 0
        parts = list(PurePosixPath(path).with_suffix("").parts[max(start, 0) :])
        if str(top) not in packages and parts[0] in {"src", "lib", "python", "service"}:
            parts = parts[1:]
        if parts and parts[-1] == "__init__" and len(parts) > 1:
            parts.pop()
        names[path] = ".".join(parts)
    return names


class CodeBase:
    """All files of one commit.

    Args:
        files: facts of the files.
        added: for each file, the number of the commit that added it. Files without a number count
            as older.
    """

    def __init__(self, files: Iterable[FileFacts], added: Mapping[str, int] | None = None) -> None:
        self.files = {facts.path: facts for facts in files}
        self.added = dict(added or {})
        self.modules = {facts.module: facts for facts in self.files.values()}
        self.tops = {module.partition(".")[0] for module in self.modules}
        self._canonical: dict[str, str] = {}
        self._variants: dict[str, set[str]] = defaultdict(set)
        self._ancestors: dict[str, tuple[str, ...]] = {}

    @cached_property
    def classes(self) -> dict[str, tuple[FileFacts, Class]]:
        """The classes at the top level of modules, by full name."""
        return {
            f"{facts.module}.{each.name}": (facts, each)
            for facts in self.files.values()
            for each in facts.classes
            if not each.nested
        }

    @cached_property
    def functions(self) -> dict[str, tuple[FileFacts, Function]]:
        """The functions at the top level of modules, by full name."""
        return {
            f"{facts.module}.{each.name}": (facts, each)
            for facts in self.files.values()
            for each in facts.functions
            if not each.nested and not each.owner
        }

    @cached_property
    def _imported(self) -> dict[str, dict[str, str]]:
        """Maps the local names in each module to the full names that they import. Other modules can
        import these names from the module as well.
        """
        return {
            facts.module: {
                each.alias or each.name: each.target
                for each in facts.imports
                if each.name and each.target.count(".") <= _MOST_PARTS
            }
            for facts in self.files.values()
        }

    @cached_property
    def _stars(self) -> dict[str, list[str]]:
        return {
            facts.module: [each.module for each in facts.imports if each.name == "*"]
            for facts in self.files.values()
        }

    def canonical(self, name: str) -> str:
        """Returns the full name under which an object is defined, even if other modules import and
        re-export the object.
        """
        if not name or name.count(".") > _MOST_PARTS:
            return name
        # A loop, because modules may lead to more modules than Python allows calls within calls.
        asked: list[tuple[str, str, str]] = []
        part = name
        while part and part not in self._canonical:
            self._canonical[part] = part  # for now: names may lead in a circle
            reached, outer = self._followed(part)
            asked.append((part, reached, outer))
            part = outer
        for part, reached, outer in reversed(asked):
            known = reached
            if outer and (moved := self._canonical[outer]) != outer:
                known = f"{moved}.{reached.rpartition('.')[2]}"
            self._canonical[part] = known
            self._variants[known].add(part)
        return self._canonical[name]

    def _followed(self, name: str) -> tuple[str, str]:
        """Follows the imports of a name to its definition.

        Returns:
            The name at the end of the imports, and the module that must be resolved next. The
            module is an empty string if nothing is left to resolve.
        """
        for _ in range(_STEPS):
            module, _, last = name.rpartition(".")
            if not module or name in self.classes or name in self.functions:
                return name, ""
            home = self.modules.get(module)
            if home is not None and last in home.assigned:
                return name, ""
            target = self._imported.get(module, {}).get(last)
            if target is None or target == name:
                for star in self._stars.get(module, ()):
                    if f"{star}.{last}" in self.classes or f"{star}.{last}" in self.functions:
                        return f"{star}.{last}", ""
                # A member of something that another module offers again.
                return name, "" if module in self.modules else module
            name = target
        return name, ""

    def variants(self, name: str) -> list[str]:
        """Returns all names that the code base uses for an object, the name of its definition
        first.
        """
        return [name, *sorted(self._variants[name] - {name})]

    def is_own(self, name: str) -> bool:
        """Returns whether the object with a name is defined in this code base."""
        return not name.startswith("~") and name.partition(".")[0] in self.tops

    def origin(self, name: str) -> str:
        """Returns where a name comes from: own (this code base), stdlib, other (a library), builtin
        or local.
        """
        top, dot, _ = name.partition(".")
        if name.startswith("~"):
            return "local"
        if top in self.tops:
            return "own"
        if top in sys.stdlib_module_names:
            return "stdlib"
        return "other" if dot else "builtin"

    def ancestors(self, facts: FileFacts, each: Class) -> tuple[str, ...]:
        """Returns the names of all known ancestors of a class, nearest first."""
        key = f"{facts.path}:{each.line}"
        if (known := self._ancestors.get(key)) is None:
            found: dict[str, None] = {}
            waiting = list(reversed(each.bases))
            while waiting and len(found) < _MOST_ANCESTORS:
                name = self.canonical(waiting.pop())
                if name not in found:
                    found[name] = None
                    if name in self.classes:
                        waiting += reversed(self.classes[name][1].bases)
            known = self._ancestors[key] = tuple(found)
        return known

    @cached_property
    def descendants(self) -> dict[str, set[str]]:
        """Maps the name of each class to all its subclasses, direct and indirect."""
        found: dict[str, set[str]] = defaultdict(set)
        for name, (facts, each) in self.classes.items():
            for base in self.ancestors(facts, each):
                found[base].add(name)
        return found

    def family(self, base: str, *, all_below: bool) -> list[str]:
        """Returns the names of a class and of its subclasses. If `all_below` is false, includes
        only those subclasses that have subclasses themselves.
        """
        below = sorted(self.descendants.get(base, ()))
        classes = [base, *(one for one in below if all_below or self.descendants.get(one))]
        return [name for one in classes for name in self.variants(one)]

    @cached_property
    def _frequent_names(self) -> set[str]:
        names = Counter(PurePosixPath(path).name for path in self.files if is_mined(path))
        return {name for name, count in names.items() if count >= _LEAST_SAME_NAMES} - {
            "__init__.py"
        }

    def areas(self, path: str) -> list[str]:
        """Returns the areas to which a file belongs, widest first: the whole project, the folders
        above it, the file itself, and files or folders of the same name.
        """
        parts: Sequence[str] = PurePosixPath(path).parts
        found = [WHOLE_TREE]
        found += ["/".join((*parts[:depth], "**")) for depth in range(1, len(parts))]
        if len(parts) > 1:
            found.append("/".join((*parts[:-1], "*.py")))
            found.append(path)
        if (name := path.rpartition("/")[2]) in self._frequent_names:
            found.append(f"**/{name}")
        # Applications side by side have folders of the same name.
        if len(parts) > 2 and parts[-2] in self._frequent_folders:
            found.append(f"**/{parts[-2]}/*.py")
        return found

    @cached_property
    def _frequent_folders(self) -> set[str]:
        folders = {PurePosixPath(path).parent for path in self.files if not is_test(path)}
        names = Counter(folder.name for folder in folders)
        return {name for name, count in names.items() if count >= _LEAST_SAME_NAMES}

    def mined(self, *, tests: bool) -> Iterator[FileFacts]:
        """Returns the files that the miners read: either tests or other files."""
        return (
            facts for path, facts in self.files.items() if is_mined(path) and is_test(path) == tests
        )

    @cached_property
    def recent(self) -> frozenset[str]:
        """The newest fifth of the files that were added within the known history."""
        newest = sorted((self.added[path], path) for path in self.files if path in self.added)
        return frozenset(path for _, path in newest[len(newest) * 4 // 5 :])
