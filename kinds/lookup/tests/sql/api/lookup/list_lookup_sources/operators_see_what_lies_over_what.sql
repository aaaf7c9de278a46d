begin;
select plan(4);

select t.make_principal('alice'), t.make_principal('op', 'operator'), t.make_principal('other', 'operator');
select t.make_rules('{"rules": [{"effect": "deny", "subject": "principal:other", "origins": ["plant"]}]}');
create table public.plant (id integer primary key, name text, family text);
grant select on public.plant to qm_owner;
select t.act_as('alice');
select throws_ok($$select * from api.list_lookup_sources()$$, '42501', null, 'a user may not');
select t.act_as('op', 'qm_operator');
select api.create_lookup_over('plant', 'public.plant', 'id', 'name', property_columns => '{family}', every => '1 day');
select results_eq(
    $$select s.name, s.relation, s.columns ->> 'value', s.columns -> 'properties', s.follows, s.every, s.waiting from api.list_lookup_sources() as s$$,
    $$values ('plant', 'public.plant', 'name', '["family"]'::jsonb, false, interval '1 day', 0::bigint)$$, 'table and columns'
);
select t.act_as('other', 'qm_operator');
select is_empty($$select * from api.list_lookup_sources()$$, 'not of tables that are hidden');
select t.act_as_superuser();
drop table public.plant;
select is((select r.result from jobs.run('lookup.refresh_all') as r), '{"refreshed": 0}', 'nothing is due yet');

select * from finish();
rollback;
