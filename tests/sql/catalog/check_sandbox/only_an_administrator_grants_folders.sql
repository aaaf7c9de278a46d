begin;
select plan(16);

select t.make_principal('op', 'operator');
select t.make_principal('boss', 'admin');
create function pg_temp.adding(p_name text, p_sandbox jsonb, p_command text[] default '{tool}', p_replace boolean default false)
returns text
language sql as $$
    select format('select api.add_origin(%L, %L, command => %L, sandbox => %L, replace => %L)', p_name, 'stdio', p_command, p_sandbox, p_replace);
$$;
create temporary table granted as select '{"folders": [{"path": "/srv/files", "write": true}]}'::jsonb as sandbox;
grant select on granted to public;
select api.allow('program', '["tool"]');

select t.act_as('op', 'qm_operator');
select lives_ok(pg_temp.adding('plain', '{}'), 'an operator adds an origin without folders');
select lives_ok(pg_temp.adding('closed', '{"network": "none"}'), 'and takes its network away');
select throws_ok(pg_temp.adding('open', sandbox), 'QM403', null, 'but grants no folder') from granted;
select throws_ok(pg_temp.adding('near', '{"network": "host"}'), 'QM403', null, 'and not the network of the machine');
select throws_ok($$select api.set_sandbox('plain', '{}')$$, '42501', null, 'nor later');

select t.act_as('boss', 'qm_admin');
select lives_ok(pg_temp.adding('open', sandbox), 'an administrator grants a folder') from granted;
select is((select api.get_origin('open') -> 'sandbox'), sandbox, 'which is stored') from granted;
select throws_ok(pg_temp.adding('x', '{"folders": [{"path": "relative"}]}'), 'QM422', null, 'a relative path is refused');
select throws_ok(pg_temp.adding('x', '{"folders": [{"path": "/"}]}'), 'QM422', null, 'everything is refused');
select throws_ok(pg_temp.adding('x', '{"folders": [{"path": "/srv/../root"}]}'), 'QM422', null, 'a way up is refused');
select throws_ok(pg_temp.adding('x', '{"folders": [{"path": "/srv", "write": "yes"}]}'), 'QM422', null, 'write is a boolean');
select throws_ok(pg_temp.adding('x', '{"folder": []}'), 'QM422', null, 'an unknown member is refused');
select throws_ok(pg_temp.adding('x', '{"network": "all"}'), 'QM422', null, 'an unknown network is refused');
select throws_ok(
    $$select api.add_origin('x', 'http', url => 'http://127.0.0.1:1', sandbox => '{"network": "none"}')$$, 'QM422', null, 'a server elsewhere has no sandbox'
);

select t.act_as('op', 'qm_operator');
select lives_ok(pg_temp.adding('open', sandbox, p_replace => true), 'an operator keeps what was granted to the same program') from granted;
select throws_ok(
    pg_temp.adding('open', sandbox, '{other}', true), 'QM403', null, 'but not for another program'
) from granted;

select * from finish();
rollback;
