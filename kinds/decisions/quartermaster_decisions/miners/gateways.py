"""Gateways: only one module of the code base uses a library, and the other modules use this module.

For example, other modules import `shop.http` instead of `requests`. The module must exist for this
purpose: it calls the library, and many modules import it. It may be the only importer of at most
two libraries.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Final

from quartermaster_decisions.candidates import DecisionCandidate, Statistics
from quartermaster_decisions.checks import is_below
from quartermaster_decisions.codebase import CodeBase
from quartermaster_decisions.signals import Signals

_LEAST_USERS: Final = 5
_MOST_ALONE: Final = 2
_MAX_FILE_LINES: Final = 700
_STDLIB: Final = frozenset(
    {"smtplib", "subprocess", "sqlite3", "socket", "ssl", "hmac", "imaplib", "pickle", "ftplib"}
)


def mine(signals: Signals) -> Iterator[DecisionCandidate]:
    """Yields a candidate for each library that only one module imports, if many files use this
    module.
    """
    code = signals.code
    importers, users = _imported(code)
    alone = Counter(next(iter(paths)) for paths in importers.values() if len(paths) == 1)
    for library, paths in sorted(importers.items()):
        if len(paths) != 1:
            continue
        facts = code.files[next(iter(paths))]
        calls = sum(is_below(call.name, [library]) for call in facts.calls)
        if alone[facts.path] > _MOST_ALONE or facts.lines > _MAX_FILE_LINES or calls < 1:
            continue
        if len(users[facts.module]) >= _LEAST_USERS and _is_made_for(code, facts.path, library):
            yield _candidate(code, library, facts.path, users[facts.module])


def _imported(code: CodeBase) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """Returns the files that import each library, and the files that import each module of the code
    base.
    """
    importers: dict[str, set[str]] = defaultdict(set)
    users: dict[str, set[str]] = defaultdict(set)
    for facts in code.mined(tests=False):
        for each in facts.imports:
            top = each.module.partition(".")[0]
            if code.is_own(each.target):
                module = each.target if each.target in code.modules else each.module
                if module in code.modules and code.modules[module].path != facts.path:
                    users[module].add(facts.path)
            elif top in _STDLIB or code.origin(f"{top}.x") == "other":
                importers[top].add(facts.path)
    return importers, users


def _is_made_for(code: CodeBase, path: str, library: str) -> bool:
    """Returns whether a module is named after a library, or at least a third of its functions call
    the library.
    """
    facts = code.files[path]
    stem = facts.module.rpartition(".")[2]
    if stem in library or library in stem:
        return True
    functions = {each.name for each in facts.functions if not each.nested}
    calling = {call.function for call in facts.calls if is_below(call.name, [library])}
    return bool(functions) and len(functions) <= 3 * len(calling & functions)


def _candidate(code: CodeBase, library: str, path: str, users: set[str]) -> DecisionCandidate:
    module = code.files[path].module
    return DecisionCandidate(
        pattern=f"Use what `{module}` offers; only `{path}` imports `{library}`.",
        check={
            "form": "replaced_import",
            "tests": False,
            "except": [path],
            "old": [library],
            "new": [module],
        },
        rationale=f"No other module imports `{library}`, and {len(users)} modules import"
        f" `{module}`.",
        instead=f"`import {library}`",
        weight=1.4,
        topic=f"gateway:{module}",
        keywords=[library, module.rpartition(".")[2], "import"],
        rejected=[f"`{library}` directly"],
        statistics=Statistics(len(users), len(users), len(users), 0.8),
        examples=[(user, 1) for user in sorted(users)[:2]],
    )
