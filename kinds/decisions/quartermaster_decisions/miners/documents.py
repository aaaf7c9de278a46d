"""Documents: rules from the files CONTRIBUTING, AGENTS, CLAUDE and .cursorrules, and from records
of decisions (ADR).

A sentence counts if it prescribes something and contains a name in backticks that several files
use. In an accepted ADR, a library's name without backticks is enough if the code imports the
library. The rationale says how many files use each name, because documents are often outdated.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from quartermaster_decisions.candidates import DecisionCandidate, Evidence, Statistics
from quartermaster_decisions.codebase import WHOLE_TREE
from quartermaster_decisions.signals import Signals

_NAMES: Final = re.compile(
    r"(^|/)(contributing|agents|claude|gemini|hacking|conventions|style[-_]?guide|\.cursorrules"
    r"|copilot-instructions|coding[-_]?(style|standards)|code[-_]style|development|architecture)"
    r"[^/]{0,20}(\.(md|rst|txt|mdc))?$|(^|/)(adrs?|decisions)/[^/]+\.(md|rst)$"
    r"|(^|/)\.cursor/rules/[^/]+$",
    re.IGNORECASE,
)
_RECORD: Final = re.compile(r"^(?:(.*?)/)?(?:docs?/)?(?:adrs?|decisions)/[^/]+$", re.IGNORECASE)
# "Status: Accepted", "**Status**: accepted", or the word below the heading "Status".
_ACCEPTED_PATTERN: Final = re.compile(
    r"^\W{0,8}status\b[^\w\n]{0,8}\s{0,8}accepted\b", re.IGNORECASE | re.MULTILINE
)
_WORD: Final = re.compile(r"[A-Za-z_]\w{2,}")
_PRESCRIBES_PATTERN: Final = re.compile(
    r"\b(must|never|always|do not|don't|should|shall|prefer|avoid|instead of|rather than|only"
    r"|required?|make sure|ensure|use)\b",
    re.IGNORECASE,
)
_AVOIDS_PATTERN: Final = re.compile(
    r"\b(never|do not|don't|avoid|must not|should not|shouldn't)\b", re.I
)
_USES: Final = re.compile(r"\buse\b", re.IGNORECASE)
_STRONG_PATTERN: Final = re.compile(
    r"\b(must|never|always|do not|don't|avoid|instead of|rather than)\b", re.IGNORECASE
)
_CODE: Final = re.compile(r"`{1,2}([^`\n]{2,80})`{1,2}")
_NAME: Final = re.compile(r"@?[A-Za-z_][\w.]*(\(.{0,40}\))?$")
_ABOUT_TEXT: Final = re.compile(r":(ref|doc|term|program|menuselection)|\*\*|lower ?case|sentence")
_CONTINUES_PATTERN: Final = re.compile(
    r"(here|this|that|these|those|afterwards|then|if so|you can|it|they|for example)\b", re.I
)
_SHELL: Final = re.compile(r"^\s*(\$|>|git |pip |make |npm |cd |docker |poetry |uv |yarn )")
_TALK: Final = re.compile(
    r"\b(pull request|issue|commit message|fork|branch|release|changelog|license|run |install)\b",
    re.IGNORECASE,
)
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+(?=[A-Z`])")
_MAX_CANDIDATES: Final = 40


def is_document(path: str) -> bool:
    """Returns whether a file tells people or agents how to write code for this code base."""
    return bool(_NAMES.search(path)) and "node_modules/" not in path


def mine(signals: Signals) -> Iterator[DecisionCandidate]:
    """Yields a candidate for each sentence of a document that prescribes how to use a name in the
    code.
    """
    words = _code_words(signals)
    libraries = _libraries(signals)
    count = 0
    for path, text in sorted(signals.documents.items()):
        bare = (
            libraries
            if _RECORD.match(path) and _ACCEPTED_PATTERN.search(text)
            else frozenset[str]()
        )
        for line, sentence in sentences(text):
            if count >= _MAX_CANDIDATES:
                return
            if not _prescribes(sentence):
                continue
            names = _names(sentence) if _names_code(sentence) else []
            if not any(words[one] > 1 for one in names):
                names = sorted(bare.intersection(_WORD.findall(sentence)))
            if names:
                count += 1
                yield _candidate(path, line, sentence, names, words)


def _libraries(signals: Signals) -> frozenset[str]:
    """Returns the third-party libraries that the code imports. Their names seldom occur as plain
    words in a sentence.
    """
    tops = {
        each.module.partition(".")[0]
        for facts in signals.code.files.values()
        for each in facts.imports
        if not each.relative
    }
    return frozenset(tops - signals.code.tops - sys.stdlib_module_names)


def sentences(text: str) -> Iterator[tuple[int, str]]:
    """Yields the sentences of a document, each with its line. Code blocks are left out."""
    fenced = False
    paragraph: list[str] = []
    start = 0
    for number, line in enumerate([*text.splitlines(), ""], start=1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
            continue
        begins = bool(re.match(r"\s*([-*+]|\d+\.)\s", line)) or line.startswith("#")
        if fenced or not line.strip() or begins:
            if paragraph:
                yield from ((start, one.strip()) for one in _SENTENCE.split(" ".join(paragraph)))
            paragraph = []
        if not fenced and line.strip() and not line.startswith("#"):
            start = start if paragraph else number
            paragraph.append(re.sub(r"^\s*([-*+]|\d+\.)\s+", "", line).strip())


def _names_code(sentence: str) -> bool:
    return any(
        not _SHELL.match(one) and (_NAME.match(one) or "import " in one)
        for one in _CODE.findall(sentence)
    )


def _prescribes(sentence: str) -> bool:
    return (
        30 <= len(sentence) <= 320
        and bool(_PRESCRIBES_PATTERN.search(sentence))
        and not _TALK.search(sentence)
        and not _ABOUT_TEXT.search(sentence)
        and not _CONTINUES_PATTERN.match(sentence)
        and "://" not in sentence
        and not sentence.rstrip().endswith(("?", ":"))
    )


def _names(sentence: str) -> list[str]:
    """Returns the last name in each piece of code of a sentence."""
    return [
        name
        for one in _CODE.findall(sentence)
        for name in re.findall(r"[A-Za-z_]\w{2,}", one.partition("(")[0])[-1:]
    ]


def _code_words(signals: Signals) -> Counter[str]:
    """Counts the files in which each name is used."""
    counts: Counter[str] = Counter()
    for facts in signals.code.files.values():
        names = {part for call in facts.calls for part in call.name.strip("~").split(".")}
        names |= {part for each in facts.imports for part in each.target.split(".")}
        names |= {one for each in facts.functions for one in (each.name, *each.parameters)}
        names |= {each.name for each in facts.classes}
        counts.update(names)
    return counts


def _candidate(
    path: str, line: int, sentence: str, names: list[str], words: Counter[str]
) -> DecisionCandidate:
    seen = {name: words[name] for name in names}
    counted = ", ".join(f"`{name}` in {count} files" for name, count in seen.items())
    avoid = _AVOIDS_PATTERN.search(sentence)
    # "Use one and never another" is no advice against the one.
    use = _USES.search(sentence)
    is_avoided = avoid is not None and (use is None or avoid.start() < use.start())
    # The record of a decision is about what its folder is in, not about the other records.
    record = _RECORD.match(path)
    folder = (record[1] or ".") if record else str(PurePosixPath(path).parent)
    narrow = folder not in {".", "docs", ".github", "doc"} and not folder.startswith((".", "docs/"))
    is_used = any(seen.values())
    return DecisionCandidate(
        pattern=sentence if sentence.endswith(".") else f"{sentence}.",
        scope=f"{folder}/**" if narrow and is_used else WHOLE_TREE,
        polarity="avoid" if is_avoided else "do",
        rationale=f"Said in {path}. In the code: {counted or 'none of its names'}.",
        weight=(1.6 if _STRONG_PATTERN.search(sentence) else 1.0) * (1.0 if is_used else 0.4),
        topic=f"document:{line}:{path}",
        keywords=names[:8],
        statistics=Statistics(max(seen.values(), default=0), max(seen.values(), default=0), 1, 0.6),
        evidence=[Evidence("document", path, line, line, excerpt=sentence[:300])],
    )
