"""The weakness classes that the taint pass models."""

from __future__ import annotations

from dataclasses import dataclass

from quartermaster.core.findings import Severity

OUTSIDE_SOURCES = frozenset({"request", "message", "remote", "caller", "archive"})
TYPED_SOURCES = OUTSIDE_SOURCES | {"operator", "input"}
# Any parameter, whoever fills it: wrong only inside a text of another language.
PARAMETER = "parameter"


@dataclass(frozen=True)
class WeaknessClass:
    """A weakness class.

    Attributes:
        rule: id of the rule.
        cwe: number of the CWE.
        severity: severity of a finding.
        what: the problem in one sentence; ``{source}`` is replaced by the source of the data.
        remedy: how to make the code safe.
        kinds: the kinds of marks that lead to a finding.
    """

    rule: str
    cwe: int
    severity: Severity
    what: str
    remedy: str
    kinds: frozenset[str] = OUTSIDE_SOURCES


def _weakness(
    name: str,
    cwe: int,
    severity: Severity,
    what: str,
    remedy: str,
    kinds: frozenset[str] = OUTSIDE_SOURCES,
) -> tuple[str, WeaknessClass]:
    return name, WeaknessClass(f"taint-{name}", cwe, severity, what, remedy, kinds)


CLASSES: dict[str, WeaknessClass] = dict(
    (
        _weakness(
            "path", 22, Severity.HIGH,
            "The path of a file is built from {source}.",
            "Resolve the path and refuse it unless it is below its root (is_relative_to), or "
            "take the name from a table.",
            OUTSIDE_SOURCES | {"input"},
        ),
        _weakness(
            "cmd", 78, Severity.CRITICAL,
            "A command line for a shell is built from {source}.",
            "Pass a list of arguments without a shell, or quote each value with shlex.quote.",
            TYPED_SOURCES | {"stored", PARAMETER},
        ),
        _weakness(
            "xss", 79, Severity.HIGH,
            "An HTML page contains {source} without escaping.",
            "Escape the value with html.escape, or pass it to a template that escapes.",
            OUTSIDE_SOURCES | {"stored"} - {"caller"},
        ),
        _weakness(
            "sql", 89, Severity.CRITICAL,
            "The text of an SQL statement is built from {source}.",
            "Bind the value as a parameter; take names of columns from a table of constants.",
            TYPED_SOURCES | {PARAMETER},
        ),
        _weakness(
            "ldap", 90, Severity.HIGH,
            "An LDAP filter or name is built from {source}.",
            "Escape the value: escape_filter_chars in filters, escape_rdn in names.",
            TYPED_SOURCES | {PARAMETER},
        ),
        _weakness(
            "code", 94, Severity.CRITICAL,
            "Code that is run is built from {source}.",
            "Do not run strings as code. Use ast.literal_eval, a table of functions, or a "
            "parser of your own.",
            OUTSIDE_SOURCES | {"stored", "input"},
        ),
        _weakness(
            "log", 117, Severity.MEDIUM,
            "A line of a log contains {source} with its line breaks.",
            "Log the value with %r, or remove line breaks first.",
            frozenset({"request", "message", "caller"}),
        ),
        _weakness(
            "timing", 208, Severity.MEDIUM,
            "A secret is compared with {source} in a time that depends on the secret.",
            "Compare with hmac.compare_digest.",
        ),
        _weakness(
            "tls", 295, Severity.HIGH,
            "The certificate of the server is not checked.",
            "Leave verification on; name the file of your own authority if you have one.",
        ),
        _weakness(
            "hash", 328, Severity.HIGH,
            "A broken hash function is used for protection.",
            "Use SHA-256 for integrity, and scrypt, bcrypt or argon2 for passwords.",
        ),
        _weakness(
            "random", 330, Severity.HIGH,
            "A secret comes from a generator whose output can be predicted.",
            "Use the module secrets.",
        ),
        _weakness(
            "signature", 347, Severity.HIGH,
            "Data is used although its signature was not checked.",
            "Check the signature first, and stop if it is wrong.",
        ),
        _weakness(
            "tempfile", 377, Severity.MEDIUM,
            "A file with a predictable name is made in a folder that all users share.",
            "Use tempfile.mkstemp, NamedTemporaryFile or TemporaryDirectory, or open with O_EXCL.",
        ),
        _weakness(
            "trust", 501, Severity.MEDIUM,
            "The session, which the program trusts, stores {source} unchecked.",
            "Store only what the server knows, or check the value against a list first.",
            frozenset({"request", "message", "caller"}),
        ),
        _weakness(
            "deserialization", 502, Severity.CRITICAL,
            "Objects are built from {source}.",
            "Use JSON or yaml.safe_load, or check a signature over the bytes first.",
        ),
        _weakness(
            "redirect", 601, Severity.MEDIUM,
            "The browser is sent to an address that {source} chooses.",
            "Accept local paths or listed hosts only.",
            frozenset({"request", "message", "caller"}),
        ),
        _weakness(
            "xxe", 611, Severity.HIGH,
            "XML from {source} is parsed with external entities on.",
            "Use defusedxml, or switch resolve_entities, load_dtd and external entities off.",
        ),
        _weakness(
            "cookie", 614, Severity.MEDIUM,
            "A cookie that carries a secret lacks Secure or HttpOnly.",
            "Set secure=True and httponly=True.",
        ),
        _weakness(
            "xpath", 643, Severity.HIGH,
            "An XPath expression is built from {source}.",
            "Pass the value as an XPath variable.",
            TYPED_SOURCES | {PARAMETER},
        ),
        _weakness(
            "credential", 798, Severity.HIGH,
            "A credential is written in the source.",
            "Read it from the environment or from a secret store, and refuse to start without it.",
        ),
        _weakness(
            "ssrf", 918, Severity.HIGH,
            "The server sends a request to an address that {source} chooses.",
            "Compare the host with a list of hosts, or take the address from a table.",
            OUTSIDE_SOURCES | {"stored"},
        ),
        _weakness(
            "template", 1336, Severity.CRITICAL,
            "The source of a template is built from {source}.",
            "Keep the source constant and pass the value as a variable.",
            OUTSIDE_SOURCES | {"stored", "operator"},
        ),
    )
)  # fmt: skip
