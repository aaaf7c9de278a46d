"""Regular expressions whose search time is linear in the length of the text, even if the text is
hostile.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, Final, cast

import re2

# The library has no types.
_re2: Final = cast("Any", re2)
_OPTIONS: Final = re2.Options()
_OPTIONS.log_errors = False
_OPTIONS.max_mem = 32 << 20
_constants: Final[list[Constant]] = []


def compiled(pattern: str) -> Any:
    """Compiles a pattern that searches UTF-8 bytes; raises `re2.error` if the pattern is
    invalid.
    """
    return _re2.compile(pattern.encode(), _OPTIONS)


class Constant:
    """A pattern in the code of Quartermaster, which is compiled when it is first used.

    Compiling all patterns takes half a second, and few commands of ``qm`` search a text.

    Attributes:
        pattern: the pattern as text.
    """

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        _constants.append(self)

    @cached_property
    def compiled(self) -> Any:
        """The compiled pattern."""
        return compiled(self.pattern)

    def __getattr__(self, name: str) -> Any:
        # A copy asks for special methods before it has a pattern, and then nothing can be compiled.
        if name in {"pattern", "compiled"} or name.startswith("__"):
            raise AttributeError(name)
        found = getattr(self.compiled, name)
        # From now on, this method is not called for the name.
        setattr(self, name, found)
        return found


def compile_constants() -> None:
    """Compiles all `Constant` patterns, so that the first search does not have to."""
    for constant in _constants:
        _ = constant.compiled
