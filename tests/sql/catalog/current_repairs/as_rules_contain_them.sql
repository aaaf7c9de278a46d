begin;
select plan(2);

select t.make_catalog();
select is(catalog.current_repairs(), '[]', 'none');
select catalog.put_repair(o.id, null, '{"phrases": ["what time"]}', false, '', false) from catalog.origin as o where o.name = 'time';
select catalog.put_repair(i.origin_id, i.name, '{"title": "Convert"}', false, 'unclear', false) from catalog.item as i where i.name = 'convert_time';
select catalog.put_repair(i.origin_id, i.name, '{"title": "X"}', false, '', false) from catalog.item as i where i.name = 'create_ticket';
select catalog.put_repair(i.origin_id, i.name, '{}', true, '', false) from catalog.item as i where i.name = 'create_ticket';
select is(
    catalog.current_repairs(),
    '[{"origin": "time", "phrases": ["what time"]}, {"origin": "time", "tool": "convert_time", "reason": "unclear", "title": "Convert"}]',
    'of origins and tools; what was undone is none'
);

select * from finish();
rollback;
