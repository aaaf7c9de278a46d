begin;
select plan(15);

select t.make_lookups(), t.make_principal('alice'), t.make_principal('op', 'operator'), search.put_model('small', 3, true);
create function pg_temp.embedded() returns text[] language sql as $$
    select array_agg(c.name order by c.name)
    from search.card as c
    inner join search.embedding as e on e.kind = 'lookup' and e.text_hash = c.text_hash
    where c.kind = 'lookup' and c.embedding_text <> '';
$$;
create function pg_temp.embed() returns bigint language sql as $$
    select count(api.store_embeddings('small', array[u.kind], array[u.text_hash], array['[1,0,0]']))
    from api.claim_unembedded('small', 100) as u
    where u.kind = 'lookup' and u.embedding_text <> '';
$$;
select t.act_as('alice');
select throws_ok($$select * from api.configure_lookup_vectors('plant', true)$$, '42501', null, 'a user may not');
select t.act_as('op', 'qm_operator');
select throws_ok($$select * from api.configure_lookup_vectors('nowhere', true)$$, 'QM404', null, 'an unknown table');
select throws_ok($$select * from api.configure_lookup_vectors('plant', null, '{"score": {"sem": 1}}')$$, 'QM422', null, 'what there is not weighs nothing');
select results_eq($$select * from api.configure_lookup_vectors('plant')$$, $$values (false, 7, 7::bigint, 7::bigint, '{}'::jsonb)$$, 'off at first');
select results_eq($$select u.missing from api.configure_lookup_vectors('plant', true) as u$$, array[7::bigint], 'switched on, names wait');
select is(pg_temp.embed(), 7::bigint, 'in the queue of all texts');
select results_eq($$select u.has_vectors, u.missing from api.configure_lookup_vectors('plant') as u$$, $$values (true, 0::bigint)$$, 'and have vectors then');
select throws_ok($$select * from api.configure_lookup_vectors('plant', null, '{"score": {"beauty": 1}}')$$, 'QM422', null, 'an unknown feature');
select is((select u.weighed from api.configure_lookup_vectors('plant', weights => '{"score": {"sem": 4}}') as u), '{"score": {"sem": 4}}', 'what they weigh');
select api.add_alias('plant', '2', 'dwarf birch');
select is((select u.missing from api.configure_lookup_vectors('plant') as u), 1::bigint, 'an alias waits; the other names of its row are not embedded again');
select pg_temp.embed();
select api.load_lookup('plant', '[{"id": "1", "value": "Betula pendula"}, {"id": "2", "value": "Betula nana"}]', may_remove => true);
select t.act_as_superuser();
select is(pg_temp.embedded(), '{"Betula nana","Betula pendula","dwarf birch"}', 'names that go take their vectors along');
select is((select count(*) from search.embedding as e where e.kind = 'lookup'), 3::bigint, 'for good');
select t.act_as('op', 'qm_operator');
select api.configure_lookup_vectors('place', true), pg_temp.embed(), api.configure_lookup_vectors('plant', false);
select t.act_as_superuser();
select is(pg_temp.embedded(), '{Luleå,Umeå}', 'switched off, those of other tables stay');
select is_empty($$select c.* from search.coefficient as c where c.profile = 'vectors:plant'$$, 'what they weighed is forgotten');
select t.act_as('op', 'qm_operator');
select api.drop_lookup('place');
select t.act_as_superuser();
select is_empty($$select e.* from search.embedding as e where e.kind = 'lookup'$$, 'a table that is dropped leaves none');

select * from finish();
rollback;
