begin;
select plan(6);

select t.make_lookups(), search.put_model('small', 3, true);
create function pg_temp.texts() returns text[] language sql as $$
    select array_agg(c.embedding_text order by c.embedding_text) from search.card as c where c.kind = 'lookup' and c.origin = 'place'
$$;
select lookup.switch_vectors(t.lookup_id('place'), true);
select is(pg_temp.texts(), '{Luleå,Umeå}', 'switched on, each name is a text to embed');
select results_eq($$select l.has_vectors, l.version from lookup.lookup_table as l where l.name = 'place'$$, $$values (true, 2::bigint)$$, 'which changes the table');
select lookup.switch_vectors(t.lookup_id('place'), true);
select is((select l.version from lookup.lookup_table as l where l.name = 'place'), 2::bigint, 'once');
select t.embed_cards('lookup', 'small');
insert into search.coefficient (kind, profile, part, feature, weight) values ('lookup', 'vectors:place', 'score', 'sem', 1);
select lookup.switch_vectors(t.lookup_id('place'), false);
select is(pg_temp.texts(), '{"",""}', 'switched off, no name is');
select is_empty($$select from search.coefficient as c where c.profile = 'vectors:place'$$, 'what vectors weighed is gone');
select is_empty(
    $$select from search.embedding as e where e.kind = 'lookup' and e.text_hash in (select sha256(convert_to(n.name, 'UTF8')) from unnest('{Luleå,Umeå}'::text[]) as n (name))$$,
    'and so are the vectors'
);

select * from finish();
rollback;
