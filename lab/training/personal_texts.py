"""Texts with invented personal data, in the formats and languages in which tools answer.

Some are made from sentences and names of fields; others are written, in personal_results.txt.
"""

from __future__ import annotations

import itertools
import json
import random
import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

_LISTS_FOLDER: Final = Path(__file__).parent
_SLOT: Final = re.compile(r"\{(\w+)\}|\[([^\]]+)\]")
_CAPITALS: Final = "ABCDEFGHJKLMNPRSTUVWXYZ"
_OPEN, _CLOSE = "\ue000", "\ue001"
# Labels of the slots that are personal.
LABELS: Final = {
    "address": "address",
    "at": "address",
    "born": "birth_date",
    "phone": "phone",
    "email": "email",
    "ip": "ip",
    "plate": "number",
    "passport": "number",
    "id": "number",
    "iban": "number",
    "card": "number",
    "health": "health",
}
_SIGNS: Final = {label: chr(0xE100 + n) for n, label in enumerate(sorted(set(LABELS.values())))}
_LABEL_OF: Final = {sign: label for label, sign in _SIGNS.items()}
_MARK: Final = re.compile(f"{_OPEN}([{''.join(_LABEL_OF)}])|{_CLOSE}")
# How a part of a written result is marked.
_WRITTEN_PATTERN: Final = re.compile("⟦([abehinp]) |⟧")
_LETTERS: Final = {
    "a": "address", "b": "birth_date", "e": "email", "h": "health", "i": "ip", "n": "number",
    "p": "phone",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Made:
    """A text, and its personal parts.

    Attributes:
        text: the text.
        parts: start, end and label of each.
    """

    text: str
    parts: list[tuple[int, int, str]]


class _Country:
    """Makes the data of a country's people.

    Args:
        rng: decides what is made.
        code: the country in personal_places.toml.
    """

    def __init__(self, rng: random.Random, code: str) -> None:
        self.rng, self.code, self.places = rng, code, _toml("places")[code]

    def slot(self, name: str) -> str:
        """Makes what stands in a slot."""
        forms = _toml("fields")["values"] | self.places
        return self._form(forms[name]) if name in forms else getattr(self, f"_{name}")()

    def _form(self, forms: list[str]) -> str:
        return _digits(self.rng, self.rng.choice(forms))

    def _pick(self, name: str, separator: str = ";") -> str:
        return self.rng.choice(self.places[name].split(separator)).strip()

    def _name(self) -> str:
        rng = self.rng
        first, last = (
            rng.choice(self.places["first"].split()),
            rng.choice(self.places["last"].split()),
        )
        if self.code in {"jp", "cn"}:
            return last + first
        form = rng.choice(["{f} {l}"] * 8 + ["{l}, {f}", "{f} {i}. {l}", "{i}. {l}"])
        return form.format(f=first, l=last, i=rng.choice("ABCDEFGHJKLM"))

    def _stem(self) -> str:
        stems = self.places["stems"]
        return self._pick("stems", ";" if ";" in stems else " ")

    def _street(self) -> str:
        text = self.rng.choice(self.places["streets"])
        text = re.sub(r"\{S\}", lambda _: self._stem(), text)
        number = lambda _: str(int(self.rng.choice([1, 1, 1, 10, 10]) * self.rng.uniform(1, 20)))  # noqa: E731
        return _digits(self.rng, re.sub(r"\{n\}", number, text))

    def _desk(self) -> str:
        return self.slot("phone")

    def _town(self) -> str:
        return self._pick("towns")

    def _address(self) -> str:
        rng, street = self.rng, self._street()
        code, town = self._form(self.places["codes"]), self._town()
        comma = rng.choice([", "] * 6 + ["\n", "; ", " - ", " ", " / "])
        if self.code in {"gb", "us"}:
            whole = f"{street}{comma}{town}{rng.choice([' ', ', ', ' '])}{code}"
        elif self.code in {"jp", "cn"}:
            return rng.choice([f"{code} {town}{street}", f"{town}{street}"])
        elif self.code == "ru":
            whole = rng.choice([f"{town}, {street}", f"{code}, {town}, {street}"])
        else:
            whole = f"{street}{comma}{code} {town}"
        return rng.choice([whole] * 6 + [street, f"{street}, {town}"])

    _office = _address

    def _at(self) -> str:
        rng = self.rng
        return f"{self._name()}{rng.choice([', ', ', ', ', ', ', ', ' - ', chr(10), '; '])}{self._address()}"  # noqa: E501

    def _day(self, first: int, last: int) -> str:
        rng, form = self.rng, self.rng.choice(self.places["dates"])
        year, month, day = rng.randint(first, last), rng.randint(1, 12), rng.randint(1, 28)
        named = self.places["months"].split()[month - 1]
        endings = {1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd"}
        return _digits(rng, form.format(
            d=f"{day:02}", D=day, m=f"{month:02}", M=month, y=year, yy=f"{year % 100:02}",
            iso=f"{year}-{month:02}-{day:02}", MONTH=named, month=named, MON=named[:3],
            th=endings.get(day, "th"),
        ))  # fmt: skip

    def _born(self) -> str:
        if self.rng.random() < 0.05:
            return str(self.rng.randint(1930, 2012))
        return self._day(1928, 2014)

    def _date(self) -> str:
        return self._day(2016, 2027) if self.rng.random() < 0.9 else self._day(1950, 2015)

    def _email(self) -> str:
        rng = self.rng
        first = re.sub(r"\W", "", rng.choice(self.places["first"].split()).lower())
        last = re.sub(r"[^\w-]", "", rng.choice(self.places["last"].split()).lower())
        plain = (first + "." + last).encode("ascii", "ignore").decode().strip(".-") or "rei.k"
        local = rng.choice([plain, f"{plain[:1]}.{plain.split('.')[-1]}", f"{plain.split('.')[0]}{rng.randint(1, 99)}",  # noqa: E501
                            plain.replace(".", "_")])  # fmt: skip
        return f"{local.strip('.-_') or 'm.k'}@{rng.choice(_toml('fields')['mail']['hosts'])}"

    def _mailbox(self) -> str:
        mail = _toml("fields")["mail"]
        return f"{self.rng.choice(mail['offices'])}@{self.rng.choice(mail['hosts'])}"

    def _ip(self) -> str:
        rng = self.rng
        if rng.random() < 0.15:
            return (
                f"2a02:{rng.randrange(4096):x}:{rng.randrange(65536):x}::{rng.randrange(65536):x}"
            )
        return f"{rng.choice([81, 89, 77, 93, 178, 212, 46])}.{rng.randrange(256)}.{rng.randrange(256)}.{rng.randrange(1, 255)}"  # noqa: E501

    def _host(self) -> str:
        rng = self.rng
        return f"{rng.choice(['10.20', '192.168', '172.16', '10.0', '203.0', '8.8', '198.51'])}.{rng.randrange(256)}.{rng.randrange(1, 255)}"  # noqa: E501

    def _iban(self) -> str:
        rng = self.rng
        plain = "DE" + "".join(rng.choice("0123456789") for _ in range(20))
        return " ".join(plain[n : n + 4] for n in range(0, 22, 4))

    def _card(self) -> str:
        return _digits(self.rng, "4### #### #### ####")

    def _time(self) -> str:
        rng = self.rng
        clock = f"{rng.randrange(24):02}:{rng.randrange(60):02}"
        return rng.choice(
            [clock, clock + ":07", f"2026-0{rng.randint(1, 9)}-1{rng.randrange(10)}T{clock}:09Z"]
        )

    def _hash(self) -> str:
        return "".join(
            self.rng.choice("0123456789abcdef") for _ in range(self.rng.choice([7, 12, 40]))
        )

    def _company(self) -> str:
        last = self.rng.choice(self.places["last"].split())
        return f"{last} {self.rng.choice(['GmbH', 'Ltd', 'SARL', 'S.r.l.', 'Hotel', '& Sons', 'AB', 'BV', 'Inc.'])}"  # noqa: E501

    def _health(self) -> str:
        lists = _texts()["health"]
        own = [line for countries, lines in lists if self.code in countries for line in lines]
        if self.rng.random() < 0.15 or not own:
            own = [line for _, lines in lists for line in lines]
        return self.rng.choice(own)


def made_texts(count: int, seed: int = 19) -> list[Made]:
    """Makes texts: one half from sentences, the other half records in many formats."""
    rng = random.Random(seed)
    return [_made(_prose(rng) if n % 2 else _records(rng)) for n in range(count)]


def written_results() -> list[Made]:
    """Reads the written results."""
    text = (_LISTS_FOLDER / "personal_results.txt").read_text(encoding="utf-8")
    _, _, results = text.partition("\n\n")
    return [
        _made(
            _WRITTEN_PATTERN.sub(
                lambda m: _OPEN + _SIGNS[_LETTERS[m[1]]] if m[1] else _CLOSE, result
            )
        )
        for result in results.rstrip("\n").split("\n%%\n")
    ]


def _prose(rng: random.Random) -> str:
    countries, lines = rng.choice(_weighted())
    country = _Country(rng, rng.choice(countries))
    count = rng.choice([1, 1, 2, 3])
    joined = rng.choice(["\n", "\n\n", " ", "\n- "]).join(rng.choice(lines) for _ in range(count))

    def filled(match: re.Match[str]) -> str:
        if match[2]:
            return _marked(match[2], "health")
        value = country.slot(match[1])
        return _marked(value, LABELS[match[1]]) if match[1] in LABELS else value

    text = _SLOT.sub(filled, joined.replace("\\n", "\n"))
    form = rng.random()
    if form < 0.2:
        return json.dumps({"id": country.slot("ref"), "body": text}, ensure_ascii=False)
    return f"<p>{text}</p>" if form < 0.28 else text


def _records(rng: random.Random) -> str:
    country = _Country(rng, rng.choice([c for cs, _ in _weighted() for c in cs]))
    personal = rng.sample(["born", "address", "phone", "email", "health", "ip", "plate", "passport",
                           "id", "address", "phone", "health", "born"], rng.choice([0, 1, 2, 3, 4]))  # fmt: skip  # noqa: E501
    other = rng.sample(["date", "date", "town", "ref", "number", "time", "desk", "mailbox", "office",  # noqa: E501
                        "host", "company", "word", "plain", "hash", "name"], rng.randint(2, 5))  # fmt: skip  # noqa: E501
    kinds = list(dict.fromkeys([*personal, *other]))
    if "plain" in kinds and "health" in kinds:
        kinds.remove("plain")
    rng.shuffle(kinds)
    if rng.random() < 0.7:
        kinds.insert(0, "name")
        kinds = list(dict.fromkeys(kinds))
    keys = {kind: rng.choice(_toml("fields")["keys"][kind].split()) for kind in kinds}
    if rng.random() < 0.4:
        keys = {kind: key.replace("_", " ").capitalize() for kind, key in keys.items()}
    rows: list[dict[str, str]] = []
    for _ in range(rng.choice([1, 1, 1, 2, 3, 4])):
        row: dict[str, str] = {}
        for kind in kinds:
            value = country.slot(kind).replace("\n", ", ")
            row[kind] = _marked(value, LABELS[kind]) if kind in LABELS else value
            if kind == "health" and rng.random() < 0.3:
                row[kind] = country.slot("plain")
        rows.append(row)
    return _written(rng, kinds, keys, rows)


# How records are written that are no table and no JSON: a field, what stands between two, a row,
# what stands between two, and the whole.
_LINES: Final = ("{key}{colon}{value}", "\n", "{}", "\n\n", "{}")
_LAYOUTS: Final = {
    4: _LINES,
    5: _LINES,
    6: ('{name}="{value}"', " ", "{}", "\n", "{}"),
    7: ("<th>{key}</th><td>{value}</td>", "", "<tr>{}</tr>", "", "<table>{}</table>"),
    8: ('- textbox "{key}": {value}', "\n", "{}", "\n", "{}"),
    9: ("'{value}'", ", ", "({}),", "\n", "{}"),
    10: ("<{tag}>{value}</{tag}>\n", "", "{}", "", "{}"),
}


def _written(
    rng: random.Random, kinds: list[str], keys: dict[str, str], rows: list[dict[str, str]]
) -> str:
    """Writes records in one of many formats."""
    form = rng.randrange(12)
    named = [{keys[kind]: row[kind] for kind in kinds} for row in rows]
    if form in {0, 1}:
        places = named if len(named) > 1 else named[0]
        return json.dumps(places, ensure_ascii=False, indent=rng.choice([None, None, 2]))
    if form in {2, 3}:
        sign = rng.choice([";", "\t", " | ", ",", "|"])
        quote = '"' if sign == "," else ""
        lines = [sign.join(keys[kind] for kind in kinds)]
        if sign == " | " and rng.random() < 0.5:
            lines.append("-+-".join("-" * 8 for _ in kinds))
        lines += [sign.join(quote + row[kind] + quote for kind in kinds) for row in rows]
        return "\n".join(lines)
    if form not in _LAYOUTS:
        return json.dumps([list(row.values()) for row in named], ensure_ascii=False)
    field, between, whole_row, between_rows, whole = _LAYOUTS[form]
    colon = rng.choice([": ", ": ", " = ", ":\t", " - "]) if field == _LINES[0] else ""

    def laid_out(key: str, value: str) -> str:
        name, tag = key.replace(" ", "_"), key.replace(" ", "-")
        return field.format(key=key, value=value, colon=colon, name=name, tag=tag)

    written = [between.join(itertools.starmap(laid_out, row.items())) for row in named]
    return whole.format(between_rows.join(whole_row.format(row) for row in written))


def _made(text: str) -> Made:
    """Takes the marks out of a text."""
    parts: list[tuple[int, int, str]] = []
    retained: list[str] = []
    length = position = start = 0
    label = ""
    for mark in _MARK.finditer(text):
        retained.append(text[position : mark.start()])
        length += mark.start() - position
        position = mark.end()
        if mark[1]:
            start, label = length, _LABEL_OF[mark[1]]
        else:
            parts.append((start, length, label))
    retained.append(text[position:])
    return Made("".join(retained), parts)


def _marked(value: str, label: str) -> str:
    return f"{_OPEN}{_SIGNS[label]}{value}{_CLOSE}"


def _digits(rng: random.Random, form: str) -> str:
    return re.sub(
        "[#@]",
        lambda m: rng.choice("0123456789" if m[0] == "#" else _CAPITALS),
        form,
    )


@cache
def _toml(file: str) -> dict[str, Any]:
    return tomllib.loads((_LISTS_FOLDER / f"personal_{file}.toml").read_text(encoding="utf-8"))


@cache
def _texts() -> dict[str, list[tuple[list[str], list[str]]]]:
    """Reads the sentences and the phrases about health, each list with its countries."""
    places: dict[str, list[tuple[list[str], list[str]]]] = {"prose": [], "health": []}
    lines: list[str] = []
    for line in (_LISTS_FOLDER / "personal_texts.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            countries = line[3:].split()
            is_health = countries[0] == "health"
            lines = []
            places["health" if is_health else "prose"].append((countries[is_health:], lines))
        elif line and not line.startswith("#"):
            lines.append(line)
    return places


@cache
def _weighted() -> list[tuple[list[str], list[str]]]:
    """Returns the sentences; longer lists more often."""
    return [entry for entry in _texts()["prose"] for _ in range(1 + len(entry[1]) // 10)]
