"""Signatures, and objects that are unpickled."""

from __future__ import annotations

import ast
import re

from quartermaster.quality.taint.compare import fact
from quartermaster.quality.taint.files import Files
from quartermaster.quality.taint.hashes import unparsed
from quartermaster.quality.taint.judge import harmful
from quartermaster.quality.taint.marks import Mark
from quartermaster.quality.taint.rules.classes import CLASSES
from quartermaster.quality.taint.values import (
    NO_MARKS,
    Args,
    Call,
    Choice,
    ClassV,
    Func,
    Instance,
    Kwargs,
    Map,
    Seq,
    Super,
    Thing,
    Unknown,
    Value,
    bake,
    blend,
    const_str,
    marks_of,
    options,
    truth,
)


class Signatures(Files):
    """Looks at signatures and unpicklers."""

    def __init__(self) -> None:
        super().__init__()
        self.open_unpicklers: set[int] = set()

    # Signatures.

    def u_signature(self, call: Call) -> Value | None:
        name, args, node = call.name, call.args, call.node
        if name in {
            "jwt.decode",
            "jose.jwt.decode",
            "authlib.jose.jwt.decode",
            "jwt.api_jwt.decode",
            "jwt.decode_complete",
        }:
            return self._jwt_decode(args, call.kwargs, node)
        if name in {"jwt.encode", "jose.jwt.encode"}:
            if (
                const_str(call.kwargs.get("algorithm") or (args[2] if len(args) > 2 else None))
                or ""
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
            and isinstance(call.owner, Thing)
            and re.search(r"itsdangerous|[Ss]igner|[Ss]erializer|signing", call.owner.type)
        ):
            return Unknown("signed")
        if name in {"django.core.signing.loads", "django.core.signing.unsign"}:
            return Unknown("signed")
        if last == "verify" and len(args) >= 2 and (call.owner is not None):
            return self._verified(args)
        if last in {
            "verify_header",
            "construct_event",
            "verify_signature",
            "verify_oauth2_token",
            "verify_id_token",
        }:
            self.learn(fact(marks_of(blend(args)), safe=("signed",)))
        return None

    def _verified(self, args: Args) -> Value:
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

    def handler_paths(self, node: ast.Try) -> None:
        """A handler of a wrong signature must not go on like a right one."""
        func = self.frame.func
        if func is None or isinstance(func.node, ast.Lambda):
            return
        if not _verifies(node.body):
            return
        for handler in node.handlers:
            if _ends(handler.body) and not _final_success(node):
                continue
            if self._goes_on(node, handler, func.node):
                self.report("signature", None, node.body[0])

    def _goes_on(self, node: ast.Try, handler: ast.ExceptHandler, func: ast.AST) -> bool:
        """Whether the code after the try runs the same after a wrong signature."""
        flag = _flag_set(handler.body)
        if flag:
            return False
        if _ends(handler.body):
            return _final_success(node)
        if node.orelse and not _final_success(node):
            return False
        return not _sets_in_body_only(node, func)

    # Unpicklers.

    def u_unpickler(self, call: Call) -> Value | None:
        owner = call.owner
        if call.name in {
            "pickle.Unpickler",
            "_pickle.Unpickler",
            "dill.Unpickler",
            "pickle._Unpickler",
        }:
            return Thing("pickle.Unpickler", call.args, call.kwargs, marks_of(blend(call.args)))
        if call.name == ".find_class" and isinstance(owner, Super):
            if any(self.with_kind(bake(a, self.facts()), "pickled") for a in call.args):
                self.open_unpicklers.add(id(owner.cls.node))
            return Unknown()
        if call.name == ".load" and isinstance(owner, Thing) and owner.type == "pickle.Unpickler":
            self._unpickled(owner, call.node)
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
        return unparsed(last.value.func).rsplit(".", 1)[-1] in {"abort", "exit", "fail", "_exit"}
    if isinstance(last, ast.If) and last.orelse:
        return _ends(last.body) and _ends(last.orelse)
    return False


def _final_success(node: ast.Try) -> bool:
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
        value = statement.value if isinstance(statement, ast.Assign) else None
        if isinstance(value, ast.Constant) and value.value in (False, None):
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
