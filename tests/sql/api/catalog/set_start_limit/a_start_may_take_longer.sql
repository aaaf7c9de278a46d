begin;
select plan(9);

select t.make_principal('alice'), t.make_principal('op', 'operator'), t.make_principal('root', 'admin'), t.make_origin('o');
create temporary table made as select o.id from catalog.origin as o where o.name = 'o';
grant select on made to public;
select t.act_as('alice');
select throws_ok($$select api.set_start_limit('o', 60)$$, '42501', null, 'a user may not');
select t.act_as('op', 'qm_operator');
select throws_ok($$select api.set_start_limit('x', 60)$$, 'QM404', null, 'an unknown origin');
select throws_ok($$select api.set_start_limit('o', 0)$$, 'QM422', null, 'no time at all');
select throws_ok($$select api.set_start_limit('o', 86401)$$, 'QM422', null, 'more than a day');
select is(api.set_start_limit('o', 900), 900, 'a quarter of an hour');
select is((select c.start_limit_s from made as m cross join lateral service.get_connection(m.id) as c), 900, 'the service is told');
select is(api.set_start_limit('o', null), null, 'or what the settings say');
select t.act_as('root', 'qm_admin');
select isnt(api.add_origin('slow', 'stdio', command => '{npx,-y,slow}', start_limit_s => 600), null, 'an origin may come with one');
select is(api.get_origin('slow') -> 'start_limit_s', '600', 'that is shown');

select * from finish();
rollback;
