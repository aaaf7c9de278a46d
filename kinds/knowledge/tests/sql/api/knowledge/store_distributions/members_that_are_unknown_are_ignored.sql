-- Members with the names of columns that only the database fills are ignored, too.
begin;
select plan(1);
select t.make_project('shop', 'alice');
select t.make_library('shop', 'acme');
select set_config('qm.test_environment', (select e.id from knowledge.environment as e)::text, true);
select t.act_as('alice', 'qm_operator');
select api.store_distributions(
    current_setting('qm.test_environment')::bigint,
    jsonb_build_array(
        jsonb_build_object(
            'name', 'post', 'version', '1', 'digest', repeat('a', 64), 'modules', '["post"]'::jsonb, 'symbols', jsonb_build_array(
                jsonb_build_object(
                    'path', 'post.send', 'paths', '[]'::jsonb, 'kind', 'function', 'signature', 'send()', 'file', 'post.py', 'line', 1,
                    'passage', 'Sends a parcel.', 'parameters', '[]'::jsonb, 'deprecated', '', 'is_async', false, 'is_public', true,
                    'priors', array_to_json(array_fill(0::real, array[15])), 'fields', '["send", "Sends a parcel.", "", ""]'::jsonb,
                    'embedding_text', 'send', 'id', 'abc', 'distribution_id', 'x', 'name', '[]'::jsonb
                )
            )
        )
    )
);
select is((select count(*) from api.lookup_symbols('post')), 1::bigint, 'the object is stored');
select * from finish();
rollback;
