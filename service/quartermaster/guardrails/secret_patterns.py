"""Finds secrets by the formats of providers' keys, and by the words around a value.

All patterns run in RE2, whose time is linear in the length of the text.
"""

from __future__ import annotations

import base64
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from quartermaster.guardrails.linear_patterns import Constant, compiled
from quartermaster.guardrails.randomness import entropy, kinds
from quartermaster.guardrails.secret_formats import FORMATS
from quartermaster.guardrails.spans import Bytes, Span, joined_windows
from quartermaster.guardrails.table_columns import Columns

# The forms of providers' keys, and one other.
_FORMS: Final = {
    **{form.name: form.masked or form.form for form in FORMATS},
    "private-key": r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
    r"[0-9A-Za-z+/=\\:,.\-\s#>|*]{40,}?-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----",
}
# Groups would make the search slow: the name of a form is looked for when one is found.
_FORM: Final = Constant("|".join(f"(?:{form})" for form in _FORMS.values()))
# A connection string to a database counts as a whole; of other URLs only the password does.
_URL: Final = Constant(
    r"([a-z][a-z0-9+.\-]{1,20})://([^\s:/@\"'<>`]*):([^\s/@\"'<>`]{4,})@"
    r"([^\s\"'<>`,;)\]}\\]+)"
)
_DATABASES: Final = Constant(
    r"(?:jdbc:)?(?:postgres(?:ql)?|mysql|mariadb|mongodb|mssql|sqlserver|oracle|cockroachdb)"
    r"(?:\+[a-z0-9]+)?"
)

NAMES: Final = (
    r"pass(?:word|wd|phrase|code|wort)?|pwd|pw|kennwort|passwort|secrets?|credentials?|tokens?|"
    r"(?:api|access|auth|secret|session|signing|private|encryption|master|storage|account|client|"
    r"service|deploy|hmac|webhook|x-api)[ _\-]?keys?|apikey|otp[ _\-]?seed|"
    r"[a-z0-9]{1,20}_(?:key|auth|pat|pass|token|secret|seed)|pass|"
    r"mot de passe|mdp|contrase(?:ñ|n)a|senha|palavra-passe|parola(?: d'ordine)?|wachtwoord|"
    r"l(?:ö|o)senord|adgangskode|passord|salasana|has(?:ł|l)o|heslo|jelsz(?:ó|o)|şifre|parola|"
    r"пароль|токен|密码|口令|密钥|パスワード|暗証番号|비밀번호|암호|"
    r"كلمة (?:المرور|السر)|mật khẩu"
)
# A name, the separator before its value (such as = or :), and the value.
_NAMED_VALUE: Final = Constant(
    rf"(?i)(?:^|[^\pL]|_)(?:{NAMES})"
    r"(?:\\{0,2}[\"'`]\]?)?\s{0,9}(?:(?:is|ist|lautet|est|es|é|är|er|on|to|=>|:=|->|"
    r"[:=：是は])\s{0,3}|\s)"
    r"\\{0,2}[\"'`]?(?:bearer |token |basic )?"
    r"([^\s\"'`<>,;|(){}\[\]\\]{6,})"
)
# Words that announce a password, or a code for a door, further away from it.
_ANNOUNCEMENT: Final = Constant(
    rf"(?i)(?:^|[^\pL])(?:{NAMES}|login|log-?in|basic[ -]auth|anmeldung|accès|break-glass|"
    rf"wi-?fi|wlan|zugang\pL*|acces[os]+|credential\pL*|schlüssel|clé|clave|chiave|nyckel\pL*|"
    rf"keys?|emergency|alarm\pL*|"
    r"(?:door|gate|key|entry|access|lock|safe|service|security|alarm|emergency|pin)[ \-]?codes?|"
    r"code|"
    r"pin|combination|kombination|combinaison|combinación|combinazione|tresor|safe|lock ?box|"
    r"keypad|typed?|taper?z?|tippen|gib|eingeben|saisir|codice|código|kod|koodi|код|暗号|コード|"
    r"암호"
    r")(?:$|[^\pL])"
)
_HEX: Final = Constant(r"(?i)(?:^|[^0-9a-z])([0-9a-f]{32,128})(?:$|[^0-9a-z])")
_BASE64: Final = Constant(r"(?:^|[^0-9A-Za-z+/=_\-])([0-9A-Za-z+/]{40})(?:$|[^0-9A-Za-z+/=])")
_DOOR_CODE: Final = Constant(
    r"(?i)(?:door|gate|alarm|safe|entry|access|key|lock ?box|garage|unit|t(?:\xc3\xbc|u)r|tor|"
    r"alarm|porte?|puerta|porta|deur)[ \-]?(?:code|pin|kombination|codice|c(?:\xc3\xb3|o)digo)"
    r"[^0-9\n.]{0,25}?\b([0-9]{4,8}[#*]?)\b"
)
_KEY_CONTEXT: Final = Constant(
    r"(?i)key|schlüssel|clé|clave|chiave|nyckel|token|secret|passw|seed|auth|credential|hmac|salt"
    r"|owm|api"
)
# Examples of documentation.
_EXAMPLE: Final = Constant(r"(?i)example|x{6}|0{8}|12345678|abcdefgh|\*\*\*|\.\.\.")
# A value that stands for another, or that documentation shows.
_STAND_IN: Final = Constant(
    r"(?i)example|sample|placeholder|change_?-?me|your[_\-]|dummy|redacted|filtered|masked|\*\*\*|"
    r"xxxx|\.\.\.|…|^(?:none|null|true|false|undefined|required|optional|secret|password|passwd)$|"
    r"^[$%{<@]|^process\.|^os\.|^env\.|^secrets\.|^vault:|^arn:|0{8}|12345678|abcdef(?:gh|01)|"
    r"^https?:|^[a-z]+$|^[A-Z]?[a-z]+[.:!?]?$|^\d{1,5}$|^\d[\d.,:/+\-TZ%]*$"
)
# A password that somebody made up: words, a symbol, and a number.
_PASS_PHRASE: Final = Constant(
    r"(?:^|[\s\"'`:=(/|>])("
    r"[A-Za-z]{3,20}[!#$%&*+.?@_~\-][A-Za-z]{3,20}[!#$%&*+.?@_~\-]?\d{2,6}[!#$%&*?@]?"
    r"|[A-Z][a-z]{3,20}\d{2,6}[!#$%&*?@]|[A-Za-z]{3,20}\d{2,6}[!#$%&*?@]{1,3})"
    r"(?:$|[^0-9A-Za-z_\-])"
)
_VERSION: Final = Constant(
    r"(?i)^sha\d+|^md5|^v?\d+(?:\.\d+)+|^\d{2,4}-\d{1,2}-\d|@|://|^[./~]|/.*/|\.(?:example|com|"
    r"org|net|io|md|txt|"
    r"json|ya?ml|py|js|ts|html?|pdf|cfg|conf|toml|lock|go|rs|csv|png|jpg|svg)\b"
    r"|[0-9a-f]{8}-[0-9a-f]{4}-"
)
_NEAR, _SHORTLY = 140, 48
_LONGEST_PHRASE: Final = 56
_FEWEST_CELLS: Final = 4


def find_secrets(text: Bytes, columns: Columns) -> Iterator[Span]:
    """Finds secrets in a text.

    Args:
        text: the text.
        columns: the tables in the text, whose headings explain their cells.
    """
    data = text.data
    for match in _FORM.finditer(data):
        start, end = match.span()
        if _is_whole(data, start, end) and _is_random(match[0]):
            forms = _compiled_forms().items()
            name = next(name for name, form in forms if form.fullmatch(match[0]))
            yield text.span(start, end, "secrets", name)
    if b"://" in data:
        yield from _in_urls(text)
    yield from _named(text)
    yield from _by_entropy(text, columns)
    yield from _announced(text, columns)


@cache
def _compiled_forms() -> dict[str, Any]:
    return {name: compiled(form) for name, form in _FORMS.items()}


def _is_whole(data: bytes, start: int, end: int) -> bool:
    before, after = data[start - 1 : start], data[end : end + 1]
    # An escape for a line break is no letter of the key.
    is_escape = data[start - 2 : start] in {b"\\n", b"\\t", b"\\r"}
    return (is_escape or not before.isalnum()) and not after.isalnum()


def _is_random(value: bytes) -> bool:
    """Returns whether a value is neither an example nor a text in base64."""
    if _EXAMPLE.search(value):
        return False
    try:
        return not base64.b64decode(value, validate=True).decode().isprintable()
    except ValueError:
        return True


def _in_urls(text: Bytes) -> Iterator[Span]:
    for match in _URL.finditer(text.data):
        password = match[3]
        if _STAND_IN.search(password) or password in {b"pass", b"user", b"secret", b"password"}:
            continue
        is_database = _DATABASES.fullmatch(match[1]) is not None
        type_, group = ("connection", 0) if is_database else ("password", 3)
        yield text.found(match, "secrets", type_, group=group)


def _named(text: Bytes) -> Iterator[Span]:
    for match in _NAMED_VALUE.finditer(text.data):
        start = match.start(1)
        value = match[1].rstrip(b".,:!?*_")
        if _looks_secret(value):
            yield text.span(start, start + len(value), "secrets", "password")


def _looks_secret(value: bytes) -> bool:
    if len(value) < 8 or _STAND_IN.search(value) or _VERSION.search(value):
        return False
    mixed = kinds(value.decode("utf-8", "replace"))
    return mixed >= 3 or (mixed == 2 and len(value) >= 16 and entropy(value) > 3.2)


def _by_entropy(text: Bytes, columns: Columns) -> Iterator[Span]:
    for pattern, least, type_ in ((_HEX, 3.0, "hex"), (_BASE64, 4.2, "base64")):
        for match in pattern.finditer(text.data):
            start, end = match.span(1)
            if entropy(match[1]) < least or not _is_random(match[1]):
                continue
            if type_ == "base64" and kinds(match[1].decode()) < 3:
                continue
            before = text.data[max(0, start - 40) : start]
            near = max(before.rfind(b"\n"), before.rfind(b","), before.rfind(b";")) + 1
            # In "name, value" the name stands before the comma.
            context = before[near:] if len(before) - near > 4 else before
            if _KEY_CONTEXT.search(context) or _KEY_CONTEXT.search(columns.heading(start)):
                yield text.span(start, end, "secrets", type_)


def _has_table(data: bytes) -> bool:
    return any(data.count(sign) > _FEWEST_CELLS for sign in (b"|", b"\t", b";"))


def _announced(text: Bytes, columns: Columns) -> Iterator[Span]:
    """Finds passwords that people chose: near a word such as "password", or in a table below such a
    heading.
    """
    data = text.data
    words = (word.span() for word in _ANNOUNCEMENT.finditer(data))
    windows = joined_windows(words, _SHORTLY, _NEAR)
    if not windows:
        return
    starts = [low for low, _ in windows]
    searched = [(0, len(data))] if _has_table(data) else windows
    for low, high in searched:
        for found in _PASS_PHRASE.finditer(data[low : high + _LONGEST_PHRASE]):
            at = low + found.start(1)
            if _VERSION.search(found[1]) or _STAND_IN.search(found[1]):
                continue
            window = bisect_right(starts, at) - 1
            is_near = window >= 0 and at < windows[window][1]
            if is_near or _ANNOUNCEMENT.search(columns.heading(at)):
                yield text.span(at, at + len(found[1]), "secrets", "password")
    for match in _DOOR_CODE.finditer(data):
        yield text.found(match, "secrets", "password", group=1)
