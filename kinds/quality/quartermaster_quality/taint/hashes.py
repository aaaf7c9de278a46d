"""Finds weak hashes that are used for security, and insecure comparisons of digests."""

from __future__ import annotations

import ast
import re

from quartermaster_quality.taint.credential_library import Secrets, snake
from quartermaster_quality.taint.judge import literal_text
from quartermaster_quality.taint.marks import Mark
from quartermaster_quality.taint.plain_text import last_name
from quartermaster_quality.taint.rules.classes import CLASSES
from quartermaster_quality.taint.values import (
    NO_MARKS,
    NONE_VALUE,
    AbstractValue,
    Args,
    Const,
    Extern,
    ExternalCall,
    Map,
    Thing,
    UnionValue,
    Unknown,
    blend,
    const_str,
    line_of,
    marks_of,
    options,
    truth,
)

PASSWORD_NAME = re.compile(r"(?<![a-z])(passw(or)?d|passphrase|pwd|passwort|pin|passcode)(?![a-z])")

INTEGRITY_NAME = re.compile(
    r"(?<![a-z])(seal|sign(ature|ed)?|mac|hmac|digest|token|secret|passw|pwd|auth|"
    r"credential|license|"
    r"certificate|fingerprint|integrity|tamper|hash_value|stored|verif|link|key|ticket|unlock)"
)

COMPARED_SECRET = re.compile(
    r"^(password|passwd|pwd|api_?key|secret|passphrase|token|auth_?token)$"
)
WRITES_DIGEST = {".hex", ".decode", ".encode", ".lower", ".strip"}
ENCODES_DIGEST = {
    "base64.b64encode", "base64.urlsafe_b64encode", "binascii.hexlify", "str", "hex",
}  # fmt: skip
WEAK_HASHES = {"md5", "sha1", "md4", "md2", "ripemd160", "sha", "md5-sha1", "sha-1"}


class Hashes(Secrets):
    """The part of the interpreter that checks hashes and comparisons."""

    def _weak_hash_in_name(self, low: str, value: AbstractValue, node: ast.AST) -> None:
        casual = r"etag|cache|avatar|bucket|dedup|content_md5|^(key|link|stored)$"
        if INTEGRITY_NAME.search(low) and not re.search(casual, low):
            self._report_kind("hash", value, node, "weakhash")

    # Hashes.

    def u_hash(self, call: ExternalCall) -> AbstractValue | None:
        name, args, node = call.name, call.args, call.node
        algorithm = self._algorithm(name, args)
        if algorithm is not None:
            return self._digest_object(algorithm, call)
        if isinstance(call.owner, Thing) and call.owner.type == "hashlib":
            return self._digest_method(call, call.owner)
        if name in {"hashlib.pbkdf2_hmac", "werkzeug.security.generate_password_hash"}:
            chosen = args[0] if name.startswith("hashlib") and args else call.named("method")
            if re.search(r"md5|sha1\b", literal_text(chosen or Const(""))):
                self.report("hash", None, node)
        if name.endswith((".sign", ".verify")) and any(map(_is_weak_hash_object, call.values)):
            self.report("hash", None, node)
        written = literal_text(args[0]) if name == ".write" and args else ""
        if written and re.search(r"hash|passw|sign|token|mac", written):
            self._report_kind("hash", args[0], node, "weakhash")
        return None

    def _algorithm(self, name: str, args: Args) -> str | None:
        if name in {"hashlib.new", "hashlib.file_digest"}:
            at = 0 if name == "hashlib.new" else 1
            given = args[at] if len(args) > at else None
            text = const_str(given)
            if isinstance(given, Extern):
                text = given.name.rsplit(".", 1)[-1]
            if isinstance(given, UnionValue):
                found = [const_str(o) or "" for o in given.options]
                text = next((t for t in found if t.lower() in WEAK_HASHES), "sha256")
            return (text or "sha256").lower()
        match = re.fullmatch(
            r"(?:hashlib|md5|sha|Crypto\.Hash\.\w+|Cryptodome\.Hash\.\w+)\.(md5|sha1|sha224|"
            r"sha256|sha384|sha512|blake2b|blake2s|sha3_256|sha3_512|new|sha3_384)",
            name,
        )
        if match is None:
            return None
        if match.group(1) == "new":
            return name.split(".")[-2].lower()
        return match.group(1)

    def _digest_object(self, algorithm: str, call: ExternalCall) -> AbstractValue:
        made = Thing("hashlib", line=line_of(call.node))
        flag = call.kwargs.get("usedforsecurity")
        made.attrs["algorithm"] = Const(algorithm)
        made.attrs["casual"] = Const(flag is not None and truth(flag) is False)
        if "key" in call.kwargs:
            made.attrs["key"] = call.kwargs["key"]
        self._digest_data(made, call.args[call.name == "hashlib.new" :], call.node)
        return made

    def _digest_data(self, made: Thing, data: Args, node: ast.AST) -> None:
        for value in data:
            made.attrs["data"] = blend([made.attrs.get("data", Unknown()), value])
        if not isinstance(node, ast.Call):
            return
        texts = " ".join(ast.unparse(a) for a in node.args)
        secret = PASSWORD_NAME.search(snake(texts)) or any(
            self.with_kind(v, "password") for v in data
        )
        algorithm = const_str(made.attrs["algorithm"])
        if secret and data and not truth(made.attrs["casual"]) and algorithm in WEAK_HASHES:
            made.attrs["secret"] = Const(True)

    def _digest_method(self, call: ExternalCall, owner: Thing) -> AbstractValue | None:
        if call.name == ".update":
            self._digest_data(owner, call.args, call.node)
            return Const(None)
        if call.name in {".digest", ".hexdigest"}:
            made = Thing("digest", marks=self._digest_marks(owner, call.node))
            if "key" in owner.attrs and "data" in owner.attrs:
                made.attrs["over"] = owner.attrs["data"]
                made.marks |= self.mark("secret", call.node, "a keyed digest")
            return made
        return owner if call.name == ".copy" else None

    def _digest_marks(self, owner: Thing, node: ast.AST) -> frozenset[Mark]:
        marks: frozenset[Mark] = NO_MARKS
        algorithm = const_str(owner.attrs["algorithm"])
        if algorithm in WEAK_HASHES and not truth(owner.attrs["casual"]):
            marks |= self.mark("weakhash", node, f"the {(algorithm or '').upper()} digest")
        retained = {"weakrandom", "weakhash", "secret"}
        marks |= {m for m in marks_of(owner.attrs.get("data", NONE_VALUE)) if m.kind in retained}
        if "secret" in owner.attrs:
            marks |= self.mark("passwordhash", node, "a broken hash of a password")
        return marks

    def u_hmac(self, call: ExternalCall) -> AbstractValue | None:
        name, owner, args = call.name, call.owner, call.args
        if name in {"hmac.new", "hmac.digest", "hmac.HMAC"}:
            return self._keyed_digest(call)
        if isinstance(owner, Thing) and owner.type == "hmac":
            if name == ".update" and args:
                owner.attrs["over"] = blend([owner.attrs["over"], args[0]])
                return Const(None)
            made = Thing("digest", marks=owner.marks)
            made.attrs["over"] = owner.attrs["over"]
            return made
        written = (owner,) if name in WRITES_DIGEST else ()
        if name in ENCODES_DIGEST and args:
            written = options(args[0])
        for option in written:
            if isinstance(option, Thing) and option.type == "digest":
                return option
        if name in {"hmac.compare_digest", "secrets.compare_digest"}:
            self._digest_compared(args, call.node)
        return None

    def _keyed_digest(self, call: ExternalCall) -> AbstractValue:
        digest = call.named("digestmod", "digest", at=2)
        text = const_str(digest) or (digest.name if isinstance(digest, Extern) else "")
        if call.args:
            self._credential_value(call.args[0], call.node)
        if text.endswith("md5"):
            self.report("hash", None, call.node)
        made = Thing("digest" if call.name == "hmac.digest" else "hmac")
        made.attrs["over"] = call.named("msg", at=1) or Unknown()
        made.marks = self.mark("secret", call.node, "the right signature")
        return made

    def _digest_compared(self, args: Args, node: ast.AST) -> None:
        for value in args:
            # Nobody hides how long a comparison takes, unless it is with a secret.
            self._credential_value(value, node)
            self._report_kind("hash", value, node, "weakhash", "passwordhash")

    def compared(
        self, node: ast.Compare, left: AbstractValue, right: AbstractValue, op: ast.cmpop
    ) -> None:
        if isinstance(op, ast.Eq | ast.NotEq):
            for value, other in ((left, right), (right, left)):
                mark = self.with_kind(value, "weakhash")
                if mark is not None and not isinstance(other, Const) and not self._is_casual(node):
                    self.report("hash", mark, node)
            self._timing(node, left, right)
            self._timing(node, right, left)
            self._literal_compared(node, left, right)
        if isinstance(op, ast.In | ast.NotIn) and not isinstance(right, Map):
            self._timing(node, left, right)

    def _is_casual(self, node: ast.Compare) -> bool:
        text = unparsed(node).lower()
        func = self.frame.func.name.lower() if self.frame.func is not None else ""
        return bool(
            re.search(r"etag|cache|dedup|seen|last_|previous|changed|duplicate", text + func)
        )

    def _timing(self, node: ast.Compare, sent: AbstractValue, secret: AbstractValue) -> None:
        kinds = CLASSES["timing"].kinds
        marks = [m for m in marks_of(sent) if m.kind in kinds and "*" not in m.safe]
        if marks and not isinstance(secret, Const) and self.with_kind(secret, "secret"):
            self.report("timing", min(marks, key=lambda m: m.line), node)

    def _literal_compared(
        self, node: ast.Compare, left: AbstractValue, right: AbstractValue
    ) -> None:
        sides = [(node.left, left, right), (node.comparators[0], right, left)]
        for expression, value, other in sides:
            text = const_str(other)
            name = snake(_last_identifier(expression))
            literal = isinstance(other, Const) and isinstance(other.value, str)
            if text and literal and len(text) > 3:
                plain = re.fullmatch(r"[A-Z][A-Z_]+|bearer|basic", text, re.IGNORECASE)
                if COMPARED_SECRET.search(name) and marks_of(value) and not plain:
                    self.report("credential", None, node)


def unparsed(node: ast.AST) -> str:
    try:
        return ast.unparse(node)
    except (AttributeError, ValueError, RecursionError):
        return ""


def _last_identifier(node: ast.expr) -> str:
    match node:
        case ast.Call(args=[ast.Constant(value=key), *_]):
            return str(key)
        case _:
            return last_name(node)


def _is_weak_hash_object(value: AbstractValue) -> bool:
    return any(
        isinstance(o, Thing)
        and re.search(r"hashes\.(MD5|SHA1)\(\)$|Hash\.(MD5|SHA)\.", o.type) is not None
        for o in options(value)
    )
