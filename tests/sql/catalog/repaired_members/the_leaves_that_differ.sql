begin;
select plan(2);

select t.make_catalog();
create temporary table before as select jsonb_object_agg(i.id, i.definition) as definitions from catalog.item as i;
select is_empty($$select m.path from before as b cross join lateral catalog.repaired_members(b.definitions) as m$$, 'nothing');
update catalog.item as i set definition = i.definition || '{"title": "x", "description": null, "repair": {"listed": {}, "names": {"words": "q"}, "values": {"account": "acme"}, "aside": ["y"]}}'
where i.name = 'convert_time';
select results_eq(
    $$select m.public_name, m.path, m.before, m.after from before as b cross join lateral catalog.repaired_members(b.definitions) as m order by m.path collate "C"$$,
    $$values ('time__convert_time', 'description', 'Convert a time between timezones.', null), ('time__convert_time', 'sends/account', null, 'acme'), ('time__convert_time', 'title', null, 'x')$$,
    'each leaf, and what is sent'
);

select * from finish();
rollback;
