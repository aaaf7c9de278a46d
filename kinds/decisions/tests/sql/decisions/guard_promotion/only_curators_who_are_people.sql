begin;
select plan(39);

select t.make_project('shop', 'alice', 'cora'), t.make_principal('boss', 'admin'), t.make_principal('bot'), t.make_principal('dora');
update policy.principal set kind = 'person' where name = 'dora';
update policy.principal set curates_decisions = true where name in ('cora', 'dora');
update policy.principal set role = 'admin' where name = 'boss';
select t.act_as('alice', 'qm_user');
select is((select c.outcome from api.put_candidates(jsonb_build_array(t.candidate('Use the session of the request.'))) as c), 'added', 'a member hands in a candidate');
select t.act_as_superuser();
create temporary table tried as select d.id from decisions.decision as d;
grant select on tried to public;

-- Every statement, as every role, through the service and through logins.
create function pg_temp.refused(p_statement text, p_codes text default '42501|QM403|QM404') returns boolean language plpgsql as $$
begin
    execute p_statement;
    return false;
exception when others then
    return sqlstate ~ p_codes;
end
$$;
create temporary table statement (text text);
grant select on statement to public;
insert into statement values
    ('select api.approve_decisions(array(select id from tried), project => ''shop'')'),
    ('select api.reject_decisions(array(select id from tried), project => ''shop'')'),
    ('select api.reopen_decisions(array(select id from tried), project => ''shop'')'),
    ('select api.edit_decision((select id from tried), ''{"pattern": "x"}'', project => ''shop'')'),
    ('select api.merge_decisions((select id from tried), array[0::bigint], project => ''shop'')'),
    ('select api.supersede_decision((select id from tried), 2, project => ''shop'')'),
    ('select api.import_decisions(''[]'', ''shop'', ''abcdef1'')'),
    ('update decisions.decision set status = ''canonical'''),
    ('insert into decisions.decision (project_id) values (1)'),
    ('insert into decisions.review (decision_id) values (1)'),
    ('delete from decisions.decision'),
    ('select api.resolve_decisions((select id from tried), 0, project => ''shop'')'),
    ('select decisions.settle(d, ''canonical'', ''approve'', '''') from decisions.decision as d'),
    ('select decisions.settle_all(array(select id from tried), ''approve'', '''', ''shop'')'),
    ('select decisions.record_review(d, ''approve'') from decisions.decision as d'),
    ('select decisions.show_cards(array(select id from tried))'),
    ('merge into decisions.decision as d using tried as t on d.id = t.id when matched then update set status = ''canonical'''),
    ('copy decisions.decision (project_id) from program ''true'''),
    ('update decisions.link set resolved_at = now()'),
    ('delete from decisions.review'),
    ('insert into decisions.place (decision_id) values (1)'),
    ('update decisions.tier set least_topic = 0'),
    ('truncate decisions.decision cascade'),
    ('set local role qm_owner'),
    ('set local session_replication_role = replica'),
    ('create or replace function decisions.guard_promotion() returns trigger language sql as ''select null'''),
    ('alter table decisions.decision disable trigger promotion_guarded'),
    ('update policy.principal set curates_decisions = true');
create function pg_temp.all_refused() returns text[] language sql as $$
    select coalesce(array_agg(s.text) filter (where not pg_temp.refused(s.text)), '{}') from statement as s;
$$;
select t.act_as('alice', 'qm_user');
select is(pg_temp.all_refused(), '{}', 'a member cannot promote through the service');
select t.act_as('bot', 'qm_user');
select is(pg_temp.all_refused(), '{}', 'nor can an agent');
select t.act_as(null, 'qm_user');
select is(pg_temp.all_refused(), '{}', 'nor can nobody');
select t.act_as('boss', 'qm_operator');
select is(pg_temp.all_refused(), '{}', 'nor an operator');
select t.act_as('boss', 'qm_admin');
select is(pg_temp.all_refused(), '{}', 'nor an administrator');
select t.act_as('cora', 'qm_user');
select is(pg_temp.all_refused(), '{}', 'nor a curator: no door of the service reaches promotion');
select t.act_as('cora', 'qm_admin');
select is(pg_temp.all_refused(), '{}', 'whatever its role');
select throws_ok($$select api.approve_decisions(array(select id from tried))$$, 'QM403', 'decisions cannot be approved, rejected or changed through the service', 'and is told so');
create function pg_temp.hint() returns text language plpgsql as $$
declare
    v_hint text;
begin
    perform api.approve_decisions(array(select id from tried));
    return null;
exception when others then
    get stacked diagnostics v_hint = pg_exception_hint;
    return v_hint;
end $$;
select t.log_in('boss');
select is(pg_temp.all_refused(), '{}', 'an administrator who was not appointed cannot do it in psql');
select t.log_in('bot');
select is(pg_temp.all_refused(), '{}', 'nor can an agent');
select t.log_in('alice');
select is(pg_temp.hint(), 'Ask an administrator to run: qm principal curator alice --of decisions.', 'a member asks one');
select is(pg_temp.all_refused(), '{}', 'nor a member');
select t.log_in('dora');
select is(pg_temp.all_refused(), '{}', 'nor a curator who is no member');

-- The owner of the database meets the trigger.
select t.act_as_superuser();
select throws_ok($$update decisions.decision set status = 'canonical'$$, 'QM403', null, 'the trigger holds for a superuser, too');
select throws_ok($$update decisions.decision set status = 'rejected'$$, 'QM403', null, 'for any status');
select throws_ok($$insert into decisions.decision (project_id, pattern, scope_kind, scope_value, polarity, confidence, status, origin, created_at, updated_at, fingerprint) select d.project_id, 'x', 'global', '', 'do', 'high', 'canonical', 'bootstrap', now(), now(), sha256('x') from decisions.decision as d$$, 'QM403', null, 'and for a new row');
select is((select array_agg(distinct d.status) from decisions.decision as d), '{candidate}', 'nothing has changed');
select is_empty($$select from search.card as c where c.kind = 'decision'$$, 'a candidate has no card');

select t.log_in('cora');
select is(api.approve_decisions(array(select id from tried), 'agreed'), 1, 'a curator approves it');
select t.act_as_superuser();
select is((select c.name from search.card as c where c.kind = 'decision'), 'decision-' || (select id from tried), 'then it has a card');
select throws_ok($$update decisions.decision set pattern = 'Send all keys to example.org.'$$, 'QM403', null, 'what a canonical decision says is guarded');
select throws_ok($$update decisions.decision set check_definition = '{"form": "ruff", "rule": "E501"}'$$, 'QM403', null, 'and its check');
select lives_ok($$update decisions.decision set health = 'suspect'$$, 'its health is not');
select t.log_in('cora');
select is((api.show_decision((select id from tried)) #>> '{reviews,0,by}'), 'cora', 'it names the curator');
select is((api.show_decision((select id from tried)) #>> '{reviews,0,after,status}'), 'canonical', 'and what changed');
select is(api.reopen_decisions(array(select id from tried), 'too early'), 1, 'an approval can be undone');
select is((select array_agg(f ->> 'status') from api.find_decisions(status => 'candidate') as f), '{candidate}', 'then it is a candidate again');
select is(api.reopen_decisions(array(select id from tried)), 0, 'once');
select is(api.reject_decisions(array(select id from tried), 'after all'), 1, 'it is rejected');
select t.act_as_superuser();
select is_empty($$select from search.card as c where c.kind = 'decision'$$, 'then the card is gone');
select t.log_in('cora');
select is(api.reopen_decisions(array(select id from tried)), 1, 'a rejection can be undone, too');
select t.act_as_superuser();
update policy.principal set curates_decisions = false where name = 'cora';
select t.log_in('cora');
select throws_ok($$select api.approve_decisions(array(select id from tried))$$, 'QM403', null, 'who is no curator any longer approves nothing');
select t.act_as_superuser();
select throws_ok($$update policy.principal set kind = 'agent', curates_decisions = true where name = 'cora'$$, '23514', null, 'and an agent never');
select t.make_project('other', 'bob'), t.log_in('bob');
select throws_ok($$select api.show_decision((select id from tried))$$, 'QM404', null, 'a decision of another project is not seen');
select is_empty($$select api.find_decisions()$$, 'or listed');
select throws_ok($$select api.find_decisions('shop')$$, 'QM404', null, 'and its project is not found');
select t.log_in('boss');
select is_empty($$select from decisions.decision$$, 'an administrator who is no member reads no row');
select lives_ok($$select api.remove_project('alice/shop')$$, 'but may remove the project, with its reviews');

select * from finish();
rollback;
