"""The abstract interpreter: it runs the code of a file on abstract values."""

from __future__ import annotations

import ast
import itertools
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from quartermaster_quality.taint.compare import constant_facts, whole_facts
from quartermaster_quality.taint.marks import NO_FACTS, Facts, any_of, both
from quartermaster_quality.taint.state import Frame, State, merge
from quartermaster_quality.taint.values import (
    NONE_VALUE,
    AbstractValue,
    ClassV,
    Const,
    Extern,
    Func,
    Map,
    Scope,
    Seq,
    Unknown,
    bake,
    choice,
    join,
    marks_of,
    options,
    truth,
    when,
    with_rest,
)

MAX_UNROLLED_ITEMS = 12
# Expressions that are evaluated before calls are no longer followed: in a file, and in an entry.
BUDGET = 60_000
ENTRY_BUDGET = 6_000


class StatementInterpreter(ABC):
    """Interprets statements. Subclasses interpret expressions and calls."""

    def __init__(self) -> None:
        self.globals = Scope(None)
        self.frame = Frame(self.globals)
        self.state: State | None = State(self.globals.vars)
        self.spent: int = 0
        self.limit = BUDGET
        # Lines of calls with data from outside that are not followed: the budget is used up.
        self.unfollowed: set[int] = set()
        self.executed: set[int] = set()
        # The method of a kind of node is named ``on_`` and the kind; some kinds have none.
        self.handlers: dict[type[ast.AST], Callable[..., Any] | None] = {
            kind: getattr(self, f"on_{kind.__name__.lower()}", None)
            for kind in (*ast.stmt.__subclasses__(), *ast.expr.__subclasses__())
        }

    # What the subclasses give.

    @abstractmethod
    def enter(self, manager: AbstractValue, node: ast.expr) -> AbstractValue: ...

    @abstractmethod
    def elements(
        self, value: AbstractValue, line: int
    ) -> tuple[list[AbstractValue], AbstractValue | None]: ...

    @abstractmethod
    def set_attribute(
        self, owner: AbstractValue, name: str, value: AbstractValue, _node: ast.AST
    ) -> None: ...

    @abstractmethod
    def set_item(
        self, owner: AbstractValue, key: AbstractValue, value: AbstractValue, node: ast.Subscript
    ) -> None: ...

    @abstractmethod
    def binary(
        self, left: AbstractValue, op: ast.operator, right: AbstractValue, node: ast.AST
    ) -> AbstractValue: ...

    @abstractmethod
    def attribute(self, owner: AbstractValue, name: str, node: ast.AST) -> AbstractValue: ...

    @abstractmethod
    def named(self, name: str, value: AbstractValue, line: int) -> None: ...

    @abstractmethod
    def after_function(self, func: Func) -> None: ...

    @abstractmethod
    def decorated(self, func: Func) -> AbstractValue: ...

    @abstractmethod
    def after_class(self, cls: ClassV) -> None: ...

    @abstractmethod
    def handler_paths(self, node: ast.Try) -> None: ...

    # State.

    def here(self) -> State | None:
        """Returns the state of the current path; None if the path has ended."""
        return self.state

    def facts(self) -> Facts:
        """Returns the facts that hold at the current place."""
        return NO_FACTS if self.state is None else self.state.facts

    def learn(self, facts: Facts) -> None:
        """Adds facts to the current path."""
        if facts and self.state is not None:
            self.state.facts = both(self.state.facts, facts)

    def run(self, body: list[ast.stmt]) -> None:
        """Interprets statements, until the last statement or until the path ends."""
        for statement in body:
            if self.state is None:
                return
            handler = self.handlers[type(statement)]
            if handler is not None:
                handler(statement)

    def eval(self, node: ast.expr) -> AbstractValue:
        """Evaluates an expression and returns its value."""
        self.spent += 1
        handler = self.handlers[type(node)]
        return Unknown() if handler is None else handler(node)

    @property
    def exhausted(self) -> bool:
        """Whether the budget for evaluations is used up, so that calls are no longer followed."""
        return self.spent > self.limit

    def lookup(self, name: str) -> AbstractValue | None:
        """Returns the value of a variable; None if the variable is unknown."""
        if self.state is not None and name in self.state.vars:
            return self.state.vars[name]
        scope = self.frame.scope.parent
        while scope is not None:
            if name in scope.vars:
                return scope.vars[name]
            scope = scope.parent
        return None

    def assign_name(self, name: str, value: AbstractValue) -> None:
        """Assigns a value to a variable."""
        if self.state is None:
            return
        scope = self.frame.scope
        if name in scope.globals_ or name in scope.nonlocals:
            target = self.globals if name in scope.globals_ else scope.parent
            while target is not None and name not in target.vars and target.parent is not None:
                target = target.parent
            if target is not None:
                target.vars[name] = join(target.vars.get(name), bake(value, self.facts()))
            return
        self.state.vars[name] = value

    def assign(self, target: ast.expr, value: AbstractValue) -> None:
        """Assigns a value to a target: a variable, an attribute, an item, or several targets."""
        if isinstance(target, ast.Name):
            self.named(target.id, value, target.lineno)
            self.assign_name(target.id, value)
        elif isinstance(target, ast.Attribute):
            self.named(target.attr, value, target.lineno)
            self.set_attribute(self.eval(target.value), target.attr, value, target)
        elif isinstance(target, ast.Subscript):
            self.set_item(self.eval(target.value), self.eval(target.slice), value, target)
        elif isinstance(target, ast.Tuple | ast.List):
            self._unpack(target.elts, value, target.lineno)
        elif isinstance(target, ast.Starred):
            self.assign(target.value, value)

    def _unpack(self, targets: list[ast.expr], value: AbstractValue, line: int) -> None:
        items, rest = self.elements(value, line)
        star = next((i for i, t in enumerate(targets) if isinstance(t, ast.Starred)), None)
        if star is not None:
            tail = len(targets) - star - 1
            middle = Seq("list", items[star : len(items) - tail or None], rest)
            for target, item in zip(targets[:star], items, strict=False):
                self.assign(target, item)
            self.assign(targets[star], middle)
            for offset in range(tail):
                at = len(items) - tail + offset
                self.assign(
                    targets[star + 1 + offset],
                    items[at] if 0 <= at < len(items) and rest is None else join(rest, None),
                )
            return
        for target, item in itertools.zip_longest(targets, items[: len(targets)]):
            self.assign(target, item or rest or Unknown())

    # Statements.

    def on_assign(self, node: ast.Assign) -> None:
        value = self.eval(node.value)
        for target in node.targets:
            self.assign(target, value)

    def on_annassign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.assign(node.target, self.eval(node.value))

    def on_augassign(self, node: ast.AugAssign) -> None:
        value = self.binary(self.eval(node.target), node.op, self.eval(node.value), node)
        self.assign(node.target, value)

    def on_expr(self, node: ast.Expr) -> None:
        self.eval(node.value)

    def condition(self, node: ast.expr) -> tuple[State | None, State | None]:
        """Returns the state for the case that a condition is true, and the state for the case that
        it is false. A state is None if its case is impossible.
        """
        value = self.eval(node)
        if self.state is None:
            return None, None
        known = truth(value)
        if_true, if_false = when(value)
        true = None if known is False else self.state.copy(both(self.state.facts, if_true))
        false = None if known is True else self.state.copy(both(self.state.facts, if_false))
        self._narrow(node, true, false)
        return true, false

    def _narrow(self, node: ast.expr, true: State | None, false: State | None) -> None:
        """Removes the options of a variable that a test rules out, such as None after ``x is not
        None``.
        """
        negated = False
        while isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            node, negated = node.operand, not negated
        if negated:
            true, false = false, true
        if isinstance(node, ast.BoolOp):
            is_and = isinstance(node.op, ast.And)
            for operand in node.values:
                self._narrow(operand, true if is_and else None, None if is_and else false)
            return
        name, kind = _name_tested(node)
        if name is None:
            self._narrow_equal(node, true, false)
            return
        for state, holds in ((true, True), (false, False)):
            if state is None or name not in state.vars:
                continue
            found = options(state.vars[name])
            retained = [v for v in found if _fits(v, kind, holds)]
            if retained and len(retained) < len(found):
                state.vars[name] = choice(retained)

    def _narrow_equal(self, node: ast.expr, true: State | None, false: State | None) -> None:
        """Removes a constant from the possible values of a variable, because the variable is known
        not to equal it.
        """
        if not (
            isinstance(node, ast.Compare)
            and isinstance(node.left, ast.Name)
            and len(node.ops) == 1
            and isinstance(node.ops[0], ast.Eq | ast.NotEq)
            and isinstance(node.comparators[0], ast.Name | ast.Constant)
        ):
            return
        other = false if isinstance(node.ops[0], ast.Eq) else true
        expected = self.eval(node.comparators[0])
        if other is None or node.left.id not in other.vars or not isinstance(expected, Const):
            return
        found = options(other.vars[node.left.id])
        retained = [v for v in found if not (isinstance(v, Const) and v.value == expected.value)]
        if retained and len(retained) < len(found):
            other.vars[node.left.id] = choice(retained)

    def on_if(self, node: ast.If) -> None:
        true, false = self.condition(node.test)
        certain = true is None or false is None
        self.frame.may += not certain
        self.state = true
        self.run(node.body)
        end = self.state
        self.state = false
        self.run(node.orelse)
        self.frame.may -= not certain
        self.state = merge(end, self.state)

    def on_for(self, node: ast.For | ast.AsyncFor) -> None:
        items, rest = self.elements(self.eval(node.iter), node.lineno)
        if self.state is None:
            return
        self.frame.breaks.append([])
        self.frame.continues.append([])
        if len(items) > MAX_UNROLLED_ITEMS:
            rest, items = choice(with_rest(items, rest)), []
        for item in items:
            self._iteration(node, item)
            if self.here() is None:
                break
        if rest is not None and self.here() is not None:
            self._uncertain_iterations(node, rest)
        self._loop_end(node.orelse)

    on_asyncfor = on_for

    def _iteration(self, node: ast.For | ast.AsyncFor, item: AbstractValue) -> None:
        self.assign(node.target, item)
        self._body(node.body)

    def _body(self, body: list[ast.stmt]) -> None:
        self.run(body)
        for state in self.frame.continues[-1]:
            self.state = merge(self.state, state)
        self.frame.continues[-1].clear()

    def _uncertain_iterations(self, node: ast.For | ast.AsyncFor, item: AbstractValue) -> None:
        self.frame.may += 1
        for _ in range(2):
            before = self.state
            if before is None:
                break
            self.state = before.copy()
            self._iteration(node, item)
            after = self.here()
            every = NO_FACTS if after is None else self._every(before, after)
            self.state = merge(before, self.state)
            self.learn(every)
        self.frame.may -= 1

    def _every(self, before: State, after: State) -> Facts:
        """Returns facts about a whole iterable. If each iteration proves a fact about its element,
        the fact holds for all elements after the loop.
        """
        new = {
            sid: fact
            for sid, fact in after.facts.items()
            if sid.endswith("|each") and sid not in before.facts
        }
        return whole_facts(new)

    def _loop_end(self, orelse: list[ast.stmt]) -> None:
        self.run(orelse)
        for state in self.frame.breaks.pop():
            self.state = merge(self.state, state)
        self.frame.continues.pop()

    def on_while(self, node: ast.While) -> None:
        self.frame.breaks.append([])
        self.frame.continues.append([])
        exits: State | None = None
        self.frame.may += 1
        for _ in range(2):
            true, false = self.condition(node.test)
            exits = merge(exits, false)
            self.state = true
            self._body(node.body)
            if self.state is None:
                break
        self.frame.may -= 1
        if self.state is not None:
            known = truth(self.eval(node.test))
            exits = merge(exits, None if known is True else self.state)
        self.state = exits
        self._loop_end(node.orelse)

    def on_return(self, node: ast.Return) -> None:
        value = NONE_VALUE if node.value is None else self.eval(node.value)
        if self.state is None:
            return
        self.frame.returns.append((bake(value, self.facts()), self.facts(), node.lineno))
        self.leave()

    def leave(self) -> None:
        """Ends the path. Saves the variables of the path for inner functions."""
        if self.state is not None and self.state.vars is not self.frame.scope.vars:
            for name, value in self.state.vars.items():
                self.frame.scope.vars.setdefault(name, value)
        self.state = None

    def on_raise(self, node: ast.Raise) -> None:
        if node.exc is not None:
            self.eval(node.exc)
        self.leave()

    def on_break(self, _node: ast.Break) -> None:
        if self.state is not None and self.frame.breaks:
            self.frame.breaks[-1].append(self.state)
        self.state = None

    def on_continue(self, _node: ast.Continue) -> None:
        if self.state is not None and self.frame.continues:
            self.frame.continues[-1].append(self.state)
        self.state = None

    def on_functiondef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self.sync_scope()
        func = Func(node, self.frame.scope, node.name)
        func.defaults = [self.eval(d) for d in node.args.defaults]
        func.kw_defaults = [None if d is None else self.eval(d) for d in node.args.kw_defaults]
        func.decorators = [self.eval(d) for d in node.decorator_list]
        self.after_function(func)
        self.assign_name(node.name, self.decorated(func))
        self.sync_scope()

    on_asyncfunctiondef = on_functiondef

    def sync_scope(self) -> None:
        """Makes the current values of the variables visible to inner functions."""
        if self.state is not None and self.state.vars is not self.frame.scope.vars:
            self.frame.scope.vars.update(self.state.vars)

    def on_classdef(self, node: ast.ClassDef) -> None:
        if self.state is None:
            return
        cls = ClassV(node, [self.eval(b) for b in node.bases])
        cls.decorators = [ast.unparse(d) for d in node.decorator_list]
        for keyword in node.keywords:
            cls.ns["__kw_" + (keyword.arg or "")] = self.eval(keyword.value)
        self.sync_scope()
        saved, self.state = self.state, State(cls.ns, self.state.facts)
        scope, frame = Scope(self.frame.scope), self.frame
        self.frame = Frame(scope)
        scope.vars = cls.ns
        for statement in node.body:
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                cls.fields[statement.target.id] = statement.annotation
        self.run(node.body)
        self.frame, self.state = frame, saved
        for value in cls.ns.values():
            for option in options(value):
                if isinstance(option, Func) and option.cls is None:
                    option.cls = cls
                    option.scope = self.frame.scope
        self.assign_name(node.name, cls)
        self.sync_scope()
        self.after_class(cls)

    def on_import(self, node: ast.Import) -> None:
        for alias in node.names:
            if alias.asname:
                self.assign_name(alias.asname, Extern(alias.name))
            else:
                top = alias.name.split(".")[0]
                self.assign_name(top, Extern(top))

    def on_importfrom(self, node: ast.ImportFrom) -> None:
        module = "." * node.level + (node.module or "")
        for alias in node.names:
            if alias.name != "*":
                joiner = "" if module.endswith(".") else "."
                name = f"{module}{joiner}{alias.name}"
                self.assign_name(alias.asname or alias.name, Extern(name))

    def on_with(self, node: ast.With | ast.AsyncWith) -> None:
        for item in node.items:
            value = self.enter(self.eval(item.context_expr), item.context_expr)
            if item.optional_vars is not None:
                self.assign(item.optional_vars, value)
        suppresses = any("suppress" in ast.unparse(i.context_expr) for i in node.items)
        before = self.state.copy() if self.state is not None else None
        self.run(node.body)
        if suppresses:
            self.state = merge(self.state, before)

    on_asyncwith = on_with

    def on_try(self, node: ast.Try) -> None:
        if self.state is None:
            return
        before = self.state.copy()
        self.frame.may += 1
        self.run(node.body)
        after = self.here()
        started = before.copy()
        if after is not None:
            for name, value in after.vars.items():
                started.vars[name] = join(started.vars.get(name), value)
        self.run(node.orelse)
        passed = self.state
        failed: State | None = None
        for handler in node.handlers:
            self.state = started.copy()
            if handler.name:
                self.assign_name(handler.name, Unknown("exception"))
            self.run(handler.body)
            failed = merge(failed, self.state)
        self.frame.may -= 1
        self.handler_paths(node)
        self.state = merge(passed, failed)
        if node.finalbody:
            dead = self.state is None
            if dead:
                self.state = started.copy()
            self.run(node.finalbody)
            if dead:
                self.state = None

    on_trystar = on_try

    def on_assert(self, node: ast.Assert) -> None:
        # Asserts vanish under -O: they are no sanitizers.
        self.eval(node.test)

    def on_delete(self, node: ast.Delete) -> None:
        for target in node.targets:
            if isinstance(target, ast.Name) and self.state is not None:
                self.state.vars.pop(target.id, None)
            elif isinstance(target, ast.Subscript):
                owner, key = self.eval(target.value), self.eval(target.slice)
                if isinstance(owner, Map) and isinstance(key, Const) and not self.frame.may:
                    owner.items.pop(key.value, None)

    def on_global(self, node: ast.Global) -> None:
        self.frame.scope.globals_.update(node.names)

    def on_nonlocal(self, node: ast.Nonlocal) -> None:
        self.frame.scope.nonlocals.update(node.names)

    def on_match(self, node: ast.Match) -> None:
        subject = self.eval(node.subject)
        end: State | None = None
        for case in node.cases:
            if self.state is None:
                break
            before = self.state
            verdict, facts = self._match(case.pattern, subject)
            if verdict is False:
                continue
            self.state = before.copy(both(before.facts, facts))
            self._bind_pattern(case.pattern, bake(subject, self.state.facts))
            if case.guard is not None:
                true, _ = self.condition(case.guard)
                self.state, verdict = true, None
            certain = verdict is True
            self.frame.may += not certain
            self.run(case.body)
            self.frame.may -= not certain
            end = merge(end, self.state)
            self.state = None if certain else before
        self.state = merge(end, self.state)

    def _match(self, pattern: ast.pattern, subject: AbstractValue) -> tuple[bool | None, Facts]:
        match pattern:
            case ast.MatchValue(value=value):
                expected = self.eval(value)
                if not isinstance(expected, Const):
                    return None, NO_FACTS
                if isinstance(subject, Const):
                    return subject.value == expected.value, NO_FACTS
                return None, constant_facts(marks_of(subject))
            case ast.MatchSingleton(value=value) if isinstance(subject, Const):
                return subject.value is value, NO_FACTS
            case ast.MatchOr(patterns=patterns):
                return self._match_or(patterns, subject)
            case ast.MatchAs(pattern=inner):
                return (True, NO_FACTS) if inner is None else self._match(inner, subject)
            case _:
                return None, NO_FACTS

    def _match_or(
        self, patterns: list[ast.pattern], subject: AbstractValue
    ) -> tuple[bool | None, Facts]:
        results = [self._match(p, subject) for p in patterns]
        verdicts = {v for v, _ in results}
        if True in verdicts:
            return True, NO_FACTS
        return (False if verdicts == {False} else None), any_of(facts for _, facts in results)

    def _bind_pattern(self, pattern: ast.pattern, subject: AbstractValue) -> None:
        if isinstance(pattern, ast.MatchAs):
            if pattern.pattern is not None:
                self._bind_pattern(pattern.pattern, subject)
            if pattern.name:
                self.assign_name(pattern.name, subject)
            return
        blurred = Unknown("", marks_of(subject))
        for child in ast.walk(pattern):
            if isinstance(child, ast.MatchAs | ast.MatchStar) and child.name:
                self.assign_name(child.name, blurred)
            elif isinstance(child, ast.MatchMapping) and child.rest:
                self.assign_name(child.rest, blurred)


def _name_tested(node: ast.expr) -> tuple[str | None, str]:
    if isinstance(node, ast.NamedExpr):
        return node.target.id, "true"
    if isinstance(node, ast.Name):
        return node.id, "true"
    if (
        isinstance(node, ast.Compare)
        and isinstance(node.left, ast.Name)
        and len(node.ops) == 1
        and isinstance(node.comparators[0], ast.Constant)
        and node.comparators[0].value is None
    ):
        if isinstance(node.ops[0], ast.Is | ast.Eq):
            return node.left.id, "none"
        if isinstance(node.ops[0], ast.IsNot | ast.NotEq):
            return node.left.id, "some"
    return None, ""


def _fits(value: AbstractValue, kind: str, holds: bool) -> bool:
    if kind == "true":
        known = truth(value)
        return known is None or known is holds
    is_none = isinstance(value, Const) and value.value is None
    if isinstance(value, Unknown):
        return True
    return is_none is (holds if kind == "none" else not holds)
