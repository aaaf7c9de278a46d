begin;
select plan(11);

select t.at('2026-11-10 00:00+00');
select t.make_catalog(), t.make_principal('alice'), t.make_principal('op', 'operator');
update catalog.item set status = 'quarantined', status_reason = 'it asks for keys' where public_name = 'tracker__listTickets';
select catalog.show_items(array(select i.id from catalog.item as i));
select t.make_rules('{"rules": [{"effect": "deny", "subject": "principal:alice", "names": "time__convert_time", "reason": "so"}]}');
create function pg_temp.reason_of(p_goal text, p_tool text, p_principal text default null) returns text language sql as $$
    select e.reason from api.explain_absence(p_goal, p_tool, p_principal) as e
$$;
grant execute on all functions in schema pg_temp to public;

select t.act_as('alice');
select is(pg_temp.reason_of('open a ticket', 'tracker__create_ticket'), 'offered', 'what is offered');
select is(pg_temp.reason_of('convert a time', 'none'), 'no_such_tool', 'what does not exist');
select results_eq(
    $$select to_jsonb(e) from api.explain_absence('convert a time', 'time__convert_time') as e$$,
    $$select to_jsonb(e) from api.explain_absence('convert a time', 'none') as e$$, 'what is hidden looks the same'
);
select results_eq(
    $$select to_jsonb(e) from api.explain_absence('convert a time', 'time__get_current_time', 'op') as e$$,
    $$select to_jsonb(e) from api.explain_absence('convert a time', 'none') as e$$, 'so does what a user asks for another principal'
);
select results_eq(
    $$select e.reason, e.detail ->> 'status', e.detail ->> 'cause' from api.explain_absence('find tickets', 'tracker__listTickets') as e$$,
    $$values ('status', 'quarantined', null::text)$$, 'a status, without what only operators read'
);
select t.act_as('op', 'qm_operator');
select results_eq(
    $$select e.reason, e.detail ->> 'because', (e.detail ->> 'rule')::integer from api.explain_absence('convert a time', 'time__convert_time', 'alice') as e$$,
    $$values ('hidden', 'rule 1: deny principal:alice: so', 1)$$, 'an operator asks for another principal'
);
select is(pg_temp.reason_of('convert a time', 'time__convert_time'), 'offered', 'and is then the caller again');
select is((select e.detail ->> 'cause' from api.explain_absence('find tickets', 'tracker__listTickets') as e), 'it asks for keys', 'with the cause');
select is(pg_temp.reason_of('zyzzyva', 'tracker__create_ticket'), 'in_no_channel', 'not found');
select throws_ok($$select * from api.explain_absence('x', 'y', 'nobody')$$, 'QM404', null, 'no such principal');
select t.act_as_superuser();
select is((select count(*) from selection.receipt) + (select count(*) from selection.pool), 0::bigint, 'nothing is written');

select * from finish();
rollback;
