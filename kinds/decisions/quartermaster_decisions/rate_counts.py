"""Computes the table of base rates from source distributions. The code in these distributions is
not executed.

Download the archives by hand (`pip download --no-deps --no-binary :all: NAME`) to a folder outside
the repository. The table contains only numbers, and names of libraries and of their arguments. It
contains none of the packages' own code.
"""

from __future__ import annotations

import json
import tarfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import Any, Final

from quartermaster_decisions.codebase import CodeBase, is_mined, is_test, module_names
from quartermaster_decisions.facts import FileFacts
from quartermaster_decisions.languages import language_of
from quartermaster_decisions.miners import (
    bases,
    choices,
    decorators,
    keywords,
    members,
    overrides,
    style,
)

_LEAST_CASES: Final = 5
_LEAST_PACKAGES: Final = 2
_MAX_FILE_BYTES: Final = 1_000_000
# Between the subject and the property of a key, while it is counted.
_END: Final = "\0"


def count_rates(folder: Path) -> dict[str, Any]:
    """Returns the table in its stored form: the number of packages, and the rate of each key.

    A rate is the mean over all packages that have at least five cases of the subject.
    """
    sums: dict[str, float] = defaultdict(float)
    seen: Counter[str] = Counter()
    packages: Counter[str] = Counter()
    archives = sorted(folder.glob("*.tar.gz"))
    for archive in archives:
        code = CodeBase(_files(archive))
        totals, counts = _counted(code)
        packages.update(subject for subject, total in totals.items() if total >= _LEAST_CASES)
        for key, count in counts.items():
            if (total := totals[key.partition(_END)[0]]) >= _LEAST_CASES:
                sums[key] += count / total
                seen[key] += 1
        for group in choices.GROUPS:
            uses = choices.count(code, group)
            if (total := sum(uses.values())) >= _LEAST_CASES:
                packages[f"choice:{group.purpose}"] += 1
                for option in group.options:
                    key = f"choice:{group.purpose}{_END}{option}"
                    sums[key] += uses[option] >= total * 0.9
                    seen[key] += 1
    rates = {
        key.replace(_END, ":"): round(sums[key] / packages[key.partition(_END)[0]], 2)
        for key in sorted(sums)
        if seen[key] >= _LEAST_PACKAGES
    }
    return {"packages": len(archives), "rates": rates}


def write_rates(folder: Path, output: Path) -> dict[str, Any]:
    """Writes the table to a file, and returns the table."""
    table = count_rates(folder)
    output.write_text(json.dumps(table, indent=0, ensure_ascii=False) + "\n", encoding="utf-8")
    return table


def _files(archive: Path) -> list[FileFacts]:
    contents: dict[str, bytes] = {}
    with tarfile.open(archive) as opened:
        for member in opened:
            path = str(PurePosixPath(*PurePosixPath(member.name).parts[1:]))
            if member.isfile() and member.size <= _MAX_FILE_BYTES and language_of(path) is not None:
                reader = opened.extractfile(member)
                contents[path] = reader.read() if reader else b""
    modules = module_names(contents)
    read = ((path, language_of(path), content) for path, content in contents.items())
    return [
        language.read(path, modules[path], content) for path, language, content in read if language
    ]


def _counted(code: CodeBase) -> tuple[Counter[str], Counter[str]]:
    """Returns how often each subject occurs in one package, and how often it has each property."""
    totals: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    owners = overrides.owners_of(code)
    for facts in code.files.values():
        if is_mined(facts.path):
            overriding = [
                (f"override:{case.subject}", case.properties)
                for case in overrides.cases(code, owners, facts)
            ]
            for subject, properties in (*overriding, *_cases(code, facts)):
                totals[subject] += 1
                counts.update(f"{subject}{_END}{each}" for each in properties)
    return totals, counts


def _cases(code: CodeBase, facts: FileFacts) -> Iterator[tuple[str, Iterable[str]]]:
    """Yields the subjects and their properties, with the names that the keys of the table use."""
    words = [PurePosixPath(facts.path).name, PurePosixPath(facts.path).parent.name, "**"]
    for case in keywords.cases(code, facts):
        name = str(case.subject)
        if code.origin(name) not in {"own", "local"}:
            each = {one[0] for one in case.properties if isinstance(one, tuple)}
            yield f"keyword:{name}", each
    for one in facts.imports:
        local = one.alias or one.name
        if local and not code.is_own(one.target):
            yield f"alias:{one.target}", [local]
    yield from _in_words(code, facts, words)
    for case in style.cases(facts):
        for word in ("", *words):
            each = [f"{one[0]}:{one[1]}" for one in case.properties if isinstance(one, tuple)]
            yield f"style:{word}:{case.subject}", each


def _in_words(
    code: CodeBase, facts: FileFacts, words: list[str]
) -> Iterator[tuple[str, Iterable[str]]]:
    """Yields the subjects that are counted separately for areas with the same last name, such as
    `views.py`.
    """
    tests = is_test(facts.path)
    for word in words:
        for case in bases.cases(code, facts, tests):
            each = [str(one) for one in case.properties if not code.is_own(str(one))]
            yield f"base:{word}:{case.subject}", each
        for case in decorators.cases(code, facts):
            each = [str(one) for one in case.properties if not code.is_own(str(one))]
            yield f"decorator:{word}:{case.subject}", each
        for case in members.module_cases(facts):
            yield f"member:{word}", [str(one) for one in case.properties]
