"""Helpers: documented functions and errors of the code base that many parts of it use.

Nothing counts those who did the work by hand, so these come after what can be checked, and only the
most used ones count. A helper must be used in several folders, and say in a sentence what it does.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from quartermaster.decisions.candidates import Candidate, Evidence, Statistics
from quartermaster.decisions.codebase import EVERYWHERE, CodeBase, is_mined, is_test
from quartermaster.decisions.signals import Signals
from quartermaster.decisions.words import called

_LEAST_FILES: Final = 8
_LEAST_FOLDERS: Final = 2
_MOST: Final = 6
_SHORTEST: Final = 20
_VERBS: Final = frozenset(
    [
        "add",
        "append",
        "apply",
        "ask",
        "assert",
        "attach",
        "authenticate",
        "begin",
        "build",
        "cache",
        "calculate",
        "call",
        "check",
        "clean",
        "clear",
        "close",
        "compare",
        "compile",
        "compute",
        "configure",
        "connect",
        "convert",
        "copy",
        "count",
        "create",
        "decode",
        "decorate",
        "delete",
        "describe",
        "download",
        "emit",
        "encode",
        "encrypt",
        "ensure",
        "escape",
        "execute",
        "expand",
        "extract",
        "fetch",
        "filter",
        "find",
        "flatten",
        "format",
        "generate",
        "get",
        "give",
        "handle",
        "hash",
        "import",
        "initialize",
        "insert",
        "install",
        "invalidate",
        "issue",
        "iterate",
        "join",
        "list",
        "load",
        "log",
        "look",
        "make",
        "map",
        "mark",
        "merge",
        "normalize",
        "notify",
        "open",
        "parse",
        "perform",
        "post",
        "prepare",
        "print",
        "process",
        "produce",
        "publish",
        "put",
        "query",
        "raise",
        "read",
        "record",
        "redirect",
        "register",
        "remove",
        "render",
        "replace",
        "require",
        "reset",
        "resolve",
        "restore",
        "retrieve",
        "return",
        "run",
        "sanitize",
        "save",
        "schedule",
        "search",
        "select",
        "send",
        "serialize",
        "set",
        "show",
        "sign",
        "split",
        "start",
        "stop",
        "store",
        "strip",
        "sync",
        "test",
        "transform",
        "translate",
        "trigger",
        "try",
        "turn",
        "update",
        "upload",
        "validate",
        "verify",
        "wrap",
        "write",
        "yield",
    ]
)
_MARKED: Final = re.compile(
    r"[:*`<>{}]|deprecated|internal|TODO|\b(the|an?|of|to|and|for|in|with|that)$", re.IGNORECASE
)


def mine(signals: Signals) -> Iterator[Candidate]:
    """See the module."""
    code = signals.code
    files: dict[str, set[str]] = defaultdict(set)
    uses: Counter[str] = Counter()
    lines: dict[str, dict[str, int]] = defaultdict(dict)
    for facts in code.mined(tests=False):
        for each in (*facts.calls, *facts.raises):
            name = code.canonical(each.name)
            documented, path = _documented(code, name)
            if documented and path != facts.path:
                files[name].add(facts.path)
                uses[name] += 1
                lines[name].setdefault(facts.path, each.line)
    ranked = sorted(files, key=lambda name: (-len(files[name]), name))
    for name in ranked[:_MOST]:
        folders = {PurePosixPath(path).parent for path in files[name]}
        if len(files[name]) >= _LEAST_FILES and len(folders) >= _LEAST_FOLDERS:
            yield _candidate(code, name, files[name], uses[name], lines[name])


def _documented(code: CodeBase, name: str) -> tuple[str, str]:
    """What a function or an error says of itself, if it is a sentence, and its file."""
    known = code.functions.get(name)
    if known is None and name.endswith(("Error", "Exception")):
        known_class = code.classes.get(name)
        if known_class is None:
            return "", ""
        facts, text = known_class[0], known_class[1].documented
    elif known is not None:
        facts, text = known[0], known[1].documented
    else:
        return "", ""
    first = text.partition(" ")[0].lower()
    says_what = name in code.classes or bool(
        {first, first.removesuffix("s"), first.removesuffix("es")} & _VERBS
    )
    is_plain = (
        says_what and len(text) >= _SHORTEST and text[0].isupper() and not _MARKED.search(text)
    )
    if not is_plain or is_test(facts.path) or not is_mined(facts.path):
        return "", ""
    return text, facts.path


def _candidate(
    code: CodeBase, name: str, files: set[str], uses: int, lines: dict[str, int]
) -> Candidate:
    text, path = _documented(code, name)
    is_error = name in code.classes
    verb = "Raise" if is_error else "Call"
    newest = sorted(files, key=lambda one: (-code.added.get(one, -1), one))[:3]
    return Candidate(
        miner="helpers",
        pattern=f"{verb} {called(name)} rather than {'another error' if is_error else 'own code'}"
        f" for this: {text.rstrip('.')}.",
        scope=EVERYWHERE,
        check=None,
        rationale=f"{len(files)} modules use it, {uses} times; it is defined in {path}.",
        instead="another error" if is_error else "doing it by hand",
        weight=0.8,
        topic=f"call:{name}",
        keywords=[name.rpartition(".")[2]],
        statistics=Statistics(uses, uses, len(files), 0.5),
        evidence=[Evidence("file", one, lines[one], lines[one]) for one in newest],
    )
