#!/usr/bin/env python3
"""Makes all files of something new from its recipe in scripts/recipes/, and says what to do next.

A recipe is a text. Its first line says what it makes. Then come its parts: `=== PATH` starts a new
file, `+++ PATH` and a line that says where start lines for a file that exists, and a line `>>>` is
a command to enter afterwards. @NAME@ stands for the name, and so on (see `words`).
"""

from __future__ import annotations

import argparse
import keyword
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RECIPES = Path(__file__).with_name("recipes")
_PART = re.compile(r"^(===|\+\+\+|>>>) (.*)\n", re.MULTILINE)
_SHAPES = {
    "function": (
        "SCHEMA.NAME, such as search.shorten",
        r"(?P<SCHEMA>[a-z_]+)\.(?P<NAME>[a-z][a-z0-9_]*)",
    ),
    "operation": (
        "DOMAIN.NAME, such as jobs.pause_job",
        r"(?P<DOMAIN>[a-z_]+)\.(?P<NAME>[a-z][a-z0-9_]*)",
    ),
    "setting": (
        "SECTION.NAME, such as server.max_clients",
        r"(?P<SECTION>[a-z_]+)\.(?P<NAME>[a-z][a-z0-9_]*)",
    ),
    "page": ("a file name in docs/ without .md, such as backups", r"(?P<NAME>[a-z0-9-]+)"),
    "kind": ("a word, such as recipes: its schema, and its folder in kinds/", r"(?P<NAME>[a-z]+)"),
}
_OF_KINDS = {"function", "operation", "migration", "tool"}
_ANY = ("a name, such as catalog_licences", r"(?P<NAME>[a-z][a-z0-9_]*)")


class RefusedError(Exception):
    """What was asked for cannot be made; the text says why, and what to enter instead."""


def words(what: str, name: str, kind: str) -> dict[str, str]:
    """The words that stand between @ and @ in a recipe.

    Args:
        what: name of a recipe.
        name: name of the new thing.
        kind: folder in kinds/ that gets it; empty: the core.

    Raises:
        RefusedError: the name has another shape, or there is no such kind.
    """
    shape, pattern = _SHAPES.get(what, _ANY)
    found = re.fullmatch(pattern, name)
    if not found:
        raise RefusedError(f"NAME={name} does not fit: write {shape}.")
    if keyword.iskeyword(found["NAME"]):
        raise RefusedError(f"{found['NAME']} is a word of Python.")
    if kind and what not in _OF_KINDS:
        raise RefusedError(f"A {what} belongs to the core: leave KIND out.")
    if kind and not (ROOT / "kinds" / kind).is_dir():
        raise RefusedError(f"kinds/{kind} does not exist. KIND names a folder in kinds/.")
    if what == "tool" and not kind:
        packages = ROOT.glob("kinds/*/quartermaster_*/package.py")
        doors = sorted(path.parts[-3] for path in packages if "tools=(" in path.read_text())
        raise RefusedError(
            f"Name the kind whose door offers the tool: KIND={' or KIND='.join(doors)}."
        )
    base = f"kinds/{kind}/" if kind else ""
    package = f"quartermaster_{kind}" if kind else "quartermaster"
    known = found.groupdict() | {
        "BASE": base,
        "KIND": kind,
        "PACKAGE": package,
        "FOLDER": f"{base}{package}" if kind else f"service/{package}",
        "VERSION": re.search(r'^version = "(.+)"', _read("pyproject.toml"), re.MULTILINE)[1],
        "OF_KIND": f" KIND={kind}" if kind else "",
        "NUMBER": _next_migration(ROOT / base / "migrations"),
    }
    known["TESTS"] = f"{base}tests/sql"
    _require_place(what, known)
    if what == "setting":
        known["CLASS"] = _section_class(known["SECTION"], known["NAME"])
        known["YAML"] = f"  {known['NAME']}: 8".ljust(29)
    known["CONSTANT"] = known["NAME"].upper()
    known["TITLE"] = known["NAME"].replace("_", " ").replace("-", " ").capitalize()
    return known


def _require_place(what: str, known: dict[str, str]) -> None:
    """Refuses a schema, a domain or a door that is not there, and an operation that is."""
    functions = ROOT / known["BASE"] / "functions"
    folder = {"function": known.get("SCHEMA", ""), "operation": f"api/{known.get('DOMAIN')}"}
    if what in folder:
        parent = functions / "api" if what == "operation" else functions
        others = ("api", "service", "README.md")
        there = sorted(path.name for path in parent.iterdir() if path.name not in others)
        if (functions / folder[what]) not in [parent / each for each in there]:
            raise RefusedError(f"{folder[what]} is not there. Choose from: {' '.join(there)}")
    if what == "operation":
        for schema in ("api", "service"):
            for taken in ROOT.glob(f"**/functions/{schema}/*/{known['NAME']}.sql"):
                raise RefusedError(f"{taken.relative_to(ROOT)} exists already.")
    if what == "tool" and "tools=(" not in _read(f"{known['FOLDER']}/package.py"):
        raise RefusedError(f"The kind {known['KIND']} has no door with tools.")


def _section_class(section: str, name: str) -> str:
    """Returns the class of a section of the settings that has no such setting."""
    classes = dict(
        re.findall(
            r"^    (\w+): sections\.(\w+) =",
            _read("service/quartermaster/settings/settings.py"),
            re.MULTILINE,
        )
    )
    if section not in classes:
        raise RefusedError(
            f"There is no section {section}. Choose from: {' '.join(classes)}. A setting that SQL "
            "reads is a row in sql/seeds/core.sql instead."
        )
    text = _read("service/quartermaster/settings/sections.py")
    body = text.partition(f"class {classes[section]}(")[2].partition("\nclass ")[0]
    if re.search(rf"^    {name}:", body, re.MULTILINE):
        raise RefusedError(f"The setting {section}.{name} exists already.")
    return classes[section]


def _next_migration(folder: Path) -> str:
    numbers = [int(path.name[:4]) for path in folder.glob("[0-9]*.sql")]
    return f"{max(numbers, default=0) + 1:04}"


def _read(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def parts(recipe: str) -> Iterator[tuple[str, str, str]]:
    """The mark of each part of a recipe, the rest of its first line, and the lines below it."""
    starts = list(_PART.finditer(recipe))
    ends = [found.start() for found in starts[1:]] + [len(recipe)]
    for found, end in zip(starts, ends, strict=True):
        yield found[1], found[2], recipe[found.end() : end]


def inserted(text: str, where: str, new: str) -> str:
    """A text with new lines.

    Args:
        text: the text of a file.
        where: `end`; `sorted P`: among the lines that begin with what the pattern P matches;
            `after P`: below what P matches; `before P`: above it; `within P`: directly behind it.
        new: the lines.

    Raises:
        RefusedError: the pattern matches nothing.
    """
    how, _, pattern = where.partition(" ")
    if how == "end":
        return text.rstrip("\n") + "\n" + new
    found = list(re.finditer(pattern, text, re.MULTILINE))
    if not found:
        raise RefusedError(f"no place for the new lines: nothing matches {pattern}")
    if how == "sorted":
        place = next((each.start() for each in found if text[each.start() :] > new), None)
        place = text.index("\n", found[-1].end()) + 1 if place is None else place
    elif how == "before":
        place = found[0].start()
    elif how == "within":
        place, new = found[0].end(), new.removesuffix("\n")
        if text[:place].rstrip().endswith(","):
            new = f"{new.removeprefix(', ')},"
    else:
        place = found[0].end() + len(text[found[0].end() :].partition("\n")[0]) + 1
    return text[:place] + new + text[place:]


def planned(what: str, name: str, kind: str) -> tuple[dict[Path, str], list[str]]:
    """The texts of the files that a recipe makes or changes, and the commands to enter afterwards.

    Raises:
        RefusedError: see `words` and `inserted`; or a file exists already.
    """
    known = words(what, name, kind)
    recipe = re.sub(
        r"@([A-Z_]+)@",
        lambda found: known[found[1]],
        (RECIPES / f"{what}.txt").read_text(encoding="utf-8"),
    )
    files: dict[Path, str] = {}
    commands: list[str] = []
    for mark, line, lines in parts(recipe):
        path = ROOT / line
        if mark == ">>>":
            commands.append(line)
        elif mark == "===":
            if taken := next(path.parent.glob(f"{path.stem}.*"), None):
                raise RefusedError(f"{taken.relative_to(ROOT)} exists already.")
            files[path] = lines
        else:
            where, _, new = lines.partition("\n")
            try:
                files[path] = inserted(files.get(path) or _read(line), where, new)
            except (OSError, RefusedError) as error:
                raise RefusedError(f"{line}: {error}") from None
    return files, commands


def write(files: dict[Path, str]) -> None:
    """Writes files, and formats those with Python."""
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    ruff = ROOT / ".venv" / "bin" / "ruff"
    code = [path for path in files if path.suffix == ".py"]
    if code and ruff.exists():
        subprocess.run([ruff, "check", "--quiet", "--select=I", "--fix", *code], check=True)
        subprocess.run([ruff, "format", "--quiet", *code], check=True)


def main() -> int:
    """Reads the command line; see `make new-function` and so on in the Makefile."""
    known = sorted(path.stem for path in RECIPES.glob("*.txt"))
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("what", choices=known)
    parser.add_argument("name", nargs="?", default="")
    parser.add_argument("--kind", default="", help="the folder in kinds/ that gets it")
    parser.add_argument("--dry-run", action="store_true", help="only name the files")
    given = parser.parse_args()
    try:
        files, commands = planned(given.what, given.name, given.kind)
    except RefusedError as refused:
        print(f"make new-{given.what}: {refused}", file=sys.stderr)
        return 1
    for path in files:
        print(f"{'change' if path.exists() else 'create'} {path.relative_to(ROOT)}")
    if not given.dry_run:
        write(files)
    print("Write what stands there for an example. Then enter:", *commands, sep="\n  ")
    return 0


if __name__ == "__main__":
    sys.exit(main())
