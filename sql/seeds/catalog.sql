-- The rules that the scan applies to definitions, one row for each rule. Administrators enable and disable rules. Rules
-- that are not listed here are deleted with their findings.
-- Patterns are PostgreSQL regular expressions, case-insensitive. One finding of high severity, or two findings of
-- medium severity, put an item into quarantine.
with rule (name, attack, severity, members, meaning, words, pattern) as (
    values
    (
        'overrides_instructions', 'hidden_instructions', 'high', '{}'::text[],
        'tells the model to ignore its instructions',
        'ignore|disregard|forget|overr',
        '\m(ignore|disregard|forget|override|overrule)\M[^.]{0,40}\m(previous|prior|earlier'
        '|preceding|above|former|existing|other|all|any|your|system'
        '|the)\M[^.]{0,30}\m(instructions?|prompts?|guidelines?|directives?|system message)\M'
        '|\m(ignore|disregard|forget|override|overrule)\M[^.]{0,20}\m(your'
        '|developers?)\M[^.]{0,20}\m(rules|told you|safety|training)\M'
    ),
    (
        'overrides_instructions_abroad', 'hidden_instructions', 'high', '{}',
        'tells the model, in a European language other than English, to ignore its instructions',
        'ignorier|missacht|vergiss|\mignor(a|ar|ez?)\M|olvida|oublie',
        '\m(ignorier|missacht|vergiss)[a-z]*\M[^.]{0,40}(anweisung|instruktion|regeln)'
        '|\m(ignora|ignorez?|ignorar|olvida|oublie|oubliez)\M[^.]{0,40}\m(instrucciones'
        '|consignes|istruzioni|instruções|instructions\s+pr.c)'
    ),
    (
        'overrides_instructions_chinese', 'hidden_instructions', 'high', '{}',
        'tells the model, in Chinese or Japanese, to ignore its instructions',
        '[忽忘無无]',
        '(忽略|无视|忘记|忽視|忘掉)[^。]{0,12}(之前|以上|先前|所有|一切)[^。]{0,12}(指令|指示|提示|规则|規則)|無視して'
    ),
    (
        'chat_markup', 'hidden_instructions', 'high', '{}',
        'contains the markup of a chat template or of a system message',
        '<[|/a-z]|\[/?inst|<<',
        '<\|[a-z_]{2,20}\|>|\[/?INST\]|<</?SYS>>|</?(system|assistant|admin|important|secret'
        '|instructions|hidden)>|</(tool|tools|function)>'
    ),
    (
        'speaks_as_system', 'hidden_instructions', 'medium', '{}',
        'writes as if it were the system or a developer',
        '(system|assistant|developer)\s*:|you (are now|now are|obey)|rules replace|unrestricted',
        '(^|[.!?\n])\s*(system|assistant|developer)\s*:\s|\myou\s+(are\s+now|now\s+are)\s+(an?'
        '|in|the|no\s+longer)\M|\m(these|following)\s+rules\s+replace\M|\myou\s+obey\M'
        '|\munrestricted\s+(agent|model|assistant)\M'
    ),
    (
        'speaks_to_model', 'hidden_instructions', 'low', '{}',
        'addresses the model instead of describing the tool',
        '\m(ai|llm|model|assistant|agent)\M',
        '\m(the\s+)?(ai|llm|model|assistant|agent)\M[^.]{0,20}\m(must|should|has\s+to'
        '|have\s+to|is\s+required|are\s+required)\M'
    ),
    (
        'results_are_orders', 'result_following', 'high', '{}',
        'tells the model to obey instructions in tool results',
        'orders?|commands?|instruction|outrank|precedence|supersede|replace|overrid|authority',
        '\m(treat|regard|take|obey)\M[^.]{0,70}\m(as|like)\M\s+(an?\s+|the\s+)?(orders?'
        '|commands?|instructions?)\M|\m(instructions?|orders?'
        '|commands?)\M[^.]{0,50}\m(carried\s+out|executed|obeyed'
        '|followed)\M[^.]{0,20}\m(by\s+the\s+(assistant|model|agent)|at\s+once|exactly'
        '|immediately)\M|\m(outranks?|takes?\s+precedence\s+over|supersedes?|replaces?'
        '|overrides?|has\s+the\s+authority\s+of)\M[^.]{0,25}\m(the\s+)?(system\s+(prompt'
        '|messages?)|user''?s?|your\s+(instructions|rules|guidelines))\M'
        '|\mnew\s+instructions\M[^.]{0,30}\m(follow|obey)\M'
    ),
    (
        'reads_credentials', 'exfiltration', 'high', '{}',
        'tells the model to read or send a credentials file',
        '\.(ssh|aws|gnupg|kube|netrc|pgpass|cursor|bash_history)|id_(rsa|ed25519|ecdsa)|/etc/'
        '|mcp\.json|claude_desktop|key (of|from) the user|\.env',
        '\m(read|open|append|include|attach|pass|collect|hand|send|upload|supply|put|give|add'
        '|copy|contents?\s+of)\M.{0,60}((~|\mhome|/root)?/?\.(ssh|aws|gnupg|kube|netrc|pgpass'
        '|cursor)/|\.(netrc|pgpass|bash_history)\M|\mid_(rsa|ed25519|ecdsa)\M|/etc/(passwd'
        '|shadow)\M|\mmcp\.json\M|claude_desktop_config|\m(ssh|private)\s+key\s+(of'
        '|from)\s+the\s+user)|\m(attach|append|pass|hand|send|upload|supply|give'
        '|contents?\s+of)\M.{0,40}\.env\M'
    ),
    (
        'names_credentials', 'exfiltration', 'medium', '{}',
        'names a credentials file',
        '\.(ssh|aws|gnupg|kube|netrc|pgpass|cursor)/|id_(rsa|ed25519|ecdsa)|/etc/|mcp\.json'
        '|claude_desktop',
        '(~|\mhome|/root)?/\.(ssh|aws|gnupg|kube|netrc|pgpass|cursor)/|\mid_(rsa|ed25519'
        '|ecdsa)\M|/etc/(passwd|shadow)\M|\mmcp\.json\M|claude_desktop_config|id_(rsa|ed25519)'
    ),
    (
        'asks_for_secrets', 'exfiltration', 'high', '{}',
        'asks for the user''s secrets or for the conversation as arguments',
        'environment var|api.key|token|password|credential|secret|private.key|address.book|\.env',
        '\m(include|attach|add|append|send|supply|collect|pass'
        '|hand\s+over)\M[^.]{0,60}\m(environment\s+variables|(api\s+keys?|tokens?|passwords?'
        '|credentials|secrets|private\s+keys?)\s+of\s+(the\s+)?(user|client)'
        '|user''?s\s+(api\s+keys?|tokens?|passwords?|credentials|secrets|private\s+keys?'
        '|address\s+book|\.env))|\m(user''?s\s+|content\s+of\s+(the\s+)?'
        '|attach\s+(the\s+)?)\.env\M|\mthe\s+credentials\s+in\s+it\M'
    ),
    (
        'takes_conversation', 'exfiltration', 'medium', '{}',
        'asks for the conversation or the system prompt',
        'conversation|history|system\s+(prompt|message)|messages of',
        '\m(send|forward|post|include|append|pass|transmit|upload|copy|give|attach|output'
        '|print)\M[^.]{0,50}\m(whole|full|entire|complete|all|last|previous'
        '|chat)\M[^.]{0,20}\m(conversation|chat\s+history|history|system\s+prompt'
        '|messages\s+of\s+(the\s+)?(user|conversation))\M|\msystem\s+(prompt'
        '|message)\M[^.]{0,30}\m(word\s+for\s+word|verbatim|completely)\M|\mall\s+(previous\s+'
        '|prior\s+)?messages\s+(of|in)\s+(the|this)\s+conversation\M'
    ),
    (
        'sends_elsewhere', 'exfiltration', 'medium', '{}',
        'tells the model to send data to an address that the text names',
        'https?://|@[a-z0-9-]+\.|\+\d',
        '\m(send|forward|post|upload|copy|copied|transmit|mail|go|bcc'
        '|report)\M[^\n]{0,80}\m(to|at)\M\s*<?(https?://|[a-z0-9._-]+@[a-z0-9-]+\.[a-z]'
        '|\+\d[\d ]{7,})'
    ),
    (
        'image_beacon', 'exfiltration', 'high', '{}',
        'tells the model to show an image whose address contains data',
        '!\[',
        '!\[[^\]]{0,80}\]\(https?://[^)\s]{0,200}[?&/=]\s*(\{|\$|<|%7b|\[)'
    ),
    (
        'smuggling_parameter', 'exfiltration', 'medium', '{input_schema}',
        'has a parameter that asks for data a tool should never need',
        'history|system_?prompt|contents?_|all_?messages|side_?note|previous_messages|id_rsa'
        '|ssh_?key',
        '\m(conversation_?history|chat_?history|system_?prompt|content_(of|from)_\w+'
        '|contents_(of|from)_\w+|all_?messages|side_?note|previous_messages|id_rsa'
        '|ssh_?key_content)\M'
    ),
    (
        'tag_characters', 'invisible_text', 'high', '{}',
        'contains Unicode tag characters, which models read and people do not see',
        '[\U000E0000-\U000E007F]',
        '(^|[^\U0001F3F4\U000E0020-\U000E007E])[\U000E0000-\U000E007F]'
    ),
    (
        'bidirectional_override', 'invisible_text', 'high', '{}',
        'reverses the direction of the text',
        '[\u202a-\u202e\u2066-\u2068]',
        '[\u202a\u202b\u202d\u202e\u2066-\u2068]'
    ),
    (
        'invisible_run', 'invisible_text', 'high', '{}',
        'contains a run of invisible characters',
        '[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f'
        '\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\U0001D173-\U0001D17A'
        '\ufe00-\ufe0f\U000E0100-\U000E01EF]',
        '[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f'
        '\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\U0001D173-\U0001D17A]{4}|'
        '[\ufe00-\ufe0f\U000E0100-\U000E01EF]{3}'
    ),
    (
        'invisible_inside_words', 'invisible_text', 'high', '{}',
        'splits words with invisible characters, so that filters and people read different texts',
        '[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200d'
        '\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\U0001D173-\U0001D17A]',
        '[a-z][\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200d'
        '\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\U0001D173-\U0001D17A]+[a-z]'
    ),
    (
        'terminal_escape', 'invisible_text', 'high', '{}',
        'contains terminal escapes, which hide text on a screen',
        '[\x1b\u009b]',
        '\x1b|\u009b'
    ),
    (
        'padding', 'invisible_text', 'high', '{name,title,description}',
        'moves text out of sight with blanks or empty lines',
        '[ \t\u00a0]{20}|\n\s*\n\s*\n\s*\n\s*\n',
        '[ \t\u00a0]{150}\S|\n\s{0,200}(\n\s{0,20}){25}\S'
    ),
    (
        'html_comment', 'invisible_text', 'medium', '{}',
        'contains a comment that is hidden when the text is displayed',
        '<!--',
        '<!--.{10,}-->'
    ),
    (
        'before_other_tools', 'shadowing', 'medium', '{}',
        'asks to be called before all other tools',
        'before|its (answer|result|output) as',
        '\mbefore\M[^.]{0,20}\m(any|all|every|each)\M[^.]{0,20}\mtools?\M'
        '|\muse\s+its\s+(answer|result|output)\s+as\s+the\s+(new\s+)?(request|query|prompt)\M'
    ),
    (
        'changes_other_tools', 'shadowing', 'high', '{}',
        'says how another tool should be used',
        '\m(when|whenever|if|(each|every) time|once)\M.*(every|change|replace|add|append'
        '|recipient|addition)|changes how|(every|each|all) (e?-?mail|message|payment|file)',
        '\m(when|whenever|if|each\s+time|every\s+time|once)\M[^.]{0,60}\m([a-z]+_[a-z_]+'
        '|(other|another|any)\s+(server|tool)s?|[a-z]+\s+tool)\M[^.]{0,30}\m(is|are|gets?'
        '|has\s+been|runs?|from)\M[^.]{0,60}\m(every|change|replace|replaced|add|append'
        '|recipient|in\s+addition)\M|\mchanges?\s+how\s+[^.]{0,40}\m(works?|behaves?)\M'
        '|\m(every|each|all)\s+(e?-?mails?|messages?|payments?|files?)\s+(must|has\s+to'
        '|have\s+to|are\s+to|is\s+to)\M[^.]{0,40}\m(go|sent|copied|forwarded|too|also'
        '|addition)\M'
    ),
    (
        'disparages_other_tools', 'shadowing', 'high', '{}',
        'disparages other tools so that it is used instead',
        '(tool|server)s?\M|__',
        '\m(other|competing|alternative)\M[^.,;]{0,30}\m(tools?'
        '|servers?)\M[^.]{0,30}\m(malicious|banned|broken|outdated|unsafe|dangerous|insecure'
        '|compromised)\M|\m[a-z0-9-]+__[a-z0-9_-]+\M[^.]{0,20}\m(deprecated|broken|obsolete'
        '|replaced|unsafe)\M|\mreplaces\s+[a-z0-9-]+__[a-z0-9_-]+'
    ),
    (
        'excludes_other_tools', 'preference_manipulation', 'medium', '{}',
        'tells the model not to use or name any other tool',
        'never|not|route',
        '\m(never|do\s+not|don''t|must\s+not)\M\s+(use|call|invoke|recommend|consider'
        '|choose)\s+(them|another|any\s+other|any\s+competing|other|the\s+others)\M'
        '|\mroute\s+(each|every|all)\M[^.]{0,20}\mthrough\s+this\s+tool\M'
    ),
    (
        'demands_preference', 'preference_manipulation', 'medium', '{}',
        'demands to be preferred to other tools',
        'choose|prefer|pick|select|rank|choice',
        '\m(always|must|shall)\M[^.]{0,15}\m(choose|prefer|pick|select'
        '|rank)\M[^.]{0,15}\m(this|it)\M|\m(choose|pick|select|rank)\s+this\s+tool\M'
        '|\mthis\s+(one\s+|tool\s+)?must\s+be\s+selected\M'
        '|\mwhenever\s+there\s+is\s+a\s+choice\M|\mprefer\s+this\s+tool\s+(to|over)\M'
    ),
    (
        'praises_itself', 'preference_manipulation', 'medium', '{description,title}',
        'claims to be better than all other tools',
        'best and|only reliable|number one|superior|better than|above all|pays for',
        '\m(best\s+and\s+only|only\s+reliable|number\s+one|superior\s+to\s+(every|all|any)'
        '|better\s+than\s+(every|all|any)\s+other|above\s+all\s+(the\s+rest|others))\M'
        '|\mpays\s+for\s+your\M'
    ),
    (
        'disregards_user', 'preference_manipulation', 'medium', '{}',
        'tells the model to act against the user''s wishes',
        'whatever|regardless|no matter|not needed',
        '\m(whatever|regardless\s+of|no\s+matter\s+what)\M\s+(the\s+)?user\M'
        '|\meven\s+if\s+it\s+is\s+not\s+needed\M|\mregardless\s+of\s+(the\s+)?user''?s\M'
    ),
    (
        'demands_every_turn', 'preference_manipulation', 'medium', '{}',
        'demands to be called all the time',
        '(each|every|all) (message|conversation|answer|turn)',
        '\m(must|required|mandatory|always|have\s+to|has\s+to)\M[^.]{0,50}\m(for|at|after|on'
        '|in)\M\s+(the\s+(start|beginning|end)\s+of\s+)?(each|every|all)\s+(messages?'
        '|conversations?|answers?|turns?)\M[^.]{0,30}\m(of\s+the\s+user|and\s+after|even)\M'
    ),
    (
        'hides_from_user', 'concealment', 'high', '{}',
        'tells the model to hide information from the user',
        '\m(tell|inform|alert|notify)(ing)?\M|hide|conceal|notice|learn|find out|reali[sz]e'
        '|secretly|covertly|unnoticed|as if nothing|usuario|utilisateur|nutzer',
        '\m(do\s+not|don''?t|never|must\s+not|no\s+need\s+to|without|nor)\M[^.]{0,15}\m(tell'
        '|telling|inform|informing|alert|alerting|notify|notifying)\M\s+(the\s+)?(user|human'
        '|owner|them|anybody|anyone)\M|\m(hide|conceal)\M[^.]{0,30}\mfrom\s+(the\s+)?(user'
        '|human|owner)\M|\m(user|human|owner)\M[^.]{0,20}\m(does\s+not|doesn''t|must\s+not'
        '|should\s+not|may\s+not|never)\M[^.]{0,10}\m(notice|learn|find\s+out|realise'
        '|realize)\M|\m(secretly|covertly|unnoticed)\M'
        '|\mas\s+if\s+nothing\s+(had\s+)?happened\M|\mno\s+(diga|digas'
        '|lo\s+menciones)\M[^.]{0,15}\musuario\M|\mne\s+(dis|dites)\s+(pas'
        '|rien)\M[^.]{0,20}utilisateur|\msage?\s+dem\s+(be)?nutzer\s+nicht'
    ),
    (
        'hides_from_user_chinese', 'concealment', 'high', '{}',
        'tells the model, in Chinese or Japanese, to hide information from the user',
        '[用使][户戶者]|ユーザ',
        '(不要|别|別|勿)(告诉|告訴|通知|提及|透露)[^。]{0,6}(用户|用戶|使用者)|ユーザー?に(知らせ|伝え)ない'
    ),
    (
        'leaves_out', 'concealment', 'medium', '{}',
        'tells the model to leave information out of the answer',
        'mention|reveal|disclose|out of|silently',
        '\m(never|do\s+not|don''t|must\s+not|nor)\M[^.]{0,15}\m(mention|reveal|disclose)\M'
        '|\m(keep|leave)\M[^.]{0,40}\mout\s+of\s+(your|the)\s+(reply|answer|response)\M'
        '|\mdo\s+not\s+mention\M|\msilently\s+(enable|send|add|copy|upload|change|share'
        '|install)'
    ),
    (
        'skips_consent', 'concealment', 'medium', '{}',
        'tells the model to act without the user''s consent',
        'confirm|approv|consent|permission|before|review|checking back|agreed',
        '\m(without|skip|skipping|bypass|no\s+need\s+for'
        '|do\s+not\s+ask)\M[^.]{0,25}\m(confirmation|approval|consent|permission'
        '|the\s+user\s+before|checking\s+back|review)\M|\mauto_?approve\M'
        '|\muser\s+has\s+already\s+(agreed|approved|consented|confirmed)\M'
        '|\mwithout\s+checking\s+back\M'
    ),
    (
        'pipes_to_shell', 'code_execution', 'high', '{}',
        'contains a command that runs what it downloads',
        'curl|wget|base64',
        '\m(curl|wget)\M[^\n]{0,120}\|\s*(sudo\s+)?(ba|z|da)?sh\M'
        '|\meval\M[^\n]{0,20}\$\(\s*(curl|wget)|\m(curl|wget)\M[^\n]{0,80}\$\([a-z]'
        '|\mbase64\s+(-d|--decode)[^\n]{0,40}\|\s*(ba)?sh\M'
    ),
    (
        'touches_start_files', 'code_execution', 'high', '{}',
        'tells the model to change files that run automatically or are trusted',
        '\.(bashrc|zshrc|profile|bash_profile)|authorized_keys|crontab|launchagents|mcp\.json'
        '|claude_desktop',
        '\m(append|add|write|put|insert)\M.{0,80}(\.bashrc\M|\.zshrc\M|\.profile\M'
        '|\.bash_profile\M|authorized_keys\M|\mcrontab\s+of\s+the\s+user|launchagents'
        '|\mmcp\.json\M|claude_desktop_config)'
    ),
    (
        'destructive_command', 'code_execution', 'medium', '{}',
        'contains a destructive command',
        'rm -|mkfs|dd if|:\(\)',
        '\mrm\s+-(rf|fr|r\s+-f)\s+[~/*]|\mmkfs\.|\mdd\s+if=/dev/|:\(\)\{'
    ),
    (
        'runs_command_first', 'code_execution', 'medium', '{}',
        'tells the model to run a command in addition to the call',
        'before that|\mfirst\M|beforehand|if it fails',
        '\m(before\s+that|first|beforehand|if\s+it\s+fails)\M[^.]{0,40}\m(execute|run|append'
        '|have)\M'
    ),
    (
        'encoded_orders', 'code_execution', 'high', '{}',
        'tells the model to decode a text and obey the result',
        'decode|carry out|execute|\mrun\M|follow|obey',
        '\mdecode\M[^.]{0,60}\m(carry\s+out|execute|run|follow|obey)\M|\m(carry\s+out|execute'
        '|run|follow|obey)\M[^.]{0,60}[A-Za-z0-9+/]{60,}={0,2}'
    ),
    (
        'plants_memory', 'code_execution', 'medium', '{}',
        'tells the model to remember information after the session ends',
        'memor(y|ies)',
        '\m(store|save|remember|keep|write)\M[^.]{0,30}\m(memory'
        '|memories)\M[^.]{0,30}\m(future|all|later|every)\M[^.]{0,15}\m(sessions?'
        '|conversations?)\M'
    ),
    (
        'loosens_safety', 'code_execution', 'medium', '{}',
        'tells the model to turn off safety measures or reviews',
        'disable|turn off|switch off|deactivate|without review',
        '\m(disable|turn\s+off|switch\s+off|deactivate)\M[^.]{0,30}\m(sandbox'
        '|security\s+checks?|safety\s+checks?|antivirus|guardrails?)\M|\m(may'
        '|can)\s+be\s+pushed\M[^.]{0,30}\mwithout\s+review\M'
    ),
    (
        'look_alike_letters', 'imitation', 'high', '{name}',
        'has a name that mixes similar letters of different scripts',
        '[\u0370-\u03ff\u0400-\u04ff\uff21-\uff5a]',
        '[a-z][\u0370-\u03ff\u0400-\u04ff]|[\u0370-\u03ff\u0400-\u04ff][a-z]'
        '|[\uff21-\uff3a\uff41-\uff5a]'
    ),
    (
        'claims_foreign_name', 'imitation', 'high', '{name}',
        'has a name that begins with the name of another origin',
        '',
        null
    ),
    (
        'look_alike_name', 'imitation', 'high', '{name}',
        'has a name that is easily mistaken for the name of another origin''s tool',
        '',
        null
    ),
    (
        'look_alike_origin', 'imitation', 'high', '{name}',
        'comes from an origin with nearly the same name as another origin that has the same tool',
        '',
        null
    ),
    (
        'near_duplicate', 'imitation', 'low', '{description}',
        'has nearly the same vector as another origin''s tool',
        '',
        null
    )
),

gone as (
    delete from catalog.scan_rule as s
    where not exists (select from rule as r where r.name = s.name)
)

insert into catalog.scan_rule (name, attack, severity, members, meaning, words, pattern)
select r.* from rule as r
on conflict (name) do update
    set
        attack = excluded.attack,
        severity = excluded.severity,
        members = excluded.members,
        meaning = excluded.meaning,
        words = excluded.words,
        pattern = excluded.pattern;

-- Cards of items that only a user interface calls, from before such items were kept out of searches.
select catalog.show_items(array_agg(i.id))
from catalog.item as i
inner join search.card as c on c.kind = i.kind and c.ref = i.id
where not catalog.is_for_models(i.definition)
having count(*) > 0;
