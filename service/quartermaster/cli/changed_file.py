"""Shows how a command is about to change a file of another program, without the secrets in the
file.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from quartermaster.bridge import KEY_VARIABLE
from quartermaster.cli.output import out

_KEY: Final = re.compile(rf'(Bearer |{KEY_VARIABLE}"?\s*[:=]\s*"?)[^"\s,}}]+')
_MASK_TEXT: Final = "..."
# Random keys are longer; shorter values are such as ``true``.
_LONG_SECRET_CHARACTERS: Final = 8


def print_change(
    path: Path, before: str | None, after: str | None, secrets: Iterable[str] = ()
) -> None:
    """Prints the lines of a file that change, with some lines of context.

    Args:
        path: path of the file.
        before: old text; None if there is no file.
        after: new text; None if the file is deleted.
        secrets: values to mask. Keys and values that look like secrets are masked, too.
    """
    from quartermaster.guardrails.masking import masked_secrets

    old, new = ((text or "").splitlines() for text in (before, after))
    hidden = [_pattern(secret) for secret in sorted(filter(None, secrets), key=len, reverse=True)]
    for line in difflib.unified_diff(old, new, str(path), str(path), lineterm=""):
        shown = _KEY.sub(rf"\1{_MASK_TEXT}", line)
        for secret in hidden:
            shown = secret.sub(_MASK_TEXT, shown)
        out.print(masked_secrets(shown), markup=False, highlight=False, soft_wrap=True)


def _pattern(secret: str) -> re.Pattern[str]:
    """Returns a pattern that finds a secret. A short secret matches only as a whole word.
    Otherwise, for example, each letter v would be masked, and the rest of the words would reveal
    the secret ``v``.
    """
    text = re.escape(secret)
    return re.compile(text if len(secret) >= _LONG_SECRET_CHARACTERS else rf"(?<!\w){text}(?!\w)")
