"""Decides from the name of a value whether the value is a secret, and hides secrets in arguments
and URLs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final
from urllib.parse import unquote_plus

from quartermaster.guardrails.randomness import entropy, kinds
from quartermaster.guardrails.secret_patterns import NAMES, find_secrets
from quartermaster.guardrails.spans import Bytes, without_overlaps
from quartermaster.guardrails.table_columns import Columns

# Called with a name for a secret and its value; returns what stands in its place.
Hide = Callable[[str, str], str]

_SECRET: Final = re.compile(rf"(?:.*_)?(?:{NAMES}|authori[sz]ation|bearer|cookie|jwt|pat)", re.I)
# Names that also mean other things: their value has to look like a secret, too.
_UNSURE_PATTERN: Final = re.compile(
    r"(?:.*_)?(?:key|auth|sig|signature|code|pin|pw|seed|sas)", re.I
)
_COUNT: Final = re.compile(r"(?:.*_)?(?:tokens|keys|secrets|credentials)", re.I)
_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[-. ]+")
_NO_SECRET: Final = re.compile(r"(?i)|true|false|yes|no|none|null|on|off|auto")
_NUMBER: Final = re.compile(r"\d+")
_PATH: Final = re.compile(r"(?:~|\.{1,2})?[/\\].*\.\w{1,8}|[A-Za-z]:[/\\].*|(?:~|\.{1,2})[/\\].*")
_OPTION: Final = re.compile(r"-{1,2}[A-Za-z][\w.-]*")
_PAIR: Final = re.compile(r"(-{0,2}[A-Za-z_][\w.-]*)=(.*)", re.DOTALL)
_HEADER: Final = re.compile(r"([A-Za-z][\w-]*):\s*(.+)", re.DOTALL)
_REFERENCE: Final = re.compile(r"\$\{[^{}]*\}")
_HEADER_OPTIONS: Final = frozenset({"-H", "--header", "--headers", "--http-header"})
_UUID: Final = re.compile(r"(?i)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_LONG_ENOUGH: Final = 24
_SHORTEST_KEY: Final = 6
_USER_OPTIONS: Final = frozenset({"-u", "--user", "--userpass"})
# A user and a password, but no numbers of a user and a group.
_USER: Final = re.compile(r"(?!\d+:\d+$)[^:/\s]+:[^:\s]{4,}")


def is_secret_name(name: str) -> bool:
    """Returns whether the name of an option, a parameter, a header or a variable says that its
    value is a secret.
    """
    return _SECRET.fullmatch(_words(name)) is not None


def is_secret_value(name: str, value: str) -> bool:
    """Returns whether a value is a secret, judged by its name and its format."""
    words = _words(name)
    if _NO_SECRET.fullmatch(value) or _PATH.fullmatch(value):
        return False
    if _COUNT.fullmatch(words) and _NUMBER.fullmatch(value):
        return False
    if _SECRET.fullmatch(words):
        return True
    return _UNSURE_PATTERN.fullmatch(words) is not None and (
        len(value) >= 8 and (kinds(value) >= 2 or _NUMBER.fullmatch(value) is not None)
    )


def hide_in_arguments(arguments: Sequence[str], hide: Hide) -> list[str]:
    """Returns the arguments of a program, with each secret replaced.

    Args:
        arguments: the arguments, without the program.
        hide: function that returns the replacement for a secret, given its name and value.
    """
    hidden: list[str] = []
    before = ""
    for argument in arguments:
        hidden.append(_hidden(argument, before, hide))
        before = argument if _OPTION.fullmatch(argument) else ""
    return hidden


def _hidden(argument: str, before: str, hide: Hide) -> str:
    name = before.lstrip("-")
    header = _HEADER.fullmatch(argument) if before in _HEADER_OPTIONS else None
    if header is not None and is_secret_value(header[1], header[2]):
        return argument[: header.start(2)] + hide(header[1], header[2])
    if before and not _OPTION.fullmatch(argument) and is_secret_value(name, argument):
        return hide(name, argument)
    if before in _USER_OPTIONS and _USER.fullmatch(argument):
        return hide(name, argument)
    pair = _PAIR.fullmatch(argument)
    if pair is not None and is_secret_value(pair[1].lstrip("-"), pair[2]):
        return f"{pair[1]}={hide(pair[1].lstrip('-'), pair[2])}"
    if "://" in argument:
        return hide_in_url(argument, hide)
    return _without_marks(argument, name or "argument", hide)


def hide_in_url(url: str, hide: Hide) -> str:
    """Returns a URL, with each secret in its path, query and fragment replaced.

    Args:
        url: the URL, or a text that contains one.
        hide: as in `hide_in_arguments`.
    """
    front, question, query = url.partition("?")
    if not question:
        front, question, query = url.partition("#")
    front = _without_marks(front, "url", hide)
    scheme, slashes, rest = front.partition("://")
    host, *segments = rest.split("/")
    segments = [hide("path", part) if _is_random(part) else part for part in segments]
    front = scheme + slashes + "/".join([host, *segments]) if slashes else front
    if question != "?":
        return f"{front}{question}{_hidden_pairs(query, hide) if query else ''}"
    query, hash_, fragment = query.partition("#")
    fragment = _hidden_pairs(fragment, hide) if fragment else ""
    return f"{front}?{_hidden_pairs(query, hide)}{hash_}{fragment}"


def _hidden_pairs(query: str, hide: Hide) -> str:
    pairs: list[str] = []
    for pair in query.split("&"):
        name, equals, value = pair.partition("=")
        plain, text = unquote_plus(name), unquote_plus(value)
        # What is called key in an address opens something.
        is_key = _UNSURE_PATTERN.fullmatch(_words(plain)) is not None and len(text) >= _SHORTEST_KEY
        if equals and (is_key or is_secret_value(plain, text)):
            pairs.append(f"{name}={hide(plain, value)}")
        else:
            pairs.append(_without_marks(pair, plain or "url", hide))
    return "&".join(pairs)


def _without_marks(text: str, name: str, hide: Hide) -> str:
    """Hides the secrets that the guardrails find in a text."""
    if _REFERENCE.search(text):
        return text
    data = Bytes(text)
    for span in sorted(without_overlaps(find_secrets(data, Columns(data.data))), reverse=True):
        text = text[: span.start] + hide(name, text[span.start : span.end]) + text[span.end :]
    return text


def _is_random(segment: str) -> bool:
    """Returns whether a segment of a path looks random, like the keys in some services' URLs."""
    if _UUID.fullmatch(segment):
        return True
    return (
        len(segment) >= _LONG_ENOUGH
        and segment.replace("_", "").replace("-", "").replace("=", "").isalnum()
        and any(c.isdigit() for c in segment)
        and any(c.isalpha() for c in segment)
        and entropy(segment) > 3.5
    )


def _words(name: str) -> str:
    return _HUMP.sub("_", name)
