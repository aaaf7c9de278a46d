begin;
select plan(9);

select is(search.large_share(0), 0::float8, 'an empty catalog is small');
select is(search.large_share(200), 0::float8, 'and so is one of 200 cards');
select is(round(search.large_share(894)::numeric, 3), 0.500, 'the geometric mean of 200 and 4,000 is in the middle');
select is(search.large_share(100000), 1::float8, 'nothing is larger than large');
select is(search.large_share(0, repeat(' word', 28)), 0::float8, 'a goal of 28 words is short');
select is(round(search.large_share(0, repeat(' word', 33))::numeric, 1), 0.5, 'one of 33 words is in the middle');
select is(search.large_share(0, repeat(' word', 100)), 1::float8, 'and nothing is longer than long');
select is(search.large_share(100000, 'word'), 1::float8, 'in a large catalog, a short goal changes nothing');
select is(search.large_share(0, ' '), 0::float8, 'a goal without words is short');

select * from finish();
rollback;
