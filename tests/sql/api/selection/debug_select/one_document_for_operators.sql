begin;
select plan(8);

select t.make_catalog(), t.make_principal('alice'), t.make_principal('op', 'operator');
select t.act_as('alice');
select throws_ok($$select api.debug_select('ticket')$$, '42501', null, 'not for users');
select t.read_as('op', 'qm_operator');
create temporary table told as select api.debug_select('open a ticket, convert a time', top => 1) as document;
select ok((select t.document ?& '{receipt,mode,mode_label,duration_ms,stages,counts,offered,withheld}' from told as t), 'its members');
select is((select jsonb_array_length(t.document -> 'offered') from told as t), 1, 'what is offered');
select is((select (t.document -> 'counts' ->> 'offered')::integer + jsonb_array_length(t.document -> 'withheld') from told as t), 4, 'and what is not: every candidate');
select is((select r.goal from selection.receipt as r where r.id = (select (t.document ->> 'receipt')::bigint from told as t)), 'open a ticket, convert a time', 'its receipt');
select is((select api.debug_select('zyzzyva') -> 'offered'), '[]', 'nothing found');
select isnt((select api.debug_select('zyzzyva') -> 'receipt'), 'null', 'has a receipt');
select throws_ok($$select api.debug_select('')$$, 'QM422', null, 'an empty goal');

select * from finish();
rollback;
