begin;
select plan(7);

select t.make_lookups(), t.make_principal('alice'), t.make_principal('boss', 'admin');
select t.act_as('boss', 'qm_admin');
select throws_ok($$select api.record_lookups('[]')$$, '42501', null, 'an administrator may not');
select t.act_as_superuser();
create temporary table who as select p.id from policy.principal as p where p.name = 'alice';
grant select on who to public;
set local session authorization qm_service;
select is(api.record_lookups('[]'), 0, 'nothing');
select is(api.record_lookups((
    select jsonb_agg(jsonb_build_object(
        'at', '2026-06-01T10:00:00Z', 'table', q.table_name, 'principal_id', w.id, 'door', 'http', 'query_hash', 'ab01', 'profile', 'default',
        'rows', q.rows, 'key', q.key, 'score', 0.5, 'match', q.rows > 0, 'is_cached', false, 'duration_ms', 1.5))
    from who as w
    cross join (values ('plant', 2, '1'), (null, 0, null), ('gone', 1, '1')) as q (table_name, rows, key)
)), 2, 'what is of a table that is gone is left out');
select throws_ok($$select api.record_lookups((select jsonb_agg(jsonb_build_object(
    'at', '2026-06-01T10:00:00Z', 'table', 'plant', 'principal_id', w.id, 'door', 'window', 'query_hash', 'ab', 'profile', 'default', 'rows', 0,
    'is_cached', false, 'duration_ms', 1)) from who as w))$$, '23514', null, 'a door that is none');
select t.act_as_superuser();
select results_eq(
    $$select encode(r.query_hash, 'hex'), r.query, r.rows, r.key, r.match from lookup.request as r order by r.id$$,
    $$values ('ab01', null::text, 2, '1', true), ('ab01', null, 0, null, false)$$, 'hashed, the query itself is not there'
);
select t.act_as('boss', 'qm_admin');
select count(*) from api.drop_lookup('plant');
select is((select count(*) from lookup.request), 1::bigint, 'they go with their table');
select ok(not has_table_privilege('qm_admin', 'lookup.request', 'insert'), 'by no other way');

select * from finish();
rollback;
