begin;
select plan(5);

select t.make_assets(), t.make_principal('alice');
select t.make_rules('{"rules": [{"effect": "deny", "subject": "everyone", "names": ["memo://secret/*"]}]}');
select t.act_as('alice');
select results_eq($$select l.name from api.list_items('resource') as l$$, array['memo://plan', 'quartermaster://second/memo://plan'], 'what is hidden is not listed');
select results_eq($$select l.name from api.list_items('resource', of_origin => 'second') as l$$, array['memo://plan'], 'an origin''s own names');
select results_eq($$select l.name from api.list_items('resource', maximum => 1) as l$$, array['memo://plan'], 'a page');
select results_eq($$select l.definition ->> 'name' from api.list_items('resource', after => 'memo://plan') as l$$, array['other plan'], 'the next');
select t.act_as(null, 'qm_user');
select is_empty($$select * from api.list_items('resource')$$, 'nobody sees nothing');

select * from finish();
rollback;
