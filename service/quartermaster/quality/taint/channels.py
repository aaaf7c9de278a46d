"""TLS and cookies: how secrets travel."""

from __future__ import annotations

import ast
import re

from quartermaster.quality.taint.credentials import SECRET_NAME
from quartermaster.quality.taint.hashes import Hashes
from quartermaster.quality.taint.judge import literal_text
from quartermaster.quality.taint.plain_text import is_only_encoded
from quartermaster.quality.taint.values import (
    Args,
    Call,
    ClassV,
    Const,
    Extern,
    Kwargs,
    Text,
    Thing,
    Unknown,
    Value,
    const_str,
    options,
    truth,
)

BENIGN_COOKIE = re.compile(
    r"theme|lang|locale|consent|display|layout|tz$|timezone|currency|font|sidebar|seen|"
    r"banner|colou?r|"
    r"notice|tour|cookie_?ok|view|sort|tab$|mode|density|region|desk$|pref|size|unit|hint|"
    r"dismiss|welcome|"
    r"country|accept|analytics|flash|variant|last_|city|station|zoom|filter|bench$|dark"
)

# Cookies that tell who somebody is.
IDENTITY_COOKIE = re.compile(r"sess|auth|login|user|account")

LOCAL = re.compile(r"^(?:https?://)?(?:localhost|127\.|\[::1\]|0\.0\.0\.0|unix:)")

HTTP_CALLS = re.compile(
    r"^(requests|httpx|aiohttp|treq|urllib3|niquests|curl_cffi)\.|Session|Client|"
    r"ClientSession|TCPConnector"
)

MAIL_CLIENTS = ("smtplib.SMTP()", "imaplib.IMAP4()", "aiosmtplib.SMTP()")
TLS_CLIENTS = {"smtplib.SMTP_SSL", "imaplib.IMAP4_SSL", "poplib.POP3_SSL", "ftplib.FTP_TLS"}

HTTP_METHODS = {
    "get",
    "post",
    "put",
    "delete",
    "patch",
    "head",
    "options",
    "request",
    "send",
    "stream",
    "ws_connect",
}


class Channels(Hashes):
    """Looks at connections and cookies."""

    def __init__(self) -> None:
        super().__init__()
        self.contexts: list[Thing] = []
        self.jars: list[tuple[Thing, str, Value, ast.AST]] = []

    # TLS.

    def u_tls(self, call: Call) -> Value | None:
        name, node = call.name, call.node
        if name in {
            "ssl.SSLContext",
            "ssl.create_default_context",
            "ssl._create_stdlib_context",
            "urllib3.util.ssl_.create_urllib3_context",
            "aiohttp.TCPConnector.ssl",
        }:
            made = Thing(name, call.args, call.kwargs, line=getattr(node, "lineno", 0))
            self.contexts.append(made)
            return made
        if name in {"ssl._create_unverified_context"}:
            self.report("tls", None, node)
            return Thing("ssl.unverified")
        if self._is_unchecked_by_default(call):
            self.report("tls", None, node)
            return None
        if name == ".set_missing_host_key_policy" and call.args:
            policy = call.args[0]
            text = policy.name if isinstance(policy, Extern) else getattr(policy, "type", "")
            if re.search(r"AutoAddPolicy|WarningPolicy", text):
                self.report("tls", None, node, "The key of the server is accepted without a check.")
            return Const(None)
        self._verification_off(name, call.owner, call.kwargs, node)
        return None

    def _is_unchecked_by_default(self, call: Call) -> bool:
        """The mail and FTP clients of the standard library check nothing without a context."""
        if call.args and call.name == ".starttls":
            return False
        made = call.owner.type if isinstance(call.owner, Thing) else ""
        upgrades = call.name == ".starttls" and made.startswith(MAIL_CLIENTS)
        return (upgrades or call.name in TLS_CLIENTS) and not call.kwargs.keys() & {"context", "**"}

    def _verification_off(
        self, name: str, owner: Value | None, kwargs: Kwargs, node: ast.AST
    ) -> None:
        if not kwargs:
            return
        type_ = owner.type if isinstance(owner, Thing | Unknown) else ""
        known = (
            HTTP_CALLS.search(name)
            or HTTP_CALLS.search(type_)
            or name.rsplit(".", 1)[-1] in HTTP_METHODS
        )
        for key in (
            "verify",
            "verify_ssl",
            "ssl",
            "ssl_verify",
            "verify_certs",
            "validate_cert",
            "validate_certs",
            "check_hostname",
            "tls_verify",
            "validate_certificate",
        ):
            value = kwargs.get(key)
            if value is None or not (known or key not in {"ssl", "verify"}):
                continue
            if any(self._is_off(o) for o in options(value)) and not self._is_local(
                owner, kwargs, node
            ):
                self.report("tls", None, node)
        for key in ("cert_reqs", "ssl_cert_reqs", "tls_require_cert"):
            value = kwargs.get(key)
            if value is not None and (
                literal_text(value).upper().find("NONE") >= 0
                or (isinstance(value, Extern) and value.name.endswith("CERT_NONE"))
            ):
                self.report("tls", None, node)
        for key in (
            "tlsAllowInvalidCertificates",
            "tlsInsecure",
            "ssl_insecure",
            "insecure",
            "trust_all",
            "insecure_skip_verify",
        ):
            if key in kwargs and truth(kwargs[key]) is True:
                self.report("tls", None, node)

    def _is_off(self, value: Value) -> bool:
        return (isinstance(value, Const) and value.value is False) or (
            isinstance(value, Extern) and value.name.endswith("CERT_NONE")
        )

    def _is_local(self, owner: Value | None, kwargs: Kwargs, node: ast.AST) -> bool:
        texts = [literal_text(kwargs[k]) for k in ("base_url", "url", "host") if k in kwargs]
        if isinstance(node, ast.Call) and node.args:
            texts.extend(literal_text(self._quiet(a)) for a in node.args[:2])
        if isinstance(owner, Thing):
            texts.extend(literal_text(v) for v in [*owner.args, *owner.kwargs.values()])
        return any(LOCAL.search(t.strip()) for t in texts if t.strip())

    def _quiet(self, node: ast.expr) -> Value:
        return (
            self.eval(node)
            if isinstance(node, ast.Name | ast.Constant | ast.JoinedStr | ast.Attribute)
            else Unknown()
        )

    def check_contexts(self) -> None:
        """Contexts of clients that are left without verification."""
        for context in self.contexts:
            protocol = " ".join(
                v.name for v in [*context.args, *context.kwargs.values()] if isinstance(v, Extern)
            )
            if "SERVER" in protocol or "CLIENT_AUTH" in protocol:
                continue
            mode = context.attrs.get("verify_mode")
            checks = context.attrs.get("check_hostname")
            off = (
                any(isinstance(o, Extern) and o.name.endswith("CERT_NONE") for o in options(mode))
                if mode is not None
                else False
            )
            unchecked = checks is not None and any(truth(o) is False for o in options(checks))
            bare = (
                context.type == "ssl.SSLContext"
                and mode is None
                and "CLIENT" not in protocol
                and "DTLS" not in protocol
            )
            if off or unchecked or (bare and bool(protocol)):
                self.report("tls", None, ast.Pass(lineno=context.line, col_offset=0))

    # Cookies.

    def u_cookie(self, call: Call) -> Value | None:
        args, node = call.args, call.node
        last = call.name.rsplit(".", 1)[-1]
        if last in {"set_cookie", "set_signed_cookie", "set_secure_cookie"}:
            if len(args) == 1 and not call.kwargs.keys() - {"**"} and const_str(args[0]) is None:
                # A cookie jar keeps a whole cookie; a response is given a name and a value.
                return None
            self._cookie(args, call.kwargs, node, last)
        elif last in {
            "SessionMiddleware",
            "EncryptedCookieStorage",
            "SimpleCookieStorage",
            "Middleware",
            "add_middleware",
            "RedisStorage",
            "NaClCookieStorage",
        }:
            self._session_cookie(call.name, last, args, call.kwargs, node)
        elif last == "from_object" and args:
            self._config_object(args[0], node)
        elif call.name.endswith("cookies.SimpleCookie"):
            return Thing("SimpleCookie", line=getattr(node, "lineno", 0))
        elif (
            last in {"add_header", "append", "set_header", "__setitem__", "send_header", "extend"}
            and len(args) > 1
        ) and (const_str(args[0]) or "").lower() == "set-cookie":
            self._cookie_header(args[1], node)
        return None

    def _cookie(self, args: Args, kwargs: Kwargs, node: ast.AST, last: str) -> None:
        name_value = args[0] if args else kwargs.get("key", kwargs.get("name", Unknown()))
        value = args[1] if len(args) > 1 else kwargs.get("value", Unknown())
        mark = self.with_kind(value, "weakrandom")
        if mark is not None:
            self.report("random", mark, node)
        label = literal_text(name_value).strip().lower()
        if last == "set_cookie" and IDENTITY_COOKIE.search(label):
            self._encoded_identity(node)
        if self._is_plain_cookie(label, value):
            return
        positional = len(args) > 5
        secure = kwargs.get("secure") or (args[5] if positional else None)
        if last == "set_cookie" and positional and secure is None:
            secure = args[5]
        httponly = (
            kwargs.get("httponly")
            or kwargs.get("http_only")
            or (args[6] if len(args) > 6 else None)
        )
        spread = kwargs.get("**")
        if spread is not None:
            return
        explicit = secure is not None and truth(secure) is False
        lacks = [
            flag
            for flag, given in (("Secure", secure), ("HttpOnly", httponly))
            if given is None or any(truth(o) is False for o in options(given))
        ]
        if "csrf" in label or "xsrf" in label:
            lacks = [flag for flag in lacks if flag == "Secure"]
        if lacks or explicit:
            self.report(
                "cookie", None, node, f"A cookie that carries a secret lacks {' and '.join(lacks)}."
            )

    def _encoded_identity(self, node: ast.AST) -> None:
        """A cookie that says who somebody is, and that everybody can write."""
        if not isinstance(node, ast.Call):
            return
        given = [word.value for word in node.keywords if word.arg == "value"] or node.args[1:2]
        function = self.frame.func.node if self.frame.func is not None else None
        if given and is_only_encoded(given[0], function):
            text = "The value of this cookie is only encoded, so whoever sends it can change it."
            self.report("signature", None, node, text)

    def _is_plain_cookie(self, label: str, value: Value) -> bool:
        if all(isinstance(o, Const) for o in options(value)):
            return True
        if SECRET_NAME.search(label) or IDENTITY_COOKIE.search(label):
            return False
        return bool(BENIGN_COOKIE.search(label))

    def _session_cookie(
        self, name: str, last: str, args: Args, kwargs: Kwargs, node: ast.AST
    ) -> None:
        first = args[0] if args else Unknown()
        target = first.name if isinstance(first, Extern) else ""
        if last in {"Middleware", "add_middleware"} and not target.endswith("SessionMiddleware"):
            return
        starlette = "SessionMiddleware" in (target or name) and "aiohttp" not in name
        key = "https_only" if starlette else "secure"
        value = kwargs.get(key)
        if value is None or any(truth(o) is False for o in options(value)):
            self.report("cookie", None, node)
        secret = kwargs.get("secret_key")
        if secret is not None:
            self._credential_value(secret, node)

    def _cookie_setting(self, value: Value, node: ast.AST) -> None:
        if any(truth(o) is False for o in options(value)):
            self.report("cookie", None, node)

    def _config_object(self, value: Value, node: ast.AST) -> None:
        for option in options(value):
            if not isinstance(option, ClassV):
                continue
            for setting in ("SESSION_COOKIE_SECURE", "SESSION_COOKIE_HTTPONLY"):
                found = option.find(setting)
                if found is not None and truth(found) is False:
                    self.report("cookie", None, node)
            secret = option.find("SECRET_KEY")
            if secret is not None:
                self._literal_secret(secret, node)

    def _cookie_header(self, value: Value, node: ast.AST) -> None:
        text = literal_text(value).lower()
        label = text.split("=", 1)[0].strip()
        if BENIGN_COOKIE.search(label) and not SECRET_NAME.search(label):
            return
        if (
            "=" in text
            and ("secure" not in text or "httponly" not in text)
            and not isinstance(value, Const)
            and isinstance(value, Text)
        ):
            self.report("cookie", None, node)

    def _new_morsel(self, jar: Thing, key: Value, value: Value, node: ast.AST) -> None:
        label = const_str(key)
        morsel = Thing(f"morsel {label}", line=getattr(node, "lineno", 0))
        jar.attrs[f"[{label}]"] = morsel
        self.jars.append((morsel, label or "", value, node))

    def check_morsels(self) -> None:
        """Cookies of the standard library that were left without a flag."""
        for morsel, label, value, node in self.jars:
            if self._is_plain_cookie(label.lower(), value):
                continue
            for flag in ("secure", "httponly"):
                given = morsel.attrs.get(f"[{flag}]")
                if given is None or truth(given) is False:
                    self.report("cookie", None, node)
