"""Wrappers: a function of the code base wraps another function, and nearly all code calls the
wrapper.

A wrapper counts if it is short, if several files use it, and if at least 90 % of the uses of either
function go through the wrapper.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Final

from quartermaster_decisions.base_rates import base_rate
from quartermaster_decisions.candidates import DecisionCandidate, Statistics
from quartermaster_decisions.codebase import CodeBase, is_mined, is_test
from quartermaster_decisions.signals import Signals
from quartermaster_decisions.words import called, share, short, words_of

_LEAST_USES: Final = 8
_LEAST_FILES: Final = 3
_LEAST_SHARE: Final = 0.9
_MAX_FUNCTION_LINES: Final = 30
_SHORTEST_WORD: Final = 4
_MOST_COMMON: Final = 0.5


def mine(signals: Signals) -> Iterator[DecisionCandidate]:
    """Yields a candidate for each wrapper."""
    code = signals.code
    uses: Counter[str] = Counter()
    files: dict[str, set[str]] = defaultdict(set)
    inside: dict[str, Counter[str]] = defaultdict(Counter)
    for facts in code.mined(tests=False):
        for call in facts.calls:
            name = code.canonical(call.name)
            uses[name] += 1
            files[name].add(facts.path)
            inside[name][facts.path] += 1
    targets = _targets(code)
    for name, inner in sorted(targets.items()):
        path = code.functions[name][0].path
        outer = uses[name] - inside[name][path]
        if outer < _LEAST_USES or len(files[name] - {path}) < _LEAST_FILES:
            continue
        for target in _replaced(name, inner):
            direct = uses[target] - inside[target][path]
            wrappers = sum(target in one for one in targets.values())
            if outer / (outer + direct) < _LEAST_SHARE or wrappers > 2:
                continue
            yield _candidate(code, name, target, path, outer, direct, len(files[name]))


def _replaced(name: str, inner: set[str]) -> list[str]:
    """Returns the function that another function wraps: the called function with a similar name, or
    the only called function.
    """
    own = name.rpartition(".")[2].lower().strip("_")
    words = set(words_of(own))
    named = [target for target in sorted(inner) if _is_named_after(own, words, target)]
    exact = [target for target in named if target.rpartition(".")[2].lower() == own]
    return (exact or named or (sorted(inner) if len(inner) == 1 else []))[:1]


def _is_named_after(own: str, words: set[str], target: str) -> bool:
    """Returns whether all words of one name also occur in the other name, as in `set_config` and
    `Configs`.
    """
    last = target.rpartition(".")[2].strip("_")
    if last.lower() == own:
        return True
    other = {word.rstrip("s") for word in words_of(last)}
    mine_ = {word.rstrip("s") for word in words}
    long = {word for word in mine_ & other if len(word) >= _SHORTEST_WORD}
    return bool(long) and (other <= mine_ or mine_ <= other)


def _targets(code: CodeBase) -> dict[str, set[str]]:
    """Returns, for each short function, the functions that it calls in libraries and in other
    files.
    """
    found: dict[str, set[str]] = defaultdict(set)
    # Errors need no wrapper.
    raised = {code.canonical(one.name) for facts in code.files.values() for one in facts.raises}
    for name, (facts, each) in code.functions.items():
        if is_test(facts.path) or not is_mined(facts.path) or each.name.startswith("_"):
            continue
        if each.end_line - each.line > _MAX_FUNCTION_LINES:
            continue
        for call in facts.calls:
            if call.function != each.name or not each.line <= call.line <= each.end_line:
                continue
            target = code.canonical(call.name)
            if target in raised:
                continue
            if code.origin(target) in {"stdlib", "other"} and _is_particular(target):
                found[name].add(target)
            known = code.functions.get(target) or code.classes.get(target)
            if known and known[0].path != facts.path and not _is_error(code, target):
                found[name].add(target)
    return found


def _is_error(code: CodeBase, name: str) -> bool:
    if name not in code.classes:
        return False
    names = (name, *code.ancestors(*code.classes[name]))
    return any(one.endswith(("Error", "Exception", "Form", "Schema")) for one in names)


def _is_particular(target: str) -> bool:
    """Returns whether a wrapped function is specific enough for a candidate. Functions that nearly
    all code calls need no wrapper.
    """
    if "(" in target or ".g." in target or "current_app" in target or "." not in target:
        return False
    return base_rate(f"called:{target}", 0.0) < _MOST_COMMON and (
        target.partition(".")[0]
        not in {"typing", "logging", "re", "functools", "itertools", "collections"}
    )


def _candidate(
    code: CodeBase, name: str, target: str, path: str, outer: int, direct: int, files: int
) -> DecisionCandidate:
    documented = code.functions[name][1].documented
    return DecisionCandidate(
        pattern=f"Call {called(name)} instead of {called(target)}.",
        check={
            "form": "call_through",
            "tests": False,
            "except": [path],
            "old": code.variants(target),
            "new": code.variants(name),
        },
        rationale=(f"{documented} " if documented not in {"", "-"} else "")
        + f"{share(outer, outer + direct, 'uses')} go through it; it is defined in {path}.",
        instead=f"`{short(target)}` directly",
        weight=1.6,
        topic=f"call:{name}",
        keywords=[short(name), short(target)],
        rejected=[f"`{target}` called directly"],
        statistics=Statistics(outer + direct, outer, files, outer / (outer + direct)),
    )
