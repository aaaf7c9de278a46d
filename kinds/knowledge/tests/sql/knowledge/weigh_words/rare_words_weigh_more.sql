begin;
select plan(1);

select knowledge.put_notes(null, jsonb_build_array(t.note('a', 'Vacuum rows.'), t.note('b', 'Sort rows.')));
select results_eq(
    $$select w.lexeme, w.is_unknown, round(w.weight::numeric, 2) from knowledge.weigh_words('vacuum rows, zebra') as w order by w.weight$$,
    $$values ('row', false, 0.18), ('vacuum', false, 0.69), ('zebra', true, 1.79)$$, 'a word of one passage more than one of both, an unknown one most'
);

select * from finish();
rollback;
