begin;
select plan(6);

select t.make_origin(n) from unnest('{github, githubb, extras, mirror, github-mcp}'::text []) as n;
select t.make_tool('github', 'create_issue'), t.make_tool('github', 'list_items');
create function pg_temp.found(p_origin text, p_name text) returns text[] language sql as $$
    select t.make_tool(p_origin, p_name);
    select array(select i.rule from catalog.scan_imitation(array(select max(t.id) from catalog.item as t)) as i order by 1);
$$;
select is(pg_temp.found('extras', 'github__create_issue'), '{claims_foreign_name}', 'another origin''s prefix');
select is(pg_temp.found('extras', U&'cre\0430te_issue'), '{look_alike_name}', 'letters that look alike');
select is(pg_temp.found('extras', 'list_item5'), '{look_alike_name}', 'and digits');
select is(pg_temp.found('githubb', 'create_issue'), '{look_alike_origin}', 'an origin that is nearly another');
select is(pg_temp.found('mirror', 'create_issue'), '{}', 'the same name elsewhere is no imitation');
select is(pg_temp.found('github-mcp', 'createIssue'), '{}', 'nor is another way to write it');

select * from finish();
rollback;
