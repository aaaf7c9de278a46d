begin;
select plan(31);

select t.make_project('shop', 'alice'), t.make_project('blog', 'bob'), t.make_principal('mallory'), t.make_principal('boss', 'admin');
create temporary table made as select t.make_decisions(
    'shop',
    t.candidate('Endpoints return serializers, never dicts.', '{"rationale": "Clients rely on the schema.", "keywords": ["endpoint", "serializer"]}'),
    t.candidate('Migrations are reversible.', '{"scope": {"kind": "path", "value": "db/migrations/**"}, "keywords": ["migration"]}'),
    t.candidate('Log with structlog, not print.', '{"scope": {"kind": "global"}, "keywords": ["logging"]}'),
    t.candidate('Money is a Decimal, never a float.', '{"scope": {"kind": "path", "value": "billing/**"}, "keywords": ["money", "price", "amount"]}'),
    t.candidate('Modules of the API do not import billing.', '{"check": {"form": "import_contract", "forbidden": ["billing"], "paths": ["src/api/**"]}, "scope": {"kind": "global"}}')
) as ids;
grant select on made to public;
select t.make_decisions('blog', t.candidate('Endpoints return plain dicts.', '{"keywords": ["endpoint"]}'));
select t.act_as('alice', 'qm_user');
create function pg_temp.served(p_path text, p_task text) returns text[] language sql as $$
    select coalesce(array_agg(s.tier || ' ' || split_part(s.pattern, ' ', 1) order by s.index), '{}') from api.decisions_for(p_path, p_task) as s;
$$;
select is(pg_temp.served('src/api/users.py', 'add an endpoint that returns users'), '{"here Endpoints","here Modules"}', 'about this path');
select is(pg_temp.served('db/migrations/0007.py', 'add a column'), '{"here Migrations"}', 'about another path');
select is(pg_temp.served('src/api/prices.py', 'round the amount of money of a price'), '{"here Endpoints","here Modules","elsewhere Money"}', 'one of elsewhere that fits very well comes after those');
select is(pg_temp.served('tools/run.py', 'replace print with logging by structlog'), '{"general Log"}', 'a general one that fits');
select is(pg_temp.served('README.md', 'fix a typo'), '{}', 'nothing applies to an unrelated file');
select is(pg_temp.served('docs/index.html', 'make the heading larger'), '{}', 'nor to another');
select is(pg_temp.served('src/web/app.js', 'new button colour'), '{}', 'nor in another language');
select is(pg_temp.served('src/api', ''), '{"here Endpoints","here Modules"}', 'a folder without a task');
select is(pg_temp.served('./src/api/users.py', ''), '{"here Endpoints","here Modules"}', 'however it is written');
select throws_ok($$select * from api.decisions_for('', '')$$, 'QM422', null, 'something must be asked');
select throws_ok($$select * from api.decisions_for('a', 'b', top => 9)$$, 'QM422', null, 'at most eight');
select is((select array_agg(s.index) from api.decisions_for('src/api/users.py', 'add an endpoint', top => 1) as s), '{1}', 'as few as asked for');
select is((select count(*) from api.decisions_for('src/api/users.py', 'add an endpoint', budget_tokens => 1) as s), 1::bigint, 'the budget leaves the best');
select is((select s.evidence from api.decisions_for('src/api/users.py', 'add an endpoint') as s where s.index = 1), '[{"kind": "file", "line": 3, "path": "src/api/users.py", "role": "supports"}]', 'with a place to copy from, and without the text of the file');
select is((select count(*) from api.show_receipt(api.last_receipt()) as s where s.part = 'offered' and s.name is not null), 2::bigint, 'the receipt says what was served');
select is((select s.detail ->> 'kind' from api.show_receipt(api.last_receipt()) as s where s.part = 'asked'), 'decision', 'under its kind');

-- Flagged ones come last, replaced ones never.
select is(api.report_decision_health(jsonb_build_array(jsonb_build_object('decision', (select ids[1] from made), 'health', 'suspect', 'reason', 'the lines are gone')), 'abcdef1'), 1, 'a decision becomes suspect');
select is((select array_agg(s.health order by s.index) from api.decisions_for('src/api/users.py', 'add an endpoint') as s), '{fresh,suspect}', 'and is served below the others, with a flag');

-- What holds for a whole language is served last, and only for its files.
select t.act_as_superuser();
select t.make_decisions(
    'shop',
    t.candidate('Annotate every public function.', '{"scope": {"kind": "language", "value": "python"}}'),
    t.candidate('Prefer pathlib to os.path.', '{"scope": {"kind": "language", "value": "python"}, "statistics": {"files": 90, "cases": 90}}'),
    t.candidate('Raise no bare exceptions.', '{"scope": {"kind": "language", "value": "python"}}'),
    t.candidate('Sort imports.', '{"scope": {"kind": "language", "value": "python"}, "confidence": "medium"}'),
    t.candidate('Write docstrings.', '{"scope": {"kind": "language", "value": "python"}, "statistics": {"files": 30, "cases": 300}}'),
    t.candidate('Test with assertEqual.', '{"scope": {"kind": "global"}, "check": {"form": "ruff", "rule": "PT009", "tests": true}}')
);
select t.act_as('alice', 'qm_user');
select is((select array_agg(s.tier || ' ' || s.index) from api.decisions_for('tools/run.py', 'qqq') as s), '{general 1,general 2,general 3,general 4}', 'at most four about the language');
select is((pg_temp.served('tools/run.py', 'qqq'))[1], 'general Write', 'what is done often comes first, in however few files');
select is((select array_agg(s.tier order by s.index) from api.decisions_for('db/migrations/0007.py', 'add a column') as s), '{here,general,general,general,general}', 'after those about the path');
select is((pg_temp.served('tests/test_run.py', 'qqq'))[1], 'here Test', 'what is about tests is about every test');
select is(pg_temp.served('web/app.js', 'qqq') || pg_temp.served('README.md', 'qqq') || pg_temp.served('tools', 'qqq'), '{}', 'none for other files or for a folder');

-- Others see nothing at any door.
select t.act_as('bob', 'qm_user');
select is((select array_agg(s.pattern) from api.decisions_for('src/api/users.py', 'add an endpoint') as s), '{"Endpoints return plain dicts."}', 'another project has its own');
select throws_ok($$select * from api.decisions_for('src/api/users.py', 'add an endpoint', 'shop')$$, 'QM404', null, 'and cannot ask for this one');
select is((select count(*) from api.search_cards('money is a decimal never a float', kinds => array['decision']) as s where s.brief like 'Money%'), 0::bigint, 'nor search it');
select throws_ok(format($$select api.describe_card('decision', 'decision-%s')$$, (select ids[1] from made)), 'QM404', null, 'nor describe it');
select t.act_as('boss', 'qm_admin');
select is_empty($$select * from api.search_cards('money is a decimal never a float', kinds => array['decision']) as s$$, 'an administrator does not find it');
select throws_ok($$select * from api.decisions_for('src/api/users.py', 'add an endpoint', 'shop')$$, 'QM404', null, 'nor gets it');
select t.act_as('mallory', 'qm_user');
select throws_ok($$select * from api.decisions_for('src/api/users.py', 'add an endpoint')$$, 'QM404', null, 'who is no member gets nothing');
select t.act_as(null, 'qm_user');
select throws_ok($$select * from api.decisions_for('src/api/users.py', 'add an endpoint')$$, 'QM403', null, 'nor does nobody');

select * from finish();
rollback;
