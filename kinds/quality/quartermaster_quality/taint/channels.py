"""Finds TLS connections and cookies that do not protect secrets."""

from __future__ import annotations

import ast
import re

from quartermaster_quality.taint.credential_library import SECRET_NAME
from quartermaster_quality.taint.hashes import Hashes
from quartermaster_quality.taint.judge import literal_text
from quartermaster_quality.taint.plain_text import is_only_encoded
from quartermaster_quality.taint.values import (
    NONE_VALUE,
    AbstractValue,
    ClassV,
    ComposedText,
    Const,
    Extern,
    ExternalCall,
    Thing,
    Unknown,
    const_str,
    line_of,
    may_be,
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

LOCAL_PATTERN = re.compile(r"^(?:https?://)?(?:localhost|127\.|\[::1\]|0\.0\.0\.0|unix:)")

HTTP_CALLS = re.compile(
    r"^(requests|httpx|aiohttp|treq|urllib3|niquests|curl_cffi)\.|Session|Client|"
    r"ClientSession|TCPConnector"
)

MAIL_CLIENTS = ("smtplib.SMTP()", "imaplib.IMAP4()", "aiosmtplib.SMTP()")
TLS_CLIENTS = {"smtplib.SMTP_SSL", "imaplib.IMAP4_SSL", "poplib.POP3_SSL", "ftplib.FTP_TLS"}

HTTP_METHODS = {
    "get", "post", "put", "delete", "patch", "head", "options", "request", "send", "stream",
    "ws_connect",
}  # fmt: skip

# Calls that make a context, and arguments that switch verification: off if false, if NONE, if true.
CONTEXTS = {
    "ssl.SSLContext", "ssl.create_default_context", "ssl._create_stdlib_context",
    "urllib3.util.ssl_.create_urllib3_context", "aiohttp.TCPConnector.ssl",
}  # fmt: skip
VERIFY_OPTIONS = (
    "verify", "verify_ssl", "ssl", "ssl_verify", "verify_certs", "validate_cert", "validate_certs",
    "check_hostname", "tls_verify", "validate_certificate",
)  # fmt: skip
REQUIRE_OPTIONS = ("cert_reqs", "ssl_cert_reqs", "tls_require_cert")
TRUSTS_ALL = (
    "tlsAllowInvalidCertificates", "tlsInsecure", "ssl_insecure", "insecure", "trust_all",
    "insecure_skip_verify",
)  # fmt: skip

# Calls that set a cookie, that keep sessions in cookies, and that add a header.
SETS_COOKIE = {"set_cookie", "set_signed_cookie", "set_secure_cookie"}
SESSION_COOKIES = {
    "SessionMiddleware", "EncryptedCookieStorage", "SimpleCookieStorage", "Middleware",
    "add_middleware", "RedisStorage", "NaClCookieStorage",
}  # fmt: skip
ADDS_HEADER = {"add_header", "append", "set_header", "__setitem__", "send_header", "extend"}


class Channels(Hashes):
    """The part of the interpreter that checks calls that configure connections or set cookies."""

    def __init__(self) -> None:
        super().__init__()
        self.contexts: list[Thing] = []
        self.jars: list[tuple[Thing, str, AbstractValue, ast.AST]] = []

    # TLS.

    def u_tls(self, call: ExternalCall) -> AbstractValue | None:
        name, node = call.name, call.node
        if name in CONTEXTS:
            made = Thing(name, call.args, call.kwargs, line=line_of(node))
            self.contexts.append(made)
            return made
        if name == "ssl._create_unverified_context":
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
        self._verification_off(call)
        return None

    def _is_unchecked_by_default(self, call: ExternalCall) -> bool:
        """Returns whether a call opens a mail or FTP connection without a TLS context. The standard
        library then does not verify certificates.
        """
        if call.args and call.name == ".starttls":
            return False
        made = call.owner.type if isinstance(call.owner, Thing) else ""
        upgrades = call.name == ".starttls" and made.startswith(MAIL_CLIENTS)
        return (upgrades or call.name in TLS_CLIENTS) and not call.kwargs.keys() & {"context", "**"}

    def _verification_off(self, call: ExternalCall) -> None:
        kwargs = call.kwargs
        if not kwargs:
            return
        type_ = call.owner.type if isinstance(call.owner, Thing | Unknown) else ""
        known = (
            call.last in HTTP_METHODS or HTTP_CALLS.search(call.name) or HTTP_CALLS.search(type_)
        )
        checks = [
            kwargs[k]
            for k in VERIFY_OPTIONS
            if k in kwargs and (known or k not in {"ssl", "verify"})
        ]
        if any(_is_off(o) for v in checks for o in options(v)) and not self._is_local(call):
            self.report("tls", None, call.node)
        for value in [kwargs[key] for key in REQUIRE_OPTIONS if key in kwargs]:
            if "NONE" in literal_text(value).upper() or _is_cert_none(value):
                self.report("tls", None, call.node)
        if any(truth(kwargs[key]) is True for key in TRUSTS_ALL if key in kwargs):
            self.report("tls", None, call.node)

    def _is_local(self, call: ExternalCall) -> bool:
        places = [call.kwargs[k] for k in ("base_url", "url", "host") if k in call.kwargs]
        quiet = ast.Name | ast.Constant | ast.JoinedStr | ast.Attribute
        if isinstance(call.node, ast.Call):
            places += [self.eval(a) for a in call.node.args[:2] if isinstance(a, quiet)]
        if isinstance(call.owner, Thing):
            places += [*call.owner.args, *call.owner.kwargs.values()]
        return any(LOCAL_PATTERN.search(literal_text(place).strip()) for place in places)

    def check_contexts(self) -> None:
        """Reports TLS contexts of clients that do not verify certificates."""
        for context in self.contexts:
            protocol = " ".join(
                v.name for v in [*context.args, *context.kwargs.values()] if isinstance(v, Extern)
            )
            if "SERVER" in protocol or "CLIENT_AUTH" in protocol:
                continue
            mode = context.attrs.get("verify_mode")
            off = mode is not None and any(map(_is_cert_none, options(mode)))
            unchecked = may_be(context.attrs.get("check_hostname", Unknown()), False)
            bare = context.type == "ssl.SSLContext" and mode is None and bool(protocol)
            if off or unchecked or (bare and not re.search("CLIENT|DTLS", protocol)):
                self.report("tls", None, ast.Pass(lineno=context.line, col_offset=0))

    # Cookies.

    def u_cookie(self, call: ExternalCall) -> AbstractValue | None:
        args, node, last = call.args, call.node, call.last
        if last in SETS_COOKIE:
            if len(args) == 1 and not call.kwargs.keys() - {"**"} and const_str(args[0]) is None:
                # A cookie jar keeps a whole cookie; a response is given a name and a value.
                return None
            self._cookie(call)
        elif last in SESSION_COOKIES:
            self._session_cookie(call)
        elif last == "from_object" and args:
            self._config_object(args[0], node)
        elif call.name.endswith("cookies.SimpleCookie"):
            return Thing("SimpleCookie", line=line_of(node))
        header = (const_str(args[0]) or "") if last in ADDS_HEADER and len(args) > 1 else ""
        if header.lower() == "set-cookie":
            self._cookie_header(args[1], node)
        return None

    def _cookie(self, call: ExternalCall) -> None:
        value = call.named("value", at=1) or Unknown()
        self._report_kind("random", value, call.node, "weakrandom")
        label = literal_text(call.named("key", "name", at=0) or Unknown()).strip().lower()
        if call.last == "set_cookie" and IDENTITY_COOKIE.search(label):
            self._encoded_identity(call.node)
        if self._is_plain_cookie(label, value) or "**" in call.kwargs:
            return
        flags = {"Secure": call.named("secure", at=5)}
        if "csrf" not in label and "xsrf" not in label:
            flags["HttpOnly"] = call.named("httponly", "http_only", at=6)
        lacks = [flag for flag, given in flags.items() if given is None or may_be(given, False)]
        if lacks:
            text = f"A cookie that carries a secret lacks {' and '.join(lacks)}."
            self.report("cookie", None, call.node, text)

    def _encoded_identity(self, node: ast.AST) -> None:
        """Reports a cookie that identifies a user but is only encoded, so that anyone can forge
        it.
        """
        if not isinstance(node, ast.Call):
            return
        given = [word.value for word in node.keywords if word.arg == "value"] or node.args[1:2]
        function = self.frame.func.node if self.frame.func is not None else None
        if given and is_only_encoded(given[0], function):
            text = "The value of this cookie is only encoded, so whoever sends it can change it."
            self.report("signature", None, node, text)

    def _is_plain_cookie(self, label: str, value: AbstractValue) -> bool:
        if all(isinstance(o, Const) for o in options(value)):
            return True
        if SECRET_NAME.search(label) or IDENTITY_COOKIE.search(label):
            return False
        return bool(BENIGN_COOKIE.search(label))

    def _session_cookie(self, call: ExternalCall) -> None:
        name, kwargs, node = call.name, call.kwargs, call.node
        first = call.args[0] if call.args else None
        target = first.name if isinstance(first, Extern) else ""
        added = call.last in {"Middleware", "add_middleware"}
        if added and not target.endswith("SessionMiddleware"):
            return
        starlette = "SessionMiddleware" in (target or name) and "aiohttp" not in name
        self._cookie_setting(kwargs.get("https_only" if starlette else "secure", NONE_VALUE), node)
        if "secret_key" in kwargs:
            self._credential_value(kwargs["secret_key"], node)

    def _cookie_setting(self, value: AbstractValue, node: ast.AST) -> None:
        if may_be(value, False):
            self.report("cookie", None, node)

    def _config_object(self, value: AbstractValue, node: ast.AST) -> None:
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

    def _cookie_header(self, value: AbstractValue, node: ast.AST) -> None:
        text = literal_text(value).lower()
        label = text.split("=", 1)[0].strip()
        if BENIGN_COOKIE.search(label) and not SECRET_NAME.search(label):
            return
        lacks = "secure" not in text or "httponly" not in text
        if "=" in text and lacks and isinstance(value, ComposedText):
            self.report("cookie", None, node)

    def _new_morsel(
        self, jar: Thing, key: AbstractValue, value: AbstractValue, node: ast.AST
    ) -> None:
        label = const_str(key)
        morsel = Thing(f"morsel {label}", line=line_of(node))
        jar.attrs[f"[{label}]"] = morsel
        self.jars.append((morsel, label or "", value, node))

    def check_morsels(self) -> None:
        """Reports cookies of ``http.cookies`` without the flag ``secure`` or ``httponly``."""
        for morsel, label, value, node in self.jars:
            if self._is_plain_cookie(label.lower(), value):
                continue
            flags = [morsel.attrs.get(f"[{flag}]", NONE_VALUE) for flag in ("secure", "httponly")]
            if any(truth(given) is False for given in flags):
                self.report("cookie", None, node)


def _is_off(value: AbstractValue) -> bool:
    return (isinstance(value, Const) and value.value is False) or _is_cert_none(value)


def _is_cert_none(value: AbstractValue) -> bool:
    return isinstance(value, Extern) and value.name.endswith("CERT_NONE")
