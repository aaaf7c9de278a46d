begin;
select plan(9);

select t.make_principal('alice'), t.make_principal('op', 'operator'), t.make_catalog();
create function pg_temp.first_of(p_goal text) returns text language sql as $$
    select s.name from api.select_tools(p_goal) as s where s.rank = 1;
$$;
select t.act_as('alice');
select is(pg_temp.first_of('open a ticket for a bug'), 'tracker__create_ticket', 'before');
select t.act_as('op', 'qm_operator');
select results_eq(
    $$select x.kind, x.organisation, x.replaced from api.teach_item('{tool}', 'Open a ticket for a bug', 'tracker__listTickets', 'tracker__create_ticket') as x$$,
    $$values ('tool', null::text, null::text)$$, 'one sentence'
);
select t.act_as('alice');
select is(pg_temp.first_of('open a ticket for a bug'), 'tracker__listTickets', 'the same goal, whatever its case');
select is(
    (select s.scores ->> 'sources' from api.select_tools('open a ticket for a bug', explain => true) as s where s.rank = 1), '["lexical", "taught"]',
    'the receipt says that it was taught'
);
select is(pg_temp.first_of('get the current time'), 'time__get_current_time', 'another goal keeps its tool');
select t.act_as('op', 'qm_operator');
select is((select x.replaced from api.teach_item('{tool}', 'open a ticket for a bug', 'time__convert_time') as x), 'tracker__listTickets', 'a second one replaces the first');
select t.act_as('alice');
select is(pg_temp.first_of('open a ticket for a bug'), 'time__convert_time', 'also a tool that no word finds');
select t.act_as('op', 'qm_operator');
select results_eq(
    $$select f.goal, f.name from api.list_teachings() as l cross join lateral api.forget_teaching(l.teaching) as f$$,
    $$values ('open a ticket for a bug', 'time__convert_time')$$, 'one command forgets it'
);
select t.act_as('alice');
select is(pg_temp.first_of('open a ticket for a bug'), 'tracker__create_ticket', 'as before');

select * from finish();
rollback;
