begin;
select plan(4);

create function pg_temp.globs(p_kind text, p_value text, p_check jsonb default null) returns text[]
language sql return (select array_agg(g.role || ' ' || g.glob order by g.role, g.glob collate "C") from decisions.globs_of(p_kind, p_value, p_check) as g);
select is(pg_temp.globs('path', 'src/**'), '{"scope src/**"}', 'a path is its glob');
select is(pg_temp.globs('module', 'app.api'), '{"scope **/app/api.*","scope **/app/api/**"}', 'a module is a file or a folder');
select is(pg_temp.globs('language', 'python') || pg_temp.globs('global', ''), '{"scope **","scope **"}', 'others are about all paths');
select is(pg_temp.globs('global', '', '{"form": "ruff", "paths": ["src/**"], "except": ["gen/**"], "rule": "E501"}'), '{"check src/**","except gen/**","scope **"}', 'a check has globs of its own');

select * from finish();
rollback;
