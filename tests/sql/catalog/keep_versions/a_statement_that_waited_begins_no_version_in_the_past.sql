begin;
select plan(2);

select t.make_catalog();
select t.at('2027-01-01 12:00+00');
select catalog.put_repair(i.origin_id, i.name, '{"title": "First"}', false, '', false) from catalog.item as i where i.name = 'convert_time';
-- Another statement began before the first and waited for it.
select t.at('2027-01-01 11:59+00');
select lives_ok(
    $$select catalog.put_repair(i.origin_id, i.name, '{"title": "Second"}', false, '', false) from catalog.item as i where i.name = 'convert_time'$$,
    'it is stored'
);
select results_eq(
    $$
        select v.version, v.valid_from, v.valid_to
        from catalog.item_version as v
        inner join catalog.item as i on i.id = v.item_id
        where i.name = 'convert_time' and v.version > 1
        order by v.version
    $$,
    $$values (2, '2027-01-01 12:00+00'::timestamptz, '2027-01-01 12:00+00'::timestamptz), (3, '2027-01-01 12:00+00', null)$$, 'and follows the first'
);

select * from finish();
rollback;
