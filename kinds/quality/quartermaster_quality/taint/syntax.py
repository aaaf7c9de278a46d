"""Parses Python files, including files that need a newer Python than the service runs on.

The parser is ``ast``. If it rejects a file, tree-sitter locates the newer syntax. That syntax is
replaced by equivalent older syntax on the same lines; for example, an f-string becomes a call with
its parts. A file that tree-sitter cannot parse either is an error.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Callable

import tree_sitter
import tree_sitter_python

FSTRING = "__fstring__"


class Unparsable(Exception):  # noqa: N818
    """The file cannot be parsed as Python. The message gives the reason."""


def parse(source: bytes) -> ast.Module:
    """Returns the syntax tree of a file.

    Raises:
        Unparsable: neither parser can parse the file.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(source)
        except (SyntaxError, ValueError) as error:
            first = error
        except (RecursionError, MemoryError) as error:
            raise Unparsable("the file is nested too deeply") from error
        try:
            return ast.parse(_older(source))
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise Unparsable(str(first)) from error


def _older(source: bytes) -> bytes:
    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_python.language()))
    tree = parser.parse(source)
    if tree.root_node.has_error:
        raise SyntaxError("syntax error")
    return _Writer(source).node(tree.root_node)


class _Writer:
    """Writes a syntax tree as text. Newer syntax is replaced by equivalent older syntax."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self.rewrites: dict[str, Callable[[tree_sitter.Node], bytes]] = {
            "string": self.string,
            "concatenated_string": self.concatenated,
            "type_parameter": self.type_parameter,
            "type_alias_statement": self.type_alias,
            "except_clause": self.except_clause,
        }

    def text(self, node: tree_sitter.Node) -> bytes:
        return self.source[node.start_byte : node.end_byte]

    def node(self, node: tree_sitter.Node) -> bytes:
        rewrite = self.rewrites.get(node.type)
        return self.plain(node) if rewrite is None else rewrite(node)

    def plain(self, node: tree_sitter.Node) -> bytes:
        if not node.children:
            return self.text(node)
        out: list[bytes] = []
        at = node.start_byte
        for child in node.children:
            out.extend((self.source[at : child.start_byte], self.node(child)))
            at = child.end_byte
        out.append(self.source[at : node.end_byte])
        return b"".join(out)

    def string(self, node: tree_sitter.Node) -> bytes:
        if not any(c.type == "interpolation" for c in node.children):
            return self.text(node)
        return b"(" + self.pieces(node) + b")"

    def concatenated(self, node: tree_sitter.Node) -> bytes:
        strings = [c for c in node.children if c.type == "string"]
        if not any(i.type == "interpolation" for s in strings for i in s.children):
            return self.text(node)
        out: list[bytes] = []
        at = node.start_byte
        for child in node.children:
            out.append(self.source[at : child.start_byte])
            if child.type == "string":
                out.append((b"+" if any(c.strip() for c in out) else b"") + self.string(child))
            else:
                out.append(self.text(child))
            at = child.end_byte
        return b"(" + b"".join(out) + b")"

    def pieces(self, node: tree_sitter.Node) -> bytes:
        """Converts an f-string to a call ``__fstring__(part, part, ...)`` that spans the same
        number of lines.
        """
        prefix = node.children[0]
        raw = b"r" in self.text(prefix).lower()
        out = [FSTRING.encode() + b"("]
        at = prefix.end_byte
        end = node.children[-1].start_byte
        for child in [c for c in node.children if c.type == "interpolation"]:
            out.extend((self.literal(at, child.start_byte, raw), self.interpolation(child)))
            at = child.end_byte
        out.extend((self.literal(at, end, raw), b")"))
        return b"".join(out)

    def literal(self, start: int, end: int, raw: bool) -> bytes:
        text = self.source[start:end].decode("utf-8", "replace")
        lines = text.count("\n")
        text = text.replace("{{", "{").replace("}}", "}")
        if not raw:
            text = _unescaped(text)
        return repr(text).encode() + b"," + b"\n" * lines if text or lines else b""

    def interpolation(self, node: tree_sitter.Node) -> bytes:
        lines = self.text(node).count(b"\n")
        expression = node.child_by_field_name("expression")
        if expression is None:
            return b"None," + b"\n" * lines
        text = b"(" + self.node(expression) + b")"
        conversion = node.child_by_field_name("type_conversion")
        if conversion is not None:
            text = {b"!r": b"repr", b"!a": b"ascii"}.get(self.text(conversion), b"str") + text
        spec = node.child_by_field_name("format_specifier")
        if spec is not None and b"{" not in self.text(spec):
            name = self.text(spec).lstrip(b":")
            text = b"format(" + text + b"," + repr(name.decode("utf-8", "replace")).encode() + b")"
        return text + b"," + b"\n" * max(0, lines - text.count(b"\n"))

    def type_parameter(self, node: tree_sitter.Node) -> bytes:
        parent = node.parent
        if parent is None or parent.type not in {"function_definition", "class_definition"}:
            return self.plain(node)
        return re.sub(rb"[^\n]", b" ", self.text(node))

    def type_alias(self, node: tree_sitter.Node) -> bytes:
        return b"pass " + b"\\\n" * self.text(node).count(b"\n")

    def except_clause(self, node: tree_sitter.Node) -> bytes:
        text = self.plain(node)
        head, colon, tail = text.partition(b":")
        if b"," in head and b"(" not in head:
            head = re.sub(rb"^(except\*?\s+)(.*)$", rb"\1(\2)", head, flags=re.DOTALL)
        return head + colon + tail


def _unescaped(text: str) -> str:
    def replace(match: re.Match[str]) -> str:
        try:
            return match.group().encode("latin-1").decode("unicode_escape")
        except (UnicodeDecodeError, UnicodeEncodeError):
            return match.group()

    return re.sub(r"\\(?:\r?\n|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|[0-7]{1,3}|.)", replace, text)
