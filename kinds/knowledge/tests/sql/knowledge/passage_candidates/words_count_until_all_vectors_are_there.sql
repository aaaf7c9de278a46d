begin;
select plan(4);

select t.make_principal('op', 'operator');
select search.put_model('m', 2, true);
select t.act_as('op', 'qm_operator');
select api.load_notes(
    jsonb_build_array(t.note('a', 'Vacuum frees dead rows.'), t.note('b', 'Hash passwords with a vacuum cleaner.', 'security')), 'a digest'
);
select t.act_as_superuser();
create function pg_temp.found(p_scope jsonb default '{}') returns text language sql as $$
    select string_agg(concat_ws(' ', t.name_of(f.card_id), f.words > 0, f.dense, array_to_string(f.sources, '+')), ', ' order by f.card_id)
    from (
        select c.card_id, c.features[1] as words, round(c.dense::numeric, 2) as dense, c.sources
        from knowledge.passage_candidates(row('passage', 'vacuum', '{"[0.6,0.8]"}', 10, 10, 0, 40, p_scope)::search.goal) as c
    ) as f
$$;
select is(pg_temp.found(), 'a#1 t 0.00 lexical, b#1 t 0.00 lexical', 'without vectors, words count');
select is(pg_temp.found('{"domain": "security"}'), 'b#1 t 0.00 lexical', 'of one domain');
select search.store_embeddings('m', array_agg(c.kind), array_agg(c.text_hash), array_agg('[0.6,0.8]'::text))
from search.card as c where c.kind in ('passage', 'question');
select is(pg_temp.found(), 'a#1 t 1.00 dense+lexical, b#1 t 1.00 dense+lexical', 'with vectors, these as well');
select throws_ok($$select pg_temp.found('{"domain": 5}')$$, 'QM422', null, 'a domain is a text');

select * from finish();
rollback;
