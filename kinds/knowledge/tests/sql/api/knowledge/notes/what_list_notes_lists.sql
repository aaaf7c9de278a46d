begin;
select plan(3);

select t.make_principal('alice');
select t.act_as(null);
select throws_ok($$select * from api.notes$$, 'QM403', null, 'nobody reads none');
select t.act_as('alice');
select set_eq($$select n.name, n.domain, n.project, n.problem from api.notes as n$$, $$select l.name, l.domain, l.owner || '/' || l.project, l.problem from api.list_notes() as l$$, 'the same rows');
select columns_are('api', 'notes', '{name,domain,title,project,passages,verified,stale,reviewed,version,source,problem}'::name[], 'names first');

select * from finish();
rollback;
