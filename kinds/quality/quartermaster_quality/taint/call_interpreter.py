"""Follows calls of functions, methods and classes that the file defines."""

from __future__ import annotations

import ast
from abc import abstractmethod

from quartermaster_quality.taint.annotations import clean_type, last_name, names_in
from quartermaster_quality.taint.compare import constant_facts
from quartermaster_quality.taint.expressions import ExpressionInterpreter
from quartermaster_quality.taint.marks import any_of, both
from quartermaster_quality.taint.rules.classes import PARAMETER
from quartermaster_quality.taint.state import Frame, State
from quartermaster_quality.taint.values import (
    NONE_VALUE,
    AbstractValue,
    Args,
    Bound,
    ClassV,
    ComposedText,
    Const,
    Extern,
    Func,
    Instance,
    Kwargs,
    Map,
    Method,
    Partial,
    Scope,
    Seq,
    Super,
    Thing,
    UnionValue,
    Unknown,
    bake,
    blend,
    choice,
    join,
    line_of,
    map_marks,
    marks_of,
    options,
    own_marks,
    truth,
    when,
    with_rest,
)

MAX_STACK = 14
MODELS = ("BaseModel", "NamedTuple", "TypedDict", "msgspec.Struct", "BaseSettings", "SQLModel")


class CallInterpreter(ExpressionInterpreter):
    """Interprets calls. Follows a call if the file defines the callee."""

    def __init__(self) -> None:
        super().__init__()
        self.stack: list[int] = []
        self.generators: dict[int, bool] = {}

    @abstractmethod
    def call_method(
        self, owner: AbstractValue, name: str, args: Args, kwargs: Kwargs, node: ast.AST
    ) -> AbstractValue: ...

    @abstractmethod
    def call_extern(
        self, name: str, args: Args, kwargs: Kwargs, node: ast.AST
    ) -> AbstractValue: ...

    @abstractmethod
    def base_attribute(self, owner: Instance, name: str, node: ast.AST) -> AbstractValue: ...

    @abstractmethod
    def passed(self, values: dict[str, AbstractValue], node: ast.AST) -> None: ...

    @abstractmethod
    def returned(self, func: Func, frame: Frame) -> None: ...

    # The call expression.

    def on_call(self, node: ast.Call) -> AbstractValue:
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

    def _callee(self, owner: AbstractValue, name: str, node: ast.AST) -> AbstractValue:
        if isinstance(owner, UnionValue):
            return UnionValue(tuple(self._callee(o, name, node) for o in owner.options))
        if isinstance(owner, ClassV):
            found = owner.find(name)
            if isinstance(found, Func) and decorated_with(found, "classmethod"):
                return Bound(found, owner)
            return found if found is not None else Method(owner, name)
        if isinstance(owner, Instance | Super | Extern):
            return self.attribute(owner, name, node)
        if isinstance(owner, Thing) and isinstance(
            owner.attrs.get(name), Func | Bound | ClassV | Partial
        ):
            return owner.attrs[name]
        return Method(owner, name)

    def _super(self) -> AbstractValue:
        cls = self.frame.func.cls if self.frame.func is not None else None
        if cls is None or self.frame.self_ is None:
            return Unknown()
        return Super(cls, self.frame.self_)

    def _arguments(self, node: ast.Call) -> tuple[list[AbstractValue], dict[str, AbstractValue]]:
        args: Args = []
        kwargs: Kwargs = {}
        for arg in node.args:
            value = bake(self.eval(arg), self.facts())
            if isinstance(arg, ast.Starred):
                args.extend(with_rest(*self.elements(value, arg.lineno)))
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
        self, func: AbstractValue, args: Args, kwargs: Kwargs, node: ast.AST
    ) -> AbstractValue:
        """Interprets the call of a value, and returns the result."""
        if isinstance(func, Func):
            return self.call_function(func, args, kwargs, node)
        if isinstance(func, Bound):
            return self.call_function(func.func, args, kwargs, node, func.self_)
        if isinstance(func, UnionValue):
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
        self, func: UnionValue, args: Args, kwargs: Kwargs, node: ast.AST
    ) -> AbstractValue:
        results: list[AbstractValue] = []
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
            outer.facts = any_of(end.facts for end in ends)
        return choice(results)

    # Functions.

    def call_function(
        self,
        func: Func,
        args: Args,
        kwargs: Kwargs,
        node: ast.AST,
        self_: AbstractValue | None = None,
    ) -> AbstractValue:
        """Analyzes the body of a function of the file for given arguments. Returns the function's
        result.
        """
        exhausted = self.exhausted and bool(self.stack)
        deep = len(self.stack) >= MAX_STACK or self.stack.count(id(func.node)) > 1
        if exhausted or deep or self.state is None:
            given = blend(with_rest([*args, *kwargs.values()], self_))
            if exhausted and any(m.kind != PARAMETER for m in given.marks):
                self.unfollowed.add(line_of(node))
            return given
        bound = self.bind(func, args, kwargs, self_, line_of(node))
        self.passed(bound, node)
        outer_state, outer_frame = self.state, self.frame
        frame = Frame(Scope(func.scope), func)
        frame.self_ = self_ if self_ is not None else _first(bound, func)
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
                frame.returns.append((NONE_VALUE, self.state.facts, -1))
                self.leave()
            self.returned(func, frame)
        finally:
            self.stack.pop()
            self.frame = outer_frame
            self.state = outer_state
        return self._result(func, frame)

    def _result(self, func: Func, frame: Frame) -> AbstractValue:
        if self._is_generator(func):
            given = [v for v, _ in sorted(frame.yields, key=lambda each: each[1])]
            if any(may for _, may in frame.yields):
                return Seq("gen", [], choice(given))
            return Seq("gen", given)
        if not frame.returns:
            if not self.exhausted:
                self.state = None
            return Unknown()
        if self.state is not None:
            self.state.facts = any_of(facts for _, facts, _ in frame.returns)
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
        args: Args,
        kwargs: Kwargs,
        self_: AbstractValue | None,
        line: int,
    ) -> dict[str, AbstractValue]:
        """Maps the parameters of a function to their values in a call."""
        spec = func.node.args
        names = [a.arg for a in [*spec.posonlyargs, *spec.args]]
        values = list(args)
        if self_ is not None and not decorated_with(func, "staticmethod"):
            values.insert(0, self_)
        bound: dict[str, AbstractValue] = dict(zip(names, values, strict=False))
        extra = values[len(names) :]
        more = dict(kwargs)
        spread = more.pop("**", None)
        bound |= {name: more.pop(name) for name in names[len(values) :] if name in more}
        for name, default in zip(reversed(names), reversed(func.defaults), strict=False):
            bound.setdefault(name, default if spread is None else join(default, spread))
        for arg, default in zip(spec.kwonlyargs, func.kw_defaults, strict=False):
            bound[arg.arg] = more.pop(arg.arg, default if default is not None else Unknown())
        for name in names:
            bound.setdefault(name, spread if spread is not None else Unknown())
        if spec.vararg is not None:
            bound[spec.vararg.arg] = Seq("tuple", extra)
        if spec.kwarg is not None:
            left: dict[object, AbstractValue] = {k: v for k, v in more.items() if k not in names}
            bound[spec.kwarg.arg] = Map(left, spread)
        return {k: self._arrived(func, k, v, line) for k, v in bound.items()}

    def _arrived(self, func: Func, name: str, value: AbstractValue, line: int) -> AbstractValue:
        if isinstance(value, Unknown | UnionValue | ComposedText) and marks_of(value):
            text = f"it goes to {func.name}() as {name}"
            return map_marks(value, lambda m: m.step(line, text))
        return value

    # Classes.

    def instantiate(self, cls: ClassV, args: Args, kwargs: Kwargs, node: ast.AST) -> AbstractValue:
        """Returns a new object of a class that the file defines."""
        bases = cls.external_bases()
        if any(b.endswith(("Enum", "enum.Flag")) for b in bases):
            members = [v for k, v in cls.ns.items() if not k.startswith("_")]
            if args and isinstance(args[0], Unknown):
                # The call fails unless its argument is one of some constants.
                self.learn(constant_facts(args[0].marks))
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

    def base_init(
        self,
        instance: Instance,
        bases: list[str],
        args: Args,
        kwargs: Kwargs,
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
        """Maps the fields of a record class to their annotations. The fields of base classes come
        first.
        """
        fields: dict[str, ast.expr] = {}
        for part in reversed(list(cls.mro())):
            fields.update(part.fields)
        return {k: v for k, v in fields.items() if "ClassVar" not in names_in(v)}

    def is_checked(self, cls: ClassV) -> bool:
        """Returns whether a class checks the types of its fields when an object is created."""
        return any(
            b.rsplit(".", 1)[-1] in {"BaseModel", "BaseSettings", "SQLModel", "Struct"}
            for b in cls.external_bases()
        )

    def _fill(
        self,
        cls: ClassV,
        instance: Instance,
        args: Args,
        kwargs: Kwargs,
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

    def field_value(self, annotation: ast.expr, value: AbstractValue) -> AbstractValue:
        """Returns the value of a field whose type was checked at run time. The value is harmless if
        the type allows no free text.
        """
        clean = marks_of(value) and clean_type(annotation, self.enum_names())
        return Unknown("int") if clean else value

    def enum_names(self) -> set[str]:
        """Returns the names of the enumerations that the file defines."""
        return {
            k
            for k, v in self.globals.vars.items()
            if isinstance(v, ClassV) and any(b.endswith("Enum") for b in v.external_bases())
        }

    def _field_default(self, cls: ClassV, name: str, node: ast.AST) -> AbstractValue:
        default = cls.find(name)
        if default is None:
            return Unknown()
        if isinstance(default, Thing) and default.type.rsplit(".", 1)[-1] in {"field", "Field"}:
            factory = default.kwargs.get("default_factory")
            if factory is not None:
                return self.call_value(factory, [], {}, node)
            return default.kwargs.get("default") or (default.args[0] if default.args else Unknown())
        return default

    def instance_attribute(self, owner: Instance, name: str, node: ast.AST) -> AbstractValue:
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

    def _member(self, owner: Instance, found: AbstractValue, node: ast.AST) -> AbstractValue:
        if not isinstance(found, Func):
            return found
        if decorated_with(found, "property", "cached_property"):
            return self.call_function(found, [], {}, node, owner)
        return Bound(found, owner.cls if decorated_with(found, "classmethod") else owner)

    def enter(self, manager: AbstractValue, node: ast.expr) -> AbstractValue:
        if isinstance(manager, UnionValue):
            return choice([self.enter(o, node) for o in manager.options])
        if isinstance(manager, Instance):
            for name in ("__enter__", "__aenter__"):
                found = manager.cls.find(name)
                if isinstance(found, Func):
                    return self.call_function(found, [], {}, node, manager)
        return yielded(manager)


def _spread(value: AbstractValue, kwargs: Kwargs) -> None:
    for option in options(value):
        if isinstance(option, Map):
            several = isinstance(value, UnionValue)
            for key, item in option.items.items():
                old = kwargs.get(str(key))
                kwargs[str(key)] = join(old, item) if several and old is not None else item
            if option.rest is not None:
                kwargs["**"] = join(kwargs.get("**"), option.rest)
        else:
            kwargs["**"] = join(kwargs.get("**"), Unknown("", marks_of(option)))


def yielded(value: AbstractValue) -> AbstractValue:
    """Returns the value that a generator yields as a context manager or dependency. Returns any
    other value unchanged.
    """
    if isinstance(value, Seq) and value.kind == "gen":
        return value.items[0] if value.items else value.rest or Unknown()
    return value


def _first(bound: dict[str, AbstractValue], func: Func) -> AbstractValue | None:
    if func.cls is None or not func.node.args.args:
        return None
    value = bound.get(func.node.args.args[0].arg)
    return value if isinstance(value, Instance | ClassV) else None


def decorated_with(func: Func, *names: str) -> bool:
    """Returns whether a function has a decorator with one of the given names and without
    arguments.
    """
    decorators = [] if isinstance(func.node, ast.Lambda) else func.node.decorator_list
    return any(last_name(d) in names for d in decorators if isinstance(d, ast.Name | ast.Attribute))


def _has_yield(body: list[ast.stmt]) -> bool:
    stack: list[ast.AST] = list(body)
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            stack.extend(ast.iter_child_nodes(node))
    return False


def _boolean(value: AbstractValue) -> bool:
    if isinstance(value, Const):
        return isinstance(value.value, bool | None)
    return isinstance(value, Unknown) and value.type == "bool"


def _returned_value(frame: Frame) -> AbstractValue:
    """Returns the result of a call. If all paths return true or false, the result also contains
    facts: those that hold if the result is true, and those that hold if it is false.
    """
    values = [v for v, _, _ in frame.returns]
    if len(values) == 1:
        return values[0]
    if not all(_boolean(v) for v in values):
        return _with_path_facts(frame)
    paths = [(v, facts) for v, facts, _ in frame.returns]
    if_true = [both(facts, when(v)[0]) for v, facts in paths if truth(v) is not False]
    if_false = [both(facts, when(v)[1]) for v, facts in paths if truth(v) is not True]
    if not if_true or not if_false:
        return Const(bool(if_true))
    return Unknown("bool", blend(values).marks, (any_of(if_true), any_of(if_false)))


def _with_path_facts(frame: Frame) -> AbstractValue:
    """Returns the values that are returned on several paths. For each unknown value, records the
    facts of its path. They hold if the value is true.
    """
    out: list[AbstractValue] = []
    for value, facts, _ in frame.returns:
        if isinstance(value, Unknown) and facts:
            true, false = when(value)
            out.append(Unknown(value.type, value.marks, (both(facts, true), false)))
        else:
            out.append(value)
    return choice(out)
