begin;
select plan(1);

select results_eq(
    $$select p.prefix, p.suffix, p.shape, p.expression, round(p.depth::numeric, 2) from unnest('{src/a.py,src/**,src/**/*.py,src/*.py,**/views.py,a?.py,**}'::text[]) as g cross join lateral decisions.glob_parts(g) as p$$,
    $$values
        ('src/a.py', '', 'file', '', 0.67), ('src/', '', 'tree', '', 0.50), ('src/', '.py', 'tree', '', 0.50), ('src/', '.py', 'folder', '', 0.50), ('', '/views.py', 'name', '', 0.50),
        ('a', '.py', 'expression', '^a[^/]\.py$', 0.00), ('', '', 'tree', '', 0.00)$$,
    'a beginning, a shape and an end, and how narrow it is'
);

select * from finish();
rollback;
