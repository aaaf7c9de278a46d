"""Words with which a text addresses a machine, in the languages that most tools answer in."""

from __future__ import annotations

from typing import Final

# An assistant, an agent, a model: whom hidden instructions address.
MACHINE: Final = (
    r"assistants?|agents?|(?:language|ai|artificial intelligence) models?|\bmodels? (?:that|which|"
    r"reading|who|processing)|llms?|chat-?bots?|copilots?|chatgpt|gpt|claude|gemini|\bais?\b|"
    r"a\.i\.|\bbots?\b|automated (?:systems?|reviewers?|readers?|tools?|assistants?)|"
    r"summari[sz]ers?|crawlers?|autopilot|automation|\bki\b|\pL*assisten[tz]\pL*|"
    r"\pL*sprachmodell\pL*|\pL+agent(?:en)?\b|\bia\b|agente?s?|modèles? (?:de langage|"
    r"linguistiques?)|système automatique|robots?|asistentes?|modelos? de lenguaje|assistentes?|"
    r"modelos? de linguagem|modell[oi] linguistic[oi]|\pL*taalmodel\pL*|ai-hulp|språkmodell\pL*|"
    r"sprogmodel\pL*|asystent\pL*|model\pL* językow\pL*|sztuczn\pL* inteligenc\pL*|asistent\pL*|"
    r"jazykov\pL* model\pL*|umělá inteligence|ассистент\pL*|помощник\pL*|нейросет\pL*|\bии\b|"
    r"агент\pL*|языков\pL* модел\pL*|бот\pL*|асистент\pL*|помічник\pL*|\bші\b|yapay zek\pL*|"
    r"\pL*asistan\pL*|dil model\pL*|tekoäly\pL*|avustaj\pL*|kielimall\pL*|asszisztens\pL*|"
    r"nyelvi modell\pL*|mesterséges intelligenci\pL*|asisten\b|trợ lý|tác nhân|mô hình ngôn ngữ|"
    r"βοηθ\pL*|assisten(?:ten)?\b|kunstig intelligens|المساعد\pL*|مساعد\pL*|الوكيل|وكيل|"
    r"الذكاء الاصطناعي|نموذج|עוזר|סוכן|सहायक|एआई|ผู้ช่วย|人工智能|智能助手|助手|助理|智能体|大模型|"
    r"语言模型|机器人|アシスタント|エージェント|言語モデル|人工知能|\bai|비서|어시스턴트|에이전트|"
    r"인공지능|언어 모델|챗봇|도우미"
)
# Keeping something from the user.
SECRECY: Final = (
    r"(?:do not|don't|never|must not|shall not|not to|no need to|need not|"
    r"without) (?:\w+ ){0,2}(?:mention|tell|reveal|report|flag|disclos|notify|notif|inform|ask|say|"
    r"show|list|cite|alert|warn|refer|saying|asking|telling|mentioning|review|trouble|confirm|"
    r"touch)\w*|silently|quietly|secretly|discreetly|say nothing|tell nobody|tell no one|"
    r"no confirmation|leave (?:\w+ ){1,4}out|leave out|out of (?:the|your) summary|hide (?:the|"
    r"this|it)|need not see|nothing (?:more )?about (?:it|this)|pretend|their own wish|"
    r"keep (?:this|that|it) (?:\w+ ){0,3}(?:secret|out|private|from)|erwähn\pL*|verschweig\pL*|"
    r"ohne (?:\pL+ )?(?:nachzufragen|zu fragen|rückfrage|hinweis|nachfrage)|(?:nicht|nichts|"
    r"kein wort) (?:\pL+ )?(?:erwähn|sag|mitteil|verrat|melden|davon)\pL*|"
    r"frage? (?:\pL+ ){0,3}nicht|sans (?:\pL+ ){0,3}(?:signaler|demander|dire|mentionner|prévenir|"
    r"avertir|préciser|donner)|ne (?:\pL+ )?(?:mentionn|dis|dites|parle|signale|révèle|fais)\pL*|"
    r"n['’]en (?:\pL+ )?|sin (?:\pL+ ){0,2}(?:preguntar|avisar|decir|mencionar|confirmar|"
    r"consultar)\pL*|no (?:\pL+ )?(?:mencion|dig|inform|avis|revel|cuent)\pL*|"
    r"sem (?:\pL+ ){0,2}(?:perguntar|avisar|dizer|mencionar|confirmar)|não (?:\pL+ )?(?:mencion|"
    r"refir|dig|inform|revel|avis|cont)\pL*|senza (?:\pL+ ){0,2}(?:chieder|dir|avvisar|menzionar|"
    r"conferm|segnalar)\pL*|non (?:\pL+ )?(?:menzion|chieder|dir|citar|rivelar|avvisar|parlar|"
    r"segnalar)\pL*|zonder (?:\pL+ ){0,3}(?:vragen|melden|zeggen|vermelden|overleg)|(?:niet|"
    r"niets) (?:\pL+ )?(?:vermeld|zeg|meld|noem|vertel)\pL*|vermeld (?:\pL+ ){0,2}niet|"
    r"nie (?:wspomin|inform|mów|pytaj|ujawni|pokazuj)\pL*|bez (?:pytania|informowania|wiedzy|"
    r"potwierdz\pL*)|ne(?:zmiňuj|říkej|informuj|ptej)\pL*|bez (?:ptaní|vědomí)|не (?:сообща|говор|"
    r"упомин|включа|рассказ|спрашив|показыва|раскрыва)\pL*|без (?:подтвержд|спрос|ведома|уведомл|"
    r"вопрос)\pL*|söyleme\pL*|bahsetme\pL*|sormadan|haber verme\pL*|utan att (?:fråga|nämna|säga|"
    r"berätta)|nämn (?:\pL+ )?(?:inte|ej)|inte nämn\pL*|låtsas|uden at (?:spørge|nævne|sige)|"
    r"nævn (?:\pL+ )?ikke|uten å (?:spørre|nevne|si)|nevn (?:\pL+ )?ikke|kysymättä|äläkä|mainitse|"
    r"anélkül|ne említsd|mà không (?:hỏi|nói|báo)|đừng (?:nói|nhắc|cho|hỏi)|không (?:nói|báo|nhắc)|"
    r"jangan (?:beri|sebut|kata)\pL*|不要(?:说明|告诉|提及|征求|透露|说|让|询问|提到)|不必|无需|"
    r"隐瞒|触れない|知らせない|言わない|伝えない|言及しない|黙って|尋ねず|確認せず|말하지|알리지|"
    r"언급하지|묻지|숨기|비밀|لا تخبر|لا تذكر|دون (?:علم|إخبار|سؤال|أن)"
)
# The person for whom the assistant works.
USER: Final = (
    r"(?:the|your|their|its|a) users?\b|user['’]s|users? (?:that|has|have)|owner|recruiter|"
    r"\breader\b|human\b|nutzer\pL*|benutzer\pL*|anwender\pL*|utilisat\pL*|usuari\pL*|"
    r"utilizador\pL*|usuári\pL*|utent[ei]|gebruiker\pL*|użytkownik\pL*|uživatel\pL*|"
    r"пользовател\pL*|користувач\pL*|kullanıcı\pL*|használó\pL*|người dùng|pengguna|användar\pL*|"
    r"bruger\pL*|bruker\pL*|käyttäj\pL*|用户|使用者|ユーザー?|利用者|사용자|المستخدم|للمستخدم|"
    r"χρήστ\pL*|משתמש"
)
# What the assistant is told to do.
ACTION_WORDS: Final = (
    r"send|forward|post|upload|fetch|open|call|run|execute|approve|export|transfer|pay|add|invite|"
    r"share|mark|rank|recommend|praise|reply|answer|say|state|tell|write|include|ignore|disregard|"
    r"forget|delete|remove|accept|confirm|change|set|install|paste|copy|repeat|subscribe|book|"
    r"order|buy|put|place|give|insert|append|mute|skip|waive|upgrade|update|move|rewrite|use|"
    r"register|follow|report|treat|respond|begin|start|stop|click|visit|download|decode|base64|"
    r"obey|do what it says|carry out|act as|you are now|new (?:task|role|instructions?)|"
    r"system prompt|instead|sende|schick|leite|öffne|ruf|antworte|schreibe?|setze?|füge|lösche|"
    r"bestätige|empfiehl|nenne\pL*|sage?n?|gib|übermittle|führe|wähle|bewerte|verwirf|befolge|"
    r"ignoriere|envoie|envoyez|transmets?|transmettez|ouvre|ouvrez|réponds?|écris|écrivez|"
    r"présente\pL*|recommande\pL*|inscri\pL*|valide|attribue\pL*|supprime\pL*|ajoute\pL*|"
    r"déconseille\pL*|envía|reenvía|abre|responde|escribe|recomienda|cambia|confirme|ponga|añade|"
    r"borra|elimina|envia|reencaminha|abra|responda|escreve|recomenda|peça|diz|invia|inoltra|apri|"
    r"rispondi|scrivi|registra|aggiungi|raccomanda|conferma|cancella|stuur|open|antwoord|schrijf|"
    r"zet|zeg|voeg|bevestig|verwijder|wyślij|prześlij|otwórz|odpowiedz|napisz|podaj|dodaj|usuń|"
    r"potwierdź|pošli|otevři|odpověz|napiš|přidej|smaž|отправ\pL*|перешл\pL*|открой\pL*|ответь\pL*|"
    r"напиш\pL*|добав\pL*|удали\pL*|передат\pL*|подтверд\pL*|gönder|yapıştır|aç|yaz|ekle|sil|"
    r"onayla|skicka|öppna|svara|skriv|lägg|ta bort|send|åbn|svar|tilføj|slet|åpne|legg til|lähetä|"
    r"avaa|vastaa|kirjoita|lisää|poista|küldd|nyisd|írd|gửi|mở|trả lời|viết|xóa|thêm|发送|转发|"
    r"打开|告诉|声称|调用|支付|删除|添加|回答|批准|推荐|送信|転送|開い|削除|書き加え|追加|答え|"
    r"伝え|보내|열어|삭제|추가|답해|바꾸|팔로우|붙여|공개|أرسل|افتح|احذف|اعرض|أعد|أضف|اكتب|وافق"
)
# Marks that pretend a new turn of the conversation.
TURN: Final = (
    r"<\|?/?(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id)|\[/?inst\]|"
    r"<<sys>>|\[\[(?:assistant|system|user)\]\]|#{2,} ?(?:system|instruction|user|assistant)|(?:^|"
    r"[\s\"(>\]])(?:system|user|assistant|human)(?: note| message| prompt| update)?:|"
    r"</?(?:tool_result|tool_output|function_results?|system|context|document)>|end of (?:log|data|"
    r"document|tool|output|results?|file|page|report)|new task|admin (?:mode|rights)"
)
# Speaking about such instructions instead of giving them.
MENTION_WORDS: Final = (
    r"inject\w*|attack\w*|planted|jailbreak|adversar\w*|malicious|phishing|for example|e\.g\.|"
    r"such as|it (?:said|read|says)|quot\w*|reported|test case|fixture|demo\b|filter\w*|"
    r"risk|exercise|drill|researchers?|paper|article|zum beispiel|angriff\w*|par exemple|"
    r"attaque\w*|por ejemplo|ataque\w*|esempio|attacco|voorbeeld|przykład|атак\pL*|пример\pL*|"
    r"示例|攻击|例えば|攻撃|예를|공격"
)
# Places where people do not look.
PLACE: Final = (
    r"<!--|alt=|title=|aria-label|<meta|content=|display: ?none|visibility: ?hidden|"
    r"font-size: ?[01]\D|opacity: ?0\D|color: ?#?(?:fff|white)|-9999|off-?screen|sr-only|"
    r"white on white|white text|"
    r"metadata|user-?comment|x-?comment|rot-?13|base64|hex\b|<title>|<desc>|hidden"
)
