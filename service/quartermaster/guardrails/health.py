"""Patterns of words about health, in the languages that most tools answer in."""

from __future__ import annotations

import re
from typing import Final

from quartermaster.guardrails.linear_patterns import Constant

# Between two words, but not within the brackets of one.
_BETWEEN_PATTERN: Final = re.compile(r"\|(?![^(]*\))")


def _for_clauses(words: str) -> Constant:
    """Returns a pattern that matches the beginnings of words. RE2 recognises word boundaries only
    at ASCII letters. So the pattern requires no boundary before a word that begins with another
    letter.
    """
    each = _BETWEEN_PATTERN.split(words)
    plain = "|".join(word for word in each if word[0].isascii())
    others = "|".join(word for word in each if not word[0].isascii())
    return Constant(rf"(?i)(?:\b(?:{plain})|(?:{others}))")


# Beginnings of words in the languages that tools answer in most.
_WORDS: Final = (
    r"diabet|asthma|astma|asma|epilep|allerg|alerg|allergi|anaphyla|cancer|krebs|tumou?r|carcino|"
    r"karzino|onkolog|oncolog|chemo|leuk(?:a|ä|e)m|lymphom|depress|dépress|anxiety|panic attack|"
    r"angststör|bipolar|schizo|psychos|psychiat|ptsd|adhd|adhs|autis|burn-?out|dementia|demen[cz]|"
    r"alzheimer|parkinson|multiple scleros|\bms\b relapse|stroke|schlaganfall|infarct|infarkt|"
    r"heart attack|heart (?:disease|failure|condition)|herz(?:fehler|schritt|insuff|inf|rhyth)|"
    r"palpitation|flutter|vorhof|fibrillat|arrhythm|hyperton|hypotension|hypertension|"
    r"blood pressure|blutdruck|bluthoch|kidney|nieren|dialys|transplant|liver|hepati|zirrh|cirrho|"
    r"hiv\b|aids\b|tubercul|covid|pneumon|bronchit|copd|thyroid|schilddr|thyro|pregnan|schwanger|"
    r"embaraz|enceinte|incinta|grávida|zwanger|gravid|miscarr|fehlgeburt|abortion|fracture|fraktur|"
    r"gebrochen|broken (?:arm|hip|wrist|ankle)|hip (?:replac|operation)|(?:hip|knee|back|heart|eye|"
    r"cataract) (?:operation|surgery|replacement)|prosthe|prothese|amput|wheelchair|rollstuhl|"
    r"fauteuil roulant|silla de ruedas|sedia a rotelle|rolstoel|rullstol|kørestol|pyörätuoli|"
    r"disabilit|disabled (?:person|child|guest|parking)|is disabled|schwerbehind|behinderung|"
    r"handicap|\bgdb\b|hearing (?:aid|loss|impair)|deaf|\bblind\b|hört? schlecht|schwerhörig|"
    r"malentendan|hører dårligt|dårligt|coeliac|celiac|celíac|zöliakie|zöliak|cœliaqu|"
    r"glut[ea]n(?:intol|-?unver|free diet)|lactose intol|laktoseintol|intoleran|insulin|epineph|"
    r"adrenalin|epipen|inhaler|medicat|medikament|prescri|rezept für|dosis|tablets|antibiot|"
    r"antidepress|painkill|morphin|migraine|migräne|emicrania|migraña|migrän|bandscheib|hernia|"
    r"hernie|rheum|arthri|arthro|osteopor|sciatic|ischias|dyslex|dysprax|legasthen|dysph|schluckst|"
    r"inkontin|incontin|endometri|menopaus|infertil|\bivf\b|hemophil|haemophil|hämophil|bluter\b|"
    r"an(?:a|ä)em|sickle|blood type|blutgruppe|surgery|\bop\b am|operated on|operation (?:on|an)|"
    r"opérée?\b|operiert|operad[oa]|operat[oa]\b|rehab|reha\b|physiother|fisioter|hospitalis|"
    r"stay in hospital|inpatient|diagnos|symptom|syndrom|chronic|chronisch|chronique|crónic|cronic|"
    r"relapse|remission|seizure|faint|swollen|rash\b|eczem|neuroderm|psorias|scan shows|biopsy|"
    r"biopsie|mammogra|x-ray|röntgen|\bmri\b|\bmrt\b|test (?:was )?positive|positiv getestet|"
    r"sick leave|krankgeschrieben|krankschreib|arbeitsunfähig|arrêt maladie|baja (?:médica|por)|"
    r"malattia|ziekte|zwangerschap|sjukskriv|sairaus|maladie|enfermedad|doença|chorob|cukrzyc|"
    r"nowotw|astm|ciąż|padaczk|alkohol(?:iker|ism|kr)|alcoholi[cs]|addict|suchtkrank|suizid|suicid|"
    r"self-harm|eating disorder|anorex|bulim|алерг|аллерг|диабет|астм|инвалид|беремен|гипертон|"
    r"инсульт|инфаркт|онколог|эпилеп|болезн|диагноз|операц|депресс|过敏|糖尿病|高血压|癌|哮喘|怀孕|"
    r"手术|アレルギー|喘息|妊娠|高血圧|手術|うつ病|車椅子|알레르기|당뇨|천식|임신|고혈압|우울증|"
    r"حساسية|السكري|الربو|حامل|dị ứng|tiểu đường|hen suyễn|injur|verletz|concuss|gehirnersch|"
    r"sprain|verstauch|torn ligament|kreuzband|meniscus|meniskus|fever|fieber|fièvre|infect(?:ion|"
    r"ed)|infekt|entzünd|inflamm|psychother|therapist|counsell|cardiolog|kardiolog|neurolog|"
    r"gyn(?:a)?ecolog|gynäkolog|dermatolog|urolog|orthop|radiolog|radiother|strahlenther|metformin|"
    r"ibuprofen|paracetamol|sertralin|citalopram|levothyrox|l-thyrox|ramipril|bisoprolol|warfarin|"
    r"marcumar|lithium|methotrexat|prednison|cortison|kortison|statin\b|\d+ ?mg\b|hba1c|blutzucker|"
    r"blood sugar|glucose|cholester|pacemaker|stent|bypass|catheter|katheter|ulcer|colitis|crohn|"
    r"ibs\b|reflux|gastrit|appendi|blinddarm|nut allergy|nuss-?allerg|peanut|erdnuss|arachid|"
    r"cacahuete|penicill|vomit|dizz|schwindel|vertigo|tinnitus|glaucom|glaukom|cataract|scolios|"
    r"skolios|fibromyal|lupus|pain in|schmerzen|rückenleid|douleur|dolor de|mal di|hearing|"
    r"impaired|sehbehind|malvoyant|krücken|crutches|walking frame|rollator|pflegegrad|care level|"
    r"insomn|schlafstör|essstör|trauma|panik|phobi|tourette|cerebral|spina|down.?syndrom|cyst|"
    r"zyste|polyp|thrombo|embol|aneurysm|sepsis|shingles|gürtelrose|borreli|lyme|malaria|krank\b|"
    r"erkrank|ill with|illness|sick with|surg(?:eon|ical)|operad|cirug|chirurg|amniot|ultrasound|"
    r"ultraschall|quarant|vaccin|impf|şeker hastal|astım|alerji|hamile|tansiyon|engelli|"
    r"recovering from|health (?:reasons|problems|condition)|gesundheit(?:lich|sproblem)|"
    r"aus gesundheitlichen"
)
WORDS: Final = Constant(rf"(?i)\b(?:{_WORDS})")
_MORE_WORDS: Final = (
    r"angina|gout\b|measles|mumps|chickenpox|scarlet fever|tonsil|sinusit|uti\b|kidney stone|"
    r"gallston|gallbladder|pancreat|colonoscop|stoma\b|hysterect|mastectom|lumpectom|caesarean|"
    r"months? gone\b|weeks? pregnan|bedridden|housebound|paralys|parapleg|tetrapleg|"
    r"walks? with (?:a|two) (?:stick|cane)|walking stick|zimmer frame|oxygen (?:concentr|at home)|"
    r"cpap|sleep apn|ocd\b|hallucin|overdos|detox|methadone|heroin|opioid|palliative|hospice|"
    r"terminally ill|intensive care|a&e\b|off sick|sick note|signed off sick|unwell|flu\b|"
    r"influenza|norovirus|diarrh|nausea|food poisoning|headache|backache|slipped dis|whiplash|"
    r"dislocat|broke (?:his|her|my|their)|blood (?:thinner|clot|group|test)|anticoag|beta.?block|"
    r"steroid|hay fever|melanom|metasta|immunosuppr|nebuli|confused since|blackout|convuls|tremor|"
    r"palsy|dystroph|motor neuron|cystic fib|thalass|jaundice|dairy.free|nut.free|bee sting|"
    r"wasp sting|partially sighted|visually impair|low vision|colou?r.?blind|macular|cochlear|"
    r"hard of hearing|stutter|stammer|learning (?:disab|diffic)|asperg|dyscalc|ritalin|prozac|"
    r"fluoxet|diazep|lorazep|codein|tramad|oxycod|amoxi|omepraz|apixab|rivarox|salbut|ventolin|"
    r"epi-pen|hypothyr|hyperthyr|bradycard|tachycard|cardiomyo|cellulitis|rotator cuff|hamstring|"
    r"collarbone|heat stroke|wchr\b|wchc\b|scoliosis|osteo|stent\b|mellitus|kur nach|bettlägerig|"
    r"pflegebed|pflegestufe|e-rolli|gehbehind|gehhilfe|gelähmt|prellung|verstaucht|mandelentz|"
    r"gallenst|lungenembol|embolie|scharlach|masern|windpock|heuschnupf|schuppenfl|gicht\b|"
    r"hexenschuss|netzhaut|kreuzschm|kopfschm|bauchschm|rippenser|bruch des|beinbruch|armbruch|"
    r"leistenbruch|erschöpfungs|bestrahl|verträgt kein|unverträgl|mutterschutz|risikoschw|"
    r"hörminder|hörger|schwerhör|seh(?:schw|rest)|lrs\b|trisomie|verwirrt|krankenstand|krankmeld|"
    r"erkält|grippe|husten|blutverd|opéré|grossesse|fausse couche|béquill|déambul|surdit|malentend|"
    r"malvoy|intolér|cœliaq|diabét|cardiaq|avc\b|anxi(?:été|eux)|chimio|tumeur|insuffisance|"
    r"entorse|lumbago|lombalg|sciatiq|scoliose|sclérose|démence|anticoagul|hospitaliz|baja médica|"
    r"muletas|andador|discapac|sordera|invident|hipert|ictus|derrame|jaqueca|ansiedad|ansiedade|"
    r"cáncer|quimio|diális|esguince|lumbal|ciátic|fiebre|marcapas|esclerosis|esclerose|demencia|"
    r"gravidez|cadeira de rodas|cancro\b|ricover|gravidanza|stampelle|disabil|ipoved|non vedent|"
    r"intoller|ipertens|epiless|ansia\b|chemio|dialis|frattur|distors|lombal|sclerosi|demenza|"
    r"dislessi|protesi|geopereerd|miskraam|krukken|slechthor|slechtz|coeliak|hartaanval|hartinf|"
    r"hartfalen|beroerte|overspann|kanker|bestral|gescheurd|kruisband|verstuik|rugpijn|griep\b|"
    r"koorts|duizel|dementie|reuma|artrose|sjukskr|sykmeld|sygemeld|operer|krykk|kryck|funksjonsh|"
    r"døv\b|döv\b|synsk|hörsel|hørsel|cøliak|sukkersyg|blodtr|hjerteinf|hjärtinf|slagtilf|utmattn|"
    r"udbrændt|utbrent|kræft|kreft|cellgift|lungeb|lunginfl|har kol\b|kols\b|brækket|brukket|"
    r"bruten|axeloper|demens|ordblind|dysleks|gikt\b|syrgas|leikka|raska|liikuntar|kuulo|näkövam|"
    r"keliak|sydän|halvau|migreen|masen|syöpä|flunss|kuume|lukihäi|szpital|po zabiegu|wózk|"
    r"niepełnospr|niedosłys|niewid|uczul|celiak|nadciś|zawał|udar\b|padacz|depresj|złaman|skręc|"
    r"wstrząś|kręgosł|gorącz|stwardn|dyslek|rozrusz|po mrtvic|mrtvic|těhot|invalidn|neslyš|"
    r"nedoslých|cukrov|infark|rakov|zlomen|horeč|skleró|kardiostim|cukorbet|terhes|műtét|asztma|"
    r"magas vérny|ameliyat|tekerlekli|işitme|görme eng|alerj|diyabet|kalp|felç|kanser|kemoter|"
    r"böbrek|kırık|fıtık|épilep|ångest|çölyak|болен|больнич|коляск|костыл|глух|слеп|целиак|инсулин|"
    r"гиперт|мигрен|опухол|химиотер|перелом|склероз|паркинс|деменц|кардиост|αλλεργ|άσθμα|διαβήτ|"
    r"έγκυ|καρκίν|υπέρταση|καρδι|εγκεφαλικ|επιληψ|αναπηρ|κάταγμα|糖尿|血圧|骨折|腰痛|入院|持病|"
    r"透析|がん|心臓|脳梗塞|てんかん|認知症|難聴|療養|住院|心脏|中风|癫痫|抑郁|残疾|轮椅|肿瘤|化疗|"
    r"痴呆|수술|골절|휠체어|입원|치매|투석|سكري|كسر|كرسي متحرك|سرطان|اكتئاب|صرع"
)
CLAUSE_WORDS: Final = _for_clauses(f"{_WORDS}|{_MORE_WORDS}")
# Words of which most stand in texts that are about nobody's health.
VAGUE_WORDS: Final = _for_clauses(
    r"broke\b|broken|torn\b|wound|bruis|bleed|pain|ache|sore|cough|cold\b|ill\b|sick|hospital|"
    r"ward\b|operat|op\b|doctor|nurse|clinic|treat|therap|recover|tablet|pill|medic|dose|inject|"
    r"jab\b|heart|hip\b|knee|back\b|eye|ear\b|leg\b|foot|ankle|wrist|shoulder|arm\b|bone|spine|"
    r"lung|stomach|brain|blood|skin|lump|weak|tired|fall\b|fell\b|fallen|collapse|crutch|cane|"
    r"stick|frame|chair|sight|blind|hear|diet|gluten|nut|dairy|egg|shellfish|pollen|baby|expecting|"
    r"due in|sober|recovery|drink|mental|stress|mood|memory|special need|care|frail|krank|arzt|"
    r"klinik|spital|kur\b|therapie|schmerz|bruch|gebroch|herz|hüft|knie|rücken|auge|ohr\b|bein|fuß|"
    r"schulter|lunge|magen|blut|haut|sturz|gestürzt|gefallen|tropfen|spritze|salbe|nuss|pflege|"
    r"malad|santé|hôpital|opér|mal de|cœur|dos\b|genou|hanche|chute|enferm|dolor|corazón|espalda|"
    r"rodilla|cadera|caída|doen|dor\b|joelho|coluna|queda|malat|ospedal|cuore|schiena|ginocchio|"
    r"anca\b|caduta|ziek|pijn|hart\b|rug\b|heup|gevallen|wond|pillen|medicijn|sjuk|syk\b|syg\b|"
    r"smert|värk|hjert|hjärt|hofte|höft|knä|kne\b|rygg|ryg\b|feber|brud\b|sair|kipu|kipe|selk|"
    r"chor[aoyu]|ból|serc|lek[iu]\b|nemoc|bolest|srdc|lék[yů]|hast[aa]\b|ağrı|ateş|ärzt|боль|сердц|"
    r"спин|температур|лекарств|病|痛|孕|병|مريض|مرض"
)
