"""Finds signatures that are not verified, and unpickling without restrictions."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator

from quartermaster_quality.taint.compare import fact
from quartermaster_quality.taint.file_library import Files
from quartermaster_quality.taint.hashes import unparsed
from quartermaster_quality.taint.judge import harmful
from quartermaster_quality.taint.marks import Mark
from quartermaster_quality.taint.values import (
    AbstractValue,
    Args,
    ClassV,
    ExternalCall,
    Func,
    Instance,
    Kwargs,
    Map,
    Seq,
    Super,
    Thing,
    UnionValue,
    Unknown,
    bake,
    blend,
    const_str,
    marks_of,
    may_be,
    options,
    verdict,
    with_rest,
)

JWT_DECODES = {
    "jwt.decode", "jose.jwt.decode", "authlib.jose.jwt.decode", "jwt.api_jwt.decode",
    "jwt.decode_complete",
}  # fmt: skip
UNVERIFIED_READERS = {
    f"{module}.get_unverified_claims" for module in ("jwt", "jose.jwt", "jose.jws")
}
CHECKS_SIGNATURE = {
    "verify_header", "construct_event", "verify_signature", "verify_oauth2_token",
    "verify_id_token",
}  # fmt: skip
UNPICKLERS = {"pickle.Unpickler", "_pickle.Unpickler", "dill.Unpickler", "pickle._Unpickler"}


class Signatures(Files):
    """The part of the interpreter that checks signatures and unpicklers."""

    def __init__(self) -> None:
        super().__init__()
        self.open_unpicklers: set[int] = set()

    # Signatures.

    def u_signature(self, call: ExternalCall) -> AbstractValue | None:
        name, args, node, last = call.name, call.args, call.node, call.last
        if name in JWT_DECODES:
            return self._jwt_decode(call)
        if name in {"jwt.encode", "jose.jwt.encode"}:
            if (const_str(call.named("algorithm", at=2)) or "").lower() == "none":
                self.report("signature", None, node)
            return Unknown("str")
        if name in UNVERIFIED_READERS:
            self.report("signature", None, node)
        if last in {"loads_unsafe", "load_unsafe"}:
            marks = frozenset(
                Mark(m.sid + "|unsafe", "unverified", m.line, m.text) for m in marks_of(blend(args))
            )
            payload = Unknown("", marks or self.mark("unverified", node, "an unchecked payload"))
            return Seq("tuple", [verdict(fact(payload.marks, safe=("*",))), payload])
        made_by = call.owner.type if isinstance(call.owner, Thing) else ""
        signer = last in {"unsign", "loads"} and re.search(
            r"itsdangerous|[Ss]igner|[Ss]erializer|signing", made_by
        )
        if signer or name in {"django.core.signing.loads", "django.core.signing.unsign"}:
            return Unknown("signed")
        # A method ``key.verify(signature, data)`` raises if the signature is wrong.
        verifies = last == "verify" and len(args) >= 2 and call.owner is not None
        if verifies or last in CHECKS_SIGNATURE:
            self.learn(fact(blend(args).marks, safe=("signed",)))
        return Unknown("verdict") if verifies else None

    def _jwt_decode(self, call: ExternalCall) -> AbstractValue:
        bad = may_be(call.kwargs.get("verify", Unknown()), False)
        for option in options(call.named("options", at=3) or Unknown()):
            if isinstance(option, Map):
                flag = option.items.get("verify_signature", Unknown())
                unknown = isinstance(flag, Unknown) and bool(flag.marks)
                bad = bad or unknown or may_be(flag, False)
            elif marks_of(option):
                bad = True
        if bad or _allows_none(call.named("algorithms", at=2) or Unknown()):
            self.report("signature", None, call.node)
        return Unknown("claims")

    def handler_paths(self, node: ast.Try) -> None:
        """Reports a try statement after which the code continues in the same way for valid and for
        wrong signatures.
        """
        func = self.frame.func
        if func is None or isinstance(func.node, ast.Lambda) or not _verifies(node.body):
            return
        if any(self._goes_on(node, handler, func.node) for handler in node.handlers):
            self.report("signature", None, node.body[0])

    def _goes_on(self, node: ast.Try, handler: ast.ExceptHandler, func: ast.AST) -> bool:
        """Returns whether the code after a try statement also runs, in the same way, if a signature
        is wrong.
        """
        if _flag_set(handler.body):
            return False
        if _ends(handler.body):
            return _final_success(node)
        if node.orelse and not _final_success(node):
            return False
        return not _sets_in_body_only(node, func)

    # Unpicklers.

    def u_unpickler(self, call: ExternalCall) -> AbstractValue | None:
        owner = call.owner
        if call.name in UNPICKLERS:
            return Thing("pickle.Unpickler", call.args, call.kwargs, blend(call.args).marks)
        if call.name == ".find_class" and isinstance(owner, Super):
            if any(self.with_kind(bake(a, self.facts()), "pickled") for a in call.args):
                self.open_unpicklers.add(id(owner.cls.node))
            return Unknown()
        if call.name == ".load" and isinstance(owner, Thing) and owner.type == "pickle.Unpickler":
            self._unpickled(owner, call.node)
        return None

    def _unpickled(self, owner: Thing, node: ast.AST) -> None:
        mark = harmful("deserialization", bake(Unknown("", owner.marks), self.facts()))
        if mark is None:
            return
        subclass = owner.attrs.get("subclass")
        finder = subclass.find("find_class") if isinstance(subclass, ClassV) else None
        if isinstance(subclass, ClassV) and isinstance(finder, Func):
            pickled: list[AbstractValue] = [
                Unknown("str", self.mark("pickled", node, "a class name", s))
                for s in ("module", "name")
            ]
            self.call_function(finder, pickled, {}, node, Instance(subclass))
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


def _allows_none(value: AbstractValue) -> bool:
    if isinstance(value, Seq | UnionValue):
        rest = value.rest if isinstance(value, Seq) else None
        listed = value.items if isinstance(value, Seq) else value.options
        return any(map(_allows_none, with_rest(listed, rest)))
    text = const_str(value)
    if text is not None:
        return text.lower() == "none"
    return isinstance(value, Unknown) and bool(value.marks)


def _inside(body: list[ast.stmt]) -> Iterator[ast.AST]:
    return itertools.chain.from_iterable(map(ast.walk, body))


def _verifies(body: list[ast.stmt]) -> bool:
    calls = [(n.func, n.args) for n in _inside(body) if isinstance(n, ast.Call)]
    return any(
        (func.attr == "verify" and len(args) >= 2) or func.attr in {"unsign", "validate_signature"}
        for func, args in calls
        if isinstance(func, ast.Attribute)
    )


def _ends(body: list[ast.stmt]) -> bool:
    """Returns whether a block always ends with an exit, such as return, raise or abort."""
    last = body[-1] if body else None
    if isinstance(last, ast.Return | ast.Raise | ast.Continue | ast.Break):
        return True
    if isinstance(last, ast.Expr) and isinstance(last.value, ast.Call):
        return unparsed(last.value.func).rsplit(".", 1)[-1] in {"abort", "exit", "fail", "_exit"}
    if isinstance(last, ast.If) and last.orelse:
        return _ends(last.body) and _ends(last.orelse)
    return False


def _final_success(node: ast.Try) -> bool:
    """Returns whether the ``finally`` block of a try statement overrides the result of the
    handlers, by a return or by setting a variable to true.
    """
    return any(
        isinstance(child, ast.Return)
        or (
            isinstance(child, ast.Assign)
            and isinstance(child.value, ast.Constant)
            and child.value.value is True
        )
        for child in _inside(node.finalbody)
    )


def _flag_set(body: list[ast.stmt]) -> bool:
    values = [statement.value for statement in body if isinstance(statement, ast.Assign)]
    return any(isinstance(v, ast.Constant) and v.value in (False, None) for v in values)


def _sets_in_body_only(node: ast.Try, func: ast.AST) -> bool:
    """Returns whether a try statement itself returns, or sets a variable that later code tests."""
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
