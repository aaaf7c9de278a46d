"""Modules: a library whose names could be imported is imported as a module (`sa.Column`).

How the modules of Python itself are imported is custom and no decision. A module counts if at least
15 files import it and 90 % of them import no name of it; the lift is over how usual that is (table
of base rates).
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Final

from quartermaster.decisions.base_rates import base_rate
from quartermaster.decisions.candidates import Candidate, Statistics
from quartermaster.decisions.checks import import_styles
from quartermaster.decisions.codebase import EVERYWHERE, CodeBase
from quartermaster.decisions.consensus import Case, Consensus, find_consensus
from quartermaster.decisions.facts import FileFacts
from quartermaster.decisions.signals import Signals
from quartermaster.decisions.words import area_of, sentence, share

_LEAST_LIFT: Final = 0.2
_UNKNOWN: Final = 0.5
_MODULE: Final = "module"
_LEAST_OF_USES: Final = 0.6


def mine(signals: Signals) -> Iterator[Candidate]:
    """See the module."""
    code = signals.code
    below = submodules(code.files.values())
    for tests in (False, True):
        described = partial(cases, code, below)
        for rule in find_consensus(code, code.mined(tests=tests), described):
            module = str(rule.subject)
            usual = base_rate(f"module:{module}:{_MODULE}", _UNKNOWN)
            lift = rule.followed / rule.cases - usual
            is_wide = rule.area == EVERYWHERE or (rule.outside or 0.0) >= _LEAST_OF_USES
            if lift >= _LEAST_LIFT and is_wide and not rule.is_trend:
                yield _candidate(rule, module, below[module], tests, lift)


def submodules(files: Iterable[FileFacts]) -> dict[str, set[str]]:
    """The modules that imports name, and what is below each of them."""
    found: dict[str, set[str]] = defaultdict(set)
    for facts in files:
        for name in {each.module for each in facts.imports}:
            found.setdefault(name, set())
            while "." in name:
                name, _, last = name.rpartition(".")
                found[name].add(last)
    return found


def cases(code: CodeBase, below: dict[str, set[str]], facts: FileFacts) -> Iterator[Case]:
    """The modules of libraries that a file imports, and whether it imports them as modules only."""
    named = {name for each in facts.imports for name in (each.module, each.target)}
    for module in sorted(named & below.keys()):
        if _is_of_library(code, module):
            styles = [is_module for _, is_module in import_styles(facts, module, below[module])]
            if styles:
                yield Case(module, frozenset({_MODULE} if all(styles) else ()))


def _is_of_library(code: CodeBase, module: str) -> bool:
    top = module.partition(".")[0]
    return bool(top) and top not in code.tops and top not in sys.stdlib_module_names


def _candidate(
    rule: Consensus, module: str, below: set[str], tests: bool, lift: float
) -> Candidate:
    outer, _, last = module.rpartition(".")
    said = f"from {outer} import {last}" if outer else f"import {module}"
    return Candidate(
        miner="modules",
        pattern=sentence(
            area_of(rule.area, tests=tests),
            f"import the module `{module}` (`{said}`), not names from it",
        ),
        scope=rule.area,
        check={
            "form": "import_style",
            "paths": [rule.area],
            "tests": tests,
            "module": module,
            **({"submodules": sorted(below)[:200]} if below else {}),
        },
        rationale=f"{share(rule.followed, rule.cases, 'files')} that import it do so.",
        instead=f"`from {module} import ...`",
        weight=0.7 * (0.6 if tests else 1.0),
        topic=f"import:{module}",
        keywords=[module, last, "import"],
        statistics=Statistics(rule.cases, rule.followed, rule.files, lift),
    )
