"""Finds what a text says about somebody's health: words of medicine beside other personal data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from quartermaster.guardrails.linear_patterns import compiled
from quartermaster.guardrails.spans import Bytes, Span

# Beginnings of words in the languages that tools answer in most.
_WORDS: Final = compiled(
    r"(?i)\b(?:diabet|asthma|astma|asma|epilep|allerg|alerg|allergi|anaphyla|cancer|krebs|"
    r"tumou?r|carcino|karzino|onkolog|oncolog|"
    r"chemo|leuk(?:a|ä|e)m|lymphom|depress|dépress|anxiety|panic attack|angststör|bipolar|schizo|"
    r"psychos|psychiat|ptsd|adhd|adhs|autis|"
    r"burn-?out|dementia|demen[cz]|alzheimer|parkinson|multiple scleros|\bms\b relapse|stroke|"
    r"schlaganfall|infarct|infarkt|heart attack|heart (?:disease|failure|condition)|"
    r"herz(?:fehler|schritt|insuff|inf|rhyth)|palpitation|flutter|vorhof|fibrillat|arrhythm|"
    r"hyperton|hypotension|hypertension|blood pressure|blutdruck|bluthoch|"
    r"kidney|nieren|dialys|transplant|liver|hepati|zirrh|cirrho|hiv\b|aids\b|tubercul|covid|"
    r"pneumon|bronchit|copd|thyroid|schilddr|thyro|"
    r"pregnan|schwanger|embaraz|enceinte|incinta|grávida|zwanger|gravid|miscarr|fehlgeburt|"
    r"abortion|fracture|fraktur|gebrochen|broken (?:arm|hip|wrist|ankle)|hip (?:replac|"
    r"operation)|"
    r"(?:hip|knee|back|heart|eye|cataract) (?:operation|surgery|replacement)|prosthe|prothese|"
    r"amput|wheelchair|rollstuhl|fauteuil roulant|silla de ruedas|sedia a rotelle|rolstoel|"
    r"rullstol|kørestol|pyörätuoli|"
    r"disabilit|disabled (?:person|child|guest|parking)|is disabled|schwerbehind|behinderung|"
    r"handicap|\bgdb\b|hearing (?:aid|loss|impair)|deaf|\bblind\b|hört? schlecht|schwerhörig|"
    r"malentendan|hører dårligt|dårligt|"
    r"coeliac|celiac|celíac|zöliakie|zöliak|cœliaqu|glut[ea]n(?:intol|-?unver|free diet)|"
    r"lactose intol|laktoseintol|intoleran|insulin|epineph|adrenalin|epipen|inhaler|"
    r"medicat|medikament|prescri|rezept für|dosis|tablets|antibiot|antidepress|painkill|morphin|"
    r"migraine|migräne|emicrania|migraña|migrän|"
    r"bandscheib|hernia|hernie|rheum|arthri|arthro|osteopor|sciatic|ischias|dyslex|dysprax|"
    r"legasthen|"
    r"dysph|schluckst|inkontin|incontin|endometri|menopaus|infertil|\bivf\b|hemophil|haemophil|"
    r"hämophil|bluter\b|an(?:a|ä)em|sickle|blood type|blutgruppe|"
    r"surgery|\bop\b am|operated on|operation (?:on|an)|opérée?\b|operiert|operad[oa]|"
    r"operat[oa]\b|rehab|reha\b|physiother|fisioter|hospitalis|stay in hospital|inpatient|"
    r"diagnos|symptom|syndrom|chronic|chronisch|chronique|crónic|cronic|relapse|remission|"
    r"seizure|faint|swollen|rash\b|eczem|neuroderm|psorias|"
    r"scan shows|biopsy|biopsie|mammogra|x-ray|röntgen|\bmri\b|\bmrt\b|test (?:was )?positive|"
    r"positiv getestet|sick leave|krankgeschrieben|krankschreib|arbeitsunfähig|arrêt maladie|"
    r"baja (?:médica|por)|malattia|ziekte|zwangerschap|sjukskriv|sairaus|"
    r"maladie|enfermedad|doença|chorob|cukrzyc|nowotw|astm|ciąż|padaczk|alkohol(?:iker|ism|kr)|"
    r"alcoholi[cs]|addict|suchtkrank|suizid|suicid|self-harm|eating disorder|anorex|bulim|"
    r"алерг|аллерг|диабет|астм|инвалид|беремен|гипертон|инсульт|инфаркт|онколог|эпилеп|болезн|"
    r"диагноз|операц|депресс|"
    r"过敏|糖尿病|高血压|癌|哮喘|怀孕|手术|アレルギー|喘息|妊娠|高血圧|手術|うつ病|車椅子|"
    r"알레르기|당뇨|천식|임신|고혈압|우울증|حساسية|السكري|الربو|"
    r"حامل|dị ứng|tiểu đường|hen suyễn|"
    r"injur|verletz|concuss|gehirnersch|sprain|verstauch|torn ligament|kreuzband|meniscus|"
    r"meniskus|fever|fieber|fièvre|infect(?:ion|ed)|infekt|entzünd|inflamm|"
    r"psychother|therapist|counsell|cardiolog|kardiolog|neurolog|gyn(?:a)?ecolog|gynäkolog|"
    r"dermatolog|urolog|orthop|radiolog|radiother|strahlenther|"
    r"metformin|ibuprofen|paracetamol|sertralin|citalopram|levothyrox|l-thyrox|ramipril|"
    r"bisoprolol|warfarin|marcumar|lithium|methotrexat|prednison|cortison|kortison|statin\b|"
    r"\d+ ?mg\b|hba1c|blutzucker|blood sugar|glucose|cholester|pacemaker|stent|bypass|catheter|"
    r"katheter|ulcer|colitis|crohn|ibs\b|reflux|gastrit|appendi|blinddarm|"
    r"nut allergy|nuss-?allerg|peanut|erdnuss|arachid|cacahuete|penicill|vomit|dizz|schwindel|"
    r"vertigo|tinnitus|glaucom|glaukom|cataract|scolios|skolios|fibromyal|lupus|"
    r"pain in|schmerzen|rückenleid|douleur|dolor de|mal di|hearing|impaired|sehbehind|malvoyant|"
    r"krücken|crutches|walking frame|rollator|pflegegrad|care level|insomn|"
    r"schlafstör|essstör|trauma|panik|phobi|tourette|cerebral|spina|down.?syndrom|cyst|zyste|"
    r"polyp|thrombo|embol|aneurysm|sepsis|shingles|gürtelrose|borreli|lyme|malaria|"
    r"krank\b|erkrank|ill with|illness|sick with|surg(?:eon|ical)|operad|cirug|chirurg|amniot|"
    r"ultrasound|ultraschall|quarant|vaccin|impf|"
    r"şeker hastal|astım|alerji|hamile|tansiyon|engelli|recovering from|health (?:reasons|"
    r"problems|condition)|gesundheit(?:lich|sproblem)|aus gesundheitlichen)"
)
_KEY: Final = compiled(
    r"(?i)(?:allerg\w*|diagnos\w*|condition\w*|medical\w*|health\w*|disabilit\w*|reason|"
    r"symptom\w*|anamnes\w*|indication|ärztlich\w*|note|notes|comment|requests?|remarks?|"
    r"beschwerde\w*|befund|krank\w*|gesund\w*|blood-?type|summary|text|bemerkung\w*|code|diet\w*|"
    r"special\w*|observa\w*|"
    r"diagn(?:ó|o)\w*|alerg\w*|santé|salud|saúde|salute)[\"'\\]*\s*[:=]\s*[\"'\\]*$"
)
_LEFT: Final = compiled(r"[.;:!?()\"|\n{}\[\]<>=]\s*|,\s|\\n|\\\"|\s[–—-]\s|'\s*|\t")
_RIGHT: Final = compiled(r"[.;!?()\"|\n{}\[\]<>]|, |\\n|\\\"|\s[–—-]\s|'(?:$|[,;)\]])|\t|,\pL")
# A value in quotation marks or brackets counts as a whole, if it is no sentence.
_OPENING: Final = compiled(r"[\"'(][^\"'()]*$")
_CLOSING: Final = compiled(r"^[^\"'().;]*[\"')]")
_SENTENCE: Final = compiled(r"[.;:!?]\s")
# Words before and after the datum itself.
_LEAD: Final = compiled(
    r"(?i)^.*\b(?:i have|due to|because of|wegen|aufgrund|is|are|am|contained|suffers from|"
    r"leidet an|in verband met de|"
    r"à cause d[eu]|atteinte? d[eu]|a causa di|debido a|por causa de|på grund av)\s"
)
_TAIL: Final = compiled(
    r"(?i) (?:and|und|et|y|e|en|och|og) (?:should|would|will|not|is|was|must|can|nicht|soll|wird|"
    r"ist|ne|no|non|niet)\b"
)
_NEAR: Final = 800
_LONGEST: Final = 160


def find_health(text: Bytes, others: Sequence[Span]) -> Iterator[Span]:
    """Find clauses about the health of a person of whom the text has other data, or who speaks.

    Args:
        text: the text.
        others: the other personal data in it.
    """
    data = text.data
    people = [span.start for span in others if span.kind == "personal"]
    reach = 0
    for match in _WORDS.finditer(data):
        if match.start() < reach:
            continue
        start, end = _clause(data, *match.span())
        reach = end
        place = text.character(start)
        is_beside = any(abs(place - person) < _NEAR for person in people)
        if not is_beside and not _is_said_of_someone(data, start, end):
            continue
        yield text.span(start, end, "personal", "health")


def _clause(data: bytes, start: int, end: int) -> tuple[int, int]:
    begin = max(0, start - _LONGEST)
    left = begin
    for sign in _LEFT.finditer(data[begin:start]):
        left = begin + sign.end()
    if left == begin > 0:
        left = data.find(b" ", begin, start) + 1 or start
    right = _RIGHT.search(data[end : end + _LONGEST])
    stop = end + right.start() if right is not None else min(len(data), end + _LONGEST)
    # Further diseases of the same list belong to it.
    while data[stop : stop + 2] == b", ":
        more = _RIGHT.search(data[stop + 2 : stop + 2 + _LONGEST])
        until = stop + 2 + more.start() if more is not None else len(data)
        if not _WORDS.search(data[stop + 2 : until]) or until - left > 2 * _LONGEST:
            break
        stop = until
    quoted = _quoted(data, begin, start, end)
    if quoted is not None:
        return quoted
    lead = _LEAD.search(data[left:start])
    left += lead.end() if lead is not None else 0
    tail = _TAIL.search(data[end:stop])
    if tail is not None:
        stop = end + tail.start()
    while left < start and data[left : left + 1].isspace():
        left += 1
    return left, stop


def _quoted(data: bytes, begin: int, start: int, end: int) -> tuple[int, int] | None:
    """Return the short value in quotation marks or brackets around a word."""
    opening = _OPENING.search(data[begin:start])
    closing = _CLOSING.search(data[end : end + _LONGEST])
    if opening is None or closing is None or _SENTENCE.search(opening[0]):
        return None
    if closing.end() + len(opening[0]) >= _LONGEST:
        return None
    return begin + opening.start() + 1, end + closing.end() - 1


_SPEAKS: Final = compiled(
    r"(?i)\b(?:i have|i've|i'm|i am|my|ich (?:bin|habe)|mein\w*|j'ai|je suis|tengo|soy|padezco|"
    r"ho |sono |tenho|ik (?:ben|heb)|jag (?:har|är)|jeg (?:har|er))\b"
)


def _is_said_of_someone(data: bytes, start: int, end: int) -> bool:
    key = _KEY.search(data[max(0, start - 40) : start])
    return (key is not None and b"lerg" in key[0].lower()) or _SPEAKS.search(
        data[max(0, start - 30) : end]
    ) is not None
