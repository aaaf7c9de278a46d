"""How names, areas and numbers are written in the instructions of candidates."""

from __future__ import annotations

from quartermaster.decisions.codebase import EVERYWHERE


def short(name: str) -> str:
    """The last two parts of a full name, as people say it; a local root is left out."""
    parts = name.removeprefix("~").removesuffix("()").split(".")
    if len(parts) > 1 and (parts[-2][:1].isupper() or name.startswith("~")):
        return ".".join(parts[-2:])
    return parts[-1]


def called(name: str) -> str:
    """The name in code marks, with the module from which it is taken."""
    module, _, last = name.removeprefix("~").rpartition(".")
    if name.startswith("~") or not module:
        return f"`{name.removeprefix('~')}`"
    return f"`{last}` (from `{module}`)"


def area_of(scope: str, *, tests: bool | None = None) -> str:
    """An area at the beginning of an instruction: `In h/views: `."""
    if scope == EVERYWHERE:
        return "In tests: " if tests else ""
    if scope.startswith("**/") and scope.endswith("/*.py"):
        return f"In each folder `{scope[3:-5]}`: "
    if scope.startswith("**/"):
        return f"In each `{scope[3:]}`: "
    return f"In `{scope.removesuffix('/**').removesuffix('/*.py')}`: "


def area_word(scope: str) -> str:
    """The last name in an area: the word for which base rates are counted."""
    parts = [part for part in scope.split("/") if part not in {"**", "*.py"}]
    return parts[-1] if parts else "**"


def share(followed: int, cases: int, what: str) -> str:
    """`57 of 60 classes (95 %)`."""
    return f"{followed} of {cases} {what} ({followed / cases:.0%})" if cases else f"no {what}"
