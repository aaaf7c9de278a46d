begin;
select plan(2);

select t.make_origin('off', 'none'), t.make_origin('on');
select t.make_tools('off', 'work'), t.make_tools('on', 'work'), t.make_principal('alice');
select t.read_as('alice');
select is(
    (select selection.explain_unavailable('tool', i.id) #>> '{detail,cause}' from catalog.item as i where i.public_name = 'off__work'),
    'the server is in the catalog, but not connected', 'the cause'
);
select is((select selection.explain_unavailable('tool', i.id) from catalog.item as i where i.public_name = 'on__work'), null, 'what can be used');

select * from finish();
rollback;
