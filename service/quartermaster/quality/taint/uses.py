"""What a value, a setting or a hash is used for: randomness, hashes, cookies, TLS, credentials."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

from quartermaster.quality.taint.compare import fact
from quartermaster.quality.taint.judge import harmful, literal_text
from quartermaster.quality.taint.marks import Mark
from quartermaster.quality.taint.rules.classes import CLASSES
from quartermaster.quality.taint.sinks import Args, Kwargs, Sinks
from quartermaster.quality.taint.state import Frame, State
from quartermaster.quality.taint.values import (
    NO_MARKS,
    Choice,
    ClassV,
    Const,
    Extern,
    Func,
    Instance,
    Map,
    Seq,
    Super,
    Text,
    Thing,
    Unknown,
    Value,
    bake,
    blend,
    choice,
    const_str,
    marks_of,
    options,
    text_parts,
    truth,
)

# Names of what must be secret or unforgeable.
SECRET_NAME = re.compile(
    r"(?<![a-z])(secret|token|passw(or)?d|passphrase|pwd|passcode|api_?key|apikey|otp|pin|nonce|csrf|xsrf|"
    r"session_?(id|key)|sid|reset|voucher|coupon|invite|invitation|challenge|credential|salt|iv|"
    r"access_?(key|code)|auth|private_?key|signing_?key|encryption_?key|code|verifier|recovery|ticket|"
    r"activation|unlock|verification|cookie|jwt|bearer|state|magic|key_?material|licen[cs]e|gift|"
    r"initial|remember)(?![a-z])"
)
NOT_SECRET_NAME = re.compile(
    r"status_?code|zip_?code|post_?code|country|lang|error_?code|exit_?code|code_?point|expire|ttl|"
    r"colou?r|delay|jitter|backoff|retry|sample|shuffle|layout|seed|batch|label|etag|cache|bucket|shard|"
    r"count|length|len$|size|lifetime|max_|min_|name$|code_?chars|alphabet|path|url|header|days|age|field|"
    r"prefix|error|valid|type|state_?name|encod|decode|_at$|_on$|qr_?code|source_?code|geo|currency|"
    r"product_?code|return_?code|item_?code"
)
PASSWORD_NAME = re.compile(r"(?<![a-z])(passw(or)?d|passphrase|pwd|passwort|pin|passcode)(?![a-z])")
CREDENTIAL_NAME = re.compile(
    r"^(.*_)?(password|passwd|pwd|passphrase|secret|secret_?key|api_?key|apikey|auth_?token|access_?token|"
    r"access_?key|private_?key|client_?secret|signing_?key|encryption_?key|aws_secret_access_key|token|"
    r"auth_?key|jwt_?secret|fernet_?key|hmac_?key|bind_?password|credentials?|secret_access_key|bearer)$"
)
BENIGN_COOKIE = re.compile(
    r"theme|lang|locale|consent|display|layout|tz$|timezone|currency|font|sidebar|seen|banner|colou?r|"
    r"notice|tour|cookie_?ok|view|sort|tab$|mode|density|region|desk$|pref|size|unit|hint|dismiss|welcome|"
    r"country|accept|analytics|flash|variant|last_|city|station|zoom|filter|bench$|dark"
)
INTEGRITY_NAME = re.compile(
    r"(?<![a-z])(seal|sign(ature|ed)?|mac|hmac|digest|token|secret|passw|pwd|auth|credential|license|"
    r"certificate|fingerprint|integrity|tamper|hash_value|stored|verif|link|key|ticket|unlock)"
)
WEAK_HASHES = {"md5", "sha1", "md4", "md2", "ripemd160", "sha", "md5-sha1", "sha-1"}
RANDOM_CALLS = {
    "random", "randint", "randrange", "choice", "choices", "sample", "uniform", "getrandbits",
    "randbytes", "shuffle", "gauss", "normalvariate", "triangular", "betavariate", "expovariate",
    "integers", "rand", "randn", "permutation", "bytes", "lognormvariate", "vonmisesvariate",
    "random_sample", "bit_generator", "gammavariate", "paretovariate", "weibullvariate", "binomialvariate",
}  # fmt: skip
SHARED_FOLDERS = ("/tmp", "/var/tmp", "/dev/shm", "/usr/tmp", "C:\\Temp", "C:\\Windows\\Temp")  # noqa: S108
LOCAL = re.compile(r"^(?:https?://)?(?:localhost|127\.|\[::1\]|0\.0\.0\.0|unix:)")
HTTP_CALLS = re.compile(
    r"^(requests|httpx|aiohttp|treq|urllib3|niquests|curl_cffi)\.|Session|Client|ClientSession|TCPConnector"
)
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
TRUST_KINDS = frozenset({"request", "message", "caller"})


class Uses(Sinks):
    """Hooks of the interpreter for classes that are about use, not about flow."""

    def __init__(self) -> None:
        super().__init__()
        self.contexts: list[Thing] = []
        self.jars: list[tuple[Thing, str, Value, ast.AST]] = []
        self.verifications: list[tuple[ast.AST, Func]] = []
        self.open_unpicklers: set[int] = set()
        self.call_hooks: list[Callable[..., Value | None]] = [
            self.u_random,
            self.u_hash,
            self.u_hmac,
            self.u_tls,
            self.u_cookie,
            self.u_credential,
            self.u_tempfile,
            self.u_signature,
            self.u_session,
            self.u_unpickler,
            self.u_template,
            self.u_html,
            self.u_file,
            self.u_xml,
            self.u_environ,
        ]

    def used(
        self, name: str, owner: Value | None, args: Args, kwargs: Kwargs, node: ast.AST
    ) -> Value | None:
        for hook in self.call_hooks:
            value = hook(name, owner, args, kwargs, node)
            if value is not None:
                return value
        return None

    def mark(self, kind: str, node: ast.AST, text: str, sid: str = "") -> frozenset[Mark]:
        """A mark of a kind that only one class looks at."""
        line = getattr(node, "lineno", 0)
        return frozenset({Mark(sid or f"{kind}@{line}", kind, line, text)})

    def with_kind(self, value: Value, *kinds: str) -> Mark | None:
        """A mark of one of these kinds."""
        for mark in sorted(marks_of(value), key=lambda m: (m.line, m.sid)):
            if mark.kind in kinds and "*" not in mark.safe:
                return mark
        return None

    # Names.

    def named(self, name: str, value: Value, line: int) -> None:
        low = _snake(name)
        node = ast.Pass(lineno=line, col_offset=0)
        self._random_in_name(low, value, node)
        if self.frame.func is None and low.endswith(
            ("secret_key", "session_key", "jwt_secret", "jwt_secret_key")
        ):
            self._literal_secret(low, value, node)

    def keyed(self, key: Value, value: Value, node: ast.AST) -> None:
        text = const_str(key)
        if text:
            low = _snake(text)
            self._random_in_name(low, value, node)
            self._weak_hash_in_name(low, value, node)
            if low in {"secret_key", "session_secret", "jwt_secret_key", "session_key"}:
                self._literal_secret(low, value, node)
            if low in {"session_cookie_secure", "session_cookie_httponly"}:
                self._cookie_setting(low, value, node)

    def _random_in_name(self, low: str, value: Value, node: ast.AST) -> None:
        if SECRET_NAME.search(low) and not NOT_SECRET_NAME.search(low):
            mark = self.with_kind(value, "weakrandom")
            if mark is not None:
                self.report("random", mark, node)

    def _weak_hash_in_name(self, low: str, value: Value, node: ast.AST) -> None:
        if INTEGRITY_NAME.search(low) and not re.search(
            r"etag|cache|avatar|bucket|dedup|content_md5", low
        ):
            mark = self.with_kind(value, "weakhash")
            if mark is not None and not re.search(r"^(key|link|stored)$", low):
                self.report("hash", mark, node)

    def set_attribute(self, owner: Value, name: str, value: Value, node: ast.AST) -> None:
        super().set_attribute(owner, name, value, node)
        low = _snake(name)
        self._weak_hash_in_name(low, value, node)
        for option in options(owner):
            if isinstance(option, Thing) and option.type.startswith("ssl."):
                option.line = getattr(node, "lineno", option.line)
            if low == "secret_key" and not isinstance(option, Instance):
                self._literal_secret(low, value, node)
            if (
                low == "verify"
                and truth(value) is False
                and isinstance(option, Thing)
                and "ession" in option.type
            ):
                self.report("tls", None, node)

    def set_item(self, owner: Value, key: Value, value: Value, node: ast.Subscript) -> None:
        for option in options(owner):
            if isinstance(option, Thing) and option.type == "session":
                self._into_session(key, value, node)
            if isinstance(option, Extern) and option.name in {"flask.session", "quart.session"}:
                self._into_session(key, value, node)
            if isinstance(option, Unknown | Extern) and ast.unparse(node.value).endswith("session"):
                self._into_session(key, value, node)
            if isinstance(option, Thing) and option.type.startswith("morsel"):
                option.attrs[f"[{(const_str(key) or '').lower()}]"] = value
        super().set_item(owner, key, value, node)
        for option in options(owner):
            if isinstance(option, Thing) and "SimpleCookie" in option.type:
                self._new_morsel(option, key, value, node)

    def item(self, owner: Value, key: Value, node: ast.AST) -> Value:
        if isinstance(owner, Thing) and "SimpleCookie" in owner.type:
            found = owner.attrs.get(f"[{const_str(key)}]")
            if found is not None:
                return found
            if const_str(key) is None:
                made = [v for k, v in owner.attrs.items() if k.startswith("[")]
                return choice(made) if made else Unknown()
        if isinstance(owner, Extern) and owner.name == "os.environ":
            return self._environment(const_str(key) or "", node)
        return super().item(owner, key, node)

    # The session.

    def _into_session(self, key: Value, value: Value, node: ast.AST) -> None:
        for part in (key, value):
            mark = harmful("trust", TRUST_KINDS, bake(part, self.facts()))
            if mark is not None:
                self.report("trust", mark, node)
                return

    def u_session(
        self, name: str, owner: Value | None, args: Args, kwargs: Kwargs, node: ast.AST
    ) -> Value | None:
        if name in {".update", ".setdefault"} and _is_session(owner, node):
            for value in [*args, *kwargs.values()]:
                self._into_session(Const(""), value, node)
            return Const(None)
        if name in {".hset", ".hmset"} and len(args) + len(kwargs) > 1:
            for value in [*args[1:], *kwargs.values()]:
                if "pass" in _unparsed(node) and False:
                    self._into_session(Const(""), value, node)
        return None

    # Randomness.

    def u_random(
        self, name: str, owner: Value | None, args: Args, kwargs: Kwargs, node: ast.AST
    ) -> Value | None:
        last = name.rsplit(".", 1)[-1]
        if name in {"random.Random", "numpy.random.default_rng", "numpy.random.RandomState"}:
            return Thing("random.Random()", args)
        if name in {"random.SystemRandom", "secrets.SystemRandom"}:
            return Thing("random.SystemRandom()")
        weak = name.startswith(("random.", "numpy.random.", "np.random.")) and last in RANDOM_CALLS
        if isinstance(owner, Thing) and owner.type == "random.Random()" and last in RANDOM_CALLS:
            weak = True
        if isinstance(owner, Thing) and owner.type == "random.SystemRandom()":
            return Unknown("random")
        if name == "uuid.uuid1":
            weak = True
        if weak:
            marks = self.mark("weakrandom", node, f"{name.lstrip('.')}()")
            if last == "shuffle":
                for value in args:
                    if isinstance(value, Seq):
                        value.rest = blend([*value.items, Unknown("", marks)])
                return Const(None)
            return Unknown("int" if last in {"randint", "randrange", "getrandbits"} else "", marks)
        if name in {
            "secrets.choice",
            "secrets.token_hex",
            "secrets.token_urlsafe",
            "secrets.token_bytes",
            "os.urandom",
            "uuid.uuid4",
            "secrets.randbelow",
            "secrets.randbits",
        }:
            return Unknown("random")
        return None

    # Hashes.

    def u_hash(
        self, name: str, owner: Value | None, args: Args, kwargs: Kwargs, node: ast.AST
    ) -> Value | None:
        algorithm = self._algorithm(name, args)
        if algorithm is not None:
            return self._digest_object(algorithm, name, args, kwargs, node)
        if isinstance(owner, Thing) and owner.type == "hashlib":
            return self._digest_method(name, owner, args, node)
        if name in {"hashlib.pbkdf2_hmac", "werkzeug.security.generate_password_hash"}:
            text = literal_text(
                args[0] if name.startswith("hashlib") and args else kwargs.get("method", Const(""))
            )
            if re.search(r"md5|sha1\b", text):
                self.report("hash", None, node)
        if name.endswith((".sign", ".verify")) and any(
            _is_weak_hash_object(a) for a in [*args, *kwargs.values()]
        ):
            self.report("hash", None, node)
        if name == ".write" and args:
            mark = self.with_kind(args[0], "weakhash")
            if mark is not None and re.search(r"hash|passw|sign|token|mac", literal_text(args[0])):
                self.report("hash", mark, node)
        return None

    def _algorithm(self, name: str, args: Args) -> str | None:
        if name in {"hashlib.new", "hashlib.file_digest"}:
            at = 0 if name == "hashlib.new" else 1
            text = const_str(args[at]) if len(args) > at else None
            if text is None and len(args) > at and isinstance(args[at], Extern):
                text = args[at].name.rsplit(".", 1)[-1]
            if text is None and len(args) > at and isinstance(args[at], Choice):
                found = [const_str(o) or "" for o in args[at].options]
                text = next((t for t in found if t.lower() in WEAK_HASHES), "sha256")
            return (text or "sha256").lower()
        match = re.fullmatch(
            r"(?:hashlib|md5|sha|Crypto\.Hash\.\w+|Cryptodome\.Hash\.\w+)\.(md5|sha1|sha224|sha256|sha384|sha512|blake2b|blake2s|sha3_256|sha3_512|new|sha3_384)",
            name,
        )
        if match is None:
            return None
        if match.group(1) == "new":
            return name.split(".")[-2].lower()
        return match.group(1)

    def _digest_object(
        self, algorithm: str, name: str, args: Args, kwargs: Kwargs, node: ast.AST
    ) -> Value:
        made = Thing("hashlib", line=getattr(node, "lineno", 0))
        flag = kwargs.get("usedforsecurity")
        made.attrs["algorithm"] = Const(algorithm)
        made.attrs["casual"] = Const(flag is not None and truth(flag) is False)
        if kwargs.get("key") is not None:
            made.attrs["key"] = kwargs["key"]
        data = args[1:] if name == "hashlib.new" else args
        self._digest_data(made, data, node)
        return made

    def _digest_data(self, made: Thing, data: Args, node: ast.AST) -> None:
        for value in data:
            made.attrs["data"] = blend([made.attrs.get("data", Unknown()), value])
        if not isinstance(node, ast.Call):
            return
        texts = " ".join(ast.unparse(a) for a in node.args)
        secret = PASSWORD_NAME.search(_snake(texts)) or any(
            self.with_kind(v, "password") for v in data
        )
        algorithm = const_str(made.attrs["algorithm"])
        if secret and data and not truth(made.attrs["casual"]) and not self._derived_only(node):
            if algorithm in WEAK_HASHES:
                made.attrs["secret"] = Const(True)

    def _derived_only(self, node: ast.AST) -> bool:
        return False

    def _digest_method(self, name: str, owner: Thing, args: Args, node: ast.AST) -> Value | None:
        if name == ".update":
            self._digest_data(owner, args, node)
            return Const(None)
        if name in {".digest", ".hexdigest"}:
            marks = self._digest_marks(owner, node)
            data = owner.attrs.get("data")
            made = Thing("digest", marks=marks)
            if "key" in owner.attrs and data is not None:
                made.attrs["over"] = data
                made.marks |= self.mark("secret", node, "a keyed digest")
            return made
        if name == ".copy":
            return owner
        return None

    def _digest_marks(self, owner: Thing, node: ast.AST) -> frozenset[Mark]:
        marks: frozenset[Mark] = NO_MARKS
        algorithm = const_str(owner.attrs["algorithm"])
        if algorithm in WEAK_HASHES and not truth(owner.attrs["casual"]):
            marks |= self.mark("weakhash", node, f"the {(algorithm or '').upper()} digest")
        data = owner.attrs.get("data")
        if data is not None:
            for mark in marks_of(data):
                if mark.kind in {"weakrandom", "weakhash"}:
                    marks |= {mark}
                if mark.kind == "secret":
                    marks |= {mark}
        if "secret" in owner.attrs:
            marks |= self.mark("passwordhash", node, "a broken hash of a password")
        return marks

    def u_hmac(
        self, name: str, owner: Value | None, args: Args, kwargs: Kwargs, node: ast.AST
    ) -> Value | None:
        if name in {"hmac.new", "hmac.digest", "hmac.HMAC"}:
            data = args[1] if len(args) > 1 else kwargs.get("msg", Unknown())
            digest = (
                kwargs.get("digestmod")
                or (args[2] if len(args) > 2 else None)
                or kwargs.get("digest")
            )
            text = const_str(digest) or (digest.name if isinstance(digest, Extern) else "")
            if args:
                self._credential_value(args[0], node)
            if re.search(r"md5$", text or ""):
                self.report("hash", None, node)
            made = Thing("digest" if name == "hmac.digest" else "hmac")
            made.attrs["over"] = data
            made.marks = self.mark("secret", node, "the right signature")
            return made
        if isinstance(owner, Thing) and owner.type == "hmac":
            if name == ".update" and args:
                owner.attrs["over"] = blend([owner.attrs["over"], args[0]])
                return Const(None)
            made = Thing("digest", marks=owner.marks)
            made.attrs["over"] = owner.attrs["over"]
            return made
        if (
            isinstance(owner, Thing)
            and owner.type == "digest"
            and name in {".hex", ".decode", ".encode", ".lower", ".strip"}
        ):
            return owner
        if (
            name
            in {"base64.b64encode", "base64.urlsafe_b64encode", "binascii.hexlify", "str", "hex"}
            and args
        ):
            for option in options(args[0]):
                if isinstance(option, Thing) and option.type == "digest":
                    return option
        if name in {"hmac.compare_digest", "secrets.compare_digest"}:
            self._digest_compared(args, node)
        return None

    def _digest_compared(self, args: Args, node: ast.AST) -> None:
        for value in args:
            mark = self.with_kind(value, "weakhash", "passwordhash")
            if mark is not None:
                self.report("hash", mark, node)

    def compared(self, node: ast.Compare, left: Value, right: Value, op: ast.cmpop) -> None:
        if isinstance(op, ast.Eq | ast.NotEq):
            for value, other in ((left, right), (right, left)):
                mark = self.with_kind(value, "weakhash")
                if mark is not None and not isinstance(other, Const) and not self._is_casual(node):
                    self.report("hash", mark, node)
            self._timing(node, left, right)
            self._timing(node, right, left)
            self._literal_compared(node, left, right)
        if isinstance(op, ast.In | ast.NotIn):
            self._timing(node, left, right, member=True)

    def _is_casual(self, node: ast.Compare) -> bool:
        text = _unparsed(node).lower()
        func = self.frame.func.name.lower() if self.frame.func is not None else ""
        return bool(
            re.search(
                r"etag|cache|dedup|seen|last_|previous|changed|duplicate|unchanged", text + func
            )
        )

    def _timing(
        self, node: ast.Compare, sent: Value, secret: Value, *, member: bool = False
    ) -> None:
        mark = next(
            (
                m
                for m in sorted(marks_of(sent), key=lambda m: m.line)
                if m.kind in CLASSES["timing"].kinds and "*" not in m.safe
            ),
            None,
        )
        if mark is None or isinstance(secret, Const):
            return
        if any(m.kind in CLASSES["timing"].kinds for m in marks_of(secret)) and not self.with_kind(
            secret, "secret"
        ):
            return
        if member and isinstance(secret, Map):
            return
        if self.with_kind(secret, "secret") is not None:
            self.report("timing", mark, node)

    def _literal_compared(self, node: ast.Compare, left: Value, right: Value) -> None:
        sides = [(node.left, left, right), (node.comparators[0], right, left)]
        for expression, value, other in sides:
            text = const_str(other)
            name = _snake(_last_identifier(expression))
            if text and isinstance(other, Const) and isinstance(other.value, str) and len(text) > 3:
                if re.search(
                    r"^(password|passwd|pwd|api_?key|secret|passphrase|token|auth_?token)$", name
                ) and marks_of(value):
                    if not re.fullmatch(r"[A-Z][A-Z_]+|bearer|basic", text, re.IGNORECASE) or any(
                        c.isdigit() for c in text
                    ):
                        self.report("credential", None, node)

    # TLS.

    def u_tls(
        self, name: str, owner: Value | None, args: Args, kwargs: Kwargs, node: ast.AST
    ) -> Value | None:
        if name in {
            "ssl.SSLContext",
            "ssl.create_default_context",
            "ssl._create_stdlib_context",
            "urllib3.util.ssl_.create_urllib3_context",
            "aiohttp.TCPConnector.ssl",
        }:
            made = Thing(name, args, kwargs, line=getattr(node, "lineno", 0))
            self.contexts.append(made)
            return made
        if name in {"ssl._create_unverified_context"}:
            self.report("tls", None, node)
            return Thing("ssl.unverified")
        if name == ".set_missing_host_key_policy" and args:
            policy = args[0]
            text = policy.name if isinstance(policy, Extern) else getattr(policy, "type", "")
            if re.search(r"AutoAddPolicy|WarningPolicy", text):
                self.report("tls", None, node, "The key of the server is accepted without a check.")
            return Const(None)
        self._verification_off(name, owner, kwargs, node)
        return None

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

    def u_cookie(
        self, name: str, owner: Value | None, args: Args, kwargs: Kwargs, node: ast.AST
    ) -> Value | None:
        last = name.rsplit(".", 1)[-1]
        if last in {"set_cookie", "set_signed_cookie", "set_secure_cookie"}:
            self._cookie(args, kwargs, node, last)
        elif last in {
            "SessionMiddleware",
            "EncryptedCookieStorage",
            "SimpleCookieStorage",
            "Middleware",
            "add_middleware",
            "RedisStorage",
            "NaClCookieStorage",
        }:
            self._session_cookie(name, last, args, kwargs, node)
        elif last == "from_object" and args:
            self._config_object(args[0], node)
        elif name.endswith("cookies.SimpleCookie"):
            return Thing("SimpleCookie", line=getattr(node, "lineno", 0))
        elif (
            last in {"add_header", "append", "set_header", "__setitem__", "send_header", "extend"}
            and len(args) > 1
        ):
            if (const_str(args[0]) or "").lower() == "set-cookie":
                self._cookie_header(args[1], node)
        return None

    def _cookie(self, args: Args, kwargs: Kwargs, node: ast.AST, last: str) -> None:
        name_value = args[0] if args else kwargs.get("key", kwargs.get("name", Unknown()))
        value = args[1] if len(args) > 1 else kwargs.get("value", Unknown())
        mark = self.with_kind(value, "weakrandom")
        if mark is not None:
            self.report("random", mark, node)
        label = literal_text(name_value).strip().lower()
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

    def _is_plain_cookie(self, label: str, value: Value) -> bool:
        if all(isinstance(o, Const) for o in options(value)):
            return True
        if SECRET_NAME.search(label) or re.search(r"sess|auth|login|user|account", label):
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

    def _cookie_setting(self, low: str, value: Value, node: ast.AST) -> None:
        if any(truth(o) is False for o in options(value)):
            self.report("cookie", None, node)

    def _config_object(self, value: Value, node: ast.AST) -> None:
        for option in options(value):
            if not isinstance(option, ClassV):
                continue
            for setting in ("SESSION_COOKIE_SECURE", "SESSION_COOKIE_HTTPONLY"):
                found = option.find(setting)
                if found is not None and truth(found) is False and not self._chosen(value):
                    self.report("cookie", None, node)
            secret = option.find("SECRET_KEY")
            if secret is not None and not self._chosen(value):
                self._literal_secret("secret_key", secret, node)

    def _chosen(self, value: Value) -> bool:
        """Whether the program chooses among several settings: the insecure one may be for development."""
        return False

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

    # Credentials.

    def u_credential(
        self, name: str, owner: Value | None, args: Args, kwargs: Kwargs, node: ast.AST
    ) -> Value | None:
        for key, value in kwargs.items():
            if CREDENTIAL_NAME.match(_snake(key)):
                self._credential_value(value, node, key)
        last = name.rsplit(".", 1)[-1]
        if (
            name in {"jwt.encode", "jwt.decode", "jose.jwt.encode", "jose.jwt.decode"}
            and len(args) > 1
        ):
            self._credential_value(args[1], node)
        if name in {"jwt.encode", "jwt.decode"} and "key" in kwargs:
            self._credential_value(kwargs["key"], node)
        first_is_key = (
            "cryptography.fernet.Fernet",
            "Crypto.Cipher.AES.new",
            "itsdangerous.Signer",
            "itsdangerous.URLSafeTimedSerializer",
            "itsdangerous.URLSafeSerializer",
            "itsdangerous.TimestampSigner",
            "itsdangerous.Serializer",
            "hashids.Hashids.x",
            "cryptography.hazmat.primitives.ciphers.algorithms.AES",
            "Cryptodome.Cipher.AES.new",
            "django.core.signing.Signer",
            "itsdangerous.JSONWebSignatureSerializer",
            "itsdangerous.TimedSerializer",
            "nacl.secret.SecretBox",
            "cryptography.hazmat.primitives.ciphers.aead.AESGCM",
            "cryptography.hazmat.primitives.ciphers.aead.ChaCha20Poly1305",
            "itsdangerous.url_safe.URLSafeTimedSerializer",
            "itsdangerous.TimedJSONWebSignatureSerializer",
        )
        if args and (name in first_is_key or last == "derive"):
            self._credential_value(args[0], node)
        if (
            last
            in {
                "BasicAuth",
                "HTTPBasicAuth",
                "DigestAuth",
                "HTTPDigestAuth",
                "login",
                "NTLMAuth",
                "PlainCredentials",
                "PlainTextAuthProvider",
            }
            and len(args) > 1
        ):
            if last != "login" or not isinstance(owner, Extern):
                self._credential_value(args[1], node)
        if "auth" in kwargs:
            items = [o for o in options(kwargs["auth"]) if isinstance(o, Seq) and len(o.items) == 2]
            for item in items:
                self._credential_value(item.items[1], node)
        if name.rsplit(".", 1)[-1] in {
            "connect",
            "create_engine",
            "create_async_engine",
            "from_url",
            "MongoClient",
            "create_pool",
            "connect_robust",
            "Redis",
            "AsyncIOMotorClient",
            "Celery",
            "Connection",
        }:
            for value in [*args, *kwargs.values()]:
                self._url_credential(value, node)
        if (
            last in {"simple_bind_s", "simple_bind", "Connection", "bind_s"}
            and "ldap" in self.framework
            and len(args) > 1
        ):
            at = 2 if last == "Connection" else 1
            if len(args) > at:
                self._credential_value(args[at], node)
        headers = kwargs.get("headers")
        if headers is not None:
            self._headers_credential(headers, node)
        return None

    def _headers_credential(self, headers: Value, node: ast.AST) -> None:
        for option in options(headers):
            if isinstance(option, Map):
                for key, value in option.items.items():
                    if re.search(
                        r"^(authorization|x-api-key|api-key|x-auth-token|private-token|x-[\w-]*(key|token|secret))$",
                        str(key).lower(),
                    ):
                        text = const_str(value) or ""
                        bare = re.sub(
                            r"^(bearer|basic|token|apikey)\s+", "", text, flags=re.IGNORECASE
                        )
                        if bare and isinstance(value, Const):
                            self._credential_value(Const(bare, value.line), node)

    def _url_credential(self, value: Value, node: ast.AST) -> None:
        for option in options(value):
            text = const_str(option)
            if text and re.match(r"^[a-z0-9+]+://[^:/@\s]*:([^@/\s]+)@", text):
                secret = re.match(r"^[a-z0-9+]+://[^:/@\s]*:([^@/\s]+)@", text)
                if secret is not None and _is_secret_literal(secret.group(1)):
                    self.report("credential", None, node)

    def _credential_value(self, value: Value, node: ast.AST, key: str = "") -> None:
        for option in options(value):
            if (
                isinstance(option, Const)
                and isinstance(option.value, str | bytes)
                and _is_secret_literal(option.value)
            ):
                self.report("credential", None, node)
            elif isinstance(option, Thing) and option.type in {"hashlib", "digest"} and option.args:
                self._credential_value(option.args[0], node)

    def _literal_secret(self, low: str, value: Value, node: ast.AST) -> None:
        for option in options(value):
            if (
                isinstance(option, Const)
                and isinstance(option.value, str | bytes)
                and _is_secret_literal(option.value)
            ):
                self.report("credential", None, node)

    def u_environ(
        self, name: str, owner: Value | None, args: Args, kwargs: Kwargs, node: ast.AST
    ) -> Value | None:
        if name in {"os.getenv", "os.environ.get"}:
            got = self._environment(const_str(args[0]) or "" if args else "", node)
            if len(args) > 1 or "default" in kwargs:
                return choice([got, args[1] if len(args) > 1 else kwargs["default"]])
            return choice([got, Const(None)])
        return None

    def _environment(self, key: str, node: ast.AST) -> Value:
        if re.search(r"secret|token|key|passw|pwd|pin\b|hmac|signing", key.lower()):
            return Unknown("str", self.mark("secret", node, f"the secret {key}", f"env.{key}"))
        return Unknown("str")

    # Temporary files.

    def u_tempfile(
        self, name: str, owner: Value | None, args: Args, kwargs: Kwargs, node: ast.AST
    ) -> Value | None:
        if name == "tempfile.mktemp":
            folder = kwargs.get("dir") or (args[2] if len(args) > 2 else None)
            if folder is None or not any(_is_private_folder(o) for o in options(folder)):
                self.report("tempfile", None, node)
            return Unknown("str")
        if name in {"tempfile.gettempdir", "tempfile.gettempdirb"}:
            return Const("/tmp")  # noqa: S108
        if name == "tempfile.mkstemp":
            made = Thing("mkstemp path")
            return Seq("tuple", [Thing("mkstemp fd"), made])
        if name in {"tempfile.NamedTemporaryFile"}:
            made = Thing("mkstemp file")
            made.attrs["name"] = Thing("mkstemp path")
            made.attrs["name"].attrs["owner"] = made
            return made
        if name in {"tempfile.mkdtemp", "tempfile.TemporaryDirectory"}:
            made = Thing("private folder")
            made.attrs["name"] = Thing("private folder")
            return made
        if name in {"os.unlink", "os.remove", "os.rmdir"} and args:
            self._unlinked(args[0])
            return Const(None)
        if name == ".unlink" and owner is not None:
            for part in text_parts(owner):
                if not isinstance(part, str):
                    self._unlinked(part)
        self._predictable(name, owner, args, kwargs, node)
        return None

    def _unlinked(self, value: Value) -> None:
        for option in options(value):
            if isinstance(option, Thing) and option.type == "mkstemp path":
                option.attrs["gone"] = Const(True)

    def _predictable(
        self, name: str, owner: Value | None, args: Args, kwargs: Kwargs, node: ast.AST
    ) -> None:
        path, mode = self._written_path(name, owner, args, kwargs)
        if path is None:
            return
        for option in options(path):
            gone = [p for p in _things(option) if p.type == "mkstemp path" and "gone" in p.attrs]
            if gone or (mode and _is_shared(option)):
                self.report("tempfile", None, node)

    def _written_path(
        self, name: str, owner: Value | None, args: Args, kwargs: Kwargs
    ) -> tuple[Value | None, bool]:
        if (
            name
            in {"open", "io.open", "codecs.open", "aiofiles.open", "anyio.open_file", "gzip.open"}
            and args
        ):
            mode = const_str(args[1] if len(args) > 1 else kwargs.get("mode", Const("r"))) or "w"
            return args[0], bool(set(mode) & set("wa+")) and "x" not in mode
        if name == "os.open" and args:
            flags = _flag_names(args[1]) if len(args) > 1 else ""
            return args[0], "O_CREAT" in flags and "O_EXCL" not in flags
        if name in {".write_text", ".write_bytes", ".touch"} and owner is not None:
            return owner, not (
                name == ".touch" and truth(kwargs.get("exist_ok", Const(True))) is False
            )
        if name == ".open" and isinstance(owner, Text | Const | Thing):
            mode = const_str(args[0] if args else kwargs.get("mode", Const("r"))) or "r"
            return owner, bool(set(mode) & set("wa+")) and "x" not in mode
        if (
            name
            in {
                "shutil.copy",
                "shutil.copyfile",
                "shutil.copy2",
                "shutil.move",
                "os.rename",
                "os.replace",
            }
            and len(args) > 1
        ):
            return args[1], name.startswith("shutil.c")
        if name in {"os.makedirs"} and args:
            return args[0], truth(kwargs.get("exist_ok", Const(False))) is True
        if name == ".mkdir" and owner is not None:
            return owner, truth(kwargs.get("exist_ok", Const(False))) is True
        if (
            name
            in {
                "sqlite3.connect",
                "shelve.open",
                "logging.FileHandler",
                "zipfile.ZipFile",
                "tarfile.open",
            }
            and args
        ):
            return args[0], name == "logging.FileHandler" or "w" in (
                const_str(args[1]) or "" if len(args) > 1 else ""
            )
        return None, False

    # Signatures.

    def u_signature(
        self, name: str, owner: Value | None, args: Args, kwargs: Kwargs, node: ast.AST
    ) -> Value | None:
        if name in {
            "jwt.decode",
            "jose.jwt.decode",
            "authlib.jose.jwt.decode",
            "jwt.api_jwt.decode",
            "jwt.decode_complete",
        }:
            return self._jwt_decode(args, kwargs, node)
        if name in {"jwt.encode", "jose.jwt.encode"}:
            if (
                const_str(kwargs.get("algorithm") or (args[2] if len(args) > 2 else None)) or ""
            ).lower() == "none":
                self.report("signature", None, node)
            return Unknown("str")
        if name in {
            "jwt.get_unverified_claims",
            "jose.jwt.get_unverified_claims",
            "jose.jws.get_unverified_claims",
        }:
            self.report("signature", None, node)
        last = name.rsplit(".", 1)[-1]
        if last in {"loads_unsafe", "load_unsafe"}:
            marks = frozenset(
                Mark(m.sid + "|unsafe", "unverified", m.line, m.text) for m in marks_of(blend(args))
            )
            payload = Unknown("", marks or self.mark("unverified", node, "an unchecked payload"))
            facts = fact(payload.marks, safe=("*",))
            return Seq("tuple", [Unknown("bool", NO_MARKS, (facts, {})), payload])
        if (
            last in {"unsign", "loads"}
            and isinstance(owner, Thing)
            and re.search(r"itsdangerous|[Ss]igner|[Ss]erializer|signing", owner.type)
        ):
            return Unknown("signed")
        if name in {"django.core.signing.loads", "django.core.signing.unsign"}:
            return Unknown("signed")
        if last == "verify" and len(args) >= 2 and (owner is not None):
            return self._verified(args, node)
        if last in {
            "verify_header",
            "construct_event",
            "verify_signature",
            "verify_oauth2_token",
            "verify_id_token",
        }:
            self.learn(fact(marks_of(blend(args)), safe=("signed",)))
        return None

    def _verified(self, args: Args, node: ast.AST) -> Value:
        """``key.verify(signature, data)`` raises if the signature is wrong."""
        self.learn(fact(marks_of(blend(args)), safe=("signed",)))
        return Unknown("verdict")

    def _jwt_decode(self, args: Args, kwargs: Kwargs, node: ast.AST) -> Value:
        settings = kwargs.get("options") or (args[3] if len(args) > 3 else None)
        algorithms = kwargs.get("algorithms") or (args[2] if len(args) > 2 else None)
        verify = kwargs.get("verify")
        bad = verify is not None and any(truth(o) is False for o in options(verify))
        for option in options(settings) if settings is not None else ():
            if isinstance(option, Map):
                flag = option.items.get("verify_signature")
                bad = bad or (flag is not None and self._may_be_off(flag))
            elif marks_of(option):
                bad = True
        for option in options(algorithms) if algorithms is not None else ():
            bad = bad or self._allows_none(option)
        if bad:
            self.report("signature", None, node)
        return Unknown("claims")

    def _may_be_off(self, flag: Value) -> bool:
        known = [truth(o) for o in options(flag)]
        return False in known or (None in known and isinstance(flag, Unknown) and bool(flag.marks))

    def _allows_none(self, value: Value) -> bool:
        if isinstance(value, Seq):
            return any(
                self._allows_none(i)
                for i in [*value.items, *([value.rest] if value.rest is not None else [])]
            )
        if isinstance(value, Choice):
            return any(self._allows_none(o) for o in value.options)
        text = const_str(value)
        if text is not None:
            return text.lower() == "none"
        return isinstance(value, Unknown) and bool(value.marks)

    def handler_paths(self, node: ast.Try, failed: State | None, passed: State | None) -> None:
        """A handler of a wrong signature must not go on like a right one."""
        func = self.frame.func
        if func is None or isinstance(func.node, ast.Lambda):
            return
        if not _verifies(node.body):
            return
        for handler in node.handlers:
            if _ends(handler.body) and not _final_success(node, func.node):
                continue
            if self._goes_on(node, handler, func.node):
                self.report("signature", None, node.body[0])

    def _goes_on(self, node: ast.Try, handler: ast.ExceptHandler, func: ast.AST) -> bool:
        """Whether the code after the try runs the same after a wrong signature."""
        flag = _flag_set(handler.body)
        if flag:
            return False
        if _ends(handler.body):
            return _final_success(node, func)
        if node.orelse and not _final_success(node, func):
            return False
        return not _sets_in_body_only(node, func)

    # Unpicklers.

    def u_unpickler(
        self, name: str, owner: Value | None, args: Args, kwargs: Kwargs, node: ast.AST
    ) -> Value | None:
        if name in {"pickle.Unpickler", "_pickle.Unpickler", "dill.Unpickler", "pickle._Unpickler"}:
            return Thing("pickle.Unpickler", args, kwargs, marks_of(blend(args)))
        if name == ".find_class" and isinstance(owner, Super):
            if any(self.with_kind(bake(a, self.facts()), "pickled") for a in args):
                self.open_unpicklers.add(id(owner.cls.node))
            return Unknown()
        if name == ".load" and isinstance(owner, Thing) and owner.type == "pickle.Unpickler":
            self._unpickled(owner, node)
        return None

    def _unpickled(self, owner: Thing, node: ast.AST) -> None:
        mark = harmful(
            "deserialization",
            CLASSES["deserialization"].kinds,
            bake(Unknown("", owner.marks), self.facts()),
        )
        if mark is None:
            return
        subclass = owner.attrs.get("subclass")
        if isinstance(subclass, ClassV) and isinstance(subclass.find("find_class"), Func):
            finder = subclass.find("find_class")
            if isinstance(finder, Func):
                pickled = [
                    Unknown("str", self.mark("pickled", node, "a class name", s))
                    for s in ("module", "name")
                ]
                self.call_function(finder, list(pickled), {}, node, Instance(subclass))
            if id(subclass.node) not in self.open_unpicklers:
                return
        self.report("deserialization", mark, node)

    def base_init(
        self, instance: Instance, bases: list[str], args: Args, kwargs: Kwargs, node: ast.AST
    ) -> None:
        super().base_init(instance, bases, args, kwargs, node)
        made = instance.attrs.get("__base__")
        if isinstance(made, Thing):
            made.attrs["subclass"] = instance.cls

    # Templates and HTML.

    def u_template(
        self, name: str, owner: Value | None, args: Args, kwargs: Kwargs, node: ast.AST
    ) -> Value | None:
        if name in {
            "jinja2.Environment",
            "jinja2.sandbox.SandboxedEnvironment",
            "jinja2.sandbox.ImmutableSandboxedEnvironment",
            "jinja2.nativetypes.NativeEnvironment",
        }:
            return Thing(f"env {'Sandbox' if 'Sandbox' in name else ''}", args, kwargs)
        if name in {"jinja2.Template", "mako.template.Template"}:
            made = Thing("template")
            made.attrs["source"] = args[0] if args else kwargs.get("text", Const(""))
            made.attrs["escapes"] = kwargs.get("autoescape", Const(False))
            return made
        if (
            isinstance(owner, Thing)
            and owner.type.startswith("env")
            and name in {".from_string", ".get_template", ".select_template"}
        ):
            return self._template(owner, name, args)
        if (
            isinstance(owner, Thing)
            and owner.type == "template"
            and name in {".render", ".render_async", ".generate", ".stream"}
        ):
            return self._rendered(owner, args, kwargs)
        if name in {"flask.render_template_string"}:
            made = Thing("template")
            made.attrs["source"] = args[0] if args else Const("")
            made.attrs["escapes"] = Const(True)
            result = self._rendered(made, args[1:], kwargs)
            mark = harmful("xss", CLASSES["xss"].kinds, result)
            if (
                mark is not None
                and self.with_kind(made.attrs["source"], *CLASSES["template"].kinds) is None
            ):
                self.report("xss", mark, node)
            return Unknown("html")
        return None

    def _template(self, env: Thing, name: str, args: Args) -> Value:
        made = Thing("template")
        label = args[0] if args else Const("")
        made.attrs["source"] = label
        escapes = env.kwargs.get("autoescape", Const(False))
        if name != ".from_string":
            made.attrs["source"] = self._loaded(env, label)
        if isinstance(escapes, Thing) and escapes.type.startswith("jinja2.select_autoescape"):
            escapes = Const(_selects(escapes, label if name != ".from_string" else None))
        made.attrs["escapes"] = escapes
        return made

    def _loaded(self, env: Thing, label: Value) -> Value:
        loader = env.kwargs.get("loader")
        if isinstance(loader, Thing) and loader.args and isinstance(loader.args[0], Map):
            return self.map_item(loader.args[0], label)
        return Const("")

    def _rendered(self, template: Thing, args: Args, kwargs: Kwargs) -> Value:
        """What a template gives: escaped variables carry nothing."""
        escapes = truth(template.attrs["escapes"])
        source = literal_text(template.attrs["source"])
        names = dict(kwargs)
        for arg in args:
            if isinstance(arg, Map):
                names.update({str(k): v for k, v in arg.items.items()})
        spread = names.pop("**", None)
        if escapes is not False:
            raw = set(re.findall(r"\{\{-?\s*(\w+)[\w.\[\]'\"()|\s]*\|\s*safe", source))
            if "{% autoescape false" in source:
                raw = set(names)
            names = {k: v for k, v in names.items() if k in raw}
            if spread is not None:
                spread = None
        elif source:
            unescaped = {
                k: v
                for k, v in names.items()
                if not re.search(rf"\{{\{{-?\s*{re.escape(k)}[\w.]*\s*\|\s*(e|escape)\b", source)
            }
            names = unescaped
        values = [*names.values(), *([spread] if spread is not None else [])]
        return Unknown("html", frozenset(m for v in values for m in marks_of(v)))

    def u_html(
        self, name: str, owner: Value | None, args: Args, kwargs: Kwargs, node: ast.AST
    ) -> Value | None:
        if name in {
            "markupsafe.Markup",
            "flask.Markup",
            "jinja2.Markup",
            "django.utils.safestring.mark_safe",
        }:
            return Thing("markupsafe.Markup", args)
        if name in {"django.utils.html.format_html", "django.utils.html.format_html_join"}:
            return Thing("markupsafe.Markup", args[:1])
        if (
            isinstance(owner, Thing)
            and owner.type == "markupsafe.Markup"
            and name in {".format", ".join", ".format_map"}
        ):
            return Thing("markupsafe.Markup")
        return None

    def u_file(
        self, name: str, owner: Value | None, args: Args, kwargs: Kwargs, node: ast.AST
    ) -> Value | None:
        if name in {"open", "io.open", "codecs.open", "aiofiles.open"} and args:
            made = Thing("file", args, kwargs)
            made.attrs["name"] = args[0]
            return made
        if (
            isinstance(owner, Thing)
            and owner.type == "file"
            and name in {".read", ".readline", ".readlines"}
        ):
            return Unknown("str")
        if name in {".read_text", ".read_bytes"}:
            label = _snake(_unparsed(node))
            if re.search(r"secret|token|passw|code_file|key_file|credential", label):
                return Unknown("str", self.mark("secret", node, "the content of a secret file"))
            return (
                Unknown("str")
                if isinstance(owner, Text | Const)
                or (isinstance(owner, Unknown) and owner.type == "path")
                else None
            )
        if name in {
            "configparser.ConfigParser",
            "configparser.SafeConfigParser",
            "configparser.RawConfigParser",
        }:
            return Thing("configparser.ConfigParser")
        if name in {"zipfile.ZipFile", "tarfile.open", "tarfile.TarFile"}:
            return Thing(f"{name}()", args, kwargs, marks_of(blend([*args, *kwargs.values()])))
        return None

    def u_xml(
        self, name: str, owner: Value | None, args: Args, kwargs: Kwargs, node: ast.AST
    ) -> Value | None:
        if name in {"xml.sax.make_parser", "defusedxml.sax.make_parser"}:
            return Thing("xml.sax parser", line=getattr(node, "lineno", 0))
        if name == ".setFeature" and isinstance(owner, Thing) and len(args) > 1:
            key = args[0].name if isinstance(args[0], Extern) else const_str(args[0]) or ""
            key = key.replace("http://xml.org/sax/features/", "feature_").replace("-", "_")
            key = key.replace("feature_external_general_entities", "feature_external_ges").replace(
                "feature_external_parameter_entities", "feature_external_pes"
            )
            owner.attrs[key.rsplit(".", 1)[-1]] = args[1]
            return Const(None)
        return None

    # The end of a function.

    def returned(self, func: Func, frame: Frame) -> None:
        low = _snake(func.name)
        if isinstance(func.node, ast.Lambda):
            return
        for value, _, line in frame.returns:
            if line < 0:
                continue
            node = ast.Pass(lineno=line, col_offset=0)
            mark = self.with_kind(value, "weakrandom")
            if mark is not None and SECRET_NAME.search(low) and not NOT_SECRET_NAME.search(low):
                self.report("random", mark, node)
            mark = self.with_kind(value, "passwordhash")
            if mark is not None and not re.search(r"legacy|old|previous", low):
                self.hashed_passwords.append((mark, node))
            unverified = self.with_kind(value, "unverified")
            if unverified is not None:
                self.unverified.append((unverified, node))

    def passed(self, func: Func, values: dict[str, Value], node: ast.AST) -> None:
        for name, value in values.items():
            if isinstance(value, Unknown | Text | Thing):
                self._random_in_name(_snake(name), value, node)

    hashed_passwords: list[tuple[Mark, ast.AST]]
    unverified: list[tuple[Mark, ast.AST]]


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().replace("-", "_")


def _unparsed(node: ast.AST) -> str:
    try:
        return ast.unparse(node)
    except (AttributeError, ValueError, RecursionError):
        return ""


def _last_identifier(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        return str(node.slice.value)
    if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
        return str(node.args[0].value)
    return ""


def _is_session(owner: Value | None, node: ast.AST) -> bool:
    if isinstance(owner, Thing) and owner.type == "session":
        return True
    if isinstance(owner, Extern) and owner.name.endswith(".session"):
        return True
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return isinstance(owner, Unknown | Extern) and _unparsed(node.func.value).endswith(
            "session"
        )
    return False


def _is_weak_hash_object(value: Value) -> bool:
    return any(
        isinstance(o, Thing)
        and re.search(r"hashes\.(MD5|SHA1)\(\)$|Hash\.(MD5|SHA)\.", o.type) is not None
        for o in options(value)
    )


def _is_secret_literal(value: str | bytes) -> bool:
    """Whether a literal can be a working secret: no placeholder, no name."""
    text = value.decode("latin-1") if isinstance(value, bytes) else value
    if len(text) < 4 or not text.strip():
        return False
    return not re.fullmatch(
        r"<.*>|\{.*\}|\$\{?\w+\}?|x+|\*+|\.\.\.+|none|null|true|false|your[-_ ].*|[A-Z][A-Z0-9]*(_[A-Z0-9]+)+|"
        r"(RS|HS|ES|PS)\d{3}|utf-?8|https?://[^@]*|/.*|-----BEGIN PUBLIC KEY.*",
        text,
        re.DOTALL | (re.IGNORECASE if text.islower() else 0),
    )


def _things(value: Value) -> list[Thing]:
    if isinstance(value, Thing):
        return [value]
    if isinstance(value, Text):
        return [t for p in value.parts if not isinstance(p, str) for t in _things(p)]
    return []


def _is_private_folder(value: Value) -> bool:
    return any(t.type == "private folder" for t in _things(value)) or (
        isinstance(value, Const | Text)
        and not literal_text(value).startswith(SHARED_FOLDERS)
        and bool(literal_text(value))
    )


def _is_shared(value: Value) -> bool:
    """Whether a path is predictable and in a folder that all users share."""
    parts = text_parts(value)
    if not parts or not isinstance(parts[0], str) or not parts[0].startswith(SHARED_FOLDERS):
        return False
    for part in parts:
        if not isinstance(part, str) and isinstance(part, Unknown) and part.type == "random":
            return False
        if isinstance(part, Thing) and part.type in {"mkstemp path", "private folder"}:
            return False
    return True


def _flag_names(value: Value) -> str:
    if isinstance(value, Extern):
        return value.name
    if isinstance(value, Text | Choice):
        children = value.parts if isinstance(value, Text) else value.options
        return " ".join(_flag_names(p) for p in children if not isinstance(p, str))
    return ""


def _verifies(body: list[ast.stmt]) -> bool:
    for statement in body:
        for node in ast.walk(statement):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                if node.func.attr == "verify" and len(node.args) >= 2:
                    return True
                if node.func.attr in {"unsign", "validate_signature"}:
                    return True
    return False


def _ends(body: list[ast.stmt]) -> bool:
    """Whether a block always leaves."""
    if not body:
        return False
    last = body[-1]
    if isinstance(last, ast.Return | ast.Raise | ast.Continue | ast.Break):
        return True
    if isinstance(last, ast.Expr) and isinstance(last.value, ast.Call):
        return _unparsed(last.value.func).rsplit(".", 1)[-1] in {"abort", "exit", "fail", "_exit"}
    if isinstance(last, ast.If) and last.orelse:
        return _ends(last.body) and _ends(last.orelse)
    return False


def _final_success(node: ast.Try, func: ast.AST) -> bool:
    """Whether ``finally`` overrides the verdict of the handlers."""
    for statement in node.finalbody:
        for child in ast.walk(statement):
            if isinstance(child, ast.Return):
                return True
            if (
                isinstance(child, ast.Assign)
                and isinstance(child.value, ast.Constant)
                and child.value.value is True
            ):
                return True
    return False


def _flag_set(body: list[ast.stmt]) -> bool:
    for statement in body:
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Constant):
            if statement.value.value in (False, None):
                return True
    return False


def _sets_in_body_only(node: ast.Try, func: ast.AST) -> bool:
    """Whether the try sets a verdict that the code after it looks at, or nothing follows it."""
    targets: set[str] = set()
    for statement in [*node.body, *node.orelse]:
        if isinstance(statement, ast.Return):
            return True
        if isinstance(statement, ast.Assign):
            for target in statement.targets:
                if isinstance(target, ast.Name) and isinstance(statement.value, ast.Constant):
                    targets.add(target.id)
    end = node.end_lineno or node.lineno
    for child in ast.walk(func):
        if isinstance(child, ast.If | ast.Return | ast.While) and child.lineno > end:
            test = child.test if isinstance(child, ast.If | ast.While) else child.value
            if test is not None and any(
                isinstance(n, ast.Name) and n.id in targets for n in ast.walk(test)
            ):
                return True
    return False


def _selects(escapes: Thing, label: Value | None) -> bool:
    """Whether ``select_autoescape`` is on for a template of this name."""
    if label is None:
        default = escapes.kwargs.get("default_for_string", Const(True))
        return truth(default) is not False
    enabled = escapes.kwargs.get("enabled_extensions") or (
        escapes.args[0] if escapes.args else None
    )
    names = ["html", "htm", "xml"]
    if isinstance(enabled, Seq):
        names = [const_str(i) or "" for i in enabled.items]
    text = literal_text(label).strip().lower()
    if any(text.endswith("." + n) for n in names):
        return True
    if not text or "." not in text:
        return True
    return truth(escapes.kwargs.get("default", Const(False))) is True
