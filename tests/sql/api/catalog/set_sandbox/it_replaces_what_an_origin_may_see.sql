begin;
select plan(5);

select t.make_principal('boss', 'admin');
select t.act_as('boss', 'qm_admin');
select api.add_origin('files', 'stdio', command => '{files}');
select is(
    api.set_sandbox('files', '{"folders": [{"path": "/srv"}], "network": "none"}'),
    '{"folders": [{"path": "/srv"}], "network": "none"}'::jsonb, 'it is returned'
);
select is((select api.get_origin('files') #>> '{sandbox,network}'), 'none', 'and stored');
select is((select (api.get_origin('files') ->> 'revision')::integer), 2, 'the server starts again');
select throws_ok($$select api.set_sandbox('none', '{}')$$, 'QM404', null, 'an unknown origin is refused');
select throws_ok($$select api.set_sandbox('files', '{"folders": 1}')$$, 'QM422', null, 'an invalid sandbox is refused');

select * from finish();
rollback;
