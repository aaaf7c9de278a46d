"""Questions and the prose that answers them: of the built-in notes, and of Python packages."""

from __future__ import annotations

import ast
import random
import re
import sys
import sysconfig
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import yaml

# Packages under free licences, besides the standard library. None of them is in a set for measuring
# look-ups (docs/minilm-tools-4.md). Those that are not installed are left out.
PACKAGES: Final = (
    *("alembic", "boto3", "botocore", "cyclopts", "fastmcp", "fontTools", "fsspec"),
    *("huggingface_hub", "key_value", "keyring", "matplotlib", "more_itertools", "moto"),
    *("mpmath", "opentelemetry", "PIL", "prometheus_client", "pyparsing", "setuptools"),
    *("sympy", "torch", "werkzeug"),
)
# Training is for a checkout, in which these stand.
_NOTES: Final = Path(__file__).parents[2] / "kinds/knowledge/quartermaster_knowledge/notes"
# A heading, what is asked, and the text up to the next heading.
_PASSAGE: Final = re.compile(
    r"^## ([^\n]+)\n\nAsked: ((?:[^\n]+\n)+)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL
)
_MAX_TEXTS: Final = 3000
_MOST_OF_A_PACKAGE: Final = 150
_SENTENCES: Final = re.compile(r"(?<=[.?!])\s+")
_FEWEST_LETTERS: Final = 12
_FEWEST_WORDS, _MOST_WORDS = 5, 28
_LETTERS: Final = 400
_SEED: Final = 11


@dataclass(frozen=True)
class Prose:
    """Questions and passages.

    Attributes:
        asked: the questions.
        passages: the passages.
        answers: number of the passage that answers each question; None if none is named.
    """

    asked: list[str]
    passages: list[str]
    answers: list[int | None]


def prose_of_notes(questions: Sequence[str]) -> Prose:
    """Reads the built-in notes: each passage answers its heading and what it says is asked.

    Args:
        questions: more questions, for which no passage is named.
    """
    prose = Prose([], [], [])
    for file in sorted(_NOTES.rglob("*.md")):
        _, head, body = file.read_text(encoding="utf-8").split("---\n", 2)
        title = yaml.safe_load(head)["title"]
        for heading, asked, text in _PASSAGE.findall(body):
            sentences = _SENTENCES.split(" ".join(asked.split()))
            questions_of = [heading, *(s for s in sentences if len(s) > _FEWEST_LETTERS)]
            prose.answers.extend([len(prose.passages)] * len(questions_of))
            prose.asked.extend(questions_of)
            prose.passages.append(f"{title}: {heading}. {' '.join(text.split())}")
    prose.asked.extend(questions)
    prose.answers.extend([None] * len(questions))
    return prose


def prose_of_packages() -> Prose:
    """Reads docstrings: the first sentence asks for the object whose path and other words
    follow.
    """
    found = [
        (package, *described)
        for package, file, module in _modules()
        for described in _docstrings(file, module)
    ]
    random.Random(_SEED).shuffle(found)
    prose, seen, count = Prose([], [], []), set[str](), Counter[str]()
    for package, path, first, rest in found:
        if first in seen or count[package] >= _MOST_OF_A_PACKAGE or len(seen) == _MAX_TEXTS:
            continue
        seen.add(first)
        count[package] += 1
        words = path.replace("_", " ").replace(".", " ")
        prose.answers.append(len(prose.passages))
        prose.asked.append(first[0].lower() + first[1:])
        prose.passages.append(f"{words}: {rest}" if rest else words)
    return prose


def _modules() -> Iterator[tuple[str, Path, str]]:
    """Returns the package, the file and the name of each module."""
    paths = sysconfig.get_paths()
    places = [(Path(paths["stdlib"]), sorted(sys.stdlib_module_names))]
    places.append((Path(paths["purelib"]), list(PACKAGES)))
    for place, names in places:
        for name in names:
            folder = place / name
            files = sorted(folder.rglob("*.py")) if folder.is_dir() else [place / f"{name}.py"]
            for file in files:
                parts = file.relative_to(place).with_suffix("").parts
                if file.is_file() and not any(
                    part.startswith(("_", "test")) and part != "__init__" for part in parts
                ):
                    yield name, file, ".".join(part for part in parts if part != "__init__")


def _docstrings(file: Path, module: str) -> Iterator[tuple[str, str, str]]:
    """Returns the path, the first sentence and the other words of each public object."""
    try:
        tree = ast.parse(file.read_text(encoding="utf-8", errors="ignore"))
    except SyntaxError:
        return
    left: list[tuple[str, ast.AST]] = [(module, tree)]
    while left:
        above, node = left.pop()
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            if child.name.startswith("_"):
                continue
            path = f"{above}.{child.name}"
            if isinstance(child, ast.ClassDef):
                left.append((path, child))
            about = " ".join((ast.get_docstring(child) or "").split())
            first, *rest = _SENTENCES.split(about, maxsplit=1)
            if _FEWEST_WORDS <= len(first.split()) <= _MOST_WORDS and first.isascii():
                yield path, first.rstrip("."), "".join(rest)[:_LETTERS]
