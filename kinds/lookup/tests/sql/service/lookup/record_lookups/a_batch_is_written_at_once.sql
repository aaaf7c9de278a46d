begin;
select plan(7);

select t.make_lookups(), t.make_principal('alice'), t.make_principal('boss', 'admin');
select t.act_as('boss', 'qm_admin');
select throws_ok($$select service.record_lookups('[]')$$, '42501', null, 'an administrator may not');
select t.act_as_superuser();
create temporary table who as select p.id from policy.principal as p where p.name = 'alice';
grant select on who to public;
set local session authorization qm_service;
select is(service.record_lookups('[]'), 0, 'nothing');
select is(service.record_lookups((
    select jsonb_agg(jsonb_build_object(
        'at', '2026-06-01T10:00:00Z', 'table', q.table_name, 'principal_id', w.id, 'door', 'http', 'query_hash', 'ab01', 'profile', 'default',
        'offered', q.offered, 'match', q.offered <> '[]', 'is_cached', false, 'duration_ms', 1.5))
    from who as w
    cross join (values
        ('plant', '[{"rank": 1, "name": "1", "score": 0.5}, {"rank": 2, "name": "2", "score": 0.4}]'::jsonb), (null, '[]'), ('gone', '[]')
    ) as q (table_name, offered)
)), 2, 'what is of a table that is gone is left out');
select throws_ok($$select service.record_lookups((select jsonb_agg(jsonb_build_object(
    'at', '2026-06-01T10:00:00Z', 'table', 'plant', 'principal_id', w.id, 'door', 'window', 'query_hash', 'ab', 'profile', 'default', 'offered', '[]'::jsonb,
    'is_cached', false, 'duration_ms', 1)) from who as w))$$, '23514', null, 'a door that is none');
select t.act_as_superuser();
select results_eq(
    $$select encode(r.goal_hash, 'hex'), r.goal, r.origin, r.offered -> 1 ->> 'name', r.detail from selection.receipt as r order by r.id$$,
    $$values ('ab01', null::text, 'plant', '2', '{"match": true}'::jsonb), ('ab01', null, null, null, '{"match": false}')$$, 'hashed, the query itself is not there'
);
select t.act_as('boss', 'qm_admin');
select count(*) from api.drop_lookup('plant');
select is((select count(*) from selection.receipt), 1::bigint, 'they go with their table');
select ok(not has_table_privilege('qm_admin', 'selection.receipt', 'insert'), 'by no other way');

select * from finish();
rollback;
