begin;
select plan(7);

select is(catalog.callable_name('time', 'time', 'get_current_time'), 'time__get_current_time', 'a plain name is kept');
select is(length(catalog.callable_name('abc', 'abc', repeat('x', 39))), 44, 'up to 44 characters');
select is(catalog.callable_name('abc', 'abc', repeat('x', 39)), 'abc__' || repeat('x', 39), 'as it is');
select matches(catalog.callable_name('abc', 'abc', repeat('x', 40)), '^abc__x{30}_[0-9a-f]{8}$', 'longer ones are cut and get a hash');
select ok(length(catalog.callable_name(repeat('s', 24), 'long', repeat('x', 512))) <= 44, 'with the longest slug');
select isnt(catalog.callable_name('abc', 'abc', repeat('x', 40)), catalog.callable_name('abc', 'abc', repeat('x', 41)), 'different names stay different');
select is(catalog.callable_name('abc', 'abc', repeat('x', 40)), catalog.callable_name('abc', 'abc', repeat('x', 40)), 'the same everywhere');

select * from finish();
rollback;
