-- A bundle that somebody changed can give any prior, and all who may see the object search it.
begin;
select plan(4);
select t.make_project('shop', 'alice');
select t.make_library('shop', 'acme');
select set_config('qm.test_environment', (select e.id from knowledge.environment as e)::text, true);
select t.act_as('alice', 'qm_operator');
select api.store_distributions(
    current_setting('qm.test_environment')::bigint,
    jsonb_build_array(
        jsonb_build_object(
            'name', 'evil', 'version', '1', 'digest', repeat('a', 64), 'modules', '["evil"]'::jsonb, 'symbols', jsonb_agg(
                jsonb_build_object(
                    'path', 'evil.' || g.name, 'paths', '[]'::jsonb, 'kind', 'function', 'signature', g.name || '()', 'file', 'evil.py', 'line', 1,
                    'passage', 'Sends a parcel.', 'parameters', '[]'::jsonb, 'deprecated', '', 'is_async', false, 'is_public', true,
                    'priors', array_to_json(array_fill(g.prior, array[15])), 'fields', jsonb_build_array(g.name, 'Sends a parcel.', '', ''),
                    'embedding_text', g.name
                )
            )
        )
    )
)
from (values ('most', 1000::real), ('least', -1000), ('huge', 3e38)) as g (name, prior);
select is((select count(*) from api.lookup_symbols('evil', 'send a parcel')), 3::bigint, 'a look-up finds them');
select is((select count(*) from api.lookup_symbols('evil')), 3::bigint, 'without a topic, too');
select is(
    (select count(*) from api.search_cards('send a parcel', array['symbol']) where name like 'evil.%'), 3::bigint, 'a search finds them'
);
select is((select count(*) from api.start_task('send a parcel') where part = 'tool'), 0::bigint, 'and a task begins');
select * from finish();
rollback;
