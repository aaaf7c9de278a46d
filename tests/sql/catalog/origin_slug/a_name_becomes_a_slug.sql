begin;
select plan(6);

select is(catalog.origin_slug('time'), 'time', 'a plain name is kept');
select is(catalog.origin_slug('@scope/My server__x'), 'scope_My_server_x', 'other characters become one underscore');
select matches(catalog.origin_slug(repeat('long', 20)), '^[a-z]{17}-[0-9a-f]{6}$', 'a long name is cut and gets a hash');
select is(catalog.origin_slug('天気'), 'origin', 'a name without such characters');
select is(catalog.origin_slug('---'), 'origin', 'or of separators only');
select t.make_origin('天気');
select matches(catalog.origin_slug('時間'), '^origin-[0-9a-f]{6}$', 'a slug that is taken gets a hash');

select * from finish();
rollback;
