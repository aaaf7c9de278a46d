"""Finds suppressions: comments and names in a file that tell checkers to hide findings. Runs in a
worker.

In the code, a suppression is called a word. No checker obeys words, so all findings are reported.
`marked` adds to each finding the word that would have hidden it. A word that applies to one line
expresses the judgement of its author, so a finding that the word would hide is only a hint. A
finding that a word with a wider effect would hide still counts.
"""

from __future__ import annotations

import ast
import io
import operator
import re
import sys
import tokenize
import unicodedata
import warnings
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Final, cast

from quartermaster.core.findings import Finding, Scan, Severity, Status
from quartermaster_quality.scanners.interface import ScanOptions, SourceFile, declared_encoding

NAME: Final = "suppressions"
NO_TYPE_CHECK: Final = "no_type_check"
_UNREAD_SHARE: Final = "unread_share"
MOST_UNREAD: Final = 0.1
"""If mypy does not read more than this share of a file's lines, the file counts as incompletely
read.
"""
# Of a file with more, findings are not said to be hidden by the others: they count.
_MOST_WORDS: Final = 1_000
_MOST_WIDE: Final = 50
_PREFIX: Final = "suppression-"
_UNREAD_RULE: Final = f"{_PREFIX}unread"
_ELSEWHERE_RULE: Final = f"{_PREFIX}elsewhere"
# A file without any of them has no word.
_SIGNS: Final = re.compile(
    rb"no_?qa|nosec|ignore|mypy|pragma|gitleaks|ruff|pylint|pyright|lizard|GENERATED CODE"
    rb"|no_type_check|TYPE_CHECKING|PY[23]|platform|version_info",
    re.IGNORECASE,
)
_ENCODED_PATTERN: Final = re.compile(rb"coding[:=][ \t]*(?!utf-?8)", re.IGNORECASE)


@dataclass(frozen=True)
class _Kind:
    """A kind of suppression.

    Attributes:
        tools: the checkers that would obey the word; empty if it is meant for other checkers or has
            no effect here.
        of_line: whether the word applies to one line only.
        form: the pattern of the word in a comment; None if a pattern alone cannot find the word.
    """

    tools: tuple[str, ...] = ()
    of_line: bool = False
    form: re.Pattern[str] | None = None


def _form(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


_CODES: Final = r"(?:\s*:\s*[A-Z]+\d+(?:[,\s]+[A-Z]+\d+)*)?"
_NAMES: Final = r"(?:\[[\w\-, ]{0,200}\])?"
_KINDS: Final[Mapping[str, _Kind]] = {
    "noqa": _Kind(("ruff", "vulture", "secrets"), True, _form(rf"#\s*noqa\b{_CODES}")),
    "file-noqa": _Kind(("ruff",), False, _form(rf"#\s*(?:ruff|flake8)\s*[:=]\s*noqa\b{_CODES}")),
    "ruff": _Kind(
        ("ruff",), False, _form(rf"#\s*ruff\s*:\s*(?:file-ignore|ignore|disable)\b{_NAMES}")
    ),
    "nosec": _Kind(
        ("bandit", "secrets"),
        True,
        _form(r"(?:#|//|--|/\*)\s*nosec\b(?:[:\s]\s*B\d+(?:[,\s]+B\d+)*)?"),
    ),
    "allowlist": _Kind(
        ("secrets",), True, _form(r"\bpragma\s*:\s*allowlist\b(?: secret\b)?|\bgitleaks:allow\b")
    ),
    "type-ignore": _Kind(("mypy",), True, _form(rf"#\s*type\s*:\s*ignore\b{_NAMES}")),
    "file-type-ignore": _Kind(("mypy",)),
    "mypy": _Kind(("mypy",)),
    "no-type-check": _Kind(("mypy",)),
    "unread": _Kind(("mypy",)),
    # Lines for other systems, as long as they are few.
    "elsewhere": _Kind(("mypy",)),
    "ty": _Kind((), False, _form(rf"#\s*ty\s*:\s*ignore\b{_NAMES}")),
    "pyright": _Kind((), False, _form(rf"#\s*pyright\s*:\s*(?:ignore\b{_NAMES}|basic\b)")),
    "pylint": _Kind(
        (), False, _form(r"#\s*pylint\s*:\s*(?:disable[\w\-]*\s*=[\w\-, ]{0,200}|skip-file\b)")
    ),
    "coverage": _Kind((), False, _form(r"#\s*pragma(?:\s*:)?\s*no\s*(?:cover|branch)\b")),
    "hadolint": _Kind((), False, _form(r"#\s*hadolint\s+(?:global\s+)?ignore\s*=[\w, ]{0,200}")),
    "lizard": _Kind(
        ("lizard",), False, _form(r"(?:#\s*)?lizard\s+forgives?\b(?: global\b|\([\w, ]{0,200}\))?")
    ),
    "generated": _Kind(("lizard",), False, re.compile("GENERATED CODE")),
}
# They are about lines before them, too.
_WHOLE_FILE_RULES: Final = frozenset(f"{_PREFIX}{kind}" for kind in ("file-noqa", "mypy", "ruff"))
_NOT_OF_PYTHON: Final = frozenset({"hadolint", "lizard", "generated"})
_OF_OTHERS: Final = (*_NOT_OF_PYTHON, "noqa", "nosec", "allowlist")
_COMMENT: Final = re.compile(r"(?:#|//|--|/\*|<!--|^\s*\*).*|GENERATED CODE")
_MYPY: Final = "# mypy: "
_SETTING: Final = re.compile(r"[a-z][a-z_-]{2,40}")
_SECRET_RULES: Final = frozenset({"S105", "S106", "S107"})
# The codes of flake8, and its own, by which vulture is told what to hide.
_OF_VULTURE: Final = {
    "unused-import": frozenset({"F401", "V104"}),
    "unused-variable": frozenset({"F841", "V107"}),
    "unused-unreachable-code": frozenset({"V201"}),
}
# Codes of mypy with the more general ones that include them.
_GENERAL_CODES: Final = {
    "method-assign": "assignment",
    "typeddict-unknown-key": "typeddict-item",
    "call-arg": "misc",
    "overload-cannot-match": "misc",
    "overload-overlap": "misc",
    "prop-decorator": "misc",
}
# Names that mypy takes for true or false, whatever they are when the code runs.
_CONSTANT_TRUTHS: Final = {"TYPE_CHECKING": True, "MYPY": True, "PY3": True, "PY2": False}
# What it knows of the system for which it checks.
_OF_SYSTEM: Final = frozenset({"platform", "version_info"})
_COMPARISONS: Final[Mapping[type[ast.cmpop], Callable[[Any, Any], bool]]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda one, others: one in others,
    ast.NotIn: lambda one, others: one not in others,
}
_BLOCKS: Final = ("body", "orelse", "finalbody")


def examine(source: SourceFile, settings: ScanOptions) -> Scan:
    """Reports each word (suppression) in a file as a hint."""
    text = source.text() if source.is_python else source.data.decode("utf-8", "replace")
    if not _SIGNS.search(unicodedata.normalize("NFKC", text).encode("utf-8", "replace")):
        return Scan(NAME, "", Status.OK)
    lines = text.count("\n") + 1
    version = tuple(map(int, settings.python_version.split(".")))
    found = [*(_of_python(text, lines, version) if source.is_python else _of_others(text, lines))]
    found.sort(key=lambda word: (word.line, word.column))
    del found[_MOST_WORDS:]
    if _share(found, {_UNREAD_RULE, _ELSEWHERE_RULE}, lines) > MOST_UNREAD:
        found = [replace(w, rule=_UNREAD_RULE) if w.rule == _ELSEWHERE_RULE else w for w in found]
    metrics = {_UNREAD_SHARE: _share(found, {_UNREAD_RULE}, lines)}
    return Scan(NAME, "", Status.OK, findings=tuple(found), metrics=metrics)


def _share(words: Sequence[Finding], rules: Set[str], lines: int) -> float:
    """Returns the share of a file's lines that are covered by words with the given rules."""
    about = {line for word in words if word.rule in rules for line in _lines(word)}
    return round(len(about) / lines, 3)


def may_have_words(source: SourceFile) -> bool:
    """Returns whether `examine` may find a word in a file. This quick check may return true for a
    file without a word, but never returns false for a file with a word.
    """
    data = source.data
    return bool(not data.isascii() or _SIGNS.search(data) or _ENCODED_PATTERN.search(data[:400]))


def marked(scan: Scan, words: Scan) -> Scan:
    """Returns a copy of a scan. If a word would have hidden a finding, the finding names the word.

    Args:
        scan: the scan.
        words: the answer of `examine` for the same file.
    """
    share = words.metrics.get(_UNREAD_SHARE, 0.0)
    if scan.tool == "mypy" and scan.status is Status.OK and share > MOST_UNREAD:
        reason = (
            f"{share:.0%} of the lines are hidden from mypy by conditions such as `if not "
            "TYPE_CHECKING`. Remove these conditions."
        )
        scan = replace(scan, status=Status.DEGRADED, reason=reason)
    of_tool = [word for word in words.findings if scan.tool in _kind(word).tools]
    if not of_tool:
        return scan
    near = [word for word in of_tool if _kind(word).of_line]
    wide = [word for word in of_tool if not _kind(word).of_line][:_MOST_WIDE]
    findings = tuple(_marked(scan.tool, finding, near, wide) for finding in scan.findings)
    return replace(scan, findings=findings)


def _marked(
    tool: str, finding: Finding, near: Sequence[Finding], wide: Sequence[Finding]
) -> Finding:
    if finding.is_hint:
        return finding
    rows = finding.rows or _lines(finding)
    start = bisect_left(near, min(rows), key=_line)
    end = bisect_right(near, max(rows), key=_line)
    words = chain(near[start:end], wide)
    word = next((word for word in words if _is_about(word, tool, finding)), None)
    if word is None:
        return finding
    by, at, is_hint = word.name, word.line, _kind(word).of_line
    return replace(finding, is_hint=is_hint, suppressed_by=by, suppressed_at=at)


def _is_about(word: Finding, tool: str, finding: Finding) -> bool:
    """Returns whether a word would hide a finding if the checker obeyed the word."""
    if tool == "secrets":
        # Never a key of a provider; and what stands before a password says nothing about it.
        is_after = word.line == finding.line and word.column >= finding.column
        is_named = word.rule != f"{_PREFIX}noqa" or _codes(word) & _SECRET_RULES
        return is_after and bool(is_named) and finding.severity is not Severity.CRITICAL
    if _kind(word).of_line:
        is_there = word.line in (finding.rows or _lines(finding))
    elif word.rule == f"{_PREFIX}lizard" and "global" not in word.name:
        return word.line in _lines(finding)
    else:
        is_there = word.rule in _WHOLE_FILE_RULES or finding.line in _lines(word)
    named = _codes(word)
    return is_there and (not named or not named.isdisjoint(_names(tool, finding.rule)))


def _names(tool: str, rule: str) -> frozenset[str]:
    """Returns the codes with which a word can refer to a rule of a checker."""
    if tool == "vulture":
        return _OF_VULTURE.get(rule, frozenset())
    return frozenset({rule, _GENERAL_CODES.get(rule, rule)})


def _codes(word: Finding) -> set[str]:
    """Returns the codes that a word (suppression) names; an empty set if the word applies to all
    rules.
    """
    if word.rule == f"{_PREFIX}mypy":
        settings = set(_SETTING.findall(word.name.partition("mypy:")[2]))
        # Other settings hide what nobody can tell from a finding.
        return set() if settings & {"ignore-errors", "ignore_errors"} else settings | {""}
    if "[" in word.name:
        return {code.strip() for code in word.name.partition("[")[2].rstrip("]").split(",")}
    return {code.upper() for code in re.findall(r"\b[A-Za-z]+\d+\b", word.name)} - {"FLAKE8"}


def _kind(word: Finding) -> _Kind:
    return _KINDS[word.rule.removeprefix(_PREFIX)]


def _line(finding: Finding) -> int:
    return finding.line


def _lines(finding: Finding) -> range:
    return range(finding.line, (finding.end_line or finding.line) + 1)


def _word(kind: str, name: str, line: int, column: int = 0, *, last: int | None = None) -> Finding:
    known = _KINDS[kind]
    shown = " ".join(name.split())[:200]
    if not known.tools:
        what = "is for other checkers, or has no effect here"
    elif known.of_line:
        what = f"hides findings of {' and '.join(known.tools)} in this line, which are hints"
    else:
        what = f"would hide findings of {known.tools[0]}, which count"
    return Finding(
        f"{_PREFIX}{kind}",
        f"`{shown}` {what}.",
        line,
        Severity.LOW,
        column=column,
        end_line=last,
        remedy="Correct what it hides, and remove it.",
        is_hint=True,
        name=shown,
    )


def _of_python(text: str, lines: int, version: tuple[int, ...]) -> Iterator[Finding]:
    tree = _parsed(text)
    begin = min((_first_line(each) for each in tree.body[:1]), default=lines + 1)
    for comment, row, column in _comments(text):
        for kind, known in _KINDS.items():
            if known.form is None or kind in _NOT_OF_PYTHON:
                continue
            for match in known.form.finditer(comment):
                place = column + match.start()
                if kind == "type-ignore" and row < begin and "[" not in match[0]:
                    yield _word("file-type-ignore", match[0], row, place, last=lines)
                else:
                    last = row if known.of_line or not known.tools else lines
                    yield _word(kind, match[0], row, place, last=last)
    # mypy reads them in texts, too.
    for row, line in enumerate(text.split("\n"), 1):
        if line.startswith(_MYPY):
            yield _word("mypy", line, row, last=lines)
    yield from _decorators(tree)
    yield from _unread(tree, version)


def _of_others(text: str, lines: int) -> Iterator[Finding]:
    for row, line in enumerate(text.splitlines(), 1):
        comment = _COMMENT.search(line)
        for kind in _OF_OTHERS if comment else ():
            form = _KINDS[kind].form
            assert comment is not None
            assert form is not None
            if match := form.search(comment[0]):
                last = lines if kind == "generated" or "global" in match[0] else row
                yield _word(kind, match[0], row, comment.start() + match.start(), last=last)


def _parsed(text: str) -> ast.Module:
    """Returns the syntax tree of a file. If the file cannot be parsed, the tree is empty; other
    checkers report the error.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return ast.Module([], [])


def _comments(text: str) -> Iterator[tuple[str, int, int]]:
    """Yields the comments in Python code with their places. Stops where the code cannot be read."""
    try:
        for token in tokenize.generate_tokens(io.StringIO(text, newline=None).readline):
            if token.type == tokenize.COMMENT:
                yield token.string, *token.start
    except (tokenize.TokenError, SyntaxError):
        return


def _first_line(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(each.lineno for each in decorators)])


def _decorators(tree: ast.Module) -> Iterator[Finding]:
    """Yields each use of the decorator `no_type_check`, also under an alias."""
    nodes = list(ast.walk(tree))
    known = {NO_TYPE_CHECK}
    for node in nodes:
        if isinstance(node, ast.ImportFrom):
            known |= {a.asname for a in node.names if a.name == NO_TYPE_CHECK and a.asname}
        elif isinstance(node, ast.Assign) and _last_name(node.value) == NO_TYPE_CHECK:
            known |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    for node in nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            for each in node.decorator_list:
                if (name := _last_name(each)) in known:
                    place = each.lineno, each.col_offset
                    yield _word("no-type-check", f"@{name}", *place, last=node.end_lineno)


def _last_name(node: ast.expr) -> str:
    """Returns a name, or the last part of a dotted name; empty for any other expression."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def _unread(tree: ast.Module, version: tuple[int, ...]) -> Iterator[Finding]:
    """Yields code that mypy skips because of a condition with a name such as TYPE_CHECKING or
    sys.platform.
    """
    for node in ast.walk(tree):
        for block in (getattr(node, name, None) for name in _BLOCKS):
            if isinstance(block, list):
                yield from _unread_of(cast("list[ast.stmt]", block), version)
        match node:
            case ast.IfExp(test=test, body=body, orelse=orelse):
                if (taken := _taken(test, version)) is not None:
                    hidden = orelse if taken else body
                    yield _hidden(test, hidden, hidden)
            case ast.BoolOp(op=op, values=values):
                ends = isinstance(op, ast.Or)
                taken = [_taken(value, version) for value in values]
                at = next((i for i, each in enumerate(taken) if each is ends), None)
                if at is not None and values[at + 1 :]:
                    yield _hidden(values[at], values[at + 1], values[-1])
            case _:
                pass


def _unread_of(block: list[ast.stmt], version: tuple[int, ...]) -> Iterator[Finding]:
    for at, node in enumerate(block):
        if not isinstance(node, ast.If | ast.While | ast.Assert):
            continue
        taken = _taken(node.test, version)
        if taken is None:
            continue
        if isinstance(node, ast.Assert):
            hidden, read = [], [node] if not taken else []
        else:
            hidden, read = (node.orelse, node.body) if taken else (node.body, node.orelse)
        rest = block[at + 1 :] if read and _leaves(read[-1]) else []
        if nodes := [*hidden, *rest]:
            yield _hidden(node.test, nodes[0], nodes[-1])
        if rest:
            return


def _taken(test: ast.expr, version: tuple[int, ...]) -> bool | None:
    """Returns whether mypy assumes that a condition is true; None if mypy makes no assumption."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            taken = _taken(operand, version)
            return None if taken is None else not taken
        case ast.BoolOp(op=op, values=values):
            each = [_taken(value, version) for value in values]
            ends = isinstance(op, ast.Or)
            return ends if ends in each else None if None in each else not ends
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return _compared(left, op, right, version)
        case ast.Call(
            func=ast.Attribute(value=value, attr="startswith"),
            args=[ast.Constant(value=str() as start)],
        ) if _of_system(value) == "platform":
            return sys.platform.startswith(start)
        case _:
            return _CONSTANT_TRUTHS.get(_last_name(test))


def _compared(
    left: ast.expr, op: ast.cmpop, right: ast.expr, version: tuple[int, ...]
) -> bool | None:
    """Returns whether mypy assumes that a comparison with the platform or the Python version is
    true; None if mypy makes no assumption.
    """
    if not {_of_system(left), _of_system(right)} & _OF_SYSTEM or type(op) not in _COMPARISONS:
        return None
    try:
        return _COMPARISONS[type(op)](_value(left, version), _value(right, version))
    except (ValueError, TypeError, IndexError):
        return None


def _value(node: ast.expr, version: tuple[int, ...]) -> Any:
    match node:
        case ast.Subscript(value=of, slice=ast.Slice(lower=None, upper=ast.Constant(value=end))):
            return _value(of, version)[:end]
        case ast.Subscript(value=of, slice=ast.Constant(value=place)):
            return _value(of, version)[place]
        case _:
            known = {"platform": sys.platform, "version_info": version}
            return known.get(_of_system(node)) or ast.literal_eval(node)


def _of_system(node: ast.expr) -> str:
    """Returns the attribute of `sys` that an expression reads (platform or version_info); an empty
    text if it reads neither.
    """
    match node:
        case ast.Attribute(value=ast.Name(id="sys"), attr=name) if name in _OF_SYSTEM:
            return name
        case ast.Subscript(value=value):
            return _of_system(value)
        case _:
            return ""


def _leaves(node: ast.stmt) -> bool:
    """Returns whether the code after a statement may be unreachable."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Call)
    return isinstance(node, ast.Raise | ast.Return | ast.Assert | ast.Continue | ast.Break)


def _hidden(test: ast.expr, first: ast.stmt | ast.expr, last: ast.stmt | ast.expr) -> Finding:
    names = [_last_name(node) for node in ast.walk(test) if isinstance(node, ast.expr)]
    name = next(filter(_CONSTANT_TRUTHS.__contains__, names), "")
    kind = "unread" if name else "elsewhere"
    name = name or f"sys.{next(filter(_OF_SYSTEM.__contains__, names))}"
    begin, end = first.lineno, last.end_lineno or last.lineno
    word = _word(kind, name, begin, last=end)
    message = f"`{name}` in line {test.lineno} hides lines {begin} to {end} from mypy."
    return replace(word, message=message)


_DIRECTIVE: Final = re.compile(rb"#\s*(?:(?:type|ty)\s*:\s*ignore|mypy\s*:)")
UNNAMED_WORD: Final = "no_type_chec_"
_COOKIE: Final = re.compile(rb"coding(?=[:=])")
_NAME: Final = re.compile(r"\w+")


def without_suppressions(data: bytes) -> bytes:
    """Returns Python code without words that hide findings from a type checker. The line numbers
    stay the same.

    In comments that a type checker would obey, colons become semicolons. `no_type_check` gets a
    name that mypy does not recognise: see `renamed`. The result is encoded as UTF-8.
    """
    try:
        try:
            encoding, errors = declared_encoding(data), "strict"
        except UnicodeError:
            # Whatever mypy would have made of it.
            encoding, errors = "utf_8", "replace"
        if encoding not in {"utf-8", "utf-8-sig"} or not data.isascii():
            text = _NAME.sub(_plain, data.decode(encoding, errors))
            head, line, rest = text.encode().partition(b"\n")
            second, *others = rest.split(b"\n", 1)
            data = b"\n".join((_COOKIE.sub(b"codin_", head + line + second), *others))
    except (SyntaxError, UnicodeError, LookupError):
        pass  # mypy cannot read it either
    return renamed(_DIRECTIVE.sub(lambda match: match[0].replace(b":", b";"), data))


def renamed(data: bytes) -> bytes:
    """Renames `no_type_check` in code. The new name has the same length."""
    return data.replace(NO_TYPE_CHECK.encode(), UNNAMED_WORD.encode())


def _plain(match: re.Match[str]) -> str:
    name = match[0]
    # No letter becomes less than one letter.
    if name.isascii() or len(name) > len(NO_TYPE_CHECK):
        return name
    plain = unicodedata.normalize("NFKC", name)
    return plain if plain == NO_TYPE_CHECK else name
