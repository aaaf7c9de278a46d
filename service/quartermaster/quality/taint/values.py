"""Abstract values: what the pass knows about the value of an expression."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from types import NoneType

from quartermaster.quality.taint.marks import MAX_MARKS, NO_FACTS, Facts, Mark, few, under

NO_MARKS: frozenset[Mark] = frozenset()
MAX_OPTIONS = 8
MAX_DEPTH = 5
MAX_GRAPH = 80


class Value:
    """Any abstract value."""

    __slots__ = ()


class Const(Value):
    """A value that is known: str, bytes, number, bool, None."""

    __slots__ = ("line", "value")

    def __init__(self, value: object, line: int = 0) -> None:
        self.value = value
        self.line = line


NONE = Const(None)


class Unknown(Value):
    """A value of which at most the type and the origin are known.

    Attributes:
        type: dotted name of its type, or of the call that made it, or empty.
        marks: why it is not trusted.
        when: facts that hold if it is true, and if it is false.
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


class Text(Value):
    """A text put together from known pieces and other values."""

    __slots__ = ("marks", "parts", "type")

    def __init__(self, parts: tuple[str | Value, ...], type: str = "str") -> None:  # noqa: A002
        self.parts = parts
        self.type = type
        self.marks: frozenset[Mark] | None = None


class Thing(Value):
    """An object made by a call of a library: the call with its arguments, and its attributes."""

    __slots__ = ("args", "attrs", "kwargs", "line", "marks", "type")

    def __init__(
        self,
        type: str,  # noqa: A002
        args: list[Value] | None = None,
        kwargs: dict[str, Value] | None = None,
        marks: frozenset[Mark] = NO_MARKS,
        line: int = 0,
    ) -> None:
        self.type = type
        self.args = args or []
        self.kwargs = kwargs or {}
        self.attrs: dict[str, Value] = {}
        self.marks = marks
        self.line = line


class Seq(Value):
    """A list, tuple, set or generator: known items, then any number of ``rest``."""

    __slots__ = ("items", "kind", "rest", "when")

    def __init__(self, kind: str, items: list[Value], rest: Value | None = None) -> None:
        self.kind = kind
        self.items = items
        self.rest = rest
        self.when: tuple[Facts, Facts] | None = None


class Map(Value):
    """A dict: known keys, and what stands under unknown keys."""

    __slots__ = ("items", "keys", "kind", "rest")

    def __init__(
        self,
        items: dict[object, Value],
        rest: Value | None = None,
        keys: Value | None = None,
        kind: str = "dict",
    ) -> None:
        self.items = items
        self.rest = rest
        self.keys = keys
        self.kind = kind


Args = list[Value]
Kwargs = dict[str, Value]


class Call:
    """A call that leaves the file: what is called, with what, and where.

    Attributes:
        name: the dotted name of a function; the name of a method begins with a dot.
        owner: the object of a method.
    """

    __slots__ = ("args", "kwargs", "name", "node", "owner")

    def __init__(
        self, name: str, owner: Value | None, args: Args, kwargs: Kwargs, node: ast.AST
    ) -> None:
        self.name = name
        self.owner = owner
        self.args = args
        self.kwargs = kwargs
        self.node = node

    @property
    def subject(self) -> Value:
        """The object of a method; an unknown value for a function."""
        return self.owner if self.owner is not None else Unknown()

    @property
    def last(self) -> str:
        """The last part of the name."""
        return self.name.rsplit(".", 1)[-1]


class Scope:
    """The variables of a function or module."""

    __slots__ = ("globals_", "nonlocals", "parent", "vars")

    def __init__(self, parent: Scope | None) -> None:
        self.vars: dict[str, Value] = {}
        self.parent = parent
        self.globals_: set[str] = set()
        self.nonlocals: set[str] = set()


FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


class Func(Value):
    """A function of the file."""

    __slots__ = ("cls", "decorators", "defaults", "kw_defaults", "name", "node", "scope")

    def __init__(self, node: FunctionNode, scope: Scope, name: str) -> None:
        self.node = node
        self.scope = scope
        self.name = name
        self.cls: ClassV | None = None
        self.defaults: list[Value] = []
        self.kw_defaults: list[Value | None] = []
        self.decorators: list[Value] = []


class Bound(Value):
    """A method of the file with its object."""

    __slots__ = ("func", "self_")

    def __init__(self, func: Func, self_: Value) -> None:
        self.func = func
        self.self_ = self_


class Method(Value):
    """A method that the file does not define, with its object."""

    __slots__ = ("name", "self_")

    def __init__(self, self_: Value, name: str) -> None:
        self.self_ = self_
        self.name = name


class Extern(Value):
    """Something imported, or a builtin, by its dotted name."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


class ClassV(Value):
    """A class of the file."""

    __slots__ = ("bases", "decorators", "fields", "name", "node", "ns")

    def __init__(self, node: ast.ClassDef, bases: list[Value]) -> None:
        self.node = node
        self.name = node.name
        self.bases = bases
        self.ns: dict[str, Value] = {}
        self.fields: dict[str, ast.expr] = {}
        self.decorators: list[str] = []

    def mro(self) -> Iterator[ClassV]:
        """The class and its bases of the file, nearest first."""
        seen: set[int] = set()
        stack: list[ClassV] = [self]
        while stack:
            cls = stack.pop(0)
            if id(cls) in seen:
                continue
            seen.add(id(cls))
            yield cls
            stack = [b for b in cls.bases if isinstance(b, ClassV)] + stack

    def find(self, name: str) -> Value | None:
        """An attribute of the class or of its bases."""
        for cls in self.mro():
            if name in cls.ns:
                return cls.ns[name]
        return None

    def external_bases(self) -> list[str]:
        """Dotted names of bases outside the file."""
        return [b.name for cls in self.mro() for b in cls.bases if isinstance(b, Extern)]


class Instance(Value):
    """An object of a class of the file."""

    __slots__ = ("attrs", "cls", "marks")

    def __init__(self, cls: ClassV, marks: frozenset[Mark] = NO_MARKS) -> None:
        self.cls = cls
        self.attrs: dict[str, Value] = {}
        self.marks = marks


class Partial(Value):
    """A callable with some arguments given."""

    __slots__ = ("args", "func", "kwargs")

    def __init__(self, func: Value, args: list[Value], kwargs: dict[str, Value]) -> None:
        self.func = func
        self.args = args
        self.kwargs = kwargs


class Super(Value):
    """What ``super()`` gives."""

    __slots__ = ("cls", "self_")

    def __init__(self, cls: ClassV, self_: Value) -> None:
        self.cls = cls
        self.self_ = self_


class Choice(Value):
    """One of several values."""

    __slots__ = ("options",)

    def __init__(self, options: tuple[Value, ...]) -> None:
        self.options = options


def options(value: Value) -> tuple[Value, ...]:
    """The values that this value can be."""
    return value.options if isinstance(value, Choice) else (value,)


def choice(values: list[Value]) -> Value:
    """A value that is one of these."""
    flat: list[Value] = []
    seen: set[object] = set()
    for value in values:
        for option in options(value):
            key = _key(option)
            if key in seen or (type(option) is Text and any(same(option, v) for v in flat)):
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
    return flat[0] if len(flat) == 1 else Choice(tuple(flat))


def _collapsed(flat: list[Value]) -> list[Value]:
    """Fewer options: the first with marks, the first without, and one for each rest."""
    marked = [v for v in flat if marks_of(v)]
    clean = [v for v in flat if not marks_of(v)]
    half = MAX_OPTIONS // 2
    kept = marked[:half]
    if len(marked) > half:
        rest: frozenset[Mark] = NO_MARKS
        for value in marked[half - 1 :]:
            rest |= marks_of(value)
        kept = [*marked[: half - 1], Unknown("", rest)]
    if len(clean) > half:
        clean = [*clean[: half - 1], Unknown()]
    return kept + clean


def join(first: Value | None, second: Value | None) -> Value:
    """The value after two paths meet."""
    if first is None:
        return second if second is not None else Unknown()
    if second is None or first is second:
        return first
    return choice([first, second])


def _key(value: Value) -> object:
    """What values that are surely the same have in common; texts are compared part by part."""
    if isinstance(value, Unknown):
        return value.type, value.marks
    if isinstance(value, Const):
        known = value.value
        return (type(known), known) if isinstance(known, _PLAIN) else id(value)
    if isinstance(value, Extern):
        return value.name
    if isinstance(value, Thing) and not (value.attrs or value.args):
        return Thing, value.type, value.marks
    return id(value)


# Types of constants that can be a key.
_PLAIN = (str, bytes, int, float, bool, NoneType)


def same(first: Value, second: Value) -> bool:
    """Whether two values are surely the same."""
    if isinstance(first, Text) and isinstance(second, Text):
        return len(first.parts) == len(second.parts) and all(
            a == b if isinstance(a, str) or isinstance(b, str) else same(a, b)
            for a, b in zip(first.parts, second.parts, strict=True)
        )
    return first is second or (type(first) is type(second) and _key(first) == _key(second))


def _children(value: Value) -> list[Value]:
    if isinstance(value, Text):
        return [p for p in value.parts if not isinstance(p, str)]
    if isinstance(value, Seq):
        return [*value.items, *([value.rest] if value.rest is not None else [])]
    if isinstance(value, Map):
        more = [v for v in (value.rest, value.keys) if v is not None]
        return [*value.items.values(), *more]
    if isinstance(value, Choice):
        return list(value.options)
    if isinstance(value, Instance):
        return list(value.attrs.values())
    return []


def own_marks(value: Value) -> frozenset[Mark]:
    """The marks of the value itself, without those of what it holds."""
    if isinstance(value, Unknown | Thing | Instance):
        return value.marks
    return NO_MARKS


def marks_of(value: Value) -> frozenset[Mark]:
    """All marks of a value and of what it holds."""
    if isinstance(value, Unknown):
        return value.marks
    if isinstance(value, Const | Extern | Func | ClassV):
        return NO_MARKS
    if isinstance(value, Text) and value.marks is not None:
        return value.marks
    marks = _gathered(value)
    if isinstance(value, Text):
        value.marks = marks
    return marks


# Kinds of values that carry no marks.
_BARE = frozenset({Const, Extern, Func, ClassV})


def _gathered(value: Value) -> frozenset[Mark]:
    """The marks of a graph of values; of a large graph, those near its root."""
    found: set[Mark] = set()
    seen: set[int] = {id(value)}
    level = [value]
    for _ in range(MAX_DEPTH):
        below: list[Value] = []
        for item in level:
            if type(item) is Unknown:
                found |= item.marks
                continue
            if isinstance(item, Text) and item.marks is not None:
                found |= item.marks
                continue
            found |= own_marks(item)
            for child in _children(item):
                if type(child) not in _BARE and id(child) not in seen:
                    seen.add(id(child))
                    below.append(child)
        if not below or len(seen) > MAX_GRAPH:
            break
        level = below
    return few(frozenset(found)) if found else NO_MARKS


def _mapped_marks(marks: frozenset[Mark], change: Callable[[Mark], Mark | None]) -> frozenset[Mark]:
    """The marks changed; the same set if no mark is another object now."""
    changed = [(m, change(m)) for m in marks]
    if all(new is old and "*" not in old.safe for old, new in changed):
        return marks
    return frozenset(new for _, new in changed if new is not None and "*" not in new.safe)


def map_marks(value: Value, change: Callable[[Mark], Mark | None]) -> Value:
    """The value with each mark changed, or dropped if ``change`` returns None.

    A value in which nothing changes is returned itself: comparing copies takes most of the time.
    """
    if isinstance(value, Unknown):
        marks = _mapped_marks(value.marks, change) if value.marks else value.marks
        return value if marks is value.marks else Unknown(value.type, marks, value.when)
    if isinstance(value, Text):
        if not marks_of(value):
            return value
        parts = tuple(p if isinstance(p, str) else map_marks(p, change) for p in value.parts)
        return value if _unchanged(parts, value.parts) else Text(parts, value.type)
    if isinstance(value, Choice):
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


def bake(value: Value, facts: Facts) -> Value:
    """The value with the facts of the path written into its marks."""
    if not facts or isinstance(value, Const | Extern | Func | ClassV | Map | Instance | Seq):
        return value
    return map_marks(value, lambda mark: under(mark, facts))


def with_marks(value: Value, marks: frozenset[Mark]) -> Value:
    """The value with more marks."""
    if not marks:
        return value
    if isinstance(value, Unknown):
        return Unknown(value.type, value.marks | marks, value.when)
    return Text((value, Unknown("", marks))) if isinstance(value, Const | Text) else value


def blend(values: list[Value], type: str = "", safe: frozenset[str] = frozenset()) -> Unknown:  # noqa: A002
    """An unknown value made of others: it has all their marks."""
    marks: frozenset[Mark] = NO_MARKS
    for value in values:
        marks |= marks_of(value)
    if safe:
        marks = frozenset(replace(m, safe=m.safe | safe) for m in marks)
    return Unknown(type, marks)


def const_str(value: Value | None) -> str | None:
    """The text of a constant; None if it is none."""
    if isinstance(value, Const):
        if isinstance(value.value, str):
            return value.value
        if isinstance(value.value, bytes):
            return value.value.decode("latin-1")
    if isinstance(value, Text) and all(isinstance(p, str) for p in value.parts):
        return "".join(p for p in value.parts if isinstance(p, str))
    return None


def text_parts(value: Value) -> tuple[str | Value, ...]:
    """A value as pieces of a text."""
    if isinstance(value, Text):
        return value.parts
    if isinstance(value, Const) and value.value is not None:
        if isinstance(value.value, bytes):
            return (value.value.decode("latin-1"),)
        return (str(value.value),)
    return (value,)


def make_text(parts: list[str | Value], type: str = "str") -> Value:  # noqa: A002
    """A text of pieces; a constant if all are known."""
    flat: list[str | Value] = []
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
        return Text((literal, blend([p for p in flat if not isinstance(p, str)])), type)
    return Text(tuple(flat), type)


def truth(value: Value) -> bool | None:
    """Whether the value is true, if that is known."""
    if isinstance(value, Const):
        return bool(value.value)
    if isinstance(value, Seq):
        return True if value.items else (False if value.rest is None else None)
    if isinstance(value, Map):
        return True if value.items else (False if value.rest is None else None)
    if isinstance(value, Func | ClassV | Bound | Partial):
        return True
    if isinstance(value, Text):
        return True if any(isinstance(p, str) and p for p in value.parts) else None
    if isinstance(value, Choice):
        found = {truth(v) for v in value.options}
        return found.pop() if len(found) == 1 else None
    return None


def when(value: Value) -> tuple[Facts, Facts]:
    """Facts that hold if the value is true, and if it is false."""
    if isinstance(value, Unknown | Seq) and value.when is not None:
        return value.when
    if isinstance(value, Choice):
        return _choice_when(value)
    return NO_FACTS, NO_FACTS


def _choice_when(value: Choice) -> tuple[Facts, Facts]:
    from quartermaster.quality.taint.marks import either

    if_true: Facts | None = None
    if_false: Facts | None = None
    for option in value.options:
        if isinstance(option, Const):
            # A constant carries no data: whatever is proved holds for it too.
            continue
        known = truth(option)
        true, false = when(option)
        if known is not False:
            if_true = true if if_true is None else either(if_true, true)
        if known is not True:
            if_false = false if if_false is None else either(if_false, false)
    return if_true or NO_FACTS, if_false or NO_FACTS
