begin;
select plan(2);

update core.release as r set digest = repeat('a', 64), installed_at = now() - interval '1 day';
insert into core.release (version, digest, installed_at) values ('9', repeat('b', 64), now());
select t.make_principal('op', 'operator');
select t.act_as('op', 'qm_operator');
select is(api.installed_digest(), repeat('b', 64), 'the last one');
select t.act_as('op', 'qm_user');
select throws_ok('select api.installed_digest()', '42501', null, 'a user may not');

select * from finish();
rollback;
