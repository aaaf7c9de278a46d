"""How many names that do not exist are found, and how many that exist are taken for mistakes.

``python -m lab.comparisons.call_sites [--data-dir DIR] [--cases N] [--seed N]``. A
running Quartermaster must have indexed the packages of this environment (``qm docs index``). Each
case is a function that uses a real object of a package, with one name, attribute or keyword edited.
The same function with the real name is its twin: what is reported there is a false alarm. So is
what is reported in the sources of the packages themselves.
"""

from __future__ import annotations

import argparse
import ast
import random
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from keyword import iskeyword
from pathlib import Path
from typing import Any

import anyio
from rich.console import Console

from quartermaster.cli.session import open_session
from quartermaster_knowledge import api
from quartermaster_knowledge.call_sites import check
from quartermaster_knowledge.environment import InstalledDistribution, installed, packages_folder
from quartermaster_knowledge.reading import PackageReader, Symbol

CONSOLE = Console(markup=False, highlight=False, soft_wrap=True)
PACKAGES = (
    *("httpx2", "pydantic", "starlette", "typer", "rich", "jinja2", "sqlalchemy", "pytest"),
    *("psycopg", "asyncpg", "structlog", "tenacity", "uvicorn", "pyyaml", "cryptography"),
)
TYPED_PACKAGES = ("starlette", "tenacity", "uvicorn", "httpx2")
UNTYPED_PACKAGES = ("yaml", "asyncpg")
OTHER_WORDS = {
    "get": "fetch",
    "fetch": "get",
    "load": "read",
    "dump": "write",
    "add": "append",
    "remove": "delete",
    "create": "make",
    "make": "create",
    "set": "put",
    "is": "has",
    "iter": "each",
    "close": "shutdown",
    "send": "emit",
    "run": "execute",
    "execute": "run",
    "name": "title",
    "url": "uri",
    "path": "file",
    "max": "maximum",
    "min": "minimum",
    "timeout": "time_limit",
}


@dataclass(frozen=True)
class UnknownNameCase:
    """A function with a name that does not exist.

    Attributes:
        library: package of the object.
        kind: attribute or keyword.
        how: how a type checker learns the type; direct if it is named.
        lines: the function; `{name}` is the name.
        right: the real name.
        wrong: the edited name.
        is_async: whether the function is a coroutine.
    """

    library: str
    kind: str
    how: str
    lines: tuple[str, ...]
    right: str
    wrong: str
    is_async: bool


class PackageCases:
    """What the cases of one package are made of."""

    def __init__(self, name: str, symbols: Sequence[Symbol], chance: random.Random) -> None:
        self.name = name
        self._chance = chance
        public = [s for s in symbols if s.public and not s.deprecated]
        self.functions = [
            s
            for s in public
            if s.kind == "function" and not _is_hidden(s) and s.path.count(".") <= 2
        ]
        by_name: dict[str, list[Symbol]] = defaultdict(list)
        for symbol in public:
            if symbol.kind == "class" and not _is_hidden(symbol):
                by_name[symbol.path.rpartition(".")[2]].append(symbol)
        self.classes = {name: found[0] for name, found in by_name.items() if len(found) == 1}
        self.members: dict[str, list[Symbol]] = defaultdict(list)
        self.taken: dict[str, set[str]] = defaultdict(set)
        for symbol in symbols:
            for path in (symbol.path, *symbol.paths):
                owner, _, last = path.rpartition(".")
                self.taken[owner].add(last)
                if symbol.kind in ("method", "property") and not last.startswith("_"):
                    self.members[owner].append(symbol)

    def case(self, how: str, is_async: bool) -> UnknownNameCase | None:
        """Returns a case of this form, or None if the lot fell on something unusable."""
        return getattr(self, f"_{how}")(is_async)

    def _direct(self, is_async: bool) -> UnknownNameCase | None:
        if self._chance.random() < 0.5 and self.functions:
            function = self._chance.choice(self.functions)
            module, _, name = function.path.rpartition(".")
            if self._chance.random() < 0.5 and function.parameters:
                return self._keyword(function, module, is_async)
            wrong = self._edited(name, self.taken[module])
            return self._made(
                "attribute", "direct", module, "", f"{module}.{{name}}", name, wrong, is_async
            )
        owner = self._class()
        return owner and self._on(owner, "direct", "", "x", is_async)

    def _keyword(self, function: Symbol, module: str, is_async: bool) -> UnknownNameCase | None:
        named = _keywords(function)
        if not named or "**" in function.signature:
            return None
        right = self._chance.choice(named)
        wrong = self._edited(right, set(function.parameters))
        call = f"{function.path}({{name}}=None)"
        return self._made("keyword", "direct", module, "", call, right, wrong, is_async)

    def _returned(self, is_async: bool) -> UnknownNameCase | None:
        owner, member, result = self._step(r"-> (?:\"|')?(\w+)(?:\"|')?$", is_async)
        if owner is None or member is None or result is None or member.kind != "method":
            return None
        wait = "await " if member.is_async else ""
        name = member.path.rpartition(".")[2]
        return self._on(result, "returned", f"y = {wait}x.{name}()", "y", member.is_async, owner)

    def _property(self, is_async: bool) -> UnknownNameCase | None:
        owner, member, result = self._step(r": (\w+)$", is_async=False)
        if owner is None or member is None or result is None or member.kind != "property":
            return None
        name = member.path.rpartition(".")[2]
        return self._on(result, "property", f"y = x.{name}", "y", is_async, owner)

    def _loop(self, is_async: bool) -> UnknownNameCase | None:
        pattern = r"-> (?:Async)?(?:Iterator|Iterable|list|List|Sequence|Generator)\[(\w+)[\],]"
        owner, member, result = self._step(pattern, is_async=False)
        if owner is None or member is None or result is None or member.kind != "method":
            return None
        name = member.path.rpartition(".")[2]
        word = "async for" if "-> Async" in member.signature else "for"
        return self._on(
            result, "loop", f"{word} y in x.{name}():", "y", word != "for" or is_async, owner
        )

    def _entered(self, is_async: bool) -> UnknownNameCase | None:
        enter = "__aenter__" if is_async else "__enter__"
        owner = self._class()
        if owner is None or enter not in self.taken[owner.path]:
            return None
        word = "async with" if is_async else "with"
        return self._on(owner, "entered", f"{word} x as y:", "y", is_async, owner)

    def _class(self) -> Symbol | None:
        found = [c for c in self.classes.values() if self.members.get(c.path)]
        return self._chance.choice(found) if found else None

    def _step(
        self, pattern: str, is_async: bool
    ) -> tuple[Symbol | None, Symbol | None, Symbol | None]:
        owner = self._class()
        if owner is None:
            return None, None, None
        found = [
            (member, self.classes[match[1]])
            for member in self.members[owner.path]
            if (match := re.search(pattern, member.signature))
            and match[1] in self.classes
            and (member.is_async or not is_async)
            and self.members.get(self.classes[match[1]].path)
        ]
        return (owner, *self._chance.choice(found)) if found else (None, None, None)

    def _on(
        self,
        target: Symbol,
        how: str,
        step: str,
        value: str,
        is_async: bool,
        owner: Symbol | None = None,
    ) -> UnknownNameCase | None:
        """Returns a case about a member of `target`."""
        member = self._chance.choice(self.members[target.path])
        right = member.path.rpartition(".")[2]
        named = _keywords(member)
        start = (owner or target).path
        module = start.rpartition(".")[0]
        if (
            member.kind == "method"
            and named
            and "**" not in member.signature
            and self._chance.random() < 0.25
        ):
            keyword = self._chance.choice(named)
            wrong = self._edited(keyword, set(member.parameters))
            use = f"{value}.{right}({{name}}=None)"
            return self._made("keyword", how, module, step, use, keyword, wrong, is_async, start)
        wrong = self._edited(right, self.taken[target.path])
        return self._made(
            "attribute", how, module, step, f"{value}.{{name}}", right, wrong, is_async, start
        )

    def _made(
        self,
        kind: str,
        how: str,
        module: str,
        step: str,
        use: str,
        right: str,
        wrong: str | None,
        is_async: bool,
        owner: str = "",
    ) -> UnknownNameCase | None:
        if wrong is None:
            return None
        argument = f"x: {owner}" if owner else ""
        indent = "        " if step.endswith(":") else "    "
        lines = (
            f"import {module}",
            f"{'async ' * is_async}def case({argument}):",
            *([f"    {step}"] if step else []),
            f"{indent}{use}",
        )
        return UnknownNameCase(self.name, kind, how, lines, right, wrong, is_async)

    def _edited(self, name: str, taken: set[str]) -> str | None:
        """Returns a plausible name that does not exist: another word, a slip of the pen, a lost
        part.
        """
        chance = self._chance
        parts = name.split("_")
        edits = [
            "_".join(OTHER_WORDS.get(part, part) for part in parts),
            name + chance.choice(("s", "_all", "_async", "_value", "ed")),
            "_".join(parts[:-1]) if len(parts) > 1 else name + "_",
            name.replace("_", "", 1) if "_" in name else name[:-1],
            _swapped(name, chance),
            name[: len(name) // 2] + name[len(name) // 2 + 1 :],
        ]
        chance.shuffle(edits)
        usable = (
            e for e in edits if e.isidentifier() and not iskeyword(e) and len(e) > 2 and e != name
        )
        return next((e for e in usable if e not in taken), None)


def _swapped(name: str, chance: random.Random) -> str:
    place = chance.randrange(max(len(name) - 1, 1))
    return name[:place] + name[place : place + 2][::-1] + name[place + 2 :]


def _keywords(symbol: Symbol) -> list[str]:
    """Returns the parameters that a call can name: neither `*values` nor what stands before a
    slash.
    """
    before = symbol.signature.partition("/")[0] if ", /" in symbol.signature else ""
    return [
        name
        for name in symbol.parameters
        if not name.startswith("__")
        and not re.search(rf"\*{name}\b", symbol.signature)
        and not re.search(rf"\b{name}\b", before)
    ]


def _is_hidden(symbol: Symbol) -> bool:
    return symbol.path.rpartition(".")[2].startswith("_")


def cases(
    libraries: Sequence[PackageCases], count: int, chance: random.Random
) -> list[UnknownNameCase]:
    """Cases: half on inferred types, a fifth async."""
    hows = ("returned", "property", "loop", "entered")
    made: list[UnknownNameCase] = []
    tries = 0
    while len(made) < count and tries < 400 * count:
        tries += 1
        library = libraries[tries % len(libraries)]
        inferred = sum(case.how != "direct" for case in made) < len(made) / 2
        is_async = sum(case.is_async for case in made) < len(made) / 5
        how = chance.choice(hows) if inferred else "direct"
        case = library.case(how, is_async)
        if case is not None and case not in made:
            made.append(case)
    return made


def _file(
    cases: Sequence[UnknownNameCase], *, real: bool
) -> tuple[bytes, dict[int, UnknownNameCase]]:
    """Returns one file with all cases of a library, and the case of each line."""
    lines = sorted({case.lines[0] for case in cases})
    places: dict[int, UnknownNameCase] = {}
    for number, case in enumerate(cases):
        lines.append(case.lines[1].replace("def case", f"def case_{number}"))
        lines.extend(case.lines[2:-1])
        lines.append(case.lines[-1].replace("{name}", case.right if real else case.wrong))
        places[len(lines)] = case
    return "\n".join(lines).encode(), places


def main() -> None:
    """Prints what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data-dir", type=Path)
    parser.add_argument("--cases", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    chance = random.Random(arguments.seed)
    folder = packages_folder(Path(sys.prefix))
    distributions = {each.name.lower(): each for each in installed(folder)}
    libraries = [
        PackageCases(name, _symbols(folder, distributions[name]), chance) for name in PACKAGES
    ]
    made = cases(libraries, arguments.cases, chance)
    CONSOLE.print(
        f"{len(made)} cases over {len({case.library for case in made})} packages: "
        f"{sum(case.how != 'direct' for case in made)} on inferred types, "
        f"{sum(case.is_async for case in made)} async"
    )
    with open_session(arguments.data_dir, None) as session:

        def members(modules: Sequence[str], owner: str) -> list[api.ListMembersRow]:
            return session.call(
                api.list_members(modules=list(modules), owner=owner, folder=str(folder))
            )

        _measure(made, folder, members)
        for title, names in (("typed", TYPED_PACKAGES), ("untyped", UNTYPED_PACKAGES)):
            _sources(title, names, folder, members)


def _symbols(folder: Path, distribution: InstalledDistribution) -> list[Symbol]:
    return PackageReader(folder, distribution.modules, distribution.own).read()


def _measure(made: Sequence[UnknownNameCase], folder: Path, members: Any) -> None:
    by_library: dict[str, list[UnknownNameCase]] = defaultdict(list)
    for case in made:
        by_library[case.library].append(case)
    hits: Counter[str] = Counter()
    totals: Counter[str] = Counter()
    first = 0
    missed: list[UnknownNameCase] = []
    false_cases: list[UnknownNameCase] = []
    for name, group in by_library.items():
        wrong, places = _file(group, real=False)
        real, real_places = _file(group, real=True)
        report = anyio.run(check, {f"cases_{name}.py": wrong}, folder.parents[2], members).mistakes
        found = {(each.line, each.name): each for each in report}
        false = {
            each.line
            for each in anyio.run(
                check, {f"cases_{name}.py": real}, folder.parents[2], members
            ).mistakes
        }
        false_cases += [real_places[line] for line in sorted(false & real_places.keys())]
        for line, case in places.items():
            groups = (
                "all",
                case.kind,
                case.how,
                *(["async"] if case.is_async else []),
                f"in {name}",
            )
            totals.update(groups)
            hit = found.get((line, case.wrong))
            if hit is None:
                missed.append(case)
                continue
            hits.update(groups)
            first += bool(hit.nearest) and hit.nearest[0]["name"] == case.right
    for group, total in totals.items():
        CONSOLE.print(f"found {group:<22} {hits[group] / total:.3f} of {total}")
    CONSOLE.print(f"nearest real name first {first / max(hits['all'], 1):.3f} of {hits['all']}")
    CONSOLE.print(f"false alarms in twins  {len(false_cases) / len(made):.4f} of {len(made)}")
    for case in false_cases[:: max(len(false_cases) // 12, 1)]:
        CONSOLE.print(f"  false: {case.library}: {' / '.join(case.lines[1:])}: {case.right}")
    for case in missed[:: max(len(missed) // 12, 1)]:
        CONSOLE.print(f"  missed: {case.library}: {' / '.join(case.lines[1:])}: {case.wrong}")


def _sources(title: str, names: Sequence[str], folder: Path, members: Any) -> None:
    files = {
        str(path): path.read_bytes()
        for name in names
        for path in sorted(folder.joinpath(name).rglob("*.py"))
    }
    places = sum(_places(data) for data in files.values())
    report = anyio.run(check, files, folder.parents[2], members).mistakes
    CONSOLE.print(f"false alarms in {title} sources {len(report) / places:.4f} of {places} places")
    for each in report[:5]:
        CONSOLE.print(f"  {each.path}:{each.line} {each.owner} {each.kind} {each.name}")


def _places(data: bytes) -> int:
    return sum(isinstance(node, ast.Attribute | ast.keyword) for node in _nodes(data))


def _nodes(data: bytes) -> Iterator[ast.AST]:
    return ast.walk(ast.parse(data))


if __name__ == "__main__":
    main()
