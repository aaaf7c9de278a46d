"""Finds the calls in a Python file, with the full names of the functions if the imports reveal
them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass(frozen=True)
class PythonCall:
    """A call in a Python file.

    Attributes:
        name: full name of the called function, such as ``paho.mqtt.client.Client.connect``. If a
            variable was set by a call, its methods are named after that call.
        node: the call's syntax node.
        parents: the enclosing nodes, innermost first.
    """

    name: str
    node: ast.Call
    parents: tuple[ast.AST, ...]

    def argument(self, position: int | None, keyword: str) -> ast.expr | None:
        """Returns the argument with the given keyword, else the argument at the given position;
        None if the call has neither.
        """
        for given in self.node.keywords:
            if given.arg == keyword:
                return given.value
        if position is not None and position < len(self.node.args):
            return self.node.args[position]
        return None

    @property
    def takes_unknown(self) -> bool:
        """Whether the call has arguments that the code does not list (``*args``, ``**options``)."""
        is_starred = any(isinstance(argument, ast.Starred) for argument in self.node.args)
        return is_starred or any(keyword.arg is None for keyword in self.node.keywords)


@dataclass
class Module:
    """A Python file that was read.

    Attributes:
        tree: the syntax tree.
        names: maps each local name to the full name that it stands for.
        calls: the calls, in order.
        texts: maps each name that is assigned only one text to this text.
    """

    tree: ast.Module
    names: dict[str, str] = field(default_factory=dict[str, str])
    calls: list[PythonCall] = field(default_factory=list[PythonCall])
    texts: dict[str, str] = field(default_factory=dict[str, str])

    def imports(self, package: str) -> bool:
        """Returns whether the file imports a package, or a name from a package."""
        return any(f"{name}.".startswith(f"{package}.") for name in self.names.values())

    def named(self, *names: str) -> Iterator[PythonCall]:
        """Returns the calls of functions with these full names."""
        return (call for call in self.calls if call.name in names)

    def text(self, node: ast.expr | None) -> str | None:
        """Returns the text of a literal, of a name that is assigned once, or of an f-string, with
        ``{}`` for each unknown part; None for any other expression.
        """
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return node.value
        if isinstance(node, ast.Name):
            return self.texts.get(node.id)
        if isinstance(node, ast.JoinedStr):
            return "".join(self.text(part) or "{}" for part in node.values)
        return None


def read(text: str) -> Module:
    """Reads a Python file.

    Raises:
        SyntaxError: the file cannot be parsed.
    """
    module = Module(ast.parse(text))
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.partition(".")[0]
                module.names[alias.asname or top] = alias.name if alias.asname else top
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                module.names[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    _Calls(module).visit(module.tree)
    return module


class _Calls(ast.NodeVisitor):
    def __init__(self, module: Module) -> None:
        self._module = module
        self._parents: list[ast.AST] = []
        self._set: set[str] = set()

    def visit(self, node: ast.AST) -> None:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                self._learn(target, node.value)
        elif isinstance(node, ast.AnnAssign) and node.value:
            self._learn(node.target, node.value)
        elif isinstance(node, ast.withitem) and node.optional_vars:
            self._learn(node.optional_vars, node.context_expr)
        elif isinstance(node, ast.Call) and (name := self._name(node.func)):
            self._module.calls.append(PythonCall(name, node, tuple(reversed(self._parents))))
        self._parents.append(node)
        self.generic_visit(node)
        self._parents.pop()

    def _learn(self, target: ast.expr, value: ast.expr) -> None:
        name = dotted(target)
        if name is None:
            return
        if isinstance(value, ast.Await):
            value = value.value
        if isinstance(value, ast.Call) and (called := self._name(value.func)):
            self._module.names[name] = called
        text = self._module.text(value)
        if text is not None and name not in self._set:
            self._module.texts[name] = text
        else:
            self._module.texts.pop(name, None)
        self._set.add(name)

    def _name(self, node: ast.expr) -> str | None:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Call):
            inner = self._name(node.value.func)
            return f"{inner}.{node.attr}" if inner else None
        name = dotted(node)
        if name is None:
            return None
        parts = name.split(".")
        for length in range(len(parts), 0, -1):
            known = self._module.names.get(".".join(parts[:length]))
            if known:
                return ".".join([known, *parts[length:]])
        return name


def dotted(node: ast.expr) -> str | None:
    """Returns an expression as a dotted name; None if the expression is not a dotted name."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    return ".".join([node.id, *reversed(parts)])
