"""The facts about a source file that the miners and the checks use. They have the same form for
every language.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol


class ImportedName(NamedTuple):
    """One imported name.

    Attributes:
        module: absolute name of the module, even if the import is relative.
        name: name that is imported from the module. Empty if the module itself is imported.
        alias: local name. Empty if it is the same as the imported name.
        line: number of the line, from 1.
        relative: whether the import is relative (with leading dots).
    """

    module: str
    name: str
    alias: str
    line: int
    relative: bool = False

    @property
    def target(self) -> str:
        """The module and the name, joined with a dot."""
        return f"{self.module}.{self.name}" if self.name else self.module


class Decorator(NamedTuple):
    """A decorator: its name, the literal values of its keyword arguments, and its line."""

    name: str
    keywords: Mapping[str, str]
    line: int


class Class(NamedTuple):
    """A class. `attributes` maps the names that are assigned in its body to their values, if these
    are short.
    """

    name: str
    line: int
    bases: tuple[str, ...]
    decorators: tuple[Decorator, ...]
    attributes: Mapping[str, str]
    methods: tuple[str, ...]
    nested: bool
    documented: str


class Function(NamedTuple):
    """A function or a method. `required` lists the parameters without a default value."""

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
    """A call. `keywords` maps the names of keyword arguments to their values, if these are short
    literals.

    Attributes:
        name: full name of the called function. It begins with `~` if its first part is a local
            variable.
        function: name of the innermost function that contains the call. Empty at the top level of
            the module.
    """

    name: str
    line: int
    keywords: Mapping[str, str]
    function: str
    owner: str


class Raise(NamedTuple):
    """A raised error. `caught` lists the errors that the surrounding code is handling."""

    name: str
    line: int
    caught: tuple[str, ...]


class Write(NamedTuple):
    """An assignment to an attribute of a variable, such as `order.status = "paid"`."""

    attribute: str
    line: int
    variable: str


class AttributeRead(NamedTuple):
    """An expression that reads a member of the request or of the application, such as
    `request.profile`.
    """

    name: str
    line: int


@dataclass
class FileFacts:
    """The facts of one file.

    Attributes:
        path: path from the root of the repository.
        module: name with which the file is imported.
        partial: whether parts of the file could not be parsed.
        assigned: names that are assigned at the top level of the module. Each value is the function
            whose result is assigned, or a short literal.
        header: first line of the comment at the top of the file.
        loops: the objects over which each function iterates.
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
        """Yields each decorator of a function or class. For a method, also yields the name of its
        class.
        """
        yield from ((one, each.owner) for each in self.functions for one in each.decorators)
        yield from ((one, "") for each in self.classes for one in each.decorators)

    def tests(self) -> list[Function]:
        """Returns the functions and methods that are tests."""
        return [one for one in self.functions if one.name.startswith("test") and not one.nested]

    def imports_of_own(self) -> list[ImportedName]:
        """Returns the imports of a file from its own top-level package."""
        top = self.module.partition(".")[0]
        return [
            one
            for one in self.imports
            if one.module.partition(".")[0] == top and one.module != self.module
        ]


class Language(Protocol):
    """A programming language that Quartermaster can read: its name, and the suffixes of its
    files.
    """

    name: str
    suffixes: tuple[str, ...]

    def read(self, path: str, module: str, content: bytes) -> FileFacts:
        """Returns the facts of a file. Never raises an error for content that cannot be parsed."""
        ...
