begin;
select plan(5);

create temporary table version as
select policy.put_version('{"default": "deny"}') as first, policy.put_version('{"default": "allow", "rules": []}') as second;
select t.at('2030-01-01 10:00+00');
select policy.set_active(v.first, true) from version as v;
select results_eq(
    $$select r.id = v.first, r.is_pinned, r.activated_at from policy.rule_version as r cross join version as v where r.is_active$$,
    $$values (true, true, '2030-01-01 10:00+00'::timestamptz)$$, 'a version is active, and pinned'
);
select throws_ok($$select policy.set_active(v.second, false) from version as v$$, 'QM409', null, 'no other becomes active');
select policy.set_active(v.first, false), policy.set_active(v.second, false) from version as v;
select is((select array_agg(r.id) from policy.rule_version as r where r.is_active), array[v.second], 'unless it is unpinned before') from version as v;
select throws_ok($$select policy.set_active(-1, false)$$, 'QM404', 'the rules have no version -1', 'a version that is not there');
select throws_ok($$select policy.set_active(null, false)$$, 'QM404', 'no other version of the rules was active earlier', 'no version');

select * from finish();
rollback;
