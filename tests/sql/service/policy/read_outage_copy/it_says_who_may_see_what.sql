begin;
select plan(15);

select t.make_catalog(), t.make_principal('boss', 'admin'), t.make_principal('alice'), t.make_principal('bob'), t.make_principal('gone');
update policy.principal set enabled = false where name = 'gone';
select t.make_rules('{"rules": [{"effect": "deny", "subject": "principal:bob", "origins": ["tracker"]}]}');
select t.act_as('boss', 'qm_admin');
select t.at('2026-01-01 00:00+00');
select api.put_toolset('clocks', '{"origins": ["time"]}');
select api.put_key('alice', 'a', 'qm', sha256('lasting')), api.put_key('alice', 'b', 'qm', sha256('expired'), '2026-01-02 00:00+00');
select api.put_key('alice', 'c', 'qm', sha256('revoked'));
select api.revoke_key(k.id) from api.list_keys() as k where k.label = 'c';
select throws_ok('select service.read_outage_copy()', '42501', null, 'administrators do not');
select t.act_as('alice');
select throws_ok('select service.read_outage_copy()', '42501', null, 'nor users');
select t.act_as_superuser();
set local session authorization qm_service;
select t.at('2026-01-03 00:00+00');
create temporary table copy as select service.read_outage_copy() as it;
reset session authorization;

create temporary view principal as
select p ->> 1 as name, p ->> 2 as role, p ->> 4 as rights_group from copy as s cross join jsonb_array_elements(s.it -> 'principals') as p;
create temporary view visible as
select p.name as principal, r ->> 1 as toolset, k.origin, count(*) filter (where get_bit((r ->> 2)::bit varying, (x ->> 2)::integer) = 1) as tools
from copy as s
cross join jsonb_array_elements(s.it -> 'rights') as r
cross join jsonb_array_elements(s.it -> 'cards') as x
inner join search.card as k on k.id = (x ->> 0)::bigint
inner join principal as p on p.rights_group = r ->> 0
group by p.name, r ->> 1, k.origin;

select is((select v.tools from visible as v where v.principal = 'bob' and v.toolset is null and v.origin = 'tracker'), 0::bigint, 'what a rule denies somebody');
select is((select v.tools from visible as v where v.principal = 'bob' and v.toolset is null and v.origin = 'time'), 2::bigint, 'and what it does not');
select is((select v.tools from visible as v where v.principal = 'alice' and v.toolset is null and v.origin = 'tracker'), 2::bigint, 'another');
select is((select v.tools from visible as v where v.principal = 'alice' and v.toolset = 'clocks' and v.origin = 'tracker'), 0::bigint, 'outside of a toolset');
select is((select v.tools from visible as v where v.principal = 'alice' and v.toolset = 'clocks' and v.origin = 'time'), 2::bigint, 'in it');
select is((select p.role from principal as p where p.name = 'gone'), null, 'a disabled principal is not there');
select is((select p.role from principal as p where p.name = 'boss'), 'admin', 'an enabled one is');
select is(
    (select jsonb_agg(k -> 0) from copy as s cross join jsonb_array_elements(s.it -> 'keys') as k),
    jsonb_build_array(encode(sha256('lasting'), 'hex')), 'neither revoked nor expired keys'
);
select is((select s.it ->> 'read_at' from copy as s), '2026-01-03T00:00:00+00:00', 'when');

select is((select s.it -> 'longest_goal' from copy as s), core.get_setting('goal.max_length'), 'limits are those of the settings');
select is(
    (select s.it #> '{errors,goal_empty}' from copy as s),
    (select jsonb_build_array(e.status, e.meaning, e.next_step) from core.error_code as e where e.slug = 'goal_empty'), 'errors those of the registry'
);
select is((select s.it #> '{toolsets,clocks}' from copy as s), '""', 'toolsets');
select is((select (s.it -> 'terms' -> '') @> '{"may_repeat": false, "cache_s": null}' from copy as s), true, 'nothing is repeated');

select * from finish();
rollback;
