"""Finds secrets in a file, with Quartermaster's own rules and with detect-secrets. Runs in a
worker.

A finding contains an HMAC of the secret instead of the secret, so that the same secret in two
places can be recognised. No provider is asked whether a secret is valid.
"""

from __future__ import annotations

import base64
import hmac
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

from quartermaster.core.findings import Finding, Scan, Severity, Status
from quartermaster.guardrails.linear_patterns import compiled
from quartermaster.guardrails.randomness import entropy, kinds
from quartermaster.guardrails.secret_formats import (
    FORMATS,
    NAMED_FORMATS,
    PUBLISHED_KEY_HASHES,
    Format,
)
from quartermaster_quality.scanners.interface import ScanOptions, SourceFile

# Those that know a form that `secret_formats` has not. The others take every random text for a
# secret, such as a checksum.
_DETECTORS: Final = (
    *("artifactory", "azure_storage_key", "cloudant", "ibm_cloud_iam", "ibm_cos_hmac"),
    "softlayer",
)
_CWE_SECRET, _CWE_PASSWORD = 798, 259
_REMEDY: Final = (
    "Others may know this secret, so revoke it. Read the new secret from the environment or from"
    " a secret store."
)
_LOCK_FILES: Final = frozenset(
    {
        *("package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "go.sum"),
        *("composer.lock.json", "pipfile.lock", "bun.lockb"),
    }
)
_CODE: Final = frozenset(
    {
        *(".py", ".pyi", ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".rb", ".php"),
        *(".go", ".rs", ".java", ".kt", ".c", ".h", ".cpp", ".cs", ".swift"),
    }
)

_PRIVATE_KEY: Final = compiled(r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
# What may stand between the letters of a key, also in a string of a program.
_KEY_BODY: Final = re.compile(rb"(?:\\[rn]|[\s\"'+,\\]|[A-Za-z-]+: [^\n]*\n|[0-9A-Za-z+/=]+)*")
_LONGEST_KEY: Final = 20_000
_URL_PASSWORD: Final = compiled(
    r"[a-z][a-z0-9+.\-]{1,20}://[^\s:/@\"'<>`{}$]{0,64}:([^\s/@\"'<>`{}$%\\]{3,100})@[\w.\-\[]"
)
_AWS_SECRET: Final = compiled(
    r"(?i:aws|amazon|secret_?access)[^\n]{0,40}?[\"'=: ]([0-9A-Za-z+/]{40})(?:[^0-9A-Za-z+/=]|$)"
)
_HEADER: Final = compiled(
    r"(?i)authorization[\"']?\s*[:=,]\s*f?[\"']?(bearer|token|basic|apikey)\s+"
    r"([0-9A-Za-z_\-.=+/]{16,})"
)
# A call of curl ends with its line, unless a backslash or an option on the next line follows.
_CURL: Final = re.compile(rb"\bcurl\b[^\n]*(?:(?<=\\)\n[^\n]*|\n\s+-[^\n]*){0,20}")
_CURL_LOGIN: Final = re.compile(
    rb"\s(?:-u|--user)[ =\t]*((?:\"[^\"\n]{1,200}\"|'[^'\n]{1,200}'|[^\s\"']{1,200})+)"
)
_CURL_HEADER: Final = re.compile(
    rb"\s(?:-H|--header)[ =\t]*[\"'](?:authorization|(?:x-)?(?:[a-z]+-)*(?:api-?)?(?:key|token)"
    rb"|[a-z\-]*api-?key):\s*(?:(basic|bearer|token|api-?token)\s+)?([\w\-.=+/~@]{8,600})[\"']",
    re.IGNORECASE,
)
_NAME: Final = (
    r"(?:[A-Za-z0-9]{1,40}[_\-.]){0,6}[A-Za-z0-9]{0,40}?"
    r"(?:pass(?:word|wd|phrase)|passwd|pwd|secret|token|api[_\-]?key|apikey|access[_\-]?key|"
    r"auth[_\-]?key|private[_\-]?key|encryption[_\-]?key|signing[_\-]?key|secret[_\-]?key|"
    r"credentials?|client[_\-]?secret)(?:[_\-]?(?:key|value|string|prod|live|dev|\d{1,3}))?"
)
# name = "value", name: "value", "name": "value", name => "value", name("value"), name := "value"
_QUOTED_PATTERN: Final = compiled(
    rf"(?i)(?:^|[^A-Za-z0-9])({_NAME})[\"'\]`]{{0,2}}\s{{0,8}}(?::\s{{0,3}}(?:str|string|&str|bytes"
    r"|Final(?:\[str\])?))?\s{0,8}(?:=>|:=|==|=|:|,|\()\s{0,8}[brf]{0,2}"
    r"(?:\"([^\"\n]{8,256})\"|'([^'\n]{8,256})'|`([^`\n]{8,256})`)"
)
_BARE_PATTERN: Final = compiled(
    rf"(?im)^[ \t]*(?:export |ENV |ARG |- )?({_NAME})[ \t]*[=:][ \t]*"
    r"([^\s\"'#;,<>()\[\]{}$]{8,256})[ \t]*(?:#.*)?\r?$"
)
_WORD_BEFORE: Final = re.compile(rb"\w+\Z")
_WORD_AFTER: Final = re.compile(rb"\w+")
# What documentation and templates put in the place of a value.
_STAND_IN: Final = compiled(
    r"(?i)example|sample|placeholder|change[_\-]?(?:me|it|this)|replace|your[_\-]?|insert|dummy|"
    r"fake|mock|redact|mask|hidden|todo|fixme|foobar|foo[_\-]|not[_\-]?(?:a|the|so)?[_\-]?real|"
    r"\*{3}|x{5}|\.{3}|…|^[$%{<@\[]|[{<][A-Za-z_ .{]|[$%][{(]|[}>]$|"
    r"^(?:env|vault|secret|ssm|arn|op|file):|0{6}|1{6}|a{6}|12345678|abcdef(?:gh|01)|deadbeef|lorem|invalid|none|null|undefined"
)
# Addresses, paths, names of things, numbers, words, hashes of passwords, templates.
_PREFIX: Final = re.compile(
    r"xox[abeoprs]-|xapp-|gh[oprsu]_|github_pat_|gl(?:pat|rt|dt|ptt)-|[sr]k_(?:live|test)_|AKIA|ASIA"
)
_NOT_SECRET: Final = re.compile(
    r"^\w+://|^[./~\\]|/.*/|^\w+(?:\.\w+)+\(?$|^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$|"
    r"^\d+(?:[.:\-/]\d+)*$|^[a-z]+(?:[_\-. ][a-z]+)*$|"
    r"^(?:sha\d+|md5|pbkdf2|bcrypt|scrypt|argon2\w*)[:$\-_]|^\$2[aby]\$|\s\S+\s|^\D*\s\D*$|[%{]\w*[sd}]|^--|\($|^@|;$",
    re.IGNORECASE,
)
_SEQUENCES: Final = ("0123456789abcdef", "abcdefghijklmnopqrstuvwxyz", "qwertyuiop", "9876543210")
_LEAST_ENTROPY: Final = 2.6
# Words written together have less than letters drawn by lot.
_LEAST_OF_LETTERS: Final = 3.8


@dataclass(frozen=True)
class _Hit:
    start: int
    end: int
    rule: str
    what: str
    severity: Severity
    cwe: int = _CWE_SECRET
    is_named: bool = False


def examine(source: SourceFile, settings: ScanOptions) -> Scan:
    """Scans a file of any kind for secrets."""
    data, reason = _readable(source.data)
    if not _detectors():
        reason = (
            "Only Quartermaster's own rules were used, because detect-secrets is not installed."
        )
    findings = tuple(_findings(source, data, settings.secret_key, _all_hits(source, data)))
    status = Status.DEGRADED if reason else Status.OK
    return Scan("secrets", "", status, reason, findings)


def without_secrets(text: str) -> str:
    """Replaces values in a message that look like secrets with dots. Replaces the whole word that
    contains such a value, because a name may contain a key.
    """
    data = text.encode("utf-8", "replace")
    words = {_word_around(data, hit) for hit in _by_form(data, inside_words=True)}
    done = len(data)
    for start, end in sorted(words, reverse=True):
        data = data[:start] + b"..." + data[min(end, done) :]
        done = start
    return data.decode("utf-8", "replace")


def _word_around(data: bytes, hit: _Hit) -> tuple[int, int]:
    before, after = _WORD_BEFORE.search(data[: hit.start]), _WORD_AFTER.match(data, hit.end)
    return before.start() if before else hit.start, after.end() if after else hit.end


def _readable(data: bytes) -> tuple[bytes, str]:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace").encode("utf-8", "replace"), ""
    if b"\0" in data[:8192]:
        reason = "The file is binary: only secrets that it contains as plain text are found."
        return data, reason
    return data, ""


def _all_hits(source: SourceFile, data: bytes) -> list[_Hit]:
    name = source.path.rpartition("/")[2].lower()
    hits = [*_by_form(data), *_private_keys(data), *_by_detect_secrets(data)]
    if name not in _LOCK_FILES and not name.endswith(".lock"):
        hits += [*_in_urls(data), *_by_context(data), *_named(data, source.suffix in _CODE)]
    retained: list[_Hit] = []
    for hit in hits:  # the surest come first
        if all(hit.end <= other.start or other.end <= hit.start for other in retained):
            retained.append(hit)
    return sorted(retained, key=lambda hit: hit.start)


def _findings(source: SourceFile, data: bytes, key: bytes, hits: list[_Hit]) -> Iterator[Finding]:
    starts = [0, *(match.end() for match in re.finditer(rb"\n", data))]
    parts = source.path.split("/")
    in_tests = parts[-1].startswith("test_") or not {"tests", "test", "fixtures"}.isdisjoint(parts)
    for hit in hits:
        row = bisect_right(starts, hit.start)
        begin = starts[row - 1]
        value = data[hit.start : hit.end]
        mark = hmac.new(key, value, sha256).hexdigest()[:16] if key else ""
        yield Finding(
            hit.rule,
            f"The file contains {hit.what}{f' (fingerprint {mark})' if mark else ''}.",
            row,
            hit.severity,
            column=len(data[begin : hit.start].decode("utf-8", "replace")),
            end_line=bisect_right(starts, hit.end - 1),
            cwe=hit.cwe,
            remedy=_REMEDY,
            is_hint=hit.is_named and in_tests,
        )


@cache
def _patterns() -> list[tuple[Format, Any]]:
    return [(form, compiled(form.form)) for form in FORMATS]


def _by_form(data: bytes, *, inside_words: bool = False) -> Iterator[_Hit]:
    for form, pattern in _patterns():
        for match in pattern.finditer(data):
            start, end = match.span()
            is_apart = inside_words or _is_whole(data, start, end)
            if is_apart and _is_key(form, data, start, match[0]):
                yield _Hit(start, end, f"secret-{form.name}", form.what, Severity.CRITICAL)
    for pattern in _named_formats().values():
        for match in pattern.finditer(data):
            start, end = match.span(1)
            is_apart = inside_words or _is_whole(data, start, end)
            if is_apart and _is_random(match[1]):
                what = "a key, as its name and its form say"
                yield _Hit(start, end, "secret-named-form", what, Severity.HIGH)


def _is_key(form: Format, data: bytes, start: int, value: bytes) -> bool:
    """Returns whether a value that has the format of a key is likely to be a real key."""
    if not (form.is_sure or _is_random(value)):
        return False
    if kinds(value.decode("utf-8", "replace")) < form.least_kinds:
        return False
    line = _line_before(data, start)
    if form.public_after and form.public_after.encode() in line:
        return False
    # With the scheme Basic nothing but a name and a password in base64 lets anybody in.
    is_no_login = form.name == "jwt" and line.lower().endswith(b"basic ")
    return not is_no_login and sha256(value).hexdigest()[:32] not in PUBLISHED_KEY_HASHES


def _line_before(data: bytes, start: int) -> bytes:
    return data[data.rfind(b"\n", 0, start) + 1 : start]


def _is_public(line: bytes, value: bytes) -> bool:
    """Returns whether a key is meant to be public, judging by the text before it."""
    return any(
        form.public_after and form.public_after.encode() in line and pattern.fullmatch(value)
        for form, pattern in _patterns()
    )


@cache
def _named_formats() -> dict[str, Any]:
    return {
        name: compiled(
            rf"(?:^|[^A-Za-z0-9])(?i:{name})(?:[A-Z_\-.][\w\-.]{{0,30}})?"
            rf"[\"'\]]{{0,2}}\s{{0,4}}(?:=>|:=|[=:])\s{{0,4}}[\"']?({form})"
        )
        for name, form in NAMED_FORMATS
    }


def _has_another_form(name: str, value: str) -> bool:
    """Returns whether a value has the wrong format for the key that its name or prefix suggests."""
    for known, form in NAMED_FORMATS:
        if re.search(rf"(?:^|[^a-z0-9]){known}(?:[^a-z]|$)", name.lower()):
            return re.fullmatch(form, value) is None
    # The beginning of a provider's keys, but not the rest.
    return _PREFIX.match(value) is not None


def _is_whole(data: bytes, start: int, end: int) -> bool:
    """Returns whether a value is a whole word, not a part of a longer word."""
    before, after = data[start - 1 : start], data[end : end + 1]
    is_escape = data[max(0, start - 2) : start] in {b"\\n", b"\\t", b"\\r"}
    starts_word = start == 0 or is_escape or not (before.isalnum() or before in {b"_", b"-"})
    if before == b"." and b"/" not in data[start:end]:
        starts_word = False
    return starts_word and not (after.isalnum() or after in {b"_", b"/"})


def _is_random(value: bytes) -> bool:
    """Returns whether a value looks random, and not made up for an example."""
    if _STAND_IN.search(value):
        return False
    text = value.decode("utf-8", "replace")
    runs = re.findall(r"[A-Za-z0-9]+", text)
    longest = max(runs, key=len, default="")
    lower = longest.lower()
    if any(lower[i : i + 8] in row for row in _SEQUENCES for i in range(max(0, len(lower) - 7))):
        return False
    if re.search(r"(.)\1{4}|(.{2,4})\2{3}", longest):
        return False
    if len(longest) >= 20 and longest.isalpha() and entropy(longest) < _LEAST_OF_LETTERS:
        return False
    return len(longest) < 12 or entropy(longest) >= _LEAST_ENTROPY


def _private_keys(data: bytes) -> Iterator[_Hit]:
    for match in _PRIVATE_KEY.finditer(data):
        found = _KEY_BODY.match(data[match.end() : match.end() + _LONGEST_KEY])
        body = re.sub(rb"\\[rn]|[^0-9A-Za-z+/=]", b"", found[0] if found else b"")
        if len(body) >= 64 and entropy(body.decode()) > 4.0 and not _STAND_IN.search(body[:64]):
            end = match.end() + (found.end() if found else 0)
            what = "a private key"
            yield _Hit(match.start(), end, "secret-private-key", what, Severity.CRITICAL)


def _by_detect_secrets(data: bytes) -> Iterator[_Hit]:
    text = data.decode("utf-8", "surrogateescape")
    for detector in _detectors():
        # Line by line would take most of the time, for files that contain nothing.
        for pattern in detector.denylist:
            for match in pattern.finditer(text):
                groups = [i for i in range(1, (match.re.groups or 0) + 1) if match[i]]
                group = groups[-1] if groups else 0
                value = (match[group] or "").encode("utf-8", "surrogateescape")
                start = len(text[: match.start(group)].encode("utf-8", "surrogateescape"))
                end = start + len(value)
                whole = match[0].encode("utf-8", "surrogateescape")
                if _is_random(whole) and _is_random(value) and _is_whole(data, start, end):
                    rule = f"secret-{detector.secret_type.lower().replace(' ', '-')}"
                    what = f"what seems to be a secret ({detector.secret_type})"
                    yield _Hit(start, end, rule, what, Severity.HIGH)


@cache
def _detectors() -> list[Any]:
    if find_spec("detect_secrets") is None:
        return []
    modules = ((import_module(f"detect_secrets.plugins.{name}"), name) for name in _DETECTORS)
    return [
        getattr(module, f"{name.title().replace('_', '')}Detector")() for module, name in modules
    ]


def _in_urls(data: bytes) -> Iterator[_Hit]:
    if b"://" not in data:
        return
    for match in _URL_PASSWORD.finditer(data):
        value = match[1].decode("utf-8", "replace")
        if _is_random(match[1]) and not _is_common(value):
            start, end = match.span(1)
            what = "a password in an address"
            yield _Hit(start, end, "secret-url-password", what, Severity.HIGH, is_named=True)


def _is_common(value: str) -> bool:
    lower = value.lower()
    return lower in {"pass", "user", "secret", "password", "passwd", "pwd", "port", "token"} or (
        lower.isalpha() and len(lower) < 12
    )


def _by_context(data: bytes) -> Iterator[_Hit]:
    for match in _AWS_SECRET.finditer(data):
        value = match[1].decode()
        if _is_random(match[1]) and kinds(value) >= 3 and entropy(value) > 4.0:
            start, end = match.span(1)
            what = "an AWS secret key"
            yield _Hit(start, end, "secret-aws-secret-key", what, Severity.CRITICAL)
    for start, end in _in_curl(data):
        what = "a password or token in a call of curl"
        yield _Hit(start, end, "secret-curl", what, Severity.HIGH, is_named=True)
    for match in _HEADER.finditer(data):
        value = match[2].decode()
        is_basic = match[1].lower() == b"basic"
        if (
            _is_login(match[2])
            if is_basic
            else _is_random(match[2]) and kinds(value) >= 2 and entropy(value) > 3.0
        ):
            start, end = match.span(2)
            yield _Hit(start, end, "secret-header", "a token for a login", Severity.HIGH)


def _in_curl(data: bytes) -> Iterator[tuple[int, int]]:
    """Yields the places of passwords, and of tokens in headers, in the curl commands of a file."""
    if b"curl" not in data:
        return
    for call in _CURL.finditer(data):
        for match in _CURL_LOGIN.finditer(call[0]):
            name, _, password = re.sub(rb"[\"']", b"", match[1]).partition(b":")
            # A key may stand in the place of the name, without a password.
            value = password or name
            bare = value[1:-1] if re.fullmatch(rb"\{[^{}]+\}", value) else value
            if b":" in match[1] and _lets_in(bare, 2 if password else 3):
                at = call.start() + match.start(1) + match[1].find(bare)
                yield at, at + len(bare)
        for match in _CURL_HEADER.finditer(call[0]):
            value = match[2]
            if _is_login(value) if (match[1] or b"").lower() == b"basic" else _lets_in(value, 2):
                yield call.start() + match.start(2), call.start() + match.end(2)


def _lets_in(value: bytes, least_kinds: int) -> bool:
    text = value.decode("utf-8", "replace")
    is_long = len(value) >= 12 and entropy(text) >= 3.0
    is_mixed = len(value) >= 6 and kinds(text) >= least_kinds
    return (is_mixed or (is_long and least_kinds < 3)) and _is_random(value)


def _is_login(value: bytes) -> bool:
    """Returns whether a value is a base64-encoded pair of user name and password."""
    try:
        text = base64.b64decode(value, validate=True)
    except ValueError:
        return False
    return b":" in text and not _STAND_IN.search(text)


def _named(data: bytes, is_code: bool) -> Iterator[_Hit]:
    """Yields literals that are assigned to a name that suggests a secret."""
    for pattern in (_QUOTED_PATTERN,) if is_code else (_QUOTED_PATTERN, _BARE_PATTERN):
        for match in pattern.finditer(data):
            index = match.lastindex
            value = match[index].decode("utf-8", "replace")
            name = match[1].decode("utf-8", "replace")
            line = _line_before(data, match.start(index))
            no_key = _has_another_form(name, value) or _is_public(line, match[index])
            if _is_value(value) and _is_random(match[index]) and not no_key:
                start, end = match.span(index)
                what = "a password or key, as its name says"
                severity = Severity.HIGH
                yield _Hit(start, end, "secret-named", what, severity, _CWE_PASSWORD, is_named=True)


def _is_value(value: str) -> bool:
    if _NOT_SECRET.search(value) or not value.isascii():
        return False
    mixed = kinds(value)
    return mixed >= 3 or (mixed == 2 and len(value) >= 12 and entropy(value) >= 3.0)
