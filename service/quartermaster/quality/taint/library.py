"""Models of libraries: what their calls and attributes give."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import replace

from quartermaster.quality.taint.calls import Calls
from quartermaster.quality.taint.compare import fact, resolved_facts, whole_facts
from quartermaster.quality.taint.expressions import brace_format, merged_map, unknown_item
from quartermaster.quality.taint.marks import (
    ALNUM,
    ANY,
    ASCII,
    DIGITS,
    LETTERS,
    NO_FACTS,
    OTHER,
    WORD,
    Fact,
    Facts,
    Mark,
    both,
    either,
    mask_of,
    pattern_mask,
)
from quartermaster.quality.taint.rules import results, web
from quartermaster.quality.taint.syntax import FSTRING
from quartermaster.quality.taint.values import (
    NO_MARKS,
    Bound,
    Choice,
    ClassV,
    Const,
    Extern,
    Func,
    Instance,
    Map,
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
    join,
    make_text,
    map_marks,
    marks_of,
    options,
    text_parts,
    truth,
    when,
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
Args = list[Value]
Kwargs = dict[str, Value]

NO_RETURN = {
    "flask.abort", "sys.exit", "exit", "quit", "os._exit", "werkzeug.exceptions.abort",
    "bottle.abort", "quart.abort", "flask_restful.abort", "abort", "werkzeug.abort",
}  # fmt: skip
SAME_METHODS = {
    "strip", "lstrip", "rstrip", "lower", "upper", "casefold", "title", "capitalize", "swapcase",
    "removeprefix", "removesuffix", "expandtabs", "ljust", "rjust", "zfill", "center", "copy",
    "read", "readline", "readlines", "decode", "encode", "tobytes", "getvalue", "__str__", "as_posix",
    "open", "iter_content", "iter_bytes", "aread", "chunks", "json", "text", "body",
    "form", "post", "data", "get_json", "get_data", "iter_lines", "absolute_path", "expanduser",
    "get_payload", "receive", "receive_json", "receive_text", "recv", "iter_json", "iter_text",
    "read_text", "read_bytes", "getbuffer", "to_bytes", "astype", "dict", "to_dict", "model_dump", "seek",
    "as_dict", "__enter__", "__aenter__", "absolute", "value", "dump", "iter_any", "human_repr", "as_uri",
}  # fmt: skip
PART_METHODS = {
    "split", "rsplit", "splitlines", "partition", "rpartition", "group", "groups", "groupdict",
    "findall", "pop", "popitem", "values", "keys", "items", "getlist", "getall", "get_all", "multi_items",
    "get", "getone", "iterdir", "first", "setdefault", "get_list", "lists", "getfirst", "getvalue", "next",
    "popleft", "find", "findtext", "xpath", "iterfind", "iter", "fetch", "result", "part",
    "get_argument", "get_arguments", "get_body_argument", "get_query_argument", "get_cookie",
    "get_body_arguments", "get_query_arguments", "field", "get_form_parameter",
}  # fmt: skip
CLEAN_METHODS = {
    "count", "index", "rindex", "rfind", "__len__", "bit_length", "hexdigest", "digest", "timestamp",
    "total_seconds", "strftime", "isoformat", "tell", "fileno", "weekday", "fetchall_count", "exists",
    "is_file", "is_dir", "stat", "toordinal",
}  # fmt: skip
PREDICATES: dict[str, int] = {
    "isdigit": DIGITS | OTHER, "isdecimal": DIGITS | OTHER, "isnumeric": DIGITS | OTHER,
    "isalnum": ALNUM, "isalpha": LETTERS | OTHER, "isidentifier": WORD | OTHER,
    "isascii": ASCII, "isprintable": ANY & ~mask_of(map(chr, range(32))) & ~mask_of("\x7f\x85"),
    "islower": ANY, "isupper": ANY,
}  # fmt: skip


class Library(Calls):
    """Calls that leave the file."""

    def __init__(self) -> None:
        super().__init__()
        self.methods: dict[str, Callable[..., Value | None]] = {
            "format": self.m_format,
            "format_map": self.m_format,
            "join": self.m_join,
            "replace": self.m_replace,
            "translate": self.m_translate,
            "startswith": self.m_startswith,
            "endswith": self.m_endswith,
            "get": self.m_get,
            "pop": self.m_pop,
            "setdefault": self.m_get,
            "append": self.m_add,
            "add": self.m_add,
            "appendleft": self.m_add,
            "insert": self.m_insert,
            "put": self.m_add,
            "put_nowait": self.m_add,
            "extend": self.m_extend,
            "update": self.m_update,
            "items": self.m_items,
            "values": self.m_values,
            "keys": self.m_keys,
            "copy": self.m_copy,
            "clear": self.m_clear,
            "union": self.m_union,
            "issubset": self.m_issubset,
            "issuperset": self.m_issuperset,
            "split": self.m_split,
            "rsplit": self.m_split,
            "partition": self.m_partition,
            "rpartition": self.m_partition,
            "decode": self.m_decode,
            "encode": self.m_decode,
            "fullmatch": self.m_pattern,
            "match": self.m_pattern,
            "search": self.m_pattern,
            "sub": self.m_sub,
            "resolve": self.m_resolve,
            "absolute": self.m_resolve,
            "is_relative_to": self.m_relative,
            "relative_to": self.m_relative_to,
            "joinpath": self.m_joinpath,
            "with_name": self.m_with_name,
            "with_suffix": self.m_with_name,
            "is_absolute": self.m_is_absolute,
            "set": self.m_set,
            "model_validate": self.m_validate,
            "parse_obj": self.m_validate,
            "model_dump": self.m_dump,
            "dict": self.m_dump,
            "_asdict": self.m_dump,
            "_replace": self.m_replace_fields,
            "popleft": self.m_pop,
            "hex": self.m_hex,
            "getvalue": self.m_getvalue,
            "write": self.m_write,
            "quote": self.m_quote,
        }
        self.externs: dict[str, Callable[..., Value | None]] = {
            "getattr": self.x_getattr,
            "setattr": self.x_setattr,
            "isinstance": self.x_isinstance,
            "ast.walk": self.x_walk,
            "any": self.x_any,
            "all": self.x_all,
            "map": self.x_map,
            "filter": self.x_filter,
            "zip": self.x_zip,
            "enumerate": self.x_enumerate,
            "dict": self.x_dict,
            "list": self.x_list,
            "tuple": self.x_list,
            "set": self.x_set,
            "frozenset": self.x_set,
            "sorted": self.x_list,
            "reversed": self.x_list,
            "str": self.x_str,
            "range": self.x_range,
            "len": self.x_len,
            "next": self.x_next,
            "vars": self.x_vars,
            "bool": self.x_bool,
            "format": self.x_format,
            "functools.partial": self.x_partial,
            "dataclasses.asdict": self.x_asdict,
            "dataclasses.replace": self.x_replace,
            "asyncio.gather": self.x_gather,
            "pathlib.Path": self.x_path,
            "pathlib.PurePath": self.x_path,
            "pathlib.PurePosixPath": self.x_path,
            "os.path.join": self.x_join,
            "posixpath.join": self.x_join,
            "re.compile": self.x_compile,
            "re.match": self.x_regex,
            "re.fullmatch": self.x_regex,
            "re.search": self.x_regex,
            "re.sub": self.x_sub,
            "os.path.isabs": self.x_isabs,
            FSTRING: self.x_fstring,
            "operator.itemgetter": self.x_none,
            "itertools.chain": self.x_chain,
            "collections.defaultdict": self.x_dict_empty,
            "collections.OrderedDict": self.x_dict,
            "collections.deque": self.x_list,
            "types.SimpleNamespace": self.x_namespace,
            "types.MappingProxyType": self.x_same,
            "urllib.parse.quote": self.x_quote,
            "urllib.parse.urlunsplit": self.x_urlunsplit,
            "urllib.parse.urlunparse": self.x_urlunsplit,
            "itertools.chain.from_iterable": self.x_chain,
            "functools.reduce": self.x_reduce,
            "chr": self.x_none,
            "django.utils.http.url_has_allowed_host_and_scheme": self.x_safe_url,
            "django.utils.http.is_safe_url": self.x_safe_url,
            "hmac.compare_digest": self.x_compare_digest,
            "secrets.compare_digest": self.x_compare_digest,
            "django.utils.crypto.constant_time_compare": self.x_compare_digest,
            "base64.b64decode": self.x_decode_const,
        }

    # What the analyzer gives.

    def check_call(
        self,
        name: str,
        owner: Value | None,
        args: list[Value],
        kwargs: dict[str, Value],
        node: ast.AST,
    ) -> Value | None:
        """Looks for sinks; a value if the rules know the result."""
        raise NotImplementedError

    def source(self, kind: str, sid: str, text: str, node: ast.AST | None) -> frozenset[Mark]:
        raise NotImplementedError

    def registered(self, name: str, args: list[Value], kwargs: dict[str, Value]) -> None:
        raise NotImplementedError

    # Attributes.

    def library_attribute(self, owner: Value, name: str, node: ast.AST) -> Value:
        if isinstance(owner, Extern):
            return self._extern_attribute(owner, name, node)
        if isinstance(owner, Thing):
            return self._thing_attribute(owner, name, node)
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

    def _thing_attribute(self, owner: Thing, name: str, node: ast.AST | None) -> Value:
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
            from quartermaster.quality.taint.values import Method

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
        decided = self.check_call(f".{name}", owner, args, kwargs, node)
        if decided is not None:
            return decided
        self.registered(name, args, kwargs)
        ran = self._run_passed(name, args, kwargs, node)
        if ran is not None:
            return ran
        handler = self.methods.get(name)
        if handler is not None:
            result = handler(owner, args, kwargs, node, name)
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
        decided = self.check_call(f".{name}", owner, args, kwargs, node)
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
        if kind is not None and not marks_of(owner):
            return Unknown("", self.source(kind, f"{name}@{_line(node)}", f"{name}()", node))
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
                got.marks |= blend([*args, *kwargs.values()], "").marks  # pyright: ignore
            return got
        if _is_lookup(name):
            return Thing(f"{getattr(owner, 'type', '')}.{name}()", args, kwargs)
        return blend([owner, *args, *kwargs.values()])

    def _same(self, owner: Value) -> Value:
        if isinstance(owner, Unknown) and owner.type == "request":
            return owner
        if isinstance(owner, Unknown):
            return Unknown(owner.type, owner.marks)
        if isinstance(owner, Text):
            return owner
        if isinstance(owner, Instance | Map | Seq):
            return owner
        return Unknown("", marks_of(owner))

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
        facts = (
            whole_facts(fact(marks_of(owner), mask=mask))
            if False
            else fact(marks_of(owner), mask=mask)
        )
        return Unknown("bool", NO_MARKS, (facts, NO_FACTS))

    def m_format(
        self, owner: Value, args: Args, kwargs: Kwargs, node: ast.AST, name: str
    ) -> Value | None:
        if isinstance(owner, Thing):
            return None
        if name == "format_map" and args and isinstance(args[0], Map):
            kwargs = {str(k): v for k, v in args[0].items.items()}
            args = []
        return brace_format(owner, args, kwargs, self)

    def m_join(
        self, owner: Value, args: Args, kwargs: Kwargs, node: ast.AST, name: str
    ) -> Value | None:
        if not isinstance(owner, Const | Text | Unknown) or not args:
            return None
        items, rest = self.elements(args[0], _line(node))
        out: list[str | Value] = []
        for item in [*items, *([rest] if rest is not None else [])]:
            if out:
                out.extend(text_parts(owner))
            out.append(self.as_text(item, node))
        if rest is not None:
            out.extend(text_parts(owner))
        return make_text(out)

    def m_replace(
        self, owner: Value, args: Args, kwargs: Kwargs, node: ast.AST, name: str
    ) -> Value | None:
        if isinstance(owner, Instance) or len(args) < 2:
            return None
        old, new = const_str(args[0]), const_str(args[1])
        text = const_str(owner)
        if text is not None:
            return self._replace_in_const(text, old, args[1])
        if old is None:
            return blend([owner, args[1]], "str")
        if isinstance(owner, Text):
            return make_text(
                [
                    piece
                    for p in owner.parts
                    for piece in self._replaced_piece(p, old, new, args[1])
                ],
                owner.type,
            )
        return choice([self._replaced(owner, old, new, args[1])])

    def _replace_in_const(self, text: str, old: str | None, new: Value) -> Value:
        if old is None or (old and old not in text):
            return Const(text) if old is not None else blend([new], "str")
        if not old:
            return Unknown("str", marks_of(new))
        out: list[str | Value] = []
        pieces = text.split(old)
        for index, piece in enumerate(pieces):
            if index:
                out.append(new)
            out.append(piece)
        return make_text(out)

    def _replaced_piece(
        self, part: str | Value, old: str, new: str | None, value: Value
    ) -> list[str | Value]:
        if isinstance(part, str):
            return [self._replace_in_const(part, old, value)]
        return [self._replaced(part, old, new, value)]

    def _replaced(self, owner: Value, old: str, new: str | None, value: Value) -> Value:
        # A longer replacement is a text of the program, not a piece of the data.
        added = mask_of(new) if new is not None and len(new) <= 2 else 0

        def change(mark: Mark) -> Mark:
            mask, safe = mark.mask, mark.safe
            if len(old) == 1:
                mask &= ~mask_of(old)
            mask |= added
            if old == "\\" and new == "/":
                safe = safe | {"no-backslash"}
            if new and set(new) & set("/.<>'\"") and "path" in safe:
                safe = safe - {"path"}
            return replace(mark, mask=mask, safe=safe)

        changed = map_marks(owner, change)
        return changed if new is not None else blend([changed, value], "str")

    def m_translate(
        self, owner: Value, args: Args, kwargs: Kwargs, node: ast.AST, name: str
    ) -> Value | None:
        table = args[0] if args else Unknown()
        removed = 0
        if isinstance(table, Map):
            for key in table.items:
                if isinstance(key, int):
                    removed |= mask_of(chr(key))
                elif isinstance(key, str):
                    removed |= mask_of(key)
        if not removed:
            removed = mask_of(map(chr, range(32))) | mask_of("\x7f\x85")
        return map_marks(
            Unknown("str", marks_of(owner)), lambda m: replace(m, mask=m.mask & ~removed)
        )

    def m_startswith(
        self, owner: Value, args: Args, kwargs: Kwargs, node: ast.AST, name: str
    ) -> Value | None:
        text = const_str(owner)
        prefixes = _texts(args[0]) if args else None
        if text is not None and prefixes and all(p is not None for p in prefixes):
            return Const(text.startswith(tuple(p for p in prefixes if p is not None)))
        marks = marks_of(owner)
        if isinstance(owner, Text) and isinstance(owner.parts[0], str) and prefixes:
            if any(p and owner.parts[0].startswith(p) for p in prefixes) and owner.type != "path":
                return Const(True)
        if not args:
            return Unknown("bool")
        return Unknown("bool", NO_MARKS, _prefix_facts(marks, args[0], prefixes or [None]))

    def m_endswith(
        self, owner: Value, args: Args, kwargs: Kwargs, node: ast.AST, name: str
    ) -> Value | None:
        text = const_str(owner)
        suffixes = _texts(args[0]) if args else []
        if text is not None and suffixes and all(s is not None for s in suffixes):
            return Const(text.endswith(tuple(s for s in suffixes if s is not None)))
        facts: Facts = NO_FACTS
        if suffixes and all(s is not None and s.startswith(".") and len(s) > 3 for s in suffixes):
            for mark in marks_of(owner):
                if mark.sid.endswith("|host"):
                    facts = both(
                        facts, {mark.sid.removesuffix("|host"): Fact(safe=frozenset({"url"}))}
                    )
        return Unknown("bool", NO_MARKS, (facts, NO_FACTS))

    def m_get(
        self, owner: Value, args: Args, kwargs: Kwargs, node: ast.AST, name: str
    ) -> Value | None:
        if isinstance(owner, Map) and args:
            default = args[1] if len(args) > 1 else kwargs.get("default", Const(None))
            if name == "setdefault":
                found = self.map_item(owner, args[0], default)
                self.set_map(owner, args[0], found)
                return found
            found = self.map_item(owner, args[0], default)
            key = args[0]
            if isinstance(found, Unknown | Choice) and marks_of(key):
                return found
            return found
        typed = kwargs.get("type")
        if isinstance(typed, Extern) and typed.name in {"int", "float", "bool"}:
            return Unknown("int")
        if isinstance(owner, Thing) and f"[{const_str(args[0]) if args else ''}]" in owner.attrs:
            return owner.attrs[f"[{const_str(args[0])}]"]
        if isinstance(owner, Thing) and owner.type == "configparser.ConfigParser" and len(args) > 1:
            key = f"[{const_str(args[0])}.{const_str(args[1])}]"
            if key in owner.attrs:
                return owner.attrs[key]
        if isinstance(owner, Unknown) and owner.marks and args:
            if kwargs.get("default") is not None or len(args) > 1:
                default = args[1] if len(args) > 1 else kwargs["default"]
                return choice([unknown_item(owner, args[0]), default])
            return unknown_item(owner, args[0])
        return None

    def m_pop(
        self, owner: Value, args: Args, kwargs: Kwargs, node: ast.AST, name: str
    ) -> Value | None:
        if isinstance(owner, Seq):
            return self._pop_seq(owner, args, name)
        if isinstance(owner, Map) and args:
            found = self.map_item(owner, args[0], args[1] if len(args) > 1 else None)
            if isinstance(args[0], Const) and not self.frame.may:
                owner.items.pop(args[0].value, None)
            return found
        return None

    def _pop_seq(self, owner: Seq, args: list[Value], name: str) -> Value:
        at = 0 if name == "popleft" else -1
        if args and isinstance(args[0], Const) and isinstance(args[0].value, int):
            at = args[0].value
        if owner.rest is None and -len(owner.items) <= at < len(owner.items) and not self.frame.may:
            return owner.items.pop(at)
        return choice([*owner.items, *([owner.rest] if owner.rest is not None else [])])

    def m_add(
        self, owner: Value, args: Args, kwargs: Kwargs, node: ast.AST, name: str
    ) -> Value | None:
        if isinstance(owner, Seq) and args:
            value = args[0]
            if owner.rest is None and not self.frame.may and len(owner.items) < 40:
                owner.items.append(value)
            else:
                owner.rest = join(owner.rest, value)
            return Const(None)
        if isinstance(owner, Thing) and args and name in {"append", "put", "put_nowait", "add"}:
            owner.marks |= marks_of(args[0])
            return Unknown()
        return None

    def m_insert(
        self, owner: Value, args: Args, kwargs: Kwargs, node: ast.AST, name: str
    ) -> Value | None:
        if isinstance(owner, Seq) and len(args) > 1:
            if owner.rest is None and not self.frame.may and isinstance(args[0], Const):
                owner.items.insert(int(args[0].value), args[1])
            else:
                owner.rest = join(owner.rest, args[1])
            return Const(None)
        return None

    def m_extend(
        self, owner: Value, args: Args, kwargs: Kwargs, node: ast.AST, name: str
    ) -> Value | None:
        if isinstance(owner, Seq) and args:
            items, rest = self.elements(args[0], _line(node))
            if owner.rest is None and not self.frame.may:
                owner.items.extend(items)
            else:
                for item in items:
                    owner.rest = join(owner.rest, item)
            if rest is not None:
                owner.rest = join(owner.rest, rest)
            return Const(None)
        return None

    def m_update(
        self, owner: Value, args: Args, kwargs: Kwargs, node: ast.AST, name: str
    ) -> Value | None:
        if isinstance(owner, Map):
            for key, value in kwargs.items():
                self.keyed(Const(key), value, node)
            sources: list[Value] = [*args, Map(dict(kwargs))]
            sources = [self._pairs(s, node) for s in sources]
            merged = merged_map([owner, *sources])
            if self.frame.may:
                for key, value in merged.items.items():
                    owner.items[key] = join(owner.items.get(key), value)
            else:
                owner.items = merged.items
            owner.rest, owner.keys = merged.rest, merged.keys
            return Const(None)
        if isinstance(owner, Seq) and args:
            return self.m_extend(owner, args, kwargs, node, name)
        if isinstance(owner, Thing):
            for key, value in kwargs.items():
                self.keyed(Const(key), value, node)
                owner.attrs[f"[{key}]"] = value
            for arg in args:
                if isinstance(arg, Map):
                    for key, value in arg.items.items():
                        owner.attrs[f"[{key}]"] = value
            return Const(None)
        return None

    def _pairs(self, value: Value, node: ast.AST) -> Value:
        """A dict made of pairs."""
        if isinstance(value, Map | Unknown | Choice) or not isinstance(value, Seq):
            return value
        result = Map({})
        for pair in value.items:
            items, _ = self.elements(pair, _line(node))
            if len(items) == 2:
                self.set_map(result, items[0], items[1])
        if value.rest is not None:
            for option in options(value.rest):
                items, rest = self.elements(option, _line(node))
                pair = items if len(items) == 2 else [rest or Unknown(), rest or Unknown()]
                result.keys = join(result.keys, pair[0])
                result.rest = join(result.rest, pair[1])
        return result

    def m_items(
        self, owner: Value, args: Args, kwargs: Kwargs, node: ast.AST, name: str
    ) -> Value | None:
        if isinstance(owner, Map):
            pairs: list[Value] = [Seq("tuple", [Const(k), v]) for k, v in owner.items.items()]
            rest = None
            if owner.rest is not None:
                rest = Seq("tuple", [owner.keys or Unknown(), owner.rest])
            return Seq("list", pairs, rest)
        if isinstance(owner, Unknown) and owner.marks:
            key = Unknown("", frozenset(m.part("|key") for m in owner.marks))
            value = Unknown("", frozenset(m.part("|value") for m in owner.marks))
            return Seq("list", [], Seq("tuple", [key, value]))
        return None

    def m_values(
        self, owner: Value, args: Args, kwargs: Kwargs, node: ast.AST, name: str
    ) -> Value | None:
        if isinstance(owner, Map):
            return Seq("list", list(owner.items.values()), owner.rest)
        if isinstance(owner, Thing):
            found = [v for k, v in owner.attrs.items() if k.startswith("[")]
            return Seq("list", found) if found else None
        if isinstance(owner, Unknown) and owner.marks:
            return Seq("list", [], Unknown("", frozenset(m.part("|value") for m in owner.marks)))
        return None

    def m_keys(
        self, owner: Value, args: Args, kwargs: Kwargs, node: ast.AST, name: str
    ) -> Value | None:
        if isinstance(owner, Map):
            return Seq("set", [Const(k) for k in owner.items], owner.keys)
        return None

    def m_copy(
        self, owner: Value, args: Args, kwargs: Kwargs, node: ast.AST, name: str
    ) -> Value | None:
        if isinstance(owner, Map):
            return Map(dict(owner.items), owner.rest, owner.keys)
        if isinstance(owner, Seq):
            return Seq(owner.kind, list(owner.items), owner.rest)
        return None

    def m_clear(
        self, owner: Value, args: Args, kwargs: Kwargs, node: ast.AST, name: str
    ) -> Value | None:
        if isinstance(owner, Map) and not self.frame.may:
            owner.items, owner.rest, owner.keys = {}, None, None
        if isinstance(owner, Seq) and not self.frame.may:
            owner.items, owner.rest = [], None
        return Const(None)

    def m_union(
        self, owner: Value, args: Args, kwargs: Kwargs, node: ast.AST, name: str
    ) -> Value | None:
        return (
            blend([owner, *args])
            if not isinstance(owner, Seq) or not args
            else self.concatenated(owner, args[0], node)
        )

    def m_issubset(
        self, owner: Value, args: Args, kwargs: Kwargs, node: ast.AST, name: str
    ) -> Value | None:
        from quartermaster.quality.taint.compare import compare

        return compare(owner, ast.LtE(), args[0]) if args else None

    def m_issuperset(
        self, owner: Value, args: Args, kwargs: Kwargs, node: ast.AST, name: str
    ) -> Value | None:
        from quartermaster.quality.taint.compare import compare

        if args and not isinstance(args[0], Seq):
            items, rest = self.elements(args[0], _line(node))
            return compare(Seq("set", items, rest), ast.LtE(), owner)
        return compare(args[0], ast.LtE(), owner) if args else None

    def m_split(
        self, owner: Value, args: Args, kwargs: Kwargs, node: ast.AST, name: str
    ) -> Value | None:
        text = const_str(owner)
        sep = const_str(args[0]) if args else None
        if text is not None and (sep or not args):
            pieces = text.split(sep) if sep else text.split()
            return Seq("list", [Const(p) for p in pieces])
        lacking = mask_of(sep) if sep and len(sep) == 1 else 0
        marks = frozenset(replace(m.part("|part"), mask=m.mask & ~lacking) for m in marks_of(owner))
        if not marks:
            return Unknown("list")
        return Seq("list", [], Unknown("str", marks))

    def m_partition(
        self, owner: Value, args: Args, kwargs: Kwargs, node: ast.AST, name: str
    ) -> Value | None:
        part = Unknown("str", frozenset(m.part("|part") for m in marks_of(owner)))
        return Seq("tuple", [part, args[0] if args else Unknown(), part])

    def m_decode(
        self, owner: Value, args: Args, kwargs: Kwargs, node: ast.AST, name: str
    ) -> Value | None:
        codec = const_str(args[0]) if args else None
        if codec in {"unicode_escape", "unicode-escape"} and name == "encode":
            gone = mask_of(map(chr, range(32))) | mask_of("\x7f\x85\u2028")
            return map_marks(
                Unknown("bytes", marks_of(owner)), lambda m: replace(m, mask=m.mask & ~gone)
            )
        if isinstance(owner, Const) and isinstance(owner.value, str | bytes):
            return owner
        if codec == "ascii" and name == "encode":
            return map_marks(self._same(owner), lambda m: replace(m, mask=m.mask & ASCII))
        return None

    def m_pattern(
        self, owner: Value, args: Args, kwargs: Kwargs, node: ast.AST, name: str
    ) -> Value | None:
        if isinstance(owner, Thing) and owner.type == "re.compile()" and args:
            flags = owner.args[1:]
            return _matched(owner.args[0], args[0], name, flags)
        if isinstance(owner, Unknown | Extern) and args and marks_of(args[0]) and name != "search":
            return Unknown("re.Match", marks_of(args[0]))
        return None

    def m_sub(
        self, owner: Value, args: Args, kwargs: Kwargs, node: ast.AST, name: str
    ) -> Value | None:
        if isinstance(owner, Thing) and owner.type == "re.compile()" and len(args) > 1:
            return _substituted(owner.args[0], args[0], args[1])
        return None

    def m_resolve(
        self, owner: Value, args: Args, kwargs: Kwargs, node: ast.AST, name: str
    ) -> Value | None:
        if isinstance(owner, Text | Unknown) and marks_of(owner):
            flags = {"resolved"} if name == "resolve" else set[str]()
            return map_marks(owner, lambda m: replace(m, flags=m.flags | flags))
        return owner if isinstance(owner, Const | Text) else None

    def m_relative(
        self, owner: Value, args: Args, kwargs: Kwargs, node: ast.AST, name: str
    ) -> Value | None:
        return Unknown("bool", NO_MARKS, (resolved_facts(marks_of(owner)), NO_FACTS))

    def m_relative_to(
        self, owner: Value, args: Args, kwargs: Kwargs, node: ast.AST, name: str
    ) -> Value | None:
        self.learn(resolved_facts(marks_of(owner)))
        return Unknown("path", marks_of(owner))

    def m_joinpath(
        self, owner: Value, args: Args, kwargs: Kwargs, node: ast.AST, name: str
    ) -> Value | None:
        out: list[str | Value] = [owner]
        for arg in args:
            out.extend(("/", arg))
        return make_text(out, "path")

    def m_with_name(
        self, owner: Value, args: Args, kwargs: Kwargs, node: ast.AST, name: str
    ) -> Value | None:
        if not args:
            return None
        named = map_marks(args[0], lambda m: replace(m, mask=m.mask & ~mask_of("/")))
        return make_text([owner, "/", named], "path")

    def m_is_absolute(
        self, owner: Value, args: Args, kwargs: Kwargs, node: ast.AST, name: str
    ) -> Value | None:
        return Unknown("bool", NO_MARKS, (NO_FACTS, fact(marks_of(owner), safe=("relative",))))

    def m_set(
        self, owner: Value, args: Args, kwargs: Kwargs, node: ast.AST, name: str
    ) -> Value | None:
        if isinstance(owner, Thing) and len(args) == 3:
            owner.attrs[f"[{const_str(args[0])}.{const_str(args[1])}]"] = args[2]
            return Const(None)
        return None

    def m_validate(
        self, owner: Value, args: Args, kwargs: Kwargs, node: ast.AST, name: str
    ) -> Value | None:
        if not isinstance(owner, ClassV) or not args:
            return None
        return self.model_from(owner, args[0], node)

    def model_from(self, cls: ClassV, data: Value, node: ast.AST) -> Value:
        """A record filled from data of outside."""
        instance = Instance(cls)
        for name, annotation in self.record_fields(cls).items():
            value = self.item(data, Const(name), node)
            instance.attrs[name] = self.field_value(cls, annotation, value)
        config = cls.find("model_config")
        extra = None
        if isinstance(config, Thing):
            extra = const_str(config.kwargs.get("extra"))
        elif isinstance(config, Map):
            extra = const_str(config.items.get("extra"))
        if extra == "allow":
            instance.attrs["__rest__"] = Unknown("", marks_of(data))
        return instance

    def m_dump(
        self, owner: Value, args: Args, kwargs: Kwargs, node: ast.AST, name: str
    ) -> Value | None:
        if isinstance(owner, Instance):
            rest = owner.attrs.get("__rest__")
            fields: dict[object, Value] = {
                k: v for k, v in owner.attrs.items() if not k.startswith("__")
            }
            return Map(fields, rest, rest)
        return None

    def m_replace_fields(
        self, owner: Value, args: Args, kwargs: Kwargs, node: ast.AST, name: str
    ) -> Value | None:
        return self.x_replace([owner], kwargs, node) if isinstance(owner, Instance) else None

    def m_hex(
        self, owner: Value, args: Args, kwargs: Kwargs, node: ast.AST, name: str
    ) -> Value | None:
        marks = marks_of(owner)
        word = LETTERS | DIGITS
        return Unknown("str", frozenset(replace(m, mask=m.mask & word) for m in marks))

    def m_getvalue(
        self, owner: Value, args: Args, kwargs: Kwargs, node: ast.AST, name: str
    ) -> Value | None:
        if isinstance(owner, Thing) and "written" in owner.attrs:
            return owner.attrs["written"]
        return None

    def m_write(
        self, owner: Value, args: Args, kwargs: Kwargs, node: ast.AST, name: str
    ) -> Value | None:
        if isinstance(owner, Thing) and owner.type in {"io.StringIO()", "io.BytesIO()"} and args:
            old = owner.attrs.get("written", Const(""))
            owner.attrs["written"] = make_text([old, args[0]])
            owner.marks |= marks_of(args[0])
        return None

    def m_quote(
        self, owner: Value, args: Args, kwargs: Kwargs, node: ast.AST, name: str
    ) -> Value | None:
        return None

    # Functions of libraries.

    def call_extern(
        self, name: str, args: list[Value], kwargs: dict[str, Value], node: ast.AST
    ) -> Value:
        decided = self.check_call(name, None, args, kwargs, node)
        if decided is not None:
            return decided
        if name in NO_RETURN:
            self.leave()
            return Unknown()
        last = name.rsplit(".", 1)[-1]
        self.registered(last, args, kwargs)
        handler = self.externs.get(name) or self.externs.get(_canonical(name))
        if handler is not None:
            result = handler(args, kwargs, node)
            if result is not None:
                return result
        ran = self._run_passed(name if name in RUNNERS else last, args, kwargs, node)
        if ran is not None:
            return ran
        kind = web.CALL_SOURCES.get(name)
        if kind is not None:
            return Unknown(
                f"{name}()", self.source(kind, f"{name}@{_line(node)}", f"{name}()", node)
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
        if last in results.RESULTS and "." not in results.RESULTS[last]:
            if last in {"escape", "quote"}:
                return self.by_spec("lacks:<>\"'", args, kwargs)
        if last in web.METHOD_SOURCES:
            kind = web.METHOD_SOURCES[last]
            return Unknown("model", self.source(kind, f"{last}@{_line(node)}", f"{last}()", node))
        made = Thing(f"{name}()", args, kwargs, line=_line(node))
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
            "commonpath": lambda: Unknown("commonpath", blend(args).marks),  # pyright: ignore
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
            items, _ = self.elements(kwargs.get("args", Seq("tuple", [])), _line(node))
            more = kwargs.get("kwargs")
            named = {str(k): v for k, v in more.items.items()} if isinstance(more, Map) else {}
            self.call_value(target, items, named, node)
            return Unknown()
        return None

    def x_none(self, args: Args, kwargs: Kwargs, node: ast.AST) -> Value | None:
        return None

    def x_same(self, args: Args, kwargs: Kwargs, node: ast.AST) -> Value | None:
        return args[0] if args else None

    def x_getattr(self, args: Args, kwargs: Kwargs, node: ast.AST) -> Value | None:
        name = const_str(args[1]) if len(args) > 1 else None
        if name is None:
            return blend(args[:1])
        return self.attribute(args[0], name, node)

    def x_setattr(self, args: Args, kwargs: Kwargs, node: ast.AST) -> Value | None:
        name = const_str(args[1]) if len(args) > 2 else None
        if name is not None:
            self.set_attribute(args[0], name, args[2], node)
        return Const(None)

    def x_isinstance(self, args: Args, kwargs: Kwargs, node: ast.AST) -> Value | None:
        if len(args) != 2:
            return None
        types = args[1].items if isinstance(args[1], Seq) else list(options(args[1]))
        if types and all(
            isinstance(t, Extern) and t.name in {"int", "float", "bool"} for t in types
        ):
            facts = fact(marks_of(args[0]), mask=DIGITS | mask_of("-.e"))
            return Unknown("bool", NO_MARKS, (facts, NO_FACTS))
        if isinstance(args[0], Unknown) and args[0].type == "syntax node":
            dangerous = {"Attribute", "Call", "Subscript", "Lambda", "AST", "Import"}
            names = {t.name.rsplit(".", 1)[-1] for t in types if isinstance(t, Extern)}
            good = fact(args[0].marks, safe=("code",))
            if names and not names & dangerous:
                return Unknown("bool", NO_MARKS, (good, NO_FACTS))
            if "Attribute" in names or ("Call" in names and "Expression" in names):
                facts = (good, NO_FACTS) if "Expression" in names else (NO_FACTS, good)
                return Unknown("bool", NO_MARKS, facts)
            return Unknown("bool")
        if isinstance(args[0], Instance) and all(isinstance(t, ClassV) for t in types):
            return Const(any(t in set(args[0].cls.mro()) for t in types if isinstance(t, ClassV)))
        if isinstance(args[0], Const) and all(isinstance(t, Extern) for t in types):
            names = {type(args[0].value).__name__}
            return Const(any(isinstance(t, Extern) and t.name in names for t in types))
        return Unknown("bool")

    def x_walk(self, args: Args, kwargs: Kwargs, node: ast.AST) -> Value | None:
        each = frozenset(m.part("|each") for m in marks_of(args[0])) if args else NO_MARKS
        return Seq("list", [], Unknown("syntax node", each))

    def x_any(self, args: Args, kwargs: Kwargs, node: ast.AST) -> Value | None:
        return self._quantified(args, node, is_any=True)

    def x_all(self, args: Args, kwargs: Kwargs, node: ast.AST) -> Value | None:
        return self._quantified(args, node, is_any=False)

    def _quantified(self, args: list[Value], node: ast.AST, *, is_any: bool) -> Value:
        """``any``: one is true, or all are false. ``all``: all are true, or one is false."""
        if not args:
            return Unknown("bool")
        items, rest = self.elements(args[0], _line(node))
        values = [*items, *([rest] if rest is not None else [])]
        known = [truth(v) for v in values]
        if is_any and True in known and truth(values[known.index(True)]) and rest is None:
            return Const(True)
        if not is_any and False in known and rest is None:
            return Const(False)
        one: Facts | None = None
        every: Facts = NO_FACTS
        for value in values:
            true, false = when(value)
            hit, miss = (true, false) if is_any else (false, true)
            if truth(value) is not (not is_any):
                one = hit if one is None else either(one, hit)
            every = both(every, miss)
        every = whole_facts(every)
        one = one or NO_FACTS
        return Unknown("bool", NO_MARKS, (one, every) if is_any else (every, one))

    def x_map(self, args: Args, kwargs: Kwargs, node: ast.AST) -> Value | None:
        if len(args) < 2:
            return None
        items, rest = self.elements(args[1], _line(node))
        if len(items) > 24:
            items, rest = [], choice([*items, *([rest] if rest is not None else [])])
        made = [self.call_value(args[0], [i], {}, node) for i in items]
        last = None if rest is None else self.call_value(args[0], [rest], {}, node)
        return Seq("list", made, last)

    def x_filter(self, args: Args, kwargs: Kwargs, node: ast.AST) -> Value | None:
        if len(args) < 2:
            return None
        items, rest = self.elements(args[1], _line(node))
        kept: list[Value] = []
        for item in [*items, *([rest] if rest is not None else [])]:
            verdict = self.call_value(args[0], [item], {}, node)
            if truth(verdict) is not False:
                from quartermaster.quality.taint.values import bake

                kept.append(bake(item, when(verdict)[0]))
        return Seq("list", [], choice(kept)) if kept else Seq("list", [])

    def x_zip(self, args: Args, kwargs: Kwargs, node: ast.AST) -> Value | None:
        columns = [self.elements(a, _line(node)) for a in args]
        if columns and all(rest is None for _, rest in columns):
            rows = [
                Seq("tuple", list(row))
                for row in zip(*(items for items, _ in columns), strict=False)
            ]
            return Seq("list", rows)
        row = [choice([*items, *([rest] if rest is not None else [])]) for items, rest in columns]
        return Seq("list", [], Seq("tuple", row))

    def x_enumerate(self, args: Args, kwargs: Kwargs, node: ast.AST) -> Value | None:
        if not args:
            return None
        items, rest = self.elements(args[0], _line(node))
        made: list[Value] = [Seq("tuple", [Const(i), v]) for i, v in enumerate(items)]
        last = None if rest is None else Seq("tuple", [Unknown("int"), rest])
        return Seq("list", made, last)

    def x_dict(self, args: Args, kwargs: Kwargs, node: ast.AST) -> Value | None:
        for key, value in kwargs.items():
            self.keyed(Const(key), value, node)
        spread = kwargs.pop("**", None)
        sources = [self._pairs(a, node) for a in args] + [Map(dict(kwargs), spread, spread)]
        return merged_map(sources)

    def x_dict_empty(self, args: Args, kwargs: Kwargs, node: ast.AST) -> Value | None:
        return Map({})

    def x_list(self, args: Args, kwargs: Kwargs, node: ast.AST) -> Value | None:
        if not args:
            return Seq("list", [])
        items, rest = self.elements(args[0], _line(node))
        if isinstance(args[0], Unknown) and not isinstance(args[0], Seq):
            return Seq("list", [], rest)
        return Seq("list", items, rest)

    def x_set(self, args: Args, kwargs: Kwargs, node: ast.AST) -> Value | None:
        if not args:
            return Seq("set", [])
        items, rest = self.elements(args[0], _line(node))
        return Seq("set", items, rest)

    def x_str(self, args: Args, kwargs: Kwargs, node: ast.AST) -> Value | None:
        if not args:
            return Const("")
        value = self.as_text(args[0], node)
        if isinstance(value, Const):
            return Const(str(value.value)) if not isinstance(value.value, bytes) else value
        if isinstance(value, Thing):
            return Unknown(value.type, value.marks) if value.marks else Unknown(value.type)
        return value

    def x_range(self, args: Args, kwargs: Kwargs, node: ast.AST) -> Value | None:
        numbers = [a.value for a in args if isinstance(a, Const) and isinstance(a.value, int)]
        if len(numbers) == len(args) and numbers:
            made = range(*numbers)
            if len(made) <= 12:
                return Seq("list", [Const(i) for i in made])
        return Seq("list", [], Unknown("int"))

    def x_len(self, args: Args, kwargs: Kwargs, node: ast.AST) -> Value | None:
        value = args[0] if args else Unknown()
        text = const_str(value)
        if text is not None:
            return Const(len(text))
        if isinstance(value, Seq) and value.rest is None and not self.frame.may:
            return Unknown("int") if value.kind == "set" else Const(len(value.items))
        return Unknown("int")

    def x_next(self, args: Args, kwargs: Kwargs, node: ast.AST) -> Value | None:
        if not args:
            return None
        items, rest = self.elements(args[0], _line(node))
        found = items[:1] if items else [rest] if rest is not None else []
        if len(args) > 1 and not items:
            found = [*found, args[1]]
        return choice(found) if found else Unknown()

    def x_vars(self, args: Args, kwargs: Kwargs, node: ast.AST) -> Value | None:
        if args and isinstance(args[0], Instance):
            return Map({k: v for k, v in args[0].attrs.items() if not k.startswith("__")})
        return None

    def x_bool(self, args: Args, kwargs: Kwargs, node: ast.AST) -> Value | None:
        if not args:
            return Const(False)
        known = truth(args[0])
        return Const(known) if known is not None else Unknown("bool", NO_MARKS, when(args[0]))

    def x_format(self, args: Args, kwargs: Kwargs, node: ast.AST) -> Value | None:
        from quartermaster.quality.taint.expressions import formatted

        return (
            formatted(args[0], -1, const_str(args[1]) if len(args) > 1 else None) if args else None
        )

    def x_partial(self, args: Args, kwargs: Kwargs, node: ast.AST) -> Value | None:
        return Partial(args[0], args[1:], kwargs) if args else None

    def x_asdict(self, args: Args, kwargs: Kwargs, node: ast.AST) -> Value | None:
        if args and isinstance(args[0], Instance):
            return Map({k: v for k, v in args[0].attrs.items() if not k.startswith("__")})
        return None

    def x_replace(self, args: Args, kwargs: Kwargs, node: ast.AST) -> Value | None:
        if args and isinstance(args[0], Instance):
            made = Instance(args[0].cls, args[0].marks)
            made.attrs = {**args[0].attrs, **kwargs}
            return made
        return None

    def x_gather(self, args: Args, kwargs: Kwargs, node: ast.AST) -> Value | None:
        return Seq("list", args)

    def x_namespace(self, args: Args, kwargs: Kwargs, node: ast.AST) -> Value | None:
        made = Thing("namespace")
        made.attrs.update(kwargs)
        return made

    def x_path(self, args: Args, kwargs: Kwargs, node: ast.AST) -> Value | None:
        out: list[str | Value] = []
        for arg in args:
            if out:
                out.append("/")
            out.append(self.as_text(arg, node))
        return make_text(out or ["."], "path")

    def x_join(self, args: Args, kwargs: Kwargs, node: ast.AST) -> Value | None:
        return self.x_path(args, kwargs, node)

    def x_compile(self, args: Args, kwargs: Kwargs, node: ast.AST) -> Value | None:
        return Thing("re.compile()", args, kwargs)

    def x_regex(self, args: Args, kwargs: Kwargs, node: ast.AST) -> Value | None:
        name = (
            node.func.attr
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
            else ""
        )
        if not name and isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            name = node.func.id
        if len(args) < 2:
            return None
        return _matched(args[0], args[1], name, args[2:])

    def x_sub(self, args: Args, kwargs: Kwargs, node: ast.AST) -> Value | None:
        return _substituted(args[0], args[1], args[2]) if len(args) > 2 else None

    def x_isabs(self, args: Args, kwargs: Kwargs, node: ast.AST) -> Value | None:
        if not args:
            return None
        return Unknown("bool", NO_MARKS, (NO_FACTS, fact(marks_of(args[0]), safe=("relative",))))

    def x_fstring(self, args: Args, kwargs: Kwargs, node: ast.AST) -> Value | None:
        return make_text([self.as_text(a, node) for a in args])

    def x_chain(self, args: Args, kwargs: Kwargs, node: ast.AST) -> Value | None:
        made = Seq("list", [])
        for arg in args:
            self.m_extend(made, [arg], {}, node, "extend")
        return made

    def x_reduce(self, args: Args, kwargs: Kwargs, node: ast.AST) -> Value | None:
        if len(args) < 2:
            return None
        items, rest = self.elements(args[1], _line(node))
        values = [*items, *([rest] if rest is not None else [])]
        result = args[2] if len(args) > 2 else (values.pop(0) if values else Unknown())
        for value in values[:12]:
            result = self.call_value(args[0], [result, value], {}, node)
        return result

    def x_quote(self, args: Args, kwargs: Kwargs, node: ast.AST) -> Value | None:
        safe = const_str(kwargs.get("safe") or (args[1] if len(args) > 1 else Const("/")))
        mask = mask_of(results.ALPHANUMERIC + "_.-~%" + (safe or ""))
        first = args[0] if args else Unknown()
        return map_marks(
            Unknown("str", marks_of(first)),
            lambda m: replace(m, mask=m.mask & mask, safe=m.safe | {"url-part"}),
        )

    def x_urlunsplit(self, args: Args, kwargs: Kwargs, node: ast.AST) -> Value | None:
        items, rest = self.elements(args[0], _line(node)) if args else ([], None)
        if len(items) < 3 or rest is not None:
            return blend(args)
        scheme, host, path = items[0], items[1], items[2]
        out: list[str | Value] = []
        if const_str(scheme) != "":
            out.extend((scheme, ":"))
        if const_str(host) != "":
            out.extend(("//", host))
            out.append("/")
        out.append(path)
        for more in items[3:]:
            out.extend(("?", more))
        return make_text(out)

    def x_safe_url(self, args: Args, kwargs: Kwargs, node: ast.AST) -> Value | None:
        first = args[0] if args else kwargs.get("url", Unknown())
        return Unknown("bool", NO_MARKS, (fact(marks_of(first), safe=("url",)), NO_FACTS))

    def x_compare_digest(self, args: Args, kwargs: Kwargs, node: ast.AST) -> Value | None:
        facts: Facts = NO_FACTS
        for value in args:
            for option in options(value):
                over = option.attrs.get("over") if isinstance(option, Thing) else None
                if over is not None:
                    facts = both(facts, fact(marks_of(over), safe=("signed",)))
        return Unknown("bool", NO_MARKS, (facts, NO_FACTS))

    def x_decode_const(self, args: Args, kwargs: Kwargs, node: ast.AST) -> Value | None:
        text = const_str(args[0]) if args else None
        if text is not None and isinstance(args[0], Const):
            return Const(text, args[0].line)
        return None


def _line(node: ast.AST | None) -> int:
    return getattr(node, "lineno", 0) if node is not None else 0


_ALIASES = (
    ("lxml.etree.", "etree."),
    ("urllib.", "urllib.parse."),
    ("posixpath.", "os.path."),
    ("six.moves.urllib.", "urllib."),
    ("anyio.Path", "pathlib.Path"),
)


def _canonical(name: str) -> str:
    for old, new in _ALIASES:
        if name.startswith(old):
            return new + name.removeprefix(old)
    return name


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


def _texts(value: Value) -> list[str | None]:
    """The texts that a prefix can be; the last literal piece of a text that is not known."""
    if isinstance(value, Seq):
        return [const_str(i) for i in value.items] + ([None] if value.rest is not None else [])
    if isinstance(value, Choice):
        return [const_str(o) for o in value.options]
    return [const_str(value)]


def _ends_open(value: Value) -> bool:
    """Whether a prefix ends with a separator, so that nothing can follow in the same name."""
    if isinstance(value, Seq):
        return bool(value.items) and all(_ends_open(i) for i in value.items) and value.rest is None
    if isinstance(value, Choice):
        return all(_ends_open(o) for o in value.options)
    parts = text_parts(value)
    last = parts[-1] if parts else ""
    if isinstance(last, str):
        return last.endswith("/")
    return isinstance(last, Extern) and last.name in {"os.sep", "os.path.sep"}


def _prefix_facts(
    marks: frozenset[Mark], prefix: Value, texts: list[str | None]
) -> tuple[Facts, Facts]:
    if marks_of(prefix):
        return NO_FACTS, NO_FACTS
    true: Facts = NO_FACTS
    false: Facts = NO_FACTS
    if _ends_open(prefix) and texts != ["/"]:
        true = resolved_facts(marks)
        if _is_url(prefix):
            true = both(true, fact(marks, safe=("url",)))
    if texts == ["/"]:
        true, false = fact(marks, safe=("slash",)), fact(marks, safe=("relative",))
    elif "//" in texts:
        more = ("no-slashes", "relative") if "/" in texts else ("no-slashes",)
        false = fact(marks, safe=more)
    elif "/" in texts:
        false = fact(marks, safe=("relative", "no-slashes"))
    return true, false


def _is_url(prefix: Value) -> bool:
    for option in prefix.items if isinstance(prefix, Seq) else options(prefix):
        parts = text_parts(option)
        head = parts[0] if parts and isinstance(parts[0], str) else ""
        known = const_str(option)
        if head and not re.match(r"https?://", head):
            return False
        if known is not None and not re.match(r"https?://[^/]+/", known):
            return False
    return True


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


def _regex_text(pattern: Value) -> str | None:
    return const_str(pattern)


def _matched(pattern: Value, subject: Value, name: str, flags: list[Value]) -> Value:
    """The match object of a pattern, with what a match proves."""
    marks = marks_of(subject)
    text = _regex_text(pattern)
    if text is None or not marks:
        if not marks or name != "fullmatch":
            return Unknown("re.Match", marks)
        return Unknown("re.Match", marks)
    body, whole = _anchored(text, name)
    ignore = any(isinstance(f, Extern) and f.name in {"re.I", "re.IGNORECASE"} for f in flags)
    true: Facts = NO_FACTS
    false: Facts = NO_FACTS
    if whole:
        mask = pattern_mask(body, ignore)
        if mask is not None:
            if whole == "$":
                mask |= mask_of("\n")
            true = fact(marks, mask=mask)
        true = both(true, fact(marks, safe=_pattern_safe(body)))
    elif name == "search":
        single = _single_class(text)
        if single is not None:
            false = fact(marks, mask=ANY & ~single)
        elif text in {r"\.\.", r"\.{2}"}:
            false = fact(marks, safe=("dotdot",))
    return Unknown("re.Match", marks, (true, false))


def _anchored(text: str, name: str) -> tuple[str, str]:
    """The pattern without anchors, and how it covers the whole text."""
    body = text
    start = name in {"match", "fullmatch"}
    for anchor in (r"\A", "^"):
        if body.startswith(anchor):
            body, start = body.removeprefix(anchor), True
    end = "all" if name == "fullmatch" else ""
    if body.endswith((r"\Z", r"\z")):
        body, end = body[:-2], "all"
    elif body.endswith("$") and not body.endswith(r"\$"):
        body, end = body[:-1], end or "$"
    if _top_level_branch(body) and name != "fullmatch":
        return body, ""
    return body, end if start else ""


def _top_level_branch(body: str) -> bool:
    depth, escaped = 0, False
    for char in body:
        if escaped:
            escaped = False
        elif char == "\\":
            escaped = True
        elif char in "([":
            depth += 1
        elif char in ")]":
            depth -= 1
        elif char == "|" and depth == 0:
            return True
    return False


def _pattern_safe(body: str) -> tuple[str, ...]:
    safe: list[str] = []
    if re.match(r"https\??://[A-Za-z0-9\\.-]+(:\d+)?/", body.replace("\\/", "/")):
        safe.append("url")
    if body.startswith("/(?!") or re.match(r"/\[(?!\^)[^\]/\\]*\]", body):
        safe.extend(("slash", "no-slashes", "no-backslash"))
    return tuple(safe)


def _single_class(text: str) -> int | None:
    """The characters of a pattern that is one class of characters."""
    if re.fullmatch(r"\[(?:\\.|[^\]\\])+\][+*]?|\\.|[^\\.^$*+?{}\[\]|()]", text):
        return pattern_mask(text)
    if re.fullmatch(r"\.", text):
        return None
    return None


def _substituted(pattern: Value, replacement: Value, subject: Value) -> Value:
    text = _regex_text(pattern)
    marks = marks_of(subject)
    new = const_str(replacement)
    if text is None or not marks:
        return blend([subject, replacement], "str")
    removed = _single_class(text)
    if removed is None or new is None:
        value: Value = Unknown("str", marks)
        return blend([value, replacement], "str")
    added = mask_of(new)
    return map_marks(Unknown("str", marks), lambda m: replace(m, mask=(m.mask & ~removed) | added))


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
