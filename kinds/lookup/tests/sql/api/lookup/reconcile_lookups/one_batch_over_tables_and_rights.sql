begin;
select plan(17);

select t.make_lookups(), t.make_principal('alice'), t.make_principal('bob');
select lookup.put_rows(lookup.put_table('shrub', 'Shrubs', null), '[{"id": "a", "value": "Betula nana", "properties": {"height": 1}}]', true);
select t.make_rules('{"rules": [{"effect": "deny", "subject": "principal:bob", "origins": ["shrub"]}]}');
select t.act_as('bob', 'qm_user');
select results_eq(
    $$select distinct x.row ->> 'lookup' from api.reconcile_lookups('[{"query": "Betula nana"}]') as r cross join jsonb_array_elements(r.rows) as x (row)$$,
    array['plant'], 'a table that is hidden is not asked'
);
select is((select r.error ->> 'slug' from api.reconcile_lookups('[{"query": "Betula nana", "lookups": ["shrub"]}]') as r), 'unsupported_table', 'nor by its name');
select throws_ok($$select * from api.reconcile_lookups('[]', 'shrub')$$, 'QM404', null, 'nor as a service');
select throws_ok($$select lookup.find_by_properties(1, null, 1), core.bump_version()$$, '42501', null, 'nor what is behind it');
select t.act_as('alice', 'qm_user');
select results_eq(
    $$select r.rows #>> '{0,lookup}', r.rows -> 0 ->> 'id', (r.rows -> 0 ->> 'match')::boolean, r.error ->> 'slug'
      from api.reconcile_lookups('[
        {"query": "Betula pendula"}, {"query": ""}, 7, {"query": "Betula nana"}, {"query": "Betula nana", "lookups": ["shrub"]},
        {"query": "Betula nana", "properties": {"colour": "red"}}, {"query": "x", "limit": 1e9}, {"query": "x", "strict": "very"},
        {"row": {"lookup": "plant", "id": "2"}}, {"properties": {"family": "Poaceae"}}, {"query": "B. pendula", "properties": {"family": "Poaceae", "height": 2}}
      ]') as r$$,
    $$values
    ('plant', '1', true, null), (null, null, null, 'query_empty'), (null, null, null, 'query_empty'), ('plant', '2', false, null), ('shrub', 'a', true, null),
    (null, null, null, 'property_unknown'), (null, null, null, 'argument_invalid'), (null, null, null, 'argument_invalid'),
    ('plant', '2', true, null), ('plant', '3', true, null), ('plant', '3', true, null)$$,
    'each in its place: equal names of two tables are no match, one of them asked for is'
);
select results_eq(
    $$select round((x.row ->> 'score')::numeric, 1)
      from api.reconcile_lookups('[{"query": "Betula nana", "limit": 2}]') as r cross join jsonb_array_elements(r.rows) as x (row)$$,
    array[0.5, 0.5], 'they share the probability'
);
select is(
    (select max(x.matches) from (
        select (select count(*) from jsonb_array_elements(r.rows) as e (row) where (e.row ->> 'match')::boolean) as matches
        from api.reconcile_lookups('[{"query": "Betula pendula"}, {"query": "Betula nana"}, {"query": "Betula alba"}]') as r
    ) as x), 1::bigint, 'at most one match'
);
select is(
    (select jsonb_path_query_array(r.rows, '$[*].score') from api.reconcile_lookups('[{"properties": {"family": "Betulaceae"}}]') as r), '[0.5, 0.5]',
    'properties alone: those that have them, equally probable; the inactive one is none'
);
select is((select r.rows from api.reconcile_lookups('[{"row": {"lookup": "plant", "id": "4"}}]') as r), '[]', 'an inactive row is not answered, even by id');
select is(
    (select jsonb_path_query_array(r.rows, '$[*].id') from api.reconcile_lookups('[{"query": "Betula pendula", "threshold": 0, "excluded": {"author": "Roth"}}]', 'plant') as r
    ) @> '"1"', false, 'what is excluded is not there'
);
select is((select r.rows from api.reconcile_lookups('[{"query": "Betula pendula", "required": [{"family": "Poaceae"}]}]', 'plant') as r), '[]', 'what lacks the required is not there');
select is(
    (select jsonb_array_length(r.rows) from api.reconcile_lookups('[{"query": "Betula nana", "threshold": 0, "limit": 1}]') as r), 1, 'the limit holds over all tables'
);
select is(
    (select r.rows -> 0 ->> 'score' from api.reconcile_lookups('[{"query": "Betula pendula"}]', 'plant') as r),
    (select s.score::text from api.search_lookup('plant', 'Betula pendula') as s where s.rank = 1), 'the same answer as by any other door'
);
select is((select r.rows -> 0 ->> 'description' from api.reconcile_lookups('[{"query": "vårtbjörk"}]') as r), 'vårtbjörk · author: Roth · family: Betulaceae', 'which alias was met');
select throws_ok($$select * from api.reconcile_lookups('{}')$$, 'QM422', null, 'no array');
select throws_ok($$select * from api.reconcile_lookups((select jsonb_agg('x'::text) from generate_series(1, 5000)))$$, 'QM413', null, '5,000 queries');
select throws_ok($$select * from api.reconcile_lookups('[]', 'plnt')$$, 'QM404', null, 'an unknown table');

select * from finish();
rollback;
