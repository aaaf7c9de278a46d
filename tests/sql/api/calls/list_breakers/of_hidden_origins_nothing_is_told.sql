begin;
select plan(3);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('boss', 'admin');
select calls.open_breaker(o.id, o.name || ' failed') from catalog.origin as o;
select t.make_rules('{"rules": [{"effect": "deny", "subject": "role:user", "origins": "tracker"}]}');
select t.act_as('alice');
select results_eq($$select b.origin, b.state, b.because from api.list_breakers() as b$$, $$values ('time', 'open', 'time failed')$$, 'what a user sees');
select t.act_as('boss', 'qm_admin');
select is((select count(*) from api.list_breakers()), 2::bigint, 'an administrator sees all');
select t.act_as_superuser();
select calls.close_breaker(b.origin_id) from calls.breaker as b;
select t.act_as('boss', 'qm_admin');
select is_empty($$select from api.list_breakers()$$, 'what is called is not told');

select * from finish();
rollback;
