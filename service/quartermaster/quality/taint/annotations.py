"""What type annotations say about values."""

from __future__ import annotations

import ast

CLEAN = {
    "int", "float", "bool", "complex", "UUID", "UUID4", "UUID1", "date", "datetime", "time",
    "timedelta", "Decimal", "Literal", "PositiveInt", "NonNegativeInt", "conint", "confloat",
    "PositiveFloat", "NonNegativeFloat", "StrictInt", "StrictBool", "StrictFloat", "Fraction",
    "IPv4Address", "IPv6Address", "IPvAnyAddress", "AwareDatetime", "NaiveDatetime", "Enum",
}  # fmt: skip
WRAPPERS = {"Optional", "Annotated", "Required", "NotRequired", "Final", "ClassVar", "Mapped"}


def names_in(node: ast.expr | None) -> set[str]:
    """All names of an annotation, with the last part of dotted ones."""
    if node is None:
        return set()
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        try:
            node = ast.parse(node.value, mode="eval").body
        except SyntaxError:
            return set()
    found: set[str] = set()
    for child in ast.walk(node):
        if isinstance(child, ast.Name):
            found.add(child.id)
        elif isinstance(child, ast.Attribute):
            found.add(child.attr)
    return found


def core(node: ast.expr | None) -> ast.expr | None:
    """The annotation without Optional, Annotated and ``| None``."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        try:
            node = ast.parse(node.value, mode="eval").body
        except SyntaxError:
            return None
    if isinstance(node, ast.Subscript) and last_name(node.value) in WRAPPERS:
        inner = node.slice
        return core(inner.elts[0] if isinstance(inner, ast.Tuple) and inner.elts else inner)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        sides = [s for s in (node.left, node.right) if not _is_none(s)]
        return core(sides[0]) if len(sides) == 1 else node
    return node


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def last_name(node: ast.expr | None) -> str:
    """The last name of a dotted annotation."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Subscript):
        return last_name(node.value)
    if isinstance(node, ast.Call):
        return last_name(node.func)
    return ""


def clean_type(node: ast.expr | None, enums: set[str]) -> bool:
    """Whether a value that was converted to this type can do no harm in a text."""
    node = core(node)
    if node is None:
        return False
    name = last_name(node)
    if isinstance(node, ast.Subscript) and name in {
        "list",
        "List",
        "set",
        "Set",
        "Sequence",
        "tuple",
    }:
        return clean_type(node.slice, enums)
    if isinstance(node, ast.BinOp):
        return clean_type(node.left, enums) and clean_type(node.right, enums)
    return name in CLEAN or name in enums
