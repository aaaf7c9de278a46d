"""Finds insecure uses of temporary files, key files and XML parsers."""

from __future__ import annotations

import re

from quartermaster_quality.taint.channels import Channels
from quartermaster_quality.taint.credential_library import snake
from quartermaster_quality.taint.hashes import unparsed
from quartermaster_quality.taint.judge import literal_text
from quartermaster_quality.taint.values import (
    AbstractValue,
    ComposedText,
    Const,
    Extern,
    ExternalCall,
    Seq,
    Thing,
    UnionValue,
    Unknown,
    blend,
    const_str,
    line_of,
    options,
    text_parts,
    truth,
)

SHARED_FOLDERS = ("/tmp", "/var/tmp", "/dev/shm", "/usr/tmp", "C:\\Temp", "C:\\Windows\\Temp")  # noqa: S108

# What names the file of a key or of a certificate, and what such a file is called.
KEY_ARGUMENT = re.compile(r"^ssl(_context)?$|^(ssl_?|tls_?)?(key|cert|ca)_?(file|certs|path)$")
KEY_FILE = re.compile(r"\.(key|pem|p12|pfx|jks|crt|cert?|der)$")

# Functions that open or write a file.
OPEN_FUNCTIONS = {"open", "io.open", "codecs.open", "aiofiles.open", "anyio.open_file", "gzip.open"}
COPIES = {
    "shutil.copy", "shutil.copyfile", "shutil.copy2", "shutil.move", "os.rename", "os.replace",
}  # fmt: skip
CREATE_FUNCTIONS = {
    "sqlite3.connect", "shelve.open", "logging.FileHandler", "zipfile.ZipFile", "tarfile.open",
}  # fmt: skip

# A pipe of Windows has a name, but no folder.
WINDOWS_PIPE = "\\\\.\\pipe\\"


class Files(Channels):
    """The part of the interpreter that checks calls that open or write files."""

    # Temporary files.

    def u_tempfile(self, call: ExternalCall) -> AbstractValue | None:  # noqa: C901 - one for each function
        name, args = call.name, call.args
        self._planted(call)
        if name == "tempfile.mktemp":
            folder = call.named("dir", at=2)
            prefix = literal_text(call.kwargs.get("prefix", Const("")))
            if not prefix.startswith(WINDOWS_PIPE) and (folder is None or _may_be_shared(folder)):
                self.report("tempfile", None, call.node)
            return Unknown("str")
        if name in {"tempfile.gettempdir", "tempfile.gettempdirb"}:
            return Const("/tmp")  # noqa: S108
        if name == "tempfile.mkstemp":
            return Seq("tuple", [Thing("mkstemp fd"), Thing("mkstemp path")])
        if name == "tempfile.NamedTemporaryFile":
            made = Thing("mkstemp file")
            made.attrs["name"] = Thing("mkstemp path")
            return made
        if name in {"tempfile.mkdtemp", "tempfile.TemporaryDirectory"}:
            made = Thing("private folder")
            made.attrs["name"] = Thing("private folder")
            return made
        if name in {"os.unlink", "os.remove", "os.rmdir"} and args:
            self._unlinked(args[0])
            return Const(None)
        if name == ".unlink" and call.owner is not None:
            for part in text_parts(call.owner):
                if not isinstance(part, str):
                    self._unlinked(part)
        self._predictable(call)
        return None

    def _planted(self, call: ExternalCall) -> None:
        """Reports a key or certificate that is read from a shared folder, where any user can
        replace it.
        """
        given = [value for name, value in call.kwargs.items() if KEY_ARGUMENT.search(snake(name))]
        if call.last in {"load_cert_chain", "load_verify_locations"}:
            given += call.args
        opened, _ = self._written_path(call)
        if call.name in {".read_text", ".read_bytes"}:
            opened = call.owner
        if opened is not None and KEY_FILE.search(literal_text(opened)):
            given.append(opened)
        for option in (option for value in given for option in options(value)):
            if any(map(_is_shared, option.items if isinstance(option, Seq) else [option])):
                text = "A key or a certificate is in a folder that all users share."
                self.report("tempfile", None, call.node, text)

    def _unlinked(self, value: AbstractValue) -> None:
        for option in options(value):
            if isinstance(option, Thing) and option.type == "mkstemp path":
                option.attrs["gone"] = Const(True)

    def _predictable(self, call: ExternalCall) -> None:
        path, writes = self._written_path(call)
        for option in () if path is None else options(path):
            gone = [p for p in _things(option) if p.type == "mkstemp path" and "gone" in p.attrs]
            if gone or (writes and _is_shared(option)):
                self.report("tempfile", None, call.node)

    def _written_path(  # noqa: PLR0911 - one for each function
        self, call: ExternalCall
    ) -> tuple[AbstractValue | None, bool]:
        """Returns the path that a call opens, and whether it can write to an existing file."""
        name, owner, args = call.name, call.owner, call.args
        exist_ok = truth(call.kwargs["exist_ok"]) if "exist_ok" in call.kwargs else None
        if name in OPEN_FUNCTIONS and args:
            return args[0], _overwrites(const_str(call.named("mode", at=1) or Const("r")) or "w")
        if name == "os.open" and args:
            flags = _flag_names(args[1]) if len(args) > 1 else ""
            return args[0], "O_CREAT" in flags and "O_EXCL" not in flags
        if name in {".write_text", ".write_bytes", ".touch"}:
            return owner, name != ".touch" or exist_ok is not False
        if name == ".open" and isinstance(owner, ComposedText | Const | Thing):
            return owner, _overwrites(const_str(call.named("mode", at=0)) or "r")
        if name in COPIES and len(args) > 1:
            return args[1], name.startswith("shutil.c")
        if name == "os.makedirs" and args:
            return args[0], exist_ok is True
        if name == ".mkdir":
            return owner, exist_ok is True
        if name in CREATE_FUNCTIONS and args:
            mode = const_str(args[1]) or "" if len(args) > 1 else ""
            return args[0], name == "logging.FileHandler" or "w" in mode
        return None, False

    def u_file(self, call: ExternalCall) -> AbstractValue | None:
        name, owner, args = call.name, call.owner, call.args
        if name in {"open", "io.open", "codecs.open", "aiofiles.open"} and args:
            made = Thing("file", args, call.kwargs)
            made.attrs["name"] = args[0]
            return made
        is_file = isinstance(owner, Thing) and owner.type == "file"
        if is_file and name in {".read", ".readline", ".readlines"}:
            return Unknown("str")
        if name in {".read_text", ".read_bytes"}:
            label = snake(unparsed(call.node))
            if re.search(r"secret|token|passw|code_file|key_file|credential", label):
                marks = self.mark("secret", call.node, "the content of a secret file")
                return Unknown("str", marks)
            is_path = isinstance(owner, Unknown) and owner.type == "path"
            return Unknown("str") if is_path or isinstance(owner, ComposedText | Const) else None
        if re.fullmatch(r"configparser\.(Safe|Raw)?ConfigParser", name):
            return Thing("configparser.ConfigParser")
        if name in {"zipfile.ZipFile", "tarfile.open", "tarfile.TarFile"}:
            return Thing(f"{name}()", args, call.kwargs, blend(call.values).marks)
        return None

    def u_xml(self, call: ExternalCall) -> AbstractValue | None:
        args = call.args
        if call.name in {"xml.sax.make_parser", "defusedxml.sax.make_parser"}:
            return Thing("xml.sax parser", line=line_of(call.node))
        if call.name == ".setFeature" and isinstance(call.owner, Thing) and len(args) > 1:
            key = args[0].name if isinstance(args[0], Extern) else const_str(args[0]) or ""
            key = key.replace("http://xml.org/sax/features/", "feature_").replace("-", "_")
            key = re.sub(r"feature_external_(g|p)\w+_entities", r"feature_external_\1es", key)
            call.owner.attrs[key.rsplit(".", 1)[-1]] = args[1]
            return Const(None)
        return None


def _things(value: AbstractValue) -> list[Thing]:
    if isinstance(value, Thing):
        return [value]
    if isinstance(value, ComposedText):
        return [t for p in value.parts if not isinstance(p, str) for t in _things(p)]
    return []


def _may_be_shared(folder: AbstractValue) -> bool:
    """Returns whether a folder is or may be shared by all users. Returns false for an unknown
    folder.
    """
    return any(
        isinstance(o, Const | ComposedText)
        and (not literal_text(o) or literal_text(o).startswith(SHARED_FOLDERS))
        for o in options(folder)
    )


def _is_shared(value: AbstractValue) -> bool:
    """Returns whether a path is predictable and in a folder that is shared by all users."""
    parts = text_parts(value)
    heads = [parts[0]] if isinstance(parts[0], str) else map(const_str, options(parts[0]))
    if not any((head or "").startswith(SHARED_FOLDERS) for head in heads):
        return False
    return not any(
        (isinstance(part, Unknown) and part.type == "random")
        or (isinstance(part, Thing) and part.type in {"mkstemp path", "private folder"})
        for part in parts
    )


def _overwrites(mode: str) -> bool:
    return bool(set(mode) & set("wa+")) and "x" not in mode


def _flag_names(value: AbstractValue) -> str:
    if isinstance(value, Extern):
        return value.name
    if isinstance(value, ComposedText | UnionValue):
        children = value.parts if isinstance(value, ComposedText) else value.options
        return " ".join(_flag_names(p) for p in children if not isinstance(p, str))
    return ""
