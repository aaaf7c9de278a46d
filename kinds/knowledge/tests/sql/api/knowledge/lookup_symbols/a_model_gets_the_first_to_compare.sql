begin;
select plan(7);
select t.make_principal('boss', 'admin');
select t.make_project('shop', 'alice');
select t.make_library('shop', 'acme-post');
select set_config('qm.test_environment', (select e.id::text from knowledge.environment as e), true);
select t.act_as('alice', 'qm_admin');
select api.store_distributions(
    current_setting('qm.test_environment')::bigint,
    (
        select jsonb_build_array(jsonb_build_object(
            'name', 'many', 'version', '1', 'digest', repeat('ab', 32), 'modules', '["many"]'::jsonb, 'summary', 'Many',
            'symbols', jsonb_agg(
                jsonb_build_object(
                    'path', 'many.send' || n, 'paths', '[]'::jsonb, 'kind', 'function', 'signature', 'send()', 'file', 'many.py', 'line', n,
                    'passage', 'Sends a parcel.', 'parameters', '[]'::jsonb, 'deprecated', '', 'is_async', false, 'is_public', true,
                    'priors', '[0,1,0,1,2,1,0,0,1,0,0,0,0,0,1]'::jsonb, 'fields', jsonb_build_array('send' || n, 'Sends a parcel.', '', ''),
                    'embedding_text', 'send: ' || n
                )
            )
        ))
        from generate_series(1, 20) as n
    )
);
select t.act_as('alice', 'qm_user');
select results_eq(
    $$select count(*), count(s.text) from api.lookup_symbols('many', 'parcel', 15) as s$$, $$values (15::bigint, 0::bigint)$$,
    'without a model, there is nothing to compare'
);
select results_eq(
    $$select count(*), count(s.text) from api.lookup_symbols('many', 'parcel', 3, for_comparison => true) as s$$, $$values (12::bigint, 12::bigint)$$,
    'a model gets all that are worth comparing, also if fewer are wanted'
);
select results_eq(
    $$select count(*), max(p.place) filter (where p.text is not null)
    from (select s.text, row_number() over () as place from api.lookup_symbols('many', 'parcel', 15, for_comparison => true) as s) as p$$,
    $$values (15::bigint, 12::bigint)$$, 'they are the first'
);
select results_eq(
    $$select count(s.text) from api.lookup_symbols('many', 'send3', 15, for_comparison => true) as s$$, $$values (0::bigint)$$,
    'if the topic is a name, nothing is compared'
);
select results_eq(
    $$select (array_agg(s.name))[1], count(s.text) from api.lookup_symbols('many', 'many.send3 parcel', 15, for_comparison => true) as s$$,
    $$values ('many.send3', 12::bigint)$$, 'if words follow the name, what follows the named object is'
);
select results_eq(
    $$select count(s.text) from api.lookup_symbols('acme-post', 'parcel', for_comparison => true) as s$$, $$values (0::bigint)$$,
    'nor if only one object fits'
);
select t.act_as_superuser();
update core.setting set value = '2' where name = 'symbols.compared';
select t.act_as('alice', 'qm_user');
select is(
    (select count(s.text) from api.lookup_symbols('many', 'parcel', for_comparison => true) as s), 2::bigint, 'a setting says how many'
);
select * from finish();
rollback;
