begin;
select plan(3);

select t.at('2026-01-01 00:00+00');
select t.make_catalog();
select t.at('2026-01-02 00:00+00');
update catalog.item set version = 2, status = 'pending', definition = '{"name": "new"}' where name = 'convert_time';
select catalog.keep_versions(array(select i.id from catalog.item as i));
select results_eq(
    $$select v.version, v.valid_from, v.valid_to, v.approved_at is null, v.definition ->> 'name'
    from catalog.item_version as v inner join catalog.item as i on i.id = v.item_id where i.name = 'convert_time' order by 1$$,
    $$values (1, '2026-01-01 00:00+00'::timestamptz, '2026-01-02 00:00+00'::timestamptz, false, 'convert_time'), (2, '2026-01-02 00:00+00', null, true, 'new')$$,
    'the version that waits is not approved'
);
select is((select count(*) from catalog.item_version as v where v.valid_to is null and v.version = 1), 3::bigint, 'the others stay as they are');
select catalog.keep_versions(array(select i.id from catalog.item as i));
select is((select count(*) from catalog.item_version), 5::bigint, 'a version is recorded once');

select * from finish();
rollback;
