begin;
select plan(8);
select t.make_project('shop', 'alice');
select t.act_as('alice', 'qm_admin');
create function pg_temp.symbol(p_path text, p_passage text, p_is_public boolean default true) returns jsonb language sql as $$
    select jsonb_build_object(
        'path', p_path, 'paths', '[]'::jsonb, 'kind', 'function', 'signature', regexp_replace(p_path, '.*\.', '') || '()', 'file', 'acme.py', 'line', 7,
        'passage', p_passage, 'parameters', '[]'::jsonb, 'deprecated', '', 'is_async', false, 'is_public', p_is_public,
        'priors', '[0,1,0,1,2,1,0,0,1,0,0,0,0,0,1]'::jsonb,
        'fields', jsonb_build_array(regexp_replace(p_path, '.*\.', ''), p_passage, '', ''), 'embedding_text', p_path || ': ' || p_passage
    )
$$;
select api.store_distributions(
    api.put_environment('/srv/shop', '{}', 'shop', false),
    jsonb_build_array(jsonb_build_object(
        'name', 'acme', 'version', '1', 'digest', repeat('ab', 32), 'modules', '["acme"]'::jsonb, 'summary', '', 'symbols', jsonb_build_array(
            pg_temp.symbol('acme.core.send_parcel', 'It goes by road.', false), pg_temp.symbol('acme.send_parcel', ''), pg_temp.symbol('acme.Box.weigh', ''),
            pg_temp.symbol('acme.wait', 'Wait until a thread has ended, and send what it has left.'),
            pg_temp.symbol('acme.thread', 'A thread that waits until it may send.'), pg_temp.symbol('acme.sending', 'Send from a thread and wait until it ends.')
        )
    ))
);
select t.act_as_superuser();
select search.put_model('test-2', 2, true);
create function pg_temp.give_vectors(p_name text, p_vector text) returns void language sql as $$
    select search.store_embeddings('test-2', array_agg(c.kind), array_agg(c.text_hash), array_agg(p_vector)) from search.card as c where c.name like p_name
$$;
select pg_temp.give_vectors('acme.wait', '[1, 0]'), pg_temp.give_vectors('acme.thread', '[0.9, 0.43589]'), pg_temp.give_vectors('acme.sending', '[1, 0]');
select t.act_as('alice', 'qm_user');
create function pg_temp.first(p_topic text) returns text language sql as $$
    select s.name from api.lookup_symbols('acme', p_topic, query_vector => '[1, 0]') as s limit 1
$$;
select is(pg_temp.first('send_parcel'), 'acme.send_parcel', 'a name alone: what is public is first, whatever has a vector');
select is(
    (select array_agg(s.name) from api.lookup_symbols('acme', 'send_parcel') as s), '{acme.send_parcel,acme.core.send_parcel}', 'then what is private'
);
select is(pg_temp.first('wait until send_parcel in a thread has ended'), 'acme.send_parcel', 'a name among words');
select is(pg_temp.first('wait until acme.send_parcel in a thread has ended'), 'acme.send_parcel', 'its path');
select is(pg_temp.first('wait until Box.weigh in a thread has ended'), 'acme.Box.weigh', 'or the end of its path');
select isnt(pg_temp.first('wait until parcel in a thread has ended'), 'acme.send_parcel', 'an ordinary word is no name');
select t.act_as_superuser();
select pg_temp.give_vectors('acme.send_parcel', '[0, 1]');
select t.act_as('alice', 'qm_user');
select isnt(pg_temp.first('wait until send_parcel in a thread has ended'), 'acme.send_parcel', 'with its vector, its score decides');
select is(pg_temp.first('send_parcel'), 'acme.send_parcel', 'but a name alone is what is asked for');
select * from finish();
rollback;
