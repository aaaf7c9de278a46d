"""Finds addresses of people: a street with a number, the town after it, and the name before it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from quartermaster.guardrails.linear_patterns import Constant
from quartermaster.guardrails.spans import Bytes, Span, joined_windows, widened
from quartermaster.guardrails.table_columns import Columns

_W: Final = r"\p{Lu}\pL*(?:['’\-]\pL+)*"
_NUMBER: Final = r"\d{1,4}(?:\s[A-Z]\b|[a-zA-Z]\b)?(?:\s?[/\-]\s?\d{1,4})?(?: bis\b| ter\b)?"
_ENGLISH: Final = (
    r"(?:Street|St|Road|Rd|Lane|Ln|Avenue|Ave|Drive|Dr|Court|Ct|Close|Crescent|Row|Way|Place|Pl|"
    r"Square|Sq|Terrace|Walk|Yard|Mews|Gardens|Hill|Green|Quay|Wharf|Boulevard|Blvd|Cottages?|"
    r"Grove|Park|View|Rise|Gate|Steps|Bank|Circle|Cir|Trail|Parkway|Pkwy|Highway|Hwy|Alley|Passage|"
    r"Fields?|End|Villas|Buildings|Parade|Vale|Wynd)\b\.?"
)
_SMALL_WORDS: Final = (
    r"(?:d[aeiou]s?|du|des|del|dell[aeo]|delle|degli|dei|dal|dagli|do|la|le|les|los|las|l['’]|"
    r"d['’]|el|y|i|the|of)"
)
_ROMANCE: Final = (
    r"(?i:rue|avenue|av\.|boulevard|bd|impasse|chemin|place|quai|all(?:é|e)e|cours|route|passage|"
    r"ruelle|sentier|faubourg|calle|c/|avenida|avda\.?|plaza|paseo|camino|ronda|carrer|via|viale|"
    r"vicolo|piazza|corso|largo|strada|contrada|rua|travessa|pra(?:ç|c)a|estrada|beco|alameda|"
    r"strada|str\.)"
)
_ENDINGS: Final = (
    r"stra(?:ß|ss)e|straat|str\.|weg|gasse|g\.|platz|allee|ring|damm|ufer|steig|stieg|graben|hof|winkel|"
    r"reihe|berg|feld|markt|wall|laan|gracht|plein|kade|dijk|vaart|pad|singel|hoek|horn|gatan|gata|vägen|"
    r"gr(?:ä|a)nd|stigen|torget|backen|vej|gade|stræde|gate|vei|veien|katu|tie|polku|kuja|rinne|törmä|utca|út"
)
_GERMANIC: Final = rf"\p{{Lu}}[\pL\-]*(?i:{_ENDINGS}|all(?:é|e))"
_PREPOSITIONS: Final = (
    r"(?:Am|Im|In|An|Auf|Zum|Zur|Unter|Hinter|Bei|Vor|Op|Aan|Vid|Ved)(?: de[rnms]?t?| het)?"
)
_SLAVIC: Final = r"(?:(?i:ul|al|os|pl|ulica|ulice|n(?:á|a)m)\.?)"
_RUSSIAN: Final = (
    r"(?:(?:г|с|пос)\. ?[\pL\-]+, ?)?(?:ул|пр|пер|пл|наб|б-р|ш)(?:\.|ица|оспект|"
    r"еулок) ?[\pL .\-]+?, ?д\. ?\d+\pL?"
    r"(?:, ?(?:кв|корп|стр)\. ?\d+)*"
)
# What may stand between the street and the town: a flat, a floor, a door.
_DOOR: Final = (
    r"(?:,? ?(?i:flat|apt\.?|apartment|unit|suite|app\.|appt\.?|b(?:â|a)t\.?|piso|esc\.?|int\.|"
    r"interno|scala|m\.|lok\.|as\.|bst\.|lgh|whg\.|"
    r"top|stiege|t(?:ü|u)r|dto\.?|esq\.?|fte\.?|bte|bus|no:?|daire|d:) ?#?\d*[\pL]?\b\.?|"
    r", \d{1,2}\.?[º°ªo]\.? ?(?:[A-Z]\b|dto\.?|esq\.?|dcha\.?|izda\.?|iz\b)?)*"
)
_STREET: Final = Constant(
    rf"(?:(?:Flat|Apt\.?|Unit|Number|No\.|Apartment|Suite) {_NUMBER}, )?(?:{_W} House, )?"
    rf"(?:{_NUMBER},? (?:(?:{_W}|[a-z]\.) ){{1,4}}{_ENGLISH}"
    rf"|{_NUMBER}, ?{_ROMANCE}(?: {_SMALL_WORDS}| ?[ld]['’])*(?: ?{_W}(?: {_SMALL_WORDS})*)+"
    rf"|{_NUMBER} {_ROMANCE}(?: {_SMALL_WORDS}| ?[ld]['’])*(?: ?{_W}(?: {_SMALL_WORDS})*)+"
    rf"|{_ROMANCE}(?: {_SMALL_WORDS}| ?[ld]['’])*(?: ?{_W}(?: {_SMALL_WORDS})*)+,?"
    rf"(?: n\.?[º°o]?)? {_NUMBER}"
    rf"|(?:{_W} ){{0,2}}{_GERMANIC} {_NUMBER}"
    rf"|{_PREPOSITIONS}(?: {_W}){{1,3}} {_NUMBER}"
    rf"|{_SLAVIC} ?(?:{_W} ){{1,3}}{_NUMBER}"
    rf"|(?:{_W} ){{1,3}}(?:Sokak|Sokağı|Sok\.|Sk\.|Caddesi|Cad\.|Cd\.|Bulvarı|"
    rf"Mah\.)[^\n;\"]{{0,20}}No:? ?{_NUMBER}"
    rf"|{_RUSSIAN}"
    r"|(?:شارع|حي) [\pL ]{3,30}،? ?(?:رقم )?\d{1,4}"
    r"|(?:\pL{2,3}[都道府県])?\pL{1,8}[市区町村]\pL{1,10}\d{0,3}(?:丁目|-)\d{1,3}(?:番地?|"
    r"-)?\d{0,3}号?"
    r"|\pL{2,8}市?\pL{1,8}(?:路|街|大街|巷)\d{1,4}号(?:\d+[室楼单元]*)*"
    r"|[\pL]{1,8}[시도] ?[\pL]{1,8}[구군] ?[\pL0-9]{1,12}[로길] ?\d{1,4}"
    rf"){_DOOR}"
)
# A place of any name with a number: only a postcode and a town make it an address.
_ADDRESS_PATTERN: Final = Constant(
    rf"(?:{_W} (?:{_SMALL_WORDS} )?){{1,3}}{_NUMBER}{_DOOR}(?:,|;|\\n|\n) ?(?:[A-Z]{{1,2}}-)?"
    rf"(?:\d{{4,5}}|\d{{3}} \d{{2}}|\d{{2}}-\d{{3}}|\d{{4}} ?[A-Z]{{2}}|"
    rf"\d{{4}}-\d{{3}}) {_W}(?: (?:{_W}|an der|am|aan|[a-z]{{2,3}}))*"
)
_BRITISH: Final = Constant(
    rf"(?:(?:{_W}|\d+\w?)(?: (?:{_W}|\d+\w?|of|"
    rf"the)){{0,3}}, ){{1,4}}(?:{_W} ){{1,3}}[A-Z]{{1,2}}\d[A-Z\d]? \d[A-Z]{{2}}\b"
)
# From one field of an object to the next, or from one cell or line to the next.
_GAP: Final = (
    r"(?:\\{0,2}\"\s*,\s*(?:\\{0,2}\"[^\"\\\n]{1,24}\\{0,2}\"\s*:\s*\{?\s*){1,2}\\{0,2}\"|"
    r"\s*[,;|]\s*|\\n|\n|<br ?/?>|\s[–—·-]\s|\s\()"
)
_CODE: Final = (
    r"(?:[A-Z]{1,2}-)?(?:\d{4}-\d{3}|\d{2}-\d{3}|\d{3} \d{2}|\d{4,6}(?: ?[A-Z]{2}\b)?)\b|"
    r"[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b|[A-Z]{2},? \d{5}(?:-\d{4})?"
)
_PLACE: Final = (
    rf"{_W}(?:[ \-](?:{_W}|{_SMALL_WORDS}|an der|am|aan|ob der|upon|on|sur|sous)){{0,5}}"
)
# The code and the town in either order, or after a comma the town alone.
_TOWN: Final = Constant(
    rf"^(?:{_GAP} ?| )(?:{_PLACE}(?:,? |{_GAP}))?(?:{_CODE})(?:(?: |{_GAP} ?){_PLACE})?"
    rf"|^, {_PLACE}(?:, {_PLACE})?(?:(?:,? |{_GAP} ?)(?:{_CODE}))?"
)
_COUNTRY: Final = Constant(
    rf"^{_GAP} ?(?:Germany|Deutschland|France|UK|United Kingdom|England|Scotland|Wales|GB|USA?|"
    rf"United States|Canada|Austria|Österreich|Switzerland|Schweiz|"
    r"Suisse|Spain|España|Italy|Italia|Portugal|Poland|Polska|Netherlands|Nederland|Belgium|België|"
    r"Belgique|Ireland|Sweden|Sverige|Norway|Norge|Denmark|Danmark|Finland|Suomi|Czechia|Hungary|"
    r"Turkey|Türkiye|Russia|Россия|Japan|China|Korea|Brazil|Brasil|México|Mexico|Argentina|"
    r"Australia|DE|FR|AT|CH|ES|IT|PT|PL|NL|BE|IE|SE|NO|DK|FI)\b"
)
_TITLE: Final = (
    r"(?:Mr|Mrs|Ms|Miss|Dr|Prof|Herrn?|Frau|Familie|Fam|Mme|Mlle|Monsieur|Madame|M|Sr|Sra|Señora?|"
    r"Don|Doña|Sig|Signora?|Dhr|Mevr|Fru|Pan|Pani|D)\.?"
)
_NAME: Final = Constant(
    rf"(?:{_TITLE} ){{0,2}}{_W}\.?(?: (?:{_W}\.?|von|van|de|der|den|di|da|ten|ter|la|le|med\.|"
    rf"and|und|et|&))*?(?:,? |{_GAP}){_W}"
    rf"(?:{_GAP}(?:{_GAP})?)?(?: ?(?:who |now |now at |living |aus |in |at |lives |"
    rf")*(?:lives? (?:at|in)|living (?:at|in)|residing (?:at|in)|resident (?:at|in)|"
    rf"wohnt(?: in)?|wohnhaft(?: in)?|habite(?: au)?|vive (?:en|in)|residente (?:en|in|a)|"
    rf"mora na|bor på|zamieszkał[ay]|zam\.|woont|asuu|address:?|adresse:?|anschrift:?|"
    rf"presently of|now of|of|currently at|residing at|wohnhaft|demeurant|domicili(?:é|"
    rf"e)e?(?: au)?))? ?$"
)
HOME: Final = Constant(
    r"(?i)address|adress|anschrift|stra(?:ß|ss)e|\bvia\b|street|straat|morada|direcci(?:ó|o)n|"
    r"domicil|endere(?:ç|c)o|indirizzo|\bliv(?:e|es|ing|ed)\b|wohn|habit|\bvive\b|\bbor\b|mieszka|"
    r"bydlište|прожива|адрес|at home|home\b|deliver|ship|recipient|liefer|post it to|letter|"
    r"write to|moved|verzogen|demeur|reside|tenant|patient|guest|customer|kunde|client|mieter|"
    r"resident|送付先|住所|地址|주소|العنوان|adres|osoite|bost(?:a|e)d|lives at|neighbou?r"
)
OFFICE: Final = Constant(
    r"(?i)visit us|find us|office|showroom|museum|library|clinic|klinik|hospital|practice|praxis|"
    r"agency|agentur|headquarters|sitz|gmbh|\bltd\b|\binc\b|\bllc\b|s\.r\.l|\bs\.?a\.?\b|"
    r"registered|imprint|impressum|anfahrt|opening|öffnungs|horaires|horario|rathaus|town hall|"
    r"mairie|station|venue|meet(?:ing)?|court|restaurant|caf(?:é|e)|hotel|depot|warehouse|lager|"
    r"branch|filiale|press|school|schule|gate|hall|church|shop|store|service"
)


_NEAR_CHARACTERS: Final = 110
_JOINS: Final = "-’'"
# A word has no more characters.
_WORD: Final = 40
_FIELD: Final = re.compile(
    r"""["\n|\t<>;(){}\[\]]|\\n|[:=] ?|(?<=\w\w)\. (?=[^\W\d_a-zß-ÿ])|, ?'|'[,\]})]|^- |  """
)
# An address is widened to its field if this share of it was found.
_OF_FIELD: Final = 0.75
# The words of which one is in every street; only around them and a number the streets are searched,
# because their pattern is large.
STREET_WORD: Final = Constant(
    rf"{_ENGLISH}|{_ROMANCE} |(?i:{_ENDINGS}) \d|Am |Im |An |Auf |Zum |Zur |Unter |Hinter |"
    r"(?i:ul|al|os|pl|n(?:á|a)m)\. ?\p{Lu}|Sokak|Sokağı|Sok\.|Cadde|Cad\.|Bulvar|Mah\.|"
    r"ул\.|улица|пр\.|проспект|пер\.|шоссе|شارع|حي|丁目|番地|号|[로길] ?\d"
)
_DIGIT: Final = Constant(r"\d")
_BEFORE, _BEHIND = 70, 90


def find_addresses(text: Bytes, others: Sequence[Span], columns: Columns) -> Iterator[Span]:
    """Finds addresses of people, each with the name directly before it.

    Args:
        text: the text.
        others: the other personal data in the text.
        columns: the tables in the text, whose headings explain their cells.
    """
    data = text.data
    done = 0
    found = [
        match.span() for pattern in (_ADDRESS_PATTERN, _BRITISH) for match in pattern.finditer(data)
    ]
    words = (word.span() for word in STREET_WORD.finditer(data))
    numbered = (
        (start, end)
        for start, end in words
        if _DIGIT.search(data[max(0, start - _BEFORE) : end + _BEHIND])
    )
    for low, high in joined_windows(numbered, _BEFORE, _BEHIND):
        streets = _STREET.finditer(data[low:high])
        found += [(low + match.start(), low + match.end()) for match in streets]
    for start, end in sorted(found, key=lambda place: (place[0], -place[1])):
        if start < done or data[start - 1 : start].isalnum():
            continue
        stop = _with_town(data, end)
        before = data[max(0, start - 110) : start]
        name = _NAME.search(before)
        context = data[max(0, start - 60) : start]
        if name is not None and OFFICE.search(name[0]):
            continue
        if name is None and (
            OFFICE.search(context)
            or not (
                HOME.search(context)
                or HOME.search(columns.heading(start))
                or any(
                    abs(text.character(start) - other.start) < _NEAR_CHARACTERS for other in others
                )
            )
        ):
            continue
        begin = start - len(before) + name.start() if name is not None else start
        done = stop
        type_ = "name_with_address" if name is not None else "address"
        place = whole_address(text.text, text.character(begin), text.character(stop))
        yield Span(*place, "personal", type_)


def whole_address(text: str, start: int, end: int) -> tuple[int, int]:
    """Extends a part of an address to the whole address: with the name before it, the town after
    it, and the rest of its field.

    Args:
        text: the text.
        start, end: positions of the part.
    """
    low, high = max(0, start - _WORD), min(len(text), end + _WORD)
    while start > low and (text[start - 1].isalnum() or text[start - 1] in _JOINS):
        start -= 1
    while end < high and (text[end].isalnum() or text[end] in _JOINS):
        end += 1
    if text.startswith(".,", end):
        end += 1
    before = text[max(0, start - _NEAR_CHARACTERS) : start].encode("utf-8", "replace")
    behind = text[end : end + 2 * _NEAR_CHARACTERS].encode("utf-8", "replace")
    name = _NAME.search(before)
    if name is not None and not OFFICE.search(name[0]):
        start -= len(before[name.start() :].decode("utf-8", "ignore"))
    end += len(behind[: _with_town(behind, 0)].decode("utf-8", "ignore"))
    return _with_field(text, start, end)


def _with_field(text: str, start: int, end: int) -> tuple[int, int]:
    """Extends an address to its whole field or line if the address makes up most of the field or
    line.
    """
    return widened(
        text,
        start,
        end,
        _FIELD,
        _OF_FIELD,
        is_before=lambda sign: not (sign.isalnum() or sign in "*§"),
        is_behind=lambda sign: sign in " .,;-",
    )


def _with_town(data: bytes, end: int) -> int:
    """Returns the end of the town and the country that follow a street; `end` if no town
    follows.
    """
    town = _TOWN.search(data[end : end + 90])
    if town is None:
        return end
    end += town.end()
    country = _COUNTRY.search(data[end : end + 60])
    return end + country.end() if country is not None else end
