"""Defines what every scanner receives: the file, and the options of the scan."""

from __future__ import annotations

import codecs
import io
import re
import tokenize
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from quartermaster.projects.worker_calls import WorkerError

PYTHON_SUFFIXES: Final = frozenset({".py", ".pyi", ".pyw"})
# Languages in which weaknesses can be written, but whose code no security scanner reads: it is only
# searched for secrets.
UNREAD_LANGUAGES: Final = {
    **dict.fromkeys((".js", ".jsx", ".mjs", ".cjs"), "JavaScript"),
    **dict.fromkeys((".ts", ".tsx", ".mts", ".cts"), "TypeScript"),
    **dict.fromkeys((".c", ".h"), "C"),
    **dict.fromkeys((".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx"), "C++"),
    **dict.fromkeys((".m", ".mm"), "Objective-C"),
    **dict.fromkeys((".pyx", ".pxd", ".pxi"), "Cython"),
    **dict.fromkeys((".sh", ".bash", ".zsh", ".ksh", ".fish"), "shell"),
    **dict.fromkeys((".ps1", ".psm1"), "PowerShell"),
    **dict.fromkeys((".pl", ".pm"), "Perl"),
    **dict.fromkeys((".ex", ".exs"), "Elixir"),
    **dict.fromkeys((".erl", ".hrl"), "Erlang"),
    **dict.fromkeys((".hs", ".lhs"), "Haskell"),
    **dict.fromkeys((".ml", ".mli"), "OCaml"),
    **dict.fromkeys((".clj", ".cljs", ".cljc"), "Clojure"),
    **dict.fromkeys((".fs", ".fsx"), "F#"),
    **dict.fromkeys((".vb", ".vbs"), "Visual Basic"),
    **dict.fromkeys((".bat", ".cmd"), "batch files"),
    **dict.fromkeys((".jsp", ".erb", ".phtml"), "templates with code"),
    ".ipynb": "notebooks",
    ".kts": "Kotlin",
    ".gradle": "Gradle",
    ".r": "R",
    ".jl": "Julia",
    ".zig": "Zig",
    ".nim": "Nim",
    ".cr": "Crystal",
    ".coffee": "CoffeeScript",
    ".awk": "awk",
    ".tcl": "Tcl",
    ".sol": "Solidity",
    ".el": "Emacs Lisp",
    ".lisp": "Lisp",
    ".pas": "Pascal",
    ".f90": "Fortran",
    ".asm": "assembler",
    ".vue": "Vue",
    ".svelte": "Svelte",
    ".cs": "C#",
    ".java": "Java",
    ".kt": "Kotlin",
    ".scala": "Scala",
    ".swift": "Swift",
    ".go": "Go",
    ".rs": "Rust",
    ".rb": "Ruby",
    ".php": "PHP",
    ".lua": "Lua",
    ".sql": "SQL",
    ".groovy": "Groovy",
    ".dart": "Dart",
}
# Of the languages that lizard reads.
OTHER_SUFFIXES: Final = frozenset(
    {
        *(".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".vue"),
        *(".c", ".h", ".cc", ".cpp", ".hpp", ".cs", ".java", ".kt", ".scala", ".swift"),
        *(".go", ".rs", ".rb", ".php", ".lua"),
    }
)
_TEXTS: Final = frozenset(
    {
        *("readme", "license", "licence", "copying", "notice", "authors", "contributors"),
        *("maintainers", "codeowners", "changelog", "changes", "history", "news", "todo"),
        *("install", "version", "manifest", "pkg-info"),
    }
)
"""Names of files without a suffix that contain texts. Any other file without a suffix may be a
program.
"""
_CONFIG: Final = re.compile("dockerfile|^containerfile$")
# Their readers take a time that is linear in the text. Others run as Python, or take a square.
_ENCODINGS: Final = re.compile(
    r"ascii|utf-7|utf-8(?:-sig)?|iso8859-\d{1,2}|cp\d{3,4}|koi8-[rtu]|mac-[a-z]+|tis-620|kz1048"
    r"|big5(?:hkscs)?|gb2312|gbk|gb18030|hz|johab|euc_(?:jp|kr|jis_2004|jisx0213)"
    r"|shift_jis(?:_2004|x0213)?|iso2022_(?:jp|kr)(?:_\w{1,4})?"
)
_PYTHON_PROGRAM: Final = re.compile(rb"#![^\n]*\bpython")
COVERAGE_FILE: Final = ".coverage"


@dataclass(frozen=True)
class SourceFile:
    """The file to scan.

    Attributes:
        path: path below the project's root, with ``/``. No scanner opens this path.
        data: the bytes of the file.
    """

    path: str
    data: bytes

    @property
    def suffix(self) -> str:
        """The suffix of the file's name in lower case, such as ``.py``."""
        return PurePosixPath(self.path).suffix.lower()

    @property
    def is_python(self) -> bool:
        """Whether the file is written in Python, judging by its name."""
        return self.suffix in PYTHON_SUFFIXES

    @property
    def unread_language(self) -> str | None:
        """The language of the file if no security scanner reads this language; otherwise None."""
        name = PurePosixPath(self.path).name.lower()
        if self.suffix or name.startswith(".") or name in _TEXTS or _CONFIG.search(name):
            return UNREAD_LANGUAGES.get(self.suffix)
        if _PYTHON_PROGRAM.match(self.data):
            return "Python in a file whose name does not end in .py"
        return "files without a suffix"

    @property
    def is_test(self) -> bool:
        """Whether the file is a test, judging by its path. In tests, asserts and made-up passwords
        are not weaknesses.
        """
        *folders, name = self.path.split("/")
        return name.startswith(("test_", "conftest.")) or "tests" in folders

    def text(self) -> str:
        """Returns the file as text, in the encoding that it declares.

        Raises:
            UnreadableError: the bytes are not text in that encoding.
        """
        try:
            if not self.is_python:
                return self.data.decode("utf-8-sig")
            text = self.data.decode(declared_encoding(self.data))
        except (SyntaxError, UnicodeError) as error:
            raise UnreadableError(f"The bytes are not text: {error}.") from None
        if "\0" in text:
            raise UnreadableError("The file contains a null character.")
        return text


class UnreadableError(WorkerError):
    """A scanner cannot read the file."""


def declared_encoding(data: bytes) -> str:
    """Returns the encoding that Python code declares, such as ``utf-8``.

    Args:
        data: the code.

    Raises:
        UnicodeError: source code is never written in this encoding.
        SyntaxError: no encoding has the declared name.
    """
    encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    if not _ENCODINGS.fullmatch(codecs.lookup(encoding).name):
        raise UnicodeError(f"no code is read in the encoding {encoding[:40]}")
    return encoding


@dataclass(frozen=True)
class ScanOptions:
    """The options on which a scan depends, in addition to the file.

    Attributes:
        python_version: version of Python that the file is written for, such as ``3.12``.
        secret_key: the key with which the fingerprints of secrets are computed.
        mirror: folder with copies of the project's Python files, for type checkers; None if there
            is none.
        environment: folder of an environment with copies of the packages that the project uses;
            None if there is none.
        timeout_s: seconds after which a scanner is killed.
        together: paths in the mirror of other files that will be scanned, too. Mypy checks all
            these files at once.
    """

    python_version: str = "3.11"
    secret_key: bytes = b""
    mirror: Path | None = None
    environment: Path | None = None
    timeout_s: float = 20.0
    together: tuple[str, ...] = ()
