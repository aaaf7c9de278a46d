"""Parses a Dockerfile into instructions with line numbers, and stages."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, cast

_DIRECTIVE: Final = re.compile(r"^#\s*([a-zA-Z]+)\s*=\s*(\S+)\s*$")
_INSTRUCTION: Final = re.compile(r"^\s*([A-Za-z]+)(?:\s+(.*))?$", re.DOTALL)
_HEREDOC: Final = re.compile(r"<<(-?)([\"']?)([A-Za-z_][A-Za-z0-9_]*)\2")
_VARIABLE_PATTERN: Final = re.compile(
    r"\$(?:\{([A-Za-z_]\w*)(?::?([-+])([^}]{0,500}))?\}|([A-Za-z_]\w*))"
)
_FLAG: Final = re.compile(r"--[a-z][a-z-]*(?:=\S+)?\s*")
KEYWORDS: Final = frozenset(
    {
        *("ADD", "ARG", "CMD", "COPY", "ENTRYPOINT", "ENV", "EXPOSE", "FROM", "HEALTHCHECK"),
        *("LABEL", "MAINTAINER", "ONBUILD", "RUN", "SHELL", "STOPSIGNAL", "USER", "VOLUME"),
        "WORKDIR",
    }
)


@dataclass(frozen=True)
class Instruction:
    """An instruction of a Dockerfile.

    Attributes:
        keyword: the keyword in capitals, such as ``RUN``.
        text: the text after the keyword. Continuation lines are joined; comments and flags are
            removed.
        flags: flags of the instruction, such as ``--from=build``.
        line: first line, counted from 1.
        end_line: last line.
        body: text of the instruction's here-documents.
    """

    keyword: str
    text: str
    flags: tuple[str, ...]
    line: int
    end_line: int
    body: str = ""

    @property
    def words(self) -> list[str]:
        """The words of the text. If the text is a JSON list, these are its entries."""
        if self.text.startswith("["):
            try:
                listed = json.loads(self.text)
            except ValueError:
                return self.text.split()
            return [str(word) for word in cast("list[object]", listed)]
        return self.text.split()

    @property
    def script(self) -> str:
        """The text that a shell would run, including here-documents."""
        return f"{' '.join(self.words) if self.text.startswith('[') else self.text}\n{self.body}"


@dataclass
class Stage:
    """A build stage: a FROM and the instructions up to the next FROM.

    Attributes:
        image: the base image. Variables are replaced if their values are known.
        name: name of the stage in lower case; empty if it has none.
        start: the FROM instruction.
        instructions: the instructions after FROM.
    """

    image: str
    name: str
    start: Instruction
    instructions: list[Instruction] = field(default_factory=list[Instruction])

    def each(self, keyword: str) -> Iterator[Instruction]:
        """Returns the instructions of the stage that have the given keyword."""
        return (found for found in self.instructions if found.keyword == keyword)


@dataclass(frozen=True)
class Dockerfile:
    """A Dockerfile.

    Attributes:
        instructions: all instructions, in order.
        stages: all stages, in order.
        wrong_lines: numbers of the lines that are not valid instructions.
    """

    instructions: tuple[Instruction, ...]
    stages: tuple[Stage, ...]
    wrong_lines: tuple[int, ...]

    def each(self, *keywords: str) -> Iterator[Instruction]:
        """Returns the instructions that have one of the given keywords."""
        return (found for found in self.instructions if found.keyword in keywords)

    def lineage(self, stage: Stage) -> list[Stage]:
        """Returns a stage, followed by the stages that it is built on."""
        known: dict[str, Stage] = {}
        for number, other in enumerate(self.stages):
            if other is stage:
                break
            known[str(number)] = other
            if other.name:
                known[other.name] = other
        chain = {id(stage): stage}
        while (before := known.get(stage.image.lower())) and id(before) not in chain:
            chain[id(before)] = stage = before
        return [*chain.values()]


def parse(text: str) -> Dockerfile:
    """Parses the text of a Dockerfile."""
    instructions: list[Instruction] = []
    wrong: list[int] = []
    for line, end, statement, body in _statements(text):
        match = _INSTRUCTION.match(statement)
        if match is None or match[1].upper() not in KEYWORDS:
            wrong.append(line)
            continue
        rest, at, flags = (match[2] or "").strip(), 0, list[str]()
        while flag := _FLAG.match(rest, at):
            flags.append(flag[0].strip())
            at = flag.end()
        text = rest[at:].strip()
        instructions.append(Instruction(match[1].upper(), text, tuple(flags), line, end, body))
    return Dockerfile(tuple(instructions), tuple(_stages(instructions)), tuple(wrong))


def _statements(text: str) -> Iterator[tuple[int, int, str, str]]:
    """Yields the first line, the last line, the joined text and the here-documents of each
    statement.
    """
    lines = text.splitlines()
    escape = _escape(lines)
    row = 0
    while row < len(lines):
        first = row
        parts: list[str] = []
        while row < len(lines):
            line = lines[row].rstrip()
            row += 1
            # Comments and empty lines may stand between the parts.
            if line.lstrip().startswith("#") or (parts and not line):
                if not parts:
                    first = row
                continue
            is_continued = line.endswith(escape)
            parts.append(line[:-1] if is_continued else line)
            if not is_continued:
                break
        statement = " ".join(part.strip() for part in parts).strip()
        if not statement:
            continue
        body: list[str] = []
        if statement[:4].upper().startswith(("RUN", "COPY", "ADD")):
            for here in _HEREDOC.finditer(statement):
                while row < len(lines) and lines[row].strip() != here[3]:
                    body.append(lines[row])
                    row += 1
                row += 1
        yield first + 1, min(row, len(lines)), statement, "\n".join(body)


def _escape(lines: list[str]) -> str:
    for line in lines:
        match = _DIRECTIVE.match(line)
        if match is None:
            break
        if match[1].lower() == "escape" and match[2] in {"`", "\\"}:
            return match[2]
    return "\\"


def _stages(instructions: list[Instruction]) -> list[Stage]:
    stages: list[Stage] = []
    arguments: dict[str, str] = {}
    for found in instructions:
        if found.keyword == "FROM":
            image, *rest = found.text.split() or [""]
            name = rest[1].lower() if len(rest) > 1 and rest[0].lower() == "as" else ""
            stages.append(Stage(replaced(image, arguments), name, found))
        elif stages:
            stages[-1].instructions.append(found)
        elif found.keyword == "ARG":
            name, _, value = found.text.partition("=")
            arguments[name.strip()] = value.strip().strip("\"'")
    return stages


def replaced(text: str, values: dict[str, str]) -> str:
    """Replaces the variables in a text with their values. A variable without a known value becomes
    ``$``.
    """

    def value(match: re.Match[str]) -> str:
        found = values.get(match[1] or match[4] or "", "")
        if match[2] == "-" and not found:
            return match[3] or ""
        if match[2] == "+":
            return (match[3] or "") if found else ""
        return found or "$"

    return _VARIABLE_PATTERN.sub(value, text)
