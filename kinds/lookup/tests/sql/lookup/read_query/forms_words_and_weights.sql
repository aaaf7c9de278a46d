begin;
select plan(6);

select t.make_lookups();
create function pg_temp.query(p_text text, p_scope jsonb default '{}') returns lookup.question language sql as $$
    select lookup.read_query(p_text, null, p_scope || jsonb_build_object('table', t.lookup_id('plant')))
$$;
select results_eq(
    $$select q.text, q.label, q.short, q.stem, q.words, q.is_known, q.repeats from pg_temp.query('BETULA  pendula') as q$$,
    $$values ('BETULA  pendula', 'betula pendula', 'b pendula', 'betul pendul', '{betula,pendula}'::text[], true, false)$$, 'the text in four forms'
);
select ok((select q.word_weights[1] < q.word_weights[2] from pg_temp.query('betula nana') as q), 'a word of few names weighs more');
select results_eq($$select q.is_known, q.repeats from pg_temp.query('zebra zebra') as q$$, $$values (false, true)$$, 'a word that no name has, twice');
select results_eq(
    $$select q.language, q.facts from pg_temp.query('x', '{"language": "la", "properties": {"family": "Poaceae"}}') as q$$, $$values ('la', '{family=poaceae}'::text[])$$, 'what else is wanted'
);
select is((select q.label from pg_temp.query('?!') as q), '?!', 'punctuation alone stays');
select throws_ok($$select lookup.read_query('x', null, '{"table": "plant"}')$$, 'QM422', null, 'the table is a number');

select * from finish();
rollback;
