"""Finds personal data without learned weights: values with check digits, and values that the words
around them explain.

All patterns run in RE2, whose time is linear in the length of the text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from ipaddress import ip_address
from typing import Final

from quartermaster.guardrails.linear_patterns import Constant
from quartermaster.guardrails.spans import Bytes, Span
from quartermaster.guardrails.table_columns import Columns

# Mailboxes of offices, not of people.
OFFICE: Final = Constant(
    r"(?i)^(?:(?:info|office|contact|kontakt|contacto?|contatti?|hello|hallo|mail|post|press|"
    r"presse|prensa|stampa|media|news|newsletter|support|help|helpdesk|hilfe|ayuda|aide|service|"
    r"services|servic[ei]o?|kundenservice|customer|customers|care|sales|vertrieb|ventas|vendas|"
    r"orders?|bestellung|pedidos|commandes?|shop|store|billing|invoices?|rechnung(?:en)?|accounts?|"
    r"accounting|buchhaltung|finance|payments?|refunds?|returns?|jobs?|careers?|bewerbung(?:en)?|"
    r"hr|personal|recruiting|admin|administrator|root|postmaster|hostmaster|webmaster|abuse|"
    r"security|privacy|datenschutz|dpo|legal|compliance|no-?reply|do-?not-?reply|noreply|"
    r"notifications?|alerts?|bounces?|mailer(?:-daemon)?|daemon|team|staff|desk|frontdesk|"
    r"reception|rezeption|empfang|accueil|bookings?|reservations?|reservas?|reservierung|buchung|"
    r"events?|tickets?|parking|library|bibliothek|bibliotheque|school|schule|sekretariat|"
    r"secretariat|secretary|registry|enquir(?:y|ies)|inquir(?:y|ies)|general|public|editor|editors|"
    r"redaktion|redaction|feedback|community|members?|membership|list|lists|dev|devs|developers?|"
    r"ops|it|git|deploy|bot|ci|build|builds|system|test|tests|you|your|user|username|name|someone|"
    r"somebody|nobody|me|example|foo|bar|john\.?doe|jane\.?doe|max\.?mustermann|erika\.?mustermann|"
    r"marketing|partners?|partner|api|status|incident|incidents|emergency|notdienst|hotline|"
    r"zentrale|switchboard|visitors?|tickets|museum|clinic|klinik|praxis|ward|station|council|"
    r"rathaus|mairie|ayuntamiento|gemeente|kommune|posta|correo|donations?|spenden|volunteers?|"
    r"volunteer|webmail|travel|tours?|hire|rentals?|lettings|mieter|tenants|kundendienst|"
    r"klantenservice|asiakaspalvelu|kundtj(?:ä|a)nst|biuro|kontor|secretaria|segreteria|"
    r"ufficio)[._+\-\d]*)+$"
)

_DIGITS: Final = Constant(r"[+(]{0,2}\d[\d \t().\-/]{5,24}\d")
PHONE_WORDS: Final = Constant(
    r"(?i)phone|tel\b|t(?:é|e)l(?:é|e)?(?:f|p)|telef|mobil|cell|handy|natel|m(?:ó|o)vil|m(?:ó|"
    r"o)vel|call|ring|reach|contact|dial|sms|text|whatsapp|fax|anruf|erreichbar|r(?:ü|u)ckruf|ruf|"
    r"joign|appel|llam|lig(?:ar|ue)|chiam|recapito|bellen|gsm|telefoon|puh|soita|ringde|ringa|nå|"
    r"na |nummer|number|num(?:é|e)ro|número|numero|zadzwo|kom[oó]rk|тел|звон|номер|电话|手机|電話|"
    r"携帯|전화|휴대|هاتف|جوال|điện thoại|cep |telefon|\bto\b|\bfrom\b|\btel"
)
PUBLIC_CONTEXT: Final = Constant(
    r"(?i)press|office|desk|hotline|helpline|help line|switchboard|reception|customer (?:service|"
    r"care)|support|zentrale|pressestelle|kundenservice|service-?nummer|b(?:ü|u)ro|sekretariat|"
    r"rezeption|accueil|standard|permanence|secr(?:é|e)tariat|oficina|centralita|atenci(?:ó|o)n|"
    r"centralino|ufficio|segreteria|balie|receptie|v(?:ä|a)xel|kundtj|emergency|notruf|notdienst|"
    r"urgences|monday|mon\b|mo\b|montag|lundi|lunes|luned|maandag|weekdays|24/7|24 h|opening|hours|"
    r"free of charge|toll[ -]free|freephone|fax|board|agency|agentur|agence|council|museum|library|"
    r"clinic|hospital|company|warehouse|shop|store|station|duty|front|ward|visit us|find us|"
    r"imprint|impressum|footer|vat|ust-?id|registered|public|clerk|booking|reservations|tickets?\b|"
    r"cent(?:re|er)\b|info@|press@|kontakt@|contact@|窓口|代表|服务热线|客服|대표|민원|приёмная|"
    r"справочн"
)
PRIVATE_CONTEXT: Final = Constant(
    r"(?i)private?\b|privat|personal|home|mobil|cell|handy|her |his |him |she |he |they |my |mine|"
    r"me on|patient|tenant|guest|caller|customer|client|member|owner|resident|applicant|daughter|"
    r"tochter|sohn|son |neffe|mother|father|mutter|kund[ei]n?\b|gast|mieter|frau |herr[n ]|mrs?\b|"
    r"ms\b|mme|guardian|emergencycontact|notfallkontakt|on call|oncall|\bi\b|i'm|i’m|employee|"
    r"angeh(?:ö|o)rige"
)

_IBAN: Final = Constant(r"[A-Z]{2}\d{2}(?:[ \-]?[A-Z0-9]{2,4}){3,8}(?:[ \-]?[A-Z0-9]{1,3})?")
_ACCOUNT: Final = Constant(
    r"(?i)iban|konto|account|compte|cuenta|\\bconto|conta|rekening|счет|口座|账户|계좌|tili|hesap"
)
_IBAN_LENGTHS: Final = {
    "AD": 24, "AE": 23, "AL": 28, "AT": 20, "AZ": 28, "BA": 20, "BE": 16, "BG": 22, "BH": 22,
    "BR": 29, "BY": 28, "CH": 21, "CR": 22, "CY": 28, "CZ": 24, "DE": 22, "DK": 18, "DO": 28,
    "EE": 20, "EG": 29, "ES": 24, "FI": 18, "FO": 18, "FR": 27, "GB": 22, "GE": 22, "GI": 23,
    "GL": 18, "GR": 27, "GT": 28, "HR": 21, "HU": 28, "IE": 22, "IL": 23, "IQ": 23, "IS": 26,
    "IT": 27, "JO": 30, "KW": 30, "KZ": 20, "LB": 28, "LI": 21, "LT": 20, "LU": 20, "LV": 21,
    "MC": 27, "MD": 24, "ME": 22, "MK": 19, "MT": 31, "MU": 30, "NL": 18, "NO": 15, "PK": 24,
    "PL": 28, "PS": 29, "PT": 25, "QA": 29, "RO": 24, "RS": 22, "SA": 24, "SE": 24, "SI": 19,
    "SK": 24, "SM": 27, "TN": 24, "TR": 26, "UA": 29, "VA": 22, "XK": 20,
}  # fmt: skip
_CARD: Final = Constant(
    r"[2-6]\d{3}(?:[ \-]?\d{4}){2}[ \-]?\d{1,7}|3[47]\d{2}[ \-]?\d{6}[ \-]?\d{5}"
)
_CARD_WORDS: Final = Constant(
    r"(?i)card|karte|kort|carte|tarjeta|cart(?:a|ão|ao)|kaart|kart|pan\b|visa|master|amex|карт|卡|"
    r"カード|카드|بطاقة|credit|kredit|pay|zahl"
)

_MONTH: Final = (
    r"(?:jan|feb|m(?:ä|a)r|apr|ma[iyjg]|jun|jul|aug|sep|o[ck]t|nov|de[czs]|f(?:é|e)v|avr|juin|juil|"
    r"ao(?:û|u)|ene|abr|ago|dic|gen|mag|giu|lug|set|ott|mei|stycz|lut|kwi|maj|czerw|lip|sierp|wrz|"
    r"pa(?:ź|z)|list|grud|янв|фев|мар|апр|ма[йя]|июн|июл|авг|сен|окт|ноя|дек|ocak|(?:ş|s)ub|nis|"
    r"haz|tem|a(?:ğ|g)u|eyl|eki|kas|ara)\pL*\.?"
)
_DATE: Final = Constant(
    r"(?i)(\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[./\-]\s?\d{1,2}[./\-]\s?(?:\d{4}|\d{2})|"
    r"\d{4}[./]\d{1,2}[./]\d{1,2}|"
    rf"(?:\d{{1,2}}(?:st|nd|rd|th|er|º|\.|ª)?\s(?:of\s|de\s)?)?{_MONTH},?\s(?:\d{{1,2}}(?:st|nd|"
    rf"rd|th)?,\s)?"
    r"(?:de\s|of\s)?\d{4}|\d{1,2}[ \-](?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|"
    r"dec)[ \-]\d{2,4}|(?:19|20)\d{6}|\d{4}\s?[年년]\s?\d{1,2}\s?[月월]\s?\d{1,2}\s?[日일])"
)
BIRTH: Final = Constant(
    r"(?i)birth|anniversaire|cumplea|complean|verjaardag|aniversário|urodzin|narozenin|\*\s?$|†|"
    r"(?:^|[^\pL])born|(?:^|[^\pL])dob\b|d\.o\.b|(?:^|[^\pL])bday\b|(?:^|[^\pL])geb\b|(?:^|"
    r"[^\pL])geb\.|geboren|geburt|geboorte|(?:^|[^\pL])né\b|(?:^|[^\pL])née\b|né\(e\)|naiss|nacid|"
    r"nacim|(?:^|[^\pL])nat[oai]\b|nascit|nascid|nasc\b|nasc\.|nascim|urodz|(?:^|[^\pL])ur\.|рожд|"
    r"родил|д\.р\.|do(?:ğ|g)um|födel|född|fødsel|født|syntym|(?:^|[^\pL])synt\b|narozen|nar\.|"
    r"születés|生年月日|生まれ|出生|生日|생년월일|출생|ميلاد|ngày sinh|sinh ngày|geb-?dat"
)

_ID_WORDS: Final = {
    "passport": r"passport|"
    r"reisepass|pass(?:eport)?[ \-]?(?:nr|no|n°|num)|passeport|pasaporte|passaporte|passaporto|"
    r"paspoort|paszport|pasaport|passinro|паспорт|护照|パスポート|旅券|여권|جواز|ausweis(?:nr|"
    r"nummer|-nr)?|personalausweis|hộ chiếu|(?:^|[^\pL])pass\b|travel doc\w*|(?:^|"
    r"[^\pL])doc\b|(?:^|[^\pL])doc(?:ument)?[_ ](?:no|nr|num\w*)\b|id[ \-]?card",
    "licence_plate": r"licen[cs]e[ \-_]?plate|"
    r"number[ \-]?plate|(?:^|[^\pL])plates?\b|kennzeichen|kfz-kennz\.?|(?:^|[^\pL])kfz\b|"
    r"immatricul\w*|plaque|matr(?:í|i)cula|targa|kenteken|rejestrac\w*|registreringsnummer|"
    r"reg\.?nr|"
    r"nummerplade|госномер|车牌|ナンバー|차량번호|plaka|rekisterinumero|vehicle reg\w*|car reg\w*",
    "driving_licence": r"driv(?:ing|"
    r"er'?s?)[ \-_]?licen[cs]e\w*|führerschein\w*|permis de conduire|"
    r"permiso de conducir|patente|rijbewijs\w*|prawo jazdy|körkort\w*|kørekort\w*|ajokortti",
    "ssn": r"(?:^|"
    r"[^\pL])ssn\b|social[ _]?security|sozialversicherung\w*|sv-?n(?:r|ummer)|sécurité sociale|"
    r"(?:^|[^\pL])nir\b|seguridad social|(?:^|[^\pL])ahv\w*|(?:^|[^\pL])avs\b|(?:^|[^\pL])nino\b",
    "national_id": r"national (?:insurance|"
    r"id\w*)|nat[_ ]?ins\w*|(?:^|[^\pL])ni (?:no|number)|pesel|(?:^|[^\pL])bsn\b|(?:^|[^\pL])dni\b|"
    r"(?:^|[^\pL])nie\b|(?:^|[^\pL])cpf\b|codice fiscale|(?:^|[^\pL])cf\b|personnummer|"
    r"person(?:al)?[ \-_]?(?:code|number|nr|id)|cpr(?:-?n(?:r|ummer))?|henkil(?:ö|o)tunnus|hetu|"
    r"rodn(?:é|e) (?:č|c)(?:í|i)slo|aadhaar|(?:^|[^\pL])pan no|t\.?c\.? kimlik|kimlik|снилс|инн|"
    r"身份证\w*|マイナンバー|주민등록\w*|الهوية|fødselsnummer|burgerservice\w*"
    r"|cccd|egn\b|oib\b|emso",
    "tax_id": r"(?:^|"
    r"[^\pL])nif\b|tax[ \-_]?(?:id|number|no|ref)\w*|steuer-?id\w*|steuer(?:nummer|nr)\w*|(?:^|"
    r"[^\pL])tin\b|"
    r"num(?:é|e)ro fiscal|idnr|(?:^|[^\pL])utr\b",
    "insurance_number": r"insurance (?:card|"
    r"number|no|id|policy)\w*|versichert(?:en)?-?(?:nummer|nr)\w*|"
    r"krankenversicher\w*|kvnr|health[ _]?insurance\w*|n° d'assuré|polizzen\w*|versicherungs"
    r"(?:nummer|nr)\w*|versichertennr|medicare\w*|tessera sanitaria|zorgverzekering\w*|"
    r"policy number",
    "patient_number": r"(?:^|"
    r"[^\pL])mrn\b|patient[ _\-]?(?:id|no|number|ref\w*|nr)|patientennummer|(?:^|[^\pL])nhs\b"
    r"(?: (?:no|number))?|hospital number|chart no",
}
ID_WORD: Final = Constant("(?i)" + "|".join(f"({words})" for words in _ID_WORDS.values()))
_ID_NAMES: Final = tuple(_ID_WORDS)
# Numbers of documents: capitals and digits, in groups.
_ID_VALUE: Final = Constant(r"[A-Z0-9ÄÖÜА-Я]+(?:[ \-/.·][A-Z0-9ÄÖÜ]+)*[a-z]*")
_ID_REACH: Final = 44
_CELL: Final = Constant(r"^[A-Z0-9ÄÖÜ]{1,14}(?:[ \-/.][A-Z0-9ÄÖÜ]{1,12}){0,7}$")
_SSN: Final = Constant(r"\d{3}-\d{2}-\d{4}")
_NI: Final = Constant(r"[A-Z]{2} ?\d{2} ?\d{2} ?\d{2} ?[A-D]")

_IP: Final = Constant(
    r"\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}|[0-9a-fA-F]{1,4}(?::[0-9a-fA-F]{0,4}){3,7}"
)
IP_WORDS: Final = Constant(
    r"(?i)user|client|customer|browser|visitor|guest|login|logged|sign|session|remote|caller|"
    r"member|from|home|besucher|nutzer|kunde"
)
HOST_WORDS: Final = Constant(
    r"(?i)server|host|node|gateway|dns|upstream|listen|bind|subnet|deploy|proxy|cluster|version"
)


def find_personal(text: Bytes, columns: Columns) -> Iterator[Span]:
    """Finds personal data that can be recognised by their format or by single words near them.

    Args:
        text: the text.
        columns: the tables in the text, whose headings explain their cells.
    """
    yield from _accounts(text)
    yield from _numbers(text, columns)
    yield from _births(text, columns)
    yield from _birth_years(text)
    yield from _documents(text, columns)
    yield from _addresses_of_computers(text)


def _before(data: bytes, start: int, most: int = 48) -> bytes:
    """Returns the part of the line that comes before a position."""
    begin = max(0, start - most)
    line = max(data.rfind(b"\n", begin, start), data.rfind(b"\\n", begin, start) + 1)
    return data[max(begin, line + 1) : start]


def _after(data: bytes, end: int, most: int = 48) -> bytes:
    line = data.find(b"\n", end, end + most)
    return data[end : line if line >= 0 else end + most]


def _accounts(text: Bytes) -> Iterator[Span]:
    data = text.data
    for match in _IBAN.finditer(data):
        start, end = match.span()
        if data[start - 1 : start].isalnum() and data[start - 2 : start] not in {b"\\n", b"\\t"}:
            continue
        length = _IBAN_LENGTHS.get(match[0][:2].decode())
        end = _end_of(data, start, length) if length else None
        if end is None:
            continue
        if is_iban(data[start:end]) or _ACCOUNT.search(_before(data, start)):
            yield text.span(start, end, "personal", "iban")


def _end_of(data: bytes, start: int, length: int) -> int | None:
    """Returns the position after `length` letters and digits. Returns None if there are fewer, or
    if another letter or digit follows.
    """
    count, at = 0, start
    while count < length:
        sign = data[at : at + 1]
        if sign.isalnum():
            count += 1
        elif sign not in {b" ", b"-"}:
            return None
        at += 1
    return None if data[at : at + 1].isalnum() else at


def is_iban(value: bytes) -> bool:
    plain = value.replace(b" ", b"").replace(b"-", b"").decode()
    number = "".join(str(int(sign, 36)) for sign in plain[4:] + plain[:4])
    return int(number) % 97 == 1


def luhn(digits: bytes) -> bool:
    total = 0
    for index, byte in enumerate(reversed(digits)):
        value = (byte - 48) * (1 + index % 2)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def _numbers(text: Bytes, columns: Columns) -> Iterator[Span]:
    """Finds the numbers of payment cards and telephones."""
    data = text.data
    cards: list[tuple[int, int]] = []
    for match in _CARD.finditer(data):
        start, end = match.span()
        digits = bytes(byte for byte in match[0] if 48 <= byte <= 57)
        if _touches(data, start, end) or not 13 <= len(digits) <= 19 or not luhn(digits):
            continue
        is_grouped = match[0].count(b" ") >= 2 or match[0].count(b"-") >= 2
        if is_grouped or _CARD_WORDS.search(_before(data, start)):
            cards.append((start, end))
            yield text.span(start, end, "personal", "card")
    for match in _DIGITS.finditer(data):
        start, end = match.span()
        if any(start < b and a < end for a, b in cards):
            continue
        while data[end - 1 : end] in b" (.-/":
            end -= 1
        if _is_phone(data, start, end, columns):
            yield text.span(start, end, "personal", "phone")


def _touches(data: bytes, start: int, end: int) -> bool:
    before = data[start - 1 : start]
    is_escape = data[start - 2 : start] in {b"\\n", b"\\t", b"\\r"}
    after = data[end : end + 1]
    return (
        (not is_escape and (before.isalnum() or (before in {b"_", b"-", b"+", b"/"})))
        or after.isalnum()
        or (after in {b"_", b"/"})
        or (after in {b"-", b"."} and data[end + 1 : end + 2].isalnum())
        or (
            before in {b".", b":", b","}
            and data[start - 2 : start - 1].isdigit()
            and data[start : start + 1] not in {b"+", b"(", b"0"}
        )
    )


_PHONE_FORM: Final = Constant(
    # With a country code; in the national form of many countries; of North America.
    r"(?:\+|00)\d{1,3}[ \-./]?(?:\(0?\d{1,4}\)[ \-./]?)?\d{1,4}(?:[ \-./]?\d{2,5}){1,4}"
    r"|\(?0\d{1,4}\)?[ \-/]{1,3}\d{2,8}(?:[ \-/]\d{2,5}){0,4}"
    r"|0\d{4} ?\d{6}|07\d{3} ?\d{3} ?\d{3}|0\d{9,10}|0\d(?:[.\-]\d{2}){4}|0\d{2,4}(?:[.]\d{3,4}){2}"
    r"|(?:1[ \-.])?\(?\d{3}\)?[ \-.]\d{3}[ \-.]\d{4}|8[ \-]?\(?\d{3}\)?[ \-]?\d{3}(?:[ \-]\d{2}){2}"
    r"|[6-9]\d{2}[ .\-]?\d{3}[ .\-]?\d{3}|[6-9]\d{2}(?: \d{2}){3}|\d{2}(?: \d{2}){3,4}|"
    r"\d{3} \d{2} \d{3}"
)
_PHONE_HEADING: Final = Constant(
    r"(?i)^\W*(?:phone|tel|mobil|cell|handy|gsm|m(?:ó|o)vil|m(?:ó|o)vel|to$|from$|msisdn|caller|"
    r"telefon)"
)
# A name directly before the number: "Ada Lovelace, " or "Ada Lovelace | ".
_NAME_BEFORE: Final = Constant(
    r"\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}*\.?)? (?:von |van |de |da |"
    r"di )?\p{Lu}\p{Ll}+(?:-\p{Lu}\p{Ll}+)?"
    r"(?:[\s,;|:(]| at | on | - ){1,4}\+?$"
)
_IS_DATE: Final = Constant(r"^\d{1,2}[./\-]\d{1,2}[./\-]\d{2,4}|^\d{4}[./\-]\d{2}[./\-]\d{2}")
_NO_PHONE: Final = Constant(
    r"(?i)isbn|issn|ean\b|order|invoice|case|ticket|ref\b|reference|tracking|parcel|sku|serial|"
    r"version|build|id[\":= ]|nr\. ?$|art\.|coord|lat|lon|price|total|amount|account|konto|"
    r"sort code|commit|sha|hash|uid|doi|vat|tax|steuer|seq|port\b|pid|magic|test number|dummy|"
    r"rechnung|auftrag|sendung|bestell|kunden-?nr|zip|plz"
)


def _is_phone(data: bytes, start: int, end: int, columns: Columns) -> bool:
    value = data[start:end]
    if _touches(data, start, end) or not _PHONE_FORM.fullmatch(value) or _IS_DATE.search(value):
        return False
    count = sum(48 <= byte <= 57 for byte in value)
    is_international = value[:1] == b"+"
    before, after = _before(data, start, 60), _after(data, end, 40)
    heading = columns.heading(start)
    if _PHONE_HEADING.search(heading) or _NAME_BEFORE.search(before):
        return True
    is_named = PHONE_WORDS.search(before[-40:]) is not None
    is_weak = not is_international and value[:1] not in {b"0", b"("}
    if not 7 + is_international <= count <= 15 or (is_weak and not is_named and count != 10):
        return False
    if not is_named and _NO_PHONE.search(before[-24:]):
        return False
    if PRIVATE_CONTEXT.search(before):
        return True
    return not (PUBLIC_CONTEXT.search(before) or PUBLIC_CONTEXT.search(after))


def _births(text: Bytes, columns: Columns) -> Iterator[Span]:
    data = text.data
    for match in _DATE.finditer(data):
        start, end = match.span(1)
        if _touches(data, start, end) and data[end : end + 1] != b"T":
            continue
        before = _before(data, start, 44)
        words = list(BIRTH.finditer(before))
        if words:
            # Another date between the word and this one has taken the word.
            if not _DATE.search(before[words[-1].end() :]):
                yield text.span(start, end, "personal", "birth_date")
        elif BIRTH.search(columns.heading(start)) or BIRTH.search(_after(data, end, 14)[:10]):
            yield text.span(start, end, "personal", "birth_date")


_OLDEST, _YOUNGEST = 1900, 2015


_BORN_IN: Final = Constant(
    r"(?i)(?:^|[^\pL])(?:born|geboren|geb\.|jahrgang|jg\.|née?|naci(?:ó|do|da)|nat[oa]|"
    r"nascid[oa]|ur\.|född|født|г\.р\.|year of birth|geburtsjahr|birth_?year)"
    r"(?: in| im jahr| en| nel| em| i)?[\s:=\"']{1,5}((?:19|20)\d{2})(?:$|[^\d\-./])"
)


def find_births_beside(text: Bytes, others: Sequence[Span]) -> Iterator[Span]:
    """Finds dates of birth: dates in the distant past that are close to other personal data."""
    data = text.data
    if not others:
        return
    for match in _DATE.finditer(data):
        start, end = match.span(1)
        year = _YEAR.search(match[1])
        if year is None or not _OLDEST <= int(year[0]) <= _YOUNGEST or _touches(data, start, end):
            continue
        place = text.character(start)
        if any(abs(span.start - place) < _SAME_RECORD for span in others):
            yield text.span(start, end, "personal", "birth_date")


_YEAR: Final = Constant(r"(?:19|20)\d{2}")
_SAME_RECORD: Final = 160


def _birth_years(text: Bytes) -> Iterator[Span]:
    for match in _BORN_IN.finditer(text.data):
        yield text.found(match, "personal", "birth_date", group=1)


def _documents(text: Bytes, columns: Columns) -> Iterator[Span]:
    data = text.data
    has_words = False
    for match in ID_WORD.finditer(data):
        has_words = True
        type_ = _ID_NAMES[(match.lastindex or 1) - 1]
        place = _number_after(data, match.end(), type_)
        if place is not None:
            yield text.span(*place, "personal", type_)
    if has_words:
        yield from _in_cells(text, columns)
    for match in _PLATE_FORM.finditer(data):
        start, end = match.span()
        if _touches(data, start, end):
            continue
        if VEHICLE.search(_before(data, start, 60)) or VEHICLE.search(columns.heading(start)):
            yield text.span(start, end, "personal", "licence_plate")
    for pattern, type_ in ((_SSN, "ssn"), (_NI, "national_id")):
        for match in pattern.finditer(data):
            if not _touches(data, *match.span()) and match[0][:3] != b"000":
                yield text.found(match, "personal", type_)


def _number_after(data: bytes, position: int, type_: str) -> tuple[int, int] | None:
    """Returns the position of a document's number after the word for the document; None if there is
    no number.
    """
    window = _after(data, position, _ID_REACH + 32)
    for found in _ID_VALUE.finditer(window):
        value = _id_of(found[0], type_)
        has_digits = any(48 <= byte <= 57 for byte in found[0])
        if found.start() > _ID_REACH or (value is None and has_digits):
            return None
        if value is None or window[found.start() - 1 : found.start()].isalpha():
            continue
        begin = position + found.start()
        end = begin + len(value)
        is_titled = type_ == "patient_number" and data[begin - 4 : begin] in {b"MRN ", b"NHS "}
        return begin - 4 * is_titled, end
    return None


_PLATE: Final = Constant(
    r"^[A-ZÄÖÜ]{1,3}[ \-·]?[A-Z0-9]{1,6}(?:[ \-·]?[A-Z0-9]{1,5}){0,3}$|"
    r"^\d{1,4}[ \-]?[A-Z]{1,3}[ \-]?\d{2,6}$"
)


VEHICLE: Final = Constant(
    r"(?i)plate|kennz|vehicle|\bcars?\b|\bvan\b|\bauto\b|wagen|fahrzeug|\bpkw\b|voiture|v(?:é|"
    r"e)hicule|coche|veh(?:í|i)culo|carro|macchina|veicolo|targa|matr(?:í|i)cula|immatric|plaque|"
    r"kenteken|voertuig|\bbil(?:en)?\b|fordon|samoch|rejestr|pojazd|parking|parkplatz|parked|"
    r"garage|stellplatz|registration|reg(?:\.|istr)|number plate|camper|motorbike|motorrad|scooter|"
    r"driver|fahrer|auto[kv]|маши|номер|авто|araç|plaka|araba"
)
_PLATE_FORM: Final = Constant(
    r"[A-ZÄÖÜ]{1,3}[ \-][A-Z]{1,2} ?\d{1,4}[EH]?|[A-Z]{2}\d{2} ?[A-Z]{3}|"
    r"[A-Z]{2}[ \-]?\d{3}[ \-]?[A-Z]{2}|\d{4}[ \-]?[BCDFGHJKLMNPRSTVWXYZ]{3}|"
    r"[A-Z]{1,2}[ \-]?\d{3,5} ?[A-Z]{1,2}|[A-Z]{2,3} [A-Z0-9]{4,5}|[A-Z]{2} ?\d{4,6}|"
    r"[A-Z]{3}[ \-]?\d{2}[A-Z0-9]|[A-Z]{1,3}[ \-]\d{2,4}[ \-][A-Z]{1,3}|\d{1,3}-[A-Z]{1,3}-\d{1,6}|"
    r"[A-Z0-9]{2}-[A-Z0-9]{2,3}-[A-Z0-9]{1,2}|\d{2} [A-Z]{1,3} \d{2,4}|[A-Z]{3} \d{3,4}|"
    r"[АВЕКМНОРСТУХ]\d{3}[АВЕКМНОРСТУХ]{2} ?\d{2,3}"
)


def _id_of(value: bytes, type_: str) -> bytes | None:
    """Returns the part of a value that can be the number of a document."""
    words = value.split(b" ")
    retained: list[bytes] = []
    for word in words:
        if any(48 <= byte <= 57 for byte in word) or (
            word.isupper()
            and len(word) <= 3
            and (type_ in {"licence_plate", "national_id"} or not retained)
        ):
            retained.append(word)
        else:
            break
    while retained and not any(48 <= byte <= 57 for byte in retained[-1]) and type_ == "passport":
        retained.pop()
    plain = b" ".join(retained).rstrip(b".-/ ")
    digits = sum(48 <= byte <= 57 for byte in plain)
    fewest = 2 if type_ == "licence_plate" else 5
    if digits < fewest or _IS_DATE.search(plain) or any(97 <= byte <= 122 for byte in plain):
        return None
    if type_ == "licence_plate" and not (_PLATE.search(plain) and len(plain) <= 12):
        return None
    return plain if len(plain) <= 32 else None


def _in_cells(text: Bytes, columns: Columns) -> Iterator[Span]:
    for at, cell, heading in columns.cells():
        word = ID_WORD.search(heading)
        if word is None or not _CELL.search(cell):
            continue
        type_ = _ID_NAMES[(word.lastindex or 1) - 1]
        value = _id_of(cell, type_)
        if value == cell:
            yield text.span(at, at + len(cell), "personal", type_)


def _addresses_of_computers(text: Bytes) -> Iterator[Span]:
    data = text.data
    for match in _IP.finditer(data):
        start, end = match.span()
        before = _before(data, start, 120)
        if _touches(data, start, end) or HOST_WORDS.search(before[-16:]):
            continue
        if not IP_WORDS.search(before):
            continue
        try:
            address = ip_address(match[0].decode())
        except ValueError:
            continue
        if address.is_global:
            yield text.span(start, end, "personal", "ip")
