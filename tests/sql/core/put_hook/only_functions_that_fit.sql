begin;
select plan(4);

create function core.counts(p_project_id integer) returns jsonb language sql as $$select '{"packages": 3}'::jsonb$$;
create function core.counts_in_words(p_project_id integer) returns text language sql as $$select 'three'$$;
select throws_ok($$select core.put_hook('no_such_point', 'core.counts')$$, 'QM422', 'there is no hook point ''no_such_point''', 'a point that does not exist');
select throws_ok($$select core.put_hook('project_removed', 'core.nothing')$$, 'QM422', 'there is no function core.nothing(integer) that returns jsonb', 'a function that does not exist');
select throws_ok($$select core.put_hook('project_removed', 'core.counts_in_words')$$, 'QM422', null, 'a function that returns something else');
select core.put_hook('project_removed', 'core.counts', -1), core.put_hook('project_removed', 'core.counts', -2);
select is((select array_agg(h::text) from core.hooks('project_removed') as h limit 1) [1], 'core.counts', 'a function that fits comes in its place, once');

select * from finish();
rollback;
