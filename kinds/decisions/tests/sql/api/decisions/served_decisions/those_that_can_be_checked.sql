begin;
select plan(5);

select t.make_project('shop', 'alice', 'bob'), t.make_principal('mallory');
select t.make_decisions('shop', t.candidate('Modules do not import billing.', '{"check": {"form": "import_contract", "forbidden": ["billing"]}}'), t.candidate('Cache the settings.'));
select t.act_as('alice', 'qm_user');
select is_empty($$select * from api.served_decisions()$$, 'nothing was served yet');
create temporary table served as select s.* from api.decisions_for('src/api/a.py', '') as s;
grant select on served to public;
select results_eq(
    $$select s.receipt, s.decision, s.path, s.check_definition from api.served_decisions() as s$$,
    $$select s.receipt, s.decision, 'src/api/a.py', '{"form": "import_contract", "forbidden": ["billing"]}'::jsonb from served as s where s.pattern like 'Modules%'$$, 'the one with a check'
);
select is_empty($$select * from api.served_decisions(since => now() + interval '1 day')$$, 'after a time');
select t.act_as('bob', 'qm_user');
select is((select count(*) from api.served_decisions()), 1::bigint, 'other members see what was served to one');
select t.act_as('mallory', 'qm_user');
select throws_ok($$select * from api.served_decisions('shop')$$, 'QM404', null, 'nobody else does');

select * from finish();
rollback;
