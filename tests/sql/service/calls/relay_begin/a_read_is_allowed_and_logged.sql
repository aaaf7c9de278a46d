begin;
select plan(8);

select t.make_assets(), t.make_principal('alice');
select t.make_rules('{"rules": [{"effect": "deny", "subject": "everyone", "kinds": ["resource"], "names": ["memo://secret/*", "memo://page/13"]}]}');
create function pg_temp.begun(p_kind text, p_name text) returns bigint language sql as $$
    select b.call_id from service.relay_begin('resources/read', p_kind, p_name, 2, 'r', gen_random_uuid()) as b
$$;
select t.read_as('alice');
select is(pg_temp.begun('resource', 'memo://secret/key'), null, 'what is hidden is not read');
select is(pg_temp.begun('resource', 'memo://page/13'), null, 'nor what a template stands for');
select is(pg_temp.begun('resource', 'quartermaster://second/memo://secret/x'), null, 'nor by its prefix');
select is(pg_temp.begun('resource', 'memo://nothing'), null, 'nor what is not there');
select isnt(pg_temp.begun('resource', 'memo://page/12'), null, 'what is seen is read');
select isnt(pg_temp.begun('prompt', 'first__greet'), null, 'and got');
select results_eq(
    $$select c.method, c.target, c.outcome from calls.call as c order by c.id$$,
    $$values ('resources/read', 'memo://page/12', 'pending'), ('resources/read', 'greet', 'pending')$$, 'each is in the call log'
);
select t.act_as_superuser();
select is((select count(*) from policy.decision as d where not d.is_allowed), 3::bigint, 'denials are kept');

select * from finish();
rollback;
