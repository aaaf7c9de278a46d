-- Fills an installed database, and asks it: every result is an answer that must not depend on the locale or the settings
-- of the database. A line of dashes ends a statement, and the marked one ends the filling. Times and ids of transactions
-- are not asked for.
select t.at('2026-03-01 12:00+00');
----
select t.make_origin('büro'), t.make_origin('Istanbul'), t.make_origin('tracker');
----
select t.make_all_tools('[
    {"origin": "büro", "name": "FILE_INVOICE", "description": "Files an INVOICE in the Büro. Straße, Größe and ÜBERSICHT are indexed.", "input_schema": {"type": "object"}},
    {"origin": "büro", "name": "listInvoices", "description": "Lists invoices by title, IBAN or ISIN — newest first…", "input_schema": {"type": "object"}},
    {"origin": "Istanbul", "name": "ISTANBUL_INFO", "description": "İstanbul ve IĞDIR için bilgi: ılık, İPUCU, DIŞ.", "input_schema": {"type": "object"}},
    {"origin": "Istanbul", "name": "find_ship", "description": "Finds a SHIP in the strait by its IMO number", "input_schema": {"type": "object"}},
    {"origin": "tracker", "name": "DROP_TICKET", "description": "Deletes a TICKET for a failing test; “quoted”, dash—ed.", "input_schema": {"type": "object"}},
    {"origin": "tracker", "name": "open_ticket", "description": "Открывает ЗАЯВКУ об ошибке. Opens a ticket.", "input_schema": {"type": "object"}},
    {"origin": "tracker", "name": "Zeta", "description": "チケットを開く ticket を作成する", "input_schema": {"type": "object"}},
    {"origin": "tracker", "name": "ångström", "description": "Converts ÅNGSTRÖM into nanometre.", "input_schema": {"type": "object"}}
]');
----
select count(search.store_embeddings('a model', array[c.kind], array[c.text_hash], array[t.unit_vector(8, 1 + (c.id % 8)::integer, 0.3)::text]))
from (select search.put_model('a model', 8, true)) as m, search.card as c where c.kind = 'tool';
----
select t.make_principal('alice'), t.make_principal('Ilse', 'admin');
----
select t.make_lookups();
----
select lookup.put_rows(lookup.put_table('city', 'Cities', null), '[
    {"id": "I1", "value": "ISPARTA", "aliases": ["Isparta ili"], "properties": {"COUNTRY": "TÜRKİYE", "Size": "KLEIN"}},
    {"id": "i2", "value": "Iğdır", "properties": {"COUNTRY": "TÜRKİYE"}},
    {"id": "ä3", "value": "Köln (Cologne)", "aliases": ["KÖLLE"], "properties": {"COUNTRY": "DE", "Size": "GROSS"}},
    {"id": "z4", "value": "Zürich / Turitg", "properties": {"COUNTRY": "CH"}},
    {"id": "Å5", "value": "Ålesund", "properties": {"COUNTRY": "NO"}},
    {"id": "6", "value": "Łódź 1977b", "properties": {"COUNTRY": "PL"}},
    {"id": "7", "value": "Москва", "properties": {"COUNTRY": "RU"}}
]', true);
----
select t.make_project('shop', 'alice', 'Ilse');
----
select count(*) from unnest(t.make_decisions(
    'shop',
    t.candidate('INSTALL endpoints with serializers, never dicts.', '{"rationale": "Clients rely on IT.", "keywords": ["ENDPOINT", "serializer"]}'),
    t.candidate('Migrations are reversible.', '{"scope": {"kind": "path", "value": "db/MIGRATIONS/**"}, "keywords": ["migration"]}'),
    t.candidate('Annotate every public function.', '{"scope": {"kind": "language", "value": "python"}}'),
    t.candidate('Log with structlog, not print.', '{"scope": {"kind": "global"}, "keywords": ["LOGGING"]}')
)) as d;
----
select w.text, search.words(w.text), search.tokenize(w.text)::text, search.fold_label(w.text), lookup.normalize(w.text)
from unnest(array['INSTALLATION TITLE', 'İSTANBUL ılık IĞDIR', 'ĄŽUOLAS Ì Í Ĩ', 'STRASSE Straße GROẞ', 'foo—bar “baz” a…b', 'listHTTPServers snake_case kebab-case',
    'ΣΊΣΥΦΟΣ ΟΔΟΣ', 'Ünïcödé ＦＵＬＬ ﬁx', 'ЗАЯВКА', 'チケットを開く', 'naïve café', 'x² ½ ①', 'e' || chr(769) || 'tude', 'हिन्दी में'])
    with ordinality as w (text, place) order by w.place;
---- ask
select t.at('2026-03-01 12:00+00');
----
select i.public_name, i.skeleton, i.is_live, c.label from catalog.item as i
inner join search.card as c on c.kind = i.kind and c.ref = i.id where i.kind = 'tool' order by i.id;
----
select t.act_as('alice');
----
select s.* from unnest(array['file an INVOICE', 'ISTANBUL INFO', 'list invoices by IBAN', 'delete a ticket', 'заявка об ошибке', 'チケットを開く', 'Straße Größe', 'angstrom', 'tikcet', 'find the SHIP', 'FIND_SHIP',
    'invoice 19,90 €', 'ipucu'])
    with ordinality as g (goal, place)
cross join lateral (select g.goal, s.rank, s.name, s.origin, s.brief, s.score, s.scores, s.weak from api.select_tools(g.goal, top => 5, explain => true) as s) as s
order by g.place, s.rank;
----
select s.rank, s.name, s.origin, s.brief, s.score, s.scores, s.weak
from api.select_tools('delete a ticket', query_vector => t.unit_vector(8, 3, 0.2), explain => true) as s order by s.rank;
----
select s.rank, s.name, s.score from unnest(array['ticket', 'INVOICE', 'info', 'tikcet']) with ordinality as g (goal, place)
cross join lateral api.search_tools(g.goal) as s order by g.place, s.rank;
----
select r.part, r.rank, r.name, r.score, r.text, r.detail - '{stages,request_id}'::text[] from api.show_receipt(api.last_receipt()) as r;
----
select g.q, s.rank, s.id, s.name, s.score, s.match
from unnest(array['ISPARTA', 'isparta', 'igdir', 'IĞDIR', 'köln', 'KOLN', 'Cologne', 'zurich', 'ÅLESUND', 'lodz 1977', 'москва', 'Betuls pendul', 'VARTBJORK', 'MS', 'i2', 'I2']) with ordinality as g (q, place)
cross join lateral (
    select s.rank, s.id, s.name, s.score, s.match from api.search_lookup('city', g.q, threshold => 0, k_final => 4) as s
    union all
    select 100 + s.rank, s.id, s.name, s.score, s.match from api.search_lookup('plant', g.q, threshold => 0, k_final => 4) as s
) as s order by g.place, s.rank;
----
select s.rank, s.id, s.score from api.search_lookup('city', 'Isparta', properties => '{"COUNTRY": "türkiye", "Size": "klein"}', threshold => 0) as s order by s.rank;
----
select n.text, api.normalize(n.text) from unnest(array['IĞDIR', 'STRASSE', 'ﬁne ½', 'Müller-Lüdenscheidt']) as n (text);
----
select * from api.suggest_lookup_properties('I');
----
select * from api.suggest_lookup_types('CIT');
----
select s.index, s.tier, s.pattern, s.health from api.decisions_for('src/api/INDEX.PY', 'install an ENDPOINT with logging') as s order by s.index;
----
select s.index, s.tier, s.pattern from api.decisions_for('db/MIGRATIONS/0001.sql', 'reversible') as s order by s.index;
----
select count(*) from (select t.scan_file(
    'alice', 'src/INIT.PY', t.scans('{"ruff": [], "bandit": []}'::jsonb || jsonb_build_object(
        'ruff', jsonb_build_array(t.finding('I001', 1, 'low'), t.finding('F401', 2, 'medium')), 'bandit', jsonb_build_array(t.finding('B608', 7, 'high', 89))))
)) as s;
----
select to_jsonb(g) - '{session,at,checked_at,seen_at}'::text[] from api.gate('src/INIT.PY') as g;
----
select q - '{scans}'::text[] from api.explain_file('src/INIT.PY') as q;
----
select to_jsonb(l) - '{session}'::text[] from api.losses('src/INIT.PY') as l;
----
select to_jsonb(o) - '{created_at,approved_at,refreshed_at,status_at,first_seen_at,last_seen_at,connected_at}'::text[] from api.list_origins() as o;
----
select * from api.describe_tool('FIND_SHİP');
----
select * from api.describe_tool('open_tickets');
----
select * from api.search_lookup('CITY', 'x');
----
select t.act_as('Ilse', 'qm_admin');
----
select v - 'last_hash' from api.verify_audit() as v;
----
select t.act_as_superuser();
----
select count(*), bool_and(r.hash = audit.record_hash(r)), string_agg(r.action || ' ' || r.table_name || ' ' || r.object, '; ' order by r.id) from audit.record as r;
----
select * from audit.find_faults();
