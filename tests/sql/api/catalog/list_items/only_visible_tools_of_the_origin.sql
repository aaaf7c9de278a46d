begin;
select plan(2);

select t.make_catalog(), t.make_principal('alice');
select t.make_rules('{"rules": [{"effect": "deny", "subject": "everyone", "tools": ["time__convert_time"]}]}');
select t.act_as('alice');
select is_empty($$select * from api.list_items('tool', 'time') as l where l.name = 'convert_time'$$, 'a hidden tool is not there');
select results_eq($$select l.public_name from api.list_items('tool', 'time') as l$$, array['time__get_current_time'], 'the others are, of this origin only');

select * from finish();
rollback;
