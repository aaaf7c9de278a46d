begin;
select plan(3);

update core.setting set value = '2' where name = 'exposure.limit';
select t.make_catalog(), t.make_principal('alice');
select t.act_as('alice');
select t.at('2026-01-01 00:00+00');
select selection.record_receipt('tool', 'g', 'fast', 's', '[{"name": "time__get_current_time"}, {"name": "time__convert_time"}]', 1);
select t.at('2026-01-01 00:01+00');
select selection.record_receipt('tool', 'g', 'fast', 's', '[{"name": "tracker__create_ticket"}, {"name": "no_such"}]', 1);
select set_has($$select e.name from api.list_exposed('s') as e$$, $$values ('tracker__create_ticket')$$, 'the new one is there');
select is((select count(*) from api.list_exposed('s') as e), 2::bigint, 'an older one made room');
select is_empty($$select * from api.list_exposed('other')$$, 'another session has none');

select * from finish();
rollback;
