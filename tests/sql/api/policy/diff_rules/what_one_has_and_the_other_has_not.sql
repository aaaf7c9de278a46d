begin;
select plan(3);

select t.make_principal('alice'), t.make_principal('op', 'operator');
create temporary table version as
select t.make_rules('{"rules": [{"effect": "deny", "subject": "everyone", "origins": "a"}, {"effect": "allow", "subject": "role:user"}]}') ->> 'version' as a,
    t.make_rules('{"default": "deny", "rules": [{"effect": "allow", "subject": "role:user"}, {"effect": "deny", "subject": "role:user", "origins": "b"}]}') ->> 'version' as b;
grant select on version to public;
select t.act_as('alice');
select throws_ok($$select * from api.diff_rules(1)$$, '42501', null, 'not for users');
select t.act_as('op', 'qm_operator');
select results_eq(
    $$select d.* from version as v cross join lateral api.diff_rules(v.a::integer) as d$$,
    $$values ('-', '{"default": "allow"}'::jsonb), ('+', '{"default": "deny"}'),
        ('-', '{"effect": "deny", "subject": "everyone", "origins": "a"}'), ('+', '{"effect": "deny", "subject": "role:user", "origins": "b"}')$$, 'places do not matter'
);
select is_empty($$select d.* from version as v cross join lateral api.diff_rules(v.b::integer) as d$$, 'with itself there is no difference');

select * from finish();
rollback;
