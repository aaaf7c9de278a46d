"""What the miners and the checks know of a source file, whatever its language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol


class ImportedName(NamedTuple):
    """One imported name.

    Attributes:
        module: absolute name of the module; dots in front are resolved.
        name: name taken from the module; empty if the module itself is imported.
        alias: local name, if it differs.
        line: line, from 1.
        relative: whether the module is named with dots in front.
    """

    module: str
    name: str
    alias: str
    line: int
    relative: bool = False

    @property
    def target(self) -> str:
        """Module and name."""
        return f"{self.module}.{self.name}" if self.name else self.module


class Decorator(NamedTuple):
    """A decorator: its name, the literal values of its keyword arguments, and its line."""

    name: str
    keywords: Mapping[str, str]
    line: int


class Class(NamedTuple):
    """A class: `attributes` are the names assigned in its body, with their values if short."""

    name: str
    line: int
    bases: tuple[str, ...]
    decorators: tuple[Decorator, ...]
    attributes: Mapping[str, str]
    methods: tuple[str, ...]
    nested: bool
    documented: str


class Function(NamedTuple):
    """A function or a method: `required` are the parameters without a default value."""

    name: str
    line: int
    end_line: int
    owner: str
    decorators: tuple[Decorator, ...]
    parameters: tuple[str, ...]
    required: tuple[str, ...]
    returns: bool
    is_async: bool
    nested: bool
    documented: str


class CallSite(NamedTuple):
    """A call: `keywords` maps keyword arguments to their values if these are short literals.

    Attributes:
        name: full name of what is called; `~` stands before a name whose root is a variable.
        function: name of the innermost function around it; empty at the top of the module.
    """

    name: str
    line: int
    keywords: Mapping[str, str]
    function: str
    owner: str


class Raise(NamedTuple):
    """A raised error; `caught` says what is being handled."""

    name: str
    line: int
    caught: tuple[str, ...]


class Write(NamedTuple):
    """An attribute of a variable that is assigned, such as `order.status = "paid"`."""

    attribute: str
    line: int
    variable: str


class AttributeRead(NamedTuple):
    """A member of the request or the application that is read, such as `request.profile`."""

    name: str
    line: int


@dataclass
class FileFacts:
    """The facts of one file.

    Attributes:
        path: path from the root of the repository.
        module: name by which it is imported.
        partial: whether parts of it could not be parsed.
        assigned: names assigned at the top of the module, with what is called for them.
        header: first line of the comment at the top of the file.
        loops: what each function walks through.
    """

    path: str
    module: str
    lines: int = 0
    partial: bool = False
    documented: bool = False
    imports: list[ImportedName] = field(default_factory=list[ImportedName])
    classes: list[Class] = field(default_factory=list[Class])
    functions: list[Function] = field(default_factory=list[Function])
    calls: list[CallSite] = field(default_factory=list[CallSite])
    raises: list[Raise] = field(default_factory=list[Raise])
    writes: list[Write] = field(default_factory=list[Write])
    reads: list[AttributeRead] = field(default_factory=list[AttributeRead])
    header: str = ""
    assigned: dict[str, str] = field(default_factory=dict[str, str])
    loops: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])

    def decorated(self) -> Iterator[tuple[Decorator, str]]:
        """Yields each decorator, with the class whose method has it."""
        yield from ((one, each.owner) for each in self.functions for one in each.decorators)
        yield from ((one, "") for each in self.classes for one in each.decorators)

    def tests(self) -> list[Function]:
        """Returns the functions and methods that are tests."""
        return [one for one in self.functions if one.name.startswith("test") and not one.nested]

    def imports_of_own(self) -> list[ImportedName]:
        """Returns what is imported from the package that the file belongs to."""
        top = self.module.partition(".")[0]
        return [
            one
            for one in self.imports
            if one.module.partition(".")[0] == top and one.module != self.module
        ]


class Language(Protocol):
    """A programming language that can be read: its name, and the endings of its files."""

    name: str
    suffixes: tuple[str, ...]

    def read(self, path: str, module: str, content: bytes) -> FileFacts:
        """Returns the facts of a file; never raises for content that cannot be parsed."""
        ...
