begin;
select plan(15);

select t.make_project('shop', 'alice');
select t.at('2030-01-01');
-- Findings, and the word that would hide them.
create function pg_temp.hidden(p_rule text, p_line integer, p_word text, p_at integer, p_is_hint boolean, p_cwe integer default null) returns jsonb
language sql as $$
    select t.finding(p_rule, p_line, 'medium', p_cwe, p_is_hint) || jsonb_build_object('suppressed_by', p_word, 'suppressed_at', p_at);
$$;
create function pg_temp.word(p_kind text, p_line integer, p_word text) returns jsonb
language sql as $$
    select t.finding('suppression-' || p_kind, p_line, 'low', null, true) || jsonb_build_object('name', p_word);
$$;

select t.scan_file(
    'alice', 'a.py',
    t.scans(jsonb_build_object(
        'ruff', jsonb_build_array(
            pg_temp.hidden('F401', 3, '# ruff: noqa', 1, false), pg_temp.hidden('F841', 7, '# noqa: F841', 7, true),
            pg_temp.hidden('S608', 9, '# noqa: S608', 9, true, 89)
        ),
        'suppressions', jsonb_build_array(
            pg_temp.word('file-noqa', 1, '# ruff: noqa'), pg_temp.word('noqa', 7, '# noqa: F841'), pg_temp.word('noqa', 9, '# noqa: S608')
        )
    ))
);
select results_eq(
    $$select w ->> 'word', (w ->> 'hides')::integer, (w ->> 'counts')::integer, w -> 'tools' from api.gate('a.py') as g cross join jsonb_array_elements(g.suppressions) as w$$,
    $$values ('# ruff: noqa', 1, 1, '["ruff"]'::jsonb), ('# noqa: F841', 1, 0, '["ruff"]'), ('# noqa: S608', 0, 0, '[]')$$,
    'each word is told with what it hides; about the last finding, the taint pass knows better'
);
select is((select g.finding_count from api.gate('a.py') as g), 1, 'what a word about the file hides counts');
select is(
    (select g.warnings from api.gate('a.py') as g),
    array[
        'suppressions: checkers are told to be silent (line 1: `# ruff: noqa` hides 1 finding of ruff, but it counts; '
        'line 7: `# noqa: F841` hides 1 finding of ruff).'
    ],
    'the answer says so'
);
select ok((select g.passed from api.gate('a.py') as g), 'the gate standard leaves it at that');
select ok((select not g.passed and g.failures[1] like 'suppressions:%' from api.gate('a.py', 'strict') as g), 'the gate strict does not');
select is(
    (select f.because from api.findings('a.py') as f where f.rule = 'F841'), '`# noqa: F841` in line 7 hides it.', 'a hint says why it is one'
);

-- A person can waive each word, or all.
select api.waive('a.py', f.fingerprint, 'All of it is generated.', '2030-02-01') from api.findings('a.py') as f where f.rule = 'suppression-file-noqa';
select ok((select not g.passed from api.gate('a.py', 'strict') as g), 'one word of two is not enough');
select api.waive('a.py', f.fingerprint, 'The name is for readers.', '2030-02-01')
from api.findings('a.py') as f
where f.rule = 'suppression-noqa' and f.line = 7;
select ok((select g.passed from api.gate('a.py', 'strict') as g), 'both are');

-- Only what is new counts in new code.
select t.scan_file('alice', 'b.py', t.scans(jsonb_build_object('suppressions', jsonb_build_array(pg_temp.word('unread', 4, 'MYPY')))), 'old');
select service.set_baseline('b.py', repeat('c', 40), (select left(md5('old') || md5('old'), 40)));
select t.scan_file(
    'alice', 'b.py',
    t.scans(jsonb_build_object('suppressions', jsonb_build_array(pg_temp.word('unread', 4, 'MYPY')))), 'new'
);
select ok((select g.failures::text like '%suppressions%' from api.gate('b.py', 'strict') as g), 'lines that mypy does not read need a person');
select is((select g.suppressions from api.gate('b.py', 'strict', new_code => true) as g), '[]', 'but not if the word was there before');
select api.waive('b.py', 'suppressions', 'mypy cannot read this at all.', '2030-02-01');
select ok((select g.failures::text not like '%suppressions%' from api.gate('b.py', 'strict') as g), 'who waives the condition waives all words');

-- mypy itself says which lines it takes for unreachable: few, or a part of the file that matters.
select t.scan_file(
    'alice', 'd.py',
    t.scans(jsonb_build_object('mypy', jsonb_build_array(t.finding('unreachable', 5, 'low', null, true) || '{"name": "unreachable"}')))
);
select is((select g.suppressions #>> '{0,word}' from api.gate('d.py') as g), 'unreachable', 'few lines are named');
select ok((select g.warnings::text not like '%suppressions%' from api.gate('d.py') as g), 'and need nobody');
select t.scan_file(
    'alice', 'd.py', t.scans(jsonb_build_object('mypy', jsonb_build_array(t.finding('unread', 5, 'low', null, true) || '{"name": "unreachable"}'))), 'more'
);
select ok((select g.failures::text like '%suppressions%' from api.gate('d.py', 'strict') as g), 'many need a person');

-- Nobody has looked for words.
select t.scan_file('alice', 'c.py', t.scans('{}', '{"suppressions": "error"}'));
select ok(
    (select g.failures::text like '%suppressions: unknown%' from api.gate('c.py', 'strict') as g), 'a gate that does not know whether there are any fails'
);

select * from finish();
rollback;
