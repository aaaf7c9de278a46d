"""Writes and reads decisions as Markdown files, one file per decision, similar to the MADR format.

The front matter contains the data for programs, and the sections contain the texts for people. If a
section cannot contain a text unchanged, for example because the text contains a heading, the text
is in the front matter instead. When the file is read, the front matter takes precedence. So reading
a file always returns exactly the decision that was written.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import yaml

from quartermaster.core.errors import QmError

Decision = Mapping[str, Any]

KEYS: Final = (
    "id",
    "status",
    "scope",
    "polarity",
    "confidence",
    "health",
    "keywords",
    "check",
    "origin",
    "miner",
    "statistics",
    "importance",
    "valid_from",
    "last_verified",
    "superseded_by",
    "evidence",
)
"""Keys of the front matter, in this order; keys without a value are left out."""

SECTIONS: Final = {
    "applies_when": "Context",
    "instead": "What to do instead",
    "rationale": "Rationale",
    "rejected_alternatives": "Rejected alternatives",
}
"""Titles of the sections, by the member of the decision that each section contains. The member
`pattern` has no section: it is the title of the file.
"""

# A decision that says what to do has what not to do in its member `instead`.
_AVOIDANCE_TITLE: Final = "What not to do"
_OF_TITLES: Final = {title: key for key, title in SECTIONS.items()} | {_AVOIDANCE_TITLE: "instead"}

MAX_FILE_BYTES: Final = 1_000_000
_SAME_PATTERN: Final = re.compile(r"[^a-z0-9]+")


class _Loader(yaml.SafeLoader):
    """A YAML loader that refuses aliases. With aliases, a small file could become a huge value."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.AliasEvent):  # pyright: ignore[reportUnknownMemberType]
            raise yaml.YAMLError("aliases are not allowed")
        return super().compose_node(parent, index)  # pyright: ignore[reportUnknownMemberType]


class _Dumper(yaml.SafeDumper):
    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002
        return True


def file_name(decision: Decision) -> str:
    """Returns the name of the file for a decision."""
    words = _SAME_PATTERN.sub("-", str(decision["pattern"]).lower()).strip("-")[:60].rstrip("-")
    return f"{decision['id']:04d}-{words or 'decision'}.md"


def write_markdown(decision: Decision) -> str:
    """Returns the text of the file for a decision."""
    body = _body(decision)
    held = _sections(body)
    front = {key: decision[key] for key in KEYS if decision.get(key) not in (None, "", [], {})}
    for key in ("pattern", *SECTIONS):
        if held.get(key, _nothing(key)) != decision.get(key, _nothing(key)):
            front[key] = decision[key]
    dumped = yaml.dump(front, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=100)
    return f"---\n{dumped}---\n\n{body}"


def read_markdown(text: str, name: str) -> dict[str, Any]:
    """Returns the decision that a file contains.

    Args:
        text: text of the file.
        name: name of the file, for error messages.

    Raises:
        QmError: QM422 file_invalid.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    begin, _, rest = text.partition("---\n")
    front, end, body = rest.partition("\n---\n")
    if begin or not end:
        raise _invalid(name, "the file does not begin with front matter between two lines of ---")
    try:
        keys = yaml.load(front, Loader=_Loader)  # noqa: S506 - it is a safe loader
    except (yaml.YAMLError, ValueError) as error:
        raise _invalid(name, " ".join(str(error).split())) from None
    if not isinstance(keys, dict):
        raise _invalid(name, "the front matter is not a list of keys")
    found: dict[str, Any] = _sections(body) | keys
    if not keys.keys() & SECTIONS.keys():  # otherwise, a text in a section may have headings
        _check_titles(body, name)
    unknown = [str(key) for key in found if key not in {*KEYS, *SECTIONS, "pattern"}]
    if unknown:
        raise _invalid(name, f"the key {unknown[0]} is unknown")
    return found


def _body(decision: Decision) -> str:
    parts = [f"# {decision['pattern']}"]
    titles = (
        SECTIONS
        if decision.get("polarity") == "avoid"
        else SECTIONS | {"instead": _AVOIDANCE_TITLE}
    )
    for key, title in titles.items():
        value = decision.get(key) or ""
        if value:
            text = value if isinstance(value, str) else "\n".join(f"* {each}" for each in value)
            parts.append(f"## {title}\n\n{text}")
    return "\n\n".join(parts) + "\n"


def _sections(body: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    title, *parts = re.split(r"^## ", body.removesuffix("\n"), flags=re.MULTILINE)
    pattern = title.strip("\n").removeprefix("# ")
    if pattern and "\n" not in pattern:
        found["pattern"] = pattern
    for part in parts:
        heading, _, text = part.partition("\n")
        if (key := _OF_TITLES.get(heading.strip())) is None:
            continue
        text = text.strip("\n")
        found[key] = _listed(text) if key == "rejected_alternatives" else text
    return found


def _check_titles(body: str, name: str) -> None:
    """Refuses a section whose text would be lost, because its title is unknown or occurs twice.

    Raises:
        QmError: QM422 file_invalid.
    """
    seen: set[str] = set()
    for title in re.findall(r"^## (.*)$", body, flags=re.MULTILINE):
        key = _OF_TITLES.get(title.strip())
        if key is None:
            raise _invalid(name, f"the section {title.strip()} is unknown")
        if key in seen:
            raise _invalid(name, f"there are two sections called {title.strip()}")
        seen.add(key)


def _listed(text: str) -> list[str]:
    return [line.removeprefix("* ") for line in text.split("\n") if line.startswith("* ")]


def _nothing(key: str) -> Any:
    return [] if key == "rejected_alternatives" else ""


def _invalid(name: str, what: str) -> QmError:
    return QmError(
        422,
        "file_invalid",
        f"The file {name} is not a decision: {what}.",
        "kinds/decisions/docs/decisions.md describes the format of decision files.",
    )
