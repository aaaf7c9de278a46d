"""Reads Python files with tree-sitter. So Quartermaster can also read files with syntax that its
own Python version does not support.
"""

from __future__ import annotations

import builtins
from bisect import bisect_right
from collections.abc import Iterable
from functools import cached_property
from typing import Final

import tree_sitter_python
from tree_sitter import Language as Grammar
from tree_sitter import Node, Parser, Query, QueryCursor

from quartermaster_decisions.facts import (
    AttributeRead,
    CallSite,
    Class,
    Decorator,
    FileFacts,
    Function,
    ImportedName,
    Raise,
    Write,
)

_QUERY: Final = """
(class_definition) @class
(function_definition) @function
(call) @call
(import_statement) @import
(import_from_statement) @import
(future_import_statement) @import
(raise_statement) @raise
(assignment left: (attribute) @write)
(for_statement) @loop
(for_in_clause) @loop
((attribute object: (identifier) @_root) @read (#any-of? @_root "request" "current_app" "config"))
((attribute object: (attribute object: (identifier) @_self attribute: (identifier) @_member)) @read
  (#eq? @_self "self") (#eq? @_member "request"))
"""
_MAX_EXPRESSION_CHARACTERS: Final = 60
# Of an expression that has a name; nobody writes longer ones.
_MOST_PARTS: Final = 200
_BUILTINS: Final = frozenset(dir(builtins))
_LITERALS: Final = frozenset(
    {"true", "false", "none", "integer", "string", "identifier", "attribute", "float"}
)


class Python:
    """Reads Python files."""

    name: str = "python"
    suffixes: tuple[str, ...] = (".py",)

    @cached_property
    def _grammar(self) -> Grammar:
        return Grammar(tree_sitter_python.language())

    @cached_property
    def _parser(self) -> Parser:
        return Parser(self._grammar)

    @cached_property
    def _query(self) -> Query:
        return Query(self._grammar, _QUERY)

    def read(self, path: str, module: str, content: bytes) -> FileFacts:
        """See `Language.read`."""
        root = self._parser.parse(content).root_node
        found = QueryCursor(self._query).captures(root)
        return _FactReader(path, module, content, root, found).facts()


class _FactReader:
    """Turns the captured nodes of one file into facts."""

    def __init__(
        self, path: str, module: str, content: bytes, root: Node, found: dict[str, list[Node]]
    ) -> None:
        self._found = found
        self._root = root
        self._is_package = path.endswith("__init__.py")
        lines = content.count(b"\n") + 1
        self._facts = FileFacts(path, module, lines, root.has_error)
        self._names: dict[str, str] = {}
        self._star = ""
        self._scopes: list[tuple[int, int, Node]] = sorted(
            (node.start_byte, -node.end_byte, node)
            for node in [*found.get("class", []), *found.get("function", [])]
        )
        self._starts = [start for start, _, _ in self._scopes]

    def facts(self) -> FileFacts:
        facts = self._facts
        facts.documented = _docstring(self._root) != ""
        facts.header = _header(self._root)
        for node in self._ordered("import"):
            facts.imports += self._imports(node)
        for each in facts.imports:
            if each.name == "*":
                self._star = self._star or each.module
                continue
            local = each.alias or each.name or each.module.partition(".")[0]
            self._names[local] = each.target if each.alias or each.name else local
        self._assignments()
        for node in [*self._ordered("class"), *self._ordered("function")]:
            if (name := node.child_by_field_name("name")) and self._around(node) is None:
                self._names.setdefault(_text(name), f"{facts.module}.{_text(name)}")
        facts.classes = [self._class(node) for node in self._ordered("class")]
        facts.functions = [self._function(node) for node in self._ordered("function")]
        facts.calls = [call for node in self._ordered("call") if (call := self._call(node))]
        facts.raises = [found for node in self._ordered("raise") if (found := self._raise(node))]
        facts.writes = [
            Write(
                _text(node.child_by_field_name("attribute")),
                node.start_point[0] + 1,
                _text(node.child_by_field_name("object"))[:_MAX_EXPRESSION_CHARACTERS],
            )
            for node in self._ordered("write")
        ]
        facts.reads = [
            AttributeRead(_text(node).removeprefix("self."), node.start_point[0] + 1)
            for node in self._ordered("read")
        ]
        self._loops()
        return facts

    def _ordered(self, kind: str) -> list[Node]:
        return sorted(self._found.get(kind, []), key=lambda node: node.start_byte)

    def _around(self, node: Node) -> Node | None:
        """Returns the innermost class or function that contains a node."""
        index = bisect_right(self._starts, node.start_byte) - 1
        while index >= 0:
            _, end, scope = self._scopes[index]
            if -end >= node.end_byte and scope.id != node.id:
                return scope
            index -= 1
        return None

    def _place(self, node: Node) -> tuple[str, str]:
        """Returns the names of the function and the class that contain a node."""
        function = owner = ""
        scope = self._around(node)
        while scope is not None and not owner:
            name = scope.child_by_field_name("name")
            if scope.type == "class_definition":
                owner = _text(name)
            elif not function:
                function = _text(name)
            scope = self._around(scope)
        return function, owner

    def _imports(self, node: Node) -> Iterable[ImportedName]:
        line = node.start_point[0] + 1
        source = _text(node.child_by_field_name("module_name"))
        is_future = node.type == "future_import_statement"
        module = "__future__" if is_future else self._absolute(source)
        relative = source.startswith(".")
        for child in node.children_by_field_name("name"):
            alias = _text(child.child_by_field_name("alias"))
            name = _text(child.child_by_field_name("name") or child)
            if module:
                yield ImportedName(module, name, "" if alias == name else alias, line, relative)
            else:
                yield ImportedName(name, "", alias, line)
        if module and any(child.type == "wildcard_import" for child in node.children):
            yield ImportedName(module, "*", "", line)

    def _absolute(self, name: str) -> str:
        if not name.startswith("."):
            return name
        rest = name.lstrip(".")
        up = len(name) - len(rest) - (1 if self._is_package else 0)
        parts = self._facts.module.split(".")
        base = parts[: len(parts) - up] if up else parts
        return ".".join([*base, rest] if rest else base)

    def _assignments(self) -> None:
        for statement in self._root.children:
            if statement.type != "expression_statement" or not statement.children:
                continue
            node = statement.children[0]
            if node.type != "assignment":
                continue
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            if left is None or left.type != "identifier" or right is None:
                continue
            self._facts.assigned[_text(left)] = self._assigned(right)
            self._names.setdefault(_text(left), f"{self._facts.module}.{_text(left)}")

    def _assigned(self, value: Node | None) -> str:
        """Returns the name of the function whose call creates a value. If the value is not a call,
        returns its source code if it is short.
        """
        if value is not None and value.type == "call":
            return self._full(_target(value)) + "()"
        return _short(value)

    def _full(self, node: Node | None) -> str:
        """Returns the full name of an expression such as `a.b().c`. The name begins with `~` if its
        first part is a local variable.
        """
        # A loop, because a line may hold more calls than Python allows calls within calls.
        parts: list[str] = []
        for _ in range(_MOST_PARTS):
            match node.type if node is not None else "":
                case "identifier":
                    return "".join((self._named(_text(node)), *reversed(parts)))
                case "attribute":
                    parts.append(f".{_text(_field(node, 'attribute'))}")
                    node = _field(node, "object")
                case "call":
                    parts.append("()")
                    node = _field(node, "function")
                case "subscript":
                    node = _field(node, "value")
                case _:
                    return ""
        return ""

    def _named(self, text: str) -> str:
        """Returns the full name for a single identifier."""
        if (known := self._names.get(text)) is not None:
            return known
        # A class that nobody defines here comes from the module of which all is imported.
        if self._star and text[:1].isupper() and text not in _BUILTINS:
            return f"{self._star}.{text}"
        return text if text in _BUILTINS else f"~{text}"

    def _decorators(self, node: Node) -> tuple[Decorator, ...]:
        parent = node.parent
        if parent is None or parent.type != "decorated_definition":
            return ()
        found: list[Decorator] = []
        for child in parent.children:
            if child.type != "decorator" or len(child.children) < 2:
                continue
            expression = child.children[1]
            if name := self._full(_target(expression)):
                keywords = _keywords(expression)
                found.append(Decorator(name, keywords, child.start_point[0] + 1))
        return tuple(found)

    def _class(self, node: Node) -> Class:
        listed = node.child_by_field_name("superclasses")
        bases = [self._full(child) for child in (listed.named_children if listed else ())]
        body = node.child_by_field_name("body")
        attributes: dict[str, str] = {}
        methods: list[str] = []
        for child in body.named_children if body else ():
            inner = child
            if child.type == "decorated_definition":
                inner = child.child_by_field_name("definition") or child
            if inner.type in {"function_definition", "class_definition"}:
                methods.append(_text(inner.child_by_field_name("name")))
            elif child.type == "expression_statement" and child.children[0].type == "assignment":
                left = child.children[0].child_by_field_name("left")
                right = child.children[0].child_by_field_name("right")
                if left is not None and left.type == "identifier":
                    attributes[_text(left)] = self._assigned(right)
        return Class(
            _text(node.child_by_field_name("name")),
            node.start_point[0] + 1,
            tuple(base for base in bases if base),
            self._decorators(node),
            attributes,
            tuple(methods),
            self._around(node) is not None,
            _docstring(body),
        )

    def _function(self, node: Node) -> Function:
        scope = self._around(node)
        owner = ""
        if scope is not None and scope.type == "class_definition":
            owner = _text(scope.child_by_field_name("name"))
        parameters: list[str] = []
        required: list[str] = []
        listed = node.child_by_field_name("parameters")
        for child in listed.named_children if listed else ():
            name = child.child_by_field_name("name") or (
                child if child.type == "identifier" else next(iter(child.named_children), None)
            )
            text = _text(name) if child.type != "comment" else ""
            if not text:
                continue
            parameters.append(text)
            if child.type in {"identifier", "typed_parameter"}:
                required.append(text)
        return Function(
            _text(node.child_by_field_name("name")),
            node.start_point[0] + 1,
            node.end_point[0] + 1,
            owner,
            self._decorators(node),
            tuple(parameters),
            tuple(required),
            node.child_by_field_name("return_type") is not None,
            bool(node.children) and node.children[0].type == "async",
            scope is not None and scope.type == "function_definition",
            _docstring(node.child_by_field_name("body")),
        )

    def _call(self, node: Node) -> CallSite | None:
        name = self._full(node.child_by_field_name("function"))
        if not name:
            return None
        return CallSite(name, node.start_point[0] + 1, _keywords(node), *self._place(node))

    def _raise(self, node: Node) -> Raise | None:
        value = next(iter(node.named_children), None)
        if value is None:
            return None
        caught: tuple[str, ...] = ()
        parent = node.parent
        while parent is not None and parent.type not in {"function_definition", "module"}:
            if parent.type == "except_clause":
                caught = self._caught(parent)
                break
            parent = parent.parent
        return Raise(self._full(_target(value)), node.start_point[0] + 1, caught)

    def _caught(self, node: Node) -> tuple[str, ...]:
        value = next((child for child in node.named_children if child.type != "block"), None)
        if value is None:
            return ("",)
        if value.type == "as_pattern":
            value = value.named_children[0]
        values = value.named_children if value.type == "tuple" else [value]
        return tuple(self._full(each) for each in values)

    def _loops(self) -> None:
        """Records the objects over which each function iterates."""
        for node in self._ordered("loop"):
            name = self._full(_target(node.child_by_field_name("right")))
            function, _ = self._place(node)
            if name and function:
                self._facts.loops[function] = (*self._facts.loops.get(function, ()), name)


def _target(node: Node | None) -> Node | None:
    """Returns the called function if the node is a call. Otherwise returns the node itself."""
    return _field(node, "function") if node is not None and node.type == "call" else node


def _field(node: Node | None, name: str) -> Node | None:
    return node.child_by_field_name(name) if node is not None else None


def _text(node: Node | None) -> str:
    if node is None or node.text is None:
        return ""
    return node.text.decode("utf-8", "replace")


def _short(node: Node | None) -> str:
    """Returns the source code of a literal or a name. Returns an empty string if the code is too
    long.
    """
    if (
        node is None
        or node.type not in _LITERALS
        or node.end_byte - node.start_byte > _MAX_EXPRESSION_CHARACTERS
    ):
        return ""
    return _text(node)


def _keywords(call: Node) -> dict[str, str]:
    """Returns the keyword arguments of a call, with their values if these are short."""
    arguments = call.child_by_field_name("arguments")
    keywords: dict[str, str] = {}
    for child in arguments.named_children if arguments is not None else ():
        if child.type == "keyword_argument":
            value = child.child_by_field_name("value")
            keywords[_text(child.child_by_field_name("name"))] = _short(value)
        elif child.type == "dictionary_splat":
            keywords["**"] = ""
    return keywords


def _header(root: Node) -> str:
    """Returns the first line of the leading comment that describes the file. Returns an empty
    string if the file does not begin with a comment.
    """
    for child in root.children:
        text = _text(child).lstrip("# ").strip()
        if child.type != "comment":
            return ""
        if text and not text.startswith(("!", "-*-", "coding", "pylint", "ruff", "noqa", "type:")):
            return text[:80]
    return ""


def _docstring(body: Node | None) -> str:
    """Returns the first line of the docstring in the body of a function or class. Returns an empty
    string if there is no docstring.
    """
    for child in body.named_children if body is not None else ():
        if child.type == "comment":
            continue
        if child.type == "expression_statement" and child.children[0].type == "string":
            inner = _text(child.children[0]).strip("rRuUbB").strip("\"'").strip()
            return (inner.splitlines() or ["-"])[0][:200] or "-"
        return ""
    return ""
