"""Interprets attributes and calls that the file does not define."""

from __future__ import annotations

import ast
import re
from abc import abstractmethod
from dataclasses import replace
from functools import lru_cache

from quartermaster_quality.taint.compare import fact
from quartermaster_quality.taint.expressions import unknown_item
from quartermaster_quality.taint.functions import FunctionInterpreter
from quartermaster_quality.taint.marks import (
    ALNUM,
    ANY_CHARACTER,
    ASCII,
    CONTROLS,
    DIGITS,
    LETTERS,
    NO_FACTS,
    OTHER_CHARACTERS,
    WORD,
    Mark,
    mask_of,
)
from quartermaster_quality.taint.methods import without
from quartermaster_quality.taint.rules import results, web
from quartermaster_quality.taint.rules.classes import PARAMETER
from quartermaster_quality.taint.values import (
    NO_MARKS,
    AbstractValue,
    Args,
    Bound,
    ComposedText,
    Const,
    Extern,
    ExternalCall,
    Func,
    Instance,
    Kwargs,
    Map,
    Method,
    Partial,
    Seq,
    Super,
    Thing,
    UnionValue,
    Unknown,
    blend,
    choice,
    const_str,
    line_of,
    map_marks,
    marks_of,
    part_of,
    verdict,
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

FOLDED_METHODS = {"strip", "lower", "upper", "title", "lstrip", "rstrip", "casefold"}
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
    "isdigit": DIGITS | OTHER_CHARACTERS, "isdecimal": DIGITS | OTHER_CHARACTERS,
    "isnumeric": DIGITS | OTHER_CHARACTERS, "isalnum": ALNUM,
    "isalpha": LETTERS | OTHER_CHARACTERS, "isidentifier": WORD | OTHER_CHARACTERS,
    "isascii": ASCII, "isprintable": ANY_CHARACTER & ~CONTROLS & ~mask_of("\x85"),
    "islower": ANY_CHARACTER, "isupper": ANY_CHARACTER,
}  # fmt: skip

_ALIASES = (
    ("lxml.etree.", "etree."),
    ("urllib.", "urllib.parse."),
    ("posixpath.", "os.path."),
    ("six.moves.urllib.", "urllib."),
    ("anyio.Path", "pathlib.Path"),
)


class LibraryInterpreter(FunctionInterpreter):
    """Interprets calls of functions and methods that the file does not define."""

    # What the analyzer gives.

    @abstractmethod
    def check_call(self, call: ExternalCall) -> AbstractValue | None:
        """Checks whether a call is a sink. Returns the result of the call if the rules know the
        result, else None.
        """

    @abstractmethod
    def registered(self, call: ExternalCall) -> None: ...

    def source(self, kind: str, sid: str, text: str, node: ast.AST | None) -> frozenset[Mark]:
        return frozenset({Mark(sid, kind, line_of(node), text)})

    def elements(
        self, value: AbstractValue, line: int
    ) -> tuple[list[AbstractValue], AbstractValue | None]:
        if isinstance(value, Thing) and results.MESSAGES.search(value.type):
            node = ast.Pass(lineno=line)
            marks = self.source("message", f"message@{line}", "a message", node)
            return [], Unknown("", marks)
        return super().elements(value, line)

    # Attributes.

    def library_attribute(self, owner: AbstractValue, name: str, node: ast.AST) -> AbstractValue:
        if isinstance(owner, Extern):
            return self._extern_attribute(owner, name, node)
        if isinstance(owner, Thing):
            return self._thing_attribute(owner, name)
        if isinstance(owner, ComposedText | Const):
            return self._text_attribute(owner, name)
        if isinstance(owner, Func):
            return owner if name in {"__wrapped__", "func"} else Unknown()
        if isinstance(owner, Unknown):
            return self._unknown_attribute(owner, name, node)
        if isinstance(owner, Map) and name in owner.items:
            return owner.items[name]
        return Unknown("", marks_of(owner))

    def _unknown_attribute(self, owner: Unknown, name: str, node: ast.AST) -> AbstractValue:
        if owner.type == "request":
            return self.request_data(name, node)
        if owner.type == "url":
            return _url_attribute(owner, name)
        if owner.type == "path" or name in {"parent", "parents", "stem", "suffix"}:
            return self._text_attribute(owner, name)
        public = not name.startswith("_") and name not in {"pk", "id", "objects"}
        if owner.type == "model" and public:
            return Unknown("", self.source("stored", f"row.{name}", f"stored value {name}", node))
        if owner.type in {"upload", "request.files"} and name in {"filename", "name"}:
            return part_of(owner, ".filename", "str")
        if owner.type == "upload" and name == "size":
            return Unknown("int")
        if owner.type.startswith("request") and name in {"host", "port", "scheme"}:
            return Unknown("str")
        is_file = owner.type == "upload" and name == "file"
        return part_of(owner, f".{name}", "upload" if is_file else f"{owner.type}.{name}")

    def _extern_attribute(self, owner: Extern, name: str, node: ast.AST) -> AbstractValue:
        full = f"{owner.name}.{name}"
        if full in CONSTANTS:
            return Const(CONSTANTS[full])
        if owner.name in web.REQUEST_GLOBALS:
            return self.request_data(name, node)
        kind = web.EXTERN_SOURCES.get(full)
        if kind is not None:
            return Unknown("", self.source(kind, full, full, node))
        return Extern(full)

    def request_data(self, name: str, node: ast.AST | None) -> AbstractValue:
        """Returns the value of an attribute of a request."""
        if name == "session":
            return Thing("session")
        if name not in web.REQUEST_DATA:
            return Unknown(f"request-{name}")
        type_ = "request.files" if name in {"files", "FILES"} else f"request.{name}"
        return Unknown(type_, self.source("request", f"request.{name}", f"request.{name}", node))

    def _thing_attribute(self, owner: Thing, name: str) -> AbstractValue:
        if name in owner.attrs:
            return owner.attrs[name]
        if owner.type in {"pathlib.Path", "path"}:
            return self._text_attribute(ComposedText((owner,), "path"), name)
        part = name if name.startswith("[") else f".{name}"
        return part_of(owner, part, f"{owner.type}.{name}")

    def _text_attribute(self, owner: AbstractValue, name: str) -> AbstractValue:
        marks = marks_of(owner)
        no_slash = ~mask_of("/")
        if name in {"name", "stem"}:
            based = (
                replace(m, sid=m.sid + "|base", mask=m.mask & no_slash, safe=m.safe | {"path"})
                for m in marks
            )
            return Unknown("str", frozenset(based))
        if name == "parent":
            return part_of(owner, "|parent", "parent")
        if name in {"suffix", "suffixes"}:
            ends = (replace(m.part("|part"), mask=m.mask & no_slash) for m in marks)
            return Unknown("str", frozenset(ends))
        return Unknown("parents" if name == "parents" else "", marks)

    def base_attribute(self, owner: Instance, name: str, node: ast.AST) -> AbstractValue:
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
        self, owner: AbstractValue, name: str, args: Args, kwargs: Kwargs, node: ast.AST
    ) -> AbstractValue:
        if isinstance(owner, UnionValue):
            return choice([self.call_method(o, name, args, kwargs, node) for o in owner.options])
        if isinstance(owner, Extern):
            return self.call_extern(f"{owner.name}.{name}", args, kwargs, node)
        call = ExternalCall(f".{name}", owner, args, kwargs, node)
        if isinstance(owner, Super):
            return self._super_call(owner, call)
        decided = self.check_call(call)
        if decided is not None:
            return decided
        self.registered(call)
        model = self.methods.get(name)
        result = self._run_passed(name, call) or (model(call) if model is not None else None)
        return self._other_method(owner, name, call) if result is None else result

    def _super_call(self, owner: Super, call: ExternalCall) -> AbstractValue:
        if call.name == ".__init__" and isinstance(owner.self_, Instance):
            for base in owner.cls.external_bases():
                made = self.call_extern(base, call.args, call.kwargs, call.node)
                owner.self_.attrs["__base__"] = made
            return Const(None)
        return self.check_call(call) or blend(call.values)

    def _other_method(self, owner: AbstractValue, name: str, call: ExternalCall) -> AbstractValue:
        if isinstance(owner, Unknown) and owner.type == "request":
            found = self.request_data(name, call.node)
            one = name.startswith("get_") and name.endswith(("argument", "cookie", "header"))
            return self._argument_of(found, call.args) if one else found
        if name in PREDICATES:
            marks = marks_of(owner) if const_str(owner) is None else NO_MARKS
            return verdict(fact(marks, mask=PREDICATES[name]))
        kind = web.METHOD_SOURCES.get(name)
        if kind is not None and all(m.kind == PARAMETER for m in marks_of(owner)):
            return self._of_call(kind, name, "", call.node)
        if isinstance(owner, Const) and name in SAME_METHODS:
            return _const_method(owner, name, call.args)
        if name in CLEAN_METHODS:
            return Unknown("digest" if "digest" in name else "int")
        if name in SAME_METHODS:
            return self._same(owner)
        if name in PART_METHODS or name.startswith(("get_", "iter_")):
            return self._argument_of(owner, call.args)
        return self._unmodelled(owner, name, call)

    def _of_call(self, kind: str, name: str, type_: str, node: ast.AST) -> Unknown:
        """Returns the result of a call that reads data from outside."""
        return Unknown(type_, self.source(kind, f"{name}@{line_of(node)}", f"{name}()", node))

    def _unmodelled(self, owner: AbstractValue, name: str, call: ExternalCall) -> AbstractValue:
        if isinstance(owner, Unknown | ComposedText | Seq | Map | Const) and marks_of(owner):
            return part_of(owner, "|part")
        if isinstance(owner, Thing):
            got = Thing(f"{owner.type}.{name}()", call.args, call.kwargs, owner.marks)
            if not _is_lookup(name):
                got.marks |= blend(call.values).marks
            return got
        if _is_lookup(name):
            return Thing(f"{getattr(owner, 'type', '')}.{name}()", call.args, call.kwargs)
        return blend([owner, *call.values])

    def _argument_of(self, owner: AbstractValue, args: Args) -> AbstractValue:
        if args and isinstance(args[0], Const) and isinstance(owner, Unknown):
            found = unknown_item(owner, args[0])
            if len(args) > 1 and not isinstance(args[1], Const):
                return choice([found, args[1]])
            return found
        is_table = isinstance(owner, Unknown) and owner.type == "models"
        return part_of(owner, "|part", "model" if is_table else "")

    # Functions of libraries.

    def call_extern(self, name: str, args: Args, kwargs: Kwargs, node: ast.AST) -> AbstractValue:
        call = ExternalCall(name, None, args, kwargs, node)
        decided = self.check_call(call)
        if decided is not None:
            return decided
        if name in NO_RETURN:
            self.leave()
            return Unknown()
        self.registered(call)
        model = self.externs.get(name) or self.externs.get(_canonical(name))
        runner = name if name in RUNNERS else call.last
        result = (model(call) if model is not None else None) or self._run_passed(runner, call)
        if result is not None:
            return result
        kind = web.CALL_SOURCES.get(name)
        if kind is not None:
            return self._of_call(kind, name, f"{name}()", node)
        spec = results.RESULTS.get(name) or results.RESULTS.get(_canonical(name))
        return self._other_extern(call) if spec is None else self._by_spec(spec, call)

    def _other_extern(self, call: ExternalCall) -> AbstractValue:
        last = call.last
        for pattern, spec in results.SANITIZER_NAMES:
            if re.search(pattern, last.lower()):
                return self._by_spec(spec, call)
        if last in {"escape", "quote"}:
            return self._by_spec("lacks:<>\"'", call)
        if last in web.METHOD_SOURCES:
            return self._of_call(web.METHOD_SOURCES[last], last, "model", call.node)
        made = Thing(f"{call.name}()", call.args, call.kwargs, line=line_of(call.node))
        if not _is_lookup(last):
            made.marks = frozenset(m.part("|part") for v in call.values for m in marks_of(v))
        return made

    def _by_spec(self, spec: str, call: ExternalCall) -> AbstractValue:
        """Returns the result of a call, as described in the table ``rules/results.py``."""
        value = next(iter(call.values), Unknown())
        for word in spec.split(" ") if " safe:" in spec else [spec]:
            value = self._spec_word(word, value, call)
        return value

    def _spec_word(  # noqa: C901, PLR0911, PLR0912 - one for each word
        self, word: str, value: AbstractValue, call: ExternalCall
    ) -> AbstractValue:
        match word.partition(":"):
            case "clean", _, _:
                return Unknown("int")
            case "same", _, _:
                return value
            case "blend", _, _:
                return blend(call.values)
            case "tuple", _, _:
                return Seq("tuple", [blend([value], "str"), part_of(value, "|part", "str")])
            case "parent", _, _:
                return part_of(value, "|parent", "parent")
            case "name", _, _:
                return map_marks(value, lambda m: m.part("|base"))
            case "commonpath", _, _:
                return blend(call.args, "commonpath")
            case "resolved", _, _:
                return map_marks(value, lambda m: replace(m, flags=m.flags | {"resolved"}))
            case (("type" | "url"), _, _):
                return blend([value], word)
            case "decode", _, _:
                return Unknown("", frozenset(_decoded(m) for m in marks_of(value)))
            case "verdict", _, rest:
                return verdict(fact(marks_of(value), safe=(rest,)))
            case "safe", _, rest:
                blended = blend(call.values, "str")
                return map_marks(blended, lambda m: replace(m, safe=m.safe | {rest}))
            case kind, _, rest:
                lacking = ~mask_of(rest) if kind == "only" else mask_of(rest)
                return without(blend([value], "str"), lacking)

    def _run_passed(self, name: str, call: ExternalCall) -> AbstractValue | None:
        """Interprets the call of a function that is passed to a thread, an executor or a task."""
        args, kwargs, node = call.args, call.kwargs, call.node
        at, first = RUNNERS.get(name, (0, 0))
        callables = (Func, Bound, Partial)
        if first and len(args) > at and isinstance(args[at], callables):
            return self.call_value(args[at], args[first:], kwargs, node)
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
    return any(low == verb or low.startswith(verb + "_") for verb in results.LOOKUPS)


def _decoded(mark: Mark) -> Mark:
    """Returns the mark of decoded data. Escaping and checks before the decoding no longer make the
    data harmless; a verified signature still does.
    """
    return replace(mark, sid=mark.sid + "|decoded", mask=ANY_CHARACTER, safe=mark.safe & {"signed"})


def _url_attribute(owner: Unknown, name: str) -> AbstractValue:
    if name == "port":
        return Unknown("int")
    part = "host" if name in {"netloc", "hostname", "host"} else name
    if part not in {"host", "scheme"}:
        return part_of(owner, f"|part{name}", "str")
    facts = fact(owner.marks, safe=(f"no-{part}",))
    return Unknown("str", part_of(owner, f"|{part}").marks, (NO_FACTS, facts))


def _const_method(owner: Const, name: str, args: Args) -> AbstractValue:
    given = [a.value for a in args if isinstance(a, Const)]
    if not isinstance(owner.value, str) or name not in FOLDED_METHODS or len(given) < len(args):
        return owner
    try:
        return Const(getattr(owner.value, name)(*given), owner.line)
    except TypeError:
        return owner
