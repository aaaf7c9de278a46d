begin;
select plan(7);

select t.make_project('shop', 'alice', 'bob'), t.make_principal('mallory');
select t.make_decisions('shop', t.candidate('Modules do not import billing.', '{"check": {"form": "import_contract", "forbidden": ["billing"]}}'), t.candidate('Cache the settings.'));
select t.act_as('alice', 'qm_user');
create temporary table served as select s.* from api.decisions_for('src/api/a.py', '') as s;
grant select on served to public;
create function pg_temp.store(p_outcome text, p_commit text default 'abcdef1') returns integer language sql as $$
    select api.store_decision_outcomes(jsonb_agg(jsonb_build_object('receipt', s.receipt, 'decision', s.decision, 'commit', p_commit, 'outcome', p_outcome)))
    from served as s where s.pattern like 'Modules%';
$$;
select throws_ok($$select pg_temp.store('loved')$$, 'QM422', null, 'an outcome is one of three');
select throws_ok($$select pg_temp.store('followed', '--all')$$, 'QM422', null, 'a commit is a hash');
select t.act_as('mallory', 'qm_user');
select throws_ok($$select pg_temp.store('violated')$$, 'QM404', null, 'only a member of the project reports');
select t.act_as('bob', 'qm_user');
select is(pg_temp.store('followed'), 1, 'another member reads the files and reports');
select is_empty($$select * from api.served_decisions()$$, 'then it waits no longer');
select is(api.show_decision((select s.decision from served as s where s.pattern like 'Modules%')) -> 'outcomes', '{"followed": 1}', 'and is counted');
select is(pg_temp.store('followed'), 0, 'once');

select * from finish();
rollback;
