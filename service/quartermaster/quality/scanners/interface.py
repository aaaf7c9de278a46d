"""What every scanner gets and returns."""

from __future__ import annotations

import io
import tokenize
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, Final, Protocol

from pydantic import TypeAdapter

from quartermaster.quality.findings import Scan

PYTHON_SUFFIXES: Final = frozenset({".py", ".pyi"})
# Languages in which weaknesses can be written, but whose code no security scanner reads: it is only
# searched for secrets.
UNREAD_LANGUAGES: Final = {
    **dict.fromkeys((".js", ".jsx", ".mjs", ".cjs"), "JavaScript"),
    **dict.fromkeys((".ts", ".tsx"), "TypeScript"),
    **dict.fromkeys((".c", ".h"), "C"),
    **dict.fromkeys((".cc", ".cpp", ".hpp"), "C++"),
    **dict.fromkeys((".sh", ".bash", ".zsh", ".ksh", ".fish"), "shell"),
    **dict.fromkeys((".ps1", ".psm1"), "PowerShell"),
    **dict.fromkeys((".pl", ".pm"), "Perl"),
    **dict.fromkeys((".ex", ".exs"), "Elixir"),
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
COVERAGE_FILE: Final = ".coverage"


@dataclass(frozen=True)
class Source:
    """The file to scan.

    Attributes:
        path: path below the project's root, with ``/``. No scanner opens it.
        data: its bytes.
    """

    path: str
    data: bytes

    @property
    def suffix(self) -> str:
        """The end of the file's name, such as ``.py``."""
        return PurePosixPath(self.path).suffix.lower()

    @property
    def is_python(self) -> bool:
        """Whether the file is written in Python."""
        return self.suffix in PYTHON_SUFFIXES

    @property
    def is_test(self) -> bool:
        """Whether the file is a test, in which asserts and made-up passwords are no weakness."""
        *folders, name = self.path.split("/")
        return name.startswith(("test_", "conftest.")) or "tests" in folders

    def text(self) -> str:
        """The file as text, in the encoding that it declares.

        Raises:
            UnreadableError: the bytes are not text in that encoding.
        """
        try:
            if not self.is_python:
                return self.data.decode("utf-8-sig")
            encoding, _ = tokenize.detect_encoding(io.BytesIO(self.data).readline)
            text = self.data.decode(encoding)
        except (SyntaxError, UnicodeDecodeError, LookupError) as error:
            raise UnreadableError(f"The bytes are not text: {error}.") from None
        if "\0" in text:
            raise UnreadableError("The file contains a null character.")
        return text


class UnreadableError(Exception):
    """A scanner cannot read the file."""


@dataclass(frozen=True)
class Settings:
    """What a scan depends on besides the file.

    Attributes:
        python_version: version of Python that the file is written for, such as ``3.12``.
        secret_key: key of the fingerprints of secrets.
        mirror: folder with copies of the project's Python files, for type checkers; None if there
            is none.
        environment: folder of an environment with copies of the packages that the project uses.
        timeout_s: seconds after which a scanner is killed.
    """

    python_version: str = "3.11"
    secret_key: bytes = b""
    mirror: Path | None = None
    environment: Path | None = None
    timeout_s: float = 20.0

    def as_dict(self) -> dict[str, Any]:
        """As JSON can carry it."""
        return {
            "python_version": self.python_version,
            "secret_key": self.secret_key.hex(),
            "mirror": str(self.mirror) if self.mirror else None,
            "environment": str(self.environment) if self.environment else None,
            "timeout_s": self.timeout_s,
        }

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> Settings:
        """The inverse of `as_dict`."""
        mirror, environment = values["mirror"], values["environment"]
        return cls(
            python_version=values["python_version"],
            secret_key=bytes.fromhex(values["secret_key"]),
            mirror=Path(mirror) if mirror else None,
            environment=Path(environment) if environment else None,
            timeout_s=values["timeout_s"],
        )


class Scanner(Protocol):
    """One scanner."""

    @property
    def name(self) -> str:
        """Its name, such as ``ruff``."""
        ...

    def applies(self, source: Source) -> bool:
        """Whether it is meant for this kind of file."""
        ...

    async def scan(self, source: Source, settings: Settings) -> Scan:
        """Scans a file. It does not raise for what is wrong with the file or the scanner."""
        ...


_SCAN: Final = TypeAdapter(Scan)


def scan_as_dict(scan: Scan) -> dict[str, Any]:
    """A scan as JSON can carry it."""
    return _SCAN.dump_python(scan, mode="json")


def scan_from_dict(values: object) -> Scan:
    """The inverse of `scan_as_dict`.

    Raises:
        ValueError: the values are not those of a scan.
    """
    return _SCAN.validate_python(values)
