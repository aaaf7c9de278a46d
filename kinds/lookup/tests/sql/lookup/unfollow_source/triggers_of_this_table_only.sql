begin;
select plan(2);

select t.make_source('herb'), t.make_source('tree');
select lookup.follow_source(t.lookup_id(s.name), s.name::regclass) from unnest('{herb,tree}'::text[]) as s (name);
select lookup.unfollow_source(t.lookup_id('herb'));
select is_empty($$select from pg_trigger as g where g.tgrelid = 'public.herb'::regclass$$, 'its triggers are dropped');
select is((select count(*) from pg_trigger as g where g.tgrelid = 'public.tree'::regclass), 4::bigint, 'those of another stay');

select * from finish();
rollback;
