"""Finds secrets that are predictable or hard-coded."""

from __future__ import annotations

import ast
import re
from functools import lru_cache

from quartermaster_quality.taint.marks import Mark
from quartermaster_quality.taint.plain_text import inserted, last_name
from quartermaster_quality.taint.sinks import Sinks
from quartermaster_quality.taint.values import (
    AbstractValue,
    Const,
    Extern,
    ExternalCall,
    Map,
    Seq,
    Thing,
    Unknown,
    blend,
    choice,
    const_str,
    line_of,
    marks_of,
    options,
)

# Names of what must be secret or unforgeable.
SECRET_NAME = re.compile(
    r"(?<![a-z])(secret|token|passw(or)?d|passphrase|pwd|passcode|api_?key|apikey|otp|pin|"
    r"nonce|csrf|xsrf|"
    r"session_?(id|key)|sid|reset|voucher|coupon|invite|invitation|challenge|credential|salt|iv|"
    r"access_?(key|code)|auth|private_?key|signing_?key|encryption_?key|code|verifier|"
    r"recovery|ticket|"
    r"activation|unlock|verification|cookie|jwt|bearer|state|magic|key_?material|licen[cs]e|gift|"
    r"initial|remember)(?![a-z])"
    r"|^key_?gen$|^(gen|generate|make|new|create|issue)_(\w+_)?key$"
)

NOT_SECRET_NAME = re.compile(
    r"status_?code|zip_?code|post_?code|country|lang|error_?code|exit_?code|code_?point|expire|ttl|"
    r"colou?r|delay|jitter|backoff|retry|sample|shuffle|layout|seed|batch|label|etag|"
    r"cache|bucket|shard|"
    r"count|length|len$|size|lifetime|max_|min_|name$|code_?chars|alphabet|path|url|"
    r"header|days|age|field|"
    r"prefix|error|valid|type|state_?name|encod|decode|_at$|_on$|qr_?code|source_?code|"
    r"geo|currency|"
    r"product_?code|return_?code|item_?code"
)

# Functions whose names say that their random numbers need not be secret.
CASUAL_PURPOSE = re.compile(
    r"boundary|jitter|backoff|shuffle|simulat|sampl|colou?r|layout|demo|placeholder|separator"
)

CREDENTIAL_NAME = re.compile(
    r"^(.*_)?(password|passwd|pwd|passphrase|secret|secret_?key|api_?key|apikey|"
    r"auth_?token|access_?token|"
    r"access_?key|private_?key|client_?secret|signing_?key|encryption_?key|"
    r"aws_secret_access_key|token|"
    r"auth_?key|jwt_?secret|fernet_?key|hmac_?key|bind_?password|credentials?|"
    r"secret_access_key|bearer)$"
)

SECRET_HEADER = re.compile(
    r"^(authorization|x-api-key|api-key|x-auth-token|private-token|x-[\w-]*(key|token|secret))$"
)
AUTH_SCHEME = re.compile(r"^(bearer|basic|token|apikey)\s+", re.IGNORECASE)

RANDOM_CALLS = {
    "random", "randint", "randrange", "choice", "choices", "sample", "uniform", "getrandbits",
    "randbytes", "shuffle", "gauss", "normalvariate", "triangular", "betavariate", "expovariate",
    "integers", "rand", "randn", "permutation", "bytes", "lognormvariate", "vonmisesvariate",
    "random_sample", "bit_generator", "gammavariate", "paretovariate", "weibullvariate",
    "binomialvariate",
}  # fmt: skip

WEAK_GENERATORS = ("random.", "numpy.random.", "np.random.")
STRONG_RANDOM = {
    "secrets.choice", "secrets.token_hex", "secrets.token_urlsafe", "secrets.token_bytes",
    "os.urandom", "uuid.uuid4", "secrets.randbelow", "secrets.randbits",
}  # fmt: skip

# Functions whose first argument is a key, whose second is a password, and that take an address.
KEY_FIRST = {
    "cryptography.fernet.Fernet", "Crypto.Cipher.AES.new", "Cryptodome.Cipher.AES.new",
    "itsdangerous.Signer", "itsdangerous.TimestampSigner", "itsdangerous.Serializer",
    "itsdangerous.TimedSerializer", "itsdangerous.URLSafeSerializer",
    "itsdangerous.URLSafeTimedSerializer", "itsdangerous.url_safe.URLSafeTimedSerializer",
    "itsdangerous.JSONWebSignatureSerializer", "itsdangerous.TimedJSONWebSignatureSerializer",
    "django.core.signing.Signer", "nacl.secret.SecretBox",
    "cryptography.hazmat.primitives.ciphers.algorithms.AES",
    "cryptography.hazmat.primitives.ciphers.aead.AESGCM",
    "cryptography.hazmat.primitives.ciphers.aead.ChaCha20Poly1305",
}  # fmt: skip
PASSWORD_SECOND = {
    "BasicAuth", "HTTPBasicAuth", "DigestAuth", "HTTPDigestAuth", "login", "NTLMAuth",
    "PlainCredentials", "PlainTextAuthProvider",
}  # fmt: skip
CONNECTIONS = {
    "connect", "create_engine", "create_async_engine", "from_url", "MongoClient", "create_pool",
    "connect_robust", "Redis", "AsyncIOMotorClient", "Celery", "Connection",
}  # fmt: skip


class Secrets(Sinks):
    """The part of the interpreter that checks values that are used as secrets."""

    def mark(self, kind: str, node: ast.AST, text: str, sid: str = "") -> frozenset[Mark]:
        """Returns a set with a new mark, whose kind matters to only one weakness class."""
        return self.source(kind, sid or f"{kind}@{line_of(node)}", text, node)

    def with_kind(self, value: AbstractValue, *kinds: str) -> Mark | None:
        """Returns the first mark of a value that has one of the given kinds; None if there is
        none.
        """
        found = [m for m in marks_of(value) if m.kind in kinds and "*" not in m.safe]
        return min(found, key=lambda m: (m.line, m.sid), default=None)

    def _random_in_name(self, low: str, value: AbstractValue, node: ast.AST) -> None:
        function = self.frame.func.name if self.frame.func is not None else ""
        if not CASUAL_PURPOSE.search(snake(function)) and names_secret(low):
            self._report_kind("random", value, node, "weakrandom")

    def _report_kind(self, rule: str, value: AbstractValue, node: ast.AST, *kinds: str) -> None:
        """Reports a value if it has a mark of one of the given kinds."""
        mark = self.with_kind(value, *kinds)
        if mark is not None:
            self.report(rule, mark, node)

    # Randomness.

    def u_random(self, call: ExternalCall) -> AbstractValue | None:
        name = call.name
        made_by = call.owner.type if isinstance(call.owner, Thing) else ""
        if name in {"random.Random", "numpy.random.default_rng", "numpy.random.RandomState"}:
            return Thing("random.Random()", call.args)
        if name in {"random.SystemRandom", "secrets.SystemRandom"}:
            return Thing("random.SystemRandom()")
        weak = made_by == "random.Random()" or name.startswith(WEAK_GENERATORS)
        if (weak and call.last in RANDOM_CALLS) or name == "uuid.uuid1":
            return self._weak_random(call)
        strong = made_by == "random.SystemRandom()" or name in STRONG_RANDOM
        return Unknown("random") if strong else None

    def _weak_random(self, call: ExternalCall) -> AbstractValue:
        marks = self.mark("weakrandom", call.node, f"{call.name.lstrip('.')}()")
        if call.last == "shuffle":
            for value in call.args:
                if isinstance(value, Seq):
                    value.rest = blend([*value.items, Unknown("", marks)])
            return Const(None)
        numbers = {"randint", "randrange", "getrandbits"}
        return Unknown("int" if call.last in numbers else "", marks)

    # Credentials.

    def u_credential(self, call: ExternalCall) -> AbstractValue | None:
        for key, value in call.kwargs.items():
            if CREDENTIAL_NAME.match(snake(key)) and call.name != ".format":
                self._credential_value(value, call.node)
        at = self._credential_position(call)
        if at is not None and len(call.args) > at:
            self._credential_value(call.args[at], call.node)
        if call.name in {"jwt.encode", "jwt.decode"} and "key" in call.kwargs:
            self._credential_value(call.kwargs["key"], call.node)
        for pair in options(call.kwargs.get("auth", Unknown())):
            if isinstance(pair, Seq) and len(pair.items) == 2:
                self._credential_value(pair.items[1], call.node)
        if call.last in CONNECTIONS:
            for value in call.values:
                self._url_credential(value, call.node)
        if "headers" in call.kwargs:
            self._headers_credential(call.kwargs["headers"], call.node)
        self._stored_account(call)
        return None

    def _stored_account(self, call: ExternalCall) -> None:
        """Reports an INSERT statement that stores a hard-coded password."""
        is_statement = call.last in {"execute", "executemany"} and bool(call.args)
        columns = inserted(const_str(call.args[0]) or "") if is_statement else []
        for column, text in columns:
            literal = re.fullmatch(r"'(.*)'", text)
            if literal is not None and CREDENTIAL_NAME.match(snake(column)):
                self._credential_value(Const(literal[1]), call.node)
        places = [column for column, text in columns if not text.startswith("'")]
        if len(call.args) < 2 or not places:
            return
        given = [call.args[1]]
        if call.last == "executemany":
            given = [row for option in options(call.args[1]) for row in items_of(option)]
        listed = call.node.args[1] if isinstance(call.node, ast.Call) else None
        names = [last_name(each) for each in listed.elts] if isinstance(listed, ast.Tuple) else []
        for row in (option for value in given for option in options(value)):
            for at, value in enumerate(items_of(row)):
                named = (places[at : at + 1], names[at : at + 1])
                if any(CREDENTIAL_NAME.match(snake(name)) for part in named for name in part):
                    self._credential_value(value, call.node)

    def _credential_position(self, call: ExternalCall) -> int | None:
        """Returns the position of the argument that is a credential; None if no argument is known
        to be one.
        """
        if call.name in KEY_FIRST or call.last == "derive":
            return 0
        if call.name in {"jwt.encode", "jwt.decode", "jose.jwt.encode", "jose.jwt.decode"}:
            return 1
        if call.last in PASSWORD_SECOND:
            return None if call.last == "login" and isinstance(call.owner, Extern) else 1
        if "ldap" in self.framework and call.last in {"simple_bind_s", "simple_bind", "bind_s"}:
            return 1
        return 2 if "ldap" in self.framework and call.last == "Connection" else None

    def _headers_credential(self, headers: AbstractValue, node: ast.AST) -> None:
        for option in options(headers):
            for key, value in option.items.items() if isinstance(option, Map) else ():
                if isinstance(value, Const) and SECRET_HEADER.search(str(key).lower()):
                    bare = AUTH_SCHEME.sub("", const_str(value) or "")
                    self._credential_value(Const(bare, value.line), node)

    def _url_credential(self, value: AbstractValue, node: ast.AST) -> None:
        for option in options(value):
            text = const_str(option)
            secret = re.match(r"^[a-z0-9+]+://[^:/@\s]*:([^@/\s]+)@", text or "")
            if secret is not None and _is_secret_literal(secret.group(1)):
                self.report("credential", None, node)

    def _credential_value(self, value: AbstractValue, node: ast.AST) -> None:
        self._literal_secret(value, node)
        for option in options(value):
            if isinstance(option, Thing) and option.type in {"hashlib", "digest"} and option.args:
                self._credential_value(option.args[0], node)

    def _literal_secret(self, value: AbstractValue, node: ast.AST) -> None:
        for option in options(value):
            text = const_str(option) if isinstance(option, Const) else None
            if text is not None and _is_secret_literal(text):
                self.report("credential", None, node)

    def u_environ(self, call: ExternalCall) -> AbstractValue | None:
        args = call.args
        if call.name in {"os.getenv", "os.environ.get"}:
            got = self._environment(const_str(args[0]) or "" if args else "", call.node)
            return choice([got, call.named("default", at=1) or Const(None)])
        return None

    def _environment(self, key: str, node: ast.AST) -> AbstractValue:
        if re.search(r"secret|token|key|passw|pwd|pin\b|hmac|signing", key.lower()):
            return Unknown("str", self.mark("secret", node, f"the secret {key}", f"env.{key}"))
        return Unknown("str")


def items_of(value: AbstractValue) -> list[AbstractValue]:
    """Returns the known elements of a list or tuple; an empty list for any other value."""
    return list(value.items) if isinstance(value, Seq) else []


@lru_cache(maxsize=4096)
def snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().replace("-", "_")


@lru_cache(maxsize=4096)
def names_secret(low: str) -> bool:
    """Returns whether a name suggests that its value must be secret or unforgeable."""
    return bool(SECRET_NAME.search(low)) and not NOT_SECRET_NAME.search(low)


def _is_secret_literal(text: str) -> bool:
    """Returns whether a literal may be a real secret instead of a placeholder or a name."""
    if len(text) < 4 or not text.strip():
        return False
    return not re.fullmatch(
        r"<.*>|\[.*\]|\{.*\}|\$\{?\w+\}?|x+|\*+|\.\.\.+|none|null|true|false|your[-_ ].*|"
        r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)+|"
        r"(RS|HS|ES|PS)\d{3}|utf-?8|https?://[^@]*|/.*|-----BEGIN PUBLIC KEY.*",
        text,
        re.DOTALL | (re.IGNORECASE if text.islower() else 0),
    )
