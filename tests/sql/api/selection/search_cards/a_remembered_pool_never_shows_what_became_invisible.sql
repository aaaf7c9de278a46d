begin;
select plan(4);

select t.make_catalog(), t.make_principal('alice');
select t.make_rules('{"rules": [{"effect": "deny", "subject": "everyone", "tools": "time__*"}]}');
select t.read_as('alice');
select set_has($$select f.name from api.select_tools('open a ticket') as f$$, $$values ('tracker__create_ticket')$$, 'it is found');
select t.act_as_superuser();
-- A right taken away without a trace in core.version.
set local session_replication_role = replica;
update catalog.item set rights_class = 1 where public_name = 'tracker__create_ticket';
update search.card set rights_class = 1 where name = 'tracker__create_ticket';
set local session_replication_role = origin;
select t.read_as('alice');
select set_hasnt($$select f.name from api.select_tools('open a ticket') as f$$, $$values ('tracker__create_ticket')$$, 'not any more');
select results_eq($$select r.stages -> 'cached', r.withheld -> 'not_visible' from selection.receipt as r where r.id = api.last_receipt('open a ticket')$$, $$values ('true'::jsonb, '1'::jsonb)$$, 'though the pool was remembered');
select set_hasnt($$select t.name_of(c.card_id) from api.rerank_candidates('open a ticket') as c$$, $$values ('tracker__create_ticket')$$, 'nor read by a cross-encoder');

select * from finish();
rollback;
