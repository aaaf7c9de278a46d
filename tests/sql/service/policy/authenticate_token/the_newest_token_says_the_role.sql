begin;
select plan(7);

select t.make_principal('boss', 'admin'), t.make_principal('alice');
select t.act_as('boss', 'qm_admin');
select api.bind_subject('alice', 'iss', 'sub');
select t.act_as_superuser();
set local session authorization qm_service;
create function pg_temp.role_of(p_issued_at timestamptz, p_role text) returns text language sql as
$$select a.role from service.authenticate_token('iss', 'sub', p_issued_at, claimed_role => p_role) as a$$;
select is(pg_temp.role_of('2026-01-01', 'admin'), 'admin', 'the first token raises');
select is(pg_temp.role_of('2026-01-02', 'user'), 'user', 'a newer one takes away');
select is(pg_temp.role_of('2026-01-01', 'admin'), 'user', 'the older one, still valid, does not raise again');
select is(pg_temp.role_of('2026-01-03', null), 'user', 'a token without a role leaves it');
select is(pg_temp.role_of('2026-01-04', 'operator'), 'operator', 'a newer one changes it');

select is(pg_temp.role_of('2026-01-06', 'operator'), 'operator', 'one that says the same');
select is(pg_temp.role_of('2026-01-05', 'admin'), 'operator', 'counts as the newest, too');

select * from finish();
rollback;
