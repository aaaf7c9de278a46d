"""Analyzes a whole file: first the module's code, then its entry points, then functions without
callers.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import NamedTuple

from quartermaster_quality.taint.annotations import clean_type, core, last_name, names_in
from quartermaster_quality.taint.call_interpreter import decorated_with, yielded
from quartermaster_quality.taint.compare import fact
from quartermaster_quality.taint.judge import harmful
from quartermaster_quality.taint.marks import pattern_mask
from quartermaster_quality.taint.rules import web
from quartermaster_quality.taint.rules.classes import PARAMETER
from quartermaster_quality.taint.state import Frame, State
from quartermaster_quality.taint.statement_interpreter import BUDGET, ENTRY_BUDGET
from quartermaster_quality.taint.uses import Uses
from quartermaster_quality.taint.values import (
    AbstractValue,
    Args,
    Bound,
    ClassV,
    ComposedText,
    Const,
    Extern,
    ExternalCall,
    Func,
    Instance,
    Kwargs,
    Seq,
    Thing,
    Unknown,
    bake,
    const_str,
    marks_of,
    options,
)

SELF_PARAMETERS = {"self", "cls"}
HARMLESS_OPTION = re.compile(
    r"type=(int|float|click\.(INT|FLOAT|IntRange|FloatRange|Choice|UUID|DateTime|BOOL))"
    r"|is_flag=True|envvar"
)
SECRET_SETTING = re.compile(r"secret|token|passw|api_?key|^key$|signing|credential|code_file")
SECRET_PARAMETER = re.compile(
    r"secret|passw|api_?key|^key$|signing_key|private_key|credential|expected"
)
WEB_FRAMEWORK = re.compile(
    r"flask|django|fastapi|starlette|aiohttp|tornado|sanic|bottle|quart|pyramid|falcon|webob|"
    r"werkzeug|rest_framework"
)
# Types of plain data, in annotations; classes that FastAPI fills; classes that see log records.
DATA_TYPES = {
    "str", "bytes", "dict", "list", "Any", "object", "Dict", "List", "Mapping", "Iterable",
    "bytearray", "BinaryIO", "IO", "TextIO", "Sequence", "HttpUrl", "EmailStr", "AnyUrl", "Text",
    "AnyHttpUrl", "memoryview", "MutableMapping", "Iterator", "set", "tuple", "Form", "Query",
    "SecretStr", "Path",
}  # fmt: skip
FILLED_DEFAULTS = {"Query", "Path", "Form", "Header", "Cookie", "Body"}
LOG_CLASSES = {
    "Formatter", "Filter", "LoggerAdapter", "Handler", "StreamHandler", "JsonFormatter",
}  # fmt: skip
HANDLER_PARAMETERS = {
    "self", "context", "channel", "method", "properties", "writer", "ctx", "response", "db",
    "session",
}  # fmt: skip


@dataclass(slots=True)
class EntryPoint:
    """An entry point: a function that is called from outside the file."""

    func: Func
    kind: str
    target: AbstractValue
    owner: ClassV | None


class Parameter(NamedTuple):
    """A parameter of an entry point, or a field of a record that an entry point receives.

    Attributes:
        kind: where the value comes from, such as ``request``.
        func: the function of a parameter; None for a field.
    """

    name: str
    annotation: ast.expr | None
    kind: str
    node: ast.AST
    position: int = 0
    func: Func | None = None


class Analyzer(Uses):
    """Analyzes a module and collects the findings."""

    def __init__(self, tree: ast.Module) -> None:
        super().__init__()
        self.tree = tree
        self.functions: dict[int, Func] = {}
        self.classes: list[ClassV] = []
        self.entries: dict[int, EntryPoint] = {}
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
        self.globals.vars["__name__"] = Const("__main__")
        self.globals.vars |= {name: Const(name) for name in ("__file__", "__doc__")}

    def analyze(self) -> None:
        """Analyzes the module, then the entry points, then the remaining functions. The entry
        points are analyzed twice, because an entry point may read values that another entry point
        stores.
        """
        self.run(self.tree.body)
        self.state = State(self.globals.vars)
        self.globals.vars.setdefault("__done__", Const(True))
        self._enter_all()
        self._remaining()
        if self.spent < BUDGET:
            self._enter_all()
        self.check_contexts()
        self.check_morsels()
        for mark, node in self.hashed_passwords:
            self.report("hash", mark, node)

    def _enter_all(self) -> None:
        done: set[int] = set()
        while len(done) < len(self.entries):
            for key, entry in list(self.entries.items()):
                if key not in done:
                    done.add(key)
                    self.enter_entry(entry)

    def _remaining(self) -> None:
        """Analyzes the functions that the analysis has not reached through a call."""
        names = _referenced(self.tree)
        todo = [f for f in list(self.functions.values()) if id(f.node) not in self.executed]
        todo.sort(key=lambda f: (f.name in names, getattr(f.node, "lineno", 0)))
        for func in todo:
            if id(func.node) in self.executed:
                continue
            known = set(self.entries)
            self.enter_entry(EntryPoint(func, "caller", func, func.cls))
            for key in [k for k in self.entries if k not in known]:
                self.enter_entry(self.entries[key])

    # Definitions.

    def after_function(self, func: Func) -> None:
        self.functions[id(func.node)] = func

    def decorated(self, func: Func) -> AbstractValue:
        value: AbstractValue = func
        assert not isinstance(func.node, ast.Lambda)
        for decorator in reversed(func.decorators):
            for option in options(decorator):
                if isinstance(option, Func | Bound) and self.state is not None:
                    made = self.call_value(option, [value], {}, func.node)
                    if isinstance(made, Func):
                        value = made
        kind = self.entry_kind(func)
        if kind:
            self.entries[id(func.node)] = EntryPoint(func, kind, value, None)
        return value

    def entry_kind(self, func: Func) -> str:
        """Returns the kind of input that a function receives from outside, such as ``request``,
        judging by its decorators. Returns an empty string if it receives no such input.
        """
        assert not isinstance(func.node, ast.Lambda)
        for node in func.node.decorator_list:
            target = node.func if isinstance(node, ast.Call) else node
            last = target.attr if isinstance(target, ast.Attribute) else getattr(target, "id", "")
            dotted = isinstance(target, ast.Attribute)
            keywords = node.keywords if isinstance(node, ast.Call) else []
            if any(k.arg == "response_class" and "HTML" in ast.unparse(k.value) for k in keywords):
                self.html_routes.add(id(func.node))
            if last in web.DJANGO_DECORATORS or (dotted and last in web.ROUTES):
                return "request"
            if last in web.COMMANDS:
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
                        self.entries[id(option.node)] = EntryPoint(option, "request", option, cls)
                    elif id(option.node) in self.entries:
                        self.entries[id(option.node)].owner = cls

    def registered(self, call: ExternalCall) -> None:
        name, args = call.last, call.args
        kind = "request" if name in web.REGISTRARS else "message" if name in web.CALLBACKS else ""
        by_type = len(args) > 1 and isinstance(args[0], Extern | ClassV)
        if not kind or (name == "register" and by_type):
            # What a single-dispatch function registers is called by the program itself.
            return
        for value in call.values:
            if isinstance(value, Func) and not isinstance(value.node, ast.Lambda):
                self.entries.setdefault(id(value.node), EntryPoint(value, kind, value, value.cls))
            elif isinstance(value, Bound) and isinstance(value.self_, Instance):
                self.instances.setdefault(id(value.func.node), value.self_)
                self.entries.setdefault(
                    id(value.func.node), EntryPoint(value.func, kind, value.func, value.func.cls)
                )

    # Entries.

    def enter_entry(self, entry: EntryPoint) -> None:
        """Analyzes a call of an entry point whose arguments are untrusted input."""
        if isinstance(entry.func.node, ast.Lambda):
            return
        self.frame = Frame(self.globals)
        self.state = State(self.globals.vars)
        self.limit = self.spent + (ENTRY_BUDGET if self.spent < BUDGET else 0)
        func, self_ = entry.func, None
        if entry.owner is not None and not decorated_with(func, "staticmethod"):
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
        """Returns the object that represents all objects of a class. The first call creates it."""
        known = self.instances.get(id(cls.node))
        if known is not None:
            return known
        init = cls.find("__init__")
        self.instances[id(cls.node)] = Instance(cls)
        made: AbstractValue = Instance(cls)
        saved = self.state
        if isinstance(init, Func):
            args, kwargs = self._parameters(init, "setup", skip_self=True)
            made = self.instantiate(cls, args, kwargs, cls.node)
        elif self.is_record(cls, cls.external_bases()):
            made = self._record(cls, "setup")
        if self.state is None:
            self.state = saved
        if isinstance(made, Instance):
            self.instances[id(cls.node)] = made
        return self.instances[id(cls.node)]

    def _record(self, cls: ClassV, kind: str) -> AbstractValue:
        """Returns an object of a record class. The fields get the same kinds of values as
        parameters of an entry point.
        """
        fields = {
            name: self.parameter(Parameter(name, annotation, kind, cls.node))
            for name, annotation in self.record_fields(cls).items()
        }
        return self.instantiate(cls, [], fields, cls.node)

    def _parameters(self, func: Func, kind: str, *, skip_self: bool) -> tuple[Args, Kwargs]:
        spec = func.node.args
        positional = [*spec.posonlyargs, *spec.args]
        names = [a.arg for a in positional]
        defaults = dict(zip(reversed(names), reversed(func.defaults), strict=False))
        static = decorated_with(func, "staticmethod")
        is_method = skip_self or (func.cls is not None and bool(SELF_PARAMETERS & {*names[:1]}))
        if is_method and not static:
            positional = positional[1:]
        args = [
            self._argument(func, a, kind, i, defaults.get(a.arg)) for i, a in enumerate(positional)
        ]
        kwargs: Kwargs = {}
        for arg, default in zip(spec.kwonlyargs, func.kw_defaults, strict=True):
            kwargs[arg.arg] = self._argument(func, arg, kind, 9, default)
        if spec.kwarg is not None and kind == "request":
            marks = self.source("request", "kwargs", "the path of the request", func.node)
            kwargs["**"] = Unknown("", marks)
        if not skip_self and func.cls is not None and not static:
            args.insert(0, Unknown())
        return args, kwargs

    def _argument(
        self, func: Func, arg: ast.arg, kind: str, position: int, default: AbstractValue | None
    ) -> AbstractValue:
        if isinstance(arg.annotation, ast.Name) and arg.annotation.id in self.aliases:
            arg = ast.copy_location(ast.arg(arg.arg, self.aliases[arg.annotation.id]), arg)
        dependency = self._dependency(arg, default)
        if dependency is not None:
            return dependency
        value = self.parameter(Parameter(arg.arg, arg.annotation, kind, arg, position, func))
        pattern = _pattern_of(arg.annotation, default)
        if pattern is not None and isinstance(value, Unknown):
            mask = pattern_mask(pattern.removeprefix("^").removesuffix("$"))
            value = value if mask is None else bake(value, fact(value.marks, mask=mask))
        if kind == "operator" and isinstance(func.node, ast.FunctionDef):
            return self._option(func, arg, value)
        stays = kind == "setup" or (kind == "caller" and not marks_of(value))
        return default if default is not None and stays else value

    def _option(self, func: Func, arg: ast.arg, value: AbstractValue) -> AbstractValue:
        """Returns the value of a command's option. The value is harmless if the option's type
        allows no free text.
        """
        assert not isinstance(func.node, ast.Lambda)
        for decorator in func.node.decorator_list:
            text = ast.unparse(decorator)
            name = arg.arg.replace("_", "-")
            named = f"'--{name}'" in text or f"'{arg.arg}'" in text or f"'{name}'" in text
            if named and HARMLESS_OPTION.search(text):
                return Unknown("int")
        return value

    def _dependency(self, arg: ast.arg, default: AbstractValue | None) -> AbstractValue | None:
        """Returns the value of a parameter declared with ``Depends(f)``: the result of f for a
        request. Returns None for any other parameter.
        """
        call: AbstractValue | None = None
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
            return yielded(self.call_function(call, args, kwargs, call.node))
        if isinstance(call, ClassV):
            init = call.find("__init__")
            if isinstance(init, Func):
                args, kwargs = self._parameters(init, "request", skip_self=True)
                return self.instantiate(call, args, kwargs, call.node)
            return self._record(call, "request")
        return Unknown()

    def parameter(self, given: Parameter) -> AbstractValue:
        """Returns the abstract value of a parameter of an entry point."""
        name, annotation, kind, node, *_ = given
        type_ = last_name(core(annotation))
        names = names_in(annotation)
        named = name in web.REQUEST_NAMES and annotation is None
        if names & web.REQUEST_TYPES or (named and (kind != "caller" or self._is_web())):
            return Unknown("request")
        if "Response" in type_ and kind == "request":
            return Thing("response")
        found = self.globals.vars.get(type_)
        if isinstance(found, ClassV):
            return self._class_parameter(found, given)
        if clean_type(annotation, self.enum_names()):
            return Unknown("int")
        if names & web.UPLOAD_TYPES:
            return Unknown("upload", self.source("request", name, f"the upload {name}", node))
        if names & web.STREAM_TYPES:
            return Unknown("", self.source("message", name, "data from the network", node))
        return self._plain_parameter(given)

    def _plain_parameter(self, given: Parameter) -> AbstractValue:
        name, annotation, kind, node, position, func = given
        if kind == "setup":
            return self._secret_parameter(SECRET_SETTING, name, node)
        if kind in {"request", "message", "operator"}:
            return self._entry_parameter(given)
        entry = "" if func is None else func.name
        if name == "environ" and position == 0:
            return Unknown("request.environ", self.source("request", name, "the request", node))
        asgi = name in {"scope", "receive"} and entry == "__call__"
        if asgi or (name == "event" and "handler" in entry):
            return Unknown("", self.source("request", name, "the request", node))
        if not _is_data(annotation):
            return Unknown(last_name(core(annotation)))
        if self._speaks_of_outside(name, func):
            return self._outside(given, f"the parameter {name}")
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

    def _entry_parameter(self, given: Parameter) -> AbstractValue:
        """Returns the value of a parameter to which a framework passes input."""
        name, annotation, kind, _, position, func = given
        served = name in {"writer", "channel", "context", "db", "session"}
        if func is not None and name in HANDLER_PARAMETERS and (annotation is None or served):
            return Unknown() if name != "session" else Thing("db session")
        if not _is_data(annotation):
            return Unknown(last_name(core(annotation)))
        first = kind == "request" and position == 0 and annotation is None
        if first and ("django" in self.framework or name in web.REQUEST_NAMES):
            return Unknown("request")
        return self._outside(given, f"the parameter {name}")

    def _outside(self, given: Parameter, text: str) -> Unknown:
        return Unknown("", self.source(given.kind, given.name, text, given.node))

    def _speaks_of_outside(self, name: str, func: Func | None) -> bool:
        """Returns whether names and docstrings suggest that a parameter holds data from outside."""
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

    def _class_parameter(self, cls: ClassV, given: Parameter) -> AbstractValue:
        name, kind, node = given.name, given.kind, given.node
        bases = cls.external_bases()
        if any(b.endswith(web.MODEL_BASES) for b in bases):
            return Instance(cls, self.source("stored", name, f"the stored {name}", node))
        is_record = self.is_record(cls, bases)
        if kind in {"request", "message"} and is_record:
            return self.model_from(cls, self._outside(given, f"the body {name}"), node)
        known = self.instances.get(id(cls.node))
        if kind in {"caller", "setup"} and known is not None and known.attrs:
            return known
        if kind == "caller" and is_record and self._speaks_of_outside(name, None):
            return self.model_from(cls, self._outside(given, f"the parameter {name}"), node)
        if any(b.endswith("Enum") for b in bases):
            return Unknown("enum")
        return self.instance_of(cls)

    def _is_web(self) -> bool:
        return bool(WEB_FRAMEWORK.search(self.framework))

    # Responses.

    def response(self, func: Func, value: AbstractValue) -> None:
        """Reports a handler that returns a page with unescaped input."""
        flask = re.search(r"\b(flask|bottle|quart|cherrypy|web)\b", self.framework)
        if not flask and id(func.node) not in self.html_routes:
            return
        for option in options(value):
            pair = option.items if isinstance(option, Seq) and option.kind == "tuple" else []
            for part in options(pair[0] if pair else option):
                plain = isinstance(part, Unknown) and part.type in {"response", "int"}
                mark = harmful("xss", part) if isinstance(part, ComposedText | Unknown) else None
                if mark is not None and not plain:
                    self.report("xss", mark, _last_return(func))

    # Logging.

    def _safe_logging(self, tree: ast.Module) -> bool:
        """Returns whether every log handler in the file has a formatter or filter that removes line
        breaks.
        """
        safe_classes = {
            n.name for n in ast.walk(tree) if isinstance(n, ast.ClassDef) and _cleans_records(n)
        }
        if not safe_classes:
            return False
        set_to: dict[str, set[str]] = {}
        made: set[str] = set()
        for node in ast.walk(tree):
            match node:
                case ast.Assign(targets=targets, value=ast.Call(func=function)):
                    if last_name(function).endswith("Handler"):
                        made.update(t.id for t in targets if isinstance(t, ast.Name))
                case ast.Call(
                    func=ast.Attribute(value=owner, attr="setFormatter" | "addFilter"),
                    args=[first, *_],
                ):
                    set_to.setdefault(ast.unparse(owner), set()).add(last_name(first))
                case _:
                    pass
        if set_to:
            safe = {o for o, names in set_to.items() if names & safe_classes}
            return bool(safe) and made <= safe
        text = ast.unparse(tree)
        return any(name in text.replace(f"class {name}", "") for name in safe_classes)


def _cleans_records(node: ast.ClassDef) -> bool:
    """Returns whether a class is a formatter or filter that writes each log record on one line."""
    bases = {last_name(b) for b in node.bases}
    if not bases & LOG_CLASSES:
        return False
    text = ast.unparse(node)
    if not re.search(r"unicode_escape|translate\(|replace\(|\.sub\(|json\.dumps|repr\(|!r", text):
        return False
    if "Formatter" in bases:
        return bool(re.search(r"getMessage|super\(\)\.format\(|json\.dumps", text))
    return "Filter" not in bases or "getMessage" in text or "record.args" in text


def _documentation(tree: ast.Module) -> str:
    text = (ast.get_docstring(tree) or "") if tree.body else ""
    return text if len(text) < 600 else ""


LANGUAGES = re.compile(
    r"\b(select|insert|update|delete)\b.*['\"]|\(\w+=|\[@?\w+\s*=\s*['\"]",
    re.IGNORECASE | re.DOTALL,
)


def composes(node: ast.AST) -> bool:
    """Returns whether a function builds a text in another language, such as SQL or shell."""
    for inner in ast.walk(node):
        match inner:
            case ast.Constant(value=str(text)) if LANGUAGES.search(text):
                return True
            case ast.keyword(arg="shell") | ast.Attribute(attr="system" | "popen" | "getoutput"):
                return True
            case _:
                continue
    return False


def _aliases(tree: ast.Module) -> dict[str, ast.expr]:
    """Returns the module's aliases of annotated types, such as ``Page = Annotated[int, Query()]``,
    by name.
    """
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
    """Returns whether other files are likely to call this file: it defines ``__all__`` or uses
    relative imports.

    If so, the callers determine the values of the file's parameters, and the pass does not see
    these callers.
    """
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else []
        if any(isinstance(t, ast.Name) and t.id == "__all__" for t in targets):
            return True
        if isinstance(node, ast.ImportFrom) and node.level:
            return True
    return False


def _referenced(tree: ast.Module) -> set[str]:
    return {
        last_name(node)
        for node in ast.walk(tree)
        if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load)
    }


def _is_data(annotation: ast.expr | None) -> bool:
    """Returns whether an annotation names a type of plain data, such as ``str``, or is missing."""
    return annotation is None or bool(names_in(annotation) & DATA_TYPES)


def _pattern_of(annotation: ast.expr | None, default: AbstractValue | None) -> str | None:
    if (
        isinstance(default, Thing)
        and default.type.rsplit(".", 1)[-1].rstrip("()") in FILLED_DEFAULTS
    ):
        return const_str(default.kwargs.get("pattern") or default.kwargs.get("regex"))
    for node in () if annotation is None else ast.walk(annotation):
        match node:
            case ast.keyword(arg="pattern" | "regex", value=ast.Constant(value=pattern)):
                return str(pattern)
            case _:
                continue
    return None


def _last_return(func: Func) -> ast.AST:
    returns = [node for node in ast.walk(func.node) if isinstance(node, ast.Return)]
    return max(reversed(returns), key=lambda node: node.lineno, default=func.node)
