"""Written in one place: only one place creates objects of a class, sets a field, or imports a
library.

The class must belong to the code base (a model, an event). The code that creates it must be
elsewhere: a service, a repository, an action. A field counts if only one file sets it, and many
files use its class. A library counts if only files in one folder import it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from pathlib import PurePosixPath
from posixpath import commonpath
from typing import Final

from quartermaster_decisions.candidates import DecisionCandidate, Statistics
from quartermaster_decisions.codebase import CodeBase, is_mined, is_test
from quartermaster_decisions.facts import FileFacts
from quartermaster_decisions.signals import Signals
from quartermaster_decisions.words import called, share, short

_LEAST_CALLS: Final = 4
_LEAST_IMPORTS: Final = 5
_MOST_LIBRARIES: Final = 6
_LEAST_CODE: Final = 60
_LEAST_WRITES: Final = 3
_LEAST_USERS: Final = 8
_SHORTEST_FIELD: Final = 6
_MAX_FILE_SHARE: Final = 0.08
_RECORDS: Final = frozenset({"Enum", "NamedTuple", "Exception", "TypedDict", "Protocol"})


def mine(signals: Signals) -> Iterator[DecisionCandidate]:
    """Yields candidates for classes, fields and libraries that only one place creates, sets or
    imports.
    """
    yield from _created(signals.code)
    yield from _fields(signals.code)
    yield from _libraries(signals.code)


def _created(code: CodeBase) -> Iterator[DecisionCandidate]:
    files = list(code.mined(tests=False))
    places, users = _used(code, files)
    for name, where in sorted(places.items()):
        facts, each = code.classes[name]
        if sum(where.values()) < _LEAST_CALLS or len(users[name]) < 6 or is_test(facts.path):
            continue
        names = {short(base) for base in code.ancestors(facts, each)}
        if (
            not names
            or names & _RECORDS
            or each.name.endswith(("Error", "Exception", "Form", "Schema", "Field"))
        ):
            continue
        folder = _folder(where)
        if folder is None or _holds(folder, files) > len(files) * _MAX_FILE_SHARE:
            continue
        if PurePosixPath(facts.path).is_relative_to(folder.removesuffix("/**")):
            continue
        yield _candidate(code, name, folder, where, len(users[name]))


def _used(
    code: CodeBase, files: list[FileFacts]
) -> tuple[dict[str, Counter[str]], dict[str, set[str]]]:
    """Returns where each class is called, and which files use each class."""
    places: dict[str, Counter[str]] = defaultdict(Counter)
    users: dict[str, set[str]] = defaultdict(set)
    for facts in files:
        for call in facts.calls:
            name = code.canonical(call.name)
            if name in code.classes:
                places[name][facts.path] += 1
            elif (owner := name.rpartition(".")[0]) in code.classes:
                users[owner].add(facts.path)
        for each in facts.imports:
            users[code.canonical(each.target)].add(facts.path)
    return places, users


def _holds(folder: str, files: list[FileFacts]) -> int:
    place = folder.removesuffix("/**")
    return sum(PurePosixPath(one.path).is_relative_to(place) for one in files)


def _folder(where: Collection[str]) -> str | None:
    """Returns the file if there is only one, and otherwise the common folder of the files. Returns
    None if this folder is at the top level.
    """
    if len(where) == 1:
        return next(iter(where))
    common = commonpath(where)
    return f"{common}/**" if "/" in common else None


def _candidate(
    code: CodeBase, name: str, folder: str, where: Counter[str], users: int
) -> DecisionCandidate:
    count = sum(where.values())
    place = folder.removesuffix("/**")
    return DecisionCandidate(
        pattern=f"Create {called(name)} objects only in `{place}`; elsewhere, call what is there.",
        check={
            "form": "written_only_through",
            "tests": False,
            "names": code.variants(name),
            "allowed": [folder],
        },
        rationale=f"All {count} places that create one are there, though {users} files use the"
        " class.",
        instead=f"`{short(name)}(...)` in another module",
        weight=1.4,
        topic=f"created:{name}",
        keywords=[short(name), "create"],
        statistics=Statistics(count, count, len(where), 0.8),
    )


def _fields(code: CodeBase) -> Iterator[DecisionCandidate]:
    """Yields a candidate for each field that only one class has, if only one file sets it."""
    homes: dict[str, list[str]] = defaultdict(list)
    for name, (facts, each) in code.classes.items():
        if not is_test(facts.path) and is_mined(facts.path):
            for attribute, value in each.attributes.items():
                homes[attribute].append(name if value.endswith("()") else "")
    users: Counter[str] = Counter()
    places: dict[str, Counter[str]] = defaultdict(Counter)
    for facts in code.mined(tests=False):
        users.update({code.canonical(each.target) for each in facts.imports})
        for write in facts.writes:
            is_field = homes.get(write.attribute, [""]) != [""]
            if is_field and write.variable not in {"self", "cls"}:
                places[write.attribute][facts.path] += 1
    for attribute, where in sorted(places.items()):
        [(path, count), *_] = where.most_common()
        [owner, *others] = homes[attribute]
        if len(where) > 1 or count < _LEAST_WRITES or others or not owner:
            continue
        if len(attribute) >= _SHORTEST_FIELD and users[owner] >= _LEAST_USERS:
            yield _of_field(owner, attribute, path, count, users[owner])


def _of_field(owner: str, attribute: str, path: str, count: int, users: int) -> DecisionCandidate:
    return DecisionCandidate(
        pattern=f"Set `{attribute}` of {called(owner)} only in `{path}`; elsewhere, call what is"
        " there.",
        check={
            "form": "written_only_through",
            "tests": False,
            "fields": [attribute],
            "allowed": [path],
        },
        rationale=f"All {count} places that set it are there, though {users} files use the class.",
        instead=f"`{short(owner).lower()}.{attribute} = ...` in another module",
        weight=1.2,
        topic=f"field:{owner}",
        keywords=[attribute, short(owner)],
        statistics=Statistics(count, count, 1, 0.8),
    )


def _libraries(code: CodeBase) -> Iterator[DecisionCandidate]:
    files = list(code.mined(tests=False))
    if len(files) < _LEAST_CODE:
        return
    importers: dict[str, set[str]] = defaultdict(set)
    for facts in files:
        for each in facts.imports:
            top = each.module.partition(".")[0]
            if top and code.origin(f"{top}.x") == "other":
                importers[top].add(facts.path)
    found = 0
    for top, paths in sorted(importers.items(), key=lambda item: (-len(item[1]), item[0])):
        folder = _folder(paths)
        if folder is None or len(paths) < _LEAST_IMPORTS or len(paths) > len(files) / 10:
            continue
        if _holds(folder, files) > len(files) / 3:
            continue
        if found >= _MOST_LIBRARIES:
            return
        found += 1
        place = folder.removesuffix("/**")
        yield DecisionCandidate(
            pattern=f"Import `{top}` only in `{place}`; other code calls what is there.",
            check={
                "form": "import_contract",
                "tests": False,
                "except": [folder],
                "forbidden": [top],
            },
            rationale=f"{share(len(paths), len(paths), 'files')} that import it are there.",
            instead=f"`import {top}` elsewhere",
            weight=0.5,
            topic=f"library:{top}",
            keywords=[top, "import"],
            statistics=Statistics(len(paths), len(paths), len(paths), 0.5),
            examples=[(path, 1) for path in sorted(paths)[:2]],
        )
