"""Defines abstract values. An abstract value contains everything that the taint pass knows about
the value of an expression.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from types import NoneType

from quartermaster_quality.taint.marks import MAX_MARKS, NO_FACTS, Facts, Mark, any_of, few, under

NO_MARKS: frozenset[Mark] = frozenset()
MAX_OPTIONS = 8
MAX_DEPTH = 5
MAX_GRAPH = 80


class AbstractValue:
    """The base class of all abstract values."""

    __slots__ = ()


Args = list[AbstractValue]
Kwargs = dict[str, AbstractValue]


@dataclass(slots=True, eq=False)
class Const(AbstractValue):
    """A known value: str, bytes, number, bool or None."""

    value: object
    line: int = 0


NONE_VALUE = Const(None)


class Unknown(AbstractValue):
    """An unknown value. At most its type and its origin are known.

    Attributes:
        type: dotted name of the value's type or of the call that created it; empty if unknown.
        marks: the reasons why the value is untrusted.
        when: the facts that hold if the value is true, and the facts that hold if it is false.
    """

    __slots__ = ("marks", "type", "when")

    def __init__(
        self,
        type: str = "",  # noqa: A002
        marks: frozenset[Mark] = NO_MARKS,
        when: tuple[Facts, Facts] | None = None,
    ) -> None:
        self.type = type
        self.marks = marks if len(marks) <= MAX_MARKS else few(marks)
        self.when = when


@dataclass(slots=True, eq=False)
class ComposedText(AbstractValue):
    """A text that is composed of known pieces and other values."""

    parts: tuple[str | AbstractValue, ...]
    type: str = "str"
    marks: frozenset[Mark] | None = field(default=None, init=False)


@dataclass(slots=True, eq=False)
class Thing(AbstractValue):
    """An object that a library call created: the call, its arguments, and the object's
    attributes.
    """

    type: str
    args: Args = field(default_factory=list[AbstractValue])
    kwargs: Kwargs = field(default_factory=dict[str, AbstractValue])
    marks: frozenset[Mark] = NO_MARKS
    line: int = 0
    attrs: dict[str, AbstractValue] = field(default_factory=dict[str, AbstractValue], init=False)


@dataclass(slots=True, eq=False)
class Seq(AbstractValue):
    """A list, tuple, set or generator: the known items, then any number of values like ``rest``."""

    kind: str
    items: list[AbstractValue]
    rest: AbstractValue | None = None
    when: tuple[Facts, Facts] | None = field(default=None, init=False)


@dataclass(slots=True, eq=False)
class Map(AbstractValue):
    """A dict: the values under known keys, and one value (``rest``) for all unknown keys."""

    items: dict[object, AbstractValue]
    rest: AbstractValue | None = None
    keys: AbstractValue | None = None


@dataclass(slots=True, eq=False)
class ExternalCall:
    """A call of a function or method that the file does not define.

    Attributes:
        name: the dotted name of a function; the name of a method begins with a dot.
        owner: the object whose method is called; None for a function.
        last: the last part of the name.
    """

    name: str
    owner: AbstractValue | None
    args: Args
    kwargs: Kwargs
    node: ast.AST
    last: str = field(init=False)

    def __post_init__(self) -> None:
        self.last = self.name.rsplit(".", 1)[-1]

    @property
    def subject(self) -> AbstractValue:
        """The object whose method is called; an unknown value for a function."""
        return self.owner if self.owner is not None else Unknown()

    @property
    def values(self) -> list[AbstractValue]:
        """The values of all arguments of the call."""
        return [*self.args, *self.kwargs.values()]

    def named(self, *names: str, at: int = sys.maxsize) -> AbstractValue | None:
        """Returns the keyword argument with one of the given names, else the argument at a
        position, else None.
        """
        given = next((self.kwargs[name] for name in names if name in self.kwargs), None)
        return given or (self.args[at] if len(self.args) > at else None)


@dataclass(slots=True, eq=False)
class Scope:
    """The scope of a function or module: its variables, and the enclosing scope."""

    parent: Scope | None
    vars: dict[str, AbstractValue] = field(default_factory=dict[str, AbstractValue], init=False)
    globals_: set[str] = field(default_factory=set[str], init=False)
    nonlocals: set[str] = field(default_factory=set[str], init=False)


FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@dataclass(slots=True, eq=False)
class Func(AbstractValue):
    """A function that the file defines."""

    node: FunctionNode
    scope: Scope
    name: str
    cls: ClassV | None = field(default=None, init=False)
    defaults: list[AbstractValue] = field(default_factory=list[AbstractValue], init=False)
    kw_defaults: list[AbstractValue | None] = field(
        default_factory=list["AbstractValue | None"], init=False
    )
    decorators: list[AbstractValue] = field(default_factory=list[AbstractValue], init=False)


@dataclass(slots=True, eq=False)
class Bound(AbstractValue):
    """A method that the file defines, bound to its object."""

    func: Func
    self_: AbstractValue


@dataclass(slots=True, eq=False)
class Method(AbstractValue):
    """A method that the file does not define, bound to its object."""

    self_: AbstractValue
    name: str


@dataclass(slots=True, eq=False)
class Extern(AbstractValue):
    """An imported object or a builtin, with its dotted name."""

    name: str


class ClassV(AbstractValue):
    """A class that the file defines."""

    __slots__ = ("bases", "decorators", "fields", "name", "node", "ns")

    def __init__(self, node: ast.ClassDef, bases: list[AbstractValue]) -> None:
        self.node = node
        self.name = node.name
        self.bases = bases
        self.ns: dict[str, AbstractValue] = {}
        self.fields: dict[str, ast.expr] = {}
        self.decorators: list[str] = []

    def mro(self) -> Iterator[ClassV]:
        """Yields the class and those of its bases that the file defines, nearest first."""
        seen: set[int] = set()
        stack: list[ClassV] = [self]
        while stack:
            cls = stack.pop(0)
            if id(cls) in seen:
                continue
            seen.add(id(cls))
            yield cls
            stack = [b for b in cls.bases if isinstance(b, ClassV)] + stack

    def find(self, name: str) -> AbstractValue | None:
        """Returns an attribute of the class or of its bases in the file; None if there is none."""
        for cls in self.mro():
            if name in cls.ns:
                return cls.ns[name]
        return None

    def external_bases(self) -> list[str]:
        """Returns the dotted names of the bases that the file does not define."""
        return [b.name for cls in self.mro() for b in cls.bases if isinstance(b, Extern)]


@dataclass(slots=True, eq=False)
class Instance(AbstractValue):
    """An object of a class that the file defines."""

    cls: ClassV
    marks: frozenset[Mark] = NO_MARKS
    attrs: dict[str, AbstractValue] = field(default_factory=dict[str, AbstractValue], init=False)


@dataclass(slots=True, eq=False)
class Partial(AbstractValue):
    """A callable with some arguments already bound, as ``functools.partial`` creates it."""

    func: AbstractValue
    args: Args
    kwargs: Kwargs


@dataclass(slots=True, eq=False)
class Super(AbstractValue):
    """The result of ``super()``."""

    cls: ClassV
    self_: AbstractValue


@dataclass(slots=True, eq=False)
class UnionValue(AbstractValue):
    """A value that is one of several possible values."""

    options: tuple[AbstractValue, ...]


def options(value: AbstractValue) -> tuple[AbstractValue, ...]:
    """Returns the possible values of an abstract value."""
    return value.options if isinstance(value, UnionValue) else (value,)


def choice(values: list[AbstractValue]) -> AbstractValue:
    """Returns a value that can be any of the given values. A long list is reduced to a few
    values.
    """
    flat: list[AbstractValue] = []
    seen: set[object] = set()
    for value in values:
        for option in options(value):
            key = _key(option)
            if key in seen or (type(option) is ComposedText and any(same(option, v) for v in flat)):
                continue
            seen.add(key)
            flat.append(option)
            if len(flat) > 4 * MAX_OPTIONS:
                flat = _collapsed(flat)
    if not flat:
        return Unknown()
    if len(flat) == 1:
        return flat[0]
    if len(flat) > MAX_OPTIONS:
        flat = _collapsed(flat)
    return flat[0] if len(flat) == 1 else UnionValue(tuple(flat))


def _collapsed(flat: list[AbstractValue]) -> list[AbstractValue]:
    """Reduces the number of options. Keeps the first options with marks and the first options
    without marks, and merges the rest of each group into one option.
    """
    marked = [v for v in flat if marks_of(v)]
    clean = [v for v in flat if not marks_of(v)]
    half = MAX_OPTIONS // 2
    retained = marked[:half]
    if len(marked) > half:
        retained = [*marked[: half - 1], blend(marked[half - 1 :])]
    if len(clean) > half:
        clean = [*clean[: half - 1], Unknown()]
    return retained + clean


def with_rest(items: Iterable[AbstractValue], rest: AbstractValue | None) -> list[AbstractValue]:
    """Returns the known elements, followed by the value that represents all other elements."""
    return [*items] if rest is None else [*items, rest]


def join(first: AbstractValue | None, second: AbstractValue | None) -> AbstractValue:
    """Merges the values that a variable has on two paths that meet."""
    if first is None:
        return second if second is not None else Unknown()
    if second is None or first is second:
        return first
    return choice([first, second])


def _key(value: AbstractValue) -> object:
    """Returns a key for comparing abstract values: values with the same key are equal. Equal
    composed texts can have different keys; `same` compares them part by part.
    """
    if isinstance(value, Unknown):
        return value.type, value.marks
    if isinstance(value, Const):
        known = value.value
        return (type(known), known) if isinstance(known, _KEY_TYPES) else id(value)
    if isinstance(value, Extern):
        return value.name
    if isinstance(value, Thing) and not (value.attrs or value.args):
        return Thing, value.type, value.marks
    return id(value)


# Types of constants that can be a key.
_KEY_TYPES = (str, bytes, int, float, bool, NoneType)


def same(first: AbstractValue, second: AbstractValue) -> bool:
    """Returns whether two abstract values are equal."""
    if isinstance(first, ComposedText) and isinstance(second, ComposedText):
        return len(first.parts) == len(second.parts) and all(
            a == b if isinstance(a, str) or isinstance(b, str) else same(a, b)
            for a, b in zip(first.parts, second.parts, strict=True)
        )
    return first is second or (type(first) is type(second) and _key(first) == _key(second))


def _children(value: AbstractValue) -> list[AbstractValue]:
    if isinstance(value, ComposedText):
        return [p for p in value.parts if not isinstance(p, str)]
    if isinstance(value, Seq):
        return with_rest(value.items, value.rest)
    if isinstance(value, Map):
        return with_rest(with_rest(value.items.values(), value.rest), value.keys)
    if isinstance(value, UnionValue):
        return list(value.options)
    if isinstance(value, Instance):
        return list(value.attrs.values())
    return []


def own_marks(value: AbstractValue) -> frozenset[Mark]:
    """Returns the marks of a value itself, without the marks of the values that it contains."""
    if isinstance(value, Unknown | Thing | Instance):
        return value.marks
    return NO_MARKS


def marks_of(value: AbstractValue) -> frozenset[Mark]:
    """Returns the marks of a value and of the values that it contains."""
    if isinstance(value, Unknown):
        return value.marks
    if isinstance(value, Const | Extern | Func | ClassV):
        return NO_MARKS
    if isinstance(value, ComposedText) and value.marks is not None:
        return value.marks
    marks = _gathered(value)
    if isinstance(value, ComposedText):
        value.marks = marks
    return marks


# Kinds of values that carry no marks.
_UNMARKED_TYPES = frozenset({Const, Extern, Func, ClassV})


def _gathered(value: AbstractValue) -> frozenset[Mark]:
    """Collects the marks of a value and of the values that it contains. In a large graph of values,
    the search stops near the root.
    """
    found: set[Mark] = set()
    seen: set[int] = {id(value)}
    level = [value]
    for _ in range(MAX_DEPTH):
        below: list[AbstractValue] = []
        for item in level:
            if type(item) is Unknown:
                found |= item.marks
                continue
            if isinstance(item, ComposedText) and item.marks is not None:
                found |= item.marks
                continue
            found |= own_marks(item)
            for child in _children(item):
                if type(child) not in _UNMARKED_TYPES and id(child) not in seen:
                    seen.add(id(child))
                    below.append(child)
        if not below or len(seen) > MAX_GRAPH:
            break
        level = below
    return few(frozenset(found)) if found else NO_MARKS


def _mapped_marks(marks: frozenset[Mark], change: Callable[[Mark], Mark | None]) -> frozenset[Mark]:
    """Applies a change to each mark in a set. Returns the same set object if no mark has
    changed.
    """
    changed = [(m, change(m)) for m in marks]
    if all(new is old and "*" not in old.safe for old, new in changed):
        return marks
    return frozenset(new for _, new in changed if new is not None and "*" not in new.safe)


def map_marks(value: AbstractValue, change: Callable[[Mark], Mark | None]) -> AbstractValue:
    """Applies ``change`` to each mark of a value. A mark is removed if ``change`` returns None.

    If no mark changes, the same object is returned. Otherwise, comparing copies would take most of
    the analysis time.
    """
    if isinstance(value, Unknown):
        marks = _mapped_marks(value.marks, change) if value.marks else value.marks
        return value if marks is value.marks else Unknown(value.type, marks, value.when)
    if isinstance(value, ComposedText):
        if not marks_of(value):
            return value
        parts = tuple(p if isinstance(p, str) else map_marks(p, change) for p in value.parts)
        return value if _unchanged(parts, value.parts) else ComposedText(parts, value.type)
    if isinstance(value, UnionValue):
        made = [map_marks(v, change) for v in value.options]
        return value if _unchanged(made, value.options) else choice(made)
    if isinstance(value, Seq) and marks_of(value):
        return Seq(
            value.kind,
            [map_marks(v, change) for v in value.items],
            None if value.rest is None else map_marks(value.rest, change),
        )
    return value


def _unchanged(new: Sequence[object], old: Sequence[object]) -> bool:
    return all(a is b for a, b in zip(new, old, strict=True))


def bake(value: AbstractValue, facts: Facts) -> AbstractValue:
    """Returns a copy of a value whose marks include the given facts."""
    if not facts or isinstance(value, Const | Extern | Func | ClassV | Map | Instance | Seq):
        return value
    return map_marks(value, lambda mark: under(mark, facts))


def with_marks(value: AbstractValue, marks: frozenset[Mark]) -> AbstractValue:
    """Adds marks to a value."""
    if not marks:
        return value
    if isinstance(value, Unknown):
        return Unknown(value.type, value.marks | marks, value.when)
    return (
        ComposedText((value, Unknown("", marks)))
        if isinstance(value, Const | ComposedText)
        else value
    )


def blend(
    values: list[AbstractValue],
    type: str = "",  # noqa: A002
    safe: frozenset[str] = frozenset(),
) -> Unknown:
    """Combines values into an unknown value with all their marks."""
    marks = NO_MARKS.union(*map(marks_of, values))
    if safe:
        marks = frozenset(replace(m, safe=m.safe | safe) for m in marks)
    return Unknown(type, marks)


def const_str(value: AbstractValue | None) -> str | None:
    """Returns a value's text if the value is a known text; otherwise None."""
    if isinstance(value, Const):
        if isinstance(value.value, str):
            return value.value
        if isinstance(value.value, bytes):
            return value.value.decode("latin-1")
    if isinstance(value, ComposedText) and all(isinstance(p, str) for p in value.parts):
        return "".join(p for p in value.parts if isinstance(p, str))
    return None


def text_parts(value: AbstractValue) -> tuple[str | AbstractValue, ...]:
    """Returns the pieces of a value as a text: known texts and other values."""
    if isinstance(value, ComposedText):
        return value.parts
    if isinstance(value, Const) and value.value is not None:
        if isinstance(value.value, bytes):
            return (value.value.decode("latin-1"),)
        return (str(value.value),)
    return (value,)


def make_text(parts: list[str | AbstractValue], type: str = "str") -> AbstractValue:  # noqa: A002
    """Joins pieces into a text. The result is a constant if all pieces are known."""
    flat: list[str | AbstractValue] = []
    for part in parts:
        for piece in (part,) if isinstance(part, str) else text_parts(part):
            if isinstance(piece, str) and flat and isinstance(flat[-1], str):
                flat[-1] += piece
            else:
                flat.append(piece)
    if not flat:
        return Const("")
    if len(flat) == 1 and isinstance(flat[0], str) and type == "str":
        return Const(flat[0])
    if len(flat) > 60:
        literal = "".join(p for p in flat[:30] if isinstance(p, str))
        return ComposedText((literal, blend([p for p in flat if not isinstance(p, str)])), type)
    return ComposedText(tuple(flat), type)


def truth(value: AbstractValue) -> bool | None:
    """Returns whether a value is true in a condition; None if this is unknown."""
    if isinstance(value, Const):
        return bool(value.value)
    if isinstance(value, Seq | Map):
        return True if value.items else (False if value.rest is None else None)
    if isinstance(value, Func | ClassV | Bound | Partial):
        return True
    if isinstance(value, ComposedText):
        return True if any(isinstance(p, str) and p for p in value.parts) else None
    if isinstance(value, UnionValue):
        found = {truth(v) for v in value.options}
        return found.pop() if len(found) == 1 else None
    return None


def when(value: AbstractValue) -> tuple[Facts, Facts]:
    """Returns the facts that hold if a value is true, and the facts that hold if it is false."""
    if isinstance(value, Unknown | Seq) and value.when is not None:
        return value.when
    if not isinstance(value, UnionValue):
        return NO_FACTS, NO_FACTS
    # A constant carries no data: whatever is proved holds for it too.
    found = [o for o in value.options if not isinstance(o, Const)]
    return (
        any_of(when(o)[0] for o in found if truth(o) is not False),
        any_of(when(o)[1] for o in found if truth(o) is not True),
    )


def may_be(value: AbstractValue, wanted: bool) -> bool:
    """Returns whether at least one of the possible values is known to be ``wanted`` (true or
    false).
    """
    return any(truth(o) is wanted for o in options(value))


def verdict(true: Facts = NO_FACTS, false: Facts = NO_FACTS) -> Unknown:
    """Returns an unknown bool, with the facts that hold if it is true and the facts that hold if it
    is false.
    """
    return Unknown("bool", NO_MARKS, (true, false))


def part_of(value: AbstractValue, name: str, type: str = "") -> Unknown:  # noqa: A002
    """Returns the abstract value of a part of a value. Only the marks of the part are known."""
    return Unknown(type, frozenset(m.part(name) for m in marks_of(value)))


def line_of(node: ast.AST | None) -> int:
    """Returns the line of a syntax node; 0 if it has none."""
    return getattr(node, "lineno", 0)
