"""Evaluates expressions on abstract values."""

from __future__ import annotations

import ast
import functools
import operator
import re
import string
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from quartermaster_quality.taint import compare
from quartermaster_quality.taint.marks import NO_FACTS, Facts, Mark, any_of, both
from quartermaster_quality.taint.state import State, merge
from quartermaster_quality.taint.statement_interpreter import StatementInterpreter
from quartermaster_quality.taint.values import (
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
    Seq,
    Super,
    Thing,
    UnionValue,
    Unknown,
    bake,
    blend,
    choice,
    const_str,
    join,
    make_text,
    map_marks,
    marks_of,
    options,
    text_parts,
    truth,
    verdict,
    when,
    with_marks,
    with_rest,
)

OPERATORS: dict[type[ast.operator], Callable[..., object]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,  # pyright: ignore[reportUnknownMemberType]
    ast.FloorDiv: operator.floordiv,  # pyright: ignore[reportUnknownMemberType]
    ast.Mod: operator.mod,
    ast.BitOr: operator.or_,  # pyright: ignore[reportUnknownMemberType]
    ast.BitAnd: operator.and_,  # pyright: ignore[reportUnknownMemberType]
    ast.BitXor: operator.xor,  # pyright: ignore[reportUnknownMemberType]
}
MAX_TEXT = 4000


class ExpressionInterpreter(StatementInterpreter):
    """The part of the abstract interpreter that evaluates expressions."""

    @abstractmethod
    def on_call(self, node: ast.Call) -> AbstractValue: ...

    @abstractmethod
    def call_value(
        self, func: AbstractValue, args: Args, kwargs: Kwargs, node: ast.AST
    ) -> AbstractValue: ...

    @abstractmethod
    def instance_attribute(self, owner: Instance, name: str, node: ast.AST) -> AbstractValue: ...

    @abstractmethod
    def library_attribute(
        self, owner: AbstractValue, name: str, node: ast.AST
    ) -> AbstractValue: ...

    @abstractmethod
    def compared(
        self, node: ast.Compare, left: AbstractValue, right: AbstractValue, op: ast.cmpop
    ) -> None: ...

    @abstractmethod
    def keyed(self, key: AbstractValue, value: AbstractValue, node: ast.AST) -> None: ...

    def on_await(self, node: ast.Await | ast.Starred) -> AbstractValue:
        return self.eval(node.value)

    on_starred = on_await

    def on_constant(self, node: ast.Constant) -> AbstractValue:
        return Const(node.value, node.lineno)

    def on_name(self, node: ast.Name) -> AbstractValue:
        value = self.lookup(node.id)
        if value is None:
            return Extern(node.id)
        return bake(value, self.facts())

    def on_attribute(self, node: ast.Attribute) -> AbstractValue:
        return bake(self.attribute(self.eval(node.value), node.attr, node), self.facts())

    def attribute(self, owner: AbstractValue, name: str, node: ast.AST) -> AbstractValue:
        if isinstance(owner, UnionValue):
            return choice([self.attribute(o, name, node) for o in owner.options])
        if isinstance(owner, Instance):
            return self.instance_attribute(owner, name, node)
        if isinstance(owner, ClassV):
            found = owner.find(name)
            if found is not None:
                return found
            return Const(owner.name) if name == "__name__" else Unknown()
        if isinstance(owner, Super):
            return self._super_attribute(owner, name)
        return self.library_attribute(owner, name, node)

    def _super_attribute(self, owner: Super, name: str) -> AbstractValue:
        for cls in list(owner.cls.mro())[1:]:
            if name in cls.ns:
                value = cls.ns[name]
                return Bound(value, owner.self_) if isinstance(value, Func) else value
        return Method(owner, name)

    def set_attribute(
        self, owner: AbstractValue, name: str, value: AbstractValue, _node: ast.AST
    ) -> None:
        value = bake(value, self.facts())
        for option in options(owner):
            if isinstance(option, Instance | Thing):
                weak = self.frame.may and name in option.attrs
                option.attrs[name] = join(option.attrs[name], value) if weak else value
            elif isinstance(option, ClassV):
                option.ns[name] = join(option.ns.get(name), value)

    def set_item(
        self, owner: AbstractValue, key: AbstractValue, value: AbstractValue, node: ast.Subscript
    ) -> None:
        value = bake(value, self.facts())
        self.keyed(key, value, node)
        for option in options(owner):
            if isinstance(option, Map):
                self.set_map(option, bake(key, self.facts()), value)
            elif isinstance(option, Seq):
                self._set_seq(option, key, value)
            elif isinstance(option, Thing):
                name = const_str(key)
                if name is not None:
                    option.attrs[f"[{name}]"] = value
                else:
                    option.marks |= marks_of(value)

    def set_map(self, owner: Map, key: AbstractValue, value: AbstractValue) -> None:
        if isinstance(key, Const) and _hashable(key.value):
            old = owner.items.get(key.value)
            owner.items[key.value] = join(old, value) if self.frame.may and old else value
        else:
            owner.rest = join(owner.rest, value)
            owner.keys = join(owner.keys, key)

    def _set_seq(self, owner: Seq, key: AbstractValue, value: AbstractValue) -> None:
        at = key.value if isinstance(key, Const) and not self.frame.may else None
        if isinstance(at, int) and -len(owner.items) <= at < len(owner.items):
            owner.items[at] = value
            return
        owner.rest = join(owner.rest, value)

    def on_subscript(self, node: ast.Subscript) -> AbstractValue:
        owner = self.eval(node.value)
        if isinstance(node.slice, ast.Slice):
            return bake(self._sliced(owner, node.slice), self.facts())
        key = self.eval(node.slice)
        return bake(self.item(owner, key, node), self.facts())

    def item(  # noqa: C901, PLR0911 - one for each kind of value
        self, owner: AbstractValue, key: AbstractValue, node: ast.AST
    ) -> AbstractValue:
        """Returns the value of ``owner[key]``."""
        if isinstance(owner, UnionValue):
            return choice([self.item(o, key, node) for o in owner.options])
        if isinstance(key, UnionValue):
            return choice([self.item(owner, k, node) for k in key.options])
        if isinstance(owner, Map):
            return self.map_item(owner, key)
        if isinstance(owner, Seq):
            return _seq_item(owner, key)
        if isinstance(owner, Const | ComposedText):
            return self._text_item(owner, key)
        if isinstance(owner, Extern):
            known = const_str(key)
            if owner.name == "os.environ":
                return Unknown("str")
            return self.library_attribute(owner, f"[{known}]" if known else "[]", node)
        if isinstance(owner, Thing):
            return self._thing_item(owner, key, node)
        if isinstance(owner, Instance):
            found = self.attribute(owner, "__getitem__", node)
            if isinstance(found, Unknown):
                return Unknown("", marks_of(owner))
            return self.call_value(found, [key], {}, node)
        if isinstance(owner, Unknown):
            return unknown_item(owner, key)
        return Unknown("", marks_of(owner))

    def map_item(
        self, owner: Map, key: AbstractValue, missing: AbstractValue | None = None
    ) -> AbstractValue:
        """Returns the value of a dict under a key. If the key may be absent, the result can also be
        ``missing``.
        """
        if isinstance(key, Const) and _hashable(key.value):
            if key.value in owner.items:
                return owner.items[key.value]
            return choice(with_rest(with_rest([], owner.rest), missing))
        found = with_rest(owner.items.values(), owner.rest)
        if isinstance(key, ComposedText):
            found = _matching(owner, key) or found
        return choice(with_rest(found, missing))

    def _text_item(self, owner: AbstractValue, key: AbstractValue) -> AbstractValue:
        text = const_str(owner)
        if text is not None and isinstance(key, Const) and isinstance(key.value, int):
            raw = owner.value if isinstance(owner, Const) else text
            try:
                return Const((raw if isinstance(raw, bytes) else text)[key.value])
            except (IndexError, TypeError):
                return Unknown("str")
        if isinstance(owner, ComposedText) and isinstance(key, Const):
            return Unknown("str", frozenset(_at(m, key.value) for m in marks_of(owner)))
        return Unknown("str", marks_of(owner))

    def _thing_item(self, owner: Thing, key: AbstractValue, node: ast.AST) -> AbstractValue:
        name = const_str(key)
        if name is not None and f"[{name}]" in owner.attrs:
            return owner.attrs[f"[{name}]"]
        return self.library_attribute(owner, f"[{name}]" if name else "[]", node)

    def on_slice(self, _node: ast.Slice) -> AbstractValue:
        return Unknown("slice")

    def _sliced(self, owner: AbstractValue, node: ast.Slice) -> AbstractValue:
        bounds = [None if b is None else self.eval(b) for b in (node.lower, node.upper, node.step)]
        known = all(
            b is None or (isinstance(b, Const) and isinstance(b.value, int | None)) for b in bounds
        )
        values = [b.value if isinstance(b, Const) else None for b in bounds]
        cut = slice(*(v if isinstance(v, int) else None for v in values))
        return choice([self._slice(o, cut, known) for o in options(owner)])

    def _slice(self, owner: AbstractValue, cut: slice, known: bool) -> AbstractValue:
        if isinstance(owner, Const) and isinstance(owner.value, str | bytes | tuple) and known:
            return Const(owner.value[cut])  # pyright: ignore[reportUnknownArgumentType,reportUnknownMemberType]
        if isinstance(owner, Seq):
            if known and owner.rest is None:
                return Seq(owner.kind, owner.items[cut])
            return Seq(owner.kind, [], choice(with_rest(owner.items, owner.rest)))
        if isinstance(owner, ComposedText) and known:
            return _text_slice(owner, cut)
        suffix = "" if known else "|part"
        if (cut.start, cut.stop) in {(0, 1), (1, 2)}:
            suffix = f"|at{cut.start}"
        return map_marks(
            Unknown("str" if not isinstance(owner, Unknown) else owner.type, marks_of(owner)),
            lambda m: m.part(suffix) if suffix else m,
        )

    # Operators.

    def on_binop(self, node: ast.BinOp) -> AbstractValue:
        return self.binary(self.eval(node.left), node.op, self.eval(node.right), node)

    def binary(
        self, left: AbstractValue, op: ast.operator, right: AbstractValue, node: ast.AST
    ) -> AbstractValue:
        if isinstance(left, UnionValue) and len(left.options) <= 4:
            return choice([self.binary(o, op, right, node) for o in left.options])
        if isinstance(right, UnionValue) and len(right.options) <= 4:
            return choice([self.binary(left, op, o, node) for o in right.options])
        if isinstance(left, Const) and isinstance(right, Const):
            return _folded(left, op, right)
        result: AbstractValue | None = None
        match op:
            case ast.Add():
                result = self._add(left, right, node)
            case ast.Mod():
                result = self._mod(left, right)
            case ast.Div():
                result = self._div(left, right)
            case ast.BitOr():
                result = self._or(left, right)
            case ast.Mult() if isinstance(left, Seq):
                result = Seq(left.kind, [], choice(left.items) if left.items else left.rest)
            case _:
                pass
        if result is not None:
            return result
        numbers = _is_number(left) and _is_number(right)
        return Unknown("int" if numbers else "", marks_of(left) | marks_of(right))

    def _add(
        self, left: AbstractValue, right: AbstractValue, node: ast.AST
    ) -> AbstractValue | None:
        if isinstance(left, Seq) or isinstance(right, Seq):
            return self.concatenated(left, right, node)
        if _is_number(left) and _is_number(right):
            return Unknown("int")
        if isinstance(left, Extern) and isinstance(right, Extern):
            return Unknown()
        if isinstance(left, Thing | Instance) and not isinstance(right, Const | ComposedText):
            return None
        return make_text([left, right])

    def concatenated(
        self, left: AbstractValue, right: AbstractValue, node: ast.AST
    ) -> AbstractValue:
        line = getattr(node, "lineno", 0)
        items, rest = self.elements(left, line)
        more, last = self.elements(right, line)
        kind = left.kind if isinstance(left, Seq) else "list"
        if rest is None:
            return Seq(kind, items + more, last)
        return Seq(kind, items, choice(with_rest([rest, *more], last)))

    def _mod(self, left: AbstractValue, right: AbstractValue) -> AbstractValue:
        if isinstance(left, Thing) and left.type == "markupsafe.Markup":
            return Thing("markupsafe.Markup", [Const("")])
        if const_str(left) is None and not isinstance(left, ComposedText):
            if _is_number(right) and not marks_of(left):
                return Unknown()
            return blend([left, right], "str")
        return percent_format(left, right, self)

    def _div(self, left: AbstractValue, right: AbstractValue) -> AbstractValue:
        if _is_number(left) or (_is_number(right) and not isinstance(left, ComposedText)):
            return Unknown("float")
        return make_text([left, "/", right], "path")

    def _or(self, left: AbstractValue, right: AbstractValue) -> AbstractValue | None:
        if isinstance(left, Map) and isinstance(right, Map):
            return merged_map([left, right])
        if isinstance(left, Extern) and isinstance(right, Extern):
            return ComposedText((left, "|", right), "flags")
        if isinstance(left, ComposedText) and left.type == "flags":
            return ComposedText((*left.parts, "|", right), "flags")
        return None

    def on_boolop(self, node: ast.BoolOp) -> AbstractValue:
        """Returns the value of an expression with ``and`` or ``or``, with the facts that its truth
        implies.
        """
        is_and = isinstance(node.op, ast.And)
        if self.state is None:
            return Unknown()
        outer = self.state
        results: list[AbstractValue] = []
        stopped: list[Facts] = []  # on the paths that stop early
        going: Facts = NO_FACTS
        for index, operand in enumerate(node.values):
            self.state = outer if index == 0 else outer.copy(both(outer.facts, going))
            value = self.eval(operand)
            if index == 0:
                outer = self.state or outer
            true, false = when(value)
            stop, go = (false, true) if is_and else (true, false)
            known = truth(value)
            last = index == len(node.values) - 1
            stops = known is (not is_and)
            if not last and known is is_and:
                going = both(going, go)
                continue
            results.append(bake(value, self.state.facts) if self.state else value)
            if not (last and known is is_and):
                stopped.append(both(going, stop))
            going = both(going, go)
            if stops:
                going = NO_FACTS if not last else going
                break
        self.state = outer
        decided = any_of(stopped)
        facts = (going, decided) if is_and else (decided, going)
        return self._bool_result(results, facts, is_and)

    def _bool_result(
        self, results: list[AbstractValue], facts: tuple[Facts, Facts], is_and: bool
    ) -> AbstractValue:
        if len(results) == 1 and truth(results[0]) is not None:
            return results[0]
        retained = [r for r in results[:-1] if truth(r) is not (is_and)] + results[-1:]
        if not is_and:
            retained = [_without_none(r) for r in retained[:-1]] + retained[-1:]
        if all(
            (isinstance(r, Unknown) and r.type == "bool") or truth(r) is not None for r in retained
        ):
            if {truth(r) for r in retained} in ({True}, {False}):
                return retained[-1]
            return Unknown("bool", blend(retained).marks, facts)
        value = choice(retained)
        return _with_when(value, facts) if any(facts) else value

    def on_unaryop(self, node: ast.UnaryOp) -> AbstractValue:
        value = self.eval(node.operand)
        if isinstance(node.op, ast.Not):
            return compare.negated(value)
        if isinstance(value, Const) and isinstance(value.value, int | float):
            if isinstance(node.op, ast.USub):
                return Const(-value.value)
            if isinstance(node.op, ast.UAdd):
                return value
        return Unknown("int" if not marks_of(value) else "", marks_of(value))

    def on_compare(self, node: ast.Compare) -> AbstractValue:
        left = self.eval(node.left)
        results: list[AbstractValue] = []
        for op, comparator in zip(node.ops, node.comparators, strict=True):
            right = self.eval(comparator)
            self.compared(node, left, right, op)
            results.append(compare.compare(left, op, right))
            left = right
        return functools.reduce(_both_hold, results)

    def on_ifexp(self, node: ast.IfExp) -> AbstractValue:
        true, false = self.condition(node.test)
        values: list[AbstractValue] = []
        end: State | None = None
        for state, branch in ((true, node.body), (false, node.orelse)):
            if state is None:
                continue
            self.state = state
            self.frame.may += 1
            value = self.eval(branch)
            self.frame.may -= 1
            arrived = self.here()
            if arrived is not None:
                values.append(bake(value, arrived.facts))
                end = merge(end, arrived)
        self.state = end
        return choice(values)

    # Texts.

    def on_joinedstr(self, node: ast.JoinedStr) -> AbstractValue:
        return make_text([self.eval(v) for v in node.values])

    def on_formattedvalue(self, node: ast.FormattedValue) -> AbstractValue:
        value = self.eval(node.value)
        spec = None if node.format_spec is None else const_str(self.eval(node.format_spec))
        return formatted(self.as_text(value, node), node.conversion, spec)

    def as_text(self, value: AbstractValue, node: ast.AST) -> AbstractValue:
        """Returns ``str(value)``. Calls ``__str__`` if the file defines the class of the value."""
        if isinstance(value, Instance):
            for name in ("__format__", "__str__"):
                found = value.cls.find(name)
                if isinstance(found, Func):
                    args: Args = [Const("")] if name == "__format__" else []
                    return self.call_value(self.attribute(value, name, node), args, {}, node)
        if isinstance(value, UnionValue):
            return choice([self.as_text(o, node) for o in value.options])
        return value

    # Containers.

    def on_list(self, node: ast.List | ast.Tuple | ast.Set) -> AbstractValue:
        items: list[AbstractValue] = []
        rest: AbstractValue | None = None
        for element in node.elts:
            value = bake(self.eval(element), self.facts())
            if isinstance(element, ast.Starred):
                more, last = self.elements(value, element.lineno)
                if rest is None and last is None:
                    items.extend(more)
                    continue
                for extra in with_rest(more, last):
                    rest = join(rest, extra)
            elif rest is None:
                items.append(value)
            else:
                rest = join(rest, value)
        return Seq(type(node).__name__.lower(), items, rest)

    on_tuple = on_set = on_list

    def on_dict(self, node: ast.Dict) -> AbstractValue:
        result = Map({})
        for key_node, value_node in zip(node.keys, node.values, strict=True):
            value = bake(self.eval(value_node), self.facts())
            if key_node is None:
                result = merged_map([result, value])
                continue
            key = bake(self.eval(key_node), self.facts())
            self.keyed(key, value, value_node)
            if isinstance(key, Const) and _hashable(key.value):
                result.items[key.value] = value
            elif isinstance(key, Extern):
                result.items[key.name] = value
            else:
                result.rest = join(result.rest, value)
                result.keys = join(result.keys, key)
        return result

    def on_listcomp(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> AbstractValue:
        items: list[AbstractValue] = []
        rest: list[AbstractValue] = []

        def collect(certain: bool) -> None:
            value = bake(self.eval(node.elt), self.facts())
            (items if certain else rest).append(value)

        self._generate(node.generators, True, collect)
        kind = {ast.ListComp: "list", ast.SetComp: "set", ast.GeneratorExp: "gen"}[type(node)]
        made = Seq(kind, items, choice(rest) if rest else None)
        made.when = self._none_left(node.generators)
        return made

    on_setcomp = on_generatorexp = on_listcomp

    def _none_left(self, generators: list[ast.comprehension]) -> tuple[Facts, Facts] | None:
        """Returns the facts that follow if a comprehension with a filter yields an empty list.
        Every element then failed the filter.
        """
        if len(generators) != 1 or len(generators[0].ifs) != 1 or self.state is None:
            return None
        outer, generator = self.state, generators[0]
        items, rest = self.elements(self.eval(generator.iter), generator.iter.lineno)
        if items or rest is None:
            return None
        self.state = outer.copy()
        self.assign(generator.target, rest)
        _, false = when(self.eval(generator.ifs[0]))
        self.state = outer
        return NO_FACTS, compare.whole_facts(false)

    def on_dictcomp(self, node: ast.DictComp) -> AbstractValue:
        result = Map({})

        def collect(certain: bool) -> None:
            key = bake(self.eval(node.key), self.facts())
            value = bake(self.eval(node.value), self.facts())
            if certain and isinstance(key, Const) and _hashable(key.value):
                result.items[key.value] = value
            else:
                result.rest = join(result.rest, value)
                result.keys = join(result.keys, key)

        self._generate(node.generators, True, collect)
        return result

    def _generate(
        self,
        generators: list[ast.comprehension],
        certain: bool,
        collect: Callable[[bool], None],
    ) -> None:
        """Runs a comprehension. Its variables hide outer variables; its conditions narrow the
        values.
        """
        if self.state is None:
            return
        if not generators:
            collect(certain)
            return
        outer = self.state
        generator = generators[0]
        items, rest = self.elements(self.eval(generator.iter), generator.iter.lineno)
        if len(items) > 24:
            rest, items = choice(with_rest(items, rest)), []
        todo = [(i, certain) for i in items] + ([(rest, False)] if rest is not None else [])
        for item, expected in todo:
            sure = expected
            self.state = outer.copy()
            self.assign(generator.target, item)
            for test in generator.ifs:
                known = None
                if self.state is not None:
                    true, false = self.condition(test)
                    known = true is not None and false is None
                    self.state = true
                sure = sure and bool(known)
            if self.state is not None:
                self._generate(generators[1:], sure, collect)
        self.state = outer

    def on_lambda(self, node: ast.Lambda) -> AbstractValue:
        self.sync_scope()
        func = Func(node, self.frame.scope, "<lambda>")
        func.defaults = [self.eval(d) for d in node.args.defaults]
        return func

    def on_yield(self, node: ast.Yield) -> AbstractValue:
        value = Const(None) if node.value is None else self.eval(node.value)
        self.frame.yields.append((bake(value, self.facts()), self.frame.may > 0))
        return Unknown()

    def on_yieldfrom(self, node: ast.YieldFrom) -> AbstractValue:
        items, rest = self.elements(self.eval(node.value), node.lineno)
        self.frame.yields.extend((i, self.frame.may > 0) for i in items)
        if rest is not None:
            self.frame.yields.append((rest, True))
        return Unknown()

    def on_namedexpr(self, node: ast.NamedExpr) -> AbstractValue:
        value = self.eval(node.value)
        self.named(node.target.id, value, node.lineno)
        self.assign_name(node.target.id, value)
        return value

    def elements(
        self, value: AbstractValue, line: int
    ) -> tuple[list[AbstractValue], AbstractValue | None]:
        """Returns the elements of an iterable: the known elements, and one value that represents
        all other elements (None if there are no others).
        """
        if isinstance(value, Seq):
            return list(value.items), value.rest
        if isinstance(value, Map):
            return [Const(k) for k in value.items], value.keys or (
                Unknown() if value.rest is not None else None
            )
        if isinstance(value, Const):
            return _const_elements(value)
        if isinstance(value, ClassV):
            members = [v for k, v in value.ns.items() if not k.startswith("_")]
            return [v for v in members if isinstance(v, Const)], Unknown()
        if isinstance(value, UnionValue):
            found = [self.elements(o, line) for o in value.options]
            flat = [i for items, _ in found for i in items]
            flat += [rest for _, rest in found if rest is not None]
            return [], choice(flat) if flat else None
        if isinstance(value, Instance):
            return self._instance_elements(value, line)
        each = frozenset(m.part("|each") for m in marks_of(value))
        type_ = {"path": "path", "request.files": "upload"}.get(
            value.type if isinstance(value, Unknown | ComposedText) else "", ""
        )
        return [], Unknown(type_, each)

    def _instance_elements(
        self, value: Instance, line: int
    ) -> tuple[list[AbstractValue], AbstractValue | None]:
        node = ast.Pass(lineno=line)
        for name in ("__iter__", "__aiter__"):
            if isinstance(value.cls.find(name), Func):
                got = self.call_value(self.attribute(value, name, node), [], {}, node)
                if got is not value:
                    return self.elements(got, line)
        if any("NamedTuple" in b for b in value.cls.external_bases()):
            return [value.attrs[f] for f in value.cls.fields if f in value.attrs], None
        return [], Unknown("", marks_of(value))


def _hashable(value: object) -> bool:
    return isinstance(value, str | int | float | bytes | bool | None)


def _const_elements(value: Const) -> tuple[list[AbstractValue], AbstractValue | None]:
    if isinstance(value.value, str) and len(value.value) <= 24:
        return [Const(c) for c in value.value], None
    if isinstance(value.value, range):
        return [], Unknown("int")
    return [], Unknown()


def _at(mark: Mark, key: object) -> Mark:
    return mark.part(f"|at{key}") if key in {0, 1} else mark.part("|part")


def unknown_item(owner: Unknown, key: AbstractValue) -> AbstractValue:
    """Returns an item of an unknown value."""
    if not owner.marks:
        return Unknown(f"{owner.type}[]" if owner.type else "")
    at = key.value if isinstance(key, Const) else None
    if isinstance(at, str | int):
        if isinstance(at, int) and owner.type in {"str", "bytes"}:
            return Unknown("str", frozenset(_at(m, at) for m in owner.marks))
        marks = frozenset(m.part(f".{at}") for m in owner.marks)
    else:
        marks = frozenset(m.part("|part") for m in owner.marks)
    return Unknown("upload" if owner.type == "request.files" else "", marks)


def _seq_item(owner: Seq, key: AbstractValue) -> AbstractValue:
    if isinstance(key, Const) and isinstance(key.value, int):
        if -len(owner.items) <= key.value < len(owner.items) and (
            owner.rest is None or key.value >= 0
        ):
            return owner.items[key.value]
        if owner.rest is not None:
            return owner.rest
    return choice(with_rest(owner.items, owner.rest))


def _matching(owner: Map, key: ComposedText) -> list[AbstractValue]:
    """Returns the values of a dict whose keys match a partly known text."""
    prefix = key.parts[0] if isinstance(key.parts[0], str) else ""
    suffix = key.parts[-1] if isinstance(key.parts[-1], str) else ""
    return [
        v
        for k, v in owner.items.items()
        if isinstance(k, str) and k.startswith(prefix) and k.endswith(suffix)
    ]


def _text_slice(owner: ComposedText, cut: slice) -> AbstractValue:
    """Returns a slice of a text. If the cuts are within known pieces, the other pieces are kept
    unchanged.
    """
    parts = list(owner.parts)
    start, stop = cut.start or 0, cut.stop
    if cut.step is None and isinstance(parts[0], str) and 0 <= start <= len(parts[0]):
        parts[0] = parts[0][start:]
        if stop is None:
            return make_text(parts, owner.type)
        if stop < 0 and isinstance(parts[-1], str) and -stop <= len(parts[-1]):
            parts[-1] = parts[-1][:stop]
            return make_text(parts, owner.type)
        if stop > 0 and isinstance(owner.parts[0], str) and stop <= len(owner.parts[0]):
            return Const(owner.parts[0][start:stop])
    return Unknown("str", marks_of(owner))


def _folded(left: Const, op: ast.operator, right: Const) -> AbstractValue:
    apply = OPERATORS.get(type(op))
    if apply is None:
        return Unknown("int")
    if isinstance(op, ast.Mult | ast.Mod) and not (
        isinstance(left.value, int | float) and isinstance(right.value, int | float)
    ):
        template: Any = left.value
        if isinstance(op, ast.Mod) and isinstance(template, str):
            try:
                return Const(template % right.value)
            except (TypeError, ValueError):
                return Unknown("str")
        return Unknown("str")
    try:
        value = apply(left.value, right.value)
    except (TypeError, ValueError, ArithmeticError):
        return make_text([left, "/", right], "path") if isinstance(op, ast.Div) else Unknown()
    if isinstance(value, str | bytes) and len(value) > MAX_TEXT:
        return Unknown("str")
    return Const(value, left.line)


def _is_number(value: AbstractValue) -> bool:
    if isinstance(value, Const):
        return isinstance(value.value, int | float)
    return isinstance(value, Unknown) and value.type in {"int", "float", "bool"}


def _both_hold(first: AbstractValue, second: AbstractValue) -> AbstractValue:
    known = (truth(first), truth(second))
    if None not in known or False in known:
        return Const(all(known))
    return verdict(both(when(first)[0], when(second)[0]))


def _without_none(value: AbstractValue) -> AbstractValue:
    if isinstance(value, UnionValue):
        return choice([v for v in value.options if truth(v) is not False] or list(value.options))
    return value


def _with_when(value: AbstractValue, facts: tuple[Facts, Facts]) -> AbstractValue:
    if isinstance(value, UnionValue):
        return UnionValue(tuple(_with_when(v, facts) for v in value.options))
    if isinstance(value, Unknown | Thing):
        return Unknown(value.type, value.marks, facts)
    return value


def merged_map(maps: list[AbstractValue]) -> Map:
    """Merges several dicts into one. Values of later dicts win."""
    result = Map({})
    for value in maps:
        for option in options(value):
            if isinstance(option, Map):
                several = isinstance(value, UnionValue)
                for key, item in option.items.items():
                    old = result.items.get(key)
                    result.items[key] = join(old, item) if several and old is not None else item
                if option.rest is not None:
                    _add_rest(result, option.rest, option.keys)
            elif marks_of(option) or not isinstance(option, Const):
                inner = frozenset(m.part("|part") for m in marks_of(option))
                if inner:
                    _add_rest(result, Unknown("", inner), Unknown("", inner))
    return result


def _add_rest(result: Map, rest: AbstractValue, keys: AbstractValue | None) -> None:
    """Adds values under unknown keys to a dict. These values may replace the values under known
    keys.
    """
    result.rest = join(result.rest, rest)
    result.keys = join(result.keys, keys) if keys is not None else result.keys
    if marks_of(rest):
        for key in result.items:
            result.items[key] = join(result.items[key], rest)


def formatted(value: AbstractValue, conversion: int = -1, spec: str | None = None) -> AbstractValue:
    """Returns a value as a piece of a text, after a conversion such as ``!r`` and a format
    specification.
    """
    if conversion in {ord("r"), ord("a")}:
        return map_marks(
            Unknown("str", marks_of(value)), lambda m: replace(m, safe=m.safe | {"log"})
        )
    if spec and spec[-1:] in set("dxXobeEfFgGn%c") and not isinstance(value, Const):
        return Unknown("int")
    return value


def percent_format(
    left: AbstractValue, right: AbstractValue, machine: ExpressionInterpreter
) -> AbstractValue:
    """Returns the value of ``template % values``."""
    values, rest = [right], right if isinstance(right, Map | Unknown | UnionValue) else None
    if isinstance(right, Seq) and right.kind == "tuple":
        values, rest = list(right.items), right.rest
    out: list[str | AbstractValue] = []
    for part in text_parts(left):
        if not isinstance(part, str):
            out.append(part)
            continue
        out.extend(_percent_pieces(part, values, rest, right, machine))
    return make_text(out)


def _percent_pieces(
    template: str,
    values: list[AbstractValue],
    rest: AbstractValue | None,
    whole: AbstractValue,
    machine: ExpressionInterpreter,
) -> list[str | AbstractValue]:
    out: list[str | AbstractValue] = []
    at = 0
    for match in re.finditer(
        r"%(?:\((\w+)\))?[-#0 +]*(?:\d+|\*)?(?:\.(?:\d+|\*))?([a-zA-Z%])", template
    ):
        out.append(template[at : match.start()])
        at = match.end()
        name, kind = match.groups()
        if kind == "%":
            out.append("%")
            continue
        if name and isinstance(whole, Map):
            value = machine.map_item(whole, Const(name))
        elif values and not isinstance(values[0], Map):
            value = values.pop(0)
        else:
            value = rest if rest is not None else Unknown()
        conversion = ord(kind) if kind in "ra" else -1
        value = machine.as_text(value, ast.Pass(lineno=0))
        out.append(formatted(value, conversion, kind if kind in "dxXoeEfFgGi" else None))
    out.append(template[at:])
    return out


def brace_format(
    left: AbstractValue, args: Args, kwargs: Kwargs, machine: ExpressionInterpreter
) -> AbstractValue:
    """Returns the value of ``template.format(...)``."""
    out: list[str | AbstractValue] = []
    count = 0
    everything = [*args, *kwargs.values()]
    for part in text_parts(left):
        if not isinstance(part, str):
            out.append(with_marks(part, blend(everything).marks))
            continue
        try:
            pieces = list(string.Formatter().parse(part))
        except ValueError:
            return blend([left, *everything], "str")
        for literal, field, spec, conversion in pieces:
            out.append(literal)
            if field is None:
                continue
            value, count = _field(field, count, args, kwargs, machine)
            value = machine.as_text(value, ast.Pass(lineno=0))
            out.append(formatted(value, ord(conversion) if conversion else -1, spec))
    return make_text(out)


def _field(
    field: str, count: int, args: Args, kwargs: Kwargs, machine: ExpressionInterpreter
) -> tuple[AbstractValue, int]:
    head = re.split(r"[.\[]", field, maxsplit=1)[0]
    if not head:
        value = args[count] if count < len(args) else blend([*args, *kwargs.values()])
        count += 1
    elif head.isdigit():
        value = args[int(head)] if int(head) < len(args) else blend(args)
    else:
        value = kwargs.get(head) or kwargs.get("**") or Unknown()
        if isinstance(value, Map):
            value = machine.map_item(value, Const(head))
    node = ast.Pass(lineno=0)
    for access in re.findall(r"\.(\w+)|\[(\w+)\]", field[len(head) :]):
        attribute, key = access
        value = (
            machine.attribute(value, attribute, node)
            if attribute
            else machine.item(value, Const(key), node)
        )
    return value, count
