"""Models methods of texts, lists, dicts, paths, patterns and records: computes the results of
calls.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import replace

from quartermaster_quality.taint.call_interpreter import CallInterpreter
from quartermaster_quality.taint.compare import compare, fact, resolved_facts
from quartermaster_quality.taint.expressions import brace_format, merged_map, unknown_item
from quartermaster_quality.taint.marks import (
    ASCII,
    CONTROLS,
    DIGITS,
    LETTERS,
    NO_FACTS,
    Facts,
    Mark,
    PathFact,
    both,
    mask_of,
)
from quartermaster_quality.taint.patterns import matched, substituted
from quartermaster_quality.taint.values import (
    AbstractValue,
    Args,
    ClassV,
    ComposedText,
    Const,
    Extern,
    ExternalCall,
    Instance,
    Map,
    Seq,
    Thing,
    UnionValue,
    Unknown,
    blend,
    choice,
    const_str,
    join,
    line_of,
    make_text,
    map_marks,
    marks_of,
    options,
    part_of,
    text_parts,
    verdict,
    with_rest,
)

# Methods that have the model of another one.
MODELLED_LIKE = {
    "format_map": "format", "setdefault": "get", "append": "add", "appendleft": "add", "put": "add",
    "put_nowait": "add", "rsplit": "split", "rpartition": "partition", "encode": "decode",
    "fullmatch": "match", "search": "match", "absolute": "resolve", "with_suffix": "with_name",
    "parse_obj": "model_validate", "dict": "model_dump", "_asdict": "model_dump", "popleft": "pop",
}  # fmt: skip


class Methods(CallInterpreter):
    """Interprets calls of methods that the file does not define."""

    def __init__(self) -> None:
        super().__init__()
        # The model of a method is named ``m_`` and the method.
        self.methods: dict[str, Callable[[ExternalCall], AbstractValue | None]] = {
            name.removeprefix("m_"): getattr(self, name)
            for name in dir(Methods)
            if name.startswith("m_")
        }
        self.methods |= {name: self.methods[model] for name, model in MODELLED_LIKE.items()}

    def _same(self, owner: AbstractValue) -> AbstractValue:
        if isinstance(owner, Unknown) and owner.type != "request":
            return Unknown(owner.type, owner.marks)
        same = isinstance(owner, Unknown | ComposedText | Instance | Map | Seq)
        return owner if same else Unknown("", marks_of(owner))

    def m_format(self, call: ExternalCall) -> AbstractValue | None:
        args, kwargs = call.args, call.kwargs
        if isinstance(call.subject, Thing):
            return None
        if call.last == "format_map" and args and isinstance(args[0], Map):
            kwargs = {str(k): v for k, v in args[0].items.items()}
            args = []
        return brace_format(call.subject, args, kwargs, self)

    def m_join(self, call: ExternalCall) -> AbstractValue | None:
        if not isinstance(call.subject, Const | ComposedText | Unknown) or not call.args:
            return None
        items, rest = self.elements(call.args[0], line_of(call.node))
        out: list[str | AbstractValue] = []
        for item in with_rest(items, rest):
            if out:
                out.extend(text_parts(call.subject))
            out.append(self.as_text(item, call.node))
        if rest is not None:
            out.extend(text_parts(call.subject))
        return make_text(out)

    def m_replace(self, call: ExternalCall) -> AbstractValue | None:
        owner, args = call.subject, call.args
        if isinstance(owner, Instance) or len(args) < 2:
            return None
        old, new = const_str(args[0]), const_str(args[1])
        text = const_str(owner)
        if text is not None:
            return self._replace_in_const(text, old, args[1])
        if old is None:
            return blend([owner, args[1]], "str")
        if isinstance(owner, ComposedText):
            pieces: list[str | AbstractValue] = [
                self._replace_in_const(p, old, args[1])
                if isinstance(p, str)
                else self._replaced(p, old, new, args[1])
                for p in owner.parts
            ]
            return make_text(pieces, owner.type)
        return self._replaced(owner, old, new, args[1])

    def _replace_in_const(self, text: str, old: str | None, new: AbstractValue) -> AbstractValue:
        if old is None or (old and old not in text):
            return Const(text) if old is not None else blend([new], "str")
        if not old:
            return Unknown("str", marks_of(new))
        out: list[str | AbstractValue] = []
        pieces = text.split(old)
        for index, piece in enumerate(pieces):
            if index:
                out.append(new)
            out.append(piece)
        return make_text(out)

    def _replaced(
        self, owner: AbstractValue, old: str, new: str | None, value: AbstractValue
    ) -> AbstractValue:
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

    def m_translate(self, call: ExternalCall) -> AbstractValue | None:
        table = call.args[0] if call.args else Unknown()
        keys = table.items if isinstance(table, Map) else ()
        removed = [k for k in keys if isinstance(k, str)]
        removed += [chr(k) for k in keys if isinstance(k, int) and k in range(0x110000)]
        mask = mask_of("".join(removed)) or CONTROLS | mask_of("\x85")
        return without(blend([call.subject], "str"), mask)

    def m_startswith(self, call: ExternalCall) -> AbstractValue | None:
        owner, args = call.subject, call.args
        text = const_str(owner)
        prefixes = _texts(args[0]) if args else None
        if text is not None and prefixes and all(p is not None for p in prefixes):
            return Const(text.startswith(tuple(p for p in prefixes if p is not None)))
        marks = marks_of(owner)
        if isinstance(owner, ComposedText) and owner.type != "path" and prefixes:
            head = owner.parts[0]
            if isinstance(head, str) and any(p and head.startswith(p) for p in prefixes):
                return Const(True)
        if not args:
            return Unknown("bool")
        return verdict(*_prefix_facts(marks, args[0], prefixes or [None]))

    def m_endswith(self, call: ExternalCall) -> AbstractValue | None:
        text = const_str(call.subject)
        suffixes = _texts(call.args[0]) if call.args else []
        if text is not None and suffixes and all(s is not None for s in suffixes):
            return Const(text.endswith(tuple(s for s in suffixes if s is not None)))
        hosts = [m.sid for m in marks_of(call.subject) if m.sid.endswith("|host")]
        if suffixes and all(s is not None and s.startswith(".") and len(s) > 3 for s in suffixes):
            return verdict(
                {h.removesuffix("|host"): PathFact(safe=frozenset({"url"})) for h in hosts}
            )
        return verdict()

    def m_get(self, call: ExternalCall) -> AbstractValue | None:
        owner, args, kwargs = call.subject, call.args, call.kwargs
        if isinstance(owner, Map) and args:
            default = args[1] if len(args) > 1 else kwargs.get("default", Const(None))
            found = self.map_item(owner, args[0], default)
            if call.last == "setdefault":
                self.set_map(owner, args[0], found)
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
            return choice(with_rest([unknown_item(owner, args[0])], call.named("default", at=1)))
        return None

    def m_pop(self, call: ExternalCall) -> AbstractValue | None:
        owner, args = call.subject, call.args
        if isinstance(owner, Seq):
            return self._pop_seq(owner, args, call.last)
        if isinstance(owner, Map) and args:
            found = self.map_item(owner, args[0], args[1] if len(args) > 1 else None)
            if isinstance(args[0], Const) and not self.frame.may:
                owner.items.pop(args[0].value, None)
            return found
        return None

    def _pop_seq(self, owner: Seq, args: Args, name: str) -> AbstractValue:
        at = 0 if name == "popleft" else -1
        if args and isinstance(args[0], Const) and isinstance(args[0].value, int):
            at = args[0].value
        if owner.rest is None and -len(owner.items) <= at < len(owner.items) and not self.frame.may:
            return owner.items.pop(at)
        return choice(with_rest(owner.items, owner.rest))

    def m_add(self, call: ExternalCall) -> AbstractValue | None:
        owner, args = call.subject, call.args
        if isinstance(owner, Seq) and args:
            value = args[0]
            if owner.rest is None and not self.frame.may and len(owner.items) < 40:
                owner.items.append(value)
            else:
                owner.rest = join(owner.rest, value)
            return Const(None)
        if isinstance(owner, Thing) and args and call.last != "appendleft":
            owner.marks |= marks_of(args[0])
            return Unknown()
        return None

    def m_insert(self, call: ExternalCall) -> AbstractValue | None:
        owner, args = call.subject, call.args
        if isinstance(owner, Seq) and len(args) > 1:
            if owner.rest is None and not self.frame.may and isinstance(args[0], Const):
                at = args[0].value
                owner.items.insert(at if isinstance(at, int) else 0, args[1])
            else:
                owner.rest = join(owner.rest, args[1])
            return Const(None)
        return None

    def m_extend(self, call: ExternalCall) -> AbstractValue | None:
        owner = call.subject
        if isinstance(owner, Seq) and call.args:
            items, rest = self.elements(call.args[0], line_of(call.node))
            if owner.rest is None and not self.frame.may:
                owner.items.extend(items)
            else:
                for item in items:
                    owner.rest = join(owner.rest, item)
            if rest is not None:
                owner.rest = join(owner.rest, rest)
            return Const(None)
        return None

    def m_update(self, call: ExternalCall) -> AbstractValue | None:
        owner, args, kwargs, node = call.subject, call.args, call.kwargs, call.node
        if isinstance(owner, Map):
            return self._update_map(owner, call)
        if isinstance(owner, Seq) and args:
            return self.m_extend(call)
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

    def _update_map(self, owner: Map, call: ExternalCall) -> AbstractValue:
        for key, value in call.kwargs.items():
            self.keyed(Const(key), value, call.node)
        sources: list[AbstractValue] = [*call.args, Map({**call.kwargs})]
        merged = merged_map([owner, *(self._pairs(s, call.node) for s in sources)])
        if self.frame.may:
            for key, value in merged.items.items():
                owner.items[key] = join(owner.items.get(key), value)
        else:
            owner.items = merged.items
        owner.rest, owner.keys = merged.rest, merged.keys
        return Const(None)

    def _pairs(self, value: AbstractValue, node: ast.AST) -> AbstractValue:
        """Converts a sequence of pairs to a dict. Returns any other value unchanged."""
        if not isinstance(value, Seq):
            return value
        result = Map({})
        for pair in value.items:
            items, _ = self.elements(pair, line_of(node))
            if len(items) == 2:
                self.set_map(result, items[0], items[1])
        if value.rest is not None:
            for option in options(value.rest):
                items, rest = self.elements(option, line_of(node))
                pair = items if len(items) == 2 else [rest or Unknown(), rest or Unknown()]
                result.keys = join(result.keys, pair[0])
                result.rest = join(result.rest, pair[1])
        return result

    def m_items(self, call: ExternalCall) -> AbstractValue | None:
        owner = call.subject
        if isinstance(owner, Map):
            pairs: list[AbstractValue] = [
                Seq("tuple", [Const(k), v]) for k, v in owner.items.items()
            ]
            rest = None
            if owner.rest is not None:
                rest = Seq("tuple", [owner.keys or Unknown(), owner.rest])
            return Seq("list", pairs, rest)
        if isinstance(owner, Unknown) and owner.marks:
            pair: list[AbstractValue] = [part_of(owner, "|key"), part_of(owner, "|value")]
            return Seq("list", [], Seq("tuple", pair))
        return None

    def m_values(self, call: ExternalCall) -> AbstractValue | None:
        owner = call.subject
        if isinstance(owner, Map):
            return Seq("list", list(owner.items.values()), owner.rest)
        if isinstance(owner, Thing):
            found = [v for k, v in owner.attrs.items() if k.startswith("[")]
            return Seq("list", found) if found else None
        if isinstance(owner, Unknown) and owner.marks:
            return Seq("list", [], part_of(owner, "|value"))
        return None

    def m_keys(self, call: ExternalCall) -> AbstractValue | None:
        if isinstance(call.subject, Map):
            return Seq("set", [Const(k) for k in call.subject.items], call.subject.keys)
        return None

    def m_copy(self, call: ExternalCall) -> AbstractValue | None:
        owner = call.subject
        if isinstance(owner, Map):
            return Map(dict(owner.items), owner.rest, owner.keys)
        if isinstance(owner, Seq):
            return Seq(owner.kind, list(owner.items), owner.rest)
        return None

    def m_clear(self, call: ExternalCall) -> AbstractValue | None:
        owner = call.subject
        if isinstance(owner, Map) and not self.frame.may:
            owner.items, owner.rest, owner.keys = {}, None, None
        if isinstance(owner, Seq) and not self.frame.may:
            owner.items, owner.rest = [], None
        return Const(None)

    def m_union(self, call: ExternalCall) -> AbstractValue | None:
        if isinstance(call.subject, Seq) and call.args:
            return self.concatenated(call.subject, call.args[0], call.node)
        return blend([call.subject, *call.args])

    def m_issubset(self, call: ExternalCall) -> AbstractValue | None:
        return compare(call.subject, ast.LtE(), call.args[0]) if call.args else None

    def m_issuperset(self, call: ExternalCall) -> AbstractValue | None:
        args = call.args
        if args and not isinstance(args[0], Seq):
            items, rest = self.elements(args[0], line_of(call.node))
            return compare(Seq("set", items, rest), ast.LtE(), call.subject)
        return compare(args[0], ast.LtE(), call.subject) if args else None

    def m_split(self, call: ExternalCall) -> AbstractValue | None:
        text = const_str(call.subject)
        sep = const_str(call.args[0]) if call.args else None
        if text is not None and (sep or not call.args):
            pieces = text.split(sep) if sep else text.split()
            return Seq("list", [Const(p) for p in pieces])
        lacking = mask_of(sep) if sep and len(sep) == 1 else 0
        marks = frozenset(
            replace(m.part("|part"), mask=m.mask & ~lacking) for m in marks_of(call.subject)
        )
        if not marks:
            return Unknown("list")
        return Seq("list", [], Unknown("str", marks))

    def m_partition(self, call: ExternalCall) -> AbstractValue | None:
        part = part_of(call.subject, "|part", "str")
        return Seq("tuple", [part, call.args[0] if call.args else Unknown(), part])

    def m_decode(self, call: ExternalCall) -> AbstractValue | None:
        owner = call.subject
        codec = const_str(call.args[0]) if call.args else None
        if codec in {"unicode_escape", "unicode-escape"} and call.last == "encode":
            return without(blend([owner], "bytes"), CONTROLS | mask_of("\x85\u2028"))
        if isinstance(owner, Const) and isinstance(owner.value, str | bytes):
            return owner
        if codec == "ascii" and call.last == "encode":
            return without(self._same(owner), ~ASCII)
        return None

    def m_match(self, call: ExternalCall) -> AbstractValue | None:
        owner, args = call.subject, call.args
        if not args:
            return None
        if isinstance(owner, Thing) and owner.type == "re.compile()":
            return matched(owner.args[0], args[0], call.last, owner.args[1:])
        unknown = isinstance(owner, Unknown | Extern) and call.last != "search"
        return Unknown("re.Match", marks_of(args[0])) if unknown and marks_of(args[0]) else None

    def m_sub(self, call: ExternalCall) -> AbstractValue | None:
        owner, args = call.subject, call.args
        if isinstance(owner, Thing) and owner.type == "re.compile()" and len(args) > 1:
            return substituted(owner.args[0], args[0], args[1])
        return None

    def m_resolve(self, call: ExternalCall) -> AbstractValue | None:
        owner = call.subject
        if isinstance(owner, ComposedText | Unknown) and marks_of(owner):
            flags = {"resolved"} if call.last == "resolve" else set[str]()
            return map_marks(owner, lambda m: replace(m, flags=m.flags | flags))
        return owner if isinstance(owner, Const | ComposedText) else None

    def m_is_relative_to(self, call: ExternalCall) -> AbstractValue | None:
        return verdict(resolved_facts(marks_of(call.subject)))

    def m_relative_to(self, call: ExternalCall) -> AbstractValue | None:
        self.learn(resolved_facts(marks_of(call.subject)))
        return Unknown("path", marks_of(call.subject))

    def m_joinpath(self, call: ExternalCall) -> AbstractValue | None:
        out: list[str | AbstractValue] = [call.subject]
        for arg in call.args:
            out.extend(("/", arg))
        return make_text(out, "path")

    def m_with_name(self, call: ExternalCall) -> AbstractValue | None:
        if not call.args:
            return None
        return make_text([call.subject, "/", without(call.args[0], mask_of("/"))], "path")

    def m_is_absolute(self, call: ExternalCall) -> AbstractValue | None:
        return verdict(false=fact(marks_of(call.subject), safe=("relative",)))

    def m_set(self, call: ExternalCall) -> AbstractValue | None:
        args = call.args
        if isinstance(call.subject, Thing) and len(args) == 3:
            call.subject.attrs[f"[{const_str(args[0])}.{const_str(args[1])}]"] = args[2]
            return Const(None)
        return None

    def m_model_validate(self, call: ExternalCall) -> AbstractValue | None:
        if not isinstance(call.subject, ClassV) or not call.args:
            return None
        return self.model_from(call.subject, call.args[0], call.node)

    def model_from(self, cls: ClassV, data: AbstractValue, node: ast.AST) -> AbstractValue:
        """Returns a record whose fields are filled from external data."""
        instance = Instance(cls)
        for name, annotation in self.record_fields(cls).items():
            value = self.item(data, Const(name), node)
            instance.attrs[name] = self.field_value(annotation, value)
        config = cls.find("model_config")
        settings = config.kwargs if isinstance(config, Thing) else {}
        settings = config.items if isinstance(config, Map) else settings
        if const_str(settings.get("extra")) == "allow":
            instance.attrs["__rest__"] = Unknown("", marks_of(data))
        return instance

    def m_model_dump(self, call: ExternalCall) -> AbstractValue | None:
        if isinstance(call.subject, Instance):
            rest = call.subject.attrs.get("__rest__")
            fields: dict[object, AbstractValue] = {
                k: v for k, v in call.subject.attrs.items() if not k.startswith("__")
            }
            return Map(fields, rest, rest)
        return None

    def m__replace(self, call: ExternalCall) -> AbstractValue | None:
        return with_fields(call.subject, call.kwargs)

    def m_hex(self, call: ExternalCall) -> AbstractValue | None:
        marks = marks_of(call.subject)
        word = LETTERS | DIGITS
        return Unknown("str", frozenset(replace(m, mask=m.mask & word) for m in marks))

    def m_getvalue(self, call: ExternalCall) -> AbstractValue | None:
        return call.subject.attrs.get("written") if isinstance(call.subject, Thing) else None

    def m_write(self, call: ExternalCall) -> AbstractValue | None:
        owner, args = call.subject, call.args
        if isinstance(owner, Thing) and owner.type in {"io.StringIO()", "io.BytesIO()"} and args:
            old = owner.attrs.get("written", Const(""))
            owner.attrs["written"] = make_text([old, args[0]])
            owner.marks |= marks_of(args[0])
        return None


def without(value: AbstractValue, mask: int) -> AbstractValue:
    """Returns an abstract text from which some characters were removed."""
    return map_marks(value, lambda m: replace(m, mask=m.mask & ~mask))


def with_fields(record: AbstractValue, fields: dict[str, AbstractValue]) -> AbstractValue | None:
    """Returns a copy of a record with some fields replaced."""
    if not isinstance(record, Instance):
        return None
    made = Instance(record.cls, record.marks)
    made.attrs = {**record.attrs, **fields}
    return made


def _texts(value: AbstractValue) -> list[str | None]:
    """Returns the possible texts of a prefix; None means an unknown text."""
    if isinstance(value, Seq):
        return [const_str(i) for i in value.items] + ([None] if value.rest is not None else [])
    if isinstance(value, UnionValue):
        return [const_str(o) for o in value.options]
    return [const_str(value)]


def _ends_open(value: AbstractValue) -> bool:
    """Returns whether a path prefix ends with a separator. Such a prefix matches only whole folder
    names.
    """
    if isinstance(value, Seq):
        return bool(value.items) and all(_ends_open(i) for i in value.items) and value.rest is None
    if isinstance(value, UnionValue):
        return all(_ends_open(o) for o in value.options)
    parts = text_parts(value)
    last = parts[-1] if parts else ""
    if isinstance(last, str):
        return last.endswith("/")
    return isinstance(last, Extern) and last.name in {"os.sep", "os.path.sep"}


def _prefix_facts(
    marks: frozenset[Mark], prefix: AbstractValue, texts: list[str | None]
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


def _is_url(prefix: AbstractValue) -> bool:
    for option in prefix.items if isinstance(prefix, Seq) else options(prefix):
        parts = text_parts(option)
        head = parts[0] if parts and isinstance(parts[0], str) else ""
        known = const_str(option)
        if head and not re.match(r"https?://", head):
            return False
        if known is not None and not re.match(r"https?://[^/]+/", known):
            return False
    return True
