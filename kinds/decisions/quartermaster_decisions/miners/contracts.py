"""Contracts that tests enforce: a test iterates over all classes, routes or files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from quartermaster_decisions.candidates import DecisionCandidate, Evidence, Statistics
from quartermaster_decisions.codebase import is_test
from quartermaster_decisions.signals import Signals

_WALKS: Final = re.compile(
    r"(__subclasses__|iter_modules|walk_packages|rglob|os\.walk|os\.listdir|glob\.i?glob|\.glob"
    r"|get_models|get_resolver|url_patterns|iter_rules|introspectable|getmembers|view_functions"
    r"|get_app_configs|\.mappers|registry\._class_registry|sorted_tables|inspect\.getsource)"
)
_PREFIX: Final = re.compile(r"^(test_it_|test_that_|test_|check_)")


def mine(signals: Signals) -> Iterator[DecisionCandidate]:
    """Yields a candidate for each test that iterates over classes, routes or files of the code
    base.
    """
    for facts in signals.code.files.values():
        if not is_test(facts.path):
            continue
        walked: dict[str, str] = {}
        for call in facts.calls:
            if call.function.startswith("test") and (match := _WALKS.search(call.name)):
                walked.setdefault(call.function, match[0])
        for function, names in facts.loops.items():
            found = next((match[0] for name in names if (match := _WALKS.search(name))), None)
            if function.startswith("test") and found:
                walked.setdefault(function, found)
        for each in facts.functions:
            if each.name not in walked or each.name not in facts.loops:
                continue
            # Files that the test itself has written are no part of the code base.
            if any("tmp" in one or "temp" in one for one in each.parameters):
                continue
            said = _PREFIX.sub("", each.name).replace("_", " ")
            documented = each.documented if each.documented not in {"", "-"} else ""
            yield DecisionCandidate(
                pattern=f"Keep to what the test `{each.name}` demands: "
                f"{(documented or said).rstrip('.')}.",
                rationale=f"A test walks through all of them ({walked[each.name]}) and fails for"
                " the first that breaks it.",
                instead=f"something that {facts.path} would refuse",
                weight=1.4,
                topic=f"contract:{each.name}",
                keywords=said.split()[:8],
                statistics=Statistics(1, 1, 1, 0.8),
                evidence=[Evidence("file", facts.path, each.line, each.end_line)],
            )
