begin;
select plan(4);

select is(search.large_share(0), 0::float8, 'an empty catalog is small');
select is(search.large_share(200), 0::float8, 'and so is one of 200 cards');
select is(round(search.large_share(894)::numeric, 3), 0.500, 'the geometric mean of 200 and 4,000 is in the middle');
select is(search.large_share(100000), 1::float8, 'nothing is larger than large');

select * from finish();
rollback;
