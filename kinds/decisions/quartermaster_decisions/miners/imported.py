"""Imports: a name can be imported from several modules, and the code base nearly always imports it
from the same one.

The miner finds modules of the code base that re-export a name of a library (translation, time,
settings). It also finds aliases with which nearly all files import a module.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Final

from quartermaster_decisions.base_rates import base_rate
from quartermaster_decisions.candidates import DecisionCandidate, Statistics
from quartermaster_decisions.codebase import CodeBase
from quartermaster_decisions.signals import Signals
from quartermaster_decisions.words import share, words_of

_MIN_IMPORTS: Final = 15
_LEAST_SHARE: Final = 0.9
_LEAST_LIFT: Final = 0.2


def mine(signals: Signals) -> Iterator[DecisionCandidate]:
    """Yields a candidate for each name that is nearly always imported from one module, or with one
    alias.
    """
    code = signals.code
    sources: dict[str, Counter[str]] = defaultdict(Counter)
    aliases: dict[str, Counter[str]] = defaultdict(Counter)
    local: dict[str, Counter[str]] = defaultdict(Counter)
    for facts in code.mined(tests=False):
        for target, alias in {(each.target, each.alias or each.name) for each in facts.imports}:
            aliases[target][alias] += 1
            if alias:
                local[alias][target] += 1
                sources[target.rpartition(".")[2]][target] += 1
    yield from _same_name(code, sources, local)
    yield from _aliases(code, aliases)


def _same_name(
    code: CodeBase, sources: dict[str, Counter[str]], local: dict[str, Counter[str]]
) -> Iterator[DecisionCandidate]:
    for name, targets in sorted({**sources, **local}.items()):
        if len(targets) < 2:
            continue
        [(chosen, count), *others] = targets.most_common()
        total = sum(targets.values())
        foreign = [one for one, _ in others if code.canonical(one) != code.canonical(chosen)]
        if count < _MIN_IMPORTS or count / total < _LEAST_SHARE or not foreign:
            continue
        if not _is_choice(code, name, chosen, foreign):
            continue
        module = chosen.rpartition(".")[0]
        rejected = foreign[0].rpartition(".")[0]
        yield DecisionCandidate(
            pattern=f"Import `{name}` from `{module}`, not from `{rejected}`.",
            check={
                "form": "replaced_import",
                "tests": False,
                "old": foreign[:20],
                "new": [chosen],
            },
            rationale=f"{share(count, total, 'files')} that use this name take it from there.",
            instead=f"`{foreign[0]}`",
            weight=1.3 if code.is_own(chosen) else 1.0,
            topic=f"import:{name}",
            keywords=[name, module.rpartition(".")[2], "import"],
            rejected=[f"`{one}`" for one in foreign[:3]],
            statistics=Statistics(total, count, count, count / total - 0.5),
        )


def _is_choice(code: CodeBase, name: str, chosen: str, foreign: list[str]) -> bool:
    """Returns whether all modules offer the same object under a name. Otherwise, they offer
    different objects with the same name.
    """
    last = chosen.rpartition(".")[2]
    if all(one.rpartition(".")[2] != last for one in foreign) and len(name) > 2:
        return False
    if not code.is_own(chosen):
        # Own things of that name are other things; deeper modules of a library are no alternative.
        top = chosen.partition(".")[0]
        if any(code.is_own(one) or one.partition(".")[0] == top for one in foreign):
            return False
        # Unrelated libraries have different things of one name.
        words = set(words_of(chosen.rpartition(".")[0]))
        return all(words & set(words_of(one.rpartition(".")[0])) for one in foreign)
    if chosen in code.classes or all(code.is_own(one) for one in foreign):
        return False
    # The own module passes on what it takes from the library.
    home = code.modules.get(chosen.rpartition(".")[0])
    tops = {one.partition(".")[0] for one in foreign if not code.is_own(one)}
    return home is not None and any(each.module.partition(".")[0] in tops for each in home.imports)


def _aliases(code: CodeBase, aliases: dict[str, Counter[str]]) -> Iterator[DecisionCandidate]:
    for target, names in sorted(aliases.items()):
        [(alias, count), *_] = names.most_common()
        total = sum(names.values())
        last = target.rpartition(".")[2]
        if not alias or alias == last or count < _MIN_IMPORTS or count / total < 0.85:
            continue
        lift = count / total - base_rate(f"alias:{target}:{alias}", 0.3)
        if lift < _LEAST_LIFT:
            continue
        yield DecisionCandidate(
            pattern=f"Import `{target}` as `{alias}`.",
            check={"form": "import_alias", "tests": False, "target": target, "alias": alias},
            rationale=f"{share(count, total, 'imports')} use this name.",
            instead=f"`{last}` or another name",
            weight=0.9 if code.is_own(target) else 0.8,
            topic=f"import:{target}",
            keywords=[target, alias, "import"],
            statistics=Statistics(total, count, count, lift),
        )
