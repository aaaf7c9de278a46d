begin;
select plan(2);

select t.make_project('shop', 'alice');
create function pg_temp.scans(p_version text) returns jsonb language sql return (
    select jsonb_agg(s || jsonb_build_object('tool_version', p_version)) from jsonb_array_elements(t.scans()) as s where s ->> 'tool' in ('ruff', 'mypy') and (p_version < '3' or s ->> 'tool' = 'mypy')
);
create temporary table version as select t.scan_file('alice', 'a.py', pg_temp.scans(v::text)) as id from generate_series(1, 3) as v;
select t.act_as_superuser();
select results_eq($$select s.tool, s.tool_version from quality.latest_scans((select min(id) from version)) as s$$, $$values ('mypy', '3'), ('ruff', '2')$$, 'the last one');
select is_empty($$select * from quality.latest_scans(0)$$, 'none of another version');

select * from finish();
rollback;
