begin;
select plan(8);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('op', 'operator');
select t.make_rules('{"rules": [{"effect": "deny", "subject": "principal:op", "tools": "time__*"}]}');
create temporary table made (name text, number bigint);
grant all on made to public;
select t.act_as('alice');
insert into made select 'ticket', api.propose_phrases('tracker__create_ticket', '{grumble about the kettle}');
insert into made select 'time', api.propose_phrases('time__convert_time', '{when is tea}');
insert into made select 'list', api.propose_phrases('tracker__listTickets', '{grumbles}');
select t.act_as('op', 'qm_operator');
select throws_ok($$select * from api.decide_phrases('{4711}', true)$$, 'QM404', null, 'an unknown number');
select throws_ok(
    $$select * from api.decide_phrases(array(select m.number from made as m where m.name in ('ticket', 'time')), true)$$, 'QM404', null,
    'one for a hidden tool'
);
select results_eq(
    $$select d.tool, d.added from api.decide_phrases(array(select m.number from made as m where m.name = 'ticket'), true, 'good words') as d$$,
    $$values ('tracker__create_ticket', 1)$$, 'nothing was decided before'
);
select results_eq(
    $$select d.tool, d.added from api.decide_phrases(array(select m.number from made as m where m.name = 'list'), false) as d$$,
    $$values ('tracker__listTickets', 0)$$, 'one is declined'
);
select throws_ok(
    $$select * from api.decide_phrases(array(select m.number from made as m where m.name = 'list'), true)$$, 'QM404', null, 'once'
);
select t.act_as_superuser();
select results_eq(
    $$select r.tool, r.changes, r.reason from catalog.repair as r$$,
    $$values ('create_ticket', '{"phrases": ["grumble about the kettle"]}'::jsonb, 'good words')$$, 'approved phrases are a repair'
);
select t.act_as('alice');
select is((select f.name from api.search_tools('grumble about the kettle') as f limit 1), 'tracker__create_ticket', 'searches find the tool');
select is_empty($$select * from api.list_unphrased() as u where u.name = 'tracker__create_ticket'$$, 'nobody is asked for more');

select * from finish();
rollback;
