begin;
select plan(8);

select t.make_principal('alice'), t.make_principal('bob'), t.make_principal('mallory', 'operator'), t.make_principal('op', 'operator');
select t.make_catalog(), api.put_organisation('acme'), api.put_organisation('bad');
update policy.principal as p set organisation_id = o.id from policy.organisation as o where o.name = 'bad' and p.name in ('mallory', 'bob');
update policy.principal as p set organisation_id = o.id from policy.organisation as o where o.name = 'acme' and p.name in ('op', 'alice');
select t.make_rules('{"rules": [{"effect": "deny", "subject": "organisation:bad", "origins": "time"}]}');
create function pg_temp.names_of(p_goal text) returns text[] language sql as $$
    select array_agg(s.name order by s.rank) from api.select_tools(p_goal) as s where s.rank is not null;
$$;
select t.act_as('alice');
create temporary table before as select pg_temp.names_of('open a ticket for a bug') as names;
select t.act_as('mallory', 'qm_operator');
select throws_ok($$select * from api.teach_item('{tool}', 'open a ticket for a bug', 'time__convert_time')$$, 'QM404', null, 'he cannot name what he may not see');
select lives_ok($$select * from api.teach_item('{tool}', 'open a ticket for a bug', 'tracker__listTickets', 'tracker__create_ticket')$$, 'he teaches something wrong');
select t.act_as('bob');
select is((pg_temp.names_of('open a ticket for a bug'))[1], 'tracker__listTickets', 'his own organisation is misled');
select t.act_as('alice');
select is(pg_temp.names_of('open a ticket for a bug'), (select b.names from before as b), 'no other one is');
select t.act_as('op', 'qm_operator');
select is_empty($$select * from api.list_teachings()$$, 'another organisation does not read it');
select throws_ok(format($$select * from api.forget_teaching(%s)$$, x.id), 'QM404', null, 'nor does it delete it')
from (select max(g.n) as id from generate_series(1, 1) as g (n)) as x;
select t.act_as('op', 'qm_admin');
select results_eq($$select l.goal, l.created_by, l.organisation from api.list_teachings() as l$$, $$values ('open a ticket for a bug', 'mallory', 'bad')$$, 'an administrator sees who taught it');
select lives_ok($$select f.* from api.list_teachings() as l cross join lateral api.forget_teaching(l.teaching) as f$$, 'and forgets it');

select * from finish();
rollback;
