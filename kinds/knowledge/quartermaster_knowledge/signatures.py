"""Formats signatures as one line."""

from __future__ import annotations

import ast
import re
from typing import Final

import griffe

_MAX_CHARACTERS: Final = 600
_DOC: Final = re.compile(
    r"\bDoc\(\s*((?:[rRuU]?(?:\"\"\".*?\"\"\"|'''.*?'''|\"[^\"]*\"|'[^']*')\s*)+)\)", re.DOTALL
)


def signature_of(item: griffe.Object) -> str:
    """Returns the signature of a function or a class, or the type of another object."""
    if isinstance(item, griffe.Function):
        if "property" in item.labels:
            return f"{item.name}: {_short(item.returns)}" if item.returns else item.name
        prefix = "async " if "async" in item.labels else ""
        returns = f" -> {_short(item.returns)}" if item.returns else ""
        return shortened(f"{prefix}{item.name}({_parameters(item.parameters)}){returns}")
    if isinstance(item, griffe.Class):
        init = item.members.get("__init__")
        if isinstance(init, griffe.Function):
            return shortened(f"{item.name}({_parameters(init.parameters)})")
        bases = ", ".join(str(base) for base in item.bases)
        return f"class {item.name}({bases})" if bases else f"class {item.name}"
    if isinstance(item, griffe.Attribute):
        if item.annotation is not None:
            return shortened(f"{item.name}: {_short(item.annotation)}")
        if item.value is not None:
            return shortened(f"{item.name} = {_short(item.value)}", 120)
        return item.name
    return item.path


def shortened(text: str, longest: int = _MAX_CHARACTERS) -> str:
    """Returns the text. If it is too long, returns its first whole words and an ellipsis."""
    if len(text) <= longest:
        return text
    head = text[: longest - 1]
    border = head.rfind(" ") + 1
    return f"{head[:border] or head}…"


def shortened_around(signature: str, parameter: str, longest: int) -> str:
    """Returns the signature. If it is too long, returns the name and the part around a parameter,
    with ellipses at the cuts.
    """
    if len(signature) <= longest:
        return signature
    head, bracket, rest = signature.partition("(")
    found = re.search(rf"(?<!\w){re.escape(parameter)}(?!\w)", rest)
    if not bracket or found is None:
        return f"{head}(… {parameter} …)"
    room = longest - len(head) - len("(… ")
    start = max(found.start() - room // 3, 0)
    if start:
        start = rest.rfind(" ", 0, start) + 1
    mark = "… " if start else ""
    return f"{head}({mark}{shortened(rest[start:], room)}"


def parameters_of(item: griffe.Object) -> tuple[str, ...]:
    """Returns the names of the parameters of a function and its overloads, without self and cls."""
    function = item.members.get("__init__") if isinstance(item, griffe.Class) else item
    if not isinstance(function, griffe.Function):
        return ()
    names = [p.name for each in (function, *(function.overloads or ())) for p in each.parameters]
    return tuple(dict.fromkeys(name for name in names if name not in ("self", "cls")))


def typed_docs(function: griffe.Function) -> str:
    """Returns the documentation of parameters in annotations of the form ``Annotated[...,
    Doc("...")]``.
    """
    notes: list[str] = []
    for parameter in function.parameters:
        text = str(parameter.annotation or "")
        for found in _DOC.finditer(text) if "Doc(" in text else ():
            try:
                said = ast.literal_eval(f"({found[1]})")
            except (SyntaxError, ValueError):
                continue
            notes.append(f"{parameter.name}: {' '.join(str(said).split())}"[:400])
    return " ".join(notes)[:3000]


def _parameters(parameters: griffe.Parameters) -> str:
    parts: list[str] = []
    kinds = griffe.ParameterKind
    starred = False
    for parameter in parameters:
        if parameter.name in ("self", "cls"):
            continue
        if parameter.kind is kinds.keyword_only and not starred:
            parts.append("*")
            starred = True
        name = parameter.name
        if parameter.kind is kinds.var_positional:
            name, starred = f"*{name}", True
        elif parameter.kind is kinds.var_keyword:
            name = f"**{name}"
        annotation = f": {_short(parameter.annotation)}" if parameter.annotation is not None else ""
        default = ""
        if parameter.default is not None and not name.startswith("*"):
            equals = " = " if annotation else "="
            default = f"{equals}{_short(parameter.default)}"
        parts.append(f"{name}{annotation}{default}")
    return ", ".join(parts)


def _short(expression: object) -> str:
    while (
        isinstance(expression, griffe.ExprSubscript)
        and str(expression.left).rpartition(".")[2] == "Annotated"
        and isinstance(expression.slice, griffe.ExprTuple)
        and expression.slice.elements
    ):
        expression = expression.slice.elements[0]
    text = " ".join(str(expression).split())
    return text if len(text) <= 100 else f"{text[:97]}..."
