"""Attributes and calls that leave the file: what they give."""

from __future__ import annotations

import ast
import re
from abc import abstractmethod
from dataclasses import replace
from functools import lru_cache

from quartermaster.quality.taint.compare import fact
from quartermaster.quality.taint.expressions import (
    unknown_item,
)
from quartermaster.quality.taint.functions import Functions
from quartermaster.quality.taint.marks import (
    ALNUM,
    ANY,
    ASCII,
    DIGITS,
    LETTERS,
    NO_FACTS,
    OTHER,
    WORD,
    Mark,
    mask_of,
)
from quartermaster.quality.taint.methods import line_of
from quartermaster.quality.taint.rules import results, web
from quartermaster.quality.taint.rules.classes import PARAMETER
from quartermaster.quality.taint.values import (
    NO_MARKS,
    Bound,
    Call,
    Choice,
    Const,
    Extern,
    Func,
    Instance,
    Map,
    Method,
    Partial,
    Seq,
    Super,
    Text,
    Thing,
    Unknown,
    Value,
    blend,
    choice,
    const_str,
    map_marks,
    marks_of,
)

CONSTANTS: dict[str, object] = {
    "os.sep": "/", "os.path.sep": "/", "os.linesep": "\n", "os.pathsep": ":",
    "string.ascii_letters": "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "string.ascii_lowercase": "abcdefghijklmnopqrstuvwxyz",
    "string.ascii_uppercase": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "string.digits": "0123456789", "string.hexdigits": "0123456789abcdefABCDEF",
    "string.punctuation": "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~",
}  # fmt: skip

# The position of the function among the arguments, and where its own arguments begin.
RUNNERS: dict[str, tuple[int, int]] = {
    "asyncio.to_thread": (0, 1), "run_in_executor": (1, 2), "run_in_threadpool": (0, 1),
    "submit": (0, 1), "run_sync": (0, 1), "spawn": (0, 1), "call_soon": (0, 1),
    "start_soon": (0, 1), "apply": (0, 1), "add_task": (0, 1), "call_later": (1, 2),
    "call_soon_threadsafe": (0, 1), "deferToThread": (0, 1), "add_callback": (0, 1),
    "sync_to_async": (0, 1), "add_job": (0, 1), "run_coroutine_threadsafe": (0, 1),
}  # fmt: skip

NO_RETURN = {
    "flask.abort", "sys.exit", "exit", "quit", "os._exit", "werkzeug.exceptions.abort",
    "bottle.abort", "quart.abort", "flask_restful.abort", "abort", "werkzeug.abort",
}  # fmt: skip

SAME_METHODS = {
    "strip", "lstrip", "rstrip", "lower", "upper", "casefold", "title", "capitalize", "swapcase",
    "removeprefix", "removesuffix", "expandtabs", "ljust", "rjust", "zfill", "center", "copy",
    "read", "readline", "readlines", "decode", "encode", "tobytes", "getvalue", "__str__",
    "as_posix",
    "open", "iter_content", "iter_bytes", "aread", "chunks", "json", "text", "body",
    "form", "post", "data", "get_json", "get_data", "iter_lines", "absolute_path", "expanduser",
    "get_payload", "receive", "receive_json", "receive_text", "recv", "iter_json", "iter_text",
    "read_text", "read_bytes", "getbuffer", "to_bytes", "astype", "dict", "to_dict", "model_dump",
    "seek",
    "as_dict", "__enter__", "__aenter__", "absolute", "value", "dump", "iter_any", "human_repr",
    "as_uri",
}  # fmt: skip

PART_METHODS = {
    "split", "rsplit", "splitlines", "partition", "rpartition", "group", "groups", "groupdict",
    "findall", "pop", "popitem", "values", "keys", "items", "getlist", "getall", "get_all",
    "multi_items",
    "get", "getone", "iterdir", "first", "setdefault", "get_list", "lists", "getfirst",
    "getvalue", "next",
    "popleft", "find", "findtext", "xpath", "iterfind", "iter", "fetch", "result", "part",
    "get_argument", "get_arguments", "get_body_argument", "get_query_argument", "get_cookie",
    "get_body_arguments", "get_query_arguments", "field", "get_form_parameter",
}  # fmt: skip

CLEAN_METHODS = {
    "count", "index", "rindex", "rfind", "__len__", "bit_length", "hexdigest", "digest",
    "timestamp",
    "total_seconds", "strftime", "isoformat", "tell", "fileno", "weekday", "exists",
    "is_file", "is_dir", "stat", "toordinal",
}  # fmt: skip

PREDICATES: dict[str, int] = {
    "isdigit": DIGITS | OTHER, "isdecimal": DIGITS | OTHER, "isnumeric": DIGITS | OTHER,
    "isalnum": ALNUM, "isalpha": LETTERS | OTHER, "isidentifier": WORD | OTHER,
    "isascii": ASCII, "isprintable": ANY & ~mask_of(map(chr, range(32))) & ~mask_of("\x7f\x85"),
    "islower": ANY, "isupper": ANY,
}  # fmt: skip

_ALIASES = (
    ("lxml.etree.", "etree."),
    ("urllib.", "urllib.parse."),
    ("posixpath.", "os.path."),
    ("six.moves.urllib.", "urllib."),
    ("anyio.Path", "pathlib.Path"),
)


class Library(Functions):
    """Calls that leave the file."""

    # What the analyzer gives.

    @abstractmethod
    def check_call(self, call: Call) -> Value | None:
        """Looks for sinks; a value if the rules know the result."""

    @abstractmethod
    def source(self, kind: str, sid: str, text: str, node: ast.AST | None) -> frozenset[Mark]: ...

    @abstractmethod
    def registered(self, name: str, args: list[Value], kwargs: dict[str, Value]) -> None: ...

    def elements(self, value: Value, line: int) -> tuple[list[Value], Value | None]:
        if isinstance(value, Thing) and results.MESSAGES.search(value.type):
            node = ast.Pass(lineno=line)
            marks = self.source("message", f"message@{line}", "a message", node)
            return [], Unknown("", marks)
        return super().elements(value, line)

    # Attributes.

    def library_attribute(  # noqa: PLR0911 - one for each kind of value
        self, owner: Value, name: str, node: ast.AST
    ) -> Value:
        if isinstance(owner, Extern):
            return self._extern_attribute(owner, name, node)
        if isinstance(owner, Thing):
            return self._thing_attribute(owner, name)
        if isinstance(owner, Unknown) and owner.type == "request":
            return self.request_data(name, node)
        if isinstance(owner, Unknown) and owner.type == "url":
            return _url_attribute(owner, name)
        if isinstance(owner, Text | Const):
            return self._text_attribute(owner, name)
        if isinstance(owner, Func):
            return owner if name in {"__wrapped__", "func"} else Unknown()
        if isinstance(owner, Unknown):
            return self._unknown_attribute(owner, name, node)
        if isinstance(owner, Map) and name in owner.items:
            return owner.items[name]
        return Unknown("", marks_of(owner))

    def _unknown_attribute(self, owner: Unknown, name: str, node: ast.AST) -> Value:
        if owner.type == "path" or name in {"parent", "parents", "stem", "suffix"}:
            return self._text_attribute(owner, name)
        if (
            owner.type == "model"
            and not name.startswith("_")
            and name not in {"pk", "id", "objects"}
        ):
            return Unknown("", self.source("stored", f"row.{name}", f"stored value {name}", node))
        if owner.type in {"upload", "request.files"} and name in {"filename", "name"}:
            return Unknown("str", frozenset(m.part(".filename") for m in owner.marks))
        if owner.type in {"upload"} and name in {"size"}:
            return Unknown("int")
        if owner.type.startswith("request") and name in {"host", "port", "scheme"}:
            return Unknown("str")
        type_ = "upload" if name == "file" and owner.type == "upload" else ""
        return Unknown(
            type_ or f"{owner.type}.{name}", frozenset(m.part(f".{name}") for m in owner.marks)
        )

    def _extern_attribute(self, owner: Extern, name: str, node: ast.AST) -> Value:
        full = f"{owner.name}.{name}"
        if full in CONSTANTS:
            return Const(CONSTANTS[full])
        if owner.name in web.REQUEST_GLOBALS:
            return self.request_data(name, node)
        kind = web.EXTERN_SOURCES.get(full)
        if kind is not None:
            return Unknown("", self.source(kind, full, full, node))
        return Extern(full)

    def request_data(self, name: str, node: ast.AST | None) -> Value:
        """An attribute of a request."""
        if name in {"session"}:
            return Thing("session")
        if name not in web.REQUEST_DATA:
            return Unknown(f"request-{name}")
        type_ = "request.files" if name in {"files", "FILES"} else f"request.{name}"
        return Unknown(type_, self.source("request", f"request.{name}", f"request.{name}", node))

    def _thing_attribute(self, owner: Thing, name: str) -> Value:
        if name in owner.attrs:
            return owner.attrs[name]
        if owner.type == "pathlib.Path" or owner.type == "path":
            return self._text_attribute(Text((owner,), "path"), name)
        marks = frozenset(
            m.part(f".{name}" if not name.startswith("[") else name) for m in owner.marks
        )
        return Unknown(f"{owner.type}.{name}", marks)

    def _text_attribute(self, owner: Value, name: str) -> Value:
        marks = marks_of(owner)
        if name in {"name", "stem"}:
            no_slash = ANY & ~mask_of("/")
            return Unknown(
                "str",
                frozenset(
                    replace(m, sid=m.sid + "|base", mask=m.mask & no_slash, safe=m.safe | {"path"})
                    for m in marks
                ),
            )
        if name in {"parent", "parents"}:
            return Unknown(
                name, marks if name == "parents" else frozenset(m.part("|parent") for m in marks)
            )
        if name in {"suffix", "suffixes"}:
            return Unknown(
                "str",
                frozenset(replace(m.part("|part"), mask=m.mask & ~mask_of("/")) for m in marks),
            )
        return Unknown("", marks)

    def base_attribute(self, owner: Instance, name: str, node: ast.AST) -> Value:
        bases = owner.cls.external_bases()
        if any(b.endswith(web.HANDLER_BASES) for b in bases):
            if name == "request":
                return Unknown("request")
            if name in web.HANDLER_SOURCES or name == "kwargs":
                marks = self.source("request", f"self.{name}", f"self.{name}", node)
                return Unknown(f"request.{name}", marks)
        if any(b.endswith(web.MODEL_BASES) for b in bases) and owner.marks:
            return Unknown("", self.source("stored", f"row.{name}", f"stored value {name}", node))
        if bases:
            base = owner.attrs.get("__base__")
            if isinstance(base, Thing):
                return Method(base, name)
            return Method(Thing(bases[0], marks=owner.marks), name)
        if "__rest__" in owner.attrs:
            return map_marks(owner.attrs["__rest__"], lambda m: m.part(f".{name}"))
        return Unknown("", frozenset(m.part(f".{name}") for m in owner.marks))

    # Methods.

    def call_method(
        self, owner: Value, name: str, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value:
        if isinstance(owner, Choice):
            return choice([self.call_method(o, name, args, kwargs, node) for o in owner.options])
        if isinstance(owner, Extern):
            return self.call_extern(f"{owner.name}.{name}", args, kwargs, node)
        if isinstance(owner, Super):
            return self._super_call(owner, name, args, kwargs, node)
        call = Call(f".{name}", owner, args, kwargs, node)
        decided = self.check_call(call)
        if decided is not None:
            return decided
        self.registered(name, args, kwargs)
        ran = self._run_passed(name, args, kwargs, node)
        if ran is not None:
            return ran
        handler = self.methods.get(name)
        if handler is not None:
            result = handler(call)
            if result is not None:
                return result
        return self._other_method(owner, name, args, kwargs, node)

    def _super_call(
        self, owner: Super, name: str, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value:
        bases = owner.cls.external_bases()
        if name == "__init__" and isinstance(owner.self_, Instance):
            for base in bases:
                made = self.call_extern(base, args, kwargs, node)
                owner.self_.attrs["__base__"] = made
            return Const(None)
        decided = self.check_call(Call(f".{name}", owner, args, kwargs, node))
        if decided is not None:
            return decided
        return blend([*args, *kwargs.values()])

    def _other_method(
        self, owner: Value, name: str, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value:
        if isinstance(owner, Unknown) and owner.type == "request":
            found = self.request_data(name, node)
            return (
                self._argument_of(found, args)
                if name.startswith("get_") and name.endswith(("argument", "cookie", "header"))
                else found
            )
        mask = PREDICATES.get(name)
        if mask is not None:
            return self._predicate(owner, mask)
        kind = web.METHOD_SOURCES.get(name)
        if kind is not None and all(m.kind == PARAMETER for m in marks_of(owner)):
            return Unknown("", self.source(kind, f"{name}@{line_of(node)}", f"{name}()", node))
        if isinstance(owner, Const) and name in SAME_METHODS:
            return _const_method(owner, name, args)
        if name in CLEAN_METHODS:
            return Unknown("digest" if "digest" in name else "int")
        if name in SAME_METHODS:
            return self._same(owner)
        if name in PART_METHODS or name.startswith(("get_", "iter_")):
            return self._argument_of(owner, args)
        return self._unmodelled(owner, name, args, kwargs)

    def _unmodelled(
        self, owner: Value, name: str, args: list[Value], kwargs: dict[str, Value]
    ) -> Value:
        if isinstance(owner, Unknown | Text | Seq | Map | Const) and marks_of(owner):
            return Unknown("", frozenset(m.part("|part") for m in marks_of(owner)))
        if isinstance(owner, Thing):
            got = Thing(f"{owner.type}.{name}()", args, kwargs, owner.marks)
            if not _is_lookup(name):
                got.marks |= blend([*args, *kwargs.values()], "").marks
            return got
        if _is_lookup(name):
            return Thing(f"{getattr(owner, 'type', '')}.{name}()", args, kwargs)
        return blend([owner, *args, *kwargs.values()])

    def _argument_of(self, owner: Value, args: list[Value]) -> Value:
        if args and isinstance(args[0], Const) and isinstance(owner, Unknown):
            found = unknown_item(owner, args[0])
            if len(args) > 1 and not isinstance(args[1], Const):
                return choice([found, args[1]])
            return found
        marks = marks_of(owner)
        type_ = "model" if isinstance(owner, Unknown) and owner.type == "models" else ""
        return Unknown(type_, frozenset(m.part("|part") for m in marks))

    def _predicate(self, owner: Value, mask: int) -> Value:
        text = const_str(owner)
        if text is not None:
            return Unknown("bool")
        return Unknown("bool", NO_MARKS, (fact(marks_of(owner), mask=mask), NO_FACTS))

    # Functions of libraries.

    def call_extern(
        self, name: str, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value:
        call = Call(name, None, args, kwargs, node)
        decided = self.check_call(call)
        if decided is not None:
            return decided
        if name in NO_RETURN:
            self.leave()
            return Unknown()
        last = name.rsplit(".", 1)[-1]
        self.registered(last, args, kwargs)
        handler = self.externs.get(name) or self.externs.get(_canonical(name))
        if handler is not None:
            result = handler(call)
            if result is not None:
                return result
        ran = self._run_passed(name if name in RUNNERS else last, args, kwargs, node)
        if ran is not None:
            return ran
        kind = web.CALL_SOURCES.get(name)
        if kind is not None:
            return Unknown(
                f"{name}()", self.source(kind, f"{name}@{line_of(node)}", f"{name}()", node)
            )
        spec = results.RESULTS.get(name) or results.RESULTS.get(_canonical(name))
        if spec is not None:
            return self.by_spec(spec, args, kwargs)
        return self._other_extern(name, last, args, kwargs, node)

    def _other_extern(
        self, name: str, last: str, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value:
        for pattern, spec in results.SANITIZER_NAMES:
            if re.search(pattern, last.lower()):
                return self.by_spec(spec, args, kwargs)
        if last in {"escape", "quote"}:
            return self.by_spec("lacks:<>\"'", args, kwargs)
        if last in web.METHOD_SOURCES:
            kind = web.METHOD_SOURCES[last]
            return Unknown("model", self.source(kind, f"{last}@{line_of(node)}", f"{last}()", node))
        made = Thing(f"{name}()", args, kwargs, line=line_of(node))
        if not _is_lookup(last):
            for value in [*args, *kwargs.values()]:
                made.marks |= frozenset(m.part("|part") for m in marks_of(value))
        return made

    def by_spec(self, spec: str, args: list[Value], kwargs: dict[str, Value]) -> Value:
        """The result that a table describes."""
        first = args[0] if args else next(iter(kwargs.values()), Unknown())
        value: Value = first
        for word in _spec_words(spec):
            value = self._spec_word(word, value, args, kwargs)
        return value

    def _spec_word(
        self, word: str, value: Value, args: list[Value], kwargs: dict[str, Value]
    ) -> Value:
        simple = {
            "clean": lambda: Unknown("int"),
            "same": lambda: value,
            "blend": lambda: blend([*args, *kwargs.values()]),
            "tuple": lambda: Seq(
                "tuple",
                [
                    Unknown("str", marks_of(value)),
                    Unknown("str", frozenset(m.part("|part") for m in marks_of(value))),
                ],
            ),
            "parent": lambda: Unknown(
                "parent", frozenset(m.part("|parent") for m in marks_of(value))
            ),
            "name": lambda: map_marks(value, lambda m: m.part("|base")),
            "commonpath": lambda: Unknown("commonpath", blend(args).marks),
            "resolved": lambda: _resolved(value),
            "type": lambda: Unknown("type", marks_of(value)),
            "url": lambda: Unknown("url", marks_of(value)),
        }.get(word)
        if simple is not None:
            return simple()
        if word == "decode":
            return Unknown("", frozenset(_decoded(m) for m in marks_of(value)))
        kind, _, rest = word.partition(":")
        if kind == "verdict":
            return Unknown("bool", NO_MARKS, (fact(marks_of(value), safe=(rest,)), NO_FACTS))
        blurred = (
            blend([*args, *kwargs.values()], "str")
            if kind == "safe"
            else Unknown("str", marks_of(value))
        )
        if kind == "safe":
            return map_marks(blurred, lambda m: replace(m, safe=m.safe | {rest}))
        mask = mask_of(rest) if kind == "only" else ANY & ~mask_of(rest)
        return map_marks(blurred, lambda m: replace(m, mask=m.mask & mask))

    def _run_passed(
        self, name: str, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value | None:
        """Calls a function that is passed to run: threads, executors, tasks."""
        where = RUNNERS.get(name)
        callables = (Func, Bound, Partial)
        if where is not None and len(args) > where[0] and isinstance(args[where[0]], callables):
            return self.call_value(args[where[0]], args[where[1] :], kwargs, node)
        target = kwargs.get("target")
        if isinstance(target, callables):
            items, _ = self.elements(kwargs.get("args", Seq("tuple", [])), line_of(node))
            more = kwargs.get("kwargs")
            named = {str(k): v for k, v in more.items.items()} if isinstance(more, Map) else {}
            self.call_value(target, items, named, node)
            return Unknown()
        return None


@lru_cache(maxsize=4096)
def _canonical(name: str) -> str:
    for old, new in _ALIASES:
        if name.startswith(old):
            return new + name.removeprefix(old)
    return name


@lru_cache(maxsize=4096)
def _is_lookup(name: str) -> bool:
    low = name.lower().lstrip("_")
    return any(low == verb or low.startswith(verb + "_") for verb in results.LOOKUPS) or low in {
        "mail",
        "save",
    }


def _resolved(value: Value) -> Value:
    return map_marks(value, lambda m: replace(m, flags=m.flags | {"resolved"}))


def _decoded(mark: Mark) -> Mark:
    """Decoding brings back what was escaped, and what was checked before."""
    return replace(mark, sid=mark.sid + "|decoded", mask=ANY, safe=mark.safe & {"signed"})


def _spec_words(spec: str) -> list[str]:
    if spec.startswith(("lacks:", "only:")) and " safe:" not in spec:
        return [spec]
    if " safe:" in spec or " name" in spec:
        return spec.split(" ")
    return [spec]


def _url_attribute(owner: Unknown, name: str) -> Value:
    marks = owner.marks
    if name in {"netloc", "hostname", "host"}:
        facts = fact(marks, safe=("no-host",))
        return Unknown("str", frozenset(m.part("|host") for m in marks), (NO_FACTS, facts))
    if name == "scheme":
        facts = fact(marks, safe=("no-scheme",))
        return Unknown("str", frozenset(m.part("|scheme") for m in marks), (NO_FACTS, facts))
    if name == "port":
        return Unknown("int")
    return Unknown("str", frozenset(m.part(f"|part{name}") for m in marks))


def _const_method(owner: Const, name: str, args: list[Value]) -> Value:
    if isinstance(owner.value, str) and all(isinstance(a, Const) for a in args):
        method = getattr(owner.value, name, None)
        if method is not None and name in {
            "strip",
            "lower",
            "upper",
            "title",
            "lstrip",
            "rstrip",
            "casefold",
        }:
            try:
                return Const(method(*(a.value for a in args if isinstance(a, Const))), owner.line)
            except TypeError:
                return owner
    return owner
