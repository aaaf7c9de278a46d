"""The whole analysis of a file: the module, then its entries, then what nobody calls."""

from __future__ import annotations

import ast
import re
from typing import TypeGuard

from quartermaster.quality.taint.annotations import clean_type, core, last_name, names_in
from quartermaster.quality.taint.judge import harmful
from quartermaster.quality.taint.machine import BUDGET, ENTRY_BUDGET
from quartermaster.quality.taint.marks import Fact, pattern_mask
from quartermaster.quality.taint.rules import web
from quartermaster.quality.taint.rules.classes import PARAMETER
from quartermaster.quality.taint.state import Frame, State
from quartermaster.quality.taint.uses import Uses
from quartermaster.quality.taint.values import (
    Bound,
    Call,
    ClassV,
    Const,
    Extern,
    Func,
    Instance,
    Kwargs,
    Seq,
    Text,
    Thing,
    Unknown,
    Value,
    bake,
    const_str,
    marks_of,
    options,
)

SELF = {"self", "cls"}
HARMLESS_OPTION = re.compile(
    r"type=(int|float|click\.(INT|FLOAT|IntRange|FloatRange|Choice|UUID|DateTime|BOOL))"
    r"|is_flag=True|envvar"
)
SECRET_SETTING = re.compile(r"secret|token|passw|api_?key|^key$|signing|credential|code_file")
SECRET_PARAMETER = re.compile(
    r"secret|passw|api_?key|^key$|signing_key|private_key|credential|expected"
)
SERVED = {
    "self", "context", "channel", "method", "properties", "writer", "ctx", "response", "db",
    "session",
}  # fmt: skip


class Entry:
    """A function that is called from outside."""

    __slots__ = ("func", "kind", "owner", "target")

    def __init__(self, func: Func, kind: str, target: Value, owner: ClassV | None) -> None:
        self.func = func
        self.kind = kind
        self.target = target
        self.owner = owner


class Analyzer(Uses):
    """Runs a module."""

    def __init__(self, tree: ast.Module) -> None:
        super().__init__()
        self.tree = tree
        self.functions: dict[int, Func] = {}
        self.classes: list[ClassV] = []
        self.entries: dict[int, Entry] = {}
        self.html_routes: set[int] = set()
        self.composing: dict[int, bool] = {}
        self.instances: dict[int, Instance] = {}
        imports = {n.name for i in ast.walk(tree) if isinstance(i, ast.Import) for n in i.names}
        imports |= {i.module or "" for i in ast.walk(tree) if isinstance(i, ast.ImportFrom)}
        self.framework = " ".join(sorted(imports))
        self.docs = _documentation(tree)
        self.is_library = _is_library(tree)
        self.aliases = _aliases(tree)
        self.log_is_safe = self._safe_logging(tree)
        for name in ("__name__", "__file__", "__doc__"):
            self.globals.vars[name] = Const("__main__" if name == "__name__" else name)

    def analyze(self) -> None:
        """The module, the entries twice (what one stores, another reads), then the rest."""
        self.run(self.tree.body)
        self.state = State(self.globals.vars)
        self.globals.vars.setdefault("__done__", Const(True))
        self._enter_all()
        self._remaining()
        if self.spent < BUDGET:
            self._enter_all()
        self.check_contexts()
        self.check_morsels()
        self._passwords()

    def _enter_all(self) -> None:
        done: set[int] = set()
        while len(done) < len(self.entries):
            for key, entry in list(self.entries.items()):
                if key not in done:
                    done.add(key)
                    self.enter_entry(entry)

    def _remaining(self) -> None:
        """Functions that nothing in the file calls."""
        names = _referenced(self.tree)
        todo = [f for f in list(self.functions.values()) if id(f.node) not in self.executed]
        todo.sort(key=lambda f: (f.name in names, getattr(f.node, "lineno", 0)))
        for func in todo:
            if id(func.node) in self.executed:
                continue
            known = set(self.entries)
            self.enter_entry(Entry(func, "caller", func, func.cls))
            for key in [k for k in self.entries if k not in known]:
                self.enter_entry(self.entries[key])

    def _passwords(self) -> None:
        for mark, node in self.hashed_passwords:
            self.report("hash", mark, node)

    # Definitions.

    def after_function(self, func: Func) -> None:
        self.functions[id(func.node)] = func

    def decorated(self, func: Func) -> Value:
        value: Value = func
        assert not isinstance(func.node, ast.Lambda)
        for decorator in reversed(func.decorators):
            for option in options(decorator):
                if isinstance(option, Func | Bound) and self.state is not None:
                    made = self.call_value(option, [value], {}, func.node)
                    if isinstance(made, Func):
                        value = made
        kind = self.entry_kind(func)
        if kind:
            self.entries[id(func.node)] = Entry(func, kind, value, None)
        return value

    def entry_kind(self, func: Func) -> str:
        """How a function is called from outside, by its decorators."""
        assert not isinstance(func.node, ast.Lambda)
        for node in func.node.decorator_list:
            target = node.func if isinstance(node, ast.Call) else node
            last = target.attr if isinstance(target, ast.Attribute) else getattr(target, "id", "")
            dotted = isinstance(target, ast.Attribute)
            if isinstance(node, ast.Call) and any(
                k.arg == "response_class" and "HTML" in ast.unparse(k.value) for k in node.keywords
            ):
                self.html_routes.add(id(func.node))
            if last in web.DJANGO_DECORATORS or last in {
                "login_required",
                "api_view",
                "view_config",
            }:
                return "request"
            if dotted and last in web.ROUTES:
                return "request"
            if last in web.COMMANDS or (dotted and last in web.COMMANDS):
                return "operator"
            if last in web.TASKS:
                return "message"
        return ""

    def after_class(self, cls: ClassV) -> None:
        self.classes.append(cls)
        bases = cls.external_bases()
        handler = any(b.endswith(web.HANDLER_BASES) for b in bases)
        for name, value in cls.ns.items():
            for option in options(value):
                if isinstance(option, Func):
                    option.cls = cls
                    if handler and name in web.HANDLER_METHODS:
                        self.entries[id(option.node)] = Entry(option, "request", option, cls)
                    elif id(option.node) in self.entries:
                        self.entries[id(option.node)].owner = cls

    def registered(self, call: Call) -> None:
        name, args = call.last, call.args
        kind = "request" if name in web.REGISTRARS else "message" if name in web.CALLBACKS else ""
        by_type = len(args) > 1 and isinstance(args[0], Extern | ClassV)
        if not kind or (name == "register" and by_type):
            # What a single-dispatch function registers is called by the program itself.
            return
        for value in call.values:
            if isinstance(value, Func) and not isinstance(value.node, ast.Lambda):
                self.entries.setdefault(id(value.node), Entry(value, kind, value, value.cls))
            elif isinstance(value, Bound) and isinstance(value.self_, Instance):
                self.instances.setdefault(id(value.func.node), value.self_)
                self.entries.setdefault(
                    id(value.func.node), Entry(value.func, kind, value.func, value.func.cls)
                )

    # Entries.

    def enter_entry(self, entry: Entry) -> None:
        """Calls a function with what comes from outside."""
        if isinstance(entry.func.node, ast.Lambda):
            return
        self.frame = Frame(self.globals)
        self.state = State(self.globals.vars)
        self.limit = self.spent + (ENTRY_BUDGET if self.spent < BUDGET else 0)
        func, self_ = entry.func, None
        if entry.owner is not None and not _is_static(func):
            self_ = self.instances.get(id(func.node)) or self.instance_of(entry.owner)
        args, kwargs = self._parameters(func, entry.kind, skip_self=self_ is not None)
        target = entry.target if isinstance(entry.target, Func) else func
        if target is func:
            value = self.call_function(func, args, kwargs, func.node, self_)
        else:
            value = self.call_value(target, [*args], kwargs, func.node)
            if id(func.node) not in self.executed:
                self.call_function(func, args, kwargs, func.node, self_)
        self.executed.add(id(func.node))
        if entry.kind == "request" and self.here() is not None:
            self.response(func, value)
        self.state = State(self.globals.vars)

    def instance_of(self, cls: ClassV) -> Instance:
        """One object of a class that nobody in the file makes."""
        known = self.instances.get(id(cls.node))
        if known is not None:
            return known
        init = cls.find("__init__")
        self.instances[id(cls.node)] = Instance(cls)
        made: Value = Instance(cls)
        saved = self.state
        if isinstance(init, Func):
            args, kwargs = self._parameters(init, "setup", skip_self=True)
            made = self.instantiate(cls, args, kwargs, cls.node)
        elif self.is_record(cls, cls.external_bases()):
            fields = {
                n: self.parameter(n, a, "setup", cls.node)
                for n, a in self.record_fields(cls).items()
            }
            made = self.instantiate(cls, [], fields, cls.node)
        if self.state is None:
            self.state = saved
        if isinstance(made, Instance):
            self.instances[id(cls.node)] = made
        return self.instances[id(cls.node)]

    def _parameters(
        self, func: Func, kind: str, *, skip_self: bool
    ) -> tuple[list[Value], dict[str, Value]]:
        spec = func.node.args
        positional = [*spec.posonlyargs, *spec.args]
        if positional and (skip_self or (positional[0].arg in SELF and func.cls is not None)):
            positional = positional[1:] if not _is_static(func) else positional
        defaults: dict[str, Value] = {}
        names = [a.arg for a in [*spec.posonlyargs, *spec.args]]
        defaults.update(zip(reversed(names), reversed(func.defaults), strict=False))
        args = [
            self._argument(func, a, kind, i, defaults.get(a.arg)) for i, a in enumerate(positional)
        ]
        kwargs: Kwargs = {}
        for arg, default in zip(spec.kwonlyargs, func.kw_defaults, strict=True):
            kwargs[arg.arg] = self._argument(func, arg, kind, 9, default)
        if spec.kwarg is not None and kind == "request":
            kwargs["**"] = Unknown(
                "", self.source("request", "kwargs", "the path of the request", func.node)
            )
        if not skip_self and func.cls is not None and not _is_static(func):
            args.insert(0, Unknown())
        return args, kwargs

    def _argument(
        self, func: Func, arg: ast.arg, kind: str, position: int, default: Value | None
    ) -> Value:
        if isinstance(arg.annotation, ast.Name) and arg.annotation.id in self.aliases:
            named = ast.arg(arg.arg, self.aliases[arg.annotation.id])
            arg = ast.copy_location(named, arg)
        dependency = self._dependency(arg, default)
        if dependency is not None:
            return dependency
        value = self.parameter(arg.arg, arg.annotation, kind, arg, position, func)
        pattern = _pattern_of(arg.annotation, default)
        if pattern is not None and isinstance(value, Unknown):
            mask = pattern_mask(pattern.removeprefix("^").removesuffix("$"))
            if mask is not None and value.marks:
                facts = {m.sid: Fact(mask) for m in value.marks}
                value = bake(value, facts)
        if kind in {"operator"} and isinstance(func.node, ast.FunctionDef):
            return self._option(func, arg, value)
        if kind == "caller" and default is not None and not marks_of(value):
            return default
        if kind == "setup" and default is not None:
            return default
        return value

    def _option(self, func: Func, arg: ast.arg, value: Value) -> Value:
        """An option of a command: its type may leave no choice."""
        assert not isinstance(func.node, ast.Lambda)
        for decorator in func.node.decorator_list:
            text = ast.unparse(decorator)
            name = arg.arg.replace("_", "-")
            named = f"'--{name}'" in text or f"'{arg.arg}'" in text or f"'{name}'" in text
            if named and HARMLESS_OPTION.search(text):
                return Unknown("int")
        return value

    def _dependency(self, arg: ast.arg, default: Value | None) -> Value | None:
        """``Depends(f)``: the result of f, called with the request."""
        call: Value | None = None
        if isinstance(default, Thing) and default.type.endswith(("Depends()", "Security()")):
            call = default.args[0] if default.args else default.kwargs.get("dependency")
            call = call or self.lookup(last_name(core(arg.annotation)))
        elif arg.annotation is not None and "Depends" in names_in(arg.annotation):
            for node in ast.walk(arg.annotation):
                if isinstance(node, ast.Call) and last_name(node.func) == "Depends" and node.args:
                    call = self.eval(node.args[0])
        if call is None:
            return None
        if isinstance(call, Func):
            args, kwargs = self._parameters(call, "request", skip_self=False)
            value = self.call_function(call, args, kwargs, call.node)
            if isinstance(value, Seq) and value.kind == "gen":
                return value.items[0] if value.items else value.rest or Unknown()
            return value
        if isinstance(call, ClassV):
            init = call.find("__init__")
            if isinstance(init, Func):
                args, kwargs = self._parameters(init, "request", skip_self=True)
                return self.instantiate(call, args, kwargs, call.node)
            fields = {
                n: self.parameter(n, a, "request", call.node)
                for n, a in self.record_fields(call).items()
            }
            return self.instantiate(call, [], fields, call.node)
        return Unknown()

    def parameter(
        self,
        name: str,
        annotation: ast.expr | None,
        kind: str,
        node: ast.AST,
        position: int = 0,
        func: Func | None = None,
    ) -> Value:
        """What a parameter of an entry can be."""
        type_ = last_name(core(annotation))
        names = names_in(annotation)
        if names & web.REQUEST_TYPES or (name in web.REQUEST_NAMES and annotation is None):
            if not (kind == "caller" and annotation is None and not self._is_web()):
                return Unknown("request")
            if self._is_web():
                return Unknown("request")
        if "Response" in type_ and kind == "request":
            return Thing("response")
        found = self.globals.vars.get(type_)
        if isinstance(found, ClassV):
            return self._class_parameter(found, name, kind, node)
        if clean_type(annotation, self.enum_names()):
            return Unknown("int")
        if names & web.UPLOAD_TYPES:
            return Unknown("upload", self.source("request", name, f"the upload {name}", node))
        if names & web.STREAM_TYPES:
            return Unknown("", self.source("message", name, "data from the network", node))
        return self._plain_parameter(name, annotation, kind, node, position, func)

    def _plain_parameter(
        self,
        name: str,
        annotation: ast.expr | None,
        kind: str,
        node: ast.AST,
        position: int,
        func: Func | None,
    ) -> Value:
        if kind == "setup":
            return self._secret_parameter(SECRET_SETTING, name, node)
        if kind in {"request", "message", "operator"}:
            return self._entry_parameter(name, annotation, kind, node, position, func)
        entry = "" if func is None else func.name
        if name == "environ" and position == 0:
            return Unknown("request.environ", self.source("request", name, "the request", node))
        if (name == "event" and "handler" in entry) or (
            name in {"scope", "receive"} and entry == "__call__"
        ):
            return Unknown("", self.source("request", name, "the request", node))
        if not _is_data(annotation) and annotation is not None:
            return Unknown(last_name(core(annotation)))
        if self._speaks_of_outside(name, func):
            return Unknown("", self.source("caller", name, f"the parameter {name}", node))
        known = self._secret_parameter(SECRET_PARAMETER, name, node)
        if func is not None and func.name != "__init__" and self._composes(func):
            marks = self.source(PARAMETER, f"parameter.{name}", f"the parameter {name}", node)
            return Unknown("", known.marks | marks)
        return known

    def _composes(self, func: Func) -> bool:
        known = self.composing.get(id(func.node))
        if known is None:
            known = self.composing[id(func.node)] = composes(func.node)
        return known

    def _secret_parameter(self, names: re.Pattern[str], name: str, node: ast.AST) -> Unknown:
        if names.search(name):
            return Unknown("", self.mark("secret", node, f"the secret {name}", f"secret.{name}"))
        return Unknown()

    def _entry_parameter(
        self,
        name: str,
        annotation: ast.expr | None,
        kind: str,
        node: ast.AST,
        position: int,
        func: Func | None,
    ) -> Value:
        """A parameter that a framework fills."""
        given = name in {"writer", "channel", "context", "db", "session"}
        if func is not None and name in SERVED and (annotation is None or given):
            return Unknown() if name != "session" else Thing("db session")
        if annotation is not None and not _is_data(annotation):
            return Unknown(last_name(core(annotation)))
        first = kind == "request" and position == 0 and annotation is None
        if first and ("django" in self.framework or name in web.REQUEST_NAMES):
            return Unknown("request")
        return Unknown("", self.source(kind, name, f"the parameter {name}", node))

    def _speaks_of_outside(self, name: str, func: Func | None) -> bool:
        """Whether the names and texts of a function say that its data comes from outside."""
        if self.is_library:
            return False
        if name in web.STRANGERS_NAMES:
            return True
        if func is None or isinstance(func.node, ast.Lambda):
            return False
        text = " ".join(
            (ast.get_docstring(func.node) or "", func.name.replace("_", " "), self.docs)
        ).lower()
        return name in web.OUTSIDE_NAMES - web.OWN_NAMES and any(
            re.search(rf"\b{re.escape(word)}s?\b", text) for word in web.OUTSIDE_WORDS
        )

    def _class_parameter(self, cls: ClassV, name: str, kind: str, node: ast.AST) -> Value:
        bases = cls.external_bases()
        if any(b.endswith(web.MODEL_BASES) for b in bases):
            return Instance(cls, self.source("stored", name, f"the stored {name}", node))
        if kind in {"request", "message"} and self.is_record(cls, bases):
            return self.model_from(
                cls, Unknown("", self.source(kind, name, f"the body {name}", node)), node
            )
        if kind == "caller" or kind == "setup":
            known = self.instances.get(id(cls.node))
            if known is not None and known.attrs:
                return known
            if (
                self.is_record(cls, bases)
                and kind == "caller"
                and self._speaks_of_outside(name, None)
            ):
                return self.model_from(
                    cls, Unknown("", self.source(kind, name, f"the parameter {name}", node)), node
                )
        if any(b.endswith("Enum") for b in bases):
            return Unknown("enum")
        return self.instance_of(cls)

    def _is_web(self) -> bool:
        return bool(
            re.search(
                r"flask|django|fastapi|starlette|aiohttp|tornado|sanic|bottle|quart|pyramid|"
                r"falcon|webob|werkzeug|rest_framework",
                self.framework,
            )
        )

    # Responses.

    def response(self, func: Func, value: Value) -> None:
        """A text that a handler returns may be a page."""
        flask = re.search(r"\b(flask|bottle|quart|cherrypy|web)\b", self.framework)
        if not flask and id(func.node) not in self.html_routes:
            return
        for option in options(value):
            body = (
                option.items[0]
                if isinstance(option, Seq) and option.kind == "tuple" and option.items
                else option
            )
            for part in options(body):
                if isinstance(part, Text | Unknown) and not (
                    isinstance(part, Unknown) and part.type in {"response", "int"}
                ):
                    mark = harmful("xss", part)
                    if mark is not None:
                        self.report("xss", mark, _last_return(func))

    # Logging.

    def _safe_logging(self, tree: ast.Module) -> bool:
        """Whether every handler of the file has a formatter or filter that removes line breaks."""
        safe_classes = {
            n.name for n in ast.walk(tree) if isinstance(n, ast.ClassDef) and _cleans_records(n)
        }
        if not safe_classes:
            return False
        set_to: dict[str, set[str]] = {}
        made: set[str] = set()
        text = ast.unparse(tree)
        for node in ast.walk(tree):
            value = node.value if isinstance(node, ast.Assign) else None
            if isinstance(value, ast.Call) and last_name(value.func).endswith("Handler"):
                assert isinstance(node, ast.Assign)
                made.update(t.id for t in node.targets if isinstance(t, ast.Name))
            if isinstance(node, ast.Call) and _sets_formatter(node.func) and node.args:
                owner = ast.unparse(node.func.value)
                set_to.setdefault(owner, set()).add(last_name(node.args[0]))
        if set_to:
            safe = {o for o, names in set_to.items() if names & safe_classes}
            return (
                bool(safe) and made <= safe | {o for o in made if o in safe} if made else bool(safe)
            )
        return any(f"{name}" in text.replace(f"class {name}", "") for name in safe_classes)


def _sets_formatter(function: ast.expr) -> TypeGuard[ast.Attribute]:
    return isinstance(function, ast.Attribute) and function.attr in {"setFormatter", "addFilter"}


def _cleans_records(node: ast.ClassDef) -> bool:
    """Whether a formatter or filter makes one line of each finished record."""
    bases = {last_name(b) for b in node.bases}
    text = ast.unparse(node)
    if not bases & {
        "Formatter",
        "Filter",
        "LoggerAdapter",
        "Handler",
        "StreamHandler",
        "JsonFormatter",
    }:
        return False
    cleans = re.search(r"unicode_escape|translate\(|replace\(|\.sub\(|json\.dumps|repr\(|!r", text)
    if not cleans:
        return False
    if "Formatter" in bases:
        return "getMessage" in text or "super().format(" in text or "json.dumps" in text
    if "Filter" in bases:
        return "getMessage" in text or "record.args" in text
    return True


def _documentation(tree: ast.Module) -> str:
    text = (ast.get_docstring(tree) or "") if tree.body else ""
    return text if len(text) < 600 else ""


LANGUAGES = re.compile(
    r"\b(select|insert|update|delete)\b.*['\"]|\(\w+=|\[@?\w+\s*=\s*['\"]",
    re.IGNORECASE | re.DOTALL,
)


def composes(node: ast.AST) -> bool:
    """Whether a function puts together a text of another language, such as SQL."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
            if LANGUAGES.search(inner.value):
                return True
        elif isinstance(inner, ast.keyword):
            if inner.arg == "shell":
                return True
        elif isinstance(inner, ast.Attribute) and inner.attr in {"system", "popen", "getoutput"}:
            return True
    return False


def _aliases(tree: ast.Module) -> dict[str, ast.expr]:
    """Names of the module for annotated types, such as ``Page = Annotated[int, Query()]``."""
    return {
        target.id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Subscript)
        and last_name(node.value.value) == "Annotated"
        for target in node.targets
        if isinstance(target, ast.Name)
    }


def _is_library(tree: ast.Module) -> bool:
    """Whether other files call this one: it names what it offers, or has files beside it.

    Who calls it decides what its parameters hold, and that is written in other files.
    """
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else []
        if any(isinstance(t, ast.Name) and t.id == "__all__" for t in targets):
            return True
        if isinstance(node, ast.ImportFrom) and node.level:
            return True
    return False


def _referenced(tree: ast.Module) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            names.add(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            names.add(node.attr)
    return names


def _is_static(func: Func) -> bool:
    if isinstance(func.node, ast.Lambda):
        return False
    return any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in func.node.decorator_list)


def _is_data(annotation: ast.expr | None) -> bool:
    """Whether a type is one of plain data."""
    if annotation is None:
        return True
    names = names_in(annotation)
    return bool(
        names
        & {
            "str",
            "bytes",
            "dict",
            "list",
            "Any",
            "object",
            "Dict",
            "List",
            "Mapping",
            "Iterable",
            "bytearray",
            "BinaryIO",
            "IO",
            "TextIO",
            "Sequence",
            "HttpUrl",
            "EmailStr",
            "AnyUrl",
            "Text",
            "AnyHttpUrl",
            "memoryview",
            "MutableMapping",
            "Iterator",
            "set",
            "tuple",
            "Form",
            "Query",
            "SecretStr",
            "Path",
        }
    )


def _pattern_of(annotation: ast.expr | None, default: Value | None) -> str | None:
    if isinstance(default, Thing) and default.type.rsplit(".", 1)[-1].rstrip("()") in {
        "Query",
        "Path",
        "Form",
        "Header",
        "Cookie",
        "Body",
    }:
        return const_str(default.kwargs.get("pattern") or default.kwargs.get("regex"))
    if annotation is not None:
        for node in ast.walk(annotation):
            if (
                isinstance(node, ast.keyword)
                and node.arg in {"pattern", "regex"}
                and isinstance(node.value, ast.Constant)
            ):
                return str(node.value.value)
    return None


def _last_return(func: Func) -> ast.AST:
    found: ast.AST = func.node
    for node in ast.walk(func.node):
        if isinstance(node, ast.Return) and node.lineno >= getattr(found, "lineno", 0):
            found = node
    return found
