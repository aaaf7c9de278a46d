"""Documents: what CONTRIBUTING, AGENTS, CLAUDE, .cursorrules and ADR files demand.

A sentence counts if it prescribes something and names code. If it says to use one name and not
another, both are counted in the code, and the counts stand beside the sentence: prose is often
wrong.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from quartermaster.decisions.candidates import Candidate, Evidence, Statistics
from quartermaster.decisions.codebase import EVERYWHERE
from quartermaster.decisions.signals import Signals

_NAMES: Final = re.compile(
    r"(^|/)(contributing|agents|claude|gemini|hacking|conventions|style[-_]?guide|\.cursorrules"
    r"|copilot-instructions|coding[-_]?(style|standards)|code[-_]style|development|architecture)"
    r"[^/]{0,20}(\.(md|rst|txt|mdc))?$|(^|/)(adrs?|decisions)/[^/]+\.(md|rst)$"
    r"|(^|/)\.cursor/rules/[^/]+$",
    re.IGNORECASE,
)
_PRESCRIBES: Final = re.compile(
    r"\b(must|never|always|do not|don't|should|shall|prefer|avoid|instead of|rather than|only"
    r"|required?|make sure|ensure|use)\b",
    re.IGNORECASE,
)
_AVOIDS: Final = re.compile(r"\b(never|do not|don't|avoid|must not|should not|shouldn't)\b", re.I)
_STRONG: Final = re.compile(
    r"\b(must|never|always|do not|don't|avoid|instead of|rather than)\b", re.IGNORECASE
)
_CODE: Final = re.compile(r"`{1,2}([^`\n]{2,80})`{1,2}")
_NAME: Final = re.compile(r"@?[A-Za-z_][\w.]*(\(.{0,40}\))?$")
_ABOUT_TEXT: Final = re.compile(r":(ref|doc|term|program|menuselection)|\*\*|lower ?case|sentence")
_CONTINUES: Final = re.compile(
    r"(here|this|that|these|those|afterwards|then|if so|you can|it|they|for example)\b", re.I
)
_SHELL: Final = re.compile(r"^\s*(\$|>|git |pip |make |npm |cd |docker |poetry |uv |yarn )")
_TALK: Final = re.compile(
    r"\b(pull request|issue|commit message|fork|branch|release|changelog|license|run |install)\b",
    re.IGNORECASE,
)
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+(?=[A-Z`])")
_MOST: Final = 40


def is_document(path: str) -> bool:
    """Whether a file tells people or agents how to write code here."""
    return bool(_NAMES.search(path)) and "node_modules/" not in path


def mine(signals: Signals) -> Iterator[Candidate]:
    """See the module."""
    words = _code_words(signals)
    count = 0
    for path, text in sorted(signals.documents.items()):
        for line, sentence in sentences(text):
            if count >= _MOST:
                return
            if _is_rule(sentence) and any(words[one] > 1 for one in _names(sentence)):
                count += 1
                yield _candidate(path, line, sentence, words)


def sentences(text: str) -> Iterator[tuple[int, str]]:
    """The sentences of a document outside of code blocks, with their lines."""
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


def _is_rule(sentence: str) -> bool:
    codes = [
        one
        for one in _CODE.findall(sentence)
        if not _SHELL.match(one) and (_NAME.match(one) or "import " in one)
    ]
    return (
        30 <= len(sentence) <= 320
        and bool(codes)
        and bool(_PRESCRIBES.search(sentence))
        and not _TALK.search(sentence)
        and not _ABOUT_TEXT.search(sentence)
        and not _CONTINUES.match(sentence)
        and "://" not in sentence
        and not sentence.rstrip().endswith(("?", ":"))
    )


def _names(sentence: str) -> list[str]:
    """The last name in each piece of code."""
    return [
        name
        for one in _CODE.findall(sentence)
        for name in re.findall(r"[A-Za-z_]\w{2,}", one.partition("(")[0])[-1:]
    ]


def _code_words(signals: Signals) -> Counter[str]:
    """In how many files each name is used."""
    counts: Counter[str] = Counter()
    for facts in signals.code.files.values():
        names = {part for call in facts.calls for part in call.name.strip("~").split(".")}
        names |= {part for each in facts.imports for part in each.target.split(".")}
        names |= {one for each in facts.functions for one in (each.name, *each.parameters)}
        names |= {each.name for each in facts.classes}
        counts.update(names)
    return counts


def _candidate(path: str, line: int, sentence: str, words: Counter[str]) -> Candidate:
    names = _names(sentence)
    seen = {name: words[name] for name in names}
    counted = ", ".join(f"`{name}` in {count} files" for name, count in seen.items())
    avoid = bool(_AVOIDS.search(sentence))
    folder = str(PurePosixPath(path).parent)
    narrow = folder not in {".", "docs", ".github", "doc"} and not folder.startswith((".", "docs/"))
    is_used = any(seen.values())
    return Candidate(
        miner="documents",
        pattern=sentence if sentence.endswith(".") else f"{sentence}.",
        scope=f"{folder}/**" if narrow and is_used else EVERYWHERE,
        check=None,
        polarity="avoid" if avoid else "do",
        rationale=f"Said in {path}. In the code: {counted or 'none of its names'}.",
        weight=(1.6 if _STRONG.search(sentence) else 1.0) * (1.0 if is_used else 0.4),
        topic=f"document:{line}:{path}",
        keywords=names[:8],
        statistics=Statistics(max(seen.values(), default=0), max(seen.values(), default=0), 1, 0.6),
        evidence=[Evidence("document", path, line, line, excerpt=sentence[:300])],
    )
