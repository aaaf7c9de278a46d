"""Texts with invented personal data, in the formats and languages in which tools answer.

Some are made from sentences and names of fields; others are written, in personal_results.txt.
"""

from __future__ import annotations

import json
import random
import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

_HERE: Final = Path(__file__).parent
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
_WRITTEN: Final = re.compile("⟦([abehinp]) |⟧")
_LETTERS: Final = {
    "a": "address", "b": "birth_date", "e": "email", "h": "health", "i": "ip", "n": "number",
    "p": "phone",
}  # fmt: skip

_KEYS: Final = {
    "name": "name Name full_name customer kunde guest holder displayName Nom nombre Naam Namn Imię"
    " contact employee lodger patient",
    "born": "dob birthDate date_of_birth birthday Geburtsdatum geb geburtstag date_naissance"
    " dateNaissance fecha_nacimiento data_nascita data_nascimento geboortedatum födelsedatum"
    " fødselsdato data_urodzenia bday born Geboren birth_date datum_narození doğum_tarihi"
    " дата_рождения 生年月日 出生日期 syntymäaika nascita BDAY member_dob",
    "address": "address street home_address Anschrift Adresse adresse domicilio direccion indirizzo"
    " morada adres shipping_address ship_to deliver_to residence addr line1 address1 Straße"
    " Strasse lieferadresse wohnort osoite adress bydliště адрес 住所 地址 billing_address where",
    "phone": "phone mobile tel cell handy telefon téléphone movil telefono telefone gsm mobil"
    " phone_number contact_phone puhelin телефон 電話 手机 whatsapp to from caller msisdn private",
    "email": "email mail e_mail correo contact_email user login",
    "health": "notes diagnosis allergies medical diet remark Bemerkung comment special_requests"
    " absence_reason condition health Diagnose motif observaciones note annotation opmerking"
    " anmärkning uwagi allergien besonderheiten reason requirements примечание 備考 备注"
    " accessibility intolleranze santé anamnese",
    "ip": "ip client_ip user_ip remote_addr last_login_ip ipAddress visitor ip_address source_ip",
    "plate": "plate licence_plate Kennzeichen kfz immatriculation matricula targa kenteken reg_no"
    " registreringsnummer car vehicle_reg rejestracja plaka госномер 車両番号",
    "passport": "passport_no passport doc_no document Ausweis reisepass passeport pasaporte"
    " id_document id_card paspoort",
    "id": "ssn national_id tax_id steuer_id nir dni codice_fiscale nif bsn personnummer pesel"
    " rodne_cislo hetu tc_kimlik снилс ahv nino insurance_no mrn",
    "date": "created created_at updated date datum order_date due arrival departure hired start"
    " valid_until expires fecha data zakupu last_seen joined bestellt lieferdatum echeance"
    " invoice_date checked_at since published",
    "town": "city town ort ville ciudad città plaats stad miasto",
    "ref": "id order ref number invoice ticket sku case kundennummer nr commande",
    "number": "amount total count qty size bytes duration_ms price betrag km port",
    "time": "time at uhrzeit ts timestamp",
    "desk": "hotline office_phone support_phone zentrale front_desk service press_phone",
    "mailbox": "support_email office_mail imprint_mail contact_office",
    "office": "venue branch filiale company_address office_address store location headquarters",
    "host": "server_ip host gateway dns bind node upstream subnet",
    "company": "company vendor firma société empresa employer hotel supplier",
    "word": "status state type kind level tag category language role",
    "plain": "notes comment remark note description bemerkung text summary reason",
    "hash": "sha commit checksum etag digest trace_id",
}
_PLAIN: Final = [
    "late arrival",
    "high floor, quiet room",
    "paid in cash",
    "please call back",
    "Rückruf erbeten",
    "window seat",
    "two cots",
    "pas de fumée",
    "garage booked",
    "first order",
    "vegetarian",
    "prefers tea",
    "Fensterplatz",
    "llega tarde",
    "key at reception",
    "ok",
    "none",
    "-",
    "parcel damaged",
    "broken zip, refunded",
    "out of stock",
    "wants an invoice",
    "screen cracked",
    "vip",
    "no sugar",
    "dog friendly",
    "needs a receipt",
    "size too small",
]
_WORDS: Final = [
    "active",
    "open",
    "closed",
    "pending",
    "shipped",
    "new",
    "vip",
    "de",
    "en",
    "confirmed",
    "paid",
    "admin",
    "user",
]
_OFFICE_MAIL: Final = [
    "info",
    "office",
    "press",
    "support",
    "kontakt",
    "service",
    "contact",
    "hello",
    "bookings",
    "sales",
    "presse",
    "hr",
    "billing",
    "sekretariat",
    "reservas",
    "accueil",
    "empfang",
    "team",
    "noreply",
    "jobs",
    "events",
    "library",
    "parking",
]
_MAIL_HOSTS: Final = [
    "mail.example",
    "postbox.example",
    "inkpost.example",
    "correo.example",
    "posta.example",
    "heimnetz.example",
    "studio-seven.example",
    "loomworks.example",
    "harbourmail.example",
    "riverside.org.example",
]


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
        self.rng, self.code, self.told = rng, code, _places()[code]

    def slot(self, name: str) -> str:
        """Make what stands in a slot."""
        return getattr(self, f"_{name}")()

    def _form(self, name: str) -> str:
        return _digits(self.rng, self.rng.choice(self.told[name]))

    def _pick(self, name: str, separator: str = ";") -> str:
        return self.rng.choice(self.told[name].split(separator)).strip()

    def _name(self) -> str:
        rng = self.rng
        first, last = rng.choice(self.told["first"].split()), rng.choice(self.told["last"].split())
        if self.code in {"jp", "cn"}:
            return last + first
        form = rng.choice(["{f} {l}"] * 8 + ["{l}, {f}", "{f} {i}. {l}", "{i}. {l}"])
        return form.format(f=first, l=last, i=rng.choice("ABCDEFGHJKLM"))

    def _stem(self) -> str:
        stems = self.told["stems"]
        return self._pick("stems", ";" if ";" in stems else " ")

    def _street(self) -> str:
        text = self.rng.choice(self.told["streets"])
        text = re.sub(r"\{S\}", lambda _: self._stem(), text)
        number = lambda _: str(int(self.rng.choice([1, 1, 1, 10, 10]) * self.rng.uniform(1, 20)))  # noqa: E731
        return _digits(self.rng, re.sub(r"\{n\}", number, text))

    def _codes(self) -> str:
        return _digits(self.rng, self.rng.choice(self.told["codes"]))

    def _town(self) -> str:
        return self._pick("towns")

    def _address(self) -> str:
        rng, street, code, town = self.rng, self._street(), self._codes(), self._town()
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
        rng, form = self.rng, self.rng.choice(self.told["dates"])
        year, month, day = rng.randint(first, last), rng.randint(1, 12), rng.randint(1, 28)
        named = self.told["months"].split()[month - 1]
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

    def _phone(self) -> str:
        return self._form("phones")

    _desk = _phone

    def _plate(self) -> str:
        return self._form("plates")

    def _passport(self) -> str:
        return self._form("passports")

    def _id(self) -> str:
        return self._form("ids")

    def _email(self) -> str:
        rng = self.rng
        first = re.sub(r"\W", "", rng.choice(self.told["first"].split()).lower())
        last = re.sub(r"[^\w-]", "", rng.choice(self.told["last"].split()).lower())
        plain = (first + "." + last).encode("ascii", "ignore").decode().strip(".-") or "rei.k"
        local = rng.choice([plain, f"{plain[:1]}.{plain.split('.')[-1]}", f"{plain.split('.')[0]}{rng.randint(1, 99)}",  # noqa: E501
                            plain.replace(".", "_")])  # fmt: skip
        return f"{local.strip('.-_') or 'm.k'}@{rng.choice(_MAIL_HOSTS)}"

    def _mailbox(self) -> str:
        return f"{self.rng.choice(_OFFICE_MAIL)}@{self.rng.choice(_MAIL_HOSTS)}"

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

    def _ref(self) -> str:
        form = self.rng.choice(
            [
                "@@-#####",
                "########",
                "@@@-####-###",
                "#####",
                "B-2026-#####",
                "#-####-####",
                "INC#######",
            ]
        )
        return _digits(self.rng, form)

    def _number(self) -> str:
        return _digits(
            self.rng,
            self.rng.choice(["##.##", "#,###.##", "###", "####", "#.###,## €", "## ms", "0.####"]),
        )

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
        last = self.rng.choice(self.told["last"].split())
        return f"{last} {self.rng.choice(['GmbH', 'Ltd', 'SARL', 'S.r.l.', 'Hotel', '& Sons', 'AB', 'BV', 'Inc.'])}"  # noqa: E501

    def _word(self) -> str:
        return self.rng.choice(_WORDS)

    def _plain(self) -> str:
        return self.rng.choice(_PLAIN)

    def _health(self) -> str:
        lists = _texts()["health"]
        own = [line for countries, lines in lists if self.code in countries for line in lines]
        if self.rng.random() < 0.15 or not own:
            own = [line for _, lines in lists for line in lines]
        return self.rng.choice(own)


def made_texts(count: int, seed: int = 19) -> list[Made]:
    """Make texts: one half from sentences, the other half records in many formats."""
    rng = random.Random(seed)
    return [_made(_prose(rng) if n % 2 else _records(rng)) for n in range(count)]


def written_results() -> list[Made]:
    """Read the written results."""
    text = (_HERE / "personal_results.txt").read_text(encoding="utf-8")
    _, _, results = text.partition("\n\n")
    return [
        _made(_WRITTEN.sub(lambda m: _OPEN + _SIGNS[_LETTERS[m[1]]] if m[1] else _CLOSE, result))
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
    keys = {kind: rng.choice(_KEYS[kind].split()) for kind in kinds}
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


def _written(  # noqa: PLR0911 - one for each format
    rng: random.Random, kinds: list[str], keys: dict[str, str], rows: list[dict[str, str]]
) -> str:
    """Write records in one of many formats."""
    form = rng.randrange(12)
    named = [{keys[kind]: row[kind] for kind in kinds} for row in rows]
    if form in {0, 1}:
        return json.dumps(
            named if len(named) > 1 else named[0],
            ensure_ascii=False,
            indent=rng.choice([None, None, 2]),
        )
    if form in {2, 3}:
        sign = rng.choice([";", "\t", " | ", ",", "|"])
        quote = '"' if sign == "," else ""
        lines = [sign.join(keys[kind] for kind in kinds)]
        if sign == " | " and rng.random() < 0.5:
            lines.append("-+-".join("-" * 8 for _ in kinds))
        lines += [sign.join(quote + row[kind] + quote for kind in kinds) for row in rows]
        return "\n".join(lines)
    if form in {4, 5}:
        colon = rng.choice([": ", ": ", " = ", ":\t", " - "])
        return "\n\n".join(
            "\n".join(key + colon + value for key, value in row.items()) for row in named
        )
    if form == 6:
        return "\n".join(
            " ".join(f'{key.replace(" ", "_")}="{value}"' for key, value in row.items())
            for row in named
        )
    if form == 7:
        return (
            "<table>"
            + "".join(
                "<tr>" + "".join(f"<th>{k}</th><td>{v}</td>" for k, v in row.items()) + "</tr>"
                for row in named
            )
            + "</table>"
        )
    if form == 8:
        return "\n".join(
            f'- textbox "{key}": {value}' for row in named for key, value in row.items()
        )
    if form == 9:
        return "\n".join(
            "(" + ", ".join(f"'{value}'" for value in row.values()) + ")," for row in named
        )
    if form == 10:
        return "".join(
            f"<{key.replace(' ', '-')}>{value}</{key.replace(' ', '-')}>\n"
            for row in named
            for key, value in row.items()
        )
    return json.dumps([list(row.values()) for row in named], ensure_ascii=False)


def _made(text: str) -> Made:
    """Take the marks out of a text."""
    parts: list[tuple[int, int, str]] = []
    kept: list[str] = []
    length = position = start = 0
    label = ""
    for mark in _MARK.finditer(text):
        kept.append(text[position : mark.start()])
        length += mark.start() - position
        position = mark.end()
        if mark[1]:
            start, label = length, _LABEL_OF[mark[1]]
        else:
            parts.append((start, length, label))
    kept.append(text[position:])
    return Made("".join(kept), parts)


def _marked(value: str, label: str) -> str:
    return f"{_OPEN}{_SIGNS[label]}{value}{_CLOSE}"


def _digits(rng: random.Random, form: str) -> str:
    return re.sub(
        "[#@]",
        lambda m: rng.choice("0123456789" if m[0] == "#" else _CAPITALS),
        form,
    )


@cache
def _places() -> dict[str, Any]:
    return tomllib.loads((_HERE / "personal_places.toml").read_text(encoding="utf-8"))


@cache
def _texts() -> dict[str, list[tuple[list[str], list[str]]]]:
    """Read the sentences and the phrases about health, each list with its countries."""
    told: dict[str, list[tuple[list[str], list[str]]]] = {"prose": [], "health": []}
    lines: list[str] = []
    for line in (_HERE / "personal_texts.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            countries = line[3:].split()
            is_health = countries[0] == "health"
            lines = []
            told["health" if is_health else "prose"].append((countries[is_health:], lines))
        elif line and not line.startswith("#"):
            lines.append(line)
    return told


@cache
def _weighted() -> list[tuple[list[str], list[str]]]:
    """Return the sentences; longer lists more often."""
    return [entry for entry in _texts()["prose"] for _ in range(1 + len(entry[1]) // 10)]
