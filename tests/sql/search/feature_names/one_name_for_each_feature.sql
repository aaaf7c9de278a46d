begin;
select plan(2);

select t.make_catalog();
select is(
    (
        select distinct cardinality(f.features)
        from search.features('tool', 'get the current time', null, array(select c.id from search.card as c)) as f
    ),
    cardinality(search.feature_names('tool')), 'as many numbers as names'
);
select is(cardinality(search.feature_names('tool'))::bigint, (select count(distinct n) from unnest(search.feature_names('tool')) as n), 'and no name twice');

select * from finish();
rollback;
