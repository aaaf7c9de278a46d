"""Factories: functions that create objects of the classes of a folder, and test factories that
create models for tests.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from quartermaster_decisions.candidates import DecisionCandidate, Statistics
from quartermaster_decisions.checks import is_class
from quartermaster_decisions.codebase import CodeBase, is_mined, is_test
from quartermaster_decisions.signals import Signals
from quartermaster_decisions.words import share

_LEAST_CLASSES: Final = 8
_LEAST_USERS: Final = 8
_LEAST_CALLS: Final = 15
_LEAST_SHARE: Final = 0.9
_METHOD: Final = re.compile(r"\.(create|build|create_batch|build_batch)$")
_MADE_PATTERN: Final = re.compile(r"(create|make|build|new|gen)_([a-z_]{3,40})$")


def mine(signals: Signals) -> Iterator[DecisionCandidate]:
    """Yields candidates for folders whose objects no other code creates, and for test factories."""
    yield from _own_folder(signals.code)
    yield from _in_tests(signals.code)


def _own_folder(code: CodeBase) -> Iterator[DecisionCandidate]:
    """Yields a candidate for each folder that creates nearly all objects of its own classes
    (services, handlers), although many other files use these classes.
    """
    members: dict[str, list[str]] = defaultdict(list)
    for name, (facts, _) in code.classes.items():
        if is_test(facts.path) or not is_mined(facts.path) or not _is_behaviour(code, name):
            continue
        members[str(PurePosixPath(facts.path).parent)].append(name)
    created: Counter[str] = Counter()
    outside: Counter[str] = Counter()
    found: Counter[str] = Counter()
    for facts in code.mined(tests=False):
        here = str(PurePosixPath(facts.path).parent)
        for call in facts.calls:
            name = code.canonical(call.name)
            if call.name.endswith(("find_service", "get_service")):
                found[call.name.removeprefix("~")] += 1
            if name in code.classes and _is_behaviour(code, name):
                folder = str(PurePosixPath(code.classes[name][0].path).parent)
                (created if here == folder else outside)[folder] += 1
    for folder, names in sorted(members.items()):
        module = code.classes[names[0]][0].module.rpartition(".")[0]
        total = created[folder] + outside[folder]
        if len(names) < _LEAST_CLASSES or created[folder] < _LEAST_USERS or not module:
            continue
        if created[folder] / total < _LEAST_SHARE:
            continue
        yield DecisionCandidate(
            pattern=f"Create objects of the classes of `{folder}` only in `{folder}`, by its"
            f" factories; elsewhere, get them {_by(found)}.",
            check={
                "form": "written_only_through",
                "tests": False,
                "module": module,
                "allowed": [f"{folder}/**"],
            },
            rationale=f"{share(created[folder], total, 'calls')} that create one are there;"
            f" the folder has {len(names)} classes.",
            instead="calling such a class directly in other code",
            weight=1.3,
            topic=f"created:{folder}",
            keywords=[PurePosixPath(folder).name, "create", "factory"],
            statistics=Statistics(total, created[folder], len(names), 0.6),
        )


def _by(found: Counter[str]) -> str:
    """Describes how other code gets the objects. Names the function that returns them, if other
    code calls this function often.
    """
    if sum(found.values()) < _LEAST_CALLS:
        return "ready-made"
    return f"with `{found.most_common(1)[0][0]}(...)`"


def _is_behaviour(code: CodeBase, name: str) -> bool:
    facts, each = code.classes[name]
    has_init = any(one.owner == each.name and one.name == "__init__" for one in facts.functions)
    bases = (each.name, *code.ancestors(facts, each))
    return has_init and not any(one.endswith(("Error", "Exception", "HTTPFound")) for one in bases)


def _in_tests(code: CodeBase) -> Iterator[DecisionCandidate]:
    """Yields a candidate if tests create models with factories of the same name."""
    made: Counter[str] = Counter()
    direct: Counter[str] = Counter()
    files: set[str] = set()
    factories: Counter[str] = Counter()
    models: set[str] = set()
    by_name = {name.rpartition(".")[2]: name for name in code.classes if _is_model(code, name)}
    for facts in code.mined(tests=True):
        for call in facts.calls:
            # `OrderFactory.create()` makes orders as well.
            maker = _METHOD.sub("", call.name)
            last = maker.rpartition(".")[2]
            name = code.canonical(call.name)
            made_up = last.removesuffix("Factory")
            if match := _MADE_PATTERN.match(last):
                made_up = "".join(word.title() for word in match[2].split("_"))
            model = by_name.get(made_up)
            if model is None or "factories" in facts.path or "factory" in facts.path:
                continue
            if name == model:
                direct[model] += 1
                models.update({call.name, name})
            elif match or ("factor" in call.name.lower() and is_class(maker.removeprefix("~"))):
                made[model] += 1
                files.add(facts.path)
                factories[call.name] += 1
                models.add(model)
    count = sum(made.values())
    total = count + sum(direct[model] for model in made)
    if count < _LEAST_CALLS or count / total < 0.85:
        return
    example = factories.most_common(1)[0][0]
    yield DecisionCandidate(
        pattern=f"In tests: create models with the factories (`{example.removeprefix('~')}`), not"
        " by calling the model class.",
        check={
            "form": "call_through",
            "tests": True,
            "except": ["**/factories/**", "**/factories.py", "**/factory.py"],
            "old": sorted(models)[:200],
            "new": sorted(factories)[:200],
        },
        rationale=f"{share(count, total, 'objects')} of models that have a factory are made so.",
        instead="`Model(...)` in a test",
        weight=1.4,
        topic="factories",
        keywords=["factory", "factories", "test", "model"],
        statistics=Statistics(total, count, len(files), count / total),
    )


def _is_model(code: CodeBase, name: str) -> bool:
    return not is_test(code.classes[name][0].path) and "model" in name.lower()
