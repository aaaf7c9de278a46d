begin;
select plan(2);

select t.make_catalog();
select is_empty('select * from core.lagging_sequences()', 'each sequence is as far as its table');
select setval(pg_get_serial_sequence('catalog.item', 'id'), 1, false);
select results_eq(
    'select l.sequence::text, l.highest from core.lagging_sequences() as l',
    $$select 'catalog.item_id_seq', max(i.id) from catalog.item as i$$,
    'one that was set back'
);

select * from finish();
rollback;
