begin;
select plan(8);

select t.make_assets(), t.make_principal('alice');
create function pg_temp.found(p_kind text, p_name text, p_origin text default null) returns text language sql as $$
    select o.name || ' ' || f.target from catalog.find_item(p_kind, p_name, p_origin) as f inner join catalog.origin as o on o.id = f.origin_id
$$;
select set_config('qm.principal', (select p.id::text from policy.principal as p where p.name = 'alice'), true);
select is(pg_temp.found('resource', 'memo://plan'), 'first memo://plan', 'the URI of who came first');
select is(pg_temp.found('resource', 'quartermaster://second/memo://plan'), 'second memo://plan', 'the prefix of the other');
select is(pg_temp.found('resource', 'memo://page/7'), 'first memo://page/7', 'a template');
select is(pg_temp.found('resource', 'quartermaster://second/memo://unlisted'), 'second memo://unlisted', 'what is not listed, with a prefix');
select is(pg_temp.found('resource', 'memo://plan', 'second'), 'second memo://plan', 'at the door of an origin its own names hold');
select is(pg_temp.found('resource', 'memo://unlisted', 'second'), 'second memo://unlisted', 'listed or not');
select is(pg_temp.found('resource', 'memo://unlisted'), null, 'nobody''s');
select is(pg_temp.found('prompt', 'greet'), null, 'prompts have to be listed, under their public name');

select * from finish();
rollback;
