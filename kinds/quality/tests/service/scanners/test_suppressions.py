"""Words that tell checkers to be silent: which there are, and what they would hide."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from quartermaster.core.findings import Finding, Scan, Severity, Status
from quartermaster.projects.guard import ProjectFileAccess, real_folder
from quartermaster.projects.project_files import walk
from quartermaster_quality.scanners import bandit, lizard, mypy, secrets, suppressions, vulture
from quartermaster_quality.scanners.interface import ScanOptions, SourceFile
from quartermaster_quality.scanners.mirror import Mirror
from quartermaster_quality.scanners.suppressions import (
    marked,
    may_have_words,
    renamed,
    without_suppressions,
)
from tests.support.each import for_each

PASSWORD = "xK9#mQ2$vL5nR8wT"
# Written in parts, so that nobody takes it for a key.
KEY = "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc"


def source(text: str, path: str = "src/a.py") -> SourceFile:
    return SourceFile(path, text.encode())


def words(text: str, path: str = "src/a.py") -> list[tuple[str, int]]:
    """Returns the words of a file, with their lines."""
    there = source(text, path)
    found = suppressions.examine(there, ScanOptions()).findings
    assert may_have_words(there) or not found
    return [(word.name, word.line) for word in found]


def hidden(module: object, text: str, path: str = "src/a.py") -> list[tuple[str, bool, str]]:
    """Returns what a scanner finds: the rule, whether it is a hint, and the word that would hide
    it.
    """
    there = source(text, path)
    scan: Scan = getattr(module, "examine")(there, ScanOptions())  # noqa: B009
    found = marked(scan, suppressions.examine(there, ScanOptions())).findings
    return [(each.rule, each.is_hint, each.suppressed_by) for each in found]


def of_mypy(line: int, code: str = "attr-defined", end: int | None = None) -> Scan:
    return Scan(
        "mypy", "", Status.OK, findings=(Finding(code, "x", line, Severity.HIGH, end_line=end),)
    )


@for_each(
    [
        ("x = 1  # noqa: F401, E501", "# noqa: F401, E501"),
        ("x = 1  #NoQA", "#NoQA"),
        ("x = 1  # why # noqa", "# noqa"),
        ("# ruff: noqa", "# ruff: noqa"),
        ("# flake8: noqa: E501", "# flake8: noqa: E501"),
        ("# ruff: disable[F401]", "# ruff: disable[F401]"),
        ("x = 1  # nosec B101,B102 - no", "# nosec B101,B102"),
        ("x = 1  # type:ignore", "# type:ignore"),
        ("x = 1  # type: ignore[a-b, c]", "# type: ignore[a-b, c]"),
        ("# mypy: ignore-errors", "# mypy: ignore-errors"),
        ("x = 1  # ty: ignore[a]", "# ty: ignore[a]"),
        ("x = 1  # pyright: ignore", "# pyright: ignore"),
        ("# pylint: disable=all", "# pylint: disable=all"),
        ("x = 1  # pragma: no cover", "# pragma: no cover"),
        ("x = 1  # pragma: allowlist secret", "pragma: allowlist secret"),
    ],
    str,
)
def test_a_word_in_a_comment_is_found(case: tuple[str, str]):
    text, word = case
    assert words(f"y = 2\n{text}\n") == [(word, 2)]


@for_each(
    [
        "x = '# noqa'",
        '"""\n    # type: ignore\n    # nosec\n    # ruff: noqa\n"""',
        "# see the noqa below",
        "# nosecret",
        "noqa = nosec = 1",
        "# type: ignored",
        "# mypy is a checker",
        "TYPE_CHECKING = False",
        "if TYPE_CHECKING:\n    import x\n",
        "from typing import no_type_check",
        "@final\nclass A: ...",
        "@(lambda f: f)\ndef g(): ...",
    ],
    str,
)
def test_what_only_looks_like_a_word_is_none(text: str):
    assert words(f"{text}\n") == []


@for_each(
    [
        ("#lizard forgives", "a.js", "// #lizard forgives\nf()\n"),
        ("GENERATED CODE", "a.go", "/* GENERATED CODE */\n"),
        ("# hadolint global ignore=DL3008", "Dockerfile", "# hadolint global ignore=DL3008\n"),
        ("gitleaks:allow", "a.yaml", "x: 1  # gitleaks:allow\n"),
        ("// nosec", "a.go", "x := 1 // nosec\n"),
    ],
    str,
)
def test_words_of_other_languages_are_found(case: tuple[str, str, str]):
    word, path, text = case
    assert words(text, path) == [(word, 1)]


@for_each(
    [
        ("typing.no_type_check", ""),
        ("no_type_check", "from typing import no_type_check\n"),
        ("quiet", "from typing import no_type_check as quiet\n"),
        ("quiet", "quiet = typing.no_type_check\n"),
    ],
    str,
)
def test_the_decorator_is_found_under_any_name(case: tuple[str, str]):
    name, before = case
    [(word, line)] = words(f"import typing\n{before}\n@{name}\ndef f(): ...\n")
    assert (word, line) == (f"@{name.rpartition('.')[2]}", 3 + bool(before))


@for_each(
    [
        ("if not TYPE_CHECKING:\n    x = 1\n", 2),
        ("if typing.TYPE_CHECKING:\n    x: int\nelse:\n    x = 1\n", 4),
        ("if TYPE_CHECKING and MYPY:\n    raise E\nx = 1\n", 3),
        ("assert not MYPY\nx = 1\n", 2),
        ("if PY2 or not PY3:\n    x = 1\n", 2),
        ("x = 1 if MYPY else (\n    2\n)\n", 2),
        ("TYPE_CHECKING or (\n    f()\n)\n", 2),
        ("def f():\n    if MYPY:\n        return\n    g()\n", 4),
    ],
    str,
)
def test_lines_that_mypy_does_not_read_are_found(case: tuple[str, int]):
    text, line = case
    assert line in [row for _, row in words(text)]


@for_each(
    [
        ('if sys.platform != "{}":', True),
        ('if not sys.platform.startswith("{}"):', True),
        ('if sys.platform not in ("{}", "x"):', True),
        ('if not (sys.platform == "{}" and sys.version_info >= (3,)):', True),
        ("while sys.version_info < (3, 0):", True),
        ("if sys.version_info[0] == 2:", True),
        ("if sys.version_info[:2] <= (3, 2):", True),
        ("if (3,) > sys.version_info:", True),
        ('if sys.platform == "{}":', False),
        ("if sys.version_info >= (3, 8):", False),
        ('if os.name == "nt":', False),
        ("if version_info == 2:", False),
        ('if sys.platform == "{}" and f():', False),
        ("if sys.version_info > needed:", False),
    ],
    str,
)
def test_lines_for_other_systems_are_found(case: tuple[str, bool]):
    condition, is_skipped = case
    found = words(f"y = 2\n{condition.format(sys.platform)}\n    x = 1\n")
    assert [line for _, line in found] == ([3] if is_skipped else [])
    assert all(name in {"sys.platform", "sys.version_info"} for name, _ in found)


def test_few_lines_for_other_systems_are_named_and_many_are_not_read():
    code = f'if sys.platform != "{sys.platform}":\n    x = 1\n    y = 1\n'
    few = suppressions.examine(source(code + "z = 2\n" * 30), ScanOptions())
    many = suppressions.examine(source(code), ScanOptions())
    assert [word.rule for word in few.findings] == ["suppression-elsewhere"]
    assert [word.rule for word in many.findings] == ["suppression-unread"]
    assert marked(Scan("mypy", "", Status.OK), few).status is Status.OK
    assert marked(Scan("mypy", "", Status.OK), many).status is Status.DEGRADED


def test_a_file_that_hides_most_of_it_was_not_read_by_mypy():
    scan = Scan("mypy", "", Status.OK)
    most = suppressions.examine(source("if not MYPY:\n    x = 1\n"), ScanOptions())
    little = suppressions.examine(
        source("if not MYPY:\n    x = 1\n" + "y = 2\n" * 20), ScanOptions()
    )
    assert marked(scan, most).status is Status.DEGRADED
    assert marked(scan, little).status is Status.OK


@for_each(["# nosec", "# nosec B307", "#nosec: B102, B307", "# x # nosec"], str)
def test_what_bandit_finds_in_a_line_with_nosec_is_a_hint(comment: str):
    [(_, is_hint, word)] = hidden(bandit, f"eval(x)  {comment}\n")
    assert is_hint
    assert word


@for_each(["# nosec B101", "; y = '# nosec'"], str)
def test_another_rules_nosec_hides_nothing(end: str):
    assert hidden(bandit, f"eval(x)  {end}\n") == [("B307", False, "")]


@for_each(["# nosec", "# pragma: allowlist secret", "# noqa: S105", "# x  # gitleaks:allow"], str)
def test_a_comment_makes_a_password_a_hint_but_never_a_providers_key(comment: str):
    text = f'password = "{PASSWORD}"  {comment}\nkey = "{KEY}"  {comment}\n'
    assert [each[:2] for each in hidden(secrets, text)] == [
        ("secret-named", True),
        ("secret-stripe", False),
    ]


@for_each(
    [
        'nosec_password = "{}"',
        'password = "{}"; nosec = 1',
        'password = "{}"  # nosecret',
        'password = "{}"  # noqa',
        'password = "{}" + "# nosec"',
    ],
    str,
)
def test_only_a_comment_makes_a_password_a_hint(line: str):
    assert hidden(secrets, line.format(PASSWORD) + "\n") == [("secret-named", False, "")]


def test_vulture_obeys_no_comment():
    text = "import os  # noqa: F401\nimport re  # noqa: E501\nimport sys  # noqa\n"
    assert [is_hint for _, is_hint, _ in hidden(vulture, text)] == [True, False, True]


@for_each(["// #lizard forgives", "// GENERATED CODE", "/* #lizard forgive global */"], str)
def test_lizard_obeys_no_comment(comment: str):
    branches = " ".join(f"if (x == {n}) return {n};" for n in range(12))
    [(rule, is_hint, word)] = hidden(lizard, f"function f(x) {{ {comment}\n{branches} }}\n", "a.js")
    assert (rule, is_hint) == ("complexity", False)
    assert word in comment


@for_each(
    [
        ("x  # type: ignore", 1, True),
        ("x  # type: ignore[attr-defined]", 1, True),
        ("x  # type: ignore[misc]", 1, None),
        ("# mypy: ignore-errors\nx", 2, False),
        ("# mypy: disable-error-code='attr-defined'\nx", 2, False),
        ("# mypy: disable-error-code='misc'\nx", 2, None),
        ("# mypy: strict\nx", 2, None),
        ("# type: ignore\nx", 2, False),
        ("'''Text.'''\n# type: ignore\nx", 3, None),
        ("@no_type_check\ndef f():\n    x", 3, False),
        ("@no_type_check\ndef f():\n    x\ny", 4, None),
    ],
    str,
)
def test_a_finding_of_mypy_says_what_would_hide_it(case: tuple[str, int, bool | None]):
    text, line, is_hint = case
    scan = suppressions.examine(source(f"{text}\n"), ScanOptions())
    [found] = marked(of_mypy(line), scan).findings
    assert (found.is_hint if found.suppressed_by else None) is is_hint


def test_a_word_in_any_line_of_an_expression_is_about_it():
    text = "f(\n    x,\n)  # type: ignore\n"
    scan = suppressions.examine(source(text), ScanOptions())
    [found] = marked(of_mypy(1, end=3), scan).findings
    assert (found.is_hint, found.suppressed_at) == (True, 3)


def test_a_code_that_includes_others_is_about_them():
    scan = suppressions.examine(source("x()  # type: ignore[misc]\n"), ScanOptions())
    assert marked(of_mypy(1, "call-arg"), scan).findings[0].is_hint


@for_each(
    [
        ("x  # type: ignore[a]  # y", "x  # type; ignore[a]  # y"),
        ("x  #type :ignore", "x  #type ;ignore"),
        ("# mypy: ignore-errors", "# mypy; ignore-errors"),
        ("x  # ty: ignore", "x  # ty; ignore"),
        ("x  # type: int", "x  # type: int"),
        ("@typing.no_type_check", "@typing.no_type_chec_"),
        ("# coding: latin-1\nx = 'é'", "# codin_: latin-1\nx = 'é'"),
        ("# coding: utf-7\n+ACM- type: ignore", "# codin_: utf-7\n# type; ignore"),
        ("x = 'é'\n@no_type_cheｃk", "x = 'é'\n@no_type_chec_"),
    ],
    str,
)
def test_a_type_checker_reads_code_without_words(case: tuple[str, str]):
    before, after = case
    encoding = "latin-1" if "latin" in before else "utf-8"
    assert without_suppressions(before.encode(encoding)).decode() == after


def test_what_cannot_be_decoded_is_left_to_the_checker():
    assert without_suppressions(b"x = '\xff'\n") == b"x = '\xff'\n"


def test_mypy_checks_what_a_package_decorates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)  # mypy changes the folder
    root = real_folder(tmp_path) / "p"
    root.mkdir()
    package = tmp_path / "env" / "lib" / "python3.11" / "site-packages" / "third"
    package.mkdir(parents=True)
    (package / "py.typed").write_text("")
    code = b"from typing_extensions import no_type_check as quiet\n"
    (package / "__init__.py").write_bytes(renamed(code))
    text = "from third import quiet\n\n\n@quiet\ndef f(x: int) -> str:\n    return x.gone\n"
    (root / "a.py").write_text(text)
    guard = ProjectFileAccess(root)
    mirror = Mirror(guard, tmp_path / "mirror")
    mirror.update(walk(guard).files)
    settings = ScanOptions(mirror=mirror.folder, environment=tmp_path / "env")
    scan = mypy.examine(SourceFile("a.py", text.encode()), settings)
    assert [(each.rule, each.line) for each in scan.findings] == [("attr-defined", 6)]
