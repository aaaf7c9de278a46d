"""Derives properties of values from type annotations."""

from __future__ import annotations

import ast

CLEAN_TYPES = {
    "int", "float", "bool", "complex", "UUID", "UUID4", "UUID1", "date", "datetime", "time",
    "timedelta", "Decimal", "Literal", "PositiveInt", "NonNegativeInt", "conint", "confloat",
    "PositiveFloat", "NonNegativeFloat", "StrictInt", "StrictBool", "StrictFloat", "Fraction",
    "IPv4Address", "IPv6Address", "IPvAnyAddress", "AwareDatetime", "NaiveDatetime", "Enum",
}  # fmt: skip
COLLECTIONS = {"list", "List", "set", "Set", "Sequence", "tuple"}
WRAPPERS = {"Optional", "Annotated", "Required", "NotRequired", "Final", "ClassVar", "Mapped"}


def names_in(node: ast.expr | None) -> set[str]:
    """Returns all names in an annotation. For a dotted name, returns only the last part."""
    node = _unquoted(node)
    found = ast.walk(node) if node is not None else ()
    return {last_name(child) for child in found if isinstance(child, ast.Name | ast.Attribute)}


def core(node: ast.expr | None) -> ast.expr | None:
    """Returns the annotation without Optional, Annotated and ``| None``."""
    node = _unquoted(node)
    if isinstance(node, ast.Subscript) and last_name(node.value) in WRAPPERS:
        inner = node.slice
        return core(inner.elts[0] if isinstance(inner, ast.Tuple) and inner.elts else inner)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        sides = [s for s in (node.left, node.right) if not _is_none(s)]
        return core(sides[0]) if len(sides) == 1 else node
    return node


def _unquoted(node: ast.expr | None) -> ast.expr | None:
    """Parses an annotation that is written as a string; None if it cannot be parsed. Returns any
    other annotation unchanged.
    """
    if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
        return node
    try:
        return ast.parse(node.value, mode="eval").body
    except SyntaxError:
        return None


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def last_name(node: ast.expr | None) -> str:
    """Returns the last part of the dotted name of an annotation or a call; empty if there is no
    name.
    """
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Subscript(value=inner) | ast.Call(func=inner):
            return last_name(inner)
        case _:
            return ""


def clean_type(node: ast.expr | None, enums: set[str]) -> bool:
    """Returns whether values with this annotation are harmless in any text, as values of the type
    ``int`` are.
    """
    node = core(node)
    if node is None:
        return False
    name = last_name(node)
    if isinstance(node, ast.Subscript) and name in COLLECTIONS:
        return clean_type(node.slice, enums)
    if isinstance(node, ast.BinOp):
        return clean_type(node.left, enums) and clean_type(node.right, enums)
    return name in CLEAN_TYPES or name in enums
