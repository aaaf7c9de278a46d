"""Calls of functions, methods and classes of the file: they are followed."""

from __future__ import annotations

import ast
from abc import abstractmethod

from quartermaster.quality.taint.annotations import clean_type, names_in
from quartermaster.quality.taint.expressions import Expressions
from quartermaster.quality.taint.marks import Facts, both, either
from quartermaster.quality.taint.rules.classes import PARAMETER
from quartermaster.quality.taint.state import Frame, State
from quartermaster.quality.taint.values import (
    NO_MARKS,
    NONE,
    Bound,
    Choice,
    ClassV,
    Const,
    Extern,
    Func,
    Instance,
    Map,
    Method,
    Partial,
    Scope,
    Seq,
    Super,
    Text,
    Thing,
    Unknown,
    Value,
    bake,
    blend,
    choice,
    join,
    map_marks,
    marks_of,
    options,
    own_marks,
    truth,
    when,
)

MAX_STACK = 14
MODELS = ("BaseModel", "NamedTuple", "TypedDict", "msgspec.Struct", "BaseSettings", "SQLModel")


class Calls(Expressions):
    """Follows calls inside the file."""

    def __init__(self) -> None:
        super().__init__()
        self.stack: list[int] = []
        self.generators: dict[int, bool] = {}

    @abstractmethod
    def call_method(
        self, owner: Value, name: str, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value: ...

    @abstractmethod
    def call_extern(
        self, name: str, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value: ...

    @abstractmethod
    def base_attribute(self, owner: Instance, name: str, node: ast.AST) -> Value: ...

    @abstractmethod
    def passed(self, values: dict[str, Value], node: ast.AST) -> None: ...

    @abstractmethod
    def returned(self, func: Func, frame: Frame) -> None: ...

    # The call expression.

    def on_call(self, node: ast.Call) -> Value:
        if isinstance(node.func, ast.Attribute):
            owner = bake(self.eval(node.func.value), self.facts())
            callee = self._callee(owner, node.func.attr, node.func)
        elif isinstance(node.func, ast.Name) and node.func.id == "super":
            return self._super()
        else:
            callee = self.eval(node.func)
        args, kwargs = self._arguments(node)
        if self.state is None:
            return Unknown()
        return bake(self.call_value(callee, args, kwargs, node), self.facts())

    def _callee(self, owner: Value, name: str, node: ast.AST) -> Value:
        if isinstance(owner, Choice):
            return Choice(tuple(self._callee(o, name, node) for o in owner.options))
        if isinstance(owner, ClassV):
            found = owner.find(name)
            if isinstance(found, Func) and _decorated(found, "classmethod"):
                return Bound(found, owner)
            return found if found is not None else Method(owner, name)
        if isinstance(owner, Instance | Super):
            return self.attribute(owner, name, node)
        if isinstance(owner, Extern):
            return self.attribute(owner, name, node)
        if isinstance(owner, Thing) and isinstance(
            owner.attrs.get(name), Func | Bound | ClassV | Partial
        ):
            return owner.attrs[name]
        return Method(owner, name)

    def _super(self) -> Value:
        if self.frame.cls is None or self.frame.self_ is None:
            return Unknown()
        return Super(self.frame.cls, self.frame.self_)

    def _arguments(self, node: ast.Call) -> tuple[list[Value], dict[str, Value]]:
        args: list[Value] = []
        kwargs: dict[str, Value] = {}
        for arg in node.args:
            value = bake(self.eval(arg), self.facts())
            if isinstance(arg, ast.Starred):
                items, rest = self.elements(value, arg.lineno)
                args.extend(items)
                if rest is not None:
                    args.append(rest)
            else:
                args.append(value)
        for keyword in node.keywords:
            value = bake(self.eval(keyword.value), self.facts())
            if keyword.arg is not None:
                self.keyed(Const(keyword.arg), value, keyword.value)
                kwargs[keyword.arg] = value
            else:
                _spread(value, kwargs)
        return args, kwargs

    def call_value(  # noqa: C901, PLR0911 - one for each kind of value
        self, func: Value, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value:
        """The result of calling a value."""
        if isinstance(func, Func):
            return self.call_function(func, args, kwargs, node)
        if isinstance(func, Bound):
            return self.call_function(func.func, args, kwargs, node, func.self_)
        if isinstance(func, Choice):
            return self._call_options(func, args, kwargs, node)
        if isinstance(func, ClassV):
            return self.instantiate(func, args, kwargs, node)
        if isinstance(func, Partial):
            return self.call_value(func.func, [*func.args, *args], {**func.kwargs, **kwargs}, node)
        if isinstance(func, Method):
            return self.call_method(func.self_, func.name, args, kwargs, node)
        if isinstance(func, Extern):
            return self.call_extern(func.name, args, kwargs, node)
        if isinstance(func, Instance):
            found = func.cls.find("__call__")
            if isinstance(found, Func):
                return self.call_function(found, args, kwargs, node, func)
        if isinstance(func, Thing) and args and isinstance(args[0], Func):
            return args[0]
        return blend([func, *args, *kwargs.values()])

    def _call_options(
        self, func: Choice, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value:
        results: list[Value] = []
        outer = self.state
        ends: list[State] = []
        for option in func.options:
            self.state = None if outer is None else outer.copy()
            if isinstance(option, Const):
                continue
            result = self.call_value(option, args, kwargs, node)
            if self.state is not None:
                results.append(result)
                ends.append(self.state)
        self.state = outer
        if outer is not None and ends:
            facts = ends[0].facts
            for end in ends[1:]:
                facts = either(facts, end.facts)
            outer.facts = facts
        return choice(results)

    # Functions.

    def call_function(
        self,
        func: Func,
        args: list[Value],
        kwargs: dict[str, Value],
        node: ast.AST,
        self_: Value | None = None,
    ) -> Value:
        """Runs a function of the file on these arguments."""
        if self.exhausted and self.stack:
            given = blend([*args, *kwargs.values(), *([self_] if self_ is not None else [])])
            if any(m.kind != PARAMETER for m in given.marks):
                self.unfollowed.add(getattr(node, "lineno", 0))
            return given
        if (
            len(self.stack) >= MAX_STACK
            or self.stack.count(id(func.node)) > 1
            or self.state is None
        ):
            return blend([*args, *kwargs.values(), *([self_] if self_ is not None else [])])
        bound = self.bind(func, args, kwargs, self_, getattr(node, "lineno", 0))
        self.passed(bound, node)
        outer_state, outer_frame = self.state, self.frame
        frame = Frame(Scope(func.scope), func)
        frame.self_ = self_ if self_ is not None else _first(bound, func)
        frame.may = 0
        self.frame = frame
        self.state = State(bound, outer_state.facts)
        self.stack.append(id(func.node))
        self.executed.add(id(func.node))
        try:
            if isinstance(func.node, ast.Lambda):
                value = self.eval(func.node.body)
                frame.returns.append((value, self.facts(), func.node.lineno))
                self.state = None
            else:
                self.run(func.node.body)
            if self.state is not None:
                frame.returns.append((NONE, self.state.facts, -1))
                self.leave()
            self.returned(func, frame)
        finally:
            self.stack.pop()
            self.frame = outer_frame
            self.state = outer_state
        return self._result(func, frame)

    def _result(self, func: Func, frame: Frame) -> Value:
        if self._is_generator(func):
            certain = [v for v, may in frame.yields if not may]
            rest = [v for v, may in frame.yields if may]
            if rest:
                return Seq("gen", [], choice(certain + rest))
            return Seq("gen", certain)
        if not frame.returns:
            if not self.exhausted:
                self.state = None
            return Unknown()
        facts = frame.returns[0][1]
        for _, more, _ in frame.returns[1:]:
            facts = facts if more is facts else either(facts, more)
        if self.state is not None:
            self.state.facts = facts
        return _returned_value(frame)

    def _is_generator(self, func: Func) -> bool:
        known = self.generators.get(id(func.node))
        if known is None:
            known = not isinstance(func.node, ast.Lambda) and _has_yield(func.node.body)
            self.generators[id(func.node)] = known
        return known

    def bind(
        self,
        func: Func,
        args: list[Value],
        kwargs: dict[str, Value],
        self_: Value | None,
        line: int,
    ) -> dict[str, Value]:
        """The parameters of a function with the values of a call."""
        spec = func.node.args
        names = [a.arg for a in [*spec.posonlyargs, *spec.args]]
        values = list(args)
        static = _decorated(func, "staticmethod")
        if self_ is not None and not static:
            values.insert(0, self_)
        bound: dict[str, Value] = dict(zip(names, values, strict=False))
        extra = values[len(names) :]
        more = dict(kwargs)
        spread = more.pop("**", None)
        for name in names[len(values) :]:
            if name in more:
                bound[name] = more.pop(name)
        for name, default in zip(reversed(names), reversed(func.defaults), strict=False):
            bound.setdefault(name, default if spread is None else join(default, spread))
        for arg, default in zip(spec.kwonlyargs, func.kw_defaults, strict=False):
            bound[arg.arg] = more.pop(arg.arg, default if default is not None else Unknown())
        for name in names:
            bound.setdefault(name, spread if spread is not None else Unknown())
        if spec.vararg is not None:
            bound[spec.vararg.arg] = Seq("tuple", extra)
        if spec.kwarg is not None:
            left: dict[object, Value] = {k: v for k, v in more.items() if k not in names}
            bound[spec.kwarg.arg] = Map(left, spread)
        return {k: self._arrived(func, k, v, line) for k, v in bound.items()}

    def _arrived(self, func: Func, name: str, value: Value, line: int) -> Value:
        if isinstance(value, Unknown | Choice | Text) and marks_of(value):
            text = f"it goes to {func.name}() as {name}"
            return map_marks(value, lambda m: m.step(line, text))
        return value

    # Classes.

    def instantiate(
        self, cls: ClassV, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value:
        """An object of a class of the file."""
        bases = cls.external_bases()
        if any(b.endswith(("Enum", "enum.Flag")) for b in bases):
            members = [v for k, v in cls.ns.items() if not k.startswith("_")]
            self.learn_constant(args)
            return choice([m for m in members if isinstance(m, Const)] or [Unknown("enum")])
        instance = Instance(cls)
        init = cls.find("__init__")
        if isinstance(init, Func):
            self.call_function(init, args, kwargs, node, instance)
        elif self.is_record(cls, bases):
            self._fill(cls, instance, args, kwargs, node)
        else:
            self.base_init(instance, bases, args, kwargs, node)
        return instance

    def learn_constant(self, args: list[Value]) -> None:
        """The call fails unless its argument is one of some constants."""
        from quartermaster.quality.taint.machine import constant_facts

        if args and isinstance(args[0], Unknown):
            self.learn(constant_facts(args[0].marks))

    def base_init(
        self,
        instance: Instance,
        bases: list[str],
        args: list[Value],
        kwargs: dict[str, Value],
        node: ast.AST,
    ) -> None:
        for base in bases:
            if base not in {"object", "Exception", "ValueError", "abc.ABC", "typing.Generic"}:
                made = self.call_extern(base, args, kwargs, node)
                instance.attrs["__base__"] = made
                instance.marks |= own_marks(made)

    def is_record(self, cls: ClassV, bases: list[str]) -> bool:
        if any(b.rsplit(".", 1)[-1] in MODELS or b.endswith("msgspec.Struct") for b in bases):
            return True
        return any(
            "dataclass" in d or "define" in d or "attr.s" in d or "frozen" in d
            for c in cls.mro()
            for d in c.decorators
        )

    def record_fields(self, cls: ClassV) -> dict[str, ast.expr]:
        """The fields of a record class, those of bases first."""
        fields: dict[str, ast.expr] = {}
        for part in reversed(list(cls.mro())):
            fields.update(part.fields)
        return {k: v for k, v in fields.items() if "ClassVar" not in names_in(v)}

    def is_checked(self, cls: ClassV) -> bool:
        """Whether the class checks the types of its fields."""
        return any(
            b.rsplit(".", 1)[-1] in {"BaseModel", "BaseSettings", "SQLModel", "Struct"}
            for b in cls.external_bases()
        )

    def _fill(
        self,
        cls: ClassV,
        instance: Instance,
        args: list[Value],
        kwargs: dict[str, Value],
        node: ast.AST,
    ) -> None:
        spread = kwargs.get("**")
        values = list(args)
        checked = self.is_checked(cls)
        for name, annotation in self.record_fields(cls).items():
            if values:
                value = values.pop(0)
            elif name in kwargs:
                value = kwargs[name]
            else:
                value = self._field_default(cls, name, node)
                if spread is not None:
                    value = join(value, map_marks(spread, lambda m, n=name: m.part(f".{n}")))
            if checked:
                value = self.field_value(annotation, value)
            instance.attrs[name] = value
        after = cls.find("__post_init__")
        if isinstance(after, Func):
            self.call_function(after, [], {}, node, instance)

    def field_value(self, annotation: ast.expr, value: Value) -> Value:
        """The value of a field whose type is checked."""
        if clean_type(annotation, self.enum_names()):
            return Unknown("int") if marks_of(value) else value
        return value

    def enum_names(self) -> set[str]:
        """Classes of the file that are enumerations."""
        return {
            k
            for k, v in self.globals.vars.items()
            if isinstance(v, ClassV) and any(b.endswith("Enum") for b in v.external_bases())
        }

    def _field_default(self, cls: ClassV, name: str, node: ast.AST) -> Value:
        default = cls.find(name)
        if default is None:
            return Unknown()
        if isinstance(default, Thing) and default.type.rsplit(".", 1)[-1] in {"field", "Field"}:
            factory = default.kwargs.get("default_factory")
            if factory is not None:
                return self.call_value(factory, [], {}, node)
            return default.kwargs.get("default") or (default.args[0] if default.args else Unknown())
        return default

    def instance_attribute(self, owner: Instance, name: str, node: ast.AST) -> Value:
        if name in owner.attrs:
            return owner.attrs[name]
        found = owner.cls.find(name)
        if found is None:
            getter = owner.cls.find("__getattr__")
            if isinstance(getter, Func):
                return self.call_function(getter, [Const(name)], {}, node, owner)
            if name == "__dict__":
                return Map(dict(owner.attrs.items()))
            if name == "__class__":
                return owner.cls
            return self.base_attribute(owner, name, node)
        return choice([self._member(owner, option, node) for option in options(found)])

    def _member(self, owner: Instance, found: Value, node: ast.AST) -> Value:
        if not isinstance(found, Func):
            return found
        if _decorated(found, "property") or _decorated(found, "cached_property"):
            return self.call_function(found, [], {}, node, owner)
        if _decorated(found, "classmethod"):
            return Bound(found, owner.cls)
        return Bound(found, owner)

    def enter(self, manager: Value, node: ast.expr) -> Value:
        if isinstance(manager, Choice):
            return choice([self.enter(o, node) for o in manager.options])
        if isinstance(manager, Instance):
            for name in ("__enter__", "__aenter__"):
                found = manager.cls.find(name)
                if isinstance(found, Func):
                    return self.call_function(found, [], {}, node, manager)
        if isinstance(manager, Seq) and manager.kind == "gen":
            return manager.items[0] if manager.items else manager.rest or Unknown()
        return manager


def _spread(value: Value, kwargs: dict[str, Value]) -> None:
    for option in options(value):
        if isinstance(option, Map):
            several = isinstance(value, Choice)
            for key, item in option.items.items():
                old = kwargs.get(str(key))
                kwargs[str(key)] = join(old, item) if several and old is not None else item
            if option.rest is not None:
                kwargs["**"] = join(kwargs.get("**"), option.rest)
        else:
            marks = marks_of(option)
            kwargs["**"] = join(kwargs.get("**"), Unknown("", marks))


def _first(bound: dict[str, Value], func: Func) -> Value | None:
    if func.cls is None or not func.node.args.args:
        return None
    value = bound.get(func.node.args.args[0].arg)
    return value if isinstance(value, Instance | ClassV) else None


def _decorated(func: Func, name: str) -> bool:
    if isinstance(func.node, ast.Lambda):
        return False
    for decorator in func.node.decorator_list:
        text = decorator.attr if isinstance(decorator, ast.Attribute) else None
        text = decorator.id if isinstance(decorator, ast.Name) else text
        if text == name:
            return True
    return False


def _has_yield(body: list[ast.stmt]) -> bool:
    stack: list[ast.AST] = list(body)
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            stack.extend(ast.iter_child_nodes(node))
    return False


def _boolean(value: Value) -> bool:
    if isinstance(value, Const):
        return isinstance(value.value, bool | None)
    return isinstance(value, Unknown) and value.type == "bool"


def _returned_value(frame: Frame) -> Value:
    """The value of a call; if it is a verdict, with the facts of the paths to each verdict."""
    values = [v for v, _, _ in frame.returns]
    if len(values) == 1:
        return values[0]
    if not all(_boolean(v) for v in values):
        return _with_path_facts(frame)
    if_true: Facts | None = None
    if_false: Facts | None = None
    for value, facts, _ in frame.returns:
        true, false = when(value)
        known = truth(value)
        if known is not False:
            here = both(facts, true)
            if_true = here if if_true is None else either(if_true, here)
        if known is not True:
            here = both(facts, false)
            if_false = here if if_false is None else either(if_false, here)
    if if_true is None:
        return Const(False)
    if if_false is None:
        return Const(True)
    marks = NO_MARKS
    for value in values:
        marks |= marks_of(value)
    return Unknown("bool", marks, (if_true, if_false))


def _with_path_facts(frame: Frame) -> Value:
    """Values that are returned on several paths: the facts hold where the value is true."""
    out: list[Value] = []
    for value, facts, _ in frame.returns:
        if isinstance(value, Unknown) and facts:
            true, false = when(value)
            out.append(Unknown(value.type, value.marks, (both(facts, true), false)))
        else:
            out.append(value)
    return choice(out)
